"""What somebody who has a box in their hands could do to its journal."""

import sqlite3
from contextlib import closing
from pathlib import Path

from throwlock.journal.hash_chain import event_hash


def rewrite_match(path: Path, match: int) -> None:
    """Change the first event of ``match`` of a closed journal, and compute all hashes from there anew: the journal
    itself shows nothing of it."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "UPDATE event SET body = json_set(body, '$.seed', 1 + json_extract(body, '$.seed')) WHERE number = ?",
            (match,),
        )
        rows = db.execute("SELECT number, match, at, kind, body, previous_hash FROM event ORDER BY number").fetchall()
        previous = rows[0][-1]
        for number, match_number, at, kind, body, _ in rows:
            new = event_hash(number, match_number, at, kind, body, previous)
            db.execute("UPDATE event SET previous_hash = ?, hash = ? WHERE number = ?", (previous, new, number))
            previous = new
        _set_last_hash(db, previous)


def cut_events(path: Path, count: int) -> None:
    """Delete the newest ``count`` events of a closed journal."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM event WHERE number > (SELECT max(number) FROM event) - ?", (count,))
        _set_last_hash(db, db.execute("SELECT hash FROM event ORDER BY number DESC LIMIT 1").fetchone()[0])


def _set_last_hash(db: sqlite3.Connection, last: str) -> None:
    db.execute("UPDATE journal SET value = ? WHERE name = 'last_hash'", (last,))
