"""What is wrong with a command's arguments, in the words of the other errors instead of click's."""

import re
from collections.abc import Sequence

import click
from click.exceptions import BadOptionUsage, MissingParameter, NoSuchCommand, NoSuchOption

BAD_VALUES = (
    (r"(.+) is not a valid integer(?: range)?", "{name} must be a whole number, not {0}"),
    (r"(.+) is not a valid float(?: range)?", "{name} must be a number, not {0}"),
    (r"(.+) is not in the range .*", "{name} must be {range}, not {0}"),
    (r"(.+) is not one of .*", "{name} must be {choices}, not {0}"),
    (r"(?:File|Path) '(.+)' does not exist", "{0}: no such file"),
    (r"Directory '(.+)' does not exist", "{0}: no such folder"),
    (r"(?:File|Path) '(.+)' is a directory", "{0} is a folder: name a file"),
    (r"Directory '(.+)' is a file", "{0} is a file: name a folder"),
    (r"\w+ '(.+)' is not readable", "{0} can't be read: Permission denied"),
    (r"\w+ '(.+)' is not writable", "{0} can't be written: Permission denied"),
)
"""What click says of a value, and what this program says."""


def usage_line(error: click.ClickException) -> str:
    """Return one line about wrong arguments."""
    command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "throwlock"
    line = error.format_message()
    match error:
        case MissingParameter(param=click.Parameter() as parameter):
            line = f"{_name(parameter)} is missing: {command} --help says what it is"
        case click.BadParameter(param=click.Parameter() as parameter):
            line = _bad_value(parameter, error.message.removesuffix("."))
        case NoSuchCommand():
            line = f"there is no command {error.command_name!r}{_meant(error.possibilities)}"
        case NoSuchOption():
            line = f"there is no option {error.option_name!r}{_meant(error.possibilities)}"
        case BadOptionUsage(option_name=name):
            line = f"{name} takes {'a value' if 'requires' in error.message else 'no value'}"
    if few := re.fullmatch(r"Argument '(.*)' (takes \d+ values)\.", line):
        line = f"{few[1].upper()} {few[2]}"
    if extra := re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", line):
        line = f"{extra[1]}: more arguments than {command} takes"
    return line


def _bad_value(parameter: click.Parameter, message: str) -> str:
    for pattern, line in BAD_VALUES:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            kind = parameter.type
            choices = _list_choices(kind.choices) if isinstance(kind, click.Choice) else ""
            return line.format(*found.groups(), name=_name(parameter), range=_range(kind), choices=choices)
    return f"{_name(parameter)}: {message}"


def _name(parameter: click.Parameter) -> str:
    """The name of an option or argument as people type it, or as the help has it."""
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return (parameter.metavar or str(parameter.name).upper()).strip("[].")


def _range(kind: object) -> str:
    """The numbers that a range allows, in words."""
    if not isinstance(kind, click.IntRange | click.FloatRange):
        return ""
    if kind.max is None:
        return f"{kind.min} or more"
    most = kind.max - 1 if kind.max_open else kind.max
    return f"more than {kind.min} and at most {most}" if kind.min_open else f"from {kind.min} to {most}"


def _meant(possibilities: list[str] | None) -> str:
    return f": did you mean {_list_choices(possibilities)}?" if possibilities else ""


def _list_choices(choices: Sequence[object]) -> str:
    *some, last = map(str, choices)
    return f"{', '.join(some)} or {last}" if some else last
