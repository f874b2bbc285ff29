"""The reckoning of Battle: who beats whom, and how many battles each move wins, loses and ties, from how many threw
what. It takes as long for a million players as for ten. The game and ``throwlock calculate`` both reckon with it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from errors import ThrowlockError
from rules.engine import Json, quoted
from rules.throws import Throw

MOST = 94_906_266
"""The largest count the calculator takes (battle.txt): its square is about 2**53. Python reckons exactly far above."""

Counts = Mapping[Throw, int]
"""How many threw what."""


class CountError(ThrowlockError, ValueError):
    """A count the calculator does not take. The message says which, and what it may be."""


class Outcome(StrEnum):
    """How a battle, or a round, ended for one side."""

    WIN = "win"
    LOSS = "loss"
    TIE = "tie"


@dataclass(frozen=True)
class Tally:
    """Battles, or rounds, won, lost and tied."""

    wins: int = 0
    losses: int = 0
    ties: int = 0

    @property
    def outcome(self) -> Outcome:
        """A round is won with more battles won than lost, lost with fewer, and tied with as many."""
        return Outcome.WIN if self.wins > self.losses else Outcome.LOSS if self.wins < self.losses else Outcome.TIE

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.losses + other.losses, self.ties + other.ties)

    def as_json(self) -> dict[str, Json]:
        """``{"wins", "losses", "ties"}``."""
        return {"wins": self.wins, "losses": self.losses, "ties": self.ties}


NOTHING = Tally()
"""The tally of nothing yet."""
ONE = MappingProxyType({Outcome.WIN: Tally(wins=1), Outcome.LOSS: Tally(losses=1), Outcome.TIE: Tally(ties=1)})
"""The tally of one battle, or one round."""


def winner(one: Throw, other: Throw, counts: Counts, inverted: bool = False, count: bool = False) -> Throw | None:
    """Which of two moves beats the other; ``None`` for a tie.

    ``a`` usually beats ``b``; *Inverted* turns the usual round. Under *Count*, ``b`` beats ``a`` where at least twice
    as many threw it, and ties where only more did. (Where nobody threw either, 0 is twice 0; no battle depends on it.)
    """
    if one is other:
        return None
    a, b = (one, other) if one.beats(other) is not inverted else (other, one)
    if count and counts[b] >= 2 * counts[a]:
        return b
    if count and counts[b] > counts[a]:
        return None
    return a


@dataclass(frozen=True)
class Round:
    """The battles of one round. ``teams`` has how many of each team threw what: one entry where everybody battles
    everybody, two where only pairs across teams battle. Who beats whom depends on all of them together."""

    teams: tuple[Counts, ...]
    inverted: bool = False
    count: bool = False

    @cached_property
    def counts(self) -> Counts:
        """How many threw what, all teams together."""
        return {move: sum(team[move] for team in self.teams) for move in Throw}

    @cached_property
    def table(self) -> Mapping[Throw, Mapping[Throw, Outcome]]:
        """The result of each move (first) against each move (second)."""
        return {one: {other: self._result(one, other) for other in Throw} for one in Throw}

    def _result(self, one: Throw, other: Throw) -> Outcome:
        best = winner(one, other, self.counts, self.inverted, self.count)
        return Outcome.TIE if best is None else Outcome.WIN if best is one else Outcome.LOSS

    def with_one_more(self, move: Throw, team: int = 0) -> "Round":
        """The round as it would be if one more player of ``team`` had thrown ``move``."""
        more = {**self.teams[team], move: self.teams[team][move] + 1}
        return replace(self, teams=(*self.teams[:team], more, *self.teams[team + 1 :]))

    def best(self, team: int = 0) -> Throw:
        """What one more player of ``team`` throws to win most battles more than they lose; of equals the first of rock,
        paper, scissors."""

        def gain(move: Throw) -> int:
            tally = self.with_one_more(move, team).tally(move, team)
            return tally.wins - tally.losses

        return max(Throw, key=gain)

    def tally(self, move: Throw, team: int = 0) -> Tally:
        """The battles of one player of ``team`` who threw ``move``. None where nobody of the team did."""
        if not self.teams[team][move]:
            return NOTHING
        by_result = dict.fromkeys(Outcome, 0)
        for other, number in self._opponents(move, team).items():
            by_result[self.table[move][other]] += number
        return Tally(by_result[Outcome.WIN], by_result[Outcome.LOSS], by_result[Outcome.TIE])

    def _opponents(self, move: Throw, team: int) -> Counts:
        """Whom one player of ``team`` who threw ``move`` battles: everybody else, or the other team."""
        if len(self.teams) == 2:
            return self.teams[1 - team]
        return {**self.counts, move: self.counts[move] - 1}


@dataclass(frozen=True)
class Line:
    """One move: how many threw it, its result ``against`` each move, the battles of ``each`` of its players and of
    ``all`` of them together (a tie between two of them counted once), and how the round ends for them (``None`` where
    nobody threw it)."""

    move: Throw
    count: int
    against: Mapping[Throw, Outcome]
    each: Tally
    all: Tally
    outcome: Outcome | None

    def as_json(self) -> dict[str, Json]:
        """``{"count", "against", "each", "all", "outcome"}``."""
        return {
            "count": self.count,
            "against": {other.value: result.value for other, result in self.against.items()},
            "each": self.each.as_json(),
            "all": self.all.as_json(),
            "outcome": self.outcome.value if self.outcome else None,
        }


@dataclass(frozen=True)
class Reckoning:
    """All there is to say about a round: a line a move, how many players, and ``total``, in which every battle counts
    once as a win and once as a loss, or once as a tie."""

    inverted: bool
    count: bool
    lines: tuple[Line, ...]
    total: Tally

    @property
    def players(self) -> int:
        """How many there are."""
        return sum(line.count for line in self.lines)

    @property
    def battles(self) -> int:
        """How many pairs of them battle: all."""
        return pairs(self.players)

    @property
    def checks(self) -> bool:
        """Every battle that one wins another loses, and with the ties they are all N(N−1)/2 of them."""
        return self.total.wins == self.total.losses and self.total.wins + self.total.ties == self.battles

    def as_json(self) -> dict[str, Json]:
        """``{"inverted", "count", "moves": {"rock": …}, "total": {"players", "battles", "wins", …}}``."""
        return {
            "inverted": self.inverted,
            "count": self.count,
            "moves": {line.move.value: line.as_json() for line in self.lines},
            "total": {"players": self.players, "battles": self.battles, **self.total.as_json()},
        }


def calculate(counts: Counts, inverted: bool = False, count: bool = False) -> Reckoning:
    """Reckon a round from how many threw what, 0 to ``MOST`` each::

        calculate({Throw.ROCK: 1, Throw.PAPER: 2, Throw.SCISSORS: 3}).lines[0].outcome   # Outcome.LOSS

    Raises CountError.
    """
    for move in Throw:
        checked(move, counts[move])
    battles = Round((counts,), inverted, count)
    lines = tuple(_line(battles, move) for move in Throw)
    wins, losses = sum(line.all.wins for line in lines), sum(line.all.losses for line in lines)
    among_equals = sum(pairs(counts[move]) for move in Throw)
    across = sum(line.all.ties for line in lines) - among_equals  # each tie of two moves is on both lines
    return Reckoning(inverted, count, lines, Tally(wins, losses, among_equals + across // 2))


def _line(battles: Round, move: Throw) -> Line:
    number, each = battles.counts[move], battles.tally(move)
    ties_across = each.ties - (number - 1) if number else 0
    together = Tally(number * each.wins, number * each.losses, number * ties_across + pairs(number))
    return Line(move, number, battles.table[move], each, together, each.outcome if number else None)


def pairs(number: int) -> int:
    """How many pairs there are among so many players."""
    return number * (number - 1) // 2


def read_count(move: Throw, text: str) -> int:
    """How many threw ``move``, as people write it. Raises CountError."""
    digits = re.fullmatch("0*([0-9]{1,9})", text)
    if not digits:
        raise CountError(f"{_of(move)}, not {quoted(text)}")
    return checked(move, int(digits[1]))


def checked(move: Throw, number: int) -> int:
    """``number`` itself. Raises CountError when so many can't have thrown ``move``."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST:
        raise CountError(f"{_of(move)}, not {quoted(number)}")
    return number


def _of(move: Throw) -> str:
    return f"how many threw {move.value} is a whole number from 0 to {MOST}"
