"""Painter of a round in slow motion: every hand as large as there is room, its throw and verdict once it has shown,
and the time running along."""

from collections.abc import Callable
from typing import Any

from pygame import Rect

from rules.record.round import SeatView
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Alignment, Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import FOUL, MUTED, PANEL, TEXT, Colour
from ui.screen.drawing.widgets import draw_match_title, draw_pause_button, split_hand_side
from ui.screen.pages import slow_motion as slow_motion_page
from ui.screen.pages.common import GO_ON_ANSWER, TAKE_HOME_ANSWER, Player
from ui.screen.pages.match_widgets import cells_across, draw_player_badge
from ui.screen.pages.reveal_picture import PhotoFinish
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.views import Reply
from ui.text import labels

RESULT_WIDTH, SMALL_RESULT_WIDTH = 44, 12
"""The width in units of a throw and its time next to the hand, and in a small cell, which has only icons."""


@paints(SlowMotion)
def draw_slow_motion(canvas: Canvas, view: SlowMotion) -> None:
    """Draw the hands of a round in slow motion."""
    theme = canvas.theme
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    bar, skip = split_hand_side(canvas, bar, theme.units(36), theme.gap)
    if view.can_take_home:
        if theme.portrait:
            take_home, body = layout.split_top(body, theme.touch_size, theme.gap)
        else:
            bar, take_home = split_hand_side(canvas, bar, theme.units(42), theme.gap)
        canvas.button(take_home, labels.TAKE_HOME, Reply(TAKE_HOME_ANSWER), icon="phone")
    draw_match_title(canvas, draw_pause_button(canvas, bar), slow_motion_page.title())
    hands, line = layout.split_bottom(body, theme.units(theme.pick(17, 24)), theme.gap)
    canvas.button(skip, slow_motion_page.SKIP, Reply(GO_ON_ANSWER), main=True, area=canvas.page)
    cells = layout.grid(hands, len(view.seats), cells_across(canvas, len(view.seats), 3), theme.gap)
    for cell, seat, player in zip(cells, view.seats, view.players, strict=True):
        draw_hand(canvas, cell, seat, player)
    finish = PhotoFinish(canvas, line, view.seats, view.window_ms)

    def draw_time(canvas: Canvas, current: SlowMotion) -> None:
        finish.draw(canvas, current.moment_ms)

    canvas.add_moving_part(layout.inset(line, theme.units(0.5)), ("moment_ms",), draw_time)
    canvas.ignore_fields("shown_s", "seconds_left")


def draw_hand(
    canvas: Canvas, cell: Rect, seat: SeatView, player: Player, motion: Callable[[Any], SlowMotion] = lambda page: page
) -> None:
    """Draw a player's name and hand, and next to it or above it, where that leaves the hand larger, its throw and when
    it showed, once it has; after the lock, a foul instead. A small cell has no words: the timeline has the times.
    ``motion`` returns the slow motion that a page is, or has."""
    theme = canvas.theme
    canvas.framed_panel(cell, PANEL)
    inner = layout.inset(cell, theme.units(1.2), theme.units(1))
    small = cell.w < theme.units(50)
    line, gap = line_height(theme.small if small else theme.shared), theme.units(1)
    width = theme.units(SMALL_RESULT_WIDTH if small else RESULT_WIDTH)
    name, inner = layout.split_top(inner, line, theme.units(0.6))
    draw_player_badge(canvas, name, player, min(theme.title, name.h))
    is_beside = min(inner.h, inner.w - width - gap) >= min(inner.h - line - gap, inner.w)
    if is_beside:
        hand, result = layout.split_right(inner, width, gap)
        icon_box, time = layout.split_bottom(layout.centre(result, result.w, min(result.h, 3 * line)), line, gap)
    else:
        result, hand = layout.split_top(inner, line, gap)
        icon_box, time = layout.split_left(result, line, gap)
    side = min(hand.size)
    rect = layout.centre(hand, side, side)

    def draw(canvas: Canvas, page: object) -> None:
        current = motion(page)
        canvas.image(rect, current.hand_image(seat.seat, current.frame), PANEL)
        if not current.has_shown(seat):
            return
        foul, throw = seat.is_foul and current.has_passed(current.window_ms), seat.last_throw
        _draw_icon(canvas, icon_box, str(throw) if throw else "nothing", TEXT if throw else MUTED)
        if small and foul:
            _draw_icon(canvas, time, "foul", FOUL)
        elif not small:
            text = labels.shown_time(seat.timed_ms, seat.early_ms, short=True)
            word = labels.seat_verdict(seat) if foul else text
            align: Alignment = "centre" if is_beside else "left"
            canvas.text(time, word, theme.shared, FOUL if foul else TEXT, align=align, role="shared")

    canvas.add_moving_part(inner, ("frame", "moment_ms", "is_over"), draw)


def _draw_icon(canvas: Canvas, box: Rect, name: str, colour: Colour) -> None:
    side = min(box.size)
    canvas.icon(layout.centre(box, side, side), name, colour)
