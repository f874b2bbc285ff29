"""What one phone may know, as plain data, and what the pads' pages need of the application."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from rules.engine import Seat, Value
from ui.screen.pages.classroom import PlayerStanding, ThrowCount
from ui.screen.pages.common import Player
from ui.screen.pages.group_question import SeatState
from ui.screen.pages.question import BoardPage, Question

JOIN_PATH, PAD_PATH = "/join", "/pad"
"""Where phones log in, and their pages."""


class Activity(StrEnum):
    """What the box does."""

    NOTHING = "nothing"
    """No match is played."""
    JOINING = "joining"
    """It shows the page on which phones join."""
    QUESTION = "question"
    WATCHING = "watching"
    """It shows something that nobody answers on a phone: a count, a result."""
    PAUSED = "paused"
    PRESENCE = "presence"
    """It asks whether anybody is there."""
    OVER = "over"


@dataclass(frozen=True)
class PadQuestion:
    """A question to a phone's own seat, which has ``number``, and the seconds left to answer (``None``: no limit). A
    question for a move on the board has the ``board`` with what was touched there."""

    number: int
    question: Question
    seconds_left: float | None = None
    board: BoardPage | None = None


@dataclass(frozen=True)
class PadState:
    """All that one phone may know: what everybody at the table sees, and what its own seat is asked.

    Attributes:
        activity: What the box does.
        names: The players' names by seat.
        in_class: Whether a class plays: any phone may show any student's page, and nothing is answered on it.
        seat: The phone's seat; ``None`` without one.
        at_screen: Whether the seat answers on the touchscreen all the same.
        can_take_back: Whether it can answer on the phone again.
        can_join: Whether a phone can take a seat now.
        taken: The seats that have a phone.
        players: Everybody with their score.
        lines: What came of the last round.
        asked: The seats that are asked, with what the touchscreen shows of them.
        question: What the phone's seat is asked; ``None`` if that is nothing, or answered.
        last_answer: What the phone's seat was asked last, and answered on it.
        standing: A student's own last throw, and its outcome.
        figures: The class's last round, by throw.
        is_unseen: Whether no throw of the student was seen in that round; the box may have drawn one.
    """

    activity: Activity = Activity.NOTHING
    names: Mapping[Seat, str] = field(default_factory=dict)
    in_class: bool = False
    seat: Seat | None = None
    at_screen: bool = False
    can_take_back: bool = False
    can_join: bool = False
    taken: frozenset[Seat] = frozenset()
    players: tuple[Player, ...] = ()
    lines: tuple[str, ...] = ()
    asked: Mapping[Seat, SeatState] = field(default_factory=dict)
    question: PadQuestion | None = None
    last_answer: tuple[Question, Value] | None = None
    standing: PlayerStanding | None = None
    figures: tuple[ThrowCount, ...] = ()
    is_unseen: bool = False


class PadHost(Protocol):
    """Whom the phones answer to. ``phone`` identifies a phone's session. What can't be done any more, because the box
    has gone on meanwhile, does nothing: the phone's next page shows how things are. May be called from any thread."""

    def state(self, phone: str) -> PadState:
        """Return what the phone may know, and note that it is there."""

    def take_seat(self, phone: str, seat: Seat) -> None:
        """Give the phone a seat that no other has."""

    def give_back(self, phone: str) -> None:
        """Give the phone's seat back to the touchscreen."""

    def take_back(self, phone: str) -> None:
        """Answer on the phone again after its seat answered on the touchscreen."""

    def touch_board(self, phone: str, number: int, touched: str) -> None:
        """Take a touch on the board of question ``number``: on a space, by its name, or on a direction to spread the
        selected stack in."""

    def answer(self, phone: str, number: int, value: str) -> None:
        """Answer question ``number``: ``value`` is an integer, or the place of a listed value, from 0."""
