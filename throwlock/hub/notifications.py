"""Waits for PostgreSQL's notifications, and connects again whenever the database was away."""

import logging
import threading
from collections.abc import Callable, Collection, Sequence

import psycopg

from errors import ThrowlockError
from messages import shorten
from throwlock.hub.database import connect
from throwlock.net import Backoff

logger = logging.getLogger(__name__)

STORED, CHANGED, PAIRINGS = "stored", "changed", "pairings"
"""Channels: events or a problem of a box were stored; something else that tournaments or pages depend on has changed;
what is to be played at a box has changed. The payload of the first and the last is the box's id."""
CHECK_INTERVAL_S = 0.5
"""Interval at which a thread that waits for notifications looks whether to end."""
RETRY_S = 0.5, 30.0
"""Shortest and longest pause before the next attempt to reach the database; it doubles in between."""

Work = Callable[[psycopg.Connection, Collection[str]], object]
"""Called with a connection in autocommit mode and the payloads that have come: none if anything may have changed."""


def follow(
    name: str,
    dsn: str,
    channels: Sequence[str],
    work: Work,
    stopped: threading.Event,
    anything: threading.Event | None = None,
) -> None:
    """Call ``work`` after notifications, until ``stopped`` is set; with no payload when connected and whenever
    ``anything`` is set. What it raises is logged with ``name``; after a pause the database is connected to again."""
    anything = anything or threading.Event()
    backoff = Backoff(*RETRY_S)
    while not stopped.is_set():
        try:
            with connect(dsn, autocommit=True) as listening, connect(dsn, autocommit=True) as working:
                for channel in channels:
                    listening.execute(f"LISTEN {channel}")
                anything.set()
                payloads: Collection[str] = ()
                while not stopped.is_set():
                    if anything.is_set():
                        anything.clear()
                        work(working, ())
                    elif payloads:
                        work(working, payloads)
                    backoff.reset()
                    payloads = {note.payload for note in listening.notifies(timeout=CHECK_INTERVAL_S, stop_after=1)}
        except (ThrowlockError, psycopg.Error) as error:
            logger.warning("%s: trying again: %s", name, shorten(str(error), 200))
        except Exception:
            logger.exception("%s: trying again", name)
        else:
            return
        stopped.wait(backoff.pause_s)
        backoff.lengthen()
