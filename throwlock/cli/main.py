"""The ``throwlock`` command line; an error the user can fix becomes one line and exit status 2."""

import codecs
import contextlib
import errno
import importlib
import io
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click
from click.exceptions import NoSuchCommand
from typing_extensions import override

from errors import ThrowlockError
from throwlock.cli.options import EXIT_USER_ERROR, print_error
from throwlock.cli.usage_lines import usage_line

PACKAGES = ("rules", "device", "vision", "ui", "throwlock")
"""The packages whose log messages ``-v`` shows; libraries stay at their warnings."""
PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
"""Syslog's number for each level, which systemd takes from a line's beginning: sd-daemon(3)."""


class JournalFormatter(logging.Formatter):
    """One line per message with its priority for systemd, which adds the time itself."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record; those of a traceback get the priority too."""
        prefix = f"<{PRIORITIES.get(record.levelno, 6)}>"
        return "\n".join(prefix + line for line in super().format(record).splitlines())


def configure_logging(verbosity: int, environ: Mapping[str, str] = os.environ) -> None:
    """Log to standard error: warnings only, with ``verbosity`` 1 what happens, with 2 and more the details too."""
    handler = logging.StreamHandler(sys.stderr)
    if "JOURNAL_STREAM" in environ:
        handler.setFormatter(JournalFormatter("%(name)s: %(message)s"))
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    level = {0: logging.WARNING, 1: logging.INFO}.get(verbosity, logging.DEBUG)
    for package in PACKAGES:
        logging.getLogger(package).setLevel(level)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns where it can't keep its list of fonts


EXIT_RESTART_NEEDED = 1
"""Exit status if only a new process can recover; systemd then restarts the box."""


class LazyCommand(NamedTuple):
    """A command that is imported only when it runs: it may need the journal, the camera, the models or the screen, and
    help must be quick, and must work where those are broken."""

    module: str
    function: str
    about: str
    """Its line in the help."""

    def load(self) -> click.Command:
        """Import the command."""
        command = getattr(importlib.import_module(self.module), self.function)
        assert isinstance(command, click.Command)
        return command


HELP_SECTIONS: Mapping[str, Mapping[str, LazyCommand]] = {
    "Play": {
        "play": LazyCommand("throwlock.cli.play", "play", "Play a match at this table."),
        "demo": LazyCommand("throwlock.cli.play", "demo", "Play a match at a simulated table."),
        "practise": LazyCommand("throwlock.cli.play", "practise", "Practise against the box."),
        "class": LazyCommand(
            "throwlock.cli.classroom", "class_", "Play Battle with a class, with cards read from one image."
        ),
        "tournament": LazyCommand(
            "throwlock.cli.tournament", "tournament", "Hold a tournament: draw, results, standings, sheets."
        ),
        "box": LazyCommand("throwlock.cli.box", "box", "Run the box as systemd does."),
    },
    "Prepare the table": {
        "doctor": LazyCommand("throwlock.cli.doctor.command", "doctor", "Check every part and say how to fix it."),
        "settings": LazyCommand("throwlock.cli.settings", "settings", "Print the settings and where they are stored."),
        "zones": LazyCommand("throwlock.cli.zones", "zones", "Print or set up the seats' zones."),
        "cards": LazyCommand("throwlock.cli.cards", "cards", "Write cards, mats or the board as a PDF to print."),
    },
    "Several boxes": {
        "join-hall": LazyCommand("throwlock.cli.hall", "join_hall", "Make this box part of a hall of several boxes."),
        "leave-hall": LazyCommand("throwlock.cli.hall", "leave_hall", "Forget the hall that this box is part of."),
        "hall": LazyCommand("throwlock.cli.hub", "hall", "Run the hub of a hall of several boxes."),
    },
    "Look at matches": {
        "tv": LazyCommand("throwlock.cli.tv", "tv", "Show the second screen of a box on this machine."),
        "review": LazyCommand("throwlock.cli.archive", "review", "Serve the review pages of every match."),
        "verify": LazyCommand(
            "throwlock.cli.verify", "verify", "Check that a journal is complete, unchanged and consistent."
        ),
        "record": LazyCommand("throwlock.cli.verify", "record", "Print a match's public log as JSON lines."),
        "export": LazyCommand("throwlock.cli.archive", "export", "Export a match as JSON, CSV, XLSX or one HTML page."),
        "import": LazyCommand("throwlock.cli.archive", "import_", "Import an exported match into a journal."),
    },
    "Recordings and pictures": {
        "film": LazyCommand(
            "throwlock.cli.play", "film", "Film agreed throws, label them, and measure the box on them."
        ),
        "judge": LazyCommand("throwlock.cli.judge", "judge", "Judge a recorded round."),
        "recognise": LazyCommand("throwlock.cli.judge", "recognise", "Recognise the throws in still images."),
    },
    "Games and numbers": {
        "games": LazyCommand("throwlock.cli.numbers", "games", "List the games and their options."),
        "calculate": LazyCommand(
            "throwlock.cli.numbers", "calculate", "Calculate a round of Battle from the number of throws."
        ),
        "odds": LazyCommand("throwlock.cli.numbers", "odds_command", "Print the exact odds of a roll of t|r."),
        "perft": LazyCommand("throwlock.cli.numbers", "perft", "Count the board game's move sequences."),
    },
    "Bots": {
        "engine": LazyCommand(
            "throwlock.cli.engine", "engine", "Play a game on standard input and output, in JSON lines."
        ),
        "arena": LazyCommand("throwlock.cli.engine", "arena", "Have two bots play games, and print the score."),
    },
}
"""The commands as the help lists them."""
COMMANDS = {name: command for section in HELP_SECTIONS.values() for name, command in section.items()}
OTHER_SPELLINGS = {"practice": "practise", "recognize": "recognise"}


