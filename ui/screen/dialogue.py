"""What people have touched so far on a screen that waits for them: pages, and the presses that lead from one to the
next. Pure: no surface, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.hexboard.board import Space
from rules.script import Choices, Options, Rules, Span, Value
from rules.throws import Throw
from ui.screen import board, disputing
from ui.screen.disputing import AgreePage, DisputePage, DisputePages, DisputePress, HandPage
from ui.screen.past import Network, Past
from ui.screen.theme import MARKS
from ui.screen.views import (
    Calculating,
    Choosing,
    Chosen,
    Corrected,
    Disputing,
    Ended,
    Notice,
    Question,
    Reveal,
    Told,
)
from ui.screen.zones import Zoned, ZonePress, ZonesPage, Zoning, next_zones, zones_page

Asking = Choosing | Question | Calculating | Zoning | Reveal | Told | Disputing | Ended | Notice | Past | Network
"""The views people answer."""
Answer = Chosen | Zoned | Corrected | Value


@dataclass(frozen=True)
class Reply:
    """A press that answers."""

    value: Answer


@dataclass(frozen=True)
class Put:
    """A press that enters a value which is yet to be confirmed."""

    value: int


@dataclass(frozen=True)
class Open:
    """A press that opens a sealed question: only its player looks now."""


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
class Turn:
    """A press that turns to leaf ``leaf`` (from 0) of a list that is longer than the screen."""

    leaf: int


@dataclass(frozen=True)
class Take:
    """A press that takes up what stands on a space of the board, or lets go of it (``None``)."""

    space: Space | None


@dataclass(frozen=True)
class Propose:
    """A press that proposes a move on the board, which is yet to be confirmed."""

    move: str


@dataclass(frozen=True)
class Count:
    """A press that says how many threw ``move``."""

    move: Throw
    number: int


@dataclass(frozen=True)
class Keys:
    """A press that opens the keys to enter how many threw ``move``, or is done with them (``None``)."""

    move: Throw | None


Press = Reply | ZonePress | Put | Open | Pick | Sit | Set | Turn | Take | Propose | Count | Keys | DisputePress


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
class HandOverPage:
    """A sealed question before its player took the screen."""

    view: Question


@dataclass(frozen=True)
class EntryPage:
    """A question being answered. ``value`` is what is entered so far where the answer is a number."""

    view: Question
    value: int | None = None
    leaf: int = 0


@dataclass(frozen=True)
class BoardPage:
    """A question for a move on the board: the piece taken up and the move proposed, if any."""

    view: Question
    on: board.Setting
    ways: tuple[board.Way, ...]
    piece: Space | None = None
    move: board.Way | None = None

    @property
    def from_piece(self) -> tuple[board.Way, ...]:
        """The moves of the piece taken up."""
        return tuple(way for way in self.ways if way.origin == self.piece)


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
    | CalculatorPage
    | KeysPage
    | DisputePages
    | Reveal
    | Told
    | Ended
    | Notice
    | Past
    | Network
)
CALCULATOR_OPTIONS = ("inverted", "count")


def first_page(view: Asking) -> Page:
    """The page ``view`` opens with."""
    page: Page
    match view:
        case Choosing(games=(only,), tools=()):
            page = SetUpPage(view, *_fresh(only))
        case Choosing():
            page = GamesPage(view)
        case Question():
            page = HandOverPage(view) if view.ask.sealed or view.ask.secret else entry(view)
        case Calculating():
            page = CalculatorPage(view, dict.fromkeys(Throw, 0), dict.fromkeys(CALCULATOR_OPTIONS, False))
        case Disputing():
            page = disputing.opened(view)
        case Zoning():
            page = zones_page(view)
        case _:
            page = view
    return page


def entry(view: Question) -> EntryPage | BoardPage:
    """The page a question is answered on: the board where it is about a position, and otherwise a number, at the
    default where that is allowed, else at the least, or a list."""
    options = view.ask.seats[view.seat]
    on = board.setting(view.ask.about)
    if on is not None and (ways := board.ways(on, options)):
        return BoardPage(view, on, ways)
    if not isinstance(options, Span):
        return EntryPage(view)
    default = view.ask.default
    return EntryPage(view, default if isinstance(default, int) and options.allows(default) else options.start)


def next_page(page: Page, press: Press) -> Page | Reply:
    """The page ``press`` leads to, or the reply it is. A press that means nothing on ``page`` leaves it as it is."""
    after: Page = page
    match page:
        case _ if isinstance(press, Reply):
            return press
        case GamesPage() | SetUpPage():
            after = _choosing(page, press)
        case HandOverPage(view=view) if isinstance(press, Open):
            after = entry(view)
        case EntryPage():
            after = _entering(page, press)
        case BoardPage():
            after = _moving(page, press)
        case CalculatorPage() | KeysPage():
            after = _calculating(page, press)
        case ZonesPage():
            after = next_zones(page, press)
        case DisputePage() | HandPage() | AgreePage():
            after = disputing.after_press(page, press)
    return after


def _choosing(page: GamesPage | SetUpPage, press: Press) -> Page:
    after: Page = page
    match page, press:
        case GamesPage(view=view), Pick(game=str() as name):
            after = next((SetUpPage(view, *_fresh(game)) for game in view.games if game.name == name), page)
        case SetUpPage(view=view), Pick(game=None):
            after = GamesPage(view)
        case SetUpPage(game=game), Sit(seats=seats) if game.fewest <= seats <= most_seats(game):
            after = replace(page, seats=seats)
        case SetUpPage(options=options), Set(name=name, value=value) if name in options:
            after = replace(page, options=MappingProxyType({**options, name: value}))
        case _, Turn(leaf=leaf):
            after = replace(page, leaf=leaf)
    return after


def _entering(page: EntryPage, press: Press) -> Page:
    match press:
        case Put(value=value) if page.view.ask.seats[page.view.seat].allows(value):
            return replace(page, value=value)
        case Turn(leaf=leaf):
            return replace(page, leaf=leaf)
    return page


def _moving(page: BoardPage, press: Press) -> Page:
    match press:
        case Take(space=space) if space is None or space in page.on.pieces:
            return replace(page, piece=space, move=None)
        case Propose(move=move):
            proposed = next((way for way in page.ways if way.notation == move), None)
            return page if proposed is None else replace(page, piece=proposed.origin, move=proposed)
    return page


def on_space(page: BoardPage, space: Space) -> Press:
    """What a touch on a space of the board means: a move there, where the piece taken up has one; else to take up what
    stands there, or to let go. A second touch on a piece that the proposed move would hit takes that one up instead:
    pieces may capture their own side's, and stacks are made of them, so the first touch can mean either."""
    way = next((way for way in page.from_piece if not way.spread and way.lands[-1] == space), None)
    if way is not None and not (way == page.move and space in page.on.pieces):
        return Propose(way.notation)
    return Take(space if space in page.on.pieces and space != page.piece else None)


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
        after = next_page(self.page, press)
        if isinstance(after, Reply):
            return after
        self.page = after
        return None

    def left(self, seconds: float) -> None:
        """Tell a question how many seconds are left."""
        if isinstance(self.page, HandOverPage | EntryPage | BoardPage):
            self.page = replace(self.page, view=replace(self.page.view, seconds_left=seconds))


