"""``python -m tools.bench.cards``: how many printed markers are found and how many are read wrong, by their size in
pixels and by how the picture is taken; and how long pictures take. ``--docs docs/cards.md`` writes the tables there."""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Size
from rules.markers import CODES, Kind, of_kind, squares
from tools.docs.generated_sections import write_into
from tools.trials.card_scenes import FAIR, HARD, STEEP, Conditions, Floats, Laid, scene
from vision.cards.outlines import Grey
from vision.cards.reader import Card, read_cards

SIDES = (16, 20, 24, 28, 32, 40, 64, 128)
TAKEN = {"fair": FAIR, "steep": STEEP, "hard": HARD}
DICTIONARIES = (
    "4X4_1000", "5X5_250", "5X5_1000", "6X6_250", "6X6_1000", "ARUCO_MIP_36h12", "APRILTAG_36h11",
)  # fmt: skip
WAYS = {f"`read_cards(picture{least})`": number for least, number in (("", 24), (", least=48", 48), (", least=96", 96))}
LARGE: Size = (4000, 3000)
"""A picture of 12 megapixels."""
NEAR = 0.15
"""How far, in sides, each corner may be from where it is for a marker to be found there."""
BEGIN, END = "<!-- cards: begin -->", "<!-- cards: end -->"


@dataclass
class Count:
    """Markers that were there, found, and read as what they are not: another number, another way up or where there is
    none, which is a corner off by half a side or more; and how far off the corners of those found were, in pixels."""

    there: int = 0
    found: int = 0
    wrong: int = 0
    off: float = 0.0


def judge(cards: Iterable[Card], laid: Sequence[Laid], side: float, count: Count) -> None:
    """Add a picture to a count."""
    truth = {each.marker: each.corners for each in laid}
    count.there += len(truth)
    for card in cards:
        corners = truth.pop(card.printed.marker, None)
        away = np.inf if corners is None else np.abs(corners - card.corners)
        if np.max(away) > side / 2:
            count.wrong += 1
        elif np.max(away) <= NEAR * side:
            count.found += 1
            count.off += float(np.mean(away))


def opencv(grey: Grey) -> list[tuple[int, Floats]]:
    """The same by OpenCV's own detector with its own settings: numbers and corners."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(grey)
    met = [] if numbers is None else [int(number) for number in numbers.ravel()]
    return [(number, np.asarray(each[0], np.float32)) for number, each in zip(met, corners, strict=True)]


def dictionaries() -> Iterator[str]:
    """The table of how far apart the codes of OpenCV's dictionaries are, and ours."""
    yield "| dictionary | codes | apart | one turned from itself | one from any in a mirror |"
    yield "| --- | --- | --- | --- | --- |"
    for name in DICTIONARIES:
        theirs = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{name}"))
        size = theirs.markerSize
        rows = [cv2.aruco.Dictionary.getBitsFromByteList(row[None], size) for row in theirs.bytesList]
        yield _apart(name, np.array(rows, np.int64))
    ours = np.array([squares(marker) for marker in CODES])[:, 1:-1, 1:-1]
    yield _apart(f"**the {len(CODES)} of APRILTAG_36h11 that we print**", 1 - ours.astype(np.int64))


def _apart(name: str, codes: NDArray[np.int64]) -> str:
    """A dictionary's line."""
    bits = codes[0].size
    signs = 2 * codes - 1
    apart, own, mirrored = bits, bits, bits
    for turn in range(4):
        turned = np.rot90(signs, turn, (1, 2))
        away = _distances(signs, turned)
        if turn:
            own = min(own, int(np.diag(away).min()))
        np.fill_diagonal(away, bits)
        apart = min(apart, int(away.min()))
        mirrored = min(mirrored, int(_distances(signs, turned[:, :, ::-1]).min()))
    return f"| {name} | {len(codes):,} | {apart} | {own} | {mirrored} |"


