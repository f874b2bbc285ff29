"""Whole games of the board game: who begins, turns, passes, ends of games, illegal moves."""

import random
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board.board import RECONSTRUCTION_NOTICE
from rules.board.events import BoardState, Moved
from rules.board.match import BOARD, GameHistory
from rules.board.notation import format_position, parse_move, parse_position
from rules.board.position import starting_position
from rules.board.text import TEXT
from rules.engine import Choices, IllegalAnswerError, Play, Value, replay
from tests.helpers.plain_board import PlainBoard, parse_plain_board
from ui.text.verdicts import event_sentences


@pytest.mark.parametrize(
    ("move", "off", "sentence"),
    [
        ("-4,3>-3,2", [], "Ada moves c3 to d4."),
        ("0,0*E", ["F1", "R0", "R0"], "Ada spreads f7 to the East. Off the board: Ben’s Flag, Ada’s Rock (2 times)."),
    ],
)
def test_a_moves_sentence_names_spaces_as_the_board_does(move: str, off: list[str], sentence: str) -> None:
    moved = Moved(1, move, off, BoardState(1, 1, 2, ""), text=TEXT)
    assert event_sentences(moved, {1: "Ada", 2: "Ben"}) == (sentence,)


def moves_of(play: Play) -> list[str]:
    """Return the legal moves of the current prompt."""
    assert play.prompt and play.prompt.kind == "move"
    (options,) = play.prompt.seats.values()
    assert isinstance(options, Choices)
    return [str(move) for move in options.values]


def start_play(**options: Value) -> Play:
    return Play(BOARD.set_up(2, {"start": "1", **options}))


def make_moves(play: Play, *moves: str) -> None:
    for move in moves:
        assert play.prompt
        (seat,) = play.prompt.seats
        play.answer({seat: move})


def facts(play: Play, kind: str) -> list[dict[str, Any]]:
    return [dict(event.facts) for event in play.events if event.kind == kind]


OPTIONS = st.fixed_dictionaries(
    {
        "flags": st.sampled_from([1, 2]),
        "lock": st.sampled_from(["all", "any"]),
        "stuck": st.sampled_from(["pass", "loss"]),
        "repetition": st.integers(2, 4),
        "quiet": st.integers(10, 60),
        "start": st.sampled_from(["1", "2"]),
    }
)


@given(OPTIONS, st.integers(0, 2**32), st.booleans())
@settings(deadline=None, max_examples=30)
@pytest.mark.slow
def test_random_games_agree_with_the_plain_implementation(options: dict[str, Any], seed: int, careful: bool) -> None:
    """Play random moves, or moves that spare the flags so that games are drawn, and follow them on a plain board."""
    dice, play = random.Random(seed), Play(BOARD.set_up(2, options))
    plain = parse_plain_board(format_position(starting_position()), options["flags"], options["lock"], options["stuck"])
    south = int(options["start"])
    seats = (south, 3 - south)
    position_counts: Counter[tuple[frozenset[Any], int]] = Counter()
    quiet = plies = 0
    while True:
        position_counts[frozenset(plain.tokens.items()), plain.to_move] += 1
        expected = expected_end(plain, position_counts, quiet, options)
        if expected:
            break
        moves = plain.moves()
        before = piece_count(plain)
        if moves:
            assert play.prompt and list(play.prompt.seats) == [seats[plain.to_move]]
            assert set(moves_of(play)) == moves and play.prompt.about["ply"] == plies
            assert parse_plain_board(str(play.prompt.about["position"])).tokens == plain.tokens
            harmless = (
                sorted(move for move in moves if plain.play(move).flags_lost == plain.flags_lost) if careful else []
            )
            move = dice.choice(harmless or sorted(moves))
            play.answer({seats[plain.to_move]: move})
            plain = plain.play(move)
        else:
            plain = PlainBoard(
                plain.tokens, 1 - plain.to_move, plain.flags, plain.lock, plain.stuck, plain.flags_lost, plain.loser
            )
        plies += 1
        quiet = 0 if piece_count(plain) != before else quiet + 1
    reason, loser = expected
    assert play.result
    assert play.result.details == {"reason": reason, "plies": plies}
    assert play.result.winners == (() if loser is None else (seats[1 - loser],))
    assert play.result.scores == {seat: int(loser is not None and seat == seats[1 - loser]) for seat in (1, 2)}
    assert len(facts(play, "moved")) + len(facts(play, "passed")) == plies


def piece_count(plain: PlainBoard) -> int:
    return sum(len(token) - 1 for token in plain.tokens.values())


def expected_end(
    plain: PlainBoard, position_counts: Counter[tuple[frozenset[Any], int]], quiet: int, options: dict[str, Any]
) -> tuple[str, int | None] | None:
    if plain.loser is not None:
        return ("flag", "both flags")[options["flags"] - 1], plain.loser
    if not plain.moves():
        if options["stuck"] == "loss":
            return "no move", plain.to_move
        if not plain.moves(1 - plain.to_move):
            return "nobody can move", None
    if position_counts[frozenset(plain.tokens.items()), plain.to_move] == options["repetition"]:
        return "repetition", None
    return ("quiet", None) if quiet == options["quiet"] else None


