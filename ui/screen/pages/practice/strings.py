"""The texts of practising against the box."""

from messages import N
from rules.text import THROW_WORDS
from ui.i18n.language import t
from ui.screen.pages.practice.view import CommitmentReveal, PracticeScore

TITLE = N("Practise against the box")
THROW_IS_FIXED = N("I have chosen my throw.")
SEAL_DETAIL = N(
    "This code seals it: I can’t change it now. To check that after the round, scan it, or touch it for the digits."
)
SHOW_DIGITS = N("Show the seal in digits")
DIGITS_TITLE = N("The seal of my throw")
DIGITS_DETAIL = N(
    "It is the SHA-256 hash of my throw and some random digits. Write it down or take a photo to compare it after the "
    "round."
)
BEGIN_COUNT = N("Begin the count")
STOP = N("Stop")
NEXT_ROUND = N("Next round")
BOX = N("The box")
CHECK = N("Check the seal")
SEALED_TEXT = N("The sealed text:")
DIGEST_SHOWN = N("Its SHA-256 hash is the seal that you saw before the round:")
HOW_TO_CHECK = N("Any SHA-256 tool gives the same digits.")


def score_text(score: PracticeScore) -> str:
    """The score, from the person's side."""
    return t("Won {won} · lost {lost} · tied {tied}", won=score.won, lost=score.lost, tied=score.tied)


def fouls_text(score: PracticeScore) -> str:
    """The number of fouls the person made; empty before the first."""
    return t("Fouls: {count}", count=score.fouls) if score.fouls else ""


def shown_at(after_ms: float) -> str:
    """The time at which the person's hand showed."""
    return t("shown {ms} ms from the call", ms=f"{after_ms:+.0f}".replace("-", "−"))


def kept_promise(view: CommitmentReveal) -> str:
    """Whether the throw that the box showed is the one that it had sealed."""
    throw = t(THROW_WORDS[view.box_throw])
    if view.matches:
        return t("The box had chosen {throw} before you threw: its seal matches.", throw=throw)
    return t("The seal does not match: the box had not chosen {throw} before you threw.", throw=throw)
