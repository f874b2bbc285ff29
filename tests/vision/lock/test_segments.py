"""Segments: the shapes a hand kept, whatever single frames show."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.simulated.table.animation import Stance
from rules.throws import Throw
from tests.helpers.scripted_hands import CUE, MS, view_of
from vision.lock.segments import COARSE_STEP_NS, MAX_GAP_NS, coarse_pass, find_segments
from vision.lock.zone_view import ZoneView

SHAPES = {"rock": Stance(), "paper": Stance(paper=1), "scissors": Stance(scissors=1), "none": Stance(half_open=1)}
FPS = 60.0


def shape_script(
    until: Mapping[int, str], exceptions: Mapping[int, str | None] | None = None
) -> Callable[[int], Stance | None]:
    """Return the script of a hand that keeps each shape up to a time in ms, except in some coarse frames (counted from
    the last)."""

    def script(time_ns: int) -> Stance | None:
        coarse_index = round((CUE - time_ns) / COARSE_STEP_NS)
        if exceptions and coarse_index in exceptions and abs(CUE - time_ns - coarse_index * COARSE_STEP_NS) < 10 * MS:
            other = exceptions[coarse_index]
            return SHAPES[other] if other else None
        return SHAPES[next(shape for end, shape in until.items() if time_ns < end * MS)]

    return script


def throws_of(view: ZoneView) -> list[Throw | None]:
    return [segment.throw for segment in find_segments(view, coarse_pass(view, CUE - 1_500 * MS, CUE))]


def test_the_coarse_pass_is_coarse_and_in_order() -> None:
    view = view_of(shape_script({10_000: "rock"}))
    observed = coarse_pass(view, CUE - 1_000 * MS, CUE)
    assert len(observed) == 11 and observed == sorted(observed)
    assert observed[-1] == view.nearest_frame(CUE)
    assert len(view.inspected_frames()) == 3  # it never moved


def test_the_coarse_pass_ends_at_a_sure_fist() -> None:
    """Two frames with a fist before the closing time end it; one does not, and later ones do not."""
    closed = CUE - 500 * MS
    flash = shape_script({10_000: "rock"}, {7: "paper"})
    for script, frame_count in ((shape_script({10_000: "rock"}), 8), (flash, 10)):
        observed = coarse_pass(view_of(script), CUE - 1_000 * MS, CUE, closed)
        assert len(observed) == frame_count


def test_the_coarse_pass_follows_an_open_hand_back_to_its_fist() -> None:
    view = view_of(shape_script({1_450: "rock", 10_000: "paper"}))
    observed = coarse_pass(view, CUE - 1_000 * MS, CUE, CUE - 100 * MS)
    assert [view.times_ns[i] < 1_450 * MS for i in observed[:3]] == [True, False, False]


def test_two_shapes_are_two_segments() -> None:
    view = view_of(shape_script({2_300: "rock", 10_000: "paper"}))
    rock, paper = find_segments(view, coarse_pass(view, CUE - 1_500 * MS, CUE))
    assert (rock.throw, paper.throw) == (Throw.ROCK, Throw.PAPER)
    assert view.times_ns[rock.last] < 2_300 * MS <= view.times_ns[paper.first]
    assert rock.first < rock.last < paper.first < paper.last


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.integers(0, 5), st.sampled_from(["rock", "scissors", "none", None]), max_size=2))
def test_misread_frames_and_frames_without_a_hand_change_nothing(exceptions: dict[int, str | None]) -> None:
    repeated = [a for a in exceptions if a + 1 in exceptions and exceptions[a] == exceptions[a + 1]]
    if repeated:  # two of the same in a row are not a misreading
        return
    assert throws_of(view_of(shape_script({2_000: "rock", 10_000: "paper"}, exceptions))) == [Throw.ROCK, Throw.PAPER]


def test_other_hands_are_segments_too() -> None:
    assert throws_of(view_of(shape_script({2_400: "rock", 10_000: "none"}))) == [Throw.ROCK, None]


@pytest.mark.parametrize("drift", [0.0, 0.05], ids=["still", "drifting"])
def test_a_shape_that_no_frame_shows_clearly_is_no_throw(drift: float) -> None:
    """Between paper and half open: one image reads as paper, three together do not. A drifting hand is never still
    enough for one observation to be shared by many frames."""

    def script(time_ns: int) -> Stance:
        after = (time_ns - 2_400 * MS) / (600 * MS)
        return Stance(paper=0.4, half_open=0.6, lift=drift * after) if after > 0 else Stance()

    view = view_of(script)
    single = view(view.nearest_frame(CUE))
    assert single is not None and single.reading.throw is Throw.PAPER
    assert throws_of(view) == [Throw.ROCK, None]


@pytest.mark.parametrize(("shape", "is_reread"), [("paper", False), ("none", True)])
def test_only_a_doubtful_hand_is_reread(shape: str, is_reread: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of(shape_script({2_300: "rock", 10_000: shape}))
    reread: list[int] = []
    monkeypatch.setattr(view, "reread", reread.append)
    throws_of(view)
    assert bool(reread) == is_reread


def test_no_hand_gives_no_segments() -> None:
    assert throws_of(view_of(lambda time_ns: None)) == []


def test_more_frames_are_inspected_around_a_throw_seen_in_few() -> None:
    """A shape in two coarse frames that no frame between them shows is no throw."""

    def flashes(time_ns: int) -> Stance:
        coarse_index = round((CUE - time_ns) / COARSE_STEP_NS)
        on_it = abs(CUE - time_ns - coarse_index * COARSE_STEP_NS) < 10 * MS
        return SHAPES["paper"] if on_it and coarse_index in (5, 6) else SHAPES["rock"]

    assert throws_of(view_of(flashes)) == [Throw.ROCK]
    assert throws_of(view_of(shape_script({2_350: "rock", 2_560: "paper", 10_000: "rock"}))) == [
        Throw.ROCK,
        Throw.PAPER,
        Throw.ROCK,
    ]


@pytest.mark.parametrize("gap_ms", [MAX_GAP_NS // MS - 150, MAX_GAP_NS // MS + 250])
def test_a_long_time_unseen_splits_a_segment(gap_ms: int) -> None:
    start = 2_000

    def hides(time_ns: int) -> Stance | None:
        return None if start * MS <= time_ns < (start + gap_ms) * MS else SHAPES["rock"]

    assert len(throws_of(view_of(hides))) == (1 if gap_ms * MS < MAX_GAP_NS else 2)


def test_short_throws_are_read_halfway_to_their_neighbours() -> None:
    view = view_of(shape_script({10_000: "rock"}, {3: "paper"}))
    coarse = coarse_pass(view, CUE - 1_000 * MS, CUE)
    find_segments(view, coarse)
    flash = CUE - 3 * COARSE_STEP_NS
    halfway = {view.nearest_frame(flash + sign * COARSE_STEP_NS // 2) for sign in (-1, 1)}
    assert halfway <= set(view.inspected_frames()) and not halfway & set(coarse)
