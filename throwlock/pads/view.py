"""What one phone may know, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine import Seat, Value
from throwlock.pads.audience import AudienceState
from throwlock.pads.guests import TypedName
from ui.screen.pages.board_position import BoardPosition
from ui.screen.pages.classroom import PlayerStanding, ThrowCount
from ui.screen.pages.common import Player
from ui.screen.pages.group_question import SeatState
from ui.screen.pages.guests import Guest
from ui.screen.pages.question import BoardPage, Question
from ui.screen.pages.scoreboard import Facts
from ui.screen.pages.tournament import TournamentView

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
    """A question to a phone's own seat."""

    number: int
    """Which its answer names: of an earlier question it is no answer any more."""
    question: Question
    seconds_left: float | None = None
    """To answer; ``None``: no limit."""
    board: BoardPage | None = None
    """For a move on the board, the board with what was touched there."""


@dataclass(frozen=True)
class PadState:
    """All that one phone may know: what everybody at the table sees, and what its own seat is asked."""

    activity: Activity = Activity.NOTHING
    """What the box does."""
    names: Mapping[Seat, str] = field(default_factory=dict)
    """The players' names by seat."""
    in_class: bool = False
    """Whether a class plays: any phone may show any student's page, and nothing is answered on it."""
    seat: Seat | None = None
    """The phone's seat; ``None`` without one."""
    at_screen: bool = False
    """Whether the seat answers on the touchscreen all the same."""
    can_return_to_phone: bool = False
    """Whether it can answer on the phone again."""
    can_join: bool = False
    """Whether a phone can take a seat now."""
    taken: frozenset[Seat] = frozenset()
    """The seats that have a phone."""
    players: tuple[Player, ...] = ()
    """Everybody with their score."""
    facts: Facts = ()
    """Those about the table, such as the pot."""
    board: BoardPosition | None = None
    """The board, as everybody sees it; None in other games."""
    own_facts: Facts = ()
    """What the phone's seat alone knows, such as its hand."""
    lines: tuple[str, ...] = ()
    """What came of the last round."""
    asked: Mapping[Seat, SeatState] = field(default_factory=dict)
    """The seats that are asked, with what the touchscreen shows of them."""
    only_tells: bool = False
    """Whether they only look at what each of them alone may know."""
    question: PadQuestion | None = None
    """What the phone's seat is asked; ``None`` if that is nothing, or answered."""
    last_answer: tuple[Question, Value] | None = None
    """What the phone's seat was asked last, and answered on it."""
    standing: PlayerStanding | None = None
    """A student's own last throw, and its outcome."""
    figures: tuple[ThrowCount, ...] = ()
    """The class's last round, by throw."""
    is_unseen: bool = False
    """Whether no throw of the student was seen in that round; the box may have drawn one."""
    guest: Guest | None = None
    """Who holds the phone; None if nobody has said so."""
    typed_name: TypedName | None = None
    """What there is to say about the name that was typed last; None for nothing."""
    guests: tuple[Guest, ...] = ()
    """Everybody who is here."""
    tournament: TournamentView | None = None
    """The tournament whose page is open."""
    audience: AudienceState | None = None
    """What the audience sees; None while it is switched off."""
