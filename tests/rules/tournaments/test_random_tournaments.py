"""Random tournaments of every format and size, played to their end and then counted again by a program that knows the
rules from docs/tournaments.md and nothing of how they are drawn."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations, groupby
from random import Random

import pytest

from rules.tournaments.fixture import Fixture, Format, TournamentError, TournamentSetup
from rules.tournaments.tournament import Tournament

COUNT, BLOCKS = 1000, 10
MOST_PLAYERS = {
    Format.KNOCKOUT: 70, Format.DOUBLE_KNOCKOUT: 70, Format.ROUND_ROBIN: 17, Format.GROUPS: 40, Format.SWISS: 24,
    Format.TABLES: 40,
}  # fmt: skip
FEWEST_PLAYERS = {Format.GROUPS: 4, Format.TABLES: 3}


class Trial:
    """A tournament that was played, and how. Of whom nobody left, came late or stayed away is ``is_calm``."""

    def __init__(self, seed: int) -> None:
        rnd = Random(seed)
        self.form = rnd.choice(list(Format))
        self.setup = TournamentSetup(
            self.form, rounds=rnd.randint(0, 12), group_size=rnd.randint(2, 6), qualifiers=rnd.randint(1, 3),
            table_size=rnd.randint(3, 8),
        )  # fmt: skip
        self.entered = rnd.randint(FEWEST_PLAYERS.get(self.form, 2), MOST_PLAYERS[self.form])
        self.tournament = Tournament(self.setup)
        self.is_calm = rnd.random() < 0.5
        for _ in range(self.entered):
            self.tournament.enter()
        while self.tournament.ready:
            fixture = rnd.choice(self.tournament.ready)
            if not self.is_calm and rnd.random() < 0.1:
                with suppress(TournamentError):
                    self._disturb(fixture, rnd)
            else:
                self._end(fixture, rnd)
        self.fixtures = self.tournament.fixtures
        self.played = [fixture for fixture in self.fixtures if not fixture.is_bye]

    def _disturb(self, fixture: Fixture, rnd: Random) -> None:
        match rnd.randrange(3):
            case 0:
                self.tournament.withdraw(rnd.randint(1, self.tournament.players))
            case 1:
                self.tournament.note_absent(fixture.id, rnd.choice(fixture.present))
            case _:
                self.tournament.enter()

    def _end(self, fixture: Fixture, rnd: Random) -> None:
        scores = {player: rnd.randint(0, 4) for player in fixture.present}
        winners = tuple(player for player in scores if scores[player] == max(scores.values()))
        if fixture.id.is_knockout:
            winners = winners[:1]
        self.tournament.end(fixture.id, winners, scores if self.form is Format.TABLES else {})

    def rounds(self, stage: str) -> list[list[Fixture]]:
        """Return the fixtures of each round of a stage."""
        of_stage = [fixture for fixture in self.fixtures if fixture.stage == stage]
        return [list(of_round) for _, of_round in groupby(of_stage, key=lambda fixture: fixture.round)]


def seats(fixture: Fixture) -> list[int]:
    """Return the players of a fixture, also those who did not come."""
    return [player for player in fixture.players if player]


def check(trial: Trial) -> None:
    names = [fixture.id for fixture in trial.fixtures]
    assert len(set(names)) == len(names)
    assert all(set(fixture.players) <= {*range(trial.tournament.players + 1)} for fixture in trial.fixtures)
    left = {*range(1, trial.tournament.players + 1)} - trial.tournament.withdrawn.keys()
    assert trial.tournament.champions and (not left or set(trial.tournament.champions) <= left)
    match trial.form:
        case Format.KNOCKOUT | Format.DOUBLE_KNOCKOUT:
            check_bracket(trial.fixtures, lives=1 if trial.form is Format.KNOCKOUT else 2)
            if trial.is_calm:
                check_calm_bracket(trial)
        case Format.ROUND_ROBIN:
            check_meetings_once(trial.fixtures)
        case Format.GROUPS:
            check_groups(trial)
        case Format.SWISS:
            check_swiss(trial)
        case Format.TABLES:
            check_tables(trial)
    if trial.form in (Format.ROUND_ROBIN, Format.SWISS) and trial.is_calm:
        check_points(trial)


def check_bracket(fixtures: Sequence[Fixture], lives: int) -> None:
    """Whoever has lost ``lives`` matches plays no more; whoever is left plays on."""
    losses = Counter[int]()
    for fixture in fixtures:
        for player in fixture.present:
            assert losses[player] < lives, f"{player} is out, and plays {fixture.id}"
        if fixture.outcome:
            losses.update(player for player in fixture.present if player not in fixture.outcome.winners)


def check_calm_bracket(trial: Trial) -> None:
    """As many matches as a bracket has; byes for the best seeds, in its first round; rematches as late as may be."""
    players, is_double = trial.entered, trial.form is Format.DOUBLE_KNOCKOUT
    size = 1 << max(1, (players - 1).bit_length())
    assert len(trial.played) - (players - 1) * (1 + is_double) in ((0, 1) if is_double else (0,))
    byes = {fixture.present[0] for fixture in trial.rounds("K")[0] if fixture.is_bye}
    assert byes == {*range(1, size - players + 1)}
    assert not any(fixture.is_bye for of_round in trial.rounds("K")[1:] for fixture in of_round)
    met: set[frozenset[int]] = set()
    latest = {4: 2, 8: 3, 16: 4, 32: 5, 64: 7}
    for fixture in trial.played:
        pair = frozenset(seats(fixture))
        if pair in met and fixture.stage == "L":
            assert fixture.round >= latest.get(size, 1), f"{fixture.id} of {size} is a rematch"
        met.add(pair)


def check_meetings_once(fixtures: Sequence[Fixture]) -> None:
    """Everybody of these meets everybody once, and nobody plays twice in a round."""
    pairs = Counter(frozenset(fixture.players) for fixture in fixtures)
    players = sorted({player for fixture in fixtures for player in fixture.players if player})
    assert pairs == Counter(map(frozenset, combinations(players, 2)))
    for _, of_round in groupby(fixtures, key=lambda fixture: fixture.round):
        seated = [player for fixture in of_round for player in fixture.players]
        assert len(set(seated)) == len(seated)


def check_groups(trial: Trial) -> None:
    groups = trial.tournament.groups
    sizes = [len(players) for players in groups]
    assert max(sizes) - min(sizes) <= 1 and max(sizes) <= max(2, trial.setup.group_size)
    for number, players in enumerate(groups, 1):
        of_group = [fixture for fixture in trial.fixtures if fixture.group == number]
        assert len(players) == 1 or {player for fixture in of_group for player in fixture.players} == set(players)
        check_meetings_once(of_group)
    knockout = [fixture for fixture in trial.fixtures if fixture.stage == "K"]
    check_bracket(knockout, lives=1)
    if not trial.is_calm:
        return
    best = [[line.player for line in trial.tournament.standings(n)] for n in range(1, len(groups) + 1)]
    qualified = {player for table in best for player in table[: trial.setup.qualifiers]}
    first = [fixture for fixture in knockout if fixture.round == 1]
    assert {player for fixture in first for player in fixture.present} == qualified
    rounds = max(fixture.round for fixture in knockout)
    winners = {table[0] for table in best}
    for fixture in knockout:
        together = [table for table in best if {*fixture.players} == {*table[:2]}]
        assert not together or fixture.round == rounds, f"{fixture.id}: the winner and the second of a group"
    byes = {fixture.present[0] for fixture in first if fixture.is_bye}
    assert byes <= winners or winners <= byes


def check_swiss(trial: Trial) -> None:
    rests, meetings = Counter[int](), Counter[frozenset[int]]()
    for of_round in trial.rounds("S"):
        seated = [player for fixture in of_round for player in seats(fixture)]
        assert len(set(seated)) == len(seated)
        byes = [seats(fixture)[0] for fixture in of_round if fixture.is_bye]
        assert len(byes) == len(seated) % 2
        assert all(rests[player] == min(rests[other] for other in seated) for player in byes), "an unfair bye"
        rests.update(byes)
        for fixture in of_round:
            if fixture.outcome and fixture.outcome.absent:
                rests.update(fixture.outcome.winners)
        meetings.update(frozenset(seats(fixture)) for fixture in of_round if not fixture.is_bye)
    if trial.is_calm:
        everybody = list(map(frozenset, combinations(range(1, trial.entered + 1), 2)))
        counts = [meetings[pair] for pair in everybody]
        assert max(counts) - min(counts) <= 1, "meetings that are not even"


def check_tables(trial: Trial) -> None:
    """Tables of a round are of about one size, and points are those of whom one leaves behind."""
    points = defaultdict[int, float](float)
    for of_round in trial.rounds("T"):
        sizes = [len(fixture.players) for fixture in of_round]
        assert max(sizes) - min(sizes) <= 1
        seated = [player for fixture in of_round for player in fixture.players]
        assert len(set(seated)) == len(seated)
        for fixture in of_round:
            outcome = fixture.outcome
            assert outcome is not None
            for player in fixture.present:
                own = outcome.scores.get(player, 0)
                scores = [outcome.scores.get(other, 0) for other in seats(fixture) if other != player]
                points[player] += sum(1.0 if score < own else 0.5 for score in scores if score <= own)
                points[player] += 0.5 * (max(sizes) - len(fixture.players))
    if trial.is_calm:
        assert {line.player: line.points for line in trial.tournament.standings()} == dict(points)


def check_points(trial: Trial) -> None:
    """A win is a point, a draw half of one, a bye one; whoever is placed equally is equal in everything."""
    points = defaultdict[int, float](float)
    for fixture in trial.fixtures:
        winners = fixture.outcome.winners if fixture.outcome else fixture.present
        for player in winners:
            points[player] += 1 / len(winners)
    table = trial.tournament.standings()
    assert all(line.points == points[line.player] for line in table)
    keys = [(line.points, *line.tie_breaks.values()) for line in table]
    assert keys == sorted(keys, reverse=True)
    assert [line.place for line in table] == [1 + keys.index(key) for key in keys]


@pytest.mark.parametrize("seed", range(30))
def test_a_random_tournament(seed: int) -> None:
    check(Trial(seed))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_thousand_random_tournaments(block: int) -> None:
    for seed in range(block, COUNT, BLOCKS):
        try:
            check(Trial(seed))
        except AssertionError as error:
            raise AssertionError(f"tournament {seed}: {error}") from error
