"""Other hands in a zone, told apart by where their arms come from: with given hands; then with the real model at the
simulated table."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from device.camera.frames import BgrFrame, Box, Pixels
from device.simulated.table.animation import Performance, Stance
from device.simulated.table.camera import SimulatedTable
from device.simulated.table.disturbances import Disturbance
from device.system.clock import SimulatedClock
from rules.record.judgement import Verdict
from rules.throws import Throw
from tests.helpers.scripted_hands import CUE, MS, SEATING, SIZE, ScriptedDetector, hand_landmarks
from vision.hands.augmentation import VIVID_SATURATION
from vision.hands.detector import DetectedHand
from vision.hands.model import ModelError
from vision.lock.judge import Judge
from vision.lock.judgement import Judgement
from vision.lock.occupancy import (
    PLAIN,
    ZoneOccupancy,
    changed_area,
    detect_hands,
    detect_occupancy,
    resolve_foreign_hands,
)
from vision.lock.reasons import VoidKind
from vision.lock.verdict import SeatVerdict
from vision.lock.zone_view import MAX_INPUT_PX, ZoneView
from vision.zones import Zone

BOXES = [Zone(*zone).box(SIZE) for zone in SEATING.zones]
OWN = [hand_landmarks(Stance(paper=1), seat)[0] for seat in (1, 2)]
SIDE = BOXES[0].w
PLAIN_PX = max(BOXES[0].size_within(MAX_INPUT_PX))
"""Side of the image that the hand model gets of a zone without a margin."""


def seat(number: int, verdict: Verdict = Verdict.ON_TIME) -> SeatVerdict:
    throw = None if verdict is Verdict.UNSEEN else Throw.PAPER
    return SeatVerdict(number, verdict, throw, throw, None, BOXES[number - 1])


def usual_heading(number: int) -> float:
    return float(np.arctan2(*(OWN[number - 1][9] - OWN[number - 1][0])[::-1]))


def at(points: np.ndarray, box: Box, aside: float = 0.0) -> np.ndarray:
    """Return a hand moved to the centre of a zone, and by a share ``aside`` of the zone across the table."""
    middle = (points.min(0) + points.max(0)) / 2
    return points - middle + (box.x + box.w / 2, box.y + box.h / 2 + aside * box.h)


def occupancy_of(number: int, *hands: np.ndarray) -> ZoneOccupancy:
    return ZoneOccupancy((hands,) * 3, (0.0,) * 9, usual_heading(number))


def resolve_zone_1(*hands: np.ndarray, missing: bool = False) -> tuple[tuple[SeatVerdict, ...], VoidKind | None]:
    """Return the verdicts and the kind of void reason with these hands in the zone of seat 1."""
    seats = [seat(1), seat(2, Verdict.UNSEEN if missing else Verdict.ON_TIME)]
    other = ZoneOccupancy(((),) if missing else ((OWN[1],),))
    after, void_reason = resolve_foreign_hands(seats, [occupancy_of(1, *hands), other], SIZE)
    return after, void_reason.kind if void_reason else None


def test_one_hand_is_no_foul() -> None:
    after, void_reason = resolve_zone_1(OWN[0])
    assert [one.verdict for one in after] == [Verdict.ON_TIME] * 2 and void_reason is None


def test_two_hands_from_one_side_are_the_owners() -> None:
    after, void_reason = resolve_zone_1(OWN[0], at(OWN[0], BOXES[0], 0.3))
    assert [one.verdict for one in after] == [Verdict.TWO_HANDS, Verdict.ON_TIME] and void_reason is None
    assert after[0].at_lock is None


def test_another_players_hand_is_theirs_when_their_zone_is_empty() -> None:
    after, void_reason = resolve_zone_1(OWN[0], at(OWN[1], BOXES[0], 0.3), missing=True)
    assert [one.verdict for one in after] == [Verdict.ON_TIME, Verdict.WRONG_ZONE] and void_reason is None
    assert after[1].entered_zone == 1 and after[0].at_lock is Throw.PAPER


def test_an_extra_hand_is_the_one_missing_elsewhere() -> None:
    """Whose throw was read is then unknown; with nobody or two missing, the pair is its owner's."""
    pair = OWN[0], at(OWN[0], BOXES[0], 0.3)
    after, void_reason = resolve_zone_1(*pair, missing=True)
    assert [one.verdict for one in after] == [Verdict.ON_TIME, Verdict.WRONG_ZONE] and void_reason is None
    assert (after[0].at_lock, after[1].entered_zone) == (None, 1)
    in_turn = ZoneOccupancy(((OWN[0],),), (0.0,) * 5 + (95.0,) * 2, usual_heading(1))
    one_missing = [seat(1), seat(2, Verdict.UNSEEN)]
    after, reason = resolve_foreign_hands(one_missing, [in_turn, ZoneOccupancy(((),))], SIZE)
    assert [one.verdict for one in after] == [Verdict.ON_TIME, Verdict.WRONG_ZONE] and reason is None
    for passing, verdict in ((1, Verdict.WRONG_ZONE), (2, Verdict.UNSEEN)):
        seen = ZoneOccupancy(((),), (0.0,) * passing, 0.0, changed_area=0.2)  # its arm lies over its own zone
        after, reason = resolve_foreign_hands(one_missing, [occupancy_of(1, *pair), seen], SIZE)
        assert after[1].verdict is verdict and (reason is None) is (verdict is Verdict.WRONG_ZONE)
    three = [seat(1), seat(2, Verdict.UNSEEN), replace(seat(2, Verdict.UNSEEN), seat=3)]
    after, _ = resolve_foreign_hands(three, [occupancy_of(1, *pair), *[ZoneOccupancy(((),))] * 2], SIZE)
    assert [one.verdict for one in after] == [Verdict.TWO_HANDS, Verdict.UNSEEN, Verdict.UNSEEN]


