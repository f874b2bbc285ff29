"""The calculator of Battle: compared with every pair of players battling, on the rule page's examples, and at its full
size."""

import itertools
import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.battle.calculator import (
    MAX_COUNT,
    BattleRound,
    CountError,
    Tally,
    calculate_round,
    check_count,
    parse_count,
    winning_throw,
)
from rules.throws import Outcome, Throw
from throwlock.cli.main import run_command

ROCK, PAPER, SCISSORS = Throw
BEATS = {(ROCK, SCISSORS), (PAPER, ROCK), (SCISSORS, PAPER)}
SWITCHES = list(itertools.product((False, True), repeat=2))
switches = st.tuples(st.booleans(), st.booleans())
SCORES = {Outcome.WON: 1, Outcome.LOST: -1, Outcome.TIED: 0}
Fighter = tuple[Throw, int]
"""A throw and a team."""


def battle(one: Throw, other: Throw, thrown: Sequence[Throw], inverted: bool, count: bool) -> int:
    """Return 1 if ``one`` beats ``other``, −1 if it is beaten, 0 for a tie, by the rule page."""
    if one == other:
        return 0
    sign = 1 if ((one, other) in BEATS) != inverted else -1
    usual, loser = (one, other) if sign == 1 else (other, one)
    n_a, n_b = thrown.count(usual), thrown.count(loser)
    if not count or n_b == n_a:  # the source: "chosen by a different number of players"
        return sign
    return -sign if n_b >= 2 * n_a else 0 if n_b > n_a else sign


def battle_every_pair(fighters: Sequence[Fighter], inverted: bool, count: bool, team: bool) -> list[Tally]:
    """Return everybody's battles by battling every pair of players."""
    thrown = [throw for throw, _ in fighters]
    tallies = []
    for me, (mine, my_team) in enumerate(fighters):
        ends = [
            battle(mine, theirs, thrown, inverted, count)
            for them, (theirs, their_team) in enumerate(fighters)
            if me != them and not (team and my_team == their_team)
        ]
        tallies.append(Tally(ends.count(1), ends.count(-1), ends.count(0)))
    return tallies


def counts_of(throws: Sequence[Throw]) -> dict[Throw, int]:
    return {move: list(throws).count(move) for move in Throw}


def combined_battles(throws: Sequence[Throw], move: Throw, inverted: bool, count: bool) -> Tally:
    """Return the battles of everybody who threw ``move``, each pair once."""
    wins = losses = ties = 0
    for one, other in itertools.combinations(throws, 2):
        if move not in (one, other):
            continue
        end = battle(one, other, throws, inverted, count) * (1 if one == move else -1)
        wins, losses, ties = wins + (end == 1), losses + (end == -1), ties + (end == 0)
    return Tally(wins, losses, ties)


@given(st.lists(st.sampled_from(Throw), max_size=14), switches)
@settings(deadline=None)
def test_calculator_agrees_with_battling_every_pair(throws: list[Throw], on: tuple[bool, bool]) -> None:
    summary = calculate_round(counts_of(throws), *on)
    tallies = battle_every_pair([(throw, 0) for throw in throws], *on, team=False)
    for line in summary.by_throw:
        mine = {tally for tally, throw in zip(tallies, throws, strict=True) if throw == line.throw}
        assert mine == ({line.per_player} if line.count else set())
        assert line.outcome == (line.per_player.outcome if line.count else None)
        assert line.combined == combined_battles(throws, line.throw, *on)
        assert line.score == (SCORES[next(iter(mine)).outcome] if mine else None)
        assert line.combined_score == sum(
            SCORES[tally.outcome] for tally, throw in zip(tallies, throws, strict=True) if throw == line.throw
        )
        for other in Throw:
            end = battle(line.throw, other, throws, *on)
            assert line.against[other] is {1: Outcome.WON, -1: Outcome.LOST, 0: Outcome.TIED}[end]
    assert summary.players == len(throws)
    assert sum(tally.wins for tally in tallies) == summary.total.wins == summary.total.losses
    assert sum(tally.ties for tally in tallies) == 2 * summary.total.ties
    assert summary.total.wins + summary.total.ties == summary.battles
    assert summary.battles == len(list(itertools.combinations(throws, 2)))


