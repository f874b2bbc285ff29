"""What holds for every game of the catalogue, with every option: games end, legal answers are taken and others refused,
a replay is the same game from wherever it is taken up, points and chips stay within what the rules say, and nobody is
shown what is sealed or secret."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_games import Match, answers_to, every, every_option, games_of, illegal_for, legal, may_see, played, viewers

from rules.catalogue import GAMES, find, sheet
from rules.engine import Answers, Game, IllegalAnswerError, IllegalSetupError, Play, Value, replay, visible
from rules.visibility import view
from throwlock.cli.engine import ENDED, run
from throwlock.journal.journal import Journal, JournalReader
from throwlock.match.config import Billing, answers_in, billing_of
from throwlock.match.corrections import as_json
from throwlock.match.house_rules import House

seeds = st.integers(0, 2**32)
every_game = pytest.mark.parametrize("name", GAMES)


def random_game(data: st.DataObject, name: str) -> Game:
    return data.draw(games_of(find(name)))


# -------------------------------------------------------------------------------- games end, within their bounds


def numbers(facts: Any) -> dict[int, int]:
    return {int(seat): number for seat, number in facts.items()}


def classic_bounds(game: Game, scores: dict[int, int], facts: Any) -> bool:
    if game.setup.seats > 2:
        return sorted(scores.values())[-2:] == [0, 1]
    most = game.setup.number("best_of")
    return sum(scores.values()) <= most and max(scores.values()) <= most // 2 + 1


def redeux_bounds(game: Game, scores: dict[int, int], facts: Any) -> bool:
    games = game.setup.number("games") or game.setup.seats
    most = games * (2 * game.setup.number("goal") + 30)  # less than the goal, and twice a bet of no more than that
    return all(0 <= points < most * 2 and points % 5 == 0 for points in scores.values())


def future_bounds(game: Game, scores: dict[int, int], facts: Any) -> bool:
    return min(scores.values()) >= 0 <= facts["pot"] and sum(scores.values()) + facts["pot"] == 10 * game.setup.seats


def battle_bounds(game: Game, scores: dict[int, int], facts: Any) -> bool:
    rounds, streaks = game.setup.number("rounds"), numbers(facts["streaks"])
    most = sum(max(1, won - 1) for won in range(1, rounds + 1))  # every round won
    return all(-rounds <= score <= most for score in scores.values()) and all(
        abs(streak) <= rounds for streak in streaks.values()
    )


def tr_bounds(game: Game, scores: dict[int, int], facts: Any) -> bool:
    return 0 <= scores[1] <= 2 * 999 and scores[2] == 0


def board_bounds(game: Game, scores: dict[int, int], facts: Any) -> bool:
    return min(scores.values()) == 0 and max(scores.values()) <= 1


BOUNDS: dict[str, Callable[[Game, dict[int, int], Any], bool]] = {
    "classic": classic_bounds,
    "redeux": redeux_bounds,
    "future": future_bounds,
    "battle": battle_bounds,
    "tr": tr_bounds,
    "board": board_bounds,
}
"""What the rules say of everybody's points or chips whenever they are told. A game without bounds fails."""


def check_ended(game: Game, play: Play) -> None:
    """The game is over, and its result is one it can have and agrees with what was said last."""
    seats = set(range(1, game.setup.seats + 1))
    result = play.result
    assert result and play.asked is None
    assert set(result.winners) <= seats and len(set(result.winners)) == len(result.winners)
    assert set(result.scores) == seats
    said = [say for say in play.said if say.kind == "score"]
    for say in said:
        assert say.only is None, "the score is for everybody"
        scores = numbers(say.facts["scores"])
        assert set(scores) == seats and BOUNDS[game.rules.name](game, scores, say.facts)
    assert dict(result.scores) == (numbers(said[-1].facts["scores"]) if said else dict.fromkeys(seats, 0))
    with pytest.raises(IllegalAnswerError, match="end of the game"):
        play.answer({1: "rock"})


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=40)
def test_a_game_ends_within_its_bounds_and_its_result_agrees_with_the_last_score(
    name: str, data: st.DataObject, seed: int
) -> None:
    game = random_game(data, name)
    check_ended(game, played(game, seed).play)


@pytest.mark.parametrize(("name", "option", "value"), every_option())
def test_every_value_of_every_option_is_played(name: str, option: str, value: Value) -> None:
    rules = find(name)
    game = rules.set_up(rules.fewest, {option: value})
    assert game.setup.options == {each.name: each.default for each in rules.options} | {option: value}
    check_ended(game, played(game, seed=2).play)


@every_game
def test_as_many_as_the_game_is_for_and_no_others(name: str) -> None:
    rules = find(name)
    for seats in {*range(rules.fewest, min(rules.most, 12) + 1), min(rules.most, 5000)}:
        game = rules.set_up(seats)
        check_ended(game, played(game, seats).play)
    assert rules.set_up(rules.most).setup.seats == rules.most
    for seats in (-1, 0, rules.fewest - 1, rules.most + 1, 10**30):
        with pytest.raises(IllegalSetupError, match=rf"{rules.players} players, not "):
            rules.set_up(seats)


