"""``throwlock hall``: a hall of several boxes: its folder, its boxes, and its hub. docs/hall-hub.md"""

from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from throwlock.cli.options import UsageError, existing_journal, plural, stop_on_signal

try:
    from throwlock.hub.backup import Backup, back_up, restore
    from throwlock.hub.database import connect, migrate, translate_errors
    from throwlock.hub.hub import Hub
    from throwlock.hub.pages.access import set_password
    from throwlock.hub.pages.server import PORT, HallServer
    from throwlock.hub.quota import box_room
    from throwlock.hub.setup import (
        DEFAULT_DATABASE,
        DEFAULT_PORT,
        MAX_HUBS,
        HubSettings,
        add_box,
        prepare,
        read_hub_settings,
        remove_box,
    )
    from throwlock.hub.store import compare_journal, discard_box, find_boxes, settle_problem
except ModuleNotFoundError as error:
    raise UsageError(f"a hub needs the package {error.name}: pipx install 'throwlock[hub]'") from error

folder_argument = click.argument("folder", type=click.Path(path_type=Path))
RELOAD_HINT = "Have the broker read it: sudo systemctl reload mosquitto"


@click.group()
def hall() -> None:
    """Run the hub of a hall of several boxes.

    FOLDER has the hall's settings, its certificates, and the files with which boxes join.
    """