def test_other_hands_are_searched_in_known_colours() -> None:
    saturations: list[float] = []

    class VividDetector(FixedDetector):
        def detect(self, image: Pixels) -> list[DetectedHand]:
            saturations.append(float(np.ptp(image[0, 0].astype(int))))
            return super().detect(image)

    image = np.full((720, 1280, 3), (90, 100, 110), np.uint8)
    detector = VividDetector(hands=[OWN[0]])
    for saturation in (1.0, VIVID_SATURATION):
        view = ZoneView(
            [BgrFrame(i, i * 20 * MS, 0, SIZE, image) for i in range(20)], Zone(*SEATING.zones[0]), detector
        )
        view.saturation = saturation
        detect_occupancy(view, seat(1), 200 * MS, False, detector)
    assert saturations[1] == pytest.approx(VIVID_SATURATION * saturations[0], abs=2)


def test_missing_hand_is_searched_with_a_margin() -> None:
    """A zone with one hand gets one call of the model, and four where a margin shows a second one."""

    class MarginDetector(FixedDetector):
        def detect(self, image: Pixels) -> list[DetectedHand]:
            shapes.append(image.shape)
            margin = (image.shape[0] - PLAIN_PX) // 2
            found = super().detect(image[:PLAIN_PX, :PLAIN_PX])
            return [replace(one, landmarks=one.landmarks + margin) for one in found[: 2 if margin else 1]]

    shapes: list[tuple[int, ...]] = []
    frames = [BgrFrame(i, i * 20 * MS, 0, SIZE, np.zeros((720, 1280, 3), np.uint8)) for i in range(20)]
    detector = MarginDetector(hands=[OWN[0], at(OWN[0], BOXES[0], 0.3)])
    view = ZoneView(frames, Zone(*SEATING.zones[0]), detector)
    assert len(detect_occupancy(view, seat(1), 200 * MS, False, detector).hands_by_frame) == len(shapes) == 1
    occupancy = detect_occupancy(view, seat(1), 200 * MS, True, detector)
    assert len(occupancy.pairs) == 3 and len(shapes) == 4  # the first is known


