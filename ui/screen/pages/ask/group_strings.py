"""What is said where several seats answer together, and how they do it with their buttons or keys."""

from collections.abc import Sequence

from rules.engine import Ask, Choices, Seat, Value
from ui.i18n.language import N, t, tn
from ui.screen.core.button_navigation import LEAP, LONG, onward, passing
from ui.screen.pages import strings
from ui.screen.pages.ask.group_view import GatherPage, State
from ui.screen.pages.ask.view import EntryPage, entry, leap, listed
from ui.screen.pages.views import Player

STATES: dict[State, str] = {"asked": N("Touch here"), "entering": N("Entering"), "in": N("In")}
STAYS = N("An answer that is in can’t be changed.")
BACK = N("Everybody")
"""Back to everybody's page."""
BLIND = N("Count your presses: only your light shows them.")
SECRET = N("Buttons: raise asks for the screen, confirm opens your page.")
MANY = 5
"""So many values are told by how many presses lead to them; of more, only how far a press goes."""
NAMED = 3
"""So many players are called by name, of more it is told how many they are."""


def waits(page: GatherPage) -> str:
    """Who the box waits for."""
    names = [player.name for player in page.view.players if player.seat in page.waiting]
    if len(names) > NAMED:
        return tn("The box waits for {count} player", "The box waits for {count} players", len(names))
    return t("The box waits for {names}", names=", ".join(names))


def by_buttons(page: GatherPage) -> str:
    """How to answer with a seat's buttons."""
    ask = page.view.ask
    if ask.secret:
        return t(SECRET)
    hows = {seat: _counted(page, seat) if ask.sealed else _seen(ask, seat) for seat in sorted(ask.seats)}
    if len(set(hows.values())) == 1:
        how = next(iter(hows.values()))
    elif ask.sealed and all(isinstance(options, Choices) for options in ask.seats.values()):
        how = " · ".join(f"{_name(page.view.players, seat)}: {one}" for seat, one in hows.items())
    else:
        how = t("raise goes one step up, confirm: in")
    return t("Buttons: {how}", how=how)


def blind(page: GatherPage) -> str:
    """That buttons are counted, where nothing of them is shown; and that what is in stays."""
    rule = t(STAYS)
    return f"{t(BLIND)} {rule}" if page.view.ask.sealed and not page.view.ask.secret else rule


def _seen(ask: Ask, seat: Seat) -> str:
    """Where the draft is shown."""
    return _with_pass(ask, seat, t("raise goes on, confirm: in"))


def _counted(page: GatherPage, seat: Seat) -> str:
    """Where presses are counted."""
    ask, begins = page.view.ask, entry(page.view.part(seat))
    options = ask.seats[seat]
    if not isinstance(options, Choices):
        far = leap(options)
        more = t("each raise is {step} more, held {far}", step=options.step, far=far * options.step)
        return _with_pass(ask, seat, more if far else t("each raise is {step} more", step=options.step))
    values = [value for value, _ in listed(options)]
    if len(values) > MANY:
        far = LEAP if len(values) > LONG else 1
        return _with_pass(ask, seat, t("each raise is one further down the list, held {far}", far=far))
    told, value = [], onward(options, begins.value if isinstance(begins, EntryPage) else None)
    for presses in range(1, len(values) + 1):
        told.append(t("{presses}× {value}", presses=presses, value=strings.answer(ask, value)))
        value = onward(options, value)
    return _with_pass(ask, seat, t("raise {values}", values=", ".join(told)))


def _with_pass(ask: Ask, seat: Seat, how: str) -> str:
    """With what holding confirm puts in, if anything."""
    value = passing(ask, seat)
    return how if value is None else t("{how}; hold confirm: {value}", how=how, value=_passed(ask, value))


def _passed(ask: Ask, value: Value) -> str:
    return t("nothing") if value == 0 and not isinstance(value, bool) else strings.answer(ask, value)


def _name(players: Sequence[Player], seat: Seat) -> str:
    return next((player.name for player in players if player.seat == seat), strings.seat(seat))
