"""What holds for every game of the catalogue, with every option: games end, legal answers are taken and others refused,
a replay is the same game, and sealed answers stay sealed."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import GAMES, find, sheet
from rules.script import (
    BOX,
    Answers,
    Ask,
    Choices,
    Game,
    IllegalAnswer,
    IllegalSetup,
    Options,
    Play,
    Say,
    Span,
    Value,
    replay,
    visible,
)

MOST_ANSWERS = 50_000
"""A bound no match of random answers comes near: the longest of 300 (Redeux with cards, 7 or 8 seats, 5 games to 1000
points) took 7,362."""


def any_of(options: Options) -> st.SearchStrategy[Value]:
    """Every value the options allow."""
    if isinstance(options, Choices):
        return st.sampled_from(options.values)
    return st.integers(0, (options.stop - options.start) // options.step).map(
        lambda step: options.start + step * options.step
    )


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Any game of the catalogue for any number of seats with any options."""
    rules = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    chosen = {option.name: draw(any_of(option.allowed)) for option in rules.options if draw(st.booleans())}
    if chosen.get("games"):
        chosen["games"] = int(chosen["games"] or 0) % 6  # a hundred games show nothing that five do not
    return rules.set_up(draw(st.integers(rules.fewest, rules.most)), chosen)


def answers_to(ask: Ask, dice: random.Random) -> dict[int, Value]:
    """Legal answers, now and then none where the ask takes that."""
    answers: dict[int, Value] = {}
    for seat, options in ask.seats.items():
        if (ask.no_answer or ask.seconds) and dice.random() < 0.1:
            answers[seat] = None
        elif isinstance(options, Choices):
            answers[seat] = dice.choice(options.values)
        else:
            answers[seat] = dice.randrange(options.start, options.stop + 1, options.step)
    return answers


def played(game: Game, seed: int) -> tuple[Play, list[Answers], list[int]]:
    """A match of random answers to its end: the play, its answers and how much had been said before each."""
    dice, play, answers, heard = random.Random(seed), Play(game), [], []
    while play.asked:
        assert len(answers) < MOST_ANSWERS, "the game does not end"
        heard.append(len(play.said))
        answers.append(answers_to(play.asked, dice))
        play.answer(answers[-1])
    return play, answers, heard


def scores_of(say: Say) -> dict[int, int]:
    scores: Any = say.facts["scores"]
    return {int(seat): points for seat, points in scores.items()}


seeds = st.integers(0, 2**32)


@given(games(), seeds)
@settings(deadline=None)
def test_a_game_ends_and_its_result_agrees_with_the_last_score(game: Game, seed: int) -> None:
    play, _, _ = played(game, seed)
    seats = set(range(1, game.setup.seats + 1))
    result = play.result
    assert result and play.asked is None
    assert result.winners and set(result.winners) <= seats and len(set(result.winners)) == len(result.winners)
    assert set(result.scores) == seats
    said = [scores_of(say) for say in play.said if say.kind == "score"]
    assert dict(result.scores) == (said[-1] if said else dict.fromkeys(seats, 0))
    assert all(set(scores) == seats and min(scores.values()) >= 0 for scores in said)
    with pytest.raises(IllegalAnswer, match="end of the game"):
        play.answer({1: "rock"})


@given(games(), seeds)
@settings(deadline=None)
def test_everything_said_and_asked_is_plain_json(game: Game, seed: int) -> None:
    dice, play = random.Random(seed), Play(game)
    while play.asked and len(play.said) < 300:
        assert json.loads(json.dumps(play.asked.as_json())) == play.asked.as_json()
        play.answer(answers_to(play.asked, dice))
    for line in [say.as_json() for say in play.said] + ([play.result.as_json()] if play.result else []):
        assert json.loads(json.dumps(line)) == line


