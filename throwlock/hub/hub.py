"""A hub: stores what boxes send, answers them, and publishes what is to be played at each."""

import logging
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack

import psycopg

from messages import shorten
from throwlock.hall.protocol import Acknowledgement, Pairings, encode, topic
from throwlock.hub.broker import BrokerAccess, BrokerConnection
from throwlock.hub.database import DatabaseError, connect, migrate
from throwlock.hub.ingest import RETRY_S, Ingest
from throwlock.hub.store import reread_events

logger = logging.getLogger(__name__)

PAIRINGS_CHANNEL = "pairings"
"""PostgreSQL's channel on which a box's id is notified when what is to be played there has changed."""
NOTIFICATION_CHECK_S = 0.5
"""Interval at which the thread that waits for notifications looks whether to end."""

ReadPairings = Callable[[psycopg.Connection, str], Pairings]
"""Returns what is to be played at a box."""


class Hub:
    """A hub that runs from ``start`` to ``stop``. Any number of them may run at the same time.

    with Hub(dsn, access, read_pairings):
        …
    """

    def __init__(self, dsn: str, access: BrokerAccess, read_pairings: ReadPairings) -> None:
        """Raises BrokerError if ``access`` can't be used."""
        self._dsn, self._read_pairings = dsn, read_pairings
        self._stopped = threading.Event()
        self._all_changed = threading.Event()  # every box's pairings are to be published
        self._exit_stack = ExitStack()
        self._ingest = Ingest(dsn, self._answer)
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
        self._exit_stack.enter_context(self._ingest)
        self._exit_stack.enter_context(self._broker)
        self._pairings_thread.start()
        self._exit_stack.callback(self._pairings_thread.join)
        self._exit_stack.callback(self._stopped.set)

    def stop(self) -> None:
        """Stop. What is not yet stored stays with its boxes. May be called twice."""
        self._exit_stack.close()

    def _answer(self, box: str, stored: Acknowledgement) -> None:
        self._broker.publish(topic(box, "stored"), encode(stored))

    def _publish_pairings(self) -> None:
        pause = RETRY_S[0]
        while not self._stopped.is_set():
            try:
                with connect(self._dsn, autocommit=True) as listening, connect(self._dsn, autocommit=True) as reading:
                    listening.execute(f"LISTEN {PAIRINGS_CHANNEL}")
                    self._all_changed.set()
                    pause = RETRY_S[0]
                    while not self._stopped.is_set():
                        self._publish_changed(listening, reading)
            except (DatabaseError, psycopg.Error) as error:
                logger.warning("pairings: trying again: %s", shorten(str(error), 200))
                self._stopped.wait(pause)
                pause = min(2 * pause, RETRY_S[1])

    def _publish_changed(self, listening: psycopg.Connection, reading: psycopg.Connection) -> None:
        """Publish the pairings that have changed, after waiting a moment for them."""
        boxes = {notify.payload for notify in listening.notifies(timeout=NOTIFICATION_CHECK_S, stop_after=1)}
        if self._broker.connected.is_set() and self._all_changed.is_set():
            self._all_changed.clear()
            boxes = {str(box) for (box,) in reading.execute("SELECT id FROM box")}
        self._publish(reading, boxes)

    def _publish(self, reading: psycopg.Connection, boxes: Iterable[str]) -> None:
        for box in sorted(boxes):
            try:
                pairings = self._read_pairings(reading, box)
            except psycopg.Error:
                raise
            except Exception:
                logger.exception("the pairings of %s can't be published", shorten(box))
            else:
                self._broker.publish(topic(box, "pairings"), encode(pairings), retain=True)
