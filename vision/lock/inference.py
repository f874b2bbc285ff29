"""Where in time something happened that looks tell of: explanations weighed by what was seen, and the next look put
where they differ most. Used for the opening of a hand and for the landing of a fist."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

MISREAD = 0.08
"""The chance that a look says nothing: a hand misread in the blur of its motion."""
ANYTHING = 2.0
"""The range over which a misread look may say anything, in the measure's own units."""

LOST_AT_REST = 0.25
"""How much rarer a hand is lost at rest than in motion."""


@dataclass(frozen=True)
class Instant:
    """A time found, and its uncertainty: one standard deviation, in ns."""

    when_ns: int
    plus_minus_ns: int


class Beliefs:
    """Explanations of a movement and their weights.

    ``instants`` (n,) are the times of the event that they name, in ms; ``expected`` gives what each of them expects to
    be seen at times in ms: (k,) to (k, n). ``noise`` is a look's standard deviation in the same units, ``prior`` (n,)
    the logarithm of each explanation's weight before any look; ``still`` (n,) the time from which each of them has the
    hand at rest.
    """

    def __init__(
        self, instants: Vector, expected: Callable[[Vector], Vector], noise: float, prior: Vector, still: Vector
    ) -> None:
        self._instants = instants
        self._expected = expected
        self._noise = noise
        self._log = prior.astype(float)
        self._still = still

    def saw(self, at_ms: float, value: float) -> None:
        """Weigh the explanations by what was seen."""
        off = (self._expected(np.array([at_ms]))[0] - value) / self._noise
        likely = np.exp(-off * off / 2) / (self._noise * np.sqrt(2 * np.pi))
        self._log = self._log + np.log((1 - MISREAD) * likely + MISREAD / ANYTHING)

    def lost(self, at_ms: float) -> None:
        """Weigh the explanations by a look that found no hand, or one that contradicts itself: hands are lost to the
        blur of their motion, and hardly ever at rest."""
        self._log = self._log + np.where(self._still < at_ms, np.log(LOST_AT_REST), 0.0)

    @property
    def _weights(self) -> Vector:
        weights = np.exp(self._log - self._log.max())
        return np.asarray(weights / weights.sum())

    @property
    def mean_ms(self) -> float:
        """The mean of the event's time."""
        return float(self._weights @ self._instants)

    @property
    def sd_ms(self) -> float:
        """Its standard deviation."""
        weights = self._weights
        return float(np.sqrt(weights @ (self._instants - weights @ self._instants) ** 2))

    def instant(self, origin_ns: int, floor_ms: float) -> Instant:
        """The event's time; its uncertainty is that of the beliefs and ``floor_ms`` that no look can take away."""
        when_ns = origin_ns + round(self.mean_ms * 1e6)
        return Instant(when_ns, round(float(np.hypot(self.sd_ms, floor_ms)) * 1e6))

    def telling(self, times: Vector) -> Vector:
        """How much a look at each of ``times`` (k,) would tell of the event's time: the part of the variance of what is
        expected there that goes with it."""
        weights, expected = self._weights, self._expected(times)
        off = self._instants - weights @ self._instants
        spread = expected - (expected @ weights)[:, None]
        together = (spread * off) @ weights
        return np.asarray(together**2 / ((spread**2) @ weights + self._noise**2))


def looked_for(
    beliefs: Beliefs,
    known: Iterable[int],
    times: Vector,
    between: tuple[float, float],
    look: Callable[[int], tuple[float, float] | None],
    looks: int,
    enough_ms: float,
) -> None:
    """Find the event among frames with ``times`` (k,) in ms ``between`` two of them. ``look`` gives a frame's time and
    what is seen in it, None where nothing can be told. What is ``known`` is weighed first; then up to ``looks`` further
    frames, each where it tells most, until the event's time is sure to ``enough_ms``."""
    near = [int(i) for i in np.flatnonzero((times >= between[0]) & (times <= between[1]))]
    seen = set(known)

    def weigh(index: int) -> None:
        told = look(index)
        if told is None:
            beliefs.lost(float(times[index]))
        else:
            beliefs.saw(*told)

    for index in [i for i in near if i in seen]:
        weigh(index)
    free = [i for i in near if i not in seen]
    for _ in range(looks):
        if not free or beliefs.sd_ms < enough_ms:
            return
        weigh(free.pop(int(beliefs.telling(times[free]).argmax())))
