"""The bench runs, tells both ways apart, and writes its table. No times are asserted: they are the machine's."""

import functools
import re
from pathlib import Path

import numpy as np
import pytest

from tools.bench import verdict
from tools.docs.generated_sections import write_into
from vision.hands.model import ModelError, model_path

rendered = functools.cache(verdict.render_round)
"""A round's frames take seconds to render: they are made once."""


@pytest.fixture(scope="module")
def costs() -> list[verdict.VerdictCost]:
    """The costs of a round at two frame rates; its times, which nobody asks for here, are of a few crops."""
    try:
        model_path("full")
    except ModelError as fault:
        pytest.skip(f"no hand model: {fault}")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(verdict, "SAMPLE", 4)
        patched.setattr(verdict, "rendered", rendered)
        return [cost for some in verdict.measure_costs(1, (20, 80), (2,)) for cost in some]


def test_the_lock_names_the_throws_at_a_tenth_of_the_calls(costs: list[verdict.VerdictCost]) -> None:
    assert [(cost.fps, cost.seats, cost.correct_seats) for cost in costs] == [(20, 2, 2), (80, 2, 2)]
    slow, quick = costs
    assert quick.every_calls == 2 * quick.frames and quick.frames == pytest.approx(4 * slow.frames, abs=4)
    assert quick.every_calls >= 10 * quick.calls


def test_four_times_the_frame_rate_is_a_few_looks_more(costs: list[verdict.VerdictCost]) -> None:
    """Two steps more of the bisection, and as many looks again around it, for each seat."""
    slow, quick = costs
    assert quick.calls - slow.calls <= 4 * quick.seats


def test_a_ring_holds_what_the_camera_saw() -> None:
    ring = rendered(0, 20, 2)
    frame = ring.frames[0]
    whole = frame.pixels()
    assert whole.shape == (720, 1280, 3)
    assert np.array_equal(frame.pixels(ring.zones[1].box(frame.size)).mean((0, 1)) > 0, [True] * 3)
    outside = whole.copy()
    for zone in ring.zones:
        box = zone.box(frame.size)
        outside[box.y : box.y + box.h, box.x : box.x + box.w] = 0
    assert not outside.any()


def test_the_table_goes_between_its_marks(tmp_path: Path) -> None:
    some = [
        verdict.VerdictCost(120, 2, 192, calls, ms, 384, 2000.0, 2)
        for calls, ms in ((20, 180.0), (30, 220.0), (24, 200.0))
    ]
    assert verdict.table_row(some) == "| 2 | 120 | 192 | 24 | 12.0 | 200 | 384 | 2000 | 16.0 × | 10.0 × |"
    assert verdict.table_row(some).count("|") == verdict.TABLE_HEAD.splitlines()[0].count("|")
    page = tmp_path / "cost.md"
    page.write_text(f"Before\n{verdict.BEGIN}\nold\n{verdict.END}\nafter\n")
    write_into(page, "new", verdict.BEGIN, verdict.END)
    assert page.read_text() == f"Before\n{verdict.BEGIN}\nnew\n{verdict.END}\nafter\n"
    page.write_text("no marks")
    with pytest.raises(ValueError, match=re.escape(verdict.BEGIN)):
        write_into(page, "new", verdict.BEGIN, verdict.END)
