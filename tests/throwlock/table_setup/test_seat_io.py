"""The seats' buttons and lights as the settings have them: opened, lacking, tried, and what the doctor says of them."""

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

from device.gpio.buttons import ButtonError, SeatStroke, Stroke, Which
from device.gpio.debounce import MS
from device.gpio.gpio import GpioButtons, GpioLights
from device.gpio.lights import Sign
from device.gpio.pins import USUAL, SeatPins
from device.simulated.buttons import SimulatedButtons, bouncing
from device.simulated.lights import SimulatedLights
from device.system.clock import JumpingClock
from device.system.periodic import Again, HandBeat
from rules.engine import Ask, Result, Span
from throwlock.cli import play
from throwlock.cli.doctor import checks
from throwlock.cli.doctor.checks import Tried
from throwlock.cli.main import run_command
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import Wanted
from throwlock.settings.model import Settings, SettingsError, read
from throwlock.table_setup import seat_io
from throwlock.table_setup.hardware_alerts import News
from throwlock.table_setup.seat_io import SHINE_NS, SeatHardware, lacking, open_seats, pins_of, seats_at, try_seats
from ui.i18n import language
from ui.i18n.language import said
from ui.screen.core.button_display import Unseen
from ui.screen.core.display import Silent
from ui.screen.core.page_stack import Asking
from ui.screen.pages.views import Answer, Ended, Gather, Notice, Player

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
def kept(tmp_path: Path) -> Callable[[str], Settings]:
    def read_back(text: str) -> Settings:
        path = tmp_path / "throwlock.toml"
        path.write_text(text)
        return read(path)

    return read_back


