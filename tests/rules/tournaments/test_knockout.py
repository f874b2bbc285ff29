"""Knock-outs of every size end with one champion, whoever withdraws."""

from collections.abc import Sequence
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.tournaments.fixture import Format, TournamentError, TournamentSetup
from rules.tournaments.knockout import cross_losers, seed_places
from rules.tournaments.rounds import cross_seeds
from rules.tournaments.tournament import Tournament
from tests.helpers.tournament_steps import Step, absent, corrected, ended, entered, fixture_id, play_through, withdrawn

KNOCKOUT, DOUBLE = TournamentSetup(Format.KNOCKOUT), TournamentSetup(Format.DOUBLE_KNOCKOUT)


def start(setup: TournamentSetup, players: int) -> Tournament:
    return play_through(setup, [entered] * players)


def play(tournament: Tournament, *results: tuple[str, int]) -> Tournament:
    for fixture, winner in results:
        tournament.end(fixture_id(fixture), (winner,))
    return tournament


def describe(tournament: Tournament) -> list[tuple[str, tuple[int | None, ...]]]:
    return [(str(fixture.id), fixture.players) for fixture in tournament.fixtures]


def test_seeds_of_eight() -> None:
    assert seed_places(8) == (1, 8, 4, 5, 2, 7, 3, 6)


def test_five_players_have_three_byes_for_the_best_seeds() -> None:
    tournament = start(KNOCKOUT, 5)
    assert describe(tournament) == [
        ("K1.1", (1, 0)), ("K1.2", (4, 5)), ("K1.3", (2, 0)), ("K1.4", (3, 0)),
        ("K2.1", (1, None)), ("K2.2", (2, 3)), ("K3.1", (None, None)),
    ]  # fmt: skip
    assert [str(fixture.id) for fixture in tournament.ready] == ["K1.2", "K2.2"]
    play(tournament, ("K1.2", 5), ("K2.2", 3), ("K2.1", 1), ("K3.1", 3))
    assert tournament.champions == (3,)
    assert [(line.place, line.player) for line in tournament.standings()] == [(1, 3), (2, 1), (3, 5), (3, 2), (5, 4)]


def test_a_drawn_match_is_played_again() -> None:
    tournament = start(KNOCKOUT, 2)
    for winners in ((), (1, 2)):
        tournament.start(fixture_id("K1.1"))
        assert tournament.ready[0].started
        tournament.end(fixture_id("K1.1"), winners)
        assert [str(fixture.id) for fixture in tournament.ready] == ["K1.1"]
    assert play(tournament, ("K1.1", 2)).champions == (2,)


def test_double_knockout_of_four() -> None:
    tournament = play(start(DOUBLE, 4), ("K1.1", 1), ("K1.2", 3))
    assert dict(describe(tournament))["L1.1"] == (4, 2)
    play(tournament, ("L1.1", 2), ("K2.1", 3))
    assert dict(describe(tournament))["L2.1"] == (2, 1)
    play(tournament, ("L2.1", 1))
    assert dict(describe(tournament))["F1.1"] == (3, 1)
    play(tournament, ("F1.1", 1))
    assert not tournament.is_over
    assert [str(fixture.id) for fixture in tournament.ready] == ["F2.1"]
    play(tournament, ("F2.1", 3))
    assert tournament.champions == (3,)
    assert [(line.place, line.player) for line in tournament.standings()] == [(1, 3), (2, 1), (3, 2), (4, 4)]


def test_no_second_final_if_the_unbeaten_player_wins() -> None:
    def until_final() -> Tournament:
        return play(start(DOUBLE, 2), ("K1.1", 1))

    assert play(until_final(), ("F1.1", 1)).champions == (1,)
    tournament = until_final()
    tournament.withdraw(1)
    assert tournament.champions == (2,)
    for leaves, champion in ((1, 2), (2, 1)):
        tournament = play(until_final(), ("F1.1", 2))
        tournament.withdraw(leaves)
        assert tournament.champions == (champion,)


def test_a_correction_moves_the_winner_until_the_next_match_begins() -> None:
    tournament = play(start(KNOCKOUT, 4), ("K1.1", 1), ("K1.2", 2))
    tournament.correct(fixture_id("K1.1"), (4,))
    assert dict(describe(tournament))["K2.1"] == (4, 2)
    tournament.start(fixture_id("K2.1"))
    with pytest.raises(TournamentError, match=r"the next match after K1\.1 has begun"):
        tournament.correct(fixture_id("K1.1"), (1,))
    tournament.correct(fixture_id("K1.1"), (4,), {4: 3, 1: 1})  # the same winner


