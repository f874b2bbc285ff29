"""The model of a match: the same from one event at a time as from all, the referee's is the game, and nobody else's has
anything that is sealed or secret."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import GAMES, find_game
from rules.engine import Choices, Game, Play, Prompt, Result, Rules, Script, SecretPrompt, Setup, replay
from rules.record.judgement import VOID_VERDICT
from rules.record.match import REFEREE, MatchState, Viewer
from rules.record.round import RoundView
from rules.throws import THROW_CHOICES, Outcome, Throw
from tests.helpers.journal_events import round_body, seat_record
from tests.helpers.match_events import EventList, random_events
from tests.helpers.random_games import games_of, viewers, visible_to_viewer
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.journal import Event
from throwlock.replay.answers import effective_answers
from throwlock.replay.corrections import (
    correction_event,
    count_fouls,
    rejection_event,
)
from throwlock.replay.project import MatchFold, project

R, P, S = "rock", "paper", "scissors"
CLASSIC = find_game("classic").set_up(2, {"best_of": 5})
seeds = st.integers(0, 2**32)
every_game = pytest.mark.parametrize("name", GAMES)


def random_match(data: st.DataObject, name: str, seed: int, length: int = 14) -> tuple[Game, list[Event]]:
    game = data.draw(games_of(find_game(name)))
    return game, random_events(game, random.Random(seed), length)


# ---------------------------------------------------------------------------------------------- one event at a time


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=4)
def test_one_event_at_a_time_gives_the_view_of_all(name: str, data: st.DataObject, seed: int) -> None:
    game, events = random_match(data, name, seed)
    viewers_of_it: list[Viewer] = [REFEREE, *viewers(game, random.Random(seed))[:2]]
    for viewer in viewers_of_it:
        fold = MatchFold(events[0], viewer)
        for count, event in enumerate(events[1:], 2):
            fold.add(event)
            assert fold.view == project(events[:count], viewer)


def test_without_corrections_nothing_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    plays: list[Game] = []

    def play(game: Game) -> Play:
        plays.append(game)
        return Play(game)

    monkeypatch.setattr("throwlock.replay.project.Play", play)
    match = EventList(CLASSIC)
    fold = MatchFold(match.events[0])
    for throws in ({1: R, 2: S}, {1: P, 2: P}, {1: R, 2: S}):
        fold.add(match.write(round_body(answers=throws)))
    assert len(fold.view.rounds) == 3 and len(plays) == 1


# -------------------------------------------------------------------------------------------------- the referee's view


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=6)
def test_the_referee_sees_the_game_as_its_replay_has_it(name: str, data: st.DataObject, seed: int) -> None:
    game, events = random_match(data, name, seed)
    view, counting = project(events, REFEREE), effective_answers(events)
    state = replay(game, counting.values())
    assert (view.events, view.prompt, view.result) == (state.events, state.prompt, state.result)
    scores = next((event.facts["scores"] for event in reversed(state.events) if event.kind == "score"), {})
    assert {str(seat): score for seat, score in view.scores.items()} == scores
    assert dict(view.fouls) == count_fouls(events)
    assert [line.event for line in view.rounds] == [event.number for event in events if event.round]
    for line in view.rounds:
        assert line.is_void == (line.event not in counting) and line.answers == counting.get(line.event, {})
        assert line.is_still_asked == is_still_asked(game, events, line.event)


def is_still_asked(game: Game, events: Sequence[Event], number: int) -> bool:
    """Return whether the game, as corrected, still asks what it did when a round was thrown."""
    before = effective_answers(event for event in events if event.number < number).values()
    asked_then = replay(game, before).prompt
    asked_now = replay(game, [answers for at, answers in effective_answers(events).items() if at < number]).prompt
    return asked_then is not None and asked_now is not None and asked_then.as_json() == asked_now.as_json()


# ------------------------------------------------------------------------------------------------- sealed and secret


def allowed_to_know(game: Game, events: Sequence[Event], viewer: Any) -> tuple[list[Any], dict[int, Any]]:
    """Return the game's events that a viewer may see, and the answers by event."""
    play, answers = Play(game), dict[int, Any]()
    for number, answer in effective_answers(events).items():
        prompt = play.prompt
        assert prompt is not None
        answers[number] = visible_to_viewer(prompt, prompt.check(answer), viewer)
        play.answer(answer)
    return [event for event in play.events if event.only in (None, viewer)], answers


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=4)
def test_nobody_sees_what_is_sealed_or_secret_at_any_time(name: str, data: st.DataObject, seed: int) -> None:
    game, events = random_match(data, name, seed)
    for viewer in viewers(game, random.Random(seed))[:2]:
        for count in range(1, len(events) + 1):
            view = project(events[:count], viewer)
            said, answers = allowed_to_know(game, events[:count], viewer)
            assert list(view.events) == said
            by_event = {step.event: step.answers for step in view.steps if step.answers is not None and step.answers}
            checked = {number: known for number, known in answers.items() if known}
            assert by_event.keys() == checked.keys()
            rounds = {line.event for line in view.rounds}
            assert {number: known for number, known in by_event.items() if number not in rounds} == {
                number: known for number, known in checked.items() if number not in rounds
            }
            assert view.prompt is None or 0 not in view.prompt.seats
            if view.prompt is not None and view.prompt.is_secret:
                assert all(not options.as_json() for seat, options in view.prompt.seats.items() if seat != viewer)


