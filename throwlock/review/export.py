"""``throwlock export``: a match as JSON with everything in it, as CSV with a line for each seat and round, or as one
HTML page with its pictures. docs/export.md describes them."""

import base64
import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import click
from pydantic import ValidationError

from throwlock.cli.options import UsageError
from throwlock.journal.file import usual_place
from throwlock.journal.journal import Event, JournalError, JournalReader
from throwlock.review.match_schema import FORMAT, VERSION, MatchFile
from throwlock.review.timeline import GOING_ON, state_of
from ui.web.app import PICTURES
from ui.web.charts import photo_finish
from ui.web.pages import written
from ui.web.static_files import FILES
from ui.web.views import Access, MatchPage, NotFoundError, RoundLine, RoundPage, SeatRound

FORMS = {"json": "application/json", "csv": "text/csv; charset=utf-8", "html": "text/html; charset=utf-8"}
"""What a match can be exported as, with the media types."""
COLUMNS = (
    *("match", "round", "event", "at", "title", "counts", "trouble", "seat", "player", "verdict", "foul", "throw"),
    *("at_lock", "then", "shown_ms", "after_first_ms", "plus_minus_ms", "bet", "score_before", "score_after"),
    *("disputes", "sentence"),
)
"""The columns of a CSV file."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a text must not begin with where a spreadsheet may take it for a formula."""


class Rounds(Protocol):
    """What the exports need of an archive; see ``throwlock.review.archive.JournalArchive``."""

    def match(self, number: int) -> MatchPage:
        """One match."""

    def rounds(self, match: int) -> Iterator[RoundPage]:
        """Its thrown rounds."""

    def picture(self, event: int, name: str) -> tuple[str, bytes]:
        """Media type and bytes of a piece of evidence."""


def exported(
    journal: JournalReader, archive: Rounds, match: int, form: str, pictures: bool = True
) -> tuple[str, str, bytes]:
    """File name, media type and bytes of a match as one of ``FORMS``; ``archive`` is of the same ``journal``. Raises
    Gone when there is no such match, or it can't be written so; JournalError when it can't be read."""
    page = archive.match(match)
    if form == "json":
        text = as_json(journal, match, pictures)
    elif form == "csv":
        text = as_csv(page)
    elif form == "html":
        text = as_html(page, list(archive.rounds(match)), archive.picture if pictures else None)
    else:
        raise NotFoundError(f"Match {match} can't be written as {form}.")
    return f"throwlock-match-{match}.{form}", FORMS[form], text.encode()


def as_json(journal: JournalReader, match: int, pictures: bool = True) -> str:
    """A match as ``throwlock import`` reads it, with its ``pictures`` or without. Raises NotFoundError where it can't
    be written so: while it is going on, since what is sealed or secret would stand in it; or where its events have
    names."""
    events = journal.events(match)
    if state_of(events) == GOING_ON:
        raise NotFoundError(
            f"Match {match} is still going on, and JSON has what is sealed or secret in it, too: export it so once it "
            "is over or given up. CSV and HTML have only what everybody saw."
        )
    if not isinstance(events[0].body.get("players"), dict):
        raise NotFoundError(
            f"Match {match} was written by an earlier Throwlock with the names in its events, where they could not be "
            "forgotten: export it as CSV or HTML."
        )
    names = journal.players()
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "journal": journal.origin(),
        "match": match,
        "players": [None if key is None else names.get(key) for key in journal.keys(events[0])],
        "events": [_event(journal, event, pictures) for event in events],
    }
    try:
        MatchFile.model_validate(whole)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise JournalError(f"match {match} is not as this Throwlock writes it ({where}: {first['msg']})") from error
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _event(journal: JournalReader, event: Event, pictures: bool) -> dict[str, Any]:
    """An event as it stands in the journal, with its evidence that is left."""
    line = {
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "body": event.body,
        "previous": event.previous,
        "hash": event.hash,
    }
    if "evidence" not in event.body or not pictures:
        return line
    return {**line, "pictures": {one.name: _base64(one.data) for one in journal.evidence(event.number)}}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def as_csv(page: MatchPage) -> str:
    """A match's thrown rounds, a line for each seat: RFC 4180 with a line of ``COLUMNS`` first."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow(COLUMNS)
    for step in page.course:
        if isinstance(step, RoundLine):
            lines.writerows([harmless(cell) for cell in _cells(page, step, seat)] for seat in step.seats)
    return text.getvalue()


def _cells(page: MatchPage, line: RoundLine, seat: SeatRound) -> Sequence[object]:
    """One line, in the order of ``COLUMNS``."""
    return (
        *(page.line.number, line.number, line.event, line.at, line.title, _yes(not line.void), line.trouble),
        *(seat.seat, seat.player.name, seat.verdict, _yes(seat.foul), seat.throw, seat.at_lock, seat.then),
        *(seat.shown_ms, seat.after_first_ms, seat.plus_minus_ms),
        *(_yes(seat.bet) if isinstance(seat.bet, bool) else seat.bet, seat.before, seat.after),
        *(len(line.disputes), line.sentence),
    )


def _yes(given: bool) -> str:
    return "yes" if given else "no"


def harmless(cell: object) -> object:
    """A cell that no spreadsheet runs: a text that begins like a formula has an apostrophe before it. Numbers stay."""
    if isinstance(cell, str) and str(cell).lstrip(" \u00a0").startswith(FORMULA):
        return f"'{cell}"
    return str(cell) if isinstance(cell, str) else cell


def as_html(
    page: MatchPage, rounds: Sequence[RoundPage], picture: Callable[[int, str], tuple[str, bytes]] | None
) -> str:
    """A match as one page that needs nothing else; ``picture`` gives its pictures, without it there are none."""

    def there(round_: RoundPage) -> set[str]:
        return {one.name for one in round_.pictures if picture and one.there and one.media_type in PICTURES}

    def data_uri(event: int, name: str) -> str:
        assert picture is not None
        media_type, data = picture(event, name)
        return f"data:{media_type};base64,{_base64(data)}"

    return written(
        "export.html",
        Access(local=True, token=""),
        page=page,
        line=page.line,
        rounds={one.line.event: one for one in rounds},
        names={seat: one.name for seat, one in enumerate(page.line.players, 1)},
        there=there,
        data_uri=data_uri,
        photo_finish=photo_finish,
        style=FILES["style.css"].decode(),
    )


@click.command()
@click.argument("match", type=click.IntRange(1))
@click.option("--format", "form", type=click.Choice(list(FORMS)), default="json", show_default=True, help="As what.")
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="From which journal.  [default: the one play keeps]",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to.  [default: standard output]")
@click.option("--pictures/--no-pictures", default=True, show_default=True, help="With its pictures (JSON, HTML).")
def export(match: int, form: str, journal: Path | None, out: Path | None, pictures: bool) -> None:
    """Write match MATCH of a journal: all of it as JSON, a table as CSV, or one page as HTML."""
    from throwlock.review.archive import Shelf  # noqa: PLC0415 - it exports through this module

    place = journal or usual_place()
    if not place.exists():
        raise UsageError(f"{place}: there is no such file; name a journal with --journal")
    if out is not None and out.exists() and out.samefile(place):
        raise UsageError(f"{out} is the journal itself: write to another file")
    shelf = Shelf(place)
    try:
        with shelf.open() as archive:
            _, _, data = archive.export(match, form, pictures)
    except NotFoundError as gone:
        raise UsageError(str(gone)) from gone
    finally:
        shelf.close()
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        out.write_bytes(data)
