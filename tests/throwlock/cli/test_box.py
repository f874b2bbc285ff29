"""``throwlock box``: its start, with and without a screen; what a window's loop reports to systemd; a clean stop."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from device.system.clock import SimulatedClock
from errors import ThrowlockError
from messages import N
from tests.helpers.waiting import LIMIT_S
from throwlock.cli import box as command
from throwlock.cli.box import LONGEST_PAUSE_S, StartCounter
from throwlock.cli.box_session import STABLE_AFTER_NS, STUCK_VERDICT_NS, LoopReporter, show_failure
from throwlock.cli.settings import settings_template
from throwlock.settings.model import SettingsError, read_settings
from ui.screen.core.display import WindowClosedError
from ui.screen.core.screen import NoScreenError, Screen, current_rotation, set_rotation
from ui.screen.core.window import Window
from ui.screen.pages.countdown import Judging
from ui.screen.pages.notice import Notice
from ui.screen.views import Answer, InteractiveView


class RecordingWatchdog:
    def __init__(self) -> None:
        self.calls: list[str] = []

    def ready(self, status: str) -> None:
        self.calls.append(f"ready: {status}")

    def alive(self) -> None:
        self.calls.append("alive")

    def stopping(self) -> None:
        self.calls.append("stopping")


def test_the_loop_feeds_the_watchdog_until_a_verdict_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    clock, watchdog = SimulatedClock(), RecordingWatchdog()
    counter = StartCounter(None)
    reporter, seen = LoopReporter(watchdog, counter, clock), threading.Event()  # type: ignore[arg-type]
    window: Window

    def on_loop() -> None:
        reporter.on_loop(window)
        seen.set()

    def run(display: Window) -> str:
        for _ in range(3):
            seen.clear()
            assert seen.wait(LIMIT_S)
        display.show(Judging(()))
        clock.wait_until(STUCK_VERDICT_NS + 1)
        for _ in range(2):
            seen.clear()
            assert seen.wait(LIMIT_S)
        fed = watchdog.calls.count("alive")
        for _ in range(2):
            seen.clear()
            assert seen.wait(LIMIT_S)
        assert watchdog.calls.count("alive") == fed, "nothing is turning but the screen"
        display.show(Notice("All is well", "again"))
        for _ in range(2):
            seen.clear()
            assert seen.wait(LIMIT_S)
        assert watchdog.calls.count("alive") > fed
        return "played"

    window = Window((320, 240), clock=clock, on_loop=on_loop)
    assert window.run(run) == "played"
    assert [call for call in watchdog.calls if call != "alive"] == ["ready: the screen is up"]
    assert watchdog.calls[0] != "alive"


class LateScreen(Screen):
    """A screen that opens at the ``after``-th attempt."""

    def __init__(self, after: int) -> None:
        super().__init__((320, 240))
        self.missing = after

    def open(self) -> None:
        self.missing -= 1
        if self.missing > 0:
            raise NoScreenError(N("there is no screen to open a window on ({why})", why=f"{self.missing // 3} is off"))
        super().open()


class Waits(threading.Event):
    """An event whose ``wait`` takes no time and is recorded; set after the ``last`` one."""

    def __init__(self, last: int = 10_000) -> None:
        super().__init__()
        self.seconds: list[float] = []
        self.last = last

    def wait(self, timeout: float | None = None) -> bool:
        self.seconds.append(timeout or 0)
        if len(self.seconds) >= self.last:
            self.set()
        return self.is_set()


@pytest.fixture
def _dummy_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()
    set_rotation(0)


@pytest.mark.usefixtures("_dummy_screen")
def test_a_box_without_a_screen_waits_for_one(caplog: pytest.LogCaptureFixture) -> None:
    watchdog, waits, screen = RecordingWatchdog(), Waits(), LateScreen(after=6)
    startup = command.Startup(screen, watchdog, waits)  # type: ignore[arg-type]
    startup.wait_for_screen()
    assert screen.surface is not None and waits.seconds == [command.SCREEN_SEARCH_INTERVAL_S] * 5
    assert watchdog.calls == ["ready: waiting for a screen", *["alive"] * 5], "systemd neither waits nor kills it"
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2 and "1 is off" in told[0] and "0 is off" in told[1], "one line for each reason"
    assert all("switch one on" in line for line in told)


def test_a_box_that_waits_for_a_screen_can_be_stopped() -> None:
    waits = Waits(last=3)
    screen = LateScreen(after=1000)
    startup = command.Startup(screen, RecordingWatchdog(), waits)  # type: ignore[arg-type]
    startup.wait_for_screen()
    startup.show()  # there is nothing to show it on
    assert len(waits.seconds) == 3 and screen.surface is None


@pytest.mark.usefixtures("_dummy_screen")
def test_a_box_that_cannot_be_loaded_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    watchdog, waits, screen = RecordingWatchdog(), Waits(), LateScreen(after=1)
    startup, shown = command.Startup(screen, watchdog, waits), list[str]()  # type: ignore[arg-type]
    startup.wait_for_screen()
    monkeypatch.setattr(command, "draw_splash", lambda surface, message: shown.append(message))
    monkeypatch.setitem(sys.modules, "throwlock.cli.box_session", None)  # its import raises
    with pytest.raises(ImportError):
        startup.load()
    assert len(shown) == 1 and "can’t start" in shown[0] and "box_session" in shown[0]
    assert sum(waits.seconds) == command.FAILURE_SHOWN_S and "alive" in watchdog.calls


def test_loading_reports_to_the_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    reported = threading.Event()

    class SignallingWatchdog(RecordingWatchdog):
        def alive(self) -> None:
            reported.set()

    class SlowModule:
        @property
        def run_box(self) -> str:
            return "loaded" if reported.wait(LIMIT_S) else "systemd has ended the box"

    monkeypatch.setitem(sys.modules, "throwlock.cli.box_session", SlowModule())
    startup = command.Startup(LateScreen(after=1), SignallingWatchdog(), Waits())  # type: ignore[arg-type]
    assert startup.load() == "loaded"


def test_the_splash_comes_before_everything_heavy(tmp_path: Path) -> None:
    """In a process of its own: what is loaded when the splash is on the screen, and that the rest follows."""
    program = """