def _distances(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """In how many squares each of ``one`` differs from each of ``other``, given as −1 and 1."""
    return np.asarray((one[0].size - one.reshape(len(one), -1) @ other.reshape(len(other), -1).T) // 2)


def by_side(scenes: int) -> Iterator[str]:
    """The table of what is found and what is read wrong."""
    yield (
        "| side, px | "
        + " | ".join(f"{name}: found | wrong" for name in TAKEN)
        + " | OpenCV's own, fair: found | wrong |"
    )
    yield "| --- |" + " --- |" * (2 * len(TAKEN) + 2)
    for side in SIDES:
        counts = [_counted(side, conditions, scenes) for conditions in TAKEN.values()]
        cells = [f"{each.found / each.there:.2%} of {each.there:,} | {each.wrong}" for each in counts]
        theirs = Count()
        for seed in range(scenes):
            picture, laid = scene(seed, side)
            _judge_opencv(picture, laid, side, theirs)
        yield f"| {side} | {' | '.join(cells)} | {theirs.found / theirs.there:.2%} | {theirs.wrong} |"


def _counted(side: float, conditions: Conditions, scenes: int) -> Count:
    count = Count()
    for seed in range(scenes):
        picture, laid = scene(seed, side, conditions)
        judge(read_cards(picture), laid, side, count)
    return count


def _judge_opencv(picture: Grey, laid: Sequence[Laid], side: float, count: Count) -> None:
    truth = {each.marker: each.corners for each in laid}
    count.there += len(truth)
    for number, corners in opencv(picture):
        right = truth.pop(number, None) if number in CODES else None
        away = np.inf if right is None else np.abs(right - corners).max()
        count.found += bool(away <= NEAR * side)
        count.wrong += bool(away > side / 2)


def times(repeats: int) -> Iterator[str]:
    """The table of how long pictures take."""
    students = [card.marker for card in of_kind(Kind.CLASS)]
    rooms = {
        ("1280 × 720, 12 cards of 64 px", 64): scene(1, 64, size=(1280, 720), most=12)[0],
        **{
            (f"4000 × 3000, a class of 63, {side} px each", side): scene(
                1, side, size=LARGE, markers=students, most=63
            )[0]
            for side in (60, 140)
        },
    }
    yield "| picture | way | best, ms | median, ms | best, processor ms | read |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for (name, smallest), picture in rooms.items():
        for way, least in WAYS.items():
            if least > smallest:
                continue
            best, median, busy, cards = timed(partial(read_cards, picture, least), repeats)
            yield f"| {name} | {way} | {best:.1f} | {median:.1f} | {busy:.1f} | {cards} |"
        best, median, busy, cards = timed(partial(opencv, picture), max(3, repeats // 5))
        yield f"| {name} | OpenCV's own | {best:.1f} | {median:.1f} | {busy:.1f} | {cards} |"


def timed(read: Callable[[], Sequence[object]], repeats: int) -> tuple[float, float, float, int]:
    """The best and the median of so many runs in ms, the least time that both cores together were busy with one, and
    how many markers one gave."""
    took, busy = [], []
    for _ in range(repeats + 1):
        begun, worked = time.perf_counter(), time.process_time()
        cards = read()
        took.append((time.perf_counter() - begun) * 1e3)
        busy.append((time.process_time() - worked) * 1e3)
    return min(took[1:]), statistics.median(took[1:]), min(busy[1:]), len(cards)


def report(scenes: int, repeats: int) -> str:
    """All tables, with what they were made on."""
    load = os.getloadavg()[0]
    return "\n".join(
        (
            *dictionaries(),
            "",
            f"{scenes} pictures for each cell.",
            "",
            *by_side(scenes),
            "",
            f"On {os.cpu_count()} cores, {load:.1f} programs running beside or with it (load average when it began).",
            "",
            *times(repeats),
        )
    )


def main() -> None:
    """Parse the arguments, measure and print or write the tables."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.cards", description=__doc__)
    parser.add_argument("--scenes", type=int, default=25, help="pictures for each cell (default 25)")
    parser.add_argument("--repeats", type=int, default=20, help="how often each picture is timed (default 20)")
    parser.add_argument("--docs", type=Path, help="write the tables into this page")
    chosen = parser.parse_args()
    tables = report(chosen.scenes, chosen.repeats)
    if chosen.docs:
        write_into(chosen.docs, tables, BEGIN, END)
    else:
        print(tables)


if __name__ == "__main__":
    main()
