"""Lists of a class's names: what is read, and what is refused in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rules.markers import MAX_STUDENTS
from tests.helpers.waiting import LIMIT_S
from throwlock.table_setup.class_names import (
    LISTS_FILE,
    MAX_LISTS,
    ClassListError,
    ClassLists,
    read_student_names,
)
from throwlock.table_setup.name_lists import NameListError


def test_a_file_with_more_names_than_cards_is_refused(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("".join(f"Ada {number}\n" for number in range(MAX_STUDENTS)))
    assert len(read_student_names(tmp_path / "names.txt").names) == MAX_STUDENTS
    (tmp_path / "names.txt").write_text("Ada\n" * 120)
    with pytest.raises(NameListError, match=r"names\.txt has 120 names: there are cards for 99 students"):
        read_student_names(tmp_path / "names.txt")
    (tmp_path / "names.txt").write_text("A" * 41)
    with pytest.raises(NameListError, match="is longer than 40 characters"):
        read_student_names(tmp_path / "names.txt")


def test_lists_are_kept_under_the_name_of_their_class(tmp_path: Path) -> None:
    lists = ClassLists(tmp_path / "evening.journal")
    assert lists.read() == {}
    lists.save(" 4a ", ("Zoë", "Ada"))
    lists.save("3b", ("  Ben  King ", "Noe\u0301\u200bmi"))
    assert ClassLists(tmp_path / "other.journal").read() == {"3b": ("Ben King", "Noémi"), "4a": ("Zoë", "Ada")}
    assert list(lists.read()) == ["3b", "4a"], "in alphabetical order"
    assert (tmp_path / LISTS_FILE).stat().st_mode & 0o777 == 0o600
    lists.save("4A", ("Dora",), replacing="4a")
    assert lists.find("4a") == ("Dora",) and len(lists.read()) == 2
    lists.delete("3B")
    with pytest.raises(ClassListError, match="there is no class list named 3b"):
        lists.find("3b")
    lists.delete("4a")
    assert not (tmp_path / LISTS_FILE).exists(), "the last list leaves no file"


@pytest.mark.parametrize(
    ("name", "names", "message"),
    [
        ("", ("Ada",), "give the class a name"),
        ("\u200b", ("Ada",), "give the class a name"),
        ("3b", ("Ada", "\ue000"), "has a letter that can’t be shown"),
        ("3b", (), "has no names"),
        ("3b", ("Ada",) * (MAX_STUDENTS + 1), f"there are cards for {MAX_STUDENTS} students"),
        ("3b", ("A" * 41,), "is longer than 40 characters"),
        ("x" * 41, ("Ada",), "is longer than 40 characters"),
    ],
)
def test_a_list_that_cannot_be_kept_is_refused(tmp_path: Path, name: str, names: tuple[str, ...], message: str) -> None:
    lists = ClassLists(tmp_path / "evening.journal")
    with pytest.raises(ClassListError, match=message):
        lists.save(name, names)
    assert lists.read() == {}


def test_lists_are_limited_in_number(tmp_path: Path) -> None:
    lists = ClassLists(tmp_path / "evening.journal")
    for number in range(MAX_LISTS):
        lists.save(str(number), ("Ada",))
    with pytest.raises(ClassListError, match=f"there are {MAX_LISTS} lists already"):
        lists.save("one more", ("Ada",))
    lists.save("7", ("Ben",), replacing="7")
    lists.save("seven", ("Ben",), replacing="7")
    assert lists.find("seven") == ("Ben",) and len(lists.read()) == MAX_LISTS, "renamed"


@pytest.mark.parametrize("replacing", ["", "3a", "gone"])
@pytest.mark.parametrize(("name", "taken"), [("3b", "3b"), (" 3\u00adB ", "3b"), ("Group  b", "group B")])
def test_a_name_that_is_taken_is_refused(tmp_path: Path, name: str, taken: str, replacing: str) -> None:
    lists = ClassLists(tmp_path / "evening.journal")
    for known, names in (kept := {"3a": ("Ada",), "3b": ("Ben",), "group B": ("Dora",)}).items():
        lists.save(known, names)
    with pytest.raises(ClassListError, match=f"^there is already a class named {taken}$"):
        lists.save(name, ("Cy",), replacing=replacing)
    assert lists.read() == kept


def test_a_list_is_replaced_under_its_own_name_or_another(tmp_path: Path) -> None:
    lists = ClassLists(tmp_path / "evening.journal")
    lists.save("3 a", ("Ada",))
    lists.save("3  A", ("Ben",), replacing="3   A")
    assert lists.read() == {"3 A": ("Ben",)}
    lists.save("4a", ("Ben",), replacing="3 a")
    assert lists.read() == {"4a": ("Ben",)}
    lists.save("3a", ("Cy",), replacing="gone")
    assert lists.read() == {"3a": ("Cy",), "4a": ("Ben",)}


def test_the_largest_lists_are_read_again(tmp_path: Path) -> None:
    lists = ClassLists(tmp_path / "evening.journal")
    names = tuple("\N{MUSICAL SYMBOL G CLEF}" * 37 + f"{number:03}" for number in range(MAX_STUDENTS))
    for number in range(MAX_LISTS):
        lists.save(f"{number:040}", names)
    assert len(lists.read()) == MAX_LISTS and lists.find(f"{0:040}") == names


SAVE_MANY = """
import sys
from pathlib import Path
from throwlock.table_setup.class_names import ClassLists
sys.stdin.readline()
for number in range(20):
    ClassLists(Path(sys.argv[1])).save(f"{sys.argv[2]}{number}", ("Ada",))
"""


def test_two_programs_that_save_at_once_keep_all_lists(tmp_path: Path) -> None:
    journal = tmp_path / "evening.journal"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    programs = [
        subprocess.Popen([sys.executable, "-c", SAVE_MANY, journal, name], stdin=subprocess.PIPE, env=environment)
        for name in ("a", "b")
    ]
    for program in programs:
        assert program.stdin is not None
        program.stdin.write(b"\n")
        program.stdin.close()
    assert [program.wait(LIMIT_S) for program in programs] == [0, 0]
    assert set(ClassLists(journal).read()) == {f"{name}{number}" for name in "ab" for number in range(20)}


def test_a_folder_that_is_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "evenings").write_text("")
    with pytest.raises(ClassListError, match=r"classes\.json can’t be written"):
        ClassLists(tmp_path / "evenings/one.journal").save("3b", ("Ada",))


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / LISTS_FILE).write_text('{"3b": "Ada"}')
    with pytest.raises(ClassListError, match=r"classes.json can’t be read \(damaged\)"):
        ClassLists(tmp_path / "evening.journal").read()
