"""``throwlock record``: a match's public log."""

import json
from pathlib import Path

import click

from throwlock.cli.options import UsageError, existing_journal
from throwlock.journal.journal import JournalReader
from throwlock.replay.public_log import public_log


@click.command()
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--match", type=click.IntRange(1), help="Number of the match.  [default: the newest]")
@click.option("--seat", type=click.IntRange(1), help="Also print what only this seat could see.")
def record(journal: Path, match: int | None, seat: int | None) -> None:
    """Print a match's public log as JSON lines.

    Sealed and secret answers are left out.
    """
    with JournalReader(existing_journal(journal)) as reader:
        matches = reader.matches()
        if not matches or (match is not None and match not in matches):
            known = f"its matches are {', '.join(map(str, matches))}" if matches else "it has none yet"
            raise UsageError(f"{journal} has no such match: {known}")
        events = reader.events(match or matches[-1])
    for line in public_log(events, seat):
        click.echo(json.dumps(line))
