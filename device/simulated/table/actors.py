"""The hands in the image: the players' own, in their zones or astray, and extra hands that should not be there."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from device.simulated.table.animation import ScheduledPerformance, Stance, ease, stance_at
from device.simulated.table.disturbances import Disturbance
from device.simulated.table.hand import HandModel
from device.simulated.table.materials import make_coat
from device.simulated.table.people import SimulatedPerson, random_people
from device.simulated.table.seating import SimulatedSeat, SimulatedSeating
from device.simulated.table.tracer import HandCoat

Vector = NDArray[np.float64]
Schedule = Sequence[ScheduledPerformance]

SECOND_HAND_OPENING_NS = 110_000_000
"""A second hand opens as fast as a first one."""
RELAXED_STANCE = Stance(paper=0.55, half_open=0.3)
"""A hand that shows no throw."""
DRIFT_PERIOD_NS = 1_600_000_000
"""Period of the slow sway of an arm that reaches over."""


class HandAction(NamedTuple):
    """The stance of a hand, and how far it has strayed (0 to 1). Equal actions give equal images."""

    stance: Stance
    strayed: float = 0.0


@dataclass(frozen=True)
class HandActor:
    """A hand that may be in the image."""

    action_at: Callable[[int], HandAction]
    """Returns what the hand does at a time."""
    home: SimulatedSeat
    """Its own place."""
    target: SimulatedSeat | None = None
    """The place to which it strays; None if it doesn't."""

    @property
    def coat(self) -> HandCoat:
        """Its skin and sleeve."""
        return make_coat(self.home.person)

    def hand_for(self, action: HandAction) -> HandModel:
        """Return the hand in an action."""
        if self.target is None or not action.strayed:
            return self.home.hand(action.stance)
        return self.home.towards(self.target, action.strayed).hand(action.stance)


def all_actors(
    seating: SimulatedSeating, schedules: Sequence[Schedule], disturbances: Sequence[Disturbance], seed: int
) -> list[HandActor]:
    """Return every hand, those farthest from the camera first: the players', those astray last, second ones, and those
    that reach over."""
    players = [
        player_actor(seating, seat, schedule, disturbances, seed) for seat, schedule in enumerate(schedules, start=1)
    ]
    return sorted(players, key=lambda actor: actor.target is not None) + [
        disturbance_actor(seating, event, (), seed)
        for kind in ("two hands", "reaching")
        for event in disturbances
        if event.kind == kind
    ]


def player_actor(
    seating: SimulatedSeating, seat: int, schedule: Schedule, disturbances: Sequence[Disturbance], seed: int
) -> HandActor:
    """Return a player's throwing hand."""
    astray = [event for event in disturbances if event.kind == "wrong zone" and event.seat == seat]
    if astray:
        return disturbance_actor(seating, astray[-1], schedule, seed)
    return HandActor(lambda when_ns: HandAction(stance_at(schedule, when_ns)), seating.seats[seat - 1])


def disturbance_actor(seating: SimulatedSeating, disturbance: Disturbance, schedule: Schedule, seed: int) -> HandActor:
    """Return the hand of a disturbance; ``schedule`` is that of its seat. Raises ValueError when it has no hand."""
    if not disturbance.has_hand:
        raise ValueError(f"{disturbance.kind!r} has no hand")
    placement = _place_hand(seating, disturbance, seed)

    def stray(when_ns: int) -> HandAction:
        return HandAction(stance_at(schedule, when_ns), disturbance.progress(when_ns))

    def show_second(when_ns: int) -> HandAction:
        shape, opened = Stance(), 1.0
        if disturbance.throw != "rock":
            shape = Stance(**{disturbance.throw: 1.0})
        if disturbance.shown_ns is not None:
            opened = ease((when_ns - disturbance.shown_ns) / SECOND_HAND_OPENING_NS + 0.5)
        return HandAction(Stance().towards(shape, opened)._replace(away=1 - disturbance.progress(when_ns)))

    def reach_over(when_ns: int) -> HandAction:
        drift = 0.5 - 0.5 * math.cos(2 * math.pi * (when_ns - disturbance.start_ns) / DRIFT_PERIOD_NS)
        return HandAction(RELAXED_STANCE._replace(rest=0.5 * drift, away=1 - disturbance.progress(when_ns)))

    if disturbance.kind == "wrong zone":
        return HandActor(stray, seating.seats[(disturbance.seat or 0) - 1], placement)
    return HandActor(show_second if disturbance.kind == "two hands" else reach_over, placement)


