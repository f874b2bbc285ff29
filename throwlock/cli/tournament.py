"""``throwlock tournament``: a tournament of a journal, on the terminal."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from device.system.clock import MonotonicClock
from messages import is_printable
from rules.catalogue import find_game
from rules.record.tournament import (
    MAX_TITLE_LENGTH,
    TournamentAbandoned,
    TournamentBody,
    TournamentCorrected,
    TournamentNoShow,
    TournamentPlayerWithdrawn,
    TournamentResult,
    TournamentStarted,
)
from rules.tournaments.fixture import BYE, Fixture, FixtureId, Format
from throwlock.cli.names import check_names, print_notes
from throwlock.cli.options import (
    UsageError,
    camera_option,
    existing_journal,
    journal_option,
    option_option,
    parse_game_options,
    plural,
    seed_option,
)
from throwlock.cli.window import run_in_window
from throwlock.journal.file import default_journal_path
from throwlock.journal.journal import NO_MATCH, Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import run_match
from throwlock.replay.ratings import rank_names, read_ratings
from throwlock.replay.tournaments import (
    TournamentRecord,
    append_to_tournament,
    check_tournament,
    enter_tournament,
    newest_tournament,
    read_tournament,
)
from throwlock.seating import new_match_config
from throwlock.session import Services, create_folder
from throwlock.settings.model import read_settings
from throwlock.settings.pages import apply_settings
from throwlock.table_setup.cameras import clock_for_camera
from throwlock.table_setup.name_lists import NameList, check_distinct, read_names
from ui.i18n.language import LANGUAGES, current_language, set_language
from ui.screen.core.display import NullDisplay
from ui.sheets.paper import PAPERS
from ui.sheets.tournament import make_tournament
from ui.text.names import clean_name
from ui.text.tournaments import FORMAT_NAMES, TIE_BREAK_NAMES, points_text, tie_break_columns

MAX_NEXT_LINES = 12
"""Matches that are listed as next."""


@click.group()
def tournament() -> None:
    """Hold a tournament: draw, results, standings, sheets.

    A tournament is kept in the journal, and follows from its events. Commands are about the newest one, unless
    --tournament gives the number of another.
    """


def tournament_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--journal`` and ``--tournament`` to a command."""
    command = click.option(
        "--tournament", "number", type=click.IntRange(1), metavar="N", help="Its number.  [default: the newest]"
    )(command)
    return journal_option()(command)


@tournament.command()
@click.argument("game")
@click.option(
    "--format",
    "form",
    default=str(Format.KNOCKOUT),
    show_default=True,
    type=click.Choice(list(map(str, Format))),
    help="Format; tables is for matches of more than two players.",
)
@click.option("--name", "names", multiple=True, metavar="NAME", help="A player. Repeat it, the best seed first.")
@click.option("--names", "file", type=click.Path(path_type=Path), metavar="FILE", help="Players, one per line.")
@click.option("--title", default="", metavar="TITLE", help="What people call it.  [default: the game's title]")
@click.option("--by-rating", is_flag=True, help="Seed by the ratings of this journal instead of in the order given.")
@click.option("--shuffle", is_flag=True, help="Draw the seeds at random instead of in the order given.")
@seed_option("--shuffle")
@click.option("--rounds", type=click.IntRange(1, 100), help="Rounds of swiss and tables.  [default: log2 of players]")
@click.option("--group-size", type=click.IntRange(2, 32), default=4, show_default=True, help="Players of a group.")
@click.option("--qualifiers", type=click.IntRange(1, 8), default=2, show_default=True, help="Who go on, of a group.")
@click.option("--table-size", type=click.IntRange(3, 8), default=4, show_default=True, help="Players at a table.")
@option_option
@journal_option()
def new(
    game: str,
    form: str,
    names: tuple[str, ...],
    file: Path | None,
    title: str,
    by_rating: bool,
    shuffle: bool,
    seed: int,
    rounds: int | None,
    group_size: int,
    qualifiers: int,
    table_size: int,
    options: tuple[str, ...],
    journal: Path | None,
) -> None:
    """Begin a tournament of GAME with the players given.

    Players in the order of their seeds: the first two can meet only in the final.
    """
    listed = read_names(file) if file else NameList()
    players = [*listed.names, *check_names(names)]
    check_distinct(players)
    if shuffle:
        random.Random(seed).shuffle(players)
    title = clean_name(title)
    if len(title) > MAX_TITLE_LENGTH or not is_printable(title):
        raise UsageError(f"--title {title!r}: give at most {MAX_TITLE_LENGTH} printable characters")
    body = TournamentStarted(
        title=title,
        game=game,
        options=parse_game_options(find_game(game), options),
        format=Format(form),
        rounds=rounds or 0,
        group_size=group_size,
        qualifiers=qualifiers,
        table_size=table_size if form == Format.TABLES else 2,
    )
    check_tournament(body, len(players))
    print_notes(listed.notes)
    path = journal or default_journal_path()
    if journal is None:
        create_folder(path.parent)
    with Journal(path) as opened:
        if by_rating:
            players = rank_names(players, read_ratings(opened))
        record = read_tournament(opened, opened.start_tournament(body, players))
    click.echo(
        f"Tournament {record.number}: {_title(record)}, {FORMAT_NAMES[Format(form)]}, "
        f"{plural(len(players), 'player', 'players')}"
    )
    _print_next(record)


