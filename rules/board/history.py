"""How far a game has come: what a position does not show, and the draws hang on."""

from collections import Counter

from rules.board.moves import Move
from rules.board.position import Key, Position


class Course:
    """A game from ``position`` on. ``plies`` is how many were played, ``quiet`` how many of the last in a row nothing
    left the board in; a pass is a ply. ``last`` is the move of the last ply, ``None`` after a pass and at the start."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.plies = 0
        self.quiet = 0
        self.last: Move | None = None
        self._seen: Counter[Key] = Counter([position.key()])

    def goes_on(self, move: Move | None) -> list[str]:
        """The next ply is a move, or with ``None`` a pass. Gives what leaves the board: R0 a Rock of South's, P1 a
        sheet of North's."""
        position = self.position.passed() if move is None else self.position.after(move)
        left = self.position.pieces.things() - position.pieces.things()
        self.position, self.last = position, move
        self.plies += 1
        self.quiet = 0 if left else self.quiet + 1
        self._seen[position.key()] += 1
        return sorted(left.elements())

    def times(self) -> int:
        """How often the position has occurred, with the same side to move."""
        return self._seen[self.position.key()]
