"""Tests of backups of a hall with the real database: what is restored is equal, and nothing is half restored."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from rules.tournaments.fixture import Format
from tests.helpers.hall_boxes import add_playing_boxes, new_tournament
from throwlock.cli.main import run_command
from throwlock.hub.backup import NO_BACKUP
from throwlock.hub.database import connect, migrate, migration_scripts
from throwlock.hub.hub import assign_ready
from throwlock.hub.pages.access import set_password
from throwlock.hub.pairings import read_pairings
from throwlock.hub.setup import add_boxes, prepare, remove_box

Run = Callable[..., str]
Rows = dict[str, list[tuple[object, ...]]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command of the hall and returns what it prints, or its error of one line."""

    def run_hall(*words: object) -> str:
        status = run_command(["hall", *map(str, words)])
        printed = capsys.readouterr()
        assert (status != 0) == bool(printed.err) and printed.err.count("\n") <= 1
        return printed.out + printed.err

    return run_hall


@pytest.fixture
def hall(dsn: str, tmp_path: Path) -> Path:
    """A hall in the middle of a tournament, with a picture and words that COPY has to escape."""
    folder = tmp_path / "hall"
    prepare(folder, "School hall", ["hall.local"], 8883, dsn)
    with connect(dsn) as database:
        boxes = add_playing_boxes(database, 3)
        add_boxes(folder, {"box-1": "Table 1", "box-2": "Tisch\\2 „zwei“", "box-3": "Table 3"})
        set_password(database, "correct horse")
        new_tournament(database, Format.ROUND_ROBIN, ("Ada", "Bén", "小明", "Dora"), automatic=True)
        assign_ready(database)
        boxes[0].play(boxes[0].pairings[0], 1)
        boxes[0].send()
        database.execute(
            "INSERT INTO picture SELECT journal, number, 'lock', 'image/jpeg', '\\x00ff0a5c2e' FROM event LIMIT 1"
        )
    return folder


@pytest.fixture
def backup(run: Run, hall: Path, tmp_path: Path) -> Path:
    path = tmp_path / "hall.backup"
    assert "The hall School hall of" in run("backup", hall, path)
    return path


def rows(dsn: str) -> Rows:
    """Every row of every table and view, and where the counters are."""
    with connect(dsn) as connection:
        names = connection.execute(
            "SELECT relname::text, CASE relkind WHEN 'S' THEN 'last_value' ELSE relname END FROM pg_class "
            "WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v', 'S') "
            "AND relname <> '_yoyo_migration'"
        ).fetchall()
        query = "SELECT {1}::text FROM {0} ORDER BY 1"
        return {name: connection.execute(query.format(name, value).encode()).fetchall() for name, value in names}


