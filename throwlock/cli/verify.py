"""The commands that show that a journal is in order: verification and the public log. They load nothing heavy."""

import json
from pathlib import Path

import click

from throwlock.cli.options import UsageError, existing_journal, plural
from throwlock.journal.journal import JournalReader
from throwlock.replay.public_log import public_log
from throwlock.review.verify import verify as verify_journal


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


@click.command()
@click.argument("journal", type=click.Path(path_type=Path))
@click.option(
    "--head",
    "codes",
    multiple=True,
    metavar="CODE",
    help="A proof code noted at the end of a match: everything up to there must be unchanged. Can be repeated.",
)
def verify(journal: Path, codes: tuple[str, ...]) -> None:
    """Check that nothing in JOURNAL was changed, swapped or lost, and that its results follow from its answers."""
    with JournalReader(existing_journal(journal)) as reader:
        try:
            report = verify_journal(reader, codes)
        except ValueError as error:
            raise UsageError(f"--head {' '.join(codes)}: {error}") from error
    if report.problems:
        more = f" (and {len(report.problems) - 1} more)" if len(report.problems) > 1 else ""
        for problem in report.problems[1:]:
            click.echo(problem)
        raise UsageError(f"{journal} is not in order: {report.problems[0]}{more}")
    click.echo(
        f"{journal} is in order: {plural(report.matches, 'match', 'matches')}, "
        f"{plural(report.events, 'event', 'events')}, {plural(report.evidence, 'piece', 'pieces')} of evidence"
    )
    for line in report.confirmed:
        click.echo(line)
    if report.code:
        click.echo(f"Proof code of its last event: {report.code}")
    click.echo("What a journal can't show:")
    for line in report.unknown:
        click.echo(f"- {line}")
