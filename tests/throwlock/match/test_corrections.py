"""What a correction makes of a match: pure, from events alone. Whatever people correct, the match can be replayed, and
what counts of it is what was thrown, as far as the game still asks for it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find_game
from rules.engine import Choices, Game, Json, Result, Rules, Script, Setup, ThrowPrompt, TimeLimit, replay
from rules.record.match import REFEREE, MatchView
from rules.record.round import RoundView
from rules.throws import THROW_CHOICES
from tests.helpers.journal_events import round_body, seat_record
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, Body, Corrected, DisputeRejected, decode_body, encode_body
from throwlock.journal.journal import Event, JournalError
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig
from throwlock.replay.corrections import (
    CorrectionError,
    allowed_readings,
    count_fouls,
    disputable_rounds,
    disputed_round,
    plan_correction,
)
from throwlock.replay.project import project
from throwlock.replay.public_log import public_log

CLASSIC = find_game("classic").set_up(2, {"best_of": 5})
REDEUX = find_game("redeux").set_up(2, {"risk": "always"})
R, P, S = "rock", "paper", "scissors"


def counting(events: Sequence[Event]) -> list[dict[int, Any]]:
    """Return the answers that count."""
    return list(effective_answers(events).values())


class FakeJournal:
    """A match's events as the journal would have them, without a disk."""

    def __init__(self, game: Game = CLASSIC) -> None:
        self.game = game
        self.events: list[Event] = []
        names = ("Ada", "Ben", "Chidi", "Dora")[: game.setup.seats]
        self.write(MatchConfig(game, names, HouseRules()).start_event(), names)

    def write(self, body: Body, names: tuple[str, ...] = ()) -> int:
        number = len(self.events) + 1
        self.events.append(Event(number, 1, "", decode_body(body.kind, encode_body(body)), "", "", names))
        return number

    def thrown(self, *throws: str | None, fouls: dict[int, str] | None = None) -> int:
        """A round that counts; with fouls (verdicts by seat) one that is void."""
        fouls = fouls or {}
        seats = {seat: seat_record(fouls.get(seat, "on time"), throw) for seat, throw in enumerate(throws, 1)}
        return self.write(round_body(seats, None if fouls else dict(enumerate(throws, 1)), tuple(fouls)))

    def correct(self, number: int, seat: int | None, to: str | None = None) -> Corrected:
        made = plan_correction(self.view, number, seat, to)
        self.write(made.model_copy(update={"text": "Corrected."}))
        return made

    @property
    def view(self) -> MatchView:
        """The match as the referee sees it."""
        return project(self.events, REFEREE, game=self.game)

    @property
    def scores(self) -> dict[int, Json]:
        said = replay(self.game, counting(self.events)).events
        last = next((one for one in reversed(said) if one.kind == "score"), None)
        scores = {} if last is None else last.facts["scores"]
        assert isinstance(scores, Mapping)
        return {int(seat): points for seat, points in scores.items()}


def round_of(book: FakeJournal, number: int) -> RoundView:
    """Return a round as the referee sees it."""
    return next(line for line in book.view.rounds if line.event == number)


def disputable_events(book: FakeJournal, limit: int) -> list[int]:
    """Return the events of the last disputable rounds."""
    return [line.event for line in disputable_rounds(book.view, limit)]


def test_later_round_still_counts_if_asked_in_the_same_way() -> None:
    book = FakeJournal()
    first, second = book.thrown(R, S), book.thrown(P, R)
    assert book.scores == {1: 2, 2: 0}
    made = book.correct(first, 1, P)
    assert (made.previous, made.to, made.answers, made.dropped) == (R, P, {1: P, 2: S}, ())
    assert effective_answers(book.events) == {first: {1: P, 2: S}, second: {1: P, 2: R}}
    assert book.scores == {1: 1, 2: 1}


def test_all_later_rounds_still_count_if_asked_in_the_same_way() -> None:
    book = FakeJournal()
    first, *later = book.thrown(R, S), book.thrown(P, R), book.thrown(S, R)
    assert book.correct(first, 1, P).dropped == ()
    assert list(effective_answers(book.events)) == [first, *later]
    assert book.scores == {1: 1, 2: 2}


