"""A question to one seat, and the pages on which the seat answers it: the hand-over of the screen, a number or a list,
and the board. Pure: no surface, no clock."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from typing_extensions import override

from messages import N, capitalise
from rules.board.board import Space
from rules.engine import AllowedValues, CardChoices, Choices, ChoicesAndMore, FactValue, IntRange, Prompt, Seat, Value
from rules.engine.scoreboard import FactForm
from rules.text import shown_fact
from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.pages.board_position import (
    BoardMove,
    BoardPosition,
    move_text,
    moves_from_options,
    position_from_facts,
)
from ui.screen.pages.common import Player
from ui.screen.pages.scoreboard import Fact, Facts, own_facts, prompt_facts
from ui.screen.views import InteractiveView, ListPage, Page
from ui.text.game_words import code_word, format_fact, value_text
from ui.text.verdicts import COUNT_WORDS

MAX_BOARD_ANSWERS = 2
"""The most answers other than moves that have a button beside the board."""
SEEN_REPLY = "seen"
"""The answer of a player who has read a private message."""


@dataclass(frozen=True)
class Question(InteractiveView):
    """A question to one seat, answered on the screen with a value the prompt allows. A sealed or secret one shows a
    hand-over page first and nothing of what others entered; one about a "position" shows the board."""

    players: tuple[Player, ...]
    prompt: Prompt
    seat: Seat
    seconds_left: float | None = None
    """The time to answer; None: no limit."""
    can_go_back: bool = False
    """Whether people may go back to everybody's page."""
    hint: str | None = None
    """Explains a question asked for the first time."""

    @property
    def whole_s(self) -> float:
        """The time for the question, of which ``seconds_left`` are left."""
        return self.prompt.seconds or self.seconds_left or 0.0

    @override
    def first_page(self) -> "SeatPage":
        return HandOverPage(self) if self.prompt.is_private else new_draft(self)


@dataclass(frozen=True)
class SeatPage(Page):
    """A page for one seat. It replies ``None`` to go back to everybody's page."""

    view: Question

    @override
    def with_seconds_left(self, seconds: float) -> Self:
        return replace(self, view=replace(self.view, seconds_left=seconds))


@dataclass(frozen=True)
class HandOverPage(SeatPage):
    """A sealed question before its player takes the screen."""

    time_s: float | None = None
    """The player's time, which begins when they take the screen; None: no limit."""
    draft: "EntryPage | None" = None
    """What the player has entered; None: nothing."""

    @property
    def player_page(self) -> "Draft":
        """The page that the player sees once they have the screen."""
        return new_draft(self.view) if self.draft is None else replace(self.draft, shows_own=True)


@dataclass(frozen=True)
class TimeUpPage(SeatPage):
    """Tells a player that their time is up. They pass, or have the whole time once more."""

    can_extend: bool
    """Whether they may have it once more."""


@dataclass(frozen=True)
class EntryPage(SeatPage, ListPage):
    """A question being answered."""

    value: Value = None
    """The number entered so far, or the selected value of a list; None: none is."""
    shows_own: bool = False
    """Whether its player has uncovered what nobody else may see."""

    @property
    def allowed(self) -> AllowedValues:
        """The allowed answers."""
        return self.view.prompt.seats[self.view.seat]

    @property
    def own_facts(self) -> Facts:
        """What nobody else may see, unless it is covered."""
        return own_facts(self.view.prompt, self.view.seat) if self.shows_own or self.view.prompt.is_private else ()

    @property
    def cover(self) -> HandOverPage | None:
        """The page from which the player uncovers what nobody else may see; None where there is nothing to uncover."""
        covered = not self.own_facts and own_facts(self.view.prompt, self.view.seat)
        return HandOverPage(self.view, draft=self) if covered else None

    @override
    def with_list_page(self, number: int) -> Self:
        """A value that is no longer shown is no longer selected."""
        return replace(self, list_page=number, value=None)


