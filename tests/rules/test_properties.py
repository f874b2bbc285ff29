"""Properties of every game with every option: games end, legal answers are accepted and others refused, replays agree
from any point, scores stay within the bounds of the rules, and nobody sees what is sealed or secret."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.catalogue import BOX_GAMES, GAMES, describe_game, find_game
from rules.engine import Answers, Game, IllegalAnswerError, IllegalSetupError, Play, Value, replay
from tests.helpers.random_games import (
    RandomMatch,
    all_values,
    every_option,
    games_of,
    illegal_answers,
    is_legal,
    play_random,
    random_answers,
    viewers,
    visible_to_viewer,
)
from throwlock.engine.host import GAME_ENDED, EngineHost
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered
from throwlock.journal.journal import Journal, JournalReader
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.replay.public_log import view_game

seeds = st.integers(0, 2**32)
every_game = pytest.mark.parametrize("name", GAMES)


def random_game(data: st.DataObject, name: str) -> Game:
    return data.draw(games_of(find_game(name)))


# --------------------------------------------------------------------------------------- games end within their bounds


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


MOST_RANDOM_ROUNDS = 1000
"""More rounds than random answers leave an endless Battle."""


def battle_bounds(game: Game, scores: dict[int, int], facts: Any) -> bool:
    rounds, streaks = game.setup.number("rounds") or MOST_RANDOM_ROUNDS, numbers(facts["streaks"])
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
"""The bounds of points or chips by the rules of each game of the box, checked at every score event."""


def any_bounds(game: Game, scores: dict[int, int], facts: Any) -> bool:
    """The bounds of an installed game's scores, whose rules are unknown here."""
    return True


def check_result(game: Game, play: Play) -> None:
    """Check that the game is over, with a possible result that agrees with the last score event."""
    seats = set(range(1, game.setup.seats + 1))
    result = play.result
    assert result and play.prompt is None
    assert set(result.winners) <= seats and len(set(result.winners)) == len(result.winners)
    assert set(result.scores) == seats
    score_events = [event for event in play.events if event.kind == "score"]
    for event in score_events:
        assert event.only is None, "scores are public"
        scores = numbers(event.facts["scores"])
        assert set(scores) == seats and BOUNDS.get(game.rules.name, any_bounds)(game, scores, event.facts)
    assert dict(result.scores) == (
        numbers(score_events[-1].facts["scores"]) if score_events else dict.fromkeys(seats, 0)
    )
    with pytest.raises(IllegalAnswerError, match="end of the game"):
        play.answer({1: "rock"})


def test_every_game_of_the_box_has_bounds() -> None:
    assert BOUNDS.keys() == {rules.name for rules in BOX_GAMES}


@every_game
def test_samples_are_short_matches_played_to_their_end(name: str) -> None:
    for sample in find_game(name).samples:
        game = find_game(name).set_up(sample.seats, sample.options)
        match = play_random(game, seed=1)
        check_result(game, match.play)
        assert len(match.answers) < 500


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=40)
def test_games_end_and_the_result_agrees_with_the_score(name: str, data: st.DataObject, seed: int) -> None:
    game = random_game(data, name)
    check_result(game, play_random(game, seed).play)


@pytest.mark.parametrize(("name", "option", "value"), every_option())
def test_every_option_value_can_be_played(name: str, option: str, value: Value) -> None:
    rules = find_game(name)
    game = rules.set_up(rules.min_players, {option: value})
    assert game.setup.options == {each.name: each.default for each in rules.options} | {option: value}
    check_result(game, play_random(game, seed=2).play)


@every_game
def test_only_the_allowed_numbers_of_players(name: str) -> None:
    rules = find_game(name)
    for seats in {*range(rules.min_players, min(rules.max_players, 12) + 1), min(rules.max_players, 5000)}:
        game = rules.set_up(seats)
        check_result(game, play_random(game, seats).play)
    assert rules.set_up(rules.max_players).setup.seats == rules.max_players
    for seats in (-1, 0, rules.min_players - 1, rules.max_players + 1, 10**30):
        with pytest.raises(IllegalSetupError, match=rf"{rules.player_range} players, not "):
            rules.set_up(seats)


