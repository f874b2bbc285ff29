"""Fuzzes the reader of printed markers, and the reader of image files. An input is an image file; a PNG says in a text
chunk which markers it shows."""

import io
import json
import random
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin, UnidentifiedImageError

from rules.board.moves import move_tables
from rules.board.position import STANDARD_VARIANT
from rules.markers import MarkerKind, markers_of_kind
from tools.fuzz.target import MutateBytes, Target, check_message, require, temporary_folder
from tools.trials.card_scenes import FAIR_CONDITIONS, HARD_CONDITIONS, STEEP_CONDITIONS, render_scene
from vision.cards.board_reader import read_board
from vision.cards.classroom_reader import read_class
from vision.cards.reader import Card, read_cards
from vision.hands.stills import read_image
from vision.image_header import ImageError

Grey = NDArray[np.uint8]
SIZE = (320, 240)
MAX_SIDE_PX = 640
MAX_READ_PIXELS = 2_000_000
"""Larger images are only decoded."""
STUDENTS = range(1, 31)
TEXT_KEY = "markers"
BOARD = move_tables(STANDARD_VARIANT.layout).board


@dataclass(frozen=True, eq=False)
class Scene:
    """A grey image to be read."""

    grey: Grey
    markers: frozenset[int] = frozenset()
    """Those it shows."""
    flips: frozenset[str] = field(default=frozenset())
    """Whether it was mirrored or inverted, so that no marker may be read."""


def seeds() -> Iterator[bytes]:
    """Yield images of markers of all kinds, and one as JPEG."""
    for seed, side in enumerate((20, 24, 30, 40, 60, 90)):
        conditions = (FAIR_CONDITIONS, STEEP_CONDITIONS, HARD_CONDITIONS)[seed % 3]
        grey, placed = render_scene(seed, side, conditions, SIZE, max_markers=8)
        yield write_scene(Scene(grey, frozenset(one.marker for one in placed)))
    for seed, kind in enumerate((MarkerKind.BOARD, MarkerKind.CLASS), 20):
        numbers = [one.marker for one in markers_of_kind(kind)]
        grey, placed = render_scene(seed, 40, FAIR_CONDITIONS, SIZE, numbers, 6)
        yield write_scene(Scene(grey, frozenset(one.marker for one in placed)))
    yield cv2.imencode(".jpg", grey)[1].tobytes()


def write_scene(scene: Scene) -> bytes:
    """Return a scene as a PNG file."""
    info = PngImagePlugin.PngInfo()
    info.add_text(TEXT_KEY, json.dumps([sorted(scene.markers), sorted(scene.flips)]))
    file = io.BytesIO()
    Image.fromarray(scene.grey).save(file, "PNG", pnginfo=info, compress_level=1)
    return file.getvalue()


def read_scene(data: bytes) -> Scene | None:
    """Return the scene of an image that ``write_scene`` wrote; None for any other."""
    with suppress(UnidentifiedImageError, OSError, ValueError, TypeError, SyntaxError, KeyError):
        image = Image.open(io.BytesIO(data), formats=("PNG",))
        if image.mode == "L" and max(image.size) <= MAX_SIDE_PX:
            image.load()
            markers, flips = json.loads(image.info[TEXT_KEY])
            return Scene(np.asarray(image), frozenset(markers), frozenset(flips))
    return None


def mutate(data: bytes, rng: random.Random, mutate_bytes: MutateBytes) -> bytes:
    """Return a mutation of an input: an image has other pixels, any other file other bytes."""
    scene = read_scene(data)
    if scene is None or rng.random() < 0.02:
        return mutate_bytes(data)
    image_rng = np.random.default_rng(rng.randrange(2**32))
    for _ in range(rng.choice((1, 1, 2, 3))):
        scene = _change(scene, image_rng)
    return write_scene(scene)


