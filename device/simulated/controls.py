"""Simulated buttons that bounce, stick or are missing, behind the same debounce as the real ones; lights
and a loudspeaker, which record what they showed, played and were to say."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from typing_extensions import override

from device.gpio.buttons import ButtonEvent, ButtonName, Buttons
from device.gpio.debounce import BOUNCE_NS, MS, POLL_INTERVAL_NS, RELEASE_CONFIRM_NS, ButtonEvents, ButtonId, HoldTimes
from device.gpio.lights import Lights, LightSignal, LightState
from device.sound.base import Sound, Speech, Tone
from device.system.clock import Clock

TAP_DURATION_MS = 80.0
"""Length of a tap: the project's own choice, well over the 8 ms that must be recognised."""
MAX_BOUNCES = 6
"""Highest number of bounces of a contact."""


def bouncing_press(rng: np.random.Generator, start_ns: int, until_ns: int) -> Iterator[tuple[int, bool]]:
    """Yield the edges of one press in order: ``(time in ns, whether the contact closed)``. The contact touches at
    ``start_ns`` and opens at ``until_ns``; after both it bounces for at most ``BOUNCE_NS``."""
    for first_ns, closed in ((start_ns, True), (until_ns, False)):
        bounces = np.sort(rng.integers(1, BOUNCE_NS, 2 * rng.integers(0, MAX_BOUNCES + 1)))
        for number, after_ns in enumerate((0, *bounces.tolist())):
            yield first_ns + after_ns, closed if number % 2 == 0 else not closed


class SimulatedButtons(Buttons):
    """Two buttons for each of ``seats`` seats, except the ``missing`` ones. A press waits on ``clock`` until it is
    over. ``on_stuck`` is told about a stuck button.

    >>> from device.system.clock import SimulatedClock
    >>> buttons = SimulatedButtons(2, SimulatedClock())
    >>> buttons.start(print)
    >>> buttons.press(2, ButtonName.RAISE)
    ButtonEvent(seat=2, action=<ButtonAction.RAISE: 'raise'>, when_ns=0)
    """

    def __init__(
        self,
        seats: int,
        clock: Clock,
        *,
        seed: int = 0,
        missing: Collection[ButtonId] = (),
        on_stuck: Callable[[ButtonId], None] = lambda key: None,
    ) -> None:
        self.seats = seats
        self._clock, self._on_stuck = clock, on_stuck
        self._rng = np.random.default_rng(seed)
        self._closed = {(seat, which): False for seat in range(1, seats + 1) for which in ButtonName}
        self._missing = frozenset(missing)
        self._events: ButtonEvents | None = None

    @override
    def start(self, on_event: Callable[[ButtonEvent], None]) -> None:
        self._events = ButtonEvents(self._closed, self._clock.now_ns(), HoldTimes(), on_event, self._on_stuck)

    @override
    def stop(self) -> None:
        self._events = None

    def press(self, seat: int, name: ButtonName, duration_ms: float = TAP_DURATION_MS) -> None:
        """Press a button for ``duration_ms``. All its events have been reported when this returns."""
        self.press_all([(seat, name)], duration_ms)

    def press_all(self, buttons: Collection[ButtonId], duration_ms: float = TAP_DURATION_MS) -> None:
        """Press several buttons at the same time, as when all seats bet together."""
        start_ns = self._clock.now_ns()
        until_ns = start_ns + round(duration_ms * MS)
        edges = [
            (when, key, closed) for key in buttons for when, closed in bouncing_press(self._rng, start_ns, until_ns)
        ]
        for when_ns, key, closed in sorted(edges):
            self._wait_until(when_ns)
            self._edge(key, closed)
        self.wait((BOUNCE_NS + RELEASE_CONFIRM_NS) / MS + 3 * POLL_INTERVAL_NS / MS)

    def stick(self, seat: int, name: ButtonName) -> None:
        """Press a button and leave it down."""
        self._edge((seat, name), True)

    def release(self, seat: int, name: ButtonName) -> None:
        """Release a stuck button."""
        self._edge((seat, name), False)

    def wait(self, ms: float) -> None:
        """Wait on the clock for ``ms`` milliseconds."""
        self._wait_until(self._clock.now_ns() + round(ms * MS))

    def _edge(self, key: ButtonId, closed: bool) -> None:
        if key in self._missing:
            return
        self._closed[key] = closed
        if self._events is not None:
            self._events.handle_edge(key, self._clock.now_ns(), closed)

    def _wait_until(self, when_ns: int) -> None:
        while self._clock.now_ns() < when_ns:
            self._clock.wait_until(min(when_ns, self._clock.now_ns() + POLL_INTERVAL_NS))
            if self._events is not None:
                self._events.poll(self._clock.now_ns(), self._closed.__getitem__)


