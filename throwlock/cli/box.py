"""``throwlock box``: the whole evening on this box, as systemd runs it: all of the screen, what is set for camera,
seats and sound, one match after the other until it is told to stop."""

import signal
from types import FrameType

import click

from device.system.watchdog import Watchdog, notifier
from throwlock.cli.play import playing_in
from throwlock.cli.window import in_window
from throwlock.journal.file import usual_place
from throwlock.launch_options import Wanted
from throwlock.session import Evening
from throwlock.table_setup.cameras import usual_camera
from ui.screen.core.window import Window

STUCK_NS = 90_000_000_000
"""A verdict takes some seconds on a slow box; one that takes so long will never come."""


class Pulse:
    """Tells the watchdog of a window's loop: that the screen is up, and that it turns, unless a verdict is stuck."""

    def __init__(self, watchdog: Watchdog) -> None:
        self._watchdog = watchdog
        self._begun = False

    def turned(self, window: Window) -> None:
        """The loop has turned."""
        if not self._begun:
            self._begun = True
            self._watchdog.ready("the screen is up")
        if window.judging_ns() < STUCK_NS:
            self._watchdog.alive()


@click.command()
@click.option("--windowed", is_flag=True, help="In a window instead of all of the screen, to try it on a desktop.")
def box(windowed: bool) -> None:
    """The whole evening on this box, as its systemd unit runs it: everything as it is set, nothing to type.

    A match that was cut off is offered first. It ends at SIGTERM, or when the window is closed: a match that is being
    played goes on the next time.
    """
    watchdog = notifier()
    pulse, opened = Pulse(watchdog), list[Window]()

    def stop(number: int, frame: FrameType | None) -> None:
        watchdog.stopping()
        for window in opened:
            window.leave()

    def evening(window: Window) -> None:
        opened.append(window)
        Evening(wanted, window, playing_in(window), (), 0).run(None)

    place = usual_place()
    wanted = Wanted(place, usual_camera(), fullscreen=not windowed, folder=place.parent)
    before = signal.signal(signal.SIGTERM, stop)
    try:
        in_window(wanted, evening, pulse.turned)
    finally:
        signal.signal(signal.SIGTERM, before)
