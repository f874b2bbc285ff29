"""Debounce and holding: every press of 8 ms or more is one stroke, whatever its contact does in between."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.gpio.buttons import Stroke, Which
from device.gpio.debounce import BOUNCE_NS, MS, OPEN_NS, STEADY_NS, STUCK_NS, Button, Holding

US = 1_000
HOLDING = Holding()
Edge = tuple[int, bool]
Stroked = list[tuple[Stroke, int]]


@dataclass(frozen=True)
class Truth:
    """What a finger did: when it pressed, and for how long; and the edges that came of it."""

    presses: tuple[tuple[int, int], ...]
    edges: tuple[Edge, ...]


@st.composite
def bounces(draw: st.DrawFn, start_ns: int, to: bool) -> list[Edge]:
    """A contact that goes ``to`` at ``start_ns``, comes back so many times, and is at rest within 5 ms."""
    times = draw(st.lists(st.integers(1, BOUNCE_NS // US), max_size=12, unique=True))
    flips = [start_ns, *(start_ns + time * US for time in sorted(times)[: len(times) // 2 * 2])]
    return [(when, to if number % 2 == 0 else not to) for number, when in enumerate(flips)]


lengths = st.one_of(
    st.integers(8_000, 9_000),  # the shortest that must not be lost
    st.integers(8_000, 400_000),
    st.integers(8_000, 5_000_000),
).map(lambda us: us * US)


@st.composite
def truths(draw: st.DrawFn, fewest: int = 0) -> Truth:
    """A row of presses of 8 ms or more, each with bounces, and bursts of them in the middle of long ones."""
    now = draw(st.integers(0, 10**12))
    presses, edges = [], []
    for length in draw(st.lists(lengths, min_size=fewest, max_size=8)):
        presses.append((now, length))
        edges += draw(bounces(now, True))
        if length >= 30 * MS and draw(st.booleans()):
            burst = now + draw(st.integers(10, length // MS - 10)) * MS
            edges += [*draw(bounces(burst, False)), (burst + BOUNCE_NS, True)]
        edges += draw(bounces(now + length, False))
        now += length + BOUNCE_NS + OPEN_NS + draw(st.integers(0, 300_000)) * US
    return Truth(tuple(presses), tuple(sorted(edges)))


def heard(button: Button, edges: Iterable[Edge], end_ns: int, looks: Sequence[int] = ()) -> Stroked:
    """The strokes of ``edges``, looked at besides at the times ``looks``."""
    found: Stroked = []
    due = sorted(look for look in looks if look <= end_ns)
    for when, closed in edges:
        while due and due[0] <= when:
            found += button.until(due.pop(0))
        found += button.edge(when, closed)
    for look in (*due, end_ns):
        found += button.until(look)
    return found


def end(truth: Truth) -> int:
    return truth.edges[-1][0] + 1_000 * MS if truth.edges else 0


def doubtful(length: int) -> bool:
    """Whether a press is let go just when it becomes a hold, or the next step of one, so that its bounces decide."""
    over = length - HOLDING.hold_ns
    return over >= -BOUNCE_NS and (over + BOUNCE_NS) % HOLDING.run_ns <= 2 * BOUNCE_NS


@given(truths())
def test_each_press_of_confirm_is_one_stroke_at_the_time_of_its_first_touch(truth: Truth) -> None:
    found = heard(Button(Which.CONFIRM), truth.edges, end(truth))
    assert [when for _, when in found] == [when for when, _ in truth.presses]
    for (stroke, _), (_, length) in zip(found, truth.presses, strict=True):
        if not doubtful(length):
            assert stroke is (Stroke.PASS if length >= HOLDING.hold_ns else Stroke.CONFIRM)


@given(truths())
def test_each_press_of_raise_is_one_raise_and_runs_as_long_as_it_is_held(truth: Truth) -> None:
    found = heard(Button(Which.RAISE), truth.edges, end(truth))
    assert [when for stroke, when in found if stroke is Stroke.RAISE] == [when for when, _ in truth.presses]
    for start, length in truth.presses:
        if doubtful(length):
            continue
        steps = [when for stroke, when in found if stroke is Stroke.RUN and start <= when < start + length + BOUNCE_NS]
        assert steps == list(range(start + HOLDING.hold_ns, start + length, HOLDING.run_ns))


@given(truths(), st.sampled_from(Which), st.lists(st.integers(0, 3 * 10**10)))
def test_it_does_not_matter_when_one_looks(truth: Truth, which: Which, looks: list[int]) -> None:
    start = truth.presses[0][0] if truth.presses else 0
    at_times = [start + look for look in looks]
    assert heard(Button(which), truth.edges, end(truth), at_times) == heard(Button(which), truth.edges, end(truth))


@given(st.lists(st.integers(1, STEADY_NS - 1), max_size=50), st.integers(1, 20 * MS), st.sampled_from(Which))
def test_sparks_on_a_wire_are_no_presses(sparks: list[int], apart: int, which: Which) -> None:
    now, edges = 0, []
    for spark in sparks:
        edges += [(now, True), (now + spark, False)]
        now += spark + apart
    assert heard(Button(which), edges, now + 1_000 * MS) == []


@given(truths(fewest=1), st.sampled_from(Which))
def test_an_edge_that_is_told_twice_is_one(truth: Truth, which: Which) -> None:
    twice = [edge for edge in truth.edges for _ in range(2)]
    assert heard(Button(which), twice, end(truth)) == heard(Button(which), truth.edges, end(truth))


def test_an_edge_that_comes_out_of_order_is_taken_as_of_the_last() -> None:
    button = Button(Which.CONFIRM)
    found = heard(button, [(0, True), (50 * MS, False), (52 * MS, True), (40 * MS, False)], 52 * MS + OPEN_NS - 1)
    assert found == [] and [*button.until(52 * MS + OPEN_NS)] == [(Stroke.CONFIRM, 0)]


def test_a_press_of_8_ms_that_bounces_for_5_ms_is_heard_and_its_bounces_are_not() -> None:
    closing = [(at * US, at % 1_000 == 0) for at in range(0, 5_001, 500)]
    opening = [(8 * MS + at * US, at % 1_000 != 0) for at in range(0, 5_001, 500)]
    for which in Which:
        found = heard(Button(which), [*closing, *opening], 1_000 * MS)
        assert found == [(Stroke.RAISE if which is Which.RAISE else Stroke.CONFIRM, 0)]


def test_raise_counts_at_once_and_confirm_when_it_is_let_go() -> None:
    up, yes = Button(Which.RAISE), Button(Which.CONFIRM)
    assert [*up.edge(0, True), *up.until(STEADY_NS)] == [(Stroke.RAISE, 0)]
    assert [*yes.edge(0, True), *yes.until(STEADY_NS)] == []
    assert [*yes.edge(50 * MS, False), *yes.until(50 * MS + OPEN_NS)] == [(Stroke.CONFIRM, 0)]


def test_confirm_held_passes_once_while_it_is_down_and_is_no_confirm_afterwards() -> None:
    button = Button(Which.CONFIRM)
    assert [*button.edge(0, True), *button.until(HOLDING.hold_ns - 1)] == []
    assert [*button.until(HOLDING.hold_ns)] == [(Stroke.PASS, 0)]
    assert [*button.until(5_000 * MS), *button.edge(5_001 * MS, False), *button.until(6_000 * MS)] == []


@pytest.mark.parametrize("which", Which)
def test_a_stuck_button_is_ignored_until_it_comes_up(which: Which) -> None:
    button = Button(which)
    before = [*button.edge(0, True), *button.until(STUCK_NS - 1)]
    assert before and not button.stuck
    assert [*button.until(STUCK_NS)] == [] and button.stuck
    assert [*button.until(100 * STUCK_NS)] == []
    assert [*button.edge(100 * STUCK_NS, False), *button.until(101 * STUCK_NS)] == []
    assert not button.stuck and button.at_rest(101 * STUCK_NS)
    again = 102 * STUCK_NS
    found = heard(button, [(again, True), (again + 50 * MS, False)], again + 1_000 * MS)
    assert found == [(Stroke.RAISE if which is Which.RAISE else Stroke.CONFIRM, again)]


@pytest.mark.parametrize("which", Which)
def test_a_button_that_is_down_at_the_start_is_nobodys_press(which: Which) -> None:
    button = Button.seen(which, HOLDING, 0, closed=True)
    assert [*button.until(5_000 * MS), *button.edge(5_000 * MS, False), *button.until(6_000 * MS)] == []
    assert heard(button, [(7_000 * MS, True), (7_050 * MS, False)], 8_000 * MS)[0][1] == 7_000 * MS
    stuck = Button.seen(which, HOLDING, 0, closed=True)
    assert [*stuck.until(STUCK_NS)] == [] and stuck.stuck
