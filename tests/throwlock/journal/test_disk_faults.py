"""A failing disk during a match: damaged pages, no space, no images, a jumping clock; verify finds every change."""

import itertools
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from click.testing import CliRunner
from hypothesis import given, settings

from rules.catalogue import find_game
from tests.helpers.journals import names_in
from tests.helpers.sqlite_connections import limit_growth
from tests.helpers.table_matches import history, make_match, match_config, play
from throwlock.cli.main import throwlock
from throwlock.journal import recovery
from throwlock.journal.events import Body
from throwlock.journal.file import DiskFullError, JournalDamagedError
from throwlock.journal.journal import Event, Evidence, Journal, JournalError, JournalReader
from throwlock.review.verify import verify
from ui.screen.pages.notice import Notice
from ui.screen.pages.reveal import Reveal

CLASSIC = find_game("classic").set_up(2, {"best_of": 3})


@pytest.fixture(scope="module")
def intact_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of one match, closed cleanly, with a marked round."""
    path = tmp_path_factory.mktemp("whole") / "one.journal"
    play(path, match_config(CLASSIC))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO mark VALUES (2, 'to review', '2026-01-01')")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def find_problems(path: Path) -> Sequence[str]:
    with JournalReader(path) as journal:
        return verify(journal).problems


# -------- what verification finds


def test_every_damaged_page_is_found(intact_journal: Path, tmp_path: Path) -> None:
    data, path = intact_journal.read_bytes(), tmp_path / "one.journal"
    assert len(data) % 4096 == 0
    for page in range(len(data) // 4096):
        bad = bytes(byte ^ 0xFF for byte in data[page * 4096 : page * 4096 + 4096])
        path.write_bytes(data[: page * 4096] + bad + data[page * 4096 + 4096 :])
        try:
            found = " ".join(find_problems(path))
        except JournalError as fault:
            assert page == 0 or isinstance(fault, JournalDamagedError)
            found = str(fault)
        assert found, f"page {page + 1}"
        assert page == 0 or "page" in found or "event" in found, (page + 1, found)


def test_the_command_names_the_page(intact_journal: Path, tmp_path: Path) -> None:
    path, data = tmp_path / "one.journal", bytearray(intact_journal.read_bytes())
    with closing(sqlite3.connect(intact_journal)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'event_by_match'").fetchone()
    data[(root - 1) * 4096 : root * 4096] = bytes(4096)
    path.write_bytes(data)
    said = CliRunner().invoke(throwlock, ["verify", str(path)])
    assert said.exit_code != 0 and "damaged" in said.output and f"age {root}" in said.output


COLUMNS = {
    "event": ("number", "match", "at", "kind", "body", "previous_hash", "hash"),
    "evidence": ("event", "name", "media_type", "commitment", "salt", "data"),
}


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_single_change_is_found_and_named(intact_journal: Path, data: st.DataObject) -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        with closing(sqlite3.connect(f"{intact_journal.as_uri()}?mode=ro", uri=True)) as source:
            source.backup(db)
        table = data.draw(st.sampled_from(sorted(COLUMNS)))
        rows = db.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid").fetchall()
        row = data.draw(st.sampled_from(rows))
        place = data.draw(st.integers(0, len(COLUMNS[table]) - 1))
        new = data.draw(changed_values(row[place + 1]))
        try:
            db.execute(f"UPDATE {table} SET {COLUMNS[table][place]} = ? WHERE rowid = ?", (new, row[0]))
        except sqlite3.IntegrityError:
            return  # SQLite itself refuses it
        copy = intact_journal.with_name("changed.journal")
        copy.unlink(missing_ok=True)
        with closing(sqlite3.connect(copy)) as target:
            db.backup(target)
    named = [f"event {row[1]}", f"events {row[1]}", *([f"event {new}"] if place == 0 else [])]
    found = find_problems(copy)
    assert any(name in fault for fault in found for name in named), (COLUMNS[table][place], found)


def changed_values(value: Any) -> st.SearchStrategy[Any]:
    """Values of the same type as ``value``, but different."""
    if isinstance(value, int):
        return st.integers(-5, 10**6).filter(lambda one: one != value)
    if isinstance(value, bytes):
        return st.integers(0, len(value) - 1).map(
            lambda at: value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
        ) | st.binary(max_size=20)
    return st.integers(0, len(value) - 1).map(lambda at: value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :])


# -------- a match whose journal breaks in the middle


class DamagedJournal(Journal):
    """A journal whose file is damaged once, after event 4."""

    is_intact = True

    def append(self, match: int, body: Body, evidence: Sequence[Evidence] = ()) -> Event:
        if self.is_intact and self.number_and_hash()[0] == 4:
            self.is_intact = False
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.close()
            data = bytearray(self.path.read_bytes())
            data[4096:] = bytes(byte ^ 0xA5 for byte in data[4096:])
            self.path.write_bytes(data)
            self._db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        return super().append(match, body, evidence)


def test_a_match_continues_in_a_new_journal_after_damage(tmp_path: Path) -> None:
    play(tmp_path / "whole.journal", match_config(CLASSIC))
    path = tmp_path / "one.journal"
    with DamagedJournal(path) as journal:
        match, display = make_match(journal, match_config(CLASSIC))
        match.play()
        assert match.number == 1 and journal.unfinished_match() is None
    plain = history(tmp_path / "whole.journal")
    events = history(path)
    assert events[0][1].pop("continued_from") == {"file": "one.journal.broken-1", "match": 1, "last_event": 4}
    assert events == plain, "nothing that was shown is lost"
    assert find_problems(path) == ()
    (said,) = [view for view in display.shown if isinstance(view, Notice)]
    assert "one.journal.broken-1" in said.text and said.text in display.lines
    assert len([view for view in display.shown if isinstance(view, Reveal)]) == 5
    assert set(names_in(tmp_path)) >= {"one.journal", "one.journal.broken-1"}
    with pytest.raises(JournalError):
        JournalReader(tmp_path / "one.journal.broken-1").events()


class FullDiskJournal(Journal):
    """A journal on a disk with space for events only."""

    def append(self, match: int, body: Body, evidence: Sequence[Evidence] = ()) -> Event:
        if evidence:
            raise DiskFullError("the disk is full")
        return super().append(match, body)


def test_without_room_for_images_the_match_continues_with_one_notice(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with FullDiskJournal(path) as journal:
        match, display = make_match(journal, match_config(CLASSIC))
        match.play()
    assert [view.text for view in display.shown if isinstance(view, Notice)] == [recovery.PICTURES_LOST]
    play(tmp_path / "whole.journal", match_config(CLASSIC))
    plain = [(kind, {name: one for name, one in body.items() if name != "evidence"})
             for kind, body in history(tmp_path / "whole.journal")]  # fmt: skip
    assert history(path) == plain and find_problems(path) == ()


def test_full_disk_stops_the_match_until_there_is_room(tmp_path: Path, connections: list[sqlite3.Connection]) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match, _ = make_match(journal, match_config(CLASSIC, seed=4))
        limit_growth(connections[-1], 8)
        with pytest.raises(DiskFullError, match=r"is full: free some space"):
            while True:
                match.play()
        shown = journal.events()
    with Journal(path) as journal:
        assert journal.events() == shown
        make_match(journal, match_config(CLASSIC, seed=4))[0].play()
    assert find_problems(path) == () and history(path)[-1][0] == "match_ended"


def test_a_clock_jump_changes_only_dates(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    dates = itertools.cycle(["2031-05-05T10:00:00.000+00:00", "1970-01-01T00:00:00.000+00:00"])
    with Journal(path, now=lambda: next(dates)) as journal:
        make_match(journal, match_config(CLASSIC))[0].play()
        again, _ = make_match(journal, match_config(CLASSIC, seed=4))
        again.play()
        events = journal.events()
        assert [event.number for event in events] == list(range(1, len(events) + 1))
        assert journal.matches() == [1, again.number] and journal.unfinished_match() is None
    assert find_problems(path) == ()
