"""Who meets whom in formats with rounds: round robins, groups, and tables of more than two."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, groupby, pairwise

from rules.tournaments.fixture import BYE
from rules.tournaments.knockout import seed_places

MAX_BEGINNINGS = 8
"""From how many orders the seeds after groups are computed, if more than two of a group qualify; the best counts."""
MAX_TRIED_AGAIN = 128
"""The most players for whom that is done, since each takes a second or two with 1,024."""
CLOSENESS = 64
"""How much worse a round earlier is in which players of one group can meet: more than all of a group's pairs, 28."""


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
    """Return the seeds of the knock-out after groups, given each group's qualified players, the best first: all
    winners, then all seconds, and so on, so that winners have the byes. Players of one group are as far apart in the
    bracket as those seeds allow, the winner and the second of a group before all others: they are in different halves.

    Players of the same rank swap seeds as long as that moves players of their groups apart. From two of a group this
    always gets as far as can be: if one winner and second are in the same half, so are others in the other one, and
    both seconds swap. With more of a group several beginnings are tried.
    """
    sizes = [len(best) for best in qualified]
    beginnings = MAX_BEGINNINGS if max(sizes, default=0) > 2 and sum(sizes) <= MAX_TRIED_AGAIN else 1
    fields = [_swap_seeds(qualified, shift) for shift in range(max(1, min(beginnings, len(qualified))))]
    return min(fields, key=lambda field: field[0])[1]


def _swap_seeds(qualified: Sequence[Sequence[int]], shift: int) -> tuple[int, list[int]]:
    """Return how close players of one group are in the bracket, and the seeds; ``shift`` is the beginning."""
    ranks = {player: rank for best in qualified for rank, player in enumerate(best)}
    groups = {player: group for group, best in enumerate(qualified) for player in best}

    def seed_order(player: int) -> tuple[int, int]:
        """Return what the seeds begin with: of every second rank, the groups in reverse, neighbours swapped."""
        group = (groups[player] + shift * (ranks[player] + 1)) % len(qualified)
        return ranks[player], -(group ^ 1) if ranks[player] % 2 else group

    seeds = sorted(ranks, key=seed_order)
    mates = {player: [mate for mate in best if mate != player] for best in qualified for player in best}
    rounds = (len(seeds) - 1).bit_length()
    place_of_seed = {seed: place for place, seed in enumerate(seed_places(1 << rounds))}
    place = {player: place_of_seed[seed] for seed, player in enumerate(seeds, 1)}

    def closeness(player: int, at: int) -> int:
        """Return how close a place is to those of the player's group: the sooner they could meet, the more it is."""
        total = 0
        for mate in mates[player]:
            sooner = rounds - (at ^ place[mate]).bit_length()
            if sooner:
                total += CLOSENESS ** (sooner + rounds * (ranks[player] + ranks[mate] == 1))
        return total

    swapped = True
    while swapped:
        swapped = False
        for _, same_rank in groupby(reversed(range(len(seeds))), key=lambda n: ranks[seeds[n]]):
            for n, m in combinations(same_rank, 2):
                left, right = seeds[n], seeds[m]
                here, there = place[left], place[right]
                before = closeness(left, here) + closeness(right, there)
                if closeness(left, there) + closeness(right, here) < before:
                    seeds[n], seeds[m], place[left], place[right] = right, left, there, here
                    swapped = True
    return sum(closeness(player, place[player]) for player in seeds), seeds


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
