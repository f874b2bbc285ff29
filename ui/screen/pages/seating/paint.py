"""Painters of sitting down: the plan of the table, the names for a seat, and the letters to write one."""

from pygame import Rect

from rules.engine import Seat
from ui.i18n.language import spoken
from ui.screen.core.page_stack import Press
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, BACKGROUND, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import hand_row, hand_side, head, leaves, turner
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.seating import strings as seating_strings
from ui.screen.pages.seating.view import (
    Accents,
    Call,
    Case,
    Letter,
    LettersPage,
    NamePage,
    PlanPage,
    Rub,
    Seated,
    Swap,
    ToSeat,
    Write,
    guests,
    letter_rows,
    may_write,
    spots,
)


def plan(canvas: Canvas, page: PlanPage) -> None:
    """The table with a card at every seat's place, and the way on."""
    theme, view = canvas.theme, page.view
    body = head(canvas, canvas.page, seating_strings.WHO, aside=view.title)
    if theme.portrait:
        body, side = layout.bottom(body, theme.units(44), theme.gap * 2)
    else:
        body, side = hand_side(canvas, body, theme.units(42), theme.gap * 2)
    _table(canvas, body, page)
    side, play = layout.bottom(side, round(theme.touch * 1.7), theme.gap)
    side, back = layout.bottom(side, round(theme.touch * 1.2), theme.gap)
    if page.moving is None:
        canvas.text(side, seating_strings.HOW, theme.body, MUTED, lines=6, side="left", at="left")
        canvas.button(back, seating_strings.BACK, Reply("back"), drawing="back")
        canvas.button(play, seating_strings.PLAY, Reply(Seated(page.names)), main=True, size=theme.title)
        return
    told = seating_strings.whose_place(_name(page, page.moving))
    canvas.text(side, told, theme.title, lines=6, side="left", at="left")
    canvas.button(back, seating_strings.STAY, ToSeat(None), drawing="back")


def _name(page: PlanPage, seat: Seat) -> str:
    return page.names[seat - 1] or seating_strings.unnamed(seat)