@lru_cache(64)
def _place_hand(seating: SimulatedSeating, disturbance: Disturbance, seed: int) -> SimulatedSeat:
    """Choose whose hand a disturbance's is, and its place once it has arrived."""
    chance = disturbance.rng(seed)
    placers = {"two hands": _next_to_own_hand, "wrong zone": _next_to_zone_owner, "reaching": _over_zone}
    return placers[disturbance.kind](seating, disturbance, chance)


def _person_of(seating: SimulatedSeating, disturbance: Disturbance) -> SimulatedPerson:
    return seating.people[(disturbance.seat or 0) - 1]


def _next_to_own_hand(seating: SimulatedSeating, disturbance: Disturbance, rng: np.random.Generator) -> SimulatedSeat:
    """Place a player's other hand on its natural side, slightly behind the first."""
    person, home = _person_of(seating, disturbance), seating.seats[(disturbance.seat or 0) - 1]
    other = replace(
        person,
        left=not person.left,
        habit=person.habit + 1,
        roll_deg=float(rng.uniform(0, 14)),
        yaw_deg=float(rng.uniform(-8, 8)),
        wrist_deg=-person.wrist_deg,
    )
    right = np.array([home.ahead[1], -home.ahead[0]])  # of the player, on the table
    aside = (1 if person.left else -1) * right * rng.uniform(0.30, 0.34) - home.ahead * rng.uniform(0.0, 0.06)
    return SimulatedSeat(
        other, seating.optics, _point_in_zone(seating, disturbance.seat, aside), home.yaw_deg - person.yaw_deg
    )


def _next_to_zone_owner(seating: SimulatedSeating, disturbance: Disturbance, rng: np.random.Generator) -> SimulatedSeat:
    """Place a player's hand in another's zone, next to the owner's or partly over it."""
    person, home = _person_of(seating, disturbance), seating.seats[(disturbance.seat or 0) - 1]
    owner = seating.seats[(disturbance.into_seat or 0) - 1]
    right = np.array([owner.ahead[1], -owner.ahead[0]])
    side = 1 if rng.random() < 0.5 else -1
    centre = _point_in_zone(seating, disturbance.into_seat, side * right * rng.uniform(0.16, 0.3))
    return _seat_reaching_to(seating, replace(person, yaw_deg=0.0), centre, home.shoulder, above_mm=25.0)


def _over_zone(seating: SimulatedSeating, disturbance: Disturbance, rng: np.random.Generator) -> SimulatedSeat:
    """Place a player's or a bystander's hand over a zone, nearer to the camera. A bystander reaches in from one
    side."""
    seat = seating.seats[(disturbance.seat or 0) - 1]
    aside = rng.uniform(-0.12, 0.12, 2)
    above = float(rng.uniform(90, 130))
    centre = _point_in_zone(seating, disturbance.seat, aside)
    if disturbance.by_seat is not None:
        person = replace(seating.people[disturbance.by_seat - 1], yaw_deg=0.0)
        return _seat_reaching_to(seating, person, centre, seating.seats[disturbance.by_seat - 1].shoulder, above)
    person = replace(random_people(1, int(rng.integers(1 << 30)))[0], yaw_deg=0.0)
    turned = seat.yaw_deg + (1 if rng.random() < 0.5 else -1) * rng.uniform(65, 115)
    return SimulatedSeat(person, seating.optics, centre, turned, above, _long_arm_mm(seating, person))


def _point_in_zone(seating: SimulatedSeating, seat: int | None, offset: Vector) -> tuple[float, float]:
    """Return a point in a seat's zone in pixels; ``offset`` from its middle is a share of the zone, right and up."""
    x, y = seating.zone_centres[(seat or 0) - 1]
    return x + float(offset[0]) * seating.zone_side_px, y - float(offset[1]) * seating.zone_side_px


def _seat_reaching_to(
    seating: SimulatedSeating,
    person: SimulatedPerson,
    centre: tuple[float, float],
    shoulder: Vector,
    above_mm: float,
) -> SimulatedSeat:
    """Return a hand at ``centre`` (pixels of the frame) whose arm comes from ``shoulder`` (mm)."""
    optics = seating.optics
    target = (np.array(centre) - np.array(optics.size) / 2) * (1, -1) * optics.height_mm / optics.focal_px
    right, up = target - shoulder
    turned = math.degrees(math.atan2(up, right)) - 90
    return SimulatedSeat(person, optics, centre, turned, above_mm, _long_arm_mm(seating, person))


def _long_arm_mm(seating: SimulatedSeating, person: SimulatedPerson) -> float:
    """Return an arm length that ends beyond the frame's edge wherever the hand is."""
    optics = seating.optics
    return math.hypot(*optics.size) * optics.height_mm / optics.focal_px / person.size
