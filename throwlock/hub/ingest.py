"""Takes what the broker has delivered and stores it, many messages in one transaction; answers when it is committed."""

import logging
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

import psycopg
from pydantic import TypeAdapter, ValidationError

from errors import ThrowlockError
from messages import shorten
from throwlock.hall.homie import NODE
from throwlock.hall.protocol import (
    HOMIE_PREFIX,
    Acknowledgement,
    BoxId,
    EventBatch,
    Hello,
    Message,
    MessageError,
    Picture,
    decode,
    parse_topic,
)
from throwlock.hub.broker import IncomingMessage
from throwlock.hub.database import DatabaseError, connect
from throwlock.hub.quota import MAX_BOX_BYTES, SendingLimit
from throwlock.hub.store import (
    Arrival,
    PictureRefusedError,
    note_excess,
    store_messages,
    store_picture,
    store_states,
)
from throwlock.net import Backoff

logger = logging.getLogger(__name__)

MAX_WAITING_BYTES = 64_000_000
"""Of the messages that wait to be stored. More are dropped: their boxes send them again."""
MAX_WAITING_MESSAGES = 40
"""Of one box, which has one under way, besides pictures and its state."""
NOTE_EXCESS_S = 30.0
"""How often at most it is noted that a box sends too fast."""
MAX_GROUP_MESSAGES = 200
MAX_GROUP_BYTES = 4_000_000
"""Of the messages that are stored in one transaction; a message that is larger has one of its own."""
RETRY_S = 0.5, 10.0
"""Shortest and longest pause before the next attempt to reach the database; it doubles in between."""
MESSAGE_OVERHEAD_BYTES = 1000
"""Counted for a message besides its payload."""
MAX_STATE_LENGTH = 1000
"""Letters of the value of a Homie property."""
BOX_ID: TypeAdapter[str] = TypeAdapter(BoxId)
STATE_TOPIC = re.compile(
    rf"{HOMIE_PREFIX}/(?P<box>[^/]+)/(?P<name>\$state|{NODE}/[a-z0-9-]{{1,40}}|\$alert/[a-z0-9-]{{1,40}})"
)

Done = TypeVar("Done")
_Work = Callable[[psycopg.Connection], Done]


