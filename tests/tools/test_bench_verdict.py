"""The verdict's bench runs both methods and makes its table. No times are asserted: they depend on the machine."""

import functools
import threading
from typing import cast

import numpy as np
import pytest

from throwlock.cli.doctor.bench.recorded_round import RecordedRound
from tools.bench import verdict
from vision.hands.model import ModelError, model_path
from vision.lock.judge import Judge

render_round = functools.cache(verdict.render_round)
"""Cached: a round's frames take seconds to render."""


@pytest.fixture(scope="module")
def costs() -> list[verdict.VerdictCost]:
    """The costs of a round at two frame rates; the time for every frame is scaled from a few crops."""
    try:
        model_path("full")
    except ModelError as error:
        pytest.skip(f"no hand model: {error}")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(verdict, "SAMPLED_CROPS", 4)
        monkeypatch.setattr(verdict, "render_round", render_round)
        return [cost for costs in verdict.measure_costs(1, (20, 80), (2,)) for cost in costs]


@pytest.mark.slow
def test_judge_reads_throws_correctly_with_a_ninth_of_the_calls(costs: list[verdict.VerdictCost]) -> None:
    assert [(cost.fps, cost.seats, cost.correct_seats) for cost in costs] == [(20, 2, 2), (80, 2, 2)]
    slow, fast = costs
    assert fast.every_calls == 2 * fast.frames and fast.frames == pytest.approx(4 * slow.frames, abs=4)
    assert fast.every_calls >= 9 * fast.calls


@pytest.mark.slow
def test_four_times_the_frame_rate_takes_few_more_calls(costs: list[verdict.VerdictCost]) -> None:
    """Two more steps of bisection, and some more frames around the change, for each seat."""
    slow, fast = costs
    assert fast.calls - slow.calls <= 7 * fast.seats


def test_rendered_frames_show_the_zones_and_nothing_else() -> None:
    recorded = render_round(0, 20, 2)
    frame = recorded.frames[0]
    whole = frame.pixels()
    assert whole.shape == (720, 1280, 3)
    assert np.array_equal(frame.pixels(recorded.zones[1].box(frame.size)).mean((0, 1)) > 0, [True] * 3)
    outside = whole.copy()
    for zone in recorded.zones:
        box = zone.box(frame.size)
        outside[box.y : box.y + box.h, box.x : box.x + box.w] = 0
    assert not outside.any()


def test_what_ends_judging_in_the_background_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = threading.Event()

    def judge(*_: object) -> None:
        if judged.is_set():
            raise ModelError("the hand model stopped")
        judged.set()

    monkeypatch.setattr(verdict, "judge_recorded", judge)
    background = functools.partial(verdict.judge_in_background, cast(Judge, None), RecordedRound((), (), (), 0))
    with pytest.raises(ModelError, match="stopped"), background():
        assert judged.wait(60)
    with pytest.raises(KeyError), background():
        raise KeyError
    monkeypatch.setattr(verdict, "judge_recorded", lambda *_: judged.set())
    judged.clear()
    with background():
        assert judged.wait(60)


def test_table_row_shows_medians_and_ratios() -> None:
    costs = [
        verdict.VerdictCost(120, 2, 192, calls, ms, 384, 2000.0, 2)
        for calls, ms in ((20, 180.0), (30, 220.0), (24, 200.0))
    ]
    row = verdict.table_row(costs)
    assert row == (2, 120, 192, "24", "12.0", "200", "384", "2000", "16.0 ×", "10.0 ×")
    assert len(row) == len(verdict.TABLE_HEAD)
