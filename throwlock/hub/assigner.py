"""Automatic pairing: assigns what can be played to free boxes. Every hub does it, with or without pages, and any number
of them at the same time: whoever assigns holds the tournaments' lock until the transaction ends."""

import logging
import secrets
import threading
from collections.abc import Collection
from typing import Any

import psycopg

from messages import shorten
from rules.tournaments.fixture import TournamentError
from throwlock.hub.database import CHANGED, STORED, follow
from throwlock.hub.pairings import busy_players, read_boxes
from throwlock.hub.tournament_cache import TournamentCache
from throwlock.hub.tournament_log import LogBody, PairingGiven
from throwlock.hub.tournaments import HallTournament, lock_tournaments, plan, write_decisions

logger = logging.getLogger(__name__)

AUTOMATIC = "automatic"
"""Who assigns pairings where no organiser does."""
MIN_INTERVAL_S = 0.5
"""Shortest time between two looks: what changes meanwhile is dealt with together."""
WATCHED_TOURNAMENTS = 20
"""Of the tournaments that are over, the newest so many are looked at again: a correction can reopen one."""


class Assigner:
    """Assigns, in a thread of its own while it is entered, whenever something has changed in the database.

    with Assigner(dsn):
        …
    """

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._cache = TournamentCache()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="assigner")

    def __enter__(self) -> "Assigner":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        follow("automatic pairing", self._dsn, (STORED, CHANGED), self._assign, self._stopped)

    def _assign(self, connection: psycopg.Connection, _: Collection[str]) -> None:
        assign_ready(connection, self._cache)
        self._stopped.wait(MIN_INTERVAL_S)


def assign_ready(connection: psycopg.Connection[Any], cache: TournamentCache | None = None) -> int:
    """Assign what can be played to free boxes, in the tournaments that are automatic, note which tournaments are over,
    and return how many pairings were assigned. Raises psycopg.Error: nothing was assigned then."""
    cache = cache or TournamentCache()
    with connection.transaction():
        if not _is_due(connection, cache):
            return 0
        lock_tournaments(connection)  # others may have assigned meanwhile: everything is read again
        is_over = _read_watched(connection)
        tournaments = cache.read(connection, is_over)
        for tournament in tournaments:
            number, is_open = tournament.record.number, tournament.record.is_open
            if is_over[number] is is_open:
                connection.execute("UPDATE tournament SET is_over = %s WHERE id = %s", (not is_open, number))
        free = [box.id for box in read_boxes(connection) if box.is_free]
        busy = busy_players(connection)
        return sum(
            _assign_tournament(connection, tournament, free, busy)
            for tournament in reversed(tournaments)
            if tournament.is_automatic
        )


def _is_due(connection: psycopg.Connection[Any], cache: TournamentCache) -> bool:
    """Return whether there is anything to write, without the lock that others wait for."""
    is_over = _read_watched(connection)
    tournaments = cache.read(connection, is_over)
    if any(is_over[tournament.record.number] is tournament.record.is_open for tournament in tournaments):
        return True
    can_assign = any(tournament.is_automatic and tournament.ready for tournament in tournaments)
    return can_assign and any(box.is_free for box in read_boxes(connection))


def _read_watched(connection: psycopg.Connection[Any]) -> dict[int, bool]:
    """Return whether each tournament that may have changed was over when it was last looked at."""
    rows = connection.execute(
        "SELECT id, is_over FROM tournament "
        "WHERE NOT is_over OR id IN (SELECT id FROM tournament ORDER BY id DESC LIMIT %s)",
        (WATCHED_TOURNAMENTS,),
    )
    return dict(rows.fetchall())


def _assign_tournament(
    connection: psycopg.Connection[Any], tournament: HallTournament, free: list[str], busy: set[str]
) -> int:
    """Assign a tournament's fixtures, remove their boxes from ``free``, add their players' ids to ``busy``, and return
    how many there were."""
    bodies: list[LogBody] = []
    assigned: list[tuple[PairingGiven, set[str]]] = []
    for fixture in tournament.ready:
        players = {tournament.record.keys[player - 1] for player in fixture.present}
        if len(assigned) == len(free) or players & busy.union(*(others for _, others in assigned)):
            continue
        pairing = PairingGiven(
            pairing=secrets.token_hex(16), fixture=fixture.id, box=free[len(assigned)], players=fixture.present
        )
        bodies += [body for body in plan(tournament, pairing) if body not in bodies]
        assigned.append((pairing, players))
    if not bodies:
        return 0
    try:
        with connection.transaction():
            write_decisions(connection, tournament, bodies, AUTOMATIC)
    except TournamentError as error:  # one tournament that doesn't fit must not stop the others
        logger.warning("tournament %d: nothing is assigned: %s", tournament.record.number, shorten(str(error), 200))
        return 0
    del free[: len(assigned)]
    busy.update(*(players for _, players in assigned))
    return len(assigned)
