"""What a hall's public pages show, kept up to date: one thread reads it from the database for everybody who looks, when
PostgreSQL notifies that something has changed."""

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import psycopg

from throwlock.hub.database import connect, translate_errors
from throwlock.hub.notifications import CHANGED, PAIRINGS, STORED, follow
from throwlock.hub.pages.access import read_access
from throwlock.hub.pages.desk import Desk
from throwlock.hub.pages.tournament_pages import read_progress, tournament_page
from throwlock.hub.pairings import read_boxes
from throwlock.hub.tournament_cache import TournamentCache
from ui.web.events import Viewers
from ui.web.hall.view import HallDesk, HallSnapshot, HallTournamentPage

MAX_VIEWERS = 500
"""Pages that are kept up to date at once."""
MAX_TOURNAMENTS = 20
"""Tournaments that the public pages have: the newest."""
MIN_INTERVAL_S = 0.5
"""Between two readings: what comes meanwhile is read at once."""


class HallLive:
    """What the pages need (``HallHost``), kept up to date from ``start`` to ``stop``. Any thread may call it.
    ``addresses`` returns the pages' URLs."""

    def __init__(
        self, dsn: str, addresses: Callable[[], tuple[str, ...]] = tuple, max_viewers: int = MAX_VIEWERS
    ) -> None:
        self.addresses = addresses
        self.viewers = Viewers(max_viewers)
        self._dsn = dsn
        self._snapshot = HallSnapshot()
        self._cache = TournamentCache()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="hall pages", daemon=True)

    def start(self) -> None:
        """Read everything, and follow what changes. Raises DatabaseError."""
        with connect(self._dsn) as connection:
            self.refresh(connection)
        self._thread.start()

    def stop(self) -> None:
        """Stop: the streams end."""
        self._stopped.set()
        self.viewers.wake()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def is_open(self) -> bool:
        """See LiveSource."""
        return not self._stopped.is_set()

    def newest(self) -> HallSnapshot:
        """See LiveSource."""
        return self._snapshot

    @contextmanager
    def open_desk(self, by: str) -> Iterator[HallDesk]:
        """See HallHost. Raises DatabaseError."""
        with connect(self._dsn) as connection, translate_errors(), connection.transaction():
            yield Desk(connection, by)

    def _follow(self) -> None:
        follow("the hall's pages", self._dsn, (STORED, CHANGED, PAIRINGS), self._refresh, self._stopped)

    def _refresh(self, connection: psycopg.Connection[Any], _: Collection[str]) -> None:
        self.refresh(connection)
        self._stopped.wait(MIN_INTERVAL_S)

    def refresh(self, connection: psycopg.Connection[Any]) -> None:
        """Read what pages show. Raises psycopg.Error."""
        with connection.transaction():
            access = read_access(connection)
            pages = self._read_pages(connection)
        fresh = HallSnapshot(self._snapshot.number, access.is_public, access.code, access.password, pages)
        if fresh != self._snapshot:
            self._snapshot = replace(fresh, number=fresh.number + 1)
            self.viewers.wake()

    def _read_pages(self, connection: psycopg.Connection[Any]) -> tuple[HallTournamentPage, ...]:
        boxes = {box.id: box for box in read_boxes(connection, with_removed=True)}
        rounds = read_progress(connection)
        newest = connection.execute("SELECT id FROM tournament ORDER BY id DESC LIMIT %s", (MAX_TOURNAMENTS,))
        tournaments = self._cache.read(connection, [number for (number,) in newest])
        return tuple(tournament_page(tournament, boxes, rounds) for tournament in tournaments)
