"""The pages on which one seat answers its part of a prompt, and the presses that lead from one to the next. Pure, like
``ui.screen.core.page_stack``."""

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
    """A sealed question before its player takes the screen."""

    view: Question


@dataclass(frozen=True)
class EntryPage:
    """A question being answered. ``value`` is the number entered so far, or the selected value of a list (``None``:
    none is)."""

    view: Question
    value: Value = None
    list_page: int = 0

    @property
    def allowed(self) -> AllowedValues:
        """The allowed answers."""
        return self.view.prompt.seats[self.view.seat]


Draft = EntryPage | BoardPage
"""A seat's own page, once it may be seen."""

EntryPress = EnterNumber | OpenQuestion


def new_draft(view: Question) -> Draft:
    """Return the page a question is answered on: the board if it is about a position; else a number, which starts at
    the default if that is allowed and otherwise at the least; or a list, with the default or the only value
    selected."""
    options = view.prompt.seats[view.seat]
    position = board_geometry.position_from_facts(view.prompt.about)
    if position is not None and (moves := board_geometry.moves_from_options(position, options)):
        return BoardPage(view, position, moves)
    default = view.prompt.default
    if not isinstance(options, IntRange):
        only = options.values[0] if len(count_values(options)) == 1 else None
        return EntryPage(view, default if default is not None and options.allows(default) else only)
    return EntryPage(view, default if isinstance(default, int) and options.allows(default) else options.start)


def count_values(options: Choices) -> list[tuple[Value, int]]:
    """Return the values of a list with their counts, such as cards in a hand."""
    counts = Counter((isinstance(value, bool), value) for value in options.values)  # True is not 1
    return [(value, count) for (_, value), count in counts.items()]


def is_same_value(first: Value, second: Value) -> bool:
    """Return whether two values are the same; ``True`` and 1 are not."""
    return first == second and isinstance(first, bool) == isinstance(second, bool)


def next_entry(page: HandOverPage | Draft, press: object) -> HandOverPage | Draft | Reply:
    """Return the page ``press`` leads to, or the reply that it is. A press without a meaning on ``page`` changes
    nothing."""
    after: HandOverPage | Draft | Reply = page
    match page, press:
        case _, Reply():
            after = press
        case HandOverPage(view=view), OpenQuestion():
            after = new_draft(view)
        case EntryPage(allowed=options), EnterNumber(value=value) if options.allows(value):
            after = replace(page, value=value)
        case EntryPage(allowed=options, value=value), ShowListPage(list_page=list_page):
            after = replace(page, list_page=list_page, value=value if isinstance(options, IntRange) else None)
        case BoardPage(position=position), SelectPiece(space=space) if space is None or space in position.pieces:
            after = replace(page, selected=space, move=None)
        case BoardPage(moves=moves), ProposeMove(move=move):
            proposed = next((candidate for candidate in moves if candidate.notation == move), None)
            after = page if proposed is None else replace(page, selected=proposed.origin, move=proposed)
    return after


def step_value(options: AllowedValues, value: Value, by: int) -> Value:
    """Return the value ``by`` steps from ``value``: a span stops at its ends, a list wraps around."""
    if isinstance(options, Choices):
        index = next((i for i, v in enumerate(options.values) if type(v) is type(value) and v == value), 0)
        return options.values[(index + by) % len(options.values)]
    return shift_value(options, value if isinstance(value, int) else options.start, by)


def shift_value(span: IntRange, value: int, by: int) -> int:
    """Return ``value`` moved by ``by`` steps of ``span``, as far as the span goes."""
    last = span.start + (span.stop - span.start) // span.step * span.step
    return max(span.start, min(last, value + by * span.step))


def preset_values(span: IntRange) -> dict[str, int]:
    """Return the presets of a number, "least", "half" and "most", without duplicates."""
    steps = (span.stop - span.start) // span.step
    presets: dict[str, int] = {}
    for name, count in (("least", 0), ("half", steps // 2), ("most", steps)):
        value = span.start + count * span.step
        if value not in presets.values():
            presets[name] = value
    return presets


def wide_step(span: IntRange) -> int:
    """Return how many steps the wide buttons of a long span take (0: the span is short and has none)."""
    return 5 if (span.stop - span.start) // span.step > 12 else 0