def test_the_pins_in_the_settings(kept: Callable[[str], Settings]) -> None:
    settings = kept(TWO_SEATS)
    assert settings.buttons.on and settings.buttons.hold_ms == 400
    assert pins_of(settings) == (SeatPins(17, 27, 22), SeatPins(23, 24))
    assert pins_of(Settings()) == USUAL
    assert pins_of(kept("[buttons]\non = true\n")) == USUAL


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[seat]]\nraise = 17\n", "seat.0.confirm"),
        ("[[seat]]\nraise = 'left'\nconfirm = 2\n", "seat.0.raise"),
        ("[[seat]]\nraise = 17\nconfirm = 2\nlamp = 3\n", "seat.0.lamp"),
    ],
)
def test_a_seat_that_cant_be_read(kept: Callable[[str], Settings], text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        kept(text)


def test_pins_that_clash_are_a_line_and_the_box_goes_on(kept: Callable[[str], Settings]) -> None:
    settings = kept(TWO_SEATS.replace("confirm = 24", "confirm = 22"))
    with pytest.raises(ButtonError):
        pins_of(settings)
    told: list[str] = []
    there = open_seats(settings, JumpingClock(), told.append, MockFactory())
    assert there.buttons is None and there.lights is None
    (line,) = told
    assert line.startswith("seat 2's confirm can't be on GPIO 22: seat 1's light is there; give it another in its ")
    there.close()


def test_no_chip_is_a_line_and_the_box_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise ButtonError("no buttons or lights: this machine is no Raspberry Pi")

    monkeypatch.setattr(seat_io, "open_pins", none)
    told: list[str] = []
    with open_seats(Settings(), JumpingClock(), told.append) as there:
        there.listen(print)
        assert there.buttons is None and there.lights is None
    assert told == ["no buttons or lights: this machine is no Raspberry Pi"]


def test_what_is_there_is_opened_and_closed(kept: Callable[[str], Settings]) -> None:
    factory, told = MockFactory(), []
    there = open_seats(kept(TWO_SEATS), JumpingClock(), told.append, factory)
    there.listen(print)
    assert there.buttons and there.lights and (there.buttons.seats, there.lights.seats) == (2, 2)
    assert factory.pin("GPIO17").pull == "up" and factory.pin("GPIO22").function == "output"
    there.close()
    there.close()
    gpiozero.LED(17, pin_factory=factory).close()
    assert told == []


def test_lights_without_buttons(kept: Callable[[str], Settings]) -> None:
    factory, told = MockFactory(), []
    taken = [gpiozero.LED(pin, pin_factory=factory) for pin in (17, 27, 23, 24)]
    there = open_seats(kept(TWO_SEATS), JumpingClock(), told.append, factory)
    there.listen(print)
    assert there.buttons is None and there.lights is not None and len(told) == 1
    there.close()
    for device in taken:
        device.close()


def test_what_is_lacking(kept: Callable[[str], Settings], monkeypatch: pytest.MonkeyPatch) -> None:
    settings, factory, clock = kept(TWO_SEATS), MockFactory(), JumpingClock()
    assert lacking(settings, clock, factory) == {"buttons lacking": [], "lights lacking": []}
    taken = [gpiozero.LED(pin, pin_factory=factory) for pin in (17, 22)]
    short = factory.pin("GPIO24")
    monkeypatch.setattr(short, "_set_pull", lambda value: None)
    short.drive_low()  # a wire that touches ground
    found = lacking(settings, clock, factory)
    assert found["buttons lacking"][0].startswith("seat 1's raise on GPIO 17 (pin 11 of the header) can't be used (")
    assert found["buttons lacking"][1:] == ["seat 2's confirm is down"]
    assert [line.partition(" can't")[0] for line in found["lights lacking"]] == [
        "seat 1's light on GPIO 22 (pin 15 of the header)"
    ]
    for device in taken:
        device.close()


# -------- trying each


class Wirer(JumpingClock):
    """Somebody who presses a button, one after the other, whenever time goes by."""

    def __init__(self) -> None:
        super().__init__()
        self.presses: Iterator[Callable[[], None]] = iter(())

    def wait_until(self, when_ns: int) -> None:
        super().wait_until(when_ns)
        if press := next(self.presses, None):
            press()


def test_trying_every_light_and_button() -> None:
    clock, told = Wirer(), []
    lights, buttons = SimulatedLights(2, clock), SimulatedButtons(2, JumpingClock())
    order = [(2, Which.RAISE, 50.0), (1, Which.CONFIRM, 50.0), (2, Which.CONFIRM, 700.0), (1, Which.RAISE, 50.0)]
    wait = [lambda: None] * 2
    clock.presses = iter([*wait, *(lambda press=press: buttons.press(*press) for press in order)])
    try_seats(SeatHardware(buttons, lights), clock, told.append)
    assert told == [
        "seat 1's light shines",
        "seat 2's light shines",
        "press each of the 4 buttons",
        "seat 2: raise (raise)",
        "seat 1: confirm (confirm)",
        "seat 2: confirm (pass)",
        "seat 1: raise (raise)",
        "every button was heard",
    ]
    assert [lights.lit(1, 0), lights.lit(2, 0)] == [True, False]
    assert [lights.lit(1, SHINE_NS), lights.lit(2, SHINE_NS)] == [False, True]
    assert (lights.blinks(1), lights.blinks(2), lights.sign(2)) == (2, 2, Sign.OFF)


def test_trying_ends_when_nobody_presses() -> None:
    clock, told = Wirer(), []
    buttons = SimulatedButtons(1, JumpingClock())
    clock.presses = iter([lambda: buttons.press(1, Which.RAISE, 900)])
    try_seats(SeatHardware(buttons), clock, told.append)
    assert told[1:] == [
        "seat 1: raise (raise)",
        "seat 1: raise (run)",
        "seat 1: raise (run)",
        "not heard of: seat 1's confirm",
    ]
    told.clear()
    try_seats(SeatHardware(), clock, told.append)
    assert told == []


# -------- the doctor


def trying(tried: Tried) -> Callable[[Sequence[str], float], Tried]:
    def attempt(args: Sequence[str], seconds: float) -> Tried:
        assert list(args) == ["seats"] and seconds > 0
        return tried

    return attempt


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "throwlock.toml"
    path.write_text(TWO_SEATS)
    return path


def test_the_doctor_where_they_are_switched_off(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    parts = list(checks.seats(trying(Tried(1, {}, "")), tmp_path / "none.toml", tmp_path))
    assert [(part.name, part.state) for part in parts] == [("buttons", "unused"), ("lights", "unused")]
    assert all("on = true" in part.found and part.found.endswith("; gpiochip0 here") for part in parts)
    assert (
        "no gpiochip here"
        in next(checks.seats(trying(Tried(1, {}, "")), tmp_path / "none.toml", tmp_path / "no")).found
    )


def test_the_doctor_where_all_is_well(file: Path) -> None:
    buttons, lights = checks.seats(trying(Tried(0, {"buttons lacking": [], "lights lacking": []}, "")), file)
    assert (buttons.state, buttons.found) == ("ok", "4 at 2 seats")
    assert (lights.state, lights.found) == ("ok", "1 at 2 seats")


def test_the_doctor_where_something_is_lacking(file: Path) -> None:
    found = {"buttons lacking": ["seat 2's confirm is down", "seat 1's raise …"], "lights lacking": []}
    buttons, lights = checks.seats(trying(Tried(0, found, "")), file)
    assert (buttons.state, buttons.found) == ("broken", "seat 2's confirm is down | seat 1's raise …")
    assert lights.state == "ok" and not buttons.needed
    for tried in (Tried(1, {}, "no buttons or lights: the GPIO chip can't be opened"), Tried(None, {}, "")):
        for part in checks.seats(trying(tried), file):
            assert part.state == "broken" and tried.why in part.found and part.mend


def test_the_doctor_where_the_settings_are_wrong(file: Path) -> None:
    file.write_text(TWO_SEATS.replace("confirm = 24", "confirm = 27"))
    for part in checks.seats(trying(Tried(1, {}, "")), file):
        assert (
            part.state == "broken" and "seat 2's confirm can't be on GPIO 27: seat 1's confirm is there" in part.found
        )
    file.write_text("[[seat")
    assert {part.state for part in checks.seats(trying(Tried(1, {}, "")), file)} == {"broken"}


def run(file: Path, *command: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "THROWLOCK_SETTINGS": str(file), "GPIOZERO_PIN_FACTORY": "mock"}
    return subprocess.run([sys.executable, "-m", *command], env=env, capture_output=True, text=True, check=False)


def test_the_probe_with_gpiozeros_own_mock(file: Path) -> None:
    done = run(file, "throwlock.cli.doctor.probes", "seats")
    assert (done.returncode, done.stdout) == (0, '{"buttons lacking": [], "lights lacking": []}\n')


# -------- all of it together


class Table(JumpingClock):
    """A table whose fingers do what they are to do while the box waits, over mock pins in jumped time."""

    def __init__(self) -> None:
        super().__init__(10**12)
        self.factory = MockFactory()
        self.fingers: list[tuple[int, int, bool]] = []
        self.beats: list[HandBeat] = []
        self.seen: list[tuple[bool, ...]] = []

    def beat(self, again: Again, name: str) -> HandBeat:
        self.beats.append(HandBeat(again, name))
        return self.beats[-1]

    def press(self, pin: int, after_ms: int, ms: int = 60) -> None:
        start = self.now_ns() + after_ms * MS
        edges = bouncing(np.random.default_rng(pin), start, start + ms * MS)
        self.fingers = sorted([*self.fingers, *((when, pin, closed) for when, closed in edges)])

    def wait_until(self, when_ns: int) -> None:
        while self.now_ns() < when_ns:
            due = [when for when, _, _ in self.fingers[:1]]
            due += [self.now_ns() + round(beat.due_s * 1e9) for beat in self.beats if beat.due_s is not None]
            super().wait_until(max(self.now_ns() + 1, min([when_ns, *due])))
            while self.fingers and self.fingers[0][0] <= self.now_ns():
                _, pin, closed = self.fingers.pop(0)
                mock = self.factory.pin(f"GPIO{pin}")
                mock.drive_low() if closed else mock.drive_high()
            for beat in self.beats:
                beat.go()
            lights = tuple(bool(self.factory.pin(f"GPIO{pins.light}").state) for pins in USUAL[:2])
            if self.seen[-1:] != [lights]:
                self.seen.append(lights)


def test_a_sealed_bet_by_the_pins_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """From bouncing contacts to the answer of a page that nobody sees, and back to the lights: each waits, blinks for
    every stroke, and is in."""
    table = Table()
    monkeypatch.setattr(gpiozero.pins.mock, "monotonic", lambda: table.now_ns() / 1e9)
    told: list[str] = []
    lights = GpioLights(table.factory, USUAL[:2], table, told.append, beat=table.beat)
    buttons = GpioButtons(table.factory, USUAL[:2], table, told.append, beat=table.beat)
    unseen = Unseen(table, lights=lights)
    buttons.start(unseen.stroke)
    players = (Player(1, "Ada"), Player(2, "Ben"))
    bet = Ask("bet", {1: Span(0, 50, 5), 2: Span(0, 50, 5)}, sealed=True, seconds=20, default=0)
    for number in range(3):
        table.press(USUAL[0].raises, 1_000 + 200 * number)
    table.press(USUAL[1].raises, 1_100, ms=1_200)  # held: one and then three more
    table.press(USUAL[0].confirm, 3_000)
    table.press(USUAL[1].confirm, 5_000)
    assert unseen.ask(Gather(players, bet, 20)) == {1: 15, 2: 20}
    assert {lit for lit, _ in table.seen} == {lit for _, lit in table.seen} == {True, False}
    unseen.show(Ended(players, Result((2,), {}), "Ben wins."))
    table.seen.clear()
    table.wait_until(table.now_ns() + 3_000 * MS)
    assert {one for one, _ in table.seen} == {False} and {other for _, other in table.seen} == {True, False}
    buttons.stop()
    lights.stop()
    assert told == []


# -------- throwlock play


class MatchWonError(Exception):
    """A light said that somebody won."""


class Evening(JumpingClock):
    """Two people who press buttons whenever the box waits, until one has won: seat 1 takes the first choice, seat 2 the
    second."""

    def __init__(self) -> None:
        super().__init__()
        self.seats = SeatHardware(SimulatedButtons(2, self), SimulatedLights(2, self))
        self.next_ns, self.pressing = 0, False

    def wait_until(self, when_ns: int) -> None:
        super().wait_until(when_ns)
        if self.pressing or self.now_ns() < self.next_ns:
            return
        lights, buttons = self.seats.lights, self.seats.buttons
        assert isinstance(lights, SimulatedLights) and isinstance(buttons, SimulatedButtons)
        if Sign.WINNER in (lights.sign(1), lights.sign(2)):
            raise MatchWonError
        self.pressing = True
        for seat, which in [*[(2, Which.RAISE)] * 2, (2, Which.CONFIRM), (1, Which.RAISE), (1, Which.CONFIRM)]:
            buttons.press(seat, which)
        self.next_ns, self.pressing = self.now_ns() + 500 * MS, False


def test_a_match_without_a_camera_or_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening()
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "none.toml"))
    monkeypatch.setattr(play, "seats_at", lambda asked, clock, tell: evening.seats)
    monkeypatch.setattr(play, "SteadyClock", lambda: evening)
    journal = tmp_path / "a.journal"
    with pytest.raises(MatchWonError):
        run_command(["play", "classic", "--headless", "--buttons", "--camera", "none", "--journal", str(journal)])
    with JournalReader(journal) as reader:
        (match,) = reader.matches()
        assert reader.unfinished() is None and match
    lights = evening.seats.lights
    assert isinstance(lights, SimulatedLights) and lights.stopped
    assert (lights.sign(1), lights.sign(2)) == (Sign.OFF, Sign.WINNER), "paper against rock"
    assert lights.blinks(1) and lights.blinks(2)
    assert {told.sign for told in lights.told} >= {Sign.WAITING, Sign.IN, Sign.WINNER, None}
    assert "Player 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "asked", "opened"),
    [("", False, False), ("", True, True), ("[buttons]\non = true\n", False, True), ("[buttons\n", True, False)],
)
def test_when_they_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, asked: bool, opened: bool
) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text(text)
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(path))
    monkeypatch.setattr(seat_io, "open_pins", MockFactory)
    told: list[str] = []
    with seats_at(asked, JumpingClock(), told.append) as there:
        assert (there.buttons is not None, there.lights is not None) == (opened, opened)
    assert len(told) == (text == "[buttons\n"), "settings that can't be read are told"


