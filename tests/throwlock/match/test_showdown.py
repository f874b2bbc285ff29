"""Showdowns in a match that people play at a screen: each comes before anybody sees their next hand, and after it is in
the journal; one that nobody may have seen is shown again; what led to it can be taken back."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from tests.helpers.match_texts import sentences
from tests.helpers.table_matches import match_config
from throwlock.journal.events import Answered
from throwlock.journal.journal import Journal
from throwlock.match.match import Match
from throwlock.match.pause import PausableDisplay
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.replay.public_log import public_log
from throwlock.review.verify import verify
from throwlock.tables.answers import ScreenAnswers
from throwlock.tables.source import RoundSource
from ui.screen.core.display import WindowClosedError
from ui.screen.pages.common import UNDO_ANSWER
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.message import GameMessage
from ui.screen.pages.question import SEEN_REPLY
from ui.screen.pages.showdown import Showdown
from ui.screen.views import InteractiveView, View


@dataclass
class RandomPeople:
    """A display whose people answer at random; ``at_showdown`` is what the next showdowns are answered with, an error
    to be raised, or nothing once it is empty. Each view is noted with the number of events in the journal."""

    journal: Journal
    seed: int
    at_showdown: list[Any] = field(default_factory=list)
    seen: list[tuple[View, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)

    def show(self, view: View) -> None:
        self.seen.append((view, len(self.journal.events())))

    def ask(self, view: InteractiveView) -> Any:
        self.show(view)
        if isinstance(view, GroupQuestion):
            return {seat: allowed.draw(self._chance) for seat, allowed in view.prompt.seats.items()}
        if isinstance(view, Showdown) and self.at_showdown:
            answer = self.at_showdown.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer
        return "go on"

    def kinds(self) -> list[str]:
        """What was shown, in a word each."""
        return [
            view.prompt.kind if isinstance(view, GroupQuestion) else type(view).__name__.lower()
            for view, _ in self.seen
            if isinstance(view, GroupQuestion | Showdown | GameMessage)
        ]


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    with Journal(tmp_path / "one.journal") as opened:
        yield opened


def open_match(journal: Journal, number: int, people: RandomPeople) -> Match:
    display = PausableDisplay(people)
    match = Match(
        journal,
        number,
        RoundSource(ScreenAnswers(display)),
        MatchOutput(display, SimulatedClock(), lambda line: None, Pace(), people_answer=True),
    )
    display.menu = match.pause_page
    return match


def begin(journal: Journal, people: RandomPeople, seats: int = 2, **options: Any) -> Match:
    config = match_config(GAMES["future"].set_up(seats, options))
    return open_match(journal, journal.start_match(config.start_event(), config.names), people)


@pytest.mark.parametrize("cards", ["box", "table"])
@pytest.mark.parametrize("seats", [2, 4])
def test_showdown_is_journalled_before_the_next_turn(journal: Journal, seats: int, cards: str) -> None:
    people = RandomPeople(journal, 4)
    begin(journal, people, seats, cards=cards).play()
    kinds, turns = people.kinds(), 0
    for index, kind in enumerate(kinds):
        if kind == "showdown":
            turns += 1
            after = kinds[index + 1 : index + 3]
            assert after[:1] in ([], ["gamemessage"]), "then the next turn is announced"
            if cards == "box" and after:
                assert after == ["gamemessage", "hand"], "and then everybody sees their next hand"
    assert turns and ("hand" in kinds) == (cards == "box")
    for view, written in people.seen:
        if isinstance(view, Showdown):
            last = journal.events()[written - 1].body
            assert isinstance(last, Answered) and last.prompt in ("act", "discard", "throw")
            assert view.seconds_left == view.animation_s + Pace().reveal_s
        if isinstance(view, GroupQuestion) and view.prompt.kind == "hand":
            assert view.prompt.seats[next(iter(view.prompt.seats))].allows(SEEN_REPLY)
    assert verify(journal).problems == ()


@pytest.mark.parametrize(
    ("seed", "outcome", "after"),
    [
        (4, "Ben takes 1 chip without showing.", ["gamemessage", "hand"]),
        (14, "Nobody wins. In the pot: 3 chips.", ["gamemessage", "hand"]),
        (15, "Ada wins 9 chips from the pot.", ["gamemessage", "hand"]),
        (16, "Ada wins 20 chips from the pot.", []),
    ],
    ids=["unshown", "nobody wins", "won", "the last"],
)
def test_a_showdown_that_nobody_may_have_seen_is_shown_again(
    journal: Journal, seed: int, outcome: str, after: list[str]
) -> None:
    people = RandomPeople(journal, seed, [WindowClosedError("closed")])
    with pytest.raises(WindowClosedError):
        begin(journal, people).play()
    first = people.seen[-1][0]
    assert isinstance(first, Showdown) and first.outcome == outcome
    again = RandomPeople(journal, 5)
    open_match(journal, 1, again).play()
    assert again.seen[0][0] == first
    assert again.kinds()[:3] == ["showdown", *after]
    assert verify(journal).problems == ()


@pytest.mark.parametrize("undone", [False, True])
def test_a_match_resumed_after_the_next_answer_shows_no_old_showdown(journal: Journal, undone: bool) -> None:
    people = RandomPeople(journal, 4, ["go on"])
    match = begin(journal, people)
    while not any(isinstance(view, Showdown) for view, _ in people.seen):
        match.play_prompt()  # a step at a time, to stop after the next answer
    match.play_prompt()
    if undone:
        match.undo()
    again = RandomPeople(journal, 5)
    open_match(journal, 1, again).play()
    assert again.kinds()[0] not in ("showdown", "hand")


def test_what_led_to_a_showdown_can_not_be_taken_back(journal: Journal) -> None:
    """Whoever has seen the others' cards would no longer call."""
    people = RandomPeople(journal, 4, [UNDO_ANSWER])
    begin(journal, people).play()
    showdowns = [view for view, _ in people.seen if isinstance(view, Showdown) and not view.stays_hidden]
    assert showdowns and not any(view.can_undo for view in showdowns)
    assert verify(journal).problems == ()


def test_review_and_public_log_name_every_bluff(journal: Journal) -> None:
    people = RandomPeople(journal, 4)
    begin(journal, people).play()
    bluffs = [card for view, _ in people.seen if isinstance(view, Showdown) for card in view.cards if card.bluff]
    assert bluffs
    events = journal.events()
    assert [sentence for sentence in sentences(events) if " bluffed: " in sentence] == [
        str(card.sentence) for card in bluffs
    ]
    listed = [line["bluffs"] for line in public_log(events) if line.get("say") == "revealed"]
    assert sum(len(one) for one in listed if isinstance(one, list)) == len(bluffs)
