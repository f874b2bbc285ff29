"""The hands in the image: the players' own, in their zones or astray, and extra hands that should not be there."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from device.simulated.table import tracer
from device.simulated.table.animation import ScheduledPerformance, Stance, ease, stance_at
from device.simulated.table.disturbances import Disturbance
from device.simulated.table.hand import HandModel
from device.simulated.table.materials import make_coat
from device.simulated.table.seating import SimulatedPerson, SimulatedSeat, SimulatedSeating, random_people

SECOND_HAND_OPENING_NS = 110_000_000
"""A second hand opens as fast as a first one."""
RELAXED_STANCE = Stance(paper=0.55, half_open=0.3)
"""A hand that shows no throw."""
DRIFT_PERIOD_NS = 1_600_000_000
"""Period of the slow sway of an arm that reaches over."""


class HandActor(NamedTuple):
    """A hand that may be in the image: its action at a time (equal actions give equal images), the hand model for an
    action, and its skin and sleeve."""

    action_at: Callable[[int], Any]
    hand_for: Callable[[Any], HandModel]
    coat: tracer.HandCoat


class StrayAction(NamedTuple):
    """The stance of a hand astray, and how far it has strayed (0 to 1)."""

    stance: Stance
    progress: float


def player_actors(
    seating: SimulatedSeating,
    schedules: Sequence[Sequence[ScheduledPerformance]],
    coats: Sequence[tracer.HandCoat],
    disturbances: Sequence[Disturbance],
    seed: int,
) -> list[HandActor]:
    """Return the players' throwing hands, those astray last, as they may cover others."""
    in_own_zone, astray = [], []
    for number, (seat, schedule, coat) in enumerate(zip(seating.seats, schedules, coats, strict=True), 1):
        own = [event for event in disturbances if event.kind == "wrong zone" and event.seat == number]
        if own:
            astray.append(_stray_actor(seating, own[-1], schedule, coat, seed))
        else:
            in_own_zone.append(HandActor(partial(stance_at, schedule), seat.hand, coat))
    return in_own_zone + astray


def extra_actors(seating: SimulatedSeating, disturbances: Sequence[Disturbance], seed: int) -> list[HandActor]:
    """Return the hands that should not be there, those nearest the camera last."""
    second = [_second_hand_actor(seating, event, seed) for event in disturbances if event.kind == "two hands"]
    return second + [_reaching_actor(seating, event, seed) for event in disturbances if event.kind == "reaching"]


def actor_for(
    seating: SimulatedSeating, disturbance: Disturbance, schedule: Sequence[ScheduledPerformance], seed: int
) -> HandActor:
    """Return the hand of a disturbance; ``schedule`` is that of its seat. Raises ValueError when it has no hand."""
    if disturbance.kind == "wrong zone":
        return _stray_actor(seating, disturbance, schedule, make_coat(_person_of(seating, disturbance)), seed)
    if disturbance.kind == "two hands":
        return _second_hand_actor(seating, disturbance, seed)
    if disturbance.kind == "reaching":
        return _reaching_actor(seating, disturbance, seed)
    raise ValueError(f"{disturbance.kind!r} has no hand")


def _person_of(seating: SimulatedSeating, disturbance: Disturbance) -> SimulatedPerson:
    return seating.people[(disturbance.seat or 0) - 1]


def _stray_actor(
    seating: SimulatedSeating,
    disturbance: Disturbance,
    schedule: Sequence[ScheduledPerformance],
    coat: tracer.HandCoat,
    seed: int,
) -> HandActor:
    home, target = seating.seats[(disturbance.seat or 0) - 1], _place_hand(seating, disturbance, seed)

    def action_at(when_ns: int) -> StrayAction:
        return StrayAction(stance_at(schedule, when_ns), disturbance.progress(when_ns))

    def hand_for(action: StrayAction) -> HandModel:
        return (home.towards(target, action.progress) if action.progress else home).hand(action.stance)

    return HandActor(action_at, hand_for, coat)


def _second_hand_actor(seating: SimulatedSeating, disturbance: Disturbance, seed: int) -> HandActor:
    seat = _place_hand(seating, disturbance, seed)
    shape = Stance(**{disturbance.throw: 1.0}) if disturbance.throw != "rock" else Stance()

    def action_at(when_ns: int) -> Stance:
        opened = (
            1.0
            if disturbance.shown_ns is None
            else ease((when_ns - disturbance.shown_ns) / SECOND_HAND_OPENING_NS + 0.5)
        )
        return Stance().towards(shape, opened)._replace(away=1 - disturbance.progress(when_ns))

    return HandActor(action_at, seat.hand, make_coat(seat.person))


def _reaching_actor(seating: SimulatedSeating, disturbance: Disturbance, seed: int) -> HandActor:
    seat = _place_hand(seating, disturbance, seed)

    def action_at(when_ns: int) -> Stance:
        drift = 0.5 - 0.5 * math.cos(2 * math.pi * (when_ns - disturbance.start_ns) / DRIFT_PERIOD_NS)
        return RELAXED_STANCE._replace(rest=0.5 * drift, away=1 - disturbance.progress(when_ns))

    return HandActor(action_at, seat.hand, make_coat(seat.person))


@lru_cache(64)
def _place_hand(seating: SimulatedSeating, disturbance: Disturbance, seed: int) -> SimulatedSeat:
    """Choose whose hand a disturbance's is, and its place once it has arrived."""
    chance = disturbance.rng(seed)
    if disturbance.kind == "two hands":
        return _next_to_own_hand(seating, disturbance, chance)
    if disturbance.kind == "wrong zone":
        return _next_to_zone_owner(seating, disturbance, chance)
    return _over_zone(seating, disturbance, chance)


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


def _point_in_zone(
    seating: SimulatedSeating, seat: int | None, offset: np.ndarray[Any, np.dtype[np.float64]]
) -> tuple[float, float]:
    """Return a point in a seat's zone in pixels; ``offset`` from its middle is a share of the zone, right and up."""
    x, y = seating.zone_centres[(seat or 0) - 1]
    return x + float(offset[0]) * seating.zone_side_px, y - float(offset[1]) * seating.zone_side_px


def _seat_reaching_to(
    seating: SimulatedSeating,
    person: SimulatedPerson,
    centre: tuple[float, float],
    shoulder: np.ndarray[Any, np.dtype[np.float64]],
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
