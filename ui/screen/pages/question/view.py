"""A question to one seat, and the pages on which the seat answers it: the hand-over of the screen, a number or a list,
and the board. Pure: no surface, no clock."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Self

from rules.board.board import Space
from rules.engine import AllowedValues, CardChoices, Choices, IntRange, Prompt, Seat, Value
from ui.screen.pages.common.board_position import BoardMove, BoardPosition, moves_from_options, position_from_facts
from ui.screen.pages.common.view import Player
from ui.screen.pages.views import InteractiveView, ListPage, Page

SEEN_REPLY = "seen"
"""The answer of a player who has read a private message."""


@dataclass(frozen=True)
class Question(InteractiveView):
    """A question to one seat, answered on the screen with a value the prompt allows. A sealed or secret one shows a
    hand-over page first and nothing of what others entered; one about a "position" shows the board. With
    ``can_go_back`` people may go back to everybody's page. ``hint`` explains a question asked for the first time."""

    players: tuple[Player, ...]
    prompt: Prompt
    seat: Seat
    seconds_left: float | None = None
    can_go_back: bool = False
    hint: str | None = None

    @property
    def whole_s(self) -> float:
        """The time for the question, of which ``seconds_left`` are left."""
        return self.prompt.seconds or self.seconds_left or 0.0

    def first_page(self) -> "SeatPage":
        """See InteractiveView."""
        return HandOverPage(self) if self.prompt.sealed or self.prompt.secret else new_draft(self)


@dataclass(frozen=True)
class SeatPage(Page):
    """A page for one seat. It replies ``None`` to go back to everybody's page."""

    view: Question

    def with_seconds_left(self, seconds: float) -> Self:
        """See Page."""
        return replace(self, view=replace(self.view, seconds_left=seconds))


@dataclass(frozen=True)
class HandOverPage(SeatPage):
    """A sealed question before its player takes the screen. The player's time, ``time_s`` seconds if it is limited,
    begins when they take it."""

    time_s: float | None = None


@dataclass(frozen=True)
class TimeUpPage(SeatPage):
    """Tells a player that their time is up. They pass, or have the whole time once more if it ``can_extend``."""

    can_extend: bool


@dataclass(frozen=True)
class EntryPage(SeatPage, ListPage):
    """A question being answered. ``value`` is the number entered so far, or the selected value of a list (``None``:
    none is)."""

    value: Value = None

    @property
    def allowed(self) -> AllowedValues:
        """The allowed answers."""
        return self.view.prompt.seats[self.view.seat]

    def with_list_page(self, number: int) -> Self:
        """See ListPage: a value that is no longer shown is no longer selected."""
        return replace(self, list_page=number, value=None)


@dataclass(frozen=True)
class BoardPage(SeatPage):
    """A question for a move on the board: the selected piece and the proposed move, if any. A board whose spaces are
    too small for a finger is enlarged around the space ``enlarged_at``; ``None``: all of it is drawn."""

    position: BoardPosition
    moves: tuple[BoardMove, ...]
    selected: Space | None = None
    move: BoardMove | None = None
    enlarged_at: Space | None = None

    @property
    def selected_moves(self) -> tuple[BoardMove, ...]:
        """The moves of the selected piece."""
        return tuple(move for move in self.moves if move.origin == self.selected)

    def select(self, space: Space | None) -> Self:
        """Return the page with the piece on a space selected, or nothing (``None``)."""
        return replace(self, selected=space, move=None)

    def propose(self, move: BoardMove) -> Self:
        """Return the page with a move that is yet to be confirmed, on the whole board."""
        return replace(self, selected=move.origin, move=move, enlarged_at=None)

    def enlarge(self, space: Space | None) -> Self:
        """Return the page with the board enlarged around a space, or with all of it (``None``)."""
        return replace(self, enlarged_at=space)

    def touch(self, space: Space) -> Self:
        """Return the page after a touch on a space: with a move there, if the selected piece has one; else with the
        piece there selected, or nothing. A second touch on a piece that the proposed move would hit selects that piece
        instead: pieces may capture their own side's, and stacks are made of them, so the first touch can mean
        either."""
        hits = (move for move in self.selected_moves if not move.spread and move.landing_spaces[-1] == space)
        move = next(hits, None)
        if move is not None and not (move == self.move and space in self.position.pieces):
            return self.propose(move)
        return self.select(space if space in self.position.pieces and space != self.selected else None)


Draft = EntryPage | BoardPage
"""A seat's own page, once it may be seen."""


def new_draft(view: Question) -> Draft:
    """Return the page a question is answered on: the board if it is about a position; else a number, which starts at
    the default if that is allowed and otherwise at the least; or a list, with the default or the only value
    selected."""
    options = view.prompt.seats[view.seat]
    position = position_from_facts(view.prompt.about)
    if position is not None and (moves := moves_from_options(position, options)):
        return BoardPage(view, position, moves)
    default = view.prompt.default
    if not isinstance(options, IntRange):
        only = options.values[0] if len(count_values(options)) == 1 else None
        return EntryPage(view, default if default is not None and options.allows(default) else only)
    return EntryPage(view, default if isinstance(default, int) and options.allows(default) else options.start)


def count_values(options: Choices) -> list[tuple[Value, int]]:
    """Return the values of a list with their counts, such as cards in a hand."""
    if isinstance(options, CardChoices):
        return [(value, options.counts[str(value)]) for value in options.values]
    counts = Counter((isinstance(value, bool), value) for value in options.values)  # True is not 1
    return [(value, count) for (_, value), count in counts.items()]


def is_same_value(first: Value, second: Value) -> bool:
    """Return whether two values are the same; ``True`` and 1 are not."""
    return first == second and isinstance(first, bool) == isinstance(second, bool)


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
