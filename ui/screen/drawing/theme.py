"""How the screen looks: its colours, the mark of each seat, and every size as a share of the surface, so that one
layout serves a 800×480 panel, a 720×1280 one and a window of any size."""

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


class Mark(NamedTuple):
    """What tells a seat from the others: a colour and a shape, so that neither carries it alone."""

    shape: str
    colour: Colour


MARKS = (
    Mark("circle", (92, 178, 255)),
    Mark("square", (255, 146, 112)),
    Mark("triangle", (88, 214, 164)),
    Mark("diamond", (196, 164, 255)),
    Mark("star", (255, 150, 204)),
    Mark("cross", (178, 220, 98)),
    Mark("heart", (98, 218, 236)),
    Mark("moon", (222, 206, 178)),
)
"""The marks of seats 1 to 8."""


_hand = ["right"]


def use_hand(hand: str) -> None:
    """Lay pages out for the hand that touches from now on, "right" or "left". Raises ValueError for any other."""
    if hand not in ("right", "left"):
        raise ValueError(f"there is no hand {hand!r}: right or left")
    _hand[0] = hand


def hand() -> str:
    """The hand that pages are laid out for."""
    return _hand[0]


def mark(seat: Seat) -> Mark:
    """The mark of ``seat`` (1 or more; a ninth seat would share the first one's)."""
    return MARKS[(seat - 1) % len(MARKS)]


@dataclass(frozen=True)
class Theme:
    """Sizes in pixels for a surface of ``size``. A unit is a hundredth of its shorter side, or less where the surface
    is nearer to a square than the panels are: 100 by 166 units always fit."""

    size: Size

    def units(self, count: float) -> int:
        """``count`` units, at least one pixel."""
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
        """Whether what is touched most stands on the left: for left hands, where the surface is wide enough for it to
        matter."""
        return hand() == "left" and not self.portrait

    @property
    def touch(self) -> int:
        """The least side of a touch target: 9 mm on Raspberry Pi's Touch Display 1 (480 px over 86 mm: 50.2 px) and
        Touch Display 2 (720 px over 90 mm: 72 px), whose shorter sides are nearly as long."""
        return math.ceil(self._unit * 100 * 9 / 86)

    @property
    def margin(self) -> int:
        """From the edge of the surface to what is drawn."""
        return self.units(3)

    @property
    def gap(self) -> int:
        """Between two neighbours."""
        return self.units(2)

    @property
    def radius(self) -> int:
        """Of a panel's corners."""
        return self.units(2.6)

    @property
    def least(self) -> int:
        """The smallest type."""
        return self.units(2.9)

    @property
    def small(self) -> int:
        """Type for what explains."""
        return self.units(3.7)

    @property
    def body(self) -> int:
        """Type for what is read."""
        return self.units(4.8)

    @property
    def title(self) -> int:
        """Type for what a page is about."""
        return self.units(6.6)

    @property
    def big(self) -> int:
        """Type for what is read across the table."""
        return self.units(10)

    @property
    def huge(self) -> int:
        """Type for the one word of a page."""
        return self.units(40)
