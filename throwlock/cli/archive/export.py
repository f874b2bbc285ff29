"""``throwlock export``: one match of a journal as a file, or all as a table."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from throwlock.cli.options import UsageError, existing_journal, journal_option
from throwlock.cli.progress import print_step, show_progress
from throwlock.journal.file import default_journal_path
from throwlock.review.archive import ArchiveOpener, JournalArchive
from throwlock.review.export import MEDIA_TYPES
from throwlock.review.parquet import ParquetError
from ui.web.params import MAX_NUMBER
from ui.web.views import NotFoundError

PARQUET = "parquet"
"""The format that has all matches in one table."""


@click.command()
@click.argument("match", type=click.IntRange(1, MAX_NUMBER, max_open=True), required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice([*MEDIA_TYPES, PARQUET]),
    default="json",
    show_default=True,
    help="File format.",
)
@journal_option()
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Output file.  [default: standard output]")
@click.option("--pictures/--no-pictures", default=True, show_default=True, help="Include the images (JSON, HTML).")
@click.option("--names/--no-names", default=True, show_default=True, help="Include the players' names (Parquet).")
def export(match: int | None, form: str, journal: Path | None, out: Path | None, pictures: bool, names: bool) -> None:
    """Export match MATCH of a journal as JSON, CSV or HTML; or all its matches as Parquet, unless MATCH is given."""
    journal_path = existing_journal(journal or default_journal_path(), "; name a journal with --journal")
    if out is not None and out.exists() and out.samefile(journal_path):
        raise UsageError(f"{out} is the journal itself: choose another file")
    if form == PARQUET and out is None:
        raise UsageError("Parquet needs a file: name one with --out")
    if form != PARQUET and match is None:
        raise UsageError(f"name a match to export as {form}, such as 1; --format {PARQUET} has all matches")
    if match is not None:
        print_step(f"Exporting match {match}")
    opener = ArchiveOpener(journal_path)
    try:
        with opener.open() as archive:
            if form == PARQUET and out is not None:
                _export_table(archive, archive.match_numbers() if match is None else [match], out, names)
                return
            assert match is not None  # checked above
            _, _, data = archive.export(match, form, pictures)
    except (NotFoundError, ParquetError) as error:
        raise UsageError(str(error)) from error
    finally:
        opener.close()
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        out.write_bytes(data)


def _export_table(archive: JournalArchive, matches: Sequence[int], out: Path, names: bool) -> None:
    """Write matches as Parquet, and print which could not be replayed."""
    with show_progress("Exporting", len(matches)) as progress:

        def each_match() -> Iterator[int]:
            for number in matches:
                yield number
                progress.update(1)

        _, left_out = archive.export_table(out, each_match(), names)
    if left_out:
        click.echo(f"left out, of another version of the rules: {', '.join(map(str, left_out))}", err=True)
