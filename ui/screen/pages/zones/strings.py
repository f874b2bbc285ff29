"""What the zones page says."""

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
    """Whose zone was touched last."""
    return f"{seat} · {names[seat - 1]}" if seat <= len(names) else t("Seat {seat}", seat=seat)
