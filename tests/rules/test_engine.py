"""The engine: which answers a prompt allows, what a seat may see, and pairs in parallel."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.engine import (
    BOX,
    Choices,
    FactValue,
    FormattedText,
    IllegalAnswerError,
    IllegalSetupError,
    IntRange,
    Option,
    Prompt,
    SealedPrompt,
    Setup,
    ThrowPrompt,
    TimeLimit,
    describe,
    quote,
)
from rules.events import Other
from rules.parallel import GameStep, run_in_parallel
from rules.throws import THROW_CHOICES


def test_choices_allow_only_values_of_the_same_type() -> None:
    numbers = Choices((1, 2))
    assert numbers.allows(1)
    other_types: tuple[Any, ...] = (True, 1.0, "1", None)
    assert not any(numbers.allows(value) for value in other_types)
    assert Choices((True,)).allows(True) and not Choices((True,)).allows(1)
    assert Choices((None, "x")).allows(None)


def test_int_range_allows_only_its_steps() -> None:
    span = IntRange(5, 20, 5)
    assert [n for n in range(-30, 31) if span.allows(n)] == [5, 10, 15, 20]
    assert [n for n in range(-30, 31) if IntRange(2, 12, 5).allows(n)] == [2, 7, 12]
    other_types: tuple[Any, ...] = (5.0, "5", True, None)
    assert not any(span.allows(value) for value in other_types)


def test_timeout_answers_the_default() -> None:
    timed = Prompt("bet", {1: IntRange(0, 10, 5)}, time_limit=TimeLimit(20, default=0))
    assert timed.check({1: None}) == {1: 0}
    assert ThrowPrompt({1: THROW_CHOICES}, may_be_missing=True).check({1: None}) == {1: None}
    assert ThrowPrompt({1: THROW_CHOICES}, time_limit=TimeLimit(3)).check({1: None}) == {1: None}
    with pytest.raises(IllegalAnswerError, match="seat 1 may not answer nothing to throw: rock or paper or scissors"):
        ThrowPrompt({1: THROW_CHOICES}).check({1: None})


def test_errors_name_the_seat_and_what_is_allowed() -> None:
    prompt = Prompt("bet", {1: IntRange(0, 10, 5), 2: IntRange(0, 5, 5)})
    with pytest.raises(IllegalAnswerError, match="seat 1 may not answer 7 to bet: 0 to 10 in steps of 5"):
        prompt.check({1: 7, 2: 0})
    with pytest.raises(IllegalAnswerError, match="seat 2 has not answered: bet is for seats 1, 2"):
        prompt.check({1: 5})
    with pytest.raises(IllegalAnswerError, match="seat 3 was not asked: bet is for seats 1, 2"):
        prompt.check({1: 5, 2: 5, 3: 5})


def test_quotes_are_cut_short() -> None:
    assert quote("a" * 10**6) == repr("a" * 41)[:40] + "…"
    assert quote(10**5000) == "a huge number"
    assert (quote("rock"), quote(True), quote(None), quote(7)) == ("'rock'", "true", "nothing", "7")


def test_draws_by_the_box_are_visible_to_nobody() -> None:
    prompt = SealedPrompt("shuffle", {BOX: IntRange(0, 5), 1: THROW_CHOICES})
    assert prompt.visible_answers({BOX: 3}, 1) == {}
    assert prompt.visible_answers({BOX: 3, 1: "rock"}, None) == {1: "rock"}
    assert Prompt("draw", {BOX: IntRange(0, 5)}).visible_answers({BOX: 3}, 1) == {}


def test_options_are_parsed_from_text() -> None:
    switch = Option("on", Choices((True, False)), True, "a switch")
    assert all(switch.parse(text) is True for text in ("yes", "True", "on"))
    assert all(switch.parse(text) is False for text in ("no", "false", "OFF"))
    assert describe(switch.allowed) == "yes or no"
    number = Option("n", IntRange(-5, 5), 0, "a number")
    assert number.parse("-5") == -5 and describe(number.allowed) == "-5 to 5"
    for text in ("6", "1.0", "", "yes"):
        with pytest.raises(IllegalSetupError, match="option n can’t be"):
            number.parse(text)
    assert Setup(2, {"n": 3, "word": "x"}).number("n") == 3


def prompt_kinds(seats: tuple[int, int], kinds: str) -> GameStep[str]:
    """A step that yields prompts of these kinds, reports the answers in events, and returns the kinds."""
    for number, kind in enumerate(kinds.split()):
        about: dict[str, FactValue] = {
            "phase": "trial",
            "number": {str(seat): number for seat in seats},
            "seats": list(seats),
        }
        answers = yield Prompt(kind, dict.fromkeys(seats, THROW_CHOICES), about=about)
        yield Other("answered", {"answers": [str(seat) for seat in answers]})
    return kinds


def test_parallel_pairs_throw_together_and_drop_out_when_done() -> None:
    running = run_in_parallel(
        [prompt_kinds((1, 2), "throw throw"), prompt_kinds((3, 4), "bet throw"), prompt_kinds((5, 6), "")]
    )
    asked = []
    step = next(running)
    with pytest.raises(StopIteration) as end:
        while True:
            if isinstance(step, Prompt):
                asked.append((step.kind, list(step.seats)))
                assert step.about["phase"] == "trial" and step.about["seats"] == list(step.seats)
                numbers = step.about["number"]
                assert isinstance(numbers, Mapping) and list(numbers) == [str(seat) for seat in step.seats]
                step = running.send(dict.fromkeys(step.seats, "rock"))
            else:
                step = next(running)
    assert asked == [("bet", [3, 4]), ("throw", [1, 2, 3, 4]), ("throw", [1, 2])]
    assert end.value.value == ["throw throw", "bet throw", ""]


def test_run_in_parallel_without_steps() -> None:
    with pytest.raises(StopIteration) as end:
        next(run_in_parallel([]))
    assert end.value.value == []


def test_formatted_text_allows_and_explains() -> None:
    def even(text: str) -> int:
        if not text.isdecimal() or int(text) % 2:
            raise ValueError("it is odd, not even")
        return int(text)

    option = Option("size", FormattedText(("none",), "an even number", even), "none", "how large")
    assert describe(option.allowed) == "none, or an even number"
    assert option.parse("none") == "none" and option.parse("12") == "12"
    with pytest.raises(IllegalSetupError, match="option size can’t be '3': it is odd, not even"):
        option.parse("3")
    with pytest.raises(IllegalSetupError, match="option size can’t be 12: an even number"):
        option.check(12)
    assert option.allowed.as_json() == {"form": "an even number"}
