"""From the edges of a bouncing contact to strokes: debounce and holding. Pure: edges and times go in, strokes come out,
and the same edges give the same strokes whenever and however often one looks.

A contact bounces for up to 5 ms when it closes and when it opens, and a press lasts 8 ms or more: that is what the box
promises to tell right. So a press counts once the contact has been closed for ``STEADY_NS`` without a break, which the
shortest press is after its bounces (8 - 5 = 3 ms) and a spark on the wire is not; and it is over once the contact has
been open for ``OPEN_NS``, which no bounce is. Two presses are two if ``OPEN_NS`` lie between the last bounce of one and
the next. These numbers are the project's own choice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from device.gpio.buttons import Stroke, Which

MS = 1_000_000
BOUNCE_NS = 5 * MS
"""The longest bounce."""
STEADY_NS = 2 * MS
"""Closed so long, a contact is pressed."""
OPEN_NS = 10 * MS
"""Open so long, a contact is let go."""
STUCK_NS = 30_000 * MS
"""A button that is down so long is stuck: nobody holds one for half a minute."""


@dataclass(frozen=True)
class Holding:
    """How long a button is down until it counts as held, and how long until each further step while raise is."""

    hold_ns: int = 600 * MS
    run_ns: int = 250 * MS


@dataclass
class Press:
    """A press that goes on: when the contact first touched, when it is to be a hold or the next step of one, and
    whether it was a hold already. One that was there ``before`` anybody looked is no press of anybody's."""

    first_ns: int
    due_ns: int
    held: bool = False
    stuck: bool = False
    before: bool = False


@dataclass
class Button:
    """One button. ``edge`` and ``until`` are given times that never go back, in ns, and tell the strokes that were done
    by then, each with the time of SeatStroke.

    >>> button = Button(Which.CONFIRM)
    >>> [*button.edge(0, True), *button.edge(100 * MS, False), *button.until(200 * MS)]
    [(<Stroke.CONFIRM: 'confirm'>, 0)]
    """

    which: Which
    holding: Holding = field(default_factory=Holding)
    closed: bool = False
    """What the contact's last edge left it at."""
    _since_ns: int = 0
    _first_ns: int = -2 * BOUNCE_NS
    _press: Press | None = None

    @classmethod
    def seen(cls, which: Which, holding: Holding, now_ns: int, closed: bool) -> "Button":
        """A button as it is at the start. One that is down is ignored until it comes up."""
        button = cls(which, holding, closed, now_ns)
        if closed:
            button._press = Press(now_ns, now_ns, before=True)
        return button

    @property
    def down(self) -> bool:
        """Whether it counts as pressed."""
        return self._press is not None

    @property
    def stuck(self) -> bool:
        """Whether it has been down for too long."""
        return self._press is not None and self._press.stuck

    def at_rest(self, now_ns: int) -> bool:
        """Whether nothing can come of it before its next edge."""
        return self._press is None and not self.closed and now_ns - self._since_ns >= OPEN_NS

    def edge(self, when_ns: int, closed: bool) -> Iterator[tuple[Stroke, int]]:
        """The contact closed or opened at ``when_ns``."""
        when_ns = max(when_ns, self._since_ns)
        yield from self.until(when_ns)
        if closed == self.closed:
            return
        if closed and when_ns - self._first_ns > BOUNCE_NS:
            self._first_ns = when_ns
        self.closed, self._since_ns = closed, when_ns

    def until(self, now_ns: int) -> Iterator[tuple[Stroke, int]]:
        """Nothing more happened to the contact until ``now_ns``."""
        if self.closed and self._press is None and now_ns - self._since_ns >= STEADY_NS:
            self._press = Press(self._first_ns, self._first_ns + self.holding.hold_ns)
            if self.which is Which.RAISE:
                yield Stroke.RAISE, self._first_ns
        if self._press is not None and self.closed:
            yield from self._held(self._press, now_ns)
        if self._press is not None and not self.closed and now_ns - self._since_ns >= OPEN_NS:
            press, self._press = self._press, None
            if self.which is Which.CONFIRM and not (press.held or press.before or press.stuck):
                yield Stroke.CONFIRM, press.first_ns

    def _held(self, press: Press, now_ns: int) -> Iterator[tuple[Stroke, int]]:
        """What comes of a button's being down."""
        ends_ns = press.first_ns + STUCK_NS
        while not press.before and press.due_ns <= min(now_ns, ends_ns - 1):
            if self.which is Which.RAISE:
                yield Stroke.RUN, press.due_ns
            elif not press.held:
                yield Stroke.PASS, press.first_ns
            press.held = True
            press.due_ns += self.holding.run_ns
        press.stuck = now_ns >= ends_ns
