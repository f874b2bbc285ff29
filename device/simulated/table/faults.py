"""What can go wrong at a table beside the throws themselves: hands astray, a camera covered, knocked or losing frames,
the light. A Disturbance is the truth about one such event; the simulated table plays it."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from device.simulated.table.animation import THROWS, eased

COMES_NS = 400_000_000
"""How long a hand or a cover takes to come, and to go again."""


class Limits(NamedTuple):
    """What a kind's ``amount`` is, its smallest and largest, and what it is if nothing is said."""

    what: str
    least: float
    most: float
    usual: float


AMOUNTS = {
    "covered": Limits("the share of the picture that is covered", 0.3, 1.0, 1.0),
    "moved": Limits("the way the picture shifts, as a share of its width", 0.01, 0.15, 0.06),
    "tremor": Limits("the picture's swing to either side, in thousandths of its width", 0.1, 5.0, 1.5),
    "dark": Limits("the share of the light that is left", 0.0, 0.9, 0.001),
    "flicker": Limits("the light's swing to either side, as a share of it", 0.0, 0.1, 0.03),
    "gap": Limits("the frames a second that still come", 0.0, 30.0, 0.0),
}
KINDS = ("two hands", "wrong zone", "reaching", *AMOUNTS)
"""Tremor and flicker are harmless: whoever accuses them is wrong."""


@dataclass(frozen=True)
class Disturbance:
    """One thing that goes wrong from ``begins_ns`` to ``ends_ns`` of the camera's clock; before and after all is well.

    ``kind``: one of KINDS.
    - "two hands": ``seat``'s player puts their other hand beside the one that throws. It shows ``throw``: all the
      while, or opens at ``shown_ns``.
    - "wrong zone": ``seat``'s hand throws in the zone of seat ``into``, beside its owner's hand or partly over it.
    - "reaching": an arm with a relaxed hand comes over ``seat``'s zone, nearer to the camera and hiding what is under
      it: that of player ``by``, or of a bystander (None).
    - "covered": something out of focus is held before the lens, skin, cloth or a black cap.
    - "moved": the camera is knocked: it shakes, and what it sees is shifted, turned and zoomed until ``ends_ns``.
    - "tremor": the camera trembles a little.
    - "dark": the light fails, and the camera's gain rises as far as it can.
    - "flicker": the light swings a hundred times a second.
    - "gap": frames are lost.

    ``amount``: how much of it, see AMOUNTS; None for the usual. ``variant`` chooses, with the table's seed, what is
    left open: the side, whose skin, which way.

    Raises ValueError, in words, for what can't be.
    """

    kind: str
    begins_ns: int
    ends_ns: int
    seat: int | None = None
    into: int | None = None
    by: int | None = None
    throw: str = "paper"
    shown_ns: int | None = None
    amount: float | None = None
    variant: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"there is no disturbance {self.kind!r}: there are {', '.join(KINDS)}")
        if self.ends_ns <= self.begins_ns:
            raise ValueError(f"a disturbance takes time: ends_ns must come after begins_ns ({self.kind})")
        if self.variant < 0:
            raise ValueError("variant is a number from 0")
        if self.throw not in THROWS:
            raise ValueError(f"a hand can't show {self.throw!r}: it can show {', '.join(THROWS)}")
        self._check_seats()
        limits = AMOUNTS.get(self.kind)
        if self.amount is None:
            return
        if limits is None:
            raise ValueError(f"{self.kind!r} has no amount")
        if not limits.least <= self.amount <= limits.most:
            raise ValueError(f"{self.kind}: {limits.what} is {limits.least:g} to {limits.most:g}, not {self.amount:g}")

    def _check_seats(self) -> None:
        if (self.seat is not None) != self.has_hand:
            raise ValueError(f"{self.kind!r} {'needs a seat' if self.has_hand else 'has no seat'}")
        if (self.into is not None) != (self.kind == "wrong zone"):
            raise ValueError("into is the seat whose zone a hand strays to: 'wrong zone' needs it, nothing else has it")
        if self.by is not None and self.kind != "reaching":
            raise ValueError("by is the player who reaches over: only 'reaching' has it")
        if self.seat is not None and self.seat in (self.into, self.by):
            raise ValueError(f"seat {self.seat} can't be astray in its own zone")
        if self.shown_ns is not None and self.kind != "two hands":
            raise ValueError("shown_ns is when a second hand opens: only 'two hands' has it")

    @property
    def has_hand(self) -> bool:
        """Whether it is a hand where none should be."""
        return self.kind not in AMOUNTS

    @property
    def much(self) -> float:
        """How much of it: ``amount``, or the usual. 0 where there is no such thing."""
        if self.amount is not None:
            return self.amount
        return AMOUNTS[self.kind].usual if self.kind in AMOUNTS else 0.0

    @property
    def comes_ns(self) -> int:
        """How long it takes to come, and to go."""
        return min(COMES_NS, (self.ends_ns - self.begins_ns) // 3)

    def on(self, when_ns: int) -> bool:
        """Whether anything of it is there."""
        return self.begins_ns <= when_ns < self.ends_ns

    def overlaps(self, since_ns: int, until_ns: int) -> bool:
        """Whether anything of it is there at some instant of those."""
        return self.begins_ns <= until_ns and since_ns < self.ends_ns

    def share(self, when_ns: int) -> float:
        """How far it has come: 0 nothing, 1 fully there."""
        comes = self.comes_ns
        return min(eased((when_ns - self.begins_ns) / comes), eased((self.ends_ns - when_ns) / comes))

    def chance(self, seed: int) -> np.random.Generator:
        """What chooses that which is left open, the same every time."""
        return np.random.default_rng([seed, 5, KINDS.index(self.kind), self.variant, self.seat or 0])


def light_at(disturbance: Disturbance, when_ns: int) -> float:
    """The share of the light that is left at an instant."""
    if not disturbance.on(when_ns):
        return 1.0
    if disturbance.kind == "dark":
        return disturbance.much
    if disturbance.kind == "flicker":
        return 1 + disturbance.much * math.sin(2 * math.pi * LAMP_HZ * when_ns / 1e9)
    return 1.0


LAMP_HZ = 100
"""A lamp's flicker on 50 Hz mains."""
GAIN_MOST = 4.0
"""How far the camera's gain can rise above what it is in good light …"""
GAIN_NS = 600_000_000
"""… and how long it takes."""


def gain_at(disturbance: Disturbance, when_ns: int) -> float:
    """What the camera's gain is multiplied with at an instant."""
    if disturbance.kind != "dark" or not disturbance.on(when_ns):
        return 1.0
    most = GAIN_MOST if disturbance.much * GAIN_MOST <= 1 else 1 / disturbance.much
    return 1 + (most - 1) * eased((when_ns - disturbance.begins_ns) / GAIN_NS)
