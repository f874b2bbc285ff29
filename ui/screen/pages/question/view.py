"""How one seat answers its part of an ask on a page of its own: the pages, and the presses that lead from one to the
next. Pure, as ``ui.screen.core.page_stack``."""

from collections import Counter
from dataclasses import dataclass, replace

from rules.engine import AllowedValues, Choices, IntRange, Value
from ui.screen.drawing import board_geometry
from ui.screen.pages.answers import Reply
from ui.screen.pages.board.view import BoardPage, ProposeMove, SelectPiece
from ui.screen.pages.common.view import Question, ShowListPage


@dataclass(frozen=True)
class EnterNumber:
    """Press: enter a number that is yet to be confirmed."""

    value: int


@dataclass(frozen=True)
class OpenQuestion:
    """Press: open a sealed question, once only its player looks."""


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
    list_page: int = 0

    @property
    def allowed(self) -> AllowedValues:
        """What may be answered."""
        return self.view.prompt.seats[self.view.seat]


Draft = EntryPage | BoardPage
"""A seat's own page, once it may be seen."""

EntryPress = EnterNumber | OpenQuestion


def new_draft(view: Question) -> Draft:
    """The page a question is answered on: the board where it is about a position, and otherwise a number, at the
    default where that is allowed, else at the least, or a list, of which the default or the only value is marked."""
    options = view.prompt.seats[view.seat]
    on = board_geometry.position_from_facts(view.prompt.about)
    if on is not None and (ways := board_geometry.moves_from_options(on, options)):
        return BoardPage(view, on, ways)
    default = view.prompt.default
    if not isinstance(options, IntRange):
        only = options.values[0] if len(count_values(options)) == 1 else None
        return EntryPage(view, default if default is not None and options.allows(default) else only)
    return EntryPage(view, default if isinstance(default, int) and options.allows(default) else options.start)


def count_values(options: Choices) -> list[tuple[Value, int]]:
    """The values of a list, each with how many there are of it, such as cards in a hand."""
    held = Counter((isinstance(value, bool), value) for value in options.values)  # True is no 1
    return [(value, count) for (_, value), count in held.items()]


def is_same_value(first: Value, second: Value) -> bool:
    """Whether two values are one: ``True`` is no 1, a word of an enumeration is a word."""
    return first == second and isinstance(first, bool) == isinstance(second, bool)


def next_entry(page: HandOverPage | Draft, press: object) -> HandOverPage | Draft | Reply:
    """The page ``press`` leads to, or the reply it is. A press that means nothing on ``page`` leaves it as it is."""
    after: HandOverPage | Draft | Reply = page
    match page, press:
        case _, Reply():
            after = press
        case HandOverPage(view=view), OpenQuestion():
            after = new_draft(view)
        case EntryPage(allowed=options), EnterNumber(value=value) if options.allows(value):
            after = replace(page, value=value)
        case EntryPage(allowed=options, value=value), ShowListPage(list_page=leaf):
            after = replace(page, list_page=leaf, value=value if isinstance(options, IntRange) else None)
        case BoardPage(position=on), SelectPiece(space=space) if space is None or space in on.pieces:
            after = replace(page, selected=space, move=None)
        case BoardPage(moves=ways), ProposeMove(move=move):
            proposed = next((way for way in ways if way.notation == move), None)
            after = page if proposed is None else replace(page, selected=proposed.origin, move=proposed)
    return after


def step_value(options: AllowedValues, value: Value, by: int) -> Value:
    """The value ``by`` steps from ``value``: a span stops at its ends, a list goes round."""
    if isinstance(options, Choices):
        here = next((i for i, v in enumerate(options.values) if type(v) is type(value) and v == value), 0)
        return options.values[(here + by) % len(options.values)]
    return shift_value(options, value if isinstance(value, int) else options.start, by)


def shift_value(span: IntRange, value: int, by: int) -> int:
    """``value`` moved by ``by`` steps of ``span``, as far as the span goes."""
    last = span.start + (span.stop - span.start) // span.step * span.step
    return max(span.start, min(last, value + by * span.step))


def preset_values(span: IntRange) -> dict[str, int]:
    """The values worth a button of their own: "least", "half" and "most", each only if it is no other's."""
    steps = (span.stop - span.start) // span.step
    named: dict[str, int] = {}
    for name, count in (("least", 0), ("half", steps // 2), ("most", steps)):
        value = span.start + count * span.step
        if value not in named.values():
            named[name] = value
    return named


def wide_step(span: IntRange) -> int:
    """How many steps the wide buttons of a long span move (0: the span is short and has none)."""
    return 5 if (span.stop - span.start) // span.step > 12 else 0
