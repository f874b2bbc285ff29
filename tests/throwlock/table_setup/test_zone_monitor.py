"""Hands outside their zones are reported once, until it changes."""

from dataclasses import replace

import numpy as np
import pytest

from device.camera.frames import Box, Frame
from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from rules.record.judgement import Verdict
from rules.throws import Throw
from tests.helpers.hand_truth import hand_truth
from throwlock.table_setup.zone_monitor import ZoneMonitor
from ui.screen.pages.zones import zone_problem_sentence
from vision.lock.judge import Judge
from vision.lock.judgement import Judgement
from vision.lock.reasons import VoidKind, VoidReason
from vision.lock.verdict import SeatVerdict
from vision.zones import Zone

NAMES = {1: "Ada", 2: "Ben"}
CROP = Box(100, 100, 400, 300)
FITS = Box(200, 200, 180, 120)
CUE_NS = 3_000_000_000


def make_judgement(*held: tuple[Box, ...] | None, trouble: VoidReason | None = None) -> Judgement:
    """Return a round with hands in these boxes (None: unseen)."""
    seats = tuple(
        SeatVerdict(seat, Verdict.UNSEEN if boxes is None else Verdict.ON_TIME, Throw.PAPER, Throw.PAPER, None, CROP)
        for seat, boxes in enumerate(held, 1)
    )
    seats = tuple(replace(seat, hand_boxes=boxes or ()) for seat, boxes in zip(seats, held, strict=True))
    return Judgement(0, 0, 0, 150_000_000, None, seats, trouble)  # type: ignore[arg-type]  # nobody looks at the frame


def warnings_after(*rounds: Judgement) -> list[tuple[str, ...]]:
    watch, told = ZoneMonitor(), []
    for one in rounds:
        watch.observe(one)
        told.append(watch.new_warnings(NAMES))
    return told


CUT = {
    "left": Box(90, 200, 180, 120),
    "right": Box(330, 200, 180, 120),
    "top": Box(200, 90, 180, 120),
    "bottom": Box(200, 290, 180, 120),
}


@pytest.mark.parametrize("side", CUT)
def test_a_cut_off_hand_is_reported_with_its_edge(side: str) -> None:
    ((line,),) = warnings_after(make_judgement((FITS,), (CUT[side],) * 3))
    assert line == f"Ben’s hand is cut off at the {side} edge of its zone: move the hand or the zone."


@pytest.mark.parametrize(
    ("box", "line"),
    [
        (
            Box(105, 150, 350, 150),
            "Ada’s hand fills 88% of its zone: make the zone larger, or hold the hand lower.",
        ),
        (Box(200, 200, 50, 30), "Ada’s hand fills only 12% of its zone: make the zone smaller."),
        (
            Box(200, 200, 38, 30),
            "Ada’s hand is only 38 pixels long in the image: bring the camera nearer.",
        ),
    ],
)
def test_a_hand_of_wrong_size_is_reported(box: Box, line: str) -> None:
    assert warnings_after(make_judgement((box,), (FITS,))) == [(line,)]


def test_a_fist_may_be_half_as_large_as_an_open_hand() -> None:
    little = make_judgement((Box(200, 200, 50, 30),), (FITS,))
    fist = replace(little, seats=(replace(little.seats[0], at_lock=Throw.ROCK), little.seats[1]))
    assert warnings_after(fist) == [()]
    tiny = replace(fist, seats=(replace(fist.seats[0], hand_boxes=(Box(200, 200, 24, 20),)), fist.seats[1]))
    assert warnings_after(tiny) == [(zone_problem_sentence("Ada", "small", 0.06),)]


def test_a_hand_whole_in_one_frame_is_fine() -> None:
    assert warnings_after(make_judgement((FITS,), (CUT["right"], FITS, CUT["right"]))) == [()]


def test_a_problem_is_reported_once_until_it_changes() -> None:
    right, left, good = (
        make_judgement((FITS,), (CUT["right"],)),
        make_judgement((FITS,), (CUT["left"],)),
        make_judgement((FITS,), (FITS,)),
    )
    told = warnings_after(right, right, good, right, left, left, good, good, good, left)
    assert [len(lines) for lines in told] == [1, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert "right" in told[0][0] and "left" in told[4][0] and "left" in told[9][0]


def test_a_missing_hand_is_reported_from_the_second_round() -> None:
    missing, there = make_judgement((FITS,), None), make_judgement((FITS,), (FITS,))
    told = warnings_after(missing, there, missing, missing, missing)
    assert told == [(), (), (), (zone_problem_sentence("Ben", "missing", 0),), ()]


def test_empty_and_unjudged_rounds_are_ignored() -> None:
    empty = make_judgement(None, None)
    dark = make_judgement((CUT["left"],), (CUT["left"],), trouble=VoidReason(VoidKind.DARK))
    assert warnings_after(empty, empty, empty, dark) == [()] * 4


@pytest.mark.parametrize("verdict", [Verdict.TWO_HANDS, Verdict.WRONG_ZONE])
def test_foreign_hands_are_ignored(verdict: Verdict) -> None:
    round_ = make_judgement((CUT["left"],), (FITS,))
    assert warnings_after(replace(round_, seats=(replace(round_.seats[0], verdict=verdict), round_.seats[1]))) == [()]


@pytest.fixture(scope="module")
def simulated_round() -> tuple[SimulatedTable, list[Frame]]:
    clock = SimulatedClock()
    table = SimulatedTable(clock, 2, seed=7, size=(640, 360), fps=30)
    table.start()
    for seat in (1, 2):
        table.perform(seat, Performance("paper", CUE_NS, 500_000_000, after_cue_ns=10_000_000))
    clock.wait_until(CUE_NS + 1_000_000_000)
    return table, list(table.frames_between(CUE_NS - 800_000_000, CUE_NS + 900_000_000))


def test_a_judged_round_reports_cut_off_hands(simulated_round: tuple[SimulatedTable, list[Frame]]) -> None:
    table, frames = simulated_round
    good = [Zone(*zone) for zone in table.zones]
    points = hand_truth(table, 2, CUE_NS + 150_000_000).keypoints / np.array(table.size)
    tip = points[:, 0].min()  # seat 2 sits at the right: its fingers point left
    short = Zone(tip + 0.012, good[1].y, good[1].x + good[1].w - tip - 0.012, good[1].h)
    with Judge(2) as judge:
        whole, cut = judge(frames, good, CUE_NS), judge(frames, [good[0], short], CUE_NS)
        assert judge.calls == sum(seat.inferences for one in (whole, cut) for seat in one.seats)
    assert all(seat.hand_boxes for one in (whole, cut) for seat in one.seats)
    assert warnings_after(whole) == [()]
    assert warnings_after(cut) == [("Ben’s hand is cut off at the left edge of its zone: move the hand or the zone.",)]
