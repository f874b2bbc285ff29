"""The players of a hall: the hub gives each an id, which boxes and journals know, and a code to check in with. Their
names are here and nowhere else."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import Connection

from errors import ThrowlockError
from messages import N, shorten
from throwlock.hub.store import delete_lost_pictures
from ui.text.names import check_name, normalise_name
from ui.web.access_code import CODE_LENGTH, format_code, generate_code


class RegisteredPlayerError(ThrowlockError, ValueError):
    """A player can't be added, found or renamed. The message says why."""


@dataclass(frozen=True)
class RegisteredPlayer:
    """A player of the hall."""

    id: str
    name: str
    """Empty once the player is forgotten."""
    code: str
    """As shown, in two halves."""
    checked_in_at: datetime | None = None
    """None before the player has checked in."""

    @property
    def is_present(self) -> bool:
        """Whether the player is checked in."""
        return self.checked_in_at is not None


def read_players(connection: Connection[Any]) -> list[RegisteredPlayer]:
    """Return all players who are not forgotten, by name."""
    rows = connection.execute(
        "SELECT id, name, code, checked_in_at FROM player WHERE normal_name IS NOT NULL ORDER BY normal_name"
    )
    return [RegisteredPlayer(key, name, format_code(code), at) for key, name, code, at in rows]


def read_names(connection: Connection[Any]) -> dict[str, str]:
    """Return the names of all players by id; "" for those who are forgotten."""
    return dict(connection.execute("SELECT id, name FROM player").fetchall())


def add_players(connection: Connection[Any], names: Iterable[str]) -> list[str]:
    """Add players, and return their ids in order; whoever is known keeps theirs. Raises NameTextError, and adds none,
    if a name can't be shown."""
    rows: list[tuple[str]] = []
    with connection.transaction():
        for name in [check_name(line) for line in names]:
            connection.execute(
                "INSERT INTO player (id, name, normal_name, code) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT (normal_name) DO NOTHING",
                (secrets.token_hex(16), name, normalise_name(name), generate_code()),
            )
            rows += connection.execute("SELECT id FROM player WHERE normal_name = %s", (normalise_name(name),))
    return [key for (key,) in rows]


def find_player(connection: Connection[Any], text: str) -> RegisteredPlayer:
    """Return the player with this code, as a scanner or people type it, or this name. Raises RegisteredPlayerError."""
    code = "".join(letter for letter in text.upper() if letter.isalnum())[: CODE_LENGTH + 1]
    row = connection.execute(
        "SELECT id, name, code, checked_in_at FROM player WHERE code = %s OR normal_name = %s "
        "ORDER BY code = %s DESC LIMIT 1",
        (code, normalise_name(text.replace("\0", "")), code),
    ).fetchone()
    if row is None or not row[1]:
        raise RegisteredPlayerError(N("nobody in this hall has the name or code {text}", text=shorten(text, 40)))
    return RegisteredPlayer(row[0], row[1], format_code(row[2]), row[3])


def check_in(connection: Connection[Any], player: str, *, present: bool) -> None:
    """Note that a player is there, or has left. Raises RegisteredPlayerError if there is no such player."""
    _change(
        connection,
        "UPDATE player SET checked_in_at = CASE WHEN %s THEN coalesce(checked_in_at, now()) END WHERE id = %s",
        (present, player),
    )


def check_everybody_out(connection: Connection[Any]) -> None:
    """Note that nobody is there: an evening is over."""
    connection.execute("UPDATE player SET checked_in_at = NULL WHERE checked_in_at IS NOT NULL")


def rename_player(connection: Connection[Any], player: str, name: str) -> None:
    """Change a player's name, which boxes are told as well. Raises NameTextError, and RegisteredPlayerError: the name
    is taken."""
    name, normal_name = check_name(name), normalise_name(name)
    taken = connection.execute(
        "SELECT 1 FROM player WHERE normal_name = %s AND id <> %s", (normal_name, player)
    ).fetchone()
    if taken:
        raise RegisteredPlayerError(N("{name} is in this hall already", name=name))
    _change(connection, "UPDATE player SET name = %s, normal_name = %s WHERE id = %s", (name, normal_name, player))


def forget_player(connection: Connection[Any], player: str) -> None:
    """Delete a player's name, and the pictures of their matches, for good. Their results stay, of somebody without a
    name. Raises RegisteredPlayerError."""
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute("SELECT FROM box ORDER BY id FOR NO KEY UPDATE")  # no picture is stored meanwhile
        _change(
            connection,
            "UPDATE player SET name = '', normal_name = NULL, code = %s, checked_in_at = NULL WHERE id = %s",
            (f"-{player}", player),
        )
        delete_lost_pictures(cursor)


def _change(connection: Connection[Any], statement: str, values: tuple[object, ...]) -> None:
    if connection.execute(statement.encode(), values).rowcount != 1:
        raise RegisteredPlayerError(N("there is no such player in this hall"))
