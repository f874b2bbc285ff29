"""The board game as it is played: who begins, turns, passes, the ends of a game, and what is refused."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_board import Table, table_of

from rules.board.board import NOTICE
from rules.board.history import Course
from rules.board.match import BOARD
from rules.board.notation import read_move, read_position, write_position
from rules.board.position import start
from rules.engine import Choices, IllegalAnswerError, Play, Value, replay


def moves_of(play: Play) -> list[str]:
    """The moves the game asks for now."""
    assert play.asked and play.asked.kind == "move"
    (options,) = play.asked.seats.values()
    assert isinstance(options, Choices)
    return [str(move) for move in options.values]


def begun(**options: Value) -> Play:
    return Play(BOARD.set_up(2, {"start": "1", **options}))


def moved(play: Play, *moves: str) -> None:
    for move in moves:
        assert play.asked
        (seat,) = play.asked.seats
        play.answer({seat: move})


def facts(play: Play, kind: str) -> list[dict[str, Any]]:
    return [dict(say.facts) for say in play.said if say.kind == kind]


HOUSES = st.fixed_dictionaries(
    {
        "flags": st.sampled_from([1, 2]),
        "lock": st.sampled_from(["all", "any"]),
        "stuck": st.sampled_from(["pass", "loss"]),
        "repetition": st.integers(2, 4),
        "quiet": st.integers(10, 60),
        "start": st.sampled_from(["1", "2"]),
    }
)


@given(HOUSES, st.integers(0, 2**32), st.booleans())
@settings(deadline=None, max_examples=30)
def test_a_whole_game_agrees_with_the_rules_written_a_second_time(
    house: dict[str, Any], seed: int, careful: bool
) -> None:
    """Random moves, or such as spare the flags so that games are drawn; reckoned beside the game, on a plain table."""
    dice, play = random.Random(seed), Play(BOARD.set_up(2, house))
    table = table_of(write_position(start()), house["flags"], house["lock"], house["stuck"])
    south = int(house["start"])
    seats = (south, 3 - south)
    seen: Counter[tuple[frozenset[Any], int]] = Counter()
    quiet = plies = 0
    while True:
        seen[frozenset(table.lies.items()), table.turn] += 1
        expected = end_of(table, seen, quiet, house)
        if expected:
            break
        moves = table.moves()
        before = things(table)
        if moves:
            assert play.asked and list(play.asked.seats) == [seats[table.turn]]
            assert set(moves_of(play)) == moves and play.asked.about["ply"] == plies
            assert table_of(str(play.asked.about["position"])).lies == table.lies
            sparing = sorted(move for move in moves if table.play(move).lost == table.lost) if careful else []
            move = dice.choice(sparing or sorted(moves))
            play.answer({seats[table.turn]: move})
            table = table.play(move)
        else:
            table = Table(table.lies, 1 - table.turn, table.flags, table.lock, table.stuck, table.lost, table.beaten)
        plies += 1
        quiet = 0 if things(table) != before else quiet + 1
    reason, loser = expected
    assert play.result
    assert play.result.more == {"reason": reason, "plies": plies}
    assert play.result.winners == (() if loser is None else (seats[1 - loser],))
    assert play.result.scores == {seat: int(loser is not None and seat == seats[1 - loser]) for seat in (1, 2)}
    assert len(facts(play, "moved")) + len(facts(play, "passed")) == plies


def things(table: Table) -> int:
    return sum(len(token) - 1 for token in table.lies.values())


def end_of(
    table: Table, seen: Counter[tuple[frozenset[Any], int]], quiet: int, house: dict[str, Any]
) -> tuple[str, int | None] | None:
    if table.beaten is not None:
        return ("flag", "both flags")[house["flags"] - 1], table.beaten
    if not table.moves():
        if house["stuck"] == "loss":
            return "no move", table.turn
        if not table.moves(1 - table.turn):
            return "nobody can move", None
    if seen[frozenset(table.lies.items()), table.turn] == house["repetition"]:
        return "repetition", None
    return ("quiet", None) if quiet == house["quiet"] else None


# Who begins.


@pytest.mark.parametrize(("one", "two", "winner"), [("rock", "paper", 2), ("rock", "scissors", 1), ("paper", None, 1)])
def test_the_winner_of_the_throw_is_south_and_moves_first(one: str, two: str | None, winner: int) -> None:
    play = Play(BOARD.set_up(2))
    assert play.asked and play.asked.kind == "throw" and play.asked.sealed
    play.answer({1: "rock", 2: "rock"})
    assert facts(play, "tie") and play.asked.kind == "throw"
    play.answer({1: one, 2: two})
    assert facts(play, "begins")[0]["seat"] == winner
    assert facts(play, "board")[0]["south"] == winner and facts(play, "board")[0]["north"] == 3 - winner
    assert play.asked and list(play.asked.seats) == [winner] and len(moves_of(play)) == 98


@pytest.mark.parametrize("seat", [1, 2])
def test_the_house_says_who_moves_first(seat: int) -> None:
    play = begun(start=str(seat))
    assert play.asked and list(play.asked.seats) == [seat]
    assert not facts(play, "begins")


def test_the_board_is_shown_with_its_notice() -> None:
    (told,) = facts(begun(), "board")
    assert told["notice"] == NOTICE and "our reconstruction" in BOARD.about
    assert told["position"] == write_position(start()) and told["board"] == "reconstruction"


# Turns.


def test_what_a_move_is_told_with() -> None:
    play = begun()
    moved(play, "-4,3>-4,2", "3,-4>3,-3", "-5,4>4,-5")
    assert play.asked
    last = facts(play, "moved")[-1]
    assert (last["seat"], last["move"], last["off"], last["ply"]) == (1, "-5,4>4,-5", ["S1"], 3)
    assert last["position"] == play.asked.about["position"] and play.asked.about["last"] == "-5,4>4,-5"
    assert read_position(last["position"]).tokens()[4, -5] == "R0"


def test_lost_sheets_are_told_one_by_one() -> None:
    play = begun()
    moved(play, "2,3>1,3", "0,-4>-1,-4", "1,3>-1,3", "-1,-4>-1,-2", "-1,3>-1,0", "6,-4>6,-3", "-1,0>-1,-2")
    moved(play, "6,-3>6,-4", "-1,-2*NE")
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
def test_what_is_no_move_is_refused_in_a_short_line(answers: dict[int, Any]) -> None:
    play = begun()
    before = play.position()
    with pytest.raises(IllegalAnswerError) as refused:
        play.answer(answers)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 200
    assert play.position() == before


def test_a_refusal_says_what_the_piece_can_do() -> None:
    play = begun()
    with pytest.raises(IllegalAnswerError, match=r"from -4,3 there is .*>-4,2"):
        play.answer({1: "-4,3>-4,0"})
    with pytest.raises(IllegalAnswerError, match=r"FROM>TO or FROM\*DIRECTION, one of 98 like"):
        play.answer({1: "lizard"})


# Ends of games.


def test_a_flag_ends_the_standard_game_whoever_destroys_it() -> None:
    play = begun()
    moved(play, "-3,5>-1,5")
    assert play.result and play.result.winners == (2,) and play.result.more["reason"] == "flag"
    assert facts(play, "over") == [{"reason": "flag", "loser": 1}]


def test_with_two_flags_the_first_is_only_counted() -> None:
    play = begun(flags=2)
    moved(play, "-3,5>-1,5", "3,-6>1,-6", "-1,5>-5,5")
    assert play.result and play.result.winners == (2,) and play.result.more["reason"] == "both flags"
    assert facts(play, "moved")[1]["position"].endswith("to-move=0 lost=1,1")


OUT_AND_BACK = ["0,3>0,2", "0,-4>0,-3", "0,2>0,3", "0,-3>0,-4"]


@pytest.mark.parametrize(("times", "plies"), [(2, 4), (3, 8), (5, 16)])
def test_a_position_that_occurs_so_often_is_a_draw(times: int, plies: int) -> None:
    play = begun(repetition=times)
    moved(play, *(OUT_AND_BACK * 4)[:plies])
    assert play.result and play.result.winners == () and dict(play.result.scores) == {1: 0, 2: 0}
    assert play.result.more == {"reason": "repetition", "plies": plies}


def test_the_scissors_of_the_specification_repeat_for_the_third_time_after_eight_plies() -> None:
    course = Course(read_position("S0@-6,4 F0@-5,5 S1@6,-5 F1@5,-6 to-move=0"))
    board = course.position.reach.board
    for ply, move in enumerate(["-6,4>-6,3", "6,-5>6,-4", "-6,3>-6,4", "6,-4>6,-5"] * 2, 1):
        assert course.times() < 3
        assert read_move(move, board) in course.position.moves()
        assert course.goes_on(read_move(move, board)) == [] and course.plies == course.quiet == ply
    assert course.times() == 3


def test_without_a_move_a_player_passes_and_if_nobody_has_one_the_game_is_dead() -> None:
    stuck = read_position("F0@-5,5 F1@5,-6 S1@0,0 to-move=0")
    assert not stuck.can_move() and not stuck.is_dead()
    course = Course(stuck)
    course.goes_on(None)
    assert course.position.to_move == 1 and course.position.can_move() and (course.plies, course.quiet) == (1, 1)
    assert read_position("F0@-5,5 F1@5,-6 to-move=0").is_dead()


def test_a_decided_game_goes_before_a_draw() -> None:
    """The tenth quiet move would be a draw; as it destroys a flag, it is not."""
    play = begun(quiet=10, repetition=10)
    moved(play, *OUT_AND_BACK, *OUT_AND_BACK, "0,3>0,2", "3,-6>1,-6")
    assert play.result and play.result.more["reason"] == "flag" and play.result.winners == (1,)
    drawn = begun(quiet=10, repetition=10)
    moved(drawn, *OUT_AND_BACK, *OUT_AND_BACK, "0,3>0,2", "0,-4>0,-3")
    assert drawn.result and drawn.result.more == {"reason": "quiet", "plies": 10}


def test_what_leaves_the_board_starts_the_quiet_count_again() -> None:
    play = begun(quiet=10, repetition=10)
    moved(play, *OUT_AND_BACK, "0,3>0,4", "0,-4>0,-3", "-1,3>-1,2", "0,-3>0,-4", "-1,2>-1,3", "0,-4>0,-3", "-1,3>-1,2")
    moved(play, "0,-3>0,-4", "-1,2>-1,3", "0,-4>0,-3")
    assert play.result is None
    moved(play, "-1,3>-1,2")
    assert play.result and play.result.more == {"reason": "quiet", "plies": 15}


def test_a_game_is_replayed_to_the_same_words() -> None:
    answers = [{1: "rock", 2: "scissors"}, {1: "0,3>0,2"}, {2: "0,-4>0,-3"}]
    game = BOARD.set_up(2)
    assert replay(game, answers) == replay(game, answers)
    assert replay(game, answers).asked
