"""``throwlock verify``: check a journal's hash chain, and its results against its answers."""

from pathlib import Path

import click

from throwlock.cli.options import UsageError, existing_journal, plural
from throwlock.journal.journal import JournalReader
from throwlock.review.verify import verify as verify_journal


@click.command()
@click.argument("journal", type=click.Path(path_type=Path))
def verify(journal: Path) -> None:
    """Check that nothing in JOURNAL was changed, swapped or lost, and that its results follow from its answers."""
    with JournalReader(existing_journal(journal)) as reader:
        report = verify_journal(reader)
    if report.problems:
        more = f" (and {len(report.problems) - 1} more)" if len(report.problems) > 1 else ""
        for problem in report.problems[1:]:
            click.echo(problem)
        raise UsageError(f"{journal} is not in order: {report.problems[0]}{more}")
    click.echo(
        f"{journal} is in order: {plural(report.matches, 'match', 'matches')}, "
        f"{plural(report.events, 'event', 'events')}, {plural(report.evidence, 'piece', 'pieces')} of evidence"
    )
