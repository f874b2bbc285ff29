"""Classic: best of N between two, and choosing one of many."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find_game
from rules.classic import losers
from rules.engine import IllegalSetupError, Play
from rules.throws import THROW_CHOICES, Throw, winner_and_loser

CLASSIC = find_game("classic")
ROCK, PAPER, SCISSORS = Throw
ANY = [*Throw, None]


def test_which_throw_beats_which() -> None:
    wins = {(ROCK, SCISSORS), (SCISSORS, PAPER), (PAPER, ROCK)}
    for one, other in product(Throw, Throw):
        assert one.beats(other) == ((one, other) in wins)
        expected = None if one is other else (4, 7) if (one, other) in wins else (7, 4)
        assert winner_and_loser({4: one, 7: other}) == expected
    for throw in Throw:
        assert throw.beats(None)
        assert winner_and_loser({1: throw, 2: None}) == (1, 2) and winner_and_loser({1: None, 2: throw}) == (2, 1)
    assert winner_and_loser({1: None, 2: None}) is None


def test_throw_answers_become_plain_strings() -> None:
    assert THROW_CHOICES.as_json() == ["rock", "paper", "scissors"]
    play = Play(CLASSIC.set_up(2))
    events = play.answer({1: Throw.ROCK, 2: "paper"})
    assert events[0].facts == {"seat": 2, "throws": {"1": "rock", "2": "paper"}}
    assert all(type(throw) is str for throw in events[0].facts["throws"].values())


@pytest.mark.parametrize("best_of", [1, 3, 5, 99])
def test_best_of_n_ends_when_a_player_has_won_more_than_half(best_of: int) -> None:
    play = Play(CLASSIC.set_up(2, {"best_of": best_of}))
    needed = best_of // 2 + 1
    for _ in range(needed - 1):
        play.answer({1: "rock", 2: "paper"})
        play.answer({1: "rock", 2: "scissors"})
        assert play.result is None
    play.answer({1: "paper", 2: "paper"})
    assert play.result is None, "a tie is thrown again"
    play.answer({1: "rock", 2: "scissors"})
    assert play.result and play.result.winners == (1,) and play.result.scores == {1: needed, 2: needed - 1}


def test_a_prompt_has_its_round_and_who_throws_again() -> None:
    play = Play(CLASSIC.set_up(2))
    assert play.prompt and play.prompt.about == {"round": 1, "best_of": 3}
    play.answer({1: "rock", 2: "rock"})
    assert play.prompt.about == {"round": 1, "best_of": 3, "again": [1, 2]}
    play.answer({1: "rock", 2: "scissors"})
    assert play.prompt.about == {"round": 2, "best_of": 3}


def test_choosing_one_reports_who_drops_out_and_repeats_ties() -> None:
    play = Play(CLASSIC.set_up(3))
    assert play.prompt and play.prompt.about == {"left": [1, 2, 3]}
    (event,) = play.answer({1: "rock", 2: "paper", 3: "scissors"})
    assert event.as_json() == {"say": "tie", "throws": {"1": "rock", "2": "paper", "3": "scissors"}}
    assert play.prompt.about == {"left": [1, 2, 3], "again": [1, 2, 3]}
    (event,) = play.answer({1: "rock", 2: "rock", 3: "scissors"})
    assert (event.kind, event.facts["seats"], event.facts["left"]) == ("out", [3], [1, 2])
    assert play.prompt.about == {"left": [1, 2]}


@pytest.mark.parametrize(("seats", "best_of"), [(1, 3), (9, 3), (2, 2), (2, 101), (2, -1)])
def test_allowed_players_and_best_of(seats: int, best_of: int) -> None:
    with pytest.raises(IllegalSetupError):
        CLASSIC.set_up(seats, {"best_of": best_of})


@given(st.lists(st.sampled_from(ANY), min_size=2, max_size=8))
@settings(deadline=None)
def test_losers_drop_out_if_exactly_two_throws_are_present(throws: list[Throw | None]) -> None:
    thrown = dict(enumerate(throws, 1))
    out = losers(thrown)
    present = set(throws) - {None}
    showed_none = [seat for seat, throw in thrown.items() if throw is None]
    assert len(out) < len(thrown), "somebody is always left"
    if not present:
        assert out == []
    elif len(present) == 2:
        one, other = present
        assert one and other
        worse = other if one.beats(other) else one
        assert out == [seat for seat, throw in thrown.items() if throw in (worse, None)]
    else:
        assert out == showed_none


@pytest.mark.parametrize("seats", range(3, 9))
def test_choosing_one_scores_1_for_the_player_left(seats: int) -> None:
    play = Play(CLASSIC.set_up(seats))
    for last in range(seats, 1, -1):
        assert play.prompt and list(play.prompt.seats) == list(range(1, last + 1))
        play.answer({**dict.fromkeys(range(1, last), "rock"), last: "scissors"})
    assert play.result and play.result.winners == (1,)
    assert play.result.scores == {seat: int(seat == 1) for seat in range(1, seats + 1)}
