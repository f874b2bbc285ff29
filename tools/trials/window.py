"""What a window costs: which share of honest throws falls out of it, and which share of a cheat's throws gets in.

Computed from a model, not from rounds of people: honest hands scatter about the cue; a cheat answers the first hand.
The box's own noise is in it as measured: the curve of caught against lateness, found in the trials."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from tools.trials.figures import Share, table
from tools.trials.judging import Outcome

WINDOWS_MS = (50, 80, 100, 120, 150, 200, 250, 300, 400)
DRAWS = 100_000
"""Rounds the model plays for each cell: a share of 0.01 % is then known to a tenth of itself or so."""
SEEN_MS = -30.0
"""A cheat is thought to see the first hand this long after the middle of its opening: when a quarter of the way is
shown. Sooner there is nothing to see."""
FORMING_MS = 60.0, 200.0
"""How long forming a shape takes; half of it is over when the shape counts as shown."""
REACTIONS_MS = {"that a hand opens": (230.0, 40.0), "which of two shapes it is": (370.0, 60.0)}
"""Reaction times, mean and standard deviation: a simple one (231 ms over 1,469 people, Woods and others, Front. Hum.
Neurosci. 9:131, 2015) and a choice of two. The spreads are our assumption."""


@dataclass(frozen=True)
class Crowd:
    """Honest players: how many at the table, their scatter in ms (normal, by its standard deviation; or ``even``: all
    within it, any of them alike), and by how much one of them is slower than the others (0: nobody is)."""

    name: str
    seats: int
    spread_ms: float
    slow_ms: float = 0.0
    even: bool = False

    def shown_ms(self, chance: np.random.Generator) -> NDArray[np.float64]:
        """Shown times (rounds, seats) about their common mean; the slow one has the first seat."""
        size = DRAWS // self.seats, self.seats
        spread = self.spread_ms
        shown = chance.uniform(-spread, spread, size) if self.even else chance.normal(0, spread, size)
        shown[:, 0] += self.slow_ms
        return shown


CROWDS = (
    Crowd("two within ± 60 ms", 2, 60, even=True),
    Crowd("two, sd 25 ms", 2, 25),
    Crowd("two, sd 40 ms", 2, 40),
    Crowd("two, sd 60 ms", 2, 60),
    Crowd("six, sd 25 ms", 6, 25),
    Crowd("six, sd 60 ms", 6, 60),
    Crowd("a child 100 ms slower, sd 60 ms", 2, 60, 100),
)


@dataclass(frozen=True)
class Ruling:
    """What the lock does with lateness: half of the throws ``half_ms`` after it are caught, and about that it rises as
    a normal distribution of ``spread_ms``."""

    half_ms: float
    spread_ms: float

    def caught(self, lateness_ms: NDArray[np.float64]) -> NDArray[np.float64]:
        """The chance (0–1) of each lateness to be caught."""
        places = (lateness_ms - self.half_ms) / self.spread_ms
        grid = np.linspace(-6, 6, 1201)
        normal = np.array([0.5 * (1 + erf(x / sqrt(2))) for x in grid])
        return np.asarray(np.interp(places, grid, normal))


def ruling(found: Sequence[Outcome]) -> Ruling:
    """The ruling that explains the late seats of the trials best (greatest likelihood)."""
    late = [(one.lateness_ms, one.caught) for one in found if one.kind == "late" and one.lateness_ms is not None]
    when = np.array([ms for ms, _ in late])
    was = np.array([caught for _, caught in late])

    def likelihood(half_ms: float, spread_ms: float) -> float:
        chance = Ruling(half_ms, spread_ms).caught(when).clip(0.002, 0.998)  # one odd seat is not all there is
        return float(np.log(np.where(was, chance, 1 - chance)).sum())

    ways = [(float(half), float(spread)) for half in range(-40, 121, 2) for spread in (3, 5, 7, 10, 14, 20, 28, 40)]
    return Ruling(*max(ways, key=lambda way: likelihood(*way)))


def falls_out(crowd: Crowd, window_ms: float, rule: Ruling) -> float:
    """The share (0–1) of an honest crowd's throws that are called late; where one is slower, of that one's."""
    chance = np.random.default_rng([int(window_ms), crowd.seats, int(crowd.spread_ms), int(crowd.slow_ms)])
    shown = crowd.shown_ms(chance)
    lateness = shown - shown.min(axis=1, keepdims=True) - window_ms
    return float(rule.caught(lateness[:, 0] if crowd.slow_ms else lateness).mean())


def gets_in(reaction: tuple[float, float], window_ms: float, rule: Ruling) -> float:
    """The share (0–1) of a cheat's answers that count."""
    chance = np.random.default_rng([int(window_ms), int(reaction[0])])
    answers = SEEN_MS + chance.normal(*reaction, DRAWS) + chance.uniform(*FORMING_MS, DRAWS) / 2
    return float(1 - rule.caught(answers - window_ms).mean())


def ruled_anew(found: Sequence[Outcome], window_ms: float, rule: Ruling) -> Share:
    """How many of the trials' honest throws would be called late with another window, by the times found; rounds
    with an early hand, which a longer window would take for the first, are left out."""
    early = {one.seed for one in found if one.kind == "early"}
    rounds: dict[int, list[tuple[float, bool]]] = {}
    for one in found:
        if one.found_ms is not None and one.trouble is None and one.seed not in early:
            rounds.setdefault(one.seed, []).append((one.found_ms, one.kind == "honest"))
    late = [
        shown - max(0.0, min(times)[0] + window_ms) > rule.half_ms
        for times in rounds.values()
        for shown, honest in times
        if honest
    ]
    return Share(sum(late), len(late))


def window_table(found: Sequence[Outcome], windows: Sequence[int] = WINDOWS_MS) -> str:
    """What each window costs the honest and gives the cheat."""
    rule = ruling(found)
    rows = [
        (
            f"{window} ms",
            str(ruled_anew(found, window, rule)),
            *(_percent(falls_out(crowd, window, rule)) for crowd in CROWDS),
            *(_percent(gets_in(reaction, window, rule)) for reaction in REACTIONS_MS.values()),
        )
        for window in windows
    ]
    honest = (f"honest called late: {crowd.name}" for crowd in CROWDS)
    cheats = (f"cheat counts who sees {what}" for what in REACTIONS_MS)
    return table(["window", "honest called late: the rounds of this page, ruled anew", *honest, *cheats], rows)


def ruling_line(found: Sequence[Outcome]) -> str:
    """The ruling in words."""
    rule = ruling(found)
    return (
        f"Measured in the trials: half of the throws shown {rule.half_ms:.0f} ms after the lock are called late, and\n"
        f"the share rises about there as a normal distribution of {rule.spread_ms:.0f} ms."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %" if share >= 0.00005 else "< 0.01 %"