def test_the_owner_hidden_by_anothers_hand_is_not_blamed() -> None:
    after, void_reason = resolve_zone_1(at(OWN[1], BOXES[0]), missing=True)
    assert [one.verdict for one in after] == [Verdict.WRONG_ZONE if n else Verdict.ON_TIME for n in (0, 1)]
    assert void_reason is None


@pytest.mark.parametrize(
    ("verdict", "across", "expected"),
    [
        (Verdict.UNCLEAR, True, (Verdict.ON_TIME, None)),
        (Verdict.UNCLEAR, False, (Verdict.UNCLEAR, Throw.PAPER)),
        (Verdict.LATE, True, (Verdict.LATE, Throw.PAPER)),
    ],
)
def test_a_seat_under_an_arm_is_not_blamed(
    verdict: Verdict, across: bool, expected: tuple[Verdict, Throw | None]
) -> None:
    foreign = at(OWN[1], BOXES[0])
    wrist_x, wrist_y = foreign[0].round().astype(int)
    elbow_x, elbow_y = 2 * foreign[0] - foreign[9]
    away = 0 if across else 4 * SIDE
    under = Box(round(min(wrist_x, elbow_x)), round(min(wrist_y, elbow_y) + away), SIDE, SIDE)
    seats = [seat(1), seat(2, Verdict.UNSEEN), replace(seat(1, verdict), seat=3, crop=under)]
    covered = ZoneOccupancy(((),), changed_area=0.2)
    occupancies = [occupancy_of(1, foreign), ZoneOccupancy(((),)), covered]
    after, void_reason = resolve_foreign_hands(seats, occupancies, SIZE)
    assert after[1].verdict is Verdict.WRONG_ZONE
    assert (after[2].verdict, after[2].at_lock) == expected
    is_excused = expected[0] is not verdict
    assert (void_reason is None) is is_excused, "the arm over its zone is that of the hand in the wrong one"


