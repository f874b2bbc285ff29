"""Painter of the reveal: everybody's throw at once, who beat whom, and the photo finish, in which the time from the
first hand to the lock passes again, slowly."""

import math

import pygame
from pygame import Rect

from rules.engine import Seat
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.icons import icon
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, SEAT_MARKS, TEXT, Theme, seat_mark
from ui.screen.drawing.widgets import draw_dispute_button, draw_foul_count, draw_player_badge, draw_timer
from ui.screen.pages.classroom import paint as classroom_paint
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.reveal import strings
from ui.screen.pages.reveal.view import Reveal, SeatReveal

OPENING_S = 0.35
"""The time in which all the images open, at once."""
PHOTO_FINISH_S = 1.3
"""The time the photo finish takes."""
OUTCOME_ICONS = {"win": "crown", "tie": "level"}


def draw_reveal(canvas: Canvas, view: Reveal) -> None:
    """Draw everybody's throw at once, its meaning, and the photo finish; for a class, without images."""
    if len(view.seats) > len(SEAT_MARKS):
        classroom_paint.draw_reveal(canvas, view)
        return
    theme = canvas.theme
    sentence, page = layout.split_top(canvas.page, theme.units(_sentence_height(theme, len(view.seats))), theme.gap)
    if view.seconds_left is not None:
        sentence = draw_timer(canvas, draw_dispute_button(canvas, sentence), view)
    if view.beaten_pairs:
        if theme.portrait:
            line, page = layout.split_top(page, theme.units(9), theme.gap)
            _draw_beaten_pairs(canvas, line, view)
        else:
            height = min(sentence.h, theme.units(9))
            line, sentence = layout.split_left(
                sentence, _beaten_pairs_width(height, len(view.beaten_pairs)), theme.gap * 2
            )
            _draw_beaten_pairs(canvas, layout.centre(line, line.w, height), view)
    canvas.text(sentence, view.sentence, theme.units(7.6), max_lines=2)
    page, finish = layout.split_bottom(
        page, theme.units(24 if theme.portrait else 21 if len(view.seats) <= 3 else 18), theme.gap
    )
    draw_photo_finish(canvas, finish, view)
    across = _cells_per_row(theme.portrait, len(view.seats))
    cells = layout.grid(page, len(view.seats), across, theme.gap)
    for cell, seat in zip(cells, view.seats, strict=True):
        _draw_seat(canvas, cell, seat)
    if len(cells) == 2:
        _draw_winner_arrow(canvas, cells[0], cells[1], view)


def _sentence_height(theme: Theme, count: int) -> float:
    """Return the height of the sentence's line in units of the theme."""
    return 13 if theme.portrait else 12 if count <= 3 else 10


