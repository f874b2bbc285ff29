"""The zones set up by touch over the live image: the page, its answer, and the meaning of a finger that drags. Pure: no
surface, no clock. A zone is left, top, width, height in fractions of the image."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from typing_extensions import override

from device.camera.frames import Pixels
from messages import LazyText, N, ngettext_lazy
from rules.engine import Seat
from ui.screen.views import CompoundAnswer, ImageGrip, InteractiveView, LiveView, Page

ZoneArea = tuple[float, float, float, float]
"""A zone: left, top, width, height."""
ScreenPoint = tuple[float, float]
"""A point on the screen, in pixels."""
ZonePart = Literal["all", "upper left", "upper right", "lower left", "lower right"]
"""The part of a zone that a finger grabs: all of it, or a corner."""
MIN_ZONE_SIDE = 0.1
"""The shortest side of a zone, in widths of the image."""


@dataclass(frozen=True, eq=False)
class LiveImage:
    """A live image; no two are equal."""

    pixels: Pixels


@dataclass(frozen=True)
class ZoneEditor(InteractiveView):
    """Edit the zones of the seats from 1 on. Answered with a ZonesAnswer."""

    zones: tuple[ZoneArea, ...]
    latest_image: Callable[[], LiveImage | None]
    """Returns the live image; None: there is none."""
    find_problem: Callable[[Sequence[ZoneArea]], str | None]
    """Returns why zones can't be used; None if they can."""
    even_zones: tuple[ZoneArea, ...]
    """Zones that share the image out evenly."""
    aspect_ratio: float = 16 / 9
    """The image's width / height."""
    player_names: tuple[str, ...] = ()
    message: str = ""
    """Shown unless there is a problem."""
    find_advice: Callable[[Sequence[ZoneArea]], str | None] = lambda _: None
    """Returns what would make the hands in zones easier to read now; None where nothing would."""

    @override
    def first_page(self) -> "ZonesPage":
        return ZonesPage(self, self.zones)


@dataclass(frozen=True)
class ZonesAnswer(CompoundAnswer):
    """The answer to a ZoneEditor."""

    action: Literal["done", "hands", "leave"]
    """Whether people are "done", want the zones detected from "hands" held out, or "leave" with nothing changed."""
    zones: tuple[ZoneArea, ...]


@dataclass(frozen=True)
class ZoneDetection(LiveView):
    """The live image while hands are held out."""

    sentence: str
    """The instruction."""
    latest_image: Callable[[], LiveImage | None]
    aspect_ratio: float = 16 / 9
    seconds_left: int | None = None
    """Shown as a large number; None: the box is looking."""
    image: LiveImage | None = None

    @override
    def at_time(self, seconds: float) -> Self:
        return replace(self, image=self.latest_image())


@dataclass(frozen=True)
class ZonesPage(LiveView, Page):
    """The zones as edited so far."""

    view: ZoneEditor
    zones: tuple[ZoneArea, ...]
    seat: Seat = 1
    """The one touched last: its zone has handles."""
    image: LiveImage | None = None
    advice: str | None = None
    """See ``ZoneEditor.find_advice``."""

    @override
    def at_time(self, seconds: float) -> Self:
        return replace(self, image=self.view.latest_image(), advice=self.view.find_advice(self.zones))

    @property
    def problem(self) -> str | None:
        """The reason these zones can't be used, as a sentence; ``None`` if they can."""
        return self.view.find_problem(self.zones)

    def move_zone(self, seat: Seat, zone: ZoneArea) -> Self:
        """Return the page with the zone of ``seat`` moved."""
        return replace(self, zones=(*self.zones[: seat - 1], zone, *self.zones[seat:]), seat=seat)

    def renumber_seats(self) -> Self:
        """Return the page with every zone given to the next seat, and the last to the first."""
        return replace(self, zones=(*self.zones[-1:], *self.zones[:-1]), seat=self.seat % len(self.zones) + 1)


@dataclass(frozen=True)
class ZoneDrag:
    """A finger that drags a part of a zone."""

    seat: Seat
    part: ZonePart
    zone: ZoneArea
    """The zone as it was when the finger grabbed it."""
    start: ScreenPoint
    """Where the finger grabbed it."""
    grip: ImageGrip
    aspect_ratio: float

    def moved_to(self, page: ZonesPage, finger: ScreenPoint) -> ZonesPage:
        """Return ``page`` for a finger that has come to ``finger``."""
        dx, dy = (finger[0] - self.start[0]) / self.grip.width, (finger[1] - self.start[1]) / self.grip.height
        return page.move_zone(self.seat, drag_zone(self.zone, self.part, dx, dy, self.aspect_ratio))


