"""Renders the simulated table: the hands over the cloth, with shadows, motion blur and rolling shutter."""

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
from device.simulated.table.actors import HandActor, extra_actors, player_actors
from device.simulated.table.animation import Performance, ScheduledPerformance
from device.simulated.table.camera_faults import camera_movement, cover_picture, unmoved_box, warp_picture
from device.simulated.table.disturbances import Disturbance, gain_at, light_at
from device.simulated.table.hand import HandModel
from device.simulated.table.materials import CLOTHS, make_coat, random_light, weave_cloth
from device.simulated.table.seating import SimulatedSeating

Array = NDArray[np.float64]

LENS_BLUR_PX = 0.6
"""Blur of the lens: standard deviation in pixels of the frame."""
MOMENT_SPACING_PX = 2.5
"""The exposure is split into moments so that a hand moves at most this far between them …"""
MAX_MOMENTS = 3
"""… but into no more than this: their half resolution hides the gaps at the speed of a throw."""
MAX_STILL_MOTION_PX = 0.75
SHADOW_CELL_PX = 5
"""Shadows are computed at every fifth pixel; they are softer than that."""
HAND_MARGIN_PX = 24
"""How far a hand may move beyond its mid-exposure outline by the end, in pixels of the frame."""
SHUTTER_BAND_NS = 2_000_000
"""A rolling shutter is rendered in bands of rows that are read within this time."""


