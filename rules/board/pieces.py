"""What stands on the board, and what happens when a piece moves: the capture table, collisions, clumps and spreads.

A piece is a token: R, S or F with its owner's digit, or P with its sheets' owners from bottom to top. It is its
controller's whose digit is last: the owner of a Rock, a Scissors or a Flag, the owner of the top sheet of a stack.
"""

from collections import Counter

from rules.board.board import Board, Side, Space
from rules.board.moves import Mask, Move

Token = str

ARRIVING: dict[str, dict[str, str]] = {
    "R": {"R": "knocks", "S": "takes", "P": "is lost", "F": "takes"},
    "S": {"R": "is lost", "P": "takes", "F": "takes"},  # onto Scissors: never (SC2)
    "P": {"R": "takes", "S": "is lost", "P": "stacks", "F": "takes"},
}
"""What the piece that arrives (outer) does to or suffers from what stands on the space (inner), whoever owns them."""


class Pieces:
    """What stands where. ``men`` are the tokens by space of what South and what North controls; ``occupied`` and
    ``scissors`` (each side's) are masks of the same. ``lost`` counts the flags each side has lost, until one has lost
    as many as decide the game: ``loser``."""

    __slots__ = ("loser", "lost", "men", "occupied", "scissors")

    def __init__(self) -> None:
        self.men: tuple[dict[Space, Token], dict[Space, Token]] = ({}, {})
        self.occupied: Mask = 0
        self.scissors: list[Mask] = [0, 0]
        self.lost: tuple[int, int] = (0, 0)
        self.loser: Side | None = None

    def copy(self) -> "Pieces":
        """The same pieces, to be moved without moving these."""
        new = Pieces.__new__(Pieces)
        south, north = self.men
        new.men = (south.copy(), north.copy())
        new.occupied = self.occupied
        new.scissors = self.scissors.copy()
        new.lost = self.lost
        new.loser = self.loser
        return new

    def at(self, space: Space) -> Token | None:
        """What stands on a space; ``None`` if nothing does."""
        south, north = self.men
        return south.get(space) or north.get(space)

    def put(self, token: Token, space: Space) -> None:
        """Put a piece on an empty space."""
        side = 1 if token[-1] == "1" else 0
        self.men[side][space] = token
        self.occupied |= 1 << space
        if token[0] == "S":
            self.scissors[side] |= 1 << space

    def lift(self, space: Space) -> Token | None:
        """Take away what stands on a space, if anything does, and say what it was."""
        south, north = self.men
        token = south.pop(space, None) or north.pop(space, None)
        if token:
            self.occupied ^= 1 << space
            if token[0] == "S":
                self.scissors[1 if token[-1] == "1" else 0] ^= 1 << space
        return token

    def things(self) -> Counter[str]:
        """Every Rock, Scissors, Flag and sheet of Paper on the board, by kind and owner: ``R0``, ``P1``."""
        return Counter(token[0] + owner for men in self.men for token in men.values() for owner in token[1:])


def make(move: Move, pieces: Pieces, board: Board, flags: int) -> None:
    """Move ``pieces``. The move must be legal; ``flags`` is how many a side must lose to have lost."""
    token = pieces.lift(move.origin)
    assert token is not None, "a move starts where a piece stands"
    if move.spread:
        spread(token, move, pieces, board, flags)
    elif (hit := arrive(token, move.target, pieces, flags)) is not None:
        run(hit, move.target, board.heading[move.origin][move.target], pieces, board, flags)


def arrive(token: Token, space: Space, pieces: Pieces, flags: int) -> Token | None:
    """A piece arrives on a space, by the capture table. Gives the Rock that it knocked from there, if any."""
    there = pieces.lift(space)
    if there is None:
        pieces.put(token, space)
        return None
    outcome = ARRIVING[token[0]][there[0]]
    if outcome == "is lost":
        pieces.put(there, space)
        return None
    pieces.put(there + token[1:] if outcome == "stacks" else token, space)
    if there[0] == "F":
        fall(1 if there[1] == "1" else 0, pieces, flags)
    return there if outcome == "knocks" else None


def run(rock: Token, space: Space, direction: int, pieces: Pieces, board: Board, flags: int) -> None:
    """RO3: a knocked Rock leaves ``space`` in the direction of the blow and can't stop of its own accord. It runs off
    the board or into the next piece; if that is a Rock, that one runs on."""
    hit: Token | None = rock
    while hit is not None:
        ahead = (there for there in board.rays[space][direction] if pieces.occupied >> there & 1)
        next_piece = next(ahead, None)
        if next_piece is None:
            return
        space = next_piece
        hit = arrive(hit, space, pieces, flags)


def spread(stack: Token, move: Move, pieces: Pieces, board: Board, flags: int) -> None:
    """PA4 to PA7: the bottommost sheet on the first space of the line, the top one on the last. Sheets beyond the edge
    are lost, and at Scissors all that are left."""
    line = board.rays[move.origin][board.heading[move.origin][move.target]]
    scissors = pieces.scissors[0] | pieces.scissors[1]
    for sheet, space in zip(stack[1:], line, strict=False):
        if scissors >> space & 1:
            return
        arrive("P" + sheet, space, pieces, flags)


def fall(owner: Side, pieces: Pieces, flags: int) -> None:
    """EN1 to EN3: a flag falls; whoever has lost ``flags`` of them first has lost, and what falls after that does not
    count."""
    if pieces.loser is not None:
        return
    south, north = pieces.lost
    pieces.lost = (south + 1, north) if owner == 0 else (south, north + 1)
    if pieces.lost[owner] >= flags:
        pieces.loser = owner
