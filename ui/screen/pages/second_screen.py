"""What of the touchscreen a second screen may show, and the page that says where a second screen is opened. Pure.

``public_view`` alone decides what is public. It is a list of the pages that are, each without what only the people at
the touchscreen need: for any other page, also one that is added later, a second screen only says that somebody is
choosing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from typing_extensions import override

from messages import N
from rules.engine import Seat
from ui.i18n.language import ngettext, t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import Column, Flip, Form, lays_out
from ui.screen.drawing.nodes import GAP, Button, QrCode, Text
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.classroom import RollCall, roll_call_text, seen_text
from ui.screen.pages.common import JoinAddress, Player, players_by_place
from ui.screen.pages.countdown import Countdown, Judging, Preparing
from ui.screen.pages.fact_chips import draw_facts, readable_facts
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.guests import Guesser, GuestsStatus, draw_guessers
from ui.screen.pages.home import GamesPage, SetUpPage, ToolsPage
from ui.screen.pages.lobby import Lobby, lobby_of
from ui.screen.pages.message import GameMessage
from ui.screen.pages.pause import PausePage
from ui.screen.pages.phones import PhonesPage
from ui.screen.pages.question import Question, SeatPage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import FaceDown, Reveal
from ui.screen.pages.scoreboard import Facts, merge_facts, prompt_facts
from ui.screen.pages.scoreboard_picture import draw_scoreboard
from ui.screen.pages.showdown import Showdown
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.pages.standings import Standings
from ui.screen.pages.tournament import TournamentPage, TournamentView
from ui.screen.views import Page, PreMatchPage, Press, View
from ui.text import labels


@dataclass(frozen=True)
class Choosing(View):
    """Somebody is choosing."""

    players: tuple[Player, ...] = ()
    """Everybody at the table, if that is known."""
    asked: Mapping[Seat, bool] = field(default_factory=dict)
    """Those who are asked, each with whether their answer is in."""
    only_tells: bool = False
    """Whether they only look at what each of them alone may know."""
    is_paused: bool = False
    message: GameMessage | None = None
    """The last message that everybody saw: what it says of pot, claims or the board still holds."""
    guessers: tuple[Guesser, ...] = ()
    """The best guessers of the audience."""
    question_facts: Facts = ()
    """What everybody knows of the table at the question, such as its round."""

    @property
    def everybody(self) -> tuple[Player, ...]:
        """The players with what everybody knows of them, the best first."""
        if self.message is None:
            return players_by_place(self.players)
        known = {player.seat: player.facts for player in self.message.players}
        players = self.players or _without_facts(self.message.players)
        return tuple(replace(player, facts=known.get(player.seat, ())) for player in players_by_place(players))

    @property
    def facts(self) -> Facts:
        """What everybody knows of the table."""
        return merge_facts(() if self.message is None else self.message.facts, self.question_facts)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have yet to answer, in order."""
        return tuple(sorted(seat for seat, is_in in self.asked.items() if not is_in))


PublicView = (
    Preparing
    | Countdown
    | Judging
    | FaceDown
    | Reveal
    | SlowMotion
    | Showdown
    | GameMessage
    | MatchResult
    | AttractMode
    | Lobby
    | Standings
    | Choosing
)
"""The views that a second screen can be given."""


MAX_GUESSERS = 3
"""The guessers who are shown."""


def public_view(  # noqa: PLR0912 - one case for each kind of page
    view: View, message: GameMessage | None = None, joining: GuestsStatus | None = None
) -> PublicView:
    """Return what a second screen shows while the touchscreen shows ``view``, after the game's last public
    ``message``; ``joining`` says where people join while the box is at home, and who is here."""
    public: PublicView = Choosing(is_paused=True) if isinstance(view, PausePage) else Choosing(message=message)
    match view:
        case Countdown():
            public = replace(view, players=_without_facts(view.players), preview=None, hint=None)
        case Preparing():
            public = view
        case RollCall():
            public = Preparing(view.rethrow_reason or roll_call_text(view), heading=seen_text(view))
        case Judging() | FaceDown():
            public = type(view)(_without_facts(view.players))
        case Reveal():
            public = replace(view, seconds_left=None, has_slow_motion=False, can_dispute=False, can_undo=False)
        case SlowMotion():
            public = replace(view, seconds_left=None, can_take_home=False)
        case Showdown() | GameMessage() if isinstance(view, Showdown) or view.event.is_visible_to(None):
            public = replace(view, seconds_left=None, can_dispute=False, can_undo=False)
        case MatchResult():
            public = replace(
                view,
                seconds_left=None,
                can_dispute=False,
                can_undo=False,
                can_take_home=False,
                list_page=0,
                proof_code="",
                shows_code=False,
            )
        case GroupQuestionPage():
            asked = {seat: seat in view.answers for seat in view.view.prompt.seats}
            table = prompt_facts(view.view.prompt).table
            public = Choosing(
                _without_facts(view.view.players),
                asked,
                view.view.only_tells,
                message=message,
                question_facts=table,
            )
        case GroupQuestion() | SeatPage() | Question():
            question = view.view if isinstance(view, SeatPage) else view
            seats = question.prompt.seats if isinstance(question, GroupQuestion) else (question.seat,)
            public = Choosing(_without_facts(question.players), dict.fromkeys(seats, False), message=message)
        case TournamentView() | TournamentPage():
            public = Standings(view.summary)
        case PhonesPage():
            public = lobby_of(view) or public
        case SecondScreenPage():
            public = public_view(view.back, message, joining) if isinstance(view.back, View) else public
        case GamesPage() | SetUpPage() | ToolsPage() | PreMatchPage() | View(is_idle=True):  # the box is at home
            public = lobby_of(view, joining) or AttractMode()
    return public