def _cells_per_row(portrait: bool, count: int) -> int:
    if portrait:
        return 1 if count <= 3 else 2
    return count if count <= 3 else -(-count // 2)


def _opened_share(view: Reveal) -> float:
    """Return the share to which the images are open, from 0 to 1."""
    passed = 1.0 if view.shown_s is None else min(1.0, max(0.0, view.shown_s) / OPENING_S)
    return 1 - (1 - passed) ** 2


def _draw_seat(canvas: Canvas, cell: Rect, seat: SeatReveal) -> None:
    """Draw one seat: name, crop, throw, verdict; side by side where the cell is wide, else the crop above the words."""
    theme = canvas.theme
    won = seat.outcome == "win" and not seat.foul
    edge = FOUL if seat.foul else ACCENT if won else LINE
    canvas.panel(cell, PANEL, edge=edge, width=theme.units(0.9 if seat.foul or won else 0.3))
    small = cell.h < theme.units(40)
    inner = layout.inset(cell, theme.units(1.8), theme.units(1.2 if small else 1.5))
    gap = theme.units(0.5 if small else 0.8)
    name, inner = layout.split_top(inner, theme.units(4.6 if small else 6.5), gap)
    size = theme.small if small else theme.body
    if seat.outcome in OUTCOME_ICONS:
        name, sign = layout.split_right(name, name.h, theme.units(1))
        canvas.icon(sign, OUTCOME_ICONS[seat.outcome], ACCENT if won else MUTED)
    draw_player_badge(canvas, draw_foul_count(canvas, name, seat.player, size), seat.player, size)
    narrow = not small and inner.w < theme.units(60)
    inner, foot = layout.split_bottom(inner, theme.units(5 if small else 14.3 if narrow else 9.5), gap)
    _draw_verdict(canvas, foot, seat, small=small, narrow=narrow)
    colour = TEXT if seat.throw is not None else MUTED
    word = common_strings.throw_text(seat.throw) if seat.throw is not None else strings.NO_THROW
    if inner.w > inner.h * (1.9 if theme.portrait else 2.3) and not small:
        crop, throw_box = layout.split_left(inner, inner.h, theme.gap)
        sign, line = layout.rows(throw_box, [4, 3], theme.units(0.5))
    else:
        inner, line = layout.split_bottom(inner, theme.units(6.8 if small else 12), gap)
        side = min(inner.h, (inner.w - theme.gap) // 2)
        pair = layout.centre(inner, 2 * side + theme.gap * 2, side)
        crop, sign = layout.columns(pair, [1, 1], theme.gap)
    _draw_throw(canvas, layout.centre(crop, min(crop.size), min(crop.size)), sign, seat)
    canvas.text(line, word, theme.title if small else theme.units(13), colour)


def _draw_throw(canvas: Canvas, crop: Rect, sign: Rect, seat: SeatReveal) -> None:
    """Draw a seat's crop and its throw's icon, which open together with everybody's."""
    icon_name, colour = (str(seat.throw), TEXT) if seat.throw is not None else ("nothing", MUTED)

    def draw(canvas: Canvas, current: Reveal) -> None:
        share = _opened_share(current)
        canvas.image(layout.centre(crop, round(crop.w * share), crop.h), seat.crop, PANEL)
        side = round(min(sign.size) * share)
        if side:
            canvas.icon(layout.centre(sign, side, side), icon_name, colour)

    canvas.add_moving_part(crop.union(sign), ("shown_s",), draw)


def _draw_verdict(canvas: Canvas, box: Rect, seat: SeatReveal, *, small: bool, narrow: bool) -> None:
    """Draw the verdict and the time after the first hand: next to it, or below it in a ``narrow`` cell. A ``small``
    cell is read from close by."""
    theme = canvas.theme
    sign = "foul" if seat.foul else "good" if seat.verdict == "on time" else "doubt"
    colour = FOUL if seat.foul else TEXT if seat.verdict == "on time" else MUTED
    size = theme.body if small else theme.units(8)
    time_text = common_strings.after_first_hand(seat.after_first_ms)
    if narrow:
        box, time_box = layout.split_bottom(box, theme.units(4.2), 0)
        canvas.text(time_box, time_text, theme.small, MUTED, align="right")
    shape, line = layout.split_left(box, min(box.h, theme.units(7.5)), theme.units(1.2))
    canvas.icon(layout.inset(shape, theme.units(0.3)), sign, colour)
    if time_text and not narrow:
        small_size = (
            theme.body if box.w > theme.units(60) else theme.small if box.w > theme.units(42) else theme.smallest
        )
        line, time_box = layout.split_right(
            line, canvas.text_width(time_text, small_size, line.w // 2, line.h), theme.units(1.2)
        )
        canvas.text(time_box, time_text, small_size, MUTED, align="right")
    canvas.text(line, common_strings.verdict_text(seat.verdict), size, colour, align="left")


def _beaten_pairs_width(height: int, pairs: int) -> int:
    return round(height * (2.9 * pairs + 0.5 * (pairs - 1)))


def _draw_beaten_pairs(canvas: Canvas, box: Rect, view: Reveal) -> None:
    """Draw which throw beat which: the winner, an arrow, the loser."""
    height = min(box.h, round(box.w / (3.4 * len(view.beaten_pairs))))
    line = layout.centre(box, _beaten_pairs_width(height, len(view.beaten_pairs)), height)
    for winner, loser in view.beaten_pairs:
        winner_box, line = layout.split_left(line, height, round(height * 0.1))
        arrow, line = layout.split_left(line, round(height * 0.7), round(height * 0.1))
        loser_box, line = layout.split_left(line, height, round(height * 0.5))
        canvas.icon(winner_box, winner)
        canvas.icon(arrow, "beats", ACCENT)
        canvas.icon(loser_box, loser, MUTED)


def _draw_winner_arrow(canvas: Canvas, first: Rect, second: Rect, view: Reveal) -> None:
    """Draw an arrow between two players from the winner to the loser, or the sign of a tie."""
    ends = [seat.outcome for seat in view.seats]
    if None in ends:
        return
    side = canvas.theme.units(9)
    place = Rect(0, 0, side, side)
    place.center = first.union(second).center
    canvas.icon(place.inflate(side // 4, side // 4), "circle", BACKGROUND)
    if ends == ["tie", "tie"]:
        canvas.icon(place, "level", MUTED)
        return
    angle = (0 if ends[0] == "win" else 180) - (90 if first.x == second.x else 0)
    canvas.surface.blit(pygame.transform.rotate(icon("beats", side, ACCENT), angle), place)


def draw_photo_finish(canvas: Canvas, box: Rect, view: Reveal) -> None:
    """Draw a timeline from the first hand to the lock and a little beyond, with each seat's mark where its hand showed,
    and its time in ms. At first, time passes on it and every mark appears in its turn."""
    canvas.panel(box, PANEL)
    line = _TimeLine(canvas, box, view)
    line.draw_still(canvas)
    canvas.add_moving_part(layout.inset(box, canvas.theme.units(0.5)), ("shown_s",), line.draw)


class _TimeLine:
    """The timeline of a photo finish in a box."""

    def __init__(self, canvas: Canvas, box: Rect, view: Reveal) -> None:
        theme = canvas.theme
        self._marks = sorted((s.after_first_ms, s.player.seat) for s in view.seats if s.after_first_ms is not None)
        self._window_ms = max(1.0, view.window_ms)
        self._lock_label = common_strings.lock_label(view.window_ms)
        times = [at for at, _ in self._marks]
        self._start_ms = max(-self._window_ms, min([0.0, *times]))
        self._end_ms = min(2.5 * self._window_ms, max([1.3 * self._window_ms, *(1.08 * at for at in times)]))
        inner = layout.inset(box, theme.units(2.5), theme.units(0.8))
        self._above, self._lane, self._below = layout.rows(inner, [5, 5, 6], theme.units(0.9))
        self._mark_side = min(self._lane.h, theme.units(6 if not theme.portrait else 8))
        self._scale = layout.inset(self._lane, self._mark_side + theme.units(3), 0)
        self._text_size = theme.units(6.6)
        self._labels = self._place_labels(canvas)

    def _x(self, at: float) -> int:
        share = (min(self._end_ms, max(self._start_ms, at)) - self._start_ms) / (self._end_ms - self._start_ms)
        return self._scale.x + round(share * self._scale.w)

    def draw_still(self, canvas: Canvas) -> None:
        """Draw the line itself, the first hand's place on it and the lock."""
        thick = max(2, canvas.theme.units(0.4))
        side, run = self._mark_side, self._scale
        canvas.surface.fill(LINE, Rect(run.x - side // 2, self._lane.bottom, run.w + side, thick))
        lock = self._x(self._window_ms)
        canvas.surface.fill(
            ACCENT, Rect(lock - thick, self._above.y, 2 * thick, self._lane.bottom - self._above.y + thick)
        )
        label_width = canvas.text_width(self._lock_label, self._text_size, self._below.w // 3, self._below.h)
        canvas.text(
            _centred_at(self._below, lock, label_width),
            self._lock_label,
            self._text_size,
            ACCENT,
            vertical_align="right",
        )

    def draw(self, canvas: Canvas, view: Reveal) -> None:
        """Draw the marks whose time has come, and a cursor while time passes."""
        passed = 1.0 if view.shown_s is None else min(1.0, max(0.0, view.shown_s - OPENING_S) / PHOTO_FINISH_S)
        reached = self._start_ms + passed * (self._end_ms - self._start_ms)
        rim = canvas.theme.units(0.6)
        for at, seat in reversed(self._marks):
            if passed == 1.0 or at <= reached:
                place = Rect(
                    self._x(at) - self._mark_side // 2,
                    self._lane.bottom - self._mark_side,
                    self._mark_side,
                    self._mark_side,
                )
                canvas.icon(place.inflate(2 * rim, 2 * rim), seat_mark(seat).shape, PANEL)
                canvas.icon(place, seat_mark(seat).shape, seat_mark(seat).colour)
                if seat in self._labels:
                    canvas.text(
                        self._labels[seat],
                        common_strings.after_first_hand(at),
                        self._text_size,
                        MUTED if at == 0 else TEXT,
                    )
        if passed < 1.0:
            canvas.surface.fill(TEXT, Rect(self._x(reached), self._above.y, 2, self._lane.bottom - self._above.y))

    def _place_labels(self, canvas: Canvas) -> dict[Seat, Rect]:
        """Return the places of the labels: above their marks, or below where there is no room; a label that fits
        nowhere is left out, since the time is next to the verdict as well."""
        lock, size = self._x(self._window_ms), self._text_size
        lock_width = canvas.text_width(self._lock_label, size, self._below.w // 3, self._below.h)
        occupied = {
            0: [Rect(lock - 4, self._above.y, 8, self._above.h)],
            1: [_centred_at(self._below, lock, lock_width)],
        }
        places: dict[Seat, Rect] = {}
        for at, seat in self._marks:
            label_width = canvas.text_width(
                common_strings.after_first_hand(at), size, self._above.w // 3, self._above.h
            )
            for row, band in enumerate((self._above, self._below)):
                place = _centred_at(band, self._x(at), label_width + size)
                if place.collidelist(occupied[row]) < 0:
                    occupied[row].append(place)
                    places[seat] = place
                    break
        return places


def _centred_at(box: Rect, centre: int, width: int) -> Rect:
    return Rect(0, box.y, width, box.h).move(max(box.x, min(box.right - width, centre - math.floor(width / 2))), 0)