def _change(scene: Scene, rng: np.random.Generator) -> Scene:
    """Change what the camera sees: light, focus, noise, position, things in front of the markers."""
    grey = scene.grey
    changed: NDArray[Any]
    high, wide = grey.shape
    match int(rng.integers(10)):
        case 0:
            noise = rng.normal(0, rng.uniform(1, 40), grey.shape)
            changed = np.clip(grey + noise, 0, 255)
        case 1:
            changed = cv2.GaussianBlur(grey, (0, 0), float(rng.uniform(0.3, 4)))
        case 2:
            slope = np.linspace(rng.uniform(-1, 1), rng.uniform(-1, 1), wide)
            changed = np.clip(grey * rng.uniform(0.1, 2.5) + slope * 120, 0, 255)
        case 3:
            spot = rng.uniform(-20, (wide, high)).astype(int)
            size = rng.integers(2, 80, 2)
            changed = grey.copy()
            cv2.rectangle(changed, spot.tolist(), (spot + size).tolist(), float(rng.uniform(0, 255)), -1)
        case 4:
            points = rng.uniform(-10, (wide + 10, high + 10), (int(rng.integers(3, 7)), 2)).astype(np.int32)
            changed = cv2.fillPoly(grey.copy(), [cv2.convexHull(points)], (float(rng.uniform(0, 255)),))
        case 5:
            corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
            moved = corners + rng.uniform(-0.25, 0.25, (4, 2)).astype(np.float32) * (wide, high)
            lens = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
            changed = cv2.warpPerspective(grey, lens, (wide, high), borderValue=(float(rng.uniform(0, 255)),))
        case 6:
            turn = cv2.getRotationMatrix2D((wide / 2, high / 2), rng.uniform(0, 360), rng.uniform(0.4, 2))
            changed = cv2.warpAffine(grey, turn, (wide, high), borderMode=cv2.BORDER_REPLICATE)
        case 7:
            quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(1, 90))]
            changed = np.asarray(cv2.imdecode(cv2.imencode(".jpg", grey, quality)[1], cv2.IMREAD_GRAYSCALE))
        case 8:
            left, top = (int(rng.integers(0, side)) for side in (wide, high))
            cropped = grey[top : top + int(rng.integers(1, high + 1)), left : left + int(rng.integers(1, wide + 1))]
            lengths = [min(MAX_SIDE_PX, 1 + int(side * rng.uniform(0.5, 2))) for side in cropped.shape[::-1]]
            changed = cv2.resize(cropped, lengths, interpolation=cv2.INTER_AREA)
        case _:
            flip = str(rng.choice(["mirrored", "inverted"]))
            changed = grey[:, ::-1] if flip == "mirrored" else 255 - grey
            scene = replace(scene, flips=scene.flips ^ {flip})
    return replace(scene, grey=np.ascontiguousarray(changed, np.uint8))


def check(data: bytes) -> None:
    """Read an image. A file is an image or refused with one line; no marker is read that is not there."""
    with temporary_folder() as folder:
        path = Path(folder) / "image"
        path.write_bytes(data)
        try:
            image = read_image(path)
        except ImageError as error:
            check_message(error)
            return
    if image.shape[0] * image.shape[1] > MAX_READ_PIXELS:
        return
    cards = read_cards(image)
    height, width = image.shape[:2]
    for card in cards:
        _check_card(card, width, height)
    scene = read_scene(data)
    if scene is not None:
        wrong = {card.printed.marker for card in cards} - (frozenset() if scene.flips else scene.markers)
        require(not wrong, f"markers {sorted(wrong)} were read, and are not there")
    if zlib.crc32(data) % 4 == 0:  # they read all cards anew
        reading = read_class(image, STUDENTS)
        require([one.number for one in reading.students] == list(STUDENTS), "other students than asked for")
        read_board(image, BOARD)


def _check_card(card: Card, width: int, height: int) -> None:
    require(card.corners.shape == (4, 2) and bool(np.isfinite(card.corners).all()), "corners that are no numbers")
    x, y = card.centre
    require(0 <= x < width and 0 <= y < height, "a marker outside of the image")
    require(0 <= card.quality <= 1 and card.side_px > 0, "a quality or side out of range")
    require(card.quarter_turns in range(4) and 0 <= card.angle_deg < 360, "a rotation out of range")


TARGET = Target("cards", seeds, mutate, check, max_bytes=500_000, max_cpu_s=20)
