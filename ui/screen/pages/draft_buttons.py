"""The effect of a seat's two buttons on its answer to a question. Pure: no surface, no clock."""

from bisect import bisect_right
from dataclasses import replace

from device.gpio.buttons import ButtonAction
from rules.engine import AllowedValues, Choices, IntRange, Prompt, Seat, Value
from ui.screen.pages.question import (
    BoardPage,
    Draft,
    EntryPage,
    count_values,
    is_same_value,
    wide_step,
)
from ui.screen.views import Reply

PASS_ANSWERS: tuple[Value, ...] = ("fold", "pass", "no", False, "call", "stay", "wait", "don't care")
"""What a pass (confirm held) answers: the first of these that is allowed, so the least binding one."""
LOWEST_PASS_PROMPTS = ("bet", "raise")
"""The kinds of prompt in which a pass answers the lowest number: no bet, or a single chip."""
LONG_LIST, LONG_LIST_STEP = 12, 5
"""In a list (of values, or of a board's pieces or moves) longer than the one, holding raise skips by the other."""


def pass_answer(prompt: Prompt, seat: Seat) -> Value:
    """Return what a pass of ``seat`` answers; ``None`` where nothing fits, and the draft is reset."""
    options = prompt.seats[seat]
    if isinstance(options, IntRange):
        return options.start if prompt.kind in LOWEST_PASS_PROMPTS else None
    return next((value for value in PASS_ANSWERS if options.allows(value)), None)


def next_draft(draft: Draft, action: ButtonAction) -> Draft | Reply:
    """Return a seat's draft after a button action, or its answer."""
    if isinstance(draft, BoardPage):
        return _next_board_draft(draft, action)
    match action:
        case ButtonAction.CONFIRM:
            return draft if draft.value is None else Reply(draft.value)
        case ButtonAction.CONFIRM_HOLD:
            value = pass_answer(draft.view.prompt, draft.view.seat)
            return _reset(draft) if value is None else Reply(value)
    return replace(draft, value=next_value(draft.allowed, draft.value, skip=action is ButtonAction.RAISE_REPEAT))


def _reset(draft: EntryPage) -> EntryPage:
    """Return the draft as it began: the lowest number, or nothing selected in a list."""
    options = draft.allowed
    return replace(draft, value=options.start if isinstance(options, IntRange) else None, list_page=0)


def next_value(options: AllowedValues, value: Value, *, skip: bool = False) -> Value:
    """Return the value after ``value`` for a tap on raise, or (``skip``) for holding it; the first after the last."""
    if isinstance(options, Choices):
        values = [listed for listed, _ in count_values(options)]
        index = next((i for i, listed in enumerate(values) if is_same_value(listed, value)), -1)
        return values[_next_index(index, len(values), skip)]
    steps = (options.stop - options.start) // options.step
    taken = ((value if isinstance(value, int) else options.start) - options.start) // options.step
    if taken >= steps:
        return options.start
    return options.start + options.step * min(steps, taken + (max(1, wide_step(options)) if skip else 1))


def _next_index(index: int, count: int, skip: bool) -> int:
    """Return the index after ``index`` (-1: none yet) in a list of ``count``."""
    return 0 if index >= count - 1 else min(count - 1, index + (LONG_LIST_STEP if skip and count > LONG_LIST else 1))


def _next_board_draft(draft: BoardPage, action: ButtonAction) -> Draft | Reply:
    """Raise goes through the pieces that can move; confirm picks one up and proposes its first move; raise then goes
    through its moves, confirm plays the proposed one, and pass lets go."""
    moves, skip = draft.selected_moves, action is ButtonAction.RAISE_REPEAT
    match action:
        case ButtonAction.CONFIRM_HOLD:
            return draft.select(draft.selected if draft.move is not None else None)
        case ButtonAction.CONFIRM if draft.move is not None:
            return Reply(draft.move.notation)
        case ButtonAction.CONFIRM:
            return draft.propose(moves[0]) if moves else draft
    if draft.move is not None:
        return draft.propose(moves[_next_index(moves.index(draft.move), len(moves), skip)])
    movable = sorted({move.origin for move in draft.moves})
    piece = -1 if draft.selected is None else draft.selected
    index = bisect_right(movable, piece) - 1
    return draft.select(movable[_next_index(index, len(movable), skip)])
