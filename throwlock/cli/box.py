"""``throwlock box``: the box as systemd runs it: fullscreen, configured by the settings, match after match until it is
stopped."""

import logging
import signal
from types import FrameType

import click

from device.system.clock import MonotonicClock
from device.system.watchdog import Watchdog, watchdog_from_environment
from throwlock.cli.window import run_in_window
from throwlock.home import GameSession
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from ui.screen.core.window import Window

logger = logging.getLogger(__name__)

STUCK_VERDICT_NS = 90_000_000_000
"""A verdict takes some seconds on a slow box; one that takes this long is stuck."""


class WatchdogFeeder:
    """Reports a window's loop to the watchdog: that the screen is up, and that the loop turns and no verdict is
    stuck."""

    def __init__(self, watchdog: Watchdog) -> None:
        self._watchdog = watchdog
        self._started = False

    def on_loop(self, window: Window) -> None:
        """Feed the watchdog after a turn of the window's loop."""
        if not self._started:
            self._started = True
            self._watchdog.ready("the screen is up")
            logger.info("the screen is up")
        if window.judging_ns() < STUCK_VERDICT_NS:
            self._watchdog.alive()


@click.command()
@click.option("--windowed", is_flag=True, help="Run in a window instead of fullscreen, to try it on a desktop.")
def box(windowed: bool) -> None:
    """Run the box as its systemd unit does: configured by the settings, nothing to type.

    An unfinished match is offered first. The command ends at SIGTERM, or when the window is closed; the current match
    is resumed the next time.
    """
    watchdog = watchdog_from_environment()
    feeder, windows = WatchdogFeeder(watchdog), list[Window]()

    def stop(number: int, frame: FrameType | None) -> None:
        watchdog.stopping()
        for window in windows:
            window.leave()

    def run_session(window: Window) -> None:
        windows.append(window)
        GameSession(options, window, runner_on(window, MonotonicClock()), (), 0).run(None)

    options = LaunchOptions.from_command(fullscreen=not windowed)
    previous_handler = signal.signal(signal.SIGTERM, stop)
    try:
        run_in_window(options, run_session, feeder.on_loop)
    finally:
        signal.signal(signal.SIGTERM, previous_handler)
