"""The bench and the trials run, and print what they promise. No times are asserted: they are the machine's."""

import re

import pytest

from referee import bench, trials
from vision.hands.model import ModelFault, bundle
from vision.track import Verdict


@pytest.fixture(autouse=True)
def model() -> None:
    try:
        bundle("full")
    except ModelFault as fault:
        pytest.skip(f"no hand model: {fault}")


def test_the_bench_prints_both_ways() -> None:
    lines = bench.measure(1).splitlines()
    assert len(lines) == 6
    assert re.search(r"verdict by the lock: +\d+ ms, +\d+ model calls", lines[1])
    assert re.search(r"every whole frame, one landmarker: +\d+ ms, +\d+ model calls", lines[2])
    ratio = re.search(r"ratio: [\d.]+ in time, ([\d.]+) in calls", lines[3])
    assert ratio and float(ratio[1]) > 1
    assert "named 2 of 2 throws right" in lines[5]


def test_trials_are_repeatable_and_every_kind_comes() -> None:
    made = [trials.trial(seed) for seed in range(60)]
    assert made == [trials.trial(seed) for seed in range(60)]
    assert {part.kind for one in made for part in one.parts} == set(trials.KINDS) == set(trials.EXPECTED)
    assert {one.conditions.fps for one in made} == {30, 60, 120}
    assert set(trials.EXPECTED.values()) == set(Verdict)


def test_the_trials_print_their_tables() -> None:
    told = trials.report(trials.run([trials.trial(2, seats=2)]))
    assert re.search(r"honest +\d+ +100.0%", told)
    assert "throws named right" in told and "model calls a seat" in told
