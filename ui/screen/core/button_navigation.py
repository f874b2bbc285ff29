"""The effect of a seat's two buttons on a page that asks that seat something; on every other page they move a focus,
see ``ui.screen.core.focus``. Pure: no surface, no clock."""

from dataclasses import replace

from device.gpio.buttons import ButtonAction, ButtonEvent
from rules.engine import AllowedValues, Choices, IntRange, Prompt, Seat, Value
from ui.screen.pages.answers import Reply
from ui.screen.pages.board.view import BoardPage, ProposeMove, SelectPiece
from ui.screen.pages.group_question.view import GroupQuestionPage, OpenSeatPage, next_group_page, open_seat_page
from ui.screen.pages.question.view import (
    Draft,
    EntryPage,
    HandOverPage,
    OpenQuestion,
    count_values,
    is_same_value,
    next_entry,
    wide_step,
)

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


def handle_group_button(page: GroupQuestionPage, event: ButtonEvent) -> GroupQuestionPage | Reply | None:
    """Return the page that a button event leads to, or the reply it completes; ``None`` where it doesn't count: the
    seat isn't asked, has answered already, or, where the options are secret, somebody else has the screen."""
    seat = event.seat
    if seat not in page.waiting:
        return None
    if page.view.prompt.secret:
        return _handle_own_page(page, event)
    return _update_draft(page, seat, next_draft(page.drafts[seat], event.action))


def _update_draft(page: GroupQuestionPage, seat: Seat, draft: Draft | Reply) -> GroupQuestionPage | Reply:
    if not isinstance(draft, Reply):
        return page.with_draft(draft)
    return page.with_answer(seat, draft.value if isinstance(draft.value, str | int) else None)


def _handle_own_page(page: GroupQuestionPage, event: ButtonEvent) -> GroupQuestionPage | Reply | None:
    """Secret options appear on their seat's own page only: the first event asks for the screen, confirm opens it."""
    own = page.own_page
    if own is None:
        return open_seat_page(page, event.seat)
    if own.view.seat != event.seat:
        return None
    if isinstance(own, HandOverPage):
        if event.action is ButtonAction.CONFIRM:
            return next_group_page(page, OpenQuestion())
        return next_group_page(page, OpenSeatPage(None)) if event.action is ButtonAction.CONFIRM_HOLD else page
    draft = next_draft(own, event.action)
    return _update_draft(page, event.seat, draft) if isinstance(draft, Reply) else page.with_own_page(draft)


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
    movable = sorted({move.origin for move in draft.moves})
    moves, skip = draft.selected_moves, action is ButtonAction.RAISE_REPEAT
    match action:
        case ButtonAction.CONFIRM_HOLD:
            return _press(draft, SelectPiece(draft.selected if draft.move is not None else None))
        case ButtonAction.CONFIRM if draft.move is not None:
            return Reply(draft.move.notation)
        case ButtonAction.CONFIRM:
            return _press(draft, ProposeMove(moves[0].notation)) if moves else draft
    if draft.move is not None:
        return _press(draft, ProposeMove(moves[_next_index(moves.index(draft.move), len(moves), skip)].notation))
    piece = draft.selected
    index = (
        movable.index(piece)
        if piece in movable
        else sum(space < (-1 if piece is None else piece) for space in movable) - 1
    )
    return _press(draft, SelectPiece(movable[_next_index(index, len(movable), skip)]))


def _press(draft: BoardPage, press: ProposeMove | SelectPiece) -> Draft:
    after = next_entry(draft, press)
    return draft if isinstance(after, Reply | HandOverPage) else after
