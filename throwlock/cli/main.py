"""The ``throwlock`` command line; an error the user can fix becomes one line and exit status 2."""

import contextlib
import importlib
import os
import sys
from collections.abc import Sequence

import click
from click.exceptions import NoSuchCommand
from typing_extensions import override

from errors import ThrowlockError
from rules.catalogue import GAMES, describe_game
from throwlock.cli.log import configure_logging
from throwlock.cli.options import EXIT_USER_ERROR, print_error

EXIT_RESTART_NEEDED = 1
"""Exit status if only a new process can recover; systemd then restarts the box."""


COMMAND_GROUPS = {
    "Play": ("play", "demo", "practise", "class", "tournament", "box"),
    "Prepare the table": ("doctor", "settings", "zones", "cards"),
    "Several boxes": ("join-hall", "leave-hall", "hall"),
    "Look at matches": ("tv", "review", "verify", "record", "export", "import"),
    "Recordings and pictures": ("film", "judge", "recognise"),
    "Games and numbers": ("games", "calculate", "odds", "perft"),
    "Bots": ("engine", "arena"),
}
"""The commands as the help lists them."""
OTHER_SPELLINGS = {"practice": "practise", "recognize": "recognise"}
LAZY_COMMANDS = {
    "arena": ("throwlock.cli.programs.arena:arena", "Have two bots play games, and print the score."),
    "box": ("throwlock.cli.box.command:box", "Run the box as systemd does."),
    "calculate": ("throwlock.cli.calculate:calculate", "Calculate a round of Battle from the number of throws."),
    "cards": ("throwlock.cli.cards:cards", "Write cards, mats or the board as a PDF to print."),
    "class": ("throwlock.cli.matches.classroom:class_", "Play Battle with a class, with cards read from one image."),
    "demo": ("throwlock.cli.matches.play:demo", "Play a match of RPS Redeux at a simulated table."),
    "doctor": ("throwlock.cli.doctor.checks:doctor", "Check every part and say how to fix it."),
    "engine": ("throwlock.cli.programs.engine:engine", "Play a game on standard input and output, in JSON lines."),
    "export": ("throwlock.cli.archive.export:export", "Export a match as JSON, CSV or one HTML page."),
    "film": ("throwlock.cli.matches.film:film", "Film agreed throws, label them, and measure the box on them."),
    "hall": ("throwlock.cli.hall.hub:hall", "Run the hub of a hall of several boxes."),
    "import": ("throwlock.cli.archive.import_match:import_", "Import an exported match into a journal."),
    "join-hall": ("throwlock.cli.hall.member:join_hall", "Make this box part of a hall of several boxes."),
    "judge": ("throwlock.cli.judge:judge", "Judge a recorded round."),
    "leave-hall": ("throwlock.cli.hall.member:leave_hall", "Forget the hall that this box is part of."),
    "odds": ("throwlock.cli.odds.command:odds_command", "Print the exact odds of a roll of t|r."),
    "perft": ("throwlock.cli.programs.perft:perft", "Count the board game's move sequences."),
    "play": ("throwlock.cli.matches.play:play", "Play a match at this table."),
    "practise": ("throwlock.cli.matches.practise:practise", "Practise against the box."),
    "recognise": ("throwlock.cli.judge:recognise", "Recognise the throws in still images."),
    "record": ("throwlock.cli.archive.record:record", "Print a match's public log as JSON lines."),
    "review": ("throwlock.cli.archive.review:review", "Serve the review pages of every match."),
    "settings": ("throwlock.cli.settings:settings", "Print the settings and where they are stored."),
    "tournament": (
        "throwlock.cli.matches.tournament:tournament",
        "Hold a tournament: draw, results, standings, sheets.",
    ),
    "tv": ("throwlock.cli.tv:tv", "Show the second screen of a box on this machine."),
    "verify": ("throwlock.cli.archive.verify:verify", "Check that a journal is complete, unchanged and consistent."),
    "zones": ("throwlock.cli.zones:zones", "Print or set up the seats' zones."),
}
"""Commands imported only when they run: their module and attribute, and their line in the help. They need the journal,
the camera, the models or the screen; help must be quick, and must work where those are broken."""


class LazyGroup(click.Group):
    """A group whose LAZY_COMMANDS are loaded when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted([*super().list_commands(ctx), *LAZY_COMMANDS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command ``cmd_name``, or None if there is none."""
        cmd_name = OTHER_SPELLINGS.get(cmd_name, cmd_name)
        if cmd_name in LAZY_COMMANDS:
            module, name = LAZY_COMMANDS[cmd_name][0].split(":")
            command = getattr(importlib.import_module(module), name)
            return command if isinstance(command, click.Command) else None
        return super().get_command(ctx, cmd_name)

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a command and its arguments; the error for an unknown one suggests lazy ones too."""
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:
            raise NoSuchCommand(error.command_name, possibilities=self.list_commands(ctx), ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in groups, without loading any."""
        light = {name: command.get_short_help_str(80) for name, command in self.commands.items()}
        lines = light | {name: about for name, (_, about) in LAZY_COMMANDS.items()}
        for title, names in COMMAND_GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, lines[name]) for name in names], col_max=10)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="throwlock")
@click.option("-v", "--verbose", count=True, help="Log what happens to standard error; -vv logs details too.")
def throwlock(verbose: int) -> None:
    """A referee box for rock, paper, scissors: it locks everyone's throw at the same instant."""
    configure_logging(verbose)


@throwlock.command()
def games() -> None:
    """List the games and their options."""
    click.echo("\n\n".join(describe_game(rules) for rules in GAMES.values()))


def error_line(error: BaseException) -> str | None:
    """Return the line for an error the user can fix; None for a bug."""
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, ThrowlockError):
        return str(error)
    if isinstance(error, ImportError) and ".so" in str(error):
        return f"{error}: throwlock doctor prints what to install"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} can't be used: {error.strerror}"
    return None


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 on success, 2 with one line for an error the user can fix."""
    sys.exit(run_command(args))


def run_command(args: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    try:
        throwlock.main(args, prog_name="throwlock", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as usage:
        click.echo(usage.format_message())
        return EXIT_USER_ERROR
    except click.Abort:
        return 130
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            sys.stdout.close()
        return 1
    except SystemExit as end:
        return int(end.code or 0)
    except Exception as error:
        if isinstance(error, ThrowlockError) and error.needs_restart:
            print_error(str(error))
            os._exit(EXIT_RESTART_NEEDED)  # a normal exit would wait for the thread that hangs
        line = error_line(error)
        if line is None:
            raise
        print_error(line)
        return EXIT_USER_ERROR
    return 0
