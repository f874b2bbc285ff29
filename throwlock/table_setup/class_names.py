"""The names of a class's students: from a file, from text that somebody typed, and the lists of names that are kept on
the box, each under the name of its class."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from device.system.input_files import read_input_file
from errors import ThrowlockError
from messages import N
from rules.markers import MAX_STUDENTS
from throwlock.replay.config import MatchConfig
from throwlock.settings.model import write_durably
from throwlock.table_setup.name_lists import NameList, NameListError, read_names
from ui.text import verdicts
from ui.text.names import NameTextError, check_name, clean_name, normalise_name

NAMES_FILE = "class.txt"
"""A file of this name next to the journal has the students' names, one per line."""
LISTS_FILE = "classes.json"
"""The file next to the journal with the lists that are kept."""
MAX_LISTS = 60
"""Classes whose lists are kept."""
MAX_NAME_LENGTH = 40
"""Characters of the name of a class or of a student."""
MAX_LISTS_BYTES = 2**21
"""More than MAX_LISTS lists of MAX_STUDENTS names take as JSON, of 4 bytes a character."""
TOO_MANY_NAMES = N("{path} has {count} names: there are cards for {most} students")
_LISTS = TypeAdapter(dict[str, tuple[str, ...]])


class ClassListError(ThrowlockError):
    """A class's list that can't be kept, or is not there. The message says why in one line."""


def read_student_names(path: Path) -> NameList:
    """Read students' names from a file, as ``read_names``. Raises NameListError, also for more than there are cards."""
    students = read_names(path, longest=MAX_NAME_LENGTH)
    if len(students.names) > MAX_STUDENTS:
        raise NameListError(N(TOO_MANY_NAMES, path=path, count=len(students.names), most=MAX_STUDENTS))
    return students


class ClassLists:
    """The lists of students' names that are kept on the box, in a file next to the journal.

    lists = ClassLists(Path("evening.journal"))
    lists.save("3b", ("Ada", "Ben"))
    print(lists.read()["3b"])
    """

    def __init__(self, journal: Path) -> None:
        self._path = journal.parent / LISTS_FILE

    def read(self) -> Mapping[str, tuple[str, ...]]:
        """Return the students' names, in the order of their cards, by class; classes in alphabetical order. Raises
        ClassListError when the file can't be read."""
        try:
            lists = _LISTS.validate_json(read_input_file(self._path, MAX_LISTS_BYTES))
        except FileNotFoundError:
            return {}
        except (OSError, ValidationError) as error:
            why = error.strerror if isinstance(error, OSError) else N("damaged")
            raise ClassListError(N("{path} can’t be read ({why})", path=self._path, why=why)) from error
        return dict(sorted(lists.items(), key=lambda entry: normalise_name(entry[0])))

    def find(self, name: str) -> tuple[str, ...]:
        """Return the names of a class; upper and lower case are the same. Raises ClassListError when there is no such
        class."""
        for known, names in self.read().items():
            if normalise_name(known) == normalise_name(name):
                return names
        raise ClassListError(N("there is no class list named {name}", name=name))

    def save(self, name: str, names: tuple[str, ...], *, replacing: str = "") -> None:
        """Keep the list of a class, in place of the list of the class ``replacing`` if there is one. Raises
        ClassListError, also when another class has that name."""
        if not clean_name(name):
            raise ClassListError(N("give the class a name"))
        try:
            name, names = check_name(name, MAX_NAME_LENGTH), tuple(check_name(text, MAX_NAME_LENGTH) for text in names)
        except NameTextError as error:
            raise ClassListError(error.text) from None
        if not names:
            raise ClassListError(N("the list has no names: write one name on each line"))
        if len(names) > MAX_STUDENTS:
            raise ClassListError(
                N(
                    "the list has {count} names: there are cards for {most} students",
                    count=len(names),
                    most=MAX_STUDENTS,
                )
            )
        with self._lock():
            lists = self._without(replacing)
            for known in lists:
                if normalise_name(known) == normalise_name(name):
                    raise ClassListError(N("there is already a class named {name}", name=known))
            if len(lists) >= MAX_LISTS:
                raise ClassListError(N("there are {most} lists already: delete one first", most=MAX_LISTS))
            self._write({**lists, name: names})

    def delete(self, name: str) -> None:
        """Delete the list of a class. Raises ClassListError when there is no such class."""
        with self._lock():
            self.find(name)
            self._write(self._without(name))

    def forget(self, name: str) -> None:
        """Replace the name of a student in every list by that of nobody: the others keep their cards. Raises
        ClassListError."""
        with self._lock():
            before = self.read()
            after = {
                known: tuple(
                    str(verdicts.default_name(card)) if normalise_name(student) == normalise_name(name) else student
                    for card, student in enumerate(names, 1)
                )
                for known, names in before.items()
            }
            if after != before:
                self._write(after)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Make one change at a time: the review pages have several threads, and may run beside the box. The kernel
        releases the folder's lock when the process dies. Raises ClassListError."""
        with ExitStack() as stack:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                folder = os.open(self._path.parent, os.O_RDONLY)
                stack.callback(os.close, folder)
                fcntl.flock(folder, fcntl.LOCK_EX)
            except OSError as error:
                raise self._write_error(error) from error
            yield

    def _without(self, name: str) -> dict[str, tuple[str, ...]]:
        return {known: names for known, names in self.read().items() if normalise_name(known) != normalise_name(name)}

    def _write(self, lists: Mapping[str, tuple[str, ...]]) -> None:
        try:
            if not lists:
                self._path.unlink(missing_ok=True)
                return
            text = _LISTS.dump_json(dict(lists), indent=1).decode() + "\n"
            write_durably(self._path, text, is_private=True)
        except OSError as error:
            raise self._write_error(error) from error

    def _write_error(self, error: OSError) -> ClassListError:
        return ClassListError(N("{path} can’t be written ({why})", path=self._path, why=error.strerror))


def with_class_names(config: MatchConfig, journal: Path) -> MatchConfig:
    """Take the students' names from the file next to the journal, unless somebody has a name already. Raises
    NameListError, also if the file has more."""
    path = journal.parent / NAMES_FILE
    named = any(name != verdicts.default_name(seat) for seat, name in enumerate(config.names, 1))
    if named or not path.is_file():
        return config
    names = read_student_names(path).names
    if len(names) > len(config.names):
        raise NameListError(
            N("{path} has {count} names for {most} students", path=path, count=len(names), most=len(config.names))
        )
    return replace(config, names=(*names, *config.names[len(names) :]))
