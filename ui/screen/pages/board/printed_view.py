"""What the box sees of a printed board that a camera watches, as the screen needs it, and what people may do there
beside moving a piece."""

from dataclasses import dataclass

from rules.board.board import Space

ENTER = "enter"
"""What people answer who enter the move on the screen."""
CHOOSE = "choose"
"""What they answer who say which of several moves it was."""


@dataclass(frozen=True)
class Sighting:
    """What the box sees of the board now. ``told`` is what it has to say; ``is_well`` says that nothing is wrong.
    ``tops`` are the pieces seen where they should not be (R0: what is uppermost), ``gone`` the spaces whose piece is
    not there, ``unread`` those that can't be read. ``move`` was made, and answers the ask; of ``several`` people must
    say which it was."""

    told: str
    is_well: bool = True
    tops: tuple[tuple[Space, str], ...] = ()
    gone: tuple[Space, ...] = ()
    unread: tuple[Space, ...] = ()
    move: str | None = None
    several: bool = False
