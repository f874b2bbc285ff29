"""Painters of the seating: the plan of the table, the names for a seat, and the keyboard."""

from pygame import Rect

from rules.engine import Seat
from ui.i18n.language import current_language
from ui.screen.core.page_stack import Press
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, BACKGROUND, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import draw_header, draw_list_page_buttons, hand_row, list_page_count, split_hand_side
from ui.screen.pages.answers import Reply
from ui.screen.pages.seating import strings
from ui.screen.pages.seating.view import (
    EraseLetter,
    KeyboardPage,
    NamePage,
    NamePlayer,
    OpenKeyboard,
    PlanPage,
    SeatingAnswer,
    SelectSeat,
    SwapSeats,
    ToggleAccents,
    ToggleCapitals,
    TypeLetter,
    available_names,
    can_type,
    keyboard_rows,
    place_cards,
)


def draw_plan(canvas: Canvas, page: PlanPage) -> None:
    """Draw the table with a card at every seat's place, and the buttons."""
    theme, view = canvas.theme, page.view
    body = draw_header(canvas, canvas.page, strings.TITLE, note=view.title)
    if theme.portrait:
        body, side = layout.split_bottom(body, theme.units(44), theme.gap * 2)
    else:
        body, side = split_hand_side(canvas, body, theme.units(42), theme.gap * 2)
    _draw_table(canvas, body, page)
    side, play = layout.split_bottom(side, round(theme.touch_size * 1.7), theme.gap)
    side, back = layout.split_bottom(side, round(theme.touch_size * 1.2), theme.gap)
    if page.moving_seat is None:
        canvas.text(side, strings.HOW_TO, theme.body, MUTED, max_lines=6, align="left", vertical_align="left")
        canvas.button(back, strings.BACK, Reply("back"), icon="back")
        canvas.button(play, strings.PLAY, Reply(SeatingAnswer(page.names)), main=True, size=theme.title)
        return
    instruction = strings.swap_instruction(_player_name(page, page.moving_seat))
    canvas.text(side, instruction, theme.title, max_lines=6, align="left", vertical_align="left")
    canvas.button(back, strings.STAY_HERE, SelectSeat(None), icon="back")


def _player_name(page: PlanPage, seat: Seat) -> str:
    return page.names[seat - 1] or strings.default_name(seat)


