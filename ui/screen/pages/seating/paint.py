"""Painters of the seating: the plan of the table, the names for a seat, and the keyboard."""

from dataclasses import replace

from pygame import Rect

from messages import N
from rules.engine import Seat
from ui.i18n.language import current_language
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.keyboard import Key, draw_keyboard
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import draw_header, draw_list_cells, split_hand_side
from ui.screen.pages.answers import Reply
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.common.keyboard import ACCENT_ROWS, letter_rows
from ui.screen.pages.seating.view import (
    KeyboardPage,
    NamePage,
    NameTypingPage,
    PlanPage,
    SeatingAnswer,
    available_names,
    place_cards,
)
from ui.screen.pages.views import Page, Press
from ui.text.verdicts import default_name


@paints(PlanPage)
def draw_plan(canvas: Canvas, page: PlanPage) -> None:
    """Draw the table with a card at every seat's place, and the buttons."""
    theme, view = canvas.theme, page.view
    body = draw_header(canvas, canvas.page, N("Who sits where?"), note=view.title)
    if theme.portrait:
        body, side = layout.split_bottom(body, theme.units(46), theme.gap * 2)
    else:
        body, side = split_hand_side(canvas, body, theme.units(36), theme.gap)
    _draw_table(canvas, body, page)
    side, play = layout.split_bottom(side, round(theme.touch_size * 1.7), theme.gap)
    side, back = layout.split_bottom(side, round(theme.touch_size * 1.2), theme.gap)
    if page.moving_seat is None:
        canvas.text(
            side,
            N("Touch a player to swap seats, or just play.")
            if view.fixed_names
            else N("Touch a seat to say who sits there, or just play."),
            theme.body,
            MUTED,
            max_lines=6,
            align="left",
            vertical_align="left",
        )
        canvas.button(back, N("Back"), Reply("back"), icon="back")
        canvas.button(play, N("Play"), Reply(SeatingAnswer(page.names)), main=True, size=theme.title)
        return
    instruction = N("Touch {name}’s new seat.", name=_player_name(page, page.moving_seat))
    canvas.text(side, instruction, theme.title, max_lines=6, align="left", vertical_align="left")
    stays = replace(page, moving_seat=None)
    canvas.button(back, N("Stay here"), stays, icon="back", leads_back=True)


def _player_name(page: PlanPage, seat: Seat) -> str:
    return page.names[seat - 1] or default_name(seat)


