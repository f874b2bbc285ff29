"""Who sits in a match: events name players by keys, and the names stand in a table under no hash, so that a player can
be forgotten while the chain stays whole. In journals of version 1 the names stand in the events."""

import secrets
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rules.engine import Json
from throwlock.journal.file import MARK, PLAYER, VERSION, version_in
from ui.text.verdicts import neutral


def named_alike(name: str) -> str:
    """What two spellings of a name have in common: the same for "Zoë" and " ZOË"."""
    return unicodedata.normalize("NFC", name).strip().casefold()


def take_seats(db: sqlite3.Connection, names: Sequence[str | None]) -> dict[str, str]:
    """The keys of a new match's players by seat, as "began" has them; whoever is new is put into the table. A name has
    the same key every time; where several in a match have one name, the first of them has the first of its keys, the
    second the second. None is a player who was forgotten before: nobody else will have that key."""
    keys: dict[str, str] = {}
    for seat, (name, key) in enumerate(zip(names, _keys_of(db, names), strict=True), 1):
        keys[str(seat)] = key or secrets.token_hex(8)
        if key is None:
            db.execute("INSERT INTO player VALUES (?, ?)", (keys[str(seat)], None if name is None else name.strip()))
    return keys


def _keys_of(db: sqlite3.Connection, names: Sequence[str | None]) -> Iterator[str | None]:
    """The key that each name has already."""
    there: dict[str, list[str]] = {}
    for key, name in db.execute("SELECT key, name FROM player WHERE name IS NOT NULL ORDER BY rowid"):
        there.setdefault(named_alike(name), []).append(key)
    for name in names:
        keys = there.get(named_alike(name), []) if name is not None else []
        yield keys.pop(0) if keys else None


def keys_in(db: sqlite3.Connection, players: Json) -> tuple[str | None, ...]:
    """The keys of a match's players in seat order; ``players`` as its first event has them. A match of version 1 has
    the keys that its names have now: None for those forgotten since, or before a table of players was made."""
    if isinstance(players, Mapping):
        return tuple(str(players[seat]) for seat in sorted(players, key=int))
    if version_in(db) == 1 or not isinstance(players, Sequence):
        return (None,) * (len(players) if isinstance(players, Sequence) else 0)
    return tuple(_keys_of(db, [str(name) for name in players]))


def names_in(db: sqlite3.Connection, players: Json) -> tuple[str, ...]:
    """The names of a match's players in seat order as people may see them now: somebody who was forgotten has a word
    for that, and of several with one name each has the seat's number after it."""
    keys = keys_in(db, players)
    if version_in(db) == 1:
        found = [str(name) for name in players] if isinstance(players, Sequence) else []
    else:
        rows = [db.execute("SELECT name FROM player WHERE key = ?", (key,)).fetchone() for key in keys]
        found = [row[0] if row and row[0] else neutral(seat) for seat, row in enumerate(rows, 1)]
    alike = Counter(map(named_alike, found))
    return tuple(name if alike[named_alike(name)] == 1 else f"{name} ({seat})" for seat, name in enumerate(found, 1))


def upgrade(db: sqlite3.Connection, earlier: Sequence[Json]) -> None:
    """Bring tables of version 1 up to date; ``earlier`` are the players of every match so far. In a transaction of the
    caller's."""
    for statement in f"{PLAYER}{MARK}".split(";"):
        db.execute(statement)
    for players in earlier:
        if isinstance(players, Sequence) and not isinstance(players, str):
            take_seats(db, [str(name) for name in players])
    db.execute(f"PRAGMA user_version = {VERSION}")
