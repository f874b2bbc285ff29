"""How the board game is played: a few pages for people who have never played it."""

from collections.abc import Sequence
from functools import partial

from messages import N, join
from rules.board.events import BoardState, Moved
from rules.board.notation import format_move, format_position, parse_move, parse_position
from rules.board.position import BoardVariant
from rules.engine import Choices, Game, Prompt
from rules.engine.explanation import BeatsScene, ExcerptScene, ExplanationPage, Step

FLAG_MOVES = (
    "F0@-5,5 F0@-1,5 P0@-3,3 P0@-1,3 R0@1,0 S0@-4,2 F1@5,-6 F1@1,-6 P1@3,-4 P1@4,-4 R1@-1,-4 to-move=0",
    "1,0>1,-6",
)
"""A position, and a Rock's move onto a flag."""
ROCK_MOVES = ("F0@-5,5 F0@-1,5 R0@-4,2 F1@5,-6 F1@1,-6 R1@0,2 S1@3,-2 to-move=0", "-4,2>0,2")
"""A Rock knocks another off the board."""
PAPER_MOVES = ("F0@-5,5 F0@-1,5 P000@-3,1 F1@5,-6 F1@1,-6 R1@-1,1 P1@2,-2 to-move=0", "-3,1*E")
"""A stack is spread, and takes a Rock."""
SCISSORS_MOVES = ("F0@-5,5 F0@-1,5 S0@0,1 P0@-3,3 F1@5,-6 F1@1,-6 S1@3,-3 P1@-1,-2 to-move=0", "0,1>2,-1")
"""Scissors lock themselves with an enemy's."""


def how_to_play(game: Game, variant: BoardVariant) -> Sequence[ExplanationPage]:
    """Return the pages, with positions of the board that is played on."""
    by_throw = game.setup.choice("start") == "throw"

    def moves(position: str, move: str) -> ExcerptScene:
        return ExcerptScene(partial(_play_move, game, variant, position, move))

    goal = (
        N("Destroy one of the other side’s two flags. Any piece that moves onto a flag destroys it – your own, too.")
        if variant.flags == 1
        else N("Destroy both of the other side’s flags. Any piece that moves onto a flag destroys it – your own, too.")
    )
    captures = N("A piece takes what it beats, even your own. If it moves onto what beats it, it is lost.")
    return (
        ExplanationPage(moves(*FLAG_MOVES), goal),
        ExplanationPage(
            BeatsScene(), join([captures, N("The winner of a throw moves first.")]) if by_throw else captures
        ),
        ExplanationPage(
            moves(*ROCK_MOVES),
            N("A Rock moves straight, any distance. A Rock that it hits flies on: off the board, or into a piece."),
        ),
        ExplanationPage(
            moves(*PAPER_MOVES),
            N("Paper moves one space. Stacked, it moves as far as it is high, over all but Scissors, or spreads out."),
        ),
        ExplanationPage(
            moves(*SCISSORS_MOVES),
            N("Scissors move up to three spaces straight, or two with a turn. Next to enemy Scissors they are locked."),
        ),
    )


def _play_move(game: Game, variant: BoardVariant, text: str, notation: str) -> Sequence[Step]:
    """Return a move by South, seat 1, in the position written as ``text``."""
    position = parse_position(text, variant)
    moves = Choices(tuple(format_move(move, position.tables.board) for move in position.legal_moves()))
    after = position.after_move(parse_move(notation, position.tables.board))
    lost = sorted((position.pieces.material() - after.pieces.material()).elements())
    words = game.rules.text
    prompt = Prompt("move", {1: moves}, about={"position": text, "south": 1, "north": 2}, text=words)
    moved = Moved(1, notation, lost, BoardState(1, 1, 2, format_position(after)), text=words)
    return [Step(prompt, {1: notation}, (moved,))]
