"""Measure how many move sequences of the board game are counted per second, compared with python-chess.

``python -m tools.bench.perft`` measures both in the same run: compare the ratios, the rates depend on the machine."""

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from functools import partial
from types import ModuleType

from rules.board.notation import parse_position
from rules.board.perft import perft
from rules.board.position import Position, starting_position

MIDDLE_GAMES = {
    "middle game, stacks and locks": (
        "F1@1,-6 F1@5,-6 S1@-1,-5 R1@0,-5 S1@4,-5 R1@5,-5 P1@-2,-4 P1@-1,-4 P1@3,-4 P1@5,-4 R1@2,-3 S1@1,-1 P1101@2,-1 "
        "S0@0,0 P011@3,-2 P100@-2,1 P00@-4,2 S0@-3,3 P0@-1,3 P0@2,2 R0@-5,4 S0@-1,4 R0@0,4 F0@-5,5 F0@-1,5 to-move=0"
    ),
    "middle game, few pieces": (
        "F1@1,-6 F1@5,-6 S1@4,-5 R1@5,-5 P11@3,-4 P1@2,-2 S1@-1,-1 S0@0,0 P000@-2,2 R0@-5,4 R0@1,3 F0@-5,5 F0@-1,5 "
        "to-move=1"
    ),
}
DEPTH, CHESS_DEPTH = 3, 4
CHESS_LEAVES = 197_281
"""The move sequences of four plies from the start of chess (Chess Programming Wiki, "Perft Results")."""


def measure_rate(count: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Repeat ``count`` for ``seconds``; return the leaves it counts and the best rate in leaves per second."""
    leaves, best, until = 0, 0.0, time.perf_counter() + seconds
    while not best or time.perf_counter() < until:
        begin = time.perf_counter()
        leaves = count()
        best = max(best, leaves / (time.perf_counter() - begin))
    return leaves, best


def our_perft(position: Position, depth: int, one_by_one: bool) -> int:
    """Return the number of leaves of the board game's tree."""
    return perft(position, depth, one_by_one).leaves


def chess_perft(chess: ModuleType, depth: int, one_by_one: bool) -> int:
    """Return python-chess's number of leaves, as its own perft counts them: the moves of the last ply are counted
    without being made, unless ``one_by_one``."""

    def walk(left: int) -> int:
        if left == 0:
            return 1
        if left == 1 and not one_by_one:
            return int(board.legal_moves.count())
        leaves = 0
        for move in board.legal_moves:
            board.push(move)
            leaves += walk(left - 1)
            board.pop()
        return leaves

    board = chess.Board()
    return walk(depth)


def report(chess: ModuleType, seconds: float) -> str:
    """Run the benchmark and return its figures as text."""
    lines = [f"Move sequences per second, the best within {seconds:g} s each:"]
    positions: dict[str, Position] = {"starting position": starting_position()}
    positions |= {name: parse_position(text) for name, text in MIDDLE_GAMES.items()}
    for mode, one_by_one in (("last ply counted", False), ("every move made", True)):
        chess_leaves, chess_rate = measure_rate(partial(chess_perft, chess, CHESS_DEPTH, one_by_one), seconds)
        assert chess_leaves == CHESS_LEAVES, "python-chess miscounts"
        lines.append(f"{mode}:")
        lines.append(_line(f"python-chess {chess.__version__}, start", CHESS_DEPTH, chess_leaves, chess_rate))
        for name, position in positions.items():
            leaves, rate = measure_rate(partial(our_perft, position, DEPTH, one_by_one), seconds)
            lines.append(f"{_line(name, DEPTH, leaves, rate)}, {rate / chess_rate:.1f} times python-chess")
    return "\n".join(lines)


def _line(name: str, depth: int, leaves: int, rate: float) -> str:
    return f"  {name + ':':<32} depth {depth}, {leaves:>9,} leaves, {rate:>12,.0f} per second"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.perft", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3, help="time for each count (default 3)")
    seconds = parser.parse_args().seconds
    try:
        chess = importlib.import_module("chess")
    except ImportError:
        sys.exit("python-chess is not installed: pip install 'throwlock[test]'")
    print(report(chess, seconds))


if __name__ == "__main__":
    main()
