"""Brackets of single and double elimination.

A bracket has the next power of two of places. Seeds are placed as usual: 1 and 2 can meet only in the final, 1 to 4 not
before the semi-finals, and so on; the best seeds have the byes. In a double knock-out whoever loses in the winners'
bracket goes on in the losers' bracket, whose rounds alternate between its own winners and new losers. These cross so
that nobody meets again whoever beat them before it must be. The final is played again if the player from the losers'
bracket wins it, since then both have lost once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rules.tournaments.fixture import BYE, Fixture, FixtureId, FixtureResult

Place = int | None
"""A player, BYE, or None while it is open who it will be."""
Memo = dict[FixtureId, tuple[Place, Place]]
"""Places by fixture, as far as they have been computed."""
PlaceOf = Callable[[Memo], Place]
"""Computes a place of a fixture."""
FIRST_FINAL, SECOND_FINAL = FixtureId("F", 1, 1), FixtureId("F", 2, 1)
"""Of a double knock-out."""


@lru_cache(maxsize=16)
def seed_places(size: int) -> tuple[int, ...]:
    """Return the seed (from 1) of each place of a bracket with ``size`` places, a power of two, from top to bottom."""
    seeds = [1]
    while len(seeds) < size:
        seeds = [half for seed in seeds for half in (seed, 2 * len(seeds) + 1 - seed)]
    return tuple(seeds)


@lru_cache(maxsize=16)
def cross_losers(rounds: int) -> tuple[int, ...]:
    """Return into which match of the losers' bracket the loser of each round's first match comes, for the rounds of a
    winners' bracket from the second on. Matches are counted from 0 here; the loser of match n comes into n XOR it.

    A player who lost in round j and one whom they beat in round i are in matches of the losers' bracket that differ by
    the XOR of both numbers, and meet the earlier, the fewer binary digits that has. Of two of a round's crossings the
    better one is that whose first possible rematch comes later, and then the one after which fewer are to be expected
    if every match is a toss-up.
    """
    crossing = [0]  # of the first round, whose losers meet each other
    for number in range(2, rounds + 1):

        def rematches(match: int, number: int = number) -> tuple[int, float]:
            first, expected = 2 * rounds, 0.0
            for beaten, other in enumerate(crossing, 1):
                digits = (match ^ other >> (number - beaten)).bit_length()
                met = 2 * (number + digits) - 3 if digits else 2 * number - 2  # the round of the losers' bracket
                first = min(first, met)
                expected += 0.5 ** (2 * met - max(1, 2 * beaten - 2) - (2 * number - 2))  # both win until then
            return -first, expected

        crossing.append(min(range(1 << (rounds - number)), key=rematches))
    return tuple(crossing[1:])


@dataclass(frozen=True)
class Bracket:
    """A knock-out."""

    players: Sequence[int]
    """In the order of their seeds."""
    double: bool
    """Whether it has a losers' bracket."""
    outcomes: Mapping[FixtureId, FixtureResult]
    """The results so far."""
    withdrawn: Mapping[int, int]
    """When each player who withdrew did so: the number of events before."""
    crossing: Sequence[int] = ()
    """Where losers come into the losers' bracket, as ``cross_losers`` returns it; empty: every round's in reverse, as
    in draws that were written without it."""

    @property
    def rounds(self) -> int:
        """The number of rounds (of the winners' bracket)."""
        return max(1, (len(self.players) - 1).bit_length())

    def shape(self) -> Iterator[tuple[str, int, int]]:
        """Yield stage, round and number of matches of every round, in the order in which they are played."""
        size = 1 << self.rounds
        for number in range(1, self.rounds + 1):
            yield "K", number, size >> number
            if self.double and number == 1 and self.rounds > 1:
                yield "L", 1, size // 4
            elif self.double and number > 1:
                yield "L", 2 * number - 2, size >> number
                if number < self.rounds:
                    yield "L", 2 * number - 1, size >> (number + 1)
        if self.double:
            yield "F", 1, 1
            yield "F", 2, 1

    def fixtures(self) -> list[Fixture]:
        """Return every fixture in the order in which they are played; a final that isn't needed again is left out."""
        memo: Memo = {}
        fixtures: list[Fixture] = []
        for stage, number, count in self.shape():
            if (stage, number) == ("F", 2) and self.champion() is not None and SECOND_FINAL not in self.outcomes:
                continue
            fixtures += [self.fixture(FixtureId(stage, number, n), memo) for n in range(1, count + 1)]
        return fixtures

    def fixture(self, fixture: FixtureId, memo: Memo | None = None) -> Fixture:
        """Return a fixture. Raises KeyError if there is none of this id."""
        memo = {} if memo is None else memo
        return Fixture(fixture, self.places(fixture, memo), self.outcome(fixture, memo))

    def champion(self) -> int | None:
        """Return who has won the knock-out; None while that is open."""
        if not self.double:
            return self._winner(FixtureId("K", self.rounds, 1), {}) or None
        memo: Memo = {}
        winner = self._winner(FIRST_FINAL, memo)
        if winner and (winner == self.places(FIRST_FINAL, memo)[0] or FIRST_FINAL not in self.outcomes):
            return winner  # a walkover is the last match
        return self._winner(SECOND_FINAL, memo) or None

    def places(self, fixture: FixtureId, memo: Memo | None = None) -> tuple[Place, Place]:
        """Return who plays a fixture. Raises KeyError if there is none of this id."""
        memo = {} if memo is None else memo
        if fixture not in memo:
            first, second = self._sources(fixture)
            memo[fixture] = first(memo), second(memo)
        return memo[fixture]

    def outcome(self, fixture: FixtureId, memo: Memo | None = None) -> FixtureResult | None:
        """Return a fixture's result: as played, or a walkover over those who have withdrawn."""
        if fixture in self.outcomes:
            return self.outcomes[fixture]
        places = self.places(fixture, memo)
        if not all(places):
            return None
        first, second = (player for player in places if player)
        if not {first, second} & self.withdrawn.keys():
            return None
        stayed_longer = max((first, second), key=lambda player: self.withdrawn.get(player, 1 << 60))
        return FixtureResult((stayed_longer,), absent=frozenset({first, second} & self.withdrawn.keys()))

    def _winner(self, fixture: FixtureId, memo: Memo) -> Place:
        if fixture in self.outcomes:
            return self.outcomes[fixture].winners[0]
        places = self.places(fixture, memo)
        if None in places:
            return None
        if BYE in places:
            return max(player for player in places if player is not None)
        outcome = self.outcome(fixture, memo)
        return outcome.winners[0] if outcome else None

    def _loser(self, fixture: FixtureId, memo: Memo) -> Place:
        places, winner = self.places(fixture, memo), self._winner(fixture, memo)
        if BYE in places or winner is None:
            return BYE if BYE in places else None
        return next(player for player in places if player != winner)

    @cached_property
    def _counts(self) -> dict[tuple[str, int], int]:
        """The number of matches by stage and round."""
        return {(stage, number): count for stage, number, count in self.shape()}

    def _sources(self, fixture: FixtureId) -> tuple[PlaceOf, PlaceOf]:  # noqa: PLR0911 - one return for each kind of round
        """Return what computes the two places of a fixture. Raises KeyError if there is none of this id."""
        stage, number, n, _ = fixture
        counts = self._counts
        if n > counts[stage, number]:
            raise KeyError(fixture)

        def winner(stage: str, number: int, n: int) -> PlaceOf:
            return lambda memo: self._winner(FixtureId(stage, number, n), memo)

        def loser(number: int, n: int) -> PlaceOf:
            return lambda memo: self._loser(FixtureId("K", number, n), memo)

        def seeded(number: int) -> PlaceOf:
            return lambda memo: self.players[number - 1] if number <= len(self.players) else BYE

        match stage:
            case "K" if number == 1:
                seeds = seed_places(1 << self.rounds)
                return seeded(seeds[2 * n - 2]), seeded(seeds[2 * n - 1])
            case "K":
                return winner("K", number - 1, 2 * n - 1), winner("K", number - 1, 2 * n)
            case "L" if number == 1:
                return loser(1, 2 * n - 1), loser(1, 2 * n)
            case "L" if number % 2:
                return winner("L", number - 1, 2 * n - 1), winner("L", number - 1, 2 * n)
            case "L":
                crossing = self.crossing[number // 2 - 1] if self.crossing else counts[stage, number] - 1
                return winner("L", number - 1, n), loser(number // 2 + 1, (n - 1 ^ crossing) + 1)
            case _ if number == 1:
                last = winner("L", 2 * self.rounds - 2, 1) if self.rounds > 1 else loser(1, 1)
                return winner("K", self.rounds, 1), last
            case _:
                return self._again(0), self._again(1)

    def _again(self, which: int) -> PlaceOf:
        """Return what computes a place of the second final, which is needed if the second player won the first."""

        def place(memo: Memo) -> Place:
            places = self.places(FIRST_FINAL, memo)
            return places[which] if self._winner(FIRST_FINAL, memo) == places[1] else None

        return place
