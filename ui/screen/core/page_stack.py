"""What people have touched so far on a screen that waits for them: pages, and the presses that lead from one to the
next. Pure: no surface, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.engine import Rules, Value
from rules.throws import Throw
from ui.screen.drawing.theme import MARKS
from ui.screen.pages.ask.group_view import GatherPage, Visit, gathered, next_gather
from ui.screen.pages.ask.view import (
    BoardPage,
    EntryPage,
    EntryPress,
    HandOverPage,
    Reply,
    Turn,
    entry,
    next_entry,
)
from ui.screen.pages.classroom.view import RollCall
from ui.screen.pages.dispute import view as dispute_view
from ui.screen.pages.dispute.view import AgreePage, DisputePage, DisputePages, DisputePress, HandPage
from ui.screen.pages.history.view import Network, Past
from ui.screen.pages.practice.view import Opened, Sealed
from ui.screen.pages.seating import view as seating_view
from ui.screen.pages.seating.view import LettersPage, NamePage, PlanPage, SeatPage, SeatPress, Sitting, next_seating
from ui.screen.pages.settings.view import Adjust, Languages, Settings, SettingsPage, next_setting
from ui.screen.pages.views import (
    Attract,
    Calculating,
    Choosing,
    Disputing,
    Ended,
    Gather,
    Notice,
    Question,
    Reveal,
    Told,
    Watching,
)
from ui.screen.pages.zones.view import ZonePress, ZonesPage, Zoning, next_zones, zones_page

Asking = (
    Choosing
    | Question
    | Gather
    | Watching
    | Calculating
    | Zoning
    | Reveal
    | Told
    | Disputing
    | Ended
    | Attract
    | Notice
    | Past
    | Network
    | Sitting
    | Settings
    | Languages
    | Sealed
    | Opened
    | RollCall
)
"""The views people answer."""


@dataclass(frozen=True)
class Pick:
    """A press that picks a game, or goes back to all games (``None``)."""

    game: str | None


@dataclass(frozen=True)
class Sit:
    """A press that says how many play."""

    seats: int


@dataclass(frozen=True)
class Set:
    """A press that sets an option of the game."""

    name: str
    value: Value


@dataclass(frozen=True)
class Count:
    """A press that says how many threw ``move``."""

    move: Throw
    number: int


@dataclass(frozen=True)
class Keys:
    """A press that opens the keys to enter how many threw ``move``, or is done with them (``None``)."""

    move: Throw | None


Press = Reply | ZonePress | SeatPress | Adjust | EntryPress | Visit | Pick | Sit | Set | Count | Keys | DisputePress


@dataclass(frozen=True)
class GamesPage:
    """All games, ``leaf`` by leaf."""

    view: Choosing
    leaf: int = 0


@dataclass(frozen=True)
class SetUpPage:
    """One game's seats and options. ``options`` holds every option's value by name."""

    view: Choosing
    game: Rules
    seats: int
    options: Mapping[str, Value]
    leaf: int = 0


@dataclass(frozen=True)
class CalculatorPage:
    """The calculator: how many threw what, and its options by name."""

    view: Calculating
    counts: Mapping[Throw, int]
    options: Mapping[str, bool]


@dataclass(frozen=True)
class KeysPage:
    """The keys on which is entered how many threw ``move``, over the calculator's ``page``."""

    page: CalculatorPage
    move: Throw


Page = (
    GamesPage
    | ZonesPage
    | SetUpPage
    | HandOverPage
    | EntryPage
    | BoardPage
    | GatherPage
    | Watching
    | CalculatorPage
    | KeysPage
    | DisputePages
    | Reveal
    | Told
    | Ended
    | Attract
    | Notice
    | Past
    | Network
    | SeatPage
    | SettingsPage
    | Languages
    | Sealed
    | Opened
    | RollCall
)
CALCULATOR_OPTIONS = ("inverted", "count")
USUAL_CLASS = 30
"""Players that a room is set up for until people say how many."""


def first_page(view: Asking) -> Page:
    """The page ``view`` opens with."""
    page: Page
    match view:
        case Choosing(games=(only,), tools=()):
            page = SetUpPage(view, *_fresh(only, view.room))
        case Choosing():
            page = GamesPage(view)
        case Question():
            page = HandOverPage(view) if view.ask.sealed or view.ask.secret else entry(view)
        case Gather():
            page = gathered(view)
        case Calculating():
            page = CalculatorPage(view, dict.fromkeys(Throw, 0), dict.fromkeys(CALCULATOR_OPTIONS, False))
        case Disputing():
            page = dispute_view.opened(view)
        case Zoning():
            page = zones_page(view)
        case Sitting():
            page = seating_view.plan(view)
        case Settings():
            page = SettingsPage(view)
        case _:
            page = view
    return page


