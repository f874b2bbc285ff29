"""The pause of a match."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from ui.screen.pages.views import Page


class PauseChoice(StrEnum):
    """What people choose at a pause; the values are the answers of its page."""

    GO_ON = "go on"
    UNDO = "undo"
    PHONES = "phones"
    RESTART = "start again"
    LEAVE = "leave"
    GIVE_UP = "give it up"


@dataclass(frozen=True)
class PausePage(Page):
    """A match is paused. ``match`` names it ("": practice, which is left at once), ``note`` says what becomes of what
    was on the screen. Nothing of that is shown. Answered with a PauseChoice: UNDO only if people ``can_undo``, PHONES
    only if phones ``can_join``. To leave and to start again are confirmed on the page ``confirms``."""

    match: str = ""
    note: str = ""
    can_undo: bool = False
    can_join: bool = False
    confirms: Literal["leave", "restart"] | None = None

    @property
    def key(self) -> object:
        """See Page."""
        return type(self), self.confirms
