"""What a command that takes a while shows on a terminal. It goes to standard error, and nowhere if that is a file."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def show_progress(label: str, steps: int) -> Iterator[Callable[[int], None]]:
    """Show a bar for a number of ``steps`` while the context lasts. Yields a function that adds steps that are done."""
    with click.progressbar(length=steps, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield bar.update


def print_step(line: str) -> None:
    """Print what begins now."""
    if sys.stderr.isatty():
        click.echo(f"{line} …", err=True)
