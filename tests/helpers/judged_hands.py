"""Judgements of a round of two, and what is written of them."""

from dataclasses import replace

from rules.engine import ThrowPrompt
from rules.record.judgement import JudgementRecord, Verdict
from rules.throws import THROW_CHOICES, Throw
from tests.helpers.judged_frames import CUE, FRAMES, LEFT, MS, RIGHT
from throwlock.tables.record import record_judgement
from vision.lock.inference import TimeEstimate
from vision.lock.judgement import Judgement
from vision.lock.verdict import SeatVerdict
from vision.zones import default_zones

ZONES = dict(enumerate(default_zones(2), 1))
ASK = ThrowPrompt({1: THROW_CHOICES, 2: THROW_CHOICES})
STRICT, LENIENT = ASK, replace(ASK, may_be_missing=True)
"""A game that must have every throw, and one with a rule for no throw."""


def judgement(verdict: Verdict, at_lock: Throw | None = Throw.ROCK) -> Judgement:
    """Ada is on time with paper; Bo has ``verdict``."""
    if verdict in (Verdict.UNSEEN, Verdict.UNCLEAR):
        at_lock = None
    ada = SeatVerdict(1, Verdict.ON_TIME, Throw.PAPER, Throw.PAPER, TimeEstimate(CUE, MS), LEFT)
    bo = SeatVerdict(2, verdict, at_lock, at_lock, TimeEstimate(CUE + 20 * MS, MS) if at_lock else None, RIGHT)
    return Judgement(CUE, CUE, CUE + 150 * MS, 150 * MS, FRAMES[55], (ada, bo))


def to_record(made: Judgement) -> JudgementRecord:
    """Return a judgement as it is written down."""
    return record_judgement(made, ZONES)