@given(games(), seeds)
@settings(deadline=None)
def test_a_replay_is_the_same_game_at_every_answer(game: Game, seed: int) -> None:
    play, answers, heard = played(game, seed)
    assert replay(game, answers) == play.position()
    for cut in {0, len(answers) // 3, len(answers) // 2, len(answers) - 1}:
        resumed = replay(game, answers[:cut])
        assert list(resumed.said) == play.said[: heard[cut]], "a shorter list of answers tells the beginning"
        assert resumed.asked and resumed.result is None
        going_on = Play(game)
        for answer in answers[:cut]:
            going_on.answer(answer)
        assert going_on.position() == resumed
        news = [say for answer in answers[cut:] for say in going_on.answer(answer)]
        assert going_on.position() == play.position() and news == play.said[heard[cut] :]
    with pytest.raises(IllegalAnswer, match="end of the game"):
        replay(game, [*answers, {1: "rock"}])


def illegal_for(ask: Ask, dice: random.Random) -> list[dict[Any, Any]]:
    """Answers the ask must refuse, each wrong in one way."""
    right = answers_to(ask, dice)
    seat = dice.choice(list(right))
    others = {other: value for other, value in right.items() if other != seat}
    values: list[Any] = [True, False, 1.0, 5.0, "lizard", "", "Rock", "5", -5, 10**30, float("nan"), [], {}, ()]
    options = ask.seats[seat]
    if isinstance(options, Span):
        values += [options.stop + options.step, options.start - options.step, "0", float(options.start)]
        values += [options.start + 1] if options.step > 1 else []
    if not (ask.no_answer or ask.seconds is not None):
        values.append(None)
    return [others, {**right, 99: right[seat]}, {**others, 99: right[seat]}, *({**others, seat: v} for v in values)]


@given(games(), seeds)
@settings(deadline=None, max_examples=40)
def test_illegal_answers_are_refused_and_change_nothing(game: Game, seed: int) -> None:
    dice, play, answers = random.Random(seed), Play(game), []
    while play.asked and len(answers) < 30:
        before = play.position()
        for wrong in illegal_for(play.asked, dice):
            with pytest.raises(IllegalAnswer) as fault:
                play.answer(wrong)
            assert "\n" not in str(fault.value) and len(str(fault.value)) < 200
            assert play.position() == before
        answers.append(answers_to(play.asked, dice))
        play.answer(answers[-1])
    assert play.position() == replay(game, answers)


@given(games(), seeds)
@settings(deadline=None, max_examples=40)
def test_every_legal_answer_is_accepted(game: Game, seed: int) -> None:
    dice, play = random.Random(seed), Play(game)
    for _ in range(20):
        if play.asked is None:
            break
        right = answers_to(play.asked, dice)
        for seat, options in play.asked.seats.items():
            each = (
                options.values if isinstance(options, Choices) else range(options.start, options.stop + 1, options.step)
            )
            for value in each:
                assert play.asked.check({**right, seat: value})[seat] == value
        play.answer(right)


@given(games(), seeds)
@settings(deadline=None)
def test_of_a_secret_question_a_seat_sees_its_own_options_only(game: Game, seed: int) -> None:
    dice, play = random.Random(seed), Play(game)
    for _ in range(60):
        if play.asked is None:
            break
        ask = play.asked
        for viewer in (None, *range(1, game.setup.seats + 1)):
            for seat, options in ask.seen_from(viewer).seats.items():
                assert options == (ask.seats[seat] if seat == viewer or not ask.secret else Choices(()))
        play.answer(answers_to(ask, dice))


def without_box(answers: Answers) -> Answers:
    """What the box drew is the game's to tell."""
    return {seat: value for seat, value in answers.items() if seat != BOX}


@given(games(), seeds)
@settings(deadline=None)
def test_a_sealed_answer_is_seen_by_nobody_else_until_all_are_in(game: Game, seed: int) -> None:
    dice, play = random.Random(seed), Play(game)
    for _ in range(20):
        if play.asked is None:
            break
        ask, right = play.asked, answers_to(play.asked, dice)
        order = dice.sample(list(right), len(right))
        for count in range(len(order)):
            partly = {seat: right[seat] for seat in order[:count]}
            for viewer in (None, *range(1, game.setup.seats + 1)):
                public = {} if ask.sealed or ask.secret else without_box(partly)
                own = {seat: value for seat, value in partly.items() if seat == viewer}
                assert visible(ask, partly, viewer) == {**public, **own}
        for viewer in (None, *range(1, game.setup.seats + 1)):
            own = {seat: value for seat, value in right.items() if seat == viewer}
            assert visible(ask, right, viewer) == (own if ask.secret else without_box(right))
        play.answer(right)


@given(games(), seeds)
@settings(deadline=None)
def test_a_throw_is_always_sealed(game: Game, seed: int) -> None:
    dice, play = random.Random(seed), Play(game)
    for _ in range(50):
        if play.asked is None:
            break
        if play.asked.kind == "throw":
            assert play.asked.sealed
        play.answer(answers_to(play.asked, dice))


@pytest.mark.parametrize("name", GAMES)
def test_seats_the_game_is_for_and_no_others(name: str) -> None:
    rules = find(name)
    for seats in range(rules.fewest, rules.most + 1):
        game = rules.set_up(seats)
        assert game.setup.options == {option.name: option.default for option in rules.options}
        play, _, _ = played(game, seats)
        assert play.result
    for seats in (-1, 0, rules.fewest - 1, rules.most + 1):
        with pytest.raises(IllegalSetup, match=f"{rules.players} players, not {seats}"):
            rules.set_up(seats)


@pytest.mark.parametrize("name", GAMES)
def test_every_option_is_explained_in_a_line_and_takes_what_it_says(name: str) -> None:
    rules = find(name)
    assert sheet(rules).splitlines()[0].startswith(f"{name}: ")
    for option in rules.options:
        assert option.about and "\n" not in option.about and len(option.about) < 100
        assert any(line.strip().startswith(f"--option {option.name}=") for line in sheet(rules).splitlines())
        assert option.check(option.default) == option.default
        assert option.read(str(option.default)) == option.default
        for text in ("lizard", "", "--5", "5.0", "9" * 5000):
            with pytest.raises(IllegalSetup, match=f"option {option.name} can't be"):
                option.read(text)
    with pytest.raises(IllegalSetup, match=r"has no option .colour."):
        rules.set_up(2, {"colour": "red"})


def test_a_game_is_found_by_its_name_and_a_near_miss_is_named() -> None:
    assert find("redeux") is GAMES["redeux"]
    with pytest.raises(IllegalSetup, match=r"did you mean redeux.*classic, redeux"):
        find("Redux")
    with pytest.raises(IllegalSetup, match="no game is called 'chess': The games are"):
        find("chess")