@tournament.command()
@journal_option()
def ratings(journal: Path | None) -> None:
    """Print everybody's rating, from all matches of two in a journal.

    After ± is how far a rating may be off, in 95 of 100 cases. Whoever is surely strong comes first: the order is that
    of the rating less its error.
    """
    with JournalReader(_existing(journal)) as reader:
        entries = read_ratings(reader)
    if not entries:
        click.echo("No match of two has ended yet.")
    for rank, rating in enumerate(entries, 1):
        count = plural(rating.matches, "match", "matches")
        click.echo(f"{rank:>3}. {rating.name:20} {rating.strength:5.1f} ± {rating.error:4.1f}  {count}")


@tournament.command("list")
@journal_option()
def list_(journal: Path | None) -> None:
    """List the tournaments of a journal."""
    with JournalReader(_existing(journal)) as reader:
        for number in reader.tournaments():
            record = read_tournament(reader, number)
            stand = "given up" if record.abandoned else "goes on" if record.is_open else _champions(record)
            click.echo(
                f"{number}: {record.at[:10]}, {_title(record)}, {FORMAT_NAMES[record.started.format]}, "
                f"{plural(len(record.names), 'player', 'players')}: {stand}"
            )


@tournament.command("next")
@tournament_options
def next_(journal: Path | None, number: int | None) -> None:
    """Print the matches that can be played now."""
    _print_next(_read(journal, number))


@tournament.command()
@click.argument("match", required=False)
@camera_option
@click.option("--headless", is_flag=True, help="Open no window; ask questions on the terminal.")
@seed_option("simulated players and tables")
@tournament_options
def play(
    match: str | None, camera: str | None, headless: bool, seed: int, journal: Path | None, number: int | None
) -> None:
    """Play the next match, or MATCH, at this table."""
    launch = LaunchOptions.from_command(_existing(journal), camera, headless=headless, settings=read_settings())
    with JournalReader(launch.journal) as reader:
        record = _newest(reader, number)
        if not record.is_open:
            raise UsageError(f"tournament {record.number} is over: {_champions(record)}")
        fixture = record.state.fixture(FixtureId.parse(match)) if match else record.state.ready[0]
        if not fixture.is_ready:
            raise UsageError(f"match {match} can't be played now")
        config = replace(
            new_match_config(
                record.game(fixture), [record.name(player) for player in fixture.present], launch.house_rules, seed,
                launch.camera,
            ),
            tournament=record.match_of(fixture),
        )  # fmt: skip
    if headless:
        run_match(launch, config, NullDisplay, clock_for_camera(launch.camera))
    else:
        apply_settings(launch.settings)
        services = Services()
        run_in_window(
            launch,
            lambda window: run_match(launch, config, lambda: window, MonotonicClock(), services=services),
            services=services,
        )
    _print_next(_read(launch.journal, record.number))


@tournament.command()
@click.argument("match")
@click.argument("winners", nargs=-1)
@tournament_options
def result(match: str, winners: tuple[str, ...], journal: Path | None, number: int | None) -> None:
    """Enter that WINNERS won MATCH: one player; none, or several, for a draw."""
    _append(
        journal, number, lambda record: TournamentResult(
            tournament=record.number, fixture=FixtureId.parse(match), winners=_find(record, winners)
        )
    )  # fmt: skip


@tournament.command()
@click.argument("match")
@click.argument("winners", nargs=-1)
@tournament_options
def correct(match: str, winners: tuple[str, ...], journal: Path | None, number: int | None) -> None:
    """Correct the result of MATCH: WINNERS won it."""
    _append(
        journal, number, lambda record: TournamentCorrected(
            tournament=record.number, fixture=FixtureId.parse(match), winners=_find(record, winners)
        )
    )  # fmt: skip


@tournament.command("no-show")
@click.argument("match")
@click.argument("player")
@tournament_options
def no_show(match: str, player: str, journal: Path | None, number: int | None) -> None:
    """Enter that PLAYER did not come to MATCH: the opponent wins."""
    _append(
        journal, number, lambda record: TournamentNoShow(
            tournament=record.number, fixture=FixtureId.parse(match), player=record.find_player(player)
        )
    )  # fmt: skip


@tournament.command()
@click.argument("player")
@tournament_options
def withdraw(player: str, journal: Path | None, number: int | None) -> None:
    """Take PLAYER out of the tournament: opponents still to come win."""
    _append(
        journal, number, lambda record: TournamentPlayerWithdrawn(
            tournament=record.number, player=record.find_player(player)
        )
    )  # fmt: skip


@tournament.command()
@click.argument("name")
@tournament_options
def enter(name: str, journal: Path | None, number: int | None) -> None:
    """Enter another player: before the draw, or late in swiss and tables."""
    (name,) = check_names([name])
    with Journal(_existing(journal)) as opened:
        record = _newest(opened, number)
        _print_next(enter_tournament(opened, record, name))


