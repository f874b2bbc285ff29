"""The end of a match."""

from dataclasses import dataclass

from typing_extensions import override

from rules.engine import Result
from ui.screen.pages.common import Player
from ui.screen.views import ListPage, TimedView

AWARDS_ANSWER = "awards"
"""The answer that leads to the awards of the evening."""


@dataclass(frozen=True)
class MatchResult(TimedView, ListPage):
    """The end of a match. Answered with "again" or "home", in a ``tournament`` (its number) with ToTournament, of a
    match ``in_hall`` with "home", with DISPUTE_ANSWER where people ``can_dispute``, with UNDO_ANSWER where they
    ``can_undo``, with AWARDS_ANSWER where the evening ``has_awards``, or with nothing once ``seconds_left`` have run
    out. ``proof_code`` is for people to note: it proves later that the match, ``match_number`` in the journal, was not
    changed. With ``shows_code`` its QR code fills the page. The first page of a class's results is the podium."""

    is_idle = True

    players: tuple[Player, ...]
    result: Result
    sentence: str
    can_dispute: bool = False
    proof_code: str = ""
    match_number: int = 0
    shows_code: bool = False
    can_undo: bool = False
    has_awards: bool = False
    tournament: int = 0
    in_hall: bool = False

    @property
    def is_played_once(self) -> bool:
        """Whether the same match can't be played again."""
        return self.tournament > 0 or self.in_hall

    @property
    @override
    def animation_s(self) -> float:
        """The winner's crown rises."""
        return 0.6