# ---------------------------------------------------------------------------------- what is said, asked and taken


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_everything_said_and_asked_is_plain_json(name: str, data: st.DataObject, seed: int) -> None:
    match = played(random_game(data, name), seed, answers=300)
    ends = [match.play.result] if match.play.result else []
    for step in (*match.asked, *match.play.said, *ends):
        assert json.loads(json.dumps(step.as_json())) == step.as_json()


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_illegal_answers_are_refused_and_change_nothing(name: str, data: st.DataObject, seed: int) -> None:
    game, dice = random_game(data, name), random.Random(seed)
    play, answers = Play(game), list[Answers]()
    while play.asked and len(answers) < 30:
        before = play.position()
        for wrong in illegal_for(play.asked, dice):
            with pytest.raises(IllegalAnswerError) as fault:
                play.answer(wrong)
            assert "\n" not in str(fault.value) and len(str(fault.value)) < 300
            assert play.position() == before
        answers.append(answers_to(play.asked, dice))
        play.answer(answers[-1])
    assert play.position() == replay(game, answers)


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_every_legal_answer_is_accepted(name: str, data: st.DataObject, seed: int) -> None:
    match = played(random_game(data, name), seed, answers=30)
    for ask, right in zip(match.asked, match.answers, strict=True):
        for seat, options in ask.seats.items():
            assert options.as_json() and every(options), "a seat that is asked can answer"
            for value in every(options):
                assert legal(ask, seat, value)
                assert ask.check({**right, seat: value})[seat] == value
            if ask.seconds is not None:
                assert ask.check({**right, seat: None})[seat] == ask.default, "a time-out is the default"
            elif ask.no_answer:
                assert ask.check({**right, seat: None})[seat] is None


# ------------------------------------------------------------------------------------------------------- replaying


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_a_game_taken_up_after_any_answer_goes_on_as_if_it_had_not_been_cut_off(
    name: str, data: st.DataObject, seed: int
) -> None:
    game = random_game(data, name)
    match = played(game, seed)
    kept = [{int(seat): value for seat, value in line.items()} for line in json.loads(as_text(match.answers))]
    assert kept == match.answers, "a journal keeps answers as JSON"
    for cut in match.cuts(60 if len(kept) < 200 else 6):
        assert replay(game, kept[:cut]) == match.position_at(cut), "fewer answers tell the beginning"
    for cut in match.cuts(4):
        resumed = Play(game)
        for answer in kept[:cut]:
            resumed.answer(answer)
        rest = [say for answer in kept[cut:] for say in resumed.answer(answer)]
        assert rest == match.play.said[len(match.position_at(cut).said) :]
        assert resumed.position() == match.play.position()
    with pytest.raises(IllegalAnswerError, match="end of the game"):
        replay(game, [*kept, {1: "rock"}])


def as_text(answers: list[Answers]) -> str:
    return json.dumps([as_json(answer) for answer in answers])


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=15)
def test_the_engine_tells_the_same_game_in_the_same_lines(name: str, data: st.DataObject, seed: int) -> None:
    game = random_game(data, name)
    match = played(game, seed)
    expected: list[Any] = []
    for cut, answer in enumerate(match.answers):
        before = len(match.position_at(cut - 1).said) if cut else 0
        expected += [say.as_json() for say in match.play.said[before : match.heard[cut]]]
        expected.append(match.asked[cut].as_json())
        assert answer.keys() == match.asked[cut].seats.keys()
    expected += [say.as_json() for say in match.play.said[match.heard[-1] :]]
    assert match.play.result
    expected.append(match.play.result.as_json())
    lines = [json.dumps({"answers": as_json(answer)}) for answer in match.answers]
    for _ in range(2):
        told: list[Any] = []
        assert run(game, lines, lambda line: told.append(json.loads(line)), chance="ask") == ENDED  # noqa: B023
        assert told == expected


@every_game
def test_the_engine_takes_answers_from_as_many_as_the_game_is_for(name: str) -> None:
    rules = find(name)
    game = rules.set_up(min(rules.most, 5000))
    match = played(game, seed=1, answers=1)
    told: list[Any] = []
    lines = [json.dumps({"answers": as_json(match.answers[0])})]
    run(game, lines, lambda line: told.append(json.loads(line)), chance="ask", complain=told.append)
    assert not [line for line in told if "error" in line]


