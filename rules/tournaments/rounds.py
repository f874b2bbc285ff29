"""Who meets whom in formats with rounds: round robins, groups, and tables of more than two."""

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
