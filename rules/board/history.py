"""A game's history: what a position does not show but draws depend on."""

from collections import Counter

from rules.board.moves import Move
from rules.board.position import Key, Position


class GameHistory:
    """A game in progress.

    Attributes:
        position: The current position.
        plies: Plies played; a pass is a ply.
        quiet_plies: Plies since a piece last left the board.
        last_move: The move of the last ply; ``None`` after a pass and at the start.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.plies = 0
        self.quiet_plies = 0
        self.last_move: Move | None = None
        self._position_counts: Counter[Key] = Counter([position.key()])

    def push(self, move: Move | None) -> list[str]:
        """Play a move, or a pass if ``move`` is ``None``. Return what left the board: R0 is a Rock of South's, P1 a
        sheet of North's."""
        position = self.position.after_pass() if move is None else self.position.after_move(move)
        lost = self.position.pieces.material() - position.pieces.material()
        self.position, self.last_move = position, move
        self.plies += 1
        self.quiet_plies = 0 if lost else self.quiet_plies + 1
        self._position_counts[position.key()] += 1
        return sorted(lost.elements())

    def repetitions(self) -> int:
        """Return how often the current position has occurred, with the same side to move."""
        return self._position_counts[self.position.key()]
