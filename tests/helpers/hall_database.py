"""PostgreSQL of this machine, for tests: one server for all of them, with the hub's tables."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from throwlock.hub.database import migrate
from tools.hall.servers import Postgres


@pytest.fixture(scope="session")
def postgres(servers: None) -> Iterator[Postgres]:
    """In a folder of its own: run as root, pytest closes its folders to PostgreSQL's user whenever it starts."""
    with tempfile.TemporaryDirectory(prefix="throwlock-postgres-") as folder, Postgres(Path(folder)) as server:
        yield server


@pytest.fixture(scope="session")
def migrated(postgres: Postgres) -> str:
    migrate(postgres.dsn)
    return postgres.dsn


@pytest.fixture
def dsn(migrated: str) -> str:
    """A database with the hub's tables, all empty."""
    with psycopg.connect(migrated, autocommit=True) as connection:
        tables = connection.execute(
            "SELECT string_agg(format('%I', tablename), ', ') FROM pg_tables "
            "WHERE schemaname = 'public' AND tablename NOT LIKE '%yoyo%'"
        ).fetchone()
        assert tables is not None
        connection.execute(f"TRUNCATE {tables[0]} RESTART IDENTITY CASCADE")
    return migrated
