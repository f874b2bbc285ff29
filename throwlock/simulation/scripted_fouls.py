"""How simulated players throw, and the scenarios of ``--scenario``: fouls and camera faults they can act out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from device.simulated.table.disturbances import Disturbance
from rules.engine import Seat, quote
from rules.throws import BEATEN_BY, Throw

LATE_BY_MS, EARLY_BY_MS = 330, 420
"""How long after the first hand a late one shows, and how long before the cue an early one does, in ms."""
CHANGE_AFTER_MS = 400
"""How long after the throw a hand changes, in ms."""
ALL_SCENARIOS = "all"

SCENARIOS = {
    "late": "the last player waits to see the first one's hand",
    "early": "the last player shows before the cue",
    "changed": "the last player changes to what wins",
    "half-open": "the last player's hand is none of the three",
    "hidden": "the last player keeps the hand out of sight",
    "two-hands": "the last player throws with both hands",
    "wrong-zone": "the last player throws in the first one's zone",
    "reaching": "somebody reaches over the first player's hand",
    "covered": "something is held before the camera",
    "moved": "the camera is knocked",
    "dark": "the light goes out",
    "gap": "the camera loses frames",
}
"""The scenarios with hands and what happens in each, in the order of ``all``."""
DISTURBANCE_SPAN_MS = {
    "two-hands": (-900, 2000),
    "wrong-zone": (-500, 2300),
    "reaching": (-700, 1300),
    "covered": (-600, 1400),
    "moved": (-300, 2300),
    "dark": (-300, 1800),
    "gap": (-60, 400),
}
"""When the disturbance of a scenario begins and ends, in ms after the cue."""


@dataclass(frozen=True)
class ThrowPlan:
    """A simulated player's next throw, and any foul in it."""

    throw: Throw
    after_ms: float
    """When it is shown, in ms after the cue."""
    changes_to: Throw | None = None
    hidden: bool = False
    half_open: bool = False


def parse_scenarios(names: Sequence[str], known: Mapping[str, str] = SCENARIOS) -> tuple[str, ...]:
    """Expand "all" in the names of ``--scenario``. Raises ValueError, with a line that lists the ``known`` ones."""
    for name in names:
        if name not in (*known, ALL_SCENARIOS):
            raise ValueError(f"there is no scenario {quote(name)}: choose from {', '.join(known)} or {ALL_SCENARIOS}")
    return tuple(scenario for name in names for scenario in (known if name == ALL_SCENARIOS else (name,)))


def plan_late_throw(plans: Mapping[Seat, ThrowPlan], seats: Sequence[Seat]) -> dict[Seat, ThrowPlan]:
    """Let the last of ``seats`` wait to see the first one's hand and beat it: rock with paper, paper with scissors. The
    first throw is never scissors, since the fist that beats it needs no waiting."""
    first = plans[seats[0]]
    seen = first.throw if first.throw is not Throw.SCISSORS else Throw.ROCK
    cheat = ThrowPlan(BEATEN_BY[seen], first.after_ms + LATE_BY_MS)
    return {**plans, seats[0]: ThrowPlan(seen, first.after_ms), seats[-1]: cheat}


def plan_change(plan: ThrowPlan) -> ThrowPlan:
    """Plan a throw that opens in time and then changes to what beats it."""
    throw = Throw.PAPER if plan.throw is not Throw.PAPER else Throw.SCISSORS
    return ThrowPlan(throw, plan.after_ms, changes_to=BEATEN_BY[throw])


def plan_scenario(kind: str | None, plans: Mapping[Seat, ThrowPlan], seats: Sequence[Seat]) -> Mapping[Seat, ThrowPlan]:
    """Return ``plans`` with the foul of a scenario; one without a foul of a player leaves them as they are."""
    last = seats[-1]
    plan = plans[last]
    match kind:
        case "late":
            return plan_late_throw(plans, seats)
        case "early":
            throw = plan.throw if plan.throw is not Throw.ROCK else Throw.PAPER
            return {**plans, last: ThrowPlan(throw, -EARLY_BY_MS)}
        case "changed":
            return {**plans, last: plan_change(plan)}
        case "half-open":
            return {**plans, last: replace(plan, half_open=True)}
        case "hidden":
            return {**plans, last: replace(plan, hidden=True)}
    return plans


def plan_disturbance(
    kind: str | None, seats: Sequence[Seat], cue_ns: int, beat_ns: int, variant: int
) -> Disturbance | None:
    """Plan the disturbance at the table that a scenario has around a cue, over before the next count; None if the
    scenario is only a player's foul."""
    if kind not in DISTURBANCE_SPAN_MS:
        return None
    from_ms, to_ms = DISTURBANCE_SPAN_MS[kind]
    begins, ends = cue_ns + from_ms * 1_000_000, cue_ns + to_ms * 1_000_000
    name = kind.replace("-", " ")
    match kind:
        case "two-hands":
            throw = ("rock", "paper", "scissors")[variant % 3]
            return Disturbance(name, begins, ends, seat=seats[-1], throw=throw, shown_ns=cue_ns, variant=variant)
        case "wrong-zone":  # it pumps there already
            return Disturbance(name, begins - 3 * beat_ns, ends, seat=seats[-1], into_seat=seats[0], variant=variant)
        case "reaching":
            return Disturbance(name, begins, ends, seat=seats[0], variant=variant)
    return Disturbance(name, begins, ends, variant=variant)
