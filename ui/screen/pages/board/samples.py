"""Samples of the board: nothing selected, each kind of piece selected, proposed moves, and a message about a move."""

from rules.board.board import RECONSTRUCTED_LAYOUT, Board
from rules.board.notation import format_move, format_space, parse_position, parse_space
from rules.engine import Choices, GameEvent, Json, Prompt
from ui.screen.core.page_stack import Page, Press, first_page
from ui.screen.pages.board import view as board_view
from ui.screen.pages.board.view import SelectPiece
from ui.screen.pages.common.samples import players, press_all
from ui.screen.pages.common.view import Question
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.views import View

BOARD = Board(RECONSTRUCTED_LAYOUT)
SET_UP_POSITION = " ".join(f"{token}@{format_space(space, BOARD)}" for space, token in BOARD.initial_pieces.items())
POSITION = (
    "F1@1,-6 F1@5,-6 S1@4,-4 S1@3,-1 P1111110101101@-1,-2 P1@2,-2 P01@2,0 S0@1,1 R0@-2,2 P0@-1,2 P0110@0,2 "
    "R1@-2,-1 P00@-3,3 S0@-4,4 R0@0,4 F0@-5,5 F0@-1,5 to-move=0 lost=0,1"
)
"""A position that shows every piece and every mark."""


def move_question(text: str, last: str | None = None, seconds_left: float | None = None) -> Question:
    """A question for a move on the board, with all legal moves."""
    position = parse_position(text.partition(" lost=")[0])
    moves = Choices(tuple(format_move(move, position.tables.board) for move in position.legal_moves()))
    seat = 2 - position.to_move
    about: dict[str, Json] = {"position": text, "south": 2, "north": 1, "last": last}
    return Question(players(2, scores=False), Prompt("move", {seat: moves}, about=about), seat, seconds_left)


def samples() -> dict[str, View | Page]:
    """Return the samples by name."""
    start = move_question(SET_UP_POSITION.replace("-3,3", "-3,2") + " to-move=1", "-3,3>-3,2", 41.0)
    unselected = first_page(move_question(POSITION, "2,-3>2,-2"))

    def select(space: str, *then: Press) -> Page:
        page = unselected
        return press_all(page, SelectPiece(parse_space(space, BOARD)), *then)

    return {
        "board": start,
        "board-rock": select("-2,2"),
        "board-scissors": select("1,1"),
        "board-stack": select("0,2"),
        "board-theirs": select("-1,-2"),
        "board-flag": select("-5,5"),
        "board-costs": select("-2,2", board_view.ProposeMove("-2,2>-1,2")),
        "board-takes": select("-2,2", board_view.ProposeMove("-2,2>-2,-1")),
        "board-spread": select("0,2", board_view.ProposeMove("0,2*W")),
        "board-message": GameMessage(
            players(2),
            GameEvent("moved", {"move": "2,-3>2,-2", "position": POSITION, "south": 2, "north": 1}),
            ("Ann moves a Paper from i6 to h7.", "It takes a Rock of South's."),
        ),
    }
