"""The battles of a round of Battle, computed from how many players chose each throw: as fast for a million players as
for ten. Used by the game and by ``throwlock calculate``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from errors import ThrowlockError
from messages import N
from rules.engine import Json, quote
from rules.throws import Outcome, Throw

MAX_COUNT = 94_906_266
"""The largest count the rule page allows: its square is about 2**53. Python would be exact far beyond it."""

ThrowCounts = Mapping[Throw, int]
"""The number of players who chose each throw."""


class CountError(ThrowlockError, ValueError):
    """A count is not an integer from 0 to ``MAX_COUNT``. The message says which."""


@dataclass(frozen=True)
class Tally:
    """The number of battles (or rounds) won, lost and tied."""

    wins: int = 0
    losses: int = 0
    ties: int = 0

    @property
    def outcome(self) -> Outcome:
        """The outcome of a round: a win with more battles won than lost, a loss with fewer, else a tie."""
        return Outcome.WON if self.wins > self.losses else Outcome.LOST if self.wins < self.losses else Outcome.TIED

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.losses + other.losses, self.ties + other.ties)

    def as_json(self) -> dict[str, int]:
        """Return ``{"wins", "losses", "ties"}``."""
        return {"wins": self.wins, "losses": self.losses, "ties": self.ties}


SCORE_OF_OUTCOME = MappingProxyType({Outcome.WON: 1, Outcome.LOST: -1, Outcome.TIED: 0})
"""What a round adds to a player's score without streak bonuses: "gain 1 score point", "lose 1 score point" (battle.txt,
Score calculation)."""
EMPTY_TALLY = Tally()
"""No battles."""
TALLY_OF_ONE = MappingProxyType(
    {Outcome.WON: Tally(wins=1), Outcome.LOST: Tally(losses=1), Outcome.TIED: Tally(ties=1)}
)
"""The tally of one battle (or round) with each outcome."""


def winning_throw(
    first: Throw, second: Throw, counts: ThrowCounts, inverted: bool = False, count: bool = False
) -> Throw | None:
    """Return which of two throws wins under the options *Inverted* and *Count*, or ``None`` for a tie.

    The usual winner beats the underdog as in rock, paper, scissors, or the other way round under *Inverted*. Under
    *Count* the underdog wins if at least twice as many players chose it, and ties if merely more did: "when a
    pair of moves is chosen by a different number of players, the one with more players never loses" (battle.txt, Damage
    calculation). Equal numbers, none and none among them, change nothing.
    """
    if first is second:
        return None
    usual, underdog = (first, second) if first.beats(second) is not inverted else (second, first)
    if not count or counts[underdog] <= counts[usual]:
        return usual
    return underdog if counts[underdog] >= 2 * counts[usual] else None


@dataclass(frozen=True)
class BattleRound:
    """The battles of one round. Which throw beats which depends on the counts of all players together."""

    teams: tuple[ThrowCounts, ...]
    """The throw counts of each team: one entry if everybody battles everybody, two if each team battles only the
    other."""
    inverted: bool = False
    count: bool = False

    @cached_property
    def counts(self) -> ThrowCounts:
        """The throw counts of all teams together."""
        return {throw: sum(team[throw] for team in self.teams) for throw in Throw}

    @cached_property
    def outcomes(self) -> Mapping[Throw, Mapping[Throw, Outcome]]:
        """The outcome of each throw (first key) against each throw (second key)."""
        return {throw: {other: self._outcome(throw, other) for other in Throw} for throw in Throw}

    def _outcome(self, throw: Throw, opposing: Throw) -> Outcome:
        winner = winning_throw(throw, opposing, self.counts, self.inverted, self.count)
        return Outcome.TIED if winner is None else Outcome.WON if winner is throw else Outcome.LOST

    def with_player(self, throw: Throw, team: int = 0) -> "BattleRound":
        """Return the round as it would be with one more player in ``team`` choosing ``throw``."""
        counts = {**self.teams[team], throw: self.teams[team][throw] + 1}
        return replace(self, teams=(*self.teams[:team], counts, *self.teams[team + 1 :]))

    def best_throw(self, team: int = 0) -> Throw:
        """Return the throw with which one more player of ``team`` would win most battles net of losses; among equals
        the first of rock, paper, scissors."""

        def net_wins(throw: Throw) -> int:
            tally = self.with_player(throw, team).tally(throw, team)
            return tally.wins - tally.losses

        return max(Throw, key=net_wins)

    def tally(self, throw: Throw, team: int = 0) -> Tally:
        """Return the battles of one player of ``team`` who chose ``throw``; none if nobody in the team did."""
        if not self.teams[team][throw]:
            return EMPTY_TALLY
        by_outcome = dict.fromkeys(Outcome, 0)
        for other, count in self._opponents(throw, team).items():
            by_outcome[self.outcomes[throw][other]] += count
        return Tally(by_outcome[Outcome.WON], by_outcome[Outcome.LOST], by_outcome[Outcome.TIED])

    def _opponents(self, throw: Throw, team: int) -> ThrowCounts:
        """Return the opponents of one player of ``team`` who chose ``throw``: everybody else, or the other team."""
        if len(self.teams) == 2:
            return self.teams[1 - team]
        return {**self.counts, throw: self.counts[throw] - 1}


@dataclass(frozen=True)
class ThrowSummary:
    """The players who chose one throw."""

    throw: Throw
    count: int
    """The number of players who chose it."""
    against: Mapping[Throw, Outcome]
    """Its outcome against each throw."""
    per_player: Tally
    """The battles of each of these players."""
    combined: Tally
    """The battles of all of them together; a tie between two of them counts once."""
    outcome: Outcome | None
    """How the round ends for them; ``None`` if nobody chose the throw."""

    @property
    def score(self) -> int | None:
        """What the round adds to the score of each of these players, without streak bonuses; ``None`` if nobody chose
        the throw."""
        return None if self.outcome is None else SCORE_OF_OUTCOME[self.outcome]

    @property
    def combined_score(self) -> int:
        """What the round adds to their scores together."""
        return self.count * (self.score or 0)

    def as_json(self) -> dict[str, Json]:
        """Return ``{"count", "against", "each", "all", "outcome", "score", "all_score"}``."""
        return {
            "count": self.count,
            "against": {other.value: outcome.result for other, outcome in self.against.items()},
            "each": self.per_player.as_json(),
            "all": self.combined.as_json(),
            "outcome": self.outcome.result if self.outcome else None,
            "score": self.score,
            "all_score": self.combined_score,
        }


@dataclass(frozen=True)
class RoundSummary:
    """A round throw by throw."""

    inverted: bool
    count: bool
    by_throw: tuple[ThrowSummary, ...]
    total: Tally
    """Each battle counts once as a win and once as a loss, or once as a tie."""

    @property
    def players(self) -> int:
        """The number of players."""
        return sum(summary.count for summary in self.by_throw)

    @property
    def battles(self) -> int:
        """The number of battles: every pair of players."""
        return pair_count(self.players)

    @property
    def total_score(self) -> int:
        """What the round adds to all scores together, without streak bonuses."""
        return sum(summary.combined_score for summary in self.by_throw)

    def as_json(self) -> dict[str, Json]:
        """Return ``{"inverted", "count", "moves": {"rock": …}, "total": {"players", "battles", "wins", …,
        "score"}}``."""
        return {
            "inverted": self.inverted,
            "count": self.count,
            "moves": {summary.throw.value: summary.as_json() for summary in self.by_throw},
            "total": {
                "players": self.players,
                "battles": self.battles,
                **self.total.as_json(),
                "score": self.total_score,
            },
        }


def calculate_round(counts: ThrowCounts, inverted: bool = False, count: bool = False) -> RoundSummary:
    """Return the summary of a round in which everybody battles everybody::

        calculate_round({Throw.ROCK: 1, Throw.PAPER: 2, Throw.SCISSORS: 3}).by_throw[0].outcome   # Outcome.WON

    Raises:
        CountError: A count is not from 0 to ``MAX_COUNT``.
    """
    for throw in Throw:
        check_count(throw, counts[throw])
    battle_round = BattleRound((counts,), inverted, count)
    summaries = tuple(_summarize_throw(battle_round, throw) for throw in Throw)
    wins = sum(summary.combined.wins for summary in summaries)
    losses = sum(summary.combined.losses for summary in summaries)
    same_throw_ties = sum(pair_count(counts[throw]) for throw in Throw)
    other_ties = sum(summary.combined.ties for summary in summaries) - same_throw_ties  # each is in two summaries
    return RoundSummary(inverted, count, summaries, Tally(wins, losses, same_throw_ties + other_ties // 2))


def _summarize_throw(battle_round: BattleRound, throw: Throw) -> ThrowSummary:
    count, tally = battle_round.counts[throw], battle_round.tally(throw)
    other_ties = tally.ties - (count - 1) if count else 0
    combined = Tally(count * tally.wins, count * tally.losses, count * other_ties + pair_count(count))
    return ThrowSummary(throw, count, battle_round.outcomes[throw], tally, combined, tally.outcome if count else None)


def pair_count(number: int) -> int:
    """Return the number of pairs among ``number`` players."""
    return number * (number - 1) // 2


def parse_count(throw: Throw, text: str) -> int:
    """Return the typed number of players who chose ``throw``. Raises CountError if it is not allowed."""
    digits = re.fullmatch("0*([0-9]{1,9})", text)
    if not digits:
        raise _count_error(throw, text)
    return check_count(throw, int(digits[1]))


def check_count(throw: Throw, count: int) -> int:
    """Return ``count``, the number of players who chose ``throw``. Raises CountError if it is not allowed."""
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MAX_COUNT:
        raise _count_error(throw, count)
    return count


def _count_error(throw: Throw, count: object) -> CountError:
    return CountError(
        N(
            "the number of players who threw {throw} must be from 0 to {most}, not {count}",
            throw=throw.value,
            most=MAX_COUNT,
            count=quote(count),
        )
    )
