"""Lists of names as people have them: a text or a spreadsheet's export, typed, pasted or in a file. Whoever reads one
gets every name, and a note on each line that holds none."""

import codecs
import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from device.system.input_files import MAX_NAMES_BYTES, read_input_file
from errors import ThrowlockError
from messages import N, join, shorten
from ui.text.names import MAX_NAME_LENGTH, NameTextError, check_name, clean_name, normalise_name

NAME_HEADINGS = frozenset(
    (
        *("name", "names", "first name", "last name", "given name", "family name", "forename", "surname", "full name"),
        *("player", "players", "student", "students", "pupil", "pupils", "firstname", "lastname", "display name"),
        *("namen", "vorname", "vornamen", "nachname", "nachnamen", "familienname", "rufname", "zuname", "spieler"),
        *("spielerin", "schüler", "schülerin", "schüler/in", "schüler:in", "teilnehmer", "teilnehmerin"),
        *("nom", "noms", "prénom", "prénoms", "nom de famille", "nom complet", "joueur", "joueuse", "joueurs"),
        *("élève", "élèves", "étudiant", "étudiante", "étudiants", "elève", "elèves", "prenom", "prenoms"),
        *("student name", "student names", "pupil name", "player name", "first and last name", "first name last name"),
        *("schülername", "schülernamen", "spielername", "schüler:innen", "schülerinnen und schüler"),
        *("vor- und nachname", "vorname und nachname", "vorname nachname", "name, vorname", "nachname, vorname"),
        *("nom et prénom", "nom et prénoms", "prénom et nom", "nom prénom", "nom, prénom", "nom de l'élève"),
        *("nom de l’élève", "nom des élèves"),
    )
)
"""What heads a column of names, in the languages of the box."""
OTHER_HEADINGS = frozenset(
    (
        *("", "#", "no", "no.", "nr", "nr.", "n°", "nº", "number", "nummer", "numéro", "id", "card", "karte", "carte"),
        *("seat", "platz", "place", "class", "klasse", "classe", "group", "gruppe", "groupe", "team", "équipe", "form"),
        *("gender", "sex", "geschlecht", "sexe", "genre", "birthday", "date of birth", "geburtsdatum", "geburtstag"),
        *("date de naissance", "naissance", "age", "alter", "âge", "email", "e-mail", "mail", "e-mail-adresse"),
        *("courriel", "address", "adresse", "phone", "telefon", "téléphone", "club", "verein", "rating", "notes"),
        *("grade", "year", "school", "schule", "école", "niveau", "stufe", "jahrgang", "section"),
    )
)
"""What heads the columns beside them."""
UTF_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte-order marks; UTF-32's begins with UTF-16's."""
OTHER_FILE = re.compile(r'\s*(%PDF|\{\\rtf|<[!?a-z]|[\[{]\s*["\[{]|BEGIN:V)', re.IGNORECASE)
"""How files begin that are written in letters, and are no lists: PDF, RTF, HTML and XML, JSON, address books."""
MAX_TITLE_LINES = 5
"""Lines above the headings that a spreadsheet may have, such as its class."""
SEPARATOR_LINE = re.compile(r'\s*"?sep\s*=\s*([,;|\t])[,;|\s]*"?\s*', re.IGNORECASE)
LINE_NUMBER = re.compile(r"\s*(\d{1,4})(?:[.):]?\s*|(?:[.):]|\s)\s*(\S.*))", re.ASCII)


class NameListError(ThrowlockError, ValueError):
    """A list of names that can't be used. The message says why, and in which line, in one line."""


@dataclass(frozen=True)
class NameList:
    """Names in the order of a list."""

    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What else the list has, and what was made of it: a sentence each."""


def parse_names(text: str, *, splits_at_commas: bool = False, longest: int = MAX_NAME_LENGTH) -> NameList:
    """Read the names in a text, one per line; blank lines count for nothing.

    The cells of a line, such as first name and surname, are joined: tabs and semicolons separate cells, commas if
    ``splits_at_commas``, or what Excel's line ``sep=`` says. A first line of headings is no name, and says which
    columns are none.

    Raises:
        NameListError: A line can't be read, or is no name of at most ``longest`` letters.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    notes: list[str] = []
    rows: Iterable[tuple[int, list[str]]] = ((number, [line]) for number, line in enumerate(lines, 1))
    if (delimiter := _separator_line(lines[0] if lines else "")) is not None:
        notes.append(
            N("line {line} says how cells are separated, and is no name: {text}", line=1, text=shorten(lines[0]))
        )
        lines[0] = ""
    elif splits_at_commas or ";" in text or "\t" in text or all(map(_is_quoted, lines)):
        # of one each in every line, the comma is within a cell: 1;Ode, Ada
        delimiter = max(("\t;," if splits_at_commas else "\t;"), key=text.count)
    if delimiter is not None:
        rows = _read_cells(lines, delimiter, notes)
    filled = [(number, row) for number, row in rows if any(map(clean_name, row))]
    others: set[int] = set()
    heading = _find_heading([row for _, row in filled])
    if heading is not None:
        for number, row in filled[:heading]:
            notes.append(N("line {line} is above the heading, and no name: {text}", line=number, text=_shown(row)))
        number, row = filled[heading]
        filled = filled[heading + 1 :]
        others = {column for column, cell in enumerate(row) if _heading(cell) not in NAME_HEADINGS}
        notes.append(N("line {line} is a heading, and no name: {text}", line=number, text=_shown(row)))
        if left_out := [shorten(clean_name(row[column])) for column in sorted(others) if clean_name(row[column])]:
            notes.append(N("these columns are no names: {columns}", columns=", ".join(left_out)))
    rows_of_names = [[cell for column, cell in enumerate(row) if column not in others] for _, row in filled]
    if unnumbered := _without_numbers(rows_of_names):
        notes.append(N("the numbers before the names are no names"))
        rows_of_names = unnumbered
    names = []
    for (number, row), cells in zip(filled, rows_of_names, strict=True):
        if not any(map(clean_name, cells)):
            notes.append(N("line {line} has no name: {text}", line=number, text=_shown(row)))
            continue
        try:
            names.append(check_name(" ".join(cells), longest))
        except NameTextError as error:
            raise NameListError(N("line {line}: {why}", line=number, why=error.text)) from None
    return NameList(tuple(names), tuple(notes))