fighters = st.lists(st.tuples(st.sampled_from(Throw), st.integers(0, 1)), min_size=1, max_size=12)


def round_of(players: Sequence[Fighter], on: tuple[bool, bool], team: bool) -> BattleRound:
    teams = [[throw for throw, side in players if not team or side == each] for each in range(2 if team else 1)]
    return BattleRound(tuple(map(counts_of, teams)), *on)


@given(fighters, switches, st.booleans())
@settings(deadline=None)
def test_round_agrees_with_battling_every_pair_in_teams_too(
    players: list[Fighter], on: tuple[bool, bool], team: bool
) -> None:
    battles = round_of(players, on, team)
    for (throw, side), tally in zip(players, battle_every_pair(players, *on, team=team), strict=True):
        assert battles.tally(throw, side if team else 0) == tally


@given(fighters, st.integers(0, 1), switches, st.booleans())
@settings(deadline=None)
def test_best_throw_is_the_first_with_most_net_wins(
    players: list[Fighter], side: int, on: tuple[bool, bool], team: bool
) -> None:
    gains = {}
    for throw in Throw:
        mine = battle_every_pair([*players, (throw, side)], *on, team=team)[-1]
        gains[throw] = mine.wins - mine.losses
    best = round_of(players, on, team).best_throw(side if team else 0)
    assert best == next(throw for throw in (ROCK, PAPER, SCISSORS) if gains[throw] == max(gains.values()))


@pytest.mark.parametrize(
    ("counts", "options", "best"),
    [
        ((2, 2, 0), {"count": True}, PAPER),
        ((3, 2, 0), {"count": True}, None),
        ((4, 2, 0), {"count": True}, ROCK),
        ((4, 2, 0), {"count": True, "inverted": True}, ROCK),
        ((2, 4, 0), {"count": True, "inverted": True}, PAPER),
        ((2, 3, 0), {"count": True, "inverted": True}, None),
        ((4, 2, 0), {}, PAPER),
        ((4, 2, 0), {"inverted": True}, ROCK),
        ((0, 0, 5), {"count": True}, PAPER),
        ((0, 0, 5), {"count": True, "inverted": True}, ROCK),
    ],
)
def test_rock_against_paper(counts: tuple[int, ...], options: dict[str, bool], best: Throw | None) -> None:
    numbers = dict(zip(Throw, counts, strict=True))
    assert winning_throw(ROCK, PAPER, numbers, **options) is winning_throw(PAPER, ROCK, numbers, **options) is best
    against = calculate_round(numbers, **options).by_throw[0].against[PAPER]
    assert against == {ROCK: Outcome.WON, PAPER: Outcome.LOST, None: Outcome.TIED}[best]


def test_example_of_the_rule_page() -> None:
    rock, paper, scissors = calculate_round({ROCK: 1, PAPER: 2, SCISSORS: 3}).by_throw
    assert paper.per_player == Tally(1, 3, 1) and paper.outcome is Outcome.LOST
    assert rock.per_player == Tally(3, 2, 0) and rock.outcome is Outcome.WON
    assert scissors.per_player == Tally(2, 1, 2) and scissors.outcome is Outcome.WON
    assert (paper.combined, rock.combined, scissors.combined) == (Tally(2, 6, 1), Tally(3, 2, 0), Tally(6, 3, 3))


@pytest.mark.parametrize("on", SWITCHES)
@pytest.mark.parametrize(
    "counts",
    [(MAX_COUNT, MAX_COUNT, MAX_COUNT), (MAX_COUNT, MAX_COUNT - 1, 0), (MAX_COUNT, 1, 0), (0, 0, MAX_COUNT), (0, 0, 0)],
)
def test_exact_at_full_size(counts: tuple[int, ...], on: tuple[bool, bool]) -> None:
    summary = calculate_round(dict(zip(Throw, counts, strict=True)), *on)
    total = sum(counts)
    assert summary.total.wins == summary.total.losses
    assert summary.total.wins + summary.total.ties == summary.battles == total * (total - 1) // 2
    for line in summary.by_throw:
        fights = line.per_player.wins + line.per_player.losses + line.per_player.ties
        assert fights == (total - 1 if line.count else 0)
        both = line.combined.wins + line.combined.losses + line.combined.ties
        assert both == line.count * (line.count - 1) // 2 + line.count * (total - line.count)
    assert json.loads(json.dumps(summary.as_json()))["total"]["wins"] == summary.total.wins


