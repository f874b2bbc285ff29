"""``throwlock engine``: games on lines of JSON, their bad input, chance and end; new games, undo and position."""

import json
import random
import subprocess
import sys
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.system.input_files import MAX_ENGINE_LINE_BYTES
from rules.catalogue import GAMES, find_game
from rules.engine import BOX, Choices, Game, IntRange, Prompt, Result, Rules, Script, SealedPrompt, Setup
from rules.events import Scores
from tests.helpers.engine_caller import BAD, BAD_COMMANDS, Caller, Line, bot_from_list, play_lines, random_bot
from throwlock.cli.engine import read_lines
from throwlock.cli.options import UsageError
from throwlock.engine import host
from throwlock.engine.host import GAME_ENDED, INPUT_ENDED, MAX_ERROR_LETTERS, EngineHost
from throwlock.engine.messages import COMMAND_FORM, AnswersCommand, CommandError, parse_command


@given(name=st.sampled_from(sorted(GAMES)), more=st.integers(0, 6), seed=st.integers(0, 2**32))
@settings(deadline=None)
def test_game_ends_and_repeats_with_the_same_seed(name: str, more: int, seed: int) -> None:
    rules = find_game(name)
    game = rules.set_up(min(rules.min_players + more, rules.max_players))
    first, second = Caller(random_bot(seed)), Caller(random_bot(seed))
    assert first.play(game) == second.play(game) == GAME_ENDED
    assert first.heard == second.heard and not first.complaints
    assert list(first.heard[-1]) == ["result"]
    result = first.heard[-1]["result"]
    assert result.keys() >= {"winners", "scores"}
    scores = [line["scores"] for line in first.heard if line.get("say") == "score"]
    assert result["scores"] == (scores[-1] if scores else dict.fromkeys(result["scores"], 0))
    for line in first.heard[:-1]:
        assert ("say" in line) + ("ask" in line) + ("answers" in line) == 1


def test_lines_match_the_documented_format() -> None:
    caller = Caller(
        bot_from_list(['{"answers": {"1": "rock", "2": null}}\n', b'{"answers":{"1":"rock","2":"scissors"}}'])
    )
    assert caller.play(find_game("classic").set_up(2)) == GAME_ENDED
    throws = ["rock", "paper", "scissors"]
    question = {"ask": "throw", "seats": {"1": throws, "2": throws}, "sealed": True, "secret": False, "seconds": None}
    question |= {"null": True, "default": None}
    assert caller.new == {
        **{"new": "classic", "rules_version": 1, "seats": 2, "your_seats": [1, 2]},
        **{"options": {"best_of": 3}, "chance": "engine", "seed": 0},
    }
    assert caller.heard == [
        {**question, "about": {"round": 1, "best_of": 3}},
        {"answers": {"1": "rock", "2": None}},
        {"say": "won", "seat": 1, "throws": {"1": "rock", "2": None}},
        {"say": "score", "scores": {"1": 1, "2": 0}},
        {**question, "about": {"round": 2, "best_of": 3}},
        {"answers": {"1": "rock", "2": "scissors"}},
        {"say": "won", "seat": 1, "throws": {"1": "rock", "2": "scissors"}},
        {"say": "score", "scores": {"1": 2, "2": 0}},
        {"result": {"winners": [1], "scores": {"1": 2, "2": 0}}},
    ]


@pytest.mark.parametrize("line", BAD, ids=lambda line: repr(line[:50]))
def test_a_wrong_answer_gets_an_error_and_the_same_question(line: str | bytes) -> None:
    caller = Caller(bot_from_list([line, '{"answers": {"1": "rock", "2": "scissors"}}']))
    assert caller.play(find_game("classic").set_up(2, {"best_of": 1})) == GAME_ENDED
    question, error, again, *rest = caller.heard
    assert list(error) == ["error"] and 10 < len(error["error"]) < 250 and "\n" not in error["error"]
    assert question == again and question["ask"] == "throw"
    assert [next(iter(line)) for line in rest] == ["answers", "say", "say", "result"]


def test_an_error_that_lists_a_class_is_cut() -> None:
    caller = Caller(bot_from_list(['{"answers": {"9999": "rock"}}']))
    assert caller.play(find_game("battle").set_up(2_000)) == INPUT_ENDED
    (error,) = caller.lines_of("error")
    assert error.startswith("seat 9999 was not asked") and len(error) <= MAX_ERROR_LETTERS + 2


