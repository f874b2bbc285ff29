"""The tail marker: on the disk before an event is acknowledged, and removed by a clean shutdown."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.journal_events import NAMES, STARTED, answer_event
from throwlock.journal.file import sibling
from throwlock.journal.journal import Journal
from throwlock.journal.tail_marker import SLOT_BYTES, TAIL_SUFFIX, TailMarker, read_tail_marker

Sync = tuple[Path, tuple[int, str] | None]
"""A synced file or folder, and the marker's content then."""


def record_syncs(journal: Path, monkeypatch: pytest.MonkeyPatch) -> list[Sync]:
    """Return the list to which every later sync by this process is added. SQLite's own syncs are not seen."""
    syncs: list[Sync] = []

    def recorder(sync: Callable[[int], None]) -> Callable[[int], None]:
        def sync_and_record(handle: int) -> None:
            sync(handle)
            syncs.append((Path(f"/proc/self/fd/{handle}").readlink(), read_tail_marker(journal)))

        return sync_and_record

    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, recorder(getattr(os, name)))
    return syncs


def test_marker_is_synced_before_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, marker = tmp_path / "one.journal", tmp_path / f"one.journal{TAIL_SUFFIX}"
    syncs = record_syncs(path, monkeypatch)
    with Journal(path) as journal:
        assert syncs[-2:] == [(marker, None), (tmp_path, None)]
        assert journal.number_and_hash() == (0, "")
        syncs.clear()
        match = journal.start_match(STARTED, NAMES)
        event = journal.append(match, answer_event())
        assert syncs == [(marker, journal.number_and_hash(1)), (marker, (2, event.hash))]
        journal.continue_in_new_journal(journal.events(), ())
        assert syncs[-3:] == [(marker, None), (tmp_path, None), (marker, journal.number_and_hash())]


def test_a_marker_left_by_a_crash_is_synced_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its content and its name may not have reached the disk before."""
    path, marker = tmp_path / "one.journal", tmp_path / f"one.journal{TAIL_SUFFIX}"
    Journal(path).close()
    marker.write_bytes(bytes(2 * SLOT_BYTES))
    syncs = record_syncs(path, monkeypatch)
    with Journal(path):
        assert syncs == [(marker, None), (tmp_path, None)]


def test_a_marker_left_by_a_crash_stays_until_the_next_event(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES)
        last, marker = journal.number_and_hash(), sibling(path, TAIL_SUFFIX).read_bytes()
    sibling(path, TAIL_SUFFIX).write_bytes(marker)
    with Journal(path):
        assert read_tail_marker(path) == last


def test_opening_a_marker_keeps_its_notes_and_the_files_size(tmp_path: Path) -> None:
    path, notes = tmp_path / "one.journal", [(1, "a" * 64), (2, "b" * 64)]
    for note in notes:
        TailMarker(path).write(*note)
        assert read_tail_marker(path) == note
        assert sibling(path, TAIL_SUFFIX).stat().st_size == 2 * SLOT_BYTES
    TailMarker(path)
    assert read_tail_marker(path) == notes[-1]


def test_a_marker_that_can_not_be_opened_is_left_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.journal"
    sibling(path, TAIL_SUFFIX).mkdir()
    marker = TailMarker(path)
    marker.write(1, "a" * 64)
    assert read_tail_marker(path) is None
    assert capfd.readouterr() == ("", ""), "nor written anywhere else"


def test_sqlite_syncs_its_log_after_every_transaction(tmp_path: Path, connections: list[sqlite3.Connection]) -> None:
    """Nothing but a power cut would show the difference."""
    with Journal(tmp_path / "one.journal"):
        assert connections[-1].execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connections[-1].execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_closing_a_journal_closes_all_its_files(tmp_path: Path) -> None:
    def open_files() -> set[str]:
        names = map(os.path.realpath, Path("/proc/self/fd").iterdir())
        return {name for name in names if name.startswith(str(tmp_path))}

    with Journal(tmp_path / "one.journal") as journal:
        journal.start_match(STARTED, NAMES)
        assert any(name.endswith(TAIL_SUFFIX) for name in open_files())
    assert open_files() == set()
