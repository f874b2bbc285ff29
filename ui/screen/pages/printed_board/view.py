"""The camera's view of a printed board, and the answers other than a move."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rules.board.board import Space
from rules.engine import Prompt, Seat
from ui.screen.pages.answers import Reply
from ui.screen.pages.common.view import Player
from ui.screen.pages.views import UNTIMED_PATIENCE_S, Page

ENTER_MOVE = "enter"
"""The answer of people who enter the move on the screen."""

CHOOSE_MOVE = "choose"
"""The answer of people who choose which of several moves it was."""


@dataclass(frozen=True)
class BoardObservation:
    """The camera's view of the board now, explained by ``sentence``; nothing is wrong if ``is_ok``. ``unexpected`` are
    pieces where they should not be (R0: the uppermost), ``missing`` the spaces whose piece is not there, ``unreadable``
    those that can't be read. ``move`` was made and answers the prompt; if it ``is_ambiguous``, people choose which move
    it was. ``longer_sentences`` name more of the spaces, the longest first, where there is room for one."""

    sentence: str
    is_ok: bool = True
    unexpected: tuple[tuple[Space, str], ...] = ()
    missing: tuple[Space, ...] = ()
    unreadable: tuple[Space, ...] = ()
    move: str | None = None
    is_ambiguous: bool = False
    longer_sentences: tuple[str, ...] = ()


@dataclass(frozen=True)
class PrintedBoardQuestion(Page):
    """A question for a move that a camera over a printed board answers as well. ``observation`` is what it sees,
    ``poll_camera`` returns the newest. Answered with the move, with ENTER_MOVE, or with CHOOSE_MOVE while several
    moves fit."""

    players: tuple[Player, ...]
    prompt: Prompt
    seat: Seat
    observation: BoardObservation
    poll_camera: Callable[[], BoardObservation] | None = field(default=None, compare=False)

    @property
    def patience_s(self) -> float | None:
        """See Page."""
        return UNTIMED_PATIENCE_S

    @property
    def is_polled(self) -> bool:
        """See Page."""
        return self.poll_camera is not None

    def poll(self) -> "PrintedBoardQuestion | Reply":
        """See Page."""
        seen = self.observation if self.poll_camera is None else self.poll_camera()
        return Reply(seen.move) if seen.move is not None else replace(self, observation=seen)
