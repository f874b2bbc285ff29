"""Simulated players who throw at the simulated table and answer every question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from typing_extensions import override

from device.simulated.table.animation import Performance
from device.simulated.table.disturbances import Disturbance
from rules.engine import STOP_ANSWER, Answers, Choices, Prompt, Seat, Value
from rules.throws import Throw
from throwlock.simulation.scripted_fouls import (
    CHANGE_AFTER_MS,
    LATE_BY_MS,
    SCENARIOS,
    ThrowPlan,
    parse_scenarios,
    plan_change,
    plan_disturbance,
    plan_late_throw,
    plan_scenario,
)
from throwlock.tables.source import AnswerSource, ThrowListener
from ui.screen.pages.common import Player


class ThrowStage(Protocol):
    """Where simulated players throw, as at a ``device.simulated.table.camera.SimulatedTable``."""

    def perform(self, seat: Seat, performance: Performance) -> None:
        """Have the hand of a seat throw."""

    def disturb(self, disturbance: Disturbance) -> None:
        """Have something happen that makes a round void."""


class SimulatedPlayers(AnswerSource, ThrowListener):
    """Players who throw and bet at random, derived from ``seed`` and the number of the throw, so a resumed match goes
    on exactly as it would have.

    Args:
        seed: The random seed.
        table: The simulated table they throw at; None: they only answer questions.
        cheat_throw: The throw (from 0; None: none) in which the last seat waits to see the first hand and shows what
            beats it LATE_BY_MS later. After it, a share FOUL_RATE of all throws has a foul.
        scenarios: Scenarios to act out one after the other, from the second throw on, instead of any other foul.
        announce: Takes a line for each scenario that is acted out.

    Raises:
        ValueError: There is no such scenario.
    """

    SCATTER_MS = 25
    FOUL_RATE = 0.07
    STOP_RATE = 0.1

    def __init__(
        self,
        seed: int,
        table: ThrowStage | None = None,
        cheat_throw: int | None = None,
        scenarios: Sequence[str] = (),
        announce: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._seed = seed
        self._table = table
        self._cheat_throw = None if scenarios else cheat_throw
        self._scenarios = parse_scenarios(scenarios)
        self._announce = announce

    @override
    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """Between rounds nobody comes or goes; now and then somebody ends the game."""
        if prompt.is_optional:
            seat = next((seat for seat, options in prompt.seats.items() if options.allows(STOP_ANSWER)), 0)
            return {seat: STOP_ANSWER} if seat and self._rng(key, seat).random() < self.STOP_RATE else {}
        return {seat: self.choose(prompt, seat, key) for seat in prompt.seats}

    def choose(self, prompt: Prompt, seat: Seat, key: int) -> Value:
        """Choose an answer: yes where it is an option, a bet of up to half, anything else at random."""
        chance = self._rng(key, seat)
        options = prompt.seats[seat]
        if isinstance(options, Choices):
            return "yes" if "yes" in options.values else options.values[int(chance.integers(len(options.values)))]
        steps = (options.stop - options.start) // options.step
        share = float(chance.choice([0, 0.3, 0.5], p=[0.1, 0.4, 0.5]))
        return options.start + options.step * round(steps * share)

    @override
    def on_count(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int, throw_number: int) -> None:
        """Have every hand throw at the cue."""
        if self._table is None:
            return
        kind = self.scenario_at(throw_number)
        if kind is not None:
            self._announce(f"Scenario {kind}: {SCENARIOS[kind]}.")
        wrong = plan_disturbance(kind, seats, cue_ns, beat_ns, throw_number)
        if wrong is not None:
            self._table.disturb(wrong)
        for seat, plan in self.plans(seats, throw_number).items():
            self._table.perform(
                seat,
                Performance(
                    throw=str(plan.throw),
                    cue_ns=cue_ns,
                    beat_ns=beat_ns,
                    after_cue_ns=round(plan.after_ms * 1e6),
                    changes_to=str(plan.changes_to) if plan.changes_to else None,
                    change_after_ns=CHANGE_AFTER_MS * 1_000_000 if plan.changes_to else 0,
                    hidden=plan.hidden,
                    half_open=plan.half_open,
                ),
            )

    @override
    def is_staged(self, throw_number: int) -> bool:
        return self.scenario_at(throw_number) is not None

    def scenario_at(self, number: int) -> str | None:
        """Return the scenario of the throw with index ``number``, if any."""
        return self._scenarios[number - 1] if 1 <= number <= len(self._scenarios) else None

    def plans(self, seats: Sequence[Seat], number: int) -> Mapping[Seat, ThrowPlan]:
        """Plan everybody's part in the throw with index ``number``."""
        plans: dict[Seat, ThrowPlan] = {}
        for seat in seats:
            chance = self._rng(1_000_000 + number, seat)
            throw = list(Throw)[int(chance.integers(3))]
            plans[seat] = ThrowPlan(throw, float(np.clip(chance.normal(20, self.SCATTER_MS), -60, 60)))
            if self._cheat_throw is not None and number > self._cheat_throw and chance.random() < self.FOUL_RATE:
                plans[seat] = self._with_foul(plans[seat], chance)
        if number == self._cheat_throw:
            return plan_late_throw(plans, seats)
        return plan_scenario(self.scenario_at(number), plans, seats)

    def _with_foul(self, plan: ThrowPlan, chance: np.random.Generator) -> ThrowPlan:
        match int(chance.integers(4)):
            case 0:
                other = Throw.PAPER if plan.throw is Throw.ROCK else plan.throw
                return ThrowPlan(other, plan.after_ms + LATE_BY_MS)
            case 1:
                return plan_change(plan)
            case 2:
                return replace(plan, hidden=True)
            case _:
                return replace(plan, half_open=True)

    def _rng(self, key: int, seat: Seat) -> np.random.Generator:
        return np.random.default_rng([self._seed, key, seat])