@dataclass(frozen=True)
class BoardPage(SeatPage):
    """A question for a move on the board."""

    position: BoardPosition
    moves: tuple[BoardMove, ...]
    selected: Space | None = None
    """The space of the selected piece; None: none is."""
    move: BoardMove | None = None
    """The proposed move; None: there is none."""
    other: str | None = None
    """What is proposed instead of a move, such as to resign; None: nothing is."""
    enlarged_at: Space | None = None
    """The space around which a board is enlarged whose spaces are too small for a finger; None: all of it is drawn."""

    @property
    def others(self) -> tuple[str, ...]:
        """What can be answered instead of a move; all answers where no move is asked for."""
        options = self.view.prompt.seats[self.view.seat]
        if isinstance(options, ChoicesAndMore):
            return options.more
        return () if self.moves or not isinstance(options, Choices) else tuple(map(str, options.values))

    @property
    def proposed(self) -> str | None:
        """The answer that is yet to be confirmed."""
        return self.move.notation if self.move is not None else self.other

    @property
    def selected_moves(self) -> tuple[BoardMove, ...]:
        """The moves of the selected piece."""
        return tuple(move for move in self.moves if move.origin == self.selected)

    def select(self, space: Space | None) -> Self:
        """Return the page with the piece on a space selected, or nothing (``None``)."""
        return replace(self, selected=space, move=None, other=None)

    def propose(self, move: BoardMove) -> Self:
        """Return the page with a move that is yet to be confirmed, on the whole board."""
        return replace(self, selected=move.origin, move=move, other=None, enlarged_at=None)

    def propose_other(self, answer: str) -> Self:
        """Return the page with something else than a move that is yet to be confirmed."""
        return replace(self, selected=None, move=None, other=answer, enlarged_at=None)

    def enlarge(self, space: Space | None) -> Self:
        """Return the page with the board enlarged around a space, or with all of it (``None``)."""
        return replace(self, enlarged_at=space, other=None)

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
    """Return the page a question is answered on: the board if it is about a position, for a move or one of a few
    answers; else a number, which starts at
    the default if that is allowed and otherwise at the least; or a list, with the default or the only value
    selected."""
    options = view.prompt.seats[view.seat]
    position = position_from_facts(view.prompt.about)
    if position is not None and isinstance(options, Choices):
        moves = moves_from_options(position, options)
        if moves or (view.prompt.kind != "move" and len(options.values) <= MAX_BOARD_ANSWERS):
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


def answer_values(options: Choices) -> list[Value]:
    """Return all that can be answered: the values of a list, and what more is allowed."""
    more = options.more if isinstance(options, ChoicesAndMore) else ()
    return [*(value for value, _ in count_values(options)), *more]


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


