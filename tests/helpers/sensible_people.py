"""People who play a game from the home page to its winner by touch alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from rules.engine import Value
from tests.helpers.touching_people import TouchingPeople
from ui.screen.core.display import WindowClosedError
from ui.screen.core.scene import WindowScene
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.pages.common import DISPUTE_ANSWER, UNDO_ANSWER
from ui.screen.pages.home import ChosenGame, GamesPage, SetUpPage
from ui.screen.pages.how_to_play import FirstTimePage, HowToPlayPage
from ui.screen.pages.question import EntryPage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.seating import PlanPage
from ui.screen.views import PAUSE, Reply, TimedView, View

TOUCH_S = 0.8
"""Seconds between two touches."""
MAX_TOUCHES = 3000
"""The most touches in which a short game is over, ties among eight players included."""


@dataclass
class SensiblePeople(TouchingPeople):
    """People who choose ``game`` for ``seats`` players with ``options``, play it to its result, go home and close the
    window."""

    game: str = ""
    seats: int = 2
    options: Mapping[str, Value] = field(default_factory=dict)
    pages: set[str] = field(default_factory=set)
    """The kinds of pages they saw."""
    has_won: bool = False
    """Whether the match came to its result."""
    NO_PROGRESS: ClassVar[tuple[object, ...]] = (DISPUTE_ANSWER, UNDO_ANSWER)

    def __post_init__(self) -> None:
        self._until_home = MAX_TOUCHES

    def _raise_if_paused(self) -> None:
        assert self._until_home > 0, f"no winner: {self.touched[-20:]}"

    def _quiet_steps(self, scene: WindowScene) -> list[float]:
        waits = isinstance(scene.view, TimedView) and not getattr(scene.view, "can_undo", True)
        if waits:
            self._draw(scene.view.at_time(scene.view.animation_s))
        return [TOUCH_S] * (20 if waits else 1)

    def _useful(self, canvas: Canvas) -> list[Target]:
        """Return the targets that lead on."""
        return [
            target
            for target in canvas.targets
            if target.grip is None
            and target.press != PAUSE
            and not target.leads_back
            and not (isinstance(target.press, Reply) and target.press.value in self.NO_PROGRESS)
        ]

    def choose(self, page: View, canvas: Canvas) -> Target:
        self.pages.add(type(page).__name__)
        targets = self._useful(canvas) or canvas.targets
        match page:
            case GamesPage():
                if self.has_won:
                    raise WindowClosedError("all went home")
                targets = [
                    one for one in targets if isinstance(one.press, SetUpPage) and one.press.game.name == self.game
                ]
            case SetUpPage():
                targets = self._set_up(page, targets)
            case MatchResult():
                self.has_won = True
                targets = [one for one in canvas.targets if isinstance(one.press, Reply) and one.press.value == "home"]
            case PlanPage() | FirstTimePage() | HowToPlayPage():
                targets = [one for one in canvas.targets if one.main] or targets
            case EntryPage() if self.rng.random() < 0.6:
                targets = [one for one in targets if one.main] or targets
        return self.rng.choice(targets)

    def _set_up(self, page: SetUpPage, targets: list[Target]) -> list[Target]:
        """Return the targets that bring the set-up nearer to what is wanted; once it is there, the start."""
        steps = [(one, one.press) for one in targets if isinstance(one.press, SetUpPage)]
        nearer = [one for one, to in steps if abs(to.seats - self.seats) < abs(page.seats - self.seats)]
        wanted = {name for name in self.options if self._missing(page, name)}
        chosen = [
            one for one, to in steps if any(self._missing(to, name) < self._missing(page, name) for name in wanted)
        ]
        further = [one for one, to in steps if wanted and to.list_page > page.list_page]
        start = [
            one
            for one in targets
            if isinstance(one.press, Reply)
            and isinstance(one.press.value, ChosenGame)
            and one.press.value.options == page.options
        ]
        return nearer or chosen or further or start

    def _missing(self, page: SetUpPage, name: str) -> int:
        """Return how far an option is from the wanted one; 1 if it is no number."""
        now, wanted = page.options[name], self.options[name]
        return abs(now - wanted) if isinstance(now, int) and isinstance(wanted, int) else int(now != wanted)
