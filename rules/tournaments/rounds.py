"""Who meets whom in formats with rounds: round robins, groups, tables of more than two, and the Swiss.

A round of a Swiss is a minimum-cost matching by networkx. Costs are integers, compared in this order: a second bye for
anybody, pairs who have met before, the squares of the differences in points (so nobody meets somebody two points away
where two differences of one would do), and then how far a pair is from the usual fold: within a score group the first
of the upper half meets the first of the lower half.

py4swiss and swisspair pair the Swiss too, but have no packages for the Raspberry Pi's processor; py4swiss balances
chess's colours, which these games don't have, and takes a tournament as a chess federation's file.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise

from rules.tournaments.fixture import BYE


def round_robin(players: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Return the pairs of each round in which everybody meets everybody once: the circle method. With an odd number of
    players, one has no match in each round."""
    circle = [*players, *[BYE] * (len(players) % 2)]
    rounds = []
    for _ in range(len(circle) - 1):
        pairs = [(circle[n], circle[-1 - n]) for n in range(len(circle) // 2)]
        rounds.append([pair for pair in pairs if BYE not in pair])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def snake_groups(players: Sequence[int], count: int) -> list[list[int]]:
    """Return ``count`` groups of players in the order of their seeds, dealt forwards and backwards in turn, so that
    all are about equally strong."""
    groups: list[list[int]] = [[] for _ in range(count)]
    for n, player in enumerate(players):
        row, column = divmod(n, count)
        groups[column if row % 2 == 0 else count - 1 - column].append(player)
    return groups


def cross_seeds(qualified: Sequence[Sequence[int]]) -> list[int]:
    """Return the seeds of the knock-out after groups, given each group's qualified players, the best first: the winner
    of a group meets the second of its neighbour, so that two of one group meet only in the final."""
    count, seeds = len(qualified), list[int]()
    neighbours = [n ^ 1 for n in range(count)]
    if count % 2:
        neighbours[-3:] = [count - 2, count - 1, count - 3] if count > 1 else [0]
    for rank in range(max(map(len, qualified))):
        order = range(count) if rank % 2 == 0 else [neighbours[n] for n in reversed(range(count))]
        seeds += [qualified[n][rank] for n in order if rank < len(qualified[n])]
    return seeds


def table_sizes(players: int, size: int, min_size: int) -> list[int]:
    """Return the sizes of as few tables of up to ``size`` players as possible, the same or one apart; larger ones where
    a table would have fewer than ``min_size``."""
    count = -(-players // size)
    while count > 1 and players // count < min_size:
        count -= 1
    return [players // count + (n < players % count) for n in range(count)]


def seat_tables(
    order: Sequence[int], points: Callable[[int], float], meetings: Mapping[frozenset[int], int], sizes: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return the players of each table: those who stand next to each other in ``order`` sit together, and swap seats
    with the next table as long as that lets fewer meet again, and then the points at a table differ less."""
    tables, start = list[list[int]](), 0
    for size in sizes:
        tables.append(list(order[start : start + size]))
        start += size

    def cost(table: Sequence[int]) -> tuple[int, float]:
        again = sum(meetings.get(frozenset(pair), 0) for pair in combinations(table, 2))
        middle = sum(map(points, table)) / len(table)
        return again, sum((points(player) - middle) ** 2 for player in table)

    def total(*costs: tuple[int, float]) -> tuple[int, float]:
        return sum(again for again, _ in costs), round(sum(spread for _, spread in costs), 6)

    improved = True
    while improved:
        improved = False
        for first, second in pairwise(tables):
            now = total(cost(first), cost(second))
            for a in range(len(first)):
                for b in range(len(second)):
                    first[a], second[b] = second[b], first[a]
                    after = total(cost(first), cost(second))
                    if after < now:
                        now, improved = after, True
                    else:
                        first[a], second[b] = second[b], first[a]
    return [tuple(table) for table in tables]


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
