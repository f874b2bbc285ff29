"""Tests of the simulated table as a camera: numbers and times of frames, lost frames, errors, zones and ground
truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.camera.base import Camera, CameraError
from device.camera.frames import Box
from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.simulated.table.people import SimulatedPerson, random_people
from device.simulated.table.seating import SimulatedSeating
from device.system.clock import SimulatedClock
from tests.helpers.hand_truth import hand_truth

MS = 1_000_000
SECOND = 1_000 * MS
BEAT = 500 * MS


def started_table(seats: int = 2, **options: object) -> tuple[SimulatedClock, SimulatedTable]:
    clock = SimulatedClock(20 * SECOND)
    table = SimulatedTable(clock, seats, **options)  # type: ignore[arg-type]  # each test's own options
    table.start()
    return clock, table


def test_table_is_a_camera() -> None:
    camera: Camera = started_table()[1]
    assert camera.size == (1280, 720)
    assert camera.fps == 60


def test_frames_are_numbered_by_their_time() -> None:
    clock, table = started_table()
    clock.wait_until(22 * SECOND)
    frames = table.frames_between(0, clock.now_ns())
    assert [frame.number for frame in frames] == [round(frame.exposed_ns * 60 / 1e9) for frame in frames]
    assert np.diff([frame.number for frame in frames]).tolist() == [1] * (len(frames) - 1)
    assert np.diff([frame.exposed_ns for frame in frames]) == pytest.approx(1e9 / 60, abs=1)
    assert len(frames) in {119, 120}
    assert {(frame.exposure_ns, frame.size) for frame in frames} == {(8 * MS, (1280, 720))}


def test_frames_between_returns_exactly_the_range() -> None:
    clock, table = started_table()
    clock.wait_until(22 * SECOND)
    every = table.frames_between(0, 10**18)
    some = table.frames_between(every[10].exposed_ns, every[20].exposed_ns)
    assert some == every[10:21]
    assert list(table.frames_between(every[10].exposed_ns + 1, every[11].exposed_ns - 1)) == []


def test_no_frame_is_from_the_future_or_before_the_start() -> None:
    clock, table = started_table()
    with pytest.raises(CameraError, match="no frame yet"):
        table.latest()
    for step in range(50):
        clock.wait_until(20 * SECOND + step * 7_300_000)
        frames = table.frames_between(0, 10**18)
        assert all(20 * SECOND - 17 * MS < f.exposed_ns <= clock.now_ns() - f.exposure_ns // 2 for f in frames)
    assert table.latest() == frames[-1]
    assert clock.now_ns() - frames[-1].exposed_ns < 1e9 / 60 + 4 * MS + 1


def test_frames_are_available_for_six_seconds() -> None:
    clock, table = started_table()
    clock.wait_until(40 * SECOND)
    frames = table.frames_between(0, 10**18)
    assert 34 * SECOND <= frames[0].exposed_ns < 34 * SECOND + 17 * MS


def test_lost_frames_leave_a_gap_and_are_counted() -> None:
    clock, table = started_table(drop_share=0.1, seed=3)
    clock.wait_until(25 * SECOND)
    numbers = [frame.number for frame in table.frames_between(0, 10**18)]
    lost = numbers[-1] - numbers[0] + 1 - len(numbers)
    assert 10 < lost < 60
    assert lost <= table.dropped <= lost + 5  # the first or the last may be lost as well
    assert numbers == [frame.number for frame in table.frames_between(0, 10**18)]
    clock.wait_until(1000 * SECOND)
    assert table.dropped == pytest.approx(0.1 * 980 * 60, rel=0.05)
    assert table.latest().number <= 1000 * 60


def test_camera_that_loses_every_frame_raises() -> None:
    clock, table = started_table(drop_share=1.0)
    clock.wait_until(21 * SECOND)
    with pytest.raises(CameraError, match="no frame"):
        table.latest()


def test_stall_raises_until_restarted() -> None:
    clock = SimulatedClock(SECOND)
    table = SimulatedTable(clock, 2)
    for look in (table.latest, lambda: table.frames_between(0, 1)):
        with pytest.raises(CameraError, match="start it first"):
            look()
    table.start()
    clock.wait_until(2 * SECOND)
    table.latest()
    table.stall()
    for look in (table.latest, lambda: table.frames_between(0, 1)):
        with pytest.raises(CameraError, match="stalled"):
            look()
    clock.wait_until(3 * SECOND)
    table.start()
    clock.wait_until(4 * SECOND)
    assert all(frame.exposed_ns > 3 * SECOND - 17 * MS for frame in table.frames_between(0, 10**18))
    table.stop()
    table.stop()
    with pytest.raises(CameraError, match="not running"):
        table.latest()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 1}, "2 to 8 seats, not 1"),
        ({"seats": 9}, "2 to 8 seats, not 9"),
        ({"drop_share": 1.5}, "0 to 1, not 1.5"),
        ({"exposure_ns": 20 * MS}, "20.0 ms does not fit"),
        ({"readout_ns": 20 * MS}, "readout of 20.0 ms does not fit"),
        ({"cloth": "tartan"}, "no table cloth 'tartan'; choose from plain"),
        ({"people": [SimulatedPerson()] * 3}, "3 people can't sit on 2 seats"),
    ],
)
def test_invalid_options_raise(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SimulatedTable(SimulatedClock(), **{"seats": 2, **options})  # type: ignore[arg-type]  # invalid on purpose


def test_invalid_seats_and_people_raise() -> None:
    _, table = started_table()
    for seat in (0, 3):
        with pytest.raises(ValueError, match=f"no seat {seat}; seats are 1 to 2"):
            table.perform(seat, Performance("rock", 90 * SECOND, BEAT))
    with pytest.raises(ValueError, match="no such person"):
        SimulatedPerson(skin=1.2)


@pytest.mark.parametrize("size", [(1280, 720), (640, 480), (1920, 1080), (1536, 864)])
@pytest.mark.parametrize("seats", range(2, 9))
def test_zones_are_inside_the_frame_and_disjoint(seats: int, size: tuple[int, int]) -> None:
    zones = SimulatedSeating([SimulatedPerson()] * seats, size).zones
    assert len(zones) == seats
    for x, y, w, h in zones:
        assert min(x, y) >= 0
        assert max(x + w, y + h) <= 1
        assert w * size[0] == pytest.approx(h * size[1])
    for i, (x, y, w, h) in enumerate(zones):
        for x2, y2, w2, h2 in zones[i + 1 :]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
    right = zones[(seats - 2) // 2 + 1]  # those below the table's middle come between the left and the right seat
    assert zones[0][0] + zones[0][2] < right[0]
    assert zones[0][1] == pytest.approx(right[1])


@settings(max_examples=25, deadline=None)
@given(
    seats=st.integers(2, 8),
    seed=st.integers(0, 1 << 20),
    throw=st.sampled_from(["rock", "paper", "scissors"]),
    half_open=st.booleans(),
)
def test_held_hand_is_well_inside_its_zone(seats: int, seed: int, throw: str, half_open: bool) -> None:
    clock = SimulatedClock()
    table = SimulatedTable(clock, seats, seed, cloth="plain")
    cue = 5 * SECOND
    for seat in range(1, seats + 1):
        table.perform(seat, Performance(throw, cue, BEAT, half_open=half_open))
    for seat, zone in enumerate(table.zones, 1):
        x, y, w, h = (share * of for share, of in zip(zone, (1280, 720, 1280, 720), strict=True))
        for after_ms in (-1500, -1000, -500, 0, 60, 700, 1450):
            points = hand_truth(table, seat, cue + after_ms * MS).keypoints
            margin = 0.08 * w
            assert (points >= (x + margin, y + margin)).all()
            assert (points <= (x + w - margin, y + h - margin)).all()


@pytest.mark.parametrize("seats", range(2, 9))
def test_open_hand_fills_about_half_of_its_zone(seats: int) -> None:
    clock = SimulatedClock()
    table = SimulatedTable(clock, seats, seed=seats, cloth="plain")
    for seat in range(1, seats + 1):
        table.perform(seat, Performance("paper", 5 * SECOND, BEAT))
        points = hand_truth(table, seat, 6 * SECOND).keypoints
        length = np.linalg.norm(points[0] - points[12])
        assert length >= 108
        assert 0.40 <= length / (table.zones[seat - 1][2] * 1280) <= 0.58


def test_truth_follows_the_performances() -> None:
    table = started_table(people=[SimulatedPerson(), SimulatedPerson(left=True)])[1]
    cue = 25 * SECOND
    paper = Performance("paper", cue, BEAT, after_cue_ns=250 * MS)
    table.perform(1, paper)
    table.perform(2, Performance("scissors", cue, BEAT))
    assert hand_truth(table, 1, paper.shown_ns).openness == 0.5
    assert hand_truth(table, 1, paper.shown_ns - 100 * MS).shape == "rock"
    assert hand_truth(table, 1, paper.shown_ns + 100 * MS).shape == "paper"
    assert hand_truth(table, 2, cue + 100 * MS).shape == "scissors"
    points = hand_truth(table, 2, cue + 100 * MS).keypoints
    reach = np.linalg.norm(points - points[0], axis=1)
    assert min(reach[8], reach[12]) > 1.3 * max(reach[16], reach[20])


def test_left_hands_are_mirrored_right_hands() -> None:
    people = [SimulatedPerson(), SimulatedPerson(), SimulatedPerson(), SimulatedPerson(left=True)]
    table = SimulatedTable(SimulatedClock(), 4, people=people, cloth="plain")
    for seat in (3, 4):
        points = hand_truth(table, seat, 0).keypoints
        forward, thumb = points[9] - points[0], points[1] - points[0]
        side = forward[0] * thumb[1] - forward[1] * thumb[0]
        # y runs down in pixels: a right hand's thumb, palm down, is counter-clockwise of its fingers
        assert (side > 0) == people[seat - 1].left


def test_hidden_hand_is_outside_the_frame() -> None:
    for seats in range(2, 9):
        clock = SimulatedClock()
        table = SimulatedTable(clock, seats, seed=seats, cloth="plain")
        for seat in range(1, seats + 1):
            table.perform(seat, Performance("paper", 5 * SECOND, BEAT, hidden=True))
            x, y = hand_truth(table, seat, 5 * SECOND).keypoints.T
            assert ((x < 0) | (x > 1280) | (y < 0) | (y > 720)).all()


def test_frame_arrives_after_its_last_row_was_exposed() -> None:
    clock, table = started_table(readout_ns=12 * MS)
    clock.wait_until(21 * SECOND)
    for _ in range(40):
        clock.wait_until(clock.now_ns() + 3_300_000)
        newest = table.latest()
        assert newest.readout_ns == 12 * MS
        assert newest.row_ns(720) + newest.exposure_ns // 2 <= clock.now_ns()
        assert clock.now_ns() - newest.row_ns(720) < 1e9 / 60 + 4 * MS + 2


def test_new_performance_leaves_earlier_frames_unchanged() -> None:
    clock, table = started_table(cloth="plain")
    cue = 25 * SECOND
    table.perform(1, Performance("paper", cue, BEAT))
    clock.wait_until(cue + 200 * MS)
    frame = table.latest()
    box = Box(200, 200, 300, 300)
    before = frame.pixels(box, (64, 64))
    table.perform(1, Performance("rock", cue + 2 * SECOND, BEAT))
    again = next(f for f in table.frames_between(0, 10**18) if f.number == frame.number)
    assert (frame.pixels(box, (64, 64)) == before).all()
    assert (again.pixels(box, (64, 64)) == before).all()
    assert hand_truth(table, 1, cue + 3 * SECOND).shape == "rock"


def test_old_performances_are_forgotten() -> None:
    clock, table = started_table(cloth="plain")
    for _ in range(30):
        cue = clock.now_ns() + 3 * SECOND
        table.perform(1, Performance("paper", cue, BEAT))
        clock.wait_until(cue + 3 * SECOND)
    frame = table.latest()
    assert len(frame.schedules[0]) < 6  # type: ignore[attr-defined]  # only simulated frames have it
    assert hand_truth(table, 1, cue).openness == 0.5


def test_random_people_depend_on_the_seed() -> None:
    assert random_people(8, 5) == random_people(8, 5)
    assert random_people(8, 5) != random_people(8, 6)
    many = [person for seed in range(40) for person in random_people(8, seed)]
    skins = np.array([person.skin for person in many])
    assert (np.histogram(skins, 4, (0, 1))[0] > 40).all()
    assert {person.left for person in many} == {True, False}
    assert {person.sleeve is None for person in many} == {True, False}
