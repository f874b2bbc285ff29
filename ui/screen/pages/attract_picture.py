"""Painter of the attract page, which explains a round to people who pass by: hands, the count, the timeline with the
lock, the verdict, and the words to touch."""

import math

import pygame
from pygame import Rect

from rules.record.judgement import Verdict
from rules.throws import WINDOW_MS, Throw
from ui.charts.timeline import ReferenceLine, SeatTime, TimeLine, linear_scale
from ui.i18n.language import render, t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.icons import icon
from ui.screen.drawing.text import line_height, text_width
from ui.screen.drawing.theme import (
    ACCENT,
    BACKGROUND,
    FOUL,
    LINE,
    ON_ACCENT,
    ON_FOUL,
    PANEL,
    TEXT,
    Colour,
    seat_mark,
)
from ui.screen.drawing.timeline import TimeLinePainter
from ui.screen.pages.attract import ATTRACT_SCENES, LATE_HAND_MS, SECOND_HAND_MS, AttractMode, AttractScene, scene_at
from ui.screen.views import Reply
from ui.text import labels
from ui.text.verdicts import COUNT_WORDS

DRAWN_SEATS = (1, 2)
DRAWN_THROWS = (Throw.SCISSORS, Throw.PAPER)
LATE_THROWS = (Throw.PAPER, Throw.SCISSORS)
"""The throws when the second seat waits to see the first one's hand."""
TIME_LINE_SHARE = 0.7
"""The share of a scene with a timeline during which time passes on it."""


@paints(AttractMode)
def draw_attract(canvas: Canvas, view: AttractMode) -> None:
    """Draw the current scene; all of the screen is one target."""
    del view
    theme = canvas.theme
    whole = canvas.surface.get_rect()
    page = canvas.page
    if canvas.interactive:
        canvas.add_target(whole, Reply("home"), t("Touch to play"))
        page, foot = layout.split_bottom(page, round(theme.touch_size * 1.3), theme.gap)
        canvas.panel(foot, ACCENT)
        canvas.text(foot, t("Touch to play"), theme.title, ON_ACCENT, role="shared")

    def draw(canvas: Canvas, current: AttractMode) -> None:
        scene, passed = scene_at(current.shown_s)
        _draw_scene(canvas, page, scene, passed)

    canvas.add_moving_part(page, ("shown_s",), draw)


def _draw_scene(canvas: Canvas, page: Rect, scene: AttractScene, passed: float) -> None:
    theme = canvas.theme
    page, dots = layout.split_bottom(page, theme.units(4), theme.gap)
    _draw_scene_dots(canvas, dots, scene)
    page, sentence = layout.split_bottom(page, theme.units(theme.pick(20, 39)), theme.gap)
    canvas.text(sentence, scene.sentence, theme.units(8.4), max_lines=theme.pick(3, 4), role="shared")
    draw_round_scene(canvas, page, scene, passed)


def draw_round_scene(
    canvas: Canvas, page: Rect, scene: AttractScene, passed: float, window_ms: float = WINDOW_MS
) -> None:
    """Draw the picture of a scene of a round, of which the share ``passed`` (0–1) is over, with the lock ``window_ms``
    after the first hand."""
    theme = canvas.theme
    has_line = scene.name in ("lock", "late")
    upper, stage = layout.rows(page, theme.pick([5, 9] if has_line else [1, 3], [1, 4]), theme.gap)
    if scene.name == "count":
        _draw_count(canvas, upper, stage, passed)
    elif scene.name == "show":
        canvas.text(upper, COUNT_WORDS[-1], theme.units(18), ACCENT)
        _draw_hands(canvas, stage, DRAWN_THROWS if passed > 0.2 else (Throw.ROCK, Throw.ROCK), TEXT)
    elif scene.name == "won":
        canvas.icon(layout.centre(upper, upper.h, upper.h), "crown", ACCENT)
        first, second = _draw_hands(canvas, stage, DRAWN_THROWS, TEXT)
        _draw_beats_arrow(canvas, first, second, min(1.0, passed * 3))
    else:
        second_ms = (SECOND_HAND_MS if scene.name == "lock" else LATE_HAND_MS) * window_ms / WINDOW_MS
        reached = min(1.0, passed / TIME_LINE_SHARE) * 1.7 * window_ms
        _draw_time_line(canvas, upper, reached, second_ms, window_ms)
        throws = LATE_THROWS if scene.name == "late" else DRAWN_THROWS
        throws_now = (throws[0] if reached > 0 else Throw.ROCK, throws[1] if reached >= second_ms else Throw.ROCK)
        cells = _draw_hands(canvas, stage, throws_now, TEXT)
        if scene.name == "late" and reached >= second_ms:
            _draw_late_mark(canvas, cells[1])


