"""What people may change in a journal beside its events, also while a box plays with it: marks on rounds, pictures and
names that are to be gone for good. The chain of events stays whole, and every match can still be replayed."""

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rules.engine import Json
from throwlock.journal.file import PLAYER, Hold, JournalError, connected, in_words, is_new, may, transaction
from throwlock.journal.hash_chain import check_whole
from throwlock.journal.journal import BUSY_S, Now, bring_up, matches_begun
from throwlock.journal.player_names import keys_in
from throwlock.journal.tail_marker import not_needed
from throwlock.match.corrections import CORRECTION, UPHELD
from ui.web.views import Mark, NotFoundError

CLEAR_S = 1.0
"""How long emptying the log waits for others' readings, each time; a box's event waits no longer for it."""
TIMES = 3
"""How often it is tried."""
TRIMMED_AT_ONCE = 64 * 2**20
"""Bytes of evidence that are deleted between two matches at most."""
SAMPLED = 1000
"""The newest events, by whose length all are reckoned."""
BESIDE_BODY = 220
"""Bytes that an event takes beside its body: two hashes, its date, kind and numbers, and its place in the index."""
FREE = "freelist_count"
AT_A_TIME = 100
"""Rounds that are looked up together."""
_ONE_AT_A_TIME = threading.Lock()
"""Of a process's threads, so that each has its hold."""


@dataclass(frozen=True)
class Deleted:
    """What came of a deletion. ``pieces`` of evidence were deleted. ``settled``: no byte of what was deleted is left in
    any file of the journal; if not, somebody has been reading it for seconds, and ``Keeper.settle`` finishes it later,
    as does closing the journal. ``named_in`` are the matches whose events go on naming a forgotten player, because a
    Throwlock before version 2 of the tables wrote the names there."""

    pieces: int
    settled: bool
    named_in: tuple[int, ...] = ()