def test_play_without_a_chip_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none such")
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "none.toml"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    journal = str(tmp_path / "a.journal")
    assert run_command(["play", "classic", "--headless", "--buttons", "--camera", "none", "--journal", journal]) == 2
    first, question, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("no buttons or lights: the GPIO chip can't be opened (Unable to find pin factory ")
    assert question.startswith("Player 1, throw?")


class Pushy:
    """Buttons of one seat whose confirm is pressed again and again, with no regard for what is shown."""

    seats = 1

    def __init__(self) -> None:
        self.done = threading.Event()
        self.thread = threading.Thread()

    def start(self, heard: Callable[[SeatStroke], None]) -> None:
        def press() -> None:
            while not self.done.wait(0.01):
                heard(SeatStroke(1, Stroke.CONFIRM, time.monotonic_ns() + 10**10))  # long after any page was new

        self.thread = threading.Thread(target=press)
        self.thread.start()

    def stop(self) -> None:
        self.done.set()
        self.thread.join()


def test_strokes_reach_the_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    there = SeatHardware(Pushy(), SimulatedLights(1, JumpingClock()))
    monkeypatch.setattr(play, "seats_at", lambda asked, clock, tell: there)
    answers: list[object] = []
    wanted = Wanted(tmp_path / "a.journal", "none", buttons=True)
    play.in_window(wanted, lambda window: answers.append(window.ask(Notice("Hello", "All is well."))))
    assert answers == ["go on"]
    assert isinstance(there.lights, SimulatedLights) and there.lights.blinks(1) and there.lights.stopped


class Reader(Silent):
    """Reads what is shown, and goes on."""

    def __init__(self) -> None:
        self.read: list[Notice] = []

    def ask(self, view: Asking) -> Answer:
        assert isinstance(view, Notice)
        self.read.append(view)
        return "go on"


def test_what_a_seat_lacks_is_told_on_the_screen_once(
    kept: Callable[[str], Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    news, reader, factory = News(), Reader(), MockFactory()
    news.show(reader)
    assert reader.read == []
    taken = gpiozero.LED(17, pin_factory=factory)
    with open_seats(kept(TWO_SEATS), JumpingClock(), news.tell, factory) as there:
        there.listen(lambda stroke: None)
        assert there.buttons is not None
    taken.close()
    news.show(reader)
    news.show(reader)
    (notice,) = reader.read
    assert notice.text.startswith("Seat 1's raise on GPIO 17 (pin 11 of the header) can't be used")
    assert "seat 1's raise on GPIO 17" in capsys.readouterr().out
    language.use("de")
    try:
        assert said(notice.text).startswith("Platz 1: Erhöhen an GPIO 17 (Stift 11 der Leiste) ist nicht zu gebrauchen")
    finally:
        language.use("en")