def _draw_late_mark(canvas: Canvas, cell: Rect) -> None:
    """Mark a hand as late: a sign where there is room, a word, an edge."""
    theme = canvas.theme
    text = labels.VERDICTS[Verdict.LATE]
    label = layout.split_bottom(cell, line_height(theme.shared), 0)[1]
    canvas.panel(label, FOUL)
    inner = layout.inset(label, theme.units(0.6), 0)
    icon_box, word = layout.split_left(inner, theme.units(5), theme.units(0.6))
    if text_width(render(text), theme.shared) <= word.w:
        canvas.icon(icon_box, "foul", ON_FOUL)
        canvas.text(word, text, theme.title, ON_FOUL, align="left", role="shared")
    else:
        canvas.text(label, text, theme.title, ON_FOUL, role="shared")


def _draw_scene_dots(canvas: Canvas, box: Rect, scene: AttractScene) -> None:
    """Draw a dot for each scene, and highlight the current one."""
    side = min(box.h, canvas.theme.units(2.4))
    row = layout.centre(box, (2 * len(ATTRACT_SCENES) - 1) * side, side)
    for number, dot_scene in enumerate(ATTRACT_SCENES):
        canvas.icon(
            Rect(row.x + 2 * number * side, row.y, side, side), "circle", ACCENT if dot_scene is scene else LINE
        )


def _draw_count(canvas: Canvas, upper: Rect, stage: Rect, passed: float) -> None:
    """Draw the words one after the other, with the fists coming down on each."""
    beat = passed * len(COUNT_WORDS)
    number = min(len(COUNT_WORDS) - 1, int(beat))
    last = number == len(COUNT_WORDS) - 1
    canvas.text(upper, COUNT_WORDS[number], canvas.theme.units(18), ACCENT if last else TEXT)
    lift = abs(math.sin(math.pi * (beat - number))) if not last else 0.0
    _draw_hands(canvas, stage, (Throw.ROCK, Throw.ROCK), TEXT, lift)


def _draw_hands(
    canvas: Canvas, stage: Rect, throws: tuple[Throw, Throw], colour: Colour, lift: float = 0.0
) -> tuple[Rect, Rect]:
    """Draw both hands in their zones, lifted by the share ``lift``. Returns the zones."""
    theme = canvas.theme
    cells = layout.columns(stage, [1, 1], theme.gap * theme.pick(6, 3))
    for seat, cell, throw in zip(DRAWN_SEATS, cells, throws, strict=True):
        canvas.framed_panel(cell, PANEL)
        rect = Rect(cell.x + theme.gap, cell.y + theme.gap, theme.units(6), theme.units(6))
        canvas.icon(rect, seat_mark(seat).shape, seat_mark(seat).colour)
        side = min(cell.w, cell.h) * 3 // 4
        hand_rect = layout.centre(cell, side, side).move(0, -round(lift * cell.h * 0.12))
        canvas.icon(hand_rect, throw, colour)
    return cells[0], cells[1]


def _draw_beats_arrow(canvas: Canvas, first: Rect, second: Rect, share: float) -> None:
    """Draw an arrow from the first hand to the second, grown to ``share`` of its size."""
    side = round(canvas.theme.units(15) * share)
    if side < 2:
        return
    rect = Rect(0, 0, side, side)
    rect.center = first.union(second).center
    canvas.icon(rect.inflate(side // 4, side // 4), "circle", BACKGROUND)
    canvas.surface.blit(pygame.transform.smoothscale(icon("beats", canvas.theme.units(15), ACCENT), rect.size), rect)


def _draw_time_line(canvas: Canvas, box: Rect, reached_ms: float, second_ms: float, window_ms: float) -> None:
    """Draw the timeline: the marks of the hands that have shown, and the lock."""
    seats = tuple(SeatTime(seat, at) for seat, at in zip(DRAWN_SEATS, (0.0, second_ms), strict=True))
    lock = ReferenceLine("lock", window_ms, labels.lock_label(window_ms))
    line = TimeLine(linear_scale(0, 1.7 * window_ms, 0.06, 0.94), seats, (lock,))
    painter = TimeLinePainter(canvas, box, line, labels.after_first_hand)
    painter.draw_seats(canvas, reached_ms)
    painter.draw_cursor(canvas, reached_ms)
