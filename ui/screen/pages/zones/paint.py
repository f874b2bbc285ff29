"""Painters of the zones over the live picture: set up by touch, and found from hands held out."""

from functools import lru_cache

import pygame
from pygame import Rect

from rules.engine import Seat
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, PANEL, TEXT, Colour, mark
from ui.screen.drawing.widgets import hand_side, head
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.zones.view import (
    Area,
    Even,
    Grab,
    HoldingOut,
    Renumber,
    Shot,
    Zoned,
    ZonesPage,
    handles,
    on_screen,
)

VEIL = 44
"""How much of its colour lies on a zone, of 255."""


def zones(canvas: Canvas, page: ZonesPage) -> None:
    """Every seat's zone over the picture, with its number, colour and shape; handles at the corners of the one touched
    last; what is wrong, or what to do, below; the buttons at the side."""
    theme = canvas.theme
    body = head(canvas, canvas.page, strings.ZONES, aside=strings.zone_of(page.seat, page.view.names))
    if theme.portrait:
        body, buttons = layout.bottom(body, 3 * round(theme.touch * 1.4) + 2 * theme.gap, theme.gap * 2)
    else:
        body, buttons = hand_side(canvas, body, theme.units(44), theme.gap * 2)
    fault = page.fault
    _buttons(canvas, buttons, page, able=fault is None)
    body, line = layout.bottom(body, theme.units(11 if not theme.portrait else 16), theme.gap)
    missing = strings.NO_PICTURE if page.shot is None else ""
    told = strings.line(fault or missing or page.view.said or strings.ZONES_HOW)
    _said(canvas, line, told, wrong=fault is not None)
    place = _place(body, page.view.aspect)
    grab = Grab(place.x, place.y, place.w, place.h, theme.touch)
    canvas.target(place, grab, strings.ZONES)

    def live(canvas: Canvas, now: ZonesPage) -> None:
        _picture(canvas, place, now.shot)
        order = [seat for seat in range(1, len(now.zones) + 1) if seat != now.seat]
        for seat in [*order, now.seat]:
            _zone(canvas, grab, now.zones[seat - 1], seat, chosen=seat == now.seat)

    canvas.moving(place, ["shot"], live)


def _buttons(canvas: Canvas, box: Rect, page: ZonesPage, *, able: bool) -> None:
    theme = canvas.theme
    high = round(theme.touch * 1.4)
    if theme.portrait:
        upper, middle, lower = layout.rows(box, [1, 1, 1], theme.gap)
        cells = [*layout.columns(upper, [1, 1], theme.gap), *layout.columns(middle, [1, 1], theme.gap)]
        done = lower
    else:
        box, done = layout.bottom(box, high, theme.gap)
        cells = [layout.middle(row, row.w, high) for row in layout.rows(box, [1] * 4, theme.gap)]
    shown = page.zones
    for cell, label, press in (
        (cells[0], strings.ZONES_HANDS, Reply(Zoned("hands", shown))),
        (cells[1], strings.ZONES_EVEN, Even()),
        (cells[2], strings.ZONES_RENUMBER, Renumber()),
        (cells[3], strings.ZONES_LEAVE, Reply(Zoned("leave", page.view.zones))),
    ):
        canvas.button(cell, label, press)
    canvas.button(done, strings.DONE, Reply(Zoned("done", shown)), main=able, able=able, size=theme.title)


def _said(canvas: Canvas, box: Rect, text: str, *, wrong: bool) -> None:
    theme = canvas.theme
    canvas.panel(box, PANEL, edge=FOUL if wrong else None, width=theme.units(0.5))
    inner = layout.inside(box, theme.units(1.6), theme.units(0.8))
    if wrong:
        sign, inner = layout.left(inner, min(inner.h, theme.units(6)), theme.gap)
        canvas.icon(sign, "foul", FOUL)
    canvas.text(inner, text, theme.body, side="left", lines=3, least=theme.units(2.6))


def _place(box: Rect, aspect: float) -> Rect:
    """Where the live picture is: all of it, as large as it goes."""
    wide = min(box.w, round(box.h * aspect))
    return layout.middle(box, wide, round(wide / aspect))


def _picture(canvas: Canvas, place: Rect, shot: Shot | None) -> None:
    if shot is None:
        canvas.panel(place, PANEL, edge=LINE, width=canvas.theme.units(0.3))
    else:
        canvas.picture(place, shot.pixels)


def _zone(canvas: Canvas, grab: Grab, zone: Area, seat: Seat, *, chosen: bool) -> None:
    theme = canvas.theme
    left, top, wide, high = on_screen(zone, grab)
    box = Rect(round(left), round(top), round(left + wide) - round(left), round(top + high) - round(top))
    colour = mark(seat).colour
    canvas.surface.blit(_veil(box.size, colour), box)
    line = theme.units(1.1 if chosen else 0.7)
    pygame.draw.rect(canvas.surface, BACKGROUND, box, line + 2 * theme.units(0.3))
    pygame.draw.rect(canvas.surface, colour, layout.inside(box, theme.units(0.3)), line)
    _plate(canvas, box, seat)
    if chosen:
        for x, y in handles(zone, grab).values():
            knob = Rect(0, 0, grab.handle, grab.handle)
            knob.center = round(x), round(y)
            canvas.icon(knob, "circle", BACKGROUND)
            canvas.icon(layout.inside(knob, theme.units(1)), "circle", colour)


@lru_cache(maxsize=16)
def _veil(size: tuple[int, int], colour: Colour) -> pygame.Surface:
    """What lies on a zone. Don't draw on it: it is kept."""
    veil = pygame.Surface(size, pygame.SRCALPHA, 32)
    veil.fill((*colour, VEIL))
    return veil


def _plate(canvas: Canvas, box: Rect, seat: Seat) -> None:
    """The seat's shape and number at the top of its zone, where they hide no hand."""
    theme = canvas.theme
    high = max(theme.units(5), min(theme.units(8), box.h // 4, box.w // 4))
    plate = Rect(0, box.top + theme.units(1.6), 2 * high, high)
    plate.centerx = box.centerx
    canvas.panel(plate, BACKGROUND)
    shape, number = layout.columns(layout.inside(plate, theme.units(0.8)), [1, 1], 0)
    canvas.seat(shape, seat)
    canvas.text(number, str(seat), round(high * 0.7), TEXT, least=theme.units(2))


def holding_out(canvas: Canvas, view: HoldingOut) -> None:
    """The live picture and what to do, and the seconds that are left, counted."""
    theme = canvas.theme
    body = head(canvas, canvas.page, strings.ZONES)
    line, body = layout.top(body, theme.units(14 if not theme.portrait else 20), theme.gap)
    if view.count is not None:
        number, line = layout.left(line, line.h, theme.gap)
        canvas.text(number, str(view.count), theme.units(13), ACCENT)
    told = view.sentence if view.shot is not None else strings.NO_PICTURE
    canvas.text(line, told, theme.title, TEXT, lines=3, side="left")
    place = _place(body, view.aspect)

    def live(canvas: Canvas, now: HoldingOut) -> None:
        _picture(canvas, place, now.shot)

    canvas.moving(place, ["shot"], live)
