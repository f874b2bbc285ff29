"""What a box sends to the hub of its hall, and when: no network and no clock, so that one process can run many.

A box has one message under way: a ``Hello``, or the events after the newest that the hub has stored. The hub answers
both with an ``Acknowledgement``. Whatever the hub says to have is where the box goes on, also if that is less than it
once said.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from throwlock.hall.protocol import MAX_BATCH_EVENTS, Acknowledgement, EventBatch, Hello, Problem, StreamEvent
from throwlock.net import Backoff

RESEND_AFTER_S: Final = 10.0
"""How long the box waits for an answer before it sends the same again; twice as long each time,"""
MAX_RESEND_AFTER_S: Final = 60.0
"""up to this long."""
ASK_AGAIN_AFTER_S: Final = 300.0
"""A box that has had nothing to send for so long says hello again: the hub's database may have been put back to an
earlier state, which nothing else would tell a box that is not played at."""
MAX_BATCH_BYTES = 1_000_000
"""Of the bodies in a batch: JSON at most triples them, and the broker takes 4 MB."""


class EventStream(Protocol):
    """What is sent of a journal, as ``throwlock.hall.journal_stream.JournalStream`` reads it."""

    @property
    def journal(self) -> str:
        """The journal's identity; "" if there is none."""

    @property
    def newest(self) -> tuple[int, str]:
        """Number and hash of the newest event that may be sent."""

    def hash_of(self, number: int) -> str | None:
        """Return an event's hash; None if there is no such event."""

    def read(self, first: int, count: int) -> Sequence[StreamEvent]:
        """Return up to ``count`` events from ``first`` on."""


class EventSender:
    """Keeps a hub's copy of a stream up to date.

    ``next_message`` returns what to publish now: ask after ``connect``, after every ``receive``, when the stream has
    grown, and ten times a second. ``now_s`` is a monotonic clock's time in seconds."""

    def __init__(self, stream: EventStream) -> None:
        self._stream = stream
        self._journal = stream.journal
        self._connected = False
        self._stored: int | None = None
        self._told = 0  # the number in the hub's last answer
        self._problem: Problem = ""
        self._under_way: tuple[int, int] | None = None  # first event and number of events; (0, 0) is a hello
        self._send_again_s = 0.0
        self._backoff = Backoff(RESEND_AFTER_S, MAX_RESEND_AFTER_S)
        self._ask_again_s = 0.0

    @property
    def stored_number(self) -> int | None:
        """The number of the newest event that the hub has said to have stored; None while that is unknown."""
        return self._stored

    @property
    def is_unanswered(self) -> bool:
        """Whether the hub has not answered in time."""
        return self._backoff.pause_s > RESEND_AFTER_S

    @property
    def problem(self) -> Problem:
        """Why the hub takes nothing more of this journal; "" if it does."""
        return self._problem

    def connect(self) -> None:
        """The broker can be reached, and answers will come: the box says hello."""
        self._connected = True
        self._ask_again()
        self._backoff.reset()

    def disconnect(self) -> None:
        """The broker is gone. What is under way may be lost."""
        self._connected = False
        self._ask_again()

    def receive(self, stored: Acknowledgement, now_s: float) -> None:
        """Take a hub's answer; one about another journal is ignored."""
        if stored.journal != self._journal:
            return
        self._ask_again_s = now_s + ASK_AGAIN_AFTER_S
        is_news, self._told = stored.number != self._told, stored.number
        self._problem = stored.problem
        if stored.problem or self._stream.hash_of(stored.number) != stored.hash:
            # The hub finds out from a hello, which has what it told, what is wrong, and when it no longer is.
            self._stored, self._under_way = None, None if is_news and not stored.problem else (0, 0)
            self._send_again_s = now_s + self._backoff.pause_s
            return
        self._backoff.reset()
        if self._under_way and stored.number == self._stored == self._under_way[0] - 1:
            return  # the answer to the same message sent twice: that of the batch under way is still to come
        self._stored, self._under_way = stored.number, None

    def next_message(self, now_s: float) -> Hello | EventBatch | None:
        """Return what is to be published now, None if that is nothing."""
        if not self._connected:
            return None
        if self._stream.journal != self._journal:
            self._journal, self._problem, self._told = self._stream.journal, "", 0
            self._ask_again()
        if not self._journal:
            return None
        if self._under_way is not None and now_s < self._send_again_s:
            return None
        if self._stored is not None and now_s >= self._ask_again_s and self._stored >= self._stream.newest[0]:
            self._ask_again()
        is_repeated = self._under_way is not None
        message = self._hello() if self._stored is None else self._batch(self._stored)
        if message is None:
            return None
        if is_repeated:
            self._backoff.lengthen()
        self._send_again_s = now_s + self._backoff.pause_s
        return message

    def _ask_again(self) -> None:
        self._stored = self._under_way = None

    def _hello(self) -> Hello:
        number, newest_hash = self._stream.newest
        self._under_way = 0, 0
        return Hello(journal=self._journal, number=number, hash=newest_hash, stored=self._told)

    def _batch(self, stored: int) -> EventBatch | None:
        """Return the events after ``stored``; the same as before if they are under way."""
        if self._stream.newest[0] <= stored:
            self._under_way = None
            return None
        count = self._under_way[1] if self._under_way else MAX_BATCH_EVENTS
        events = self._stream.read(stored + 1, count)
        size, fitting = 0, 0
        for event in events:
            size += len(event.body.encode())
            if fitting and size > MAX_BATCH_BYTES:
                break
            fitting += 1
        if not fitting:
            return None
        self._under_way = stored + 1, fitting
        return EventBatch(journal=self._journal, events=tuple(events[:fitting]))
