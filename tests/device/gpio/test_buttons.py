"""Buttons on gpiozero's mock pins, driven by bouncing traces in jumped time, and their simulated twin beside them."""

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

from device.gpio.button_events import LOOK_NS, Strokes
from device.gpio.buttons import ButtonError, SeatStroke, Stroke, Which
from device.gpio.debounce import BOUNCE_NS, MS, OPEN_NS, STUCK_NS, Holding
from device.gpio.gpio import GpioButtons, open_pins
from device.gpio.pins import USUAL, SeatPins
from device.simulated.buttons import SimulatedButtons, bouncing
from device.system.clock import JumpingClock, SteadyClock
from device.system.periodic import Again, HandBeat, ThreadBeat

TWO = USUAL[:2]


class Board:
    """Mock pins in jumped time: what the fingers do, and what is heard."""

    def __init__(self, pins: Sequence[SeatPins] = TWO, now_ns: int = 10**12) -> None:
        self.clock = JumpingClock(now_ns)
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.heard: list[SeatStroke] = []
        self.told: list[str] = []
        self.beats: list[HandBeat] = []
        self.buttons = GpioButtons(self.factory, pins, self.clock, self.told.append, beat=self._beat)

    def _beat(self, again: Again, name: str) -> HandBeat:
        self.beats.append(HandBeat(again, name))
        return self.beats[-1]

    def start(self) -> None:
        self.buttons.start(self.heard.append)

    def wait(self, ms: float) -> None:
        """Let time go by; the beat is done whenever it wants to be."""
        until = self.clock.now_ns() + round(ms * MS)
        while self.clock.now_ns() < until:
            due = self.beats[0].due_s
            step = until if due is None else self.clock.now_ns() + max(1, round(due * 1e9))
            self.clock.wait_until(min(until, step))
            if due is not None and self.clock.now_ns() >= step:
                self.beats[0].go()

    def drive(self, pin: int, closed: bool) -> None:
        mock = self.factory.pin(f"GPIO{pin}")
        mock.drive_low() if closed else mock.drive_high()

    def press(self, pin: int, ms: float, seed: int = 0) -> int:
        """A finger presses the button on a pin; returns when."""
        start = self.clock.now_ns()
        for when, closed in bouncing(np.random.default_rng(seed), start, start + round(ms * MS)):
            self.wait((when - self.clock.now_ns()) / MS)
            self.drive(pin, closed)
        self.wait(100)
        return start


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    made = Board()
    monkeypatch.setattr(gpiozero.pins.mock, "monotonic", lambda: made.clock.now_ns() / 1e9)
    made.start()
    yield made
    made.buttons.stop()


