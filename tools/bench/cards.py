"""Measure how many printed markers are found and misread, by size and image quality, and how long an image takes.

``python -m tools.bench.cards``; ``--docs measurements/2026-11/printed-cards.md`` writes the tables into that page."""

import argparse
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Grey, Size
from rules.markers import MARKER_CODES, MarkerKind, marker_squares, markers_of_kind
from tools.docs.generated_sections import add_docs_option, machine_line, markdown_table, publish
from tools.trials.card_scenes import (
    FAIR_CONDITIONS,
    HARD_CONDITIONS,
    STEEP_CONDITIONS,
    PlacedMarker,
    SceneConditions,
    render_scene,
)
from vision.cards.reader import read_cards

MARKER_SIDES_PX = (16, 20, 24, 28, 32, 40, 64, 128)
SCENE_CONDITIONS = {"fair": FAIR_CONDITIONS, "steep": STEEP_CONDITIONS, "hard": HARD_CONDITIONS}
DICTIONARIES = (
    "4X4_1000", "5X5_250", "5X5_1000", "6X6_250", "6X6_1000", "ARUCO_MIP_36h12", "APRILTAG_36h11",
)  # fmt: skip
MIN_SIDES_PX = (24, 48, 96)
"""Values of ``min_side_px`` that ``read_cards`` is timed with."""
LARGE_IMAGE_SIZE: Size = (4000, 3000)
"""12 megapixels."""
MAX_CORNER_ERROR = 0.15
"""A marker counts as found when no coordinate of a corner is off by more than this share of its side."""
SECTION = "cards"


@dataclass
class MarkerCount:
    """Counts of the markers in the images."""

    present: int = 0
    found: int = 0
    """Markers that were read correctly."""
    wrong: int = 0
    """Markers misread: with another number, another way up, or where there is none (a corner off by more than half a
    side)."""
    corner_error_px: float = 0.0
    """The sum, over the markers found, of the mean error of their corners."""


def count_markers(
    detected: Iterable[PlacedMarker], placed: Sequence[PlacedMarker], side_px: float, count: MarkerCount
) -> None:
    """Add the markers detected in an image to ``count``; ``placed`` is the truth, ``side_px`` a marker's side."""
    truth = {each.marker: each.corners for each in placed}
    count.present += len(truth)
    for found in detected:
        corners = truth.pop(found.marker, None)
        error = np.inf if corners is None else np.abs(corners - found.corners)
        if np.max(error) > side_px / 2:
            count.wrong += 1
        elif np.max(error) <= MAX_CORNER_ERROR * side_px:
            count.found += 1
            count.corner_error_px += float(np.mean(error))


def detect_with_reader(grey: Grey) -> list[PlacedMarker]:
    """Detect markers with our reader."""
    return [PlacedMarker(card.printed.marker, card.corners) for card in read_cards(grey)]


def detect_with_opencv(grey: Grey) -> list[PlacedMarker]:
    """Detect markers with OpenCV's detector at its default settings."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(grey)
    found = [] if numbers is None else [int(number) for number in numbers.ravel()]
    return [PlacedMarker(number, np.asarray(each[0], np.float32)) for number, each in zip(found, corners, strict=True)]


def dictionary_table() -> str:
    """Return the table of Hamming distances between the codes of OpenCV's dictionaries, and of those printed."""
    rows = []
    for name in DICTIONARIES:
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{name}"))
        size = dictionary.markerSize
        codes = [cv2.aruco.Dictionary.getBitsFromByteList(row[None], size) for row in dictionary.bytesList]
        rows.append(_distance_row(name, np.array(codes, np.int64)))
    printed = np.array([marker_squares(marker) for marker in MARKER_CODES])[:, 1:-1, 1:-1]
    rows.append(
        _distance_row(f"**the {len(MARKER_CODES)} of APRILTAG_36h11 that we print**", 1 - printed.astype(np.int64))
    )
    head = "dictionary", "codes", "least distance", "from itself turned", "from any mirrored"
    return markdown_table(head, rows)


def _distance_row(name: str, codes: NDArray[np.int64]) -> tuple[str, ...]:
    """Return the row of a dictionary whose ``codes`` (n, side, side) are 0 and 1."""
    bits = codes[0].size
    signs = 2 * codes - 1
    least, own, mirrored = bits, bits, bits
    for turn in range(4):
        turned = np.rot90(signs, turn, (1, 2))
        distances = _distances(signs, turned)
        if turn:
            own = min(own, int(np.diag(distances).min()))
        np.fill_diagonal(distances, bits)
        least = min(least, int(distances.min()))
        mirrored = min(mirrored, int(_distances(signs, turned[:, :, ::-1]).min()))
    return name, f"{len(codes):,}", str(least), str(own), str(mirrored)


