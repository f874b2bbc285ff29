"""Reads a classroom in which everybody holds up a class card: what one image shows of each student, and the lock of a
class, which is read from one single exposure::

    reading = read_class(frame.pixels(), range(1, 31))
    print(reading.read_numbers, reading.missing_numbers, [student.throw for student in reading.students])
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from device.camera.frames import BgrFrame, Box, Frame, Grey, Pixels, Size
from rules.markers import THROW_BY_QUARTER_TURNS, MarkerKind
from rules.record.judgement import Verdict
from rules.throws import Throw
from vision.cards.outlines import MIN_MARKER_PX
from vision.cards.reader import Card, Points, read_cards
from vision.lock.judgement import Judgement
from vision.lock.reasons import VoidKind, VoidReason
from vision.lock.verdict import SeatVerdict

SLANTED_DEG = 30.0
"""Skew from a quarter turn from which a card's rotation is in doubt: halfway between two quarter turns is 45."""
SEARCH_AROUND_LOCK_NS = 150_000_000
"""How far before and after the lock a card missing in the lock frame is searched for, to distinguish one that was
moving from one that was not there. What it shows there never counts."""
MAX_LOCK_OFFSET_NS = 100_000_000
"""Longest time between the lock and the exposure nearest to it."""
CARD_MARKER_SIDES = 1.34
"""Side of a class card in sides of its marker."""
CROP_MARKER_SIDES = 1.36
"""Side of a card's crop in sides of its marker: a little more than the card."""
BLANK_GREY = 128
"""Level of what is blanked out of an image."""


class ClassCardCause(StrEnum):
    """Why a student has no throw."""

    MISSING = "no card"
    MOVING = "card moving"
    SLANTED = "card slanted"
    NO_THROW = "no throw up"
    TWICE = "card twice"


CAUSE_VERDICTS: Mapping[ClassCardCause | None, Verdict] = {
    None: Verdict.ON_TIME,
    ClassCardCause.MISSING: Verdict.UNSEEN,
    ClassCardCause.MOVING: Verdict.UNCLEAR,
    ClassCardCause.SLANTED: Verdict.UNCLEAR,
    ClassCardCause.NO_THROW: Verdict.UNCLEAR,
    ClassCardCause.TWICE: Verdict.COPY,
}
"""The verdict on a seat by the cause."""


@dataclass(frozen=True, eq=False)
class Student:
    """What an image shows of a student."""

    number: int
    """The student's number."""
    throw: Throw | None
    """None where there is none, for which ``cause`` says why."""
    cause: ClassCardCause | None
    card: Card | None = None
    """The card, if it was read."""


@dataclass(frozen=True, eq=False)
class ClassReading:
    """Everybody's card in an image."""

    students: tuple[Student, ...]
    """In the order of the numbers given."""
    unknown_numbers: tuple[int, ...] = ()
    """The numbers of class cards that nobody here has."""

    @property
    def read_numbers(self) -> frozenset[int]:
        """The numbers of the students whose card was read, whatever its rotation."""
        return frozenset(student.number for student in self.students if student.card is not None)

    @property
    def missing_numbers(self) -> tuple[int, ...]:
        """The students whose card was not read."""
        return tuple(student.number for student in self.students if student.card is None)

    @property
    def duplicate_numbers(self) -> tuple[int, ...]:
        """The students whose card is there more than once."""
        return tuple(student.number for student in self.students if student.cause is ClassCardCause.TWICE)


def read_class(image: Pixels | Grey, numbers: Collection[int], min_side_px: float = MIN_MARKER_PX) -> ClassReading:
    """Read the cards of the students with these ``numbers`` from a grey or R, G, B image. Markers
    are found from a side of ``min_side_px`` on."""
    return assign_cards(read_cards(image, min_side_px), numbers)


def assign_cards(cards: Iterable[Card], numbers: Collection[int]) -> ClassReading:
    """Return what the ``cards`` of an image show of the students with these ``numbers``."""
    by_number: dict[int, list[Card]] = {}
    for card in cards:
        if card.printed.kind is MarkerKind.CLASS:
            by_number.setdefault(card.printed.number, []).append(card)
    unknown_numbers = tuple(sorted(by_number.keys() - set(numbers)))
    return ClassReading(tuple(_read_student(number, by_number.get(number, [])) for number in numbers), unknown_numbers)


def _read_student(number: int, cards: Sequence[Card]) -> Student:
    if not cards:
        return Student(number, None, ClassCardCause.MISSING)
    card = max(cards, key=lambda card: card.quality)
    if len(cards) > 1:
        return Student(number, None, ClassCardCause.TWICE, card)
    if card.skew_deg > SLANTED_DEG:
        return Student(number, None, ClassCardCause.SLANTED, card)
    throw = THROW_BY_QUARTER_TURNS[card.quarter_turns]
    return Student(number, throw, ClassCardCause.NO_THROW if throw is None else None, card)


