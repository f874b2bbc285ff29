"""Pairing a round of a Swiss tournament, as a minimum-cost matching by networkx.

Costs are integers, compared in this order: a second bye for anybody, pairs who have met before, the squares of the
differences in points (so nobody meets somebody two points away where two differences of one would do), and then how far
a pair is from the usual fold: within a score group the first of the upper half meets the first of the lower half.

py4swiss and swisspair pair the Swiss too, but have no packages for the Raspberry Pi's processor; py4swiss balances
chess's colours, which these games don't have, and takes a tournament as a chess federation's file.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from rules.tournaments.fixture import BYE

SECOND_BYE_COST, REMATCH_COST, POINTS_COST = 10**18, 10**14, 10**8
MAX_FULLY_PAIRED = 240
"""The most players of whom every pair is considered; of more, each player's nearest, since the time grows steeply."""
NEAREST_OPPONENTS = 24
"""How many opponents of each player are considered first where there are more players."""


def pair_swiss(
    order: Sequence[int], points: Mapping[int, float], met: Mapping[int, set[int]], had_bye: frozenset[int]
) -> list[tuple[int, int]]:
    """Return the pairs of a round, the best first; with an odd number of players the last is a player with BYE.

    Args:
        order: The players, the best first.
        points: Their points.
        met: Whom each has met.
        had_bye: Who has had a bye.
    """
    import networkx  # noqa: PLC0415 - takes 0.2 s, and only a Swiss needs it

    for reach in (None,) if len(order) <= MAX_FULLY_PAIRED else (NEAREST_OPPONENTS, 8 * NEAREST_OPPONENTS, None):
        edges = _edges(order, points, met, had_bye, reach)
        graph = networkx.Graph()
        graph.add_weighted_edges_from(edges)
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(matching) >= len(order):
            break
    rank = {player: n for n, player in enumerate(order)} | {BYE: len(order)}
    pairs = [(first, second) if rank[first] < rank[second] else (second, first) for first, second in matching]
    return sorted(pairs, key=lambda pair: (pair[1] == BYE, rank[pair[0]]))


def _edges(
    order: Sequence[int],
    points: Mapping[int, float],
    met: Mapping[int, set[int]],
    had_bye: frozenset[int],
    reach: int | None,
) -> list[tuple[int, int, int]]:
    """Return possible pairs with the negative of their cost: all, or, with ``reach``, of each player those with so many
    others whom they have not met: around the fold of their score group, and the nearest below it."""
    size = Counter(points[player] for player in order)
    edges = []
    for n, player in enumerate(order):
        below = 0
        for m in range(n + 1, len(order)):
            opponent = order[m]
            again = opponent in met[player]
            difference = round(2 * (points[player] - points[opponent]))
            fold = abs(m - n - (1 if difference else size[points[player]] // 2))
            if reach is not None and (again or (not difference and fold > reach)):
                continue
            edges.append((player, opponent, -(REMATCH_COST * again + POINTS_COST * difference**2 + fold**2)))
            below += difference > 0
            if below == reach:
                break
        if len(order) % 2:
            above = round(2 * (points[player] - points[order[-1]]))
            cost = SECOND_BYE_COST * (player in had_bye) + POINTS_COST * above**2 + len(order) - 1 - n
            edges.append((player, BYE, -cost))
    return edges