@pytest.mark.parametrize("bet", ["7", "15", "-5", "5.0", "true", '"5"', "1e1", "[5]", "1" + "0" * 100, "NaN"])
def test_a_wrong_bet_is_refused(bet: str) -> None:
    throws = ['{"answers": {"1": "rock", "2": "scissors"}}'] * 2 + ['{"answers": {"1": "rock", "2": "paper"}}']
    caller = Caller(
        bot_from_list(
            [*throws, f'{{"answers": {{"1": {bet}, "2": 0}}}}', '{"answers": {"1": 10, "2": null}}', throws[0]]
        )
    )
    assert caller.play(find_game("redeux").set_up(2, {"risk": "always"})) == INPUT_ENDED
    at = [place for place, line in enumerate(caller.heard) if "error" in line]
    assert len(at) == 1
    question = caller.heard[at[0] - 1]
    assert question["seats"] == {"1": {"from": 0, "to": 10, "step": 5}, "2": {"from": 0, "to": 5, "step": 5}}
    assert (question["sealed"], question["seconds"]) == (True, 20)
    assert caller.heard[at[0] + 1] == question
    assert caller.heard[at[0] + 2] == {"answers": {"1": 10, "2": 0}}, (
        "a caller of both seats sees both, default filled in"
    )
    assert caller.heard[at[0] + 3]["ask"] == "throw", "the bet stays sealed until all have thrown"
    assert caller.heard[at[0] + 5] == {"say": "bets", "pair": [1, 2], "bets": {"1": 10, "2": 0}}


@given(st.one_of(st.text(), st.binary(), st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists)))
@settings(deadline=None)
def test_any_line_is_at_most_an_error(line: Any) -> None:
    text = line if isinstance(line, str | bytes) else json.dumps({"answers": {"1": line}})
    try:
        command = parse_command(text)
    except CommandError as error:
        assert "\n" not in str(error)
    else:
        assert isinstance(command, AnswersCommand) and command.answers == {1: line}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"quit": 1}', "quit can't be read: 'quit': true is needed"),
        ('{"history": 1.0}', "history can't be read: 'history': true is needed"),
        ('{"new": 5}', "new can't be read: 'new': text is needed"),
        ('{"new": "classic", "seats": 2.0}', "new can't be read: 'seats': a whole number is needed"),
        ('{"new": "classic", "seats": true}', "new can't be read: 'seats': a whole number is needed"),
        ('{"new": "classic", "seed": -1}', "new can't be read: 'seed': it is less than 0"),
        ('{"new": "classic", "seed": "8"}', "new can't be read: 'seed': a whole number is needed"),
        ('{"new": "classic", "chance": "x"}', "new can't be read: 'chance': 'engine' or 'ask' is needed"),
        ('{"new": "classic", "extra": 1}', "new can't be read: 'extra': there is no such key"),
        ('{"new": "classic", "options": []}', "new can't be read: 'options': an object is needed"),
        (
            '{"new": "classic", "options": {"best_of": 1.0}}',
            "option 'best_of' may not be 1.0, which is not written as a whole number: "
            "a value is a word, a whole number, true, false or null",
        ),
        (
            '{"answers": {"1": [2]}}',
            "seat 1 may not answer a list: a value is a word, a whole number, true, false or null",
        ),
        ('{"position": {}}', "position can't be read: 'position': a list is needed"),
        ('{"undo": 1.0}', "undo can't be read: 'undo': a whole number is needed"),
        ('{"undo": true}', "undo can't be read: 'undo': a whole number is needed"),
        ('{"undo": 0}', "undo can't be read: 'undo': it is less than 1"),
        ('{"new": "\\ud800"}', "new can't be read: it has half of a letter of two"),
        ('{"undo": NaN}', f"the line is not JSON (NaN is no number of JSON): {COMMAND_FORM}"),
    ],
)
def test_a_wrong_value_is_named_in_the_words_of_the_page(line: str, said: str) -> None:
    with pytest.raises(CommandError) as raised:
        parse_command(line)
    assert str(raised.value) == said


