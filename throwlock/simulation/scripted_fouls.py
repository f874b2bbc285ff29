"""What the simulated players do at a throw, and every foul and trouble that they can be asked to show: ``--show``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from device.simulated.table.faults import Disturbance
from rules.engine import Seat
from rules.throws import BEATEN_BY, Throw

LATE_MS, EARLY_MS = 330, 420
"""How long after the first hand a cheat shows what beats it, and how long before the cue one is early."""
THEN_MS = 400
"""How long after the throw a hand changes."""
ALL = "all"

SHOWN = {
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
"""What can be shown, in the order ``all`` shows it, and what then happens at the table."""
AROUND_MS = {
    "two-hands": (-900, 2000),
    "wrong-zone": (-500, 2300),
    "reaching": (-700, 1300),
    "covered": (-600, 1400),
    "moved": (-300, 2300),
    "dark": (-300, 1800),
    "gap": (-60, 400),
}
"""What goes wrong beside the throws: from when to when, in ms after the cue."""


@dataclass(frozen=True)
class Plan:
    """What a simulated player will do at a throw: when after the cue it shows, in ms, and any foul in it."""

    throw: Throw
    after_ms: float
    then: Throw | None = None
    hidden: bool = False
    half_open: bool = False


def read_shown(given: Sequence[str]) -> tuple[str, ...]:
    """The kinds of ``--show``, "all" spelt out. Raises ValueError with a line that lists them."""
    for kind in given:
        if kind not in (*SHOWN, ALL):
            raise ValueError(f"there is no {kind!r} to show: there are {', '.join(SHOWN)}, and {ALL}")
    return tuple(one for kind in given for one in (SHOWN if kind == ALL else (kind,)))


def late(plans: Mapping[Seat, Plan], seats: Sequence[Seat]) -> dict[Seat, Plan]:
    """The last of ``seats`` waits to see the first one's hand. A cheat who saw a rock shows paper; one who saw paper,
    scissors. Against scissors a fist needs no waiting."""
    first = plans[seats[0]]
    seen = first.throw if first.throw is not Throw.SCISSORS else Throw.ROCK
    cheat = Plan(BEATEN_BY[seen], first.after_ms + LATE_MS)
    return {**plans, seats[0]: Plan(seen, first.after_ms), seats[-1]: cheat}


def changed(plan: Plan) -> Plan:
    """Opens in time and then becomes what beats it."""
    throw = Throw.PAPER if plan.throw is not Throw.PAPER else Throw.SCISSORS
    return Plan(throw, plan.after_ms, then=BEATEN_BY[throw])


def acted(kind: str | None, plans: Mapping[Seat, Plan], seats: Sequence[Seat]) -> Mapping[Seat, Plan]:
    """Honest plans of ``seats`` made to show a foul of ``kind``; what is no throw of a player's leaves them honest."""
    last = seats[-1]
    plan = plans[last]
    match kind:
        case "late":
            return late(plans, seats)
        case "early":
            throw = plan.throw if plan.throw is not Throw.ROCK else Throw.PAPER
            return {**plans, last: Plan(throw, -EARLY_MS)}
        case "changed":
            return {**plans, last: changed(plan)}
        case "half-open":
            return {**plans, last: replace(plan, half_open=True)}
        case "hidden":
            return {**plans, last: replace(plan, hidden=True)}
    return plans


def disturbance(kind: str | None, seats: Sequence[Seat], cue_ns: int, beat_ns: int, variant: int) -> Disturbance | None:
    """What goes wrong at the table when ``kind`` is shown around a cue; all is well again before the next count. None
    where a player's throw is all there is to it."""
    if kind not in AROUND_MS:
        return None
    from_ms, to_ms = AROUND_MS[kind]
    begins, ends = cue_ns + from_ms * 1_000_000, cue_ns + to_ms * 1_000_000
    name = kind.replace("-", " ")
    match kind:
        case "two-hands":
            throw = ("rock", "paper", "scissors")[variant % 3]
            return Disturbance(name, begins, ends, seat=seats[-1], throw=throw, shown_ns=cue_ns, variant=variant)
        case "wrong-zone":  # it pumps there already
            return Disturbance(name, begins - 3 * beat_ns, ends, seat=seats[-1], into=seats[0], variant=variant)
        case "reaching":
            return Disturbance(name, begins, ends, seat=seats[0], variant=variant)
    return Disturbance(name, begins, ends, variant=variant)
