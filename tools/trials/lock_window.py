"""Estimate what the lock's window costs: the share of honest throws judged late, and of a cheat's throws that count.

Computed from a model, not from rounds of people: honest hands scatter around the cue, a cheat reacts to the first hand.
The judge's own error is included as measured: the share of late throws caught by lateness, fitted to the trials."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from rules.record.judgement import Verdict
from tools.docs.generated_sections import markdown_table
from tools.trials.outcomes import SeatOutcome
from tools.trials.tables import Share

WINDOWS_MS = (50, 80, 100, 120, 150, 200, 250, 300, 400)
MODEL_DRAWS = 100_000
"""Throws simulated per cell: enough to know a share of 0.1 % to about a tenth of itself."""
CHEAT_SEES_MS = -30.0
"""When a cheat sees the first hand, relative to the middle of its opening: when it is a quarter open. Earlier there is
nothing to see."""
SHAPE_FORMING_MS = 60.0, 200.0
"""The range of times that forming a shape takes; halfway through, the shape counts as shown."""
REACTION_TIMES_MS = {"that a hand opens": (230.0, 40.0), "which of two shapes it is": (370.0, 60.0)}
"""Mean and standard deviation of reaction times: a simple reaction (231 ms over 1,469 people, Woods et al., Front. Hum.
Neurosci. 9:131, 2015) and a choice of two. The standard deviations are assumed."""


@dataclass(frozen=True)
class HonestPlayers:
    """Honest players at one table, and how their throws scatter."""

    name: str
    seats: int
    spread_ms: float
    """The standard deviation of the shown times, or with ``uniform`` the furthest from their mean."""
    slow_ms: float = 0.0
    """How much slower than the others the first player is."""
    uniform: bool = False
    """Whether the times scatter uniformly; else normally."""

    def draw_shown_ms(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return shown times (rounds, seats) in ms around their common mean; the slow player has the first seat."""
        size = MODEL_DRAWS // self.seats, self.seats
        spread = self.spread_ms
        shown = rng.uniform(-spread, spread, size) if self.uniform else rng.normal(0, spread, size)
        shown[:, 0] += self.slow_ms
        return shown


HONEST_GROUPS = (
    HonestPlayers("two within ± 60 ms", 2, 60, uniform=True),
    HonestPlayers("two, sd 25 ms", 2, 25),
    HonestPlayers("two, sd 40 ms", 2, 40),
    HonestPlayers("two, sd 60 ms", 2, 60),
    HonestPlayers("six, sd 25 ms", 6, 25),
    HonestPlayers("six, sd 60 ms", 6, 60),
    HonestPlayers("a child 100 ms slower, sd 60 ms", 2, 60, 100),
)