class Ingest:
    """Stores what is ``put``, in a thread of its own, until it is left. A message that can't be read is logged in one
    line. While the database is away, what has come waits. Boxes take turns: one that sends much waits for itself.

    ``answer`` is called with a box and what is stored of its journal, after that was committed; ``room`` returns how
    many bytes may be stored of a box; ``pause`` is called, by whoever calls ``put``, with a box that sends too fast;
    ``now_s`` is a monotonic clock's time in s.
    """

    def __init__(
        self,
        dsn: str,
        answer: Callable[[str, Acknowledgement], object],
        room: Callable[[], int] = lambda: MAX_BOX_BYTES,
        pause: Callable[[str], object] = lambda box: None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._dsn, self._answer, self._room, self._pause, self._now_s = dsn, answer, room, pause, now_s
        self._waiting: dict[str, deque[IncomingMessage]] = {}
        """By box, the one whose turn is next first."""
        self._limit = SendingLimit(now_s)
        self._too_fast: dict[str, int] = {}
        """By box: messages over its limit, since that was last noted."""
        self._noted_s: dict[str, float] = {}
        self._waiting_bytes = 0
        self._dropped = 0
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._connection: psycopg.Connection | None = None
        self._thread = threading.Thread(target=self._run, name="ingest")

    def __enter__(self) -> "Ingest":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        with self._changed:
            self._stopped.set()
            self._changed.notify()
        self._thread.join()

    def put(self, incoming: IncomingMessage) -> None:
        """Take a message to be stored. Never blocks."""
        size, box = _size(incoming), _sender(incoming)
        with self._changed:
            queue = self._waiting.get(box, deque())
            is_too_fast = not self._limit.take(box, len(incoming.payload))
            is_dropped = len(queue) >= MAX_WAITING_MESSAGES or self._waiting_bytes + size > MAX_WAITING_BYTES
            if is_too_fast:
                self._too_fast[box] = self._too_fast.get(box, 0) + 1
            elif is_dropped:
                self._dropped += 1
            else:
                queue.append(incoming)
                self._waiting[box] = queue
                self._waiting_bytes += size
            self._changed.notify()
        if is_too_fast or is_dropped:
            incoming.acknowledge()
        if is_too_fast:
            self._pause(box)

    def _run(self) -> None:
        while not self._stopped.is_set():
            group, too_fast = self._take_group()
            try:
                if too_fast:
                    self._note_too_fast(too_fast)
                self._store(group)
            except _StoppedError:
                break
            except Exception:
                logger.exception("messages were dropped")
            for incoming in group:
                incoming.acknowledge()
        if self._connection is not None:
            self._connection.close()

    def _take_group(self) -> tuple[list[IncomingMessage], list[str]]:
        """Wait, and return the messages of the next transaction, a box's after one of each other's, and the boxes of
        which it is to be noted that they send too fast. Neither when this ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._boxes_to_note() or self._stopped.is_set())
            too_fast = self._boxes_to_note()
            group: list[IncomingMessage] = []
            size = 0
            while self._waiting and len(group) < MAX_GROUP_MESSAGES and not self._stopped.is_set():
                box, queue = next(iter(self._waiting.items()))
                size += _size(queue[0])
                if group and size > MAX_GROUP_BYTES:
                    break
                del self._waiting[box]
                group.append(queue.popleft())
                if queue:
                    self._waiting[box] = queue
            self._waiting_bytes -= sum(map(_size, group))
            dropped, self._dropped = self._dropped, 0
            counts = {box: self._too_fast.pop(box) for box in too_fast}
            self._noted_s |= dict.fromkeys(too_fast, self._now_s())
        if dropped:
            logger.warning("%d messages were dropped: too much was waiting; their boxes send them again", dropped)
        for box, count in counts.items():
            logger.warning("%s sends too fast: %d messages were dropped, and are to be sent again", shorten(box), count)
        return group, too_fast

    def _note_too_fast(self, boxes: Sequence[str]) -> None:
        def note(connection: psycopg.Connection) -> None:
            with connection.transaction():
                note_excess(connection, boxes, "too fast")

        self._try("a note on what is too fast", note)

    def _boxes_to_note(self) -> list[str]:
        before_s = self._now_s() - NOTE_EXCESS_S
        return [box for box in self._too_fast if self._noted_s.get(box, before_s) <= before_s]

    def _store(self, group: Sequence[IncomingMessage]) -> None:
        arrivals: list[Arrival] = []
        pictures: list[tuple[str, Picture]] = []
        states: dict[str, dict[str, str]] = {}
        for incoming in group:
            if incoming.topic.startswith(HOMIE_PREFIX + "/"):
                _read_state(incoming, states)
                continue
            try:
                box, message = _read(incoming)
            except MessageError as error:
                logger.warning("dropped %s: %s", shorten(incoming.topic), error)
                continue
            if isinstance(message, Picture):
                pictures.append((box, message))
            elif isinstance(message, Hello | EventBatch):
                arrivals.append(Arrival(box, message))
        if states:
            self._try("states", lambda connection: store_states(connection, states))
        room = self._room()
        self._store_arrivals(arrivals, room)
        for box, picture in pictures:
            self._try(f"a picture of {box}", lambda connection: store_picture(connection, box, picture, room))  # noqa: B023

    def _store_arrivals(self, arrivals: list[Arrival], room: int) -> None:
        if not arrivals:
            return
        stored = self._try(
            f"{len(arrivals)} messages" if len(arrivals) > 1 else f"a message of {arrivals[0].box}",
            lambda connection: store_messages(connection, arrivals, room),
        )
        if stored is not None:
            newest = {(arrival.box, answer.journal): answer for arrival, answer in zip(arrivals, stored, strict=True)}
            for (box, _), answer in newest.items():
                self._answer(box, answer)
        elif len(arrivals) > 1:  # one of them does harm
            for arrival in arrivals:
                self._store_arrivals([arrival], room)

    def _try(self, what: str, work: "_Work[Done]") -> Done | None:
        """Return what ``work`` returns, as soon as there is a database; None if it fails for another reason."""
        backoff = Backoff(*RETRY_S)
        while True:
            if self._stopped.is_set():
                raise _StoppedError
            try:
                if self._connection is None:
                    self._connection = connect(self._dsn)
                return work(self._connection)
            except (DatabaseError, psycopg.OperationalError, psycopg.InterfaceError) as error:
                logger.warning("%s: trying again: %s", what, shorten(str(error), 200))
                self._disconnect()
                self._stopped.wait(backoff.pause_s)
                backoff.lengthen()
            except PictureRefusedError as error:
                logger.warning("dropped %s: %s", what, error)
                return None
            except Exception as error:
                logger.warning("%s can't be stored: %s", what, shorten(repr(error), 200))
                self._disconnect()
                return None

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _StoppedError(ThrowlockError):
    """The ingest ends; what was not stored is not acknowledged."""


def _size(incoming: IncomingMessage) -> int:
    return len(incoming.payload) + MESSAGE_OVERHEAD_BYTES


def _sender(incoming: IncomingMessage) -> str:
    """Return the box that a message is of, as its topic names it: the broker lets a box publish below no other."""
    return f"{incoming.topic}//".split("/")[2]


def _read(incoming: IncomingMessage) -> tuple[str, Message]:
    """Return the box and its message. Raises MessageError."""
    box, name = parse_topic(incoming.topic)
    try:
        return BOX_ID.validate_python(box), decode(name, incoming.payload)
    except ValidationError as error:
        raise MessageError("the topic names no box") from error


def _read_state(incoming: IncomingMessage, states: dict[str, dict[str, str]]) -> None:
    """Put a Homie state into ``states`` by box and name. One that is none of a box's, or too long, is ignored: the
    topics are open to other devices."""
    state_topic = STATE_TOPIC.fullmatch(incoming.topic)
    try:
        value = incoming.payload.decode()
        BOX_ID.validate_python(state_topic and state_topic["box"])
    except (UnicodeDecodeError, ValidationError):
        return
    if state_topic and len(value) <= MAX_STATE_LENGTH and "\0" not in value:
        states.setdefault(state_topic["box"], {})[state_topic["name"]] = value