@pytest.mark.parametrize(
    ("hand_lengths_away", "throw"), [(0.0, None), (0.4, None), (0.5, Throw.PAPER), (2.0, Throw.PAPER)]
)
def test_a_hand_that_a_foreign_arm_touches_has_no_throw(hand_lengths_away: float, throw: Throw | None) -> None:
    """In one rendered round an arm hid the fingers of scissors, which were read as rock."""
    foreign = at(OWN[1], BOXES[0])
    elbow_x, elbow_y = 2 * foreign[0] - foreign[9]
    away = hand_lengths_away * float(np.ptp(foreign, axis=0).max())
    touched = Box(round(elbow_x), round(elbow_y + away), 1, 40)
    zone = Box(round(elbow_x) - SIDE // 2, round(elbow_y) - SIDE // 2, SIDE, SIDE)
    seats = [seat(1), seat(2, Verdict.UNSEEN), replace(seat(1), seat=3, crop=zone, hand_boxes=(touched,))]
    occupancies = [occupancy_of(1, foreign), ZoneOccupancy(((),)), ZoneOccupancy(((),))]
    after, void_reason = resolve_foreign_hands(seats, occupancies, SIZE)
    assert (after[2].verdict, after[2].at_lock, void_reason) == (Verdict.ON_TIME, throw, None)


def test_a_foreign_hand_without_an_owner_voids_the_round() -> None:
    after, void_reason = resolve_zone_1(OWN[0], at(OWN[1], BOXES[0], 0.3))
    assert not any(one.verdict.is_foul for one in after) and void_reason is VoidKind.REACHING


def test_one_frame_in_three_accuses_nobody() -> None:
    pair = (OWN[0], at(OWN[0], BOXES[0], 0.3))
    once = ZoneOccupancy((pair, pair[:1], pair[:1]), (0.0,) * 9, usual_heading(1))
    after, void_reason = resolve_foreign_hands([seat(1), seat(2)], [once, occupancy_of(2, OWN[1])], SIZE)
    assert not any(one.verdict.is_foul for one in after) and void_reason is None


@pytest.mark.parametrize(("turned", "kind"), [(70.0, None), (95.0, VoidKind.REACHING)])
def test_only_another_hand_excuses_a_late_throw(turned: float, kind: VoidKind | None) -> None:
    for_a_while = ZoneOccupancy(((OWN[0],),), (0.0,) * 5 + (turned,) * 2, usual_heading(1))
    after, void_reason = resolve_foreign_hands(
        [seat(1, Verdict.LATE), seat(2)], [for_a_while, occupancy_of(2, OWN[1])], SIZE
    )
    assert after[0].verdict is Verdict.LATE
    assert (void_reason.kind if void_reason else None) is kind


@pytest.mark.parametrize(("share", "kind"), [(0.05, None), (0.2, VoidKind.REACHING), (0.9, VoidKind.COVERED)])
def test_a_hand_under_something_foreign_is_not_blamed_on_its_owner(share: float, kind: VoidKind | None) -> None:
    under = ZoneOccupancy(((),), (0.0,) * 9, usual_heading(2), share)
    _, void_reason = resolve_foreign_hands([seat(1), seat(2, Verdict.UNSEEN)], [occupancy_of(1, OWN[0]), under], SIZE)
    assert (void_reason.kind if void_reason else None) is kind
    assert void_reason is None or (void_reason.seat, void_reason.measurement) == (2, share)


@dataclass
class FixedDetector(ScriptedDetector):
    """A fake detector that returns these hands, given in pixels of the frame, in any crop of the first zone."""

    hands: list[np.ndarray] = field(default_factory=list)

    def detect(self, image: Pixels) -> list[DetectedHand]:
        scale = image.shape[1] / SIDE
        return [
            DetectedHand((points - (BOXES[0].x, BOXES[0].y)) * scale, np.zeros((21, 3)), True, 1.0)
            for points in self.hands
        ]


@pytest.mark.parametrize(
    ("other", "count"),
    [
        (at(OWN[0], BOXES[0], 0.3), 2),
        (OWN[0] + (6, 9), 1),
        (OWN[0] + (0, SIDE * 0.62), 1),
        ((at(OWN[0], BOXES[0], 0.3) - 300) * 0.3 + 300, 1),
    ],
    ids=["next to it", "the same found twice", "at the zone’s edge", "a third of the size"],
)
def test_which_detections_count_as_a_second_hand(other: np.ndarray, count: int) -> None:
    frame = BgrFrame(0, 0, 0, SIZE, np.zeros((720, 1280, 3), np.uint8))
    assert len(detect_hands(frame, BOXES[0], FixedDetector(hands=[OWN[0], other]), PLAIN)) == count


@pytest.mark.parametrize(
    ("turned_deg", "size", "has_foreign"),
    [
        ((0, 0, 95, 95, 0, 0, 0), 1.0, True),
        ((95, 95, 0, 0, 0), 1.0, True),
        ((95, 95, 0, 0, 0), 0.65, True),  # the owner's, under a nearer one
        ((95, 95, 0, 0, 0), 0.5, False),  # misread
        ((95, 95, 65, 45, 20, 0, 0, 0), 1.0, False),  # one hand, as it opens
        ((0, 0, 0, 45, 95, 85), 1.0, False),
        ((95, 95, 10, 0, 0, 0, 45), 1.0, True),
        ((95, 0, 0), 1.0, False),  # one frame
    ],
)
def test_a_hand_that_turns_is_no_other_hand(turned_deg: tuple[int, ...], size: float, has_foreign: bool) -> None:
    """``size``: of the hand that points elsewhere."""
    frames = [BgrFrame(i, i * 300 * MS, 0, SIZE, np.zeros((720, 1280, 3), np.uint8)) for i in range(len(turned_deg))]
    detector = FixedDetector()
    view = ZoneView(frames, Zone(*SEATING.zones[0]), detector)
    middle = OWN[0].mean(0)
    for index, turn in enumerate(np.radians(turned_deg)):
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        detector.hands = [(OWN[0] - middle) @ rotation.T * (size if turn > 1.5 else 1.0) + middle]
        assert view.exact(index) is not None
    occupancy = detect_occupancy(view, seat(1), 100 * MS, False, detector)
    assert occupancy.has_foreign_hand is occupancy.may_have_foreign_hand is has_foreign
    assert len(occupancy.heading_offsets_deg) == len(turned_deg)


@pytest.mark.parametrize("high", [0.0, 0.25])
def test_an_arm_without_a_hand_changes_the_area_outside_the_owners(high: float) -> None:
    """A sleeve lies across the lower part of the zone at the lock, in one of two recordings."""
    table = np.full((720, 1280, 3), 90, np.uint8)
    under = table.copy()
    foot = BOXES[0].y + SIDE
    under[foot - round(high * SIDE) : foot] = 200
    frames = [BgrFrame(i, i * 20 * MS, 0, SIZE, under if i > 70 else table) for i in range(90)]
    view = ZoneView(frames, Zone(*SEATING.zones[0]), FixedDetector(hands=[OWN[0]]))
    for index in (10, 30, 50):
        assert view.exact(index) is not None
    assert changed_area(view, 80 * 20 * MS) == pytest.approx(high, abs=0.06)


# -------- with the real model


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    try:
        judge = Judge(seats=1)
    except ModelError as error:
        pytest.skip(f"no hand model: {error}")
    with judge:
        yield judge


def judge_disturbance(judge: Judge, seed: int, kind: str, **more: object) -> Judgement:
    clock = SimulatedClock()
    table = SimulatedTable(clock, 2, seed=seed, size=(960, 540), fps=30)
    table.start()
    for number, throw in ((1, "paper"), (2, "rock")):
        table.perform(number, Performance(throw, CUE, 550 * MS, 20 * MS))
    if kind:
        table.disturb(Disturbance(kind, CUE - 900 * MS, CUE + 1_500 * MS, variant=seed, **more))  # type: ignore[arg-type]
    clock.wait_until(CUE + 1_000 * MS)
    frames = table.frames_between(CUE - 1_250 * MS, CUE + 900 * MS)
    return judge(frames, [Zone(*zone) for zone in table.zones], CUE)


def verdicts_of_fouls(judgement: Judgement) -> dict[int, Verdict]:
    return {one.seat: one.verdict for one in judgement.fouls}


@pytest.mark.slow
def test_a_second_hand_at_the_table(judge: Judge) -> None:
    judgement = judge_disturbance(judge, 10, "two hands", seat=1)
    assert verdicts_of_fouls(judgement) == {1: Verdict.TWO_HANDS} and judgement.void_reason is None


@pytest.mark.slow
def test_a_hand_in_anothers_zone_at_the_table(judge: Judge) -> None:
    judgement = judge_disturbance(judge, 11, "wrong zone", seat=1, into_seat=2)
    assert verdicts_of_fouls(judgement) == {1: Verdict.WRONG_ZONE} and judgement.void_reason is None


@pytest.mark.slow
def test_somebody_reaching_over_the_table(judge: Judge) -> None:
    judgement = judge_disturbance(judge, 2, "reaching", seat=1, by_seat=2)
    assert judgement.void_reason is not None and judgement.void_reason.kind is VoidKind.REACHING
    assert judgement.void_reason.seat == 1


@pytest.mark.slow
def test_a_round_without_foreign_hands(judge: Judge) -> None:
    judgement = judge_disturbance(judge, 3, "")
    assert not judgement.fouls and judgement.void_reason is None
