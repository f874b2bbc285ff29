"""Run a command's screen in a window."""

import os
from collections.abc import Callable

import click

from device.system.clock import SteadyClock
from throwlock.cli.options import UsageError
from throwlock.launch_options import Wanted
from throwlock.table_setup.seat_io import seats_at
from ui.screen.core.display import NoScreenError, WindowClosedError
from ui.screen.core.window import Window


def has_screen() -> bool:
    """Whether there is a desktop to open a window on."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def in_window(
    wanted: Wanted, play_in: Callable[[Window], object], turned: Callable[[Window], None] = lambda window: None
) -> None:
    """Run ``play_in`` in a window; ``turned`` is called whenever its loop has turned. Raises UsageError where there is
    no screen; closing the window is no fault."""
    with seats_at(wanted.buttons, SteadyClock(), wanted.news.tell) as at_seats:

        def begun(window: Window) -> object:
            at_seats.listen(window.stroke)
            return play_in(window)

        try:
            window = Window(
                wanted.size, fullscreen=wanted.fullscreen, turned=lambda: turned(window), lights=at_seats.lights
            )
            window.run(begun)
        except WindowClosedError:
            click.echo("Closed. The same command goes on where the match stopped.")
        except NoScreenError as error:
            raise UsageError(str(error)) from error
