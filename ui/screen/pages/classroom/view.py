"""What the screen shows of a room full of players, as plain data: the roll that is called over the live picture, and
how things stand with everybody, made from what a match tells. Pure: no surface, no clock."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from rules.engine import Json, Seat
from rules.throws import Throw
from ui.screen.core.animation import Animated
from ui.screen.pages.scoreboard.view import Facts

SHOUT_ANSWER, HOME_ANSWER, GO_ON_ANSWER = "shout", "home", "go on"
"""What the pages of a room are answered with."""
WIN, LOSS, TIE = "win", "loss", "tie"


@dataclass(frozen=True)
class Attendance:
    """Whose card was ``seen`` since the roll call began and whose is ``in_view`` now. ``duplicates`` are numbers with
    more than one card, ``unknown`` those of no player here; ``camera_error`` says why there is no image."""

    seen: frozenset[Seat] = frozenset()
    in_view: frozenset[Seat] = frozenset()
    duplicates: tuple[Seat, ...] = ()
    unknown: tuple[int, ...] = ()
    camera_error: str = ""


@dataclass(frozen=True)
class RollCall(Animated):
    """Who is there: everybody holds up their card and is ticked off. ``players`` are names by number from 1 ("": none);
    ``poll_camera`` returns the newest attendance; ``rethrow_reason`` is why a round is thrown again. Answered with
    SHOUT or HOME."""

    title: str
    players: tuple[str, ...]
    poll_camera: Callable[[], Attendance]
    attendance: Attendance = Attendance()
    rethrow_reason: str | None = None

    @property
    def animation_s(self) -> float:
        """See Animated: as long as it is shown."""
        return math.inf

    def at_time(self, seconds: float) -> Self:
        """See Animated: students are ticked off."""
        del seconds
        return replace(self, attendance=self.poll_camera())

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Whose card was not seen yet."""
        return tuple(seat for seat in range(1, len(self.players) + 1) if seat not in self.attendance.seen)


@dataclass(frozen=True)
class PlayerStanding:
    """One player's throw and its outcome ("win", "loss", "tie"), streak and health; ``None`` or 0 where unknown."""

    throw: Throw | None = None
    outcome: str | None = None
    streak: int = 0
    health: int | None = None


def player_standing(facts: Facts) -> PlayerStanding:
    """How things stand with the player of whom these ``facts`` are so."""
    told: dict[str, Json] = {fact.name: fact.value for fact in facts}
    throw, outcome = told.get("throws"), told.get("outcomes")
    return PlayerStanding(
        Throw(throw) if isinstance(throw, str) else None,
        outcome if isinstance(outcome, str) else None,
        _as_int(told.get("streaks")) or 0,
        _as_int(told.get("health")),
    )


def _as_int(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class ThrowCount:
    """One throw of a round: how many threw it, which throws it beats, and how many of its players won, lost and
    tied."""

    throw: Throw
    count: int
    beats: tuple[Throw, ...]
    outcomes: Mapping[str, int]


def count_throws(standings: Sequence[PlayerStanding], table: Facts) -> tuple[ThrowCount, ...]:
    """The moves table of a round, a line a move; none where no round is told. ``table`` is what is so of the table."""
    found = next((fact.value for fact in table if fact.name == "table"), None)
    if not isinstance(found, Mapping):
        return ()
    lines = []
    for move in Throw:
        thrown = [stand for stand in standings if stand.throw is move]
        ends = {end: sum(stand.outcome == end for stand in thrown) for end in (WIN, TIE, LOSS)}
        beaten = {
            other
            for pair, best in found.items()
            if best == move.value
            for other in map(Throw, str(pair).split("-"))
            if other is not move
        }
        lines.append(ThrowCount(move, len(thrown), tuple(other for other in Throw if other in beaten), ends))
    return tuple(lines)
