"""Everybody's zone set up by touch over the live picture: what is shown, what people answer, and what a finger that
drags means. Pure: no surface, no clock. A zone is left, top, width, height in fractions of the picture."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from device.camera.frames import Pixels
from rules.engine import Seat

Area = tuple[float, float, float, float]
"""A zone."""
Spot = tuple[float, float]
"""A place on the screen, in pixels."""
Part = Literal["all", "upper left", "upper right", "lower left", "lower right"]
"""What of a zone a finger has: all of it, or a corner."""
LEAST = 0.1
"""The least side of a zone, in widths of the picture."""


@dataclass(frozen=True, eq=False)
class Shot:
    """One picture of the live ones; two are never the same."""

    pixels: Pixels


@dataclass(frozen=True)
class Zoning:
    """Set up the zones of the seats from 1 on. ``newest`` gives the live picture at once (None: there is none);
    ``check`` says in words why zones can't be used, or None; ``even`` is the picture shared out evenly; ``aspect`` is
    the picture's width in heights; ``names`` are the players', if they are known; ``said`` is what there is to say
    besides. Answered with a Zoned."""

    zones: tuple[Area, ...]
    newest: Callable[[], Shot | None]
    check: Callable[[Sequence[Area]], str | None]
    even: tuple[Area, ...]
    aspect: float = 16 / 9
    names: tuple[str, ...] = ()
    said: str = ""


@dataclass(frozen=True)
class Zoned:
    """The answer to Zoning: the zones as they are, and what people wish: that they are "done", that they are found from
    "hands" held out, or to "leave" with nothing changed."""

    wish: Literal["done", "hands", "leave"]
    zones: tuple[Area, ...]


@dataclass(frozen=True)
class HoldingOut:
    """The live picture while hands are held out, and what to do: ``sentence``. ``count`` is a number as large as it
    goes, the seconds left (None: the box is looking)."""

    sentence: str
    newest: Callable[[], Shot | None]
    aspect: float = 16 / 9
    count: int | None = None
    shot: Shot | None = None


@dataclass(frozen=True)
class ZonesPage:
    """The zones people have come to. ``seat`` is the one that was touched last: it has handles."""

    view: Zoning
    zones: tuple[Area, ...]
    seat: Seat = 1
    shot: Shot | None = None

    @property
    def fault(self) -> str | None:
        """Why these zones can't be used, in words."""
        return self.view.check(self.zones)


@dataclass(frozen=True)
class Grab:
    """A press that takes hold of what of the picture is touched. ``left``, ``top``, ``wide`` and ``high`` are where the
    picture is on the screen, ``handle`` the side of a handle, in pixels."""

    left: int
    top: int
    wide: int
    high: int
    handle: int


@dataclass(frozen=True)
class Shift:
    """A press that puts the zone of ``seat`` somewhere."""

    seat: Seat
    zone: Area


@dataclass(frozen=True)
class Even:
    """A press that shares the picture out evenly."""


@dataclass(frozen=True)
class Renumber:
    """A press that gives every zone to the next seat, and the last to the first."""


ZonePress = Grab | Shift | Even | Renumber


@dataclass(frozen=True)
class Drag:
    """A finger that took hold of ``part`` of the zone of ``seat`` at ``start``, when it was ``zone``."""

    seat: Seat
    part: Part
    zone: Area
    start: Spot
    grab: Grab
    aspect: float

    def to(self, at: Spot) -> Shift:
        """The press that it is when the finger has come to ``at``."""
        dx, dy = (at[0] - self.start[0]) / self.grab.wide, (at[1] - self.start[1]) / self.grab.high
        return Shift(self.seat, dragged(self.zone, self.part, dx, dy, self.aspect))


def zones_page(view: Zoning) -> ZonesPage:
    """The page a Zoning opens with."""
    return ZonesPage(view, view.zones)


def next_zones(page: ZonesPage, press: object) -> ZonesPage:
    """The page ``press`` leads to; one that means nothing here leaves it as it is."""
    match press:
        case Shift(seat=seat, zone=zone) if 1 <= seat <= len(page.zones):
            return replace(page, zones=(*page.zones[: seat - 1], zone, *page.zones[seat:]), seat=seat)
        case Even():
            return replace(page, zones=page.view.even)
        case Renumber():
            return replace(page, zones=(*page.zones[-1:], *page.zones[:-1]), seat=page.seat % len(page.zones) + 1)
    return page


def take_hold(page: ZonesPage, grab: Grab, at: Spot) -> Drag | None:
    """What a finger that comes down at ``at`` takes hold of: of the seat touched last a handle, where that is nearer
    than the zone's middle; else all of that zone, or of the one whose middle is nearest."""
    order = [page.seat, *(seat for seat in range(1, len(page.zones) + 1) if seat != page.seat)]
    holds: list[tuple[float, Seat, Part]] = []
    for seat in order:
        left, top, wide, high = on_screen(page.zones[seat - 1], grab)
        if left <= at[0] <= left + wide and top <= at[1] <= top + high:
            holds.append((math.dist(at, (left + wide / 2, top + high / 2)), seat, "all"))
        if seat != page.seat:
            continue
        for part, middle in handles(page.zones[seat - 1], grab).items():
            if max(abs(at[0] - middle[0]), abs(at[1] - middle[1])) <= grab.handle / 2:
                holds.append((math.dist(at, middle), seat, part))
        if holds:
            break
    if not holds:
        return None
    _, seat, part = min(holds, key=lambda hold: hold[0])
    return Drag(seat, part, page.zones[seat - 1], at, grab, page.view.aspect)


def on_screen(zone: Area, grab: Grab) -> tuple[float, float, float, float]:
    """Where a zone is on the screen: left, top, width, height in pixels."""
    x, y, w, h = zone
    return grab.left + x * grab.wide, grab.top + y * grab.high, w * grab.wide, h * grab.high


def handles(zone: Area, grab: Grab) -> dict[Part, Spot]:
    """The middle of each of a zone's handles on the screen: its corners, moved into the picture."""
    left, top, wide, high = on_screen(zone, grab)
    half = grab.handle / 2

    def inside(x: float, y: float) -> Spot:
        right, bottom = grab.left + grab.wide - half, grab.top + grab.high - half
        return min(max(x, grab.left + half), right), min(max(y, grab.top + half), bottom)

    return {
        "upper left": inside(left, top),
        "upper right": inside(left + wide, top),
        "lower left": inside(left, top + high),
        "lower right": inside(left + wide, top + high),
    }


def dragged(zone: Area, part: Part, dx: float, dy: float, aspect: float) -> Area:
    """``zone`` after ``part`` of it was dragged by ``dx``, ``dy`` in fractions of the picture, which is ``aspect``
    times as wide as high. It stays in the picture, and is never smaller than LEAST."""
    x, y, w, h = zone
    if part == "all":
        return min(max(x + dx, 0.0), 1 - w), min(max(y + dy, 0.0), 1 - h), w, h
    x, w = _side(x, w, dx, "left" in part, LEAST)
    y, h = _side(y, h, dy, "upper" in part, min(1.0, LEAST * aspect))
    return x, y, w, h


def _side(start: float, length: float, by: float, first: bool, least: float) -> tuple[float, float]:
    """A stretch whose ``first`` or last end was dragged; the other end stays where it is, if there is room."""
    least = min(least, 1.0)
    end = start + length
    if first:
        start = max(0.0, min(start + by, end - least))
        return start, max(end - start, least)
    end = min(1.0, max(end + by, start + least))
    start = min(start, end - least)
    return start, end - start