def near(stroke: SeatStroke, seat: int, kind: Stroke, when_ns: int) -> bool:
    """gpiozero's ticks are seconds in a float: a microsecond is near enough."""
    return (stroke.seat, stroke.stroke) == (seat, kind) and abs(stroke.when_ns - when_ns) < 1_000


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(8, 500), st.integers(0, 10**6)), max_size=6))
def test_every_press_on_the_pins_is_heard_once(presses: list[tuple[int, float, int]]) -> None:
    made = Board()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gpiozero.pins.mock, "monotonic", lambda: made.clock.now_ns() / 1e9)
        made.start()
        expected = []
        for number, ms, seed in presses:
            pins = TWO[number // 2]
            kind, pin = ((Stroke.RAISE, pins.raises), (Stroke.CONFIRM, pins.confirm))[number % 2]
            expected.append((number // 2 + 1, kind, made.press(pin, ms, seed)))
        made.buttons.stop()
    assert len(made.heard) == len(expected)
    assert all(near(stroke, *wanted) for stroke, wanted in zip(made.heard, expected, strict=True))
    assert made.told == []


def test_holding_on_the_pins(board: Board) -> None:
    start = board.press(TWO[0].confirm, 700)
    assert len(board.heard) == 1 and near(board.heard[0], 1, Stroke.PASS, start)
    board.heard.clear()
    start = board.press(TWO[1].raises, 1_000)
    hold, run = Holding().hold_ns, Holding().run_ns
    wanted = [(Stroke.RAISE, 0), (Stroke.RUN, hold), (Stroke.RUN, hold + run)]
    assert len(board.heard) == len(wanted)
    assert all(near(one, 2, kind, start + after) for one, (kind, after) in zip(board.heard, wanted, strict=True))


def test_a_raise_is_heard_within_three_looks(board: Board) -> None:
    board.drive(TWO[0].raises, True)
    board.wait(3 * LOOK_NS / MS)
    assert [stroke.stroke for stroke in board.heard] == [Stroke.RAISE]


def test_nothing_is_done_while_all_buttons_are_at_rest(board: Board) -> None:
    board.press(TWO[0].raises, 50)
    board.wait(100)
    assert board.beats[0].due_s is None


def test_a_stuck_button_is_told_once_and_the_others_go_on(board: Board) -> None:
    board.drive(TWO[0].confirm, True)
    board.wait(2 * STUCK_NS / MS)
    (line,) = board.told
    assert line.startswith("seat 1's confirm button on GPIO 27 (pin 13 of the header) is stuck")
    board.heard.clear()
    board.press(TWO[1].confirm, 50)
    assert [(one.seat, one.stroke) for one in board.heard] == [(2, Stroke.CONFIRM)]
    board.drive(TWO[0].confirm, False)
    board.wait(100)
    assert len(board.heard) == 1
    board.press(TWO[0].confirm, 50)
    assert board.heard[1].seat == 1 and len(board.told) == 1


def test_a_button_that_is_down_at_the_start_does_nothing_until_it_comes_up(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Board()
    monkeypatch.setattr(gpiozero.pins.mock, "monotonic", lambda: made.clock.now_ns() / 1e9)
    mock = made.factory.pin(f"GPIO{TWO[0].confirm}")
    monkeypatch.setattr(type(mock), "_set_pull", lambda self, value: setattr(self, "_pull", value))
    made.start()
    made.wait(5_000)
    made.drive(TWO[0].confirm, False)
    made.wait(100)
    assert made.heard == []
    made.press(TWO[0].confirm, 50)
    assert [stroke.stroke for stroke in made.heard] == [Stroke.CONFIRM]


def test_a_chip_that_fails_is_told_once(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: MockPWMPin) -> bool:
        raise OSError("no such device")

    monkeypatch.setattr(MockPWMPin, "_get_state", broken)
    for _ in range(3):
        board.drive(TWO[0].raises, True)
        board.wait(100)
        board.drive(TWO[0].raises, False)
        board.wait(100)
    assert board.told == ["the buttons can't be read any more (no such device): start the box again"]


def test_the_pins_are_let_go_of(board: Board) -> None:
    board.buttons.stop()
    board.buttons.stop()
    board.drive(TWO[0].raises, True)
    assert board.beats[0].stopped and board.heard == []
    again = GpioButtons(board.factory, TWO, board.clock, board.told.append, beat=HandBeat)
    again.start(board.heard.append)
    again.stop()
    assert board.told == []


def test_a_pin_that_is_taken_is_told_and_the_others_are_used() -> None:
    made = Board()
    taken = gpiozero.LED(TWO[0].raises, pin_factory=made.factory)
    made.start()
    (line,) = made.told
    assert line.startswith("seat 1's raise on GPIO 17 (pin 11 of the header) can't be used (")
    assert "config.txt" in line and "\n" not in line
    made.buttons.stop()
    taken.close()


def test_no_pin_that_can_be_used_is_a_fault() -> None:
    made = Board(pins=[SeatPins(17, 27)])
    taken = [gpiozero.LED(pin, pin_factory=made.factory) for pin in (17, 27)]
    with pytest.raises(ButtonError, match="seat 1's raise on GPIO 17"):
        made.start()
    for device in taken:
        device.close()
    with pytest.raises(ButtonError, match=r"\[\[seat\]\]"):
        Board(pins=[]).start()


def test_with_its_own_thread() -> None:
    """One stroke through the real thread and clock: the pin is pressed and let go as fast as Python can, a bounce
    lies between."""
    factory, heard = MockFactory(), []
    done = threading.Event()

    def hear(stroke: SeatStroke) -> None:
        heard.append(stroke)
        done.set()

    buttons = GpioButtons(factory, TWO, SteadyClock(), lambda line: None)
    buttons.start(hear)
    pin = factory.pin(f"GPIO{TWO[1].raises}")
    pin.drive_low()
    pin.drive_high()
    pin.drive_low()
    assert done.wait(60)
    buttons.stop()
    assert [(stroke.seat, stroke.stroke) for stroke in heard] == [(2, Stroke.RAISE)]


def test_a_beat_in_a_thread_ends() -> None:
    done = []
    beat = ThreadBeat(lambda: done.append(1), "test")
    beat.wake()
    beat.stop()
    beat.stop()
    before = len(done)
    beat.wake()
    assert len(done) == before


# -------- late and lost edges


class Wire:
    """Strokes of one confirm button whose edges may come late or never."""

    def __init__(self) -> None:
        self.heard: list[SeatStroke] = []
        self.stuck: list[object] = []
        self.closed = False
        self.key = (1, Which.CONFIRM)
        self.strokes = Strokes({self.key: False}, 0, Holding(), self.heard.append, self.stuck.append)

    def look(self, ms: float) -> bool:
        return self.strokes.look(round(ms * MS), lambda key: self.closed)


def test_a_look_after_a_long_sleep_does_not_fold_for_a_tap_whose_edges_are_still_on_their_way() -> None:
    wire = Wire()
    wire.strokes.edge(wire.key, 100 * MS, True)
    wire.closed = True
    wire.look(100)
    wire.closed = False
    # The machine is busy for a second; meanwhile the button came up, and its edge is told after a look.
    wire.look(1_100)
    assert wire.heard == []
    wire.strokes.edge(wire.key, 180 * MS, False)
    for ms in (1_110, 1_120, 1_130):
        wire.look(ms)
    assert [stroke.stroke for stroke in wire.heard] == [Stroke.CONFIRM]


def test_two_taps_whose_edges_come_late_are_no_fold() -> None:
    wire = Wire()
    wire.strokes.edge(wire.key, 100 * MS, True)
    wire.closed = True
    wire.look(100)
    wire.look(1_100)  # down again by now
    wire.look(1_101)  # somebody else's edges came first
    for ms, closed in ((150, False), (1_090, True)):
        wire.strokes.edge(wire.key, ms * MS, closed)
    wire.closed = False
    wire.strokes.edge(wire.key, 1_140 * MS, False)
    for ms in (1_150, 1_160, 1_170):
        wire.look(ms)
    assert [stroke.stroke for stroke in wire.heard] == [Stroke.CONFIRM, Stroke.CONFIRM]


def test_a_lost_edge_is_found_by_looking() -> None:
    wire = Wire()
    wire.strokes.edge(wire.key, 100 * MS, True)
    wire.closed = True
    for ms in range(100, 200, 10):
        wire.look(ms)
    wire.closed = False  # and its edge never comes
    for ms in range(200, 260, 10):
        wire.look(ms)
    assert [(stroke.stroke, stroke.when_ns) for stroke in wire.heard] == [(Stroke.CONFIRM, 100 * MS)]
    assert not wire.look(300)


def test_a_lost_edge_after_a_long_sleep_is_no_fold() -> None:
    wire = Wire()
    wire.strokes.edge(wire.key, 100 * MS, True)
    wire.closed = True
    wire.look(100)
    wire.look(110)
    wire.closed = False
    for ms in range(1_100, 1_200, 10):
        wire.look(ms)
    assert [stroke.stroke for stroke in wire.heard] == [Stroke.CONFIRM]


# -------- the simulated twin


@given(st.integers(0, 10**6), st.floats(8, 590), st.sampled_from(Which))
def test_a_simulated_press_is_one_stroke(seed: int, ms: float, which: Which) -> None:
    heard: list[SeatStroke] = []
    buttons = SimulatedButtons(3, JumpingClock(5), seed=seed)
    buttons.start(heard.append)
    buttons.press(2, which, ms)
    assert heard == [SeatStroke(2, Stroke.RAISE if which is Which.RAISE else Stroke.CONFIRM, 5)]


def test_all_simulated_seats_at_once() -> None:
    heard: list[SeatStroke] = []
    buttons = SimulatedButtons(8, JumpingClock())
    buttons.start(heard.append)
    buttons.press_all([(seat, Which.CONFIRM) for seat in range(1, 9)], 700)
    assert sorted((stroke.seat, stroke.stroke) for stroke in heard) == [(seat, Stroke.PASS) for seat in range(1, 9)]
    buttons.stop()
    buttons.press(1, Which.RAISE)
    assert len(heard) == 8


def test_simulated_buttons_stick_or_are_not_there() -> None:
    heard: list[SeatStroke] = []
    told: list[object] = []
    missing = [(1, Which.RAISE)]
    buttons = SimulatedButtons(2, JumpingClock(), missing=missing, told=told.append)
    buttons.start(heard.append)
    buttons.press(1, Which.RAISE)
    assert heard == []
    buttons.stick(1, Which.CONFIRM)
    buttons.wait(2 * STUCK_NS / MS)
    assert told == [(1, Which.CONFIRM)] and [stroke.stroke for stroke in heard] == [Stroke.PASS]
    buttons.free(1, Which.CONFIRM)
    buttons.wait((BOUNCE_NS + OPEN_NS + 3 * LOOK_NS) / MS)
    buttons.press(1, Which.CONFIRM)
    assert len(heard) == 2 and len(told) == 1


# -------- opening the chip


def test_a_machine_that_is_no_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(ButtonError, match="lgpio is not installed; sudo apt install python3-lgpio"):
        open_pins()


class StandIn(ModuleType):
    """lgpio as far as gpiozero's adapter calls it: what was asked of the chip, and edges told by hand."""

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
        self.calls: dict[int, Any] = {}
        self.asked: list[str] = []
        self.fault = ""

    def gpiochip_open(self, chip: int) -> int:
        if self.fault:
            raise self.error(self.fault)
        return 7

    def gpiochip_close(self, handle: int) -> None:
        self.asked.append("close")

    def gpio_claim_input(self, handle: int, gpio: int, flags: int = 0) -> None:
        self.flags[gpio] = flags
        self.out.pop(gpio, None)

    def gpio_claim_output(self, handle: int, gpio: int) -> None:
        self.out[gpio] = False

    def gpio_claim_alert(self, handle: int, gpio: int, edges: int, flags: int) -> None:
        self.asked.append(f"alert {gpio} {edges} {flags}")

    def gpio_free(self, handle: int, gpio: int) -> None:
        self.flags.pop(gpio, None)

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        return self.flags.get(gpio, 0) | (2 if gpio in self.out else 0)

    def gpio_set_debounce_micros(self, handle: int, gpio: int, micros: int) -> None:
        self.asked.append(f"debounce {micros}")

    def gpio_read(self, handle: int, gpio: int) -> int:
        return int(self.out.get(gpio, gpio not in self.low))

    def gpio_write(self, handle: int, gpio: int, level: bool) -> None:
        self.out[gpio] = level

    def callback(self, handle: int, gpio: int, edges: int, called: Any) -> Any:
        self.calls[gpio] = called
        return SimpleNamespace(cancel=lambda: self.calls.pop(gpio))


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    stand_in = StandIn()
    monkeypatch.setenv("LG_WD", "/tmp")
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", stand_in)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC04170)  # a Raspberry Pi 5
    monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory.pins", {})
    yield stand_in
    sys.modules.pop("gpiozero.pins.lgpio", None)


def test_what_gpiozero_asks_of_the_chip(chip: StandIn) -> None:
    """gpiozero's own lgpio adapter, over a stand-in for the library below it: pulled up, both edges, no debounce of
    the chip's, and the kernel's nanoseconds arrive as ours."""
    clock, heard, told = SteadyClock(), [], []
    factory = open_pins()
    buttons = GpioButtons(factory, [SeatPins(17, 27)], clock, told.append, beat=HandBeat)
    buttons.start(heard.append)
    assert sorted(chip.asked) == ["alert 17 3 32", "alert 27 3 32", "debounce 0", "debounce 0"]
    now = clock.now_ns()
    for after, level in ((0, 0), (1, 1), (2, 0), (40, 1)):
        chip.calls[17](7, 17, level, now + after * MS)
    assert [(one.seat, one.stroke) for one in heard] == [(1, Stroke.RAISE)]
    assert abs(heard[0].when_ns - now) < 1 * MS
    assert told == []
    buttons.stop()
    assert chip.calls == {}
    factory.close()


def test_a_chip_that_cant_be_opened(chip: StandIn) -> None:
    chip.fault = "can not open gpiochip"
    with pytest.raises(ButtonError, match=r"can.t be opened \(can not open gpiochip\); is this user in"):
        open_pins()


def test_on_another_machine(chip: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpiozero.exc import PinUnknownPi

    def unknown() -> int:
        raise PinUnknownPi("unable to locate Pi revision")

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", unknown)
    with pytest.raises(ButtonError, match="this machine is no Raspberry Pi"):
        open_pins()


def test_lgpio_is_given_a_folder_to_work_in_that_is_removed() -> None:
    program = (
        "import os, sys; sys.modules['lgpio'] = None\n"
        "from device.gpio.gpio import open_pins; from device.gpio.buttons import ButtonError\n"
        "try: open_pins()\n"
        "except ButtonError: print(os.environ['LG_WD'], os.path.isdir(os.environ['LG_WD']))"
    )
    env = {name: value for name, value in os.environ.items() if name not in ("LG_WD", "GPIOZERO_PIN_FACTORY")}
    run = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    folder, there = run.stdout.split()
    assert there == "True" and not os.path.exists(folder)  # noqa: PTH110
