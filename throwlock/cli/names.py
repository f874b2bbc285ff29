"""Names given to a command: one by one, or in a file."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from throwlock.cli.options import UsageError, print_error
from throwlock.table_setup.class_names import read_student_names
from ui.text.names import NameTextError, check_name


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return players' names given with ``--name`` as they are kept. Raises UsageError for one that can't be shown."""
    try:
        return tuple(map(check_name, names))
    except NameTextError as error:
        raise UsageError(f"--name: {error}") from None


def print_notes(notes: Iterable[str]) -> None:
    """Print on standard error what a list of names has besides names."""
    for note in notes:
        print_error(note)


def read_students(path: Path) -> tuple[str, ...]:
    """Return the students' names in a file, and print what else it has. Raises NameListError."""
    students = read_student_names(path)
    print_notes(students.notes)
    return students.names
