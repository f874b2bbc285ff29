"""What Battle says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from typing_extensions import override

from rules.engine import Facts, GameEvent, Seat, seats_to_json
from rules.events import Outcomes, Scores, Throws, ThrowsShown
from rules.throws import Throw


@dataclass(frozen=True)
class BattleScores(Scores):
    """Everybody's score and streak."""

    streaks: Mapping[Seat, int]
    """Rounds won in a row, negative for rounds lost."""
    away: Sequence[Seat] = ()
    """Seats whose player has left."""
    free: Sequence[Seat] = ()
    """Seats in which nobody has played yet."""


@dataclass(frozen=True)
class Teams(GameEvent):
    """The two teams."""

    kind = "teams"
    teams: Sequence[Sequence[Seat]]


@dataclass(frozen=True)
class PlayersChanged(GameEvent):
    """Players have joined, left or started afresh between two rounds."""

    kind = "table"
    joined: Sequence[Seat]
    left: Sequence[Seat]
    reset: Sequence[Seat]
    players: Sequence[Seat]
    """Everybody who plays on."""


@dataclass(frozen=True)
class OptionsChosen(GameEvent):
    """The options of a round."""

    kind = "options"
    round: int
    on: Sequence[str]
    """The names of the options."""
    decides: Seat
    """The player whose wishes decided."""


@dataclass(frozen=True)
class SecondLook(ThrowsShown):
    """Players may look at the others' throws before they throw."""

    kind = "second look"
    seats: Sequence[Seat]
    throws: Throws
    """The throws of the others."""


@dataclass(frozen=True)
class RandomThrows(ThrowsShown):
    """The box has thrown at random for players who showed nothing."""

    kind = "random throws"
    throws: Throws


@dataclass(frozen=True)
class BestThrows(ThrowsShown):
    """The box has made the best throw for players with a long losing streak who showed nothing."""

    kind = "best throws"
    throws: Throws


@dataclass(frozen=True)
class RoundPlayed(ThrowsShown):
    """The result of a round."""

    kind = "round"
    round: int
    options: Sequence[str]
    """The options that were on."""
    throws: Throws
    counts: Mapping[Throw, int]
    """How often each throw was thrown."""
    table: Mapping[str, str]
    """The winner of each pair of throws: ``{"rock-paper": "paper", …}``, or "tie"."""
    won: Mapping[Seat, int]
    """Everybody's battles won."""
    lost: Mapping[Seat, int]
    tied: Mapping[Seat, int]
    outcomes: Outcomes

    @property
    def beaten_pairs(self) -> list[tuple[Throw, Throw]]:
        """Which throw beats which this round, the winner first."""
        pairs = []
        for pair, best in self.table.items():
            first, second = map(Throw, pair.split("-"))
            if best != "tie":
                pairs.append((first, second) if best == first else (second, first))
        return pairs

    @override
    def outcomes_of(self, throwers: Iterable[Seat]) -> Outcomes:
        return self.outcomes

    @cached_property
    @override
    def facts(self) -> Facts:
        results = seats_to_json({seat: outcome.result for seat, outcome in self.outcomes.items()})
        return {**super().facts, "outcomes": results}


@dataclass(frozen=True)
class Health(GameEvent):
    """Everybody's health points."""

    kind = "health"
    out: Sequence[Seat]
    """The players who have just lost their last one."""
    health: Mapping[Seat, int]


@dataclass(frozen=True)
class Survivor(GameEvent):
    """One player is left with health."""

    kind = "survivor"
    seat: Seat


@dataclass(frozen=True)
class SurvivingTeam(GameEvent):
    """One team is left with health."""

    kind = "surviving team"
    seats: Sequence[Seat]
    """Its players who have any left."""