def with_guessers(view: PublicView, guessers: Sequence[Guesser]) -> PublicView:
    """Return a view with the first of the ``guessers``, between rounds and at the end; otherwise as it is."""
    if isinstance(view, Choosing | GameMessage | MatchResult):
        return replace(view, guessers=tuple(guessers[:MAX_GUESSERS]))
    return view


def _without_facts(players: tuple[Player, ...]) -> tuple[Player, ...]:
    """Return the players with their names and scores alone: facts before a throw may be about a question."""
    return tuple(Player(player.seat, player.name, player.score, stars=player.stars) for player in players)


@dataclass(frozen=True)
class SecondScreenPage(Page):
    """Where a second screen is opened: on the network, and who watches. Every touch leads back."""

    is_idle = True

    current: Callable[[], JoinAddress | None]
    """Returns the address now; None: the network is off."""
    back: Press
    address: JoinAddress | None = None
    count: Callable[[], int] = lambda: 0
    """Returns how many screens there are."""
    screens: int = 0

    @override
    def at_time(self, seconds: float) -> Self:
        del seconds
        return replace(self, address=self.current(), screens=self.count())


HOW = N(
    "On a television, a projector or a laptop in the same Wi-Fi, open the address and type the code. It shows the "
    "count, the reveal, slow motion and the scores; nothing that is still sealed."
)
SCAN = N("On a phone or tablet, scan this.")
OFF = N("The network is off.")
CHOOSING = N("A player is choosing …")
PAUSED = N("Paused")


def count_text(screens: int) -> str:
    """How many second screens there are."""
    return ngettext("{count} screen is watching.", "{count} screens are watching.", screens)


def choosing_text(view: Choosing) -> str:
    """Whom the box waits for."""
    names = {player.seat: player.name for player in view.everybody}
    waiting = [seat for seat in view.waiting if seat in names]
    if view.is_paused:
        return t(PAUSED)
    if not waiting:
        return t(CHOOSING)
    return labels.waiting_for(waiting, names)


@paints(Choosing)
def draw_choosing(canvas: Canvas, view: Choosing) -> None:
    """Draw whom the box waits for, what everybody knows of the table, and everybody with their score."""
    theme = canvas.theme
    body = draw_guessers(canvas, canvas.page, view.guessers)
    if view.everybody:
        rows = -(-len(view.everybody) // 2)
        body, board = layout.split_bottom(body, min(body.h * 2 // 3, rows * theme.units(13)), theme.gap)
        draw_scoreboard(canvas, board, view.everybody, drops_facts=True)
    if view.facts:
        body, line = layout.split_bottom(body, theme.units(8), theme.gap)
        draw_facts(canvas, line, readable_facts(canvas, line.w, line.h, view.facts), theme.body)
    canvas.text(body, choosing_text(view), theme.big, max_lines=3)


@lays_out(SecondScreenPage)
def lay_out_second_screen(page: SecondScreenPage) -> Form:
    """Return the address and the code, large enough to read them while typing at the television, and the QR code."""
    address, done = page.address, Button(labels.DONE, page.back, "back", leads_back=True)
    if address is None or not address.url:
        return Form(
            labels.SECOND_SCREEN, Text(OFF if address is None else labels.NO_NETWORK, "big", lines=4), foot=(done,)
        )
    words = Column(
        Text(HOW, fits=True),
        Text(address.address, 13, ACCENT, lines=1, share=4),
        Text(address.code, 24, lines=1, role="shared", share=5),
        Text(count_text(page.screens) if page.screens else "", "body", MUTED, lines=1, share=2),
        gap=1,
        share=(5, 3),
    )
    code = Column(QrCode(address.url), Text(SCAN, lines=3, fits=True), share=3)
    return Form(labels.SECOND_SCREEN, Flip(words, code, gap=(2 * GAP, GAP)), foot=(done,))
