"""Simulated players."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from device.simulated.table.animation import Performance
from device.simulated.table.table import SimulatedTable
from rules.engine import Answers, Ask, Choices, Seat, Value
from rules.throws import Throw
from throwlock.simulation.scripted_fouls import (
    LATE_MS,
    SHOWN,
    THEN_MS,
    Plan,
    acted,
    changed,
    disturbance,
    late,
    read_shown,
)
from ui.screen.pages.views import Player


class SimulatedPlayers:
    """Players who throw and bet by chance, all of it from ``seed`` and the number of the round: a match that was cut
    off goes on as if it had not been.

    Honest ones scatter by some tens of ms. In the match's ``cheats_at``-th throw (from 0; None: never) the last seat
    asked waits to see the first hand and shows what beats it ``LATE_MS`` after; later about one throw in fifteen has
    some foul in it. With ``shows`` (kinds of SHOWN) it is these that they show, one after the other from the second
    throw on, and nothing else; ``announce`` is told which. Raises ValueError for a kind that can't be shown.
    """

    SCATTER_MS = 25
    FOULS = 0.07

    def __init__(
        self,
        seed: int,
        table: SimulatedTable | None = None,
        cheats_at: int | None = None,
        shows: Sequence[str] = (),
        announce: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._seed = seed
        self._table = table
        self._cheats_at = None if shows else cheats_at
        self._shows = read_shown(shows)
        self._announce = announce
        self.throws = 0
        """Throws of the match so far, void ones too: the number of the next one."""

    def answer(self, ask: Ask, players: Sequence[Player], key: int) -> Answers:
        """See Answerers."""
        return {seat: self.choice(ask, seat, key) for seat in ask.seats}

    def choice(self, ask: Ask, seat: Seat, key: int) -> Value:
        """What a simulated player answers: yes to playing on, a bet of up to half, anything else by chance."""
        chance = self._chance(key, seat)
        options = ask.seats[seat]
        if isinstance(options, Choices):
            return "yes" if "yes" in options.values else options.values[int(chance.integers(len(options.values)))]
        steps = (options.stop - options.start) // options.step
        share = float(chance.choice([0, 0.3, 0.5], p=[0.1, 0.4, 0.5]))
        return options.start + options.step * round(steps * share)

    def throw_at(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int) -> None:
        """See Performers: everybody's hand will throw at the cue."""
        if self._table is None:
            return
        kind = self.shown(self.throws)
        if kind is not None:
            self._announce(f"Shown, as asked for ({kind}): {SHOWN[kind]}.")
        wrong = disturbance(kind, seats, cue_ns, beat_ns, self.throws)
        if wrong is not None:
            self._table.disturb(wrong)
        for seat, plan in self.plans(seats, self.throws).items():
            self._table.perform(
                seat,
                Performance(
                    throw=str(plan.throw),
                    cue_ns=cue_ns,
                    beat_ns=beat_ns,
                    after_cue_ns=round(plan.after_ms * 1e6),
                    then=str(plan.then) if plan.then else None,
                    then_after_ns=THEN_MS * 1_000_000 if plan.then else 0,
                    hidden=plan.hidden,
                    half_open=plan.half_open,
                ),
            )
        self.throws += 1

    def shown(self, number: int) -> str | None:
        """What is shown, as asked for, at the match's throw ``number``."""
        return self._shows[number - 1] if 1 <= number <= len(self._shows) else None

    def plans(self, seats: Sequence[Seat], number: int) -> Mapping[Seat, Plan]:
        """What everybody does at the match's throw ``number``."""
        plans: dict[Seat, Plan] = {}
        for seat in seats:
            chance = self._chance(1_000_000 + number, seat)
            throw = list(Throw)[int(chance.integers(3))]
            plans[seat] = Plan(throw, float(np.clip(chance.normal(20, self.SCATTER_MS), -60, 60)))
            if self._cheats_at is not None and number > self._cheats_at and chance.random() < self.FOULS:
                plans[seat] = self._foul(plans[seat], chance)
        if number == self._cheats_at:
            return late(plans, seats)
        return acted(self.shown(number), plans, seats)

    def _foul(self, plan: Plan, chance: np.random.Generator) -> Plan:
        match int(chance.integers(4)):
            case 0:
                other = Throw.PAPER if plan.throw is Throw.ROCK else plan.throw
                return Plan(other, plan.after_ms + LATE_MS)
            case 1:
                return changed(plan)
            case 2:
                return replace(plan, hidden=True)
            case _:
                return replace(plan, half_open=True)

    def _chance(self, key: int, seat: Seat) -> np.random.Generator:
        return np.random.default_rng([self._seed, key, seat])
