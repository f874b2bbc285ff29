"""From single looks to what a hand does: a coarse pass over the ring, and the runs in which it keeps a shape. A throw
is a run, never a frame: a paper looks like scissors on its way, and a fist in mid-swing like anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from rules.throws import Throw
from vision.lock.zone_view import Sight

COARSE_NS = 100_000_000
"""Time between the looks of the coarse pass. An in-between shape lasts up to 83 ms, a kept one far longer."""
APART_NS = 400_000_000
"""Two looks further apart than this, with no hand found between, are not one run."""
FISTS = 2
"""Looks at a fist that say it was closed: a single one may be misread."""
CLEAR = 0.97
"""The probability from which a held, open hand is a throw by one look: of 94 rendered hands that kept a throw none read
below 0.98, of 31 half-open ones none above 0.96."""
KEPT = 4
"""Looks that a throw is told by: one that was seen in fewer is looked at again, between them."""
STATES = (*Throw, None)
"""What a hand can show; None is a hand that is none of the three."""
MISREAD = 0.03
"""The chance that a look reads a shape that isn't there, however sure it is: 7 of 250 pump frames of real clips."""
SWITCH = 2.5
"""What a change of shape must be worth in evidence (log-odds): one sure look, 3.5, is not worth a change and back."""


@dataclass(frozen=True)
class Run:
    """A stretch in which a hand kept a shape. ``frames`` are the indices of the looks that showed it; ``throw`` is None
    where the hand is none of the three."""

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


def coarse_pass(sight: Sight, since_ns: int, until_ns: int, closed_ns: int | None = None) -> list[int]:
    """Look at a frame every COARSE_NS, the latest first: a held hand is found best, and shows where to look before. A
    hand that is open at ``since_ns`` is followed further back, as far as there are frames; one that is a fist in FISTS
    looks one after the other before ``closed_ns`` need not be followed any more. Returns the frames, in order."""
    looked: list[int] = []
    fists, opened = 0, False
    when_ns = until_ns
    while when_ns >= (int(sight.times[0]) if opened else since_ns) and fists < FISTS:
        index = sight.nearest(when_ns)
        if not looked or index < looked[-1]:
            looked.append(index)
            if seen := sight(index):
                fist = seen.reading.throw is Throw.ROCK
                opened = seen.reading.throw is not None and not fist
                fists = fists + 1 if fist and closed_ns is not None and when_ns < closed_ns else 0
        when_ns -= COARSE_NS
    return looked[::-1]


def runs(sight: Sight, looked: Sequence[int]) -> list[Run]:
    """The runs among ``looked`` frames (in order). A throw that rests on a few looks only is looked at more closely
    before it is believed, or passed over, and so is a hand that is held, or kept a shape that no look shows clearly,
    and seems to be none of the three, or nearly; a frame without a hand is evidence of nothing."""
    found = explained(sight, looked)
    doubtful = [i for i in looked if _doubtful(sight, i)]
    never_clear = {i for run in found if set(run.frames) <= set(doubtful) for i in run.frames}
    doubtful = [i for i in doubtful if sight.held(i) or i in never_clear]
    for i in doubtful:
        sight.together(i)
    if doubtful:
        found = explained(sight, looked)
    sure = {i for run in found if len(run.frames) >= KEPT for i in run.frames}
    few = [i for i in looked if i not in sure and _reads(sight, i) not in (None, Throw.ROCK)]
    closer = {near for i in few for near in _beside(sight, i)}
    for i in closer:
        sight.itself(i)
    return explained(sight, sorted({*looked, *closer})) if closer else found


def _doubtful(sight: Sight, index: int) -> bool:
    """Whether a frame shows no throw, or an open hand that is hardly one."""
    seen = sight(index)
    return seen is not None and seen.reading.throw is not Throw.ROCK and max(seen.chances[t] for t in Throw) < CLEAR


def _beside(sight: Sight, index: int) -> tuple[int, int]:
    """The frames half way to the looks before and after."""
    when_ns = int(sight.times[index])
    return sight.nearest(when_ns - COARSE_NS // 2), sight.nearest(when_ns + COARSE_NS // 2)


def explained(sight: Sight, looked: Sequence[int]) -> list[Run]:
    """The shapes kept one after the other that explain the looks best, when a change has its price: the likeliest path
    of a hidden Markov chain (Viterbi). What shows a shape in one look only is passed over."""
    hands = [(i, seen) for i in looked if (seen := sight(i))]
    if not hands:
        return []
    chances = np.array([[max(seen.chances.get(state, 0.0), 0.0) for state in STATES] for _, seen in hands])
    evidence = np.log(MISREAD + (1 - len(STATES) * MISREAD) * chances)
    price = SWITCH * (1 - np.eye(len(STATES)))
    best, came_from = evidence[0], []
    for row in evidence[1:]:
        ways = best[:, None] - price
        came_from.append(ways.argmax(0))
        best = ways.max(0) + row
    path = [int(best.argmax())]
    for back in reversed(came_from):
        path.append(int(back[path[-1]]))
    kept = [(i, STATES[state]) for (i, seen), state in zip(hands, reversed(path), strict=True)]
    return _joined(sight, [run for run in _apart(sight, kept) if len(run.frames) > 1])


def _joined(sight: Sight, found: Sequence[Run]) -> list[Run]:
    """The runs, those joined between which nothing else was kept and the hand was not unseen for long."""
    joined: list[Run] = []
    for run in found:
        last = joined[-1] if joined else None
        if last and last.throw == run.throw and sight.times[run.first] - sight.times[last.last] <= APART_NS:
            joined[-1] = Run(run.throw, last.frames + run.frames)
        else:
            joined.append(run)
    return joined


def _apart(sight: Sight, kept: Sequence[tuple[int, Throw | None]]) -> list[Run]:
    """Looks that show the same as runs, parted where no hand was found for long; of each the looks that read so."""
    found: list[Run] = []
    for throw, group in groupby(kept, key=lambda look: look[1]):
        part: list[int] = []
        for index, _ in group:
            if part and sight.times[index] - sight.times[part[-1]] > APART_NS:
                found.append(Run(throw, tuple(part)))
                part = []
            part.append(index)
        found.append(Run(throw, tuple(part)))
    alike = [Run(run.throw, tuple(i for i in run.frames if _reads(sight, i) is run.throw)) for run in found]
    return [run for run in alike if run.frames]


def _reads(sight: Sight, index: int) -> Throw | None:
    seen = sight(index)
    return seen.reading.throw if seen else None
