"""A room in which everybody holds up a class card: what one picture shows of each, and the lock of a class, which is
read from one exposure alone.

::

    room = read_room(frame.pixels(), range(1, 31))
    print(room.seen, room.missing, [student.throw for student in room.students])
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from device.camera.frames import Box, Frame, Pixels, Size
from rules.markers import WAYS, Kind
from rules.throws import Throw
from vision.cards.outlines import PROMISED, Grey
from vision.cards.reader import Card, read_cards
from vision.lock.judge import Judgement
from vision.lock.verdict import SeatVerdict, Verdict
from vision.lock.void_reasons import Trouble, TroubleKind

SLANTED_DEG = 30.0
"""So far off a quarter turn a card's way up is in doubt: half way between two of them is 45."""
AROUND_NS = 150_000_000
"""So far before and after the lock a card that the lock frame does not show is looked for, to tell one that was there
and moved from one that was not. What it shows there never counts."""
NEAR_NS = 100_000_000
"""The farthest that an exposure may be from the lock."""
WHOLE = 1.36
"""The side of a card's crop in sides of its marker: the card has 1.3, and little is to be seen beside it."""


class Doubt(StrEnum):
    """Why a student has no throw."""

    MISSING = "no card"
    MOVING = "card moving"
    SLANTED = "card slanted"
    NO_THROW = "no throw up"
    TWICE = "card twice"


VERDICTS: Mapping[Doubt | None, Verdict] = {
    None: Verdict.ON_TIME,
    Doubt.MISSING: Verdict.UNSEEN,
    Doubt.MOVING: Verdict.UNCLEAR,
    Doubt.SLANTED: Verdict.UNCLEAR,
    Doubt.NO_THROW: Verdict.UNCLEAR,
    Doubt.TWICE: Verdict.COPY,
}
"""The verdict on a seat by what was in doubt."""


@dataclass(frozen=True, eq=False)
class Student:
    """What a picture shows of the student with a ``number``: a ``throw``, or why there is none. ``card`` is where the
    card was read."""

    number: int
    throw: Throw | None
    doubt: Doubt | None
    card: Card | None = None


@dataclass(frozen=True, eq=False)
class Room:
    """Everybody's card in a picture, in the order they were asked for. ``strangers`` are the numbers of class cards
    that nobody here has."""

    students: tuple[Student, ...]
    strangers: tuple[int, ...] = ()

    @property
    def seen(self) -> frozenset[int]:
        """Whose card was read, whichever way it was held."""
        return frozenset(one.number for one in self.students if one.card is not None)

    @property
    def missing(self) -> tuple[int, ...]:
        """Whose card was not read."""
        return tuple(one.number for one in self.students if one.card is None)

    @property
    def twice(self) -> tuple[int, ...]:
        """Of whose card there is more than one."""
        return tuple(one.number for one in self.students if one.doubt is Doubt.TWICE)


def read_room(picture: Pixels | Grey, numbers: Collection[int], least: float = PROMISED) -> Room:
    """What a picture, grey or in colours (R, G, B), shows of the students with these ``numbers``. ``least`` is as
    ``read_cards`` takes it."""
    held: dict[int, list[Card]] = {}
    for card in read_cards(picture, least):
        if card.printed.kind is Kind.CLASS:
            held.setdefault(card.printed.number, []).append(card)
    strangers = tuple(sorted(held.keys() - set(numbers)))
    return Room(tuple(_student(number, held.get(number, [])) for number in numbers), strangers)


def _student(number: int, cards: Sequence[Card]) -> Student:
    if not cards:
        return Student(number, None, Doubt.MISSING)
    card = max(cards, key=lambda card: card.quality)
    if len(cards) > 1:
        return Student(number, None, Doubt.TWICE, card)
    if card.askew > SLANTED_DEG:
        return Student(number, None, Doubt.SLANTED, card)
    throw = WAYS[card.turns]
    return Student(number, throw, Doubt.NO_THROW if throw is None else None, card)


def judge_room(
    frames: Sequence[Frame], numbers: Sequence[int], cue_ns: int, window_ns: int, least: float = PROMISED
) -> tuple[Judgement, Room]:
    """The lock of a class: everybody's throw is what the exposure nearest to cue + window shows. That time hangs on
    nobody's hand, so nobody can put it off. A card that is on its way at that exposure is no throw. The judgement's
    seats are the ``numbers``; a seat without a card has the whole frame for its crop.

    ``frames`` are in order of time, one at least. With none near enough to the lock the judgement has trouble."""
    lock_ns = cue_ns + window_ns
    lock = min(frames, key=lambda frame: abs(frame.exposed_ns - lock_ns))
    room = read_room(lock.pixels(), numbers, least)
    elsewhere = _beside(frames, lock, lock_ns, room.missing, least)
    seats = []
    for student in room.students:
        card, doubt = student.card, student.doubt
        if doubt is Doubt.MISSING and student.number in elsewhere:
            card, doubt = elsewhere[student.number], Doubt.MOVING
        seats.append(
            SeatVerdict(
                student.number,
                VERDICTS[doubt],
                student.throw,
                student.throw,
                None,
                Box(0, 0, *lock.size) if card is None else crop_box(card, lock.size),
                cause=doubt,
                card=None if student.card is None else student.card.printed.marker,
            )
        )
    off_ns = abs(lock.exposed_ns - lock_ns)
    trouble = Trouble(TroubleKind.FEW_FRAMES, figure=off_ns / 1e6) if off_ns > NEAR_NS else None
    return Judgement(cue_ns, None, lock_ns, window_ns, lock, tuple(seats), trouble), room


def _beside(
    frames: Sequence[Frame], lock: Frame, lock_ns: int, missing: Sequence[int], least: float
) -> dict[int, Card]:
    """Cards that are not in the lock frame, but in the earliest or the latest near it."""
    near = [frame for frame in frames if frame is not lock and abs(frame.exposed_ns - lock_ns) <= AROUND_NS]
    found: dict[int, Card] = {}
    for frame in dict.fromkeys((*near[-1:], *near[:1])) if missing else ():
        room = read_room(frame.pixels(), missing, least)
        found |= {one.number: one.card for one in room.students if one.card is not None}
    return found


def crop_box(card: Card, size: Size) -> Box:
    """The card round its marker, in pixels of a frame of ``size``, as little beside it as can be."""
    middle = card.corners.mean(0)
    corners = middle + (card.corners - middle) * WHOLE
    low = np.clip(np.floor(corners.min(0)).astype(int), 0, np.array(size) - 1)
    end = np.clip(np.ceil(corners.max(0)).astype(int), low + 1, size)
    return Box(int(low[0]), int(low[1]), int(end[0] - low[0]), int(end[1] - low[1]))
