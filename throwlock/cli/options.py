"""What several commands share: options, the error for a wrong one, progress, and the signal to end."""

import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from errors import ThrowlockError
from messages import shorten
from rules.catalogue import find_game
from rules.engine import Game, IllegalSetupError, Rules, Value, quote


@contextmanager
def stop_on_signal() -> Iterator[threading.Event]:
    """Yield an event that SIGINT and SIGTERM set."""
    stopped = threading.Event()
    before = {number: signal.signal(number, lambda *_: stopped.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def show_progress(label: str, steps: int) -> Iterator[Callable[[int], None]]:
    """Show a bar for a number of ``steps`` while the context lasts. Yields a function that adds steps that are done."""
    with click.progressbar(length=steps, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield bar.update


def print_step(line: str) -> None:
    """Print what begins now."""
    if sys.stderr.isatty():
        click.echo(f"{line} …", err=True)


EXIT_USER_ERROR = 2
"""Exit status for anything the user can fix."""


class UsageError(ThrowlockError, click.ClickException):
    """Something the user can fix, in one line."""

    exit_code = EXIT_USER_ERROR


AddOption = Callable[[Callable[..., None]], Callable[..., None]]
"""A decorator that adds an option to a command."""
option_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="Set an option of the game. Can be repeated."
)
_CAMERA_DEFAULT = "[default: from the settings, else picamera2 if installed, else usb:0]"
camera_option = click.option(
    "--camera", metavar="NAME", help=f"picamera2, usb:N, clip:FILE, simulated or none.  {_CAMERA_DEFAULT}"
)
live_camera_option = click.option("--camera", metavar="NAME", help=f"picamera2, usb:N or simulated.  {_CAMERA_DEFAULT}")
DEFAULT_SEATS = 2
seats_option = click.option(
    "--seats", default=DEFAULT_SEATS, show_default=True, metavar="N", help="Number of players.", type=int
)
time_limit_option = click.option(
    "--time-limit",
    type=click.FloatRange(0, 3600, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a program may take for an answer.",
)


def journal_option(help_text: str = "The journal.  [default: the one play writes]") -> AddOption:
    """Add ``--journal`` to a command."""
    return click.option("--journal", type=click.Path(path_type=Path), metavar="FILE", help=help_text)


def zone_option(help_text: str) -> AddOption:
    """Add ``--zone``, which can be repeated, to a command."""
    return click.option("--zone", "zones", multiple=True, metavar="X,Y,W,H", help=help_text)


def existing_journal(journal: Path, hint: str = "") -> Path:
    """Return ``journal``. Raises UsageError, with ``hint``, if there is no such file."""
    if not journal.exists():
        raise UsageError(f"{journal}: no such file{hint}")
    return journal


def window_options(size: str = "800x480") -> AddOption:
    """Add ``--size`` (as pixels, width and height) and ``--fullscreen`` to a command."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        command = click.option("--fullscreen", is_flag=True, help="Use the whole screen.")(command)
        return click.option(
            "--size",
            default=size,
            show_default=True,
            metavar="WxH",
            callback=lambda context, parameter, text: parse_size(text),
            help="Size of the window in pixels.",
        )(command)

    return add


def seed_option(what: str) -> AddOption:
    """Add ``--seed``, the random seed for ``what``, to a command."""
    return click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help=f"Random seed for {what}.")


def parse_size(text: str) -> tuple[int, int]:
    """Parse a window's size such as 800x480. Raises UsageError."""
    size = re.fullmatch("([0-9]{3,4})x([0-9]{3,4})", text.lower())
    if not (size and 320 <= int(size[1]) <= 7680 and 240 <= int(size[2]) <= 7680):
        raise UsageError(f"--size {quote(text)}: write it WIDTHxHEIGHT in pixels, e.g. 800x480")
    return int(size[1]), int(size[2])


def set_up_game(name: str, seats: int, options: Sequence[str]) -> Game:
    """Set up the game ``name`` with options written NAME=VALUE. Raises IllegalSetupError."""
    rules = find_game(name)
    return rules.set_up(seats, parse_game_options(rules, options))


def parse_game_options(rules: Rules, options: Sequence[str]) -> dict[str, Value]:
    """Parse options of a game written NAME=VALUE. Raises IllegalSetupError."""
    known = {option.name: option for option in rules.options}
    values: dict[str, Value] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            raise IllegalSetupError(f"--option {quote(text)}: write it NAME=VALUE")
        if name not in known:
            raise IllegalSetupError(f"{rules.name} has no option {quote(name)}: it has {', '.join(known) or 'none'}")
        values[name] = known[name].parse(value)
    return values


def plural(number: int, singular: str, several: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number} {singular if number == 1 else several}"


def print_error(line: str) -> None:
    """Print an error as one line on standard error."""
    click.echo(f"throwlock: {one_line(line)}", err=True)


def one_line(text: str) -> str:
    """Return a text on one line, such as a file's name, with nothing in it that a terminal would obey."""
    return shorten(" ".join(text.split()), len(text))
