"""The commands about a journal’s matches: export and import, and the review pages."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click

from device.system.output_files import atomic_write
from device.system.processes import lower_process_priority
from errors import NotFoundError
from throwlock.cli.options import (
    UsageError,
    existing_journal,
    journal_option,
    plural,
    print_step,
    show_progress,
    stop_on_signal,
)
from throwlock.journal.file import default_journal_path
from throwlock.review.archive import ArchiveOpener, JournalArchive
from throwlock.review.export import MEDIA_TYPES
from throwlock.review.importer import ImportJournal, read_match_file
from throwlock.review.make_clip import PROGRESS_STEPS, ClipFormat, make_clip
from throwlock.review.parquet import ParquetError
from throwlock.settings.model import read_settings
from throwlock.web.server import PORT, ReviewServer
from ui.i18n.language import LANGUAGES, set_language
from ui.web.access_code import ROTATE_AFTER_ATTEMPTS
from ui.web.params import MAX_NUMBER

CLIP = "clip"
"""The format that is a file for each round."""

PARQUET = "parquet"
"""The format that has all matches in one table."""


@click.command()
@click.argument("match", type=click.IntRange(1, MAX_NUMBER, max_open=True), required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice([*MEDIA_TYPES, CLIP, PARQUET]),
    default="json",
    show_default=True,
    help="File format.",
)
@journal_option()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Output file; for clips of a whole match, the folder.  [default: standard output; of clips, this folder]",
)
@click.option("--pictures/--no-pictures", default=True, show_default=True, help="Include the images (JSON, HTML).")
@click.option("--names/--no-names", default=True, show_default=True, help="Include the players' names (Parquet).")
@click.option("--round", "number", type=click.IntRange(1), help="The only round to make a clip of.  [default: all]")
@click.option(
    "--clip-format",
    type=click.Choice(list(map(str, ClipFormat))),
    default=str(ClipFormat.MP4),
    show_default=True,
    help="Of clips.",
)
@click.option(
    "--language",
    type=click.Choice([*LANGUAGES]),
    default="en",
    show_default=True,
    help="Language of the texts in clips.",
)
@click.pass_context
def export(
    context: click.Context,
    match: int | None,
    form: str,
    journal: Path | None,
    out: Path | None,
    pictures: bool,
    names: bool,
    number: int | None,
    clip_format: str,
    language: str,
) -> None:
    """Export match MATCH of a journal as JSON, CSV, XLSX or HTML, or its rounds as clips; or all its matches as
    Parquet, unless MATCH is given."""
    journal_path = existing_journal(journal or default_journal_path(), "; name a journal with --journal")
    if out is not None and out.exists() and out.samefile(journal_path):
        raise UsageError(f"{out} is the journal itself: choose another file")
    if form == PARQUET and out is None:
        raise UsageError("Parquet needs a file: name one with --out")
    if form != PARQUET and match is None:
        raise UsageError(f"name a match to export as {form}, such as 1; --format {PARQUET} has all matches")
    _refuse_options_of_other_formats(context, form)
    if match is not None and form != CLIP:
        print_step(f"Exporting match {match}")
    opener = ArchiveOpener(journal_path)
    try:
        with closing(opener), opener.open() as archive:
            if form == PARQUET and out is not None:
                _export_table(archive, archive.match_numbers() if match is None else [match], out, names)
                return
            assert match is not None  # checked above
            if form == CLIP:
                _export_clips(archive, match, number, ClipFormat(clip_format), language, out)
                return
            _, _, data = archive.export(match, form, pictures)
    except (NotFoundError, ParquetError) as error:
        raise UsageError(str(error)) from error
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        with atomic_write(out) as part:
            part.write_bytes(data)


def _export_table(archive: JournalArchive, matches: Sequence[int], out: Path, names: bool) -> None:
    """Write matches as Parquet, and print which could not be replayed."""
    with show_progress("Exporting", len(matches)) as add_steps:

        def each_match() -> Iterator[int]:
            for number in matches:
                yield number
                add_steps(1)

        _, left_out = archive.export_table(out, each_match(), names)
    if left_out:
        click.echo(f"left out, of another version of the rules: {', '.join(map(str, left_out))}", err=True)


def _refuse_options_of_other_formats(context: click.Context, form: str) -> None:
    of_clips = {"number": "--round", "clip_format": "--clip-format", "language": "--language"}
    others = {"pictures": "--pictures and --no-pictures"} if form == CLIP else of_clips
    for name, option in others.items():
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise UsageError(f"{option} can't be used with --format {form}")


def _export_clips(
    archive: JournalArchive, match: int, number: int | None, clip_format: ClipFormat, language: str, out: Path | None
) -> None:
    """Write the clip of a match's round ``number``, or of all its rounds that have pictures. Raises NotFoundError,
    UsageError."""
    rounds = archive.match(match).view.rounds
    chosen = [line for line in rounds if number in (None, line.number)]
    if not chosen:
        has = f"it has {plural(len(rounds), 'round', 'rounds')}"
        raise UsageError(f"match {match} has no round {number}: {has}" if number else f"match {match} has no rounds")
    with_pictures = [line for line in chosen if archive.round(line.event).has_clip]
    if not with_pictures:
        which = f"round {number}" if number else "any round"
        raise UsageError(f"there are no pictures of {which} of match {match}: they were deleted, or none were saved")
    single_file = out if number is not None and out is not None and not out.is_dir() else None
    folder = single_file.parent if single_file else out or Path()
    if single_file is None and folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: name a folder for the clips with --out, or one round with --round")
    folder.mkdir(parents=True, exist_ok=True)
    lower_process_priority()
    set_language(language)
    for line in with_pictures:
        path = single_file or folder / f"throwlock-match-{match}-round-{line.number}.{clip_format}"
        with show_progress(f"Round {line.number}", PROGRESS_STEPS) as add_steps:
            done = 0

            def update(share: float) -> None:
                nonlocal done
                steps = int(share * PROGRESS_STEPS)
                add_steps(steps - done)
                done = steps

            make_clip(archive, line.event, clip_format, path, update)
        click.echo(path)
    if missing := len(chosen) - len(with_pictures):
        click.echo(f"{plural(missing, 'round has', 'rounds have')} no pictures", err=True)


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


@click.command()
@journal_option()
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Port; 0: any free one.")
@click.option("--lan", is_flag=True, help="Serve the local network too, with an access code.")
def review(journal: Path | None, port: int, lan: bool) -> None:
    """Review matches in a browser: on this machine only, unless --lan."""
    hint = "; play a match first, or name another with --journal"
    path = existing_journal(journal or default_journal_path(), hint)
    server = ReviewServer(
        path, lan=lan, port=port, on_new_code=_print_new_code, names=read_settings().network.names.split()
    )
    with stop_on_signal() as stopped, server:
        click.echo(f"Reviewing {path} at {' and '.join(server.addresses) or server.address}")
        if lan:
            click.echo(f"Code: {server.code}")
            click.echo("Anybody on this network who types it can see everything, and delete pictures and players.")
        click.echo("Press Ctrl-C to stop.")
        stopped.wait()


def _print_new_code(code: str) -> None:
    click.echo(f"{ROTATE_AFTER_ATTEMPTS} wrong codes were tried. New code: {code}")
