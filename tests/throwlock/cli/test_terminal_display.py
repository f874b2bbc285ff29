"""Disputes at a table without a screen: what is typed, what is told, and a match corrected from there."""

from dataclasses import replace
from pathlib import Path

import pytest

from rules.catalogue import find
from tests.throwlock.match.test_match import billed, sit_down
from throwlock.match.terminal_display import HOW, AtTerminal, read_correction
from throwlock.journal.journal import Journal
from throwlock.journal.verify import verify
from throwlock.match.corrections import CORRECTION, UPHELD
from tools.gallery.gallery import bet, disputing, reveal
from ui.screen.core.display import NoInputError
from ui.screen.pages.views import DISPUTE, Corrected, Notice

VIEW = disputing(2)
COUNTS = replace(VIEW, void=False)


class Announcing(AtTerminal):
    """With the lines a match tells."""

    def announce(self, line: str) -> None:
        self._tell(line)


class Typing:
    """Somebody who types ``lines``, and sees what is told and prompted."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.seen: list[str] = []
        self.terminal = Announcing(self.line, self.seen.append)

    def line(self, prompt: str) -> str:
        self.seen.append(prompt)
        return self.lines.pop(0) + "\n"


@pytest.mark.parametrize(
    ("typed", "correction"),
    [
        ("2 paper", Corrected(2, "paper")),
        ("1  nothing", Corrected(1, None)),
        ("void", Corrected(None)),
        ("3 paper", None),
        ("2 well", None),
        ("2", None),
        ("paper 2", None),
        ("02 paper", None),
        ("9" * 500 + " rock", None),
    ],
)
def test_a_correction_is_read(typed: str, correction: Corrected | None) -> None:
    assert read_correction(COUNTS, typed) == correction


def test_what_a_round_does_not_allow_is_not_read() -> None:
    assert read_correction(VIEW, "void") is None, "it is void already"
    cards = replace(COUNTS, seats=tuple(replace(seat, choices=("rock",)) for seat in COUNTS.seats))
    assert read_correction(cards, "1 paper") is None and read_correction(cards, "1 rock") == Corrected(1, "rock")


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["nonsense", "2 paper", "no", "2 rock", "yes"], Corrected(2, "rock")),
        ([""], "stands"),
        (["later", "earlier"], "earlier"),
    ],
)
def test_a_dispute_is_asked_until_everybody_agrees(lines: list[str], answer: object) -> None:
    typing = Typing(*lines)
    assert typing.terminal.ask(replace(COUNTS, earlier=True)) == answer
    assert not typing.lines
    assert any("Bartholomew: LATE +212 ms ± 2 ms" in line for line in typing.seen)
    assert typing.seen.count(HOW) == len(lines) - lines.count("no") - lines.count("yes")


def test_every_reveal_is_asked_and_other_questions_are_not_for_it() -> None:
    assert Typing("dispute").terminal.ask(reveal(2)) == DISPUTE
    assert Typing("").terminal.ask(reveal(2)) is None
    typing = Typing("what", "go on")
    assert typing.terminal.ask(Notice("Are you there?", "Nobody is seen.", ("go on", "stop"))) == "go on"
    assert typing.seen[0] == "Are you there? Nobody is seen."
    with pytest.raises(NoInputError):
        Typing().terminal.ask(bet(2))


def test_a_match_without_a_screen_is_corrected(tmp_path: Path) -> None:
    billing = billed(find("classic").set_up(2, {"best_of": 5}))
    typing = Typing("", "dispute", "2 paper", "yes", "dispute", "", *[""] * 40)
    with Journal(tmp_path / "one.journal") as journal:
        match, _ = sit_down(journal, billing, display=typing.terminal)  # type: ignore[arg-type]  # any display
        match.play()
        events = journal.events()
        assert verify(journal).faults == ()
    kinds = [event.kind for event in events]
    assert kinds[1:5] == ["answer", "void", CORRECTION, "answer"] and kinds[5] == UPHELD
    assert events[3].body["answers"]["2"] == "paper"
