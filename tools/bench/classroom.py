"""What the simulated classroom shows of the reading of a class: what is found, what is read wrong, and how long it
takes. ``python -m tools.bench.classroom --docs docs/class.md`` writes the tables into the page."""

import argparse
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from device.camera.frames import Pixels, Size
from device.simulated.printed.classroom import Classroom, Holding
from device.simulated.printed.optics import Light
from device.simulated.printed.scene import Seen
from rules.markers import WAYS
from throwlock.simulation.classroom import face
from tools.docs.generated_sections import write_into
from vision.cards.classroom_reader import Doubt, Room, read_room

BEGIN, END = "<!-- class: begin -->", "<!-- class: end -->"
LARGE: Size = (4000, 3000)
COVERED = 0.02
"""A card less covered than this is all there."""
FILM_MS = 1000 / 24


@dataclass
class Count:
    """Cards that are all there, how many of those are found, and what is named that is not there or not so."""

    there: int = 0
    found: int = 0
    wrong: int = 0


@dataclass(frozen=True, eq=False)
class Taken:
    """A picture of a class and the truth about it."""

    picture: Pixels
    ways: dict[int, int]
    truth: dict[str, Seen]


def taken(students: int, seed: int, size: Size | None = None) -> Taken:
    """A class photographed: tilts of 10 degrees (standard deviation), blur of 0.4 to 1 pixel, noise of 2 to 7 levels,
    45 to 100 % of the light, up to 35 % more or less of it at an edge."""
    chance = np.random.default_rng([seed, students])
    classroom = Classroom(students, size, seed)
    room = classroom.scene()
    ways = {number: int(chance.integers(4)) for number in classroom.desks}
    cards = [
        classroom.card(number, face(number), Holding(way, 0, float(chance.normal(0, 10))))
        for number, way in ways.items()
    ]
    level, right, bottom = chance.uniform((0.45, -0.35, -0.35), (1, 0.35, 0.35)).tolist()
    blur, noise = float(chance.uniform(0.4, 1)), float(chance.uniform(2, 7))
    optics = replace(room.optics, blur_px=blur, noise=noise)
    made = replace(room, things=(*room.things, *cards), optics=optics, light=Light(level, right, bottom))
    return Taken(made.photograph(0), ways, {seen.name: seen for seen in made.truth(0)})


def judge(shot: Taken, room: Room, count: Count) -> None:
    """Add to ``count`` what was read."""
    for student in room.students:
        there = shot.truth[f"card {student.number}"].covered < COVERED
        count.there += there
        count.found += there and student.card is not None
        if student.card is not None and student.doubt is not Doubt.SLANTED:
            count.wrong += student.throw is not WAYS[shot.ways[student.number]]
    count.wrong += len(room.strangers)


def found(rooms: int) -> Iterator[str]:
    """The table of what is found and what is wrong."""
    yield "| class | picture | smallest marker, px | cards all there | found | wrong |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for students in (30, 63):
        count, sides, size = Count(), [], ""
        for seed in range(rooms):
            shot = taken(students, seed)
            room = read_room(shot.picture, range(1, students + 1))
            judge(shot, room, count)
            sides += [student.card.side for student in room.students if student.card is not None]
            size = f"{shot.picture.shape[1]} × {shot.picture.shape[0]}"
        share = count.found / count.there
        yield f"| {students} | {size} | {min(sides):.0f} | {count.there} | {share:.2%} | {count.wrong} |"


def times(repeats: int) -> Iterator[str]:
    """The table of how long a picture of 12 megapixels takes."""
    shot = taken(63, 1, LARGE)
    yield "| 4000 × 3000, a class of 63 | best, ms | median, ms | best, processor ms | read | within a film frame |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for least in (24, 48):
        took, busy = [], []
        for _ in range(repeats + 1):
            begun, worked = time.perf_counter(), time.process_time()
            room = read_room(shot.picture, range(1, 64), least)
            took.append((time.perf_counter() - begun) * 1e3)
            busy.append((time.process_time() - worked) * 1e3)
        best, median = min(took[1:]), statistics.median(took[1:])
        yield (
            f"| `least={least}` | {best:.0f} | {median:.0f} | {min(busy[1:]):.0f} | {len(room.seen)} | "
            f"{'yes' if best < FILM_MS else 'no'} |"
        )


def report(rooms: int, repeats: int) -> str:
    """Both tables, with what they were made on."""
    load = os.getloadavg()[0]
    said = f"On {os.cpu_count()} cores, {load:.1f} programs running beside or with it (load average when it began)."
    return "\n".join((f"{rooms} rooms each.", "", *found(rooms), "", said, "", *times(repeats)))


def main() -> None:
    """Parse the arguments, measure and print or write the tables."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.classroom", description=__doc__)
    parser.add_argument("--rooms", type=int, default=20, help="rooms of each size (default 20)")
    parser.add_argument("--repeats", type=int, default=10, help="how often the large picture is timed (default 10)")
    parser.add_argument("--docs", type=Path, help="write the tables into this page")
    chosen = parser.parse_args()
    tables = report(chosen.rooms, chosen.repeats)
    if chosen.docs:
        write_into(chosen.docs, tables, BEGIN, END)
    else:
        print(tables)


if __name__ == "__main__":
    main()
