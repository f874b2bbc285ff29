"""How far a game has come: what a position does not show, and the draws hang on."""

from collections import Counter

from rules.hexboard.position import Key, Position


class Course:
    """A game from ``position`` on. ``plies`` is how many were played, ``quiet`` how many of the last in a row nothing
    left the board in; a pass is a ply."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.plies = 0
        self.quiet = 0
        self._seen: Counter[Key] = Counter([position.key()])

    def goes_on(self, position: Position) -> list[str]:
        """The next ply has led to ``position``. Gives what left the board in it: R0 a Rock of South's, P1 a sheet of
        North's."""
        left = self.position.pieces.things() - position.pieces.things()
        self.position = position
        self.plies += 1
        self.quiet = 0 if left else self.quiet + 1
        self._seen[position.key()] += 1
        return sorted(left.elements())

    def times(self) -> int:
        """How often the position has occurred, with the same side to move."""
        return self._seen[self.position.key()]