@dataclass(frozen=True)
class LightCommand:
    """A command to a seat's light."""

    when_ns: int
    seat: int
    signal: LightSignal | None
    """What to show; None: blink on top of it."""


class SimulatedLights(Lights):
    """The lights of ``seats`` seats.

    >>> from device.system.clock import SimulatedClock
    >>> lights = SimulatedLights(2, SimulatedClock())
    >>> lights.show(1, LightSignal.ANSWERED)
    >>> lights.signal(1), lights.signal(2), lights.is_on(1, 0)
    (<LightSignal.ANSWERED: 'in'>, <LightSignal.OFF: 'off'>, True)
    """

    def __init__(self, seats: int, clock: Clock) -> None:
        self.seats = seats
        self.commands: list[LightCommand] = []
        """All commands so far, in order."""
        self.stopped = False
        self._clock = clock

    @override
    def show(self, seat: int, signal: LightSignal) -> None:
        self.commands.append(LightCommand(self._clock.now_ns(), seat, signal))

    @override
    def blink(self, seat: int) -> None:
        self.commands.append(LightCommand(self._clock.now_ns(), seat, None))

    @override
    def stop(self) -> None:
        self.stopped = True

    def signal(self, seat: int) -> LightSignal:
        """Return what a seat's light shows now."""
        return self._state(seat, self._clock.now_ns()).signal

    def blink_count(self, seat: int) -> int:
        """Return how often a seat's light has blinked."""
        return sum(command.seat == seat and command.signal is None for command in self.commands)

    def is_on(self, seat: int, when_ns: int) -> bool:
        """Return whether a seat's light was on at ``when_ns``."""
        return self._state(seat, when_ns).is_on(when_ns)

    def _state(self, seat: int, when_ns: int) -> LightState:
        state = LightState()
        for command in self.commands:
            if command.seat == seat and command.when_ns <= when_ns:
                state = state.with_signal(command.signal, command.when_ns)
        return state


class PlayedTone(NamedTuple):
    """A tone or speech, and the time, in ns on the clock, at which it is heard."""

    when_ns: int
    tone: Tone | Speech


class SimulatedSound(Sound):
    """A loudspeaker on ``clock``. What it plays is heard at its time, but no sooner than ``delay_ns`` after the call;
    ``said`` has the sentences that it was to speak. A ``missing`` one silently plays nothing."""

    def __init__(self, clock: Clock, delay_ns: int = 0, missing: bool = False) -> None:
        self.volume = 1.0
        self.stopped = False
        self.said: list[str] = []
        self._clock = clock
        self._delay_ns = delay_ns
        self._missing = missing
        self._played: list[PlayedTone] = []

    @property
    def played(self) -> tuple[PlayedTone, ...]:
        """All tones in order of time, including those still to come."""
        return tuple(sorted(self._played, key=lambda tone: tone.when_ns))

    @override
    def play(self, sound: Tone | Speech, at_ns: int | None = None) -> None:
        if self._missing or self.stopped or not self.volume:
            return
        earliest_ns = self._clock.now_ns() + self._delay_ns
        self._played.append(PlayedTone(earliest_ns if at_ns is None else max(earliest_ns, at_ns), sound))

    @override
    def say(self, sentence: str) -> None:
        self.said.append(str(sentence))

    @override
    def silence(self) -> None:
        now_ns = self._clock.now_ns()
        self._played = [tone for tone in self._played if tone.when_ns <= now_ns]

    @override
    def stop(self) -> None:
        self.silence()
        self.stopped = True
