"""Disturbances at the simulated table: hands astray, a camera covered, knocked or losing frames, failing light. A
Disturbance is the ground truth of one such event."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from device.simulated.table.animation import THROWS, ease

RAMP_NS = 400_000_000
"""Time a hand or a cover takes to arrive, and to leave."""


class AmountLimits(NamedTuple):
    """What a kind's ``amount`` means, its limits and its default."""

    description: str
    minimum: float
    maximum: float
    default: float


AMOUNT_LIMITS = {
    "covered": AmountLimits("the covered share of the image", 0.3, 1.0, 1.0),
    "moved": AmountLimits("the shift of the image, as a share of its width", 0.01, 0.15, 0.06),
    "tremor": AmountLimits("the image's swing to either side, in thousandths of its width", 0.1, 5.0, 1.5),
    "dark": AmountLimits("the remaining share of the light", 0.0, 0.9, 0.001),
    "flicker": AmountLimits("the light's variation up and down, as a share of it", 0.0, 0.1, 0.03),
    "gap": AmountLimits("the remaining frames per second", 0.0, 30.0, 0.0),
}
DISTURBANCE_KINDS = ("two hands", "wrong zone", "reaching", *AMOUNT_LIMITS)
"""Tremor and flicker are harmless and must not void a round."""


@dataclass(frozen=True)
class Disturbance:
    """A disturbance of a round, on the camera's clock. Its kinds are:

    - "two hands": ``seat``'s player puts their other hand next to the throwing one. It shows ``throw`` all the time, or
      opens at ``shown_ns``.
    - "wrong zone": ``seat``'s hand throws in the zone of ``into_seat``, next to its owner's hand or partly over it.
    - "reaching": an arm with a relaxed hand reaches over ``seat``'s zone and hides what is below: that of ``by_seat``'s
      player, or of a bystander (None).
    - "covered": something out of focus is in front of the lens: skin, cloth or a black cap.
    - "moved": the camera is knocked: it shakes, and its image is shifted, turned and zoomed until ``end_ns``.
    - "tremor": the camera trembles slightly.
    - "dark": the light fails, and the camera's gain rises as far as it can.
    - "flicker": the light flickers at 100 Hz.
    - "gap": frames are lost.

    Raises:
        ValueError: the fields contradict each other.
    """

    kind: str
    """One of DISTURBANCE_KINDS."""
    start_ns: int
    end_ns: int
    seat: int | None = None
    into_seat: int | None = None
    by_seat: int | None = None
    throw: str = "paper"
    shown_ns: int | None = None
    amount: float | None = None
    """Its strength, within AMOUNT_LIMITS; None for the default."""
    variant: int = 0
    """Chooses, with the table's seed, what is left open: the side, the skin, the direction."""

    def __post_init__(self) -> None:
        if self.kind not in DISTURBANCE_KINDS:
            raise ValueError(f"there is no disturbance {self.kind!r}; choose from {', '.join(DISTURBANCE_KINDS)}")
        if self.end_ns <= self.start_ns:
            raise ValueError(f"a disturbance takes time: end_ns must come after start_ns ({self.kind})")
        if self.variant < 0:
            raise ValueError("variant must be 0 or more")
        if self.throw not in THROWS:
            raise ValueError(f"a hand can't show {self.throw!r}: it can show {', '.join(THROWS)}")
        self._check_seats()
        limits = AMOUNT_LIMITS.get(self.kind)
        if self.amount is None:
            return
        if limits is None:
            raise ValueError(f"{self.kind!r} has no amount")
        if not limits.minimum <= self.amount <= limits.maximum:
            raise ValueError(
                f"{self.kind}: {limits.description} is {limits.minimum:g} to {limits.maximum:g}, not {self.amount:g}"
            )

    def _check_seats(self) -> None:
        if (self.seat is not None) != self.has_hand:
            raise ValueError(f"{self.kind!r} {'needs a seat' if self.has_hand else 'has no seat'}")
        if (self.into_seat is not None) != (self.kind == "wrong zone"):
            raise ValueError(
                "into_seat is the seat whose zone a hand strays to: 'wrong zone' needs it, others don't have it"
            )
        if self.by_seat is not None and self.kind != "reaching":
            raise ValueError("by_seat is the player who reaches over: only 'reaching' has it")
        if self.seat is not None and self.seat in (self.into_seat, self.by_seat):
            raise ValueError(f"seat {self.seat} can't be astray in its own zone")
        if self.shown_ns is not None and self.kind != "two hands":
            raise ValueError("shown_ns is when a second hand opens: only 'two hands' has it")

    @property
    def has_hand(self) -> bool:
        """Whether it is a hand where none should be."""
        return self.kind not in AMOUNT_LIMITS

    @property
    def strength(self) -> float:
        """The amount, or its default; 0 for kinds without an amount."""
        if self.amount is not None:
            return self.amount
        return AMOUNT_LIMITS[self.kind].default if self.kind in AMOUNT_LIMITS else 0.0

    @property
    def ramp_ns(self) -> int:
        """Time it takes to build up, and to fade."""
        return min(RAMP_NS, (self.end_ns - self.start_ns) // 3)

    def is_active(self, when_ns: int) -> bool:
        """Return whether it has any effect at ``when_ns``."""
        return self.start_ns <= when_ns < self.end_ns

    def overlaps(self, since_ns: int, until_ns: int) -> bool:
        """Return whether it has any effect between two times."""
        return self.start_ns <= until_ns and since_ns < self.end_ns

    def progress(self, when_ns: int) -> float:
        """Return how far it has built up: 0 not at all, 1 fully."""
        ramp_ns = self.ramp_ns
        return min(ease((when_ns - self.start_ns) / ramp_ns), ease((self.end_ns - when_ns) / ramp_ns))

    def rng(self, seed: int) -> np.random.Generator:
        """Return the generator of the random choices, the same every time."""
        return np.random.default_rng([seed, 5, DISTURBANCE_KINDS.index(self.kind), self.variant, self.seat or 0])


def light_at(disturbance: Disturbance, when_ns: int) -> float:
    """Return the share of the light left at ``when_ns``."""
    if not disturbance.is_active(when_ns):
        return 1.0
    if disturbance.kind == "dark":
        return disturbance.strength
    if disturbance.kind == "flicker":
        return 1 + disturbance.strength * math.sin(2 * math.pi * LAMP_FLICKER_HZ * when_ns / 1e9)
    return 1.0


LAMP_FLICKER_HZ = 100
"""Flicker of a lamp on 50 Hz mains."""
MAX_GAIN = 4.0
"""Highest gain of the camera, relative to good light."""
GAIN_RISE_NS = 600_000_000
"""Time the gain takes to rise."""


def gain_at(disturbance: Disturbance, when_ns: int) -> float:
    """Return the factor of the camera's gain at ``when_ns``."""
    if disturbance.kind != "dark" or not disturbance.is_active(when_ns):
        return 1.0
    max_gain = MAX_GAIN if disturbance.strength * MAX_GAIN <= 1 else 1 / disturbance.strength
    return 1 + (max_gain - 1) * ease((when_ns - disturbance.start_ns) / GAIN_RISE_NS)
