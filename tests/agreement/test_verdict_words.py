"""A verdict has one word and one sentence, whatever shows it: the touchscreen's reveal, disputes and past rounds, the
television, slow motion, the review pages, clips and the terminal."""

from pathlib import Path
from typing import Any

import pytest

from rules.record.judgement import NOT_ALLOWED_VERDICT, VOID_VERDICT, Verdict
from rules.record.round import FoulRule, RoundView
from tests.helpers.journal_builder import NAMES, JournalBuilder
from tests.helpers.journal_events import round_body, seat_record
from tests.helpers.samples.reveal import sample_reveal
from tests.helpers.samples.slow_motion import sample_slow_motion
from tests.helpers.surfaces import LiveSurfaces, dispute, history, page_line, review
from throwlock.match.reveal import seat_line
from throwlock.review.clip_maker import clip_sentence
from ui.i18n.language import set_language, t
from ui.screen.pages.common import Player
from ui.text import labels
from ui.text.rounds import class_verdict_text, stored_text, verdict_sentence, verdict_text
from ui.text.verdicts import seat_placeholders

DARK = {"kind": "too dark", "seat": None, "measured": 12}


@pytest.fixture(autouse=True)
def german() -> None:
    """A box that speaks German, whose journal is in English."""
    set_language("de")


class Round:
    """A journal with a round in which Ben's throw has a verdict."""

    def __init__(self, folder: Path, word: str) -> None:
        self.path, self.word = folder / "evening.journal", word
        verdict = {NOT_ALLOWED_VERDICT: Verdict.ON_TIME, VOID_VERDICT: Verdict.ON_TIME}.get(word, word)
        is_foul = word == NOT_ALLOWED_VERDICT or Verdict(verdict).is_foul
        more: dict[str, Any] = {"shown_ms": -40.0} if verdict == Verdict.EARLY else {"shown_ms": 350.0}
        seats = {1: seat_record(), 2: seat_record(verdict, "paper", **more)}
        body = self._written(seats, [2] if is_foul else [], void_reason=DARK if word == VOID_VERDICT else None)
        builder = JournalBuilder(self.path)
        builder.journal.append(builder.match, body)
        self.line: RoundView = builder.rounds()[0]
        builder.close()
        self.seat = self.line.seat_views[2]
        self.is_timed_foul = self.seat.is_foul and self.seat.timed_ms is not None

    def _written(self, seats: Any, fouls: list[int], **more: Any) -> Any:
        """Return a round as the table writes it: with its sentence in English."""
        counts = not fouls and not more["void_reason"] and seats[2]["verdict"] == Verdict.ON_TIME
        answers = {1: "rock", 2: "paper"} if counts else None
        judgement = round_body(seats, answers, fouls, **more).judgement
        text = verdict_text(judgement, fouls, counts, seat_placeholders(seats), FoulRule.REPLAY)
        return round_body(seats, answers, fouls, str(text), **more)

    def said(self) -> dict[str, str]:
        """Return what each surface says."""
        people = [Player(seat, name) for seat, name in enumerate(NAMES[:2], 1)]
        view = sample_reveal(self.line.seats, verdict_sentence(self.line), people=people)
        live = LiveSurfaces(NAMES[:2], lambda view: None, False)
        live.show(view)
        said = {
            "reveal": live.lines["touchscreen"][-1],
            "television": live.lines["television"][-1],
            "review": next(line for line in review(self.path) if line.startswith("/round/")),
            "past round": next(line for line in history(self.path) if line.startswith("DisputedRound")),
            "dispute": "".join(dispute(self.path)),
            "clip": t(clip_sentence(self.line)),
        }
        if self.is_timed_foul:
            said["slow motion"] = page_line(sample_slow_motion(view, 1e3))
        return said


@pytest.mark.parametrize("word", labels.VERDICTS)
def test_a_verdict_is_the_same_on_every_surface(word: str, tmp_path: Path) -> None:
    thrown = Round(tmp_path, word)
    said, label, is_foul = thrown.said(), t(labels.VERDICTS[word]), thrown.seat.is_foul
    everywhere = {"reveal", "television", "review"}
    if is_foul:
        everywhere |= {"past round", "dispute"}
    if thrown.is_timed_foul:
        everywhere.add("slow motion")
    texts = {surface: set(line.split(" | ")) for surface, line in said.items()}
    assert {surface for surface in everywhere if label not in said[surface]} == set(), texts
    others = {t(other) for other in labels.VERDICTS.values()} - {label, t(labels.VERDICTS[Verdict.ON_TIME])}
    if is_foul:
        assert {surface for surface in everywhere if others & texts[surface]} == set(), texts
    assert f", {labels.VERDICTS[word]}" in seat_line(thrown.seat), "the terminal's is in English"


@pytest.mark.parametrize("word", labels.VERDICTS)
def test_a_sentence_is_the_same_on_every_surface_in_its_language(word: str, tmp_path: Path) -> None:
    thrown = Round(tmp_path, word)
    if thrown.line.was_judged:
        return
    said, sentence = thrown.said(), t(verdict_sentence(thrown.line))
    assert sentence != str(verdict_sentence(thrown.line)), "it is translated"
    said.pop("slow motion", None)
    assert {surface for surface, line in said.items() if sentence not in line} == set(), (sentence, said)


def test_class_and_empty_table_texts_are_translated() -> None:
    unseen = {seat: seat_record("unseen", None, cause="no card", shown_ms=None) for seat in (1, 2)}
    seen = {**unseen, 1: seat_record()}
    texts = []
    for make_text, seats, answers in (
        (class_verdict_text, seen, {1: "rock", 2: None}),
        (class_verdict_text, unseen, None),
        (lambda judgement, names: verdict_text(judgement, (), False, names, FoulRule.REPLAY), unseen, None),
    ):
        written = str(make_text(round_body(seats, answers).judgement, seat_placeholders(seats)))
        body = round_body(seats, answers, text=written)
        texts.append(t(stored_text(body.judgement, (), answers is not None, body.text, {1: "Ada", 2: "Ben"})))
    assert texts == [
        "Gelesene Würfe: 1 von 2. Ben: keine Karte gesehen.",
        "Kein Wurf war zu sehen. Die Runde wird wiederholt.",
        "Niemand hat geworfen. Die Runde wird wiederholt.",
    ]
