"""Tests of ``throwlock hall`` with the real database."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import psycopg
import pytest

from tests.helpers.hall_streams import answer_hello, answers, batch, ended, hello, origin, started, store_batch
from throwlock.cli.main import run_command
from throwlock.hall.membership import read_membership
from throwlock.hall.protocol import StreamEvent
from throwlock.hub.store import note_excess
from throwlock.journal.journal import Journal, JournalReader

Run = Callable[..., str]
JOURNAL = origin()


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command of the hall in ``hall`` and returns what it prints, or its error."""

    def run_hall(command: str, *words: str) -> str:
        status = run_command(["hall", command, str(tmp_path / "hall"), *words])
        printed = capsys.readouterr()
        assert (status == 2) == bool(printed.err)
        assert printed.err.count("\n") <= 1
        return printed.out + printed.err

    return run_hall


@pytest.fixture
def hall(run: Run, dsn: str, tmp_path: Path) -> Path:
    run("prepare", "--name", "School hall", "--host", "hall.local", "--database", dsn)
    return tmp_path / "hall"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "box.journal"
    with Journal(path) as opened:
        for _ in range(3):
            opened.append(opened.start_match(started(), ["Ada", "Ben"]), ended(1))
    return path


def send(connection: psycopg.Connection, box: str, path: Path, count: int) -> None:
    """Store a journal's first ``count`` events."""
    with JournalReader(path) as reader:
        rows = [StreamEvent.model_validate(row, from_attributes=True) for row in reader.event_rows()]
        assert store_batch(connection, box, batch(reader.origin_hash(), rows[:count])).number == count
    connection.commit()


def test_box_is_added_and_its_file_has_what_it_needs(run: Run, hall: Path) -> None:
    printed = run("add-box", "box-7", "--table", "Table 7")
    file = read_membership(hall / "boxes/box-7.toml")
    assert str(hall / "boxes/box-7.toml") in printed and file.password not in printed
    assert (file.hall, file.host, file.port, file.box) == ("School hall", "hall.local", 8883, "box-7")
    assert file.ca.startswith("-----BEGIN CERTIFICATE-----") and len(file.password) >= 32
    assert "Table 7 (box-7): init, 0 events stored" in run("status")
    run("add-box", "box-7", "--table", "The first table")
    assert read_membership(hall / "boxes/box-7.toml").password != file.password
    assert "The first table (box-7)" in run("status")
    assert "is no longer of the hall" in run("remove-box", "box-7")
    assert run("status") == "" and "there is no box box-7" in run("remove-box", "box-7")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("add-box", "Box 7", "--table", "x"), "can't be a box's id"),
        (("add-box", "box--7", "--table", "x"), "can't be a box's id"),
        (("add-box", "hub\nuser", "--table", "x"), "can't be a box's id"),
        (("add-box", "box-7", "--table", " "), "a table's name has 1 to 40 letters"),
        (("add-box", "box-7", "--table", "x" * 41), "a table's name has 1 to 40 letters"),
        (("prepare", "--name", "Hall", "--host", "two words"), "is no host's name or address"),
        (("prepare", "--name", "Hall", "--host", "a,DNS:b"), "is no host's name or address"),
        (("prepare", "--name", "x" * 61, "--host", "a"), "hall: String should have at most 60 characters"),
        (("remove-box", "../box"), "can't be a box's id"),
        (("settle", "box-7"), "no journal of box-7 has a problem"),
        (("check", "missing.journal"), "missing.journal: no such file"),
        (("password", "--password", "short"), "a password has at least"),
    ],
)
def test_wrong_argument_changes_nothing(run: Run, hall: Path, words: tuple[str, ...], message: str) -> None:
    before = {path: path.read_text() for path in hall.rglob("*") if path.is_file()}
    assert message in run(*words)
    assert {path: path.read_text() for path in hall.rglob("*") if path.is_file()} == before


def test_folder_that_is_no_halls_is_told_so(run: Run) -> None:
    assert "is no hall's folder: throwlock hall prepare makes one" in run("status")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("port = 8883", 'port = "many"', "port: Input should be a valid integer"),
        ("hall = ", "haul = ", "hall: Field required"),
        ("port = 8883", "port = ", "can't be read"),
    ],
)
def test_settings_that_cannot_be_read_are_told(run: Run, hall: Path, old: str, new: str, message: str) -> None:
    path = hall / "hub.toml"
    path.write_text(path.read_text().replace(old, new))
    printed = run("status")
    assert "hub.toml" in printed and message in printed


