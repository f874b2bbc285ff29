"""Bayesian estimate of an event's time from observations in single frames, with active frame selection: hypotheses
about the event are weighted by each observation, and the next frame is the one where they disagree most. Used for the
opening of a hand and for the landing of a fist."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.record.judgement import INTERVAL_SIGMAS

Vector = NDArray[np.float64]

MISREAD_PROBABILITY = 0.08
"""Probability that an observation says nothing: a hand misread in the blur of its motion."""
MISREAD_RANGE = 2.0
"""Range over which a misread observation is uniformly distributed, in the measure's own units."""

LOST_AT_REST_RATIO = 0.25
"""How much rarer a hand is not found at rest than in motion."""


@dataclass(frozen=True)
class TimeEstimate:
    """An estimated time and its standard deviation, in ns."""

    time_ns: int
    sigma_ns: int


def span_of(first: TimeEstimate, last: TimeEstimate) -> TimeEstimate:
    """Return an estimate whose 95 % interval reaches from that of one time to that of a later one."""
    reach_ns = (last.time_ns - first.time_ns) / 2 / INTERVAL_SIGMAS
    return TimeEstimate((first.time_ns + last.time_ns) // 2, round(reach_ns + max(first.sigma_ns, last.sigma_ns)))


class Hypotheses:
    """Weighted hypotheses about the time of an event.

    Args:
        event_times_ms: The time (n,) of the event under each hypothesis.
        expected: Maps observation times (k,) in ms to the values (k, n) that each hypothesis expects there.
        noise: Standard deviation of an observed value.
        log_prior: Logarithm (n,) of each hypothesis's weight before any observation.
        rest_times_ms: When (n,) the hand comes to rest under each hypothesis.
    """

    def __init__(
        self,
        event_times_ms: Vector,
        expected: Callable[[Vector], Vector],
        noise: float,
        log_prior: Vector,
        rest_times_ms: Vector,
    ) -> None:
        self._event_times_ms = event_times_ms
        self._expected = expected
        self._noise = noise
        self._log_weights = log_prior.astype(float)
        self._rest_times_ms = rest_times_ms

    def update(self, at_ms: float, value: float) -> None:
        """Weight the hypotheses by a value observed at a time."""
        z = (self._expected(np.array([at_ms]))[0] - value) / self._noise
        likelihood = np.exp(-z * z / 2) / (self._noise * np.sqrt(2 * np.pi))
        self._log_weights = self._log_weights + np.log(
            (1 - MISREAD_PROBABILITY) * likelihood + MISREAD_PROBABILITY / MISREAD_RANGE
        )

    def update_missing(self, at_ms: float) -> None:
        """Weight the hypotheses by a frame in which no hand, or a contradictory one, was found: hands are lost to the
        blur of their motion, and hardly ever at rest."""
        self._log_weights = self._log_weights + np.where(self._rest_times_ms < at_ms, np.log(LOST_AT_REST_RATIO), 0.0)

    @property
    def _weights(self) -> Vector:
        weights = np.exp(self._log_weights - self._log_weights.max())
        return np.asarray(weights / weights.sum())

    @property
    def mean_ms(self) -> float:
        """Mean of the event's time."""
        return float(self._weights @ self._event_times_ms)

    @property
    def rest_mean_ms(self) -> float:
        """Mean of the time at which the hand comes to rest."""
        return float(self._weights @ self._rest_times_ms)

    @property
    def sd_ms(self) -> float:
        """Standard deviation of the event's time."""
        weights = self._weights
        return float(np.sqrt(weights @ (self._event_times_ms - weights @ self._event_times_ms) ** 2))

    def estimate(self, origin_ns: int, min_sigma_ms: float) -> TimeEstimate:
        """Return the event's time, with ``min_sigma_ms`` that no observation can remove added to its uncertainty."""
        time_ns = origin_ns + round(self.mean_ms * 1e6)
        return TimeEstimate(time_ns, round(float(np.hypot(self.sd_ms, min_sigma_ms)) * 1e6))

    def expected_information(self, times_ms: Vector) -> Vector:
        """Return how much an observation at each time (k,) would say about the event's time: the part of the variance
        of the expected value that goes with it."""
        weights, expected = self._weights, self._expected(times_ms)
        time_deviation = self._event_times_ms - weights @ self._event_times_ms
        value_deviation = expected - (expected @ weights)[:, None]
        covariance = (value_deviation * time_deviation) @ weights
        return np.asarray(covariance**2 / ((value_deviation**2) @ weights + self._noise**2))


def min_sigma_ms(times_ns: NDArray[np.int64], exposure_ns: int, hand_sigma_ms: float) -> float:
    """Return the least standard deviation of an event's time, in ms: that of an instant somewhere between two frames,
    of one somewhere in an exposure, and ``hand_sigma_ms`` of how hands differ, however well the observations agree."""
    interval_ns = float(np.median(np.diff(times_ns))) if len(times_ns) > 1 else 0.0
    return float(np.sqrt((interval_ns**2 + exposure_ns**2) / 12e12 + hand_sigma_ms**2))


def search(
    hypotheses: Hypotheses,
    known_frames: Iterable[int],
    times_ms: Vector,
    span_ms: tuple[float, float],
    observe: Callable[[int], tuple[float, float] | None],
    max_observations: int,
    target_sigma_ms: float,
) -> None:
    """Update the hypotheses with the most informative frames.

    Args:
        hypotheses: What to update.
        known_frames: Frames that cost nothing to observe; all of them in the span are used first.
        times_ms: The time (k,) of every frame.
        span_ms: The times between which frames are used.
        observe: Returns a frame's exact time in ms and the value observed in it; None where there is none.
        max_observations: How many further frames may be observed.
        target_sigma_ms: The standard deviation of the event's time at which the search ends.
    """
    in_span = [int(i) for i in np.flatnonzero((times_ms >= span_ms[0]) & (times_ms <= span_ms[1]))]
    known = set(known_frames)

    def update(index: int) -> None:
        observation = observe(index)
        if observation is None:
            hypotheses.update_missing(float(times_ms[index]))
        else:
            hypotheses.update(*observation)

    for index in [i for i in in_span if i in known]:
        update(index)
    unobserved = [i for i in in_span if i not in known]
    for _ in range(max_observations):
        if not unobserved or hypotheses.sd_ms < target_sigma_ms:
            return
        update(unobserved.pop(int(hypotheses.expected_information(times_ms[unobserved]).argmax())))
