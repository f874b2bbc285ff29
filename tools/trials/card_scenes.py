"""Render images of markers on a cluttered table, with the truth, to measure the card reader on.

Cards are tilted, blurred, unevenly lit, with reflections; the image is noisy and JPEG-compressed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Grey, Size
from rules.markers import MARKER_SIDE_SQUARES, PRINTED_MARKERS, marker_squares

Floats = NDArray[np.float32]
OVERSAMPLING = 4
"""Cards are drawn at this many times the resolution, for smooth edges."""
REFERENCE_PIXELS = 800_000
"""The size of an image, in pixels, whose clutter is drawn without scaling."""
CELL_PX = 16
"""The side of a marker's square in the image of a card, in pixels."""


@dataclass(frozen=True)
class SceneConditions:
    """How an image is taken; pairs are ranges of a uniform distribution."""

    tilt: tuple[float, float] = (0, 40)
    """A card's tilt, in degrees."""
    blur: tuple[float, float] = (0.3, 1.2)
    """The standard deviation of the defocus, in pixels."""
    motion: tuple[float, float] = (0, 2.5)
    """The length of the motion blur, in pixels."""
    noise: tuple[float, float] = (1, 8)
    """The standard deviation of a pixel's level (of 255)."""
    light: tuple[float, float] = (0.45, 1)
    """The light on a card; with 1, white paper is at 240."""
    shade: tuple[float, float] = (0, 0.5)
    """The share of the light lost in the darkest part of the table."""
    glare: int = 2
    """The most reflections."""
    paper: tuple[float, float] = (1, 2.2)
    """The width of the white margin of a marker, in its squares."""
    jpeg: tuple[int, int] = (70, 95)
    """The quality of the compression (of 100)."""


FAIR_CONDITIONS = SceneConditions()
"""The conditions for which the reader's accuracy is promised."""
STEEP_CONDITIONS = SceneConditions(tilt=(0, 65))
HARD_CONDITIONS = SceneConditions(blur=(0.5, 2.2), motion=(0, 4.5), noise=(2, 15), shade=(0, 0.7))
"""Conditions in which many markers can't be read, but none may be misread."""


@dataclass(frozen=True, eq=False)
class PlacedMarker:
    """A marker in an image and its corners (4, 2) in pixels, in the order of ``vision.cards.reader.Card``."""

    marker: int
    corners: Floats