class Keeper:
    """Changes a journal for its review pages. It has the journal open only while it does something, so it may be kept,
    and used by several threads.

    keeper = Keeper(Path("evening.journal"))
    keeper.mark(12, Mark.TO_LOOK_AT)
    keeper.delete_pictures(9)

    Every method raises JournalError when the journal can't be written, or has lost events, and then nothing was
    changed. A reader that is open keeps what it sees in the files: close one's own before something is to be gone for
    good.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._now = Now()

    def mark(self, event: int, mark: Mark | None) -> None:
        """Put a mark on the round of ``event``, in place of any other, or take it off. Raises NotFoundError when there
        is no such round."""
        with self._opened() as db, transaction(db):
            row = db.execute("SELECT body FROM event WHERE number = ?", (event,)).fetchone()
            if row is None or "judgement" not in _read(row[0]):
                raise NotFoundError(f"There is no round {event}.")
            if mark is None:
                db.execute("DELETE FROM mark WHERE event = ?", (event,))
            else:
                db.execute("INSERT OR REPLACE INTO mark VALUES (?, ?, ?)", (event, str(mark), self._now()))

    def delete_pictures(self, match: int) -> Deleted:
        """Delete all evidence of a match for good. Raises NotFoundError when there is no such match."""
        with self._opened() as db:
            with transaction(db):
                if db.execute("SELECT 1 FROM event WHERE match = ?", (match,)).fetchone() is None:
                    raise NotFoundError(f"There is no match {match}.")
                pieces = _delete(db, match)
            return Deleted(pieces, _cleared(db))

    def forget(self, key: str) -> Deleted:
        """Delete a player's name, and all evidence of the matches they sat in, for good. Pictures go first, a match a
        transaction, so that a box never waits long; the name goes last: until then it can be tried again. Raises
        NotFoundError when there is no such player."""
        with self._opened() as db:
            if db.execute("SELECT 1 FROM player WHERE key = ?", (key,)).fetchone() is None:
                raise NotFoundError("There is no such player.")
            pieces, done = 0, set[int]()
            for match, _ in _sat_in(db, key):
                with transaction(db):
                    pieces += _delete(db, match)
                done.add(match)
            with transaction(db):
                sat_in = _sat_in(db, key)
                pieces += sum(_delete(db, match) for match, _ in sat_in if match not in done)
                _take_name(db, key)
            named_in = tuple(match for match, players in sat_in if not isinstance(players, dict))
            return Deleted(pieces, _cleared(db), named_in)

    def trim(self, most: int, at_once: int = TRIMMED_AT_ONCE) -> int:
        """Delete the oldest evidence until what is left takes no more than ``most`` bytes, and that of rounds which
        people marked "to look at" or disputed only when there is no other. At most so many bytes ``at_once``, so that
        nobody waits long. The file grows no shorter: its free pages are what the next pictures are written to. Returns
        how many rounds it was deleted of."""
        with self._opened() as db:
            over = min(_evidence_size(db) - most, at_once)
            rounds = 0
            for event, size in _rounds_to_trim(db):
                if over <= 0:
                    break
                with transaction(db):
                    db.execute("UPDATE evidence SET data = NULL WHERE event = ?", (event,))
                rounds, over = rounds + 1, over - size
            if rounds:
                _cleared(db)
            return rounds

    def settle(self) -> bool:
        """Put what is still in the log beside the journal where it belongs, and empty the log, so that nothing that was
        deleted is left in it. Whether that was possible."""
        with self._opened() as db:
            return _cleared(db)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        if is_new(self.path):
            raise JournalError(f"{self.path} is no journal of Throwlock: it is empty")
        if not all(may(one, os.W_OK) for one in (self.path, self.path.resolve().parent)):
            raise JournalError(f"{self.path} can't be written: give it and its folder to who changes it")
        with _ONE_AT_A_TIME, ExitStack() as until, in_words(self.path):
            held = _hold(self.path)
            if held:
                until.callback(held.release)
                check_whole(self.path)
                until.callback(lambda: not_needed(self.path))
            db = connected(self.path.resolve(), BUSY_S)
            until.callback(db.close)
            bring_up(db)
            yield db


def _hold(path: Path) -> Hold | None:
    """A hold, so that nobody copies the journal meanwhile to read it; None where a box has it, which is as good."""
    try:
        return Hold(path, wait_s=0)
    except JournalError:
        return None


def _evidence_size(db: sqlite3.Connection) -> int:
    """About how many bytes the evidence takes: what of the file is in use, less the events, whose bodies are taken to
    be as long as the newest. To add up every piece, all of them would have to be read from the card."""
    size, pages, free = (db.execute(f"PRAGMA {of}").fetchone()[0] for of in ("page_size", "page_count", FREE))
    events, long = db.execute(
        "SELECT max(number), avg(length(body)) FROM (SELECT number, body FROM event ORDER BY number DESC LIMIT ?)",
        (SAMPLED,),
    ).fetchone()
    return int(size * (pages - free)) - round((events or 0) * ((long or 0) + BESIDE_BODY))


def _rounds_to_trim(db: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """Rounds that have evidence and what it takes in bytes, the oldest first; those that people marked or disputed
    after all others."""
    spared = []
    for event, size in _rounds_with_pictures(db):
        if _wanted(db, event):
            spared.append((event, size))
        else:
            yield event, size
    yield from spared


def _rounds_with_pictures(db: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """Rounds that have evidence and what it takes in bytes, the oldest first, read a few at a time: an open query would
    keep the log from being emptied."""
    found = [(0, 0)]
    while found:
        found = db.execute(
            "SELECT event, sum(length(data)) FROM evidence WHERE event > ? AND data IS NOT NULL "
            "GROUP BY event ORDER BY event LIMIT ?",
            (found[-1][0], AT_A_TIME),
        ).fetchall()
        yield from found


def _wanted(db: sqlite3.Connection, event: int) -> bool:
    """Whether people marked a round "to look at", or disputed it."""
    (wanted,) = db.execute(
        "SELECT EXISTS (SELECT 1 FROM mark WHERE event = :round AND mark = :mark) OR EXISTS (SELECT 1 FROM event "
        "WHERE match = (SELECT match FROM event WHERE number = :round) AND kind IN (:correction, :upheld) "
        "AND body ->> '$.round' = :round)",
        {"round": event, "mark": str(Mark.TO_LOOK_AT), "correction": CORRECTION, "upheld": UPHELD},
    ).fetchone()
    return bool(wanted)


def _read(text: str) -> Mapping[str, Json]:
    try:
        body = json.loads(text)
    except (ValueError, TypeError):
        return {}
    return body if isinstance(body, dict) else {}


def _delete(db: sqlite3.Connection, match: int) -> int:
    """Delete a match's evidence; how many pieces there were."""
    return db.execute(
        "UPDATE evidence SET data = NULL WHERE data IS NOT NULL "
        "AND event IN (SELECT number FROM event WHERE match = ?)",
        (match,),
    ).rowcount


def _sat_in(db: sqlite3.Connection, key: str) -> list[tuple[int, Json]]:
    """The matches a player sat in, with what their first events have of the players."""
    found = []
    for number, body in matches_begun(db):
        players = body.get("players")
        try:
            keys = keys_in(db, players)
        except (TypeError, ValueError):
            continue  # throwlock verify says what is wrong with it
        if key in keys:
            found.append((number, players))
    return found


def _take_name(db: sqlite3.Connection, key: str) -> None:
    """Take a player's name away. The table is made anew: the pages of one that is dropped are overwritten as a whole,
    with what earlier changes of its rows may have left between them."""
    rows = db.execute("SELECT key, name FROM player ORDER BY rowid").fetchall()
    db.execute("DROP TABLE player")
    db.execute(PLAYER)
    db.executemany("INSERT INTO player VALUES (?, ?)", [(one, None if one == key else name) for one, name in rows])


def _cleared(db: sqlite3.Connection) -> bool:
    """Put everything from the log into the journal and empty the log, if nobody reads what was there before."""
    db.execute(f"PRAGMA busy_timeout = {round(CLEAR_S * 1000)}")
    for _ in range(TIMES):
        busy, *_rest = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return True
    return False
