"""The views of a class as plain data: the roll call over the live image, and everybody's standing, derived from the
facts of a match. Pure: no surface, no clock."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from rules.engine import Json, Seat
from rules.throws import Throw
from ui.screen.pages.scoreboard.view import Facts
from ui.screen.pages.views import UNTIMED_PATIENCE_S, Page

SHOUT_ANSWER, HOME_ANSWER = "shout", "home"
"""The answers to the pages of a class."""
WIN, LOSS, TIE = "win", "loss", "tie"


@dataclass(frozen=True)
class Attendance:
    """The players whose card was ``seen`` since the roll call began. ``duplicates`` are numbers with more than one
    card, ``unknown`` those of no player here; ``camera_error`` says why there is no image."""

    seen: frozenset[Seat] = frozenset()
    duplicates: tuple[Seat, ...] = ()
    unknown: tuple[int, ...] = ()
    camera_error: str = ""


@dataclass(frozen=True)
class RollCall(Page):
    """The roll call: everybody holds up their card and is ticked off. ``players`` are names by number from 1 ("":
    none); ``poll_camera`` returns the newest attendance; ``rethrow_reason`` is why a round is thrown again. Answered
    with SHOUT_ANSWER or HOME_ANSWER."""

    title: str
    players: tuple[str, ...]
    poll_camera: Callable[[], Attendance]
    attendance: Attendance = Attendance()
    rethrow_reason: str | None = None

    @property
    def patience_s(self) -> float | None:
        """See Page."""
        return UNTIMED_PATIENCE_S

    @property
    def is_polled(self) -> bool:
        """See Page."""
        return True

    def poll(self) -> Self:
        """See Page: students are ticked off."""
        return replace(self, attendance=self.poll_camera())

    @property
    def missing(self) -> tuple[Seat, ...]:
        """The players whose card was not seen yet."""
        return tuple(seat for seat in range(1, len(self.players) + 1) if seat not in self.attendance.seen)


@dataclass(frozen=True)
class PlayerStanding:
    """One player's throw and its outcome ("win", "loss", "tie"), streak and health; ``None`` or 0 where unknown."""

    throw: Throw | None = None
    outcome: str | None = None
    streak: int = 0
    health: int | None = None


def player_standing(facts: Facts) -> PlayerStanding:
    """Return the standing of the player whom these ``facts`` are about."""
    values: dict[str, Json] = {fact.name: fact.value for fact in facts}
    throw, outcome = values.get("throws"), values.get("outcomes")
    return PlayerStanding(
        Throw(throw) if isinstance(throw, str) else None,
        outcome if isinstance(outcome, str) else None,
        _as_int(values.get("streaks")) or 0,
        _as_int(values.get("health")),
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
    """Return the counts of a round, one for each throw; none if the facts about the ``table`` have no round."""
    beats_table = next((fact.value for fact in table if fact.name == "table"), None)
    if not isinstance(beats_table, Mapping):
        return ()
    lines = []
    for throw in Throw:
        throwers = [standing for standing in standings if standing.throw is throw]
        outcomes = {outcome: sum(standing.outcome == outcome for standing in throwers) for outcome in (WIN, TIE, LOSS)}
        beaten = {
            other
            for pair, winner in beats_table.items()
            if winner == throw.value
            for other in map(Throw, str(pair).split("-"))
            if other is not throw
        }
        lines.append(ThrowCount(throw, len(throwers), tuple(other for other in Throw if other in beaten), outcomes))
    return tuple(lines)
