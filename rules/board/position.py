"""A position of the board game: the pieces and whose turn it is, the legal moves, and what a move leads to."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Literal

from rules.board.board import Coordinates, Side, Space
from rules.board.moves import Mask, Move, Moves, Reach, reach_on, spaces_in
from rules.board.pieces import Pieces, Token, make

Lock = Literal["all", "any"]
Stuck = Literal["pass", "loss"]


@dataclass(frozen=True)
class Rulings:
    """What a table may settle otherwise: how many flags a side must lose to have lost (EN1, EN2); whether a locked
    Scissors stays in touch with all its partners or with any of them (SC5); whether a player who can't move passes or
    loses (TU4); and the board."""

    flags: int = 1
    lock: Lock = "all"
    stuck: Stuck = "pass"
    board: str = "reconstruction"


STANDARD = Rulings()
Key = tuple[frozenset[tuple[Space, Token]], Side]


class Position:
    """Where a game stands, apart from what was before. It never changes: ``after`` gives a new one::

    position = start()
    for move in position.moves():
        print(position.after(move).count())
    """

    __slots__ = ("pieces", "reach", "rulings", "to_move")

    def __init__(self, pieces: Pieces, to_move: Side, reach: Reach, rulings: Rulings) -> None:
        self.pieces = pieces
        self.to_move = to_move
        self.reach = reach
        self.rulings = rulings

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine, yours = (self.key(), self.pieces.lost, self.rulings), (other.key(), other.pieces.lost, other.rulings)
        return mine == yours

    def __hash__(self) -> int:
        return hash(self.key())

    def tokens(self) -> dict[Coordinates, Token]:
        """What stands where, row by row from the North and from West to East."""
        south, north = self.pieces.men
        where = self.reach.board.coordinates
        return {where[space]: token for space, token in sorted((*south.items(), *north.items()))}

    def key(self) -> Key:
        """Equal for positions with the same pieces on the same spaces and the same side to move."""
        south, north = self.pieces.men
        return frozenset((*south.items(), *north.items())), self.to_move

    def loser(self) -> Side | None:
        """Who has lost: by flags, or where the house rules so, by having no move. ``None`` while nobody has."""
        if self.pieces.loser is None and self.rulings.stuck == "loss" and not self.can_move():
            return self.to_move
        return self.pieces.loser

    def is_dead(self) -> bool:
        """Whether neither player can move (EN4c)."""
        return not self.can_move() and not self.passed().can_move()

    def can_move(self) -> bool:
        """Whether whose turn it is has a legal move."""
        return self.count() > 0

    def passed(self) -> "Position":
        """The same with the other side to move."""
        return Position(self.pieces, 1 - self.to_move, self.reach, self.rulings)

    def after(self, move: Move) -> "Position":
        """What a legal move leads to."""
        pieces = self.pieces.copy()
        make(move, pieces, self.reach.board, self.rulings.flags)
        return Position(pieces, 1 - self.to_move, self.reach, self.rulings)

    def moves(self) -> list[Move]:
        """The legal moves of whose turn it is, space by space."""
        return [move for space, token in sorted(self._own().items()) for move in self._moves_of(space, token)]

    def count(self) -> int:
        """How many legal moves there are: ``len(moves())``, sooner."""
        return sum(len(self._moves_of(space, token)) for space, token in self._own().items())

    def moves_from(self, space: Space) -> Moves:
        """The legal moves of what stands on a space; none if nothing does or it is not its turn."""
        token = self._own().get(space)
        return self._moves_of(space, token) if token else ()

    def _moves_of(self, space: Space, token: Token) -> Moves:
        """The legal moves of ``token``, which stands on ``space`` and whose turn it is."""
        pieces, reach, kind = self.pieces, self.reach, token[0]
        if kind == "P":
            if len(token) == 2:
                return reach.sheet[space]
            stack = reach.stack(space, len(token) - 1)
            return stack[(pieces.scissors[0] | pieces.scissors[1]) & stack.depends_on]
        if kind == "R":
            one, two, three = reach.rock[space]
            occupied = pieces.occupied
            return one[occupied & one.depends_on] + two[occupied & two.depends_on] + three[occupied & three.depends_on]
        if kind == "S":
            return reach.to[space][self._scissors_ends(space)]
        return ()  # TU5: flags never move

    def _scissors_ends(self, space: Space) -> Mask:
        """SC1 to SC5: where the Scissors on ``space`` may end its move."""
        pieces, reach = self.pieces, self.reach
        friends, enemies = pieces.scissors[self.to_move], pieces.scissors[1 - self.to_move]
        partners = enemies & reach.near[space]
        # SC4: where it stands beside an enemy it was not locked with, the move ends.
        closed = pieces.occupied | reach.beside[enemies ^ partners]
        allowed = ~(enemies | friends)  # SC2
        if partners:  # SC5: in touch on every space it enters
            touching = [reach.near[partner] for partner in spaces_in(partners)]
            contact = reduce(and_ if self.rulings.lock == "all" else or_, touching)
            closed |= ~contact
            allowed &= contact
        ways = reach.scissors[space]
        return ways[closed & ways.depends_on] & allowed

    def _own(self) -> dict[Space, Token]:
        return self.pieces.men[self.to_move]


def placed(tokens: Mapping[Space, Token], to_move: Side, rulings: Rulings = STANDARD) -> Position:
    """The position with ``tokens`` on their spaces and no flag lost."""
    pieces = Pieces()
    for space, token in tokens.items():
        pieces.put(token, space)
    return Position(pieces, to_move, reach_on(rulings.board), rulings)


def start(rulings: Rulings = STANDARD) -> Position:
    """The set-up of the board, South to move."""
    return placed(reach_on(rulings.board).board.set_up, 0, rulings)
