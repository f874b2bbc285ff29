"""Who else is in a zone: told apart by where their arms come from, with hands that are known; then with the real model
at the simulated table."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from scripted_hands import CUE, MS, SEATING, SIZE, joints

from device.camera.frames import Box, Pixels, StoredFrame
from device.simulated.table.animation import Performance, Stance
from device.simulated.table.faults import Disturbance
from device.simulated.table.table import SimulatedTable
from device.system.clock import JumpingClock
from rules.throws import Throw
from vision.hands.detector import Hand
from vision.hands.model import ModelError
from vision.lock.judge import Judge, Judgement
from vision.lock.occupancy import PLAIN, Company, hands_in, refereed, strange_share
from vision.lock.verdict import SeatVerdict, Verdict
from vision.lock.void_reasons import TroubleKind
from vision.lock.zone_view import Sight
from vision.zones import Zone

BOXES = [Zone(*zone).box(SIZE) for zone in SEATING.zones]
OWN = [joints(Stance(paper=1), seat)[0] for seat in (1, 2)]
SIDE = BOXES[0].w


def seat(number: int, verdict: Verdict = Verdict.ON_TIME) -> SeatVerdict:
    throw = None if verdict is Verdict.UNSEEN else Throw.PAPER
    return SeatVerdict(number, verdict, throw, throw, None, BOXES[number - 1])


def usual(number: int) -> float:
    return float(np.arctan2(*(OWN[number - 1][9] - OWN[number - 1][0])[::-1]))


def at(points: np.ndarray, box: Box, aside: float = 0.0) -> np.ndarray:
    """A hand moved to the middle of a zone, and ``aside`` by a share of it across the table."""
    middle = (points.min(0) + points.max(0)) / 2
    return points - middle + (box.x + box.w / 2, box.y + box.h / 2 + aside * box.h)


def there(number: int, *hands: np.ndarray) -> Company:
    return Company((hands,) * 3, (0.0,) * 9, usual(number))


def both(*one: np.ndarray, missing: bool = False) -> tuple[tuple[SeatVerdict, ...], TroubleKind | None]:
    """The verdicts when ``one`` is what the zone of seat 1 holds."""
    seats = [seat(1), seat(2, Verdict.UNSEEN if missing else Verdict.ON_TIME)]
    other = Company(((),) if missing else ((OWN[1],),))
    after, trouble = refereed(seats, [there(1, *one), other], SIZE)
    return after, trouble.kind if trouble else None


def test_one_hand_is_nobodys_foul() -> None:
    after, trouble = both(OWN[0])
    assert [one.verdict for one in after] == [Verdict.ON_TIME] * 2 and trouble is None


def test_two_hands_from_one_side_are_the_owners() -> None:
    after, trouble = both(OWN[0], at(OWN[0], BOXES[0], 0.3))
    assert [one.verdict for one in after] == [Verdict.TWO_HANDS, Verdict.ON_TIME] and trouble is None
    assert after[0].at_lock is None


def test_another_players_hand_is_theirs_when_their_zone_is_empty() -> None:
    after, trouble = both(OWN[0], at(OWN[1], BOXES[0], 0.3), missing=True)
    assert [one.verdict for one in after] == [Verdict.ON_TIME, Verdict.WRONG_ZONE] and trouble is None
    assert after[1].into == 1 and after[0].at_lock is Throw.PAPER


def test_the_owner_hidden_by_anothers_hand_is_not_blamed() -> None:
    after, trouble = both(at(OWN[1], BOXES[0]), missing=True)
    assert [one.verdict for one in after] == [Verdict.WRONG_ZONE if n else Verdict.ON_TIME for n in (0, 1)]
    assert trouble is None


def test_a_hand_whose_owner_is_at_home_is_somebody_reaching_over() -> None:
    after, trouble = both(OWN[0], at(OWN[1], BOXES[0], 0.3))
    assert not any(one.verdict.foul for one in after) and trouble is TroubleKind.REACHING


def test_one_look_in_three_accuses_nobody() -> None:
    pair = (OWN[0], at(OWN[0], BOXES[0], 0.3))
    once = Company((pair, pair[:1], pair[:1]), (0.0,) * 9, usual(1))
    after, trouble = refereed([seat(1), seat(2)], [once, there(2, OWN[1])], SIZE)
    assert not any(one.verdict.foul for one in after) and trouble is None


@pytest.mark.parametrize(("turned", "kind"), [(70.0, None), (95.0, TroubleKind.REACHING)])
def test_a_late_throw_is_excused_by_another_hand_not_by_a_turned_wrist(turned: float, kind: TroubleKind | None) -> None:
    for_a_while = Company(((OWN[0],),), (0.0,) * 5 + (turned,) * 2, usual(1))
    after, trouble = refereed([seat(1, Verdict.LATE), seat(2)], [for_a_while, there(2, OWN[1])], SIZE)
    assert after[0].verdict is Verdict.LATE
    assert (trouble.kind if trouble else None) is kind


@pytest.mark.parametrize(("share", "kind"), [(0.05, None), (0.2, TroubleKind.REACHING), (0.9, TroubleKind.COVERED)])
def test_a_lost_hand_under_something_strange_is_not_laid_to_its_owner(share: float, kind: TroubleKind | None) -> None:
    under = Company(((),), (0.0,) * 9, usual(2), share)
    _, trouble = refereed([seat(1), seat(2, Verdict.UNSEEN)], [there(1, OWN[0]), under], SIZE)
    assert (trouble.kind if trouble else None) is kind
    assert trouble is None or (trouble.zone, trouble.figure) == (2, share)


@dataclass
class Finds:
    """A finder that finds these hands, given in pixels of the frame, in any crop of the first zone."""

    hands: list[np.ndarray] = field(default_factory=list)

    def find(self, picture: Pixels) -> list[Hand]:
        scale = picture.shape[1] / SIDE
        return [
            Hand((points - (BOXES[0].x, BOXES[0].y)) * scale, np.zeros((21, 3)), True, 1.0) for points in self.hands
        ]


@pytest.mark.parametrize(
    ("other", "count"),
    [
        (at(OWN[0], BOXES[0], 0.3), 2),
        (OWN[0] + (6, 9), 1),
        (OWN[0] + (0, SIDE * 0.62), 1),
        ((at(OWN[0], BOXES[0], 0.3) - 300) * 0.3 + 300, 1),
    ],
    ids=["beside", "the same found twice", "at the zone's edge", "a third of the size"],
)
def test_what_is_a_second_hand(other: np.ndarray, count: int) -> None:
    frame = StoredFrame(0, 0, 0, SIZE, np.zeros((720, 1280, 3), np.uint8))
    assert len(hands_in(frame, BOXES[0], Finds([OWN[0], other]), PLAIN)) == count


@pytest.mark.parametrize("high", [0.0, 0.25])
def test_an_arm_without_a_hand_changes_what_is_beside_the_owners(high: float) -> None:
    """A sleeve lies across the lower part of the zone at the lock, in one of two films."""
    table = np.full((720, 1280, 3), 90, np.uint8)
    under = table.copy()
    foot = BOXES[0].y + SIDE
    under[foot - round(high * SIDE) : foot] = 200
    frames = [StoredFrame(i, i * 20 * MS, 0, SIZE, under if i > 70 else table) for i in range(90)]
    sight = Sight(frames, Zone(*SEATING.zones[0]), Finds([OWN[0]]))
    for index in (10, 30, 50):
        assert sight.itself(index) is not None
    assert strange_share(sight, 80 * 20 * MS) == pytest.approx(high, abs=0.06)


# -------- with the real model


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    try:
        judge = Judge(seats=1)
    except ModelError as fault:
        pytest.skip(f"no hand model: {fault}")
    with judge:
        yield judge


def judged(judge: Judge, seed: int, kind: str, **more: object) -> Judgement:
    clock = JumpingClock()
    table = SimulatedTable(clock, 2, seed=seed, size=(960, 540), fps=30)
    table.start()
    for number, throw in ((1, "paper"), (2, "rock")):
        table.perform(number, Performance(throw, CUE, 550 * MS, 20 * MS))
    if kind:
        table.disturb(Disturbance(kind, CUE - 900 * MS, CUE + 1_500 * MS, variant=seed, **more))  # type: ignore[arg-type]
    clock.wait_until(CUE + 1_000 * MS)
    frames = table.ring(CUE - 1_250 * MS, CUE + 900 * MS)
    return judge(frames, [Zone(*zone) for zone in table.zones], CUE)


def fouls(judgement: Judgement) -> dict[int, Verdict]:
    return {one.seat: one.verdict for one in judgement.fouls}


def test_a_second_hand_at_the_table(judge: Judge) -> None:
    judgement = judged(judge, 10, "two hands", seat=1)
    assert fouls(judgement) == {1: Verdict.TWO_HANDS} and judgement.trouble is None


def test_a_hand_in_anothers_zone_at_the_table(judge: Judge) -> None:
    judgement = judged(judge, 11, "wrong zone", seat=1, into=2)
    assert fouls(judgement) == {1: Verdict.WRONG_ZONE} and judgement.trouble is None


def test_somebody_reaching_over_the_table(judge: Judge) -> None:
    judgement = judged(judge, 2, "reaching", seat=1, by=2)
    assert judgement.trouble is not None and judgement.trouble.kind is TroubleKind.REACHING
    assert judgement.trouble.zone == 1


def test_nobody_else(judge: Judge) -> None:
    judgement = judged(judge, 3, "")
    assert not judgement.fouls and judgement.trouble is None
