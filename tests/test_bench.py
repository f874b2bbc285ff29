"""The bench runs, tells both ways apart, and writes its table. No times are asserted: they are the machine's."""

import functools
import re
from pathlib import Path

import numpy as np
import pytest

from referee import bench
from referee.marks import write_into
from vision.hands.model import ModelFault, bundle

rendered = functools.cache(bench.rendered)
"""A round's frames take seconds to render: they are made once."""


@pytest.fixture(scope="module")
def costs() -> list[bench.Cost]:
    """The costs of a round at two frame rates; its times, which nobody asks for here, are of a few crops."""
    try:
        bundle("full")
    except ModelFault as fault:
        pytest.skip(f"no hand model: {fault}")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bench, "SAMPLE", 4)
        patched.setattr(bench, "rendered", rendered)
        return [cost for some in bench.costs(1, (20, 80), (2,)) for cost in some]


def test_the_lock_names_the_throws_at_a_tenth_of_the_calls(costs: list[bench.Cost]) -> None:
    assert [(cost.fps, cost.seats, cost.right) for cost in costs] == [(20, 2, 2), (80, 2, 2)]
    slow, quick = costs
    assert quick.every_calls == 2 * quick.frames and quick.frames == pytest.approx(4 * slow.frames, abs=4)
    assert quick.every_calls >= 10 * quick.calls


def test_four_times_the_frame_rate_is_a_few_looks_more(costs: list[bench.Cost]) -> None:
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
    some = [bench.Cost(120, 2, 192, calls, ms, 384, 2000.0, 2) for calls, ms in ((20, 180.0), (30, 220.0), (24, 200.0))]
    assert bench.row(some) == "| 2 | 120 | 192 | 24 | 12.0 | 200 | 384 | 2000 | 16.0 × | 10.0 × |"
    assert bench.row(some).count("|") == bench.HEAD.splitlines()[0].count("|")
    page = tmp_path / "cost.md"
    page.write_text(f"Before\n{bench.BEGIN}\nold\n{bench.END}\nafter\n")
    write_into(page, "new", bench.BEGIN, bench.END)
    assert page.read_text() == f"Before\n{bench.BEGIN}\nnew\n{bench.END}\nafter\n"
    page.write_text("no marks")
    with pytest.raises(ValueError, match=re.escape(bench.BEGIN)):
        write_into(page, "new", bench.BEGIN, bench.END)
