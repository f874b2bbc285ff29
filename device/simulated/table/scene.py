"""What the simulated camera sees: the hands over the table's cloth, and how their light becomes a picture."""

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Pixels, Size
from device.simulated.table import sensor, tracer
from device.simulated.table.actors import Mover, players, strangers
from device.simulated.table.animation import Act, Performance
from device.simulated.table.camera_faults import box_seen, covered, movement, warped
from device.simulated.table.faults import Disturbance, gain_at, light_at
from device.simulated.table.hand import Hand
from device.simulated.table.materials import CLOTHS, coat, lamp, weave
from device.simulated.table.seating import Seating

Array = NDArray[np.float64]

LENS_BLUR_PX = 0.6
"""The lens's point spread, a standard deviation in the frame's pixels."""
MOMENT_PX = 2.5
"""While a hand moves further than this in the picture, the exposure is split into more moments …"""
MOMENTS = 3
"""… but not more than these: their half resolution blurs away what gaps they leave at the speed of a throw."""
STILL_PX = 0.75
SHADOW_PX = 5
"""Shadows are worked out at every fifth pixel; they are softer than that."""
MARGIN_PX = 24
"""How far beyond its outline at the middle of an exposure a hand may get by its end, in the frame's pixels."""
BAND_NS = 2_000_000
"""A rolling shutter's frame is drawn in bands of rows that are read within this time, each at its own."""