# Who begins


@pytest.mark.parametrize(("one", "two", "winner"), [("rock", "paper", 2), ("rock", "scissors", 1), ("paper", None, 1)])
def test_the_winner_of_the_throw_is_south_and_moves_first(one: str, two: str | None, winner: int) -> None:
    play = Play(BOARD.set_up(2))
    assert play.prompt and play.prompt.kind == "throw" and play.prompt.is_private
    play.answer({1: "rock", 2: "rock"})
    assert facts(play, "tie") and play.prompt.kind == "throw"
    assert play.prompt.about == {"for": "first move", "again": [1, 2]}
    play.answer({1: one, 2: two})
    assert facts(play, "begins")[0]["seat"] == winner
    assert facts(play, "board")[0]["south"] == winner and facts(play, "board")[0]["north"] == 3 - winner
    assert play.prompt and list(play.prompt.seats) == [winner] and len(moves_of(play)) == 98


@pytest.mark.parametrize("seat", [1, 2])
def test_start_option_sets_who_moves_first(seat: int) -> None:
    play = start_play(start=str(seat))
    assert play.prompt and list(play.prompt.seats) == [seat]
    assert not facts(play, "begins")


def test_board_event_has_the_reconstruction_notice() -> None:
    (event,) = facts(start_play(), "board")
    assert event["notice"] == RECONSTRUCTION_NOTICE and "our reconstruction" in BOARD.description
    assert event["position"] == format_position(starting_position()) and event["board"] == "reconstruction"


# Turns


def test_moved_event_has_the_facts_of_the_move() -> None:
    play = start_play()
    make_moves(play, "-4,3>-4,2", "3,-4>3,-3", "-5,4>4,-5")
    assert play.prompt
    last = facts(play, "moved")[-1]
    assert (last["seat"], last["move"], last["off"], last["ply"]) == (1, "-5,4>4,-5", ["S1"], 3)
    assert last["position"] == play.prompt.about["position"] and play.prompt.about["last"] == "-5,4>4,-5"
    assert parse_position(last["position"]).tokens()[4, -5] == "R0"


def test_moved_event_lists_lost_sheets_one_by_one() -> None:
    play = start_play()
    make_moves(play, "2,3>1,3", "0,-4>-1,-4", "1,3>-1,3", "-1,-4>-1,-2", "-1,3>-1,0", "6,-4>6,-3", "-1,0>-1,-2")
    make_moves(play, "6,-3>6,-4", "-1,-2*NE")
    assert facts(play, "moved")[-1]["off"] == ["P0", "R1"]


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {2: "0,-4>0,-3"},
        {1: None},
        {1: True},
        {1: 5},
        {1: float("nan")},
        {1: ["-4,3>-4,2"]},
        {1: "lizard"},
        {1: ""},
        {1: "-4,3"},
        {1: "-4,3>-4,2 "},
        {1: "-4,3>9,9"},
        {1: "-4,3>-4,1"},
        {1: "-4,3*NW"},
        {1: "0,-4>0,-3"},
        {1: "-5,5>-4,5"},
        {1: "x" * 10**6},
        {1: "-4,3>-4,2", 2: "0,-4>0,-3"},
    ],
)
def test_illegal_moves_are_refused_in_a_short_line(answers: dict[int, Any]) -> None:
    play = start_play()
    before = play.state()
    with pytest.raises(IllegalAnswerError) as refused:
        play.answer(answers)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 200
    assert play.state() == before


def test_refusal_lists_the_legal_moves_of_the_piece() -> None:
    play = start_play()
    with pytest.raises(IllegalAnswerError, match=r"legal moves from -4,3 are .*>-4,2"):
        play.answer({1: "-4,3>-4,0"})
    origin, own_moves = max(
        (
            (one, [move for move in moves_of(play) if move[: len(one) + 1] in (f"{one}>", f"{one}*")])
            for one in {re.split("[>*]", move)[0] for move in moves_of(play)}
        ),
        key=lambda item: len(item[1]),
    )
    listed = " or ".join(move.removeprefix(origin) for move in own_moves[:6])
    with pytest.raises(IllegalAnswerError) as refused:
        play.answer({1: f"{origin}>9,9"})
    assert str(refused.value).endswith(f"legal moves from {origin} are {listed} or {len(own_moves) - 6} more")
    first = re.escape(moves_of(play)[0])
    with pytest.raises(IllegalAnswerError, match=rf"FROM>TO or FROM\*DIRECTION, one of 98 moves such as {first}$"):
        play.answer({1: "lizard"})


# Ends of games


def test_a_flag_ends_the_standard_game_whoever_destroys_it() -> None:
    play = start_play()
    make_moves(play, "-3,5>-1,5")
    assert play.result and play.result.winners == (2,) and play.result.details["reason"] == "flag"
    assert facts(play, "over") == [{"reason": "flag", "loser": 1}]