@hall.command("prepare")
@folder_argument
@click.option("--name", required=True, metavar="NAME", help="The hall's name, as boxes show it.")
@click.option(
    "--host",
    "hosts",
    required=True,
    multiple=True,
    metavar="HOST",
    help="The broker's name or address for boxes. Repeat it for others, which are valid too.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=DEFAULT_PORT, show_default=True, help="Its port.")
@click.option(
    "--database",
    default=DEFAULT_DATABASE,
    show_default=True,
    metavar="DSN",
    help="PostgreSQL's database: a URL, or words as libpq has them.",
)
def prepare_command(folder: Path, name: str, hosts: tuple[str, ...], port: int, database: str) -> None:
    """Write a hall's folder: certificates, the broker's configuration, the hub's settings.

    Done again, it writes the new name, address and database; the authority, accounts and boxes stay.
    """
    prepare(folder, name, hosts, port, database)
    click.echo(f"The hall {name} is in {folder}")
    click.echo(f"Mosquitto reads {(folder / 'broker/mosquitto.conf').resolve()}")


@hall.command("add-box")
@folder_argument
@click.argument("box")
@click.option("--table", required=True, metavar="NAME", help="What the hall calls its table, such as 'Table 7'.")
def add_box_command(folder: Path, box: str, table: str) -> None:
    """Add BOX, such as box-7, and write the file with which it joins. Done again, it gets a new password."""
    path = add_box(folder, box, table)
    click.echo(f"{box} is {table}. It joins with {path}, which has its password")
    click.echo(RELOAD_HINT)


@hall.command("remove-box")
@folder_argument
@click.argument("box")
def remove_box_command(folder: Path, box: str) -> None:
    """Remove BOX: nothing more is taken of it. Its results stay."""
    remove_box(folder, box)
    click.echo(f"{box} is no longer of the hall")
    click.echo(RELOAD_HINT)


@hall.command()
@folder_argument
@click.password_option(help="The password; without it, it is asked for.", metavar="TEXT")
def password(folder: Path, password: str) -> None:
    """Set the organiser's password, which ends all organisers' sessions."""
    settings = read_hub_settings(folder)
    migrate(settings.database)
    with connect(settings.database) as connection, translate_errors():
        set_password(connection, password)
    click.echo("The organiser's password is set")


@hall.command()
@folder_argument
@click.option(
    "--number",
    type=click.IntRange(1, MAX_HUBS),
    default=1,
    show_default=True,
    help="This hub's number. Several hubs share the work; each has another number.",
)
@click.option("--pages/--no-pages", default=True, show_default=True, help="Serve the hall's web pages.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Port of the pages.")
@click.option("--https", is_flag=True, help="Serve them with the certificate of the broker.")
def run(folder: Path, number: int, pages: bool, port: int, https: bool) -> None:
    """Run a hub until it is stopped. It waits for the broker and the database whenever they are away."""
    settings = read_hub_settings(folder)
    with ExitStack() as exit_stack:
        stopped = exit_stack.enter_context(stop_on_signal())
        exit_stack.enter_context(Hub(settings.database, settings.broker_access(number), partial(box_room, folder)))
        click.echo(f"Hub {number} of the hall {settings.hall} runs, press Ctrl-C to stop")
        if pages:
            server = exit_stack.enter_context(serve_pages(folder, settings, port, https))
            click.echo(f"Its pages: {' and '.join(server.addresses())}")
        stopped.wait()


def serve_pages(folder: Path, settings: HubSettings, port: int, https: bool) -> HallServer:
    """Return the server of a hall's pages, to be entered. The database has to be of this version."""
    certificate = (folder / "broker/server.pem", folder / "broker/server.key") if https else None
    return HallServer(settings.database, port=port, names=settings.hosts, certificate=certificate)


@hall.command()
@folder_argument
def status(folder: Path) -> None:
    """Print each box's state, how far its journal is stored, and open problems."""
    settings = read_hub_settings(folder)
    migrate(settings.database)
    with connect(settings.database) as connection, translate_errors():
        for table, box, state, number, behind, problem, excess in connection.execute(
            "SELECT table_name, id, state, number, behind, problem, excess FROM box_status ORDER BY table_name, id"
        ):
            late = f", {plural(behind, 'event', 'events')} to come" if behind else ""
            click.echo(
                f"{table} ({box}): {state}, {plural(number, 'event', 'events')} stored{late}{problem and ', '}{problem}"
                f"{excess and ', '}{excess}"
            )
            if excess == "full":
                click.echo(f"  To make room: throwlock hall discard {folder} {box}")
        for box, kind, event, found_at in connection.execute(
            "SELECT box, kind, problem.number, found_at FROM problem JOIN journal ON journal.id = journal "
            "WHERE settled_at IS NULL ORDER BY problem.id"
        ):
            click.echo(f"Problem of {box}: {kind} at event {event}, found {found_at:%Y-%m-%d %H:%M}")


@hall.command()
@folder_argument
@click.argument("box")
@click.option(
    "--replace", is_flag=True, help="Take what the box has now, from its first event on, and set aside what is stored."
)
@click.option("--note", default="", metavar="TEXT", help="Why: kept with the problem.")
def settle(folder: Path, box: str, replace: bool, note: str) -> None:
    """Settle the problem of BOX's journal: go on from what is stored, or --replace it.

    What was stored is never deleted; replaced events no longer count for results.
    """
    settings = read_hub_settings(folder)
    with connect(settings.database) as connection, translate_errors():
        journals = connection.execute(
            "SELECT id FROM journal WHERE box = %s AND problem <> '' AND replaced_at IS NULL", (box,)
        ).fetchall()
        if not journals:
            raise UsageError(f"no journal of {box} has a problem")
        for (journal,) in journals:
            settle_problem(connection, journal, note, replace=replace)
    click.echo(f"Settled. {box} asks again within a minute")


@hall.command()
@folder_argument
@click.argument("box")
@click.confirmation_option(prompt="Delete everything that this box has sent? It sends again only what it still has")
def discard(folder: Path, box: str) -> None:
    """Delete everything that BOX has sent, and make room for what it sends again.

    For a box that has filled its share of the disk with what nobody played. A real box sends its journal again, and the
    results of its matches count again then; until then they are missing.
    """
    settings = read_hub_settings(folder)
    migrate(settings.database)
    with connect(settings.database) as connection, translate_errors():
        count = discard_box(connection, box)
    if count is None:
        raise UsageError(f"there is no box {box}")
    click.echo(f"{plural(count, 'event', 'events')} of {box} {'is' if count == 1 else 'are'} deleted")
    click.echo("What it still has it sends again within five minutes")


@hall.command()
@folder_argument
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--box", metavar="BOX", help="The box it is of.  [default: the one that has sent it]")
def check(folder: Path, journal: Path, box: str | None) -> None:
    """Compare JOURNAL, a box's journal, with what is stored of it: every event once, in order, and the same."""
    settings = read_hub_settings(folder)
    path = existing_journal(journal)
    with connect(settings.database) as connection, translate_errors():
        boxes = [box] if box else find_boxes(connection, path)
        if not boxes:
            raise UsageError(f"nothing of {journal} is stored")
        if len(boxes) > 1:
            raise UsageError(f"{journal} was sent by {', '.join(boxes)}: name one with --box")
        comparison = compare_journal(connection, boxes[0], path)
    if comparison.difference:
        raise UsageError(f"{journal} is not what is stored of {boxes[0]}: {comparison.difference}")
    click.echo(
        f"{comparison.stored_events} of {plural(comparison.journal_events, 'event', 'events')} of {journal} "
        f"{'is' if comparison.stored_events == 1 else 'are'} stored once, in order and the same"
    )


@hall.command()
@folder_argument
@click.argument("file", type=click.Path(path_type=Path))
def backup(folder: Path, file: Path) -> None:
    """Write all of the hall to FILE: its database, its accounts, its certificates. Hubs may run meanwhile.

    FILE has passwords and names: only its owner may read it.
    """
    click.echo(f"{describe_backup(back_up(folder, file))} is in {file}")


@hall.command("restore")
@folder_argument
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--database", default="", metavar="DSN", help="PostgreSQL's database.  [default: as in the backup]")
@click.option("--replace", is_flag=True, help="Delete the hall that is in FOLDER and in the database now.")
def restore_command(folder: Path, file: Path, database: str, replace: bool) -> None:
    """Make the hall of a backup FILE again, all of it or, if something is wrong, nothing. Stop its hubs first."""
    click.echo(f"{describe_backup(restore(file, folder, database, replace=replace))} is restored")
    click.echo("Have the broker read its accounts: sudo systemctl restart mosquitto. Then start the hub")


def describe_backup(backup: Backup) -> str:
    """Return what is in a backup, in a few words."""
    boxes, events = plural(backup.rows("box"), "box", "boxes"), plural(backup.rows("event"), "event", "events")
    return f"The hall {backup.hall} of {backup.made_at:%Y-%m-%d %H:%M} UTC, {boxes} and {events},"
