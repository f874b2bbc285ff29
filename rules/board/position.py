"""A position of the board game: the pieces, the side to move and its legal moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Literal

from rules.board.board import Coordinates, Side, Space
from rules.board.moves import Mask, Move, Moves, MoveTables, move_tables, spaces_in
from rules.board.pieces import Pieces, Token, apply_move

LockRule = Literal["all", "any"]
StuckRule = Literal["pass", "loss"]


@dataclass(frozen=True)
class BoardVariant:
    """The rules a table can choose."""

    flags: int = 1
    """Flags a side must lose to lose the game (EN1, EN2)."""
    lock: LockRule = "all"
    """Whether locked Scissors stay next to all their partners or any of them (SC5)."""
    stuck: StuckRule = "pass"
    """Whether a player without a legal move passes or loses (TU4)."""
    layout: str = "reconstruction"


STANDARD_VARIANT = BoardVariant()
Key = tuple[frozenset[tuple[Space, Token]], Side]


class Position:
    """The pieces and the side to move. Immutable: ``after_move`` returns a new position::

    position = starting_position()
    for move in position.legal_moves():
        print(position.after_move(move).legal_move_count())
    """

    __slots__ = ("pieces", "tables", "to_move", "variant")

    def __init__(self, pieces: Pieces, to_move: Side, tables: MoveTables, variant: BoardVariant) -> None:
        self.pieces = pieces
        self.to_move = to_move
        self.tables = tables
        self.variant = variant

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        same_pieces = self.key() == other.key() and self.pieces.flags_lost == other.pieces.flags_lost
        return same_pieces and self.variant == other.variant

    def __hash__(self) -> int:
        return hash(self.key())

    def tokens(self) -> dict[Coordinates, Token]:
        """Return the pieces by coordinates, row by row from the North and from West to East."""
        south, north = self.pieces.tokens
        where = self.tables.board.coordinates
        return {where[space]: token for space, token in sorted((*south.items(), *north.items()))}

    def key(self) -> Key:
        """Return a key that is equal for positions with the same pieces on the same spaces and the same side to
        move."""
        south, north = self.pieces.tokens
        return frozenset((*south.items(), *north.items())), self.to_move

    def loser(self) -> Side | None:
        """Return the side that has lost, by flags or (variant ``stuck``) by having no move; ``None`` if neither has."""
        if self.pieces.loser is None and self.variant.stuck == "loss" and not self.can_move():
            return self.to_move
        return self.pieces.loser

    def is_dead(self) -> bool:
        """Whether neither side can move (EN4c)."""
        return not self.can_move() and not self.after_pass().can_move()

    def can_move(self) -> bool:
        """Whether the side to move has a legal move."""
        return self.legal_move_count() > 0

    def after_pass(self) -> "Position":
        """Return the position with the other side to move."""
        return Position(self.pieces, 1 - self.to_move, self.tables, self.variant)

    def after_move(self, move: Move) -> "Position":
        """Return the position after a legal move."""
        pieces = self.pieces.copy()
        apply_move(move, pieces, self.tables.board, self.variant.flags)
        return Position(pieces, 1 - self.to_move, self.tables, self.variant)

    def legal_moves(self) -> list[Move]:
        """Return the legal moves of the side to move, space by space."""
        return [move for space, token in sorted(self._own_tokens().items()) for move in self._piece_moves(space, token)]

    def legal_move_count(self) -> int:
        """Return ``len(legal_moves())``, but faster."""
        return sum(len(self._piece_moves(space, token)) for space, token in self._own_tokens().items())

    def legal_moves_from(self, space: Space) -> Moves:
        """Return the legal moves of the piece on a space; none if it is empty or the other side's."""
        token = self._own_tokens().get(space)
        return self._piece_moves(space, token) if token else ()

    def _piece_moves(self, space: Space, token: Token) -> Moves:
        """Return the legal moves of ``token``, a piece of the side to move on ``space``."""
        pieces, tables, kind = self.pieces, self.tables, token[0]
        if kind == "P":
            if len(token) == 2:
                return tables.sheet_moves[space]
            stack = tables.stack_moves(space, len(token) - 1)
            return stack[(pieces.scissors[0] | pieces.scissors[1]) & stack.depends_on]
        if kind == "R":
            first, second, third = tables.rock_moves[space]
            occupied = pieces.occupied
            return (
                first[occupied & first.depends_on]
                + second[occupied & second.depends_on]
                + third[occupied & third.depends_on]
            )
        if kind == "S":
            return tables.moves_to[space][self._scissors_targets(space)]
        return ()  # TU5: flags never move

    def _scissors_targets(self, space: Space) -> Mask:
        """SC1 to SC5: return the spaces on which the Scissors on ``space`` may end their move."""
        pieces, tables = self.pieces, self.tables
        friends, enemies = pieces.scissors[self.to_move], pieces.scissors[1 - self.to_move]
        partners = enemies & tables.adjacent[space]
        # SC4: the move ends next to an enemy they were not locked with.
        blocked = pieces.occupied | tables.adjacent_to_any[enemies ^ partners]
        allowed = ~(enemies | friends)  # SC2
        if partners:  # SC5: next to them on every space they enter
            touching = [tables.adjacent[partner] for partner in spaces_in(partners)]
            contact = reduce(and_ if self.variant.lock == "all" else or_, touching)
            blocked |= ~contact
            allowed &= contact
        ends = tables.scissors_ends[space]
        return ends[blocked & ends.depends_on] & allowed

    def _own_tokens(self) -> dict[Space, Token]:
        return self.pieces.tokens[self.to_move]


def position_from_tokens(
    tokens: Mapping[Space, Token], to_move: Side, variant: BoardVariant = STANDARD_VARIANT
) -> Position:
    """Return the position with ``tokens`` on their spaces and no flag lost."""
    pieces = Pieces()
    for space, token in tokens.items():
        pieces.place(token, space)
    return Position(pieces, to_move, move_tables(variant.layout), variant)


def starting_position(variant: BoardVariant = STANDARD_VARIANT) -> Position:
    """Return the set-up of the board, South to move."""
    return position_from_tokens(move_tables(variant.layout).board.initial_pieces, 0, variant)
