"""Verification names every kind of tampering, and accepts deletions."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from journal_events import round_body, seat_record
from journals import contents

from rules.catalogue import find_game
from throwlock.house_rules import HouseRules
from throwlock.journal.events import MatchEnded, ResultRecord
from throwlock.journal.journal import Evidence, Journal, JournalReader, event_hash
from throwlock.replay.config import MatchConfig
from throwlock.review.verify import verify

PICTURES = [Evidence("lock.jpg", "image/jpeg", b"lock"), Evidence("seat-1.jpg", "image/jpeg", b"seat")]
RESULT = ResultRecord(winners=(1,), scores={1: 2, 2: 0})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of one match: start, void round, two judged ones, end."""
    file = tmp_path / "evening.journal"
    with Journal(file) as journal:
        config = MatchConfig(find_game("classic").set_up(2), ("Ada", "Ben"), HouseRules())
        match = journal.start_match(config.start_event(), config.names)
        seats = {1: seat_record(), 2: seat_record("late", "scissors")}
        journal.append(match, round_body(seats, fouls=[2], text="{2} was late."), PICTURES)
        for _ in range(2):
            journal.append(match, round_body(answers={1: "rock", 2: "scissors"}), PICTURES)
        journal.append(match, MatchEnded(result=RESULT))
    return file


def find_problems(path: Path) -> tuple[str, ...]:
    before = contents(path.parent)
    with JournalReader(path) as journal:
        found = verify(journal).problems
    assert contents(path.parent) == before
    return found


