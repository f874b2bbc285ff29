"""A hub: stores what boxes send, answers them, assigns the matches of automatic tournaments, and publishes to each box
what it is to play."""

import logging
import threading
from collections.abc import Collection
from contextlib import ExitStack

import psycopg

from messages import shorten
from throwlock.hall.protocol import Acknowledgement, encode, topic
from throwlock.hub.assigner import Assigner
from throwlock.hub.broker import BrokerAccess, BrokerConnection
from throwlock.hub.database import PAIRINGS, connect, follow, migrate
from throwlock.hub.ingest import Ingest
from throwlock.hub.pairings import read_pairings
from throwlock.hub.store import reread_events

logger = logging.getLogger(__name__)


class Hub:
    """A hub that runs from ``start`` to ``stop``. Any number of them may run at the same time.

    with Hub(dsn, access):
        …
    """

    def __init__(self, dsn: str, access: BrokerAccess) -> None:
        """Raises AuthorityError if the certificate in ``access`` can't be read."""
        self._dsn = dsn
        self._stopped = threading.Event()
        self._all_changed = threading.Event()  # every box's pairings are to be published
        self._exit_stack = ExitStack()
        self._ingest = Ingest(dsn, self._answer)
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

    def _publish_pairings(self) -> None:
        follow("pairings", self._dsn, (PAIRINGS,), self._publish, self._stopped, self._all_changed)

    def _publish(self, connection: psycopg.Connection, boxes: Collection[str]) -> None:
        """Publish what is to be played at ``boxes``, without one at all boxes. When the broker was away, all boxes'
        pairings are published as soon as it is back."""
        if not boxes:
            boxes = [box for (box,) in connection.execute("SELECT id FROM box")]
        for box in sorted(boxes):
            try:
                pairings = read_pairings(connection, box)
            except psycopg.Error:
                raise
            except Exception:
                logger.exception("the pairings of %s can't be published", shorten(box))
            else:
                self._broker.publish(topic(box, "pairings"), encode(pairings), retain=True)