class Exposure(NamedTuple):
    """One exposure of the camera: its ``number``, the middle of the middle row's exposure, its length, how long the
    rolling shutter takes from the first row to the last, what every seat had been told by then, and what went wrong
    about then."""

    number: int
    exposed_ns: int
    exposure_ns: int
    readout_ns: int
    acts: tuple[tuple[Act, ...], ...]
    disturbances: tuple[Disturbance, ...] = ()

    def row_ns(self, y: float, height: int) -> int:
        """The middle of the exposure of a row ``y`` pixels from the top of a frame of ``height``."""
        return self.exposed_ns + round((y / height - 0.5) * self.readout_ns)

    def bands(self, height: int) -> list[tuple[float, float, int]]:
        """The frame's bands of rows, ``height`` pixels in all: the first row, the one after the last, and the middle
        of the exposure of those between."""
        count = max(1, -(-self.readout_ns // BAND_NS))
        edges = [height * k / count for k in range(count + 1)]
        return [(top, end, self.row_ns((top + end) / 2, height)) for top, end in pairwise(edges)]


Rows = tuple[int, int]
"""The first of a picture's rows and the one after the last."""


class _Subject(NamedTuple):
    """A hand in some of the picture's rows, at one or more moments of their exposure, the middle one, and what covers
    it."""

    moments: tuple[Hand, ...]
    middle: Hand
    coat: tracer.Coat
    rows: Rows


class _Extent(NamedTuple):
    """A rectangle in the frame's pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def within(self, view: tracer.View, size: Size, step: int = 1) -> tuple[int, int, int, int]:
        """The cells of ``step`` × ``step`` picture pixels it covers, cut off at the picture's edges: left, top, right,
        bottom (right ≤ left or bottom ≤ top: none)."""
        w, h = -(-size[0] // step), -(-size[1] // step)
        left = math.floor((self.left - view.left) / view.step_x / step)
        top = math.floor((self.top - view.top) / view.step_y / step)
        right = math.ceil((self.right - view.left) / view.step_x / step)
        bottom = math.ceil((self.bottom - view.top) / view.step_y / step)
        return max(0, left), max(0, top), min(w, right), min(h, bottom)


class _Shelf:
    """The last few pictures made, by what they are of. Several threads may use it."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._pictures: OrderedDict[Hashable, tracer.Picture] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> tracer.Picture | None:
        with self._lock:
            if key in self._pictures:
                self._pictures.move_to_end(key)
            return self._pictures.get(key)

    def put(self, key: Hashable, picture: tracer.Picture) -> None:
        with self._lock:
            self._pictures[key] = picture
            while len(self._pictures) > self._places:
                self._pictures.popitem(last=False)


class Scene:
    """The table with its people, cloth and light, ready to be photographed.

    A picture is traced at the size it is asked for and no larger; what doesn't move is traced once. It may be used
    from several threads at once.
    """

    def __init__(self, seating: Seating, cloth: str | None, seed: int) -> None:
        random = np.random.default_rng([seed, 2])
        chosen = str(random.choice(list(CLOTHS)))
        self.seating = seating
        self.cloth = chosen if cloth is None else cloth
        self.light = lamp(random)
        self.noise = float(random.uniform(1.5, 3.0))
        """The sensor's noise, a standard deviation in levels of 255. The tone curve is close to a square root, so the
        noise of light, which grows with the root of the light, is about the same at every level."""
        self._seed = seed
        optics = seating.optics
        self._woven = weave(self.cloth, seating.size, optics.focal / optics.height, np.random.default_rng([seed, 3]))
        self._cloths, self._stills = _Shelf(16), _Shelf(16)

    def warm_up(self) -> None:
        """Have the tracer compiled, or loaded from its cache, by taking a small picture of a pump."""
        performance = Performance("paper", cue_ns=0, beat_ns=500_000_000)
        acts = ((Act.told(performance, performance.starts_ns),), *[()] * (len(self.seating.people) - 1))
        x, y, w, h = self.seating.zones[0]
        width, height = self.seating.size
        box = Box(math.ceil(x * width), math.ceil(y * height), int(w * width), int(h * height))
        exposure = Exposure(0, performance.cue_ns - 600_000_000, 16_000_000, 0, acts)
        self.photograph(exposure, box, (64, 64))

    @cached_property
    def _coats(self) -> tuple[tracer.Coat, ...]:
        return tuple(coat(seat.person) for seat in self.seating.seats)

    @cached_property
    def _tones(self) -> NDArray[np.float32]:
        return sensor.tone_curve()

    def photograph(self, exposure: Exposure, box: Box, size: Size) -> Pixels:
        """What the camera's ``exposure`` has in ``box``, scaled to ``size``."""
        view = self._view(box, size)
        wrong = exposure.disturbances
        picture = self._seen(exposure, box, size, view) if wrong else self._lit(exposure, box, size, view)
        out = np.empty((size[1], size[0], 3), np.uint8)
        # a picture's pixel is the mean of step × step of the frame's, and so is its noise; that of light grows with
        # the root of the gain
        sigma = self.noise * math.sqrt(self._gain(exposure)) / max(1.0, math.sqrt(view.step_x * view.step_y))
        noise_key = (self._seed * 1_000_003 + exposure.number * 7_919 + 1) % (1 << 62)
        sensor.develop(picture, self._tones, view, sigma, noise_key, out)
        return out

    def _lit(self, exposure: Exposure, box: Box, size: Size, view: tracer.View) -> tracer.Picture:
        """The light of the table and the hands. What doesn't move is traced once."""
        subjects, key = self._subjects(exposure, view, size)
        still = all(len(subject.moments) == 1 for subject in subjects)
        picture = self._stills.get((box, size, key)) if still else None
        if picture is None:
            picture = self._expose(subjects, box, size, view)
            if still:
                self._stills.put((box, size, key), picture)
        return picture

    def _seen(self, exposure: Exposure, box: Box, size: Size, view: tracer.View) -> tracer.Picture:
        """The light that reaches the sensor of a camera to which something has happened."""
        picture = self._unsteady(exposure, box, size, view)
        for one in exposure.disturbances:
            if one.kind == "covered":
                picture = covered(picture, one, exposure.exposed_ns, view, self.seating.size, self._seed)
        rows = (view.top + (np.arange(size[1]) + 0.5) * view.step_y).tolist()
        levels = np.full(size[1], self._gain(exposure))
        for one in exposure.disturbances:
            levels *= [light_at(one, exposure.row_ns(row, self.seating.size[1])) for row in rows]
        return np.ascontiguousarray(picture * levels.astype(np.float32)[:, None, None])

    def _gain(self, exposure: Exposure) -> float:
        """The camera's, 1 in good light."""
        return math.prod(gain_at(one, exposure.exposed_ns) for one in exposure.disturbances)

    def _unsteady(self, exposure: Exposure, box: Box, size: Size, view: tracer.View) -> tracer.Picture:
        """The light of the table as a camera sees it that may have been moved, or is moving through the exposure."""
        times = (exposure.exposed_ns + exposure.exposure_ns * side // 3 for side in (-1, 0, 1))
        moves = [movement(exposure.disturbances, when, self.seating.size, self._seed) for when in times]
        if all(np.array_equal(move, np.eye(2, 3)) for move in moves):
            return self._lit(exposure, box, size, view)
        if np.ptp(moves, axis=0).max() < STILL_PX * min(view.step_x, view.step_y):
            moves = moves[1:2]
        unmoved = box_seen(box, moves, 2 * max(view.step_x, view.step_y))
        scaled = (math.ceil(unmoved.w / view.step_x), math.ceil(unmoved.h / view.step_y))
        seen = self._view(unmoved, scaled)
        return warped(self._lit(exposure, unmoved, scaled, seen), seen, moves, view, size)

    def _view(self, box: Box, size: Size) -> tracer.View:
        (width, height), optics = self.seating.size, self.seating.optics
        step_x, step_y = box.w / size[0], box.h / size[1]
        return tracer.View(
            float(box.x), float(box.y), step_x, step_y, width / 2, height / 2, optics.focal, optics.height
        )

    def _movers(self, exposure: Exposure) -> list[Mover]:
        """Every hand there is, those further away from the camera first."""
        wrong = exposure.disturbances
        movers = players(self.seating, exposure.acts, self._coats, wrong, self._seed)
        return movers + strangers(self.seating, wrong, self._seed) if wrong else movers

    def _subjects(self, exposure: Exposure, view: tracer.View, size: Size) -> tuple[list[_Subject], Hashable]:
        """The hands that matter to a picture, and a key that two pictures have in common only if they are the same."""
        subjects: list[_Subject] = []
        key: list[Hashable] = []
        bands = _in_picture(exposure.bands(self.seating.size[1]), view, size)
        for number, mover in enumerate(self._movers(exposure)):
            for rows, when, does in _merged(bands, mover.does):
                middle = mover.hand(does)
                if _empty(_clipped(self._outline(middle, MARGIN_PX).within(view, size), rows)) and _empty(
                    _clipped(self._shadow(middle).within(view, size), rows)
                ):
                    continue
                moments = self._moments(mover, when, exposure.exposure_ns, view, middle)
                subjects.append(_Subject(moments, middle, mover.coat, rows))
                key.append((number, does, rows))
        return subjects, tuple(key)

    def _moments(
        self, mover: Mover, exposed_ns: int, exposure_ns: int, view: tracer.View, middle: Hand
    ) -> tuple[Hand, ...]:
        """The hand through the exposure: once if it stands still, else at the middles of two or three parts."""
        first, last = (mover.does(exposed_ns + side * exposure_ns // 2) for side in (-1, 1))
        if first == last:
            return (middle,)
        way = np.ptp([self.seating.optics.project(mover.hand(s).joints) for s in (first, last)], axis=0)
        px = float(np.hypot(way[:, 0] / view.step_x, way[:, 1] / view.step_y).max())
        if px < STILL_PX:
            return (middle,)
        parts = min(MOMENTS, 1 + math.ceil(px / MOMENT_PX))
        times = (exposed_ns + exposure_ns * (2 * k + 1 - parts) // (2 * parts) for k in range(parts))
        return tuple(mover.hand(mover.does(when)) for when in times)

    def _expose(self, subjects: Sequence[_Subject], box: Box, size: Size, view: tracer.View) -> tracer.Picture:
        """The light that falls on the sensor: (height, width, 3), 1 is white."""
        width, height = size
        layer = np.zeros((height, width, 4), np.float32)
        shadow = np.ones((-(-height // SHADOW_PX), -(-width // SHADOW_PX), 2), np.float32)
        coarse = view._replace(step_x=view.step_x * SHADOW_PX, step_y=view.step_y * SHADOW_PX)
        for subject in subjects:
            cells = (subject.rows[0] // SHADOW_PX, -(-subject.rows[1] // SHADOW_PX))
            area = _clipped(self._shadow(subject.middle).within(view, size, SHADOW_PX), cells)
            if not _empty(area):
                tracer.cast_shadow(subject.middle.field, coarse, self.light, subject.coat.size, area, shadow)
            self._draw(subject, view, size, layer)
        full = (shadow.shape[1] * SHADOW_PX, shadow.shape[0] * SHADOW_PX)
        smooth = np.asarray(cv2.resize(shadow, full, interpolation=cv2.INTER_LINEAR), np.float32)[:height, :width]
        picture = np.empty((height, width, 3), np.float32)
        sensor.light_cloth(self._cloth(box, size), smooth, self.light, layer, picture)
        blur = LENS_BLUR_PX / math.sqrt(view.step_x * view.step_y)
        if blur > 0.25:  # less is lost in the pixel itself
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.float32)
        return picture

    def _draw(self, subject: _Subject, view: tracer.View, size: Size, layer: tracer.Picture) -> None:
        """Put a hand into the layer. Each moment of a moving one is traced at half the resolution, shifted by a
        pixel against the others: as many rays as one still picture, and motion hides the difference."""
        left, top, right, bottom = _clipped(self._outline(subject.middle, MARGIN_PX).within(view, size), subject.rows)
        if right <= left or bottom <= top:
            return
        view = view._replace(left=view.left + left * view.step_x, top=view.top + top * view.step_y)
        own = np.zeros((bottom - top, right - left, 4), np.float32)
        if len(subject.moments) == 1:
            tracer.trace(subject.moments[0].field, view, self.light, subject.coat, 1.0, own)
        else:
            for hand, (x, y) in zip(subject.moments, ((0, 0), (1, 1), (1, 0)), strict=False):
                half = view._replace(
                    left=view.left - x * view.step_x,
                    top=view.top - y * view.step_y,
                    step_x=2 * view.step_x,
                    step_y=2 * view.step_y,
                )
                coarse = np.zeros(((bottom - top) // 2 + 1, (right - left) // 2 + 1, 4), np.float32)
                tracer.trace(hand.field, half, self.light, subject.coat, 1 / len(subject.moments), coarse)
                sensor.spread(coarse, x, y, own)
        sensor.put_over(own, left, top, layer)

    def _cloth(self, box: Box, size: Size) -> tracer.Picture:
        cloth = self._cloths.get((box, size))
        if cloth is None:
            part = self._woven_in(box)
            shrinks = size[0] < box.w
            cloth = np.ascontiguousarray(
                cv2.resize(part, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
            )
            self._cloths.put((box, size), cloth)
        return cloth

    def _woven_in(self, box: Box) -> tracer.Picture:
        """The cloth in a box of the frame; beyond its edges it goes on as in a mirror."""
        height, width = self._woven.shape[:2]
        if min(box.x, box.y) >= 0 and box.x + box.w <= width and box.y + box.h <= height:
            return self._woven[box.y : box.y + box.h, box.x : box.x + box.w]
        rows, columns = np.arange(box.y, box.y + box.h), np.arange(box.x, box.x + box.w)
        return self._woven[np.ix_(_mirrored(rows, height), _mirrored(columns, width))]

    def _outline(self, hand: Hand, margin: float) -> _Extent:
        """The frame's pixels a hand may cover."""
        start, end, radius, end_radius = _ends(hand)
        optics = self.seating.optics
        points = optics.project(np.concatenate([start, end]))
        radii = np.concatenate([radius, end_radius]) * optics.focal / (optics.height - np.r_[start[:, 2], end[:, 2]])
        low, high = (points - radii[:, None]).min(axis=0), (points + radii[:, None]).max(axis=0)
        return _Extent(low[0] - margin, low[1] - margin, high[0] + margin, high[1] + margin)

    def _shadow(self, hand: Hand) -> _Extent:
        """The frame's pixels a hand may darken; the shadow's soft edge and the dark around the hand reach 40 mm."""
        start, end, radius, end_radius = _ends(hand)
        points = np.concatenate([start, end])
        x, y, z = self.light.towards
        points = np.concatenate([points, points - points[:, 2:] * np.array([x / z, y / z, 1.0])])
        radii = np.tile(np.concatenate([radius, end_radius]), 2) + 40
        points[:, 2] = 0
        optics = self.seating.optics
        pixels, radii = optics.project(points), radii * optics.focal / optics.height
        low, high = (pixels - radii[:, None]).min(axis=0), (pixels + radii[:, None]).max(axis=0)
        return _Extent(low[0], low[1], high[0], high[1])


def _mirrored(places: NDArray[np.int_], length: int) -> NDArray[np.int_]:
    """Places along an edge, those outside of it mirrored into it."""
    folded = places % (2 * length)
    return np.where(folded < length, folded, 2 * length - 1 - folded)


def _empty(area: tuple[int, int, int, int]) -> bool:
    return area[2] <= area[0] or area[3] <= area[1]


def _clipped(area: tuple[int, int, int, int], rows: Rows) -> tuple[int, int, int, int]:
    """What of an area lies in some rows."""
    return area[0], max(area[1], rows[0]), area[2], min(area[3], rows[1])


def _in_picture(bands: list[tuple[float, float, int]], view: tracer.View, size: Size) -> list[tuple[Rows, int]]:
    """The rows of the picture that each of the frame's bands fills, with the time of their exposure."""
    edges = [round((top - view.top) / view.step_y) for top, _, _ in bands[1:]]
    rows = zip([0, *edges], [*edges, size[1]], strict=True)
    clipped = ((max(0, first), min(size[1], end)) for first, end in rows)
    return [(part, when) for part, (_, _, when) in zip(clipped, bands, strict=True) if part[0] < part[1]]


def _merged(bands: list[tuple[Rows, int]], does: Callable[[int], Any]) -> list[tuple[Rows, int, Any]]:
    """The bands with what a hand does in them; those next to each other in which it does the same are one."""
    merged: list[tuple[Rows, int, Any]] = []
    for rows, when in bands:
        now = does(when)
        if merged and merged[-1][2] == now:
            merged[-1] = ((merged[-1][0][0], rows[1]), merged[-1][1], now)
        else:
            merged.append((rows, when, now))
    return merged


def _ends(hand: Hand) -> tuple[Array, Array, Array, Array]:
    """Where a hand's segments start and end (n, 3), and their radii there (n,), in millimetres."""
    field = hand.field.astype(float)
    start, length = field[tracer.X : tracer.Z + 1].T, field[tracer.LENGTH]
    end = start + field[tracer.AXIS_X : tracer.AXIS_Z + 1].T * length[:, None]
    return start, end, field[tracer.RADIUS], field[tracer.RADIUS] + field[tracer.TAPER] * length
