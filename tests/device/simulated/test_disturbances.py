"""Tests of the disturbances: each is visible as its ground truth says, only while it lasts, and equally in every
crop."""

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.camera.frames import Box, Frame, Pixels
from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.simulated.table.disturbances import AMOUNT_LIMITS, DISTURBANCE_KINDS, Disturbance
from device.simulated.table.people import SimulatedPerson
from device.system.clock import SimulatedClock
from tests.helpers.hand_truth import camera_movement, disturbance_truth, hand_truth

MS = 1_000_000
SECOND = 1_000 * MS
CUE = 5 * SECOND
BEGINS, ENDS = CUE - 900 * MS, CUE + 1500 * MS
HELD = CUE + 500 * MS
ZONE_1, ZONE_2 = Box(126, 141, 436, 436), Box(716, 141, 436, 436)
SEATS = {"two hands": {"seat": 1}, "wrong zone": {"seat": 1, "into_seat": 2}, "reaching": {"seat": 2}}
SEEN = [kind for kind in DISTURBANCE_KINDS if kind != "gap"]


def make_disturbance(kind: str, **fields: object) -> Disturbance:
    return Disturbance(kind, **{"start_ns": BEGINS, "end_ns": ENDS, **SEATS.get(kind, {}), **fields})  # type: ignore[arg-type]


def table_with(*disturbances: Disturbance, **options: object) -> tuple[SimulatedClock, SimulatedTable]:
    clock = SimulatedClock()
    people = [SimulatedPerson(skin=0.2, sleeve=(40, 90, 60)), SimulatedPerson(skin=0.7)]
    table = SimulatedTable(clock, 2, **{"seed": 4, "cloth": "wood", "people": people, **options})  # type: ignore[arg-type]
    table.start()
    for seat in (1, 2):
        table.perform(seat, Performance("paper", CUE, 500 * MS))
    for one in disturbances:
        table.disturb(one)
    return clock, table


def frame_at(clock: SimulatedClock, table: SimulatedTable, when_ns: int) -> Frame:
    clock.wait_until(when_ns + 20 * MS)
    return min(table.frames_between(0, 10**18), key=lambda one: abs(one.exposed_ns - when_ns))


def picture_of(*disturbances: Disturbance, when_ns: int = HELD, box: Box | None = None, small: int = 4) -> Pixels:
    part = box or Box(0, 0, 1280, 720)
    return frame_at(*table_with(*disturbances), when_ns).pixels(part, (part.w // small, part.h // small))


@cache
def undisturbed_picture(when_ns: int, small: int) -> Pixels:
    """Return the picture of an undisturbed table, for comparison."""
    return picture_of(when_ns=when_ns, small=small)


def difference(a: NDArray[np.generic], b: NDArray[np.generic]) -> float:
    return float(np.abs(a.astype(float) - b.astype(float)).mean())


def inside(points: NDArray[np.float64], box: Box, margin: float = 0) -> bool:
    low, high = np.array(box[:2]) + margin, np.array(box[:2]) + np.array(box[2:]) - margin
    return bool(((points >= low) & (points <= high)).all())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "earthquake"}, "no disturbance 'earthquake'; choose from two hands"),
        ({"end_ns": BEGINS}, "end_ns must come after"),
        ({"variant": -1}, "variant must be 0 or more"),
        ({"kind": "two hands", "seat": None}, "'two hands' needs a seat"),
        ({"kind": "covered", "seat": 1}, "'covered' has no seat"),
        ({"kind": "wrong zone", "into_seat": None}, "'wrong zone' needs it"),
        ({"kind": "wrong zone", "into_seat": 1}, "seat 1 can't be astray in its own zone"),
        ({"kind": "two hands", "by_seat": 2}, "only 'reaching' has it"),
        ({"kind": "reaching", "shown_ns": CUE}, "only 'two hands' has it"),
        ({"kind": "two hands", "throw": "spock"}, "can't show 'spock'"),
        ({"kind": "two hands", "amount": 0.5}, "'two hands' has no amount"),
        ({"kind": "dark", "amount": 1.0}, "remaining share of the light is 0 to 0.9, not 1"),
        ({"kind": "moved", "amount": 0.0}, "0.01 to 0.15, not 0"),
    ],
)
def test_contradictory_fields_raise(change: dict[str, object], message: str) -> None:
    kind = str(change.get("kind", "covered"))
    with pytest.raises(ValueError, match=message):
        make_disturbance(kind, **{name: value for name, value in change.items() if name != "kind"})


