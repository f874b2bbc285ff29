"""Tests of the debounce: every press of 8 ms or more is one action, however its contact bounces."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.gpio.buttons import ButtonAction, ButtonName
from device.gpio.debounce import (
    BOUNCE_NS,
    MS,
    PRESS_CONFIRM_NS,
    RELEASE_CONFIRM_NS,
    STUCK_TIMEOUT_NS,
    DebouncedButton,
    HoldTimes,
)

US = 1_000
HOLDING = HoldTimes()
Edge = tuple[int, bool]
TimedActions = list[tuple[ButtonAction, int]]


@dataclass(frozen=True)
class PressTrace:
    """Presses (start and length) and the edges they caused."""

    presses: tuple[tuple[int, int], ...]
    edges: tuple[Edge, ...]


@st.composite
def bounces(draw: st.DrawFn, start_ns: int, to: bool) -> list[Edge]:
    """Draw a contact that changes to ``to`` at ``start_ns``, bounces, and settles within 5 ms."""
    times = draw(st.lists(st.integers(1, BOUNCE_NS // US), max_size=12, unique=True))
    flips = [start_ns, *(start_ns + time * US for time in sorted(times)[: len(times) // 2 * 2])]
    return [(when, to if number % 2 == 0 else not to) for number, when in enumerate(flips)]


lengths = st.one_of(
    st.integers(8_000, 9_000),  # the shortest that must be recognised
    st.integers(8_000, 400_000),
    st.integers(8_000, 5_000_000),
).map(lambda us: us * US)


@st.composite
def press_traces(draw: st.DrawFn, min_presses: int = 0) -> PressTrace:
    """Draw presses of 8 ms or more with bounces, and with bursts of bounces within long presses."""
    now = draw(st.integers(0, 10**12))
    presses, edges = [], []
    for length in draw(st.lists(lengths, min_size=min_presses, max_size=8)):
        presses.append((now, length))
        edges += draw(bounces(now, True))
        if length >= 30 * MS and draw(st.booleans()):
            burst = now + draw(st.integers(10, length // MS - 10)) * MS
            edges += [*draw(bounces(burst, False)), (burst + BOUNCE_NS, True)]
        edges += draw(bounces(now + length, False))
        now += length + BOUNCE_NS + RELEASE_CONFIRM_NS + draw(st.integers(0, 300_000)) * US
    return PressTrace(tuple(presses), tuple(sorted(edges)))


def actions_of(button: DebouncedButton, edges: Iterable[Edge], end_ns: int, looks: Sequence[int] = ()) -> TimedActions:
    """Return the actions of ``edges`` with additional polls at ``looks``."""
    found: TimedActions = []
    due = sorted(look for look in looks if look <= end_ns)
    for when, closed in edges:
        while due and due[0] <= when:
            found += button.advance(due.pop(0))
        found += button.edge(when, closed)
    for look in (*due, end_ns):
        found += button.advance(look)
    return found


def end_ns(truth: PressTrace) -> int:
    return truth.edges[-1][0] + 1_000 * MS if truth.edges else 0


def is_ambiguous(length: int) -> bool:
    """Return whether a press ends so close to a hold or repeat that its bounces decide."""
    over = length - HOLDING.hold_ns
    return over >= -BOUNCE_NS and (over + BOUNCE_NS) % HOLDING.repeat_ns <= 2 * BOUNCE_NS


@given(press_traces())
def test_each_press_of_confirm_is_one_action_at_its_first_touch(truth: PressTrace) -> None:
    found = actions_of(DebouncedButton(ButtonName.CONFIRM), truth.edges, end_ns(truth))
    assert [when for _, when in found] == [when for when, _ in truth.presses]
    for (stroke, _), (_, length) in zip(found, truth.presses, strict=True):
        if not is_ambiguous(length):
            assert stroke is (ButtonAction.CONFIRM_HOLD if length >= HOLDING.hold_ns else ButtonAction.CONFIRM)


@given(press_traces())
def test_each_press_of_raise_is_one_raise_and_repeats_while_held(truth: PressTrace) -> None:
    found = actions_of(DebouncedButton(ButtonName.RAISE), truth.edges, end_ns(truth))
    assert [when for stroke, when in found if stroke is ButtonAction.RAISE] == [when for when, _ in truth.presses]
    for start, length in truth.presses:
        if is_ambiguous(length):
            continue
        steps = [
            when
            for stroke, when in found
            if stroke is ButtonAction.RAISE_REPEAT and start <= when < start + length + BOUNCE_NS
        ]
        assert steps == list(range(start + HOLDING.hold_ns, start + length, HOLDING.repeat_ns))


@given(press_traces(), st.sampled_from(ButtonName), st.lists(st.integers(0, 3 * 10**10)))
def test_additional_polls_change_nothing(truth: PressTrace, which: ButtonName, looks: list[int]) -> None:
    start = truth.presses[0][0] if truth.presses else 0
    at_times = [start + look for look in looks]
    assert actions_of(DebouncedButton(which), truth.edges, end_ns(truth), at_times) == actions_of(
        DebouncedButton(which), truth.edges, end_ns(truth)
    )


@given(
    st.lists(st.integers(1, PRESS_CONFIRM_NS - 1), max_size=50), st.integers(1, 20 * MS), st.sampled_from(ButtonName)
)
def test_sparks_on_a_wire_are_not_presses(sparks: list[int], apart: int, which: ButtonName) -> None:
    now, edges = 0, []
    for spark in sparks:
        edges += [(now, True), (now + spark, False)]
        now += spark + apart
    assert actions_of(DebouncedButton(which), edges, now + 1_000 * MS) == []


@given(press_traces(min_presses=1), st.sampled_from(ButtonName))
def test_repeated_edges_change_nothing(truth: PressTrace, which: ButtonName) -> None:
    twice = [edge for edge in truth.edges for _ in range(2)]
    assert actions_of(DebouncedButton(which), twice, end_ns(truth)) == actions_of(
        DebouncedButton(which), truth.edges, end_ns(truth)
    )


def test_edge_out_of_order_counts_at_the_last_time() -> None:
    button = DebouncedButton(ButtonName.CONFIRM)
    found = actions_of(
        button, [(0, True), (50 * MS, False), (52 * MS, True), (40 * MS, False)], 52 * MS + RELEASE_CONFIRM_NS - 1
    )
    assert found == [] and [*button.advance(52 * MS + RELEASE_CONFIRM_NS)] == [(ButtonAction.CONFIRM, 0)]


def test_press_of_8_ms_with_5_ms_of_bounces_is_one_action() -> None:
    closing = [(at * US, at % 1_000 == 0) for at in range(0, 5_001, 500)]
    opening = [(8 * MS + at * US, at % 1_000 != 0) for at in range(0, 5_001, 500)]
    for which in ButtonName:
        found = actions_of(DebouncedButton(which), [*closing, *opening], 1_000 * MS)
        assert found == [(ButtonAction.RAISE if which is ButtonName.RAISE else ButtonAction.CONFIRM, 0)]


def test_raise_counts_at_once_and_confirm_when_released() -> None:
    up, yes = DebouncedButton(ButtonName.RAISE), DebouncedButton(ButtonName.CONFIRM)
    assert [*up.edge(0, True), *up.advance(PRESS_CONFIRM_NS)] == [(ButtonAction.RAISE, 0)]
    assert [*yes.edge(0, True), *yes.advance(PRESS_CONFIRM_NS)] == []
    assert [*yes.edge(50 * MS, False), *yes.advance(50 * MS + RELEASE_CONFIRM_NS)] == [(ButtonAction.CONFIRM, 0)]


def test_held_confirm_is_one_hold_and_no_confirm() -> None:
    button = DebouncedButton(ButtonName.CONFIRM)
    assert [*button.edge(0, True), *button.advance(HOLDING.hold_ns - 1)] == []
    assert [*button.advance(HOLDING.hold_ns)] == [(ButtonAction.CONFIRM_HOLD, 0)]
    assert [*button.advance(5_000 * MS), *button.edge(5_001 * MS, False), *button.advance(6_000 * MS)] == []


@pytest.mark.parametrize("which", ButtonName)
def test_stuck_button_is_ignored_until_released(which: ButtonName) -> None:
    button = DebouncedButton(which)
    before = [*button.edge(0, True), *button.advance(STUCK_TIMEOUT_NS - 1)]
    assert before and not button.stuck
    assert [*button.advance(STUCK_TIMEOUT_NS)] == [] and button.stuck
    assert [*button.advance(100 * STUCK_TIMEOUT_NS)] == []
    assert [*button.edge(100 * STUCK_TIMEOUT_NS, False), *button.advance(101 * STUCK_TIMEOUT_NS)] == []
    assert not button.stuck and button.is_idle(101 * STUCK_TIMEOUT_NS)
    again = 102 * STUCK_TIMEOUT_NS
    found = actions_of(button, [(again, True), (again + 50 * MS, False)], again + 1_000 * MS)
    assert found == [(ButtonAction.RAISE if which is ButtonName.RAISE else ButtonAction.CONFIRM, again)]


@pytest.mark.parametrize("which", ButtonName)
def test_button_down_at_the_start_is_ignored(which: ButtonName) -> None:
    button = DebouncedButton.from_contact(which, HOLDING, 0, closed=True)
    assert [*button.advance(5_000 * MS), *button.edge(5_000 * MS, False), *button.advance(6_000 * MS)] == []
    assert actions_of(button, [(7_000 * MS, True), (7_050 * MS, False)], 8_000 * MS)[0][1] == 7_000 * MS
    stuck = DebouncedButton.from_contact(which, HOLDING, 0, closed=True)
    assert [*stuck.advance(STUCK_TIMEOUT_NS)] == [] and stuck.stuck
