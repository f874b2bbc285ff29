"""Tests of the hub's database: its tables, and what is printed when it can't be used."""

import contextlib
import subprocess
import sys
import threading

import psycopg
import pytest

from throwlock.hub.database import MIGRATION_LOCK, DatabaseError, connect, migrate, translate_errors
from tools.hall.servers import Postgres


def test_hubs_that_start_at_once_make_the_tables_once(empty: str) -> None:
    failures: list[BaseException] = []

    def start() -> None:
        try:
            migrate(empty)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with connect(empty) as connection:
        names = [name for (name,) in connection.execute("SELECT migration_id FROM _yoyo_migration ORDER BY 1")]
        assert names[0] == "0001.events" and len(names) == len(set(names))
        connection.execute("INSERT INTO box (id, table_name) VALUES ('box-1', 'Table 1')")
    migrate(empty)
    with connect(empty) as connection:
        assert connection.execute("SELECT id FROM box").fetchall() == [("box-1",)], "nothing is lost"


def test_hub_that_was_killed_while_it_made_the_tables_stops_no_other(empty: str) -> None:
    """Its lock ends with its connection."""
    with psycopg.connect(empty) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATION_LOCK,))
        waiting = threading.Thread(target=migrate, args=(empty,))
        waiting.start()
        with psycopg.connect(empty, autocommit=True) as other:
            query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while other.execute(query).fetchone() == (0,):
                pass
            assert other.execute("SELECT to_regclass('event')").fetchone() == (None,)
    waiting.join()
    with connect(empty) as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (0,)


def test_start_that_is_interrupted_has_changed_nothing(empty: str) -> None:
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("CREATE TABLE tournament ()")  # of the second script
        with pytest.raises(DatabaseError, match=r"already exists: .* drop the database") as caught:
            migrate(empty)
        assert "\n" not in str(caught.value)
        assert connection.execute("SELECT to_regclass('event')").fetchone() == (None,)
        connection.execute("DROP TABLE tournament")
    migrate(empty)


@pytest.mark.slow
def test_hub_starts_again_after_a_kill_in_its_first_start(postgres: Postgres) -> None:
    start = "import sys; from throwlock.hub.database import migrate; print(flush=True); migrate(sys.argv[1]); print()"
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        dsn, wait_s, is_done = postgres.dsn.replace("dbname=hall", "dbname=killed"), 0.01, False
        while not is_done:
            connection.execute("CREATE DATABASE killed")
            with subprocess.Popen([sys.executable, "-c", start, dsn], stdout=subprocess.PIPE) as hub:
                assert hub.stdout is not None
                hub.stdout.readline()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    hub.wait(wait_s)
                hub.kill()
                is_done = bool(hub.stdout.readline())
            migrate(dsn)
            migrate(dsn)
            connection.execute("DROP DATABASE killed WITH (FORCE)")
            wait_s *= 1.2


def test_url_and_words_name_the_same_database(empty: str, postgres: Postgres) -> None:
    migrate(postgres.url.replace("/hall?", "/empty?"))
    with connect(empty) as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (0,)


def test_database_of_a_newer_version_is_left_alone(empty: str) -> None:
    migrate(empty)
    with connect(empty) as connection:
        connection.execute("INSERT INTO _yoyo_migration (migration_hash, migration_id) VALUES ('a', '9999.newer')")
    with pytest.raises(DatabaseError, match=r"of a newer version of Throwlock \(9999.newer\): update this hub"):
        migrate(empty)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (("dbname=hall", "dbname=nowhere"), 'database "nowhere" does not exist.*: create it: docs/hall-hub.md'),
        (("host=", "host=/nowhere"), "No such file or directory.*: is PostgreSQL running"),
        (("host=", "hostaddr=127.0.0.1 port=1 host="), "Connection refused.*: is PostgreSQL running"),
        (("user=", "nonsense="), "invalid connection option"),
    ],
)
def test_error_says_how_to_fix_it(postgres: Postgres, changed: tuple[str, str], message: str) -> None:
    with pytest.raises(DatabaseError, match=message) as caught:
        migrate(postgres.dsn.replace(*changed))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('FATAL:  password authentication failed for user "hub"', "correct the password in hub.toml"),
        ('FATAL:  Peer authentication failed for user "hub"', "run the hub as the database's user"),
    ],
)
def test_refused_login_says_how_to_fix_it(text: str, hint: str) -> None:
    with pytest.raises(DatabaseError, match=hint), translate_errors():
        raise psycopg.OperationalError(f"connection failed: {text}\nmore")
