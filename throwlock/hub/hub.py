"""A hub: stores what boxes send, answers them, assigns the matches of automatic tournaments, and publishes to each box
what it is to play.

Every hub assigns, with or without pages, and any number of them at the same time: whoever assigns holds the
tournaments' lock until the transaction ends."""

import logging
import secrets
import threading
from collections.abc import Callable, Collection
from contextlib import ExitStack
from typing import Any

import psycopg

from messages import shorten
from rules.tournaments.fixture import TournamentError
from throwlock.hall.protocol import Acknowledgement, encode, topic
from throwlock.hub.broker import BrokerAccess, BrokerConnection
from throwlock.hub.database import CHANGED, PAIRINGS, STORED, connect, follow, migrate
from throwlock.hub.ingest import Ingest
from throwlock.hub.pairings import busy_players, read_boxes, read_pairings
from throwlock.hub.quota import MAX_BOX_BYTES
from throwlock.hub.store import reread_events
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


class Hub:
    """A hub that runs from ``start`` to ``stop``. Any number of them may run at the same time.

    with Hub(dsn, access):
        …
    """

    def __init__(self, dsn: str, access: BrokerAccess, room: Callable[[], int] = lambda: MAX_BOX_BYTES) -> None:
        """``room`` returns how many bytes may be stored of a box. Raises AuthorityError if the certificate in
        ``access`` can't be read."""
        self._dsn = dsn
        self._stopped = threading.Event()
        self._all_changed = threading.Event()  # every box's pairings are to be published
        self._exit_stack = ExitStack()
        self._ingest = Ingest(dsn, self._answer, room, self._pause)
        self._assigner = Assigner(dsn)
        self._broker = BrokerConnection(access, self._ingest.put, self._all_changed.set)
        self._pairings_thread = threading.Thread(target=self._publish_pairings, name="pairings")

    @property
    def connected(self) -> threading.Event:
        """Set while the broker delivers what boxes send."""
        return self._broker.connected

    def __enter__(self) -> "Hub":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Bring the database up to this version and start. Raises DatabaseError if it can't be used now; once started,
        the hub waits for broker and database whenever they are away."""
        migrate(self._dsn)
        with connect(self._dsn) as connection:
            if count := reread_events(connection):
                logger.info("%d events of newer boxes are understood now", count)
            self._broker.subscribe(_read_ids(connection))
        self._exit_stack.enter_context(self._ingest)
        self._exit_stack.enter_context(self._broker)
        self._pairings_thread.start()
        self._exit_stack.callback(self._pairings_thread.join)
        self._exit_stack.callback(self._stopped.set)
        self._exit_stack.enter_context(self._assigner)

    def stop(self) -> None:
        """Stop. What is not yet stored stays with its boxes. May be called twice."""
        self._exit_stack.close()

    def _answer(self, box: str, stored: Acknowledgement) -> None:
        self._broker.publish(topic(box, "stored"), encode(stored))

    def _pause(self, box: str) -> None:
        self._broker.pause(box)

    def _publish_pairings(self) -> None:
        follow("pairings", self._dsn, (PAIRINGS,), self._publish, self._stopped, self._all_changed)

    def _publish(self, connection: psycopg.Connection, boxes: Collection[str]) -> None:
        """Publish what is to be played at ``boxes``, which may be new, without one at all boxes. When the broker was
        away, all boxes' pairings are published as soon as it is back."""
        if not boxes:
            boxes = _read_ids(connection)
        self._broker.subscribe(boxes)
        for box in sorted(boxes):
            try:
                pairings = read_pairings(connection, box)
            except psycopg.Error:
                raise
            except Exception:
                logger.exception("the pairings of %s can't be published", shorten(box))
            else:
                self._broker.publish(topic(box, "pairings"), encode(pairings), retain=True)


def _read_ids(connection: psycopg.Connection) -> list[str]:
    """Return the ids of all boxes, also of those that were removed, which are told so."""
    return [str(box) for (box,) in connection.execute("SELECT id FROM box")]
