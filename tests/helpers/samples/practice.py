"""Samples of practising against the box: a commitment, one after a foul, and its reveal."""

import hashlib
from dataclasses import replace
from functools import partial

from messages import join
from rules.record.judgement import Verdict
from rules.throws import Throw
from tests.helpers.foul_sentences import said_of
from ui.screen.pages.how_to_play import WITH_HANDS, explain_practice
from ui.screen.pages.how_to_play_shots import SAMPLE_OPENING, drawn_hand
from ui.screen.pages.practice import CommitmentReveal, CommitmentView, PracticeScore
from ui.screen.views import View
from ui.text.verdicts import ROUND_REPLAYED, YOU


def samples() -> dict[str, View]:
    """Return the samples by name."""
    seal = hashlib.sha256(SAMPLE_OPENING.encode()).hexdigest()
    score = PracticeScore(128, 117, 104, 23)
    message = join([said_of(Verdict.LATE, YOU, 331.0, 0.0, Throw.PAPER, None), ROUND_REPLAYED])
    explain = partial(explain_practice, WITH_HANDS)
    result = "The box wins: scissors beats paper."
    opened = CommitmentReveal(
        seal, SAMPLE_OPENING, drawn_hand(Throw.PAPER, 1), Throw.PAPER, Throw.SCISSORS, result, score, 24.0
    )
    return {
        "practice-seal": CommitmentView(seal, PracticeScore(), explain=explain),
        "practice-again": CommitmentView(seal, score, message, explain=explain),
        "practice-digits": CommitmentView(seal, score, shows_digits=True),
        "practice-open": opened,
        "practice-check": replace(opened, shows_check=True),
    }
