"""Tests of the blink patterns, of lights on mock pins and simulated lights, and of the pin table."""

from itertools import combinations, pairwise

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin
from hypothesis import given
from hypothesis import strategies as st

from device.gpio.buttons import ButtonError
from device.gpio.gpiozero_devices import GpioLights
from device.gpio.lights import ACKNOWLEDGE_BLINK_MS, BLINK_PATTERNS_MS, MS, LightSignal, LightState
from device.gpio.pins import (
    DEFAULT_SEAT_PINS,
    HEADER_PIN_BY_GPIO,
    MAX_GPIO,
    RESERVED_PINS,
    SHARED_PINS,
    SeatPins,
    check_pins,
    pin_label,
)
from device.simulated.controls import SimulatedLights
from device.system.clock import SimulatedClock
from device.system.periodic import PeriodicCallback
from tests.helpers.manual_ticker import ManualTicker

SECOND = 1_000 * MS


def changes(showing: LightState, from_ns: int, until_ns: int) -> list[tuple[int, bool]]:
    """Return when a light goes on and off, following ``next_change_ns``."""
    found = [(from_ns, showing.is_on(from_ns))]
    now = from_ns
    while (change := showing.next_change_ns(now)) is not None and change < until_ns:
        now = change
        if showing.is_on(now) != found[-1][1]:
            found.append((now, showing.is_on(now)))
    return found


@pytest.mark.parametrize("sign", LightSignal)
def test_no_signal_flashes_more_than_three_times_a_second(sign: LightSignal) -> None:
    rises = [when for when, lit in changes(LightState(sign, 0), 0, 60 * SECOND) if lit]
    assert all(later - first > SECOND for first, later in zip(rises, rises[3:], strict=False))


def test_signals_have_distinct_patterns() -> None:
    def rhythm(sign: LightSignal) -> tuple[float, float, bool]:
        """What people tell patterns apart by: changes per second, share of light, and whether all flashes are equal."""
        found = changes(LightState(sign, 0), 0, 60 * SECOND)
        lit = {end - start for (start, on), (end, _) in pairwise(found) if on}
        share = sum(end - start for (start, on), (end, _) in pairwise([*found, (60 * SECOND, False)]) if on)
        return len(found) / 60, share / (60 * SECOND), len(lit) <= 1

    told = {sign: rhythm(sign) for sign in LightSignal}
    for one, other in combinations(LightSignal, 2):
        quicker, share, even = zip(told[one], told[other], strict=True)
        assert max(quicker) > 1.5 * min(quicker) or abs(share[0] - share[1]) > 0.3 or even[0] != even[1]
    assert told[LightSignal.ANSWERED][1] == 1 and told[LightSignal.OFF][1] == 0


@given(st.sampled_from(LightSignal), st.integers(0, 10**13), st.integers(0, 10 * SECOND))
def test_light_changes_only_at_next_change_ns(sign: LightSignal, since: int, after: int) -> None:
    showing = LightState(sign, since)
    now = since + after
    then = showing.next_change_ns(now)
    if then is None:
        assert showing.is_on(now) == showing.is_on(now + 10 * SECOND) == (sign is LightSignal.ANSWERED)
    else:
        assert (
            then > now and showing.is_on(then - 1) == showing.is_on(now) and showing.is_on(then) != showing.is_on(now)
        )


@given(st.sampled_from(LightSignal), st.integers(0, 10 * SECOND))
def test_blink_is_visible_over_every_signal(sign: LightSignal, after: int) -> None:
    """A full flash with darkness on both sides, at any time."""
    showing = LightState(sign, 0).with_signal(None, after)
    states = [showing.is_on(after + ms * MS) for ms in range(sum(ACKNOWLEDGE_BLINK_MS))]
    assert (
        states
        == [False] * ACKNOWLEDGE_BLINK_MS[0] + [True] * ACKNOWLEDGE_BLINK_MS[1] + [False] * ACKNOWLEDGE_BLINK_MS[2]
    )
    over = after + sum(ACKNOWLEDGE_BLINK_MS) * MS
    assert showing.is_on(over) == LightState(sign, 0).is_on(over), "the signal keeps its phase"


def test_same_signal_again_keeps_its_phase() -> None:
    showing = LightState().with_signal(LightSignal.WAITING, 5)
    assert showing.with_signal(LightSignal.WAITING, 99) is showing
    assert showing.with_signal(LightSignal.ANSWERED, 99) == LightState(LightSignal.ANSWERED, 99)


# -------- on the pins


