"""From single looks to what a hand does: a coarse pass over the ring, and the runs in which it keeps a shape. A throw
is a run, never a frame: a paper looks like scissors on its way, and a fist in mid-swing like anything."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.throws import Throw
from vision.sight import Sight

COARSE_NS = 100_000_000
"""Time between the looks of the coarse pass. An in-between shape lasts up to 83 ms, a kept one far longer."""
APART_NS = 400_000_000
"""Two looks further apart than this, with no hand found between, are not one run."""


@dataclass(frozen=True)
class Run:
    """Looks in a row that read the same. ``frames`` are the indices of those that found a hand; ``throw`` is None where
    the hand is none of the three."""

    throw: Throw | None
    frames: tuple[int, ...]

    @property
    def first(self) -> int:
        """The first frame of the run that was looked at."""
        return self.frames[0]

    @property
    def last(self) -> int:
        """The last frame of the run that was looked at."""
        return self.frames[-1]


def coarse_pass(sight: Sight, since_ns: int, until_ns: int) -> list[int]:
    """Look at a frame every COARSE_NS, the latest first: a held hand is found best, and shows where to look before."""
    looked: list[int] = []
    when_ns = until_ns
    while when_ns >= since_ns:
        index = sight.nearest(when_ns)
        if not looked or index < looked[-1]:
            sight(index)
            looked.append(index)
        when_ns -= COARSE_NS
    return looked[::-1]


def runs(sight: Sight, looked: Sequence[int]) -> list[Run]:
    """The runs among ``looked`` frames (in order). A shape seen only once is passed over, so is a frame without a hand:
    neither is evidence of a change."""
    alike = _joined(sight, [Run(seen.reading.throw, (i,)) for i in looked if (seen := sight(i))])
    return _joined(sight, [run for run in alike if len(run.frames) > 1])


def _joined(sight: Sight, parts: Sequence[Run]) -> list[Run]:
    joined: list[Run] = []
    for part in parts:
        last = joined[-1] if joined else None
        if last and last.throw == part.throw and sight.times[part.first] - sight.times[last.last] <= APART_NS:
            joined[-1] = Run(part.throw, last.frames + part.frames)
        else:
            joined.append(part)
    return joined