def _separator_line(line: str) -> str | None:
    """Return what Excel's first line, such as "sep=;", separates cells with; None for any other line."""
    match = SEPARATOR_LINE.fullmatch(line)
    return match[1] if match else None


def _is_quoted(line: str) -> bool:
    cell = line.strip()
    return not cell or (len(cell) > 2 and cell[0] == cell[-1] == '"')


def _without_numbers(rows: list[list[str]]) -> list[list[str]]:
    """Return the rows without what numbers them: 1, 2, 3, alone in their first cells or before the names there. None
    are returned if something else is there, or nothing but numbers."""
    unnumbered = []
    for number, row in enumerate(rows, 1):
        first, *more = row or [""]  # a row may end before the columns with names
        match = LINE_NUMBER.fullmatch(first)
        if match is None or int(match[1]) != number or not clean_name("".join((match[2] or "", *more))):
            return []
        unnumbered.append([match[2] or "", *more])
    return unnumbered if len(unnumbered) > 1 else []


def _read_cells(lines: list[str], delimiter: str, notes: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines' numbers and cells, and note where several lines are one. Raises NameListError."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    first = 1
    try:
        for row in reader:
            if reader.line_num > first:
                note = N("lines {line} to {last} are one in quotation marks", line=first, last=reader.line_num)
                notes.append(note)
            yield first, row
            first = reader.line_num + 1
    except csv.Error:
        raise NameListError(
            N(
                "line {line}: a quotation mark opens a cell and does not close it: {text}",
                line=first,
                text=shorten(lines[first - 1]),
            )
        ) from None


def _is_heading(row: list[str]) -> bool:
    words = set(map(_heading, row))
    return bool(words & NAME_HEADINGS) and words <= NAME_HEADINGS | OTHER_HEADINGS


def _find_heading(rows: list[list[str]]) -> int | None:
    """Return the index of the row of headings: the first row or, if it has several, below a title; None without one."""
    for index, row in enumerate(rows[: MAX_TITLE_LINES + 1]):
        if _is_heading(row) and (index == 0 or sum(map(bool, map(clean_name, row))) > 1):
            return index
    return None


def _heading(cell: str) -> str:
    return normalise_name(cell).rstrip(" :*")


def _shown(row: Iterable[str]) -> str:
    return shorten(", ".join(cell for cell in map(clean_name, row) if cell))


def read_names(path: Path, *, longest: int = MAX_NAME_LENGTH) -> NameList:
    """Read the names in a file, as ``parse_names``; in a ``.csv`` file commas separate cells too. It may be UTF-8,
    UTF-16, UTF-32 or, as Windows writes it in western Europe, Windows-1252. Raises NameListError."""
    try:
        content = read_input_file(path, MAX_NAMES_BYTES)
    except OSError as error:
        raise NameListError(N("{path} can’t be read ({why})", path=path, why=error.strerror)) from error
    text, encoding = _decode(content)
    if text is None or "\0" in text or OTHER_FILE.match(text):
        raise NameListError(N("{path} is not text: save the list as text or as CSV, in UTF-8", path=path))
    try:
        read = parse_names(text, splits_at_commas=path.suffix.lower() == ".csv", longest=longest)
    except NameListError as error:
        raise NameListError(join([str(path), error.text], ", ")) from None
    notes = [join([str(path), note], ", ") for note in read.notes]
    if encoding == "cp1252":
        notes.append(N("{path} was read as Windows-1252: if letters are wrong, save it as UTF-8", path=path))
    return NameList(read.names, tuple(notes))


def _decode(content: bytes) -> tuple[str | None, str]:
    """Return a text and its encoding; no text if the bytes are none."""
    encodings = [encoding for mark, encoding in UTF_MARKS if content.startswith(mark)][:1]
    if not encodings and b"\0" in content:
        encodings = ["utf-16-be" if content[:1] == b"\0" else "utf-16-le"]
    for encoding in encodings or ("utf-8", "cp1252"):
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return None, ""


def check_distinct(names: Iterable[str]) -> None:
    """Raise NameListError if two names are the same, in upper or lower case."""
    known: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        if (before := known.setdefault(normalise_name(name), number)) != number:
            raise NameListError(
                N("names {first} and {second} are both {name}: tell them apart", first=before, second=number, name=name)
            )


def parse_form_names(text: str, *, longest: int = MAX_NAME_LENGTH) -> tuple[str, ...]:
    """Read the names that people typed or pasted into a form, which has no room for notes: a line that is no name is
    refused. Raises NameListError."""
    read = parse_names(text, longest=longest)
    if read.notes:
        raise NameListError(N("{note}: take it out, or write it further down if it is one", note=read.notes[0]))
    return read.names
