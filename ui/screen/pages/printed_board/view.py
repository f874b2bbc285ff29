"""What the box sees of a printed board that a camera watches, and what people may do there besides moving a piece."""

from collections.abc import Callable
from dataclasses import dataclass, field

from rules.board.board import Space
from rules.engine import Prompt, Seat
from ui.screen.pages.common.view import Player

ENTER_MOVE = "enter"
"""What people answer who enter the move on the screen."""

CHOOSE_MOVE = "choose"
"""What they answer who say which of several moves it was."""


@dataclass(frozen=True)
class BoardObservation:
    """What the box sees of the board now. ``told`` is what it has to say; ``is_well`` says that nothing is wrong.
    ``tops`` are the pieces seen where they should not be (R0: what is uppermost), ``gone`` the spaces whose piece is
    not there, ``unread`` those that can't be read. ``move`` was made, and answers the ask; of ``several`` people must
    say which it was."""

    sentence: str
    is_ok: bool = True
    unexpected: tuple[tuple[Space, str], ...] = ()
    missing: tuple[Space, ...] = ()
    unreadable: tuple[Space, ...] = ()
    move: str | None = None
    is_ambiguous: bool = False


@dataclass(frozen=True)
class PrintedBoardQuestion:
    """An ask for a move that a camera over a printed board answers as well. ``now`` is what the box sees there,
    ``watched`` tells that at once. Answered with the move, with ENTER, or with CHOOSE while several moves fit."""

    players: tuple[Player, ...]
    prompt: Prompt
    seat: Seat
    observation: BoardObservation
    poll_camera: Callable[[], BoardObservation] | None = field(default=None, compare=False)