def test_with_two_flags_losing_the_first_does_not_end_the_game() -> None:
    play = start_play(flags=2)
    make_moves(play, "-3,5>-1,5", "3,-6>1,-6", "-1,5>-5,5")
    assert play.result and play.result.winners == (2,) and play.result.details["reason"] == "both flags"
    assert facts(play, "moved")[1]["position"].endswith("to-move=0 lost=1,1")


OUT_AND_BACK = ["0,3>0,2", "0,-4>0,-3", "0,2>0,3", "0,-3>0,-4"]


@pytest.mark.parametrize(("repetitions", "plies"), [(2, 4), (3, 8), (5, 16)])
def test_repetition_is_a_draw(repetitions: int, plies: int) -> None:
    play = start_play(repetition=repetitions)
    make_moves(play, *(OUT_AND_BACK * 4)[:plies])
    assert play.result and play.result.winners == () and dict(play.result.scores) == {1: 0, 2: 0}
    assert play.result.details == {"reason": "repetition", "plies": plies}


def test_position_repeats_for_the_third_time_after_eight_plies() -> None:
    history = GameHistory(parse_position("S0@-6,4 F0@-5,5 S1@6,-5 F1@5,-6 to-move=0"))
    board = history.position.tables.board
    for ply, move in enumerate(["-6,4>-6,3", "6,-5>6,-4", "-6,3>-6,4", "6,-4>6,-5"] * 2, 1):
        assert history.repetitions() < 3
        assert parse_move(move, board) in history.position.legal_moves()
        assert history.push(parse_move(move, board)) == [] and history.plies == history.quiet_plies == ply
    assert history.repetitions() == 3


def test_player_without_a_move_passes_and_two_without_are_dead() -> None:
    stuck = parse_position("F0@-5,5 F1@5,-6 S1@0,0 to-move=0")
    assert not stuck.can_move() and not stuck.is_dead()
    history = GameHistory(stuck)
    history.push(None)
    assert (
        history.position.to_move == 1 and history.position.can_move() and (history.plies, history.quiet_plies) == (1, 1)
    )
    assert parse_position("F0@-5,5 F1@5,-6 to-move=0").is_dead()


def test_win_takes_precedence_over_a_draw() -> None:
    """The tenth quiet move would draw the game, but it destroys a flag."""
    play = start_play(quiet=10, repetition=10)
    make_moves(play, *OUT_AND_BACK, *OUT_AND_BACK, "0,3>0,2", "3,-6>1,-6")
    assert play.result and play.result.details["reason"] == "flag" and play.result.winners == (1,)
    drawn = start_play(quiet=10, repetition=10)
    make_moves(drawn, *OUT_AND_BACK, *OUT_AND_BACK, "0,3>0,2", "0,-4>0,-3")
    assert drawn.result and drawn.result.details == {"reason": "quiet", "plies": 10}


def test_losing_a_piece_resets_the_quiet_count() -> None:
    play = start_play(quiet=10, repetition=10)
    make_moves(
        play, *OUT_AND_BACK, "0,3>0,4", "0,-4>0,-3", "-1,3>-1,2", "0,-3>0,-4", "-1,2>-1,3", "0,-4>0,-3", "-1,3>-1,2"
    )
    make_moves(play, "0,-3>0,-4", "-1,2>-1,3", "0,-4>0,-3")
    assert play.result is None
    make_moves(play, "-1,3>-1,2")
    assert play.result and play.result.details == {"reason": "quiet", "plies": 15}


def test_replay_is_deterministic() -> None:
    answers = [{1: "rock", 2: "scissors"}, {1: "0,3>0,2"}, {2: "0,-4>0,-3"}]
    game = BOARD.set_up(2)
    assert replay(game, answers) == replay(game, answers)
    assert replay(game, answers).prompt


def test_a_draw_is_offered_once_a_turn() -> None:
    play = start_play()
    assert play.prompt is not None
    before = play.prompt.as_json()
    assert [event.kind for event in play.answer({1: "offer a draw"})] == ["draw offered"]
    assert play.prompt.kind == "draw offer" and list(play.prompt.seats) == [2]
    (declined,) = play.answer({2: "decline"})
    assert event_sentences(declined, {1: "Ada", 2: "Ben"}) == ("Ben declines the draw.",)
    assert play.prompt.as_json() == before, "the same player is asked for the same moves"
    with pytest.raises(IllegalAnswerError):
        play.answer({1: "offer a draw"})
    make_moves(play, moves_of(play)[0])
    play.answer({2: "offer a draw"})
    play.answer({1: "accept"})
    assert play.result is not None and play.result.winners == () and play.result.details["reason"] == "agreement"


def test_random_answers_never_resign() -> None:
    play, dice = start_play(), random.Random(1)
    assert play.prompt is not None
    drawn = {play.prompt.seats[1].draw(dice) for _ in range(2000)}
    assert drawn <= set(moves_of(play)) and "resign" not in str(play.prompt.as_json())
