"""Class cards in front of the simulated camera: numbers and rotations are never wrong, nearly all visible cards are
read, and everybody's throw is what one exposure shows."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.camera.frames import BgrFrame, Box, Frame
from device.simulated.printed.classroom import HeldCard, SimulatedClassroom
from device.simulated.printed.objects import ObjectPose, RoomLight
from device.simulated.printed.scene import PrintedScene
from device.system.clock import SimulatedClock
from rules.markers import THROW_BY_QUARTER_TURNS, MarkerKind, markers_of_kind
from rules.throws import Throw
from throwlock.simulation.classroom import SimulatedClass, card_face
from tools.trials.card_scenes import render_scene
from vision.cards.classroom_reader import (
    BLANK_GREY,
    ClassCardCause,
    ClassReading,
    blank_all_but_cards,
    card_crop,
    judge_class,
    read_class,
)
from vision.lock.reasons import VoidKind

MS, S = 1_000_000, 1_000_000_000
CUE, WINDOW = 4 * S, 1000 * MS
COVERED = 0.02
"""Covered share below which a card is whole: thumbs hold it, and pixels at its edge count."""


def class_scene(
    count: int, seed: int, blur: float = 0.6, light: RoomLight | None = None, size: tuple[int, int] | None = None
):
    """Return a still scene of a class, and the quarter turns of everybody's card."""
    chance = np.random.default_rng(seed)
    classroom = SimulatedClassroom(count, size, seed)
    empty = classroom.scene()
    turns = {number: int(chance.integers(4)) for number in classroom.people}
    cards = [
        classroom.card(number, card_face(number), HeldCard(turn, 0, float(chance.normal(0, 9))))
        for number, turn in turns.items()
    ]
    optics = replace(empty.optics, blur_px=blur, noise=float(chance.uniform(2, 6)))
    return replace(empty, objects=(*empty.objects, *cards), optics=optics, light=light or empty.light), turns


def count_read(scene: PrintedScene, turns: dict[int, int], reading: ClassReading) -> tuple[int, int]:
    """Return how many whole cards are read, and how many there are; check that none is read as another or
    rotated."""
    covered = {seen.name: seen.covered_share for seen in scene.visible_objects(0)}
    found = whole_count = 0
    for student in reading.students:
        whole = covered[f"card {student.number}"] < COVERED
        whole_count += whole
        found += whole and student.card is not None
        if student.card is not None and student.cause is not ClassCardCause.SLANTED:
            assert student.throw == THROW_BY_QUARTER_TURNS[turns[student.number]]
    return found, whole_count


def recorded_frames_until(frames: Sequence[Frame]) -> Callable[[int], Sequence[Frame]]:
    """Return a recording as the judge asks for it."""
    return lambda until_ns: [frame for frame in frames if frame.exposed_ns <= until_ns] or frames[:1]


@pytest.mark.parametrize(
    ("count", "seed", "blur", "light"),
    [
        (63, 1, 0.6, None),
        (63, 2, 0.9, RoomLight(level=0.5, to_right=0.3, to_bottom=0.2)),
        (30, 3, 0.5, RoomLight(level=1.0, to_right=-0.3, to_bottom=-0.2)),
    ],
)
def test_a_whole_class_is_read(count: int, seed: int, blur: float, light: RoomLight | None) -> None:
    scene, turns = class_scene(count, seed, blur, light)
    reading = read_class(scene.photograph(0), range(1, count + 1))
    found, whole_count = count_read(scene, turns, reading)
    assert whole_count >= 0.9 * count and found >= 0.99 * whole_count
    assert not reading.unknown_numbers


def test_a_card_hidden_by_a_neighbour_is_missing_and_never_guessed() -> None:
    scene, turns = class_scene(12, 5)
    front = {thing.name: thing for thing in scene.objects}
    over = front["card 2"].keyframes[0][1]
    beside = ObjectPose(over.x + 260, over.y, over.z + 30, *over[3:])
    hiding = replace(front["body 5"], name="hides", keyframes=((0, beside),))
    scene = replace(scene, objects=(*scene.objects, hiding))
    covered = {seen.name: seen.covered_share for seen in scene.visible_objects(0)}
    assert 0.2 < covered["card 2"] < 0.9
    reading = read_class(scene.photograph(0), range(1, 13))
    assert (
        2 in reading.missing_numbers
        and reading.students[1].throw is None
        and reading.students[1].cause is ClassCardCause.MISSING
    )
    count_read(scene, turns, reading)


def test_unknown_and_duplicate_cards_are_reported() -> None:
    numbers = {card.number: card.marker for card in markers_of_kind(MarkerKind.CLASS)}
    one, _ = render_scene(7, 60, markers=[numbers[3], numbers[40]])
    other, _ = render_scene(8, 60, markers=[numbers[3]])
    reading = read_class(np.vstack([one, other]), range(1, 31))
    assert reading.duplicate_numbers == (3,) and reading.unknown_numbers == (40,)
    assert reading.students[2].throw is None and len(reading.missing_numbers) == 29


