"""The texts of the reveal."""

from messages import N
from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.reveal.view import SeatReveal

NO_THROW = N("NO THROW")
SLOW_MOTION = N("Slow motion")
LOCK_IMAGE = N("at the lock")
"""The label of the image that everybody's throw is read from."""
AFTERWARDS = N("afterwards")
"""The label of the image in which a hand shows another throw than at the lock."""


def throw_label(throw: Throw | None) -> str:
    """A throw in capitals, or that there is none."""
    return t(NO_THROW) if throw is None else common_strings.throw_text(throw)


def proof_time(seat: SeatReveal) -> str:
    """When the image was taken in which a hand shows another throw than at the lock."""
    return t(AFTERWARDS) if seat.verdict == "changed" else common_strings.shown_time(seat.after_first_ms, seat.early_ms)
