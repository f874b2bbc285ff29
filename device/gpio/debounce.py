"""Debounce: from the edges of bouncing contacts to taps and holds, and to the events of all seats' buttons, for real
and simulated pins alike. A button by itself is pure: the same edges give the same actions, whenever and however often
they are polled.

A contact may bounce for 5 ms when it closes and when it opens, and a press of 8 ms or more must be recognised. A press
counts once the contact has been closed for ``PRESS_CONFIRM_NS`` without a break: the shortest press is, after its
bounces (8 - 5 = 3 ms), and a spark on the wire is not. It ends once the contact has been open for
``RELEASE_CONFIRM_NS``, longer than any bounce. Two presses are told apart if that time lies between the last bounce of
one and the next. These numbers are the project's own choice.

On a busy machine an edge may arrive late, and the kernel may lose one. So each poll of all buttons only evaluates the
time up to the poll before, ``POLL_INTERVAL_NS`` earlier: by then all earlier edges have arrived, and no tap is mistaken
for a hold. A contact that twice in a row is not as its last edge left it has lost an edge."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from device.gpio.buttons import ButtonAction, ButtonEvent, ButtonName

MS = 1_000_000
BOUNCE_NS = 5 * MS
"""The longest bounce."""
PRESS_CONFIRM_NS = 2 * MS
"""A contact closed for this long is pressed."""
RELEASE_CONFIRM_NS = 10 * MS
"""A contact open for this long is released."""
STUCK_TIMEOUT_NS = 30_000 * MS
"""A button down for this long is stuck: nobody holds one for half a minute."""

POLL_INTERVAL_NS = 10 * MS
"""Time between two polls while any button is busy; the project's own choice."""

ButtonId = tuple[int, ButtonName]
"""A seat (from 1) and which of its buttons."""

ReadContact = Callable[[ButtonId], bool]
"""Returns whether a button's contact is closed now."""


@dataclass(frozen=True)
class HoldTimes:
    """The time until a press counts as held, and the interval of further steps while raise is held."""

    hold_ns: int = 600 * MS
    repeat_ns: int = 250 * MS


@dataclass
class _ActivePress:
    """A press in progress."""

    first_ns: int
    """When the contact was first touched."""
    due_ns: int
    """When it becomes a hold, or the next step of a hold is due."""
    held: bool = False
    """Whether it already is a hold."""
    stuck: bool = False
    ignored: bool = False
    """Whether the button was down at the start."""


@dataclass
class DebouncedButton:
    """One button. ``edge`` and ``advance`` take times in ns that never go back, and yield the actions completed by
    then, each with its time as in ButtonEvent.

    >>> button = DebouncedButton(ButtonName.CONFIRM)
    >>> [*button.edge(0, True), *button.edge(100 * MS, False), *button.advance(200 * MS)]
    [(<ButtonAction.CONFIRM: 'confirm'>, 0)]
    """

    name: ButtonName
    hold_times: HoldTimes = field(default_factory=HoldTimes)
    closed: bool = False
    """The contact's state after its last edge."""
    _since_ns: int = 0
    _first_ns: int = -2 * BOUNCE_NS
    _press: _ActivePress | None = None

    @classmethod
    def from_contact(cls, name: ButtonName, hold_times: HoldTimes, now_ns: int, closed: bool) -> "DebouncedButton":
        """Create a button in its state at the start. If it is down, it is ignored until released."""
        button = cls(name, hold_times, closed, now_ns)
        if closed:
            button._press = _ActivePress(now_ns, now_ns, ignored=True)
        return button

    @property
    def down(self) -> bool:
        """Whether it counts as pressed."""
        return self._press is not None

    @property
    def stuck(self) -> bool:
        """Whether it has been down for ``STUCK_TIMEOUT_NS``."""
        return self._press is not None and self._press.stuck

    def is_idle(self, now_ns: int) -> bool:
        """Whether it can yield nothing before its next edge."""
        return self._press is None and not self.closed and now_ns - self._since_ns >= RELEASE_CONFIRM_NS

    def edge(self, when_ns: int, closed: bool) -> Iterator[tuple[ButtonAction, int]]:
        """Process that the contact closed or opened at ``when_ns``."""
        when_ns = max(when_ns, self._since_ns)
        yield from self.advance(when_ns)
        if closed == self.closed:
            return
        if closed and when_ns - self._first_ns > BOUNCE_NS:
            self._first_ns = when_ns
        self.closed, self._since_ns = closed, when_ns

    def advance(self, now_ns: int) -> Iterator[tuple[ButtonAction, int]]:
        """Process that there were no further edges until ``now_ns``."""
        if self.closed and self._press is None and now_ns - self._since_ns >= PRESS_CONFIRM_NS:
            self._press = _ActivePress(self._first_ns, self._first_ns + self.hold_times.hold_ns)
            if self.name is ButtonName.RAISE:
                yield ButtonAction.RAISE, self._first_ns
        if self._press is not None and self.closed:
            yield from self._hold_actions(self._press, now_ns)
        if self._press is not None and not self.closed and now_ns - self._since_ns >= RELEASE_CONFIRM_NS:
            press, self._press = self._press, None
            if self.name is ButtonName.CONFIRM and not (press.held or press.ignored or press.stuck):
                yield ButtonAction.CONFIRM, press.first_ns

    def _hold_actions(self, press: _ActivePress, now_ns: int) -> Iterator[tuple[ButtonAction, int]]:
        """Yield the actions due while the button is down."""
        stuck_ns = press.first_ns + STUCK_TIMEOUT_NS
        while not press.ignored and press.due_ns <= min(now_ns, stuck_ns - 1):
            if self.name is ButtonName.RAISE:
                yield ButtonAction.RAISE_REPEAT, press.due_ns
            elif not press.held:
                yield ButtonAction.CONFIRM_HOLD, press.first_ns
            press.held = True
            press.due_ns += self.hold_times.repeat_ns
        press.stuck = now_ns >= stuck_ns


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
