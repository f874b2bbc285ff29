"""What the board game says."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.engine import FactGroup, GameEvent, Seat
from rules.events import Throws, ThrowsWon


@dataclass(frozen=True)
class BoardState(FactGroup):
    """What is needed to draw the board."""

    ply: int
    """Plies played."""
    south: Seat
    """Who plays South."""
    north: Seat
    """Who plays North."""
    position: str
    """The position in writing."""


class BoardShown(GameEvent):
    """An event after which the board is shown."""

    state: BoardState


@dataclass(frozen=True)
class BoardSetUp(BoardShown):
    """The board is set up."""

    kind = "board"
    board: str
    """The name of the layout."""
    notice: str
    """What people should know about it."""
    state: BoardState


@dataclass(frozen=True)
class Begins(ThrowsWon):
    """A throw has decided who moves first."""

    kind = "begins"
    seat: Seat
    throws: Throws


@dataclass(frozen=True)
class Passed(BoardShown):
    """A player without a legal move passes."""

    kind = "passed"
    seat: Seat
    state: BoardState


@dataclass(frozen=True)
class Moved(BoardShown):
    """A player moves."""

    kind = "moved"
    seat: Seat
    move: str
    """The move in writing."""
    off: Sequence[str]
    """What left the board: R0 is a Rock of South's, P1 a sheet of North's."""
    state: BoardState


@dataclass(frozen=True)
class DrawOffered(BoardShown):
    """A player offers a draw instead of moving."""

    kind = "draw offered"
    seat: Seat
    state: BoardState


@dataclass(frozen=True)
class DrawDeclined(BoardShown):
    """The other player declines it; whoever offered it moves."""

    kind = "draw declined"
    seat: Seat
    """Who declines."""
    state: BoardState


@dataclass(frozen=True)
class GameOver(GameEvent):
    """The game is decided or drawn."""

    kind = "over"
    reason: str
    """Why it is over, such as "flag"."""
    loser: Seat | None
    """Who lost; None if it is drawn."""