def play_three_throws(setup: Setup) -> Script:
    """Ask for three throws with prompts that look the same; seat 1 may miss the second if its first was a rock."""
    answers = yield ThrowPrompt({1: THROW_CHOICES})
    yield ThrowPrompt({1: THROW_CHOICES}, may_be_missing=answers[1] == R)
    yield ThrowPrompt({1: THROW_CHOICES})
    return Result((), {})


def test_an_answer_no_longer_allowed_is_dropped_with_all_after_it() -> None:
    rules = Rules("classic", "Three throws", 1, 1, 2, "A game for this test.", (), play_three_throws)
    book = FakeJournal(rules.set_up(1))
    first, *later = book.thrown(R), book.thrown(None), book.thrown(S)
    assert plan_correction(book.view, first, 1, P).dropped == tuple(later)


def test_answers_no_longer_asked_are_dropped() -> None:
    book = FakeJournal()
    first, second, third = book.thrown(R, S), book.thrown(P, R), book.thrown(P, S)
    assert book.correct(first, 1, S).dropped == (second, third), "a tie: the first round is thrown again"
    assert list(effective_answers(book.events)) == [first]
    asked = replay(CLASSIC, counting(book.events)).prompt
    assert asked is not None and asked.about["round"] == 1

    book = FakeJournal()
    first, second, third, fourth = book.thrown(R, S), book.thrown(S, R), book.thrown(R, S), book.thrown(R, P)
    assert book.correct(second, 2, P).dropped == (fourth,), "the third win of Ada's ends it"
    assert replay(CLASSIC, counting(book.events)).result is not None
    book.correct(second, 2, R)
    assert replay(CLASSIC, counting(book.events)).result is None


def test_round_made_void_is_asked_again_with_all_after_it() -> None:
    book = FakeJournal()
    first, second = book.thrown(R, S), book.thrown(P, R)
    assert book.correct(first, None).dropped == (second,)
    assert counting(book.events) == []
    with pytest.raises(CorrectionError, match="already void"):
        plan_correction(book.view, first, None)
    third = book.thrown(S, R)
    assert list(effective_answers(book.events)) == [third]
    assert disputable_events(book, 5) == [third, first], "the second was asked in another course"


def test_settled_void_round_replaces_the_round_thrown_instead() -> None:
    book = FakeJournal()
    void = book.thrown(R, P, fouls={2: "late"})
    again, later = book.thrown(S, S), book.thrown(P, R)
    made = book.correct(void, 2, P)
    assert (made.previous, made.answers, made.dropped) == (P, {1: R, 2: P}, (again, later))
    assert effective_answers(book.events) == {void: {1: R, 2: P}}
    assert count_fouls(book.events) == {}, "what was corrected was no foul"


def test_settling_a_void_round_drops_only_its_replay() -> None:
    book = FakeJournal()
    first, void = book.thrown(R, R), book.thrown(R, P, fouls={2: "late"})
    instead, later = book.thrown(S, S), book.thrown(P, S)
    assert book.correct(void, 2, R).dropped == (instead,), "a tie, as those before and after it"
    assert list(effective_answers(book.events)) == [first, void, later]
    assert book.scores == {1: 0, 2: 1}


def test_a_round_made_void_counts_again_when_every_hand_is_settled() -> None:
    book = FakeJournal()
    number = book.thrown(R, S)
    book.correct(number, None)
    assert round_of(book, number).unsettled_seats == {1, 2}
    assert book.correct(number, 1, R).answers is None
    assert book.correct(number, 2, S).answers == {1: R, 2: S}


def test_a_round_without_a_required_throw_can_not_be_settled() -> None:
    """Another hand hid the first one: nobody's foul, so its reading is not unsettled."""
    book = FakeJournal(find_game("redeux").set_up(2, {"play_with": "cards", "cards": "table"}))
    book.write(Answered(prompt="place", answers={1: "down", 2: "down"}))
    void = book.thrown(None, P, fouls={2: "late"})
    with pytest.raises(CorrectionError, match="seat 1 may not answer nothing"):
        plan_correction(book.view, void, 2, P)


