"""Where each seat's hand is looked for: a rectangle of the frame per seat, in fractions of it."""

from collections.abc import Sequence
from typing import NamedTuple

from device.camera.frames import Box, Size
from errors import ThrowlockError


class ZoneError(ThrowlockError, ValueError):
    """A zone that can't be used. The message says which and why."""


class Zone(NamedTuple):
    """A rectangle in fractions (0–1) of the frame's width and height; ``x``, ``y`` is its upper left corner."""

    x: float
    y: float
    w: float
    h: float

    @classmethod
    def read(cls, text: str) -> "Zone":
        """The zone written ``x,y,w,h``. Raises ZoneError."""
        try:
            x, y, w, h = (float(part) for part in text.split(","))
        except ValueError:
            raise ZoneError(f"zone {text!r} is not four numbers x,y,w,h, e.g. 0,0,0.5,1") from None
        return cls(x, y, w, h).checked()

    def checked(self) -> "Zone":
        """The zone itself. Raises ZoneError when it is empty or not inside the frame."""
        edge = 1 + 1e-6  # thirds written with a few digits may add up to a hair more than one
        inside = self.x >= 0 and self.y >= 0 and self.x + self.w <= edge and self.y + self.h <= edge
        if not (inside and self.w > 0 and self.h > 0):
            raise ZoneError(
                f"zone {self.x:g},{self.y:g},{self.w:g},{self.h:g} is not inside the frame: "
                "x,y,w,h are fractions of it, from 0 to 1"
            )
        return self

    def box(self, size: Size) -> Box:
        """The zone in pixels of a frame of ``size``. Raises ZoneError when nothing of it is left."""
        x, y = round(self.x * size[0]), round(self.y * size[1])
        box = Box(x, y, min(round(self.w * size[0]), size[0] - x), min(round(self.h * size[1]), size[1] - y))
        if box.w < 16 or box.h < 16:
            raise ZoneError(f"a zone of {box.w}×{box.h} pixels is too small to see a hand in")
        return box


def spread(seats: int) -> tuple[Zone, ...]:
    """Zones for a table nobody has set up: the frame cut into equal parts, two rows from three seats on."""
    rows = 1 if seats <= 2 else 2
    columns = -(-seats // rows)
    return tuple(
        Zone((seat % columns) / columns, (seat // columns) / rows, 1 / columns, 1 / rows) for seat in range(seats)
    )


def check_apart(zones: Sequence[Zone]) -> None:
    """Raises ZoneError when two zones share more than a twentieth of the smaller: a hand there would count twice."""
    for one, first in enumerate(zones, 1):
        for two, second in enumerate(zones[one:], one + 1):
            wide = min(first.x + first.w, second.x + second.w) - max(first.x, second.x)
            high = min(first.y + first.h, second.y + second.h) - max(first.y, second.y)
            if max(0.0, wide) * max(0.0, high) > 0.05 * min(first.w * first.h, second.w * second.h):
                raise ZoneError(f"the zones of seats {one} and {two} overlap: a hand there would count for both")