def next_page(page: Page, press: Press) -> Page | Reply:
    """The page ``press`` leads to, or the reply it is. A press that means nothing on ``page`` leaves it as it is."""
    after: Page = page
    match page:
        case GatherPage():
            return next_gather(page, press)
        case _ if isinstance(press, Reply):
            return press
        case GamesPage() | SetUpPage():
            after = _choosing(page, press)
        case HandOverPage() | EntryPage() | BoardPage():
            return next_entry(page, press)
        case CalculatorPage() | KeysPage():
            after = _calculating(page, press)
        case ZonesPage():
            after = next_zones(page, press)
        case NamePage() | SettingsPage() if isinstance(press, Turn):
            after = replace(page, leaf=press.leaf)
        case PlanPage() | NamePage() | LettersPage():
            after = next_seating(page, press)
        case SettingsPage():
            after = next_setting(page, press)
        case DisputePage() | HandPage() | AgreePage():
            after = dispute_view.after_press(page, press)
    return after


def _choosing(page: GamesPage | SetUpPage, press: Press) -> Page:
    after: Page = page
    match page, press:
        case GamesPage(view=view), Pick(game=str() as name):
            after = next((SetUpPage(view, *_fresh(game, view.room)) for game in view.games if game.name == name), page)
        case SetUpPage(view=view), Pick(game=None):
            after = GamesPage(view)
        case SetUpPage(view, game), Sit(seats=seats) if game.fewest <= seats <= most_seats(game, view.room):
            after = replace(page, seats=seats)
        case SetUpPage(options=options), Set(name=name, value=value) if name in options:
            after = replace(page, options=MappingProxyType({**options, name: value}))
        case _, Turn(leaf=leaf):
            after = replace(page, leaf=leaf)
    return after


def _calculating(page: CalculatorPage | KeysPage, press: Press) -> Page:
    calculator = page if isinstance(page, CalculatorPage) else page.page
    match press:
        case Count(move=move, number=number) if 0 <= number <= calculator.view.most:
            calculator = replace(calculator, counts=MappingProxyType({**calculator.counts, move: number}))
        case Set(name=name, value=bool() as on) if name in calculator.options:
            calculator = replace(calculator, options=MappingProxyType({**calculator.options, name: on}))
        case Keys(move=move):
            return calculator if move is None else KeysPage(calculator, move)
    return calculator if isinstance(page, CalculatorPage) else replace(page, page=calculator)


@dataclass
class Dialogue:
    """A view that waits, and the page people have come to."""

    view: Asking
    page: Page = field(init=False)

    def __post_init__(self) -> None:
        self.page = first_page(self.view)

    def touch(self, press: Press) -> Reply | None:
        """Take a press. The reply, when it was one."""
        return self.turn(next_page(self.page, press))

    def turn(self, after: Page | Reply) -> Reply | None:
        """Go to a page. The reply, when it is one."""
        if isinstance(after, Reply):
            return after
        self.page = after
        return None

    def left(self, seconds: float) -> None:
        """Tell a question how many seconds are left."""
        if isinstance(self.page, GatherPage):
            self.page = self.page.left(seconds)
        elif isinstance(self.page, HandOverPage | EntryPage | BoardPage):
            self.page = replace(self.page, view=replace(self.page.view, seconds_left=seconds))

    def looked(self) -> Reply | None:
        """Take in what a camera sees. The reply, when that completes it."""
        if isinstance(self.page, Watching) and self.page.watched is not None:
            now = self.page.watched()
            return self.turn(Reply(now.move) if now.move is not None else replace(self.page, now=now))
        if not isinstance(self.page, GatherPage) or self.page.view.watched is None:
            return None
        return self.turn(self.page.looked(self.page.view.watched()))

    def closed(self) -> Reply:
        """The reply when time has run out."""
        return self.page.closed() if isinstance(self.page, GatherPage) else Reply(None)

    @property
    def face(self) -> object:
        """What tells one page that people see from another: a touch on a new one may have been meant for the old."""
        return self.page.turned_to if isinstance(self.page, GatherPage) else type(self.page)


def most_seats(game: Rules, room: int | None = None) -> int:
    """How many can sit at this table: as many as the game takes, but no more than there is ``room`` for, or than there
    are marks to tell them by."""
    return max(game.fewest, min(game.most, room or len(MARKS)))


def _fresh(game: Rules, room: int | None) -> tuple[Rules, int, Mapping[str, Value]]:
    options = MappingProxyType({option.name: option.default for option in game.options})
    usual = 2 if room is None else min(USUAL_CLASS, room)
    return game, max(game.fewest, min(usual, game.most)), options