def _table(canvas: Canvas, box: Rect, page: PlanPage) -> None:
    """The table as the camera sees it, not to scale, and everybody's card where their zone is."""
    theme, view = canvas.theme, page.view
    box, line = layout.bottom(box, theme.units(4.4), theme.units(0.6))
    canvas.text(line, seating_strings.TABLE, theme.small, MUTED)
    canvas.panel(box, PANEL, edge=LINE, width=theme.units(0.3))
    place = layout.inside(box, theme.gap)
    count = len(page.names)
    across, down = _cells(count)
    card = min(theme.units(46), place.w // across - theme.gap), min(theme.units(26), place.h // down - theme.gap)
    parts = card[0] / place.w, card[1] / place.h
    middles = spots(view.places, *parts, gap=theme.units(1) / place.w)
    for seat, (x, y) in enumerate(middles, 1):
        spot = Rect(0, 0, *card)
        spot.center = place.x + round(x * place.w), place.y + round(y * place.h)
        _card(canvas, spot.clamp(place), page, seat)


def _cells(count: int) -> tuple[int, int]:
    """How many cards there must be room for side by side and one below the other."""
    return (2, 2) if count <= 4 else (3, 3) if count <= 6 else (4, 3)


def _card(canvas: Canvas, box: Rect, page: PlanPage, seat: Seat) -> None:
    theme = canvas.theme
    moving = seat == page.moving
    edge, width = (ACCENT, theme.units(0.8)) if moving else (LINE, theme.units(0.3))
    canvas.panel(box, RAISED, edge=edge, width=width)
    named = page.names[seat - 1]
    canvas.target(box, ToSeat(None if moving else seat), _name(page, seat))
    sign, line = layout.rows(layout.inside(box, theme.units(1.2)), [5, 4], theme.units(0.6))
    canvas.seat(sign, seat)
    least = theme.units(2.2)
    canvas.text(line, _name(page, seat), theme.title, TEXT if named else MUTED, least=least, lines=2)


def names(canvas: Canvas, page: NamePage) -> None:
    """Who has played here before, as buttons; at the side to write a name, to have none, to change places."""
    theme = canvas.theme
    body = _seat_head(canvas, page.plan, page.seat, seating_strings.who(page.seat))
    if theme.portrait:
        body, side = layout.bottom(body, 4 * round(theme.touch * 1.2) + 3 * theme.gap, theme.gap * 2)
    else:
        body, side = hand_side(canvas, body, theme.units(46), theme.gap * 2)
    known = guests(page.plan.view, page.plan.names)
    ways: tuple[tuple[str, Press, str], ...] = (
        (seating_strings.BACK, ToSeat(None), "back"),
        (seating_strings.SWAP, Swap(), "swap"),
        (seating_strings.NOBODY, Call(""), "nothing"),
        (seating_strings.WRITE, Write(), "pencil"),
    )
    for row, (label, press, drawing) in zip(layout.rows(side, [1] * 4, theme.gap), ways, strict=True):
        place = layout.middle(row, row.w, round(theme.touch * 1.4))
        canvas.button(place, label, press, drawing=drawing, main=drawing == "pencil")
    if not known:
        canvas.text(body, seating_strings.NONE_KNOWN, theme.title, MUTED, lines=4)
        return
    across = 2
    high = round(theme.touch * 1.15)
    room = across * max(1, (body.h + theme.gap) // (high + theme.gap))
    if len(known) > room:
        body, turn = layout.bottom(body, theme.touch, theme.gap)
        room = across * max(1, (body.h + theme.gap) // (high + theme.gap))
        turner(canvas, turn, page.leaf, leaves(len(known), room))
    shown = known[page.leaf * room : (page.leaf + 1) * room]
    down = max(1, room // across)
    place = layout.top(body, min(body.h, down * (high + theme.gap) - theme.gap), 0)[0]
    for cell, name in zip(layout.grid(place, room, across, theme.gap), shown, strict=False):
        canvas.button(cell, name, Call(name))


def _seat_head(canvas: Canvas, page: PlanPage, seat: Seat, told: str) -> Rect:
    """The seat's mark before what is asked."""
    theme = canvas.theme
    line, body = layout.top(canvas.page, theme.units(8.5), theme.gap)
    sign, line = layout.left(line, line.h, theme.gap)
    canvas.seat(sign, seat)
    if page.names[seat - 1]:
        line, aside = layout.columns(line, [3, 2], theme.gap)
        canvas.text(aside, page.names[seat - 1], theme.body, side="right")
    canvas.text(line, told, theme.body, MUTED, side="left")
    return body


def letters(canvas: Canvas, page: LettersPage) -> None:
    """What was written, large, and the keys."""
    theme = canvas.theme
    body = _seat_head(canvas, page.plan, page.seat, seating_strings.who(page.seat))
    keys = letter_rows(spoken(), accents=page.accents, capital=page.capital, portrait=theme.portrait)
    down = len(keys) + 1
    high = min(round(theme.touch * 1.3), max(theme.touch, (body.h - theme.touch) // (down + 1)))
    body, rows = layout.bottom(body, down * high + (down - 1) * theme.units(0.8), theme.gap)
    field = layout.middle(body, body.w, min(body.h, theme.units(18)))
    canvas.panel(field, BACKGROUND, edge=ACCENT, width=theme.units(0.5))
    canvas.text(layout.inside(field, theme.gap, 0), f"{page.text}|", theme.units(9), least=theme.units(3))
    *lines, last = layout.rows(rows, [1] * down, theme.units(0.8))
    most = max(map(len, keys))
    for line, row in zip(lines, keys, strict=True):
        cells = layout.grid(line, most, most, theme.units(0.8))
        shift = (line.w - (cells[len(row) - 1].right - line.x)) // 2
        for cell, letter in zip(cells, row, strict=False):
            canvas.button(cell.move(shift, 0), letter, Letter(letter), size=theme.title, able=may_write(page, letter))
    back, case, accents, space, rub, done = hand_row(canvas, last, [3, 3, 3, 4, 3, 4], theme.units(0.8))
    canvas.button(back, seating_strings.BACK, ToSeat(None), drawing="back", bare=True)
    canvas.button(case, seating_strings.CAPITALS, Case(), drawing="raise", bare=True)
    canvas.button(accents, seating_strings.LETTERS if page.accents else seating_strings.ACCENTS, Accents())
    canvas.button(space, seating_strings.SPACE, Letter(" "), able=may_write(page, " "))
    canvas.button(rub, seating_strings.ERASE, Rub(), drawing="erase", bare=True, able=bool(page.text))
    canvas.button(done, seating_strings.DONE, Call(page.text), main=True, able=bool(page.text.strip()))
