"""Renders the simulated table: the hands over the cloth, with shadows, motion blur and rolling shutter."""

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from device.camera.frames import Box, Frame, Pixels, Size, resize_image
from device.simulated.table import sensor, tracer
from device.simulated.table.actors import HandAction, HandActor, all_actors
from device.simulated.table.animation import Performance, ScheduledPerformance
from device.simulated.table.disturbances import Disturbance, gain_at, light_at
from device.simulated.table.hand import HandModel
from device.simulated.table.materials import CLOTHS, random_light, weave_cloth
from device.simulated.table.seating import SimulatedSeating
from device.simulated.table.sensor import camera_movement, cover_picture, unmoved_box, warp_picture

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
MAX_PICTURES = 16
"""Pictures that are kept for frames in which nothing has moved."""
SHUTTER_BAND_NS = 2_000_000
"""A rolling shutter is rendered in bands of rows that are read within this time."""


@dataclass(frozen=True)
class SimulatedFrame(Frame):
    """A frame that is rendered on access, only the requested part and size.

    It keeps each seat's schedule and the disturbances known when it was exposed, so it always looks the same."""

    scene: "TableScene" = field(repr=False, compare=False)
    schedules: tuple[tuple[ScheduledPerformance, ...], ...] = field(repr=False, compare=False)
    disturbances: tuple[Disturbance, ...] = field(default=(), repr=False, compare=False)

    @override
    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """The same box and size always give the same pixels. Raises ValueError for a box outside the
        frame."""
        width, height = self.size
        part = box or Box(0, 0, width, height)
        if min(part) < 0 or part.w < 1 or part.h < 1 or part.x + part.w > width or part.y + part.h > height:
            raise ValueError(f"{part} is not inside the frame of {width} × {height} pixels")
        return self.scene.photograph(self, part, size or (part.w, part.h))


RowRange = tuple[int, int]
"""The first row of a picture and the one after the last."""
Area = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture, in pixels or cells of it."""
FrameRect = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels of the frame."""


class _HandInRows(NamedTuple):
    """A hand in some rows of the picture."""

    moments: tuple[HandModel, ...]
    """The hand at one or more moments of the rows' exposure."""
    middle: HandModel
    """The hand at the middle of that exposure."""
    coat: tracer.HandCoat
    rows: RowRange