def test_database_that_is_away_changes_nothing(run: Run, hall: Path) -> None:
    path = hall / "hub.toml"
    path.write_text(path.read_text().replace('database = "', 'database = "hostaddr=127.0.0.1 port=1 '))
    passwords = (hall / "broker/passwords").read_text()
    assert "is PostgreSQL running?" in run("add-box", "box-7", "--table", "Table 7")
    assert (hall / "broker/passwords").read_text() == passwords and not list((hall / "boxes").iterdir())


def test_problem_is_listed_and_settled(run: Run, hall: Path, database: psycopg.Connection) -> None:
    run("add-box", "box-1", "--table", "Table 1")
    store_batch(database, "box-1", batch(JOURNAL, answers(4, JOURNAL)))
    answer_hello(database, "box-1", hello(JOURNAL, answers(2, JOURNAL), stored=4))
    database.commit()
    printed = run("status")
    assert "Table 1 (box-1): init, 4 events stored, cut\n" in printed and "Problem of box-1: cut at event 2" in printed
    assert "Settled" in run("settle", "box-1", "--replace", "--note", "a new card")
    assert run("status") == "Table 1 (box-1): init, 0 events stored\n"
    assert database.execute("SELECT note FROM problem").fetchall() == [("a new card",)]


def test_what_a_box_has_sent_is_discarded(
    run: Run, hall: Path, database: psycopg.Connection, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for box in ("box-1", "box-2"):
        run("add-box", box, "--table", box)
        send(database, box, journal, 4)
    answer_hello(database, "box-1", hello(JOURNAL, []))
    store_batch(database, "box-1", batch(JOURNAL, answers(4, JOURNAL)))
    answer_hello(database, "box-1", hello(JOURNAL, answers(2, JOURNAL), stored=4))
    note_excess(database, ["box-1"], "full")
    database.commit()
    hint = f"throwlock hall discard {hall} box-1"
    assert hint in run("status")
    monkeypatch.setattr("sys.stdin", StringIO("n\n"))
    run("discard", "box-1")
    assert hint in run("status"), "nobody has said yes"
    assert "8 events of box-1 are deleted" in run("discard", "box-1", "--yes")
    assert run("status") == "box-1 (box-1): init, 0 events stored\nbox-2 (box-2): init, 4 events stored\n"
    assert database.execute("SELECT stored_bytes FROM box WHERE id = 'box-1'").fetchone() == (0,)
    database.rollback()
    send(database, "box-1", journal, 6)
    assert f"6 of 6 events of {journal} are stored" in run("check", str(journal), "--box", "box-1")
    run("remove-box", "box-1")
    assert "6 events of box-1 are deleted" in run("discard", "box-1", "--yes"), "it is not of the hall any more"
    assert "there is no box box-3" in run("discard", "box-3", "--yes")


def test_journal_is_compared_with_what_is_stored(
    run: Run, hall: Path, database: psycopg.Connection, journal: Path
) -> None:
    for box in ("box-1", "box-2"):
        run("add-box", box, "--table", box)
    assert "nothing of" in run("check", str(journal))
    send(database, "box-1", journal, 4)
    assert f"4 of 6 events of {journal} are stored once, in order and the same" in run("check", str(journal))
    send(database, "box-1", journal, 6)
    assert f"6 of 6 events of {journal} are stored once, in order and the same" in run("check", str(journal))
    send(database, "box-2", journal, 2)
    assert "was sent by box-1, box-2: name one with --box" in run("check", str(journal))
    assert "2 of 6 events" in run("check", str(journal), "--box", "box-2")


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ("UPDATE event SET at_text = 'another' WHERE number = 3", "event 3 is stored differently"),
        ("UPDATE event SET body = '{}' WHERE number = 6", "event 6 is stored differently"),
        ("DELETE FROM event WHERE number = 2", "event 2 is not stored"),
        ("UPDATE event SET number = 7 WHERE number = 6", "event 6 is not stored"),
        (
            "INSERT INTO event SELECT journal, 7, match, at, kind, body, at_text, previous_hash, hash, true FROM event "
            "WHERE number = 6",
            "event 7 is stored, and not in the journal",
        ),
    ],
)
def test_difference_is_found(
    run: Run, hall: Path, database: psycopg.Connection, journal: Path, change: str, difference: str
) -> None:
    run("add-box", "box-1", "--table", "Table 1")
    send(database, "box-1", journal, 6)
    database.execute(change)
    database.commit()
    assert f"is not what is stored of box-1: {difference}" in run("check", str(journal))
