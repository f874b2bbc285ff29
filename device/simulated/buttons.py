"""Simulated buttons: presses that bounce like real ones, buttons that stick, and buttons nobody wired. They go through
the same debounce as the pins' do."""

from collections.abc import Callable, Collection, Iterator

import numpy as np

from device.gpio.button_events import LOOK_NS, Key, Strokes
from device.gpio.buttons import SeatStroke, Which
from device.gpio.debounce import BOUNCE_NS, MS, OPEN_NS, Holding
from device.system.clock import Clock

TAP_MS = 80.0
"""How long a finger that taps is down: the project's own choice, well over the 8 ms that must be heard."""
BOUNCES = 6
"""At most so many times a contact comes back."""


def bouncing(
    rng: np.random.Generator, start_ns: int, until_ns: int, bounce_ns: int = BOUNCE_NS
) -> Iterator[tuple[int, bool]]:
    """The edges of one press: ``(time in ns, whether the contact closed)``, in order. It touches first at ``start_ns``
    and begins to let go at ``until_ns``; after both it bounces for ``bounce_ns`` at most."""
    for begin_ns, to in ((start_ns, True), (until_ns, False)):
        back = np.sort(rng.integers(1, bounce_ns, 2 * rng.integers(0, BOUNCES + 1)))
        for number, after_ns in enumerate((0, *back.tolist())):
            yield begin_ns + after_ns, to if number % 2 == 0 else not to


class SimulatedButtons:
    """``seats`` seats with two buttons each, but for the ``missing`` ones, which nobody wired. Whoever presses one
    spends the time of ``clock`` that it takes. ``told`` hears of a stuck button.

    >>> from device.system.clock import JumpingClock
    >>> buttons = SimulatedButtons(2, JumpingClock())
    >>> buttons.start(print)
    >>> buttons.press(2, Which.RAISE)
    SeatStroke(seat=2, stroke=<Stroke.RAISE: 'raise'>, when_ns=0)
    """

    def __init__(
        self,
        seats: int,
        clock: Clock,
        *,
        seed: int = 0,
        holding: Holding | None = None,
        missing: Collection[Key] = (),
        told: Callable[[Key], None] = lambda key: None,
    ) -> None:
        self.seats = seats
        self._clock, self._told = clock, told
        self._holding = holding or Holding()
        self._rng = np.random.default_rng(seed)
        self._closed = {(seat, which): False for seat in range(1, seats + 1) for which in Which}
        self._missing = frozenset(missing)
        self._strokes: Strokes | None = None

    def start(self, heard: Callable[[SeatStroke], None]) -> None:
        """See Buttons."""
        self._strokes = Strokes(self._closed, self._clock.now_ns(), self._holding, heard, self._told)

    def stop(self) -> None:
        """See Buttons."""
        self._strokes = None

    def press(self, seat: int, which: Which, ms: float = TAP_MS) -> None:
        """Press a button for so many ms; what is heard of it has been heard when this returns."""
        self.press_all([(seat, which)], ms)

    def press_all(self, keys: Collection[Key], ms: float = TAP_MS) -> None:
        """Press several buttons at the same time, as seats do that bet together."""
        start_ns = self._clock.now_ns()
        until_ns = start_ns + round(ms * MS)
        edges = [(when, key, closed) for key in keys for when, closed in bouncing(self._rng, start_ns, until_ns)]
        for when_ns, key, closed in sorted(edges):
            self._pass_until(when_ns)
            self._edge(key, closed)
        self.wait((BOUNCE_NS + OPEN_NS) / MS + 3 * LOOK_NS / MS)

    def stick(self, seat: int, which: Which) -> None:
        """A button goes down and stays there."""
        self._edge((seat, which), True)

    def free(self, seat: int, which: Which) -> None:
        """A button that stuck comes up."""
        self._edge((seat, which), False)

    def wait(self, ms: float) -> None:
        """Let so many ms go by."""
        self._pass_until(self._clock.now_ns() + round(ms * MS))

    def _edge(self, key: Key, closed: bool) -> None:
        if key in self._missing:
            return
        self._closed[key] = closed
        if self._strokes is not None:
            self._strokes.edge(key, self._clock.now_ns(), closed)

    def _pass_until(self, when_ns: int) -> None:
        while self._clock.now_ns() < when_ns:
            self._clock.wait_until(min(when_ns, self._clock.now_ns() + LOOK_NS))
            if self._strokes is not None:
                self._strokes.look(self._clock.now_ns(), self._closed.__getitem__)