def test_invalid_requests_to_the_table_raise() -> None:
    clock, table = table_with()
    with pytest.raises(ValueError, match="no seat 3; seats are 1 to 2"):
        table.disturb(make_disturbance("wrong zone", into_seat=3))
    clock.wait_until(CUE)
    with pytest.raises(ValueError, match="announced too late: it began 900 ms ago"):
        table.disturb(make_disturbance("covered"))
    with pytest.raises(ValueError, match="'dark' has no hand"):
        disturbance_truth(table, make_disturbance("dark"), CUE)


@pytest.mark.parametrize("kind", SEEN)
def test_disturbance_is_visible_only_while_it_lasts(kind: str) -> None:
    before, during, after = (
        difference(picture_of(make_disturbance(kind), when_ns=when, small=8), undisturbed_picture(when, 8))
        for when in (BEGINS - 20 * MS, HELD, ENDS + 20 * MS)
    )
    assert before == after == 0
    assert during > 0.2


@pytest.mark.parametrize("kind", SEEN)
def test_the_same_seed_and_variant_give_the_same_pixels(kind: str) -> None:
    one, again, other = (picture_of(make_disturbance(kind, variant=v), small=8) for v in (1, 1, 2))
    assert (one == again).all()
    if kind not in ("dark", "flicker"):  # they leave nothing open
        assert difference(one, other) > 0.1


@pytest.mark.parametrize("when_ns", [HELD, BEGINS + 60 * MS])
@pytest.mark.parametrize("kind", SEEN)
def test_crop_equals_the_part_of_the_whole_frame(kind: str, when_ns: int) -> None:
    frame = frame_at(*table_with(make_disturbance(kind)), when_ns)
    for zone, box in ((ZONE_1, Box(250, 260, 171, 133)), (ZONE_2, Box(840, 280, 160, 150))):
        whole, part = frame.pixels(zone), frame.pixels(box)[8:-8, 8:-8]
        x, y = box.x - zone.x, box.y - zone.y
        assert difference(part, whole[y : y + box.h, x : x + box.w][8:-8, 8:-8]) < 1.0


@pytest.mark.parametrize("kind", ["two hands", "wrong zone", "reaching", "moved"])
def test_small_picture_equals_the_scaled_large_one(kind: str) -> None:
    zone = ZONE_1 if kind == "two hands" else ZONE_2
    large, small = (picture_of(make_disturbance(kind), box=zone, small=times) for times in (1, 2))
    scaled = large.astype(float).reshape(218, 2, 218, 2, 3).mean(axis=(1, 3))
    assert difference(small, scaled) < 2.0


@pytest.mark.parametrize("variant", range(2))
@pytest.mark.parametrize(("kind", "zone"), [("two hands", ZONE_1), ("wrong zone", ZONE_2), ("reaching", ZONE_2)])
def test_hand_is_drawn_where_the_truth_says(kind: str, zone: Box, variant: int) -> None:
    one = make_disturbance(kind, variant=variant)
    clock, table = table_with(one)
    frame = frame_at(clock, table, HELD)
    points = disturbance_truth(table, one, frame.exposed_ns).keypoints
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    assert inside(middle[None], zone, 50)
    changed = np.abs(frame.pixels(zone).astype(float) - picture_of(box=zone, small=1)).max(axis=2)
    knuckles = points[[5, 9, 13, 17]].round().astype(int) - zone[:2]
    assert np.median([changed[y - 3 : y + 3, x - 3 : x + 3].mean() for x, y in knuckles]) > 12
    assert table.disturbances == (one,)


def test_second_hand_is_the_players_other_next_to_the_first() -> None:
    for variant in range(6):
        one = make_disturbance("two hands", variant=variant, throw="scissors", shown_ns=CUE)
        _, table = table_with(one)
        first, second = hand_truth(table, 1, HELD), disturbance_truth(table, one, HELD)
        assert (first.shape, second.shape) == ("paper", "scissors")
        assert inside(second.keypoints, ZONE_1)
        assert np.abs(first.keypoints.mean(axis=0) - second.keypoints.mean(axis=0)).max() > 90

        def handed(points: NDArray[np.float64]) -> bool:
            (fx, fy), (tx, ty) = points[9] - points[0], points[1] - points[0]
            return bool(fx * ty - fy * tx > 0)

        assert handed(first.keypoints) != handed(second.keypoints)
        assert disturbance_truth(table, one, CUE - 100 * MS).openness == 0
        assert disturbance_truth(table, one, CUE).openness == 0.5


