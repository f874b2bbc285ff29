"""Painters of the zones over the live image: set up by touch, and detected from hands held out."""

from dataclasses import replace
from functools import lru_cache, partial

import pygame
from pygame import Rect

from messages import N
from rules.engine import Seat
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import AtLeast, Centred, Column, Either, Form, HandFlip, Row, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Drawing, Icon, Text
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, PANEL, TEXT, Colour, seat_mark
from ui.screen.drawing.widgets import draw_header
from ui.screen.pages.zones import (
    LiveImage,
    ZoneArea,
    ZoneDetection,
    ZonesAnswer,
    ZonesPage,
    handle_centres,
    zone_on_screen,
)
from ui.screen.views import ImageGrip, Reply
from ui.text import labels
from ui.text.game_words import seat_label

TITLE = N("Everybody’s zone")
NO_CAMERA_IMAGE = N("No image from the camera")
ZONE_TINT_ALPHA = 44
"""The opacity of a zone's tint, of 255."""


@lays_out(ZonesPage)
def lay_out_zones(page: ZonesPage) -> Form:
    """Return every seat's zone over the image, with its number, colour and shape, and handles at the corners of the one
    touched last; below it the problem or the instruction; at the side the buttons."""
    names, problem = page.view.player_names, page.problem
    missing = NO_CAMERA_IMAGE if page.image is None else ""
    text = labels.capitalised_line(
        problem or missing or page.advice or page.view.message or N("Drag a zone to move it, a corner to resize it")
    )
    message = CardPanel(
        Row(
            Icon("foul", FOUL, length=6) if problem or page.advice else None,
            Text(text, lines=4, align="left", fits=True),
        ),
        across=1.6,
        down=0.8,
        edge=FOUL if problem else None,
        strong=True,
    )
    image = Column(Drawing(partial(_draw_zones, page=page)), AtLeast(message, 11))
    return Form(
        TITLE,
        HandFlip(image, _buttons(page, usable=problem is None), gap=2 * GAP),
        note=f"{page.seat} · {t(names[page.seat - 1])}" if page.seat <= len(names) else seat_label(page.seat),
    )


def _draw_zones(canvas: Canvas, box: Rect, page: ZonesPage) -> None:
    rect = _image_rect(box, page.view.aspect_ratio)
    grip = ImageGrip(rect.x, rect.y, rect.w, rect.h, canvas.theme.touch_size)
    canvas.add_target(rect, page, TITLE, grip=grip)

    def draw_image(canvas: Canvas, current: ZonesPage) -> None:
        _draw_image(canvas, rect, current.image)
        order = [seat for seat in range(1, len(current.zones) + 1) if seat != current.seat]
        for seat in [*order, current.seat]:
            _draw_zone(canvas, grip, current.zones[seat - 1], seat, chosen=seat == current.seat)

    canvas.add_moving_part(rect, ["image"], draw_image)


def _buttons(page: ZonesPage, *, usable: bool) -> Either:
    zones, high = page.zones, 1.4 * TOUCH
    hands, spread, renumber, cancel = (
        Button(label, press, size="body", leads_back=leads_back)
        for label, press, leads_back in (
            (N("Hold out hands"), Reply(ZonesAnswer("hands", zones)), False),
            (N("Spread evenly"), replace(page, zones=page.view.even_zones), False),
            (N("Renumber seats"), page.renumber_seats(), False),
            (N("Cancel"), Reply(ZonesAnswer("leave", page.view.zones)), True),
        )
    )
    done = Button(labels.DONE, Reply(ZonesAnswer("done", zones)), main=usable, enabled=usable, length=high)
    return Either(
        Column(*(Centred(button, high) for button in (hands, spread, renumber, cancel)), done),
        Column(Row(hands, spread, length=high), Row(renumber, cancel, length=high), done),
        length=(44, 3 * high + 2 * GAP),
    )


def _image_rect(box: Rect, aspect: float) -> Rect:
    """Return the place of the live image: all of it, as large as it fits."""
    width = min(box.w, round(box.h * aspect))
    return layout.centre(box, width, round(width / aspect))


def _draw_image(canvas: Canvas, rect: Rect, image: LiveImage | None) -> None:
    if image is None:
        canvas.framed_panel(rect, PANEL)
    else:
        canvas.image(rect, image.pixels)


def _draw_zone(canvas: Canvas, grip: ImageGrip, zone: ZoneArea, seat: Seat, *, chosen: bool) -> None:
    theme = canvas.theme
    left, top, width, height = zone_on_screen(zone, grip)
    box = Rect(round(left), round(top), round(left + width) - round(left), round(top + height) - round(top))
    colour = seat_mark(seat).colour
    canvas.surface.blit(_zone_tint(box.size, colour), box)
    line = theme.units(1.1 if chosen else 0.7)
    pygame.draw.rect(canvas.surface, BACKGROUND, box, line + 2 * theme.units(0.3))
    pygame.draw.rect(canvas.surface, colour, layout.inset(box, theme.units(0.3)), line)
    _draw_plate(canvas, box, seat)
    if chosen:
        for x, y in handle_centres(zone, grip).values():
            knob = Rect(0, 0, grip.handle_side, grip.handle_side)
            knob.center = round(x), round(y)
            canvas.icon(knob, "circle", BACKGROUND)
            canvas.icon(layout.inset(knob, theme.units(1)), "circle", colour)


@lru_cache(maxsize=16)
def _zone_tint(size: tuple[int, int], colour: Colour) -> pygame.Surface:
    """Return the tint over a zone. Don't draw on it: it is cached."""
    veil = pygame.Surface(size, pygame.SRCALPHA, 32)
    veil.fill((*colour, ZONE_TINT_ALPHA))
    return veil


def _draw_plate(canvas: Canvas, box: Rect, seat: Seat) -> None:
    """Draw the seat's shape and number at the top of its zone, where they hide no hand."""
    theme = canvas.theme
    height = max(theme.units(5), min(theme.units(8), box.h // 4, box.w // 4))
    plate = Rect(0, box.top + theme.units(1.6), 2 * height, height)
    plate.centerx = box.centerx
    canvas.panel(plate, BACKGROUND)
    shape, number = layout.columns(layout.inset(plate, theme.units(0.3)), [1, 1], 0)
    canvas.seat_mark(shape, seat)
    canvas.text(number, str(seat), round(height * 0.7), TEXT)


@paints(ZoneDetection)
def draw_zone_detection(canvas: Canvas, view: ZoneDetection) -> None:
    """Draw the live image, the instruction, and the seconds left."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, TITLE)
    text = view.sentence if view.image is not None else NO_CAMERA_IMAGE
    height = canvas.text_height(text, body.w - theme.units(22), "shared")
    line, body = layout.split_top(body, max(theme.units(14), height), theme.gap)
    if view.seconds_left is not None:
        number, line = layout.split_left(line, theme.units(18), theme.gap)
        canvas.text(number, str(view.seconds_left), theme.units(13), ACCENT, role="shared")
    canvas.text(line, text, theme.title, TEXT, max_lines=4, align="left", role="shared")
    rect = _image_rect(body, view.aspect_ratio)

    def draw_image(canvas: Canvas, current: ZoneDetection) -> None:
        _draw_image(canvas, rect, current.image)

    canvas.add_moving_part(rect, ["image"], draw_image)
