"""Colours, the seats' marks, and sizes in proportion to the surface, so that one layout serves an 800×480 panel, a
720×1280 panel and a window of any size."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeVar

from rules.engine import Seat

Colour = tuple[int, int, int]
T = TypeVar("T")

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
HIGH_CONTRAST: Mapping[Colour, Colour] = MappingProxyType(
    {
        BACKGROUND: (0, 0, 0),
        PANEL: (14, 14, 14),
        RAISED: (28, 28, 28),
        LINE: (150, 150, 150),
        TEXT: (255, 255, 255),
        MUTED: (235, 235, 235),
        ACCENT: (255, 222, 60),
        ON_ACCENT: (0, 0, 0),
        FOUL: (255, 164, 150),
        ON_FOUL: (0, 0, 0),
    }
)
"""What is drawn for each colour in high contrast: texts have 7:1 and more (WCAG 2.2, 1.4.6)."""


class MarkStyle(NamedTuple):
    """A seat's shape and colour: either alone identifies the seat."""

    shape: str
    colour: Colour


SEAT_MARKS = (
    MarkStyle("circle", (92, 178, 255)),
    MarkStyle("square", (255, 146, 112)),
    MarkStyle("triangle", (88, 214, 164)),
    MarkStyle("diamond", (196, 164, 255)),
    MarkStyle("star", (255, 150, 204)),
    MarkStyle("cross", (178, 220, 98)),
    MarkStyle("heart", (98, 218, 236)),
    MarkStyle("moon", (222, 206, 178)),
)
"""The marks of seats 1 to 8."""


TextRole = Literal["shared", "personal", "mark"]
"""Who reads a text: everybody round the table at once, from up to 1.5 m, or one person at arm's length. A mark is a
letter or number in a drawing whose shape says the same."""
MIN_CAPITAL_MM: Mapping[TextRole, float] = MappingProxyType({"shared": 5.0, "personal": 2.5, "mark": 1.0})
"""The least height of a capital in mm, by the text's role."""
MIN_TARGET_MM = 9.0
"""The least side of a touch target in mm."""
UNIT_MM = 0.86
"""A unit on both 7-inch panels, whose shorter sides are 86 mm (Touch Display 1) and 87 mm (Touch Display 2)."""
CAPITAL_EM = 0.729
"""The height of the font's capitals, in em."""


LARGE_TEXT_SCALES = (1.3, 1.15, 1.0)
"""How much larger than usual texts are with large text: the first of these at which all of a page fits."""


@dataclass
class _PageSettings:
    handedness: str = "right"
    reduces_motion: bool = False
    has_high_contrast: bool = False
    has_large_text: bool = False
    has_seat_buttons: bool = False


_settings = _PageSettings()


def set_handedness(hand: str) -> None:
    """Lay pages out for the "right" or "left" hand from now on. Raises ValueError for any other."""
    if hand not in ("right", "left"):
        raise ValueError(f"there is no hand {hand!r}: right or left")
    _settings.handedness = hand


def handedness() -> str:
    """Return the hand that pages are laid out for, "right" or "left"."""
    return _settings.handedness


def set_reduced_motion(on: bool) -> None:
    """Show at once what would turn, open or rise from now on, or animate it again."""
    _settings.reduces_motion = on


def set_high_contrast(on: bool) -> None:
    """Draw every page, and those in browsers, in high contrast from now on, or as usual."""
    _settings.has_high_contrast = on


def has_high_contrast() -> bool:
    """Return whether pages are drawn in high contrast."""
    return _settings.has_high_contrast


def set_large_text(on: bool) -> None:
    """Draw every page with large text from now on, or as usual."""
    _settings.has_large_text = on


def text_scales() -> tuple[float, ...]:
    """Return how much larger than usual a page's texts may be, the best first, the usual size last."""
    return LARGE_TEXT_SCALES if _settings.has_large_text else LARGE_TEXT_SCALES[-1:]