def test_the_lock_reads_one_exposure_and_names_the_cause_of_no_throw() -> None:
    clock = SimulatedClock()
    clock.wait_until(S)
    players = SimulatedClass(clock, 10, seed=2)
    reading, camera = SimulatedClassroom(10, seed=2), players.camera
    camera.start()
    shown = CUE + 400 * MS
    holdings = dict.fromkeys(range(1, 11), HeldCard(0, shown))
    holdings |= {2: HeldCard(1, shown), 3: HeldCard(2, shown), 4: HeldCard(3, shown), 5: HeldCard(0, shown, 43.0)}
    holdings |= {6: HeldCard(0, CUE + WINDOW + 170 * MS), 7: HeldCard(0, None)}
    camera.place(*(reading.card(number, card_face(number), holding, S) for number, holding in holdings.items()))
    clock.wait_until(CUE + WINDOW + 300 * MS)
    frames = camera.frames_between(CUE + WINDOW - 150 * MS, CUE + WINDOW + 150 * MS)
    judgement, seen = judge_class(recorded_frames_until(frames), range(1, 11), CUE, WINDOW)
    assert abs(judgement.lock_frame.exposed_ns - judgement.lock_ns) <= S / 60 and judgement.void_reason is None
    by = {seat.seat: seat for seat in judgement.seats}
    assert [by[seat].at_lock for seat in (1, 2, 3)] == [Throw.ROCK, Throw.PAPER, Throw.SCISSORS]
    assert {seat: by[seat].cause for seat in (4, 5, 6, 7)} == {
        4: ClassCardCause.NO_THROW,
        5: ClassCardCause.SLANTED,
        6: ClassCardCause.MOVING,
        7: ClassCardCause.MISSING,
    }
    assert all(by[seat].at_lock is None for seat in (4, 5, 6, 7))
    whole = Box(0, 0, *judgement.lock_frame.size)
    assert {seat for seat in by if by[seat].crop == whole} == {6, 7}, "their cards are not in the lock frame"
    assert {seat for seat in by if by[seat].card_marker is None} == {6, 7}
    assert seen.read_numbers == {1, 2, 3, 4, 5, 8, 9, 10}
    late, _ = judge_class(recorded_frames_until(frames[:2]), range(1, 11), CUE + S, WINDOW)
    assert late.void_reason is not None and late.void_reason.kind is VoidKind.FEW_FRAMES


def test_later_frames_are_only_waited_for_if_a_card_is_missing() -> None:
    clock = SimulatedClock()
    camera = SimulatedClass(clock, 4, seed=2).camera
    room = SimulatedClassroom(4, seed=2)
    camera.start()
    camera.place(*(room.card(number, card_face(number), HeldCard(0, CUE)) for number in room.people))
    clock.wait_until(CUE + WINDOW + 300 * MS)
    frames = camera.frames_between(CUE + WINDOW - 150 * MS, CUE + WINDOW + 150 * MS)
    for offset_ms in (0, 5, 15, 25, 33):  # of the lock from an exposure
        lock_ns = frames[4].exposed_ns + offset_ms * MS
        for numbers, waits in ((range(1, 5), False), (range(1, 6), True)):
            asked: list[int] = []

            def frames_until(until_ns: int, asked: list[int] = asked) -> Sequence[Frame]:
                asked.append(until_ns)
                return recorded_frames_until(frames)(until_ns)

            judgement, reading = judge_class(frames_until, numbers, lock_ns - WINDOW, WINDOW)
            assert judgement.lock_frame is min(frames, key=lambda frame: abs(frame.exposed_ns - lock_ns))
            assert asked == sorted(asked) and reading.read_numbers == {1, 2, 3, 4}
            assert asked[-1] - lock_ns == 150 * MS if waits else asked[-1] - lock_ns <= S // 30


def test_a_crop_holds_the_card_and_stays_in_the_frame() -> None:
    scene, _ = class_scene(9, 6)
    image = scene.photograph(0)
    frame = BgrFrame(0, 0, 0, scene.optics.size, np.ascontiguousarray(image[..., ::-1]))
    for student in read_class(image, range(1, 10)).students:
        assert student.card is not None
        box = card_crop(student.card, frame.size)
        low, high = student.card.corners.min(0), student.card.corners.max(0)
        assert box.x <= low[0] and box.y <= low[1] and box.x + box.w >= high[0] and box.y + box.h >= high[1]
        assert box.w < 2.3 * student.card.side_px
        larger = np.asarray(cv2.resize(frame.pixels(box), None, fx=2, fy=2), np.uint8)
        again = read_class(larger, [student.number])
        assert again.read_numbers == {student.number}


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, -45.0])
def test_all_but_the_cards_is_blanked_however_they_are_held(tilt_deg: float) -> None:
    room = SimulatedClassroom(4, seed=2)
    cards = [room.card(number, card_face(number), HeldCard(0, 0, tilt_deg)) for number in room.people]
    scene = replace(room.scene(), objects=(*room.scene().objects, *cards))
    image = scene.photograph(0)
    frame = BgrFrame(7, 8, 9, scene.optics.size, np.ascontiguousarray(image[..., ::-1]), readout_ns=10)
    reading = read_class(image, room.people)
    blanked = blank_all_but_cards(frame, reading)
    assert (blanked.number, blanked.exposed_ns, blanked.exposure_ns, blanked.readout_ns) == (7, 8, 9, 10)
    is_shown = (blanked.pixels() != BLANK_GREY).any(2)
    assert (blanked.pixels()[is_shown] == image[is_shown]).all()
    sides = [student.card.side_px for student in reading.students if student.card is not None]
    assert len(sides) == 4
    assert is_shown.sum() == pytest.approx(sum((1.34 * side) ** 2 for side in sides), rel=0.1)
    assert read_class(blanked.pixels(), room.people).read_numbers == reading.read_numbers