def play_secret_throws(setup: Setup) -> Script:
    answers = yield SecretPrompt("throw", dict.fromkeys((1, 2), THROW_CHOICES))
    yield Prompt("guess", {2: Choices(("yes", "no"))})
    return Result((1,), {1: int(answers[1] is not None), 2: 0})


@pytest.mark.parametrize("counts", [True, False])
def test_what_the_camera_saw_of_a_secret_throw_is_secret(counts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules("secret throws", "Secret throws", 1, 2, 2, "A game for this test.", (), play_secret_throws)
    monkeypatch.setattr("throwlock.replay.config.find_game", lambda name: rules)
    match = EventList(rules.set_up(2))
    seats = {1: seat_record("late", P, at_lock=R), 2: seat_record("on time", S)}
    match.write(round_body(seats, {1: R, 2: S} if counts else None, [1], "{1} was late: rock, then paper."))
    shown: dict[Viewer, RoundView] = {viewer: project(match.events, viewer).rounds[0] for viewer in (None, 1, 2)}
    assert [[seat.seat for seat in line.seats] for line in shown.values()] == [[], [1], [2]]
    for viewer, line in shown.items():
        assert line.judgement.seats.keys() | line.answers.keys() <= {viewer}
        assert line.text == "" and set(line.fouls) <= {viewer}
    assert len(project(match.events, REFEREE).rounds[0].seats) == 2


# ------------------------------------------------------------------------------------------------------- its rounds


def test_a_round_has_what_each_seat_did_and_what_came_of_it() -> None:
    match = EventList(CLASSIC)
    match.write(round_body(answers={1: R, 2: S}))
    (first,) = project(match.events).rounds
    ada, ben = first.seats
    assert (first.number, first.is_void, first.game) == (1, False, CLASSIC.rules.title)
    assert [seat.player.name for seat in first.seats] == ["Ada", "Ben"]
    assert (ada.throws, ada.throw, ada.outcome, ada.throw_outcome) == (
        (Throw.ROCK,),
        Throw.ROCK,
        Outcome.WON,
        Outcome.WON,
    )
    assert (ben.outcome, ben.score_before, ben.score_after) == (Outcome.LOST, None, 0)
    assert [event.kind for event in first.events][-1] == "score"


def test_a_void_round_is_read_but_counts_for_nothing() -> None:
    match = EventList(CLASSIC)
    match.write(round_body({1: seat_record("late", P, at_lock=R), 2: seat_record("on time", S)}, fouls=[1]))
    (line,) = project(match.events).rounds
    ada, ben = line.seats
    assert line.is_void and not line.answers and line.unsettled_seats == {1} and line.has_foul
    assert (ada.reading, ada.throw, ada.throws) == (P, None, (Throw.ROCK, Throw.PAPER))
    assert (ben.reading, ben.is_foul, ben.is_unsettled) == (S, False, False)
    assert project(match.events).fouls == {1: 1}


def test_a_round_that_could_not_be_judged_has_no_verdicts() -> None:
    match = EventList(CLASSIC)
    match.write(round_body(void_reason={"kind": "covered", "seat": None, "measured": 0.5}))
    (line,) = project(match.events).rounds
    assert [(seat.verdict, seat.after_first_ms) for seat in line.seats] == [(VOID_VERDICT, None)] * 2
    assert line.unsettled_seats == {1, 2}


def correct(match: EventList, number: int, seat: int | None, to: str | None = None) -> None:
    match.write(correction_event(match.view, number, seat, to))


def test_correction_drops_what_is_no_longer_asked() -> None:
    match = EventList(CLASSIC)
    first, second = (match.write(round_body(answers={1: R, 2: S})).number for _ in range(2))
    correct(match, first, 1, S)
    one, two = project(match.events).rounds
    assert (one.seats[0].throws, one.seats[0].is_corrected, one.seats[0].throw_outcome) == (
        (Throw.SCISSORS,), True, Outcome.TIED,
    )  # fmt: skip
    assert [(dispute.previous, dispute.to) for dispute in one.disputes] == [(R, S)]
    assert (two.event, two.is_void, two.is_dropped, two.seats[0].score_after) == (second, True, True, None)
    assert one.is_still_asked and not two.is_still_asked


def test_a_round_made_void_is_not_dropped() -> None:
    match = EventList(CLASSIC)
    number = match.write(round_body(answers={1: R, 2: S})).number
    correct(match, number, None)
    (line,) = project(match.events).rounds
    assert line.is_void and not line.is_dropped and line.unsettled_seats == {1, 2}


def test_a_rejected_dispute_changes_nothing_else() -> None:
    match = EventList(CLASSIC)
    number = match.write(round_body(answers={1: R, 2: S})).number
    before = project(match.events)
    match.write(rejection_event(match.view, number))
    after = project(match.events)
    assert [dispute.is_rejected for dispute in after.rounds[0].disputes] == [True]
    assert replace(after.rounds[0], disputes=()) == before.rounds[0]


def test_an_abandoned_match_says_so() -> None:
    match = EventList(CLASSIC)
    assert project(match.events).state is MatchState.IN_PROGRESS
    match.write(MatchAbandoned())
    assert project(match.events).state is MatchState.ABANDONED


def test_match_of_other_rules_shows_its_rounds() -> None:
    match = EventList(CLASSIC)
    match.write(round_body(answers={1: R, 2: S}))
    started = match.events[0]
    match.events[0] = replace(started, body=started.body.model_copy(update={"rules_version": 99}))
    view = project(match.events)
    assert "version 99" in view.problem and view.prompt is None and not view.events
    assert [seat.throw_outcome for seat in view.rounds[0].seats] == [Outcome.WON, Outcome.LOST]