class CameraExposure(NamedTuple):
    """One exposure: the times as in Frame, each seat's schedule as known when it was taken, and the disturbances at
    that time."""

    number: int
    exposed_ns: int
    exposure_ns: int
    readout_ns: int
    schedules: tuple[tuple[ScheduledPerformance, ...], ...]
    disturbances: tuple[Disturbance, ...] = ()

    def row_ns(self, y: float, height: int) -> int:
        """Return the middle of the exposure of row ``y`` in a frame of ``height`` rows."""
        return self.exposed_ns + round((y / height - 0.5) * self.readout_ns)

    def bands(self, height: int) -> list[tuple[float, float, int]]:
        """Return the bands of a frame of ``height`` rows: the first row, the one after the last, and the
        mid-exposure."""
        count = max(1, -(-self.readout_ns // SHUTTER_BAND_NS))
        edges = [height * k / count for k in range(count + 1)]
        return [(top, end, self.row_ns((top + end) / 2, height)) for top, end in pairwise(edges)]


RowRange = tuple[int, int]
"""The first row of a picture and the one after the last."""


class _HandInRows(NamedTuple):
    """A hand in some rows of the picture, at one or more moments of their exposure and at its middle, and its coat."""

    moments: tuple[HandModel, ...]
    middle: HandModel
    coat: tracer.HandCoat
    rows: RowRange


class _FrameRect(NamedTuple):
    """A rectangle in the frame's pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def cells_in(self, view: tracer.CameraView, size: Size, step: int = 1) -> tuple[int, int, int, int]:
        """Return the cells of ``step`` × ``step`` pixels of the picture that it covers: left, top, right, bottom (none
        if right ≤ left or bottom ≤ top)."""
        w, h = -(-size[0] // step), -(-size[1] // step)
        left = math.floor((self.left - view.left) / view.step_x / step)
        top = math.floor((self.top - view.top) / view.step_y / step)
        right = math.ceil((self.right - view.left) / view.step_x / step)
        bottom = math.ceil((self.bottom - view.top) / view.step_y / step)
        return max(0, left), max(0, top), min(w, right), min(h, bottom)


class _PictureCache:
    """A thread-safe LRU cache of pictures."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._pictures: OrderedDict[Hashable, tracer.LinearPicture] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> tracer.LinearPicture | None:
        with self._lock:
            if key in self._pictures:
                self._pictures.move_to_end(key)
            return self._pictures.get(key)

    def put(self, key: Hashable, picture: tracer.LinearPicture) -> None:
        with self._lock:
            self._pictures[key] = picture
            while len(self._pictures) > self._capacity:
                self._pictures.popitem(last=False)


class TableScene:
    """The table with its people, cloth and light.

    A picture is traced at the requested size, and only once while nothing moves. Thread-safe.
    """

    def __init__(self, seating: SimulatedSeating, cloth: str | None, seed: int) -> None:
        random = np.random.default_rng([seed, 2])
        chosen = str(random.choice(list(CLOTHS)))
        self.seating = seating
        self.cloth = chosen if cloth is None else cloth
        self.light = random_light(random)
        self.noise = float(random.uniform(1.5, 3.0))
        """The sensor's noise: standard deviation in levels of 255. Shot noise grows with the square root of the light
        and the tone curve is close to a square root, so the noise is about the same at every level."""
        self._seed = seed
        optics = seating.optics
        self._cloth_picture = weave_cloth(
            self.cloth, seating.size, optics.focal_px / optics.height_mm, np.random.default_rng([seed, 3])
        )
        self._cloth_cache, self._still_cache = _PictureCache(16), _PictureCache(16)

    def warm_up(self) -> None:
        """Compile the tracer, or load it from its cache, by rendering a small picture of a pump."""
        performance = Performance("paper", cue_ns=0, beat_ns=500_000_000)
        acts = (
            (ScheduledPerformance.schedule(performance, performance.starts_ns),),
            *[()] * (len(self.seating.people) - 1),
        )
        x, y, w, h = self.seating.zones[0]
        width, height = self.seating.size
        box = Box(math.ceil(x * width), math.ceil(y * height), int(w * width), int(h * height))
        exposure = CameraExposure(0, performance.cue_ns - 600_000_000, 16_000_000, 0, acts)
        self.photograph(exposure, box, (64, 64))

    @cached_property
    def _coats(self) -> tuple[tracer.HandCoat, ...]:
        return tuple(make_coat(seat.person) for seat in self.seating.seats)

    @cached_property
    def _tones(self) -> NDArray[np.float32]:
        return sensor.tone_curve()

    def photograph(self, exposure: CameraExposure, box: Box, size: Size) -> Pixels:
        """Render ``box`` of an exposure, scaled to ``size``."""
        view = self._view(box, size)
        wrong = exposure.disturbances
        picture = (
            self._sensor_light(exposure, box, size, view) if wrong else self._table_light(exposure, box, size, view)
        )
        out = np.empty((size[1], size[0], 3), np.uint8)
        # A picture's pixel averages step × step pixels of the frame, and so does its noise; shot noise grows with the
        # square root of the gain.
        sigma = self.noise * math.sqrt(self._gain(exposure)) / max(1.0, math.sqrt(view.step_x * view.step_y))
        noise_key = (self._seed * 1_000_003 + exposure.number * 7_919 + 1) % (1 << 62)
        sensor.develop(picture, self._tones, view, sigma, noise_key, out)
        return out

    def _table_light(
        self, exposure: CameraExposure, box: Box, size: Size, view: tracer.CameraView
    ) -> tracer.LinearPicture:
        """Return the light of the table and the hands, cached while nothing moves."""
        subjects, key = self._subjects(exposure, view, size)
        still = all(len(subject.moments) == 1 for subject in subjects)
        picture = self._still_cache.get((box, size, key)) if still else None
        if picture is None:
            picture = self._expose(subjects, box, size, view)
            if still:
                self._still_cache.put((box, size, key), picture)
        return picture

    def _sensor_light(
        self, exposure: CameraExposure, box: Box, size: Size, view: tracer.CameraView
    ) -> tracer.LinearPicture:
        """Return the light that reaches the sensor of a disturbed camera."""
        picture = self._moved_table_light(exposure, box, size, view)
        for one in exposure.disturbances:
            if one.kind == "covered":
                picture = cover_picture(picture, one, exposure.exposed_ns, view, self.seating.size, self._seed)
        rows = (view.top + (np.arange(size[1]) + 0.5) * view.step_y).tolist()
        levels = np.full(size[1], self._gain(exposure))
        for one in exposure.disturbances:
            levels *= [light_at(one, exposure.row_ns(row, self.seating.size[1])) for row in rows]
        return np.ascontiguousarray(picture * levels.astype(np.float32)[:, None, None])

    def _gain(self, exposure: CameraExposure) -> float:
        """Return the camera's gain, 1 in good light."""
        return math.prod(gain_at(one, exposure.exposed_ns) for one in exposure.disturbances)

    def _moved_table_light(
        self, exposure: CameraExposure, box: Box, size: Size, view: tracer.CameraView
    ) -> tracer.LinearPicture:
        """Return the light of the table for a camera that was moved, or is moving during the exposure."""
        times = (exposure.exposed_ns + exposure.exposure_ns * side // 3 for side in (-1, 0, 1))
        moves = [camera_movement(exposure.disturbances, when, self.seating.size, self._seed) for when in times]
        if all(np.array_equal(move, np.eye(2, 3)) for move in moves):
            return self._table_light(exposure, box, size, view)
        if np.ptp(moves, axis=0).max() < MAX_STILL_MOTION_PX * min(view.step_x, view.step_y):
            moves = moves[1:2]
        unmoved = unmoved_box(box, moves, 2 * max(view.step_x, view.step_y))
        scaled = (math.ceil(unmoved.w / view.step_x), math.ceil(unmoved.h / view.step_y))
        seen = self._view(unmoved, scaled)
        return warp_picture(self._table_light(exposure, unmoved, scaled, seen), seen, moves, view, size)

    def _view(self, box: Box, size: Size) -> tracer.CameraView:
        (width, height), optics = self.seating.size, self.seating.optics
        step_x, step_y = box.w / size[0], box.h / size[1]
        return tracer.CameraView(
            float(box.x), float(box.y), step_x, step_y, width / 2, height / 2, optics.focal_px, optics.height_mm
        )

    def _actors(self, exposure: CameraExposure) -> list[HandActor]:
        """Return every hand, those farthest from the camera first."""
        wrong = exposure.disturbances
        movers = player_actors(self.seating, exposure.schedules, self._coats, wrong, self._seed)
        return movers + extra_actors(self.seating, wrong, self._seed) if wrong else movers

    def _subjects(
        self, exposure: CameraExposure, view: tracer.CameraView, size: Size
    ) -> tuple[list[_HandInRows], Hashable]:
        """Return the hands in a picture, and a key that only equal pictures share."""
        subjects: list[_HandInRows] = []
        key: list[Hashable] = []
        bands = _bands_in_picture(exposure.bands(self.seating.size[1]), view, size)
        for number, mover in enumerate(self._actors(exposure)):
            for rows, when, does in _merge_bands(bands, mover.action_at):
                middle = mover.hand_for(does)
                if _is_empty(
                    _clip_to_rows(self._hand_rect(middle, HAND_MARGIN_PX).cells_in(view, size), rows)
                ) and _is_empty(_clip_to_rows(self._shadow_rect(middle).cells_in(view, size), rows)):
                    continue
                moments = self._moments(mover, when, exposure.exposure_ns, view, middle)
                subjects.append(_HandInRows(moments, middle, mover.coat, rows))
                key.append((number, does, rows))
        return subjects, tuple(key)

    def _moments(
        self, mover: HandActor, exposed_ns: int, exposure_ns: int, view: tracer.CameraView, middle: HandModel
    ) -> tuple[HandModel, ...]:
        """Return the hand during the exposure: once if it stands still, else at the middles of two or three parts."""
        first, last = (mover.action_at(exposed_ns + side * exposure_ns // 2) for side in (-1, 1))
        if first == last:
            return (middle,)
        way = np.ptp([self.seating.optics.project(mover.hand_for(s).joints) for s in (first, last)], axis=0)
        px = float(np.hypot(way[:, 0] / view.step_x, way[:, 1] / view.step_y).max())
        if px < MAX_STILL_MOTION_PX:
            return (middle,)
        parts = min(MAX_MOMENTS, 1 + math.ceil(px / MOMENT_SPACING_PX))
        times = (exposed_ns + exposure_ns * (2 * k + 1 - parts) // (2 * parts) for k in range(parts))
        return tuple(mover.hand_for(mover.action_at(when)) for when in times)

    def _expose(
        self, subjects: Sequence[_HandInRows], box: Box, size: Size, view: tracer.CameraView
    ) -> tracer.LinearPicture:
        """Return the light that falls on the sensor, (height, width, 3), with 1 for white."""
        width, height = size
        layer = np.zeros((height, width, 4), np.float32)
        shadow = np.ones((-(-height // SHADOW_CELL_PX), -(-width // SHADOW_CELL_PX), 2), np.float32)
        coarse = view._replace(step_x=view.step_x * SHADOW_CELL_PX, step_y=view.step_y * SHADOW_CELL_PX)
        for subject in subjects:
            cells = (subject.rows[0] // SHADOW_CELL_PX, -(-subject.rows[1] // SHADOW_CELL_PX))
            area = _clip_to_rows(self._shadow_rect(subject.middle).cells_in(view, size, SHADOW_CELL_PX), cells)
            if not _is_empty(area):
                tracer.cast_shadow(subject.middle.field, coarse, self.light, subject.coat.size, area, shadow)
            self._draw(subject, view, size, layer)
        full = (shadow.shape[1] * SHADOW_CELL_PX, shadow.shape[0] * SHADOW_CELL_PX)
        smooth = np.asarray(cv2.resize(shadow, full, interpolation=cv2.INTER_LINEAR), np.float32)[:height, :width]
        picture = np.empty((height, width, 3), np.float32)
        sensor.compose_picture(self._cloth(box, size), smooth, self.light, layer, picture)
        blur = LENS_BLUR_PX / math.sqrt(view.step_x * view.step_y)
        if blur > 0.25:  # less is invisible within a pixel
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.float32)
        return picture

    def _draw(self, subject: _HandInRows, view: tracer.CameraView, size: Size, layer: tracer.LinearPicture) -> None:
        """Draw a hand into the layer. Each moment of a moving hand is traced at half the resolution, shifted by a pixel
        against the others: as many rays as for a still hand, and motion hides the difference."""
        left, top, right, bottom = _clip_to_rows(
            self._hand_rect(subject.middle, HAND_MARGIN_PX).cells_in(view, size), subject.rows
        )
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
                sensor.add_half_resolution(coarse, x, y, own)
        sensor.composite_over(own, left, top, layer)

    def _cloth(self, box: Box, size: Size) -> tracer.LinearPicture:
        cloth = self._cloth_cache.get((box, size))
        if cloth is None:
            part = self._crop_cloth(box)
            shrinks = size[0] < box.w
            cloth = np.ascontiguousarray(
                cv2.resize(part, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
            )
            self._cloth_cache.put((box, size), cloth)
        return cloth

    def _crop_cloth(self, box: Box) -> tracer.LinearPicture:
        """Return the cloth in a box of the frame, mirrored beyond its edges."""
        height, width = self._cloth_picture.shape[:2]
        if min(box.x, box.y) >= 0 and box.x + box.w <= width and box.y + box.h <= height:
            return self._cloth_picture[box.y : box.y + box.h, box.x : box.x + box.w]
        rows, columns = np.arange(box.y, box.y + box.h), np.arange(box.x, box.x + box.w)
        return self._cloth_picture[np.ix_(_mirror_indices(rows, height), _mirror_indices(columns, width))]

    def _hand_rect(self, hand: HandModel, margin: float) -> _FrameRect:
        """Return the part of the frame that a hand may cover."""
        start, end, radius, end_radius = _segment_ends(hand)
        optics = self.seating.optics
        points = optics.project(np.concatenate([start, end]))
        radii = (
            np.concatenate([radius, end_radius]) * optics.focal_px / (optics.height_mm - np.r_[start[:, 2], end[:, 2]])
        )
        low, high = (points - radii[:, None]).min(axis=0), (points + radii[:, None]).max(axis=0)
        return _FrameRect(low[0] - margin, low[1] - margin, high[0] + margin, high[1] + margin)

    def _shadow_rect(self, hand: HandModel) -> _FrameRect:
        """Return the part of the frame that a hand may darken. Its shadow's soft edge and ambient occlusion reach 40
        mm."""
        start, end, radius, end_radius = _segment_ends(hand)
        points = np.concatenate([start, end])
        x, y, z = self.light.towards
        points = np.concatenate([points, points - points[:, 2:] * np.array([x / z, y / z, 1.0])])
        radii = np.tile(np.concatenate([radius, end_radius]), 2) + 40
        points[:, 2] = 0
        optics = self.seating.optics
        pixels, radii = optics.project(points), radii * optics.focal_px / optics.height_mm
        low, high = (pixels - radii[:, None]).min(axis=0), (pixels + radii[:, None]).max(axis=0)
        return _FrameRect(low[0], low[1], high[0], high[1])


def _mirror_indices(places: NDArray[np.int_], length: int) -> NDArray[np.int_]:
    """Mirror indices outside an edge of ``length`` into it."""
    folded = places % (2 * length)
    return np.where(folded < length, folded, 2 * length - 1 - folded)


def _is_empty(area: tuple[int, int, int, int]) -> bool:
    return area[2] <= area[0] or area[3] <= area[1]


def _clip_to_rows(area: tuple[int, int, int, int], rows: RowRange) -> tuple[int, int, int, int]:
    """Clip an area to some rows."""
    return area[0], max(area[1], rows[0]), area[2], min(area[3], rows[1])


def _bands_in_picture(
    bands: list[tuple[float, float, int]], view: tracer.CameraView, size: Size
) -> list[tuple[RowRange, int]]:
    """Return the rows of the picture that each band fills, with their mid-exposure."""
    edges = [round((top - view.top) / view.step_y) for top, _, _ in bands[1:]]
    rows = zip([0, *edges], [*edges, size[1]], strict=True)
    clipped = ((max(0, first), min(size[1], end)) for first, end in rows)
    return [(part, when) for part, (_, _, when) in zip(clipped, bands, strict=True) if part[0] < part[1]]


def _merge_bands(bands: list[tuple[RowRange, int]], action_at: Callable[[int], Any]) -> list[tuple[RowRange, int, Any]]:
    """Return the bands with a hand's action in each, merging neighbours with the same action."""
    merged: list[tuple[RowRange, int, Any]] = []
    for rows, when in bands:
        action = action_at(when)
        if merged and merged[-1][2] == action:
            merged[-1] = ((merged[-1][0][0], rows[1]), merged[-1][1], action)
        else:
            merged.append((rows, when, action))
    return merged


def _segment_ends(hand: HandModel) -> tuple[Array, Array, Array, Array]:
    """Return the start and end of a hand's segments (n, 3) and their radii there (n,), in mm."""
    field = hand.field.astype(float)
    start, length = field[tracer.X : tracer.Z + 1].T, field[tracer.LENGTH]
    end = start + field[tracer.AXIS_X : tracer.AXIS_Z + 1].T * length[:, None]
    return start, end, field[tracer.RADIUS], field[tracer.RADIUS] + field[tracer.TAPER] * length
