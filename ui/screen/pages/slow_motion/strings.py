"""The words of a round in slow motion."""

from messages import N
from ui.i18n.language import t
from ui.screen.pages.slow_motion.view import SLOWDOWN_FACTOR

SKIP = N("Skip")


def title() -> str:
    """The title: that this is slow motion, and how slow."""
    return t("Slow motion: {number} times slower", number=SLOWDOWN_FACTOR)
