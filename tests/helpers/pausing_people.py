"""People who pause a match, by a script."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from device.sound.base import NullSound, Sound
from device.system.clock import Clock, SimulatedClock
from rules.catalogue import GAMES
from rules.engine import Game
from tests.helpers.table_matches import match_config
from throwlock.journal.journal import Journal
from throwlock.match.match import Match
from throwlock.match.pause import PausableDisplay
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.tables.answers import ScreenAnswers
from throwlock.tables.source import AnswerSource, RoundSource
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import PausePage
from ui.screen.pages.reveal import Reveal
from ui.screen.views import PAUSE, InteractiveView, Reply, View

ROCK_PAPER, PAPER_ROCK, TIE = (
    {1: "rock", 2: "paper"},
    {1: "paper", 2: "rock"},
    {1: "rock", 2: "rock"},
)


@dataclass
class Script:
    """A display whose people follow a script: the next answer for each view, or a function's result."""

    answers: list[Any]
    seen: list[Any] = field(default_factory=list)

    def show(self, view: View) -> None:
        self.seen.append(view)

    def ask(self, view: InteractiveView) -> Any:
        self.seen.append(view)
        following = self.answers[0] if self.answers else None
        is_meant = isinstance(following, On) and type(view) is following.kind
        if isinstance(view, Reveal | GameMessage | Notice) and not is_meant:
            return "go on"
        answer = self.answers.pop(0)
        if isinstance(answer, On):
            assert isinstance(view, answer.kind), view
            answer = answer.answer
        return answer(view) if callable(answer) else answer


@dataclass(frozen=True)
class On:
    """An answer to a view of one kind; without one, messages and notices are gone on with."""

    kind: type
    answer: Any


def pause(view: InteractiveView) -> Any:
    """Touch the pause button of the view's first page."""
    paused = view.first_page().press(PAUSE)
    assert isinstance(paused, Reply)
    return paused.value


def begin(
    journal: Journal,
    answers: list[Any],
    game: Game | None = None,
    answers_of: Callable[[Any], AnswerSource] = ScreenAnswers,
    people: type[Script] = Script,
    sound_at: Callable[[Clock], Sound] = lambda clock: NullSound(),
    **more: Any,
) -> tuple[Match, Script]:
    """Begin a match that people play at a screen, with the loudspeaker that ``sound_at`` returns for its clock."""
    clock = SimulatedClock()
    config = match_config(game or GAMES["classic"].set_up(2, {"best_of": 3}))
    number = journal.start_match(config.start_event(), config.names)
    script = people(answers)
    display = PausableDisplay(script)
    match = Match(
        journal,
        number,
        RoundSource(answers_of(display)),
        MatchOutput(display, clock, lambda line: None, Pace(), sound_at(clock), people_answer=True, **more),
    )
    display.menu = match.pause_page
    return match, script


def menus(script: Script) -> list[PausePage]:
    return [view for view in script.seen if isinstance(view, PausePage)]
