"""Resigning and draws in the board game: journalled, resumed, taken back, and verified."""

from collections import deque
from collections.abc import Sequence
from pathlib import Path

import pytest

from device.system.clock import SimulatedClock
from rules.catalogue import find_game
from rules.engine import Answers, Choices, Prompt, Result, Value
from tests.helpers.table_matches import WatchingDisplay, match_config
from throwlock.journal.journal import Journal, JournalReader
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput
from throwlock.match_runner import resume_or_begin
from throwlock.review.verify import verify
from throwlock.tables.source import AnswerSource, PeopleLeftError, RoundSource
from ui.screen.pages.common import Player

GAME = find_game("board").set_up(2, {"start": "1"})
MOVE = "move"


class ScriptedPeople(AnswerSource):
    """People who answer as a script says, MOVE with any move, and leave at its end."""

    def __init__(self, *script: Value) -> None:
        self.script, self.asked = deque(script), list[tuple[str, int]]()

    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        ((seat, allowed),) = prompt.seats.items()
        self.asked.append((prompt.kind, seat))
        if not self.script:
            raise PeopleLeftError
        assert isinstance(allowed, Choices)
        answer = self.script.popleft()
        return {seat: allowed.values[0] if answer == MOVE else answer}


def open_match(journal: Journal, people: ScriptedPeople) -> Match:
    display = WatchingDisplay(journal.path, answer="go on")
    output = MatchOutput(display, SimulatedClock(), display.announce, people_answer=True)
    return Match(journal, resume_or_begin(journal, match_config(GAME)), RoundSource(people), output)


def play(path: Path, *script: Value) -> Result:
    with Journal(path) as journal:
        return open_match(journal, ScriptedPeople(*script)).play()


def assert_verified(path: Path) -> None:
    with JournalReader(path) as journal:
        assert verify(journal).problems == ()


def test_whoever_resigns_loses(tmp_path: Path) -> None:
    result = play(tmp_path / "journal", MOVE, "resign")
    assert result.winners == (1,) and result.scores == {1: 1, 2: 0}
    assert result.details == {"reason": "resignation", "plies": 1}
    assert_verified(tmp_path / "journal")


def test_a_draw_is_offered_declined_taken_back_and_accepted(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with pytest.raises(PeopleLeftError):
        play(path, MOVE, "offer a draw", "decline")
    with Journal(path) as journal:
        people = ScriptedPeople()
        match = open_match(journal, people)
        with pytest.raises(PeopleLeftError):
            match.play()
        match.undo()
        with pytest.raises(PeopleLeftError):
            match.play()
        match.undo()
        with pytest.raises(PeopleLeftError):
            match.play()
        assert people.asked == [("move", 2), ("draw offer", 1), ("move", 2)]
    result = play(path, "offer a draw", "accept")
    assert result.winners == () and result.details["reason"] == "agreement"
    assert_verified(path)


def test_a_resignation_can_be_taken_back_before_the_match_ends(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        people = ScriptedPeople(MOVE, "resign")
        match = open_match(journal, people)
        for _ in range(2):
            match.play_prompt()
        match.undo()
        with pytest.raises(PeopleLeftError):
            match.play()
        assert people.asked[-1] == ("move", 2)
    assert play(path, "offer a draw", "decline", "resign").winners == (1,)
    assert_verified(path)
