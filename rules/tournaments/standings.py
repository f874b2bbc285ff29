"""Tables of standings, and their tie-breaks by their usual names.

A win is 1 point, a draw ½. At a table of more than two, each player who was beaten is 1 point and each who drew ½; so
is each chair that is empty compared with the largest table of the round, which makes a smaller table worth as much. A
bye or a walkover counts like a win, and, for Buchholz and Sonneborn-Berger, as a match against somebody with the same
points as the player.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rules.tournaments.fixture import BYE, Fixture


@dataclass(frozen=True)
class StandingsRow:
    """One player's line of a table."""

    place: int
    """Players with the same place are tied after all tie-breaks."""
    player: int
    points: float
    """A multiple of ½."""
    played: int
    wins: int
    draws: int
    losses: int
    tie_breaks: Mapping[str, float] = field(default_factory=dict)
    """The values by name, in the order in which they count."""
    withdrawn: bool = False
    """Whether the player has left."""


@dataclass
class _Score:
    """What a player's fixtures add up to: ``results`` are opponent and points of each, BYE for one that wasn't
    played."""

    points: float = 0.0
    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    results: list[tuple[int, float]] = field(default_factory=list)


def match_points(fixture: Fixture, player: int, largest_table: int = 2) -> float:
    """Return what ``player`` has won in a fixture with an outcome, or a bye."""
    if fixture.outcome is None:
        return 1.0 if fixture.is_bye else 0.0
    if player in fixture.outcome.absent and fixture.outcome.winners != (player,):
        return 0.0
    opponents = [opponent for opponent in fixture.players if opponent and opponent != player]
    points = sum(_points_against(fixture, player, opponent) for opponent in opponents)
    return points + 0.5 * (largest_table - len(opponents) - 1)


def _points_against(fixture: Fixture, player: int, opponent: int) -> float:
    own, their = (_rank(fixture, entrant) for entrant in (player, opponent))
    return 1.0 if own > their else 0.5 if own == their and own[0] >= 0 else 0.0


def _rank(fixture: Fixture, player: int) -> tuple[int, int]:
    """Return what a player's place in a match follows from: the larger, the better. Of two, only who has won counts."""
    outcome = fixture.outcome
    assert outcome is not None
    if player in outcome.absent and outcome.winners != (player,):
        return -1, 0
    score = outcome.scores.get(player, 0) if len(fixture.players) > 2 else 0
    return int(player in outcome.winners), score


def standings(
    players: Sequence[int], fixtures: Sequence[Fixture], tie_breaks: Sequence[str], withdrawn: Iterable[int] = ()
) -> list[StandingsRow]:
    """Return the table of ``players`` after ``fixtures``, the best first; players who are tied after all of
    ``tie_breaks`` in their order."""
    scores = _add_up(players, fixtures)
    values = {
        player: {name: TIE_BREAKS[name](player, scores) for name in tie_breaks if name != HEAD_TO_HEAD}
        for player in players
    }

    def before(player: int, name: str) -> tuple[float, ...]:
        """Return what counts before the tie-break ``name``."""
        earlier = tie_breaks[: tie_breaks.index(name)]
        return (scores[player].points, *(values[player][tie_break] for tie_break in earlier))

    if HEAD_TO_HEAD in tie_breaks:
        tied: dict[tuple[float, ...], set[int]] = {}
        for player in players:
            tied.setdefault(before(player, HEAD_TO_HEAD), set()).add(player)
        for player in players:
            values[player][HEAD_TO_HEAD] = _head_to_head(player, tied[before(player, HEAD_TO_HEAD)], scores)
    keys = {player: (scores[player].points, *(values[player][name] for name in tie_breaks)) for player in players}
    gone = frozenset(withdrawn)
    table: list[StandingsRow] = []
    for n, player in enumerate(sorted(players, key=lambda player: tuple(-value for value in keys[player])), 1):
        score, above = scores[player], table[-1] if table else None
        place = above.place if above and keys[above.player] == keys[player] else n
        table.append(
            StandingsRow(
                place, player, score.points, score.played, score.wins,
                score.draws, score.losses, {name: values[player][name] for name in tie_breaks}, player in gone,
            )
        )  # fmt: skip
    return table


def _add_up(players: Sequence[int], fixtures: Sequence[Fixture]) -> dict[int, _Score]:
    scores = {player: _Score() for player in players}
    largest: dict[int, int] = {}
    for fixture in fixtures:
        largest[fixture.round] = max(largest.get(fixture.round, 2), len(fixture.players))
    for fixture in fixtures:
        if fixture.outcome is None and not fixture.is_bye:
            continue
        for player in fixture.players:
            if not player or player not in scores:
                continue
            score, points = scores[player], match_points(fixture, player, largest[fixture.round])
            score.points += points
            outcome = fixture.outcome
            if outcome is None or player in outcome.absent or (outcome.absent and len(fixture.players) == 2):
                score.results.append((BYE, points))
                score.wins += points > 0
                score.losses += points == 0
                continue
            score.played += 1
            drawn = (player in outcome.winners and len(outcome.winners) > 1) or not outcome.winners
            score.draws += drawn
            score.wins += outcome.winners == (player,)
            score.losses += not drawn and outcome.winners != (player,)
            for opponent in fixture.players:
                if opponent and opponent != player:
                    score.results.append((opponent, _points_against(fixture, player, opponent)))
    return scores


def _opponent_points(player: int, opponent: int, scores: Mapping[int, _Score]) -> float:
    return scores[opponent if opponent != BYE and opponent in scores else player].points


def _buchholz(player: int, scores: Mapping[int, _Score]) -> float:
    return sum(_opponent_points(player, opponent, scores) for opponent, _ in scores[player].results)


def _sonneborn_berger(player: int, scores: Mapping[int, _Score]) -> float:
    """The points of those who were beaten, and half the points of those who drew."""
    return sum(points * _opponent_points(player, opponent, scores) for opponent, points in scores[player].results)


def _wins(player: int, scores: Mapping[int, _Score]) -> float:
    return scores[player].wins


def _head_to_head(player: int, tied: set[int], scores: Mapping[int, _Score]) -> float:
    """The points won against those with the same points so far. It counts only if all of them have met."""
    if any(not tied - {rival} <= {opponent for opponent, _ in scores[rival].results} for rival in tied):
        return 0.0
    return sum(points for opponent, points in scores[player].results if opponent in tied)


HEAD_TO_HEAD = "head to head"
TIE_BREAKS = {"buchholz": _buchholz, "sonneborn-berger": _sonneborn_berger, "wins": _wins}
"""Computes each tie-break of a player from everybody's scores; head to head depends on who is tied."""
