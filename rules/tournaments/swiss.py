"""Pairing a round of a Swiss tournament, as a minimum-cost matching by networkx.

Costs are integers, compared in this order: how often whoever has the bye has had a point without a match; how often
those who meet have met, so that nobody meets a third time where others could meet again; the squares of the differences
in points (so nobody meets somebody two points away where two differences of one would do); and then how far a pair is
from the usual fold: within a score group the first of the upper half meets the first of the lower half.

With rounds for no more than half of the players, somebody whom they have not met is left for everybody (Dirac's
theorem). With more, such rounds could leave players who can only meet again though others have not met at all. Then the
first round decides on a round robin that begins with it, and each further round is the one of its rounds that costs
least: meetings, and byes, are as even as their number allows. Once somebody comes late or leaves, rounds are matchings
again.

py4swiss and swisspair pair the Swiss too, but have no packages for the Raspberry Pi's processor; py4swiss balances
chess's colours, which these games don't have, and takes a tournament as a chess federation's file.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rules.tournaments.fixture import BYE
from rules.tournaments.rounds import round_robin

Pair = tuple[int, int]
MAX_FULLY_PAIRED = 240
"""The most players of whom every pair is considered; of more, each player's nearest, since the time grows steeply."""
NEAREST_OPPONENTS = 24
"""How many opponents of each player are considered first where there are more players."""


@dataclass(frozen=True)
class SwissField:
    """Who is to be paired, and what counts for it."""

    order: Sequence[int]
    """The players, the best first."""
    points: Mapping[int, float]
    """Their points."""
    meetings: Mapping[frozenset[int], int]
    """How often two players have met; two who haven't may be left out."""
    rests: Mapping[int, int]
    """How often a player has had a point without a match, a bye or a walkover; who hasn't may be left out."""

    def pair_cost(self, first: int, second: int) -> int:
        """Return what it costs that these two meet; ``first`` is before ``second``, who may be BYE."""
        n = self._rank[first]
        if second == BYE:
            difference, fold = self.difference(first, self.order[-1]), len(self.order) - 1 - n
            return self._rest_cost * self.rests.get(first, 0) + self._points_cost * difference**2 + fold
        again = self.meetings.get(frozenset((first, second)), 0) - self._fewest_meetings
        meeting_cost = self._meeting_cost * (self._more_than_all_pairs(again) - 1)
        return meeting_cost + self._points_cost * self.difference(first, second) ** 2 + self.fold(first, second) ** 2

    def difference(self, first: int, second: int) -> int:
        """Return a difference in points, in halves."""
        return round(2 * (self.points[first] - self.points[second]))

    def fold(self, first: int, second: int) -> int:
        """Return how far ``second`` is from whom ``first`` would usually meet."""
        usual = 1 if self.difference(first, second) else self._sizes[self.points[first]] // 2
        return abs(self._rank[second] - self._rank[first] - usual)

    @cached_property
    def _rank(self) -> dict[int, int]:
        return {player: n for n, player in enumerate(self.order)}

    @cached_property
    def _sizes(self) -> Counter[float]:
        return Counter(self.points[player] for player in self.order)

    @cached_property
    def _fewest_meetings(self) -> int:
        """The number of meetings of every two players at least."""
        counts = [count for pair, count in self.meetings.items() if pair <= self._rank.keys()]
        players = len(self.order)
        return min(counts) if len(counts) == players * (players - 1) // 2 else 0

    # each more than everything that counts less can add up to in a round

    @cached_property
    def _points_cost(self) -> int:
        return len(self.order) ** 3

    @cached_property
    def _meeting_cost(self) -> int:
        values = [self.points[player] for player in self.order]
        return self._points_cost * len(self.order) * (round(2 * (max(values) - min(values))) ** 2 + 1)

    @cached_property
    def _rest_cost(self) -> int:
        return self._meeting_cost * self._more_than_all_pairs(1 + max(self.meetings.values(), default=0))

    def _more_than_all_pairs(self, count: int) -> int:
        """Return a weight of ``count`` meetings that all pairs of a round with one fewer don't add up to."""
        return int(len(self.order) ** count)


def pair_swiss(field: SwissField, rounds: int = 0, earlier: Sequence[Sequence[Pair]] = ()) -> list[Pair]:
    """Return the pairs of a round, the best first; with an odd number of players the last is a player with BYE.

    Args:
        field: Who is to be paired.
        rounds: The rounds of the tournament.
        earlier: The pairs of the rounds before this one.
    """
    rank = {player: n for n, player in enumerate([*field.order, BYE])}
    plan = _round_robin_rounds(field.order, rounds, earlier)
    rounds_to_choose = plan or [_match(field)]

    def in_order(pairs: Sequence[Pair]) -> list[Pair]:
        turned = [(first, second) if rank[first] < rank[second] else (second, first) for first, second in pairs]
        return sorted(turned, key=lambda pair: (pair[1] == BYE, rank[pair[0]]))

    return min(map(in_order, rounds_to_choose), key=lambda pairs: sum(field.pair_cost(*pair) for pair in pairs))


def _round_robin_rounds(order: Sequence[int], rounds: int, earlier: Sequence[Sequence[Pair]]) -> list[list[Pair]]:
    """Return the rounds of the round robin that a long tournament's first round began, with byes; none if the
    tournament is not long, or if its players or rounds were others."""
    if not earlier or 2 * rounds <= len(order) + len(order) % 2:
        return []
    first_round = sorted(earlier[0], key=lambda pair: BYE not in pair)  # who has the bye begins the circle
    circle = [first for first, _ in first_round] + [second for _, second in reversed(first_round) if second != BYE]
    if {*circle} != {*order}:
        return []
    schedule = [
        [*pairs, *((player, BYE) for player in circle if all(player not in pair for pair in pairs))]
        for pairs in round_robin(circle)
    ]
    known = {frozenset(map(frozenset, pairs)) for pairs in schedule}
    return schedule if all(frozenset(map(frozenset, pairs)) in known for pairs in earlier) else []


def _match(field: SwissField) -> list[Pair]:
    """Return the pairs of a round that cost least."""
    import networkx  # noqa: PLC0415 - takes 0.2 s, and only a Swiss needs it

    players = len(field.order)
    for reach in (None,) if players <= MAX_FULLY_PAIRED else (NEAREST_OPPONENTS, 8 * NEAREST_OPPONENTS, None):
        graph = networkx.Graph()
        graph.add_weighted_edges_from(_edges(field, reach))
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(matching) >= players:
            break
    return list(matching)


def _edges(field: SwissField, reach: int | None) -> list[tuple[int, int, int]]:
    """Return possible pairs with the negative of their cost: all, or, with ``reach``, of each player those with so many
    others whom they have not met: around the fold of their score group, and the nearest below it."""
    order, edges = field.order, list[tuple[int, int, int]]()
    for n, player in enumerate(order):
        below = 0
        for opponent in order[n + 1 :]:
            difference = field.difference(player, opponent)
            if reach is not None and (
                frozenset((player, opponent)) in field.meetings
                or (not difference and field.fold(player, opponent) > reach)
            ):
                continue
            edges.append((player, opponent, -field.pair_cost(player, opponent)))
            below += difference > 0
            if below == reach:
                break
        if len(order) % 2:
            edges.append((player, BYE, -field.pair_cost(player, BYE)))
    return edges
