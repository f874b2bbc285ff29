"""Many simulated boxes in one thread: each has a real journal, and the real link to its hall."""

import heapq
import itertools
import random
import select
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from paho.mqtt.enums import MQTTErrorCode
from typing_extensions import override

from messages import N
from throwlock.hall.connection import HallConnection, HallUnreachableError
from throwlock.hall.homie import BoxFacts, DeviceState
from throwlock.hall.link import POLL_S, HallLink
from throwlock.hall.membership import Membership
from throwlock.journal.journal import Event, Journal
from tools.hall.matches import MatchRepeater, RecordedMatch, play_pairing, played_pairings

TURN_EVERY_S = 1.0
"""How often a box's link is looked after when nothing has happened. The real box does so every ``POLL_S``: a thousand
boxes in one process would do little else."""
SETTLE_TIMEOUT_S = 120.0

Now = Callable[[], float]
OnCommitted = Callable[["SimulatedBox", Event, float], None]
"""Is told of each event that a box has committed, and when, in seconds of ``time.monotonic``."""


class SimulatedBox:
    """A box that plays what it is given, and recorded ``matches`` otherwise, with its journal at ``path``. ``now`` is
    the time of its link in seconds."""

    def __init__(
        self, membership: Membership, path: Path, matches: Sequence[RecordedMatch], seed: int, now: Now = time.monotonic
    ) -> None:
        self.id = membership.box
        self.path = path
        self.journal = Journal(path)
        self.is_cut_off = False
        """Whether it has no network. Set from outside."""
        self.connection: RadioConnection | None = None
        self.link = HallLink(
            membership, path, lambda: BoxFacts(camera="simulated"), connect=partial(RadioConnection, self), now_s=now
        )
        self.silent: list[RadioConnection] = []
        """Connections that nobody hears from any more, and that the broker still believes in."""
        self._seed = seed
        self._matches = matches
        self._repeater = MatchRepeater(self.journal, matches, seed)
        self._played = played_pairings(self.journal)

    @property
    def has_sent_all(self) -> bool:
        """Whether the hub had confirmed every event of the journal at the last turn."""
        return self.link.status.unsent_events == 0 and not self.link.status.is_holding

    @property
    def newest(self) -> int:
        """The number of the newest event that it could send at the last turn."""
        return self.link.newest[0]

    def play_on(self) -> list[Event]:
        """Play the match that was given out to it, or else commit the next event of a recorded one. Return what was
        committed."""
        number = self.journal.number_and_hash()[0]
        pairing = next((left for left in self.link.pairings.pairings if left.id not in self._played), None)
        if pairing is not None and self._repeater.is_between_matches:
            self._played.add(pairing.id)
            play_pairing(self.journal, pairing, self._seed + number)
        elif self._matches:
            self._repeater.commit_next()
        return [self.journal.parse_event(row) for row in self.journal.event_rows("WHERE number > ?", number)]

    def finish_match(self) -> None:
        """Commit the rest of a recorded match that was begun."""
        self._repeater.finish_match()

    def turn(self) -> None:
        """Send what there is to be sent, and take what has come."""
        self.link.turn()
        while self.connection is not None and self.connection.has_more:
            self.link.turn()

    def close(self) -> None:
        """Leave the hall, and close the journal."""
        if self.connection is not None:
            self.connection.close(DeviceState.DISCONNECTED)
        for connection in self.silent:
            connection.drop()
        self.journal.close()


class RadioConnection(HallConnection):
    """A connection that ends when its box is cut off, without anybody on the other side hearing of it."""

    def __init__(
        self, box: SimulatedBox, membership: Membership, receive: Callable[[str, bytes], None], now_s: float
    ) -> None:
        if box.is_cut_off:
            raise HallUnreachableError(N("there is no network"))
        self._box = box
        self._was_cut_off = False
        super().__init__(membership, receive, now_s)
        self.sock: Any = self._client.socket()
        self._client.loop = self._loop  # type: ignore[method-assign]  # that has select(), for files below 1024 only
        box.connection = self

    def _loop(self, timeout: float = 0.0) -> MQTTErrorCode:
        """Read and write what can be now."""
        result = self._client.loop_read()
        if result == MQTTErrorCode.MQTT_ERR_SUCCESS and self._client.want_write():
            result = self._client.loop_write()
        return result if result != MQTTErrorCode.MQTT_ERR_SUCCESS else self._client.loop_misc()

    @property
    def has_more(self) -> bool:
        """Whether TLS has read more than was asked for."""
        return isinstance(self.sock, ssl.SSLSocket) and bool(self.sock.pending())

    @override
    def turn(self, wait_s: float, now_s: float) -> None:
        if self._box.is_cut_off:
            self._was_cut_off = True
            raise HallUnreachableError(N("there is no network"))
        super().turn(wait_s, now_s)

    @override
    def drop(self) -> None:
        self._box.connection = None
        if self._was_cut_off:
            self._was_cut_off = False
            self._box.silent.append(self)
        else:
            super().drop()