def test_all_throws_at_full_size_to_the_last_digit() -> None:
    summary = calculate_round(dict.fromkeys(Throw, MAX_COUNT))
    assert MAX_COUNT**2 == 9_007_199_326_062_756
    assert [line.combined.wins for line in summary.by_throw] == [9_007_199_326_062_756] * 3
    assert [line.combined.ties for line in summary.by_throw] == [4_503_599_615_578_245] * 3
    assert all(line.outcome is Outcome.TIED for line in summary.by_throw)


@pytest.mark.parametrize(
    "text", ["-1", "94906267", "1.0", "1e3", "", " 1", "+1", "1_0", "٣", "rock", "nan", "9" * 5000]
)
def test_invalid_counts_are_refused(text: str) -> None:
    with pytest.raises(
        CountError, match="the number of players who threw paper must be from 0 to 94906266, not "
    ) as error:
        parse_count(PAPER, text)
    assert len(str(error.value)) < 150


def test_valid_counts() -> None:
    assert [parse_count(ROCK, text) for text in ("0", "007", "94906266", "0" * 5000)] == [0, 7, MAX_COUNT, 0]
    for number in (-1, MAX_COUNT + 1, True):
        with pytest.raises(CountError):
            check_count(ROCK, number)
        with pytest.raises(CountError):
            calculate_round({ROCK: 1, PAPER: 2, SCISSORS: number})


def test_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["calculate", "1", "2", "3"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "6 players, 15 battles",
        "",
        "move      players  each wins  loses  ties  score  all win  lose  tie  score  round",
        "rock            1          3      2     0     +1        3     2    0     +1    win",
        "paper           2          1      3     1     -1        2     6    1     -2   loss",
        "scissors        3          2      1     2     +1        6     3    3     +3    win",
        "total           6                                      11    11    4     +2",
        "",
        "          vs rock  vs paper  vs scissors",
        "rock          tie      loss          win",
        "paper         win       tie         loss",
        "scissors     loss       win          tie",
    ]
    assert run_command(["calculate", "4", "2", "0", "--count", "--inverted"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "6 players, 15 battles, inverted and count"
    assert out[5].endswith("nobody") and out[9].split() == ["rock", "tie", "win", "win"]


def test_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["calculate", "3", "2", "0", "--count", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "inverted": False,
        "count": True,
        "moves": {
            "rock": {
                "count": 3,
                "against": {"rock": "tie", "paper": "tie", "scissors": "win"},
                "each": {"wins": 0, "losses": 0, "ties": 4},
                "all": {"wins": 0, "losses": 0, "ties": 9},
                "outcome": "tie",
                "score": 0,
                "all_score": 0,
            },
            "paper": {
                "count": 2,
                "against": {"rock": "tie", "paper": "tie", "scissors": "win"},
                "each": {"wins": 0, "losses": 0, "ties": 4},
                "all": {"wins": 0, "losses": 0, "ties": 7},
                "outcome": "tie",
                "score": 0,
                "all_score": 0,
            },
            "scissors": {
                "count": 0,
                "against": {"rock": "loss", "paper": "loss", "scissors": "tie"},
                "each": {"wins": 0, "losses": 0, "ties": 0},
                "all": {"wins": 0, "losses": 0, "ties": 0},
                "outcome": None,
                "score": None,
                "all_score": 0,
            },
        },
        "total": {"players": 5, "battles": 10, "wins": 0, "losses": 0, "ties": 10, "score": 0},
    }


@pytest.mark.parametrize(
    "args",
    [
        ["-1", "2", "3"],
        ["1", "2", "94906267"],
        ["1", "two", "3"],
        ["1", "2"],
        ["1", "2", "3", "4"],
        ["1", "2", "3", "--cuont"],
        ["1", "2.5", "3", "--json"],
    ],
)
def test_command_errors_are_one_line(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["calculate", *args]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1 and captured.err.startswith("throwlock: ")
