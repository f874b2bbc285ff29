"""Round robins, groups, Swiss rounds and tables: who meets whom, and who comes first."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.tournaments.fixture import (
    BYE,
    Fixture,
    FixtureId,
    FixtureResult,
    Format,
    TournamentError,
    TournamentSetup,
    default_rounds,
)
from rules.tournaments.knockout import seed_places
from rules.tournaments.rounds import cross_seeds, round_robin, seat_tables, snake_groups, table_sizes
from rules.tournaments.standings import standings
from rules.tournaments.swiss import MAX_FULLY_PAIRED, SwissField, pair_swiss
from rules.tournaments.tournament import GROUP_TIE_BREAKS, SWISS_TIE_BREAKS, Tournament
from tests.helpers.slow_params import slow
from tests.helpers.tournament_steps import Step, ended, entered, fixture_id, play_through, started, withdrawn


def start(setup: TournamentSetup, players: int) -> Tournament:
    return play_through(setup, [entered] * players)


def games(*results: tuple[int, int, float], round_: int = 1) -> list[Fixture]:
    """Return fixtures of ``(first, second, points of the first)``; second 0 is a bye."""
    found = []
    for n, (first, second, points) in enumerate(results):
        winners = {1: (first,), 0: (second,), 0.5: (first, second)}[points]
        outcome = None if second == BYE else FixtureResult(winners)
        found.append(Fixture(FixtureId("S", round_, n), (first, second), outcome))
    return found


@given(st.integers(2, 40))
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    rounds = round_robin(range(1, count + 1))
    pairs = [frozenset(pair) for pairs in rounds for pair in pairs]
    assert Counter(pairs) == Counter(map(frozenset, combinations(range(1, count + 1), 2)))
    assert len(rounds) == count - 1 + count % 2
    assert all(len({player for pair in pairs for player in pair}) == 2 * len(pairs) for pairs in rounds)


def test_groups_are_dealt_like_a_snake() -> None:
    assert snake_groups(range(1, 9), 3) == [[1, 6, 7], [2, 5, 8], [3, 4]]


def test_hand_computed_round_robin() -> None:
    """1 beats 2 and 3, 4 beats 1; 2 beats 3 and 4; 3 beats 4. Points 2 2 1 1. 1 and 2 are tied: 1 won head to head. So
    are 3 and 4: 3 won. Sonneborn-Berger: 1: 2 + 1; 2: 1 + 1; 3: 1; 4: 2."""
    fixtures = games((1, 2, 1), (1, 3, 1), (4, 1, 1), (2, 3, 1), (2, 4, 1), (3, 4, 1))
    table = standings((1, 2, 3, 4), fixtures, GROUP_TIE_BREAKS)
    assert [(line.place, line.player, line.points) for line in table] == [(1, 1, 2), (2, 2, 2), (3, 3, 1), (4, 4, 1)]
    assert [list(line.tie_breaks.values()) for line in table] == [[1, 3, 2], [0, 2, 2], [1, 1, 1], [0, 2, 1]]


def test_hand_computed_swiss() -> None:
    """Five players, three rounds, each with a bye, draws among them:

    round 1: 1 beats 3, 2 draws 4, 5 has the bye; round 2: 1 beats 5, 2 beats 3, 4 has the bye;
    round 3: 1 draws 2, 4 beats 5, 3 has the bye. Points: 1: 2½, 4: 2½, 2: 2, 3: 1, 5: 1.
    Buchholz: 1: 1 + 1 + 2 = 4; 4: 2 + 2½ (own, for the bye) + 1 = 5½; 2: 2½ + 1 + 2½ = 6; 3: 2½ + 2 + 1 = 5½;
    5: 1 + 2½ + 2½ = 6. Sonneborn-Berger: 1: 1 + 1 + 1 = 3; 4: 1 + 2½ + 1 = 4½; 2: 1¼ + 1 + 1¼ = 3½; 3: 1; 5: 1."""
    fixtures = [
        *games((1, 3, 1), (2, 4, 0.5), (5, 0, 1)),
        *games((1, 5, 1), (2, 3, 1), (4, 0, 1), round_=2),
        *games((1, 2, 0.5), (4, 5, 1), (3, 0, 1), round_=3),
    ]
    table = standings((1, 2, 3, 4, 5), fixtures, SWISS_TIE_BREAKS)
    assert [(line.place, line.player, line.points) for line in table] == [
        (1, 4, 2.5), (2, 1, 2.5), (3, 2, 2), (4, 5, 1), (5, 3, 1),
    ]  # fmt: skip
    assert [line.tie_breaks["buchholz"] for line in table] == [5.5, 4, 6, 6, 5.5]
    assert [line.tie_breaks["sonneborn-berger"] for line in table] == [4.5, 3, 3.5, 1, 1]
    assert (table[0].played, table[0].wins, table[0].draws, table[0].losses) == (2, 2, 1, 0)


def test_equal_players_share_place_and_title() -> None:
    tournament = start(TournamentSetup(Format.ROUND_ROBIN), 3)
    for fixture in tournament.fixtures:
        first, second = fixture.present
        winner = {(1, 2): 1, (2, 3): 2, (1, 3): 3}[(min(first, second), max(first, second))]
        tournament.end(fixture.id, (winner,))
    assert [line.place for line in tournament.standings()] == [1, 1, 1]
    assert tournament.champions == (1, 2, 3)


def test_results_of_who_left_a_round_robin_early_do_not_count() -> None:
    tournament = start(TournamentSetup(Format.ROUND_ROBIN), 5)
    name = next(fixture.id for fixture in tournament.fixtures if 5 in fixture.players)
    tournament.end(fixture_id(name), (5,))
    tournament.withdraw(5)
    assert {line.player: (line.points, line.played) for line in tournament.standings()}[5] == (0, 0)
    assert sum(line.losses for line in tournament.standings()) == 0
    for fixture in tournament.ready:
        tournament.end(fixture.id, (min(fixture.present),))
    assert [line.points for line in tournament.standings()] == [3, 2, 1, 0, 0]
    assert tournament.champions == (1,)


def test_groups_then_a_knockout_of_the_best_two() -> None:
    tournament = start(TournamentSetup(Format.GROUPS), 8)
    assert tournament.groups == ((1, 4, 5, 8), (2, 3, 6, 7))
    while tournament.ready and tournament.ready[0].stage == "G":
        tournament.end(tournament.ready[0].id, (min(tournament.ready[0].present),))
    assert [fixture.players for fixture in tournament.ready] == [(1, 3), (2, 4)]
    group_match = next(fixture for fixture in tournament.fixtures if set(fixture.players) == {1, 4})
    tournament.correct(group_match.id, (4,))
    assert [fixture.players for fixture in tournament.ready] == [(4, 3), (2, 1)]
    tournament.start(fixture_id("K1.1"))
    tournament.correct(group_match.id, (1,))
    assert [fixture.players for fixture in tournament.ready] == [(4, 3), (2, 1)]  # drawn: it stays
    for _ in range(3):
        tournament.end(tournament.ready[0].id, (max(tournament.ready[0].present),))
    assert tournament.champions == (4,)
    assert [line.player for line in tournament.standings()][:2] == [4, 2]


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 40), st.integers(2, 6), st.integers(1, 3), st.integers(0, 1000).map(Random))
def test_groups_always_end_with_one_champion(players: int, size: int, qualifiers: int, rnd: Random) -> None:
    setup = TournamentSetup(Format.GROUPS, group_size=size, qualifiers=qualifiers)
    events: list[Step] = [entered] * players
    tournament = play_through(setup, events)
    while tournament.ready:
        event: Step = ended(tournament.ready[0].id, (rnd.choice(tournament.ready[0].present),))
        if rnd.random() < 0.1:
            event = withdrawn(rnd.randint(1, players))
        try:
            event(tournament)
        except TournamentError:
            continue
        events.append(event)
    assert len(tournament.champions) == 1
    assert not set(tournament.champions) & tournament.withdrawn.keys()
    assert play_through(setup, events).fixtures == tournament.fixtures


def play_swiss(tournament: Tournament, rnd: Random) -> None:
    while tournament.ready:
        for fixture in tournament.ready:
            winner = rnd.choice([*fixture.present, None])
            tournament.end(fixture.id, fixture.present if winner is None else (winner,))


def cheapest_round(field: SwissField) -> tuple[int, list[int], float]:
    """Return the least that a round can cost, by trying all: what the player with the bye has had without a match, the
    meetings of those who meet, the most first, and the squares of their differences in points."""

    def rounds(order: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
        if not order:
            yield []
        for other in order[1:]:
            for rest in rounds([player for player in order[1:] if player != other]):
                yield [(order[0], other), *rest]

    return min(round_cost(field, pairs) for pairs in rounds([*field.order, *[BYE] * (len(field.order) % 2)]))


def round_cost(field: SwissField, pairs: list[tuple[int, int]]) -> tuple[int, list[int], float]:
    rests, meetings, differences = 0, list[int](), 0.0
    for first, second in pairs:
        if second == BYE:
            rests += field.rests.get(first, 0)
            differences += (field.points[first] - field.points[field.order[-1]]) ** 2
        else:
            meetings.append(field.meetings.get(frozenset((first, second)), 0))
            differences += (field.points[first] - field.points[second]) ** 2
    return rests, sorted(meetings, reverse=True), differences


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 8), st.data())
def test_a_swiss_round_is_the_cheapest_there_is(count: int, data: st.DataObject) -> None:
    points = {n: data.draw(st.integers(0, 8)) / 2 for n in range(1, count + 1)}
    order = sorted(points, key=lambda player: (-points[player], player))
    pairs = st.sampled_from(list(combinations(order, 2))).map(frozenset)
    met = data.draw(st.dictionaries(pairs, st.integers(1, 4), max_size=count * 3))
    rests = data.draw(st.dictionaries(st.sampled_from(order), st.integers(1, 3)))
    field = SwissField(order, points, met, rests)
    paired = pair_swiss(field)
    assert sorted(player for pair in paired for player in pair if player) == sorted(order)
    assert round_cost(field, paired) == cheapest_round(field)


def play_anyhow(tournament: Tournament, rnd: Random) -> tuple[Counter[int], Counter[frozenset[int]]]:
    """Play a Swiss to its end and return everybody's byes and how often each two have met."""
    play_swiss(tournament, rnd)
    players = range(1, tournament.players + 1)
    byes = Counter(dict.fromkeys(players, 0))
    meetings = Counter(dict.fromkeys(map(frozenset, combinations(players, 2)), 0))
    for fixture in tournament.fixtures:
        if fixture.is_bye:
            byes[fixture.present[0]] += 1
        else:
            meetings[frozenset(fixture.present)] += 1
    return byes, meetings


