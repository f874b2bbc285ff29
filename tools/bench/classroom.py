"""Measure how many of a simulated class's cards are found and misread, and how long an image takes.

``python -m tools.bench.classroom``; ``--docs docs/classroom.md`` writes the tables into that page."""

import argparse
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from device.camera.frames import Pixels, Size
from device.simulated.printed.classroom import HeldCard, SimulatedClassroom
from device.simulated.printed.optics import RoomLight
from device.simulated.printed.scene import VisibleObject
from rules.markers import THROW_BY_QUARTER_TURNS
from throwlock.simulation.classroom import card_face
from tools.bench.cards import LARGE_IMAGE_SIZE, machine_line, measure
from tools.docs.generated_sections import add_docs_option, markdown_table, update_page
from vision.cards.classroom_reader import ClassCardCause, ClassReading, read_class

SECTION = "class"
MAX_COVERED_SHARE = 0.02
"""A card counts as fully visible when less than this share of it is covered."""
FILM_FRAME_MS = 1000 / 24
"""How long a frame of a cinema film lasts."""


@dataclass
class ClassCount:
    """Fully visible cards, how many of them were found, and how many cards were misread (a wrong throw, or a number
    that nobody has)."""

    present: int = 0
    found: int = 0
    wrong: int = 0


@dataclass(frozen=True, eq=False)
class ClassPhoto:
    """An image of a class and the truth about it: quarter turns of the cards by student, visible objects by name."""

    image: Pixels
    card_turns: dict[int, int]
    visible: dict[str, VisibleObject]


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
        count, sides, size = ClassCount(), [], ""
        for seed in range(rooms):
            photo = photograph_class(students, seed)
            reading = read_class(photo.image, range(1, students + 1))
            count_cards(photo, reading, count)
            sides += [student.card.side_px for student in reading.students if student.card is not None]
            size = f"{photo.image.shape[1]} × {photo.image.shape[0]}"
        share = f"{count.found / count.present:.2%}"
        rows.append((students, size, f"{min(sides):.0f}", count.present, share, count.wrong))
    return markdown_table(("class", "image", "smallest marker, px", "cards in full view", "found", "misread"), rows)


def time_table(repeats: int) -> str:
    """Return the table of how long a 12-megapixel image takes."""
    image = photograph_class(63, 1, LARGE_IMAGE_SIZE).image
    rows = []
    for min_side_px in (24, 48):
        read = partial(_read_numbers, image, min_side_px)
        best, median, cpu, numbers = measure(read, repeats)
        fits = "yes" if best < FILM_FRAME_MS else "no"
        rows.append((f"`min_side_px={min_side_px}`", f"{best:.0f}", f"{median:.0f}", f"{cpu:.0f}", numbers, fits))
    head = "4000 × 3000, a class of 63", "best, ms", "median, ms", "least CPU time, ms", "read", "within a film frame"
    return markdown_table(head, rows)


def _read_numbers(image: Pixels, min_side_px: int) -> list[int]:
    return list(read_class(image, range(1, 64), min_side_px).read_numbers)


def report(rooms: int, repeats: int) -> str:
    """Return both tables, with the conditions they were measured in."""
    machine = machine_line()
    return "\n\n".join((f"{rooms} rooms of each size.", detection_table(rooms), machine, time_table(repeats)))


def main() -> None:
    """Print the tables, or write them into a page."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.classroom", description=__doc__)
    parser.add_argument("--rooms", type=int, default=20, help="rooms of each size (default 20)")
    parser.add_argument("--repeats", type=int, default=10, help="runs on the large image (default 10)")
    add_docs_option(parser)
    options = parser.parse_args()
    tables = report(options.rooms, options.repeats)
    if options.docs:
        update_page(options.docs, {SECTION: tables})
    else:
        print(tables)


if __name__ == "__main__":
    main()
