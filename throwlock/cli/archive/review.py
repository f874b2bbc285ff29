"""``throwlock review``: serves the review pages until it is stopped."""

from pathlib import Path

import click

from throwlock.cli.options import existing_journal, journal_option
from throwlock.cli.signals import stop_on_signal
from throwlock.journal.file import default_journal_path
from throwlock.web.server import PORT, ReviewServer
from ui.web.auth.access_code import ROTATE_AFTER_ATTEMPTS


@click.command()
@journal_option()
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Port; 0: any free one.")
@click.option("--lan", is_flag=True, help="Serve the local network too, with an access code.")
def review(journal: Path | None, port: int, lan: bool) -> None:
    """Review matches in a browser: on this machine only, unless --lan."""
    hint = "; play a match first, or name another with --journal"
    path = existing_journal(journal or default_journal_path(), hint)
    server = ReviewServer(path, lan=lan, port=port, on_new_code=_print_new_code)
    with stop_on_signal() as stopped, server:
        click.echo(f"Reviewing {path} at {' and '.join(server.addresses) or server.address}")
        if lan:
            click.echo(f"Code: {server.code}")
            click.echo("Anybody on this network who types it can see everything, and delete pictures and players.")
        click.echo("Press Ctrl-C to stop.")
        stopped.wait()


def _print_new_code(code: str) -> None:
    click.echo(f"{ROTATE_AFTER_ATTEMPTS} wrong codes were tried. New code: {code}")
