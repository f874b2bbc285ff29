"""Disputes at a table without a screen: what is typed, what is told, and a match corrected from there."""

from dataclasses import replace
from pathlib import Path

import pytest

from rules.catalogue import find_game
from tests.helpers.samples.dispute import counting, disputed_round
from tests.helpers.samples.question import bet_question
from tests.helpers.samples.reveal import mixed_reveal
from tests.helpers.table_matches import make_match, match_config
from throwlock.journal.events import Corrected
from throwlock.journal.journal import Journal
from throwlock.match.terminal_display import DISPUTE_PROMPT, TerminalDisplay, read_correction
from throwlock.review.verify import verify
from ui.screen.core.display import NoInputError
from ui.screen.pages.common import DISPUTE_ANSWER
from ui.screen.pages.dispute import AgreedCorrection
from ui.screen.pages.notice import Notice

VIEW = disputed_round(2)
COUNTING_VIEW = counting(VIEW)


class RecordingTerminalDisplay(TerminalDisplay):
    """With the lines a match tells."""

    def announce(self, line: str) -> None:
        self._announce(line)


class ScriptedTerminal:
    """Somebody who types ``lines``, and sees what is told and prompted."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.seen: list[str] = []
        self.terminal = RecordingTerminalDisplay(self.line, self.seen.append)

    def line(self, prompt: str) -> str:
        self.seen.append(prompt)
        return self.lines.pop(0) + "\n"


@pytest.mark.parametrize(
    ("typed", "correction"),
    [
        ("2 paper", AgreedCorrection(2, "paper")),
        ("1  nothing", AgreedCorrection(1, None)),
        ("void", AgreedCorrection(None)),
        ("3 paper", None),
        ("2 well", None),
        ("2", None),
        ("paper 2", None),
        ("02 paper", None),
        ("9" * 500 + " rock", None),
    ],
)
def test_correction_is_parsed(typed: str, correction: AgreedCorrection | None) -> None:
    assert read_correction(COUNTING_VIEW, typed) == correction


def test_illegal_correction_is_not_parsed() -> None:
    assert read_correction(VIEW, "void") is None, "it is void already"
    cards = replace(COUNTING_VIEW, choices=dict.fromkeys((1, 2), ("rock",)))
    assert read_correction(cards, "1 paper") is None and read_correction(cards, "1 rock") == AgreedCorrection(1, "rock")


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["nonsense", "2 paper", "no", "2 rock", "yes"], AgreedCorrection(2, "rock")),
        ([""], "stands"),
        (["later", "earlier"], "earlier"),
    ],
)
def test_a_dispute_is_asked_until_everybody_agrees(lines: list[str], answer: object) -> None:
    typing = ScriptedTerminal(*lines)
    assert typing.terminal.ask(replace(COUNTING_VIEW, has_earlier=True)) == answer
    assert not typing.lines
    assert any("Bartholomew: LATE +212 ms ± 2 ms" in line for line in typing.seen)
    assert typing.seen.count(DISPUTE_PROMPT) == len(lines) - lines.count("no") - lines.count("yes")


def test_reveals_are_asked_and_other_questions_raise() -> None:
    assert ScriptedTerminal("dispute").terminal.ask(mixed_reveal(2)) == DISPUTE_ANSWER
    assert ScriptedTerminal("").terminal.ask(mixed_reveal(2)) is None
    typing = ScriptedTerminal("what", "go on")
    assert typing.terminal.ask(Notice("Are you there?", "Nobody is seen.", ("go on", "stop"))) == "go on"
    assert typing.seen[0] == "Are you there? Nobody is seen."
    with pytest.raises(NoInputError):
        ScriptedTerminal().terminal.ask(bet_question(2))


def test_a_match_without_a_screen_is_corrected(tmp_path: Path) -> None:
    config = match_config(find_game("classic").set_up(2, {"best_of": 5}))
    typing = ScriptedTerminal("", "dispute", "2 paper", "yes", "dispute", "", *[""] * 40)
    with Journal(tmp_path / "one.journal") as journal:
        match, _ = make_match(journal, config, display=typing.terminal)  # type: ignore[arg-type]  # any display
        match.play()
        events = journal.events()
        assert verify(journal).problems == ()
    kinds = [event.kind for event in events]
    assert kinds[1:6] == ["round_judged", "round_voided", "corrected", "round_judged", "dispute_rejected"]
    assert isinstance(events[3].body, Corrected) and events[3].body.answers is not None
    assert events[3].body.answers[2] == "paper"
