"""Pictures of markers on a cluttered table whose truth is known: tilted, out of focus, moved, noisy, unevenly lit, with
reflections, and packed as JPEG. The reader of cards is measured on them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Size
from rules.markers import MARKER_SIDE, PRINTED, squares
from vision.cards.outlines import Grey

Floats = NDArray[np.float32]
FINE = 4
"""Pixels to a pixel's side while a card is drawn, so that its edges are smooth."""
USUAL = 800_000
"""Pixels of a picture in which patches are 8 to 60 pixels large and words 10 to 35 high."""
CELL = 16
"""Pixels of the picture of a card along a square of its marker."""


@dataclass(frozen=True)
class Conditions:
    """How a picture is taken; every pair is drawn from evenly. ``tilt``: degrees by which a card is tilted away.
    ``blur``: standard deviation of the defocus in pixels. ``motion``: pixels that the picture moves in the exposure.
    ``noise``: standard deviation of a pixel's level (of 255). ``light``: of a card, 1 is white paper at 240.
    ``shade``: share of the light that is lost in the darkest part of the table. ``glare``: most reflections. ``paper``:
    squares of white round a marker. ``jpeg``: quality."""

    tilt: tuple[float, float] = (0, 40)
    blur: tuple[float, float] = (0.3, 1.2)
    motion: tuple[float, float] = (0, 2.5)
    noise: tuple[float, float] = (1, 8)
    light: tuple[float, float] = (0.45, 1)
    shade: tuple[float, float] = (0, 0.5)
    glare: int = 2
    paper: tuple[float, float] = (1, 2.2)
    jpeg: tuple[int, int] = (70, 95)


FAIR = Conditions()
"""What the promise is measured in."""
STEEP = Conditions(tilt=(0, 65))
HARD = Conditions(blur=(0.5, 2.2), motion=(0, 4.5), noise=(2, 15), shade=(0, 0.7))
"""Where much is not to be read, and nothing may be read wrong."""


@dataclass(frozen=True, eq=False)
class Laid:
    """A marker in a picture and its corners (4, 2) in pixels, as ``vision.cards.reader.Card`` has them."""

    marker: int
    corners: Floats