@pytest.mark.parametrize("winners", [(), (1, 4)])
def test_a_match_that_turns_out_to_be_drawn_is_played_again(winners: tuple[int, ...]) -> None:
    tournament = play(start(KNOCKOUT, 4), ("K1.1", 1), ("K1.2", 2))
    tournament.correct(fixture_id("K1.1"), winners)
    assert [str(fixture.id) for fixture in tournament.ready] == ["K1.1"]
    assert dict(describe(tournament))["K2.1"] == (None, 2)
    play(tournament, ("K1.1", 4))
    tournament.start(fixture_id("K2.1"))
    with pytest.raises(TournamentError, match=r"the next match after K1\.1 has begun"):
        tournament.correct(fixture_id("K1.1"), winners)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (ended("K1.1", (3,)), "player 3 does not play match K1.1"),
        (ended("K9.1", (1,)), "no match K9.1"),
        (ended("Kx", (1,)), "no match Kx"),
        (ended("K2.1", (1,)), "K2.1 can’t be played yet"),
        (ended("K1.2", (2,)), "K1.2 has a result already"),
        (absent("K1.1", 2), "player 2 does not play"),
        (corrected("K1.1", (1,)), "no result to correct"),
        (withdrawn(7), "player 7 is not in the tournament"),
        (withdrawn(3), "player 3 has no match left"),
        (entered, "nobody can enter"),
    ],
)
def test_what_can_not_happen_is_refused_and_changes_nothing(event: Step, message: str) -> None:
    tournament = play(start(KNOCKOUT, 4), ("K1.2", 2))
    before = describe(tournament)
    with pytest.raises(TournamentError, match=message):
        event(tournament)
    assert describe(tournament) == before


def test_who_withdraws_before_the_draw_is_not_in_it() -> None:
    tournament = start(KNOCKOUT, 5)
    tournament.withdraw(1)
    assert dict(describe(tournament))["K1.1"] == (2, 5)


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(st.data(), st.integers(2, 64), st.booleans(), st.sampled_from([0, 1, 6]))
def test_every_size_ends_with_one_champion(
    data: st.DataObject, players: int, double: bool, leavers_per_match: int
) -> None:
    setup = DOUBLE if double else KNOCKOUT
    rnd = data.draw(st.integers(0, 1000).map(Random))
    events: list[Step] = [entered] * players
    tournament = play_through(setup, events)

    def apply(event: Step) -> None:
        event(tournament)
        events.append(event)

    while not tournament.is_over:
        for _ in range(leavers_per_match):
            if rnd.random() < 0.3:
                try:
                    apply(withdrawn(rnd.randint(1, players)))
                except TournamentError:
                    continue
        if not tournament.ready:
            break
        fixture = rnd.choice(tournament.ready)
        assert not set(fixture.present) & tournament.withdrawn.keys()
        one = rnd.choice(fixture.present)
        apply(absent(fixture.id, one) if rnd.random() < 0.1 else ended(fixture.id, (one,)))
    (champion,) = tournament.champions
    assert champion not in tournament.withdrawn
    assert [line.player for line in tournament.standings() if line.place == 1] == [champion]
    lost = [0] * (players + 1)
    for fixture in tournament.fixtures:
        if fixture.outcome and not fixture.is_bye:
            for player in fixture.players:
                lost[player or 0] += player not in fixture.outcome.winners
    assert lost[champion] <= int(double)
    drawn = {player for fixture in tournament.fixtures for player in fixture.players if player}
    assert all(lost[player] == 1 + double or player in tournament.withdrawn or player == champion for player in drawn)
    again = play_through(setup, events)
    assert (again.fixtures, again.standings(), again.champions) == (
        tournament.fixtures, tournament.standings(), tournament.champions,
    )  # fmt: skip


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("players", [*range(2, 18), 33, 64, 1024])
def test_everybody_plays_until_the_last_match(players: int, double: bool) -> None:
    tournament = start(DOUBLE if double else KNOCKOUT, players)
    matches = 0
    while ready := tournament.ready:
        for fixture in ready:
            tournament.end(fixture.id, (min(fixture.present),))
            matches += 1
    assert tournament.champions == (1,)
    assert matches == (2 * players - 2 if double else players - 1)