def test_hand_in_the_wrong_zone_throws_there_and_returns() -> None:
    _, table = table_with(make_disturbance("wrong zone"))
    assert inside(hand_truth(table, 1, BEGINS - 10 * MS).keypoints, ZONE_1)
    there = hand_truth(table, 1, HELD)
    assert there.shape == "paper"
    assert inside(there.keypoints, ZONE_2)
    assert inside(hand_truth(table, 1, ENDS).keypoints, ZONE_1)
    assert inside(hand_truth(table, 2, HELD).keypoints, ZONE_2)


@pytest.mark.parametrize("seats", [2, 3, 5, 8])
def test_every_zone_of_every_table_can_be_disturbed(seats: int) -> None:
    """Also, no arm ends inside the frame."""
    table = SimulatedTable(SimulatedClock(), seats, seats, cloth="plain")
    for seat in range(1, seats + 1):
        table.perform(seat, Performance("paper", CUE, 500 * MS))
    half = np.array(table.size) / 2 * table.seating.optics.height_mm / table.seating.optics.focal_px
    for seat in range(1, seats + 1):
        into = seat % seats + 1
        for one in (
            make_disturbance("two hands", seat=seat),
            make_disturbance("wrong zone", seat=seat, into_seat=into),
            make_disturbance("reaching", seat=seat),
            make_disturbance("reaching", seat=seat, by_seat=into),
        ):
            points = disturbance_truth(table, one, HELD).keypoints
            zone = table.zones[(one.into_seat or seat) - 1]
            x, y, w, h = (share * of for share, of in zip(zone, (1280, 720, 1280, 720), strict=True))
            middle = (points.min(axis=0) + points.max(axis=0)) / 2
            assert inside(middle[None], Box(int(x), int(y), int(w), int(h)), 0.08 * w)
            field = _field(table, one, HELD)
            assert (np.abs(field[:2, :4]).max(axis=1) > half).any()


def _field(table: SimulatedTable, one: Disturbance, when_ns: int) -> NDArray[np.float32]:
    from device.simulated.table.actors import disturbance_actor

    mover = disturbance_actor(table.seating, one, (), table.seed)
    return mover.hand_for(mover.action_at(when_ns)).field


@pytest.mark.parametrize("kind", ["two hands", "wrong zone", "reaching"])
def test_hands_come_and_go_smoothly(kind: str) -> None:
    one = make_disturbance(kind)
    _, table = table_with(one)
    points = np.array(
        [disturbance_truth(table, one, t).keypoints for t in range(BEGINS - 50 * MS, ENDS + 50 * MS, 5 * MS)]
    )
    steps = np.abs(np.diff(points, axis=0)).max(axis=(1, 2))
    assert steps.max() < 25  # pixels in 5 ms: 4 m/s plus the opening
    assert steps.max() > 2


def test_reaching_arm_is_larger_and_on_top() -> None:
    one = make_disturbance("reaching", by_seat=1)
    _, table = table_with(one)
    over, under = disturbance_truth(table, one, HELD).keypoints, hand_truth(table, 2, HELD).keypoints

    def palm(points: NDArray[np.float64]) -> float:
        return float(np.linalg.norm(points[0] - points[9]))

    assert palm(over) > 1.05 * palm(under)
    x, y = ((under[0] + 2 * under[9]) / 3).round().astype(int) - 6
    assert inside(np.array([[x, y]], float), Box(*over.min(axis=0).astype(int), *np.ptp(over, axis=0).astype(int)))
    hidden, bare = (picture_of(*what, box=Box(x, y, 12, 12), small=1).mean() for what in ((one,), ()))
    assert hidden > bare + 25  # seat 1’s skin is the lighter


def test_covered_pictures_show_no_detail() -> None:
    plain = undisturbed_picture(HELD, 8).astype(float)
    for variant in range(4):
        whole = picture_of(make_disturbance("covered", variant=variant), small=8).astype(float)
        assert (
            cv2.Laplacian(whole.mean(axis=2), cv2.CV_64F).std()
            < 0.5 * cv2.Laplacian(plain.mean(axis=2), cv2.CV_64F).std()
        )
        part = picture_of(make_disturbance("covered", variant=variant, amount=0.5), small=8).astype(float)
        left = (np.abs(part - plain).max(axis=2) < 3).mean()
        assert 0.3 < left < 0.75


def test_knocked_camera_shifts_the_image() -> None:
    one = make_disturbance("moved", amount=0.04)
    clock, table = table_with(one)
    frame = frame_at(clock, table, HELD)
    matrix = camera_movement(table, frame.exposed_ns)
    unmoved = picture_of(small=1)
    warped = cv2.warpAffine(unmoved, matrix, (1280, 720))
    for box in (ZONE_1, ZONE_2):
        seen, part = frame.pixels(box), np.s_[box.y : box.y + box.h, box.x : box.x + box.w]
        assert difference(seen, warped[part]) < 2.5
        assert difference(seen, unmoved[part]) > 6
    points = hand_truth(table, 1, frame.exposed_ns).keypoints
    _, still = table_with()
    there = hand_truth(still, 1, frame.exposed_ns).keypoints
    assert points == pytest.approx(there @ matrix[:, :2].T + matrix[:, 2])
    assert np.linalg.norm(points - there, axis=1).max() > 20


