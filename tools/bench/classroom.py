"""Measure how many of a simulated class's cards are found and misread, and how long an image takes.

``python -m tools.bench.classroom``; ``--docs measurements/2026-11/classroom.md`` writes the tables into that page."""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import BgrFrame, Frame, Pixels, Size
from device.simulated.printed.classroom import HeldCard, SimulatedClassroom
from device.simulated.printed.objects import RoomLight
from device.simulated.printed.scene import VisibleObject
from rules.markers import THROW_BY_QUARTER_TURNS
from throwlock.simulation.classroom import card_face
from tools.bench.cards import LARGE_IMAGE_SIZE
from tools.docs.generated_sections import add_docs_option, machine_line, markdown_table, publish
from vision.cards.classroom_reader import ClassCardCause, ClassReading, assign_cards, read_class
from vision.cards.reader import Card, LiveReader, read_cards

SECTION = "class"
MAX_COVERED_SHARE = 0.02
"""A card counts as fully visible when less than this share of it is covered."""
FILM_FRAME_MS = 1000 / 24
"""How long a frame of a cinema film lasts."""
LARGE_CLASS = 63
"""Students of the class in the large image."""
SHIFTS_PX = (0, 4, 15)
"""How far all cards move from frame to frame in the films, whose image is shifted: held still, unsteady, and waved."""
MIN_SIDES_PX = (24, 48)
"""Values of ``min_side_px`` of the whole searches."""
FRAMES_PER_WHOLE_SEARCH = 5
"""Frames of the films for each whole search that is measured."""


@dataclass
class ClassCount:
    """Counts of the cards in images of a class."""

    present: int = 0
    """Fully visible cards."""
    found: int = 0
    """How many of those were found."""
    wrong: int = 0
    """Cards misread: a wrong throw, or a number that nobody has."""


@dataclass(frozen=True, eq=False)
class ClassPhoto:
    """An image of a class and the truth about it."""

    image: Pixels
    card_turns: dict[int, int]
    """The quarter turns of the cards, by student."""
    visible: dict[str, VisibleObject]
    """Visible objects, by name."""


def photograph_class(students: int, seed: int, size: Size | None = None) -> ClassPhoto:
    """Render a class holding up its cards.

    Tilts have a standard deviation of 10 degrees, blur is 0.4 to 1 pixel, noise 2 to 7 levels, light 45 to 100 % and
    up to 35 % more or less at an edge."""
    rng = np.random.default_rng([seed, students])
    classroom = SimulatedClassroom(students, size, seed)
    room = classroom.scene()
    turns = {number: int(rng.integers(4)) for number in classroom.people}
    cards = [
        classroom.card(number, card_face(number), HeldCard(turn, 0, float(rng.normal(0, 10))))
        for number, turn in turns.items()
    ]
    level, right, bottom = rng.uniform((0.45, -0.35, -0.35), (1, 0.35, 0.35)).tolist()
    blur, noise = float(rng.uniform(0.4, 1)), float(rng.uniform(2, 7))
    optics = replace(room.optics, blur_px=blur, noise=noise)
    room = replace(room, objects=(*room.objects, *cards), optics=optics, light=RoomLight(level, right, bottom))
    return ClassPhoto(room.photograph(0), turns, {each.name: each for each in room.visible_objects(0)})


def count_cards(photo: ClassPhoto, reading: ClassReading, count: ClassCount) -> None:
    """Add the reading of an image to ``count``."""
    for student in reading.students:
        visible = photo.visible[f"card {student.number}"].covered_share < MAX_COVERED_SHARE
        count.present += visible
        count.found += visible and student.card is not None
        if student.card is not None and student.cause is not ClassCardCause.SLANTED:
            count.wrong += student.throw is not THROW_BY_QUARTER_TURNS[photo.card_turns[student.number]]
    count.wrong += len(reading.unknown_numbers)


def detection_table(rooms: int) -> str:
    """Return the table of cards found and misread, over ``rooms`` images of each class size."""
    rows = []
    for students in (30, 63):
        count, live, sides, size = ClassCount(), ClassCount(), [], ""
        for seed in range(rooms):
            photo = photograph_class(students, seed)
            reading = read_class(photo.image, range(1, students + 1))
            count_cards(photo, reading, count)
            count_cards(photo, assign_cards(read_after_empty(photo.image), range(1, students + 1)), live)
            sides += [student.card.side_px for student in reading.students if student.card is not None]
            size = f"{photo.image.shape[1]} × {photo.image.shape[0]}"
        cells = [cell for of in (count, live) for cell in (f"{of.found / of.present:.2%}", of.wrong)]
        rows.append((students, size, f"{min(sides):.0f}", count.present, *cells))
    head = (
        "class", "image", "smallest marker, px", "cards in full view", "found", "misread", "found in parts", "misread",
    )  # fmt: skip
    return markdown_table(head, rows)