@settings(deadline=None, max_examples=25)
@example(3, 9, Random(0))
@example(5, 12, Random(0))
@example(4, 9, Random(0))
@example(8, 14, Random(0))
@example(6, 4, Random(3))
@given(st.integers(2, 12), st.integers(1, 24), st.integers(0, 1000).map(Random))
def test_swiss_byes_and_meetings_are_even(players: int, rounds: int, rnd: Random) -> None:
    byes, meetings = play_anyhow(start(TournamentSetup(Format.SWISS, rounds), players), rnd)
    assert max(byes.values()) - min(byes.values()) <= 1
    assert max(meetings.values()) - min(meetings.values()) <= 1


@settings(deadline=None, max_examples=25)
@given(st.sampled_from([3, 5, 7, 9, 11]), st.integers(2, 12), st.integers(0, 1000).map(Random))
def test_swiss_bye_goes_to_the_fewest_free_points(players: int, rounds: int, rnd: Random) -> None:
    tournament = start(TournamentSetup(Format.SWISS, rounds), players)
    rests = Counter(dict.fromkeys(range(1, players + 1), 0))
    for number in range(1, rounds + 1):
        (bye,) = [fixture.present[0] for fixture in tournament.fixtures if fixture.is_bye and fixture.round == number]
        assert rests[bye] == min(rests.values())
        rests[bye] += 1
        for fixture in tournament.ready:
            if rnd.random() < 0.3:
                missing, waiting = rnd.sample(fixture.present, 2)
                tournament.note_absent(fixture.id, missing)
                rests[waiting] += 1
            else:
                tournament.end(fixture.id, (rnd.choice(fixture.present),))


