"""The effect of a seat's two buttons on its answer to a question, and the help that says so. Pure: no surface, no
clock."""

from bisect import bisect_right
from dataclasses import replace

from device.gpio.buttons import ButtonAction
from messages import N
from rules.engine import AllowedValues, Choices, IntRange, Prompt, Seat, Value
from ui.i18n.language import t
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.question import (
    BoardPage,
    Draft,
    EntryPage,
    answer_text,
    count_values,
    is_same_value,
    new_draft,
    wide_step,
)
from ui.screen.views import Reply
from ui.text.game_words import seat_label

PASS_ANSWERS: tuple[Value, ...] = ("fold", "pass", "no", False, "call", "stay", "wait", "don't care", "decline")
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
        return _next_board_draft(draft, action) if draft.moves else _next_other_answer(draft, action)
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


def _next_other_answer(draft: BoardPage, action: ButtonAction) -> Draft | Reply:
    """Raise goes through the answers beside the board, confirm gives the proposed one."""
    if action is ButtonAction.CONFIRM_HOLD:
        return Reply(pass_answer(draft.view.prompt, draft.view.seat))
    if action is ButtonAction.CONFIRM:
        return draft if draft.other is None else Reply(draft.other)
    index = -1 if draft.other is None else draft.others.index(draft.other)
    return draft.propose_other(draft.others[(index + 1) % len(draft.others)])


SECRET_BUTTON_HELP = N("Buttons: Raise asks for the screen, Confirm opens your page.")
MAX_LISTED_VALUES = 5
"""The most values whose presses are listed; with more, the help only says how far a press goes."""


def button_help(view: GroupQuestion) -> str:
    """The help for answering with a seat's buttons."""
    prompt = view.prompt
    if prompt.is_secret:
        return t(SECRET_BUTTON_HELP)
    helps = {
        seat: _with_pass_help(
            prompt,
            seat,
            _hidden_draft_help(view, seat) if prompt.is_private else t("Raise = next · Confirm = OK"),
        )
        for seat in sorted(prompt.seats)
    }
    if len(set(helps.values())) == 1:
        text = next(iter(helps.values()))
    elif prompt.is_private and all(isinstance(options, Choices) for options in prompt.seats.values()):
        names = {player.seat: player.name for player in view.players}
        text = " · ".join(f"{t(names.get(seat) or seat_label(seat))}: {seat_help}" for seat, seat_help in helps.items())
    else:
        text = t("Raise = one step up · Confirm = OK")
    return t("Buttons: {how}", how=text)


def _hidden_draft_help(view: GroupQuestion, seat: Seat) -> str:
    prompt, draft = view.prompt, new_draft(view.question_for(seat))
    options = prompt.seats[seat]
    if not isinstance(options, Choices):
        skip = wide_step(options)
        more = t("Raise = {step} more, held = {far} more", step=options.step, far=skip * options.step)
        return more if skip else t("Raise = {step} more", step=options.step)
    values = [value for value, _ in count_values(options)]
    if len(values) > MAX_LISTED_VALUES:
        skip = LONG_LIST_STEP if len(values) > LONG_LIST else 1
        return t("Raise = one down the list, held = {far}", far=skip)
    parts, value = [], next_value(options, draft.value if isinstance(draft, EntryPage) else None)
    for presses in range(1, len(values) + 1):
        parts.append(t("{presses}× {value}", presses=presses, value=answer_text(prompt, value)))
        value = next_value(options, value)
    return t("Raise {values}", values=", ".join(parts))


def _with_pass_help(prompt: Prompt, seat: Seat, text: str) -> str:
    """Add what holding Confirm answers, if anything."""
    value = pass_answer(prompt, seat)
    if value is None:
        return text
    is_zero = value == 0 and not isinstance(value, bool)
    answer = t("nothing") if is_zero else answer_text(prompt, value)
    return t("{how} · hold Confirm = {value}", how=text, value=answer)
