"""A round as a clip: its slow motion with names, then the verdict. Pure: no surface, no clock."""

from dataclasses import dataclass, field, replace
from typing import Self

from typing_extensions import override

from device.camera.frames import Size
from rules.record.judgement import Verdict
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import MUTED
from ui.screen.pages import slow_motion as slow_motion_page
from ui.screen.pages.reveal_picture import PhotoFinish
from ui.screen.pages.slow_motion import TAIL_MS, SlowMotion
from ui.screen.pages.slow_motion_picture import draw_hand

VERDICT_S = 2.5
"""How long the end stays, with the verdict."""
CHANGE_TAIL_MS = 500.0
"""What is shown after the lock if a hand changed then: as long as the judge looks for that."""
CLIP_WIDTH_PX = 720
CLIP_HEIGHT_PX, TALL_CLIP_HEIGHT_PX = 720, 960
"""The height of a clip, and of one with two rows of hands."""
MAX_HANDS_IN_ROW = 4


@dataclass(frozen=True)
class RoundClip(SlowMotion):
    """A round as a clip. Times are in ms after the first hand."""

    title: str = field(default="", kw_only=True)
    """The game, or the round in it."""
    sentence: str = field(default="", kw_only=True)
    """The verdict."""
    is_over: bool = field(default=False, kw_only=True)
    """Whether the slow motion is over and the verdict is shown."""

    @property
    @override
    def end_ms(self) -> float:
        """A hand that changed after the lock is seen to change."""
        changed = any(seat.verdict == Verdict.CHANGED for seat in self.seats)
        last = max(self.stops_ms[-1] + TAIL_MS, self.window_ms + CHANGE_TAIL_MS if changed else 0.0)
        return max(self.start_ms, min(self.frame_times_ms[-1], last))

    @override
    def has_passed(self, ms: float) -> bool:
        """In the end every time has, also where the frames do not reach that far."""
        return self.is_over or super().has_passed(ms)

    @property
    def length_s(self) -> float:
        """The length of the clip."""
        return self.animation_s + VERDICT_S

    @property
    def size(self) -> Size:
        """Its width and height in pixels."""
        rows = -(-len(self.seats) // MAX_HANDS_IN_ROW)
        return CLIP_WIDTH_PX, CLIP_HEIGHT_PX if rows == 1 else TALL_CLIP_HEIGHT_PX

    @override
    def at_time(self, seconds: float) -> Self:
        return replace(super().at_time(seconds), is_over=seconds >= self.animation_s)


MAX_VERDICT_LINES = 4


@paints(RoundClip)
def draw_round_clip(canvas: Canvas, view: RoundClip) -> None:
    """Draw the title, the hands, the timeline, and the verdict once the slow motion is over."""
    theme = canvas.theme
    bar, body = layout.split_top(canvas.page, 2 * line_height(theme.shared), theme.gap)
    title, speed = layout.rows(bar, [1, 1], 0)
    canvas.text(title, view.title, theme.title, role="shared")
    canvas.text(speed, slow_motion_page.title(), theme.body, MUTED)
    verdict_height = canvas.text_height(view.sentence, body.w, "shared", MAX_VERDICT_LINES)
    body, verdict = layout.split_bottom(body, max(verdict_height, 2 * line_height(theme.shared)), theme.gap)
    hands, line = layout.split_bottom(body, theme.units(24), theme.gap)
    count = len(view.seats)
    in_row = count if count <= MAX_HANDS_IN_ROW else -(-count // 2)
    cells = layout.grid(hands, count, in_row, theme.gap)
    for cell, seat, player in zip(cells, view.seats, view.players, strict=True):
        draw_hand(canvas, cell, seat, player)
    finish = PhotoFinish(canvas, line, view.seats, view.window_ms)

    def draw_time(canvas: Canvas, current: RoundClip) -> None:
        finish.draw(canvas, None if current.is_over else current.moment_ms)

    def draw_verdict(canvas: Canvas, current: RoundClip) -> None:
        if current.is_over:
            canvas.text(verdict, current.sentence, theme.title, max_lines=MAX_VERDICT_LINES, role="shared")

    canvas.add_moving_part(layout.inset(line, theme.units(0.5)), ("moment_ms", "is_over"), draw_time)
    canvas.add_moving_part(verdict, ("is_over",), draw_verdict)
    canvas.ignore_fields("shown_s", "seconds_left")