@dataclass(frozen=True)
class LatenessModel:
    """The share of throws judged late by lateness: a normal distribution function."""

    midpoint_ms: float
    """Its mean, after the lock: as many are judged late as not."""
    spread_ms: float
    """Its standard deviation."""

    def late_probability(self, lateness_ms: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability (0–1) that a throw of each lateness is judged late."""
        scores = (lateness_ms - self.midpoint_ms) / self.spread_ms
        grid = np.linspace(-6, 6, 1201)
        normal = np.array([0.5 * (1 + erf(x / sqrt(2))) for x in grid])
        return np.asarray(np.interp(scores, grid, normal))


def fit_lateness_model(outcomes: Sequence[SeatOutcome], *, or_too_close: bool = False) -> LatenessModel:
    """Fit the model to the late seats of the trials by maximum likelihood; ``or_too_close``: to the share that does not
    count, whether it is late or too close to call."""
    late = [seat for seat in outcomes if seat.kind == "late" and seat.lateness_ms is not None]
    lateness_ms = np.array([seat.lateness_ms for seat in late])
    caught = np.array([seat.is_accused or (or_too_close and seat.verdict == Verdict.TOO_CLOSE) for seat in late])

    def log_likelihood(model: LatenessModel) -> float:
        probability = model.late_probability(lateness_ms).clip(0.002, 0.998)  # no single outlier decides
        return float(np.log(np.where(caught, probability, 1 - probability)).sum())

    models = [
        LatenessModel(midpoint, spread) for midpoint in range(-40, 121, 2) for spread in (3, 5, 7, 10, 14, 20, 28, 40)
    ]
    return max(models, key=log_likelihood)


def honest_late_share(players: HonestPlayers, window_ms: float, model: LatenessModel) -> float:
    """Return the share (0–1) of honest throws judged late; if one player is slower, of that player's throws."""
    rng = np.random.default_rng([int(window_ms), players.seats, int(players.spread_ms), int(players.slow_ms)])
    shown = players.draw_shown_ms(rng)
    lateness = shown - shown.min(axis=1, keepdims=True) - window_ms
    return float(model.late_probability(lateness[:, 0] if players.slow_ms else lateness).mean())


def cheat_success_share(reaction: tuple[float, float], window_ms: float, model: LatenessModel) -> float:
    """Return the share (0–1) of a cheat's throws that count, being neither late nor too close to call; ``reaction`` is
    the mean and standard deviation in ms."""
    rng = np.random.default_rng([int(window_ms), int(reaction[0])])
    shown = CHEAT_SEES_MS + rng.normal(*reaction, MODEL_DRAWS) + rng.uniform(*SHAPE_FORMING_MS, MODEL_DRAWS) / 2
    return float(1 - model.late_probability(shown - window_ms).mean())


def rejudge(outcomes: Sequence[SeatOutcome], window_ms: float, model: LatenessModel) -> Share:
    """Return how many honest throws of the trials would be judged late with another window, by the times found. Rounds
    with an early hand are left out: a longer window would take it for the first hand."""
    early = {seat.seed for seat in outcomes if seat.kind == "early"}
    rounds: dict[int, list[tuple[float, bool]]] = {}
    for seat in outcomes:
        if seat.found_ms is not None and seat.trouble is None and seat.seed not in early:
            rounds.setdefault(seat.seed, []).append((seat.found_ms, seat.kind == "honest"))
    late = [
        shown - max(0.0, min(times)[0] + window_ms) > model.midpoint_ms
        for times in rounds.values()
        for shown, honest in times
        if honest
    ]
    return Share(sum(late), len(late))


def window_table(outcomes: Sequence[SeatOutcome], windows: Sequence[int] = WINDOWS_MS) -> str:
    """Return the table of what each window costs honest players and gives cheats."""
    model, counts_model = fit_lateness_model(outcomes), fit_lateness_model(outcomes, or_too_close=True)
    rows = [
        (
            f"{window} ms",
            str(rejudge(outcomes, window, model)),
            *(_percent(honest_late_share(players, window, model)) for players in HONEST_GROUPS),
            *(_percent(cheat_success_share(reaction, window, counts_model)) for reaction in REACTION_TIMES_MS.values()),
        )
        for window in windows
    ]
    honest = (f"honest judged late: {players.name}" for players in HONEST_GROUPS)
    cheats = (f"cheat counts after seeing {sight}" for sight in REACTION_TIMES_MS)
    return markdown_table(["window", "honest judged late: this page's rounds, rejudged", *honest, *cheats], rows)


def lateness_model_line(outcomes: Sequence[SeatOutcome]) -> str:
    """Return the fitted model as a sentence."""
    model, counts_model = fit_lateness_model(outcomes), fit_lateness_model(outcomes, or_too_close=True)
    return (
        f"Fitted to the trials: half of the throws shown {model.midpoint_ms:.0f} ms after the lock are judged late,\n"
        f"and the share follows a normal distribution with a standard deviation of {model.spread_ms:.0f} ms.\n"
        f"With those too close to call, half don't count {counts_model.midpoint_ms:.0f} ms after the lock, with a\n"
        f"standard deviation of {counts_model.spread_ms:.0f} ms."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %" if share >= 0.00005 else "< 0.01 %"
