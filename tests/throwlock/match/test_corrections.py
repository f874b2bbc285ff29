"""What a correction makes of a match: pure, from events alone. Whatever people correct, the match can be replayed, and
what counts of it is what was thrown, as far as the game still asks for it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find
from rules.engine import Ask, Choices, Game, replay
from rules.throws import THROWS
from throwlock.journal.journal import Event
from throwlock.match.config import Billing, answers_in, public_view
from throwlock.match.corrections import (
    CORRECTION,
    Correction,
    CorrectionError,
    correction,
    course_in,
    disputable,
    disputed,
    fouls_in,
    readable,
    readings_of,
)
from throwlock.match.house_rules import House

CLASSIC = find("classic").set_up(2, {"best_of": 5})
REDEUX = find("redeux").set_up(2, {"risk": "always"})
R, P, S = "rock", "paper", "scissors"


class Book:
    """A match's events as the journal would have them, without a disk."""

    def __init__(self, game: Game = CLASSIC) -> None:
        self.game = game
        self.events: list[Event] = []
        names = ("Ada", "Ben", "Chidi", "Dora")[: game.setup.seats]
        self.write("began", Billing(game, names, House()).body())

    def write(self, kind: str, body: dict[str, Any]) -> int:
        number = len(self.events) + 1
        self.events.append(Event(number, 1, "", kind, json.loads(json.dumps(body)), "", ""))
        return number

    def thrown(self, *throws: str | None, fouls: dict[int, str] | None = None) -> int:
        """A round that counts; with fouls (verdicts by seat) one that is void."""
        fouls = fouls or {}
        seats = {
            str(seat): {"verdict": fouls.get(seat, "on time"), "throw": throw, "at_lock": throw}
            for seat, throw in enumerate(throws, 1)
        }
        body = {"asked": "throw", "judgement": {"seats": seats}, "fouls": list(fouls), "sentence": "Seen."}
        if not fouls:
            body["answers"] = {str(seat): throw for seat, throw in enumerate(throws, 1)}
        return self.write("void" if fouls else "answer", body)

    def correct(self, number: int, seat: int | None, to: str | None = None) -> Correction:
        made = correction(self.game, self.events, number, seat, to)
        self.write(CORRECTION, {**made.body(), "sentence": "Corrected."})
        return made

    @property
    def scores(self) -> dict[int, int]:
        said = replay(self.game, answers_in(self.events)).said
        last = next((one for one in reversed(said) if one.kind == "score"), None)
        return {} if last is None else {int(seat): points for seat, points in last.facts["scores"].items()}  # type: ignore[union-attr]


def test_a_later_round_counts_on_where_it_is_asked_as_it_was() -> None:
    book = Book()
    first, second = book.thrown(R, S), book.thrown(P, R)
    assert book.scores == {1: 2, 2: 0}
    made = book.correct(first, 1, P)
    assert (made.was, made.to, made.answers, made.dropped) == (R, P, {1: P, 2: S}, ())
    assert course_in(book.events) == {first: {1: P, 2: S}, second: {1: P, 2: R}}
    assert book.scores == {1: 1, 2: 1}


def test_what_is_asked_otherwise_or_not_at_all_is_dropped() -> None:
    book = Book()
    first, second, third = book.thrown(R, S), book.thrown(P, R), book.thrown(P, S)
    assert book.correct(first, 1, S).dropped == (second, third), "a tie: the first round is thrown again"
    assert list(course_in(book.events)) == [first]
    asked = replay(CLASSIC, answers_in(book.events)).asked
    assert asked is not None and asked.about["round"] == 1

    book = Book()
    first, second, third, fourth = book.thrown(R, S), book.thrown(S, R), book.thrown(R, S), book.thrown(R, P)
    assert book.correct(second, 2, P).dropped == (fourth,), "the third win of Ada's ends it"
    assert replay(CLASSIC, answers_in(book.events)).result is not None
    book.correct(second, 2, R)
    assert replay(CLASSIC, answers_in(book.events)).result is None


def test_a_round_made_void_is_asked_again_and_all_after_it() -> None:
    book = Book()
    first, second = book.thrown(R, S), book.thrown(P, R)
    assert book.correct(first, None).dropped == (second,)
    assert answers_in(book.events) == []
    with pytest.raises(CorrectionError, match="void already"):
        correction(CLASSIC, book.events, first, None)
    third = book.thrown(S, R)
    assert list(course_in(book.events)) == [third]
    assert disputable(CLASSIC, book.events, 5) == [third, first], "the second was asked in another course"


def test_a_void_round_counts_once_its_fouls_are_settled_in_place_of_what_was_thrown_instead() -> None:
    book = Book()
    void = book.thrown(R, P, fouls={2: "late"})
    again, later = book.thrown(S, S), book.thrown(P, R)
    made = book.correct(void, 2, P)
    assert (made.was, made.answers, made.dropped) == (P, {1: R, 2: P}, (again, later))
    assert course_in(book.events) == {void: {1: R, 2: P}}
    assert fouls_in(book.events) == {}, "what was corrected was no foul"


def test_every_foul_of_a_void_round_is_to_be_settled() -> None:
    book = Book()
    void = book.thrown(R, None, fouls={1: "changed", 2: "unseen"})
    assert book.correct(void, 1, R).answers is None
    assert readings_of(book.events, void).open == {2}
    assert answers_in(book.events) == []
    assert book.correct(void, 2, S).answers == {1: R, 2: S}
    assert book.scores == {1: 1, 2: 0}


