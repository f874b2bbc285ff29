"""Whose hands are in the picture: the players', where they belong or astray, and those that have no business there."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from device.simulated.table import tracer
from device.simulated.table.animation import Act, Stance, eased, stance_at
from device.simulated.table.faults import Disturbance
from device.simulated.table.hand import Hand
from device.simulated.table.materials import coat
from device.simulated.table.seating import Person, Seat, Seating, some_people

OPENS_NS = 110_000_000
"""A second hand opens as quickly as a first."""
RELAXED = Stance(paper=0.55, half_open=0.3)
"""A hand that shows nothing."""
DRIFT_NS = 1_600_000_000
"""An arm that reaches over is never still: it goes to and fro in this time."""


class Mover(NamedTuple):
    """A hand that may be in the picture: what it does at an instant (the same means the same picture), the hand that
    does it, and what covers it."""

    does: Callable[[int], Any]
    hand: Callable[[Any], Hand]
    coat: tracer.Coat


class Doing(NamedTuple):
    """What a hand astray does: its stance, and how far it has strayed."""

    stance: Stance
    astray: float


def players(
    seating: Seating,
    acts: Sequence[Sequence[Act]],
    coats: Sequence[tracer.Coat],
    disturbances: Sequence[Disturbance],
    seed: int,
) -> list[Mover]:
    """The players' throwing hands, those astray last: they may lie over another."""
    at_home, astray = [], []
    for number, (seat, told, own) in enumerate(zip(seating.seats, acts, coats, strict=True), 1):
        strays = [one for one in disturbances if one.kind == "wrong zone" and one.seat == number]
        if strays:
            astray.append(_astray(seating, strays[-1], told, own, seed))
        else:
            at_home.append(Mover(partial(stance_at, told), seat.hand, own))
    return at_home + astray


def strangers(seating: Seating, disturbances: Sequence[Disturbance], seed: int) -> list[Mover]:
    """The hands that have no business at the table, those nearest the camera last."""
    second = [_second(seating, one, seed) for one in disturbances if one.kind == "two hands"]
    return second + [_reaching(seating, one, seed) for one in disturbances if one.kind == "reaching"]


def mover_of(seating: Seating, one: Disturbance, acts: Sequence[Act], seed: int) -> Mover:
    """The hand of a disturbance; ``acts`` are what its seat was told. Raises ValueError when it has none."""
    if one.kind == "wrong zone":
        return _astray(seating, one, acts, coat(_person(seating, one)), seed)
    if one.kind == "two hands":
        return _second(seating, one, seed)
    if one.kind == "reaching":
        return _reaching(seating, one, seed)
    raise ValueError(f"{one.kind!r} is nobody's hand")


def _person(seating: Seating, one: Disturbance) -> Person:
    return seating.people[(one.seat or 0) - 1]


def _astray(seating: Seating, one: Disturbance, acts: Sequence[Act], own: tracer.Coat, seed: int) -> Mover:
    home, there = seating.seats[(one.seat or 0) - 1], _place(seating, one, seed)

    def does(when_ns: int) -> Doing:
        return Doing(stance_at(acts, when_ns), one.share(when_ns))

    def hand(doing: Doing) -> Hand:
        return (home.towards(there, doing.astray) if doing.astray else home).hand(doing.stance)

    return Mover(does, hand, own)


def _second(seating: Seating, one: Disturbance, seed: int) -> Mover:
    seat = _place(seating, one, seed)
    shape = Stance(**{one.throw: 1.0}) if one.throw != "rock" else Stance()

    def does(when_ns: int) -> Stance:
        opened = 1.0 if one.shown_ns is None else eased((when_ns - one.shown_ns) / OPENS_NS + 0.5)
        return Stance().towards(shape, opened)._replace(away=1 - one.share(when_ns))

    return Mover(does, seat.hand, coat(seat.person))


def _reaching(seating: Seating, one: Disturbance, seed: int) -> Mover:
    seat = _place(seating, one, seed)

    def does(when_ns: int) -> Stance:
        drift = 0.5 - 0.5 * math.cos(2 * math.pi * (when_ns - one.begins_ns) / DRIFT_NS)
        return RELAXED._replace(rest=0.5 * drift, away=1 - one.share(when_ns))

    return Mover(does, seat.hand, coat(seat.person))


