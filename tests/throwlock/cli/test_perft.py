"""``throwlock perft``: what it prints, and what it says to what it can't count."""

import pytest
from click.testing import CliRunner, Result

from rules.board.perft import divide
from rules.board.perft import perft as count
from rules.board.position import BoardVariant, starting_position
from throwlock.cli.main import COMMANDS, run_command
from throwlock.cli.numbers import perft

START = (
    "F1@1,-6 R1@3,-6 F1@5,-6 S1@-1,-5 R1@0,-5 S1@1,-5 S1@4,-5 R1@5,-5 S1@6,-5 P1@-2,-4 P1@-1,-4 P1@0,-4 "
    "P1@1,-4 P1@2,-4 P1@3,-4 P1@4,-4 P1@5,-4 P1@6,-4 P0@-6,3 P0@-5,3 P0@-4,3 P0@-3,3 P0@-2,3 P0@-1,3 "
    "P0@0,3 P0@1,3 P0@2,3 S0@-6,4 R0@-5,4 S0@-4,4 S0@-1,4 R0@0,4 S0@1,4 F0@-5,5 R0@-3,5 F0@-1,5 to-move=0"
)


def run(*args: str) -> Result:
    return CliRunner().invoke(perft, args)


@pytest.mark.parametrize(
    ("args", "leaves", "ended"),
    [
        (["0"], 1, 0),
        (["1"], 98, 0),
        (["2"], 8820, 8),
        (["2", "--position", START], 8820, 8),
        (["1", "--flags", "2"], 98, 0),
        (["2", "--flags", "2"], 9604, 0),
        (["1", "--position", "S0@1,0 S1@0,0 S1@2,-1 to-move=0"], 1, 0),
        (["1", "--lock", "any", "--position", "S0@1,0 S1@0,0 S1@2,-1 to-move=0"], 7, 0),
        (["2", "--position", "F0@-5,5 F1@5,-6 S1@0,0 to-move=0"], 24, 0),
        (["2", "--position", "F0@-5,5 F1@5,-6 S1@0,0 to-move=0", "--stuck", "loss"], 0, 1),
        (["2", "--position", "F0@-5,5 F1@5,-6 to-move=0"], 0, 1),
    ],
)
def test_counts(args: list[str], leaves: int, ended: int) -> None:
    result = run(*args)
    assert (result.exit_code, result.output) == (0, f"leaves {leaves}\nended {ended}\n")


def test_progress_has_a_step_for_each_first_move() -> None:
    steps: list[int] = []
    count(starting_position(BoardVariant()), 2, on_first_move=lambda: steps.append(1))
    divide(starting_position(BoardVariant()), 1, lambda: steps.append(1))
    assert len(steps) == 2 * 98


def test_divide_prints_each_first_move() -> None:
    result = run("2", "--divide")
    *moves, leaves, ended = result.output.splitlines()
    assert (leaves, ended) == ("leaves 8820", "ended 8")
    parts = [line.split() for line in moves]
    assert len({move for move, _, _ in parts}) == 98
    assert sum(int(count) for _, count, _ in parts) == 8820 and sum(int(count) for _, _, count in parts) == 8
    assert ["-3,5>-1,5", "0", "1"] in parts, "the Rock that destroys its own flag"


def test_divide_at_depth_0_prints_totals() -> None:
    assert run("0", "--divide").output == "leaves 1\nended 0\n"
    assert run("3", "--divide", "--position", "P0@6,-6 to-move=1").output == "leaves 3\nended 0\n"


@pytest.mark.parametrize(
    ("args", "fault"),
    [
        (["-1"], "-1"),
        (["--", "-1"], "DEPTH must be 0 or more, not -1"),
        (["two"], "DEPTH must be a whole number, not 'two'"),
        (["1.5"], "must be a whole number"),
        ([], "DEPTH is missing"),
        (["1", "--flags", "3"], "--flags must be from 1 to 2, not 3"),
        (["1", "--position", "R0@7,0 to-move=0"], "--position: 7,0 is off the board"),
        (["1", "--position", "R0@0,0 S1@0,0 to-move=0"], "two pieces on 0,0"),
        (["1", "--position", "L0@0,0 to-move=0"], "L0@0,0 is not a piece"),
        (["1", "--position", ""], "to-move=0 or to-move=1 is missing"),
        (["1", "--position", "R0@0,0\nto-move=3"], "to-move=0 or to-move=1 is missing"),
    ],
)
def test_wrong_position_is_one_line(args: list[str], fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "perft" in COMMANDS
    assert run_command(["perft", *args]) == 2
    said = capsys.readouterr()
    assert said.out == "" and len(said.err.splitlines()) == 1 and fault in said.err


def test_benchmark_counts_match() -> None:
    """Its positions can be read, and ours and python-chess are asked for the same: sequences of so many plies."""
    from rules.board.notation import parse_position
    from tools.bench.perft import MIDDLE_GAMES, chess_perft, our_perft

    for text in MIDDLE_GAMES.values():
        position = parse_position(text)
        assert our_perft(position, 2, one_by_one=False) == our_perft(position, 2, one_by_one=True) > 1000
    chess = pytest.importorskip("chess", reason="python-chess is installed for make bench only")
    assert [chess_perft(chess, depth, False) for depth in (1, 2, 3)] == [20, 400, 8902]
    assert chess_perft(chess, 2, True) == 400
