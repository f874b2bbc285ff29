"""Painter of a clip: the hands as in slow motion, the time running along, and in the end the verdict."""

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import MUTED
from ui.screen.pages.reveal.paint import PhotoFinish
from ui.screen.pages.round_clip.view import MAX_HANDS_IN_ROW, RoundClip
from ui.screen.pages.slow_motion import strings
from ui.screen.pages.slow_motion.paint import draw_hand

MAX_VERDICT_LINES = 4


@paints(RoundClip)
def draw_round_clip(canvas: Canvas, view: RoundClip) -> None:
    """Draw the title, the hands, the timeline, and the verdict once the slow motion is over."""
    theme = canvas.theme
    bar, body = layout.split_top(canvas.page, 2 * line_height(theme.shared), theme.gap)
    title, speed = layout.rows(bar, [1, 1], 0)
    canvas.text(title, view.title, theme.title, role="shared")
    canvas.text(speed, strings.title(), theme.body, MUTED)
    verdict_height = canvas.text_height(view.sentence, body.w, "shared", MAX_VERDICT_LINES)
    body, verdict = layout.split_bottom(body, max(verdict_height, 2 * line_height(theme.shared)), theme.gap)
    hands, line = layout.split_bottom(body, theme.units(24), theme.gap)
    count = len(view.seats)
    in_row = count if count <= MAX_HANDS_IN_ROW else -(-count // 2)
    for cell, seat in zip(layout.grid(hands, count, in_row, theme.gap), view.seats, strict=True):
        draw_hand(canvas, cell, seat)
    finish = PhotoFinish(canvas, line, view.seats, view.window_ms)

    def draw_time(canvas: Canvas, current: RoundClip) -> None:
        finish.draw(canvas, None if current.is_over else current.moment_ms)

    def draw_verdict(canvas: Canvas, current: RoundClip) -> None:
        if current.is_over:
            canvas.text(verdict, current.sentence, theme.title, max_lines=MAX_VERDICT_LINES, role="shared")

    canvas.add_moving_part(layout.inset(line, theme.units(0.5)), ("moment_ms", "is_over"), draw_time)
    canvas.add_moving_part(verdict, ("is_over",), draw_verdict)
    canvas.ignore_fields("shown_s", "seconds_left")
