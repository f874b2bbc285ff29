"""Many simulated boxes in one thread: each has a real journal, and sends what a real box sends of it."""

import heapq
import itertools
import random
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from paho.mqtt.client import Client, MQTTMessage
from throwlock.hall.event_sender import EventSender

from throwlock.hall.membership import Membership
from throwlock.hall.protocol import Hello, Pairing, Pairings, Stored, decode, encode, parse_topic, topic
from throwlock.journal.journal import Event, Journal
from tools.hall.matches import MatchRepeater, RecordedMatch, play_pairing, played_pairings
from tools.hall.mqtt_loop import ClientLoop
from tools.hall.open_stream import OpenJournalStream

LOOK_EVERY_S = 0.1
"""How often a box looks whether there is something to send, as the real one does."""
RECONNECT_AFTER_S = 1.0, 3.0
"""The shortest and longest time until a box that has lost the broker tries again."""
KEEP_ALIVE_EVERY_S = 1.0
SETTLE_TIMEOUT_S = 120.0

Now = Callable[[], float]
OnCommitted = Callable[["SimulatedBox", Event, float], None]
"""Is told of each event that a box has committed, and when, in seconds of ``time.monotonic``."""


class SimulatedBox:
    """A box that plays what it is given, and recorded ``matches`` otherwise, and its link to the hub. ``now`` is the
    time of its link in seconds."""

    def __init__(
        self,
        membership: Membership,
        path: Path,
        matches: Sequence[RecordedMatch],
        seed: int,
        loop: ClientLoop,
        now: Now,
    ) -> None:
        self.id = membership.box
        self.path = path
        self.journal = Journal(path)
        self._seed = seed
        self._matches = matches
        self._repeater = MatchRepeater(self.journal, matches, seed)
        self._pairings: Sequence[Pairing] = ()
        self._played = played_pairings(self.journal)
        self.is_cut_off = False
        self._membership = membership
        self._stream = OpenJournalStream(self.journal)
        self._sender = EventSender(self._stream)
        self._loop = loop
        self._now = now
        self._client: Client | None = None
        self._unheard: list[Client] = []

    @property
    def stored(self) -> int:
        """The number of the newest event that the hub has confirmed."""
        return self._sender.stored or 0

    @property
    def problem(self) -> str:
        """What the hub has found to be wrong with its journal."""
        return self._sender.problem

    @property
    def has_sent_all(self) -> bool:
        """Whether the hub has confirmed every event of the journal."""
        return self._sender.stored == self.journal.number_and_hash()[0]

    @property
    def is_connected(self) -> bool:
        """Whether the broker has let it in."""
        return self._client is not None and self._client.is_connected()

    def connect(self) -> None:
        """Connect to the broker, unless it is connected or cut off. Raises OSError if the broker can't be reached."""
        if self._client is not None or self.is_cut_off:
            return
        client = new_client(self._membership)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        self._loop.add(client)
        self._client = client
        try:
            client.connect(self._membership.host, self._membership.port)
        except OSError:
            self._loop.drop(client)
            self._client = None
            raise

    def cut_off(self) -> None:
        """Lose the network: the broker still believes that the box is there, and what it sends is lost."""
        self.is_cut_off = True
        if self._client is not None:
            self._loop.drop(self._client)
            self._unheard.append(self._client)
            self._client = None
            self._sender.disconnect()

    def come_back(self) -> None:
        """Have a network again."""
        self.is_cut_off = False

    def look(self) -> None:
        """Send what there is to be sent."""
        message = self._sender.next_message(self._now())
        if message is not None and self._client is not None:
            name = "hello" if isinstance(message, Hello) else "events"
            self._client.publish(topic(self.id, name), encode(message), qos=1)

    def play_on(self) -> list[Event]:
        """Play the match that was given out to it, or else commit the next event of a recorded one. Return what was
        committed."""
        number = self.journal.number_and_hash()[0]
        pairing = next((one for one in self._pairings if one.id not in self._played), None)
        if pairing is not None and self._repeater.is_between_matches:
            self._played.add(pairing.id)
            play_pairing(self.journal, pairing, self._seed + number)
        elif self._matches:
            self._repeater.commit_next()
        self._stream.refresh()
        return [self.journal.parse_event(row) for row in self.journal.event_rows("WHERE number > ?", number)]

    def finish_match(self) -> None:
        """Commit the rest of a match that was begun."""
        self._repeater.finish_match()
        self._stream.refresh()

    def close(self) -> None:
        """Leave the hall, and close the journal."""
        for client in [*self._unheard, *([self._client] if self._client else [])]:
            client.disconnect()
            self._loop.drop(client)
        self.journal.close()

    def _on_connect(self, client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if not reason.is_failure:
            client.subscribe([(topic(self.id, name), 1) for name in ("stored", "pairings")])
            self._sender.connect()
            self.look()

    def _on_disconnect(self, client: Client, _data: Any, _flags: Any, _reason: Any, _properties: Any) -> None:
        if client is self._client:
            self._client = None
            self._sender.disconnect()

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        match decode(parse_topic(message.topic)[1], message.payload):
            case Stored() as stored:
                self._sender.receive(stored, self._now())
                self.look()
            case Pairings(pairings=pairings):
                self._pairings = pairings


class Fleet:
    """Boxes that play and send in the caller's thread.

    Each box plays on every ``pace_s`` seconds on average, at random; 0: not at all. ``now`` is the time
    of the boxes' links, so that their waiting can be shortened; everything else goes by ``time.monotonic``."""

    def __init__(
        self,
        memberships: Sequence[Membership],
        folder: Path,
        matches: Sequence[RecordedMatch],
        *,
        pace_s: float = 0.0,
        seed: int = 0,
        now: Now = time.monotonic,
        on_committed: OnCommitted = lambda box, event, when: None,
    ) -> None:
        self.pace_s = pace_s
        self._rng = random.Random(seed)
        self._on_committed = on_committed
        self._loop = ClientLoop()
        self._exit_stack = ExitStack()
        self.boxes: list[SimulatedBox] = []
        self._due: list[tuple[float, int, Callable[[], float]]] = []
        self._order = itertools.count()
        self._plan(lambda: self._loop.keep_alive() or KEEP_ALIVE_EVERY_S, KEEP_ALIVE_EVERY_S)
        for number, membership in enumerate(memberships):
            path = folder / f"{membership.box}.journal"
            box = SimulatedBox(membership, path, matches, seed + number, self._loop, now)
            self._exit_stack.callback(box.close)
            self.boxes.append(box)
            self._plan(lambda box=box: self._connect(box), 0.0)
            self._plan(lambda box=box: box.look() or LOOK_EVERY_S, self._rng.uniform(0, LOOK_EVERY_S))
            self._plan(lambda box=box: self._commit(box), self._next_commit_s())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._exit_stack.close()

    @property
    def journals(self) -> dict[str, Path]:
        """The boxes' journals."""
        return {box.id: box.path for box in self.boxes}

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Play and send for ``seconds``, or until ``until`` is true, and return whether it was."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            if until():
                return True
            while self._due[0][0] <= now:
                _, _, act = heapq.heappop(self._due)
                self._plan(act, act())
            self._loop.run_once(max(0.0, min(self._due[0][0], end) - time.monotonic()))
        return until()

    def settle(self, timeout_s: float = SETTLE_TIMEOUT_S) -> bool:
        """Finish all matches that were begun, and return whether the hub has confirmed everything in time."""
        self.pace_s = 0.0
        for box in self.boxes:
            box.finish_match()
        return self.run(timeout_s, lambda: all(box.has_sent_all for box in self.boxes))

    def _plan(self, act: Callable[[], float], after_s: float) -> None:
        heapq.heappush(self._due, (time.monotonic() + after_s, next(self._order), act))

    def _connect(self, box: SimulatedBox) -> float:
        with suppress(OSError):
            box.connect()
        return self._rng.uniform(*RECONNECT_AFTER_S)

    def _commit(self, box: SimulatedBox) -> float:
        if self.pace_s:
            for event in box.play_on():
                self._on_committed(box, event, time.monotonic())
        return self._next_commit_s()

    def _next_commit_s(self) -> float:
        return self._rng.expovariate(1 / self.pace_s) if self.pace_s else 1.0