class Fleet:
    """Boxes that play and send in the caller's thread.

    Each box plays on every ``pace_s`` seconds on average, at random; 0: not at all. The first ``waiting`` of them play
    only what is given out to them, the others recorded ``matches`` as well. ``now`` is the time of the boxes'
    links, so that their waiting can be shortened; everything else goes by ``time.monotonic``."""

    def __init__(
        self,
        memberships: Sequence[Membership],
        folder: Path,
        matches: Sequence[RecordedMatch] = (),
        *,
        pace_s: float = 0.0,
        waiting: int = 0,
        seed: int = 0,
        now: Now = time.monotonic,
        on_committed: OnCommitted = lambda box, event, when: None,
    ) -> None:
        self.pace_s = pace_s
        self.boxes: list[SimulatedBox] = []
        self._rng = random.Random(seed)
        self._on_committed = on_committed
        self._exit_stack = ExitStack()
        self._epoll = self._exit_stack.enter_context(select.epoll())
        self._by_socket: dict[int, SimulatedBox] = {}
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._order = itertools.count()
        for number, membership in enumerate(memberships):
            path = folder / f"{membership.box}.journal"
            box = SimulatedBox(membership, path, matches if number >= waiting else (), seed + number, now)
            self._exit_stack.callback(box.close)
            self.boxes.append(box)
            self._plan(partial(self._look_after, box), self._rng.uniform(0, TURN_EVERY_S))
            self._plan(partial(self._play, box), self._next_play_s())

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
        while (now := time.monotonic()) < end and not until():
            while self._due[0][0] <= now:
                heapq.heappop(self._due)[2]()
            for handle, _ in self._epoll.poll(max(0.0, min(self._due[0][0], end) - time.monotonic())):
                self._turn(self._by_socket[handle])
        return until()

    def settle(self, timeout_s: float = SETTLE_TIMEOUT_S) -> bool:
        """Finish all matches that were begun, and return whether the hub has confirmed everything in time."""
        self.pace_s = 0.0
        for box in self.boxes:
            box.finish_match()
            self._turn(box)
        waiting = {*self.boxes}

        def is_settled() -> bool:
            waiting.difference_update([box for box in waiting if box.has_sent_all])
            return not waiting

        return self.run(timeout_s, is_settled)

    def _plan(self, act: Callable[[], object], after_s: float) -> None:
        heapq.heappush(self._due, (time.monotonic() + after_s, next(self._order), act))

    def _look_after(self, box: SimulatedBox) -> None:
        self._turn(box)
        self._plan(partial(self._look_after, box), TURN_EVERY_S)

    def _play(self, box: SimulatedBox) -> None:
        if self.pace_s:
            for event in box.play_on():
                self._on_committed(box, event, time.monotonic())
            self._plan(partial(self._turn, box), self._rng.uniform(0, POLL_S))
        self._plan(partial(self._play, box), self._next_play_s())

    def _turn(self, box: SimulatedBox) -> None:
        before = box.connection
        box.turn()
        if box.connection is before:
            return
        if before is not None and before.sock.fileno() >= 0:
            self._epoll.unregister(before.sock)  # one that is closed has left by itself
        if box.connection is not None:
            self._epoll.register(box.connection.sock, select.EPOLLIN)
            self._by_socket[box.connection.sock.fileno()] = box

    def _next_play_s(self) -> float:
        return self._rng.expovariate(1 / self.pace_s) if self.pace_s else 1.0
