"""The hash chain: one JSON form for every body, and the check of the newest events after a crash."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.journal_events import NAMES, STARTED, answer_event
from throwlock.journal.file import sibling
from throwlock.journal.hash_chain import (
    EventLostError,
    canonical_json,
    check_tail,
    event_hash,
    parse_proof_code,
    proof_code,
)
from throwlock.journal.journal import Event, Journal, JournalReader
from throwlock.journal.tail_marker import TAIL_SUFFIX, TailMarker


def test_a_body_has_one_json_form() -> None:
    assert canonical_json({"b": [1, None], "a": "ü"}) == '{"a":"ü","b":[1,null]}'
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="JSON"):
            canonical_json({"a": number})


def test_a_proof_code_stands_for_the_first_100_bits_of_a_hash() -> None:
    assert proof_code("0" * 64) == "00000-00000-00000-00000"
    assert proof_code("f" * 25 + "0" * 39) == "ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ"
    assert proof_code(f"{18:025x}" + "7" * 39) == "00000-00000-00000-0000J"
    assert parse_proof_code("00000-00000-00000-0000J") == f"{18:025x}"
    assert parse_proof_code(" ooooo iIlL1 00000-0000j ") == parse_proof_code("00000-11111-00000-0000J")


@given(st.integers(0, 2**256 - 1))
def test_a_proof_code_is_read_as_it_is_written(number: int) -> None:
    own = f"{number:064x}"
    assert parse_proof_code(proof_code(own)) == own[:25]


@pytest.mark.parametrize("text", ["", "0" * 19, "0" * 21, "U" * 20, "\N{SUPERSCRIPT TWO}" * 20, "é" * 20])
def test_what_is_no_proof_code_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="20 letters and digits"):
        parse_proof_code(text)


def alter(path: Path, *statements: str, last_hash: str | None = None) -> None:
    """Change the tables of a closed journal; ``last_hash`` becomes its stored hash of the newest event."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            db.execute(statement)
        if last_hash is not None:
            db.execute("UPDATE journal SET value = ? WHERE name = 'last_hash'", (last_hash,))


CrashedJournal = tuple[Path, list[Event]]


@pytest.fixture
def crashed(tmp_path: Path) -> CrashedJournal:
    """A whole journal of five events, with the tail marker that a crash leaves."""
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = journal.start_match(STARTED, NAMES)
        for number in range(4):
            journal.append(match, answer_event(number))
        marker, events = sibling(path, TAIL_SUFFIX).read_bytes(), journal.events()
    sibling(path, TAIL_SUFFIX).write_bytes(marker)
    return path, events


@pytest.mark.parametrize(
    ("left", "message"),
    [(4, "event 5 is missing"), (3, "events 4 to 5 are missing"), (1, "events 2 to 5 are missing")],
)
def test_missing_events_are_named(crashed: CrashedJournal, left: int, message: str) -> None:
    path, events = crashed
    alter(path, f"DELETE FROM event WHERE number > {left}", last_hash=events[left - 1].hash)
    with pytest.raises(EventLostError, match=f"has lost its newest events: {message}"):
        Journal(path)


def test_an_empty_journal_has_lost_all_marked_events(crashed: CrashedJournal) -> None:
    path, _ = crashed
    with JournalReader(path) as reader:
        origin = reader.origin_hash()
    alter(path, "DELETE FROM event", last_hash=origin)
    with pytest.raises(EventLostError, match="events 1 to 5 are missing"):
        check_tail(path)


def test_a_marker_without_a_journal_is_ignored(crashed: CrashedJournal) -> None:
    path, _ = crashed
    path.unlink()
    check_tail(path)


def test_a_changed_event_is_named(crashed: CrashedJournal) -> None:
    path, _ = crashed
    check_tail(path)
    alter(path, "UPDATE event SET body = '{}' WHERE number = 3")
    with pytest.raises(EventLostError, match="event 3 or a later one was changed"):
        Journal(path)


def test_the_stored_last_hash_must_be_the_newest_events(crashed: CrashedJournal) -> None:
    path, events = crashed
    alter(path, last_hash=events[3].hash)
    with pytest.raises(EventLostError, match="event 5 or a later one was changed"):
        Journal(path)
    alter(path, last_hash=events[4].hash)
    with Journal(path) as journal:
        assert journal.events() == events, "the refused box has released the file"


def test_a_replaced_newest_event_is_named(crashed: CrashedJournal) -> None:
    path, (*_, event) = crashed
    new_hash = event_hash(event.number, event.match, event.at, event.kind, '{"n":9}', event.previous_hash)
    alter(path, f"UPDATE event SET body = '{{\"n\":9}}', hash = '{new_hash}' WHERE number = 5", last_hash=new_hash)
    with pytest.raises(EventLostError, match="event 5 is not the one that was written"):
        Journal(path)


def test_a_marker_of_an_earlier_event_is_no_loss(crashed: CrashedJournal) -> None:
    """The disk was full when the later ones were to be marked."""
    path, events = crashed
    sibling(path, TAIL_SUFFIX).unlink()
    TailMarker(path).write(3, events[2].hash)
    check_tail(path)


def test_only_the_newest_events_are_checked(crashed: CrashedJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _ = crashed
    alter(path, "UPDATE event SET body = '{}' WHERE number = 3")
    monkeypatch.setattr("throwlock.journal.hash_chain.CHECKED_TAIL_EVENTS", 2)
    check_tail(path)
    monkeypatch.setattr("throwlock.journal.hash_chain.CHECKED_TAIL_EVENTS", 3)
    with pytest.raises(EventLostError):
        check_tail(path)