import sys
from throwlock.cli import main
from throwlock.cli import box as command
from ui.screen.core.screen import Screen

HEAVY = {"cv2", "numpy", "mediapipe", "sqlite3", "pydantic", "babel", "throwlock.journal.journal", "throwlock.home"}
present = Screen.present

def first(self, areas=None):
    present(self, areas)
    print("shown", *sorted(HEAVY & sys.modules.keys()), flush=True)
    Screen.present = present

Screen.present = first
load = command.Startup.load

def load_only(self):
    load(self)
    print("loaded", *sorted(HEAVY & sys.modules.keys()), flush=True)
    return lambda *arguments: None

command.Startup.load = load_only
main.main(["box"])
"""
    environ = os.environ | {"SDL_VIDEODRIVER": "dummy", "THROWLOCK_SETTINGS": str(tmp_path / "none.toml")}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)
    shown, loaded = (line for line in done.stdout.splitlines() if line.startswith(("shown", "loaded")))
    assert shown == "shown"
    assert {"cv2", "numpy", "throwlock.home", "throwlock.journal.journal"} <= set(loaded.split())


@pytest.mark.parametrize(
    ("text", "rotation"),
    [
        ("[screen]\nrotation = 90\n", 90), ("[screen]\nrotation = 45\n", 0), ("screen = 1\n", 0), ("[scr", 0),
        ("[screen]\nrotation = [90]\n", 0), ("", 0),
    ],
)  # fmt: skip
def test_the_splash_is_rotated_as_saved(tmp_path: Path, text: str, rotation: int) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text(text)
    assert command.saved_rotation(str(path)) == rotation
    assert command.saved_rotation(str(tmp_path / "missing.toml")) == command.saved_rotation("") == 0
    assert current_rotation() == 0


def test_quick_restarts_pause_longer_and_longer(tmp_path: Path) -> None:
    environ = {"RUNTIME_DIRECTORY": str(tmp_path)}
    pauses = [StartCounter.of_unit(environ).count() for _ in range(9)]
    assert pauses == [0, 0, 2, 4, 8, 16, 32, LONGEST_PAUSE_S, LONGEST_PAUSE_S]
    counter = StartCounter.of_unit(environ)
    counter.reset()
    counter.reset()
    assert StartCounter.of_unit(environ).count() == 0
    (tmp_path / "starts").write_text("damaged")
    assert StartCounter.of_unit(environ).count() == 0
    assert StartCounter.of_unit({}).count() == StartCounter(tmp_path / "no folder" / "starts").count() == 0


def test_a_box_that_has_run_for_a_while_has_started_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, counter = SimulatedClock(), StartCounter(tmp_path / "starts")
    counter.count()
    reporter, window = LoopReporter(RecordingWatchdog(), counter, clock), Window()  # type: ignore[arg-type]
    reporter.on_loop(window)
    clock.wait_until(STABLE_AFTER_NS - 1)
    reporter.on_loop(window)
    assert (tmp_path / "starts").exists()
    clock.wait_until(STABLE_AFTER_NS)
    reporter.on_loop(window)
    assert not (tmp_path / "starts").exists()


@pytest.mark.usefixtures("_dummy_screen")
@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError(28, "No space left on device"), "No space left on device. It will start"),
        (OSError(28, "No space left on device", "/x"), "/x: No space left on device. It will start"),
        (KeyError("size"), "KeyError: 'size'. It will start"),
        (ThrowlockError(N("the disk of {path} is full", path="/x"), terminal_hint=": --journal"), "of /x is full. It"),
    ],
)
def test_an_unexpected_error_is_shown_before_the_box_starts_again(error: Exception, text: str) -> None:
    asked: list[Notice] = []

    class Asked(Window):
        def ask(self, view: InteractiveView) -> Answer:
            assert isinstance(view, Notice)
            asked.append(view)
            return "start again"

    show_failure(Asked(), error)
    assert text in str(asked[0].text) and asked[0].seconds_left and "--" not in str(asked[0].text)


def test_leave_closes_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window((320, 240))

    def run(display: Window) -> None:
        threading.Thread(target=display.leave).start()
        display.ask(Notice("Stay", "or go"))

    with pytest.raises(WindowClosedError):
        window.run(run)


@pytest.mark.slow
def test_box_reports_ready_and_stops_cleanly_at_sigterm(tmp_path: Path) -> None:
    """As systemd runs it, but for the screen, which is SDL's dummy: READY at its socket, then SIGTERM."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.bind(str(tmp_path / "notify"))
    listening.settimeout(LIMIT_S)
    environ = os.environ | {
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "WATCHDOG_USEC": "30000000",
        "SDL_VIDEODRIVER": "dummy",
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "THROWLOCK_SETTINGS": str(tmp_path / "throwlock.toml"),
    }
    environ.pop("WATCHDOG_PID", None)
    (tmp_path / "throwlock.toml").write_text(settings_template())
    command = [sys.executable, "-c", "from throwlock.cli.main import main; main()", "box"]
    box = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while (message := listening.recv(4096).decode()) == "WATCHDOG=1":
            pass  # it is loading
        assert message == "READY=1\nSTATUS=the screen is up"
        assert listening.recv(4096).decode() == "WATCHDOG=1"
        box.send_signal(signal.SIGTERM)
        while "STOPPING=1" not in message:
            message = listening.recv(4096).decode()
        out, err = box.communicate(timeout=LIMIT_S)
        assert box.returncode == 0, err
        assert "Run the same command to resume the match" in out and "Traceback" not in err
    finally:
        box.kill()
        box.communicate()
        listening.close()


def test_settings_template_sets_nothing_and_every_line_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text(settings_template())
    usual = read_settings(path)
    lines = settings_template().splitlines()
    said = [line[2:] for line in lines if line.startswith("# ") and (" = " in line or line == "# [[seat]]")]
    parts = [line[2:] if line[2:] in said else line for line in lines if not line.startswith("#") or line[2:] in said]
    path.write_text("\n".join(parts))
    assert read_settings(path) == usual and path.read_text().count("[[seat]]") == 8
    path.write_text(path.read_text().replace("beat_ms = 600", "beat_ms = 5"))
    with pytest.raises(SettingsError, match="beat_ms"):
        read_settings(path)
