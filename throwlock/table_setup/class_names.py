"""The names of a class's students, from a file."""

from dataclasses import replace
from pathlib import Path

from device.system.input_files import MAX_TEXT_BYTES, read_input_file
from errors import ThrowlockError
from messages import N
from rules.markers import MAX_STUDENTS
from throwlock.replay.config import MatchConfig
from ui.text import verdicts

NAMES_FILE = "class.txt"
"""A file of this name next to the journal has the students' names, one per line."""
TOO_MANY_NAMES = N("{path} has {count} names: there are cards for {most} students")


class NamesFileError(ThrowlockError):
    """A file of students' names that can't be used. The message says why in one line."""


def read_names(path: Path) -> tuple[str, ...]:
    """Read students' names from a file, one per line. Raises NamesFileError."""
    try:
        text = read_input_file(path, MAX_TEXT_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise NamesFileError(N("{path} can't be read ({why})", path=path, why=error.strerror)) from error
    except UnicodeDecodeError:
        raise NamesFileError(N("{path} is not UTF-8 text: save it as UTF-8", path=path)) from None
    lines = (line.strip() for line in text.splitlines())
    names = tuple(line for line in lines if line and line.isprintable())
    if len(names) > MAX_STUDENTS:
        raise NamesFileError(N(TOO_MANY_NAMES, path=path, count=len(names), most=MAX_STUDENTS))
    return names


def with_class_names(config: MatchConfig, journal: Path) -> MatchConfig:
    """Take the students' names from the file next to the journal, unless somebody has a name already."""
    path = journal.parent / NAMES_FILE
    named = any(name != verdicts.default_name(seat) for seat, name in enumerate(config.names, 1))
    if named or not path.is_file():
        return config
    names = read_names(path)[: len(config.names)]
    return replace(config, names=(*names, *config.names[len(names) :]))
