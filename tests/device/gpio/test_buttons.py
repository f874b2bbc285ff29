"""Tests of the buttons on gpiozero's mock pins, with bouncing contacts in simulated time, and of the simulated
buttons."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import gpiozero.pins.mock
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from hypothesis import given
from hypothesis import strategies as st

from device.gpio.buttons import ButtonAction, ButtonError, ButtonEvent, ButtonName
from device.gpio.debounce import (
    BOUNCE_NS,
    MS,
    POLL_INTERVAL_NS,
    RELEASE_CONFIRM_NS,
    STUCK_TIMEOUT_NS,
    ButtonEvents,
    HoldTimes,
)
from device.gpio.gpiozero_devices import GpioButtons, open_pin_factory
from device.gpio.pins import DEFAULT_SEAT_PINS, SeatPins
from device.simulated.controls import SimulatedButtons, bouncing_press
from device.system.clock import MonotonicClock, SimulatedClock
from device.system.periodic import PeriodicCallback, ThreadTicker
from tests.helpers.manual_ticker import ManualTicker
from tests.helpers.waiting import LIMIT_S

TWO = DEFAULT_SEAT_PINS[:2]


class ButtonRig:
    """Buttons on mock pins in simulated time, and their events."""

    def __init__(self, pins: Sequence[SeatPins] = TWO, now_ns: int = 10**12) -> None:
        self.clock = SimulatedClock(now_ns)
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.events: list[ButtonEvent] = []
        self.alerts: list[str] = []
        self.tasks: list[ManualTicker] = []
        self.buttons = GpioButtons(self.factory, pins, self.clock, self.alerts.append, make_task=self._make_task)

    def _make_task(self, again: PeriodicCallback, name: str) -> ManualTicker:
        self.tasks.append(ManualTicker(again, name))
        return self.tasks[-1]

    def start(self) -> None:
        self.buttons.start(self.events.append)

    def wait(self, ms: float) -> None:
        """Advance the time, running the periodic task when due."""
        until = self.clock.now_ns() + round(ms * MS)
        while self.clock.now_ns() < until:
            due = self.tasks[0].delay_s
            step = until if due is None else self.clock.now_ns() + max(1, round(due * 1e9))
            self.clock.wait_until(min(until, step))
            if due is not None and self.clock.now_ns() >= step:
                self.tasks[0].tick()

    def drive(self, pin: int, closed: bool) -> None:
        mock = self.factory.pin(f"GPIO{pin}")
        mock.drive_low() if closed else mock.drive_high()

    def press(self, pin: int, ms: float, seed: int = 0) -> int:
        """Press the button on a pin and return when."""
        start = self.clock.now_ns()
        for when, closed in bouncing_press(np.random.default_rng(seed), start, start + round(ms * MS)):
            self.wait((when - self.clock.now_ns()) / MS)
            self.drive(pin, closed)
        self.wait(100)
        return start


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[ButtonRig]:
    made = ButtonRig()
    monkeypatch.setattr(gpiozero.pins.mock, "monotonic", lambda: made.clock.now_ns() / 1e9)
    made.start()
    yield made
    made.buttons.stop()


def matches(stroke: ButtonEvent, seat: int, kind: ButtonAction, when_ns: int) -> bool:
    """Compare up to a microsecond, since gpiozero's ticks are float seconds."""
    return (stroke.seat, stroke.action) == (seat, kind) and abs(stroke.when_ns - when_ns) < 1_000


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(8, 500), st.integers(0, 10**6)), max_size=6))
def test_every_press_on_the_pins_is_one_event(presses: list[tuple[int, float, int]]) -> None:
    made = ButtonRig()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gpiozero.pins.mock, "monotonic", lambda: made.clock.now_ns() / 1e9)
        made.start()
        expected = []
        for number, ms, seed in presses:
            pins = TWO[number // 2]
            kind, pin = ((ButtonAction.RAISE, pins.raises), (ButtonAction.CONFIRM, pins.confirm))[number % 2]
            expected.append((number // 2 + 1, kind, made.press(pin, ms, seed)))
        made.buttons.stop()
    assert len(made.events) == len(expected)
    assert all(matches(stroke, *wanted) for stroke, wanted in zip(made.events, expected, strict=True))
    assert made.alerts == []


def test_holds_on_the_pins(board: ButtonRig) -> None:
    start = board.press(TWO[0].confirm, 700)
    assert len(board.events) == 1 and matches(board.events[0], 1, ButtonAction.CONFIRM_HOLD, start)
    board.events.clear()
    start = board.press(TWO[1].raises, 1_000)
    hold, run = HoldTimes().hold_ns, HoldTimes().repeat_ns
    wanted = [(ButtonAction.RAISE, 0), (ButtonAction.RAISE_REPEAT, hold), (ButtonAction.RAISE_REPEAT, hold + run)]
    assert len(board.events) == len(wanted)
    assert all(matches(one, 2, kind, start + after) for one, (kind, after) in zip(board.events, wanted, strict=True))


def test_raise_is_reported_within_three_polls(board: ButtonRig) -> None:
    board.drive(TWO[0].raises, True)
    board.wait(3 * POLL_INTERVAL_NS / MS)
    assert [stroke.action for stroke in board.events] == [ButtonAction.RAISE]


def test_idle_buttons_are_not_polled(board: ButtonRig) -> None:
    board.press(TWO[0].raises, 50)
    board.wait(100)
    assert board.tasks[0].delay_s is None


def test_stuck_button_is_reported_once_and_others_go_on(board: ButtonRig) -> None:
    board.drive(TWO[0].confirm, True)
    board.wait(2 * STUCK_TIMEOUT_NS / MS)
    (line,) = board.alerts
    assert line.startswith("seat 1’s confirm button on GPIO 27 (pin 13 of the header) is stuck")
    board.events.clear()
    board.press(TWO[1].confirm, 50)
    assert [(one.seat, one.action) for one in board.events] == [(2, ButtonAction.CONFIRM)]
    board.drive(TWO[0].confirm, False)
    board.wait(100)
    assert len(board.events) == 1
    board.press(TWO[0].confirm, 50)
    assert board.events[1].seat == 1 and len(board.alerts) == 1


def test_button_down_at_the_start_is_ignored_until_released(monkeypatch: pytest.MonkeyPatch) -> None:
    made = ButtonRig()
    monkeypatch.setattr(gpiozero.pins.mock, "monotonic", lambda: made.clock.now_ns() / 1e9)
    mock = made.factory.pin(f"GPIO{TWO[0].confirm}")
    monkeypatch.setattr(type(mock), "_set_pull", lambda self, value: setattr(self, "_pull", value))
    made.start()
    made.wait(5_000)
    made.drive(TWO[0].confirm, False)
    made.wait(100)
    assert made.events == []
    made.press(TWO[0].confirm, 50)
    assert [stroke.action for stroke in made.events] == [ButtonAction.CONFIRM]


def test_failing_chip_is_reported_once(board: ButtonRig, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: MockPWMPin) -> bool:
        raise OSError("no such device")

    monkeypatch.setattr(MockPWMPin, "_get_state", broken)
    for _ in range(3):
        board.drive(TWO[0].raises, True)
        board.wait(100)
        board.drive(TWO[0].raises, False)
        board.wait(100)
    assert board.alerts == ["the buttons can’t be read any more (no such device): restart the box"]


def test_stop_releases_the_pins(board: ButtonRig) -> None:
    board.buttons.stop()
    board.buttons.stop()
    board.drive(TWO[0].raises, True)
    assert board.tasks[0].stopped and board.events == []
    again = GpioButtons(board.factory, TWO, board.clock, board.alerts.append, make_task=ManualTicker)
    again.start(board.events.append)
    again.stop()
    assert board.alerts == []


def test_pin_in_use_is_reported_and_others_work() -> None:
    made = ButtonRig()
    taken = gpiozero.LED(TWO[0].raises, pin_factory=made.factory)
    made.start()
    (line,) = made.alerts
    assert line.startswith("seat 1’s raise on GPIO 17 (pin 11 of the header) can’t be used (")
    assert "config.txt" in line and "\n" not in line
    made.buttons.stop()
    taken.close()


def test_no_usable_pin_raises() -> None:
    made = ButtonRig(pins=[SeatPins(17, 27)])
    taken = [gpiozero.LED(pin, pin_factory=made.factory) for pin in (17, 27)]
    with pytest.raises(ButtonError, match="seat 1’s raise on GPIO 17"):
        made.start()
    for device in taken:
        device.close()
    with pytest.raises(ButtonError, match=r"\[\[seat\]\]"):
        ButtonRig(pins=[]).start()


def test_one_press_with_the_real_thread_and_clock() -> None:
    """The pin is pressed as fast as Python can, with one bounce."""
    factory, heard = MockFactory(), []
    done = threading.Event()

    def hear(stroke: ButtonEvent) -> None:
        heard.append(stroke)
        done.set()

    buttons = GpioButtons(factory, TWO, MonotonicClock(), lambda line: None)
    buttons.start(hear)
    pin = factory.pin(f"GPIO{TWO[1].raises}")
    pin.drive_low()
    pin.drive_high()
    pin.drive_low()
    assert done.wait(LIMIT_S)
    buttons.stop()
    assert [(stroke.seat, stroke.action) for stroke in heard] == [(2, ButtonAction.RAISE)]


def test_thread_ticker_ends() -> None:
    done = []
    beat = ThreadTicker(lambda: done.append(1), "test")
    beat.wake()
    beat.stop()
    beat.stop()
    before = len(done)
    beat.wake()
    assert len(done) == before


# -------- late and lost edges


class SingleButton:
    """One confirm button whose edges may be late or lost."""

    def __init__(self) -> None:
        self.events: list[ButtonEvent] = []
        self.stuck: list[object] = []
        self.closed = False
        self.key = (1, ButtonName.CONFIRM)
        self.tracker = ButtonEvents({self.key: False}, 0, HoldTimes(), self.events.append, self.stuck.append)

    def poll(self, ms: float) -> bool:
        return self.tracker.poll(round(ms * MS), lambda key: self.closed)


def test_late_edges_make_no_hold_of_a_tap() -> None:
    wire = SingleButton()
    wire.tracker.handle_edge(wire.key, 100 * MS, True)
    wire.closed = True
    wire.poll(100)
    wire.closed = False
    # The machine is busy for a second; the button is released meanwhile, and its edge arrives after a poll.
    wire.poll(1_100)
    assert wire.events == []
    wire.tracker.handle_edge(wire.key, 180 * MS, False)
    for ms in (1_110, 1_120, 1_130):
        wire.poll(ms)
    assert [stroke.action for stroke in wire.events] == [ButtonAction.CONFIRM]


def test_two_taps_with_late_edges_are_not_a_hold() -> None:
    wire = SingleButton()
    wire.tracker.handle_edge(wire.key, 100 * MS, True)
    wire.closed = True
    wire.poll(100)
    wire.poll(1_100)  # pressed again by now
    wire.poll(1_101)  # edges of another button came first
    for ms, closed in ((150, False), (1_090, True)):
        wire.tracker.handle_edge(wire.key, ms * MS, closed)
    wire.closed = False
    wire.tracker.handle_edge(wire.key, 1_140 * MS, False)
    for ms in (1_150, 1_160, 1_170):
        wire.poll(ms)
    assert [stroke.action for stroke in wire.events] == [ButtonAction.CONFIRM, ButtonAction.CONFIRM]


def test_lost_edge_is_found_by_polling() -> None:
    wire = SingleButton()
    wire.tracker.handle_edge(wire.key, 100 * MS, True)
    wire.closed = True
    for ms in range(100, 200, 10):
        wire.poll(ms)
    wire.closed = False  # and its edge is lost
    for ms in range(200, 260, 10):
        wire.poll(ms)
    assert [(stroke.action, stroke.when_ns) for stroke in wire.events] == [(ButtonAction.CONFIRM, 100 * MS)]
    assert not wire.poll(300)


def test_lost_edge_after_a_long_sleep_is_not_a_hold() -> None:
    wire = SingleButton()
    wire.tracker.handle_edge(wire.key, 100 * MS, True)
    wire.closed = True
    wire.poll(100)
    wire.poll(110)
    wire.closed = False
    for ms in range(1_100, 1_200, 10):
        wire.poll(ms)
    assert [stroke.action for stroke in wire.events] == [ButtonAction.CONFIRM]


# -------- simulated buttons


@given(st.integers(0, 10**6), st.floats(8, 590), st.sampled_from(ButtonName))
def test_simulated_press_is_one_event(seed: int, ms: float, which: ButtonName) -> None:
    heard: list[ButtonEvent] = []
    buttons = SimulatedButtons(3, SimulatedClock(5), seed=seed)
    buttons.start(heard.append)
    buttons.press(2, which, ms)
    assert heard == [ButtonEvent(2, ButtonAction.RAISE if which is ButtonName.RAISE else ButtonAction.CONFIRM, 5)]


def test_all_simulated_seats_can_press_at_once() -> None:
    heard: list[ButtonEvent] = []
    buttons = SimulatedButtons(8, SimulatedClock())
    buttons.start(heard.append)
    buttons.press_all([(seat, ButtonName.CONFIRM) for seat in range(1, 9)], 700)
    assert sorted((stroke.seat, stroke.action) for stroke in heard) == [
        (seat, ButtonAction.CONFIRM_HOLD) for seat in range(1, 9)
    ]
    buttons.stop()
    buttons.press(1, ButtonName.RAISE)
    assert len(heard) == 8


def test_simulated_buttons_can_stick_or_be_missing() -> None:
    heard: list[ButtonEvent] = []
    told: list[object] = []
    missing = [(1, ButtonName.RAISE)]
    buttons = SimulatedButtons(2, SimulatedClock(), missing=missing, on_stuck=told.append)
    buttons.start(heard.append)
    buttons.press(1, ButtonName.RAISE)
    assert heard == []
    buttons.stick(1, ButtonName.CONFIRM)
    buttons.wait(2 * STUCK_TIMEOUT_NS / MS)
    assert told == [(1, ButtonName.CONFIRM)] and [stroke.action for stroke in heard] == [ButtonAction.CONFIRM_HOLD]
    buttons.release(1, ButtonName.CONFIRM)
    buttons.wait((BOUNCE_NS + RELEASE_CONFIRM_NS + 3 * POLL_INTERVAL_NS) / MS)
    buttons.press(1, ButtonName.CONFIRM)
    assert len(heard) == 2 and len(told) == 1


# -------- opening the chip


def test_missing_lgpio_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(ButtonError, match="lgpio is not installed; sudo apt install python3-lgpio"):
        open_pin_factory()


class FakeLgpio(ModuleType):
    """A fake of the part of lgpio that gpiozero uses: it records the requests, and tests trigger the edges."""

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    SET_BIAS_DISABLE, SET_BIAS_PULL_UP, SET_BIAS_PULL_DOWN = 128, 32, 64
    BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2

    class error(Exception):  # noqa: N801, N818 - its name there
        pass

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.flags: dict[int, int] = {}
        self.out: dict[int, bool] = {}
        self.low: set[int] = set()
        self.callbacks: dict[int, Any] = {}
        self.requests: list[str] = []
        self.open_error = ""

    def gpiochip_open(self, chip: int) -> int:
        if self.open_error:
            raise self.error(self.open_error)
        return 7

    def gpiochip_close(self, handle: int) -> None:
        self.requests.append("close")

    def gpio_claim_input(self, handle: int, gpio: int, flags: int = 0) -> None:
        self.flags[gpio] = flags
        self.out.pop(gpio, None)

    def gpio_claim_output(self, handle: int, gpio: int) -> None:
        self.out[gpio] = False

    def gpio_claim_alert(self, handle: int, gpio: int, edges: int, flags: int) -> None:
        self.requests.append(f"alert {gpio} {edges} {flags}")

    def gpio_free(self, handle: int, gpio: int) -> None:
        self.flags.pop(gpio, None)

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        return self.flags.get(gpio, 0) | (2 if gpio in self.out else 0)

    def gpio_set_debounce_micros(self, handle: int, gpio: int, micros: int) -> None:
        self.requests.append(f"debounce {micros}")

    def gpio_read(self, handle: int, gpio: int) -> int:
        return int(self.out.get(gpio, gpio not in self.low))

    def gpio_write(self, handle: int, gpio: int, level: bool) -> None:
        self.out[gpio] = level

    def callback(self, handle: int, gpio: int, edges: int, called: Any) -> Any:
        self.callbacks[gpio] = called
        return SimpleNamespace(cancel=lambda: self.callbacks.pop(gpio))


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLgpio]:
    fake = FakeLgpio()
    monkeypatch.setenv("LG_WD", "/tmp")
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC04170)  # a Raspberry Pi 5
    monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory.pins", {})
    yield fake
    sys.modules.pop("gpiozero.pins.lgpio", None)


def test_gpiozero_configures_the_chip(chip: FakeLgpio) -> None:
    """gpiozero's lgpio adapter over a fake lgpio: pulled up, both edges, no debounce in the chip, and the kernel's
    times are converted to the clock."""
    clock, heard, told = MonotonicClock(), list[ButtonEvent](), list[str]()
    factory = open_pin_factory()
    buttons = GpioButtons(factory, [SeatPins(17, 27)], clock, told.append, make_task=ManualTicker)
    buttons.start(heard.append)
    assert sorted(chip.requests) == ["alert 17 3 32", "alert 27 3 32", "debounce 0", "debounce 0"]
    now = clock.now_ns()
    for after, level in ((0, 0), (1, 1), (2, 0), (40, 1)):
        chip.callbacks[17](7, 17, level, now + after * MS)
    assert [(one.seat, one.action) for one in heard] == [(1, ButtonAction.RAISE)]
    assert abs(heard[0].when_ns - now) < 1 * MS
    assert told == []
    buttons.stop()
    assert chip.callbacks == {}
    factory.close()


def test_chip_that_cannot_be_opened_raises(chip: FakeLgpio) -> None:
    chip.open_error = "can not open gpiochip"
    with pytest.raises(ButtonError, match=r"can.t be opened \(can not open gpiochip\); is this user in"):
        open_pin_factory()


def test_other_machine_raises(chip: FakeLgpio, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpiozero.exc import PinUnknownPi

    def unknown() -> int:
        raise PinUnknownPi("unable to locate Pi revision")

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", unknown)
    with pytest.raises(ButtonError, match="this is not a Raspberry Pi"):
        open_pin_factory()


def test_lgpio_gets_a_temporary_working_directory() -> None:
    program = (
        "import os, sys; sys.modules['lgpio'] = None\n"
        "from device.gpio.gpiozero_devices import open_pin_factory; from device.gpio.buttons import ButtonError\n"
        "try: open_pin_factory()\n"
        "except ButtonError: print(os.environ['LG_WD'], os.path.isdir(os.environ['LG_WD']))"
    )
    env = {name: value for name, value in os.environ.items() if name not in ("LG_WD", "GPIOZERO_PIN_FACTORY")}
    run = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    folder, there = run.stdout.split()
    assert there == "True" and not os.path.exists(folder)  # noqa: PTH110
