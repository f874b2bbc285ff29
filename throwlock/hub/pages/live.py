"""What keeps a hall's pages up to date: when PostgreSQL notifies that something has changed, one thread reads what the
public pages show, for everybody who looks, and wakes the organiser's pages, which read more than that."""

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

import psycopg

from throwlock.hub.database import CHANGED, PAIRINGS, STORED, connect, follow
from throwlock.hub.pages.access import read_access
from throwlock.hub.pages.tournament_pages import HallTournamentPage, read_round_counts, tournament_page
from throwlock.hub.pairings import read_boxes
from throwlock.hub.tournament_cache import TournamentCache
from ui.web.live import Viewers

MAX_VIEWERS = 500
"""Pages that are kept up to date at once."""
MAX_TOURNAMENTS = 20
"""Tournaments that the public pages have: the newest."""
MIN_INTERVAL_S = 0.5
"""Between two readings: what comes meanwhile is read at once."""


@dataclass(frozen=True)
class HallSnapshot:
    """What the public pages show."""

    number: int = 0
    """Another one only if it differs from the last snapshot."""
    is_public: bool = False
    """Whether everybody on the network may see the results."""
    code: str = ""
    """What viewers type where they may not."""
    password: str = ""
    """The organiser's, hashed."""
    tournaments: tuple[HallTournamentPage, ...] = ()
    """The newest first."""

    @property
    def current(self) -> HallTournamentPage | None:
        """The newest tournament that is not over; else the newest of all."""
        still_open = [page for page in self.tournaments if page.is_open]
        return next(iter((*still_open, *self.tournaments)), None)


class LiveSnapshot:
    """The snapshot that pages show, read again from ``start`` to ``stop`` when something changes. Any thread may call
    it. ``addresses`` returns the pages' URLs, the likeliest first."""

    def __init__(
        self, dsn: str, addresses: Callable[[], tuple[str, ...]] = tuple, max_viewers: int = MAX_VIEWERS
    ) -> None:
        self.dsn, self.addresses = dsn, addresses
        self.viewers = Viewers(max_viewers)
        """Woken when the snapshot has changed."""
        self.organisers = Viewers(max_viewers)
        """Woken when anything may have changed: also what the public pages don't show, such as who is checked in."""
        self.refresh_count = 0
        self._snapshot = HallSnapshot()
        self._cache = TournamentCache()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="hall pages", daemon=True)

    def start(self) -> None:
        """Read everything, and follow what changes. Raises DatabaseError."""
        with connect(self.dsn) as connection:
            self.refresh(connection)
        self.viewers.open()
        self.organisers.open()
        self._thread.start()

    def stop(self) -> None:
        """Stop: the streams end."""
        self._stopped.set()
        self.viewers.close()
        self.organisers.close()
        if self._thread.is_alive():
            self._thread.join()

    def newest(self) -> HallSnapshot:
        """Return what is shown now."""
        return self._snapshot

    def _follow(self) -> None:
        follow("the hall's pages", self.dsn, (STORED, CHANGED, PAIRINGS), self._refresh, self._stopped)

    def _refresh(self, connection: psycopg.Connection[Any], _: Collection[str]) -> None:
        self.refresh(connection)
        self._stopped.wait(MIN_INTERVAL_S)

    def refresh(self, connection: psycopg.Connection[Any]) -> None:
        """Read what the public pages show, and wake whoever sees something else now. Raises psycopg.Error."""
        with connection.transaction():
            access = read_access(connection)
            pages = self._read_pages(connection)
        fresh = HallSnapshot(self._snapshot.number, access.is_public, access.code, access.password, pages)
        if fresh != self._snapshot:
            self._snapshot = replace(fresh, number=fresh.number + 1)
            self.viewers.wake()
        self.refresh_count += 1
        self.organisers.wake()

    def _read_pages(self, connection: psycopg.Connection[Any]) -> tuple[HallTournamentPage, ...]:
        boxes = {box.id: box for box in read_boxes(connection, with_removed=True)}
        rounds = read_round_counts(connection)
        newest = connection.execute("SELECT id FROM tournament ORDER BY id DESC LIMIT %s", (MAX_TOURNAMENTS,))
        tournaments = self._cache.read(connection, [number for (number,) in newest])
        return tuple(tournament_page(tournament, boxes, rounds) for tournament in tournaments)
