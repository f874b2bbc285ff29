"""Rounds made to be timed."""

from rules.throws import Throw
from tools.trials.timing import make_round


def test_rounds_of_one_throw_have_the_players_times_of_any_round() -> None:
    for seed in range(5):
        usual, rocks = make_round(seed, 30), make_round(seed, 30, only=Throw.ROCK)
        assert {one.throw for one in rocks.performances} == {"rock"}
        assert [one.after_cue_ns for one in rocks.performances] == [one.after_cue_ns for one in usual.performances]
        assert make_round(seed, 30, True, Throw.ROCK).performances[0].habits.pump_heights != (1.0, 1.0, 1.0, 1.0)
