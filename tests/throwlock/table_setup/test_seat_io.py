"""The seats' buttons and lights by the settings: opening, missing hardware, trying, and the doctor's report."""

import io
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import gpiozero
import gpiozero.pins.mock
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from device.gpio.buttons import ButtonAction, ButtonError, ButtonEvent, ButtonName
from device.gpio.debounce import MS
from device.gpio.gpiozero_devices import GpioButtons, GpioLights
from device.gpio.lights import LightSignal
from device.gpio.pins import DEFAULT_SEAT_PINS, SeatPins
from device.simulated.controls import SimulatedButtons, SimulatedLights, bouncing_press
from device.system.clock import SimulatedClock
from device.system.periodic import PeriodicCallback
from errors import ThrowlockError
from rules.engine import IntRange, Result, SealedPrompt, TimeLimit
from tests.helpers.manual_ticker import ManualTicker
from throwlock.cli import play, window
from throwlock.cli.doctor import checks
from throwlock.cli.doctor.probes import ProbeResult
from throwlock.cli.main import run_command
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.settings.model import Settings, SettingsError, read_settings, seat_pins
from throwlock.table_setup import seat_io
from throwlock.table_setup.seat_io import (
    LIGHT_TEST_NS,
    HardwareAlerts,
    SeatHardware,
    find_missing_hardware,
    open_seat_hardware,
    open_seat_hardware_if_enabled,
    try_seat_hardware,
)
from ui.i18n import language
from ui.i18n.language import render
from ui.screen.core.button_display import ButtonOnlyDisplay
from ui.screen.core.display import NullDisplay
from ui.screen.pages.common import Player
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.notice import Notice
from ui.screen.pages.result import MatchResult
from ui.screen.views import Answer, InteractiveView

TWO_SEATS = """
[buttons]
on = true
hold_ms = 400

[[seat]]
raise = 17
confirm = 27
light = 22

[[seat]]
raise = 23
confirm = 24
"""


@pytest.fixture
def write_settings(tmp_path: Path) -> Callable[[str], Settings]:
    def read_back(text: str) -> Settings:
        path = tmp_path / "throwlock.toml"
        path.write_text(text)
        return read_settings(path)

    return read_back


