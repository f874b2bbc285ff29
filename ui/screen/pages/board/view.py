"""The board page: the selected piece, the proposed move, and the presses that lead there."""

from dataclasses import dataclass

from rules.board.board import Space
from ui.screen.drawing import board_geometry
from ui.screen.pages.common.view import Question


@dataclass(frozen=True)
class SelectPiece:
    """Press: select the piece on a space, or nothing (``None``)."""

    space: Space | None


@dataclass(frozen=True)
class ProposeMove:
    """Press: propose a move that is yet to be confirmed."""

    move: str


BoardPress = SelectPiece | ProposeMove


@dataclass(frozen=True)
class BoardPage:
    """A question for a move on the board: the selected piece and the proposed move, if any."""

    view: Question
    position: board_geometry.BoardPosition
    moves: tuple[board_geometry.BoardMove, ...]
    selected: Space | None = None
    move: board_geometry.BoardMove | None = None

    @property
    def selected_moves(self) -> tuple[board_geometry.BoardMove, ...]:
        """The moves of the selected piece."""
        return tuple(move for move in self.moves if move.origin == self.selected)


def press_on_space(page: BoardPage, space: Space) -> ProposeMove | SelectPiece:
    """Return the press that a touch on a space means: a move there, if the selected piece has one; else to select the
    piece there, or nothing. A second touch on a piece that the proposed move would hit selects that piece instead:
    pieces may capture their own side's, and stacks are made of them, so the first touch can mean either."""
    move = next((move for move in page.selected_moves if not move.spread and move.landing_spaces[-1] == space), None)
    if move is not None and not (move == page.move and space in page.position.pieces):
        return ProposeMove(move.notation)
    return SelectPiece(space if space in page.position.pieces and space != page.selected else None)
