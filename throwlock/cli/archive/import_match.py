"""``throwlock import``: a match from a file into a journal."""

from pathlib import Path

import click

from throwlock.cli.options import journal_option, plural
from throwlock.journal.file import default_journal_path
from throwlock.review.importer import ImportJournal, read_match_file


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@journal_option()
def import_(file: Path, journal: Path | None) -> None:
    """Import a match that "throwlock export" wrote as JSON."""
    match = read_match_file(file)
    target = journal or default_journal_path()
    if journal is None:
        target.parent.mkdir(parents=True, exist_ok=True)
    with ImportJournal(target) as target_journal:
        number = target_journal.import_match(match)
    pictures = sum(data is not None for pieces in match.evidence.values() for data in pieces.values())
    click.echo(
        f"Match {number} of {target}: {plural(len(match.events), 'event', 'events')} and "
        f"{plural(pictures, 'picture', 'pictures')} from {file}"
    )