def _draw_table(canvas: Canvas, box: Rect, page: PlanPage) -> None:
    """Draw the table from above, not to scale, with everybody's card where their zone is."""
    theme, view = canvas.theme, page.view
    box, line = layout.split_bottom(box, line_height(theme.small), theme.units(0.6))
    caption = N("The table, as the camera sees it") if view.has_camera else N("The table from above")
    canvas.text(line, caption, theme.small, MUTED)
    canvas.framed_panel(box, PANEL)
    place = layout.inset(box, theme.units(1))
    across, down = _grid_size(len(page.names), theme.portrait)
    gap = theme.units(1)
    card = min(theme.units(46), place.w // across - gap), min(theme.units(26), place.h // down - gap)
    parts = card[0] / place.w, card[1] / place.h
    middles = place_cards(view.zone_centres, *parts, gap=theme.units(1) / place.w)
    for seat, (x, y) in enumerate(middles, 1):
        spot = Rect(0, 0, *card)
        spot.center = place.x + round(x * place.w), place.y + round(y * place.h)
        _draw_card(canvas, spot.clamp(place), page, seat)


def _grid_size(count: int, portrait: bool) -> tuple[int, int]:
    """Return how many cards must fit next to each other and one below the other."""
    if portrait and count > 4:
        return 2, 4
    return (2, 2) if count <= 4 else (3, 3) if count <= 6 else (4, 3)


def _draw_card(canvas: Canvas, box: Rect, page: PlanPage, seat: Seat) -> None:
    theme = canvas.theme
    moving = seat == page.moving_seat
    edge, width = (ACCENT, theme.units(0.8)) if moving else (LINE, theme.units(0.3))
    canvas.panel(box, RAISED, edge=edge, width=width)
    name = page.names[seat - 1]
    canvas.add_target(box, replace(page, moving_seat=None) if moving else page.select(seat), _player_name(page, seat))
    sign, line = layout.rows(layout.inset(box, theme.units(0.6)), [5, 4], theme.units(0.6))
    canvas.seat_mark(sign, seat)
    canvas.text(line, _player_name(page, seat), theme.title, TEXT if name else MUTED, max_lines=2)


@paints(NamePage)
def draw_names(canvas: Canvas, page: NamePage) -> None:
    """Draw the known names as buttons, and at the side those to type a name, to leave it out, and to swap seats."""
    theme = canvas.theme
    body = _draw_header(canvas, page.plan, page.seat)
    if theme.portrait:
        body, side = layout.split_bottom(body, 4 * round(theme.touch_size * 1.2) + 3 * theme.gap, theme.gap * 2)
    else:
        body, side = split_hand_side(canvas, body, theme.units(46), theme.gap * 2)
    known = available_names(page.plan.view, page.plan.names)
    buttons: tuple[tuple[str, Page, str], ...] = (
        (N("Back"), page.plan, "back"),
        (N("Swap seats"), replace(page.plan, moving_seat=page.seat), "swap"),
        (N("No name"), page.plan.name_player(page.seat, ""), "nothing"),
        (N("Write a name"), KeyboardPage(page.plan, page.seat), "pencil"),
    )
    for row, (label, after, icon) in zip(layout.rows(side, [1] * 4, theme.gap), buttons, strict=True):
        place = layout.centre(row, row.w, round(theme.touch_size * 1.4))
        canvas.button(place, label, after, icon=icon, main=icon == "pencil", leads_back=icon == "back")
    if not known:
        canvas.text(body, N("No names have been entered here yet."), theme.title, MUTED, max_lines=4)
        return
    for cell, name in draw_list_cells(canvas, body, page, known, round(theme.touch_size * 1.15)):
        canvas.button(cell, name, page.plan.name_player(page.seat, name))


def _draw_header(canvas: Canvas, page: PlanPage, seat: Seat) -> Rect:
    """Draw the seat's mark and the question. Returns the page below them."""
    theme = canvas.theme
    line, body = layout.split_top(canvas.page, theme.units(8.5), theme.gap)
    sign, line = layout.split_left(line, line.h, theme.gap)
    canvas.seat_mark(sign, seat)
    if page.names[seat - 1]:
        line, aside = layout.columns(line, [3, 2], theme.gap)
        canvas.text(aside, page.names[seat - 1], theme.body, align="right")
    canvas.text(line, N("Who sits in seat {seat}?", seat=seat), theme.body, MUTED, align="left")
    return body


@paints(KeyboardPage)
def draw_name_keyboard(canvas: Canvas, page: KeyboardPage) -> None:
    """Draw the name typed so far, large, and the keys."""
    draw_name_keys(canvas, _draw_header(canvas, page.plan, page.seat), page, NamePage(page.plan, page.seat))


def draw_name_keys(canvas: Canvas, body: Rect, page: NameTypingPage, back: Press, *others: Key) -> None:
    """Draw the name typed so far, large, and the keys: ``back``, ``others``, capitals, accents, letters."""
    letters = Key("abc" if page.accents else "ÀÉß", replace(page, accents=not page.accents))
    draw_keyboard(
        canvas,
        body,
        page,
        ACCENT_ROWS if page.accents else letter_rows(current_language()),
        text=page.text,
        capital=page.capital,
        back=back,
        others=(*others, Key(N("Capitals"), replace(page, capital=not page.capital), "raise"), letters),
        done=Key(common_strings.DONE, page.finish()),
    )
