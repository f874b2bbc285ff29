"""The texts of practising against the box."""

from messages import N
from ui.i18n.language import t
from ui.screen.pages.practice.view import PracticeScore

TITLE = N("Practise against the box")
THROW_IS_FIXED = N("My throw is fixed. This is its seal:")
DIGEST_DETAIL = N(
    "Write it down or take a photo. After the round you see my throw, and can check that I did not change it: the "
    "seal is its SHA-256 hash."
)
BEGIN_COUNT = N("Begin the count")
STOP = N("Stop")
NEXT_ROUND = N("Next round")
YOU = N("You")
BOX = N("The box")
SEALED_THROW = N("The sealed throw was:")
DIGEST_SHOWN = N("The seal you saw before the round:")
HOW_TO_CHECK = N("Check it on any computer:")


def score_text(score: PracticeScore) -> str:
    """The score, from the person's side."""
    return t("Won {won} · lost {lost} · tied {tied}", won=score.won, lost=score.lost, tied=score.tied)


def fouls_text(score: PracticeScore) -> str:
    """The number of fouls the person made; empty before the first."""
    return t("Fouls: {count}", count=score.fouls) if score.fouls else ""


def shown_at(after_ms: float) -> str:
    """The time at which the person's hand showed."""
    return t("shown {ms:+.0f} ms from the cue", ms=after_ms)
