"""Players' names: events refer to players by keys, and the names are in a table outside the hash chain. A key is the
hash of a name with a random salt: so the chain proves the name, yet reveals nothing about it once name and salt are
deleted, and stays whole."""

import hashlib
import re
import secrets
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence

from messages import join
from throwlock.journal.hash_chain import canonical_json
from ui.text.names import normalise_name
from ui.text.verdicts import default_name

SALT_BYTES = 16


def is_default_name(name: str) -> bool:
    """Return whether a name is a seat's default, such as "Player 2"."""
    number = re.search("[0-9]{1,7}$", name.strip())
    return number is not None and normalise_name(name) == normalise_name(str(default_name(int(number[0]))))


def player_key(salt: str, name: str) -> str:
    """Return the key of a player: the SHA-256, hexadecimal, of the JSON list of ``salt`` and ``name`` as stored."""
    return hashlib.sha256(canonical_json([salt, name]).encode()).hexdigest()


def is_original_name(key: str, salt: str | None, name: str | None) -> bool:
    """Return whether ``key`` was made from ``salt`` and ``name``, or the player is forgotten: both are None."""
    if salt is None or name is None:
        return salt is None and name is None
    return player_key(salt, name) == key


def assign_player_keys(db: sqlite3.Connection, names: Sequence[str | None]) -> dict[int, str]:
    """Return the keys of a new match's players by seat, as the body of ``started`` has them, and insert new players. A
    name always has the same key; of several players with one name, the first gets its first key, the second its second.
    None is a forgotten player, who gets a new random key."""
    keys: dict[int, str] = {}
    for seat, (name, key) in enumerate(zip(names, _find_keys(db, names), strict=True), 1):
        keys[seat] = _insert_player(db, name) if key is None else key
    return keys


def _insert_player(db: sqlite3.Connection, name: str | None) -> str:
    if name is None:
        row: tuple[str, str | None, str | None] = secrets.token_hex(hashlib.sha256().digest_size), None, None
    else:
        salt, name = secrets.token_hex(SALT_BYTES), name.strip()
        row = player_key(salt, name), salt, name
    db.execute("INSERT INTO player VALUES (?, ?, ?)", row)
    return row[0]


def _find_keys(db: sqlite3.Connection, names: Sequence[str | None]) -> Iterator[str | None]:
    """Yield each name's existing key, or None."""
    keys_by_name: dict[str, list[str]] = {}
    for key, name in db.execute("SELECT key, name FROM player WHERE name IS NOT NULL ORDER BY rowid"):
        keys_by_name.setdefault(normalise_name(name), []).append(key)
    for name in names:
        keys = keys_by_name.get(normalise_name(name), []) if name is not None else []
        yield keys.pop(0) if keys else None


def display_names(db: sqlite3.Connection, keys: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a match's players, given their keys in seat order, for display: "Player N", in the language
    of the screen, for a forgotten one or one who gave no name; equal names get the seat number appended."""
    rows = [db.execute("SELECT name FROM player WHERE key = ?", (key,)).fetchone() for key in keys]
    names = [
        row[0] if row and row[0] and row[0] != default_name(seat) else default_name(seat)
        for seat, row in enumerate(rows, 1)
    ]
    counts = Counter(map(normalise_name, names))
    return tuple(
        name if counts[normalise_name(name)] == 1 else join([name, f"({seat})"]) for seat, name in enumerate(names, 1)
    )