def test_knocked_camera_shakes_and_returns() -> None:
    _, table = table_with(make_disturbance("moved"))
    ways = [np.linalg.norm(camera_movement(table, BEGINS + t * MS)[:, 2]) for t in range(0, 600, 5)]
    assert np.abs(np.diff(ways)).max() < 30
    assert np.ptp(ways[60:]) > 1  # still oscillating after 300 ms
    assert (camera_movement(table, ENDS) == np.eye(2, 3)).all()
    assert (camera_movement(table, BEGINS - 1) == np.eye(2, 3)).all()


def test_tremor_stays_within_its_amplitude() -> None:
    _, table = table_with(make_disturbance("tremor", amount=2.0))
    shifts = np.array([camera_movement(table, t)[:, 2] for t in range(BEGINS, ENDS, 3 * MS)])
    assert 1.5 < np.abs(shifts).max() <= 2.56


def test_darkness_is_dark_and_noisy() -> None:
    def noise(picture: Pixels) -> float:
        return float((picture - cv2.GaussianBlur(picture.astype(float), (0, 0), 3)).std())

    box = Box(560, 10, 150, 140)
    bright = picture_of(box=box, small=1)
    levels = [picture_of(make_disturbance("dark", amount=level), box=box, small=1) for level in (0.0, 0.005, 0.05, 0.2)]
    means = [float(picture.mean()) for picture in levels]
    assert means == sorted(means)
    assert means[0] < 4
    assert means[1] < 0.3 * bright.mean()
    assert means[3] == pytest.approx(bright.mean() * 0.9, rel=0.1)  # the gain compensates for most of it …
    assert noise(levels[3]) > 1.2 * noise(bright)  # … and shows


def test_flicker_is_faint() -> None:
    clock, table = table_with(make_disturbance("flicker", amount=0.05))
    clock.wait_until(CUE + 700 * MS)
    frames = table.frames_between(CUE + 300 * MS, CUE + 700 * MS)
    means = [float(frame.pixels(None, (40, 22)).mean()) for frame in frames]
    assert 0.01 < np.ptp(means) / np.mean(means) < 0.08


def test_flicker_makes_bands_in_a_rolling_shutter() -> None:
    clock, table = table_with(make_disturbance("flicker", amount=0.1), readout_ns=16 * MS, cloth="grey")
    frame = frame_at(clock, table, HELD)
    strip = frame.pixels(Box(600, 0, 40, 720), (10, 180)).mean(axis=(1, 2))
    wave = np.exp(2j * np.pi * 1.6 * np.arange(180) / 180)  # 16 ms of 100 Hz
    assert abs((strip - strip.mean()) @ wave) / 90 > 0.02 * strip.mean()


def test_gap_loses_and_counts_its_frames() -> None:
    clock, table = table_with(Disturbance("gap", CUE, CUE + 500 * MS))
    clock.wait_until(CUE + 2 * SECOND)
    times = [frame.exposed_ns for frame in table.frames_between(CUE - SECOND, CUE + SECOND)]
    assert not [when for when in times if CUE <= when < CUE + 500 * MS]
    assert len(times) in (89, 90, 91)
    assert table.dropped == 30
    clock.wait_until(CUE + 60 * SECOND)
    table.disturb(Disturbance("covered", CUE + 61 * SECOND, CUE + 62 * SECOND))
    clock.wait_until(CUE + 120 * SECOND)
    table.disturb(Disturbance("dark", CUE + 121 * SECOND, CUE + 122 * SECOND))
    assert [one.kind for one in table.disturbances] == ["gap", "dark"]  # old ones are forgotten, but for lost frames
    assert table.dropped == 30


def test_gap_may_reduce_the_frame_rate() -> None:
    clock, table = table_with(Disturbance("gap", CUE, CUE + SECOND, amount=6.0))
    clock.wait_until(CUE + 2 * SECOND)
    assert len(table.frames_between(CUE, CUE + SECOND)) in (5, 6, 7)


def test_default_amounts_are_within_their_limits() -> None:
    for kind, limits in AMOUNT_LIMITS.items():
        assert limits.minimum <= limits.default <= limits.maximum
        assert make_disturbance(kind).strength == limits.default
