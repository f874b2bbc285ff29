"""The board game's board as a screen needs it, without drawing it: what a question says about the position and its
moves, what a move would cost, and where the spaces lie on the screen."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pygame import Rect

from rules.board.board import DIRECTIONS, Board, Side, Space
from rules.board.notation import NotationError, read_move, read_position
from rules.engine import Choices, Json, Options, Seat

Token = str
"""What stands on a space: R, S or F with its owner's digit, or P with its sheets' owners from bottom to top."""


@dataclass(frozen=True)
class Way:
    """A move as it is drawn: ``notation`` as the rules write it, from ``origin`` to where it lands, space by space. A
    clump lands on one space; a ``spread`` in a direction on as many as it has sheets, if the board goes on so far."""

    notation: str
    origin: Space
    lands: tuple[Space, ...]
    spread: str | None = None


@dataclass(frozen=True)
class Setting:
    """A position to be drawn. ``seats`` is who plays South and who North; ``last`` is the move that led to it."""

    notation: str
    board: Board
    pieces: Mapping[Space, Token]
    to_move: Side
    seats: tuple[Seat, Seat]
    last: Way | None = None

    def own(self, space: Space | None) -> bool:
        """Whether what stands on a space is controlled by whose turn it is."""
        return space is not None and space in self.pieces and controls(self.pieces[space]) == self.to_move


def controls(token: Token) -> Side:
    """Whose a piece is: its owner's, or the owner's of the top sheet."""
    return int(token[-1])


def setting(facts: Mapping[str, Json]) -> Setting | None:
    """The position told in ``facts`` of an ask or a say as "position", with the seats of "south" and "north" and, as
    "move" or "last", the move that led to it. ``None`` where there is none, or none this board has."""
    text, seats = facts.get("position"), (facts.get("south"), facts.get("north"))
    read = _read(text) if isinstance(text, str) else None
    if read is None:
        return None
    board, pieces, to_move = read
    south, north = (seat if isinstance(seat, int) else side for side, seat in enumerate(seats, 1))
    move = facts.get("move", facts.get("last"))
    last = _way(move, board, {}) if isinstance(move, str) else None
    return Setting(str(text), board, pieces, to_move, (south, north), last)


@lru_cache(maxsize=16)
def _read(text: str) -> tuple[Board, Mapping[Space, Token], Side] | None:
    try:
        position = read_position(_without_lost(text))
    except NotationError:
        return None
    board = position.reach.board
    return board, {board.number[where]: token for where, token in position.tokens().items()}, position.to_move


def _without_lost(text: str) -> str:
    """The position without the flags lost before, which make no difference to what is drawn."""
    return text.partition(" lost=")[0]


def ways(on: Setting, options: Options) -> tuple[Way, ...]:
    """The moves that ``options`` list. None at all if something they allow is no move on this board."""
    found = [_way(value, on.board, on.pieces) for value in options.values] if isinstance(options, Choices) else []
    moves = tuple(way for way in found if way is not None)
    return moves if len(moves) == len(found) else ()


def _way(value: object, board: Board, pieces: Mapping[Space, Token]) -> Way | None:
    try:
        move = read_move(str(value), board)
    except NotationError:
        return None
    if not move.spread:
        return Way(str(value), move.origin, (move.target,))
    direction = board.heading[move.origin][move.target]
    sheets = len(pieces.get(move.origin, "P0")) - 1
    return Way(str(value), move.origin, board.rays[move.origin][direction][:sheets], tuple(DIRECTIONS)[direction])


@lru_cache(maxsize=512)
def taken_off(position: str, move: str) -> Mapping[str, int]:
    """What would leave the board by a legal move: how many of each kind and owner, as ``{"R0": 1, "P1": 3}``."""
    before = read_position(_without_lost(position))
    after = before.after(read_move(move, before.reach.board))
    return _things(before.tokens().values()) - _things(after.tokens().values())


def _things(tokens: Iterable[Token]) -> Counter[str]:
    return Counter(token[0] + owner for token in tokens for owner in token[1:])


def costs(on: Setting, way: Way) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """What a move would cost: of those whose turn it is, and of the others, how many of each kind ("R", "P", …)."""
    own: dict[str, int] = {}
    others: dict[str, int] = {}
    for thing, count in taken_off(on.notation, way.notation).items():
        (own if controls(thing) == on.to_move else others)[thing[0]] = count
    return own, others


@dataclass(frozen=True)
class Ground:
    """Where a board's spaces lie in ``box``, as large as they go there: pointed hexagons in rows, South below."""

    board: Board
    box: Rect

    @cached_property
    def width(self) -> float:
        """From one side of a space to the other, in pixels; its points are 2/√3 of that apart."""
        left, top, right, bottom = self._extent
        return max(1.0, min(self.box.w / (right - left + 1), self.box.h / (bottom - top + 2 / math.sqrt(3))))

    def centre(self, space: Space) -> tuple[float, float]:
        """The middle of a space, in pixels."""
        left, top, right, bottom = self._extent
        x, y = self.board.centre(space)
        return (
            self.box.x + self.box.w / 2 + (x - (left + right) / 2) * self.width,
            self.box.y + self.box.h / 2 + (y - (top + bottom) / 2) * self.width,
        )

    def rect(self, space: Space, share: float = 1.0) -> Rect:
        """A square ``share`` of a space wide around its middle."""
        x, y = self.centre(space)
        side = max(1, round(self.width * share))
        return Rect(round(x - side / 2), round(y - side / 2), side, side)

    def brick(self, space: Space) -> Rect:
        """A space without its points, as a brick in a wall: as wide as the space, as high as rows are apart. No two
        have a pixel in common."""
        x, y = self.centre(space)
        high = self.width * math.sqrt(3) / 2
        # Rounded after the sixth place, so that neighbours round the edge they share alike.
        left, right = (math.floor(round(x + half * self.width, 6)) for half in (-0.5, 0.5))
        top, bottom = (math.floor(round(y + half * high, 6)) for half in (-0.5, 0.5))
        return Rect(left, top, max(1, right - left), max(1, bottom - top))

    @cached_property
    def _extent(self) -> tuple[float, float, float, float]:
        """The middles furthest out: left, top, right, bottom, in widths of a space."""
        middles = [self.board.centre(space) for space in range(len(self.board.coordinates))]
        return (
            min(x for x, _ in middles),
            min(y for _, y in middles),
            max(x for x, _ in middles),
            max(y for _, y in middles),
        )