@tournament.command()
@tournament_options
def abandon(journal: Path | None, number: int | None) -> None:
    """Give the tournament up."""
    with Journal(_existing(journal)) as opened:
        record = _newest(opened, number)
        if record.abandoned:
            raise UsageError(f"tournament {record.number} is given up already")
        opened.append(NO_MATCH, TournamentAbandoned(tournament=record.number))


@tournament.command()
@tournament_options
def standings(journal: Path | None, number: int | None) -> None:
    """Print the standings, with tie-breaks."""
    record = _read(journal, number)
    for heading, lines in record.summary().tables:
        if heading:
            click.echo(heading)
        if not lines:
            continue
        width = max(len(record.name(line.player)) for line in lines)
        breaks = {key: str(TIE_BREAK_NAMES[key]) for key in tie_break_columns(lines, besides_won=True)}
        click.echo("  ".join([f"     {'':{width}}", "points", "  won", "drawn", " lost", *breaks.values()]))
        for line in lines:
            left = " (withdrawn)" if line.withdrawn else ""
            values = [points_text(line.points), str(line.wins), str(line.draws), str(line.losses)]
            cells = [f"{value:>{size}}" for value, size in zip(values, (6, 5, 5, 5), strict=True)]
            cells += [f"{points_text(line.tie_breaks[key]):>{len(name)}}" for key, name in breaks.items()]
            click.echo("  ".join([f"{line.place:>3}. {record.name(line.player):{width}}", *cells]) + left)


@tournament.command()
@tournament_options
def matches(journal: Path | None, number: int | None) -> None:
    """Print every match, round by round, with its result."""
    summary = _read(journal, number).summary()
    for title, fixtures in summary.rounds():
        click.echo(title)
        for fixture in fixtures:
            if fixture.players == (BYE, BYE):
                continue
            names = [summary.name(player) or "?" for player in fixture.players]
            text = " against ".join(names) if len(names) == 2 else ", ".join(names)
            outcome = summary.result(fixture)
            click.echo(f"  {fixture.id!s:8} {text}" + (f": {outcome}" if outcome and not fixture.is_bye else ""))


@tournament.command("print")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("tournament.pdf"), show_default=True,
    help="PDF to write.",
)  # fmt: skip
@click.option("--paper", default="a4", show_default=True, type=click.Choice(list(PAPERS)), help="Paper size.")
@click.option(
    "--language", default="en", show_default=True, type=click.Choice(list(LANGUAGES)), help="Language of the sheets."
)
@tournament_options
def print_(out: Path, paper: str, language: str, journal: Path | None, number: int | None) -> None:
    """Write bracket, standings and matches as a PDF."""
    summary = _read(journal, number).summary()
    previous_language = current_language()
    set_language(language)
    try:
        sheets = make_tournament(PAPERS[paper], summary)
    finally:
        set_language(previous_language)
    sheets.save(out)
    click.echo(f"{out}: {plural(sheets.page_count, 'page', 'pages')}")


def _existing(journal: Path | None) -> Path:
    return existing_journal(journal or default_journal_path(), "; begin a tournament with: throwlock tournament new")


def _newest(reader: JournalReader, number: int | None) -> TournamentRecord:
    record = read_tournament(reader, number) if number else newest_tournament(reader)
    if record is None:
        raise UsageError(f"{reader.path} has no tournament: begin one with: throwlock tournament new")
    return record


def _read(journal: Path | None, number: int | None) -> TournamentRecord:
    with JournalReader(_existing(journal)) as reader:
        return _newest(reader, number)


def _find(record: TournamentRecord, players: Sequence[str]) -> tuple[int, ...]:
    return tuple(map(record.find_player, players))


def _append(journal: Path | None, number: int | None, body: Callable[[TournamentRecord], TournamentBody]) -> None:
    with Journal(_existing(journal)) as opened:
        record = _newest(opened, number)
        record = append_to_tournament(opened, record, body(record))
    _print_next(record)


def _champions(record: TournamentRecord) -> str:
    return f"won by {record.summary().champion_names}"


def _title(record: TournamentRecord) -> str:
    return f"{record.started.title} ({record.rules.title})" if record.started.title else record.rules.title


def _print_next(record: TournamentRecord) -> None:
    """Print what can be played now, or who has won."""
    summary = record.summary()
    if not record.is_open:
        click.echo("The tournament was given up." if record.abandoned else f"The tournament is {_champions(record)}.")
        return
    ready: Sequence[Fixture] = record.state.ready
    for n, fixture in enumerate(ready[:MAX_NEXT_LINES]):
        click.echo(
            f"{'Next:' if n == 0 else '     '} {fixture.id!s:8} {summary.against(fixture)} "
            f"({summary.round_title(fixture)})"
        )
    if len(ready) > MAX_NEXT_LINES:
        click.echo(f"      and {len(ready) - MAX_NEXT_LINES} more")
