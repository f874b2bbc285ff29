"""The picture of printed things at a time, and the truth about it. Things are drawn from the lowest up, hands over
them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels, Size
from device.simulated.printed.optics import Light, Optics
from device.simulated.printed.things import Pose, Print, Reach, Side, Thing, mesh, moving

Points = NDArray[np.float64]
Picture = NDArray[np.float32]
CLOTH = (44, 74, 62)
"""Colour of the table."""
SUB_EXPOSURES = 5
"""Pictures that an exposure in which something moves is the mean of."""
NOISE_TILE = 64
"""How far apart in pixels, at most, the parts of the noise lie that two pictures take."""
FINER = 2
"""Pixels to a pixel's side while a thing is drawn, so that its edges are smooth."""


@dataclass(frozen=True)
class Seen:
    """The truth about a thing: which side the camera sees, the corners of that side's picture (4, 2) in pixels from its
    upper left on clockwise, and the share (0–1) of it that something covers or the frame cuts off."""

    name: str
    side: Side
    corners: Points
    covered: float


@dataclass(frozen=True, eq=False)
class Scene:
    """Things and hands before a camera."""

    things: tuple[Thing, ...] = ()
    reaches: tuple[Reach, ...] = ()
    optics: Optics = field(default_factory=Optics)
    light: Light = field(default_factory=Light)
    cloth: tuple[int, int, int] = CLOTH
    seed: int = 0
    _smaller: dict[tuple[int, Side, int], Pixels] = field(default_factory=dict, init=False, repr=False)
    _at_rest: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def photograph(self, when_ns: int, exposure_ns: int = 8_000_000, number: int = 0) -> Pixels:
        """The picture whose exposure's middle is at ``when_ns``; ``number`` makes its noise its own."""
        moments = [when_ns]
        if self._moves(when_ns - exposure_ns // 2, when_ns + exposure_ns // 2):
            moments = (
                np.linspace(when_ns - exposure_ns / 2, when_ns + exposure_ns / 2, SUB_EXPOSURES).astype(int).tolist()
            )
        picture: Picture = np.mean(np.array([self._still(moment) for moment in moments]), axis=0)
        optics = self.optics
        if optics.blur_px > 0:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), optics.blur_px), dtype=np.float32)
        picture *= self.light.field(optics.size)[..., None]
        if optics.noise > 0:
            chance = np.random.default_rng([self.seed, number, 7])
            wide, high = optics.size
            x, y = chance.integers(0, NOISE_TILE, 2)
            picture += np.float32(optics.noise) * _noise(self.seed, optics.size)[y : y + high, x : x + wide]
        return np.asarray(cv2.convertScaleAbs(np.maximum(picture, 0, out=picture)), dtype=np.uint8)

    def truth(self, when_ns: int) -> tuple[Seen, ...]:
        """What the camera sees of every thing that is there, in the order of ``things``."""
        covered = self._hands(when_ns)
        found: dict[str, Seen] = {}
        for thing, quads, side in reversed(self._placed(when_ns)):
            corners = _outline(quads)
            whole = cv2.contourArea(corners.astype(np.float32))
            mask = self._mask([quad for quad, _ in quads])
            free = int((mask & ~covered).sum())
            covered |= mask
            found[thing.name] = Seen(thing.name, side, corners, float(np.clip(1 - free / max(whole, 1.0), 0, 1)))
        return tuple(found[thing.name] for thing in self.things if thing.name in found)

    def _moves(self, since_ns: int, until_ns: int) -> bool:
        ways = [thing.keys for thing in self.things] + [reach.keys for reach in self.reaches]
        return any(moving(keys, since_ns, until_ns) for keys in ways)

    def _placed(self, when_ns: int) -> list[tuple[Thing, list[tuple[Points, float]], Side]]:
        """Everything that is there, the lowest first: the quads (4, 2) in pixels of its strips with the factor each is
        lit by, and the side that is seen."""
        placed = []
        for order, thing in enumerate(self.things):
            pose = thing.pose(when_ns)
            if pose is None:
                continue
            corners = mesh(thing.made.size_mm, pose)
            seen = self.optics.project(corners)
            quads = []
            for left, right in zip(range(len(seen) - 1), range(1, len(seen)), strict=True):
                quad = np.array([seen[left, 0], seen[right, 0], seen[right, 1], seen[left, 1]])
                slope = corners[right, 0] - corners[left, 0]
                lit = 0.82 + 0.18 * abs(float(np.hypot(slope[0], slope[1]) / max(1e-6, np.linalg.norm(slope))))
                quads.append((quad, lit))
            side: Side = "front" if _clockwise(_outline(quads)) else "back"
            placed.append((float(corners[..., 2].mean()), order, (thing, quads, side)))
        return [
            (thing, quads if side == "front" else _mirrored(quads), side)
            for _, _, (thing, quads, side) in sorted(placed, key=lambda one: one[:2])
        ]

    def _still(self, when_ns: int) -> Picture:
        placed = self._placed(when_ns)
        resting = [one for one in placed if not one[0].moves(when_ns)]
        key = tuple((one[0].name, id(one[0].made), one[0].pose(when_ns)) for one in resting)
        if self._at_rest.get("key") != key:
            lowest = resting[0][0] if resting else None
            empty = self._under(lowest, when_ns).copy()
            for thing, quads, side in resting[1:]:
                self._draw(empty, thing.made, quads, side)
            self._at_rest.update(key=key, picture=empty)
        picture: Picture = self._at_rest["picture"].copy()
        for thing, quads, side in placed:
            if thing.moves(when_ns):
                self._draw(picture, thing.made, quads, side)
        self._draw_hands(picture, when_ns)
        return picture

    def _under(self, lowest: Thing | None, when_ns: int) -> Picture:
        """The table, with the lowest thing that rests on it: a board stays where it is while its pieces move."""
        pose = None if lowest is None else lowest.pose(when_ns)
        if lowest is None or pose is None:
            return _ground(self.optics.size, self.cloth, self.seed)
        return _with_one(self.optics, self.light, self.cloth, self.seed, lowest.made, pose)

    def _draw(self, picture: Picture, made: Print, quads: Sequence[tuple[Points, float]], side: Side) -> None:
        corners = np.concatenate([quad for quad, _ in quads])
        low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
        end = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, self.optics.size)
        if (end <= low).any():
            return
        texture = self._texture(made, side, float(np.ptp(corners, axis=0).max()))
        high, wide = texture.shape[:2]
        size = (int(end[0] - low[0]) * FINER, int(end[1] - low[1]) * FINER)
        drawn = np.zeros((size[1], size[0], 3), np.float32)
        there = np.zeros((size[1], size[0]), np.float32)
        for number, (quad, lit) in enumerate(quads):
            x0, x1 = wide * number / len(quads), wide * (number + 1) / len(quads)
            source = np.array([[x0, 0], [x1, 0], [x1, high], [x0, high]], np.float32) - 0.5
            goal = ((quad - low) * FINER - 0.5).astype(np.float32)
            into = cv2.getPerspectiveTransform(source, goal)
            part = np.asarray(cv2.warpPerspective(texture, into, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
            mask = np.zeros((size[1], size[0]), np.uint8)
            cv2.fillConvexPoly(mask, np.round(goal * 16).astype(np.int32), 255, lineType=cv2.LINE_8, shift=4)
            drawn[mask > 0] = part[mask > 0] * lit
            there[mask > 0] = 1
        self._shine(drawn, low, made.glossy)
        small = (size[0] // FINER, size[1] // FINER)
        share = np.asarray(cv2.resize(there, small, interpolation=cv2.INTER_AREA))[..., None]
        colour = np.asarray(cv2.resize(drawn * there[..., None], small, interpolation=cv2.INTER_AREA))
        spot = picture[low[1] : end[1], low[0] : end[0]]
        spot *= 1 - share
        spot += colour

    def _shine(self, drawn: Picture, low: NDArray[np.int64], glossy: float) -> None:
        """Reflections of lamps, in pixels of ``drawn`` whose corner is at ``low`` of the frame."""
        for x, y, radius, strength in self.light.glare:
            at = self.optics.project(np.array([x, y, 0.0]))
            reach = radius * self.optics.focal_px / self.optics.height_mm
            ys, xs = np.mgrid[0 : drawn.shape[0], 0 : drawn.shape[1]].astype(np.float32) / FINER
            far = ((xs + low[0] - at[0]) ** 2 + (ys + low[1] - at[1]) ** 2) / max(reach, 1e-6) ** 2
            drawn += (255 * strength * glossy * np.exp(-far))[..., None].astype(np.float32)

    def _texture(self, made: Print, side: Side, longest_px: float) -> Pixels:
        """A side's picture, made smaller to about the pixels it takes, so that it does not flicker."""
        whole = made.front if side == "front" else made.back
        halvings = max(0, int(np.log2(max(1.0, max(whole.shape[:2]) / max(8.0, FINER * longest_px)))))
        key = (id(made), side, halvings)
        if key not in self._smaller:
            high, wide = whole.shape[:2]
            size = (max(1, wide >> halvings), max(1, high >> halvings))
            small = cv2.resize(whole, size, interpolation=cv2.INTER_AREA) if halvings else whole
            self._smaller[key] = np.asarray(small * np.float32(225 / 255), np.uint8)
        return self._smaller[key]

    def _mask(self, quads: Sequence[Points]) -> NDArray[np.bool_]:
        wide, high = self.optics.size
        mask = np.zeros((high, wide), np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 1, shift=4)
        return mask > 0

    def _limbs(self, when_ns: int) -> list[tuple[Points, Points, float, tuple[int, int, int]]]:
        """Every limb over the table: its ends (2,) and radius in pixels, and its colour."""
        limbs = []
        for reach in self.reaches:
            for begin, end, radius in reach.capsules(when_ns):
                scale = self.optics.focal_px / max(1.0, self.optics.height_mm - float(begin[2]))
                limbs.append((self.optics.project(begin), self.optics.project(end), radius * scale, reach.skin))
        return limbs

    def _hands(self, when_ns: int) -> NDArray[np.bool_]:
        wide, high = self.optics.size
        mask = np.zeros((high, wide), np.uint8)
        for begin, end, radius, _ in self._limbs(when_ns):
            cv2.line(mask, _whole(begin), _whole(end), 1, max(1, round(2 * radius)))
        return mask > 0

    def _draw_hands(self, picture: Picture, when_ns: int) -> None:
        for begin, end, radius, skin in self._limbs(when_ns):
            for share, lit in ((1.0, 0.72), (0.8, 0.88), (0.5, 1.0)):  # rounder towards the middle
                colour = tuple(float(level * lit) for level in skin)
                cv2.line(picture, _whole(begin), _whole(end), colour, max(1, round(2 * radius * share)), cv2.LINE_AA)


@lru_cache(maxsize=4)
def _ground(size: Size, cloth: tuple[int, int, int], seed: int) -> Picture:
    """The table with nothing on it."""
    wide, high = size
    grain = np.random.default_rng([seed, 3]).standard_normal((high // 8 + 1, wide // 8 + 1)).astype(np.float32)
    return np.asarray(np.array(cloth, np.float32) + 5 * cv2.resize(grain, size)[..., None], dtype=np.float32)


@lru_cache(maxsize=2)
def _with_one(optics: Optics, light: Light, cloth: tuple[int, int, int], seed: int, made: Print, pose: Pose) -> Picture:
    """The table with one thing on it."""
    scene = Scene((Thing("one", made, ((0, pose),)),), (), optics, light, cloth, seed)
    picture = _ground(optics.size, cloth, seed).copy()
    for thing, quads, side in scene._placed(0):
        scene._draw(picture, thing.made, quads, side)
    return picture


@lru_cache(maxsize=1)
def _noise(seed: int, size: Size) -> Picture:
    """Noise of standard deviation 1, mostly the same in all three colours: every picture takes another part of it."""
    side_x, side_y = size[0] + NOISE_TILE, size[1] + NOISE_TILE
    chance = np.random.default_rng([seed, 7])
    noise = 0.4 * chance.standard_normal((side_y, side_x, 3), dtype=np.float32)
    noise += 0.9 * chance.standard_normal((side_y, side_x, 1), dtype=np.float32)
    return noise


def _whole(point: Points) -> tuple[int, int]:
    x, y = np.clip(point, -8000, 16000)
    return round(float(x)), round(float(y))


def _outline(quads: Sequence[tuple[Points, float]]) -> Points:
    first, last = quads[0][0], quads[-1][0]
    return np.array([first[0], last[1], last[2], first[3]])


def _mirrored(quads: Sequence[tuple[Points, float]]) -> list[tuple[Points, float]]:
    """The strips as the back's picture runs: its left is at the front's right."""
    return [(quad[[1, 0, 3, 2]], lit) for quad, lit in reversed(quads)]


def _clockwise(corners: Points) -> bool:
    """Whether corners run clockwise as the picture is seen (y down)."""
    x, y = corners.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) > 0