@lru_cache(64)
def _place(seating: Seating, one: Disturbance, seed: int) -> Seat:
    """Where the hand of a disturbance is when it has come, and whose it is."""
    chance = one.chance(seed)
    if one.kind == "two hands":
        return _beside_own(seating, one, chance)
    if one.kind == "wrong zone":
        return _beside_owner(seating, one, chance)
    return _over(seating, one, chance)


def _beside_own(seating: Seating, one: Disturbance, chance: np.random.Generator) -> Seat:
    """A player's other hand, on the side where it belongs, and a little behind the first."""
    person, home = _person(seating, one), seating.seats[(one.seat or 0) - 1]
    other = replace(
        person,
        left=not person.left,
        habit=person.habit + 1,
        roll_deg=float(chance.uniform(0, 14)),
        yaw_deg=float(chance.uniform(-8, 8)),
        wrist_deg=-person.wrist_deg,
    )
    right = np.array([home.ahead[1], -home.ahead[0]])  # of the player, on the table
    aside = (1 if person.left else -1) * right * chance.uniform(0.30, 0.34) - home.ahead * chance.uniform(0.0, 0.06)
    return Seat(other, seating.optics, _shifted(seating, one.seat, aside), home.yaw_deg - person.yaw_deg)


def _beside_owner(seating: Seating, one: Disturbance, chance: np.random.Generator) -> Seat:
    """A player's hand in another's zone: beside the owner's or partly over it."""
    person, home = _person(seating, one), seating.seats[(one.seat or 0) - 1]
    owner = seating.seats[(one.into or 0) - 1]
    right = np.array([owner.ahead[1], -owner.ahead[0]])
    side = 1 if chance.random() < 0.5 else -1
    centre = _shifted(seating, one.into, side * right * chance.uniform(0.16, 0.3))
    return _pointing(seating, replace(person, yaw_deg=0.0), centre, home.shoulder, above_mm=25.0)


def _over(seating: Seating, one: Disturbance, chance: np.random.Generator) -> Seat:
    """A player's or a bystander's hand over a zone, nearer to the camera. A bystander reaches in from one side."""
    seat = seating.seats[(one.seat or 0) - 1]
    aside = chance.uniform(-0.12, 0.12, 2)
    above = float(chance.uniform(90, 130))
    centre = _shifted(seating, one.seat, aside)
    if one.by is not None:
        person = replace(seating.people[one.by - 1], yaw_deg=0.0)
        return _pointing(seating, person, centre, seating.seats[one.by - 1].shoulder, above)
    person = replace(some_people(1, int(chance.integers(1 << 30)))[0], yaw_deg=0.0)
    turned = seat.yaw_deg + (1 if chance.random() < 0.5 else -1) * chance.uniform(65, 115)
    return Seat(person, seating.optics, centre, turned, above, _long_arm_mm(seating, person))


def _shifted(seating: Seating, seat: int | None, by: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[float, float]:
    """A place in a seat's zone, in pixels: ``by`` from its middle in shares of the zone, right and up."""
    x, y = seating.centres[(seat or 0) - 1]
    return x + float(by[0]) * seating.side, y - float(by[1]) * seating.side


def _pointing(
    seating: Seating,
    person: Person,
    centre: tuple[float, float],
    shoulder: np.ndarray[Any, np.dtype[np.float64]],
    above_mm: float,
) -> Seat:
    """A hand at a place of the frame (pixels) whose arm comes from ``shoulder`` (millimetres)."""
    optics = seating.optics
    target = (np.array(centre) - np.array(optics.size) / 2) * (1, -1) * optics.height / optics.focal
    right, up = target - shoulder
    turned = math.degrees(math.atan2(up, right)) - 90
    return Seat(person, optics, centre, turned, above_mm, _long_arm_mm(seating, person))


def _long_arm_mm(seating: Seating, person: Person) -> float:
    """An arm stretched across the table that is cut off beyond the frame's edge wherever its hand is."""
    optics = seating.optics
    return math.hypot(*optics.size) * optics.height / optics.focal / person.size
