"""``make bench``, the board game's part: move sequences counted a second, beside python-chess's from its own start,
both measured in the same run. Compare the ratios; the rates are this machine's."""

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from functools import partial
from types import ModuleType

from rules.board.notation import read_position
from rules.board.perft import perft
from rules.board.position import Position, start

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
"""What python-chess must count from its start to four plies, as everybody's chess program does."""


def rate(count: Callable[[], int], seconds: float) -> tuple[int, float]:
    """The leaves ``count`` gives and the best number of them a second, repeated for ``seconds``."""
    leaves, best, until = 0, 0.0, time.perf_counter() + seconds
    while not best or time.perf_counter() < until:
        begun = time.perf_counter()
        leaves = count()
        best = max(best, leaves / (time.perf_counter() - begun))
    return leaves, best


def our_perft(position: Position, depth: int, one_by_one: bool) -> int:
    """The leaves of the board game."""
    return perft(position, depth, one_by_one).leaves


def chess_perft(chess: ModuleType, depth: int, one_by_one: bool) -> int:
    """python-chess's count as its own perft does it: the last ply's moves are counted and not made, unless
    ``one_by_one``."""

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


def measure(chess: ModuleType, seconds: float) -> str:
    """Run the benchmark and say what came out."""
    lines = [f"move sequences a second, the best of {seconds:g} s each, on this machine now:"]
    positions: dict[str, Position] = {"the set-up": start()}
    positions |= {name: read_position(text) for name, text in MIDDLE_GAMES.items()}
    for made, one_by_one in (("last ply counted", False), ("every move made", True)):
        chess_leaves, chess_rate = rate(partial(chess_perft, chess, CHESS_DEPTH, one_by_one), seconds)
        assert chess_leaves == CHESS_LEAVES, "python-chess counts what it should"
        lines.append(f"{made}:")
        lines.append(_line(f"python-chess {chess.__version__}, its start", CHESS_DEPTH, chess_leaves, chess_rate))
        for name, position in positions.items():
            leaves, ours = rate(partial(our_perft, position, DEPTH, one_by_one), seconds)
            lines.append(_line(name, DEPTH, leaves, ours) + f", {ours / chess_rate:.1f} times python-chess")
    return "\n".join(lines)


def _line(name: str, depth: int, leaves: int, rate_found: float) -> str:
    return f"  {name + ':':<32} depth {depth}, {leaves:>9,} leaves, {rate_found:>12,.0f} a second"


def main() -> None:
    """Parse the arguments and print the figures."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3, help="how long each count is repeated (default 3)")
    seconds = parser.parse_args().seconds
    try:
        chess = importlib.import_module("chess")
    except ImportError:
        sys.exit("python-chess is not here to be measured beside: pip install 'throwlock[bench]'")
    print(measure(chess, seconds))


if __name__ == "__main__":
    main()
