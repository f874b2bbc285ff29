"""Throws that were entered: they lie face down, then all are turned over at once, and nothing of any of them is
shown, said or heard before."""

from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from device.simulated.controls import SimulatedSound
from device.sound.base import COUNT_BEATS, Tone
from device.system.clock import Clock
from rules.record.match import REFEREE, SPECTATOR
from rules.throws import Outcome, Throw
from tests.helpers.pausing_people import PAPER_ROCK, ROCK_PAPER, TIE, begin
from throwlock.journal.journal import Journal
from throwlock.match.reveal import FACE_DOWN_S, Pace
from throwlock.replay.project import project
from ui.screen.pages.message import GameMessage
from ui.screen.pages.reveal import FaceDown, Reveal
from ui.screen.pages.showdown import Showdown


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "one.journal") as opened:
        yield opened


def shown_of(journal: Journal, answers: list[Any], **more: Any) -> list[Any]:
    match, script = begin(journal, answers, **more)
    match.play()
    return [view for view in script.seen if isinstance(view, FaceDown | Reveal | GameMessage | Showdown)]


def test_all_cards_lie_face_down_before_they_are_turned_over(journal: Journal) -> None:
    shown = shown_of(journal, [ROCK_PAPER, TIE, PAPER_ROCK, PAPER_ROCK])
    assert [type(view) for view in shown[:4]] == [FaceDown, Reveal, GameMessage, FaceDown]
    for down, reveal in pairwise(shown):
        if isinstance(down, FaceDown):
            assert isinstance(reveal, Reveal)
            assert [player.seat for player in down.players] == [seat.seat for seat in reveal.seats]
    assert {field.name for field in fields(FaceDown)} == {"players", "can_undo"}, "a throw has no place in it"


def test_the_reveal_says_who_won_and_the_message_has_only_the_score(journal: Journal) -> None:
    _, reveal, message, *_ = shown_of(journal, [ROCK_PAPER, PAPER_ROCK, PAPER_ROCK])
    assert [seat.last_throw for seat in reveal.seats] == [Throw.ROCK, Throw.PAPER]
    assert [seat.outcome for seat in reveal.seats] == [Outcome.LOST, Outcome.WON]
    assert reveal.beaten_pairs == ((Throw.PAPER, Throw.ROCK),) and not reveal.is_judged
    assert reveal.seconds_left == Pace().entered_throw_s and "Ben" in str(reveal.sentence)
    assert message.already_revealed and [player.score for player in message.players] == [0, 1]
    assert [player.score for player in reveal.players] == [None, None], "the score comes after it"


def test_the_drum_of_a_count_is_heard_until_they_are_turned_over(journal: Journal) -> None:
    speakers: list[SimulatedSound] = []

    def sound_at(clock: Clock) -> SimulatedSound:
        speakers.append(SimulatedSound(clock))
        return speakers[0]

    shown_of(journal, [ROCK_PAPER, PAPER_ROCK, PAPER_ROCK], sound_at=sound_at)
    heard = speakers[0].played[: len(COUNT_BEATS) + 2]
    assert [played.tone for played in heard] == [Tone.ANSWERED, *COUNT_BEATS, Tone.ROUND_WON]
    gaps_ns = {later.when_ns - earlier.when_ns for earlier, later in pairwise(heard)}
    assert gaps_ns == {round(FACE_DOWN_S * 1e9) // (len(COUNT_BEATS) + 1)}, "even, and the first beat isn't due at once"


def test_what_is_projected_of_entered_throws_is_what_everybody_saw(journal: Journal) -> None:
    shown = shown_of(journal, [ROCK_PAPER, TIE, PAPER_ROCK, PAPER_ROCK])
    reveals = [view for view in shown if isinstance(view, Reveal)]
    for viewer in (SPECTATOR, REFEREE, 1):
        match = project(journal.events(), viewer)
        assert not match.rounds, "nothing was judged"
        throws = [[seat.throws for seat in step.seats] for step in match.steps if step.seats]
        assert throws == [[seat.throws for seat in view.seats] for view in reveals]