def _distances(codes: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return in how many squares each of ``codes`` differs from each of ``others``, all given as −1 and 1."""
    return np.asarray((codes[0].size - codes.reshape(len(codes), -1) @ others.reshape(len(others), -1).T) // 2)


def side_table(scenes: int) -> str:
    """Return the table of markers found and misread by the marker's side, over ``scenes`` images per cell."""
    rows = []
    for side in MARKER_SIDES_PX:
        cells = [str(side)]
        for conditions in SCENE_CONDITIONS.values():
            count = _count_scenes(detect_with_reader, side, conditions, scenes)
            cells += [f"{count.found / count.present:.2%} of {count.present:,}", str(count.wrong)]
        opencv = _count_scenes(detect_with_opencv, side, FAIR_CONDITIONS, scenes)
        rows.append((*cells, f"{opencv.found / opencv.present:.2%}", str(opencv.wrong)))
    names = (*SCENE_CONDITIONS, "OpenCV's detector, fair")
    return markdown_table(("side, px", *(head for name in names for head in (f"{name}: found", "misread"))), rows)


def _count_scenes(
    detect: Callable[[Grey], list[PlacedMarker]], side_px: float, conditions: SceneConditions, scenes: int
) -> MarkerCount:
    count = MarkerCount()
    for seed in range(scenes):
        image, placed = render_scene(seed, side_px, conditions)
        count_markers(detect(image), placed, side_px, count)
    return count


def time_table(repeats: int) -> str:
    """Return the table of how long reading an image takes."""
    students = [card.marker for card in markers_of_kind(MarkerKind.CLASS)]
    images = {
        ("1280 × 720, 12 cards of 64 px", 64): render_scene(1, 64, size=(1280, 720), max_markers=12)[0],
        **{
            (f"4000 × 3000, a class of 63, {side} px each", side): render_scene(
                1, side, size=LARGE_IMAGE_SIZE, markers=students, max_markers=63
            )[0]
            for side in (60, 140)
        },
    }
    rows: list[tuple[str, ...]] = []
    for (name, marker_px), image in images.items():
        calls: dict[str, Callable[[], Sequence[object]]] = {
            f"`min_side_px={least}`": partial(read_cards, image, least) for least in MIN_SIDES_PX if least <= marker_px
        }
        for call, read in (calls | {"OpenCV's detector": partial(detect_with_opencv, image)}).items():
            best, median, cpu, cards = measure(read, repeats if call in calls else max(3, repeats // 5))
            rows.append((name, call, f"{best:.1f}", f"{median:.1f}", f"{cpu:.1f}", str(cards)))
    return markdown_table(("image", "call", "best, ms", "median, ms", "least CPU time, ms", "read"), rows, 2)


def measure(read: Callable[[], Sequence[object]], repeats: int) -> tuple[float, float, float, int]:
    """Return the best and the median of ``repeats`` runs in ms, the least CPU time of one (all cores together), and
    the number of markers read. A first run doesn't count."""
    wall_ms, cpu_ms = [], []
    for _ in range(repeats + 1):
        wall, cpu = time.perf_counter(), time.process_time()
        cards = read()
        wall_ms.append((time.perf_counter() - wall) * 1e3)
        cpu_ms.append((time.process_time() - cpu) * 1e3)
    return min(wall_ms[1:]), statistics.median(wall_ms[1:]), min(cpu_ms[1:]), len(cards)


def report(scenes: int, repeats: int) -> str:
    """Return all tables, with the conditions they were measured in."""
    machine = machine_line()
    parts = dictionary_table(), f"{scenes} images per cell.", side_table(scenes), machine, time_table(repeats)
    return "\n\n".join(parts)


def main() -> None:
    """Print the tables, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.cards", description=__doc__)
    parser.add_argument("--scenes", type=int, default=25, help="images per cell (default 25)")
    parser.add_argument("--repeats", type=int, default=20, help="runs per image (default 20)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    tables = report(options.scenes, options.repeats)
    publish(options.docs, {SECTION: tables})


if __name__ == "__main__":
    main()
