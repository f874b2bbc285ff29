"""The pieces on the board, and what happens when one moves: captures, collisions, clumps and spreads.

A piece is a token: R, S or F with its owner's digit, or P with its sheets' owners from bottom to top. Its controller is
the last digit: the owner of a Rock, Scissors or Flag, or of a stack's top sheet.
"""

from collections import Counter

from rules.board.board import Board, Side, Space
from rules.board.moves import Mask, Move

Token = str

CAPTURE_TABLE: dict[str, dict[str, str]] = {
    "R": {"R": "knocks", "S": "takes", "P": "is lost", "F": "takes"},
    "S": {"R": "is lost", "P": "takes", "F": "takes"},  # onto Scissors: never (SC2)
    "P": {"R": "takes", "S": "is lost", "P": "stacks", "F": "takes"},
}
"""What the arriving piece (outer key) does to the piece on the space (inner key), or "is lost", whoever owns them."""


class Pieces:
    """The pieces on the board.

    Attributes:
        tokens: The tokens by space that South and North control.
        occupied: The mask of all occupied spaces.
        scissors: The masks of South's and North's Scissors.
        flags_lost: The flags each side has lost, up to the one that decides the game.
        loser: The side that has lost enough flags to lose the game; ``None`` until then.
    """

    __slots__ = ("flags_lost", "loser", "occupied", "scissors", "tokens")

    def __init__(self) -> None:
        self.tokens: tuple[dict[Space, Token], dict[Space, Token]] = ({}, {})
        self.occupied: Mask = 0
        self.scissors: list[Mask] = [0, 0]
        self.flags_lost: tuple[int, int] = (0, 0)
        self.loser: Side | None = None

    def copy(self) -> "Pieces":
        """Return a copy that can be changed independently."""
        new = Pieces.__new__(Pieces)
        south, north = self.tokens
        new.tokens = (south.copy(), north.copy())
        new.occupied = self.occupied
        new.scissors = self.scissors.copy()
        new.flags_lost = self.flags_lost
        new.loser = self.loser
        return new

    def piece_at(self, space: Space) -> Token | None:
        """Return the token on a space, or ``None``."""
        south, north = self.tokens
        return south.get(space) or north.get(space)

    def place(self, token: Token, space: Space) -> None:
        """Place a piece on an empty space."""
        side = 1 if token[-1] == "1" else 0
        self.tokens[side][space] = token
        self.occupied |= 1 << space
        if token[0] == "S":
            self.scissors[side] |= 1 << space

    def remove(self, space: Space) -> Token | None:
        """Remove the piece on a space, if any, and return it."""
        south, north = self.tokens
        token = south.pop(space, None) or north.pop(space, None)
        if token:
            self.occupied ^= 1 << space
            if token[0] == "S":
                self.scissors[1 if token[-1] == "1" else 0] ^= 1 << space
        return token

    def material(self) -> Counter[str]:
        """Count the Rocks, Scissors, Flags and sheets of Paper on the board by kind and owner: ``R0``, ``P1``."""
        return Counter(token[0] + owner for men in self.tokens for token in men.values() for owner in token[1:])


def apply_move(move: Move, pieces: Pieces, board: Board, flags: int) -> None:
    """Apply a legal move to ``pieces``. ``flags`` is the number of flags a side must lose to lose the game."""
    token = pieces.remove(move.origin)
    assert token is not None, "a move starts where a piece stands"
    if move.spread:
        spread_stack(token, move, pieces, board, flags)
    elif (knocked := arrive(token, move.target, pieces, flags)) is not None:
        slide_rock(knocked, move.target, board.direction_to[move.origin][move.target], pieces, board, flags)


def arrive(token: Token, space: Space, pieces: Pieces, flags: int) -> Token | None:
    """Move a piece onto a space by the capture table. Return the Rock it knocks away, if any."""
    occupant = pieces.remove(space)
    if occupant is None:
        pieces.place(token, space)
        return None
    outcome = CAPTURE_TABLE[token[0]][occupant[0]]
    if outcome == "is lost":
        pieces.place(occupant, space)
        return None
    pieces.place(occupant + token[1:] if outcome == "stacks" else token, space)
    if occupant[0] == "F":
        lose_flag(1 if occupant[1] == "1" else 0, pieces, flags)
    return occupant if outcome == "knocks" else None


def slide_rock(rock: Token, space: Space, direction: int, pieces: Pieces, board: Board, flags: int) -> None:
    """RO3: slide a knocked Rock from ``space`` in the direction of the blow, off the board or into the next piece. If
    that is a Rock, it slides on in turn."""
    sliding: Token | None = rock
    while sliding is not None:
        occupied_ahead = (ahead for ahead in board.rays[space][direction] if pieces.occupied >> ahead & 1)
        next_occupied = next(occupied_ahead, None)
        if next_occupied is None:
            return
        space = next_occupied
        sliding = arrive(sliding, space, pieces, flags)


def spread_stack(stack: Token, move: Move, pieces: Pieces, board: Board, flags: int) -> None:
    """PA4 to PA7: lay the bottom sheet on the first space of the line and the others on the next ones. Sheets beyond
    the edge are lost, and at Scissors all remaining ones."""
    line = board.rays[move.origin][board.direction_to[move.origin][move.target]]
    scissors = pieces.scissors[0] | pieces.scissors[1]
    for sheet, space in zip(stack[1:], line, strict=False):
        if scissors >> space & 1:
            return
        arrive("P" + sheet, space, pieces, flags)


def lose_flag(owner: Side, pieces: Pieces, flags: int) -> None:
    """EN1 to EN3: count a lost flag. The side that has lost ``flags`` of them first loses; later losses don't count."""
    if pieces.loser is not None:
        return
    south, north = pieces.flags_lost
    pieces.flags_lost = (south + 1, north) if owner == 0 else (south, north + 1)
    if pieces.flags_lost[owner] >= flags:
        pieces.loser = owner