def start_drag(page: ZonesPage, grip: ImageGrip, finger: ScreenPoint) -> ZoneDrag | None:
    """Return the drag of a finger that comes down at ``finger``: of a handle of the zone touched last, if that is
    nearer than the zone's middle; else of all of that zone, or of the one whose middle is nearest."""
    order = [page.seat, *(seat for seat in range(1, len(page.zones) + 1) if seat != page.seat)]
    holds: list[tuple[float, Seat, ZonePart]] = []
    for seat in order:
        left, top, width, height = zone_on_screen(page.zones[seat - 1], grip)
        if left <= finger[0] <= left + width and top <= finger[1] <= top + height:
            holds.append((math.dist(finger, (left + width / 2, top + height / 2)), seat, "all"))
        if seat != page.seat:
            continue
        for part, middle in handle_centres(page.zones[seat - 1], grip).items():
            if max(abs(finger[0] - middle[0]), abs(finger[1] - middle[1])) <= grip.handle_side / 2:
                holds.append((math.dist(finger, middle), seat, part))
        if holds:
            break
    if not holds:
        return None
    _, seat, part = min(holds, key=lambda hold: hold[0])
    return ZoneDrag(seat, part, page.zones[seat - 1], finger, grip, page.view.aspect_ratio)


def zone_on_screen(zone: ZoneArea, grip: ImageGrip) -> tuple[float, float, float, float]:
    """Return a zone's place on the screen: left, top, width, height in pixels."""
    x, y, w, h = zone
    return grip.left + x * grip.width, grip.top + y * grip.height, w * grip.width, h * grip.height


def handle_centres(zone: ZoneArea, grip: ImageGrip) -> dict[ZonePart, ScreenPoint]:
    """Return the middle of each of a zone's handles on the screen: its corners, moved into the image."""
    left, top, width, height = zone_on_screen(zone, grip)
    half = grip.handle_side / 2

    def inside(x: float, y: float) -> ScreenPoint:
        right, bottom = grip.left + grip.width - half, grip.top + grip.height - half
        return min(max(x, grip.left + half), right), min(max(y, grip.top + half), bottom)

    return {
        "upper left": inside(left, top),
        "upper right": inside(left + width, top),
        "lower left": inside(left, top + height),
        "lower right": inside(left + width, top + height),
    }


def drag_zone(zone: ZoneArea, part: ZonePart, dx: float, dy: float, aspect_ratio: float) -> ZoneArea:
    """Return ``zone`` after ``part`` of it was dragged by ``dx``, ``dy`` in fractions of the image, which is
    ``aspect_ratio`` times as wide as high. It stays in the image, and is never smaller than MIN_ZONE_SIDE."""
    x, y, w, h = zone
    if part == "all":
        return min(max(x + dx, 0.0), 1 - w), min(max(y + dy, 0.0), 1 - h), w, h
    x, w = _drag_side(x, w, dx, "left" in part, MIN_ZONE_SIDE)
    y, h = _drag_side(y, h, dy, "upper" in part, min(1.0, MIN_ZONE_SIDE * aspect_ratio))
    return x, y, w, h


def _drag_side(start: float, length: float, by: float, first: bool, min_length: float) -> tuple[float, float]:
    """Return start and length of a stretch whose ``first`` or last end was dragged; the other end stays where it is, if
    there is room."""
    min_length = min(min_length, 1.0)
    end = start + length
    if first:
        start = max(0.0, min(start + by, end - min_length))
        return start, max(end - start, min_length)
    end = min(1.0, max(end + by, start + min_length))
    start = min(start, end - min_length)
    return start, end - start


ZoneProblem = Literal["left", "right", "top", "bottom", "large", "small", "missing", "far", "dark"]
"""Why a hand and its zone don't fit: the edge that cuts the hand off, a hand too large or small for it, no hand, a hand
too far from the camera to be read, or too little light."""

ZONE_PROBLEM_TITLE = N("Hand and zone don’t match")
HOLD_HANDS_OUT = N("Everyone: hold one open hand where you will throw, fully in view")
KEEP_STILL = N("Keep still: looking for hands")


PROBLEM_SENTENCES: Mapping[ZoneProblem, LazyText] = {
    "large": N("{name}’s hand fills {percent}% of its zone: make the zone larger, or hold the hand lower."),
    "small": N("{name}’s hand fills only {percent}% of its zone: make the zone smaller."),
    "far": N("{name}’s hand is only {pixels} pixels long in the image: bring the camera nearer."),
    "dark": N("It is too dark at {name}’s place to read a hand: add more light."),
    "missing": N("{name}’s hand was not found in its zone: move the hand or the zone."),
    "left": N("{name}’s hand is cut off at the left edge of its zone: move the hand or the zone."),
    "right": N("{name}’s hand is cut off at the right edge of its zone: move the hand or the zone."),
    "top": N("{name}’s hand is cut off at the top edge of its zone: move the hand or the zone."),
    "bottom": N("{name}’s hand is cut off at the bottom edge of its zone: move the hand or the zone."),
}


def zone_problem_sentence(name: str, problem: ZoneProblem, measure: float) -> str:
    """Return how to make a player's hand fit its zone, of which it fills the share ``measure`` (0–1); of a hand that is
    "far" it is the length in pixels."""
    return N(PROBLEM_SENTENCES[problem], name=name, percent=f"{100 * measure:.0f}", pixels=f"{measure:.0f}")


def hands_found_sentence(hands: int) -> str:
    """Return how many hands were found, asking whether their zones are right."""
    return ngettext_lazy(
        "{count} hand was found. Is its zone right?", "{count} hands were found. Are their zones right?", hands
    )
