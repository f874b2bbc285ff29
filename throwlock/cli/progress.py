"""What a command that takes a while shows on a terminal. It goes to standard error, and nowhere if that is a file."""

import sys
from contextlib import AbstractContextManager
from typing import Protocol

import click


class Progress(Protocol):
    """A bar that grows."""

    def update(self, n_steps: int) -> None:
        """Add steps that are done."""


def show_progress(label: str, steps: int) -> AbstractContextManager[Progress]:
    """Show a bar for a number of ``steps`` while the context lasts."""
    return click.progressbar(length=steps, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())


def print_step(line: str) -> None:
    """Print what begins now."""
    if sys.stderr.isatty():
        click.echo(f"{line} …", err=True)