@given(st.integers(0, 6).map(lambda power: 2**power))
def test_two_of_one_group_meet_only_in_the_final(count: int) -> None:
    seeds = cross_seeds([(2 * n + 1, 2 * n + 2) for n in range(count)])
    places = [seeds[seed - 1] for seed in seed_places(2 * count)]
    for half in (places[:count], places[count:]):
        assert len({(player - 1) // 2 for player in half}) == count


def first_rematch(rounds: int, crossing: Sequence[int | Sequence[int]]) -> int:
    """Return the first round of the losers' bracket in which somebody can meet again whoever beat them, ``crossing``
    being a permutation of a round's losers, or the number of ``cross_losers``: by following every player's path."""
    size, first = 1 << rounds, 2 * rounds
    entry: dict[tuple[int, int], int] = {(1, n): n for n in range(size // 2)}
    for number, order in enumerate(crossing, 2):
        for n in range(size >> number):
            entry[number, n] = n ^ order if isinstance(order, int) else order[n]
    for (lost, match), own in entry.items():
        for beaten in range(1, lost):
            for n in range(match << (lost - beaten), (match + 1) << (lost - beaten)):
                here, there, stage, met = own, entry[beaten, n] >> (lost - beaten), lost, 2 * lost - 2
                while here != there:
                    here, there, stage = here // 2, there // 2, stage + 1
                    met = 2 * stage - 3
                first = min(first, met)
    return first


def latest_first_rematch(rounds: int) -> int:
    """Return how late the first possible rematch can be at best. Whoever beat others in ``lost`` rounds before losing
    comes to as many of their opponents' paths as there are rounds: they need as many different matches of the losers'
    bracket, which has only half as many from one winners' round to the next."""
    after_merge = [2 * lost - 1 for lost in range(2, rounds + 1) if 1 << (rounds - lost) >= lost]
    after_entry = [2 * lost for lost in range(1, rounds) if 1 << (rounds - lost - 1) >= lost]
    return max(after_merge + after_entry)


@pytest.mark.parametrize("rounds", [2, 3, 4])
def test_no_crossing_of_a_small_losers_bracket_is_better(rounds: int) -> None:
    every_order = [list(permutations(range(1 << (rounds - number)))) for number in range(2, rounds + 1)]
    best = max(first_rematch(rounds, orders) for orders in product(*every_order))
    assert best == latest_first_rematch(rounds) == first_rematch(rounds, cross_losers(rounds))


@pytest.mark.parametrize("rounds", range(2, 11))
def test_losers_cross_so_that_no_rematch_comes_before_it_must(rounds: int) -> None:
    assert first_rematch(rounds, cross_losers(rounds)) == latest_first_rematch(rounds)


@settings(deadline=None, max_examples=20)
@example(64, Random(1))
@example(33, Random(2))
@given(st.integers(3, 64), st.integers(0, 1000).map(Random))
def test_nobody_meets_again_in_the_losers_bracket_before_they_must(players: int, rnd: Random) -> None:
    """Also where the best seeds have byes."""
    tournament = start(DOUBLE, players)
    met = set[frozenset[int | None]]()
    while tournament.ready:
        for fixture in tournament.ready:
            if frozenset(fixture.players) in met and fixture.stage == "L":
                assert fixture.round >= latest_first_rematch((players - 1).bit_length())
            met.add(frozenset(fixture.players))
            tournament.end(fixture.id, (rnd.choice(fixture.present),))


def test_old_knockout_draw_is_read_as_played() -> None:
    """Losers came in from the other end in each round: K2's into L2, and K3's into L4."""
    old, new = start(DOUBLE, 16), start(DOUBLE, 16)
    old.keep_draw("K", (tuple(range(1, 17)),))
    for tournament in (old, new):
        for fixture in [fixture for fixture in tournament.fixtures if fixture.stage == "K"]:
            places = tournament.fixture(fixture.id).players
            tournament.end(fixture.id, (min(player for player in places if player),))
    assert (old.crossing, new.crossing) == ((), (2, 0, 0))
    assert [old.fixture(fixture_id(f"L2.{n}")).players[1] for n in range(1, 5)] == [6, 7, 5, 8]
    assert [old.fixture(fixture_id(f"L4.{n}")).players[1] for n in (1, 2)] == [3, 4]
    assert [new.fixture(fixture_id(f"L2.{n}")).players[1] for n in range(1, 5)] == [7, 6, 8, 5]
    assert [new.fixture(fixture_id(f"L4.{n}")).players[1] for n in (1, 2)] == [4, 3]
    again = start(DOUBLE, 16)
    again.keep_draw("K", (tuple(range(1, 17)),), new.crossing)
    assert again.crossing == new.crossing


@pytest.mark.parametrize("crossing", [(2, 0), (4, 0, 0), (2, 0, 1), (2, 0, 0, 0)])
def test_a_crossing_that_does_not_fit_the_bracket_is_refused(crossing: tuple[int, ...]) -> None:
    with pytest.raises(TournamentError, match="can’t be made now"):
        start(DOUBLE, 16).keep_draw("K", (tuple(range(1, 17)),), crossing)
    with pytest.raises(TournamentError, match="can’t be made now"):
        start(KNOCKOUT, 16).keep_draw("K", (tuple(range(1, 17)),), crossing)


@given(st.integers(2, 40))
def test_two_of_one_group_do_not_meet_at_once(count: int) -> None:
    tournament = start(KNOCKOUT, 2 * count)
    seeds = cross_seeds([(2 * n + 1, 2 * n + 2) for n in range(count)])
    for fixture in tournament.fixtures:
        if fixture.round == 1 and all(fixture.players):
            first, second = (seeds[(player or 0) - 1] for player in fixture.players)
            assert (first - 1) // 2 != (second - 1) // 2
