"""Lists of names: nobody on them is lost, and every line that is no name is told."""

import os
from pathlib import Path

import pytest

from throwlock.cli.main import run_command
from throwlock.table_setup.name_lists import (
    NameListError,
    check_distinct,
    parse_form_names,
    parse_names,
    read_names,
)

NAMES = ("Jörg Müller", "Ada Ode")


@pytest.mark.parametrize(
    "text",
    [
        "Jörg Müller\nAda Ode\n",
        "\ufeffJörg Müller\r\n\r\n  Ada  Ode  ",
        "Jörg Müller\rAda Ode\r\x07\r",
        "Jörg;Müller\nAda;Ode;\n;;\n",
        "Jörg\tMüller\nAda\tOde\n",
        '"Jörg Müller";\n"Ada ""Ode"""\n'.replace('""', ""),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("file", ["names.txt", "NAMES.CSV"])
def test_every_form_of_a_list_gives_its_names(tmp_path: Path, text: str, encoding: str, file: str) -> None:
    (tmp_path / file).write_bytes(text.encode(encoding))
    assert read_names(tmp_path / file).names == NAMES
    assert not read_names(tmp_path / file).notes


def test_commas_separate_cells_in_csv_alone(tmp_path: Path) -> None:
    for name in ("names.csv", "names.txt"):
        (tmp_path / name).write_text('"Ode, Ada"\nMüller,Jörg\n')
    assert read_names(tmp_path / "names.csv").names == ("Ode, Ada", "Müller Jörg")
    assert read_names(tmp_path / "names.txt").names == ('"Ode, Ada"', "Müller,Jörg")


def test_a_comma_beside_a_semicolon_is_within_a_cell(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("Nr;Nachname, Vorname\n1;Ode, Ada\n2;Müller, Jörg\n")
    assert read_names(tmp_path / "names.csv").names == ("Ode, Ada", "Müller, Jörg")


@pytest.mark.parametrize(
    "heading",
    [
        "Vor- und Nachname",
        "Schülername;Klasse",
        "Student Name;Grade",
        "Nom et prénom",
        "Nom de l'élève;Classe",
        "Elève",
    ],
)
def test_a_heading_in_each_language_is_no_name(heading: str) -> None:
    assert parse_names(f"{heading}\nAda Ode\n").names == ("Ada Ode",)


def test_what_windows_wrote_is_read_and_told(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_bytes("Jörg Müller\r\nAda Ode\r\n".encode("cp1252"))
    listed = read_names(tmp_path / "names.txt")
    assert listed.names == NAMES
    assert [note.removeprefix(str(tmp_path)) for note in listed.notes] == [
        "/names.txt was read as Windows-1252: if letters are wrong, save it as UTF-8"
    ]


@pytest.mark.parametrize(
    ("text", "names", "notes"),
    [
        ("sep=;\r\nAda;Ode\r\n", ["Ada Ode"], ["line 1 says how cells are separated, and is no name: sep=;"]),
        ("SEP=|\nAda|Ode;x\n", ["Ada Ode;x"], ["line 1 says how cells are separated, and is no name: SEP=|"]),
        ("\nVorname;Nachname\nAda;Ode\n", ["Ada Ode"], ["line 2 is a heading, and no name: Vorname, Nachname"]),
        ("sep=;;;\nAda;Ode\n", ["Ada Ode"], ["line 1 says how cells are separated, and is no name: sep=;;;"]),
        ('"sep = ,"\nAda,Ode\n', ["Ada Ode"], ['line 1 says how cells are separated, and is no name: "sep = ,"']),
        (
            "5b;\nVorname;Nachname\nAda;Ode\n",
            ["Ada Ode"],
            [
                "line 1 is above the heading, and no name: 5b",
                "line 2 is a heading, and no name: Vorname, Nachname",
            ],
        ),
        ("Ada\nName\nBen", ["Ada", "Name", "Ben"], []),
        ("1;Ada;Ode\n2;Ben;Ode", ["Ada Ode", "Ben Ode"], ["the numbers before the names are no names"]),
        ("1. Ada\n\n2. Ben", ["Ada", "Ben"], ["the numbers before the names are no names"]),
        ("1)Ada\n2)Ben", ["Ada", "Ben"], ["the numbers before the names are no names"]),
        ("1\n2", ["1", "2"], []),
        (
            "Nr;Name\n1;Ada\n2\n",
            ["Ada"],
            [
                "line 1 is a heading, and no name: Nr, Name",
                "these columns are no names: Nr",
                "line 3 has no name: 2",
            ],
        ),
        ("1 Ada\n3 Ben", ["1 Ada", "3 Ben"], []),
        ("1 FC", ["1 FC"], []),
        ('"Ada Ode"\n\n"Ben ""B"" Ode"\n', ["Ada Ode", 'Ben "B" Ode'], []),
        ('"Ada" Ode\n"Ben"', ['"Ada" Ode', '"Ben"'], []),
        ("Name:\nAda\nName\n", ["Ada", "Name"], ["line 1 is a heading, and no name: Name:"]),
        ("Prénom\tNom\nAda\tOde\n", ["Ada Ode"], ["line 1 is a heading, and no name: Prénom, Nom"]),
        (
            "Nr.;Name;Klasse\n1;Ada;3b\n2;;3b\n3;Cy;3b;Young\n",
            ["Ada", "Cy Young"],
            [
                "line 1 is a heading, and no name: Nr., Name, Klasse",
                "these columns are no names: Nr., Klasse",
                "line 3 has no name: 2, 3b",
            ],
        ),
        ("Nom;Nguyen\nAda;Ode\n", ["Nom Nguyen", "Ada Ode"], []),
        ("Nr;Klasse\n", ["Nr Klasse"], []),
        ('"Ada\nOde";x\nBen;y\n', ["Ada Ode x", "Ben y"], ["lines 1 to 2 are one in quotation marks"]),
        ('Dwayne "The Rock" Johnson\n', ['Dwayne "The Rock" Johnson'], []),
        ("Ada\nAda\n", ["Ada", "Ada"], []),
        ("", [], []),
    ],
)
def test_a_line_that_is_no_name_is_told(text: str, names: list[str], notes: list[str]) -> None:
    listed = parse_names(text)
    assert ([*listed.names], [*listed.notes]) == (names, notes)
    if notes:
        with pytest.raises(NameListError, match="take it out, or write it further down if it is one"):
            parse_form_names(text)
    else:
        assert parse_form_names(text) == tuple(names)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ada\nBen\ue000\n", r"^line 2: “Ben\ufffd” has a letter that can’t be shown"),
        ("Ada\n" + "B" * 101, "^line 2: .* is longer than 100 characters"),
        ('Ada;x\n"Ben;y\nCy;z\n', "^line 2: a quotation mark opens a cell and does not close it: "),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_by_its_number(text: str, message: str) -> None:
    with pytest.raises(NameListError, match=message):
        parse_names(text)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfeA", "is not text"),
        (b"PK\x03\x04\0\0\x14\0", "is not text"),
        (b"Ada\x81\n", "is not text"),
        (b"%PDF-1.4\n1 0 obj\n", "is not text"),
        (b"{\\rtf1\\ansi Ada\\par}", "is not text"),
        (b"\xef\xbb\xbf <html><body>Ada", "is not text"),
        (b'[\n  "Ada"\n]', "is not text"),
        (b"Ada\n\xee\x80\x80\n", ", line 2: “\ufffd” has a letter that can’t be shown"),
        (b"\n" * (2**20 + 1), r"can’t be read \(larger than 1 MiB\)"),
    ],
)
def test_a_file_that_is_no_list_of_names_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "names.txt").write_bytes(content)
    with pytest.raises(NameListError, match=rf"names\.txt ?{message}"):
        read_names(tmp_path / "names.txt")


@pytest.mark.parametrize(
    ("command", "limit"),
    [(("class", "--camera", "simulated", "--headless"), "99"), (("tournament", "new", "classic"), "1024")],
    ids=["class", "tournament"],
)
def test_whoever_has_ten_thousand_names_is_told_how_many_there_may_be(
    command: tuple[str, ...], limit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tmp_path / "names.txt"
    names.write_text("".join(f"Bartholomew {number}\n" for number in range(10_000)))
    assert run_command([*command, "--names", str(names), "--journal", str(tmp_path / "evening.journal")]) == 2
    out, err = capsys.readouterr()
    assert not out and limit in err and err.count("\n") == 1
    assert not (tmp_path / "evening.journal").exists()


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "names.txt")
    with pytest.raises(NameListError, match=r"can’t be read \(a pipe or device, not a file\)"):
        read_names(tmp_path / "names.txt")


def test_equal_names_are_refused_where_each_has_to_be_another() -> None:
    check_distinct(["Ada", "Ben"])
    with pytest.raises(NameListError, match=r"^names 1 and 3 are both ADA: tell them apart$"):
        check_distinct(["Ada", "Ben", "ADA"])


@pytest.mark.parametrize(
    ("file", "names"),
    [
        (
            "class-with-invisible-letters.txt",
            ["Ada Lovelace", "علی\u200cرضا Karimi", "Ben Ode", "Müller-Ott", "Cy Young", "Dora", "Noémi", "Noémi"],
        ),
        ("names-without-letters-in-font.txt", ["李雷", "韩梅", "王芳", "Đặng Thị Ý"]),
        ("excel-sep-line.csv", ["Müller Anna", "Öztürk Can"]),
    ],
)
def test_lists_that_lost_people_keep_them(file: str, names: list[str]) -> None:
    path = Path(__file__).parents[3] / ".." / "shared/data/inputs" / file
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    assert [*read_names(path).names] == names
