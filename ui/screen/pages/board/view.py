"""The board page: the piece taken up, the move proposed, and the presses that lead there."""

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
    """A question for a move on the board: the piece taken up and the move proposed, if any."""

    view: Question
    position: board_geometry.BoardPosition
    moves: tuple[board_geometry.BoardMove, ...]
    selected: Space | None = None
    move: board_geometry.BoardMove | None = None

    @property
    def selected_moves(self) -> tuple[board_geometry.BoardMove, ...]:
        """The moves of the piece taken up."""
        return tuple(way for way in self.moves if way.origin == self.selected)


def press_on_space(page: BoardPage, space: Space) -> ProposeMove | SelectPiece:
    """What a touch on a space of the board means: a move there, where the piece taken up has one; else to take up what
    stands there, or to let go. A second touch on a piece that the proposed move would hit takes that one up instead:
    pieces may capture their own side's, and stacks are made of them, so the first touch can mean either."""
    way = next((way for way in page.selected_moves if not way.spread and way.landing_spaces[-1] == space), None)
    if way is not None and not (way == page.move and space in page.position.pieces):
        return ProposeMove(way.notation)
    return SelectPiece(space if space in page.position.pieces and space != page.selected else None)
