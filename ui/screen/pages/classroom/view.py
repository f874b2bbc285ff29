"""What the screen shows of a room full of players, as plain data: the roll that is called over the live picture, and
how things stand with everybody, made from what a match tells. Pure: no surface, no clock."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from rules.engine import Json, Seat
from rules.throws import Throw
from ui.screen.core.animation import Moves
from ui.screen.pages.standing.view import Facts

SHOUT, HOME, GO_ON = "shout", "home", "go on"
"""What the pages of a room are answered with."""
WINNING, LOSING, LEVEL = "win", "loss", "tie"


@dataclass(frozen=True)
class Roll:
    """Whose card was ``seen`` since the roll was begun and whose is in the picture ``now``. ``twice`` are the numbers
    of which there is more than one card, ``strangers`` those that nobody here has; ``fault`` says why there is no
    picture."""

    seen: frozenset[Seat] = frozenset()
    now: frozenset[Seat] = frozenset()
    twice: tuple[Seat, ...] = ()
    strangers: tuple[int, ...] = ()
    fault: str = ""


@dataclass(frozen=True)
class RollCall(Moves):
    """Who is there: everybody holds up their card and is ticked off. ``players`` are names by number from 1, "" for one
    without; ``newest`` gives the roll as it is at the moment it is asked; ``again`` says why a round is thrown again.
    Answered with SHOUT or HOME."""

    title: str
    players: tuple[str, ...]
    newest: Callable[[], Roll]
    roll: Roll = Roll()
    again: str | None = None

    @property
    def moves_s(self) -> float:
        """See Moves: as long as it is shown."""
        return math.inf

    def after(self, seconds: float) -> Self:
        """See Moves: students are ticked off."""
        del seconds
        return replace(self, roll=self.newest())

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Whose card was not seen yet."""
        return tuple(seat for seat in range(1, len(self.players) + 1) if seat not in self.roll.seen)


@dataclass(frozen=True)
class Stand:
    """How things stand with one player, each ``None`` or nothing where it is not told: their throw and what came of it
    ("win", "loss", "tie"), their score, streak and health; whether they are out, or see the others' throws first."""

    throw: Throw | None = None
    outcome: str | None = None
    streak: int = 0
    health: int | None = None


def stand_of(facts: Facts) -> Stand:
    """How things stand with the player of whom these ``facts`` are so."""
    told: dict[str, Json] = {fact.name: fact.value for fact in facts}
    throw, outcome = told.get("throws"), told.get("outcomes")
    return Stand(
        Throw(throw) if isinstance(throw, str) else None,
        outcome if isinstance(outcome, str) else None,
        _whole(told.get("streaks")) or 0,
        _whole(told.get("health")),
    )


def _whole(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class MoveLine:
    """One move of a round: how many threw it, which moves it beats, and how many of its players won, lost and came out
    level."""

    move: Throw
    count: int
    beats: tuple[Throw, ...]
    ends: Mapping[str, int]


def moves_of(stands: Sequence[Stand], table: Facts) -> tuple[MoveLine, ...]:
    """The moves table of a round, a line a move; none where no round is told. ``table`` is what is so of the table."""
    found = next((fact.value for fact in table if fact.name == "table"), None)
    if not isinstance(found, Mapping):
        return ()
    lines = []
    for move in Throw:
        thrown = [stand for stand in stands if stand.throw is move]
        ends = {end: sum(stand.outcome == end for stand in thrown) for end in (WINNING, LEVEL, LOSING)}
        beaten = {
            other
            for pair, best in found.items()
            if best == move.value
            for other in map(Throw, str(pair).split("-"))
            if other is not move
        }
        lines.append(MoveLine(move, len(thrown), tuple(other for other in Throw if other in beaten), ends))
    return tuple(lines)
