"""Turns the edges and polls of all seats' buttons into button events, for real and simulated pins alike.

On a busy machine an edge may arrive late, and the kernel may lose one. So each poll only evaluates the time up to the
poll before, ``POLL_INTERVAL_NS`` earlier: by then all earlier edges have arrived, and no tap is mistaken for a hold. A
contact that twice in a row is not as its last edge left it has lost an edge.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from device.gpio.buttons import ButtonAction, ButtonEvent, ButtonName
from device.gpio.debounce import MS, DebouncedButton, HoldTimes

POLL_INTERVAL_NS = 10 * MS
"""Time between two polls while any button is busy; the project's own choice."""
ButtonId = tuple[int, ButtonName]
"""A seat (from 1) and which of its buttons."""
ReadContact = Callable[[ButtonId], bool]
"""Returns whether a button's contact is closed now."""


@dataclass
class _TrackedButton:
    """A button that is polled."""

    button: DebouncedButton
    mismatch_ns: int | None = None
    """The poll since which the contact contradicts the edges it has sent; None while it doesn't."""
    reported_stuck: bool = False
    """Whether it was reported as stuck."""


class ButtonEvents:
    """The state of all buttons. ``initially_closed`` says for each whether its contact is closed at the start,
    ``now_ns``.

    ``on_event`` and ``on_stuck`` are called from the thread that reports an edge or polls, one call at a time.
    """

    def __init__(
        self,
        initially_closed: Mapping[ButtonId, bool],
        now_ns: int,
        hold_times: HoldTimes,
        on_event: Callable[[ButtonEvent], None],
        on_stuck: Callable[[ButtonId], None],
    ) -> None:
        self._buttons = {
            key: _TrackedButton(DebouncedButton.from_contact(key[1], hold_times, now_ns, down))
            for key, down in initially_closed.items()
        }
        self._polled_ns = now_ns
        self._on_event, self._on_stuck = on_event, on_stuck
        self._lock = threading.RLock()

    def handle_edge(self, key: ButtonId, when_ns: int, closed: bool) -> None:
        """Process that a contact closed or opened at ``when_ns``."""
        with self._lock:
            tracked = self._buttons[key]
            tracked.mismatch_ns = None
            self._emit(key, tracked.button.edge(when_ns, closed))

    def poll(self, now_ns: int, read_contact: ReadContact) -> bool:
        """Check the buttons. Returns False when all are idle: no poll is needed before the next edge. A poll sooner
        than ``POLL_INTERVAL_NS`` after another does nothing."""
        with self._lock:
            if now_ns - self._polled_ns < POLL_INTERVAL_NS:
                return True
            busy = [item for item in self._buttons.items() if not item[1].button.is_idle(self._polled_ns)]
            for key, tracked in busy:
                self._poll_button(key, tracked, read_contact(key))
            self._polled_ns = now_ns
            return bool(busy)

    def _poll_button(self, key: ButtonId, tracked: _TrackedButton, closed: bool) -> None:
        button = tracked.button
        if closed == button.closed:
            tracked.mismatch_ns = None
            self._emit(key, button.advance(self._polled_ns))
        elif tracked.mismatch_ns is None:
            tracked.mismatch_ns = self._polled_ns
        else:
            # Date it as early as possible: a button found released must not count as held.
            self._emit(key, button.edge(tracked.mismatch_ns, closed))
            tracked.mismatch_ns = None
        if button.stuck and not tracked.reported_stuck:
            self._on_stuck(key)
        tracked.reported_stuck = button.stuck

    def _emit(self, key: ButtonId, actions: Iterable[tuple[ButtonAction, int]]) -> None:
        for action, when_ns in actions:
            self._on_event(ButtonEvent(key[0], action, when_ns))
