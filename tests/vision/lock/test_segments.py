"""Runs: what a hand kept, whatever single looks say."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_hands import CUE, MS, sight_of

from device.simulated.table.animation import Stance
from rules.throws import Throw
from vision.lock.segments import APART_NS, COARSE_NS, coarse_pass, runs
from vision.lock.zone_view import Sight

SHAPES = {"rock": Stance(), "paper": Stance(paper=1), "scissors": Stance(scissors=1), "none": Stance(half_open=1)}
FPS = 60.0


def kept(until: Mapping[int, str], but: Mapping[int, str | None] | None = None) -> Callable[[int], Stance | None]:
    """A hand that keeps each shape up to a time in ms; ``but`` are coarse looks (counted from the last) that differ."""

    def doing(when: int) -> Stance | None:
        look = round((CUE - when) / COARSE_NS)
        if but and look in but and abs(CUE - when - look * COARSE_NS) < 10 * MS:
            other = but[look]
            return SHAPES[other] if other else None
        return SHAPES[next(shape for end, shape in until.items() if when < end * MS)]

    return doing


def throws_of(sight: Sight) -> list[Throw | None]:
    return [run.throw for run in runs(sight, coarse_pass(sight, CUE - 1_500 * MS, CUE))]


def test_the_coarse_pass_is_coarse_and_in_order() -> None:
    sight = sight_of(kept({10_000: "rock"}))
    looked = coarse_pass(sight, CUE - 1_000 * MS, CUE)
    assert len(looked) == 11 and looked == sorted(looked)
    assert looked[-1] == sight.nearest(CUE)
    assert len(sight.looked_at()) == 3  # it never moved


def test_the_coarse_pass_ends_at_a_fist_that_is_sure() -> None:
    """Two looks at a fist before the hand need be closed, not one, and not later ones."""
    closed = CUE - 500 * MS
    flash = kept({10_000: "rock"}, {7: "paper"})
    for doing, looks in ((kept({10_000: "rock"}), 8), (flash, 10)):
        looked = coarse_pass(sight_of(doing), CUE - 1_000 * MS, CUE, closed)
        assert len(looked) == looks


def test_the_coarse_pass_follows_an_open_hand_back_to_its_fist() -> None:
    sight = sight_of(kept({1_450: "rock", 10_000: "paper"}))
    looked = coarse_pass(sight, CUE - 1_000 * MS, CUE, CUE - 100 * MS)
    assert [sight.times[i] < 1_450 * MS for i in looked[:3]] == [True, False, False]


def test_two_shapes_are_two_runs() -> None:
    sight = sight_of(kept({2_300: "rock", 10_000: "paper"}))
    rock, paper = runs(sight, coarse_pass(sight, CUE - 1_500 * MS, CUE))
    assert (rock.throw, paper.throw) == (Throw.ROCK, Throw.PAPER)
    assert sight.times[rock.last] < 2_300 * MS <= sight.times[paper.first]
    assert rock.first < rock.last < paper.first < paper.last


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.integers(0, 5), st.sampled_from(["rock", "scissors", "none", None]), max_size=2))
def test_looks_misread_or_without_a_hand_change_nothing(but: dict[int, str | None]) -> None:
    apart = [a for a in but if a + 1 in but and but[a] == but[a + 1]]
    if apart:  # two alike in a row are no slip
        return
    assert throws_of(sight_of(kept({2_000: "rock", 10_000: "paper"}, but))) == [Throw.ROCK, Throw.PAPER]


def test_a_hand_that_is_none_of_the_three_is_a_run_too() -> None:
    assert throws_of(sight_of(kept({2_400: "rock", 10_000: "none"}))) == [Throw.ROCK, None]


@pytest.mark.parametrize("drift", [0.0, 0.05], ids=["still", "drifting"])
def test_what_no_look_shows_clearly_is_no_throw(drift: float) -> None:
    """Between paper and half open: one look calls it paper, three together do not. A hand that drifts is never still
    enough for one look to be good for many frames."""

    def doing(when: int) -> Stance:
        after = (when - 2_400 * MS) / (600 * MS)
        return Stance(paper=0.4, half_open=0.6, lift=drift * after) if after > 0 else Stance()

    sight = sight_of(doing)
    single = sight(sight.nearest(CUE))
    assert single is not None and single.reading.throw is Throw.PAPER
    assert throws_of(sight) == [Throw.ROCK, None]


def test_no_hand_no_run() -> None:
    assert throws_of(sight_of(lambda when: None)) == []


def test_a_throw_told_by_few_looks_is_looked_at_again() -> None:
    """What two coarse looks show and nothing between them does is no throw."""

    def flashes(when: int) -> Stance:
        look = round((CUE - when) / COARSE_NS)
        on_it = abs(CUE - when - look * COARSE_NS) < 10 * MS
        return SHAPES["paper"] if on_it and look in (5, 6) else SHAPES["rock"]

    assert throws_of(sight_of(flashes)) == [Throw.ROCK]
    assert throws_of(sight_of(kept({2_350: "rock", 2_560: "paper", 10_000: "rock"}))) == [
        Throw.ROCK,
        Throw.PAPER,
        Throw.ROCK,
    ]


@pytest.mark.parametrize("gap_ms", [APART_NS // MS - 150, APART_NS // MS + 250])
def test_a_long_time_unseen_parts_a_run(gap_ms: int) -> None:
    start = 2_000

    def hides(when: int) -> Stance | None:
        return None if start * MS <= when < (start + gap_ms) * MS else SHAPES["rock"]

    assert len(throws_of(sight_of(hides))) == (1 if gap_ms * MS < APART_NS else 2)