def _draw_table(canvas: Canvas, box: Rect, page: PlanPage) -> None:
    """Draw the table as the camera sees it, not to scale, with everybody's card where their zone is."""
    theme, view = canvas.theme, page.view
    box, line = layout.split_bottom(box, theme.units(4.4), theme.units(0.6))
    canvas.text(line, strings.TABLE_CAPTION, theme.small, MUTED)
    canvas.panel(box, PANEL, edge=LINE, width=theme.units(0.3))
    place = layout.inset(box, theme.gap)
    count = len(page.names)
    across, down = _grid_size(count)
    card = min(theme.units(46), place.w // across - theme.gap), min(theme.units(26), place.h // down - theme.gap)
    parts = card[0] / place.w, card[1] / place.h
    middles = place_cards(view.zone_centres, *parts, gap=theme.units(1) / place.w)
    for seat, (x, y) in enumerate(middles, 1):
        spot = Rect(0, 0, *card)
        spot.center = place.x + round(x * place.w), place.y + round(y * place.h)
        _draw_card(canvas, spot.clamp(place), page, seat)


def _grid_size(count: int) -> tuple[int, int]:
    """Return how many cards must fit next to each other and one below the other."""
    return (2, 2) if count <= 4 else (3, 3) if count <= 6 else (4, 3)


def _draw_card(canvas: Canvas, box: Rect, page: PlanPage, seat: Seat) -> None:
    theme = canvas.theme
    moving = seat == page.moving_seat
    edge, width = (ACCENT, theme.units(0.8)) if moving else (LINE, theme.units(0.3))
    canvas.panel(box, RAISED, edge=edge, width=width)
    name = page.names[seat - 1]
    canvas.add_target(box, SelectSeat(None if moving else seat), _player_name(page, seat))
    sign, line = layout.rows(layout.inset(box, theme.units(1.2)), [5, 4], theme.units(0.6))
    canvas.seat_mark(sign, seat)
    least = theme.units(2.2)
    canvas.text(line, _player_name(page, seat), theme.title, TEXT if name else MUTED, min_size=least, max_lines=2)


def draw_names(canvas: Canvas, page: NamePage) -> None:
    """Draw the known names as buttons, and at the side those to type a name, to leave it out, and to swap seats."""
    theme = canvas.theme
    body = _draw_header(canvas, page.plan, page.seat, strings.seat_question(page.seat))
    if theme.portrait:
        body, side = layout.split_bottom(body, 4 * round(theme.touch_size * 1.2) + 3 * theme.gap, theme.gap * 2)
    else:
        body, side = split_hand_side(canvas, body, theme.units(46), theme.gap * 2)
    known = available_names(page.plan.view, page.plan.names)
    buttons: tuple[tuple[str, Press, str], ...] = (
        (strings.BACK, SelectSeat(None), "back"),
        (strings.SWAP_SEATS, SwapSeats(), "swap"),
        (strings.NO_NAME, NamePlayer(""), "nothing"),
        (strings.WRITE_NAME, OpenKeyboard(), "pencil"),
    )
    for row, (label, press, icon) in zip(layout.rows(side, [1] * 4, theme.gap), buttons, strict=True):
        place = layout.centre(row, row.w, round(theme.touch_size * 1.4))
        canvas.button(place, label, press, icon=icon, main=icon == "pencil")
    if not known:
        canvas.text(body, strings.NO_KNOWN_NAMES, theme.title, MUTED, max_lines=4)
        return
    across = 2
    height = round(theme.touch_size * 1.15)
    per_page = across * max(1, (body.h + theme.gap) // (height + theme.gap))
    if len(known) > per_page:
        body, turn = layout.split_bottom(body, theme.touch_size, theme.gap)
        per_page = across * max(1, (body.h + theme.gap) // (height + theme.gap))
        draw_list_page_buttons(canvas, turn, page.list_page, list_page_count(len(known), per_page))
    names = known[page.list_page * per_page : (page.list_page + 1) * per_page]
    down = max(1, per_page // across)
    place = layout.split_top(body, min(body.h, down * (height + theme.gap) - theme.gap), 0)[0]
    for cell, name in zip(layout.grid(place, per_page, across, theme.gap), names, strict=False):
        canvas.button(cell, name, NamePlayer(name))


def _draw_header(canvas: Canvas, page: PlanPage, seat: Seat, title: str) -> Rect:
    """Draw the seat's mark and the question. Returns the page below them."""
    theme = canvas.theme
    line, body = layout.split_top(canvas.page, theme.units(8.5), theme.gap)
    sign, line = layout.split_left(line, line.h, theme.gap)
    canvas.seat_mark(sign, seat)
    if page.names[seat - 1]:
        line, aside = layout.columns(line, [3, 2], theme.gap)
        canvas.text(aside, page.names[seat - 1], theme.body, align="right")
    canvas.text(line, title, theme.body, MUTED, align="left")
    return body


def draw_keyboard(canvas: Canvas, page: KeyboardPage) -> None:
    """Draw the text typed so far, large, and the keys."""
    theme = canvas.theme
    body = _draw_header(canvas, page.plan, page.seat, strings.seat_question(page.seat))
    keys = keyboard_rows(current_language(), accents=page.accents, capital=page.capital, portrait=theme.portrait)
    down = len(keys) + 1
    height = min(round(theme.touch_size * 1.3), max(theme.touch_size, (body.h - theme.touch_size) // (down + 1)))
    body, rows = layout.split_bottom(body, down * height + (down - 1) * theme.units(0.8), theme.gap)
    field = layout.centre(body, body.w, min(body.h, theme.units(18)))
    canvas.panel(field, BACKGROUND, edge=ACCENT, width=theme.units(0.5))
    canvas.text(layout.inset(field, theme.gap, 0), f"{page.text}|", theme.units(9), min_size=theme.units(3))
    *lines, last = layout.rows(rows, [1] * down, theme.units(0.8))
    most = max(map(len, keys))
    for line, row in zip(lines, keys, strict=True):
        cells = layout.grid(line, most, most, theme.units(0.8))
        shift = (line.w - (cells[len(row) - 1].right - line.x)) // 2
        for cell, letter in zip(cells, row, strict=False):
            canvas.button(
                cell.move(shift, 0), letter, TypeLetter(letter), size=theme.title, enabled=can_type(page, letter)
            )
    back, case, accents, space, erase, done = hand_row(canvas, last, [3, 3, 3, 4, 3, 4], theme.units(0.8))
    canvas.button(back, strings.BACK, SelectSeat(None), icon="back", icon_only=True)
    canvas.button(case, strings.CAPITALS, ToggleCapitals(), icon="raise", icon_only=True)
    canvas.button(accents, strings.LETTERS if page.accents else strings.ACCENTS, ToggleAccents())
    canvas.button(space, strings.SPACE, TypeLetter(" "), enabled=can_type(page, " "))
    canvas.button(erase, strings.ERASE_LETTER, EraseLetter(), icon="erase", icon_only=True, enabled=bool(page.text))
    canvas.button(done, strings.DONE, NamePlayer(page.text), main=True, enabled=bool(page.text.strip()))
