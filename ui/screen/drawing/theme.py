"""Colours, the seats' marks, and sizes in proportion to the surface, so that one layout serves an 800×480 panel, a
720×1280 panel and a window of any size."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from device.camera.frames import Size
from rules.engine import Seat

Colour = tuple[int, int, int]

BACKGROUND: Colour = (13, 18, 25)
PANEL: Colour = (25, 33, 44)
RAISED: Colour = (42, 54, 70)
LINE: Colour = (66, 81, 101)
TEXT: Colour = (244, 247, 250)
MUTED: Colour = (168, 183, 199)
ACCENT: Colour = (255, 196, 61)
ON_ACCENT: Colour = (24, 19, 6)
FOUL: Colour = (255, 111, 97)
ON_FOUL: Colour = (38, 8, 5)


class SeatMark(NamedTuple):
    """A seat's shape and colour: either alone identifies the seat."""

    shape: str
    colour: Colour


SEAT_MARKS = (
    SeatMark("circle", (92, 178, 255)),
    SeatMark("square", (255, 146, 112)),
    SeatMark("triangle", (88, 214, 164)),
    SeatMark("diamond", (196, 164, 255)),
    SeatMark("star", (255, 150, 204)),
    SeatMark("cross", (178, 220, 98)),
    SeatMark("heart", (98, 218, 236)),
    SeatMark("moon", (222, 206, 178)),
)
"""The marks of seats 1 to 8."""


_handedness = ["right"]


def set_handedness(hand: str) -> None:
    """Lay pages out for the "right" or "left" hand from now on. Raises ValueError for any other."""
    if hand not in ("right", "left"):
        raise ValueError(f"there is no hand {hand!r}: right or left")
    _handedness[0] = hand


def handedness() -> str:
    """Return the hand that pages are laid out for, "right" or "left"."""
    return _handedness[0]


def seat_mark(seat: Seat) -> SeatMark:
    """Return the mark of ``seat`` (from 1; the ninth seat has the first one's)."""
    return SEAT_MARKS[(seat - 1) % len(SEAT_MARKS)]


@dataclass(frozen=True)
class Theme:
    """Sizes in pixels for a surface of ``size``. A unit is a hundredth of the shorter side, or less on a surface nearer
    to a square than the panels: 100 by 166 units always fit."""

    size: Size

    def units(self, count: float) -> int:
        """Return ``count`` units in pixels, at least 1."""
        return max(1, round(self._unit * count))

    @property
    def _unit(self) -> float:
        return min(min(self.size) / 100, max(self.size) / 166)

    @property
    def portrait(self) -> bool:
        """Whether the surface is taller than wide."""
        return self.size[1] > self.size[0]

    @property
    def mirrored(self) -> bool:
        """Whether the main buttons are on the left: for left hands, on a landscape surface."""
        return handedness() == "left" and not self.portrait

    @property
    def touch_size(self) -> int:
        """The minimum side of a touch target: 9 mm on Raspberry Pi's Touch Display 1 (480 px over 86 mm: 50.2 px) and
        Touch Display 2 (720 px over 90 mm: 72 px), whose shorter sides are nearly as long."""
        return math.ceil(self._unit * 100 * 9 / 86)

    @property
    def margin(self) -> int:
        """The margin of the surface."""
        return self.units(3)

    @property
    def gap(self) -> int:
        """The gap between neighbours."""
        return self.units(2)

    @property
    def radius(self) -> int:
        """The radius of a panel's corners."""
        return self.units(2.6)

    @property
    def smallest(self) -> int:
        """The smallest font size."""
        return self.units(2.9)

    @property
    def small(self) -> int:
        """The font size of explanations."""
        return self.units(3.7)

    @property
    def body(self) -> int:
        """The font size of ordinary text."""
        return self.units(4.8)

    @property
    def title(self) -> int:
        """The font size of titles."""
        return self.units(6.6)

    @property
    def big(self) -> int:
        """The font size of text read across the table."""
        return self.units(10)

    @property
    def huge(self) -> int:
        """The font size of a page's only word."""
        return self.units(40)
