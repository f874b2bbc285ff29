"""What is said where several seats answer together, and how they do it with their buttons or keys."""

from collections.abc import Sequence

from rules.engine import Choices, Prompt, Seat, Value
from ui.i18n.language import N, ngettext, t
from ui.screen.core.button_navigation import LONG_LIST, LONG_LIST_STEP, next_value, pass_answer
from ui.screen.pages.common import game_words
from ui.screen.pages.common.view import Player
from ui.screen.pages.group_question.view import GroupQuestionPage, SeatState
from ui.screen.pages.question import strings as question_strings
from ui.screen.pages.question.view import EntryPage, count_values, new_draft, wide_step
from ui.text.names import list_names

STATE_LABELS: dict[SeatState, str] = {"asked": N("Touch here"), "entering": N("Entering"), "in": N("In")}
ANSWERS_ARE_FINAL = N("Once locked in, an answer can’t be changed.")
EVERYBODY = N("Everybody")
"""Back to everybody's page."""
COUNT_BLINKS = N("Your choice stays off the screen: count your light’s blinks.")
SECRET_BUTTON_HELP = N("Buttons: Raise asks for the screen, Confirm opens your page.")
MAX_LISTED_VALUES = 5
"""So many values are told by how many presses lead to them; of more, only how far a press goes."""
MAX_LISTED_NAMES = 3
"""So many players are called by name, of more it is told how many they are."""


def waiting_text(page: GroupQuestionPage) -> str:
    """Return whom the box waits for: up to MAX_LISTED_NAMES by name, of more only how many they are."""
    count = len(page.waiting)
    if count > MAX_LISTED_NAMES:
        return ngettext("Waiting for {count} player", "Waiting for {count} players", count)
    names = {player.seat: player.name for player in page.view.players}
    return t("Waiting for {names}", names=list_names(page.waiting, names))


def button_help(page: GroupQuestionPage) -> str:
    """How to answer with a seat's buttons."""
    ask = page.view.prompt
    if ask.secret:
        return t(SECRET_BUTTON_HELP)
    hows = {
        seat: _hidden_draft_help(page, seat) if ask.sealed else _visible_draft_help(ask, seat)
        for seat in sorted(ask.seats)
    }
    if len(set(hows.values())) == 1:
        how = next(iter(hows.values()))
    elif ask.sealed and all(isinstance(options, Choices) for options in ask.seats.values()):
        how = " · ".join(f"{_player_name(page.view.players, seat)}: {one}" for seat, one in hows.items())
    else:
        how = t("Raise = one step up · Confirm = OK")
    return t("Buttons: {how}", how=how)


def answer_rules(page: GroupQuestionPage) -> str:
    """That buttons are counted, where nothing of them is shown; and that what is in stays."""
    rule = t(ANSWERS_ARE_FINAL)
    return f"{t(COUNT_BLINKS)} {rule}" if page.view.prompt.sealed and not page.view.prompt.secret else rule


def _visible_draft_help(ask: Prompt, seat: Seat) -> str:
    """Where the draft is shown."""
    return _with_pass_help(ask, seat, t("Raise = next · Confirm = OK"))


def _hidden_draft_help(page: GroupQuestionPage, seat: Seat) -> str:
    """Where presses are counted."""
    ask, begins = page.view.prompt, new_draft(page.view.question_for(seat))
    options = ask.seats[seat]
    if not isinstance(options, Choices):
        far = wide_step(options)
        more = t("Raise = {step} more, held = {far} more", step=options.step, far=far * options.step)
        return _with_pass_help(ask, seat, more if far else t("Raise = {step} more", step=options.step))
    values = [value for value, _ in count_values(options)]
    if len(values) > MAX_LISTED_VALUES:
        far = LONG_LIST_STEP if len(values) > LONG_LIST else 1
        return _with_pass_help(ask, seat, t("Raise = one down the list, held = {far}", far=far))
    told, value = [], next_value(options, begins.value if isinstance(begins, EntryPage) else None)
    for presses in range(1, len(values) + 1):
        told.append(t("{presses}× {value}", presses=presses, value=question_strings.answer_text(ask, value)))
        value = next_value(options, value)
    return _with_pass_help(ask, seat, t("Raise {values}", values=", ".join(told)))


def _with_pass_help(ask: Prompt, seat: Seat, how: str) -> str:
    """With what holding confirm puts in, if anything."""
    value = pass_answer(ask, seat)
    return how if value is None else t("{how} · hold Confirm = {value}", how=how, value=_pass_text(ask, value))


def _pass_text(ask: Prompt, value: Value) -> str:
    return t("nothing") if value == 0 and not isinstance(value, bool) else question_strings.answer_text(ask, value)


def _player_name(players: Sequence[Player], seat: Seat) -> str:
    return next((player.name for player in players if player.seat == seat), game_words.seat_label(seat))