def render_scene(
    seed: int,
    side_px: float,
    conditions: SceneConditions = FAIR_CONDITIONS,
    size: Size = (960, 720),
    markers: Sequence[int] = tuple(PRINTED_MARKERS),
    max_markers: int = 24,
) -> tuple[Grey, list[PlacedMarker]]:
    """Render an image of ``size`` with up to ``max_markers`` of ``markers``, each once and ``side_px`` wide (the root
    of its area); return it with the truth. The same seed gives the same image."""
    rng = np.random.default_rng(seed)
    image = _draw_clutter(rng, size)
    pitch = round(side_px * 2.4) + 8
    spots = [
        (x, y)
        for y in range(pitch // 2, size[1] - pitch // 2 + 1, pitch)
        for x in range(pitch // 2, size[0] - pitch // 2 + 1, pitch)
    ]
    rng.shuffle(spots)
    chosen = rng.permutation(list(markers))[: min(max_markers, len(spots))]
    placed = [
        _draw_card(image, rng, int(marker), (spot[0], spot[1]), side_px, conditions)
        for marker, spot in zip(chosen, spots, strict=False)
    ]
    return _photograph(image, rng, conditions), placed


def _draw_clutter(rng: np.random.Generator, size: Size) -> Floats:
    """Draw a table with patches, scraps and words on it; a larger image shows the same table at a higher resolution."""
    finer = max(1, round(math.sqrt(size[0] * size[1] / REFERENCE_PIXELS)))
    wide, high = size[0] // finer, size[1] // finer
    coarse = rng.integers(30, 220, (6, 8)).astype(np.float32)
    table = np.clip(cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
    for _ in range(round(wide * high / 17_000)):
        middle = rng.uniform(0, (wide, high), 2)
        points = middle + rng.normal(0, rng.uniform(8, 60), (rng.integers(3, 7), 2))
        cv2.fillPoly(table, [cv2.convexHull(points.astype(np.int32))], (float(rng.uniform(10, 240)),))
    for _ in range(round(wide * high / 28_000)):
        word = "".join(rng.choice(list("ABCDEHKMOQRSW#8"), 6))
        at = (int(rng.uniform(0, wide)), int(rng.uniform(0, high)))
        height, thick = rng.uniform(0.4, 1.4), int(rng.integers(1, 4))
        cv2.putText(table, word, at, cv2.FONT_HERSHEY_SIMPLEX, height, (float(rng.uniform(0, 255)),), thick)
    return cv2.resize(table, size, interpolation=cv2.INTER_CUBIC).astype(np.float32)


def _draw_card(
    image: Floats,
    rng: np.random.Generator,
    marker: int,
    spot: tuple[int, int],
    side_px: float,
    conditions: SceneConditions,
) -> PlacedMarker:
    paper = round(rng.uniform(*conditions.paper) * CELL_PX)
    corners = (_tilted_square(rng, conditions) * side_px + spot + rng.uniform(-3, 3, 2)).astype(np.float32)
    reach = round(side_px * 1.15) + 8
    left, top = max(0, spot[0] - reach), max(0, spot[1] - reach)
    right, bottom = min(image.shape[1], spot[0] + reach), min(image.shape[0], spot[1] + reach)
    in_drawing = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * MARKER_SIDE_SQUARES * CELL_PX + paper - 0.5
    in_image = (corners - (left, top) + 0.5) * OVERSAMPLING - 0.5
    pose = cv2.getPerspectiveTransform(in_drawing.astype(np.float32), in_image.astype(np.float32))
    face = _card_image(marker, paper)
    fine = ((right - left) * OVERSAMPLING, (bottom - top) * OVERSAMPLING)
    card, cover = (
        cv2.resize(cv2.warpPerspective(each, pose, fine), (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        for each in (face * np.float32(rng.uniform(*conditions.light)), np.ones_like(face))
    )
    part = image[top:bottom, left:right]
    part *= 1 - cover
    part += card
    return PlacedMarker(marker, corners)


@lru_cache(maxsize=64)
def _card_image(marker: int, paper: int) -> Floats:
    """Return the image of a card: the marker with a white margin of ``paper`` pixels."""
    black = np.kron(np.array(marker_squares(marker)), np.ones((CELL_PX, CELL_PX), bool))
    return np.pad(np.where(black, np.float32(15), np.float32(240)), paper, constant_values=240)


def _tilted_square(rng: np.random.Generator, conditions: SceneConditions) -> NDArray[np.float64]:
    """Return the corners (4, 2) of a square of area 1 around the origin, turned and tilted at random."""
    tilt, axis, turn = math.radians(rng.uniform(*conditions.tilt)), *rng.uniform(0, 2 * math.pi, 2)
    turned = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    points = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2 @ turned
    tilt_axis = np.array([math.cos(axis), math.sin(axis)])
    along = points @ tilt_axis
    points = points + np.outer(along * (math.cos(tilt) - 1), tilt_axis)
    points = points / (1 + 0.25 * along * math.sin(tilt))[:, None]
    return np.asarray(points / math.sqrt(cv2.contourArea(points.astype(np.float32))))


def _photograph(image: Floats, rng: np.random.Generator, conditions: SceneConditions) -> Grey:
    """Apply light, lens, sensor and JPEG compression to the image."""
    high, wide = image.shape
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    direction, phase = rng.uniform(0, 2 * math.pi), rng.uniform(0, 6)
    wave = np.sin(x * (3 * math.cos(direction) / wide) + y * (3 * math.sin(direction) / high) + phase)
    image = image * (1 - rng.uniform(*conditions.shade) * (0.5 + 0.5 * wave)) + 10
    for _ in range(int(rng.integers(0, conditions.glare + 1))):
        at, spread = rng.uniform(0, (wide, high), 2), rng.uniform(20, 120)
        image += rng.uniform(30, 120) * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * spread * spread))
    blurred = cv2.GaussianBlur(image, (0, 0), rng.uniform(*conditions.blur))
    blurred = cv2.filter2D(blurred, -1, _motion_kernel(rng.uniform(*conditions.motion), rng.uniform(0, math.pi)))
    noisy = blurred + rng.normal(0, rng.uniform(*conditions.noise), image.shape)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*conditions.jpeg))]
    packed = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), quality)[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)


def _motion_kernel(length: float, direction: float) -> Floats:
    """Return the kernel of a motion blur of ``length`` pixels."""
    kernel = np.zeros((11, 11), np.float32)
    for step in np.linspace(-length / 2, length / 2, 64):
        x, y = 5 + step * math.cos(direction), 5 + step * math.sin(direction)
        left, top = int(x), int(y)
        part = kernel[top : top + 2, left : left + 2]
        part += np.outer((1 - y + top, y - top), (1 - x + left, x - left))
    return np.asarray(kernel / kernel.sum(), np.float32)
