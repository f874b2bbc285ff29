"""The time of the seats that answer a question together. Pure: no surface, no clock.

With a time limit each seat has the whole time. On the screen, which goes from hand to hand, a seat's time begins when
it opens its own page, and runs only while that page is shown. By its buttons a seat answers whenever it likes: its time
begins with its first press and never stops. On a phone it begins when the phone shows the question, and runs as long as
the phone is there."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self

from rules.engine import Seat

TIME_UP_S = 3.0
"""How long everybody's page says whose time ran out, if that was the last answer."""


@dataclass(frozen=True)
class AnswerClocks:
    """The time that is left to each seat; without a limit no clock ever starts."""

    whole_s: float | None
    """The time each seat has; None for no limit."""
    left_s: Mapping[Seat, float] = field(default_factory=dict)
    """The seconds left of each seat whose time has begun."""
    by_button: frozenset[Seat] = frozenset()
    """The seats whose time runs whatever is on the screen."""
    on_phone: frozenset[Seat] = frozenset()
    """The seats whose time runs because their phone shows the question."""
    extended: frozenset[Seat] = frozenset()
    """The seats that have taken the whole time once more."""

    @property
    def off_screen(self) -> frozenset[Seat]:
        """The seats whose time runs wherever the screen is."""
        return self.by_button | self.on_phone

    def start(self, seat: Seat, *, by_button: bool = False) -> Self:
        """Return the clocks with a seat's running, if it is not yet: while its own page is shown, or ``by_button``
        whatever is shown."""
        if self.whole_s is None:
            return self
        left_s = MappingProxyType({seat: self.whole_s, **self.left_s})
        return replace(self, left_s=left_s, by_button=self.by_button | {seat} if by_button else self.by_button)

    def show_on_phones(self, on_phone: frozenset[Seat]) -> Self:
        """Return the clocks of the question that the phones of these seats show, and of no others."""
        clocks = self
        for seat in sorted(on_phone - self.on_phone):
            clocks = clocks.start(seat)
        return replace(clocks, on_phone=on_phone)

    def extend(self, seat: Seat) -> Self:
        """Return the clocks with the whole time once more for a seat, from its next start."""
        left_s = {waiting: left for waiting, left in self.left_s.items() if waiting != seat}
        return replace(self, left_s=MappingProxyType(left_s), extended=self.extended | {seat})

    def pass_time(self, running: Iterable[Seat], seconds: float) -> Self:
        """Return the clocks when ``seconds`` of the ``running`` seats' time have passed."""
        passed = {seat: max(0.0, self.left_s[seat] - seconds) for seat in running}
        return replace(self, left_s=MappingProxyType({**self.left_s, **passed}))


@dataclass(frozen=True)
class TimeOuts:
    """The seats whose time ran out, and whether everybody's page still has to say so."""

    seats: frozenset[Seat] = frozenset()
    unsaid: bool = False
    """Whether a time-out has been on no page yet, as of a seat that answers by its buttons."""
    shown_s: float = TIME_UP_S
    """The seconds for which everybody's page goes on saying it once all are in."""

    def add(self, seat: Seat, *, said: bool) -> Self:
        """Return the time-outs with that of a seat, which its own page has ``said`` or not."""
        return replace(self, seats=self.seats | {seat}, unsaid=self.unsaid or not said)


def to_tenths(seconds: float) -> float:
    """Return seconds as they are drawn, in tenths."""
    return math.ceil(round(seconds * 10, 6)) / 10