def read_after_empty(image: Pixels) -> list[Card]:
    """Return the cards that a LiveReader has found when, after a frame without cards, every part of the image has been
    searched once."""
    reader = LiveReader()
    size = (image.shape[1], image.shape[0])
    reader.read(BgrFrame(0, 0, 0, size, np.full_like(image, 128)))
    cards: list[Card] = []
    for number in range(1, reader.search_frames + 1):
        cards = reader.read(
            BgrFrame(number, round(number * FILM_FRAME_MS * 1e6), 0, size, np.ascontiguousarray(image[..., ::-1]))
        )
    return cards


@dataclass
class ReadingTimes:
    """Wall and CPU times in ms of reading a class, and the fewest cards that were read."""

    wall_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    fewest_cards: int = LARGE_CLASS

    def measure(self, read: Callable[[], Sequence[Card]]) -> None:
        """Read once."""
        wall, cpu = time.perf_counter(), time.process_time()
        cards = read()
        self.wall_ms.append((time.perf_counter() - wall) * 1e3)
        self.cpu_ms.append((time.process_time() - cpu) * 1e3)
        self.fewest_cards = min(self.fewest_cards, len(assign_cards(cards, range(1, LARGE_CLASS + 1)).read_numbers))


def time_table(searches: int) -> str:
    """Return the table of how long a 12-megapixel frame takes: searched as a whole, and in a film in which every part
    of the image is searched ``searches`` times. They are measured in turn."""
    image = photograph_class(LARGE_CLASS, 1, LARGE_IMAGE_SIZE).image
    bgr = np.ascontiguousarray(image[..., ::-1])
    rng = np.random.default_rng(1)
    readers = {shift_px: LiveReader() for shift_px in SHIFTS_PX}
    offsets = {shift_px: np.zeros(2, int) for shift_px in SHIFTS_PX}
    names = (*(_whole_name(least) for least in MIN_SIDES_PX), *(_film_name(shift_px) for shift_px in SHIFTS_PX))
    times = {name: ReadingTimes() for name in names}
    number = 0
    while number <= searches * readers[0].search_frames:
        for shift_px, reader in readers.items():
            offsets[shift_px] = (offsets[shift_px] + _step(rng, shift_px)) % LARGE_IMAGE_SIZE[::-1]
            shifted = np.roll(bgr, tuple(offsets[shift_px]), (0, 1))
            frame = BgrFrame(number, round(number * FILM_FRAME_MS * 1e6), 0, LARGE_IMAGE_SIZE, shifted)
            if number:
                times[_film_name(shift_px)].measure(partial(reader.read, frame))
            else:
                reader.read(frame)
        if number % FRAMES_PER_WHOLE_SEARCH == 0:
            for min_side_px in MIN_SIDES_PX:
                times[_whole_name(min_side_px)].measure(partial(_read_whole, frame, min_side_px))
        number += 1
    return _time_rows(times)


def _whole_name(min_side_px: int) -> str:
    return f"whole, `min_side_px={min_side_px}`"


def _film_name(shift_px: int) -> str:
    return f"a film, {shift_px} px a frame"


def _read_whole(frame: Frame, min_side_px: float) -> list[Card]:
    return read_cards(frame.grey(), min_side_px)


def _step(rng: np.random.Generator, shift_px: int) -> NDArray[np.int64]:
    """Return a step of a length, rows and columns, in a random direction."""
    direction = rng.uniform(0, 2 * np.pi)
    return np.asarray(np.rint(shift_px * np.array([np.sin(direction), np.cos(direction)])), np.int64)


def _time_rows(times: Mapping[str, ReadingTimes]) -> str:
    whole_ms = statistics.median(times[_whole_name(MIN_SIDES_PX[0])].wall_ms)
    rows = []
    for name, of in times.items():
        median = statistics.median(of.wall_ms)
        rows.append(
            (
                name,
                f"{min(of.wall_ms):.1f}",
                f"{median:.1f}",
                f"{statistics.median(of.cpu_ms):.1f}",
                f"{median / whole_ms:.0%}",
                of.fewest_cards,
                "yes" if median < FILM_FRAME_MS else "no",
            )
        )
    head = (
        "4000 × 3000, a class of 63", "best, ms", "median, ms", "median CPU time, ms", "of a whole search",
        "least read", "median within a film frame",
    )  # fmt: skip
    return markdown_table(head, rows)


def report(rooms: int, searches: int) -> str:
    """Return both tables, with the conditions they were measured in."""
    machine = machine_line()
    return "\n\n".join((f"{rooms} rooms of each size.", detection_table(rooms), machine, time_table(searches)))


def main() -> None:
    """Print the tables, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.classroom", description=__doc__)
    parser.add_argument("--rooms", type=int, default=20, help="rooms of each size (default 20)")
    parser.add_argument("--searches", type=int, default=4, help="how often a film searches the large image (default 4)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    tables = report(options.rooms, options.searches)
    publish(options.docs, {SECTION: tables})


if __name__ == "__main__":
    main()
