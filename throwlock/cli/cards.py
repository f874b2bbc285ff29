"""``throwlock cards``: the printable sheets, as a PDF."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from rules.markers import MAX_STUDENTS
from throwlock.cli.names import read_students
from throwlock.cli.options import UsageError, journal_option, plural
from throwlock.journal.file import default_journal_path
from throwlock.table_setup.class_names import ClassLists
from ui.fonts import FONT_PACKAGES, missing_letters
from ui.i18n.language import LANGUAGES, current_language, set_language
from ui.sheets.board import make_board
from ui.sheets.cards import DEFAULT_CARD_COUNT, make_class_cards, make_deck, make_future_deck, make_mats
from ui.sheets.paper import PAPERS, Paper, SheetDocument

COMMON_SHEETS: dict[str, Callable[[Paper], SheetDocument]] = {
    "deck": make_deck,
    "future": make_future_deck,
    "mats": make_mats,
    "board": make_board,
}
"""The sheets without names; those of a class depend on its students."""


@click.command()
@click.argument("what", type=click.Choice(["deck", "future", "class", "mats", "board"]), metavar="SHEETS")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="PDF to write.  [default: SHEETS.pdf, if it is new]"
)
@click.option("--paper", default="a4", show_default=True, type=click.Choice(list(PAPERS)), help="Paper size.")
@click.option(
    "--language",
    default="en",
    show_default=True,
    type=click.Choice(list(LANGUAGES)),
    help="Language of the text on the sheets.",
)
@click.option(
    "--names",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="With class: text file with one student per line.",
)
@click.option(
    "--class", "class_name", metavar="NAME", help="With class: the class whose list is kept next to the journal."
)
@journal_option("With --class: the journal that the lists are kept next to.")
@click.option(
    "--students",
    type=click.IntRange(1, MAX_STUDENTS),
    help=f"With class: number of cards without names.  [default: {DEFAULT_CARD_COUNT}]",
)
def cards(
    what: str,
    out: Path | None,
    paper: str,
    language: str,
    names: Path | None,
    class_name: str | None,
    journal: Path | None,
    students: int | None,
) -> None:
    """Write sheets to print as a PDF.

    SHEETS is deck (72 cards), future (the cards of Future RPS), class (cards for students), mats (for the seats) or
    board (the board game's board and pieces). Print at 100 %; check it with the ruler on each sheet.
    """
    if what != "class" and (names or class_name or students):
        raise UsageError(f"--names, --class and --students go with class, not with {what}")
    if sum(map(bool, (names, class_name, students))) > 1:
        raise UsageError("give one of --names, --class and --students: each name gets a card")
    if out is None:
        out = Path(f"{what}.pdf")
        if out.exists():
            raise UsageError(f"{out} exists already: name the file to write with --out")
    if not out.parent.is_dir():
        raise UsageError(f"{out.parent}: no such directory")
    previous_language = current_language()
    set_language(language)
    try:
        if what == "class":
            students_named = read_students(names) if names else ()
            if class_name:
                students_named = ClassLists(journal or default_journal_path()).find(class_name)
            if names and not students_named:
                raise UsageError(f"{names} has 0 names: there are cards for 1 to {MAX_STUDENTS} students")
            sheets = make_class_cards(PAPERS[paper], students_named, students or DEFAULT_CARD_COUNT)
            _warn_of_missing_letters(students_named)
        else:
            sheets = COMMON_SHEETS[what](PAPERS[paper])
    finally:
        set_language(previous_language)
    sheets.save(out)
    size = paper.replace("a4", "A4")
    click.echo(f"{out}: {plural(sheets.page_count, f'{size} page', f'{size} pages')}")


def _warn_of_missing_letters(names: Sequence[str]) -> None:
    left_out = [f"{name} ({number})" for number, name in enumerate(names, 1) if missing_letters(name)]
    if left_out:
        click.echo(
            "This computer has no font for letters of these names; their cards have an empty field instead: "
            f"{', '.join(left_out)}. Debian: sudo apt install {' '.join(FONT_PACKAGES)}"
        )
