"""``throwlock join-hall`` and ``throwlock leave-hall``: what makes this box part of a hall, and what ends that."""

import time
from pathlib import Path

import click

from throwlock.cli.options import UsageError
from throwlock.hall.connection import ConnectionRefusedByHallError, HallConnection, HallUnreachableError
from throwlock.hall.homie import DeviceState
from throwlock.hall.membership import Membership, read_membership, write_membership
from throwlock.hall.switch import membership_path
from throwlock.settings.model import default_settings_path, save_settings

TURN_S = 0.1


@click.command("join-hall")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--on", "switch_on", is_flag=True, help="Switch the link on too; otherwise on the touchscreen, under Hall."
)
def join_hall(file: Path, switch_on: bool) -> None:
    """Make this box part of the hall whose hub has written FILE for it.

    The file is checked by connecting once, and kept beside the settings, readable by its owner only. A box is part of
    one hall at a time.
    """
    membership = read_membership(file)
    warning = ""
    try:
        try_connection(membership)
    except HallUnreachableError as error:
        warning = f"It can't be reached now: {error}."
    path = membership_path(default_settings_path())
    write_membership(path, membership)
    click.echo(f"This box is now {membership.box} of the hall {membership.hall} ({path}).")
    if warning:
        click.echo(warning)
    if switch_on:
        save_settings(default_settings_path(), {"hall.on": True})
    click.echo("The link is on." if switch_on else "Switch the link on at the touchscreen, under Hall.")


@click.command("leave-hall")
def leave_hall() -> None:
    """Forget the hall that this box is part of, and switch the link off. The journal keeps all results."""
    path = membership_path(default_settings_path())
    if not path.exists():
        raise UsageError(f"this box is part of no hall: there is no {path}")
    save_settings(default_settings_path(), {"hall.on": False, "hall.pictures": False})
    path.unlink()
    click.echo("This box is part of no hall any more.")


def try_connection(membership: Membership) -> None:
    """Connect to a hall once and say goodbye. Raises HallUnreachableError, ConnectionRefusedByHallError."""
    connection = HallConnection(membership, lambda topic, payload: None, time.monotonic())
    try:
        while not connection.is_ready:
            connection.turn(TURN_S, time.monotonic())
    except (HallUnreachableError, ConnectionRefusedByHallError):
        connection.drop()
        raise
    connection.close(DeviceState.DISCONNECTED)
