"""What people have touched so far on a screen that waits for them: pages, and the presses that lead from one to the
next. Pure: no surface, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.script import Choices, Options, Rules, Span, Value
from ui.screen.views import Choosing, Chosen, Ended, Notice, Question

Asking = Choosing | Question | Ended | Notice
"""The views people answer."""
Answer = Chosen | Value


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


Press = Reply | Put | Open | Pick | Sit | Set | Turn


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


Page = GamesPage | SetUpPage | HandOverPage | EntryPage | Ended | Notice


def first_page(view: Asking) -> Page:
    """The page ``view`` opens with."""
    if isinstance(view, Choosing):
        return SetUpPage(view, *_fresh(view.games[0])) if len(view.games) == 1 else GamesPage(view)
    if isinstance(view, Question):
        return HandOverPage(view) if view.ask.sealed or view.ask.secret else entry(view)
    return view


def entry(view: Question) -> EntryPage:
    """The page a question is answered on, at the default where that is a number allowed, else at the least."""
    options = view.ask.seats[view.seat]
    if not isinstance(options, Span):
        return EntryPage(view)
    default = view.ask.default
    return EntryPage(view, default if isinstance(default, int) and options.allows(default) else options.start)


def next_page(page: Page, press: Press) -> Page | Reply:
    """The page ``press`` leads to, or the reply it is. A press that means nothing on ``page`` leaves it as it is."""
    if isinstance(press, Reply):
        return press
    after: Page = page
    match page, press:
        case GamesPage(view=view), Pick(game=str() as name):
            after = next((SetUpPage(view, *_fresh(game)) for game in view.games if game.name == name), page)
        case SetUpPage(view=view), Pick(game=None):
            after = GamesPage(view)
        case SetUpPage(game=game), Sit(seats=seats) if game.fewest <= seats <= game.most:
            after = replace(page, seats=seats)
        case SetUpPage(options=options), Set(name=name, value=value) if name in options:
            after = replace(page, options=MappingProxyType({**options, name: value}))
        case HandOverPage(view=view), Open():
            after = entry(view)
        case EntryPage(view=view), Put(value=value) if view.ask.seats[view.seat].allows(value):
            after = replace(page, value=value)
        case ((GamesPage() | SetUpPage() | EntryPage()), Turn(leaf=leaf)):
            after = replace(page, leaf=leaf)
    return after


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
        if isinstance(self.page, HandOverPage | EntryPage):
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
