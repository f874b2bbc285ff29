"""The hub's database: connecting to PostgreSQL, and bringing its tables up to this version; waiting for its
notifications, and connecting again whenever it was away."""

import logging
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib.resources import files

import psycopg

from errors import ThrowlockError
from messages import shorten
from throwlock.net import Backoff

logger = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 10
APPLICATION = "throwlock hall"
"""What our connections are called in pg_stat_activity."""
MIGRATION_LOCK = 0x54484C4B
"""The advisory lock that a hub holds while it changes the tables."""
MIGRATION_TABLE = """CREATE TABLE _yoyo_migration (
    migration_hash varchar(64) PRIMARY KEY,  -- of the name
    migration_id varchar(255),  -- the name of the file in migrations/
    applied_at_utc timestamp
)"""
"""The table of what has been done, as yoyo has it, which older hubs used."""
STORED, CHANGED, PAIRINGS = "stored", "changed", "pairings"
"""Channels: events or a problem of a box were stored; something else that tournaments or pages depend on has changed;
what is to be played at a box has changed. The payload of the first and the last is the box's id."""
CHECK_INTERVAL_S = 0.5
"""Interval at which a thread that waits for notifications looks whether to end."""
RETRY_S = 0.5, 30.0
"""Shortest and longest pause before the next attempt to reach the database; it doubles in between."""

Work = Callable[[psycopg.Connection, Collection[str]], object]
"""Called with a connection in autocommit mode and the payloads that have come: none if anything may have changed."""


class DatabaseError(ThrowlockError):
    """The database can't be used. The message says why and how to fix it."""


def connect(dsn: str, *, autocommit: bool = False) -> psycopg.Connection:
    """Connect to the database that ``dsn``, a URL or libpq's ``name=value`` words, names. Raises DatabaseError."""
    with translate_errors():
        return psycopg.connect(
            dsn, autocommit=autocommit, connect_timeout=CONNECT_TIMEOUT_S, application_name=APPLICATION
        )


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise psycopg's errors as DatabaseError, with their first line."""
    try:
        yield
    except psycopg.Error as error:
        raise DatabaseError(f"the database can't be used: {_describe(error)}") from error


def _describe(error: psycopg.Error) -> str:
    text = next(iter(str(error).strip().splitlines()), type(error).__name__)
    hints = {
        "password authentication failed": "correct the password in hub.toml",
        "Peer authentication failed": "run the hub as the database's user, or give a password in hub.toml",
        "does not exist": "create it: docs/hall-hub.md",
        "already exists": "left by the interrupted start of an older hub: drop the database, and create it again",
        "Connection refused": "is PostgreSQL running? systemctl status postgresql",
        "No such file or directory": "is PostgreSQL running? systemctl status postgresql",
    }
    hint = next((f": {how}" for what, how in hints.items() if what in text), "")
    return shorten(text, 200) + hint


def migrate(dsn: str) -> None:
    """Create the tables, or bring them up to this version, all in one transaction: whoever is killed meanwhile has
    changed nothing. Several hubs may do so at once.

    Raises:
        DatabaseError: There is no such database, it refuses, or a newer version of Throwlock has changed its tables.
    """
    scripts = migration_scripts()
    with connect(dsn) as connection, translate_errors(), connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        applied = applied_migrations(connection)
        check_not_newer(applied, "the database")
        apply_migrations(connection, sorted(scripts.keys() - set(applied)))


def migration_scripts() -> dict[str, str]:
    """Return this version's scripts by name, in the order in which they are applied."""
    folder = files("throwlock.hub") / "migrations"
    paths = sorted(folder.iterdir(), key=lambda path: path.name)
    return {path.name.removesuffix(".sql"): path.read_text() for path in paths}


def applied_migrations(connection: psycopg.Connection) -> list[str]:
    """Return the names of the scripts that made the tables, in their order; none in an empty database."""
    if connection.execute("SELECT to_regclass('_yoyo_migration')").fetchone() == (None,):
        return []
    return sorted(name for (name,) in connection.execute("SELECT migration_id FROM _yoyo_migration"))


def check_not_newer(applied: Collection[str], what: str) -> None:
    """Raise DatabaseError if this version lacks one of the scripts that made the tables of ``what``."""
    if newer := sorted(set(applied) - migration_scripts().keys()):
        raise DatabaseError(f"{what} is of a newer version of Throwlock ({', '.join(newer)}): update this hub")


def apply_migrations(connection: psycopg.Connection, names: Sequence[str]) -> None:
    """Run the scripts ``names``, and write down that they were."""
    scripts = migration_scripts()
    if connection.execute("SELECT to_regclass('_yoyo_migration')").fetchone() == (None,):
        connection.execute(MIGRATION_TABLE)
    for name in names:
        connection.execute(scripts[name].encode())
        connection.execute(
            "INSERT INTO _yoyo_migration VALUES (%s, %s, timezone('utc', current_timestamp))",
            (sha256(name.encode()).hexdigest(), name),
        )


def follow(
    name: str,
    dsn: str,
    channels: Sequence[str],
    work: Work,
    stopped: threading.Event,
    anything: threading.Event | None = None,
) -> None:
    """Call ``work`` after notifications, until ``stopped`` is set; with no payload when connected and whenever
    ``anything`` is set. What it raises is logged with ``name``; after a pause the database is connected to again."""
    anything = anything or threading.Event()
    backoff = Backoff(*RETRY_S)
    while not stopped.is_set():
        try:
            with connect(dsn, autocommit=True) as listening, connect(dsn, autocommit=True) as working:
                for channel in channels:
                    listening.execute(f"LISTEN {channel}")
                anything.set()
                payloads: Collection[str] = ()
                while not stopped.is_set():
                    if anything.is_set():
                        anything.clear()
                        work(working, ())
                    elif payloads:
                        work(working, payloads)
                    backoff.reset()
                    payloads = {note.payload for note in listening.notifies(timeout=CHECK_INTERVAL_S, stop_after=1)}
        except (ThrowlockError, psycopg.Error) as error:
            logger.warning("%s: trying again: %s", name, shorten(str(error), 200))
        except Exception:
            logger.exception("%s: trying again", name)
        else:
            return
        stopped.wait(backoff.pause_s)
        backoff.lengthen()