def step(options: Options, value: Value, by: int) -> Value:
    """The value ``by`` steps from ``value``: a span stops at its ends, a list goes round."""
    if isinstance(options, Choices):
        here = next((i for i, v in enumerate(options.values) if type(v) is type(value) and v == value), 0)
        return options.values[(here + by) % len(options.values)]
    return shifted(options, value if isinstance(value, int) else options.start, by)


def shifted(span: Span, value: int, by: int) -> int:
    """``value`` moved by ``by`` steps of ``span``, as far as the span goes."""
    last = span.start + (span.stop - span.start) // span.step * span.step
    return max(span.start, min(last, value + by * span.step))


def most_seats(game: Rules) -> int:
    """How many can sit at this table: as many as the game takes, but no more than there are marks to tell them by."""
    return max(game.fewest, min(game.most, len(MARKS)))


def presets(span: Span) -> dict[str, int]:
    """The values worth a button of their own: "least", "half" and "most", each only if it is no other's."""
    steps = (span.stop - span.start) // span.step
    named: dict[str, int] = {}
    for name, count in (("least", 0), ("half", steps // 2), ("most", steps)):
        value = span.start + count * span.step
        if value not in named.values():
            named[name] = value
    return named


def leap(span: Span) -> int:
    """How many steps the wide buttons of a long span move (0: the span is short and has none)."""
    return 5 if (span.stop - span.start) // span.step > 12 else 0


def _fresh(game: Rules) -> tuple[Rules, int, Mapping[str, Value]]:
    options = MappingProxyType({option.name: option.default for option in game.options})
    return game, max(game.fewest, min(2, game.most)), options
