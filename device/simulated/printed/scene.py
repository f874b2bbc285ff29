"""Renders printed objects and reports the ground truth. Objects are drawn from the lowest up, then the hands."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Lock
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from device.camera.frames import BgrFrame, Box, Frame, Pixels, Size
from device.simulated.camera import RING_DURATION_NS, SimulatedCamera
from device.simulated.printed.objects import (
    HandOverTable,
    ObjectPose,
    PrintedObject,
    PrintedSheet,
    PrintSide,
    RoomLight,
    TiltedCameraOptics,
    is_moving,
    strip_corners,
)
from device.system.clock import Clock

Points = NDArray[np.float64]
FloatImage = NDArray[np.float32]
CLOTH_COLOUR = (44, 74, 62)
"""Colour of the table cloth."""
EXPOSURE_NS = 8_000_000
SUB_EXPOSURES = 5
"""Number of moments averaged for an exposure in which something moves."""
NOISE_OFFSET_PX = 64
"""Frames use the same noise, shifted by up to this many pixels."""
SUPERSAMPLING = 2
"""Subpixels per pixel side while an object is drawn, for smooth edges."""


@dataclass(frozen=True)
class VisibleObject:
    """Ground truth of an object in a frame."""

    name: str
    side: PrintSide
    """The visible side."""
    corners: Points
    """(4, 2) in pixels, clockwise from the side's top left."""
    covered_share: float
    """The share (0 to 1) that is covered or outside the frame."""