def test_every_foul_of_a_void_round_must_be_settled() -> None:
    book = FakeJournal()
    void = book.thrown(R, None, fouls={1: "changed", 2: "unseen"})
    assert book.correct(void, 1, R).answers is None
    assert round_of(book, void).unsettled_seats == {2}
    assert counting(book.events) == []
    assert book.correct(void, 2, S).answers == {1: R, 2: S}
    assert book.scores == {1: 1, 2: 0}


def test_only_the_hand_too_close_to_call_must_be_settled() -> None:
    book = FakeJournal()
    doubtful = seat_record("too close to call", P, at_lock=R)
    number = book.write(round_body({1: seat_record(throw=R), 2: doubtful}))
    assert round_of(book, number).readings == {1: R, 2: P}
    assert round_of(book, number).unsettled_seats == {2}
    assert count_fouls(book.events) == {}
    assert book.correct(number, 2, P).answers == {1: R, 2: P}
    assert book.scores == {1: 0, 2: 1}


def test_fouling_and_unjudged_hands_must_be_settled() -> None:
    book = FakeJournal()
    seats = {1: seat_record("late", R), 2: seat_record("too close to call", P, at_lock=R)}
    number = book.write(round_body(seats, fouls=(1,)))
    assert round_of(book, number).unsettled_seats == {1, 2}
    moved = {"kind": "moved", "seat": None, "measured": 9}
    number = book.write(round_body({1: seat_record(), 2: seats[2]}, void_reason=moved))
    assert round_of(book, number).unsettled_seats == {1, 2}


def test_late_throw_is_read_as_what_it_became() -> None:
    book = FakeJournal()
    fist = seat_record("late", P, at_lock=R)  # it still was one at the lock
    number = book.write(round_body({1: seat_record(throw=R), 2: fist}, fouls=(2,)))
    assert round_of(book, number).readings == {1: R, 2: P}


def test_a_changed_throw_is_read_as_the_lock_shows_it() -> None:
    book = FakeJournal()
    changed = seat_record("changed", P, at_lock=S)
    number = book.write(round_body({1: seat_record(throw=R), 2: changed}, fouls=(2,)))
    assert round_of(book, number).readings == {1: R, 2: S}


def test_round_void_by_the_camera_has_every_hand_unsettled() -> None:
    book = FakeJournal()
    number = book.write(round_body(text="It was dark."))
    assert round_of(book, number).unsettled_seats == {1, 2}
    assert book.correct(number, 1, R).answers is None
    assert book.correct(number, 2, S).answers == {1: R, 2: S}


def test_impossible_corrections_are_refused() -> None:
    book = FakeJournal()
    number = book.thrown(R, S)
    for seat, to, words in (
        (1, "well", "seat 1 can’t have thrown well: the game does not allow it"),
        (7, R, "seat 7 did not throw"),
        (1, R, "seat 1 is already read as rock"),
    ):
        with pytest.raises(CorrectionError, match=words):
            plan_correction(book.view, number, seat, to)
    for other in (1, 99):
        with pytest.raises(CorrectionError, match="not a round"):
            disputed_round(book.view, other)
    second = book.thrown(P, P)
    assert disputable_events(book, 1) == [second]
    assert disputable_events(book, 2) == [second, number]
    book.correct(number, 2, R)
    with pytest.raises(CorrectionError, match="have removed the round"):
        disputed_round(book.view, second)


def test_readings_are_those_the_game_allows() -> None:
    ask = ThrowPrompt({1: THROW_CHOICES, 2: Choices((R,))}, may_be_missing=True)
    assert allowed_readings(ask, 1) == (R, P, S, None)
    assert allowed_readings(ask, 2) == (R, None)
    assert allowed_readings(ThrowPrompt({1: THROW_CHOICES}), 1) == (R, P, S)
    assert allowed_readings(ThrowPrompt({1: THROW_CHOICES}, time_limit=TimeLimit(20)), 1) == (R, P, S, None)


