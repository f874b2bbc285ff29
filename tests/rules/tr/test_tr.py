"""t|r: every example of the rule page, random matches compared with an independent calculation, and invalid rolls."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import Game, IllegalAnswerError, IllegalSetupError, Play, Value
from rules.tr.match import TR
from rules.tr.roll import MAX_ROLL_NUMBER, IllegalRollError, Roll
from ui.text.verdicts import event_sentences

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
OUTCOMES = {  # what the player throws against a game master's rock
    "win": "paper",
    "tie": "rock",
    "lose": "scissors",
}
throws = st.sampled_from([*BEATS, None])
pairs = st.lists(st.tuples(throws, throws), min_size=80, max_size=80)
rolls = st.builds(Roll, st.integers(1, 40), st.integers(0, 45), st.integers(0, 50))


def play_roll(roll: str, outcomes: Sequence[str]) -> Play:
    """Play the roll with these outcomes."""
    play = Play(TR.set_up(2, {"roll": roll}))
    for outcome in outcomes:
        play.answer({1: OUTCOMES[outcome], 2: "rock"})
    return play


def outcome_and_degree(play: Play) -> tuple[object, object]:
    assert play.result
    return play.result.details["outcome"], play.result.details["degree"]


@pytest.mark.parametrize(
    ("roll", "thrown", "rethrown", "outcome", "degree"),
    [
        # the table of the rule page
        ("3|2-2", "win, tie, win", "win, lose", "success", 1),
        ("3|2-2", "win, lose, lose", "tie", "failure", -1),
        ("3|2-2", "lose, tie, lose", "", "botch", None),
        ("2", "tie, tie", "", "failed", None),
        # not in the table
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
def test_examples_of_the_rule_page(roll: str, thrown: str, rethrown: str, outcome: str, degree: int | None) -> None:
    outcomes = [word for part in (thrown, rethrown) for word in part.split(", ") if word]
    assert play_roll(roll, outcomes[:-1]).result is None
    play = play_roll(roll, outcomes)
    wins = outcomes.count("win")
    assert outcome_and_degree(play) == (outcome, degree)
    assert play.result and play.result.as_json() == {
        "result": {
            "winners": [1 if outcome == "success" else 2],
            "scores": {"1": wins, "2": 0},
            "outcome": outcome,
            "degree": degree,
        }
    }
    phases = [event.facts["phase"] for event in play.events if event.kind == "thrown"]
    assert phases == ["throws"] * len(thrown.split(", ")) + ["rethrows"] * (len(outcomes) - len(thrown.split(", ")))
    assert [event.facts["outcome"] for event in play.events if event.kind == "thrown"] == outcomes


def expected_result(roll: Roll, won: Sequence[int]) -> tuple[int, int, str, int | None]:
    """Return the throws a roll takes, its wins, outcome and degree, from a list of 1 (won), 0 (tied) and −1 (lost)."""
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
def test_random_rolls_agree_with_an_independent_calculation(roll: Roll, thrown: list[tuple[Value, Value]]) -> None:
    parts: dict[str, Value] = {"throws": roll.throws, "rethrows": roll.rethrows, "difficulty": roll.difficulty}
    play, count = Play(TR.set_up(2, parts)), 0
    while play.prompt:
        assert play.prompt.kind == "throw" and play.prompt.is_private and play.prompt.about["roll"] == str(roll)
        one, other = thrown[count % len(thrown)]
        before = [event for event in play.events if event.kind == "score"]
        events = play.answer({1: one, 2: other})
        scored = [event for event in events if event.kind == "score"]
        assert len(scored) == (result_of(one, other) == 1), "a score event if and only if the score changes"
        if scored:
            assert scored[0].facts == {"scores": {"1": len(before) + 1, "2": 0}}
        count += 1
    results = [result_of(*thrown[place % len(thrown)]) for place in range(count)]
    number, wins, outcome, degree = expected_result(roll, results)
    assert count == number and outcome_and_degree(play) == (outcome, degree)
    assert play.result and play.result.scores == {1: wins, 2: 0}
    assert play.result.winners == ((1,) if outcome == "success" else (2,))
    assert count <= roll.throws + min(roll.throws, roll.rethrows)
    assert all(event_sentences(event, {1: "Ada", 2: "Ben"}) for event in play.events)


@given(rolls, pairs)
@settings(deadline=None, max_examples=40)
def test_roll_option_is_the_same_game_as_its_parts(roll: Roll, thrown: list[tuple[Value, Value]]) -> None:
    written = Play(TR.set_up(2, {"roll": f" {roll} ", "throws": 7, "rethrows": 7, "difficulty": 7}))
    parts = Play(TR.set_up(2, {"throws": roll.throws, "rethrows": roll.rethrows, "difficulty": roll.difficulty}))
    for one, other in thrown:
        if written.prompt:
            written.answer({1: one, 2: other})
            parts.answer({1: one, 2: other})
        assert written.state() == parts.state()


def set_up(**options: Value) -> Game:
    return TR.set_up(2, options)


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        (
            "roll",
            "3|",
            "option roll can’t be '3|': no rethrows after |; write a roll as t|r-d",
        ),
        ("roll", "0", "a roll has at least 1 throw"),
        ("roll", "", "the throws are missing"),
        ("roll", 3, "option roll can’t be 3: t|r-d, such as"),
        ("roll", None, "option roll can’t be nothing: t|r-d, such as"),
        ("throws", 0, f"1 to {MAX_ROLL_NUMBER}"),
        ("throws", MAX_ROLL_NUMBER + 1, f"1 to {MAX_ROLL_NUMBER}"),
        ("rethrows", -1, f"0 to {MAX_ROLL_NUMBER}"),
        ("difficulty", 2.5, f"0 to {MAX_ROLL_NUMBER}"),
    ],
)
def test_invalid_rolls_are_refused(option: str, value: Value, why: str) -> None:
    with pytest.raises(IllegalSetupError) as error:
        set_up(**{option: value})
    assert why in str(error.value)


@pytest.mark.parametrize("seats", [0, 1, 3, 8])
def test_only_two_players(seats: int) -> None:
    with pytest.raises(IllegalSetupError, match="tr is for 2 players, not"):
        TR.set_up(seats)


@pytest.mark.parametrize("answers", [{}, {1: "rock"}, {1: "rock", 2: "lizard"}, {1: "rock", 2: "rock", 3: "rock"}])
def test_illegal_answers_are_refused(answers: dict[int, Value]) -> None:
    play = Play(set_up())
    before = play.state()
    with pytest.raises(IllegalAnswerError):
        play.answer(answers)
    assert play.state() == before


def test_longest_roll_ends() -> None:
    play, count = Play(set_up(roll=f"{MAX_ROLL_NUMBER}|{MAX_ROLL_NUMBER}-{MAX_ROLL_NUMBER}")), 0
    while play.prompt:
        play.answer({1: "rock", 2: "scissors"})
        count += 1
    assert count == 2 * MAX_ROLL_NUMBER and outcome_and_degree(play) == ("success", MAX_ROLL_NUMBER)


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ((1000, 0, 0), "throws can’t be 1000"),
        ((3, -1, 0), "rethrows can’t be -1"),
        ((3, 0, 1000), "difficulty can’t be 1000"),
    ],
)
def test_a_number_out_of_range_is_named(numbers: tuple[int, int, int], reason: str) -> None:
    with pytest.raises(IllegalRollError, match=f"^{reason}: 0 to 999 only; write a roll as"):
        Roll(*numbers)
