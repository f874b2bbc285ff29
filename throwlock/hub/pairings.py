"""Pairings: which match is played at which box. A box has what it was assigned until it has played it, or the organiser
takes it back, also when it is lost meanwhile: nobody else can know whether it plays on."""

import secrets
from dataclasses import dataclass
from typing import Any

from psycopg import Connection
from psycopg.rows import class_row

from messages import N, shorten
from rules.catalogue import find_game
from rules.record.tournament import TournamentStarted
from rules.tournaments.fixture import FixtureId, TournamentError
from throwlock.hall.protocol import HallPlayer, Pairing, Pairings
from throwlock.hub.tournament_log import PairingGiven
from throwlock.hub.tournaments import (
    FORGOTTEN_NAME,
    HallTournament,
    decide,
    lock_tournaments,
    read_hall_tournament,
)

MAX_QUEUED_PAIRINGS = 8
"""Pairings that a box can have before it; a message has room for 32."""


@dataclass(frozen=True)
class HallBox:
    """A box as the hub knows it."""

    id: str
    table_name: str
    state: str
    """Homie's state of the device."""
    properties: dict[str, Any]
    """Homie's properties: "box/match" is what is played."""
    open_pairings: int
    """How many pairings the box has before it."""

    @property
    def is_free(self) -> bool:
        """Whether it is there, and has nothing to play."""
        return self.state == "ready" and not self.properties.get("box/match") and not self.open_pairings


def read_boxes(connection: Connection[Any], *, with_removed: bool = False) -> list[HallBox]:
    """Return the boxes in the order of their tables: "Table 2" before "Table 10". A box that was removed is assigned
    nothing; whatever it has played keeps its table's name."""
    with connection.cursor(row_factory=class_row(HallBox)) as cursor:
        return cursor.execute(
            """SELECT id, table_name, state, properties,
                (SELECT count(*) FROM open_pairing WHERE box = box.id) AS open_pairings
            FROM box WHERE removed_at IS NULL OR %s ORDER BY length(table_name), table_name, id""",
            (with_removed,),
        ).fetchall()


def read_pairings(connection: Connection[Any], box: str) -> Pairings:
    """Return what is to be played at a box, in the order in which it was assigned. Of a box that there is not:
    nothing, at a table without a name."""
    row = connection.execute("SELECT table_name FROM box WHERE id = %s", (box,)).fetchone()
    rows = connection.execute(
        """SELECT open_pairing.id, players, fixture, started.body::text AS started,
            (SELECT jsonb_object_agg(id, name) FROM player WHERE id = ANY (players)) AS names
        FROM open_pairing
        JOIN tournament_event AS started ON started.tournament = open_pairing.tournament AND started.number = 1
        WHERE box = %s ORDER BY given_at, open_pairing.id LIMIT 32""",
        (box,),
    )
    return Pairings(table=row[0] if row else "", pairings=tuple(_pairing(*row) for row in rows))


def _pairing(key: str, players: list[str], fixture: str, started: str, names: dict[str, str]) -> Pairing:
    body = TournamentStarted.model_validate_json(started)
    return Pairing(
        id=key,
        tournament=body.title or find_game(body.game).title,
        round=FixtureId.parse(fixture).round,
        game=body.game,
        options=body.options,
        players=tuple(HallPlayer(id=player, name=names[player] or FORGOTTEN_NAME) for player in players),
    )


def assign(connection: Connection[Any], number: int, fixture: FixtureId, box: str, by: str) -> HallTournament:
    """Assign a fixture of tournament ``number`` to a box, and return the tournament after it.

    Raises:
        TournamentError: It can't be played now, one of its players plays somewhere else, there is no such box, or it
            has too many pairings before it. Nothing was written.
    """
    lock_tournaments(connection)
    boxes = {box.id: box for box in read_boxes(connection)}
    if box not in boxes:
        raise TournamentError(N("there is no box {name} in this hall", name=shorten(box)))
    if boxes[box].open_pairings >= MAX_QUEUED_PAIRINGS:
        raise TournamentError(
            N("{table} has {count} matches to play already", table=boxes[box].table_name, count=MAX_QUEUED_PAIRINGS)
        )
    tournament = read_hall_tournament(connection, number)
    chosen = tournament.record.state.fixture(fixture)
    if chosen.id in tournament.open:
        raise TournamentError(N("match {name} is assigned already", name=fixture))
    busy = busy_players(connection)
    for player in chosen.present:
        if tournament.record.keys[player - 1] in busy:
            raise TournamentError(N("{name} plays somewhere else", name=tournament.record.name(player)))
    given = PairingGiven(pairing=secrets.token_hex(16), fixture=fixture, box=box, players=chosen.present)
    return decide(connection, number, given, by)


def busy_players(connection: Connection[Any]) -> set[str]:
    """Return the ids of those who play, or are to play, somewhere."""
    return {key for (key,) in connection.execute("SELECT DISTINCT unnest(players) FROM open_pairing")}
