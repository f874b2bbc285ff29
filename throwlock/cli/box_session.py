"""The box once its screen is up: its window, its session, and what systemd is told."""

import logging
import threading
from contextlib import suppress

from device.simulated.host import SimulatedHost
from device.system.clock import Clock, MonotonicClock
from device.system.dbus_host import DBusHost
from device.system.host import Host
from device.system.watchdog import Watchdog
from errors import ThrowlockError
from messages import N
from throwlock.cli.box import StartCounter
from throwlock.cli.window import run_in_window
from throwlock.home import GameSession
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.session import Services
from ui.screen.core.display import WindowClosedError
from ui.screen.core.screen import Screen
from ui.screen.core.second_display import SecondDisplay
from ui.screen.core.window import Window
from ui.screen.pages.notice import Notice

logger = logging.getLogger(__name__)

STUCK_VERDICT_NS = 90_000_000_000
"""A verdict takes some seconds on a slow box; one that takes this long is stuck."""
STABLE_AFTER_NS = 60_000_000_000
"""A box that has run this long has started well."""
FAILURE_NOTICE_S = 60.0
"""How long an unexpected error is on the screen before the process ends and systemd starts the next."""
FAILURE_TITLE = N("Throwlock has stopped")
FAILURE_TEXT = N("{error}. It will start again, and an interrupted match can be resumed.")


class LoopReporter:
    """Reports a window's loop: to systemd that the screen is up, that the loop turns and that no verdict is stuck; to
    the ``counter`` that the box has started well."""

    def __init__(self, watchdog: Watchdog, counter: StartCounter, clock: Clock) -> None:
        self._watchdog, self._counter, self._clock = watchdog, counter, clock
        self._started_ns: int | None = None

    def on_loop(self, window: Window) -> None:
        """Report a turn of the window's loop."""
        now = self._clock.now_ns()
        if self._started_ns is None:
            self._started_ns = now
            self._watchdog.ready("the screen is up")
            logger.info("the screen is up")
        if now - self._started_ns >= STABLE_AFTER_NS:
            self._counter.reset()
        if window.judging_ns() < STUCK_VERDICT_NS:
            self._watchdog.alive()


def run_box(screen: Screen, watchdog: Watchdog, counter: StartCounter, stopping: threading.Event) -> None:
    """Run a session on ``screen`` until its window is closed, or ``stopping`` is set. Raises what ends the session
    unexpectedly, once people could read it."""
    clock = MonotonicClock()
    reporter = LoopReporter(watchdog, counter, clock)
    options, services = LaunchOptions.from_command(fullscreen=screen.fullscreen), Services()
    # In a window on a desktop, people try the box; the desktop's Wi-Fi and power are not ours.
    host: Host = DBusHost() if screen.fullscreen else SimulatedHost(on_power_off=stopping.set)

    def on_loop(window: Window) -> None:
        reporter.on_loop(window)
        if stopping.is_set():
            window.leave()

    def run_session(window: Window) -> None:
        try:
            GameSession(options, window, runner_on(window, clock, services), (), 0, host, services).run(None)
        except WindowClosedError:
            raise
        except Exception as error:
            logger.exception("the session ended unexpectedly")
            show_failure(window, error)
            raise

    if not screen.fullscreen:
        run_in_window(options, run_session, on_loop, screen, services)
        return
    second = SecondDisplay(services.second_screen.current, clock.now_ns)
    second.start()
    try:
        with services.second_screen.viewers.watch(second.wake):
            run_in_window(options, run_session, on_loop, screen, services)
    finally:
        second.stop()


def show_failure(window: Window, error: Exception) -> None:
    """Show an unexpected error until people touch it or its time is over."""
    match error:
        case ThrowlockError():
            reason = error.text
        case OSError(strerror=str(why), filename=file):
            reason = f"{file}: {why}" if file else why
        case _:
            reason = f"{type(error).__name__}: {error}"
    notice = Notice(FAILURE_TITLE, N(FAILURE_TEXT, error=reason), ("start again",), seconds_left=FAILURE_NOTICE_S)
    with suppress(WindowClosedError):
        window.ask(notice)