def test_public_log_lists_corrections_before_the_answers_that_count() -> None:
    book = FakeJournal()
    void = book.thrown(R, P, fouls={2: "late"})
    second = book.thrown(R, S)
    book.correct(second, 2, P)
    book.write(DisputeRejected(round=void, text="It stands."))
    lines = public_log(book.events)
    notes = [line for line in lines if {"void", "corrected", "dispute_rejected"} & line.keys()]
    assert notes == [
        {"void": void, "seats": [2], "text": "Seen.", "fouls": {"1": 0, "2": 1}},
        {"dispute_rejected": void},
        {"corrected": second, "seat": 2, "from": S, "to": P, "dropped": []},
    ]
    assert lines[lines.index(notes[-1]) + 1] == {"answers": {"1": R, "2": P}}
    assert lines[lines.index(notes[0]) - 1]["ask"] == "throw"


def test_an_illegal_answer_leaves_no_public_log() -> None:
    book = FakeJournal()
    book.write(Answered(prompt="throw", answers={1: "well", 2: R}))
    with pytest.raises(JournalError, match="match 1 can’t be replayed: seat 1 may not answer"):
        public_log(book.events)


READINGS = (R, P, S, None)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([CLASSIC, REDEUX, find_game("classic").set_up(4)]))
def test_corrected_match_can_be_replayed(data: st.DataObject, game: Game) -> None:
    book = FakeJournal(game)
    for _ in range(data.draw(st.integers(2, 25))):
        rounds = disputable_events(book, 4)
        if rounds and data.draw(st.integers(0, 3)) == 0:
            correct_something(book, rounds, data)
        else:
            go_on(book, data)
        course = effective_answers(book.events)
        assert list(course) == sorted(course)
        position = replay(game, counting(book.events))
        assert position.prompt is not None or position.result is not None
        assert not any(count < 0 for count in count_fouls(book.events).values())
    public_log(book.events)


def go_on(book: FakeJournal, data: st.DataObject) -> None:
    """The next answer, or a void round."""
    asked = replay(book.game, counting(book.events)).prompt
    if asked is None:
        return
    if asked.kind != "throw":
        given = {seat: data.draw(st.sampled_from(choices(options))) for seat, options in asked.seats.items()}
        book.write(Answered(prompt=asked.kind, answers=given))
        return
    throws = {seat: data.draw(st.sampled_from(READINGS[:3])) for seat in asked.seats}
    foul = data.draw(st.sampled_from([None, *asked.seats]))
    voided = foul is not None and data.draw(st.booleans())
    seats = {seat: seat_record("unclear" if voided and seat == foul else "on time", throws[seat]) for seat in throws}
    book.write(round_body(seats, None if voided else throws, (foul,) if voided and foul is not None else ()))


def choices(options: Any) -> Sequence[Any]:
    return options.values if isinstance(options, Choices) else range(options.start, options.stop + 1, options.step)


def correct_something(book: FakeJournal, rounds: list[int], data: st.DataObject) -> None:
    number = data.draw(st.sampled_from(rounds))
    before = effective_answers(book.events)
    seat = data.draw(st.sampled_from([None, *round_of(book, number).readings]))
    to = data.draw(st.sampled_from(READINGS)) if seat else None
    try:
        made = book.correct(number, seat, to)
    except CorrectionError:
        return
    after = effective_answers(book.events)
    untouched = {other: answers for other, answers in before.items() if other < number}
    assert {other: answers for other, answers in after.items() if other < number} == untouched
    assert after.keys() == (before.keys() - set(made.dropped) - {number}) | ({number} if made.answers else set())
    if made.answers and not made.dropped and number in before:
        assert made.previous is None or isinstance(made.previous, str), "a throw"
        book.correct(number, seat, made.previous)
        assert effective_answers(book.events) == before, "corrected back"
