"""Zones: the rectangle of the frame in which each seat's hand is searched for, in fractions of the frame."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from device.camera.frames import Box, Size
from errors import ThrowlockError
from messages import N, shorten


class ZoneError(ThrowlockError, ValueError):
    """A zone that can't be used. The message says which and why."""


class Zone(NamedTuple):
    """A rectangle in fractions (0–1) of the frame's width and height."""

    x: float
    """Its left edge."""
    y: float
    """Its upper edge."""
    w: float
    h: float

    @classmethod
    def parse(cls, text: str) -> "Zone":
        """Return the zone written ``x,y,w,h``. Raises ZoneError if the text is not a zone."""
        try:
            x, y, w, h = (float(part) for part in text.split(","))
        except ValueError:
            raise ZoneError(
                N("zone {text!r} is not four numbers x,y,w,h, e.g. 0,0,0.5,1", text=shorten(text))
            ) from None
        return cls(x, y, w, h).validate()

    def validate(self) -> "Zone":
        """Return the zone itself. Raises ZoneError if it is empty or not inside the frame."""
        limit = 1 + 1e-6  # thirds written with a few digits may add up to slightly more than one
        inside = self.x >= 0 and self.y >= 0 and self.x + self.w <= limit and self.y + self.h <= limit
        if not (inside and self.w > 0 and self.h > 0):
            raise ZoneError(
                N(
                    "zone {x:g},{y:g},{w:g},{h:g} is not inside the frame: x,y,w,h are fractions of it, from 0 to 1",
                    x=self.x,
                    y=self.y,
                    w=self.w,
                    h=self.h,
                )
            )
        return self

    def rotate_180(self) -> "Zone":
        """Return the zone in a frame that is rotated by 180°."""
        return Zone(max(0.0, 1 - self.x - self.w), max(0.0, 1 - self.y - self.h), self.w, self.h)

    def box(self, size: Size) -> Box:
        """Return the zone in pixels of a frame of ``size``. Raises ZoneError if it is smaller than 16 pixels."""
        x, y = round(self.x * size[0]), round(self.y * size[1])
        box = Box(x, y, min(round(self.w * size[0]), size[0] - x), min(round(self.h * size[1]), size[1] - y))
        if box.w < 16 or box.h < 16:
            raise ZoneError(N("a zone of {size} pixels is too small to see a hand in", size=f"{box.w}×{box.h}"))
        return box


def default_zones(seats: int) -> tuple[Zone, ...]:
    """Return zones for a table that is not set up: the frame cut into equal parts, in two rows from three seats on.

    Each seat's right neighbour is the next one, as at every table: the numbers go anticlockwise as seen from above,
    along the lower row to the right and back along the upper one.
    """
    rows = 1 if seats <= 2 else 2
    columns = -(-seats // rows)
    lower = [(column, rows - 1) for column in range(columns)]
    upper = [(column, 0) for column in reversed(range(columns))]
    return tuple(Zone(column / columns, row / rows, 1 / columns, 1 / rows) for column, row in (lower + upper)[:seats])


def check_no_overlap(zones: Sequence[Zone]) -> None:
    """Raise ZoneError if two zones share more than a twentieth of the smaller: a hand there would count twice."""
    for (seat, zone), (other_seat, other) in combinations(enumerate(zones, 1), 2):
        width = min(zone.x + zone.w, other.x + other.w) - max(zone.x, other.x)
        height = min(zone.y + zone.h, other.y + other.h) - max(zone.y, other.y)
        if max(0.0, width) * max(0.0, height) > 0.05 * min(zone.w * zone.h, other.w * other.h):
            raise ZoneError(
                N(
                    "the zones of seats {one} and {two} overlap: a hand there would count for both",
                    one=seat,
                    two=other_seat,
                )
            )
