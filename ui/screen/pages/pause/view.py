"""The pause of a match."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from ui.screen.pages.pause.strings import STOP_PRACTICE
from ui.screen.pages.views import Explain, Page, explain_nothing


class PauseChoice(StrEnum):
    """What people choose at a pause; the values are the answers of its page."""

    GO_ON = "go on"
    UNDO = "undo"
    PHONES = "phones"
    RESTART = "start again"
    LEAVE = "leave"
    GIVE_UP = "give it up"
    PLAYERS = "players"
    END_GAME = "end the game"


@dataclass(frozen=True)
class PausePage(Page):
    """A match is paused. ``match`` names it ("": there is none, as in practice), ``note`` says what becomes of what
    was on the screen. Nothing of that is shown. Answered with a PauseChoice: UNDO only if people ``can_undo``, PLAYERS
    and END_GAME if players ``can_change`` and people ``can_end_game``, PHONES if phones ``can_join``. To leave and to
    start again are confirmed on the page ``confirms``; what has no match is left at once, with ``stop_label``.
    ``explain`` returns the page about how to play. ``in_tournament``: the match belongs to one."""

    match: str = ""
    note: str = ""
    can_undo: bool = False
    can_change: bool = False
    can_end_game: bool = False
    can_join: bool = False
    confirms: Literal["leave", "restart"] | None = None
    explain: Explain = field(default=explain_nothing, compare=False)
    stop_label: str = STOP_PRACTICE
    in_tournament: bool = False

    @property
    def key(self) -> object:
        """See Page."""
        return type(self), self.confirms