def test_long_swiss_with_a_leaver_and_a_newcomer() -> None:
    tournament = start(TournamentSetup(Format.SWISS, rounds=9), 6)
    tournament.end(tournament.ready[0].id, (1,))
    tournament.withdraw(6)
    tournament.enter()
    rnd = Random(4)
    play_swiss(tournament, rnd)
    pairs = Counter(frozenset(fixture.players) for fixture in tournament.fixtures if fixture.round > 1)
    others = [frozenset(pair) for pair in combinations((1, 2, 3, 4, 5, 7), 2)]
    assert sum(pairs[pair] for pair in others) == 24
    assert max(pairs[pair] for pair in others) <= 2


@settings(deadline=None, max_examples=8)
@example(3, Random(1))
@example(10, Random(2))
@example(200, Random(3))
@given(st.integers(3, 120), st.integers(0, 1000).map(Random))
@pytest.mark.slow
def test_swiss_over_nine_rounds(players: int, rnd: Random) -> None:
    rounds = 9
    tournament = start(TournamentSetup(Format.SWISS, rounds), players)
    play_swiss(tournament, rnd)
    met = Counter(frozenset(one.players) for one in tournament.fixtures if not one.is_bye)
    byes = Counter(one.players[0] for one in tournament.fixtures if one.is_bye)
    possible = players - 1 + players % 2
    if possible >= 2 * rounds:  # with fewer players the last rounds may have no pairing without a second meeting
        assert max(met.values()) == 1
    if players >= rounds:
        assert not byes or max(byes.values()) == 1
    assert len(byes) == (min(rounds, players) if players % 2 else 0)
    for number in range(1, rounds + 1):
        of_round = [one for one in tournament.fixtures if one.round == number]
        assert sorted(p for one in of_round for p in one.players if p) == list(range(1, players + 1))


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_small_swiss_repeats_no_match_early(players: int) -> None:
    rounds = players - 1 + players % 2
    tournament = start(TournamentSetup(Format.SWISS, rounds), players)
    tournament.end(tournament.ready[0].id, (1,))
    while tournament.ready:
        tournament.end(tournament.ready[0].id, (min(tournament.ready[0].present),))
    for number in range(1, rounds + 1):
        assert sum(one.round == number for one in tournament.fixtures) == -(-players // 2)
    first = Counter(frozenset(one.players) for one in tournament.fixtures if one.round <= 2)
    assert max(first.values()) == 1


def test_a_round_of_a_thousand() -> None:
    order = list(range(1, 1025))
    assert len(order) > MAX_FULLY_PAIRED
    points = {player: float(player <= 512) for player in order}
    met = {frozenset((player, player + 512)): 1 for player in range(1, 513)}
    pairs = pair_swiss(SwissField(order, points, met, {}))
    assert sorted(player for pair in pairs for player in pair) == order
    assert all(points[first] == points[second] for first, second in pairs)
    assert pairs[0] == (1, 257)


def test_pairings_are_final_once_the_round_has_begun() -> None:
    tournament = start(TournamentSetup(Format.SWISS), 8)
    for fixture in tournament.ready:
        tournament.end(fixture.id, (min(fixture.present),))
    assert [fixture.players for fixture in tournament.ready] == [(1, 3), (2, 4), (5, 7), (6, 8)]
    tournament.correct(fixture_id("S1.1"), (5,))
    assert [fixture.players for fixture in tournament.ready] == [(2, 4), (3, 5), (1, 7), (6, 8)]
    tournament.start(fixture_id("S2.1"))
    tournament.correct(fixture_id("S1.1"), (1,))
    assert [fixture.players for fixture in tournament.ready] == [(2, 4), (3, 5), (1, 7), (6, 8)]
    assert next(line.points for line in tournament.standings() if line.player == 1) == 1


def test_a_kept_draw_counts_whatever_would_be_drawn_now() -> None:
    tournament = start(TournamentSetup(Format.SWISS, 2), 4)
    assert tournament.ready[0].id.draw == "S1"
    assert tournament.open_draw(tournament.ready[0].id) == ((1, 3), (2, 4))
    tournament.keep_draw("S1", ((1, 2), (3, 4)))
    assert [fixture.players for fixture in tournament.ready] == [(1, 2), (3, 4)]
    assert tournament.open_draw(tournament.ready[0].id) is None
    for wrong in (("S1", ((1, 2),)), ("S3", ((1, 2),)), ("K", ((1, 2),)), ("S2", ((1, 1),)), ("S2", ((1, 9),))):
        with pytest.raises(TournamentError, match="can’t be made now"):
            tournament.keep_draw(*wrong)


def test_who_comes_late_and_who_leaves_a_swiss() -> None:
    tournament = start(TournamentSetup(Format.SWISS, 3), 4)
    tournament.end(fixture_id("S1.1"), (1,))
    tournament.withdraw(4)
    assert tournament.fixture(fixture_id("S1.2")).outcome == FixtureResult((2,), absent=frozenset([4]))
    tournament.enter()
    assert [fixture.players for fixture in tournament.fixtures if fixture.round == 2] == [(1, 2), (3, 5)]


def test_tables_are_as_large_as_asked_and_never_too_small() -> None:
    assert table_sizes(10, 4, 2) == [4, 3, 3]
    assert table_sizes(5, 3, 3) == [5]
    assert table_sizes(9, 3, 3) == [3, 3, 3]


def test_players_of_a_table_do_not_meet_again_where_others_are_there() -> None:
    order = list(range(1, 10))
    met = Counter(frozenset(pair) for n in (1, 4, 7) for pair in combinations(range(n, n + 3), 2))
    tables = seat_tables(order, lambda _: 0.0, met, [3, 3, 3])
    assert sorted(player for table in tables for player in table) == order
    again = sum(met[frozenset(pair)] for table in tables for pair in combinations(table, 2))
    assert again <= 2  # neighbours only swap: two of nine meetings may come again


def test_tables_that_may_be_seated_as_they_like_have_the_closest_points() -> None:
    points = {1: 3.0, 2: 0.0, 3: 3.0, 4: 0.0}
    tables = seat_tables([1, 2, 3, 4], lambda player: points[player], {}, [2, 2])
    assert sorted(map(sorted, tables)) == [[1, 3], [2, 4]]


def test_those_who_qualify_from_groups_cross() -> None:
    """The winner of a group meets the second of its neighbour: 1 and 8, 7 and 2 where eight play."""
    groups = [[1, 2], [4, 5], [7, 8], [10, 11]]
    assert cross_seeds(groups) == [1, 4, 7, 10, 8, 11, 2, 5]
    assert cross_seeds([[1, 2], [3, 4], [5, 6]]) == [1, 3, 5, 6, 4, 2]
    assert cross_seeds([[1, 2]]) == [1, 2]


def crowding(groups: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return of how many groups winner and second are in the same half of the knock-out, and how often a half, quarter
    or smaller part of it has more of a group than it must."""
    seeds = cross_seeds(groups)
    assert sorted(seeds) == sorted(player for group in groups for player in group)
    ranks = {player: rank for group in groups for rank, player in enumerate(group)}
    assert [ranks[player] for player in seeds] == sorted(ranks.values())  # winners have the byes
    size = len(seed_places(1 << (len(seeds) - 1).bit_length()))
    line = [seeds[seed - 1] if seed <= len(seeds) else BYE for seed in seed_places(size)]
    place = {player: n for n, player in enumerate(line)}
    together = sum(2 * place[group[0]] // size == 2 * place[group[1]] // size for group in groups if group[1:])
    parts, crowded = 2, 0
    while parts < size:
        for group in groups:
            counts = Counter(place[player] * parts // size for player in group)
            crowded += sum(count > -(-len(group) // parts) for count in counts.values())
        parts *= 2
    return together, crowded


@pytest.mark.parametrize("qualifiers", [2, *slow(*range(3, 9))])
def test_no_two_of_a_group_meet_in_the_knockout_before_they_must(qualifiers: int) -> None:
    """Every number of players from 4 to 40 in every number of groups."""
    for players in range(4, 41):
        for count in range(1, players + 1):
            groups = [group[:qualifiers] for group in snake_groups(range(1, players + 1), count)]
            assert crowding(groups) == (0, 0), groups


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 2), min_size=1, max_size=40))
def test_where_withdrawals_leave_groups_with_one_the_others_still_cross(sizes: list[int]) -> None:
    groups = [[2 * n + 1, 2 * n + 2][:size] for n, size in enumerate(sizes)]
    together, _ = crowding(groups)
    winners_in_first = sum(seed <= len(groups) for seed in first_half(sum(sizes)))
    seconds_in_first = len(first_half(sum(sizes))) - winners_in_first
    seconds = sum(sizes) - len(groups)
    must = max(0, seconds_in_first - (len(groups) - winners_in_first), seconds - seconds_in_first - winners_in_first)
    assert together == must


def first_half(players: int) -> list[int]:
    """Return the seeds in the first half of a knock-out."""
    places = seed_places(1 << (players - 1).bit_length())
    return [seed for seed in places[: len(places) // 2] if seed <= players]


def test_a_walkover_is_won_and_lost_without_a_match() -> None:
    tournament = start(TournamentSetup(Format.SWISS, 1), 2)
    tournament.note_absent(fixture_id("S1.1"), 2)
    lines = {line.player: (line.points, line.played, line.wins, line.losses) for line in tournament.standings()}
    assert lines == {1: (1, 0, 1, 0), 2: (0, 0, 0, 1)}


def test_points_at_tables_of_different_sizes() -> None:
    tournament = start(TournamentSetup(Format.TABLES, rounds=1, table_size=4), 7)
    assert [fixture.players for fixture in tournament.ready] == [(1, 2, 3, 4), (5, 6, 7)]
    tournament.end(fixture_id("T1.1"), (1,), {1: 9, 2: 5, 3: 5, 4: 0})
    tournament.end(fixture_id("T1.2"), (5,), {5: 3, 6: 2, 7: 1})
    points = {line.player: line.points for line in tournament.standings()}
    assert points == {1: 3, 2: 1.5, 3: 1.5, 4: 0, 5: 2.5, 6: 1.5, 7: 0.5}
    assert tournament.champions == (1,)


def test_a_table_plays_without_those_who_do_not_come() -> None:
    tournament = start(TournamentSetup(Format.TABLES, rounds=1, table_size=4, min_table_size=3), 4)
    tournament.note_absent(fixture_id("T1.1"), 2)
    assert tournament.ready[0].present == (1, 3, 4)
    tournament.end(fixture_id("T1.1"), (3,), {1: 1, 3: 4, 4: 1})
    assert {line.player: line.points for line in tournament.standings()} == {3: 3, 1: 1.5, 4: 1.5, 2: 0}
    tournament = start(TournamentSetup(Format.TABLES, rounds=1, table_size=4, min_table_size=3), 3)
    tournament.note_absent(fixture_id("T1.1"), 2)  # two are too few: they share the points
    assert tournament.is_over
    assert tournament.champions == (1, 3)


def test_default_rounds() -> None:
    assert [default_rounds(count) for count in (2, 3, 4, 5, 8, 9, 1024)] == [1, 2, 2, 3, 3, 4, 10]


def test_a_bye_counts_from_the_beginning_of_its_round() -> None:
    tournament = start(TournamentSetup(Format.SWISS), 3)
    assert sum(line.points for line in tournament.standings()) == 0
    tournament.start(fixture_id("S1.1"))
    assert [line.points for line in tournament.standings()] == [1, 0, 0]
    tournament.end(fixture_id("S1.1"), (1,))
    assert sum(line.points for line in tournament.standings()) == 2


@pytest.mark.parametrize("form", [Format.ROUND_ROBIN, Format.GROUPS])
def test_a_group_match_is_found_by_name_as_it_is_among_all(form: Format) -> None:
    def fresh() -> Tournament:  # it has not listed its fixtures yet
        return play_through(TournamentSetup(form, group_size=4), [*[entered] * 7, *happened])

    happened: list[Step] = []
    for name in ("G1.1.1", "G1.2.1"):
        happened += [started(name), ended(name, (fresh().fixture(fixture_id(name)).players[0] or 0,))]
    happened += [withdrawn(7), started("G1.3.1")]
    for fixture in fresh().fixtures:
        assert fresh().fixture(fixture.id) == fixture
    for name in (
        "G0.1.1",
        "G1.0.1",
        "G1.1.0",
        "G9.1.1",
        "G1.99.1",
        "G1.1.9",
        "G1.1",
        "G1.1.1.1",
        "G1.1.x",
        "G",
        "G01.1.1",
        "G\uff11.1.1",
    ):
        with pytest.raises(TournamentError, match="no match"):
            fresh().fixture(fixture_id(name))


def test_a_swiss_match_has_one_name() -> None:
    steps = [*[entered] * 4, started("S1.1")]
    for name in ("S1.01", "S1.\uff11", "S1.0", "S1.x", "S1"):
        with pytest.raises(TournamentError, match="no match"):
            play_through(TournamentSetup(Format.SWISS), steps).fixture(fixture_id(name))
