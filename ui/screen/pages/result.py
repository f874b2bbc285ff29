"""The end of a match."""

from dataclasses import dataclass, replace
from typing import Self

from typing_extensions import override

from rules.engine import Result
from ui.screen.pages.common import Player
from ui.screen.pages.guests import Guesser
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.views import ListPage, TimedView

AWARDS_ANSWER = "awards"
"""The answer that leads to the awards of the evening."""


@dataclass(frozen=True)
class MatchResult(TimedView, ListPage):
    """The end of a match. Answered with "again" or "home", or with one of the answers that its fields name, or with
    nothing once the time has run out. The first page of a class's results is the podium."""

    is_idle = True

    players: tuple[Player, ...]
    result: Result
    sentence: str
    can_dispute: bool = False
    """Whether people may answer DISPUTE_ANSWER."""
    proof_code: str = ""
    """A code to note, which proves later that the match was not changed; "": there is none."""
    match_number: int = 0
    """The match's number in the journal."""
    shows_code: bool = False
    """Whether the QR code of the proof code fills the page."""
    can_undo: bool = False
    """Whether people may answer UNDO_ANSWER."""
    has_awards: bool = False
    """Whether the evening has awards, shown with AWARDS_ANSWER."""
    tournament: int = 0
    """The number of the match's tournament, whose page people go to with ToTournament; 0: none."""
    in_hall: bool = False
    """Whether it is a match of the hall, which is only left with "home"."""
    deciding: SlowMotion | None = None
    """The round that decided the match, at its end; None without pictures of it."""
    can_take_home: bool = False
    """Whether people may take the clip of that round home, with TAKE_HOME_ANSWER."""
    guessers: tuple[Guesser, ...] = ()
    """The best guessers of the audience, on a second screen."""

    @property
    @override
    def animation_s(self) -> float:
        """The winner's crown rises, and the round that decided the match is shown again."""
        return max(0.6, 0.0 if self.deciding is None else self.deciding.animation_s)

    @override
    def at_time(self, seconds: float) -> Self:
        view = super().at_time(seconds)
        return view if self.deciding is None else replace(view, deciding=self.deciding.as_part(seconds))