def tamper(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    with db:
        for statement in statements:
            db.execute(statement)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def rechain(path: Path) -> None:
    """Recompute all hashes, as a forger would."""
    db = sqlite3.connect(path)
    with db:
        previous = db.execute("SELECT previous_hash FROM event WHERE number = 1").fetchone()[0]
        for row in db.execute("SELECT number, match, at, kind, body FROM event ORDER BY number").fetchall():
            own = event_hash(*row, previous)
            db.execute("UPDATE event SET previous_hash = ?, hash = ? WHERE number = ?", (previous, own, row[0]))
            previous = own
        db.execute("UPDATE journal SET value = ? WHERE name = 'last_hash'", (previous,))
    db.close()


def test_an_intact_journal_has_no_problems(path: Path) -> None:
    with JournalReader(path) as journal:
        found = verify(journal)
    assert (found.matches, found.events, found.evidence, found.problems) == (1, 5, 6, ())


def test_an_empty_journal_has_no_problems(tmp_path: Path) -> None:
    Journal(tmp_path / "new.journal").close()
    assert find_problems(tmp_path / "new.journal") == ()


TAMPERED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "changed answer": (
        ("UPDATE event SET body = replace(body, 'scissors', 'paper') WHERE number = 3",),
        ("event 3 (round_judged) was changed",),
    ),
    "changed date": (("UPDATE event SET at = '2020' WHERE number = 2",), ("event 2 (round_voided) was changed",)),
    "changed kind": (
        ("UPDATE event SET kind = 'round_judged' WHERE number = 2",),
        ("event 2 (round_judged) was changed",),
    ),
    "changed match": (("UPDATE event SET match = 2 WHERE number = 5",), ("event 5 (match_ended) was changed",)),
    "a match that is no number": (("UPDATE event SET match = x'00' WHERE number = 5",), ("event 5 (match_ended) was",)),
    "a body that is bytes": (
        ("UPDATE event SET body = x'ff' WHERE number = 5",),
        ("event 5 (match_ended) was changed", "event 5 can't be read"),
    ),
    "a body that is a list": (
        ("UPDATE event SET body = '[]' WHERE number = 5",),
        ("event 5 (match_ended) was changed", "event 5 can't be read"),
    ),
    "missing event": (
        ("DELETE FROM evidence WHERE event = 3", "DELETE FROM event WHERE number = 3"),
        ("event 3 is missing",),
    ),
    "missing events": (
        ("DELETE FROM evidence WHERE event < 4", "DELETE FROM event WHERE number < 4"),
        ("events 1 to 3 are missing",),
    ),
    "missing last event": (("DELETE FROM event WHERE number = 5",), ("the last event is 4",)),
    "missing first event, the others moved up": (
        ("DELETE FROM evidence", "DELETE FROM event WHERE number = 1", "UPDATE event SET number = number - 1"),
        ("event 1 does not follow event 0", "event 1 (round_voided) was changed"),
    ),
    "swapped events": (
        ("UPDATE event SET number = -number WHERE number IN (3, 4)",
         "UPDATE event SET number = 7 + number WHERE number < 0"),
        ("event 3 does not follow event 2", "event 3 (round_judged) was changed", "event 4 does not follow event 3",
         "event 4 (round_judged) was changed", "event 5 does not follow event 4"),
    ),
    "inserted event": (
        ("UPDATE event SET number = 6 WHERE number = 5",
         "INSERT INTO event SELECT 5, match, at, kind, body, previous_hash, hash FROM event WHERE number = 4"),
        ("event 5 does not follow event 4", "event 5 (round_judged) was changed", "event 6 (match_ended) was changed"),
    ),
    "an event put in at the end": (
        ("INSERT INTO event SELECT 6, match, at, kind, body, hash, hash FROM event WHERE number = 5",),
        ("event 6 (match_ended) was changed",),
    ),
    "changed evidence": (
        ("UPDATE evidence SET data = x'00' WHERE event = 3 AND name = 'lock.jpg'",),
        ("event 3: its evidence lock.jpg was changed",),
    ),
    "changed evidence with its hash": (
        ("UPDATE evidence SET data = x'00', "
         "sha256 = '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d' "
         "WHERE event = 3 AND name = 'lock.jpg'",),
        ("event 3: its evidence lock.jpg was changed",),
    ),
    "evidence that is text": (
        ("UPDATE evidence SET data = 'lock' WHERE event = 3 AND name = 'lock.jpg'",),
        ("event 3: its evidence lock.jpg was changed",),
    ),
    "changed sort of evidence": (
        ("UPDATE evidence SET media_type = 'text/html' WHERE event = 3 AND name = 'lock.jpg'",),
        ("event 3: its evidence lock.jpg was changed",),
    ),
    "missing evidence": (
        ("DELETE FROM evidence WHERE event = 4 AND name = 'seat-1.jpg'",),
        ("event 4: its evidence seat-1.jpg is missing",),
    ),
    "extra evidence": (
        ("INSERT INTO evidence VALUES (5, 'more.jpg', 'image/jpeg', '', x'00')",),
        ("event 5: evidence more.jpg was added later",),
    ),
    "evidence of no event": (
        ("INSERT INTO evidence VALUES (77, 'more.jpg', 'image/jpeg', '', NULL)",),
        ("event 77: evidence more.jpg was added later",),
    ),
    "another journal's id": (
        ("UPDATE journal SET value = 'other' WHERE name = 'id'",),
        ("event 1 does not follow event 0",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_named(path: Path, name: str) -> None:
    statements, expected = TAMPERED[name]
    tamper(path, *statements)
    found = find_problems(path)
    for sentence in expected:
        assert any(fault.startswith(sentence) for fault in found), found


def test_a_forgotten_player_is_fine_but_a_missing_one_is_not(path: Path) -> None:
    tamper(path, "UPDATE player SET name = NULL")
    assert find_problems(path) == ()
    tamper(path, "DELETE FROM player WHERE rowid = 2")
    (fault,) = find_problems(path)
    assert fault.startswith("match 1: its player ") and fault.endswith("is missing from the table of players")


def test_a_deleted_image_is_no_problem(path: Path) -> None:
    tamper(path, "UPDATE evidence SET data = NULL WHERE event = 3")
    assert find_problems(path) == ()


def set_body(number: int, change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        db = sqlite3.connect(path)
        with db:
            body = json.loads(db.execute("SELECT body FROM event WHERE number = ?", (number,)).fetchone()[0])
            change(body)
            db.execute("UPDATE event SET body = ? WHERE number = ?", (json.dumps(body), number))
        db.close()
        rechain(path)

    return write


WRONG_RESULTS = {
    "another winner": (set_body(5, lambda body: body["result"].update(winners=[2])), "does not replay to the result"),
    "no result": (set_body(5, lambda body: body.pop("result")), "event 5 can't be read"),
    "a lost round": (
        set_body(4, lambda body: body["answers"].update({"1": "paper"})), "does not replay to the result"),
    "an answer the game has not": (set_body(4, lambda body: body["answers"].update({"1": "well"})), "may not answer"),
    "an answer of nobody": (set_body(4, lambda body: body["answers"].update({"7": "rock"})), "seat 7 was not asked"),
    "answers of no seat": (set_body(4, lambda body: body.update(answers={"x": 1})), "event 4 can't be read"),
    "answers that are none": (set_body(4, lambda body: body.update(answers=7)), "event 4 can't be read"),
    "other rules": (set_body(1, lambda body: body.update(rules_version=99)), "was played by version 99"),
    "a game nobody knows": (set_body(1, lambda body: body.update(game="chess")), "no game is called 'chess'"),
    "no game": (set_body(1, lambda body: body.pop("game")), "event 1 can't be read"),
    "seats that are none": (set_body(1, lambda body: body.update(seats="many")), "event 1 can't be read"),
    "invalid house rules": (set_body(1, lambda body: body.update(house_rules={"window_ms": 1})),
        "event 1 can't be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_RESULTS)
def test_a_wrong_result_is_found_despite_valid_hashes(path: Path, name: str) -> None:
    forge, sentence = WRONG_RESULTS[name]
    forge(path)
    (fault,) = find_problems(path)
    assert fault.startswith(("match 1", sentence))
    assert sentence in fault