def files(folder: Path) -> dict[str, tuple[str, int]]:
    """Every file of a hall's folder with its mode."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): (path.read_text(), path.stat().st_mode) for path in paths}


def test_restored_hall_is_equal(run: Run, hall: Path, dsn: str, backup: Path, empty: str, tmp_path: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    printed = run("restore", tmp_path / "other", backup, "--database", empty)
    assert "School hall" in printed and "3 boxes and 2 events, is restored" in printed
    before, after = rows(dsn), rows(empty)
    assert len(before["event"]) == 2 and len(before["picture"]) == 1
    assert after == before
    changed = {"hub.toml", "broker/mosquitto.conf"}  # where the database and the folder are
    there, here = files(tmp_path / "other"), files(hall)
    assert there.keys() == here.keys() and {name for name in here if here[name] != there[name]} == changed
    assert run("status", tmp_path / "other") == run("status", hall)


def test_restored_hall_goes_on(
    run: Run, hall: Path, dsn: str, database: psycopg.Connection, backup: Path, empty: str, tmp_path: Path
) -> None:
    run("restore", tmp_path / "other", backup, "--database", empty)
    with connect(empty) as restored:
        boxes = ("box-1", "box-2", "box-3")
        given = {box: read_pairings(restored, box).pairings for box in boxes}
        assert any(given.values()) and given == {box: read_pairings(database, box).pairings for box in boxes}
        (bytes_before,) = restored.execute("SELECT stored_bytes FROM box WHERE id = 'box-1'").fetchone() or (0,)
        restored.execute("DELETE FROM picture")
        (bytes_after,) = restored.execute("SELECT stored_bytes FROM box WHERE id = 'box-1'").fetchone() or (0,)
        assert bytes_before - bytes_after == 1005, "triggers work again"
        assert new_tournament(restored, Format.SWISS) == 2, "counters go on"


def test_hall_of_last_week_replaces_what_is_there(run: Run, hall: Path, dsn: str, backup: Path) -> None:
    stored, kept = rows(dsn), files(hall)
    add_boxes(hall, {"box-4": "Table 4"})
    remove_box(hall, "box-1")
    changed, changed_files = rows(dsn), files(hall)
    assert "is a hall already: --replace" in run("restore", hall, backup)
    assert "the database has a hall already: --replace" in run("restore", hall.parent / "new", backup)
    assert (rows(dsn), files(hall), (hall.parent / "new/hub.toml").exists()) == (changed, changed_files, False)
    assert "is restored" in run("restore", hall, backup, "--replace")
    assert rows(dsn) == stored
    assert files(hall) == kept


def test_running_hub_is_left_alone(run: Run, hall: Path, dsn: str, backup: Path) -> None:
    before = rows(dsn), files(hall)
    with connect(dsn):
        assert "stop all hubs" in run("restore", hall, backup, "--replace")
    assert (rows(dsn), files(hall)) == before


def test_damaged_backup_restores_nothing(run: Run, hall: Path, backup: Path, empty: str, tmp_path: Path) -> None:
    """A byte changed anywhere either changes nothing that counts, such as a date, or is found."""
    whole, damaged, other = backup.read_bytes(), tmp_path / "damaged", tmp_path / "other"
    refusal = NO_BACKUP.format(path=damaged)
    for end in (0, 1, len(whole) // 2, len(whole) - 1):
        damaged.write_bytes(whole[:end])
        assert refusal in run("restore", other, damaged, "--database", empty), end
    with connect(empty) as busy:  # whatever is not refused for its damage is refused here
        for place in range(0, len(whole), 211):
            damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
            printed = run("restore", other, damaged, "--database", empty)
            assert refusal in printed or "stop all hubs" in printed or "can’t be" in printed, place
        assert busy.execute("SELECT to_regclass('box')").fetchone() == (None,)
    assert not (other / "hub.toml").exists()


def changed_backup(backup: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Write a backup anew, with its entries changed."""
    path = backup.with_name("changed.backup")
    with zipfile.ZipFile(backup) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    change(entries)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def contents(**changed: object) -> Callable[[dict[str, bytes]], None]:
    def change(entries: dict[str, bytes]) -> None:
        entries["backup.json"] = json.dumps(json.loads(entries["backup.json"]) | changed).encode()

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (contents(migrations=["0001.events", "9999.newer"]), "is of a newer version of Throwlock (9999.newer)"),
        (contents(format=2), "is no backup of a hall"),
        (contents(folder=["../../etc/passwd"]), "is no backup of a hall"),
        (contents(migrations=["0002.tournaments"]), "is no backup of a hall"),
        (contents(migrations=["0001.events"]), "its table"),
        (lambda entries: entries.pop("tables/event"), "is no backup of a hall"),
        (lambda entries: entries.update({"tables/event": b""}), "is damaged: 0 of 2 rows of event"),
        (lambda entries: entries.update({"tables/event": b"1\tone\n"}), "the database can't be used: "),
    ],
)
def test_wrong_backup_restores_nothing(
    run: Run, hall: Path, dsn: str, backup: Path, change: Callable[[dict[str, bytes]], None], message: str
) -> None:
    before = rows(dsn), files(hall)
    assert message in run("restore", hall, changed_backup(backup, change), "--replace")
    assert (rows(dsn), files(hall)) == before


def test_backup_of_an_older_version_is_brought_up_to_this_one(
    run: Run, hall: Path, backup: Path, empty: str, tmp_path: Path
) -> None:
    """As version 0.1.0 began: no quotas."""

    def make_older(entries: dict[str, bytes]) -> None:
        whole = json.loads(entries["backup.json"])
        older = list(migration_scripts())[:2]
        tables = {table["name"]: table for table in whole["tables"]}
        dropped = {"stored_bytes", "excess", "excess_at"}
        columns = tables["box"]["columns"]
        kept = [index for index, column in enumerate(columns) if column not in dropped]
        lines = entries["tables/box"].decode().splitlines()
        entries["tables/box"] = "".join(
            "\t".join(line.split("\t")[index] for index in kept) + "\n" for line in lines
        ).encode()
        tables["box"]["columns"] = [columns[index] for index in kept]
        contents(migrations=older, tables=whole["tables"])(entries)

    run("restore", tmp_path / "other", changed_backup(backup, make_older), "--database", empty)
    with connect(empty) as restored:
        assert restored.execute("SELECT stored_bytes > 2000 FROM box WHERE id = 'box-1'").fetchone() == (True,)
    migrate(empty)


def test_backup_that_cannot_be_written_leaves_the_old_one(run: Run, hall: Path, backup: Path, tmp_path: Path) -> None:
    whole = backup.read_bytes()
    assert "can't be used" in run("backup", hall, tmp_path / "missing/hall.backup")
    settings = hall / "hub.toml"
    settings.write_text(settings.read_text().replace("dbname=hall", "dbname=nowhere"))
    assert "does not exist" in run("backup", hall, backup)
    assert backup.read_bytes() == whole and not backup.with_name("hall.backup.part").exists()


def test_missing_backup_is_told(run: Run, tmp_path: Path) -> None:
    assert "can't be read: No such file" in run("restore", tmp_path / "hall", tmp_path / "missing")
