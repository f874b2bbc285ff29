"""Painter of the page on which phones join: the QR code, the address in letters, and who has a phone."""

from pygame import Rect

from messages import N
from ui.charts.proof_code import qr_modules
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import draw_header, draw_modules, draw_network_offer, hand_row
from ui.screen.pages.answers import Reply
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.common.view import GO_ON_ANSWER
from ui.screen.pages.phones import strings
from ui.screen.pages.phones.view import PhonesPage, PhonesStatus, RemovePhone, SeatPhone
from ui.screen.pages.second_screen import strings as second_screen_strings

FEW_SEATS = 3
"""With more, their places are in two columns."""
MAX_EXPLAINED_SEATS = 4
"""With more, their places take the room of the text above them in landscape."""
STATE_ICONS = {"none": "frame", "here": "phone", "away": "doubt"}


@paints(PhonesPage)
def draw_phones(canvas: Canvas, page: PhonesPage) -> None:
    """Draw where phones join and who has one, or how to put the box on the network."""
    theme, status = canvas.theme, page.status
    body = draw_header(canvas, canvas.page, strings.TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.4), theme.gap)
    if status.address is None:
        draw_network_offer(canvas, body, foot, strings.OFF_DETAIL)
        return
    few = status.in_class or len(status.seats) <= FEW_SEATS
    if page.open_second_screen is not None:
        second, foot = hand_row(canvas, foot, [2, 3], theme.gap)
        canvas.button(second, second_screen_strings.TITLE, page.open_second_screen(page), size=theme.title)
    canvas.button(foot, common_strings.GO_ON, Reply(GO_ON_ANSWER), main=True, size=theme.title, icon="forward")
    if theme.portrait:
        code, seats = layout.rows(body, [1, 1] if few else [3, 4], theme.gap)
    else:
        code, seats = layout.columns(body, [1, 1] if few else [3, 4], theme.gap * 2)
    _draw_code(canvas, code, status)
    _draw_seats(canvas, seats, status)


def _draw_code(canvas: Canvas, box: Rect, status: PhonesStatus) -> None:
    theme, address = canvas.theme, status.address
    assert address is not None  # nothing is drawn without
    if not address.url:
        canvas.text(box, common_strings.NO_NETWORK, theme.title, max_lines=4)
        return
    text = N(strings.TYPE_IT, address=address.address, code=address.code)
    box, line = layout.split_bottom(box, canvas.text_height(text, box.w), theme.gap)
    draw_modules(canvas, box, qr_modules(address.url))
    canvas.text(line, text, theme.body, max_lines=9)


def _draw_seats(canvas: Canvas, box: Rect, status: PhonesStatus) -> None:
    """Draw what a phone is good for, and each seat; of a class only how many phones there are."""
    theme = canvas.theme
    explained = status.in_class or len(status.seats) <= MAX_EXPLAINED_SEATS or theme.portrait
    text = strings.CLASS_HOW if status.in_class else strings.HOW
    if explained:
        how, box = layout.split_top(box, canvas.text_height(text, box.w), theme.gap)
        canvas.text(how, text, theme.small, max_lines=9, align="left")
    if status.in_class:
        canvas.text(box, strings.count_phones(status), theme.big, ACCENT)
        return
    if explained and any(seat.state != "none" for seat in status.seats):
        box, line = layout.split_bottom(box, canvas.text_height(strings.TOUCH_TO_REMOVE, box.w), theme.units(0.5))
        canvas.text(line, strings.TOUCH_TO_REMOVE, theme.small, MUTED, align="left", max_lines=9)
    across = 2 if len(status.seats) > FEW_SEATS or theme.portrait else 1
    height = min(box.h, -(-len(status.seats) // across) * round(theme.touch_size * 1.6))
    box = Rect(box.x, box.y, box.w, height)
    for cell, seat in zip(layout.grid(box, len(status.seats), across, theme.units(1)), status.seats, strict=True):
        _draw_seat(canvas, cell, seat)


def _draw_seat(canvas: Canvas, cell: Rect, seat: SeatPhone) -> None:
    theme, has_phone = canvas.theme, seat.state != "none"
    canvas.panel(cell, RAISED if has_phone else PANEL, edge=ACCENT if seat.state == "here" else LINE)
    if has_phone:
        canvas.add_target(cell, Reply(RemovePhone(seat.seat)), strings.removal_label(seat.name))
    inner = layout.inset(cell, theme.units(1.2), theme.units(0.4))
    mark, inner = layout.split_left(inner, min(inner.h, theme.units(5)), theme.units(0.8))
    canvas.seat_mark(mark, seat.seat)
    inner, icon = layout.split_right(inner, min(inner.h, theme.units(5)), theme.units(0.8))
    canvas.icon(layout.centre(icon, icon.w, icon.w), STATE_ICONS[seat.state], TEXT if has_phone else MUTED)
    name, state = layout.rows(inner, [1, 1], 0)
    canvas.text(name, seat.name, theme.small, align="left")
    canvas.text(state, strings.STATE_LABELS[seat.state], theme.small, MUTED, align="left")
