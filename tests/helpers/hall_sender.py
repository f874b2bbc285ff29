"""A box that sends its journal to a hub, for tests: a real connection, a clock that goes on when nothing comes."""

import queue
from collections.abc import Sequence

from tests.helpers.hall_client import HallClient
from throwlock.hall.event_sender import EventSender
from throwlock.hall.protocol import Acknowledgement, Hello, StreamEvent, decode, encode, parse_topic, topic
from throwlock.hub.broker import BrokerAccess

WAIT_S = 0.3
"""How long the box waits for an answer before its clock goes on,"""
CLOCK_STEP_S = 5.0
"""by this much."""
MAX_TURNS = 600


class ListedStream:
    """A journal's events, all of which may be sent."""

    def __init__(self, journal: str, events: Sequence[StreamEvent]) -> None:
        self.journal, self.events = journal, events

    @property
    def newest(self) -> tuple[int, str]:
        return (len(self.events), self.events[-1].hash) if self.events else (0, self.journal)

    def hash_of(self, number: int) -> str | None:
        if number == 0:
            return self.journal
        return self.events[number - 1].hash if number <= len(self.events) else None

    def read(self, first: int, count: int) -> Sequence[StreamEvent]:
        return self.events[first - 1 : first - 1 + count]


class SendingBox(HallClient):
    """A box whose journal has ``events``."""

    def __init__(self, access: BrokerAccess, box: str, journal: str, events: Sequence[StreamEvent]) -> None:
        super().__init__(access, box)
        self.sender = EventSender(ListedStream(journal, events))
        self._now_s = 0.0
        self.sender.connect()

    def send_until(self, stored: int) -> None:
        """Send until the hub has said to have stored so many."""
        for _ in range(MAX_TURNS):
            if (self.sender.stored_number or 0) >= stored:
                return
            self.turn()
        raise AssertionError(f"{self.sender.stored_number} of {stored} events are stored")

    def turn(self) -> None:
        """Send what is to be sent, and wait a moment for an answer."""
        if message := self.sender.next_message(self._now_s):
            name = "hello" if isinstance(message, Hello) else "events"
            self.client.publish(topic(self.box, name), encode(message), qos=1)
        try:
            found = self.received.get(timeout=WAIT_S)
        except queue.Empty:
            self._now_s += CLOCK_STEP_S
            return
        if parse_topic(found.topic)[1] == "stored":
            answer = decode("stored", bytes(found.payload))
            assert isinstance(answer, Acknowledgement)
            self.sender.receive(answer, self._now_s)