def number_presets(span: IntRange) -> dict[int, str]:
    """Return the numbers that a button each enters, with their labels: the least, the one in the middle, called "half"
    only where it is, and the most. A label is "" where the number speaks for itself."""
    steps = (span.stop - span.start) // span.step
    middle, most = (span.start + count * span.step for count in (steps // 2, steps))
    labels = {span.start: N("least"), middle: N("half") if 2 * middle == most else "", most: N("all")}
    return {number: labels[number] if number else "" for number in dict.fromkeys((span.start, middle, most))}


def wide_step(span: IntRange) -> int:
    """Return how many steps the wide buttons of a long span take (0: the span is short and has none)."""
    return 5 if (span.stop - span.start) // span.step > 12 else 0


FACTS_SHOWN_ELSEWHERE = {"points", "chips", "claims", "throws", "position", "ply", "south", "north", "last", "option"}
"""Facts of a prompt that are shown elsewhere on its page, or by the board."""


def question_text(prompt: Prompt) -> str:
    """The question of ``prompt``: the game's, or the box's for a throw and a card; else the name of its kind."""
    if prompt.kind in prompt.text.questions:
        question = prompt.text.questions[prompt.kind]
        return t(question if isinstance(question, str) else question(prompt))
    if prompt.kind == "throw":
        return t("Which throw?")
    if prompt.kind == "place":
        return t("Which card goes face down?") if prompt.is_secret else t("Put your card face down")
    return code_word(prompt.kind, prompt.text) + "?"


def public_throws(prompt: Prompt) -> dict[Seat, Fact]:
    """Everybody's claimed or shown throw by seat, if ``prompt`` has them."""
    seats = prompt_facts(prompt).seats
    facts = [(seat, fact) for seat, of_seat in seats.items() for fact in of_seat]
    return {seat: fact for seat, fact in facts if fact.shown.form is FactForm.THROW and fact.value in list(Throw)}


def about_text(prompt: Prompt, seat: Seat | None = None) -> str:
    """The context of a prompt in one line, such as "Risk rounds · Round 3 · Goal 100": its single facts, and of those
    by seat the one of ``seat``, or what all seats asked have in common, without those shown elsewhere."""
    own = prompt.text.headlines.get(prompt.kind)
    declarations = {name: shown_fact(name, prompt.kind, prompt.text) for name in prompt.about}
    totals = {declared.total for declared in declarations.values() if declared}
    parts = [t(own(prompt))] if own else []
    for name, fact in prompt.about.items():
        declared = declarations[name]
        if name in (*FACTS_SHOWN_ELSEWHERE, *totals) or (own and not declared):
            continue
        value: FactValue = fact if not isinstance(fact, Mapping) else None
        if isinstance(fact, Mapping):
            by_seat = dict[Seat | str, FactValue](fact.items())
            values = [by_seat.get(asked) for asked in (prompt.seats if seat is None else (seat,))]
            value = values[0] if values.count(values[0]) == len(values) else None
        total = prompt.about.get(declared.total) if declared else None
        if name == "means" and not own:
            parts.append(t(capitalise(N(str(value)))))
        elif isinstance(value, str):
            parts.append(code_word(value, prompt.text))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            shown = format_fact(value) if total is None else f"{format_fact(value)} / {total}"
            parts.append(f"{code_word(name, prompt.text)} {shown}")
    return " · ".join(parts)


def time_out_text(prompt: Prompt, sentence: str) -> str:
    """The ``sentence`` with the meaning, by the game's rules, of a player's time running out at ``prompt``."""
    default = prompt.default
    meaning = t(prompt.text.time_outs[prompt.kind]) if prompt.kind in prompt.text.time_outs else None
    if meaning is None and default is not None:
        meaning = t("that counts as “{answer}”", answer=answer_text(prompt, default))
    return t(sentence, meaning=meaning or t("that counts as no answer"))


def card_label(card: str, count: int) -> str:
    """A kind of card and how many there are of it: "Rock ×3"."""
    return f"{code_word(card)} ×{count}"


def consequence_text(prompt: Prompt, seat: Seat, value: Value) -> str:
    """What an answer of ``seat`` costs it or can win it, by the game's rules; "" for nothing worth saying."""
    made = prompt.text.consequences.get(prompt.kind)
    return t(made(prompt, seat, value)) if made else ""


def answer_text(prompt: Prompt, value: Value) -> str:
    """The label of an answer to ``prompt``."""
    if (position := position_from_facts(prompt.about)) and (move := position.move_of(value)):
        return move_text(position, move)
    return t("It is down") if value == "down" else value_text(value, prompt.text, prompt.kind)


THROW_HINT = N("Fist on every word, and show your throw on {word}", word=COUNT_WORDS[-1])
ENTERED_THROW_HINT = N("Choose your throw where nobody else can see it: all are revealed together.")
TURN_CARD_OVER = N("Turn your card over on {word}, and take your hand away", word=COUNT_WORDS[-1])
PLACE_HINT = N("Choose a card and lay it face down in your zone; then take your hand away.")
VIRTUAL_PLACE_HINT = N("Choose the card you play: the box keeps it face down.")


def first_time_hint(prompt: Prompt, *, entered: bool = False) -> str | None:
    """Return the hint for a ``prompt`` of a kind that comes up for the first time: the game's, or the box's for a throw
    and a card; None if its question is clear enough. A throw is ``entered`` where no camera watches."""
    if prompt.kind in prompt.text.hints:
        hint = prompt.text.hints[prompt.kind]
        return hint if isinstance(hint, str) else hint(prompt)
    if prompt.kind == "throw":
        return ENTERED_THROW_HINT if entered else THROW_HINT
    if prompt.kind == "place":
        return VIRTUAL_PLACE_HINT if prompt.is_secret else PLACE_HINT
    return None