class LazyGroup(click.Group):
    """The group of all COMMANDS."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = COMMANDS.get(OTHER_SPELLINGS.get(cmd_name, cmd_name))
        return super().get_command(ctx, cmd_name) if command is None else command.load()

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:  # click suggests eager commands only
            raise NoSuchCommand(error.command_name, possibilities=self.list_commands(ctx), ctx=ctx) from None

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in HELP_SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, command.about) for name, command in commands.items()], col_max=10)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="throwlock")
@click.option("-v", "--verbose", count=True, help="Log what happens to standard error; -vv logs details too.")
def throwlock(verbose: int) -> None:
    """A referee box for rock, paper, scissors: it locks everyone's throw at the same instant."""
    configure_logging(verbose)


DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
"""What a file to which the output is redirected may fail with: errors without a file's name."""


def error_line(error: BaseException) -> str | None:
    """Return the line for an error the user can fix; None for a bug."""
    if isinstance(error, ThrowlockError):
        return str(error)
    if isinstance(error, click.ClickException):
        return usage_line(error)
    if isinstance(error, ImportError) and ".so" in str(error):
        return f"{error}: throwlock doctor prints what to install"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} can't be used: {error.strerror}"
    if isinstance(error, OSError) and error.errno in DISK_ERRORS:
        return f"the output can't be written: {error.strerror}"
    return None


ASCII_TERMINAL = "throwlock_ascii"
"""Python's ASCII under another name: to a terminal of plain ASCII click would write UTF-8."""


def find_ascii_terminal(name: str) -> codecs.CodecInfo | None:
    """Return the codec ``ASCII_TERMINAL``, as ``codecs.register`` asks for it."""
    if name != ASCII_TERMINAL:
        return None
    ascii_codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        ascii_codec.encode,
        ascii_codec.decode,
        incrementalencoder=ascii_codec.incrementalencoder,
        incrementaldecoder=ascii_codec.incrementaldecoder,
        name=ASCII_TERMINAL,
    )


def replace_what_the_terminal_lacks() -> None:
    """Have letters that a terminal can't show written as "?", and those that it can't send read as �: no command may
    end because of a name."""
    codecs.register(find_ascii_terminal)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=ASCII_TERMINAL if is_ascii else None, errors="replace")


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 on success, 2 with one line for an error the user can fix."""
    replace_what_the_terminal_lacks()
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
