"""PostgreSQL and Mosquitto of this machine, for the tests of the hub."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.helpers.hall_database import dsn, migrated, postgres
from throwlock.hub.database import connect
from tools.hall.servers import Mosquitto, Postgres

__all__ = ["dsn", "migrated", "postgres"]


@pytest.fixture
def empty(postgres: Postgres) -> Iterator[str]:
    """A new database without tables."""
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        connection.execute("CREATE DATABASE empty")
        yield postgres.dsn.replace("dbname=hall", "dbname=empty")
        connection.execute("DROP DATABASE empty WITH (FORCE)")


@pytest.fixture
def database(dsn: str) -> Iterator[psycopg.Connection]:
    with connect(dsn) as connection:
        yield connection


@pytest.fixture
def mosquitto(servers: None, tmp_path: Path) -> Iterator[Mosquitto]:
    """One that has retained nothing."""
    with Mosquitto(tmp_path / "mosquitto") as server:
        yield server
