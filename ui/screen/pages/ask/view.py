"""How one seat answers its part of an ask on a page of its own: the pages, and the presses that lead from one to the
next. Pure, as ``ui.screen.core.page_stack``."""

from collections import Counter
from dataclasses import dataclass, replace

from rules.board.board import Space
from rules.engine import Choices, Options, Span, Value
from ui.screen.drawing import board_geometry
from ui.screen.pages.views import Answer, Question


@dataclass(frozen=True)
class Reply:
    """A press that answers."""

    value: Answer


@dataclass(frozen=True)
class Put:
    """A press that enters a number which is yet to be confirmed."""

    value: int


@dataclass(frozen=True)
class Open:
    """A press that opens a sealed question: only its player looks now."""


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
class HandOverPage:
    """A sealed question before its player took the screen."""

    view: Question


@dataclass(frozen=True)
class EntryPage:
    """A question being answered. ``value`` is the number entered so far, or what is marked of a list (``None``: nothing
    is)."""

    view: Question
    value: Value = None
    leaf: int = 0

    @property
    def options(self) -> Options:
        """What may be answered."""
        return self.view.ask.seats[self.view.seat]


@dataclass(frozen=True)
class BoardPage:
    """A question for a move on the board: the piece taken up and the move proposed, if any."""

    view: Question
    on: board_geometry.Setting
    ways: tuple[board_geometry.Way, ...]
    piece: Space | None = None
    move: board_geometry.Way | None = None

    @property
    def from_piece(self) -> tuple[board_geometry.Way, ...]:
        """The moves of the piece taken up."""
        return tuple(way for way in self.ways if way.origin == self.piece)


Entry = EntryPage | BoardPage
"""A seat's own page, once it may be seen."""
EntryPress = Put | Open | Turn | Take | Propose


def entry(view: Question) -> Entry:
    """The page a question is answered on: the board where it is about a position, and otherwise a number, at the
    default where that is allowed, else at the least, or a list, of which the default or the only value is marked."""
    options = view.ask.seats[view.seat]
    on = board_geometry.setting(view.ask.about)
    if on is not None and (ways := board_geometry.ways(on, options)):
        return BoardPage(view, on, ways)
    default = view.ask.default
    if not isinstance(options, Span):
        only = options.values[0] if len(listed(options)) == 1 else None
        return EntryPage(view, default if default is not None and options.allows(default) else only)
    return EntryPage(view, default if isinstance(default, int) and options.allows(default) else options.start)


def listed(options: Choices) -> list[tuple[Value, int]]:
    """The values of a list, each with how many there are of it, such as cards in a hand."""
    held = Counter((isinstance(value, bool), value) for value in options.values)  # True is no 1
    return [(value, count) for (_, value), count in held.items()]


def same(one: Value, other: Value) -> bool:
    """Whether two values are one: ``True`` is no 1, a word of an enumeration is a word."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def next_entry(page: HandOverPage | Entry, press: object) -> HandOverPage | Entry | Reply:
    """The page ``press`` leads to, or the reply it is. A press that means nothing on ``page`` leaves it as it is."""
    after: HandOverPage | Entry | Reply = page
    match page, press:
        case _, Reply():
            after = press
        case HandOverPage(view=view), Open():
            after = entry(view)
        case EntryPage(options=options), Put(value=value) if options.allows(value):
            after = replace(page, value=value)
        case EntryPage(options=options, value=value), Turn(leaf=leaf):
            after = replace(page, leaf=leaf, value=value if isinstance(options, Span) else None)
        case BoardPage(on=on), Take(space=space) if space is None or space in on.pieces:
            after = replace(page, piece=space, move=None)
        case BoardPage(ways=ways), Propose(move=move):
            proposed = next((way for way in ways if way.notation == move), None)
            after = page if proposed is None else replace(page, piece=proposed.origin, move=proposed)
    return after


def on_space(page: BoardPage, space: Space) -> Propose | Take:
    """What a touch on a space of the board means: a move there, where the piece taken up has one; else to take up what
    stands there, or to let go. A second touch on a piece that the proposed move would hit takes that one up instead:
    pieces may capture their own side's, and stacks are made of them, so the first touch can mean either."""
    way = next((way for way in page.from_piece if not way.spread and way.lands[-1] == space), None)
    if way is not None and not (way == page.move and space in page.on.pieces):
        return Propose(way.notation)
    return Take(space if space in page.on.pieces and space != page.piece else None)


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
