"""Options that several commands share, and the error for one that is wrong."""

from collections.abc import Callable, Sequence

import click

from device.camera.frames import Size
from errors import ThrowlockError
from rules.catalogue import find
from rules.engine import Game, IllegalSetupError, Value
from throwlock.match.house_rules import House, OnFoul, ThrowWith


def house_options(command: Callable[..., None]) -> Callable[..., None]:
    """The house rules as options of a command, described as in House."""
    fields = House.model_fields
    for option, field, kind in (
        ("--beat", "beat_ms", click.IntRange(300, 2000)),
        ("--forfeit-after", "forfeit_after", click.IntRange(0, 99)),
        ("--foul", "on_foul", click.Choice([str(rule) for rule in OnFoul])),
        ("--window", "window_ms", click.IntRange(50, 2000)),
        ("--throw-with", "throw_with", click.Choice([str(what) for what in ThrowWith])),
        ("--card-window", "card_window_ms", click.IntRange(300, 1500)),
    ):
        described = f"{fields[field].description}  [default: as set, else {fields[field].default}]"
        command = click.option(option, field, type=kind, help=described)(command)
    return command


def read_size(text: str) -> Size:
    """A window's size written 800x480. Raises UsageError."""
    wide, by, high = text.lower().partition("x")
    if not (by and wide.isdecimal() and high.isdecimal() and 320 <= int(wide) <= 7680 and 240 <= int(high) <= 7680):
        raise UsageError(f"--size {text}: write it WIDTHxHEIGHT in pixels, e.g. 800x480")
    return int(wide), int(high)


FAULT = 2
"""Exit status of anything a user can mend."""


class UsageError(ThrowlockError, click.ClickException):
    """Something a user can mend, in one line."""

    exit_code = FAULT


def set_up(name: str, seats: int, options: Sequence[str]) -> Game:
    """The game called ``name`` with options written NAME=VALUE. Raises IllegalSetupError."""
    rules = find(name)
    known = {option.name: option for option in rules.options}
    chosen: dict[str, Value] = {}
    for text in options:
        option, equals, value = text.partition("=")
        if not equals:
            raise IllegalSetupError(f"--option {text}: write it NAME=VALUE")
        if option not in known:
            raise IllegalSetupError(f"{name} has no option {option}: it has {', '.join(known) or 'none'}")
        chosen[option] = known[option].read(value)
    return rules.set_up(seats, chosen)


option_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeat it for more."
)
camera_option = click.option(
    "--camera",
    metavar="NAME",
    help="picamera2, usb:N, clip:FILE, simulated, or none.  [default: as set, else the Pi's own, else usb:0]",
)
seats_option = click.option("--seats", default=2, show_default=True, metavar="N", help="How many players.", type=int)


def counted(number: int, one: str, more: str) -> str:
    """A number with the word for one or for more."""
    return f"{number} {one if number == 1 else more}"
