"""The texts of a question that several seats answer together, and the help for answering with buttons or keys."""

import math

from messages import N
from rules.engine import Choices, Prompt, Seat
from rules.text import list_names
from ui.i18n.language import ngettext, t
from ui.screen.input.button_navigation import LONG_LIST, LONG_LIST_STEP, next_value, pass_answer
from ui.screen.pages.common.game_words import seat_label
from ui.screen.pages.group_question.view import GroupQuestionPage, SeatState
from ui.screen.pages.question import strings as question_strings
from ui.screen.pages.question.view import EntryPage, count_values, new_draft, wide_step

STATE_LABELS: dict[SeatState, str] = {
    "asked": N("Touch here"),
    "on phone": N("On their phone"),
    "entering": N("Entering"),
    "in": N("In"),
    "out of time": N("Time’s up"),
}
ANSWERS_ARE_FINAL = N("Once locked in, an answer can’t be changed.")
EVERYBODY = N("Everybody")
"""The label of the button back to everybody's page."""
COUNT_BLINKS = N("Your choice stays off the screen: count your light’s blinks.")
SECRET_BUTTON_HELP = N("Buttons: Raise asks for the screen, Confirm opens your page.")
MAX_LISTED_VALUES = 5
"""The most values whose presses are listed; with more, the help only says how far a press goes."""
MAX_LISTED_NAMES = 3
"""The most players listed by name; more are counted."""


def waiting_text(page: GroupQuestionPage) -> str:
    """Return whom the box waits for: up to MAX_LISTED_NAMES by name; of more, only how many they are. Once all are in,
    say that somebody's time ran out."""
    count = len(page.waiting)
    if not count:
        return question_strings.time_out_text(page.view.prompt, N("Time’s up: {meaning}."))
    if count > MAX_LISTED_NAMES:
        return ngettext("Waiting for {count} player", "Waiting for {count} players", count)
    names = {player.seat: player.name for player in page.view.players}
    return t("Waiting for {names}", names=list_names(page.waiting, names))


def button_help(page: GroupQuestionPage) -> str:
    """The help for answering with a seat's buttons."""
    prompt = page.view.prompt
    if prompt.secret:
        return t(SECRET_BUTTON_HELP)
    helps = {
        seat: _with_pass_help(
            prompt, seat, _hidden_draft_help(page, seat) if prompt.sealed else t("Raise = next · Confirm = OK")
        )
        for seat in sorted(prompt.seats)
    }
    if len(set(helps.values())) == 1:
        text = next(iter(helps.values()))
    elif prompt.sealed and all(isinstance(options, Choices) for options in prompt.seats.values()):
        names = {player.seat: player.name for player in page.view.players}
        text = " · ".join(f"{t(names.get(seat) or seat_label(seat))}: {seat_help}" for seat, seat_help in helps.items())
    else:
        text = t("Raise = one step up · Confirm = OK")
    return t("Buttons: {how}", how=text)


def answer_rules(page: GroupQuestionPage, *, seat_lights: bool) -> str:
    """The rules for answers: to count the ``seat_lights``' blinks if the draft is hidden, and that answers are
    final; "" where there is nothing to choose."""
    if page.view.own_facts:
        return ""
    rule = t(ANSWERS_ARE_FINAL)
    counts = seat_lights and page.view.prompt.sealed and not page.view.prompt.secret
    return f"{t(COUNT_BLINKS)} {rule}" if counts else rule


def time_rule(page: GroupQuestionPage) -> str:
    """How long each player has, and from when on; "" without a limit, once all are in, or if the time runs for
    all at once."""
    seconds = page.view.seconds
    if seconds is None or page.view.one_clock or not page.waiting:
        return ""
    return ngettext(
        "{count} second each, starting when you touch.",
        "{count} seconds each, starting when you touch.",
        math.ceil(seconds),
    )


def _hidden_draft_help(page: GroupQuestionPage, seat: Seat) -> str:
    """The help for a seat that has to count its presses."""
    prompt, draft = page.view.prompt, new_draft(page.view.question_for(seat))
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
        parts.append(t("{presses}× {value}", presses=presses, value=question_strings.answer_text(prompt, value)))
        value = next_value(options, value)
    return t("Raise {values}", values=", ".join(parts))


def _with_pass_help(prompt: Prompt, seat: Seat, text: str) -> str:
    """Add what holding Confirm answers, if anything."""
    value = pass_answer(prompt, seat)
    if value is None:
        return text
    is_zero = value == 0 and not isinstance(value, bool)
    answer = t("nothing") if is_zero else question_strings.answer_text(prompt, value)
    return t("{how} · hold Confirm = {value}", how=text, value=answer)