class LightRig:
    """Lights on mock pins in simulated time."""

    def __init__(self, pin_class: type[MockPin] = MockPin, pins: tuple[SeatPins, ...] = DEFAULT_SEAT_PINS[:2]) -> None:
        self.clock = SimulatedClock(10**12)
        self.factory = MockFactory(pin_class=pin_class)
        self.alerts: list[str] = []
        self.tasks: list[ManualTicker] = []
        self.lights = GpioLights(self.factory, pins, self.clock, self.alerts.append, make_task=self._make_task)

    def _make_task(self, again: PeriodicCallback, name: str) -> ManualTicker:
        self.tasks.append(ManualTicker(again, name))
        return self.tasks[-1]

    def record(self, pin: int, seconds: float) -> list[tuple[int, bool]]:
        """Record a light for some seconds: ms from now, and whether it is on from then."""
        start, found = self.clock.now_ns(), list[tuple[int, bool]]()
        while self.clock.now_ns() < start + seconds * SECOND:
            state = bool(self.factory.pin(f"GPIO{pin}").state)
            if not found or found[-1][1] != state:
                found.append(((self.clock.now_ns() - start) // MS, state))
            due = self.tasks[0].delay_s
            if due is None:
                break
            self.clock.wait_until(self.clock.now_ns() + round(due * 1e9))
            self.tasks[0].tick()
        return found


@pytest.mark.parametrize("pin_class", [MockPin, MockPWMPin])
def test_signal_on_the_pins(pin_class: type[MockPin]) -> None:
    lamps = LightRig(pin_class)
    one, other = (pins.light or 0 for pins in DEFAULT_SEAT_PINS[:2])
    assert lamps.record(one, 1) == [(0, False)]
    lamps.lights.show(1, LightSignal.FOUL)
    lamps.lights.show(2, LightSignal.ANSWERED)
    on, off, *_, rest = BLINK_PATTERNS_MS[LightSignal.FOUL]
    cycle = sum(BLINK_PATTERNS_MS[LightSignal.FOUL])
    flashes = [(0, True), (on, False), (on + off, True), (2 * on + off, False), (2 * (on + off), True)]
    assert lamps.record(one, cycle / 1e3) == [*flashes, (cycle - rest, False)]
    assert lamps.factory.pin(f"GPIO{other}").state
    lamps.lights.show(1, LightSignal.OFF)
    assert lamps.record(one, 5) == [(0, False)]
    assert lamps.tasks[0].delay_s is None, "no wake-ups while no light changes"


def test_blink_on_the_pins() -> None:
    lamps = LightRig()
    lamps.lights.show(1, LightSignal.ANSWERED)
    lamps.lights.blink(1)
    assert lamps.record(DEFAULT_SEAT_PINS[0].light or 0, 1) == [(0, False), (60, True), (170, False), (230, True)]


def test_stop_switches_lights_off_and_frees_the_pins() -> None:
    lamps = LightRig()
    lamps.lights.show(1, LightSignal.ANSWERED)
    lamps.lights.stop()
    lamps.lights.stop()
    lamps.lights.show(1, LightSignal.ANSWERED)
    assert not lamps.factory.pin(f"GPIO{DEFAULT_SEAT_PINS[0].light}").state
    gpiozero.LED(DEFAULT_SEAT_PINS[0].light, pin_factory=lamps.factory).close()


def test_seats_without_a_light_are_ignored() -> None:
    lamps = LightRig(pins=(SeatPins(17, 27), SeatPins(23, 24, 25)))
    for seat in (1, 2, 3):
        lamps.lights.show(seat, LightSignal.ANSWERED)
        lamps.lights.blink(seat)
    assert lamps.record(25, 1)[-1][1] and lamps.alerts == []


def test_failing_light_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = LightRig()
    pin = lamps.factory.pin(f"GPIO{DEFAULT_SEAT_PINS[0].light}")

    def broken(value: float) -> None:
        raise OSError("no such line")

    monkeypatch.setattr(pin, "_set_state", broken)
    for sign in (LightSignal.ANSWERED, LightSignal.OFF, LightSignal.WINNER):
        lamps.lights.show(1, sign)
        lamps.lights.show(2, sign)
    assert lamps.alerts == ["seat 1’s light can’t be switched any more (no such line): it stays as it is"]
    assert lamps.factory.pin(f"GPIO{DEFAULT_SEAT_PINS[1].light}").state


def test_light_with_a_pin_in_use_is_reported() -> None:
    factory, told = MockFactory(), list[str]()
    taken = gpiozero.LED(22, pin_factory=factory)
    lights = GpioLights(factory, DEFAULT_SEAT_PINS[:1], SimulatedClock(), told.append, make_task=ManualTicker)
    lights.show(1, LightSignal.ANSWERED)
    (line,) = told
    assert line.startswith("seat 1’s light on GPIO 22 (pin 15 of the header) can’t be used (")
    taken.close()


@given(
    st.lists(
        st.tuples(st.integers(1, 3), st.sampled_from([*LightSignal, None]), st.integers(1, 3 * SECOND)), max_size=12
    )
)
def test_simulated_lights_equal_the_pins(orders: list[tuple[int, LightSignal | None, int]]) -> None:
    lamps = LightRig(pins=DEFAULT_SEAT_PINS[:3])
    simulated = SimulatedLights(3, lamps.clock)
    for seat, sign, wait_ns in orders:
        for lights in (lamps.lights, simulated):
            lights.blink(seat) if sign is None else lights.show(seat, sign)
        until = lamps.clock.now_ns() + wait_ns
        while (
            lamps.tasks[0].delay_s is not None
            and (due := lamps.clock.now_ns() + round(lamps.tasks[0].delay_s * 1e9)) <= until
        ):
            lamps.clock.wait_until(due)
            lamps.tasks[0].tick()
        lamps.clock.wait_until(until)
        lamps.tasks[0].tick()
        for number, pins in enumerate(DEFAULT_SEAT_PINS[:3], start=1):
            assert bool(lamps.factory.pin(f"GPIO{pins.light}").state) == simulated.is_on(number, lamps.clock.now_ns())


# -------- the pin table


def test_default_pins_are_distinct_and_free() -> None:
    check_pins(DEFAULT_SEAT_PINS)
    used = [pin for pins in DEFAULT_SEAT_PINS for _, pin in pins.functions()]
    assert len(used) == len(set(used)) == 24
    assert not {0, 1, 2, 3} & set(used), "ID and I2C stay free"
    assert not {pin for pins in DEFAULT_SEAT_PINS[:4] for _, pin in pins.functions()} & SHARED_PINS.keys()
    assert {SHARED_PINS[pin] for _, pin in DEFAULT_SEAT_PINS[4].functions()} == {"I2S sound"}
    assert all(pins.light is not None and pins.light > 8 for pins in DEFAULT_SEAT_PINS), (
        "the board pulls GPIO 0 to 8 up"
    )


def test_header_pins_match_gpiozero() -> None:
    board = MockFactory(revision="c04170").board_info.headers["J8"]
    theirs = {pin.name: pin.number for pin in board.pins.values() if pin.name.startswith("GPIO")}
    assert theirs == {f"GPIO{gpio}": number for gpio, number in HEADER_PIN_BY_GPIO.items()}
    assert pin_label(17) == "GPIO 17 (pin 11 of the header)"


@pytest.mark.parametrize(
    ("pins", "line"),
    [
        ([SeatPins(17, 27, 17)], "seat 1’s light can’t be on GPIO 17: seat 1’s raise uses it; "),
        ([DEFAULT_SEAT_PINS[0], SeatPins(4, 22)], "seat 2’s confirm can’t be on GPIO 22: seat 1’s light uses it; "),
        ([SeatPins(17, 1)], "seat 1’s confirm can’t be on GPIO 1: that is ID_SC, which the board reserves; "),
        ([SeatPins(28, 17)], "seat 1’s raise can’t be on GPIO 28: the header has GPIO 0 to 27; "),
        ([SeatPins(17, -1)], "seat 1’s confirm can’t be on GPIO -1: the header has GPIO 0 to 27; "),
    ],
)
def test_unusable_pins_raise(pins: list[SeatPins], line: str) -> None:
    with pytest.raises(ButtonError) as error:
        check_pins(pins)
    message = str(error.value)
    assert message.startswith(line) and "choose another in its [[seat]], for instance " in message
    offered = {int(pin) for pin in message.rpartition("instance ")[2].split(", ")}
    assert (
        offered
        and not offered & {pin for one in pins for _, pin in one.functions()}
        and not offered & SHARED_PINS.keys()
    )


seats = st.lists(st.builds(SeatPins, *([st.integers(-1, 30)] * 3)), max_size=8)


@given(seats)
def test_check_pins_accepts_exactly_valid_tables(pins: list[SeatPins]) -> None:
    used = [pin for one in pins for _, pin in one.functions()]
    valid = len(used) == len(set(used)) and all(0 <= pin <= MAX_GPIO and pin not in RESERVED_PINS for pin in used)
    try:
        check_pins(pins)
    except ButtonError as error:
        assert not valid and "\n" not in str(error)
    else:
        assert valid
