"""What of the touchscreen a second screen may show, and the page that says where a second screen is opened. Pure.

``public_view`` alone decides what is public. It is a list of the pages that are, each without what only the people at
the touchscreen need: for any other page, also one that is added later, a second screen only says that somebody is
choosing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from rules.engine import Seat
from ui.screen.pages.attract.view import AttractMode
from ui.screen.pages.common.view import Player
from ui.screen.pages.countdown.view import Countdown, Judging
from ui.screen.pages.group_question.view import GroupQuestion, GroupQuestionPage
from ui.screen.pages.home.view import GameMenu, GamesPage
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.pause.view import PausePage
from ui.screen.pages.phones.view import JoinAddress
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.reveal.view import Reveal
from ui.screen.pages.showdown.view import Showdown
from ui.screen.pages.slow_motion.view import SlowMotion
from ui.screen.pages.views import Page, Press, View


@dataclass(frozen=True)
class Choosing(View):
    """Somebody is choosing. ``players`` are everybody at the table, if that is known, ``asked`` those who are asked,
    each with whether their answer is in."""

    players: tuple[Player, ...] = ()
    asked: Mapping[Seat, bool] = field(default_factory=dict)
    is_paused: bool = False

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have yet to answer, in order."""
        return tuple(sorted(seat for seat, is_in in self.asked.items() if not is_in))


PublicView = Countdown | Judging | Reveal | SlowMotion | Showdown | GameMessage | MatchResult | AttractMode | Choosing
"""The views that a second screen can be given."""


def public_view(view: View) -> PublicView:
    """Return what a second screen shows while the touchscreen shows ``view``."""
    public: PublicView = Choosing()
    match view:
        case Countdown():
            public = replace(view, players=_without_facts(view.players), preview=None, hint=None)
        case Judging():
            public = Judging(_without_facts(view.players))
        case Reveal():
            public = replace(view, seconds_left=None, has_slow_motion=False)
        case SlowMotion():
            public = replace(view, seconds_left=None, can_take_home=False)
        case Showdown():
            public = replace(view, seconds_left=None, can_dispute=False, can_undo=False)
        case GameMessage() if view.event.only is None:
            public = replace(view, seconds_left=None, can_dispute=False, can_undo=False)
        case MatchResult():
            public = replace(
                view, seconds_left=None, can_dispute=False, can_undo=False, proof_code="", shows_code=False
            )
        case GroupQuestionPage():
            asked = {seat: seat in view.answers for seat in view.view.prompt.seats}
            public = Choosing(_without_facts(view.view.players), asked)
        case GroupQuestion():
            public = Choosing(_without_facts(view.players), dict.fromkeys(view.prompt.seats, False))
        case AttractMode() | GameMenu() | GamesPage():
            public = AttractMode()
        case PausePage():
            public = Choosing(is_paused=True)
    return public


def _without_facts(players: tuple[Player, ...]) -> tuple[Player, ...]:
    """Return the players with their names and scores alone: facts before a throw may be about a question."""
    return tuple(Player(player.seat, player.name, player.score) for player in players)


@dataclass(frozen=True)
class SecondScreenPage(Page):
    """Where a second screen is opened: on the network, and who watches. ``current`` returns the address now (``None``:
    the network is off), ``count`` how many screens there are. Every touch leads to ``back``."""

    is_idle = True

    current: Callable[[], JoinAddress | None]
    back: Press
    address: JoinAddress | None = None
    count: Callable[[], int] = lambda: 0
    screens: int = 0

    def at_time(self, seconds: float) -> Self:
        """See View."""
        del seconds
        return replace(self, address=self.current(), screens=self.count())