class _PictureView(NamedTuple):
    """A picture to render."""

    box: Box
    """The part of the frame that it shows."""
    size: Size
    """Its own size in pixels."""
    camera: tracer.CameraView
    """The camera's view of it."""

    def area(self, rect: FrameRect, rows: RowRange, step: int = 1) -> Area | None:
        """Return the cells of ``step`` × ``step`` pixels that ``rect`` covers within some rows; None if there are
        none."""
        (width, height), view = self.size, self.camera
        left = max(0, math.floor((rect[0] - view.left) / view.step_x / step))
        top = max(0, rows[0] // step, math.floor((rect[1] - view.top) / view.step_y / step))
        right = min(-(-width // step), math.ceil((rect[2] - view.left) / view.step_x / step))
        bottom = min(-(-height // step), -(-rows[1] // step), math.ceil((rect[3] - view.top) / view.step_y / step))
        return None if right <= left or bottom <= top else (left, top, right, bottom)


class _PictureCache:
    """A thread-safe LRU cache of pictures. A picture that two threads ask for at once may be made twice."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[Hashable, tracer.LinearPicture] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], tracer.LinearPicture]) -> tracer.LinearPicture:
        with self._lock:
            picture = self._pictures.get(key)
        picture = make() if picture is None else picture
        with self._lock:
            self._pictures[key] = picture
            self._pictures.move_to_end(key)
            if len(self._pictures) > MAX_PICTURES:
                self._pictures.popitem(last=False)
        return picture


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
        self._cloth_cache, self._still_cache = _PictureCache(), _PictureCache()
        self._tones = sensor.tone_curve()

    def warm_up(self) -> None:
        """Compile the tracer, or load it from its cache, by rendering a small picture of a pump."""
        performance = Performance("paper", cue_ns=0, beat_ns=500_000_000)
        schedule = (ScheduledPerformance.schedule(performance, performance.starts_ns),)
        schedules = (schedule, *[()] * (len(self.seating.people) - 1))
        width, height = self.seating.size
        x, y, w, h = self.seating.zones[0]
        box = Box(math.ceil(x * width), math.ceil(y * height), int(w * width), int(h * height))
        SimulatedFrame(0, -600_000_000, 16_000_000, (width, height), self, schedules).pixels(box, (64, 64))

    def photograph(self, frame: SimulatedFrame, box: Box, size: Size) -> Pixels:
        """Render ``box`` of an exposure, scaled to ``size``."""
        view = self._view(box, size)
        picture = self._sensor_light(frame, view) if frame.disturbances else self._table_light(frame, view)
        out = np.empty((size[1], size[0], 3), np.uint8)
        # A picture's pixel averages step × step pixels of the frame, and so does its noise; shot noise grows with the
        # square root of the gain.
        camera = view.camera
        sigma = self.noise * math.sqrt(_gain(frame)) / max(1.0, math.sqrt(camera.step_x * camera.step_y))
        noise_key = (self._seed * 1_000_003 + frame.number * 7_919 + 1) % (1 << 62)
        sensor.develop(picture, self._tones, camera, sigma, noise_key, out)
        return out

    def _view(self, box: Box, size: Size) -> _PictureView:
        (width, height), optics = self.seating.size, self.seating.optics
        steps = box.w / size[0], box.h / size[1]
        camera = tracer.CameraView(
            float(box.x), float(box.y), *steps, width / 2, height / 2, optics.focal_px, optics.height_mm
        )
        return _PictureView(box, size, camera)

    def _sensor_light(self, frame: SimulatedFrame, view: _PictureView) -> tracer.LinearPicture:
        picture = self._moved_table_light(frame, view)
        for disturbance in frame.disturbances:
            if disturbance.kind == "covered":
                picture = cover_picture(picture, disturbance, frame.exposed_ns, view.camera, frame.size, self._seed)
        rows = (view.camera.top + (np.arange(view.size[1]) + 0.5) * view.camera.step_y).tolist()
        levels = np.full(view.size[1], _gain(frame))
        for disturbance in frame.disturbances:
            levels *= [light_at(disturbance, frame.row_ns(row)) for row in rows]
        return np.ascontiguousarray(picture * levels.astype(np.float32)[:, None, None])

    def _moved_table_light(self, frame: SimulatedFrame, view: _PictureView) -> tracer.LinearPicture:
        """Return the light of the table for a camera that was moved, or is moving during the exposure."""
        step_x, step_y = view.camera.step_x, view.camera.step_y
        times = (frame.exposed_ns + frame.exposure_ns * side // 3 for side in (-1, 0, 1))
        moves = [camera_movement(frame.disturbances, when, frame.size, self._seed) for when in times]
        if all(np.array_equal(move, np.eye(2, 3)) for move in moves):
            return self._table_light(frame, view)
        if np.ptp(moves, axis=0).max() < MAX_STILL_MOTION_PX * min(step_x, step_y):
            moves = moves[1:2]
        box = unmoved_box(view.box, moves, 2 * max(step_x, step_y))
        unmoved = self._view(box, (math.ceil(box.w / step_x), math.ceil(box.h / step_y)))
        return warp_picture(self._table_light(frame, unmoved), unmoved.camera, moves, view.camera, view.size)

    def _table_light(self, frame: SimulatedFrame, view: _PictureView) -> tracer.LinearPicture:
        """Return the light of the table and the hands, cached while nothing moves."""
        hands, actions = self._hands(frame, view)
        if any(len(hand.moments) > 1 for hand in hands):
            return self._expose(hands, view)
        return self._still_cache.get((view.box, view.size, actions), lambda: self._expose(hands, view))

    def _hands(self, frame: SimulatedFrame, view: _PictureView) -> tuple[list[_HandInRows], Hashable]:
        """Return the hands in a picture, and what they do, as a key that only equal pictures share."""
        hands: list[_HandInRows] = []
        key: list[Hashable] = []
        bands = _shutter_bands(frame, view)
        for number, actor in enumerate(all_actors(self.seating, frame.schedules, frame.disturbances, self._seed)):
            for rows, when_ns, action in _merge_bands(bands, actor.action_at):
                middle = actor.hand_for(action)
                if view.area(self._hand_rect(middle), rows) or view.area(self._shadow_rect(middle), rows):
                    moments = self._moments(actor, when_ns, frame.exposure_ns, view, middle)
                    hands.append(_HandInRows(moments, middle, actor.coat, rows))
                    key.append((number, action, rows))
        return hands, tuple(key)

    def _moments(
        self, actor: HandActor, exposed_ns: int, exposure_ns: int, view: _PictureView, middle: HandModel
    ) -> tuple[HandModel, ...]:
        """Return the hand during the exposure: once if it stands still, else at the middles of two or three parts."""
        first, last = (actor.action_at(exposed_ns + side * exposure_ns // 2) for side in (-1, 1))
        if first == last:
            return (middle,)
        way = np.ptp([self.seating.optics.project(actor.hand_for(action).joints) for action in (first, last)], axis=0)
        px = float(np.hypot(way[:, 0] / view.camera.step_x, way[:, 1] / view.camera.step_y).max())
        if px < MAX_STILL_MOTION_PX:
            return (middle,)
        parts = min(MAX_MOMENTS, 1 + math.ceil(px / MOMENT_SPACING_PX))
        times = (exposed_ns + exposure_ns * (2 * k + 1 - parts) // (2 * parts) for k in range(parts))
        return tuple(actor.hand_for(actor.action_at(when)) for when in times)

    def _expose(self, hands: Sequence[_HandInRows], view: _PictureView) -> tracer.LinearPicture:
        """Return the light that falls on the sensor, (height, width, 3), with 1 for white."""
        (width, height), camera = view.size, view.camera
        layer = np.zeros((height, width, 4), np.float32)
        shadow = np.ones((-(-height // SHADOW_CELL_PX), -(-width // SHADOW_CELL_PX), 2), np.float32)
        coarse = camera._replace(step_x=camera.step_x * SHADOW_CELL_PX, step_y=camera.step_y * SHADOW_CELL_PX)
        for hand in hands:
            if area := view.area(self._shadow_rect(hand.middle), hand.rows, SHADOW_CELL_PX):
                tracer.cast_shadow(hand.middle.field, coarse, self.light, hand.coat.size, area, shadow)
            if area := view.area(self._hand_rect(hand.middle), hand.rows):
                self._draw(hand, camera, area, layer)
        full = (shadow.shape[1] * SHADOW_CELL_PX, shadow.shape[0] * SHADOW_CELL_PX)
        smooth = np.asarray(cv2.resize(shadow, full, interpolation=cv2.INTER_LINEAR), np.float32)[:height, :width]
        picture = np.empty((height, width, 3), np.float32)
        cloth = self._cloth_cache.get((view.box, view.size), lambda: self._cloth(view))
        sensor.compose_picture(cloth, smooth, self.light, layer, picture)
        blur = LENS_BLUR_PX / math.sqrt(camera.step_x * camera.step_y)
        if blur > 0.25:  # less is invisible within a pixel
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.float32)
        return picture

    def _draw(self, hand: _HandInRows, view: tracer.CameraView, area: Area, layer: tracer.LinearPicture) -> None:
        """Draw a hand into the layer. Each moment of a moving hand is traced at half the resolution, shifted by a pixel
        against the others: as many rays as for a still hand, and motion hides the difference."""
        left, top, right, bottom = area
        view = view._replace(left=view.left + left * view.step_x, top=view.top + top * view.step_y)
        own = np.zeros((bottom - top, right - left, 4), np.float32)
        if len(hand.moments) == 1:
            tracer.trace(hand.middle.field, view, self.light, hand.coat, 1.0, own)
        else:
            step_x, step_y = view.step_x, view.step_y
            for moment, (x, y) in zip(hand.moments, ((0, 0), (1, 1), (1, 0)), strict=False):
                half = view._replace(
                    left=view.left - x * step_x, top=view.top - y * step_y, step_x=2 * step_x, step_y=2 * step_y
                )
                coarse = np.zeros(((bottom - top) // 2 + 1, (right - left) // 2 + 1, 4), np.float32)
                tracer.trace(moment.field, half, self.light, hand.coat, 1 / len(hand.moments), coarse)
                sensor.add_half_resolution(coarse, x, y, own)
        sensor.composite_over(own, left, top, layer)

    def _cloth(self, view: _PictureView) -> tracer.LinearPicture:
        """Return the cloth that a picture shows, mirrored beyond the frame's edges."""
        box, (height, width) = view.box, self._cloth_picture.shape[:2]
        if min(box.x, box.y) >= 0 and box.x + box.w <= width and box.y + box.h <= height:
            part = self._cloth_picture[box.y : box.y + box.h, box.x : box.x + box.w]
        else:
            rows, columns = np.arange(box.y, box.y + box.h), np.arange(box.x, box.x + box.w)
            part = self._cloth_picture[np.ix_(_mirror_indices(rows, height), _mirror_indices(columns, width))]
        return np.ascontiguousarray(resize_image(part, view.size))

    def _hand_rect(self, hand: HandModel) -> FrameRect:
        """Return the part of the frame that a hand may cover during the exposure."""
        optics, (points, radii) = self.seating.optics, hand.segment_ends()
        radii_px = radii * optics.focal_px / (optics.height_mm - points[:, 2])
        return _bounds(optics.project(points), radii_px, HAND_MARGIN_PX)

    def _shadow_rect(self, hand: HandModel) -> FrameRect:
        """Return the part of the frame that a hand may darken. Its shadow's soft edge and ambient occlusion reach 40
        mm."""
        optics, (points, radii) = self.seating.optics, hand.segment_ends()
        x, y, z = self.light.towards
        points = np.concatenate([points, points - points[:, 2:] * np.array([x / z, y / z, 1.0])])
        points[:, 2] = 0
        return _bounds(optics.project(points), (np.tile(radii, 2) + 40) * optics.focal_px / optics.height_mm)


def _gain(frame: SimulatedFrame) -> float:
    """Return the camera's gain, 1 in good light."""
    return math.prod(gain_at(disturbance, frame.exposed_ns) for disturbance in frame.disturbances)


def _bounds(points: Array, radii: Array, margin: float = 0.0) -> FrameRect:
    """Return the rectangle around circles at points (n, 2), all in pixels of the frame."""
    low, high = (points - radii[:, None]).min(axis=0) - margin, (points + radii[:, None]).max(axis=0) + margin
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _mirror_indices(places: NDArray[np.int_], length: int) -> NDArray[np.int_]:
    folded = places % (2 * length)
    return np.where(folded < length, folded, 2 * length - 1 - folded)


def _shutter_bands(frame: SimulatedFrame, view: _PictureView) -> list[tuple[RowRange, int]]:
    """Return the rows of the picture that each band of the rolling shutter fills, with their mid-exposure."""
    count = max(1, -(-frame.readout_ns // SHUTTER_BAND_NS))
    edges = [frame.size[1] * k / count for k in range(count + 1)]
    inner = [round((edge - view.camera.top) / view.camera.step_y) for edge in edges[1:-1]]
    rows = [min(max(0, row), view.size[1]) for row in (0, *inner, view.size[1])]
    return [
        ((first, end), frame.row_ns((top + bottom) / 2))
        for (first, end), (top, bottom) in zip(pairwise(rows), pairwise(edges), strict=True)
        if first < end
    ]


def _merge_bands(
    bands: list[tuple[RowRange, int]], action_at: Callable[[int], HandAction]
) -> list[tuple[RowRange, int, HandAction]]:
    """Return the bands with a hand's action in each, merging neighbours with the same action."""
    merged: list[tuple[RowRange, int, HandAction]] = []
    for rows, when in bands:
        action = action_at(when)
        if merged and merged[-1][2] == action:
            merged[-1] = ((merged[-1][0][0], rows[1]), merged[-1][1], action)
        else:
            merged.append((rows, when, action))
    return merged