# ---------------------------------------------------------------------------------- events, prompts and answers


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_events_prompts_and_results_are_plain_json(name: str, data: st.DataObject, seed: int) -> None:
    match = play_random(random_game(data, name), seed, answers=300)
    ends = [match.play.result] if match.play.result else []
    steps = [step.as_json() for step in match.prompts + match.play.events + ends]
    assert json.loads(json.dumps(steps)) == steps


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_illegal_answers_are_refused_and_change_nothing(name: str, data: st.DataObject, seed: int) -> None:
    game, dice = random_game(data, name), random.Random(seed)
    play, answers = Play(game), list[Answers]()
    while play.prompt and len(answers) < 30:
        before = play.state()
        for wrong in illegal_answers(play.prompt, dice):
            with pytest.raises(IllegalAnswerError) as error:
                play.answer(wrong)
            assert "\n" not in str(error.value) and len(str(error.value)) < 300
            assert play.state() == before
        answers.append(random_answers(play.prompt, dice))
        play.answer(answers[-1])
    assert play.state() == replay(game, answers)


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_every_legal_answer_is_accepted(name: str, data: st.DataObject, seed: int) -> None:
    match = play_random(random_game(data, name), seed, answers=30)
    for prompt, right in zip(match.prompts, match.answers, strict=True):
        for seat, options in prompt.seats.items():
            assert options.as_json() and all_values(options), "a seat that is asked can answer"
            for value in all_values(options):
                assert is_legal(prompt, seat, value)
                assert prompt.check({**right, seat: value})[seat] == value
            if prompt.seconds is not None:
                assert prompt.check({**right, seat: None})[seat] == prompt.default, "a time-out is the default"
            elif prompt.allows_no_answer:
                assert prompt.check({**right, seat: None})[seat] is None


# ------------------------------------------------------------------------------------------------------- replaying


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_game_resumed_after_any_answer_continues_unchanged(name: str, data: st.DataObject, seed: int) -> None:
    game = random_game(data, name)
    match = play_random(game, seed)
    stored = [{int(seat): value for seat, value in line.items()} for line in json.loads(as_text(match.answers))]
    assert stored == match.answers, "journals store answers as JSON"
    for cut in match.cut_points(60 if len(stored) < 200 else 6):
        assert replay(game, stored[:cut]) == match.state_at(cut), "fewer answers must give the earlier state"
    for cut in match.cut_points(4):
        resumed = Play(game)
        for answer in stored[:cut]:
            resumed.answer(answer)
        rest = [event for answer in stored[cut:] for event in resumed.answer(answer)]
        assert rest == match.play.events[len(match.state_at(cut).events) :]
        assert resumed.state() == match.play.state()
    with pytest.raises(IllegalAnswerError, match="end of the game"):
        replay(game, [*stored, {1: "rock"}])


def as_text(answers: list[Answers]) -> str:
    return json.dumps(answers)


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=15)
def test_engine_prints_the_same_lines_for_the_same_game(name: str, data: st.DataObject, seed: int) -> None:
    game = random_game(data, name)
    match = play_random(game, seed)
    expected: list[Any] = []
    for cut, answer in enumerate(match.answers):
        before = len(match.state_at(cut - 1).events) if cut else 0
        expected += [event.as_json() for event in match.play.events[before : match.event_counts[cut]]]
        expected.append(match.prompts[cut].as_json())
        prompt = match.prompts[cut]
        assert answer.keys() == prompt.seats.keys() or (prompt.is_optional and answer.keys() <= prompt.seats.keys())
    expected += [event.as_json() for event in match.play.events[match.event_counts[-1] :]]
    assert match.play.result
    expected.append(match.play.result.as_json())
    lines = [json.dumps({"answers": answer}) for answer in match.answers]
    for _ in range(2):
        written: list[str] = []
        assert EngineHost(written.append).run(lines, game, chance="ask") == GAME_ENDED
        told = [line for line in map(json.loads, written) if not line.keys() & {"hello", "new", "answers"}]
        assert len(told) == len(expected)
        for line, known in zip(told, expected, strict=True):
            assert {name: value for name, value in line.items() if name in known} == known


@every_game
def test_engine_accepts_the_largest_number_of_players(name: str) -> None:
    rules = find_game(name)
    game = rules.set_up(min(rules.max_players, 5000))
    match = play_random(game, seed=1, answers=1)
    written: list[str] = []
    lines = [json.dumps({"answers": match.answers[0]})]
    EngineHost(written.append, print_error=written.append).run(lines, game, chance="ask")
    assert len(written) > 2 and not [line for line in written if "error" in line]


