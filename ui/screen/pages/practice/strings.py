"""What the pages of practising against the box say."""

from ui.i18n.language import N, t
from ui.screen.pages.practice.view import Score

TITLE = N("Practise against the box")
SEALED = N("My throw is fixed. This is its seal:")
WHY = N(
    "Note it, or take a picture of it. After the round you see what is under it, and can check that I did not change "
    "my throw: the seal is its SHA-256."
)
COUNT = N("Begin the count")
STOP = N("Stop")
NEXT = N("Next round")
YOU = N("You")
BOX = N("The box")
UNDER = N("Under the seal was:")
SEAL = N("The seal shown before:")
CHECK = N("Check it on any computer:")


def score(one: Score) -> str:
    """How it stands, from the person's side."""
    return t("Won {won} · lost {lost} · tied {tied}", won=one.won, lost=one.lost, tied=one.tied)


def fouls(one: Score) -> str:
    """How many fouls the person made; nothing before the first."""
    return t("Fouls: {count}", count=one.fouls) if one.fouls else ""


def showed(after_ms: float) -> str:
    """When the person's hand showed."""
    return t("shown {ms:+.0f} ms from the cue", ms=after_ms)
