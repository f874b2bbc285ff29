"""``throwlock cards``: the sheets to print, as a PDF."""

from collections.abc import Callable
from pathlib import Path

import click

from rules.markers import STUDENTS
from throwlock.cli.options import UsageError
from ui.i18n.language import LANGUAGES, spoken, use
from ui.sheets.board import board
from ui.sheets.classes import SMALLEST, class_cards
from ui.sheets.decks import deck, future
from ui.sheets.mats import mats
from ui.sheets.paper import PAPERS, Paper, Sheets, printable

SHEETS: dict[str, Callable[[Paper], Sheets]] = {"deck": deck, "future": future, "mats": mats, "board": board}
"""Sheets that are the same for everybody; those of a class are not."""


@click.command()
@click.argument("what", type=click.Choice(["deck", "future", "class", "mats", "board"]), metavar="SHEETS")
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The PDF to write.")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(list(PAPERS)), help="Size of the paper.")
@click.option(
    "--language", default="en", show_default=True, type=click.Choice(list(LANGUAGES)), help="Of the words on them."
)
@click.option(
    "--names",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="With class: a text file, a student a line.",
)
@click.option(
    "--students",
    type=click.IntRange(1, STUDENTS),
    help=f"With class: how many cards, without names.  [default: {SMALLEST}]",
)
def cards(what: str, out: Path, paper: str, language: str, names: Path | None, students: int | None) -> None:
    """Sheets to print: the deck of 72 cards, the cards of future RPS, cards for a class, mats for the seats, or the
    board game's board with its pieces.

    SHEETS is deck, future, class, mats or board. Print at 100 %; the ruler on every sheet tells whether it was.
    """
    if what != "class" and (names or students):
        raise UsageError(f"--names and --students go with class, not with {what}")
    if names and students:
        raise UsageError("give --names or --students, not both: there is a card for every name")
    if not out.parent.is_dir():
        raise UsageError(f"{out.parent}: there is no such directory to write {out.name} in")
    before = spoken()
    use(language)
    try:
        if what == "class":
            called = _read(names) if names else []
            made = class_cards(PAPERS[paper], called, students or SMALLEST)
            _tell_unprintable(called)
        else:
            made = SHEETS[what](PAPERS[paper])
    finally:
        use(before)
    made.save(out)
    click.echo(f"{out}: {made.pages} sides of {paper}")


def _tell_unprintable(names: list[str]) -> None:
    left_out = [f"{name} ({number})" for number, name in enumerate(names, 1) if not printable(name)]
    if left_out:
        click.echo(f"These names have letters that the sheets don't, their cards have a number: {', '.join(left_out)}")


def _read(names: Path) -> list[str]:
    """The names in a file, one a line. Raises UsageError."""
    try:
        found = [line.strip() for line in names.read_text(encoding="utf-8-sig").splitlines()]
    except UnicodeDecodeError:
        raise UsageError(f"{names} is not text in UTF-8: save it as such") from None
    found = [name for name in found if name]
    if not 1 <= len(found) <= STUDENTS:
        raise UsageError(f"{names} has {len(found)} names: there are cards for 1 to {STUDENTS} students")
    return found
