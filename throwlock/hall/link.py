"""A box's link to the hub of its hall: a thread that sends what the journal has committed, and takes what is to be
played here. Nothing waits for it, and it holds no lock that a match needs."""

import logging
import random
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from errors import ThrowlockError
from rules.record.event import PairingId
from throwlock.hall.connection import ConnectionRefusedByHallError, HallConnection
from throwlock.hall.event_sender import EventSender
from throwlock.hall.homie import BoxFacts, DeviceState, changed_topics, description, description_topic, state_topic
from throwlock.hall.journal_stream import JournalStream
from throwlock.hall.membership import Membership
from throwlock.hall.protocol import (
    MAX_MESSAGE_BYTES,
    Acknowledgement,
    Hello,
    MessageError,
    Pairings,
    decode,
    encode,
    parse_topic,
    topic,
)
from throwlock.net import Backoff
from ui.screen.pages.hall import HallState, LinkStatus

logger = logging.getLogger(__name__)

POLL_S: Final = 0.1
"""How often the link looks whether the journal has grown."""
FACTS_EVERY_S: Final = 10.0
"""How often the box's own state is looked at."""
RECONNECT_S: Final = 1.0, 60.0
"""The pause after a failed or lost connection: twice as long each time, and up to a quarter less at random, so that the
boxes of a hall do not come back all at once. It starts anew after a connection that lasted."""
STOP_WAIT_S: Final = 4.0


OpenConnection = Callable[[Membership, Callable[[str, bytes], None], float], HallConnection]


