"""Runs a command's pages in a window."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from device.system.clock import MonotonicClock
from throwlock.cli.options import UsageError
from throwlock.launch_options import LaunchOptions
from throwlock.session import Services
from throwlock.table_setup.seat_io import open_seat_hardware_if_enabled
from ui.screen.core.display import WindowClosedError
from ui.screen.core.screen import NoScreenError, Screen
from ui.screen.core.window import Window


def has_screen() -> bool:
    """Whether there is a desktop to open a window on."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@contextmanager
def no_screen_hint(hint: str) -> Iterator[None]:
    """Turn the error of a missing screen into a UsageError that says what to do about it in this command."""
    try:
        yield
    except NoScreenError as error:
        raise UsageError(f"{str(error).partition(': play')[0]}: {hint}") from error


def run_in_window(
    options: LaunchOptions,
    run: Callable[[Window], object],
    on_loop: Callable[[Window], None] = lambda window: None,
    screen: Screen | None = None,
    services: Services | None = None,
) -> None:
    """Open a window with the seats' buttons and lights, on ``screen`` if one is given, and call ``run`` with it in a
    worker thread.

    ``on_loop`` is called after each turn of the window's loop. Closing the window is not an error.

    Raises:
        UsageError: There is no screen.
    """
    services = services or Services()
    with open_seat_hardware_if_enabled(options.buttons, MonotonicClock(), services.alerts.report) as seats:

        def start(window: Window) -> object:
            seats.listen(window.handle_button)
            return run(window)

        try:
            window = Window(
                options.size,
                fullscreen=options.fullscreen,
                on_loop=lambda: on_loop(window),
                lights=seats.lights,
                on_page=services.second_screen.show,
                screen=screen,
            )
            window.run(start)
        except WindowClosedError:
            click.echo("Closed. Run the same command to resume the match.")
        except NoScreenError as error:
            raise UsageError(str(error)) from error
