"""A tournament as it stands: computed from its set-up and what has happened so far, and from nothing else.

The pairings of a round, and the draw of a bracket or of groups, are computed from the results at that moment and are
final as soon as its first match begins: a correction or a withdrawal before that changes them, a later one only the
standings.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, groupby
from types import MappingProxyType

from messages import N
from rules.tournaments.fixture import (
    BYE,
    MAX_PLAYERS,
    Draw,
    Fixture,
    FixtureId,
    FixtureResult,
    Format,
    TournamentError,
    TournamentSetup,
    default_rounds,
)
from rules.tournaments.knockout import Bracket, cross_losers
from rules.tournaments.rounds import cross_seeds, round_robin, seat_tables, snake_groups, table_sizes
from rules.tournaments.standings import HEAD_TO_HEAD, StandingsRow, standings
from rules.tournaments.swiss import SwissField, pair_swiss

GROUP_TIE_BREAKS = (HEAD_TO_HEAD, "sonneborn-berger", "wins")
SWISS_TIE_BREAKS = ("buchholz", "sonneborn-berger", HEAD_TO_HEAD, "wins")
TABLE_TIE_BREAKS = ("wins", "buchholz")
NO_SCORES: Mapping[int, int] = MappingProxyType({})


class Tournament:
    """A tournament after what has happened so far. What can't happen now raises TournamentError, and changes
    nothing."""

    def __init__(self, setup: TournamentSetup) -> None:
        self.setup = setup
        self.players = 0
        """The number of players who entered."""
        self.withdrawn: dict[int, int] = {}
        """Who has withdrawn, each with the number of events before."""
        self._outcomes: dict[FixtureId, FixtureResult] = {}
        self._absent: dict[FixtureId, frozenset[int]] = {}
        self._started: set[FixtureId] = set()
        self._draws: dict[str, Draw] = {}
        self._crossing: tuple[int, ...] | None = None  # of the losers' bracket, once it is drawn
        self._event_count = 0
        self._next_draws: dict[str, Draw] = {}  # not final yet: these two follow from the rest
        self._fixtures: tuple[Fixture, ...] | None = None

    # what can happen

    def enter(self) -> None:
        """Enter the next player: 1, 2, 3, …"""
        if self.players >= MAX_PLAYERS:
            raise TournamentError(N("a tournament is for at most {count} players", count=MAX_PLAYERS))
        if not self.can_enter:
            raise TournamentError(N("the draw is made: nobody can enter any more"))
        self.players += 1
        self._count_event()

    def withdraw(self, player: int) -> None:
        """Take a player out: opponents of matches that are still to be played win by walkover."""
        if player not in self.remaining:
            raise TournamentError(N("player {number} is not in the tournament", number=player))
        if len(self.remaining) == 1 or self.is_over or player in self._knocked_out():
            raise TournamentError(N("player {number} has no match left to play", number=player))
        self.withdrawn[player] = self._event_count
        self._count_event()

    def keep_draw(self, key: str, draw: Draw, crossing: tuple[int, ...] = ()) -> None:
        """Pair a round, seat its tables, or draw groups or a bracket: ``key`` is the stage's letter, for a Swiss or
        tables with the round's number; ``crossing`` is that of its ``Bracket``. It counts whatever a later version
        would draw."""
        stage = {Format.SWISS: "S", Format.TABLES: "T", Format.ROUND_ROBIN: "G", Format.GROUPS: "G"}
        expected = stage.get(self.setup.format, "K")
        if expected in ("S", "T"):
            expected += str(len(self._draws) + 1)
        elif self.setup.format is Format.GROUPS and self._draws:
            expected = "K"
        players = [player for group in draw for player in group if player]
        if (
            key != expected
            or key in self._draws
            or len(set(players)) < len(players)
            or not set(players) <= {*self.remaining}
            or not self._fits(crossing, len(players))
        ):
            raise TournamentError(N("draw {name} can’t be made now", name=key))
        self._draws[key], self._crossing = draw, crossing
        self._count_event()

    def start(self, fixture: FixtureId) -> None:
        """Begin a fixture's match. The draw of its round, or stage, is final from then on."""
        self._fix_draw(self._open_fixture(fixture))
        self._started.add(fixture)
        self._count_event()

    def end(self, fixture: FixtureId, winners: Iterable[int], scores: Mapping[int, int] = NO_SCORES) -> None:
        """End a fixture's match. ``winners`` are the players who won (none, or several: drawn), ``scores`` their
        scores in the match by player. A knock-out match that is drawn is played again."""
        result = FixtureResult(tuple(winners), dict(scores))
        ended = self._open_fixture(fixture)
        self._check_players(ended, (*result.winners, *result.scores))
        self._fix_draw(ended)
        if not fixture.is_knockout or len(result.winners) == 1:
            self._outcomes[fixture] = replace(result, absent=ended.absent)
        self._started.discard(fixture)
        self._count_event()

    def note_absent(self, fixture: FixtureId, player: int) -> None:
        """Note that a player did not come to a fixture's match: the opponent wins by walkover; at a table they are
        last."""
        missed = self._open_fixture(fixture)
        self._check_players(missed, [player])
        self._fix_draw(missed)
        if fixture.stage == "T":
            self._absent[fixture] = self._absent.get(fixture, frozenset()) | {player}
        else:
            opponents = tuple(opponent for opponent in missed.players if opponent and opponent != player)
            self._outcomes[fixture] = FixtureResult(opponents, absent=frozenset([player]))
        self._count_event()

    def correct(self, fixture: FixtureId, winners: Iterable[int], scores: Mapping[int, int] = NO_SCORES) -> None:
        """Correct the result of a fixture. A knock-out match that was drawn is played again."""
        result = FixtureResult(tuple(winners), dict(scores))
        corrected = self.fixture(fixture)
        if fixture not in self._outcomes:
            raise TournamentError(N("match {name} has no result to correct", name=fixture))
        self._check_players(corrected, (*result.winners, *result.scores))
        if fixture.is_knockout and result.winners != self._outcomes[fixture].winners and self._decides_more(corrected):
            raise TournamentError(N("the next match after {name} has begun: its result stays", name=fixture))
        if fixture.is_knockout and len(result.winners) != 1:
            del self._outcomes[fixture]  # drawn: it is played again
        else:
            self._outcomes[fixture] = result
        self._count_event()

    def _count_event(self) -> None:
        self._event_count += 1
        self._next_draws, self._fixtures = {}, None

    def _knocked_out(self) -> set[int]:
        """Return who can't play any more in a bracket."""
        bracket = self._bracket()
        if bracket is None:
            return set()
        allowed = 2 if bracket.double else 1
        losses = Counter(
            player
            for fixture in self.fixtures
            if fixture.id.is_knockout and fixture.outcome
            for player in fixture.players
            if player and player not in fixture.outcome.winners
        )
        return {player for player, count in losses.items() if count >= allowed}

    def _open_fixture(self, fixture: FixtureId) -> Fixture:
        opened = self.fixture(fixture)
        if opened.outcome is not None:
            raise TournamentError(N("match {name} has a result already", name=fixture))
        if not opened.is_ready:
            raise TournamentError(N("match {name} can’t be played yet", name=fixture))
        return opened

    def _check_players(self, fixture: Fixture, players: Iterable[int]) -> None:
        for player in players:
            if player not in fixture.players:
                raise TournamentError(N("player {number} does not play match {name}", number=player, name=fixture.id))

    def _decides_more(self, fixture: Fixture) -> bool:
        """Return whether a match that follows from this one has begun or been played."""
        order = [listed.id for listed in self.fixtures]
        later = set(order[order.index(fixture.id) + 1 :]) & (self._outcomes.keys() | self._started)
        return any(
            player in self.fixture(name).players for name in later if name.is_knockout for player in fixture.players
        )

    def _fix_draw(self, fixture: Fixture) -> None:
        """Make the draw of a fixture's round or stage final."""
        draw = self.open_draw(fixture.id)
        if draw is not None:
            self._draws[fixture.id.draw], self._crossing = draw, self.crossing

    def _fits(self, crossing: tuple[int, ...], players: int) -> bool:
        """Whether a bracket of so many players can have this crossing."""
        rounds = (players - 1).bit_length() if self.setup.format is Format.DOUBLE_KNOCKOUT else 0
        counts = [1 << n for n in reversed(range(rounds - 1))]
        return not crossing or (
            len(crossing) == len(counts) and all(match < count for match, count in zip(crossing, counts, strict=True))
        )

    # what follows from it

    def open_draw(self, fixture: FixtureId) -> Draw | None:
        """Return the draw that the first match of a round or stage makes final; None if it is final already."""
        return None if fixture.draw in self._draws else self._draw(fixture.draw)

    @property
    def crossing(self) -> tuple[int, ...]:
        """The crossing of the losers' bracket, as it was drawn or would be now; empty in formats without one, and in
        draws that were written without it."""
        if self._crossing is not None or self.setup.format is not Format.DOUBLE_KNOCKOUT:
            return self._crossing or ()
        return cross_losers((len(self.remaining) - 1).bit_length())

    @property
    def remaining(self) -> tuple[int, ...]:
        """The players who have not withdrawn, in the order of their seeds."""
        return tuple(player for player in range(1, self.players + 1) if player not in self.withdrawn)

    @property
    def can_enter(self) -> bool:
        """Whether another player can enter: until the draw and, in a Swiss and at tables, late as well."""
        late = self.setup.format in (Format.SWISS, Format.TABLES)
        return self.players < MAX_PLAYERS and (late or not self.has_begun)

    @property
    def has_begun(self) -> bool:
        """Whether a match has begun."""
        return bool(self._draws)

    @property
    def rounds(self) -> int:
        """The number of rounds of a Swiss or of tables; of a bracket or groups, those of its longest stage."""
        if self.setup.format in (Format.SWISS, Format.TABLES):
            return self.setup.rounds or default_rounds(self.players)
        return max((fixture.round for fixture in self.fixtures), default=0)

    @property
    def fixtures(self) -> tuple[Fixture, ...]:
        """Every fixture that is known, in the order in which they are played."""
        if self._fixtures is None:
            self._fixtures = tuple(
                replace(fixture, started=True) if fixture.id in self._started else fixture
                for fixture in self._compute_fixtures()
            )
        return self._fixtures

    @property
    def ready(self) -> tuple[Fixture, ...]:
        """The fixtures that can be played now, in order: first those that have begun."""
        ready = [fixture for fixture in self.fixtures if fixture.is_ready]
        return tuple(sorted(ready, key=lambda fixture: not fixture.started))

    def fixture(self, fixture: FixtureId) -> Fixture:
        """Return a fixture. Raises TournamentError if there is none of this id."""
        known = self._find_alone(fixture) if self._fixtures is None else None
        if known is not None:
            return replace(known, started=fixture in self._started)
        for listed in self.fixtures:
            if listed.id == fixture:
                return listed
        raise TournamentError(N("the tournament has no match {name}", name=fixture))

    def _find_alone(self, fixture: FixtureId) -> Fixture | None:
        """Return a fixture without computing all the others; None if it is to be looked for among those."""
        if fixture.is_knockout:
            bracket = self._bracket()
            with suppress(KeyError):
                return bracket.fixture(fixture) if bracket else None
            return None
        pairs: Sequence[Sequence[int]] = self._draws.get(fixture.draw, ())
        if fixture.stage == "G":
            groups = pairs[fixture.group - 1 : fixture.group] if fixture.group else ()
            rounds = [pairs for players in groups for pairs in _paired_rounds(tuple(players))]
            pairs = rounds[fixture.round - 1] if fixture.round <= len(rounds) else ()
        if fixture.number > len(pairs):
            return None
        return self._with_outcome(Fixture(fixture, tuple(pairs[fixture.number - 1])))

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be played."""
        return self.players > 1 and not self.ready

    @property
    def champions(self) -> tuple[int, ...]:
        """Who has won; several if they are tied after all tie-breaks. Nobody while it goes on."""
        if not self.is_over:
            return ()
        bracket = self._bracket()
        if bracket is not None and self.setup.format is not Format.ROUND_ROBIN:
            champion = bracket.champion()
            return (champion,) if champion else ()
        left = [line for line in self.standings() if not line.withdrawn] or self.standings()
        return tuple(line.player for line in left if line.place == left[0].place)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The players of each group; none in formats without groups."""
        return self._draw("G") if self.setup.format in (Format.GROUPS, Format.ROUND_ROBIN) else ()

    def standings(self, group: int = 0) -> list[StandingsRow]:
        """Return the table, of a ``group`` (from 1) or of all: in a knock-out those who got furthest come first."""
        match self.setup.format:
            case Format.SWISS | Format.TABLES:
                players = range(1, self.players + 1)
                breaks = SWISS_TIE_BREAKS if self.setup.format is Format.SWISS else TABLE_TIE_BREAKS
                begun = [fixture for fixture in self.fixtures if fixture.id.draw in self._draws]
                return standings(players, begun, breaks, self.withdrawn)
            case Format.ROUND_ROBIN:
                return self._group_standings(1)
            case Format.GROUPS if group:
                return self._group_standings(group)
        return self._bracket_standings()

    def _draw(self, key: str) -> Draw:
        """Return who meets whom in a round (S, T), in groups (G) or in a bracket (K): as it was drawn, or as it would
        be now. A round must be among the fixtures so far."""
        if key not in self._draws and key not in self._next_draws:
            self._next_draws[key] = self._draw_now(key)
        return self._draws.get(key) or self._next_draws[key]

    def _draw_now(self, key: str) -> Draw:
        match key[0]:
            case "G" if self.setup.format is Format.GROUPS:
                count = -(-len(self.remaining) // max(2, self.setup.group_size))
                return tuple(map(tuple, snake_groups(self.remaining, count)))
            case "K" if self.setup.format is Format.GROUPS:
                return (tuple(self._qualified()),)
        return (self.remaining,)

    def _compute_fixtures(self) -> list[Fixture]:
        if len(self.remaining) < 2 and not self.has_begun:
            return []
        if self.setup.format in (Format.SWISS, Format.TABLES):
            return self._round_fixtures("S" if self.setup.format is Format.SWISS else "T")
        if self.setup.format is Format.ROUND_ROBIN:
            return self._group_fixtures()
        fixtures = self._group_fixtures() if self.setup.format is Format.GROUPS else []
        if all(fixture.outcome for fixture in fixtures):
            bracket = self._bracket()
            assert bracket is not None
            fixtures += bracket.fixtures()
        return fixtures

    def _bracket(self) -> Bracket | None:
        """Return the bracket; None in formats without one, or before it is drawn."""
        if self.setup.format in (Format.SWISS, Format.TABLES, Format.ROUND_ROBIN):
            return None
        if self.setup.format is Format.GROUPS and not all(fixture.outcome for fixture in self._group_fixtures()):
            return None
        (players,) = self._draw("K")
        double = self.setup.format is Format.DOUBLE_KNOCKOUT
        return Bracket(players, double, self._outcomes, self.withdrawn, self.crossing)

    def _group_fixtures(self) -> list[Fixture]:
        """Return the matches of all groups, round by round."""
        fixtures = [
            self._with_outcome(Fixture(FixtureId("G", number, n, group), pair))
            for group, players in enumerate(self._draw("G"), 1)
            for number, pairs in enumerate(_paired_rounds(players), 1)
            for n, pair in enumerate(pairs, 1)
        ]
        return sorted(fixtures, key=lambda fixture: fixture.round)

    def _with_outcome(self, fixture: Fixture) -> Fixture:
        """Return a fixture with its result: as played, or a walkover over those who have withdrawn."""
        if fixture.id in self._outcomes:
            return replace(fixture, outcome=self._outcomes[fixture.id])
        players = [player for player in fixture.players if player]
        absent = frozenset(players) & (self.withdrawn.keys() | self._absent.get(fixture.id, frozenset()))
        left = tuple(player for player in players if player not in absent)
        if not absent or len(players) < 2:
            return fixture
        if len(left) >= max(2, self.setup.min_table_size) and fixture.stage == "T":
            return replace(fixture, absent=absent)
        return replace(fixture, outcome=FixtureResult(left, absent=absent), absent=absent)

    def _group_standings(self, group: int) -> list[StandingsRow]:
        """Return a group's table. Results of players who withdrew before half of their matches don't count."""
        players = self._draw("G")[group - 1]
        fixtures = [fixture for fixture in self._group_fixtures() if fixture.group == group]
        void = {
            player
            for player in players
            if player in self.withdrawn
            and 2 * sum(player in played.players and played.id in self._outcomes for played in fixtures)
            < len(players) - 1
        }
        counted = [fixture for fixture in fixtures if fixture.outcome and void.isdisjoint(fixture.players)]
        return standings(players, counted, GROUP_TIE_BREAKS, self.withdrawn)

    def _qualified(self) -> list[int]:
        """Return who advances to the knock-out, in the order of its seeds."""
        groups = []
        for group in range(1, len(self._draw("G")) + 1):
            lines = [line.player for line in self._group_standings(group) if not line.withdrawn]
            groups.append(lines[: self.setup.qualifiers])
        return cross_seeds([group for group in groups if group])

    def _round_fixtures(self, stage: str) -> list[Fixture]:
        """Return the rounds of a Swiss, or of tables, up to the one that is played now."""
        fixtures: list[Fixture] = []
        for number in range(1, self.rounds + 1):
            key = f"{stage}{number}"
            too_few = len(self.remaining) < (2 if stage == "S" else self.setup.min_table_size)
            if key not in self._draws and (too_few or not all(played.outcome or played.is_bye for played in fixtures)):
                break
            if key not in self._draws and key not in self._next_draws:
                self._next_draws[key] = self._pair_round(fixtures) if stage == "S" else self._seat_round(fixtures)
            fixtures += [
                self._with_outcome(Fixture(FixtureId(stage, number, n), players))
                for n, players in enumerate(self._draw(key), 1)
            ]
        return fixtures

    def _pair_round(self, before: list[Fixture]) -> Draw:
        table = standings(range(1, self.players + 1), before, SWISS_TIE_BREAKS, self.withdrawn)
        points = {line.player: line.points for line in table}
        pairs = [(fixture, (fixture.players[0] or BYE, fixture.players[1] or BYE)) for fixture in before]
        meetings = Counter(frozenset(pair) for _, pair in pairs if BYE not in pair)
        rests = Counter(max(pair) for _, pair in pairs if BYE in pair)
        outcomes = [fixture.outcome for fixture in before if fixture.outcome]
        rests.update(winner for outcome in outcomes if outcome.absent for winner in outcome.winners)
        order = sorted(self.remaining, key=lambda player: (-points[player], player))
        earlier = [[pair for _, pair in of_round] for _, of_round in groupby(pairs, key=lambda pair: pair[0].round)]
        return tuple(pair_swiss(SwissField(order, points, meetings, rests), self.rounds, earlier))

    def _seat_round(self, before: list[Fixture]) -> Draw:
        table = standings(range(1, self.players + 1), before, TABLE_TIE_BREAKS, self.withdrawn)
        points = {line.player: line.points for line in table}
        meetings = Counter(
            frozenset(pair) for fixture in before for pair in combinations([p for p in fixture.players if p], 2)
        )
        order = sorted(self.remaining, key=lambda player: (-points[player], player))
        sizes = table_sizes(len(order), self.setup.table_size, self.setup.min_table_size)
        return tuple(seat_tables(order, points.__getitem__, meetings, sizes))

    def _bracket_standings(self) -> list[StandingsRow]:
        """Return everybody by how far they got: the round of their last defeat, then their wins."""
        played = [fixture for fixture in self.fixtures if not fixture.is_bye]
        lines = standings(range(1, self.players + 1), played, (), self.withdrawn)
        reached = dict.fromkeys((line.player for line in lines), -1)
        for fixture in self.fixtures:
            for player in fixture.players:
                if not player or fixture.is_bye or fixture.stage == "G":
                    continue
                if fixture.outcome is None and player not in self.withdrawn:
                    reached[player] = STILL_IN
                elif fixture.outcome is None or player not in fixture.outcome.winners:
                    reached[player] = max(reached[player], _progress(fixture))
        for champion in self.champions:
            reached[champion] = STILL_IN + 1
        lines.sort(key=lambda line: -reached[line.player])
        places: dict[int, int] = {}
        for n, line in enumerate(lines, 1):
            places.setdefault(reached[line.player], n)
        return [replace(line, place=places[reached[line.player]]) for line in lines]


STILL_IN = 10_000
"""How far players have got who are not knocked out."""


def _progress(fixture: Fixture) -> int:
    """Return how far a player got who lost here for good: the larger, the further."""
    return {"K": 0, "L": 100, "F": 500}[fixture.stage] + fixture.round


@lru_cache(maxsize=64)
def _paired_rounds(players: tuple[int, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(map(tuple, round_robin(players)))
