"""The engine's own rules: what an ask allows, what a seat may see, and pairs on one shout."""

import pytest

from rules.engine import (
    BOX,
    Ask,
    Choices,
    Form,
    IllegalAnswerError,
    IllegalSetupError,
    Option,
    Say,
    Setup,
    Span,
    described,
    quoted,
    visible,
)
from rules.parallel import Part, on_one_shout
from rules.throws import THROWS


def test_choices_take_a_value_of_the_same_kind_only() -> None:
    numbers = Choices((1, 2))
    assert numbers.allows(1)
    assert not any(numbers.allows(value) for value in (True, 1.0, "1", None))
    assert Choices((True,)).allows(True) and not Choices((True,)).allows(1)
    assert Choices((None, "x")).allows(None)


def test_a_span_takes_its_steps_only() -> None:
    span = Span(5, 20, 5)
    assert [n for n in range(-30, 31) if span.allows(n)] == [5, 10, 15, 20]
    assert not any(span.allows(value) for value in (5.0, "5", True, None))


def test_time_that_runs_out_answers_the_default() -> None:
    timed = Ask("bet", {1: Span(0, 10, 5)}, seconds=20, default=0)
    assert timed.check({1: None}) == {1: 0}
    assert Ask("throw", {1: THROWS}, no_answer=True).check({1: None}) == {1: None}
    assert Ask("throw", {1: THROWS}, seconds=3).check({1: None}) == {1: None}
    with pytest.raises(IllegalAnswerError, match="seat 1 may not answer nothing to throw: rock or paper or scissors"):
        Ask("throw", {1: THROWS}).check({1: None})


def test_a_message_names_the_seat_and_what_is_allowed() -> None:
    ask = Ask("bet", {1: Span(0, 10, 5), 2: Span(0, 5, 5)})
    with pytest.raises(IllegalAnswerError, match="seat 1 may not answer 7 to bet: 0 to 10 in steps of 5"):
        ask.check({1: 7, 2: 0})
    with pytest.raises(IllegalAnswerError, match="seat 2 has not answered: bet is for seats 1, 2"):
        ask.check({1: 5})
    with pytest.raises(IllegalAnswerError, match="seat 3 was not asked: bet is for seats 1, 2"):
        ask.check({1: 5, 2: 5, 3: 5})


def test_messages_are_cut_short() -> None:
    assert quoted("a" * 10**6) == repr("a" * 41)[:40] + "…"
    assert quoted(10**5000) == "a huge number"
    assert (quoted("rock"), quoted(True), quoted(None), quoted(7)) == ("'rock'", "true", "nothing", "7")


def test_what_the_box_drew_is_shown_to_nobody() -> None:
    ask = Ask("shuffle", {BOX: Span(0, 5), 1: THROWS}, sealed=True)
    assert visible(ask, {BOX: 3}, 1) == {}
    assert visible(ask, {BOX: 3, 1: "rock"}, None) == {1: "rock"}
    assert visible(Ask("draw", {BOX: Span(0, 5)}), {BOX: 3}, 1) == {}


def test_an_option_is_read_as_it_is_written() -> None:
    switch = Option("on", Choices((True, False)), True, "a switch")
    assert (switch.read("yes"), switch.read("OFF")) == (True, False)
    assert switch.described() == "yes or no" == described(switch.allowed)
    number = Option("n", Span(-5, 5), 0, "a number")
    assert number.read("-5") == -5 and number.described() == "-5 to 5"
    for text in ("6", "1.0", "", "yes"):
        with pytest.raises(IllegalSetupError, match="option n can't be"):
            number.read(text)
    assert Setup(2, {"n": 3, "word": "x"}).number("n") == 3


def pair_of(seats: tuple[int, int], kinds: str) -> Part[str]:
    """A part that asks the kinds named, tells its answers, and gives what it asked."""
    for number, kind in enumerate(kinds.split()):
        about = {"phase": "trial", "number": {str(seat): number for seat in seats}, "who": list(seats)}
        answers = yield Ask(kind, dict.fromkeys(seats, THROWS), about=about)
        yield Say("heard", {"answers": [str(seat) for seat in answers]})
    return kinds


def test_pairs_side_by_side_throw_together_and_drop_out_when_done() -> None:
    together = on_one_shout([pair_of((1, 2), "throw throw"), pair_of((3, 4), "bet throw"), pair_of((5, 6), "")])
    asked = []
    step = next(together)
    with pytest.raises(StopIteration) as end:
        while True:
            if isinstance(step, Ask):
                asked.append((step.kind, list(step.seats)))
                assert step.about["phase"] == "trial" and step.about["who"] == list(step.seats)
                assert list(step.about["number"]) == [str(seat) for seat in step.seats]
                step = together.send(dict.fromkeys(step.seats, "rock"))
            else:
                step = next(together)
    assert asked == [("bet", [3, 4]), ("throw", [1, 2, 3, 4]), ("throw", [1, 2])]
    assert end.value.value == ["throw throw", "bet throw", ""]


def test_no_pairs_give_nothing() -> None:
    with pytest.raises(StopIteration) as end:
        next(on_one_shout([]))
    assert end.value.value == []


def test_a_form_takes_what_is_listed_and_what_is_of_the_form_and_says_what_is_wrong() -> None:
    def even(text: str) -> int:
        if not text.isdecimal() or int(text) % 2:
            raise ValueError("it is odd: an even number is wanted")
        return int(text)

    option = Option("size", Form(("none",), "an even number", even), "none", "how large")
    assert option.described() == "none, or an even number"
    assert option.read("none") == "none" and option.read("12") == "12"
    with pytest.raises(IllegalSetupError, match="option size can't be '3': it is odd: an even number is wanted"):
        option.read("3")
    with pytest.raises(IllegalSetupError, match="option size can't be 12: an even number"):
        option.check(12)
    assert option.allowed.as_json() == {"form": "an even number"}