def test_end_of_input_returns_another_status_than_end_of_game() -> None:
    caller = Caller(bot_from_list(['{"answers": {"1": "rock", "2": "scissors"}}', "junk"]))
    assert caller.play(find_game("classic").set_up(2)) == INPUT_ENDED
    assert caller.complaints == ["the input ended while classic waited for an answer to throw"]
    assert "result" not in caller.heard[-1]


def test_a_line_is_read_up_to_a_limit() -> None:
    longest = b"x" * (MAX_ENGINE_LINE_BYTES - 1) + b"\n"
    assert list(read_lines(BytesIO(longest + b"a\n\nb"))) == [longest, b"a\n", b"\n", b"b"]
    lines = read_lines(BytesIO(b"a\nx" + longest))
    assert next(lines) == b"a\n"
    with pytest.raises(UsageError, match="the input has a line of more than 4 MiB"):
        next(lines)


def test_input_without_an_end_ends_the_engine() -> None:
    engine = [str(Path(sys.executable).parent / "throwlock"), "engine", "classic"]
    with Path("/dev/zero").open("rb") as zeros:
        done = subprocess.run(engine, stdin=zeros, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout.count("\n") == 3 == 3 * done.stderr.count("\n")
    assert "more than 4 MiB" in done.stderr


def test_broken_pipe_is_passed_on() -> None:
    def broken_write(line: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        EngineHost(broken_write).run([], find_game("classic").set_up(2))


def test_long_match_starts_its_script_once() -> None:
    starts = []

    def counting_script(setup: Setup) -> Script:
        starts.append(setup)
        return find_game("classic").script(setup)

    game = Game(replace(find_game("classic"), script=counting_script), find_game("classic").set_up(2).setup)
    answers = ['{"answers": {"1": "rock", "2": "rock"}}'] * 5_000
    caller = Caller(bot_from_list([*answers]))
    assert caller.play(game) == INPUT_ENDED
    assert len(caller.lines_of("ask")) == 5_001
    assert len(starts) == 1, "a replay from the start for every answer would take n² time"


# Chance: a game of the tests' own, for none of the catalogue has any yet.


@dataclass(frozen=True)
class DrawnScores(Scores):
    drawn: int


def coins(setup: Setup) -> Script:
    """Ten draws by the box, then a question to both with a card turned up beside it."""
    drawn = 0
    for _ in range(10):
        answers = yield Prompt("draw", {BOX: IntRange(0, 9)})
        drawn = drawn * 10 + int(answers[BOX] or 0)
    answers = yield SealedPrompt("call", {BOX: Choices(("heads", "tails")), 1: Choices(("heads", "tails"))})
    scores = {1: int(answers[1] == answers[BOX]), 2: 0}
    yield DrawnScores(scores, drawn)
    return Result((1,) if scores[1] else (), scores)


COINS = Rules("coins", "Coins", 1, 2, 2, "chance", (), coins).set_up(2)


def draws_with_seed(seed: int) -> Line:
    caller = Caller(bot_from_list(['{"answers": {"1": "heads"}}']))
    assert caller.play(COINS, seed) == GAME_ENDED
    question = {"ask": "call", "seats": {"1": ["heads", "tails"]}, "sealed": True, "secret": False, "seconds": None}
    assert caller.heard[:2] == [{**question, "null": False}, {"answers": {"1": "heads"}}]
    return caller.heard[2]


def test_engine_draws_from_its_seed() -> None:
    assert draws_with_seed(1) == draws_with_seed(1)
    assert len({draws_with_seed(seed)["drawn"] for seed in range(20)}) == 20


def test_wrong_answer_does_not_redraw() -> None:
    caller = Caller(
        bot_from_list(['{"answers": {"1": "edge"}}', '{"answers": {"0": "heads"}}', '{"answers": {"1": "heads"}}'])
    )
    caller.play(COINS, seed=3)
    assert len(caller.lines_of("error")) == 2
    assert caller.heard[-2] == draws_with_seed(3)


def test_caller_draws_with_chance_ask() -> None:
    draws = [f'{{"answers": {{"0": {digit}}}}}' for digit in (3, 1, 4, 1, 5, 9, 2, 6, 5, 3)]
    caller = Caller(bot_from_list([*draws, '{"answers": {"1": "tails", "0": "tails"}}']))
    assert caller.play(COINS, chance="ask") == GAME_ENDED
    assert caller.heard[0]["seats"] == {"0": {"from": 0, "to": 9, "step": 1}}
    assert caller.heard[-2:] == [
        {"say": "score", "scores": {"1": 1, "2": 0}, "drawn": 3141592653},
        {"result": {"winners": [1], "scores": {"1": 1, "2": 0}}},
    ]


def test_every_allowed_value_can_be_drawn() -> None:
    dice = random.Random(0)
    for options in (IntRange(5, 25, 5), Choices(("a", "b", "c"))):
        drawn = {options.draw(dice) for _ in range(200)}
        assert drawn == set(options.values if isinstance(options, Choices) else range(5, 26, 5))


# New games, undo, position, history and quit


ROUND = '{"answers": {"1": "rock", "2": "scissors"}}'


@given(
    name=st.sampled_from(sorted(GAMES)), seed=st.integers(0, 2**32), count=st.integers(1, 30), back=st.integers(1, 30)
)
@settings(deadline=None, max_examples=30)
def test_undo_and_position_lead_to_where_the_answers_do(name: str, seed: int, count: int, back: int) -> None:
    """Everything after the new ``new`` message is as if only the answers that are left had ever been given."""
    game = GAMES[name].set_up(GAMES[name].min_players + 1 if GAMES[name].max_players > 2 else 2)
    bot, answers = random_bot(seed), list[Line]()

    def answer(question: Line) -> str | None:
        if "ask" not in question or len(answers) == count:
            return None
        answers.append(json.loads(bot(question) or "")["answers"])
        return json.dumps({"answers": answers[-1]})

    forward = Caller(answer)
    forward.play(game, seed)
    kept = max(0, len(answers) - back)
    lines = [json.dumps({"answers": one}) for one in answers]
    undone = play_lines(
        *lines, json.dumps({"undo": min(back, len(answers))}), '{"history": true}', game=game, seed=seed
    )
    placed = play_lines(json.dumps({"position": answers[:kept]}), '{"history": true}', game=game, seed=seed)
    direct = play_lines(*lines[:kept], game=game, seed=seed)
    open_asks = [line for line in direct.heard[:-1] if "ask" in line]
    expected = [line for line in direct.heard[:-1] if line not in open_asks] + direct.heard[-1:]
    for caller in (undone, placed):
        start = max(at for at, line in enumerate([*caller.heard]) if "new" in line)
        assert caller.heard[start] == direct.new
        *replayed, history, question = caller.heard[start + 1 :]
        assert replayed == expected
        assert question == direct.heard[-1] == replayed[-1]
        assert len(history["history"]) == kept
        again = play_lines(json.dumps({"position": history["history"]}), game=game, seed=seed)
        assert again.heard[-len(replayed) :] == replayed


def test_a_game_is_begun_by_the_caller() -> None:
    caller = play_lines('{"new": "tr", "seats": 2, "options": {"throws": 1}, "seed": 7, "chance": "ask"}')
    assert caller.heard[0]["new"] == "tr" and caller.heard[0]["seed"] == 7 and caller.heard[0]["chance"] == "ask"
    assert caller.heard[0]["options"]["throws"] == 1 and caller.heard[0]["options"]["rethrows"] == 0
    assert "ask" in caller.heard[-1]


def test_a_new_game_replaces_the_one_that_is_played() -> None:
    caller = play_lines(ROUND, '{"new": "classic", "options": {"best_of": 1}}', ROUND, game=COINS)
    assert [next(iter(line)) for line in caller.heard] == [
        "ask",
        "error",
        "ask",
        "new",
        "ask",
        "answers",
        "say",
        "say",
        "result",
    ]


def test_after_the_end_a_throw_is_taken_back() -> None:
    game = find_game("classic").set_up(2, {"best_of": 1})
    caller = play_lines(ROUND, ROUND, '{"undo": 1}', '{"answers": {"1": "rock", "2": "paper"}}', game=game)
    assert [line["winners"] for line in caller.lines_of("result")] == [[1], [2]]
    assert caller.lines_of("error") == ["the game has ended: take answers back with undo, or begin another with new"]


@pytest.mark.parametrize("line", BAD_COMMANDS)
def test_a_wrong_command_gets_an_error_and_the_open_question(line: str) -> None:
    caller = play_lines(line, ROUND, game=find_game("classic").set_up(2, {"best_of": 1}))
    question, error, again, *rest = caller.heard
    assert error["error"].startswith(BAD_COMMANDS[line]) and "\n" not in error["error"]
    assert question == again and "result" in rest[-1]


def test_without_a_game_only_new_and_quit_are_commands() -> None:
    caller = Caller(bot_from_list([ROUND, '{"undo": 1}', '{"history": true}', '{"quit": true}', "never read"]))
    assert caller.play(None) == GAME_ENDED and not caller.complaints
    assert caller.lines_of("error") == ['there is no game: begin one with {"new": "classic"}'] * 3


def test_quit_ends_a_game_with_success() -> None:
    caller = Caller(bot_from_list(['{"quit": true}']))
    assert caller.play(find_game("classic").set_up(2)) == GAME_ENDED and not caller.complaints


def test_a_seed_is_drawn_and_reported_and_makes_the_same_game_again() -> None:
    first, second = play_lines(game=COINS, seed=None), play_lines(game=COINS, seed=None)
    assert first.new["seed"] != second.new["seed"], "one in 2**53"
    answer = '{"answers": {"1": "heads"}}'
    played = play_lines(answer, '{"undo": 1}', answer, game=COINS, seed=first.new["seed"])
    repeated = play_lines(answer, game=COINS, seed=first.new["seed"])
    drawn = [line["drawn"] for line in played.heard + repeated.heard if "drawn" in line]
    assert len(drawn) == 3 and len({*drawn}) == 1


# Programs at some seats


def test_a_built_in_player_has_a_seat() -> None:
    caller = Caller(random_bot(1))
    assert caller.play(find_game("classic").set_up(2), None, players={2: "first"}) == GAME_ENDED
    assert caller.new["your_seats"] == [1] and caller.new["seed"] is None
    for ask in (line for line in caller.heard if "ask" in line):
        assert [*ask["seats"]] == ["1"] and ask["others"] == {"2": ["rock", "paper", "scissors"]}
    assert {answers["2"] for answers in caller.lines_of("answers")} == {"rock"}
    assert caller.heard[-1]["seed"] >= 0, "the seed is known once nothing can be made of it"


def test_all_seats_can_be_programs() -> None:
    caller = Caller(bot_from_list(['{"new": "classic", "seed": 5}']))
    assert caller.play(find_game("future").set_up(3), 3, players={1: "random", 2: "random", 3: "random"}) == GAME_ENDED
    assert not caller.lines_of("ask") and len(caller.lines_of("result")) == 1
    assert caller.lines_of("error") == ["a program plays at seat 3, but the game has 2 seats"]


def test_programs_that_tie_for_ever_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "MAX_QUESTIONS", 20)
    caller = Caller(bot_from_list([ROUND, '{"undo": 5}']))
    assert caller.play(find_game("classic").set_up(2), 3, players={1: "first", 2: "first"}) == GAME_ENDED
    assert len(caller.lines_of("answers")) == 20
    assert caller.heard[20 * 2] == {"stopped": "the game is too long", "seats": []}
    assert len(caller.lines_of("error")) == 2, "there is nothing to answer, and nothing to take back"


def test_what_would_show_a_programs_secrets_is_refused() -> None:
    lines = ['{"history": true}', '{"position": []}', '{"new": "classic", "chance": "ask"}', '{"undo": 1}']
    refused = Caller(bot_from_list([*lines[:3], '{"answers": {"1": "paper"}}', lines[3]]))
    refused.play(find_game("classic").set_up(2, {"best_of": 1}), 3, players={2: "first"})
    assert [error.partition(":")[0] for error in refused.lines_of("error")] == [
        *["programs play too, and their answers are secret"] * 2,
        "who draws knows what is dealt",
        "the game has ended and its seed is known",
    ]
    undone = Caller(bot_from_list(['{"answers": {"1": "paper"}}', '{"undo": 1}', '{"answers": {"1": "scissors"}}']))
    undone.play(find_game("classic").set_up(2), 3, players={2: "first"})
    assert not undone.lines_of("error") and undone.heard[-2]["scores"] == {"1": 0, "2": 1}
