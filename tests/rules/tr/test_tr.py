"""t|r: every example of the rule page, random matches beside a second reckoning, and what is refused."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import Game, IllegalAnswerError, IllegalSetupError, Play, Value
from rules.tr.match import TR
from rules.tr.roll import MOST, Roll
from ui.text.verdicts import tell

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
OUTCOMES = {  # what the player throws against a game master's rock
    "win": "paper",
    "tie": "rock",
    "lose": "scissors",
}
throws = st.sampled_from([*BEATS, None])
pairs = st.lists(st.tuples(throws, throws), min_size=80, max_size=80)
rolls = st.builds(Roll, st.integers(1, 40), st.integers(0, 45), st.integers(0, 50))


def rolled(roll: str, outcomes: Sequence[str]) -> Play:
    """The roll thrown with these outcomes."""
    play = Play(TR.set_up(2, {"roll": roll}))
    for outcome in outcomes:
        play.answer({1: OUTCOMES[outcome], 2: "rock"})
    return play


def told(play: Play) -> tuple[object, object]:
    assert play.result
    return play.result.more["outcome"], play.result.more["degree"]


@pytest.mark.parametrize(
    ("roll", "thrown", "rethrown", "outcome", "degree"),
    [
        # the table of the rule page
        ("3|2-2", "win, tie, win", "win, lose", "success", 1),
        ("3|2-2", "win, lose, lose", "tie", "failure", -1),
        ("3|2-2", "lose, tie, lose", "", "botch", None),
        ("2", "tie, tie", "", "failed", None),
        # and beside it
        ("3|2-2", "win, win, win", "lose, lose", "success", 1),
        ("3|2-3", "win, win, lose", "lose, win", "success", 0),
        ("3-1", "lose, win, lose", "", "success", 0),
        ("3-2", "lose, win, lose", "", "failure", -1),
        ("3", "lose, lose, win", "", "success", 1),
        ("1|5", "win", "win", "success", 2),
        ("1", "lose", "", "botch", None),
        ("3|3", "tie, tie, tie", "", "failed", None),
    ],
)
def test_examples(roll: str, thrown: str, rethrown: str, outcome: str, degree: int | None) -> None:
    outcomes = [word for part in (thrown, rethrown) for word in part.split(", ") if word]
    assert rolled(roll, outcomes[:-1]).result is None
    play = rolled(roll, outcomes)
    wins = outcomes.count("win")
    assert told(play) == (outcome, degree)
    assert play.result and play.result.as_json() == {
        "result": {
            "winners": [1 if outcome == "success" else 2],
            "scores": {"1": wins, "2": 0},
            "outcome": outcome,
            "degree": degree,
        }
    }
    phases = [say.facts["phase"] for say in play.said if say.kind == "thrown"]
    assert phases == ["throws"] * len(thrown.split(", ")) + ["rethrows"] * (len(outcomes) - len(thrown.split(", ")))
    assert [say.facts["outcome"] for say in play.said if say.kind == "thrown"] == outcomes


def reckoned(roll: Roll, won: Sequence[int]) -> tuple[int, int, str, int | None]:
    """How many throws a roll takes, its wins, outcome and degree, from a list of 1 (won), 0 (tied) and −1 (lost)."""
    first = won[: roll.throws]
    wins = sum(each == 1 for each in first)
    if wins == 0:
        return len(first), 0, "botch" if -1 in first else "failed", None
    more = won[roll.throws :][: min(wins, roll.rethrows)]
    total = wins + sum(each == 1 for each in more)
    degree = total - roll.difficulty
    return len(first) + len(more), total, "failure" if degree < 0 else "success", degree


def result_of(one: Value, other: Value) -> int:
    if one == other:
        return 0
    return 1 if other is None or (isinstance(one, str) and BEATS[one] == other) else -1


@given(rolls, pairs)
@settings(deadline=None)
def test_a_random_roll_comes_out_as_reckoned_a_second_way(roll: Roll, thrown: list[tuple[Value, Value]]) -> None:
    parts: dict[str, Value] = {"throws": roll.throws, "rethrows": roll.rethrows, "difficulty": roll.difficulty}
    play, count = Play(TR.set_up(2, parts)), 0
    while play.asked:
        assert play.asked.kind == "throw" and play.asked.sealed and play.asked.about["roll"] == str(roll)
        one, other = thrown[count % len(thrown)]
        before = [say for say in play.said if say.kind == "score"]
        news = play.answer({1: one, 2: other})
        scored = [say for say in news if say.kind == "score"]
        assert len(scored) == (result_of(one, other) == 1), "the score is said where it changes and nowhere else"
        if scored:
            assert scored[0].facts == {"scores": {"1": len(before) + 1, "2": 0}}
        count += 1
    results = [result_of(*thrown[place % len(thrown)]) for place in range(count)]
    number, wins, outcome, degree = reckoned(roll, results)
    assert count == number and told(play) == (outcome, degree)
    assert play.result and play.result.scores == {1: wins, 2: 0}
    assert play.result.winners == ((1,) if outcome == "success" else (2,))
    assert count <= roll.throws + min(roll.throws, roll.rethrows)
    assert all(tell(say, {1: "Ada", 2: "Ben"}) for say in play.said)


@given(rolls, pairs)
@settings(deadline=None, max_examples=40)
def test_a_roll_written_is_the_same_game_as_its_parts(roll: Roll, thrown: list[tuple[Value, Value]]) -> None:
    written = Play(TR.set_up(2, {"roll": f" {roll} ", "throws": 7, "rethrows": 7, "difficulty": 7}))
    parts = Play(TR.set_up(2, {"throws": roll.throws, "rethrows": roll.rethrows, "difficulty": roll.difficulty}))
    for one, other in thrown:
        if written.asked:
            written.answer({1: one, 2: other})
            parts.answer({1: one, 2: other})
        assert written.position() == parts.position()


def set_up(**options: Value) -> Game:
    return TR.set_up(2, options)


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        (
            "roll",
            "3|",
            "option roll can't be '3|': nothing stands after |, where rethrows should; a roll is written t|r-d",
        ),
        ("roll", "0", "it has no throws: at least 1 is thrown"),
        ("roll", "", "the throws are missing"),
        ("roll", 3, "option roll can't be 3: t|r-d, such as"),
        ("roll", None, "option roll can't be nothing: t|r-d, such as"),
        ("throws", 0, f"1 to {MOST}"),
        ("throws", MOST + 1, f"1 to {MOST}"),
        ("rethrows", -1, f"0 to {MOST}"),
        ("difficulty", 2.5, f"0 to {MOST}"),
    ],
)
def test_what_is_no_roll_is_refused(option: str, value: Value, why: str) -> None:
    with pytest.raises(IllegalSetupError) as fault:
        set_up(**{option: value})
    assert why in str(fault.value)


@pytest.mark.parametrize("seats", [0, 1, 3, 8])
def test_a_player_and_a_game_master_and_nobody_else(seats: int) -> None:
    with pytest.raises(IllegalSetupError, match="tr is for 2 players, not"):
        TR.set_up(seats)


@pytest.mark.parametrize("answers", [{}, {1: "rock"}, {1: "rock", 2: "lizard"}, {1: "rock", 2: "rock", 3: "rock"}])
def test_anything_but_a_throw_each_is_refused(answers: dict[int, Value]) -> None:
    play = Play(set_up())
    before = play.position()
    with pytest.raises(IllegalAnswerError):
        play.answer(answers)
    assert play.position() == before


def test_the_longest_roll_is_played_to_its_end() -> None:
    play, count = Play(set_up(roll=f"{MOST}|{MOST}-{MOST}")), 0
    while play.asked:
        play.answer({1: "rock", 2: "scissors"})
        count += 1
    assert count == 2 * MOST and told(play) == ("success", MOST)