def test_the_pins_in_the_settings(write_settings: Callable[[str], Settings]) -> None:
    settings = write_settings(TWO_SEATS)
    assert settings.buttons.on and settings.buttons.hold_ms == 400
    assert seat_pins(settings) == (SeatPins(17, 27, 22), SeatPins(23, 24))
    assert seat_pins(Settings()) == DEFAULT_SEAT_PINS
    assert seat_pins(write_settings("[buttons]\non = true\n")) == DEFAULT_SEAT_PINS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[seat]]\nraise = 17\n", "seat.0.confirm"),
        ("[[seat]]\nraise = 'left'\nconfirm = 2\n", "seat.0.raise"),
        ("[[seat]]\nraise = 17\nconfirm = 2\nlamp = 3\n", "seat.0.lamp"),
    ],
)
def test_an_invalid_seat_is_reported(write_settings: Callable[[str], Settings], text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        write_settings(text)


def test_clashing_pins_are_reported(write_settings: Callable[[str], Settings]) -> None:
    settings = write_settings(TWO_SEATS.replace("confirm = 24", "confirm = 22"))
    with pytest.raises(ButtonError):
        seat_pins(settings)
    told: list[str | ThrowlockError] = []
    there = open_seat_hardware(settings, SimulatedClock(), told.append, MockFactory())
    assert there.buttons is None and there.lights is None
    (error,) = told
    assert str(error).startswith("seat 2’s confirm can’t be on GPIO 22: seat 1’s light uses it; choose another in its ")
    there.close()


def test_a_missing_chip_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise ButtonError("no buttons or lights: this is not a Raspberry Pi")

    monkeypatch.setattr(seat_io, "open_pin_factory", none)
    told: list[str | ThrowlockError] = []
    with open_seat_hardware(Settings(), SimulatedClock(), told.append) as there:
        there.listen(print)
        assert there.buttons is None and there.lights is None
    assert [str(error) for error in told] == ["no buttons or lights: this is not a Raspberry Pi"]


def test_existing_hardware_is_opened_and_closed(write_settings: Callable[[str], Settings]) -> None:
    factory, told = MockFactory(), list[str | ThrowlockError]()
    there = open_seat_hardware(write_settings(TWO_SEATS), SimulatedClock(), told.append, factory)
    there.listen(print)
    assert there.buttons and there.lights and (there.buttons.seats, there.lights.seats) == (2, 2)
    assert factory.pin("GPIO17").pull == "up" and factory.pin("GPIO22").function == "output"
    there.close()
    there.close()
    gpiozero.LED(17, pin_factory=factory).close()
    assert told == []


def test_lights_without_buttons(write_settings: Callable[[str], Settings]) -> None:
    factory, told = MockFactory(), list[str | ThrowlockError]()
    taken = [gpiozero.LED(pin, pin_factory=factory) for pin in (17, 27, 23, 24)]
    there = open_seat_hardware(write_settings(TWO_SEATS), SimulatedClock(), told.append, factory)
    there.listen(print)
    assert there.buttons is None and there.lights is not None and len(told) == 1
    there.close()
    for device in taken:
        device.close()


def test_missing_hardware_is_listed(write_settings: Callable[[str], Settings], monkeypatch: pytest.MonkeyPatch) -> None:
    settings, factory, clock = write_settings(TWO_SEATS), MockFactory(), SimulatedClock()
    assert find_missing_hardware(settings, clock, factory) == {"buttons lacking": [], "lights lacking": []}
    taken = [gpiozero.LED(pin, pin_factory=factory) for pin in (17, 22)]
    short = factory.pin("GPIO24")
    monkeypatch.setattr(short, "_set_pull", lambda value: None)
    short.drive_low()  # a wire that touches ground
    found = find_missing_hardware(settings, clock, factory)
    assert found["buttons lacking"][0].startswith("seat 1’s raise on GPIO 17 (pin 11 of the header) can’t be used (")
    assert found["buttons lacking"][1:] == ["seat 2's confirm is down"]
    assert [line.partition(" can’t")[0] for line in found["lights lacking"]] == [
        "seat 1’s light on GPIO 22 (pin 15 of the header)"
    ]
    for device in taken:
        device.close()


# -------- trying each


class PressingClock(SimulatedClock):
    """A clock that presses one button after the other as time passes."""

    def __init__(self) -> None:
        super().__init__()
        self.presses: Iterator[Callable[[], None]] = iter(())

    def wait_until(self, when_ns: int) -> None:
        super().wait_until(when_ns)
        if press := next(self.presses, None):
            press()


def test_trying_every_light_and_button() -> None:
    clock, told = PressingClock(), list[str | ThrowlockError]()
    lights, buttons = SimulatedLights(2, clock), SimulatedButtons(2, SimulatedClock())
    order = [
        (2, ButtonName.RAISE, 50.0),
        (1, ButtonName.CONFIRM, 50.0),
        (2, ButtonName.CONFIRM, 700.0),
        (1, ButtonName.RAISE, 50.0),
    ]
    wait = [lambda: None] * 2
    clock.presses = iter([*wait, *(lambda press=press: buttons.press(*press) for press in order)])
    try_seat_hardware(SeatHardware(buttons, lights), clock, told.append)
    assert told == [
        "seat 1's light is on",
        "seat 2's light is on",
        "press each of the 4 buttons",
        "seat 2: raise (raise)",
        "seat 1: confirm (confirm)",
        "seat 2: confirm (pass)",
        "seat 1: raise (raise)",
        "every button works",
    ]
    assert [lights.is_on(1, 0), lights.is_on(2, 0)] == [True, False]
    assert [lights.is_on(1, LIGHT_TEST_NS), lights.is_on(2, LIGHT_TEST_NS)] == [False, True]
    assert (lights.blink_count(1), lights.blink_count(2), lights.signal(2)) == (2, 2, LightSignal.OFF)


def test_trying_ends_without_presses() -> None:
    clock, told = PressingClock(), list[str | ThrowlockError]()
    buttons = SimulatedButtons(1, SimulatedClock())
    clock.presses = iter([lambda: buttons.press(1, ButtonName.RAISE, 900)])
    try_seat_hardware(SeatHardware(buttons), clock, told.append)
    assert told[1:] == [
        "seat 1: raise (raise)",
        "seat 1: raise (run)",
        "seat 1: raise (run)",
        "not pressed: seat 1's confirm",
    ]
    told.clear()
    try_seat_hardware(SeatHardware(), clock, told.append)
    assert told == []


# -------- the doctor


def trying(tried: ProbeResult) -> Callable[[Sequence[str], float], ProbeResult]:
    def attempt(args: Sequence[str], seconds: float) -> ProbeResult:
        assert list(args) == ["seats"] and seconds > 0
        return tried

    return attempt


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "throwlock.toml"
    path.write_text(TWO_SEATS)
    return path


def test_the_doctor_with_buttons_switched_off(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    parts = list(checks.seats(trying(ProbeResult(1, {}, "")), tmp_path / "none.toml", tmp_path))
    assert [(part.name, part.state) for part in parts] == [("buttons", "unused"), ("lights", "unused")]
    assert all("on = true" in part.found and part.found.endswith("; gpiochip0 here") for part in parts)
    assert (
        "no gpiochip here"
        in next(checks.seats(trying(ProbeResult(1, {}, "")), tmp_path / "none.toml", tmp_path / "no")).found
    )


def test_the_doctor_with_working_hardware(file: Path) -> None:
    buttons, lights = checks.seats(trying(ProbeResult(0, {"buttons lacking": [], "lights lacking": []}, "")), file)
    assert (buttons.state, buttons.found) == ("ok", "4 at 2 seats")
    assert (lights.state, lights.found) == ("ok", "1 at 2 seats")


def test_the_doctor_with_missing_hardware(file: Path) -> None:
    found = {"buttons lacking": ["seat 2's confirm is down", "seat 1's raise …"], "lights lacking": []}
    buttons, lights = checks.seats(trying(ProbeResult(0, found, "")), file)
    assert (buttons.state, buttons.found) == ("broken", "seat 2's confirm is down | seat 1's raise …")
    assert lights.state == "ok" and not buttons.needed
    for tried in (ProbeResult(1, {}, "no buttons or lights: the GPIO chip can’t be opened"), ProbeResult(None, {}, "")):
        for part in checks.seats(trying(tried), file):
            assert part.state == "broken" and tried.why in part.found and part.remedy


def test_the_doctor_with_wrong_settings(file: Path) -> None:
    file.write_text(TWO_SEATS.replace("confirm = 24", "confirm = 27"))
    for part in checks.seats(trying(ProbeResult(1, {}, "")), file):
        assert part.state == "broken" and "seat 2’s confirm can’t be on GPIO 27: seat 1’s confirm uses it" in part.found
    file.write_text("[[seat")
    assert {part.state for part in checks.seats(trying(ProbeResult(1, {}, "")), file)} == {"broken"}


def run(file: Path, *command: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "THROWLOCK_SETTINGS": str(file), "GPIOZERO_PIN_FACTORY": "mock"}
    return subprocess.run([sys.executable, "-m", *command], env=env, capture_output=True, text=True, check=False)


def test_the_probe_with_gpiozeros_own_mock(file: Path) -> None:
    done = run(file, "throwlock.cli.doctor.probes", "seats")
    assert (done.returncode, done.stdout) == (0, '{"buttons lacking": [], "lights lacking": []}\n')


# -------- all of it together


class Table(SimulatedClock):
    """A simulated clock with scripted presses on mock pins."""

    def __init__(self) -> None:
        super().__init__(10**12)
        self.factory = MockFactory()
        self.fingers: list[tuple[int, int, bool]] = []
        self.beats: list[ManualTicker] = []
        self.seen: list[tuple[bool, ...]] = []

    def beat(self, again: PeriodicCallback, name: str) -> ManualTicker:
        self.beats.append(ManualTicker(again, name))
        return self.beats[-1]

    def press(self, pin: int, after_ms: int, ms: int = 60) -> None:
        start = self.now_ns() + after_ms * MS
        edges = bouncing_press(np.random.default_rng(pin), start, start + ms * MS)
        self.fingers = sorted([*self.fingers, *((when, pin, closed) for when, closed in edges)])

    def wait_until(self, when_ns: int) -> None:
        while self.now_ns() < when_ns:
            due = [when for when, _, _ in self.fingers[:1]]
            due += [self.now_ns() + round(beat.delay_s * 1e9) for beat in self.beats if beat.delay_s is not None]
            super().wait_until(max(self.now_ns() + 1, min([when_ns, *due])))
            while self.fingers and self.fingers[0][0] <= self.now_ns():
                _, pin, closed = self.fingers.pop(0)
                mock = self.factory.pin(f"GPIO{pin}")
                mock.drive_low() if closed else mock.drive_high()
            for beat in self.beats:
                beat.tick()
            lights = tuple(bool(self.factory.pin(f"GPIO{pins.light}").state) for pins in DEFAULT_SEAT_PINS[:2])
            if self.seen[-1:] != [lights]:
                self.seen.append(lights)


def test_a_sealed_bet_with_buttons_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """From bouncing contacts to the answer of a page that nobody sees, and back to the lights: each waits, blinks for
    every stroke, and is in."""
    table = Table()
    monkeypatch.setattr(gpiozero.pins.mock, "monotonic", lambda: table.now_ns() / 1e9)
    told: list[str] = []
    lights = GpioLights(table.factory, DEFAULT_SEAT_PINS[:2], table, told.append, make_task=table.beat)
    buttons = GpioButtons(table.factory, DEFAULT_SEAT_PINS[:2], table, told.append, make_task=table.beat)
    unseen = ButtonOnlyDisplay(table, lights=lights)
    buttons.start(unseen.handle_button)
    players = (Player(1, "Ada"), Player(2, "Ben"))
    bet = SealedPrompt("bet", {1: IntRange(0, 50, 5), 2: IntRange(0, 50, 5)}, time_limit=TimeLimit(20, default=0))
    for number in range(3):
        table.press(DEFAULT_SEAT_PINS[0].raises, 1_000 + 200 * number)
    table.press(DEFAULT_SEAT_PINS[1].raises, 1_100, ms=1_200)  # held: one and then three more
    table.press(DEFAULT_SEAT_PINS[0].confirm, 3_000)
    table.press(DEFAULT_SEAT_PINS[1].confirm, 5_000)
    assert unseen.ask(GroupQuestion(players, bet, 20)) == {1: 15, 2: 20}
    assert {lit for lit, _ in table.seen} == {lit for _, lit in table.seen} == {True, False}
    unseen.show(MatchResult(players, Result((2,), {}), "Ben wins."))
    table.seen.clear()
    table.wait_until(table.now_ns() + 3_000 * MS)
    assert {one for one, _ in table.seen} == {False} and {other for _, other in table.seen} == {True, False}
    buttons.stop()
    lights.stop()
    assert told == []


# -------- throwlock play


class MatchWonError(Exception):
    """Raised when a light shows a win."""


class MatchClock(SimulatedClock):
    """Two people who press buttons whenever the box waits, until one has won: seat 1 takes the first choice, seat 2 the
    second."""

    def __init__(self) -> None:
        super().__init__()
        self.seats = SeatHardware(SimulatedButtons(2, self), SimulatedLights(2, self))
        self.next_ns, self.pressing, self.saw_question = 0, False, False

    def wait_until(self, when_ns: int) -> None:
        super().wait_until(when_ns)
        if self.pressing or self.now_ns() < self.next_ns:
            return
        lights, buttons = self.seats.lights, self.seats.buttons
        assert isinstance(lights, SimulatedLights) and isinstance(buttons, SimulatedButtons)
        if LightSignal.WINNER in (lights.signal(1), lights.signal(2)):
            raise MatchWonError
        asked = LightSignal.WAITING in (lights.signal(1), lights.signal(2))
        if asked != self.saw_question:  # nobody presses before having seen the light
            self.next_ns, self.saw_question = self.now_ns() + 500 * MS, asked
            return
        self.pressing = True
        for seat, presses in ((2, 2 * asked), (1, 1)):
            for which in (*[ButtonName.RAISE] * presses, ButtonName.CONFIRM):
                buttons.press(seat, which)
        self.next_ns, self.pressing = self.now_ns() + 500 * MS, False


def test_a_match_without_a_camera_or_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = MatchClock()
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "none.toml"))
    monkeypatch.setattr(play, "open_seat_hardware_if_enabled", lambda asked, clock, tell: evening.seats)
    monkeypatch.setattr(play, "MonotonicClock", lambda: evening)
    journal = tmp_path / "a.journal"
    with pytest.raises(MatchWonError):
        run_command(["play", "classic", "--headless", "--buttons", "--camera", "none", "--journal", str(journal)])
    with JournalReader(journal) as reader:
        (match,) = reader.matches()
        assert reader.unfinished_match() is None and match
    lights = evening.seats.lights
    assert isinstance(lights, SimulatedLights) and lights.stopped
    assert (lights.signal(1), lights.signal(2)) == (LightSignal.OFF, LightSignal.WINNER), "paper against rock"
    assert lights.blink_count(1) and lights.blink_count(2)
    assert {told.signal for told in lights.commands} >= {
        LightSignal.WAITING,
        LightSignal.ANSWERED,
        LightSignal.WINNER,
        None,
    }
    assert "Player 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "asked", "opened"),
    [("", False, False), ("", True, True), ("[buttons]\non = true\n", False, True), ("[buttons\n", True, False)],
)
def test_hardware_is_opened_if_requested_or_enabled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, asked: bool, opened: bool
) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text(text)
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(path))
    monkeypatch.setattr(seat_io, "open_pin_factory", MockFactory)
    told: list[str | ThrowlockError] = []
    with open_seat_hardware_if_enabled(asked, SimulatedClock(), told.append) as there:
        assert (there.buttons is not None, there.lights is not None) == (opened, opened)
    assert len(told) == (text == "[buttons\n"), "settings that can’t be read are told"