@dataclass(frozen=True, eq=False)
class PrintedScene:
    """Objects and hands in front of a camera."""

    objects: tuple[PrintedObject, ...] = ()
    hands: tuple[HandOverTable, ...] = ()
    optics: TiltedCameraOptics = field(default_factory=TiltedCameraOptics)
    light: RoomLight = field(default_factory=RoomLight)
    cloth: tuple[int, int, int] = CLOTH_COLOUR
    seed: int = 0
    _still_cache: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def photograph(self, exposed_ns: int, exposure_ns: int = 8_000_000, number: int = 0) -> Pixels:
        """Render the frame whose mid-exposure is at ``exposed_ns``; ``number`` varies its noise."""
        moments = [exposed_ns]
        if self._is_moving(exposed_ns - exposure_ns // 2, exposed_ns + exposure_ns // 2):
            moments = (
                np.linspace(exposed_ns - exposure_ns / 2, exposed_ns + exposure_ns / 2, SUB_EXPOSURES)
                .astype(int)
                .tolist()
            )
        image: FloatImage = np.mean(np.array([self._render_moment(moment) for moment in moments]), axis=0)
        optics = self.optics
        if optics.blur_px > 0:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), optics.blur_px), dtype=np.float32)
        image *= self.light.brightness_map(optics.size)[..., None]
        if optics.noise > 0:
            rng = np.random.default_rng([self.seed, number, 7])
            width, height = optics.size
            x, y = rng.integers(0, NOISE_OFFSET_PX, 2)
            image += np.float32(optics.noise) * _noise(self.seed, optics.size)[y : y + height, x : x + width]
        return np.asarray(cv2.convertScaleAbs(np.maximum(image, 0, out=image)), dtype=np.uint8)

    def visible_objects(self, when_ns: int) -> tuple[VisibleObject, ...]:
        """Return the ground truth of every object present, in the order of ``objects``."""
        covered = self._hand_mask(when_ns)
        visible: dict[str, VisibleObject] = {}
        for item, quads, side in reversed(self._project_objects(when_ns)):
            corners = _outline(quads)
            whole = cv2.contourArea(corners.astype(np.float32))
            mask = self._mask([quad for quad, _ in quads])
            free = int((mask & ~covered).sum())
            covered |= mask
            visible[item.name] = VisibleObject(
                item.name, side, corners, float(np.clip(1 - free / max(whole, 1.0), 0, 1))
            )
        return tuple(visible[item.name] for item in self.objects if item.name in visible)

    def _is_moving(self, since_ns: int, until_ns: int) -> bool:
        keyframes = [item.keyframes for item in self.objects] + [hand.keyframes for hand in self.hands]
        return any(is_moving(keys, since_ns, until_ns) for keys in keyframes)

    def _project_objects(self, when_ns: int) -> list[tuple[PrintedObject, list[tuple[Points, float]], PrintSide]]:
        """Return every object present, the lowest first: the quads (4, 2) of its strips in pixels, each with its
        brightness factor, and the visible side."""
        placed = []
        for order, item in enumerate(self.objects):
            pose = item.pose(when_ns)
            if pose is None:
                continue
            corners = strip_corners(item.sheet.size_mm, pose)
            seen = self.optics.project(corners)
            quads = []
            for left, right in zip(range(len(seen) - 1), range(1, len(seen)), strict=True):
                quad = np.array([seen[left, 0], seen[right, 0], seen[right, 1], seen[left, 1]])
                slope = corners[right, 0] - corners[left, 0]
                lit = 0.82 + 0.18 * abs(float(np.hypot(slope[0], slope[1]) / max(1e-6, np.linalg.norm(slope))))
                quads.append((quad, lit))
            side: PrintSide = "front" if _is_clockwise(_outline(quads)) else "back"
            placed.append((float(corners[..., 2].mean()), order, (item, quads, side)))
        return [
            (item, quads if side == "front" else [(quad[[1, 0, 3, 2]], lit) for quad, lit in reversed(quads)], side)
            for _, _, (item, quads, side) in sorted(placed, key=lambda entry: entry[:2])
        ]

    def _render_moment(self, when_ns: int) -> FloatImage:
        placed = self._project_objects(when_ns)
        resting = [entry for entry in placed if not entry[0].is_moving(when_ns)]
        key = tuple((entry[0].name, id(entry[0].sheet), entry[0].pose(when_ns)) for entry in resting)
        if self._still_cache.get("key") != key:
            lowest = resting[0][0] if resting else None
            empty = self._background(lowest, when_ns).copy()
            for item, quads, side in resting[1:]:
                self._draw(empty, item.sheet, quads, side)
            self._still_cache.update(key=key, image=empty)
        image: FloatImage = self._still_cache["image"].copy()
        for item, quads, side in placed:
            if item.is_moving(when_ns):
                self._draw(image, item.sheet, quads, side)
        self._draw_hands(image, when_ns)
        return image

    def _background(self, lowest: PrintedObject | None, when_ns: int) -> FloatImage:
        """Return the table with the lowest resting object, cached: a board stays put while its pieces move."""
        pose = None if lowest is None else lowest.pose(when_ns)
        if lowest is None or pose is None:
            return _empty_table(self.optics.size, self.cloth, self.seed)
        return _table_with_object(self.optics, self.light, self.cloth, self.seed, lowest.sheet, pose)

    def _draw(
        self, image: FloatImage, sheet: PrintedSheet, quads: Sequence[tuple[Points, float]], side: PrintSide
    ) -> None:
        corners = np.concatenate([quad for quad, _ in quads])
        low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
        end = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, self.optics.size)
        if (end <= low).any():
            return
        whole = sheet.front if side == "front" else sheet.back
        longest_px = SUPERSAMPLING * float(np.ptp(corners, axis=0).max())
        texture = _texture(sheet, side, max(0, int(np.log2(max(1.0, max(whole.shape[:2]) / max(8.0, longest_px))))))
        height, width = texture.shape[:2]
        size = (int(end[0] - low[0]) * SUPERSAMPLING, int(end[1] - low[1]) * SUPERSAMPLING)
        drawn = np.zeros((size[1], size[0], 3), np.float32)
        coverage = np.zeros((size[1], size[0]), np.float32)
        for number, (quad, lit) in enumerate(quads):
            x0, x1 = width * number / len(quads), width * (number + 1) / len(quads)
            source = np.array([[x0, 0], [x1, 0], [x1, height], [x0, height]], np.float32) - 0.5
            goal = ((quad - low) * SUPERSAMPLING - 0.5).astype(np.float32)
            into = cv2.getPerspectiveTransform(source, goal)
            part = np.asarray(cv2.warpPerspective(texture, into, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
            mask = np.zeros((size[1], size[0]), np.uint8)
            cv2.fillConvexPoly(mask, np.round(goal * 16).astype(np.int32), 255, lineType=cv2.LINE_8, shift=4)
            drawn[mask > 0] = part[mask > 0] * lit
            coverage[mask > 0] = 1
        self._add_glare(drawn, low, sheet.gloss)
        small = (size[0] // SUPERSAMPLING, size[1] // SUPERSAMPLING)
        share = np.asarray(cv2.resize(coverage, small, interpolation=cv2.INTER_AREA))[..., None]
        colour = np.asarray(cv2.resize(drawn * coverage[..., None], small, interpolation=cv2.INTER_AREA))
        spot = image[low[1] : end[1], low[0] : end[0]]
        spot *= 1 - share
        spot += colour

    def _add_glare(self, drawn: FloatImage, low: NDArray[np.int64], glossy: float) -> None:
        """Add reflections of lamps to ``drawn``, whose corner is at ``low`` in the frame."""
        for x, y, radius, strength in self.light.glare:
            at = self.optics.project(np.array([x, y, 0.0]))
            reach = radius * self.optics.focal_px / self.optics.height_mm
            ys, xs = np.mgrid[0 : drawn.shape[0], 0 : drawn.shape[1]].astype(np.float32) / SUPERSAMPLING
            far = ((xs + low[0] - at[0]) ** 2 + (ys + low[1] - at[1]) ** 2) / max(reach, 1e-6) ** 2
            drawn += (255 * strength * glossy * np.exp(-far))[..., None].astype(np.float32)

    def _mask(self, quads: Sequence[Points]) -> NDArray[np.bool_]:
        width, height = self.optics.size
        mask = np.zeros((height, width), np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 1, shift=4)
        return mask > 0

    def _limbs(self, when_ns: int) -> list[tuple[Points, Points, float, tuple[int, int, int]]]:
        """Return every limb over the table: its ends (2,) and radius in pixels, and its colour."""
        limbs = []
        for hand in self.hands:
            for begin, end, radius in hand.capsules(when_ns):
                scale = self.optics.focal_px / max(1.0, self.optics.height_mm - float(begin[2]))
                limbs.append((self.optics.project(begin), self.optics.project(end), radius * scale, hand.skin))
        return limbs

    def _hand_mask(self, when_ns: int) -> NDArray[np.bool_]:
        width, height = self.optics.size
        mask = np.zeros((height, width), np.uint8)
        for begin, end, radius, _ in self._limbs(when_ns):
            cv2.line(mask, _pixel(begin), _pixel(end), 1, max(1, round(2 * radius)))
        return mask > 0

    def _draw_hands(self, image: FloatImage, when_ns: int) -> None:
        for begin, end, radius, skin in self._limbs(when_ns):
            for share, lit in ((1.0, 0.72), (0.8, 0.88), (0.5, 1.0)):  # rounder towards the middle
                colour = tuple(float(level * lit) for level in skin)
                cv2.line(image, _pixel(begin), _pixel(end), colour, max(1, round(2 * radius * share)), cv2.LINE_AA)


@lru_cache(maxsize=256)
def _texture(sheet: PrintedSheet, side: PrintSide, halvings: int) -> Pixels:
    """Return a side's image, halved so often that it is about as large as it is seen and does not flicker."""
    whole = sheet.front if side == "front" else sheet.back
    size = (max(1, whole.shape[1] >> halvings), max(1, whole.shape[0] >> halvings))
    small = cv2.resize(whole, size, interpolation=cv2.INTER_AREA) if halvings else whole
    return np.asarray(small * np.float32(225 / 255), np.uint8)


@lru_cache(maxsize=4)
def _empty_table(size: Size, cloth: tuple[int, int, int], seed: int) -> FloatImage:
    width, height = size
    grain = np.random.default_rng([seed, 3]).standard_normal((height // 8 + 1, width // 8 + 1)).astype(np.float32)
    return np.asarray(np.array(cloth, np.float32) + 5 * cv2.resize(grain, size)[..., None], dtype=np.float32)


@lru_cache(maxsize=2)
def _table_with_object(
    optics: TiltedCameraOptics,
    light: RoomLight,
    cloth: tuple[int, int, int],
    seed: int,
    sheet: PrintedSheet,
    pose: ObjectPose,
) -> FloatImage:
    scene = PrintedScene((PrintedObject("lowest", sheet, ((0, pose),)),), (), optics, light, cloth, seed)
    image = _empty_table(optics.size, cloth, seed).copy()
    for item, quads, side in scene._project_objects(0):
        scene._draw(image, item.sheet, quads, side)
    return image


@lru_cache(maxsize=1)
def _noise(seed: int, size: Size) -> FloatImage:
    """Make noise of standard deviation 1, mostly common to all three colours. Every frame uses another part of it."""
    side_x, side_y = size[0] + NOISE_OFFSET_PX, size[1] + NOISE_OFFSET_PX
    rng = np.random.default_rng([seed, 7])
    noise = 0.4 * rng.standard_normal((side_y, side_x, 3), dtype=np.float32)
    noise += 0.9 * rng.standard_normal((side_y, side_x, 1), dtype=np.float32)
    return noise


def _pixel(point: Points) -> tuple[int, int]:
    x, y = np.clip(point, -8000, 16000)
    return round(float(x)), round(float(y))


def _outline(quads: Sequence[tuple[Points, float]]) -> Points:
    first, last = quads[0][0], quads[-1][0]
    return np.array([first[0], last[1], last[2], first[3]])


def _is_clockwise(corners: Points) -> bool:
    """Return whether corners run clockwise in the image (y down)."""
    x, y = corners.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) > 0


@lru_cache(maxsize=24)
def _render(scene: PrintedScene, exposed_ns: int, exposure_ns: int, number: int) -> Pixels:
    return scene.photograph(exposed_ns, exposure_ns, number)


@dataclass(frozen=True)
class PrintedFrame(Frame):
    """A frame that is rendered on access; the last few are cached."""

    scene: PrintedScene = field(repr=False, compare=False)

    @override
    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        whole = _render(self.scene, self.exposed_ns, self.exposure_ns, self.number)
        return BgrFrame(self.number, self.exposed_ns, self.exposure_ns, self.size, whole[..., ::-1]).pixels(box, size)


class PrintedCamera(SimulatedCamera):
    """A frame shows the scene that was set when it was exposed, whatever is set later."""

    def __init__(self, clock: Clock, scene: PrintedScene, fps: float = 30.0) -> None:
        super().__init__(clock, scene.optics.size, fps, EXPOSURE_NS)
        self._scenes: list[tuple[int, PrintedScene]] = [(-1, scene)]
        self._lock = Lock()

    @property
    def scene(self) -> PrintedScene:
        """The current scene, including movements already planned."""
        return self._scenes[-1][1]

    def set_scene(self, scene: PrintedScene) -> None:
        """Show ``scene`` from the next frame on."""
        with self._lock:
            oldest_ns = self._clock.now_ns() - 2 * RING_DURATION_NS
            kept = [i for i, (since, _) in enumerate(self._scenes) if since <= oldest_ns]
            self._scenes = [*self._scenes[kept[-1] if kept else 0 :], (self._clock.now_ns(), scene)]

    def place(self, *objects: PrintedObject) -> None:
        """Add objects, replacing those of the same names."""
        names = {thing.name for thing in objects}
        oldest_ns = self._clock.now_ns() - 2 * RING_DURATION_NS
        kept = (old for old in self.scene.objects if old.until_ns is None or old.until_ns > oldest_ns)
        self.set_scene(replace(self.scene, objects=(*(old for old in kept if old.name not in names), *objects)))

    def remove(self, *names: str) -> None:
        """Remove objects by name."""
        self.set_scene(replace(self.scene, objects=tuple(old for old in self.scene.objects if old.name not in names)))

    def add_hands(self, *hands: HandOverTable) -> None:
        """Add hands that move over the table."""
        oldest_ns = self._clock.now_ns() - 2 * RING_DURATION_NS
        kept = (old for old in self.scene.hands if old.keyframes[-1][0] > oldest_ns)
        self.set_scene(replace(self.scene, hands=(*kept, *hands)))

    def visible_objects(self, when_ns: int) -> tuple[VisibleObject, ...]:
        """Return the ground truth of a frame exposed at ``when_ns``."""
        return self._scene_at(when_ns).visible_objects(when_ns)

    def _scene_at(self, when_ns: int) -> PrintedScene:
        with self._lock:
            return next((scene for since, scene in reversed(self._scenes) if since < when_ns), self._scenes[0][1])

    def _frame(self, number: int) -> PrintedFrame:
        exposed_ns = self._exposed_ns(number)
        return PrintedFrame(number, exposed_ns, self.exposure_ns, self.size, scene=self._scene_at(exposed_ns))
