"""What a hall's public pages show, kept up to date: one thread reads it from the database for everybody who looks, when
PostgreSQL notifies that something has changed. It also gives out what can be played, where that is switched on."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import psycopg

from errors import ThrowlockError
from messages import shorten
from rules.engine import IllegalSetupError
from rules.tournaments.events import TournamentError
from throwlock.hub.database import connect, translate_errors
from throwlock.hub.pages.access import read_access
from throwlock.hub.pages.desk import Desk
from throwlock.hub.pages.tournament_pages import read_progress, tournament_page
from throwlock.hub.pairings import give_out, read_boxes
from throwlock.hub.tournaments import HallTournament, read_hall_tournament
from ui.web.hall.view import HallDesk, HallSnapshot, HallTournamentPage
from ui.web.live import Viewers

logger = logging.getLogger(__name__)

MAX_VIEWERS = 500
"""Pages that are kept up to date at once."""
MAX_TOURNAMENTS = 20
"""Tournaments that the public pages have: the newest."""
MIN_INTERVAL_S = 0.5
"""Between two readings: what comes meanwhile is read at once."""
CHECK_INTERVAL_S = 0.5
RETRY_S = 1.0, 30.0
"""Pauses before the database is tried again: the first and the longest."""

Stamp = tuple[object, ...]
"""What a tournament follows from, counted: with the same stamp it is the same."""


@dataclass(frozen=True)
class _Read:
    stamp: Stamp
    tournament: HallTournament


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
        self._read: dict[int, _Read] = {}
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
        pause = RETRY_S[0]
        while not self._stopped.is_set():
            try:
                with connect(self._dsn, autocommit=True) as listening, connect(self._dsn) as reading:
                    for channel in ("stored", "changed", "pairings"):
                        listening.execute(f"LISTEN {channel}")
                    self.refresh(reading)
                    pause = RETRY_S[0]
                    while not self._stopped.is_set():
                        if any(True for _ in listening.notifies(timeout=CHECK_INTERVAL_S, stop_after=1)):
                            self.refresh(reading)
                            self._stopped.wait(MIN_INTERVAL_S)
            except (ThrowlockError, psycopg.Error) as error:
                logger.warning("the hall's pages: trying again: %s", shorten(str(error), 200))
                self._stopped.wait(pause)
                pause = min(2 * pause, RETRY_S[1])
            except Exception:
                logger.exception("the hall's pages")
                self._stopped.wait(RETRY_S[1])

    def refresh(self, connection: psycopg.Connection[Any]) -> None:
        """Give out what can be played, and read what pages show. Raises psycopg.Error."""
        with connection.transaction():
            give_out(connection)
            access = read_access(connection)
            pages = self._read_pages(connection)
        fresh = HallSnapshot(self._snapshot.number, access.is_public, access.code, access.password, pages)
        if fresh != self._snapshot:
            self._snapshot = replace(fresh, number=fresh.number + 1)
            self.viewers.wake()

    def _read_pages(self, connection: psycopg.Connection[Any]) -> tuple[HallTournamentPage, ...]:
        boxes = {box.id: box for box in read_boxes(connection, with_removed=True)}
        rounds = read_progress(connection)
        newest: dict[int, _Read] = {}
        for number, stamp in _read_stamps(connection):
            found = self._read.get(number)
            try:
                if found is None or found.stamp != stamp:
                    found = _Read(stamp, read_hall_tournament(connection, number))
                    connection.execute(
                        "UPDATE tournament SET is_over = %s WHERE id = %s AND is_over <> %s",
                        (not found.tournament.record.is_open, number, not found.tournament.record.is_open),
                    )
                newest[number] = found
            except (TournamentError, IllegalSetupError) as error:  # of a game that is installed no more
                logger.warning("tournament %d is left out: %s", number, shorten(str(error), 200))
        self._read = newest
        return tuple(tournament_page(one.tournament, boxes, rounds) for one in newest.values())


def _read_stamps(connection: psycopg.Connection[Any]) -> list[tuple[int, Stamp]]:
    """Return the newest tournaments, the newest first, with what they follow from."""
    rows = connection.execute(
        """SELECT id, is_automatic, (SELECT count(*) FROM tournament_event WHERE tournament = newest.id),
            (
                SELECT array_agg((journal, number) ORDER BY journal, number)::text
                FROM pairing_match JOIN event USING (journal, match)
                WHERE tournament = newest.id AND event.kind IN ('match_started', 'match_ended', 'match_abandoned')
            ),
            (
                SELECT string_agg(player.name, ',' ORDER BY entered.number) FROM tournament_event AS entered
                JOIN player ON player.id = entered.body ->> 'player'
                WHERE tournament = newest.id AND kind = 'hall_player_entered'
            )
        FROM (SELECT * FROM tournament ORDER BY id DESC LIMIT %s) AS newest ORDER BY id DESC""",
        (MAX_TOURNAMENTS,),
    )
    return [(number, tuple(stamp)) for number, *stamp in rows]
