"""The hub's database: connecting to PostgreSQL, and bringing its tables up to this version."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict
from yoyo import get_backend, read_migrations

from errors import ThrowlockError
from messages import shorten

logger = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 10
MIGRATION_LOCK = 0x54484C4B
"""The advisory lock that a hub holds while it changes the tables."""


class DatabaseError(ThrowlockError):
    """The database can't be used. The message says why and how to fix it."""


def connect(dsn: str, *, autocommit: bool = False) -> psycopg.Connection:
    """Connect to the database that ``dsn``, a URL or libpq's ``name=value`` words, names. Raises DatabaseError."""
    with translate_errors():
        return psycopg.connect(
            dsn, autocommit=autocommit, connect_timeout=CONNECT_TIMEOUT_S, application_name="throwlock hall"
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
        "Connection refused": "is PostgreSQL running? systemctl status postgresql",
        "No such file or directory": "is PostgreSQL running? systemctl status postgresql",
    }
    hint = next((f": {how}" for what, how in hints.items() if what in text), "")
    return shorten(text, 200) + hint


def migrate(dsn: str) -> None:
    """Create the tables, or bring them up to this version; several hubs may do so at once.

    Raises:
        DatabaseError: There is no such database, it refuses, or a newer version of Throwlock has changed its tables.
    """
    with connect(dsn, autocommit=True) as connection, as_file(files("throwlock.hub") / "migrations") as folder:
        connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATION_LOCK,))  # until the connection is closed
        migrations = read_migrations(str(folder))
        known = {migration.id for migration in migrations}
        with translate_errors():
            newer = _applied(connection) - known
            if newer:
                raise DatabaseError(
                    f"the database is of a newer version of Throwlock ({', '.join(sorted(newer))}): update this hub"
                )
            backend = get_backend(_yoyo_url(dsn))
            try:
                backend.apply_migrations(backend.to_apply(migrations))  # the lock of yoyo's own would outlive a crash
            finally:
                backend.connection.close()


def _applied(connection: psycopg.Connection) -> set[str]:
    exists = connection.execute("SELECT to_regclass('_yoyo_migration')").fetchone()
    if exists is None or exists[0] is None:
        return set()
    return {str(name) for (name,) in connection.execute("SELECT migration_id FROM _yoyo_migration")}


def _yoyo_url(dsn: str) -> str:
    """Return ``dsn`` as yoyo's URL, which takes all but the database as arguments."""
    words = {name: str(value) for name, value in conninfo_to_dict(dsn).items() if value is not None}
    name = words.pop("dbname", words.get("user", ""))
    return f"postgresql+psycopg:///{quote(name)}?{urlencode(words)}"