@every_game
@given(data=st.data(), seed=seeds, cut=st.floats(0, 1))
@settings(deadline=None, max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_journal_closed_and_opened_again_holds_the_same_game(
    name: str, data: st.DataObject, seed: int, cut: float, tmp_path: Path
) -> None:
    game = random_game(data, name)
    match = played(game, seed, answers=60)
    path = tmp_path / f"{data.draw(st.uuids())}.journal"
    first = round(cut * len(match.answers))
    with Journal(path) as journal:
        number = journal.begin(Billing(game, ("Ada",) * game.setup.seats, House()).body())
        for answer in match.answers[:first]:
            journal.append(number, "answer", {"answers": as_json(answer)})
    with Journal(path) as journal:
        assert journal.unfinished() == number
        events = journal.events(number)
        assert replay(billing_of(events).game, answers_in(events)) == match.position_at(first)
        for answer in match.answers[first:]:
            journal.append(number, "answer", {"answers": as_json(answer)})
    with JournalReader(path) as reader:
        events = reader.events(number)
        assert billing_of(events).game == game
        assert replay(billing_of(events).game, answers_in(events)) == match.play.position()


# --------------------------------------------------------------------------------------------- sealed and secret


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_nobody_sees_a_sealed_answer_before_all_are_in_or_a_secret_one_ever(
    name: str, data: st.DataObject, seed: int
) -> None:
    game, dice = random_game(data, name), random.Random(seed)
    match = played(game, seed, answers=60)
    for ask, right in zip(match.asked, match.answers, strict=True):
        order = dice.sample(list(right), len(right))
        for count in {0, 1, len(order) // 2, len(order) - 1, len(order)}:
            partly = {seat: right[seat] for seat in order[:count]}
            for viewer in viewers(game, dice):
                assert visible(ask, partly, viewer) == may_see(ask, partly, viewer)
        for viewer in viewers(game, dice):
            seen = ask.seen_from(viewer)
            assert list(seen.seats) == list(ask.seats)
            for seat, options in seen.seats.items():
                assert ask.seats[seat] == options if seat == viewer or not ask.secret else not every(options)


def may_be_told(match: Match, viewer: int | None, upto: int) -> Iterator[dict[str, Any]]:
    """What a seat may be told of the first ``upto`` answers of a match, in order."""
    heard = 0
    for cut in range(upto + 1):
        position = match.position_at(cut)
        for say in position.said[heard:]:
            if say.only is None or say.only == viewer:
                yield say.as_json()
        heard = len(position.said)
        if position.asked and any(position.asked.seats):
            yield {"ask": position.asked.kind}
        if cut < upto:
            ask = match.asked[cut]
            for seat, value in may_see(ask, ask.check(match.answers[cut]), viewer).items():
                yield {"seat": seat, "value": value}
    if position.result:
        yield position.result.as_json()


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=15)
def test_a_seat_is_told_all_it_may_know_and_nothing_else(name: str, data: st.DataObject, seed: int) -> None:
    game, dice = random_game(data, name), random.Random(seed)
    match = played(game, seed, answers=80)
    upto = dice.randrange(len(match.answers) + 1)
    for viewer in viewers(game, dice):
        told: list[dict[str, Any]] = []
        for line in view(game, match.answers[:upto], viewer):
            if "ask" in line:
                told.append({"ask": line["ask"]})
            elif "answers" in line:
                answers: Any = line["answers"]
                told += [{"seat": int(seat), "value": value} for seat, value in answers.items()]
            else:
                told.append(line)
        assert told == list(may_be_told(match, viewer, upto))


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_a_throw_is_always_sealed_and_what_the_box_draws_secret(name: str, data: st.DataObject, seed: int) -> None:
    match = played(random_game(data, name), seed, answers=100)
    for ask in match.asked:
        if ask.kind == "throw":
            assert ask.sealed
        if 0 in ask.seats:
            assert ask.secret and list(ask.seats) == [0] and ask.seconds is None and not ask.no_answer


# ------------------------------------------------------------------------------------------------- the catalogue


@every_game
def test_every_option_is_explained_in_a_line_and_takes_what_it_says(name: str) -> None:
    rules = find(name)
    assert sheet(rules).splitlines()[0].startswith(f"{name}: ")
    assert len({option.name for option in rules.options}) == len(rules.options), "every option once"
    for option in rules.options:
        assert option.about and "\n" not in option.about and len(option.about) < 100
        assert any(line.strip().startswith(f"--option {option.name}=") for line in sheet(rules).splitlines())
        assert option.check(option.default) == option.default
        assert option.read(str(option.default)) == option.default
        for text in ("lizard", "", "--5", "5.0", "9" * 5000):
            with pytest.raises(IllegalSetupError, match=f"option {option.name} can't be"):
                option.read(text)
    with pytest.raises(IllegalSetupError, match=r"has no option .colour."):
        rules.set_up(rules.fewest, {"colour": "red"})


def test_a_game_is_found_by_its_name_and_a_near_miss_is_named() -> None:
    assert find("redeux") is GAMES["redeux"]
    with pytest.raises(IllegalSetupError, match=r"did you mean redeux.*classic, redeux"):
        find("Redux")
    with pytest.raises(IllegalSetupError, match="did you mean tr"):
        find("t|r")
    with pytest.raises(IllegalSetupError, match="no game is called 'chess': The games are"):
        find("chess")