def test_a_late_throw_is_read_as_what_it_came_to() -> None:
    book = Book()
    number = book.thrown(R, P, fouls={2: "late"})
    book.events[-1].body["judgement"]["seats"]["2"]["at_lock"] = R  # the fist it still was at the lock
    assert readings_of(book.events, number).values == {1: R, 2: P}


def test_a_round_that_the_camera_made_void_has_every_hand_open() -> None:
    book = Book()
    number = book.write(
        "void",
        {"asked": "throw", "fouls": [], "sentence": "It was dark.", "judgement": {"seats": {
            seat: {"verdict": "on time", "throw": R, "at_lock": R} for seat in ("1", "2")}}},
    )  # fmt: skip
    assert readings_of(book.events, number).open == {1, 2}


def test_what_can_not_be_corrected_is_said() -> None:
    book = Book()
    number = book.thrown(R, S)
    for seat, to, words in ((1, "well", "does not allow"), (7, R, "did not throw"), (1, R, "already")):
        with pytest.raises(CorrectionError, match=words):
            correction(CLASSIC, book.events, number, seat, to)
    for other in (1, 99):
        with pytest.raises(CorrectionError, match="no round"):
            correction(CLASSIC, book.events, other, 1, R)
    second = book.thrown(P, P)
    book.correct(number, 2, R)
    with pytest.raises(CorrectionError, match="another course"):
        disputed(CLASSIC, book.events, second)


def test_readings_are_those_the_game_takes() -> None:
    ask = Ask("throw", {1: THROWS, 2: Choices((R,))}, no_answer=True)
    assert readable(ask, 1, (R, P, S, None)) == (R, P, S, None)
    assert readable(ask, 2, (R, P, S, None)) == (R, None)
    assert readable(Ask("throw", {1: THROWS}), 1, (R, None)) == (R,)


def test_the_record_names_what_was_corrected_before_the_answers_that_count() -> None:
    book = Book()
    void = book.thrown(R, P, fouls={2: "late"})
    second = book.thrown(R, S)
    book.correct(second, 2, P)
    book.write("upheld", {"round": void, "sentence": "It stands."})
    lines = public_view(book.events)
    notes = [line for line in lines if {"void", "corrected", "upheld"} & line.keys()]
    assert notes == [
        {"void": void, "seats": [2], "sentence": "Seen.", "fouls": {"1": 0, "2": 1}},
        {"upheld": void},
        {"corrected": second, "seat": 2, "from": S, "to": P, "dropped": []},
    ]
    assert lines[lines.index(notes[-1]) + 1] == {"answers": {"1": R, "2": P}}
    assert lines[lines.index(notes[0]) - 1]["ask"] == "throw"


READINGS = (R, P, S, None)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([CLASSIC, REDEUX, find("classic").set_up(4)]))
def test_whatever_is_corrected_the_match_can_be_replayed(data: st.DataObject, game: Game) -> None:
    book = Book(game)
    for _ in range(data.draw(st.integers(2, 25))):
        rounds = disputable(game, book.events, 4)
        if rounds and data.draw(st.integers(0, 3)) == 0:
            correct_something(book, rounds, data)
        else:
            go_on(book, data)
        course = course_in(book.events)
        assert list(course) == sorted(course)
        position = replay(game, answers_in(book.events))
        assert position.asked is not None or position.result is not None
        assert not any(count < 0 for count in fouls_in(book.events).values())
    public_view(book.events)


def go_on(book: Book, data: st.DataObject) -> None:
    """The next answer, or a void round."""
    asked = replay(book.game, answers_in(book.events)).asked
    if asked is None:
        return
    if asked.kind != "throw":
        given = {seat: data.draw(st.sampled_from(choices(options))) for seat, options in asked.seats.items()}
        book.write("answer", {"asked": asked.kind, "answers": given})
        return
    count = book.game.setup.seats
    throws = [data.draw(st.sampled_from(READINGS[:3])) if seat in asked.seats else None for seat in range(1, count + 1)]
    foul = data.draw(st.sampled_from([None, *asked.seats]))
    number = book.thrown(*throws, fouls={foul: "unclear"} if foul and data.draw(st.booleans()) else None)
    body = book.events[number - 1].body
    for name in [name for name in body["judgement"]["seats"] if int(name) not in asked.seats]:
        del body["judgement"]["seats"][name]
        body.get("answers", {}).pop(name, None)


def choices(options: Any) -> Sequence[Any]:
    return options.values if isinstance(options, Choices) else range(options.start, options.stop + 1, options.step)


def correct_something(book: Book, rounds: list[int], data: st.DataObject) -> None:
    number = data.draw(st.sampled_from(rounds))
    before = course_in(book.events)
    seat = data.draw(st.sampled_from([None, *readings_of(book.events, number).values]))
    to = data.draw(st.sampled_from(READINGS)) if seat else None
    try:
        made = book.correct(number, seat, to)
    except CorrectionError:
        return
    after = course_in(book.events)
    untouched = {other: answers for other, answers in before.items() if other < number}
    assert {other: answers for other, answers in after.items() if other < number} == untouched
    assert after.keys() == (before.keys() - set(made.dropped) - {number}) | ({number} if made.answers else set())
    if made.answers and not made.dropped and number in before:
        book.correct(number, seat, made.was)
        assert course_in(book.events) == before, "corrected back"
