"""A journal of one match, and what a forger does to it."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rules.catalogue import find_game
from tests.helpers.journal_events import round_body, seat_record
from throwlock.house_rules import HouseRules
from throwlock.journal.events import MatchEnded, ResultRecord
from throwlock.journal.hash_chain import proof_code
from throwlock.journal.journal import Evidence, Journal, JournalReader, event_hash
from throwlock.replay.config import MatchConfig
from throwlock.review.verify import VerificationReport, verify

PICTURES = [Evidence("lock.jpg", "image/jpeg", b"lock"), Evidence("seat-1.jpg", "image/jpeg", b"seat")]
RESULT = ResultRecord(winners=(1,), scores={1: 2, 2: 0})


def older_copy(path: Path) -> Path:
    """Return the path of a copy of a journal after its third event."""
    return path.with_name(f"{path.name}.older")


def write_match(path: Path) -> None:
    """Write a journal of one match: start, void round, two judged ones, end."""
    with Journal(path) as journal:
        config = MatchConfig(find_game("classic").set_up(2), ("Ada", "Ben"), HouseRules())
        match = journal.start_match(config.start_event(), config.names)
        seats = {1: seat_record(), 2: seat_record("late", "scissors")}
        journal.append(match, round_body(seats, fouls=[2], text="{2} was late."), PICTURES)
        journal.append(match, round_body(answers={1: "rock", 2: "scissors"}), PICTURES)
    shutil.copy(path, older_copy(path))
    with Journal(path) as journal:
        journal.append(match, round_body(answers={1: "rock", 2: "scissors"}), PICTURES)
        journal.append(match, MatchEnded(result=RESULT))


def code_of(path: Path, number: int | None = None) -> str:
    """Return the proof code of an event, or of the newest."""
    with JournalReader(path) as journal:
        return proof_code(journal.number_and_hash(number)[1])


def verify_codes(path: Path, *codes: str) -> VerificationReport:
    with JournalReader(path) as journal:
        return verify(journal, codes)


def tamper(path: Path, *statements: str) -> None:
    """Run SQL on a journal."""
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
        rows = db.execute("SELECT number, match, at, kind, body FROM event ORDER BY number").fetchall()
        for number, match, at, kind, body in rows:
            own = event_hash(number, match, at, kind, body, previous)
            db.execute("UPDATE event SET previous_hash = ?, hash = ? WHERE number = ?", (previous, own, number))
            previous = own
        db.execute("UPDATE journal SET value = ? WHERE name = 'last_hash'", (previous,))
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def set_body(number: int, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    """Return what changes the body of an event and recomputes all hashes."""

    def write(path: Path) -> None:
        db = sqlite3.connect(path)
        with db:
            body = json.loads(db.execute("SELECT body FROM event WHERE number = ?", (number,)).fetchone()[0])
            change(body)
            db.execute("UPDATE event SET body = ? WHERE number = ?", (json.dumps(body), number))
        db.close()
        rechain(path)

    return write
