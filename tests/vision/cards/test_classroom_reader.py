"""A room of class cards before the simulated camera: ids and ways up are never wrong, nearly all that can be seen are
found, and everybody's throw is what one exposure shows."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.camera.frames import StoredFrame
from device.simulated.printed.classroom import Classroom, Holding
from device.simulated.printed.optics import Light
from device.simulated.printed.scene import Scene
from device.system.clock import JumpingClock
from rules.markers import WAYS, Kind, of_kind
from rules.throws import Throw
from throwlock.simulation.classroom import ClassPlayers, face
from tools.trials.card_scenes import scene
from vision.cards.classroom_reader import Doubt, Room, crop_box, judge_room, read_room
from vision.lock.void_reasons import TroubleKind

MS, S = 1_000_000, 1_000_000_000
CUE, WINDOW = 4 * S, 1000 * MS
COVERED = 0.02
"""A card less covered than this is all there: thumbs hold it, and edges of pixels count."""


def room_of(count: int, seed: int, blur: float = 0.6, light: Light | None = None, size: tuple[int, int] | None = None):
    """A still scene of a class, and the way everybody holds their card."""
    chance = np.random.default_rng(seed)
    classroom = Classroom(count, size, seed)
    empty = classroom.scene()
    ways = {number: int(chance.integers(4)) for number in classroom.desks}
    cards = [
        classroom.card(number, face(number), Holding(way, 0, float(chance.normal(0, 9))))
        for number, way in ways.items()
    ]
    optics = replace(empty.optics, blur_px=blur, noise=float(chance.uniform(2, 6)))
    return replace(empty, things=(*empty.things, *cards), optics=optics, light=light or empty.light), ways


def checked(made: Scene, ways: dict[int, int], room: Room) -> tuple[int, int]:
    """How many cards that are all there are found, of how many. None is read as another or another way up."""
    covered = {seen.name: seen.covered for seen in made.truth(0)}
    found = there = 0
    for student in room.students:
        whole = covered[f"card {student.number}"] < COVERED
        there += whole
        found += whole and student.card is not None
        if student.card is not None and student.doubt is not Doubt.SLANTED:
            assert student.throw == WAYS[ways[student.number]]
    return found, there


@pytest.mark.parametrize(
    ("count", "seed", "blur", "light"),
    [
        (63, 1, 0.6, None),
        (63, 2, 0.9, Light(level=0.5, to_right=0.3, to_bottom=0.2)),
        (30, 3, 0.5, Light(level=1.0, to_right=-0.3, to_bottom=-0.2)),
    ],
)
def test_a_whole_room_is_read(count: int, seed: int, blur: float, light: Light | None) -> None:
    made, ways = room_of(count, seed, blur, light)
    room = read_room(made.photograph(0), range(1, count + 1))
    found, there = checked(made, ways, room)
    assert there >= 0.9 * count and found >= 0.99 * there
    assert not room.strangers


def test_a_card_that_a_neighbour_hides_is_missing_and_never_guessed() -> None:
    made, ways = room_of(12, 5)
    front = {thing.name: thing for thing in made.things}
    over = front["card 2"].keys[0][1]
    hiding = replace(front["body 5"], name="hides", keys=((0, replace(over, x=over.x + 260, z=over.z + 30)),))
    made = replace(made, things=(*made.things, hiding))
    covered = {seen.name: seen.covered for seen in made.truth(0)}
    assert 0.2 < covered["card 2"] < 0.9
    room = read_room(made.photograph(0), range(1, 13))
    assert 2 in room.missing and room.students[1].throw is None and room.students[1].doubt is Doubt.MISSING
    checked(made, ways, room)


def test_cards_of_no_student_and_cards_there_twice_are_told() -> None:
    numbers = {card.number: card.marker for card in of_kind(Kind.CLASS)}
    one, _ = scene(7, 60, markers=[numbers[3], numbers[40]])
    other, _ = scene(8, 60, markers=[numbers[3]])
    room = read_room(np.vstack([one, other]), range(1, 31))
    assert room.twice == (3,) and room.strangers == (40,)
    assert room.students[2].throw is None and len(room.missing) == 29


def test_the_lock_reads_one_exposure_and_says_why_somebody_has_no_throw() -> None:
    clock = JumpingClock()
    clock.wait_until(S)
    players = ClassPlayers(clock, 10, seed=2)
    room, camera = Classroom(10, seed=2), players.camera
    camera.start()
    shown = CUE + 400 * MS
    holdings = dict.fromkeys(range(1, 11), Holding(0, shown))
    holdings |= {2: Holding(1, shown), 3: Holding(2, shown), 4: Holding(3, shown), 5: Holding(0, shown, 43.0)}
    holdings |= {6: Holding(0, CUE + WINDOW + 170 * MS), 7: Holding(0, None)}
    camera.lay(*(room.card(number, face(number), holding, S) for number, holding in holdings.items()))
    clock.wait_until(CUE + WINDOW + 300 * MS)
    frames = camera.ring(CUE + WINDOW - 150 * MS, CUE + WINDOW + 150 * MS)
    judgement, seen = judge_room(frames, range(1, 11), CUE, WINDOW)
    assert abs(judgement.lock_frame.exposed_ns - judgement.lock_ns) <= S / 60 and judgement.trouble is None
    by = {seat.seat: seat for seat in judgement.seats}
    assert [by[seat].at_lock for seat in (1, 2, 3)] == [Throw.ROCK, Throw.PAPER, Throw.SCISSORS]
    assert {seat: by[seat].cause for seat in (4, 5, 6, 7)} == {
        4: Doubt.NO_THROW,
        5: Doubt.SLANTED,
        6: Doubt.MOVING,
        7: Doubt.MISSING,
    }
    assert all(by[seat].at_lock is None for seat in (4, 5, 6, 7))
    assert seen.seen == {1, 2, 3, 4, 5, 8, 9, 10}
    late, _ = judge_room(frames[:2], range(1, 11), CUE + S, WINDOW)
    assert late.trouble is not None and late.trouble.kind is TroubleKind.FEW_FRAMES


def test_a_crop_holds_the_card_and_stays_in_the_frame() -> None:
    made, _ = room_of(9, 6)
    picture = made.photograph(0)
    frame = StoredFrame(0, 0, 0, made.optics.size, np.ascontiguousarray(picture[..., ::-1]))
    for student in read_room(picture, range(1, 10)).students:
        assert student.card is not None
        box = crop_box(student.card, frame.size)
        low, high = student.card.corners.min(0), student.card.corners.max(0)
        assert box.x <= low[0] and box.y <= low[1] and box.x + box.w >= high[0] and box.y + box.h >= high[1]
        assert box.w < 2.3 * student.card.side
        again = read_room(cv2.resize(frame.pixels(box), None, fx=2, fy=2), [student.number])
        assert again.seen == {student.number}
