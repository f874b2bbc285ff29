"""``throwlock box``: what a window's loop reports to systemd, a stuck verdict, and a clean stop."""

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from device.system.clock import SimulatedClock
from throwlock.cli.box import STUCK_VERDICT_NS, WatchdogFeeder
from throwlock.cli.settings import settings_template
from throwlock.settings.model import SettingsError, read_settings
from ui.screen.core.display import WindowClosedError
from ui.screen.core.window import Window
from ui.screen.pages.countdown.view import Judging
from ui.screen.pages.notice.view import Notice


class RecordingWatchdog:
    def __init__(self) -> None:
        self.calls: list[str] = []

    def ready(self, status: str) -> None:
        self.calls.append("ready")

    def alive(self) -> None:
        self.calls.append("alive")

    def status(self, text: str) -> None:
        self.calls.append(text)

    def stopping(self) -> None:
        self.calls.append("stopping")


def test_the_loop_feeds_the_watchdog_until_a_verdict_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    clock, watchdog = SimulatedClock(), RecordingWatchdog()
    feeder, seen = WatchdogFeeder(watchdog), threading.Event()
    window: Window

    def on_loop() -> None:
        feeder.on_loop(window)
        seen.set()

    def run(display: Window) -> str:
        for _ in range(3):
            seen.clear()
            assert seen.wait(60)
        display.show(Judging(()))
        clock.wait_until(STUCK_VERDICT_NS + 1)
        for _ in range(2):
            seen.clear()
            assert seen.wait(60)
        fed = watchdog.calls.count("alive")
        for _ in range(2):
            seen.clear()
            assert seen.wait(60)
        assert watchdog.calls.count("alive") == fed, "nothing is turning but the screen"
        display.show(Notice("All is well", "again"))
        for _ in range(2):
            seen.clear()
            assert seen.wait(60)
        assert watchdog.calls.count("alive") > fed
        return "played"

    window = Window((320, 240), clock=clock, on_loop=on_loop)
    assert window.run(run) == "played"
    assert watchdog.calls[0] == "ready" and watchdog.calls.count("ready") == 1


def test_leave_closes_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window((320, 240))

    def run(display: Window) -> None:
        threading.Thread(target=display.leave).start()
        display.ask(Notice("Stay", "or go"))

    with pytest.raises(WindowClosedError):
        window.run(run)


def test_box_reports_ready_and_stops_cleanly_at_sigterm(tmp_path: Path) -> None:
    """As systemd runs it, but for the screen, which is SDL's dummy: READY at its socket, then SIGTERM."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.bind(str(tmp_path / "notify"))
    listening.settimeout(120)
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
        message = listening.recv(4096).decode()
        assert message == "READY=1\nSTATUS=the screen is up"
        assert listening.recv(4096).decode() == "WATCHDOG=1"
        box.send_signal(signal.SIGTERM)
        while "STOPPING=1" not in message:
            message = listening.recv(4096).decode()
        out, err = box.communicate(timeout=120)
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