def shown_colour(colour: Colour) -> Colour:
    """Return what is drawn for a colour of the theme: another in high contrast. All other colours stay."""
    return HIGH_CONTRAST.get(colour, colour) if _settings.has_high_contrast else colour


def set_seat_buttons(on: bool) -> None:
    """Explain the seats' buttons and lights on pages from now on, or not: where none are on, nobody looks for them."""
    _settings.has_seat_buttons = on


def seat_mark(seat: Seat) -> MarkStyle:
    """Return the mark of ``seat`` (from 1; the ninth seat has the first one's)."""
    return SEAT_MARKS[(seat - 1) % len(SEAT_MARKS)]


class Theme:
    """Sizes in pixels for a surface of ``size``. A unit is a hundredth of the shorter side, or less on a surface nearer
    to a square than the panels: 100 by 166 units always fit.

    Attributes:
        touch_size: The minimum side of a touch target: 9 mm on Raspberry Pi's Touch Display 1 and on its 7-inch Touch
            Display 2.
        margin, gap, radius: The margin of the surface, the gap between neighbours, the radius of a panel's corners.
        smallest: The font size below which no text is drawn: a text that has no room at its role's minimum, such as a
            very long name, is made smaller rather than cut.
        small, body, title, shared, big, huge: Font sizes: the minimum for one person; of ordinary text; of titles; the
            minimum for what everybody reads; of what matters most; of a page's only word.
    """

    def __init__(self, size: tuple[int, int], text_scale: float = 1.0) -> None:
        self._unit = min(min(size) / 100, max(size) / 166)
        self.portrait = size[1] > size[0]
        self.mirrored = handedness() == "left" and not self.portrait
        """Whether the main buttons are on the left: for left hands, on a landscape surface."""
        self.seat_buttons = _settings.has_seat_buttons
        """Whether seats have buttons and lights that pages explain."""
        self.reduced_motion = _settings.reduces_motion
        """Whether what would turn, open or rise is there at once."""
        self.touch_size = math.ceil(self._unit * MIN_TARGET_MM / UNIT_MM)
        self.margin, self.gap, self.radius = self.units(3), self.units(2), self.units(2.6)
        self.text_scale = text_scale
        self.smallest, self.small = self.units(2.9), self.min_text_size("personal")
        self.body, self.title = self.text_units(4.8), self.text_units(6.6)
        self.shared = self.min_text_size("shared")
        self.big, self.huge = self.text_units(10), self.units(40)

    def animation_share(self, passed_s: float | None, length_s: float) -> float:
        """Return how much of an animation of ``length_s`` is over, from 0 to 1, ``passed_s`` after it began: all of it
        where motion is reduced, or the time is None."""
        if passed_s is None or self.reduced_motion:
            return 1.0
        return min(1.0, max(0.0, passed_s) / length_s)

    def pick(self, landscape: T, portrait: T) -> T:
        """Return what counts in the surface's orientation."""
        return portrait if self.portrait else landscape

    def units(self, count: float) -> int:
        """Return ``count`` units in pixels, at least 1."""
        return max(1, round(self._unit * count))

    def text_units(self, count: float) -> int:
        """Return ``count`` units in pixels, times the texts' scale: for what is as high as its text."""
        return self.units(count * self.text_scale)

    def min_text_size(self, role: TextRole) -> int:
        """Return the font size in pixels at which capitals have the least height for a text's ``role``, times the
        texts' scale."""
        return math.ceil(self.text_scale * self._capital_size(role))

    def is_readable(self, size: int, role: TextRole) -> bool:
        """Return whether capitals have the least height for a text's ``role`` at a font size in pixels."""
        return size >= self._capital_size(role)

    def _capital_size(self, role: TextRole) -> float:
        return self._unit * MIN_CAPITAL_MM[role] / UNIT_MM / CAPITAL_EM
