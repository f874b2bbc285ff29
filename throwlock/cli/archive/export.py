"""``throwlock export``: one match of a journal as a file."""

import sys
from pathlib import Path

import click

from throwlock.cli.options import UsageError, existing_journal, journal_option
from throwlock.cli.progress import print_step
from throwlock.journal.file import default_journal_path
from throwlock.review.archive import ArchiveOpener
from throwlock.review.export import MEDIA_TYPES
from ui.web.params import MAX_NUMBER
from ui.web.views import NotFoundError


@click.command()
@click.argument("match", type=click.IntRange(1, MAX_NUMBER, max_open=True))
@click.option(
    "--format", "form", type=click.Choice(list(MEDIA_TYPES)), default="json", show_default=True, help="File format."
)
@journal_option()
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Output file.  [default: standard output]")
@click.option("--pictures/--no-pictures", default=True, show_default=True, help="Include the images (JSON, HTML).")
def export(match: int, form: str, journal: Path | None, out: Path | None, pictures: bool) -> None:
    """Export match MATCH of a journal as JSON, CSV or HTML."""
    journal_path = existing_journal(journal or default_journal_path(), "; name a journal with --journal")
    if out is not None and out.exists() and out.samefile(journal_path):
        raise UsageError(f"{out} is the journal itself: choose another file")
    print_step(f"Exporting match {match}")
    opener = ArchiveOpener(journal_path)
    try:
        with opener.open() as archive:
            _, _, data = archive.export(match, form, pictures)
    except NotFoundError as error:
        raise UsageError(str(error)) from error
    finally:
        opener.close()
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        out.write_bytes(data)
