"""Automatic pairing with the real database, in every hub: without pages, and when one is killed in the middle."""

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from rules.tournaments.fixture import Format
from tests.helpers.hall_boxes import NAMES, PlayingBox, add_playing_boxes, new_tournament
from tests.helpers.waiting import LIMIT_S, wait_until
from throwlock.hub import tournaments
from throwlock.hub.broker import BrokerAccess
from throwlock.hub.hub import Assigner, Hub, assign_ready
from throwlock.hub.setup import prepare
from throwlock.hub.tournament_log import PairingGiven
from throwlock.hub.tournaments import lock_tournaments, read_hall_tournament
from tools.hall.servers import free_port

ROOT = Path(__file__).parents[3]


@pytest.fixture
def boxes(database: psycopg.Connection) -> list[PlayingBox]:
    return add_playing_boxes(database, 3)


@pytest.fixture
def assignments(dsn: str, boxes: list[PlayingBox]) -> Iterator[psycopg.Connection]:
    """A connection that is notified when what is to be played at a box has changed."""
    with psycopg.connect(dsn, autocommit=True) as listener:
        listener.execute("LISTEN pairings")
        yield listener


def play_all(
    database: psycopg.Connection, number: int, boxes: list[PlayingBox], assignments: psycopg.Connection
) -> None:
    """Play a tournament to its end; whatever box is assigned a match plays it."""
    while read_hall_tournament(database, number).record.is_open:
        while not any(box.pairings for box in boxes):
            database.commit()
            assert list(assignments.notifies(timeout=LIMIT_S, stop_after=1)), "nothing is assigned any more"
        for box in boxes:
            assert len(box.pairings) <= 1, "two matches for one free box"
            for pairing in box.pairings:
                box.play(pairing, 1)
                box.send()


def assert_assigned_once(database: psycopg.Connection, number: int) -> None:
    tournament = read_hall_tournament(database, number)
    fixtures = Counter(entry.body.fixture for entry in tournament.log if isinstance(entry.body, PairingGiven))
    assert set(fixtures.values()) == {1} and not tournament.unfitting and not tournament.late
    assert [entry.number for entry in tournament.log] == list(range(1, len(tournament.log) + 1))
    assert {fixture.id for fixture in tournament.record.state.fixtures if not fixture.is_bye} == set(fixtures)


def test_a_hub_without_pages_plays_a_tournament_to_its_end(
    dsn: str, database: psycopg.Connection, boxes: list[PlayingBox], assignments: psycopg.Connection
) -> None:
    number = new_tournament(database, Format.DOUBLE_KNOCKOUT, NAMES, automatic=True)
    nowhere = BrokerAccess(host="127.0.0.1", port=free_port())
    with Hub(dsn, nowhere), Hub(dsn, nowhere):
        play_all(database, number, boxes, assignments)
    assert_assigned_once(database, number)


def test_a_tournament_is_over_and_open_again_without_pages(
    dsn: str, database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.KNOCKOUT, NAMES[:2], automatic=True)

    def is_over() -> bool:
        row = database.execute("SELECT is_over FROM tournament WHERE id = %s", (number,)).fetchone()
        assert row is not None
        return bool(row[0])

    assert assign_ready(database) == 1 and not is_over()
    match = boxes[0].win("Ada")
    boxes[0].send()
    assert assign_ready(database) == 0 and is_over()
    boxes[0].end(match)  # disputed: drawn, to be played again
    boxes[0].send()
    assert assign_ready(database) == 1 and not is_over()


def test_a_tournament_that_cannot_be_read_stops_no_other(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    broken = new_tournament(database, Format.KNOCKOUT, NAMES[:2], automatic=True)
    number = new_tournament(database, Format.KNOCKOUT, NAMES[2:4], automatic=True)
    database.execute(
        'UPDATE tournament_event SET body = (body::jsonb || \'{"game": "gone"}\')::json '
        "WHERE tournament = %s AND number = 1",
        (broken,),
    )
    assert assign_ready(database) == 1
    assert read_hall_tournament(database, number).open


def test_a_stopped_hub_gives_up_the_lock(
    dsn: str,
    database: psycopg.Connection,
    boxes: list[PlayingBox],
    assignments: psycopg.Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tournaments, "MAX_THINKING_S", 1.0)
    number = new_tournament(database, Format.KNOCKOUT, automatic=True)
    with closing(psycopg.connect(dsn)) as silent:
        lock_tournaments(silent)
        with Assigner(dsn):
            assert list(assignments.notifies(timeout=LIMIT_S, stop_after=1))
    assert len(read_hall_tournament(database, number).open) == 2


@contextmanager
def run_hub(folder: Path, number: int, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``throwlock hall run`` in a process of its own."""
    command = [sys.executable, "-m", "throwlock", "hall", "run", str(folder), "--number", str(number), *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as hub:
        try:
            assert hub.stdout is not None
            assert b"of the hall School hall runs" in hub.stdout.readline()
            yield hub
        finally:
            hub.kill()


def wait_for_blocked_hub(connection: psycopg.Connection) -> None:
    """Wait until a hub waits for a lock of the pairings: it is in the middle of assigning."""
    waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'pairing'::regclass AND NOT granted"
    wait_until(lambda: connection.execute(waiting).fetchone() != (0,), "a hub that assigns")


@pytest.mark.slow
def test_killed_hub_is_continued_by_one_without_pages(
    dsn: str,
    database: psycopg.Connection,
    boxes: list[PlayingBox],
    assignments: psycopg.Connection,
    tmp_path: Path,
) -> None:
    folder = tmp_path / "hall"
    prepare(folder, "School hall", ["127.0.0.1"], free_port(), dsn)
    number = new_tournament(database, Format.SWISS, NAMES, automatic=True)
    with psycopg.connect(dsn) as blocker:
        blocker.execute("LOCK TABLE pairing IN SHARE MODE")
        with run_hub(folder, 1, "--port", "0") as killed:
            wait_for_blocked_hub(assignments)
            with run_hub(folder, 2, "--no-pages") as hub:
                killed.kill()
                killed.wait()
                blocker.rollback()
                play_all(database, number, boxes, assignments)
                hub.send_signal(signal.SIGTERM)
                assert hub.wait(LIMIT_S) == 0
    assert_assigned_once(database, number)