@every_game
@given(data=st.data(), seed=seeds, cut=st.floats(0, 1))
@settings(deadline=None, max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_reopened_journal_holds_the_same_game(
    name: str, data: st.DataObject, seed: int, cut: float, tmp_path: Path
) -> None:
    game = random_game(data, name)
    match = play_random(game, seed, answers=60)
    path = tmp_path / f"{data.draw(st.uuids())}.journal"
    config = MatchConfig(game, ("Ada",) * game.setup.seats, HouseRules())
    answers = [
        Answered(prompt=prompt.kind, answers=dict(answer))
        for prompt, answer in zip(match.prompts, match.answers, strict=True)
    ]
    first = round(cut * len(answers))
    with Journal(path) as journal:
        number = journal.start_match(config.start_event(), config.names)
        for answer in answers[:first]:
            journal.append(number, answer)
    with Journal(path) as journal:
        assert journal.unfinished_match() == number
        events = journal.events(number)
        assert replay(config_from_events(events).game, effective_answers(events).values()) == match.state_at(first)
        for answer in answers[first:]:
            journal.append(number, answer)
    with JournalReader(path) as reader:
        events = reader.events(number)
        assert config_from_events(events).game == game
        assert replay(config_from_events(events).game, effective_answers(events).values()) == match.play.state()


# --------------------------------------------------------------------------------------------- sealed and secret


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_sealed_answers_show_when_all_are_in_and_secret_ones_never(name: str, data: st.DataObject, seed: int) -> None:
    game, dice = random_game(data, name), random.Random(seed)
    match = play_random(game, seed, answers=60)
    for prompt, right in zip(match.prompts, match.answers, strict=True):
        order = dice.sample(list(right), len(right))
        for count in {0, 1, len(order) // 2, len(order) - 1, len(order)}:
            partly = {seat: right[seat] for seat in order[:count]}
            for viewer in viewers(game, dice):
                assert prompt.visible_answers(partly, viewer) == visible_to_viewer(prompt, partly, viewer)
        for viewer in viewers(game, dice):
            seen = prompt.visible_to(viewer)
            assert list(seen.seats) == list(prompt.seats)
            for seat, options in seen.seats.items():
                assert (
                    prompt.seats[seat] == options if seat == viewer or not prompt.is_secret else not all_values(options)
                )


def visible_steps(match: RandomMatch, viewer: int | None, upto: int) -> Iterator[dict[str, Any]]:
    """Yield what a seat may see of the first ``upto`` answers of a match, in order."""
    event_count = 0
    for cut in range(upto + 1):
        position = match.state_at(cut)
        for event in position.events[event_count:]:
            if event.only is None or event.only == viewer:
                yield event.as_json()
        event_count = len(position.events)
        if position.prompt and any(position.prompt.seats):
            yield {"ask": position.prompt.kind}
        if cut < upto:
            prompt = match.prompts[cut]
            for seat, value in visible_to_viewer(prompt, prompt.check(match.answers[cut]), viewer).items():
                yield {"seat": seat, "value": value}
    if position.result:
        yield position.result.as_json()


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=15)
def test_view_shows_exactly_what_a_seat_may_know(name: str, data: st.DataObject, seed: int) -> None:
    game, dice = random_game(data, name), random.Random(seed)
    match = play_random(game, seed, answers=80)
    upto = dice.randrange(len(match.answers) + 1)
    for viewer in viewers(game, dice):
        lines_out: list[dict[str, Any]] = []
        for line in view_game(game, match.answers[:upto], viewer):
            if "ask" in line:
                lines_out.append({"ask": line["ask"]})
            elif "answers" in line:
                answers: Any = line["answers"]
                lines_out += [{"seat": int(seat), "value": value} for seat, value in answers.items()]
            else:
                lines_out.append(line)
        assert lines_out == list(visible_steps(match, viewer, upto))


@every_game
@given(data=st.data(), seed=seeds)
@settings(deadline=None, max_examples=20)
def test_throws_are_sealed_and_draws_by_the_box_secret(name: str, data: st.DataObject, seed: int) -> None:
    match = play_random(random_game(data, name), seed, answers=100)
    for prompt in match.prompts:
        if prompt.kind == "throw":
            assert prompt.is_private
        if 0 in prompt.seats:
            assert (
                prompt.is_secret
                and list(prompt.seats) == [0]
                and prompt.seconds is None
                and not prompt.allows_no_answer
            )


# ------------------------------------------------------------------------------------------------- the catalogue


@every_game
def test_options_are_described_in_a_line_and_check_their_values(name: str) -> None:
    rules = find_game(name)
    assert describe_game(rules).splitlines()[0].startswith(f"{name}: ")
    assert len({option.name for option in rules.options}) == len(rules.options), "every option once"
    for option in rules.options:
        assert option.description and "\n" not in option.description and len(option.description) < 100
        assert any(line.strip().startswith(f"--option {option.name}=") for line in describe_game(rules).splitlines())
        assert option.check(option.default) == option.default
        assert option.parse(str(option.default)) == option.default
        for text in ("lizard", "", "--5", "5.0", "9" * 5000):
            with pytest.raises(IllegalSetupError, match=f"option {option.name} can’t be"):
                option.parse(text)
    with pytest.raises(IllegalSetupError, match=r"has no option .colour."):
        rules.set_up(rules.min_players, {"colour": "red"})


def test_find_game_suggests_the_nearest_name() -> None:
    assert find_game("redeux") is GAMES["redeux"]
    with pytest.raises(IllegalSetupError, match=r"did you mean redeux.*classic, redeux"):
        find_game("Redux")
    with pytest.raises(IllegalSetupError, match="did you mean tr"):
        find_game("t|r")
    with pytest.raises(IllegalSetupError, match="no game is called 'chess': the games are"):
        find_game("chess")
