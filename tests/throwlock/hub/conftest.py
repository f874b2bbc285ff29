"""PostgreSQL and Mosquitto of this machine, for the tests of the hub."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from throwlock.hub.database import connect, migrate
from tools.hall.servers import Mosquitto, Postgres


@pytest.fixture(scope="session")
def postgres(servers: None) -> Iterator[Postgres]:
    """In a folder of its own: run as root, pytest closes its folders to PostgreSQL's user whenever it starts."""
    with tempfile.TemporaryDirectory(prefix="throwlock-postgres-") as folder, Postgres(Path(folder)) as server:
        yield server


@pytest.fixture
def empty(postgres: Postgres) -> Iterator[str]:
    """A new database without tables."""
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        connection.execute("CREATE DATABASE empty")
        yield postgres.dsn.replace("dbname=hall", "dbname=empty")
        connection.execute("DROP DATABASE empty WITH (FORCE)")


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


@pytest.fixture
def database(dsn: str) -> Iterator[psycopg.Connection]:
    with connect(dsn) as connection:
        yield connection


@pytest.fixture
def mosquitto(servers: None, tmp_path: Path) -> Iterator[Mosquitto]:
    """One that has retained nothing."""
    with Mosquitto(tmp_path / "mosquitto") as server:
        yield server
