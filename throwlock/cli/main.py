"""The command line: ``throwlock``, its commands, and the one place where a fault becomes one line and exit status 2."""

import contextlib
import functools
import importlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from errors import ThrowlockError
from rules.catalogue import GAMES, sheet
from throwlock.cli.options import FAULT, UsageError, counted, option_option, seats_option, set_up
from throwlock.journal.journal import JournalReader

RESTART_NEEDED = 1
"""Exit status where only a new process can go on; systemd starts the box again."""


LAZY = {
    "box": ("throwlock.cli.box:box", "The whole evening on this box, as systemd runs it."),
    "calculate": ("throwlock.cli.calculate:calculate", "What a round of Battle comes to, from how many threw what."),
    "cards": ("throwlock.cli.cards:cards", "Cards, mats and the board, to print."),
    "class": ("throwlock.cli.classroom:class_", "Battle for a class: everybody's card read from one exposure."),
    "demo": ("throwlock.cli.play:demo", "A whole match of RPS Redeux at a simulated table."),
    "doctor": ("throwlock.cli.doctor.checks:doctor", "What of the box works, and how to mend the rest."),
    "export": ("throwlock.review.export:export", "A match as JSON, CSV or one HTML page."),
    "import": ("throwlock.review.importer:import_", "An exported match into a journal."),
    "judge": ("throwlock.cli.judge:judge", "The lock on a recording."),
    "odds": ("throwlock.cli.odds:odds_command", "The exact chances of a roll of t|r."),
    "perft": ("throwlock.cli.perft:perft", "Count the board game's move sequences."),
    "play": ("throwlock.cli.play:play", "Play GAME at this table."),
    "practise": ("throwlock.cli.practise:practise", "Throw against the box, whose throw is fixed beforehand."),
    "recognise": ("throwlock.cli.judge:recognise", "What each still picture shows."),
    "review": ("throwlock.review.server:review", "The pages on which every match can be looked at again."),
    "settings": ("throwlock.cli.settings:settings", "Every setting of the box, and where it is kept."),
    "zones": ("throwlock.cli.zones:zones", "Where each seat's hand is looked for, and how to set it up."),
}
"""Commands that need the camera, the models or the screen, imported only when they are run: help must be quick, and
must come on a machine where what they need is broken."""


class Commands(click.Group):
    """The commands in the order of the help, the heavy ones loaded when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands by name."""
        return sorted([*super().list_commands(ctx), *LAZY])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command called ``cmd_name``."""
        if cmd_name in LAZY:
            module, name = LAZY[cmd_name][0].split(":")
            command = getattr(importlib.import_module(module), name)
            return command if isinstance(command, click.Command) else None
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help, without loading any."""
        light = {name: command.get_short_help_str(80) for name, command in self.commands.items()}
        heavy = {name: about for name, (_, about) in LAZY.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted((light | heavy).items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="throwlock")
def throwlock() -> None:
    """A referee box for games of rock, paper, scissors: it locks everyone's throw at the same instant."""


@throwlock.command()
def games() -> None:
    """The games with their options."""
    click.echo("\n\n".join(sheet(rules) for rules in GAMES.values()))


@throwlock.command()
@click.argument("game")
@seats_option
@option_option
@click.option("--seed", default=0, show_default=True, type=int, help="Of what the engine answers by chance.")
@click.option(
    "--chance",
    type=click.Choice(["engine", "ask"]),
    default="engine",
    show_default=True,
    help="Who answers what is left to chance: the engine from its seed, or the caller.",
)
def engine(game: str, seats: int, options: tuple[str, ...], seed: int, chance: Any) -> None:
    """A game alone on standard input and output, one JSON object a line."""
    from throwlock.cli.engine import run  # noqa: PLC0415 - only this command plays without a table

    if sys.stdin is None:
        raise UsageError("standard input is closed: the engine reads the answers from it, one JSON object a line")
    write = functools.partial(print, flush=True)
    sys.exit(run(set_up(game, seats, options), sys.stdin.buffer, write, seed, chance, complain))


@throwlock.command()
@click.argument("journal", type=click.Path(path_type=Path))
def verify(journal: Path) -> None:
    """Check that nothing in JOURNAL was changed, swapped or lost, and that its results follow from its answers."""
    from throwlock.journal.verify import verify as look_through  # noqa: PLC0415 - needs the rules of every game

    if not journal.exists():
        raise UsageError(f"{journal}: there is no such file")
    with JournalReader(journal) as opened:
        found = look_through(opened)
    if found.faults:
        more = f" (and {len(found.faults) - 1} more)" if len(found.faults) > 1 else ""
        for fault in found.faults[1:]:
            click.echo(fault)
        raise UsageError(f"{journal} is not in order: {found.faults[0]}{more}")
    click.echo(
        f"{journal} is in order: {counted(found.matches, 'match', 'matches')}, "
        f"{counted(found.events, 'event', 'events')}, {counted(found.evidence, 'piece', 'pieces')} of evidence"
    )


@throwlock.command()
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--match", type=click.IntRange(1), help="The match's number.  [default: the newest]")
@click.option("--seat", type=click.IntRange(1), help="As this seat saw it.  [default: as everybody saw it]")
def record(journal: Path, match: int | None, seat: int | None) -> None:
    """What could be seen of a match in JOURNAL, one JSON object a line: nothing that was sealed or secret."""
    from throwlock.match.config import public_view  # noqa: PLC0415 - needs the rules of every game

    if not journal.exists():
        raise UsageError(f"{journal}: there is no such file")
    with JournalReader(journal) as opened:
        matches = opened.matches()
        if not matches or (match is not None and match not in matches):
            known = f"its matches are {', '.join(map(str, matches))}" if matches else "it has none yet"
            raise UsageError(f"{journal} has no such match: {known}")
        events = opened.events(match or matches[-1])
    for line in public_view(events, seat):
        click.echo(json.dumps(line))


def complain(line: str) -> None:
    """Say what is wrong, in one line on standard error."""
    click.echo("throwlock: " + " ".join(line.split()), err=True)


def in_words(fault: BaseException) -> str | None:
    """A fault that a user can mend as a line, or None for one that is ours."""
    if isinstance(fault, click.ClickException):
        return fault.format_message()
    if isinstance(fault, ThrowlockError):
        return str(fault)
    if isinstance(fault, ImportError) and ".so" in str(fault):
        return f"{fault}: throwlock doctor says what to install"
    if isinstance(fault, OSError) and fault.filename:
        return f"{fault.filename} can't be used: {fault.strerror}"
    return None


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 when it worked, 2 with one line for anything a user can mend."""
    sys.exit(run_command(args))


def run_command(args: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    try:
        throwlock.main(args, prog_name="throwlock", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as shown:
        click.echo(shown.format_message())
        return FAULT
    except click.Abort:
        return 130
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            sys.stdout.close()
        return 1
    except SystemExit as end:
        return int(end.code or 0)
    except Exception as fault:
        if type(fault).__name__ == "CameraNotReleasedError":
            complain(str(fault))
            os._exit(RESTART_NEEDED)  # the usual way out would wait for the thread that hangs
        line = in_words(fault)
        if line is None:
            raise
        complain(line)
        return FAULT
    return 0