def scene(
    seed: int,
    side: float,
    conditions: Conditions = FAIR,
    size: Size = (960, 720),
    markers: Sequence[int] = tuple(PRINTED),
    most: int = 24,
) -> tuple[Grey, list[Laid]]:
    """A picture of ``size`` with up to ``most`` of ``markers``, each once, ``side`` pixels wide (the root of its area),
    and the truth about it. The same seed gives the same picture."""
    chance = np.random.default_rng(seed)
    picture = _clutter(chance, size)
    pitch = round(side * 2.4) + 8
    spots = [
        (x, y)
        for y in range(pitch // 2, size[1] - pitch // 2 + 1, pitch)
        for x in range(pitch // 2, size[0] - pitch // 2 + 1, pitch)
    ]
    chance.shuffle(spots)
    chosen = chance.permutation(list(markers))[: min(most, len(spots))]
    laid = [
        _lay(picture, chance, int(marker), (spot[0], spot[1]), side, conditions)
        for marker, spot in zip(chosen, spots, strict=False)
    ]
    return _photographed(picture, chance, conditions), laid


def _clutter(chance: np.random.Generator, size: Size) -> Floats:
    """A table with patches, scraps and words on it. A picture with more pixels shows the same table finer."""
    finer = max(1, round(math.sqrt(size[0] * size[1] / USUAL)))
    wide, high = size[0] // finer, size[1] // finer
    coarse = chance.integers(30, 220, (6, 8)).astype(np.float32)
    table = np.clip(cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
    for _ in range(round(wide * high / 17_000)):
        middle = chance.uniform(0, (wide, high), 2)
        points = middle + chance.normal(0, chance.uniform(8, 60), (chance.integers(3, 7), 2))
        cv2.fillPoly(table, [cv2.convexHull(points.astype(np.int32))], (float(chance.uniform(10, 240)),))
    for _ in range(round(wide * high / 28_000)):
        word = "".join(chance.choice(list("ABCDEHKMOQRSW#8"), 6))
        at = (int(chance.uniform(0, wide)), int(chance.uniform(0, high)))
        height, thick = chance.uniform(0.4, 1.4), int(chance.integers(1, 4))
        cv2.putText(table, word, at, cv2.FONT_HERSHEY_SIMPLEX, height, (float(chance.uniform(0, 255)),), thick)
    return cv2.resize(table, size, interpolation=cv2.INTER_CUBIC).astype(np.float32)


def _lay(
    picture: Floats,
    chance: np.random.Generator,
    marker: int,
    spot: tuple[int, int],
    side: float,
    conditions: Conditions,
) -> Laid:
    """Draw a card into the picture."""
    paper = round(chance.uniform(*conditions.paper) * CELL)
    corners = (_tilted(chance, conditions) * side + spot + chance.uniform(-3, 3, 2)).astype(np.float32)
    reach = round(side * 1.15) + 8
    left, top = max(0, spot[0] - reach), max(0, spot[1] - reach)
    right, bottom = min(picture.shape[1], spot[0] + reach), min(picture.shape[0], spot[1] + reach)
    drawn = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * MARKER_SIDE * CELL + paper - 0.5
    there = (corners - (left, top) + 0.5) * FINE - 0.5
    lie = cv2.getPerspectiveTransform(drawn.astype(np.float32), there.astype(np.float32))
    face = _face(marker, paper)
    fine = ((right - left) * FINE, (bottom - top) * FINE)
    seen, cover = (
        cv2.resize(cv2.warpPerspective(each, lie, fine), (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        for each in (face * np.float32(chance.uniform(*conditions.light)), np.ones_like(face))
    )
    part = picture[top:bottom, left:right]
    part *= 1 - cover
    part += seen
    return Laid(marker, corners)


@lru_cache(maxsize=64)
def _face(marker: int, paper: int) -> Floats:
    """A card's picture: the marker with ``paper`` pixels of white round it."""
    black = np.kron(np.array(squares(marker)), np.ones((CELL, CELL), bool))
    return np.pad(np.where(black, np.float32(15), np.float32(240)), paper, constant_values=240)


def _tilted(chance: np.random.Generator, conditions: Conditions) -> NDArray[np.float64]:
    """The corners of a square turned at random and tilted away, about its middle, of area 1."""
    tilt, axis, turn = math.radians(chance.uniform(*conditions.tilt)), *chance.uniform(0, 2 * math.pi, 2)
    turned = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    points = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2 @ turned
    away = np.array([math.cos(axis), math.sin(axis)])
    along = points @ away
    points = points + np.outer(along * (math.cos(tilt) - 1), away)
    points = points / (1 + 0.25 * along * math.sin(tilt))[:, None]
    return np.asarray(points / math.sqrt(cv2.contourArea(points.astype(np.float32))))


def _photographed(picture: Floats, chance: np.random.Generator, conditions: Conditions) -> Grey:
    """What light, lens and sensor make of it."""
    high, wide = picture.shape
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    way, phase = chance.uniform(0, 2 * math.pi), chance.uniform(0, 6)
    wave = np.sin(x * (3 * math.cos(way) / wide) + y * (3 * math.sin(way) / high) + phase)
    picture = picture * (1 - chance.uniform(*conditions.shade) * (0.5 + 0.5 * wave)) + 10
    for _ in range(int(chance.integers(0, conditions.glare + 1))):
        at, spread = chance.uniform(0, (wide, high), 2), chance.uniform(20, 120)
        picture += chance.uniform(30, 120) * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * spread * spread))
    blurred = cv2.GaussianBlur(picture, (0, 0), chance.uniform(*conditions.blur))
    blurred = cv2.filter2D(blurred, -1, _smear(chance.uniform(*conditions.motion), chance.uniform(0, math.pi)))
    noisy = blurred + chance.normal(0, chance.uniform(*conditions.noise), picture.shape)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(*conditions.jpeg))]
    packed = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), quality)[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)


def _smear(length: float, way: float) -> Floats:
    """The kernel of a motion of ``length`` pixels."""
    kernel = np.zeros((11, 11), np.float32)
    for step in np.linspace(-length / 2, length / 2, 64):
        x, y = 5 + step * math.cos(way), 5 + step * math.sin(way)
        left, top = int(x), int(y)
        part = kernel[top : top + 2, left : left + 2]
        part += np.outer((1 - y + top, y - top), (1 - x + left, x - left))
    return np.asarray(kernel / kernel.sum(), np.float32)