def judge_class(
    frames_until: Callable[[int], Sequence[Frame]],
    numbers: Sequence[int],
    cue_ns: int,
    window_ns: int,
    min_side_px: float = MIN_MARKER_PX,
) -> tuple[Judgement, ClassReading]:
    """Judge a class while its frames arrive: everybody's throw is what the exposure nearest to cue + window shows. That
    time does not depend on anybody's hand, so nobody can delay it. A card in motion at that exposure is no throw. The
    seats of the judgement are the ``numbers``; the crop of a seat without a card is the whole frame.

    ``frames_until`` waits for the frames until a time in ns, and returns those from ``SEARCH_AROUND_LOCK_NS`` before
    the lock on, in order of time, at least one. Only if a card is missing, later frames than the one that counts are
    waited for. If no frame is near enough to the lock, the round is void."""
    lock_ns = cue_ns + window_ns
    last_off_ns = abs(lock_ns - frames_until(lock_ns)[-1].exposed_ns)
    frames = frames_until(lock_ns + min(last_off_ns, MAX_LOCK_OFFSET_NS))  # one that is nearer has come by then
    lock_frame = min(frames, key=lambda frame: abs(frame.exposed_ns - lock_ns))
    reading = read_class(lock_frame.grey(), numbers, min_side_px)
    near_lock: Collection[int] = ()
    if reading.missing_numbers:
        frames = frames_until(lock_ns + SEARCH_AROUND_LOCK_NS)
        near_lock = _cards_near_lock(frames, lock_frame, lock_ns, reading.missing_numbers, min_side_px)
    seats = []
    for student in reading.students:
        card, cause = student.card, student.cause
        if cause is ClassCardCause.MISSING and student.number in near_lock:
            cause = ClassCardCause.MOVING
        seats.append(
            SeatVerdict(
                student.number,
                CAUSE_VERDICTS[cause],
                student.throw,
                student.throw,
                None,
                Box(0, 0, *lock_frame.size) if card is None else card_crop(card, lock_frame.size),
                cause=cause,
                card_marker=None if card is None else card.printed.marker,
            )
        )
    off_ns = abs(lock_frame.exposed_ns - lock_ns)
    void_reason = VoidReason(VoidKind.FEW_FRAMES, measurement=off_ns / 1e6) if off_ns > MAX_LOCK_OFFSET_NS else None
    return Judgement(cue_ns, None, lock_ns, window_ns, lock_frame, tuple(seats), void_reason), reading


def _cards_near_lock(
    frames: Sequence[Frame], lock_frame: Frame, lock_ns: int, missing_numbers: Sequence[int], min_side_px: float
) -> set[int]:
    """Return whose cards are not in the lock frame, but in the earliest or the latest frame near it."""
    near = [
        frame
        for frame in frames
        if frame is not lock_frame and abs(frame.exposed_ns - lock_ns) <= SEARCH_AROUND_LOCK_NS
    ]
    numbers: set[int] = set()
    for frame in dict.fromkeys((*near[-1:], *near[:1])):
        numbers |= read_class(frame.grey(), missing_numbers, min_side_px).read_numbers
    return numbers


def card_crop(card: Card, size: Size) -> Box:
    """Return the box of a card around its marker, with as little else as possible, in pixels of a frame of ``size``."""
    corners = _scaled_corners(card, CROP_MARKER_SIDES)
    low = np.clip(np.floor(corners.min(0)).astype(int), 0, np.array(size) - 1)
    end = np.clip(np.ceil(corners.max(0)).astype(int), low + 1, size)
    return Box(int(low[0]), int(low[1]), int(end[0] - low[0]), int(end[1] - low[1]))


def blank_all_but_cards(frame: Frame, reading: ClassReading) -> BgrFrame:
    """Return a frame in which only the cards of a ``reading`` of it are visible."""
    bgr = np.full((frame.size[1], frame.size[0], 3), BLANK_GREY, np.uint8)
    for card in (student.card for student in reading.students if student.card is not None):
        box = card_crop(card, frame.size)
        is_card = np.zeros((box.h, box.w), np.uint8)
        outline = np.rint(_scaled_corners(card, CARD_MARKER_SIDES) - (box.x, box.y)).astype(np.int32)
        cv2.fillConvexPoly(is_card, outline, 1)
        part = bgr[box.y : box.y + box.h, box.x : box.x + box.w]
        np.copyto(part, frame.pixels(box)[..., ::-1], where=is_card[..., None] > 0)
    return BgrFrame(frame.number, frame.exposed_ns, frame.exposure_ns, frame.size, bgr, readout_ns=frame.readout_ns)


def _scaled_corners(card: Card, factor: float) -> Points:
    """Return the corners of a card's marker, ``factor`` times as far from their centre."""
    centre = card.corners.mean(0)
    return np.asarray(centre + (card.corners - centre) * factor, np.float32)
