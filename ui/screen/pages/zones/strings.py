"""The texts of the zones page."""

from collections.abc import Sequence

from rules.engine import Seat
from ui.i18n.language import N, t

TITLE = N("Everybody's zone")
HOW_TO = N("Drag a zone to move it, a corner to resize it")
DETECT_FROM_HANDS = N("Hold out hands")
SPREAD_EVENLY = N("Spread evenly")
RENUMBER_SEATS = N("Renumber seats")
CANCEL = N("Cancel")
NO_CAMERA_IMAGE = N("No image from the camera")


def selected_zone(seat: Seat, names: Sequence[str]) -> str:
    """The seat whose zone was touched last, and its player."""
    return f"{seat} · {names[seat - 1]}" if seat <= len(names) else t("Seat {seat}", seat=seat)