def test_play_continues_without_a_chip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none such")
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "none.toml"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    journal = str(tmp_path / "a.journal")
    assert run_command(["play", "classic", "--headless", "--buttons", "--camera", "none", "--journal", journal]) == 2
    first, question, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("no buttons or lights: the GPIO chip can’t be opened (Unable to find pin factory ")
    assert question.startswith("Player 1, throw?")


class PressedButtons:
    """Buttons of one seat whose confirm is pressed repeatedly."""

    seats = 1

    def __init__(self) -> None:
        self.done = threading.Event()
        self.thread = threading.Thread()

    def start(self, heard: Callable[[ButtonEvent], None]) -> None:
        def press() -> None:
            while not self.done.wait(0.01):
                heard(ButtonEvent(1, ButtonAction.CONFIRM, time.monotonic_ns() + 10**10))  # long after any page was new

        self.thread = threading.Thread(target=press)
        self.thread.start()

    def stop(self) -> None:
        self.done.set()
        self.thread.join()


def test_button_events_reach_the_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    there = SeatHardware(PressedButtons(), SimulatedLights(1, SimulatedClock()))
    monkeypatch.setattr(window, "open_seat_hardware_if_enabled", lambda asked, clock, tell: there)
    answers: list[object] = []
    wanted = LaunchOptions(tmp_path / "a.journal", "none", buttons=True)
    window.run_in_window(wanted, lambda shown: answers.append(shown.ask(Notice("Hello", "All is well."))))
    assert answers == ["go on"]
    assert isinstance(there.lights, SimulatedLights) and there.lights.blink_count(1) and there.lights.stopped


class Reader(NullDisplay):
    """A display that records views and continues."""

    def __init__(self) -> None:
        self.read: list[Notice] = []

    def ask(self, view: InteractiveView) -> Answer:
        assert isinstance(view, Notice)
        self.read.append(view)
        return "go on"


def test_missing_hardware_is_shown_once(
    write_settings: Callable[[str], Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    news, reader, factory = HardwareAlerts(), Reader(), MockFactory()
    news.show(reader)
    assert reader.read == []
    taken = gpiozero.LED(17, pin_factory=factory)
    with open_seat_hardware(write_settings(TWO_SEATS), SimulatedClock(), news.report, factory) as there:
        there.listen(lambda stroke: None)
        assert there.buttons is not None
    taken.close()
    news.show(reader)
    news.show(reader)
    (notice,) = reader.read
    assert notice.text.startswith("Seat 1’s raise on GPIO 17 (pin 11 of the header) can’t be used")
    assert "seat 1’s raise on GPIO 17" in capsys.readouterr().out
    language.set_language("de")
    assert render(notice.text).startswith("Platz 1: Erhöhen an GPIO 17 (Stift 11 der Leiste) ist nicht zu gebrauchen")