class HallLink:
    """The link of the box ``membership`` to its hall. ``facts`` returns what the box says about itself; with
    ``pictures``, those of disputed rounds are sent too.

    ``turn`` does what there is to do; ``start`` does so in a thread until ``stop``."""

    def __init__(
        self,
        membership: Membership,
        journal: Path,
        facts: Callable[[], BoxFacts],
        *,
        pictures: bool = False,
        connect: OpenConnection = HallConnection,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.membership = membership
        self.status = LinkStatus()
        """What people are told, replaced as a whole: any thread may read it."""
        self.pairings = Pairings(table="")
        """What is to be played here, likewise."""
        self._facts, self._pictures, self._connect, self._now_s = facts, pictures, connect, now_s
        self._stream = JournalStream(journal)
        self._sender = EventSender(self._stream)
        self._connection: HallConnection | None = None
        self._was_ready, self._ready_at_s = False, 0.0
        self._connect_at_s = 0.0
        self._backoff = Backoff(*RECONNECT_S)
        self._said: BoxFacts | None = None
        self._facts_at_s = 0.0
        self._pictured: int | None = None
        self._rounds_to_picture: deque[int] = deque()
        self._known_stored: int | None = None
        self._newest_pairings = self.pairings
        self._ended: set[PairingId] = set()
        self._ended_after: object = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def newest(self) -> tuple[int, str]:
        """The number and hash of the journal's newest event that may be sent, as of the last turn."""
        return self._stream.newest

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the connection and the thread. While a connection is being tried that takes longer than this waits."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(STOP_WAIT_S)
        else:
            self._close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self.turn(POLL_S)
            except Exception:  # a match must not end because of its hall
                logger.exception("the link to the hall has failed and starts again")
                self._lose(None)
                self._stopping.wait(self._backoff.pause_s)
            if self._connection is None:
                self._stopping.wait(POLL_S)
        self._close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close(DeviceState.DISCONNECTED)
            self._connection = None

    def turn(self, wait_s: float = 0.0) -> None:
        """Send what there is to send and take what has come, waiting at most ``wait_s`` for it."""
        self._stream.refresh()
        try:
            if self._connection is None and self._now_s() >= self._connect_at_s:
                self._connection = self._connect(self.membership, self._receive, self._now_s())
            if self._connection is not None:
                self._connection.turn(wait_s, self._now_s())
                if self._connection.is_ready:
                    self._send(self._connection)
        except ThrowlockError as error:
            self._lose(error)
        self._update_status()

    def _lose(self, error: ThrowlockError | None) -> None:
        """The connection is over, or could not be opened."""
        if self._connection is not None:
            self._connection.drop()
        if self._was_ready and self._now_s() - self._ready_at_s > RECONNECT_S[1]:
            self._backoff.reset()
        self._connection, self._was_ready, self._said = None, False, None
        self._sender.disconnect()
        self._connect_at_s = self._now_s() + self._backoff.pause_s * random.uniform(0.75, 1.0)
        self._backoff.lengthen()
        if error is None:
            return
        refused = isinstance(error, ConnectionRefusedByHallError)
        state = HallState.REFUSED if refused else HallState.UNREACHABLE
        if (state, str(error.text)) != (self.status.state, str(self.status.error)):
            logger.warning("hall %s: %s", self.membership.hall, error)
        self.status = replace(self.status, state=state, error=error.text)

    def _send(self, connection: HallConnection) -> None:
        box = self.membership.box
        if not self._was_ready:
            self._was_ready, self._ready_at_s = True, self._now_s()
            self.status = replace(self.status, state=HallState.CONNECTED, error="")
            logger.info("connected to the hall %s", self.membership.hall)
            connection.publish(state_topic(box), DeviceState.INIT, retain=True)
            connection.publish(description_topic(box), description(box), retain=True)
            self._say_facts(connection)
            connection.publish(state_topic(box), DeviceState.READY, retain=True)
            self._sender.connect()
        elif self._now_s() >= self._facts_at_s:
            self._say_facts(connection)
        message = self._sender.next_message(self._now_s())
        if message is not None:
            connection.publish(topic(box, "hello" if isinstance(message, Hello) else "events"), encode(message))
        elif self._rounds_to_picture and not connection.is_sending:
            for picture in self._stream.pictures(self._rounds_to_picture.popleft()):
                if len(payload := encode(picture)) <= MAX_MESSAGE_BYTES:
                    connection.publish(topic(box, "pictures"), payload)

    def _say_facts(self, connection: HallConnection) -> None:
        """Publish what has changed of the box's state."""
        self._facts_at_s = self._now_s() + FACTS_EVERY_S
        facts = replace(self._facts(), match=self._stream.match)
        for name, value in changed_topics(self.membership.box, facts, self._said):
            connection.publish(name, value, retain=True)
        self._said = facts

    def _receive(self, name: str, payload: bytes) -> None:
        """Take a message of the hub; one that is not in the protocol's form is ignored."""
        try:
            kind = parse_topic(name)[1]
            message = decode(kind, payload) if payload or kind != "pairings" else Pairings(table="")
        except MessageError as error:
            logger.warning("a message of the hall is ignored: %s", error)
            return
        if isinstance(message, Pairings):
            self._newest_pairings = message
        elif isinstance(message, Acknowledgement):
            problem = self._sender.problem
            self._sender.receive(message, self._now_s())
            if self._sender.problem and self._sender.problem != problem:
                logger.warning("the hall takes nothing more of this journal: %s", self._sender.problem)
            self._note_disputes()

    def _note_disputes(self) -> None:
        """Note the disputed rounds among what the hub has stored since the box has been on."""
        stored = self._sender.stored_number
        if stored is None or not self._pictures:
            return
        if self._pictured is not None and self._pictured < stored:
            self._rounds_to_picture.extend(self._stream.disputed_rounds(self._pictured, stored))
        self._pictured = stored  # less than before: the hub gets the rest again, pictures too

    def _pairings_left(self) -> Pairings:
        """Return what is to be played here, without what was, of which the hub may not know yet."""
        newest = self._newest_pairings
        if newest.pairings and self._ended_after != (self._stream.journal, self._stream.match):
            self._ended_after = self._stream.journal, self._stream.match
            self._ended = self._stream.ended_pairings()
        left = tuple(pairing for pairing in newest.pairings if pairing.id not in self._ended)
        return Pairings(table=newest.table, pairings=left)

    def _update_status(self) -> None:
        """Tell people what is new, in one new status."""
        self.pairings = self._pairings_left()
        if self._sender.stored_number is not None:
            self._known_stored = self._sender.stored_number
        stored, newest = self._known_stored, self._stream.newest[0]
        unsent = None if stored is None else max(0, newest - stored)
        status = replace(
            self.status,
            unsent_events=unsent,
            is_answered=stored is not None and not self._sender.is_unanswered,
            is_holding=self._stream.is_holding,
            problem=self._sender.problem,
        )
        if unsent != self.status.unsent_events:
            status = replace(status, unsent_results=self._stream.results_after(stored) if stored is not None else 0)
        if status != self.status:
            self.status = status
