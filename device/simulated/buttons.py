"""Simulated buttons that bounce, stick or are missing, behind the same debounce as the real ones."""

from collections.abc import Callable, Collection, Iterator

import numpy as np
from typing_extensions import override

from device.gpio.button_events import POLL_INTERVAL_NS, ButtonEvents, ButtonId
from device.gpio.buttons import ButtonEvent, ButtonName, Buttons
from device.gpio.debounce import BOUNCE_NS, MS, RELEASE_CONFIRM_NS, HoldTimes
from device.system.clock import Clock

TAP_DURATION_MS = 80.0
"""Length of a tap: the project's own choice, well over the 8 ms that must be recognised."""
MAX_BOUNCES = 6
"""Highest number of bounces of a contact."""


def bouncing_press(
    rng: np.random.Generator, start_ns: int, until_ns: int, bounce_ns: int = BOUNCE_NS
) -> Iterator[tuple[int, bool]]:
    """Yield the edges of one press in order: ``(time in ns, whether the contact closed)``. The contact touches at
    ``start_ns`` and opens at ``until_ns``; after both it bounces for at most ``bounce_ns``."""
    for first_ns, closed in ((start_ns, True), (until_ns, False)):
        bounces = np.sort(rng.integers(1, bounce_ns, 2 * rng.integers(0, MAX_BOUNCES + 1)))
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
        hold_times: HoldTimes | None = None,
        missing: Collection[ButtonId] = (),
        on_stuck: Callable[[ButtonId], None] = lambda key: None,
    ) -> None:
        self.seats = seats
        self._clock, self._on_stuck = clock, on_stuck
        self._hold_times = hold_times or HoldTimes()
        self._rng = np.random.default_rng(seed)
        self._closed = {(seat, which): False for seat in range(1, seats + 1) for which in ButtonName}
        self._missing = frozenset(missing)
        self._events: ButtonEvents | None = None

    @override
    def start(self, on_event: Callable[[ButtonEvent], None]) -> None:
        self._events = ButtonEvents(self._closed, self._clock.now_ns(), self._hold_times, on_event, self._on_stuck)

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
