"""Marking when a filmed hand showed its throw, as plain data: a stepper through the frames, the marks, and undo."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, Self

from pygame import Rect
from typing_extensions import override

from device.camera.frames import Pixels
from messages import N
from rules.engine import Seat
from rules.text import THROW_WORDS
from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, BACKGROUND, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import draw_header, hand_row, split_hand_side
from ui.screen.pages.dispute import signed_ms
from ui.screen.views import CompoundAnswer, ImageView, InteractiveView, Page, Press, Reply
from ui.text.verdicts import COUNT_WORDS

PLAYING_SPEED = 0.25
"""The speed at which a clip is played, of the real one: slow enough to see a hand open."""
STEPS = (-5, -1, 1, 5)
"""By how many frames the buttons step."""


class Mark(StrEnum):
    """What people mark: the first frame in which the shape begins to form, the first in which it is complete, and the
    last in which it is held. A rock is marked only from when the fist has come to rest."""

    ONSET = "onset"
    SETTLED = "settled"
    HELD = "held"


@dataclass(frozen=True)
class LabelAnswer(CompoundAnswer):
    """The answer to a HandToLabel: "marked" with the throw that is seen (None: none of the three) and its marks,
    "unsure", or "skip", "previous" or "stop" with nothing changed."""

    action: Literal["marked", "unsure", "skip", "previous", "stop"]
    throw: Throw | None = None
    marks: Mapping[Mark, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class HandToLabel(ImageView, InteractiveView):
    """A filmed hand. ``times_ms`` are the exposures of its frames in ms after the cue; ``image(frame)`` returns one.
    ``throw`` and ``marks`` are what was agreed, or marked before; ``first_frame`` is shown first. Answered with a
    LabelAnswer: "previous" only with ``has_previous``."""

    title: str
    seat: Seat
    times_ms: tuple[float, ...]
    image: Callable[[int], Pixels]
    throw: Throw | None
    first_frame: int = 0
    marks: Mapping[Mark, int] = field(default_factory=dict)
    has_previous: bool = False

    @override
    def first_page(self) -> "LabelPage":
        return LabelPage(self, self.first_frame, self.throw, self.marks)


@dataclass(frozen=True)
class LabelPage(Page):
    """A frame of the hand, what it throws, and the marks so far. ``earlier`` is the page before the last mark or
    choice, to undo it. While it is ``playing``, ``played_s`` has passed since it began at ``played_from``."""

    view: HandToLabel
    frame: int
    throw: Throw | None
    marks: Mapping[Mark, int] = field(default_factory=dict)
    earlier: "LabelPage | None" = None
    playing: bool = False
    played_from: int = 0
    played_s: float = 0.0

    @property
    @override
    def animation_s(self) -> float:
        return math.inf if self.playing else 0.0

    @property
    def wanted_marks(self) -> tuple[Mark, ...]:
        """The marks that the throw needs, in the order of time."""
        if self.throw is None:
            return ()
        return (Mark.SETTLED, Mark.HELD) if self.throw is Throw.ROCK else tuple(Mark)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to mark."""
        return all(mark in self.marks for mark in self.wanted_marks)

    @property
    def next_mark(self) -> Mark | None:
        """The first mark that is missing."""
        return next((mark for mark in self.wanted_marks if mark not in self.marks), None)

    def can_step(self, by: int) -> bool:
        """Return whether there is any frame to step to."""
        return 0 <= self.frame + (1 if by > 0 else -1) < len(self.view.times_ms)

    def with_frame(self, frame: int) -> Self:
        """Return the page at another frame, or the nearest there is; it stops playing."""
        return replace(self, frame=max(0, min(frame, len(self.view.times_ms) - 1)), playing=False)

    def play(self) -> Self:
        """Return the page playing on from its frame; at the end, from the beginning."""
        start = 0 if self.frame >= len(self.view.times_ms) - 1 else self.frame
        return replace(self, frame=start, playing=True, played_from=start, played_s=0.0)

    @override
    def pass_time(self, seconds: float, quiet_s: float) -> Self:
        """A clip that plays goes on, and stops at its last frame."""
        if not self.playing:
            return self
        times, played_s = self.view.times_ms, self.played_s + seconds
        now_ms = times[self.played_from] + played_s * 1000 * PLAYING_SPEED
        frame = max(number for number, at in enumerate(times) if at <= now_ms or number == self.played_from)
        return replace(self, frame=frame, played_s=played_s, playing=frame < len(times) - 1)

    def with_mark(self, mark: Mark) -> Self:
        """Return the page with a mark at its frame. Marks that would be out of order with it are removed."""
        order = list(Mark)
        kept = {
            other: at
            for other, at in self.marks.items()
            if (at <= self.frame if order.index(other) < order.index(mark) else at >= self.frame)
        }
        return replace(self, marks={**kept, mark: self.frame}, earlier=self._as_earlier(), playing=False)

    def with_next_throw(self) -> Self:
        """Return the page with another throw seen: each of the three in turn, then none of them."""
        seen = (*Throw, None)
        throw = seen[(seen.index(self.throw) + 1) % len(seen)]
        return replace(self, throw=throw, earlier=self._as_earlier(), playing=False)

    def undo(self) -> "LabelPage":
        """Return the page without the last mark or choice, at the same frame."""
        return self if self.earlier is None else replace(self.earlier, frame=self.frame)

    def finish(self) -> Reply | None:
        """Return the reply with the marks; None while some are missing."""
        if not self.is_complete:
            return None
        return Reply(LabelAnswer("marked", self.throw, {mark: self.marks[mark] for mark in self.wanted_marks}))

    def _as_earlier(self) -> "LabelPage":
        return replace(self, playing=False)


MARK_NAMES = {
    Mark.ONSET: N("Begins to form"),
    Mark.SETTLED: N("Complete"),
    Mark.HELD: N("Held until"),
}
AT_REST = N("Fist at rest")
STEP_LABELS = {
    -5: N("Five frames back"),
    -1: N("One frame back"),
    1: N("One frame on"),
    5: N("Five frames on"),
}
PLAY, STOP_PLAYING = N("Play slowly"), N("Stop playing")
UNDO = N("Undo")
NOT_SURE = N("Not sure")
SKIP, NEXT = N("Skip"), N("Next hand")
PREVIOUS, STOP = N("Previous"), N("Stop for now")
NO_THROW = N("no throw")


def mark_name(throw: Throw | None, mark: Mark) -> str:
    """What a mark means for a throw."""
    return AT_REST if throw is Throw.ROCK and mark is Mark.SETTLED else MARK_NAMES[mark]


def frame_text(page: LabelPage) -> str:
    """The number of the frame, and its time from the call."""
    at = signed_ms(page.view.times_ms[page.frame])
    total, call = len(page.view.times_ms), t(COUNT_WORDS[-1])
    return t("Frame {number} of {total} · {call} {ms} ms", number=page.frame + 1, total=total, call=call, ms=at)


def mark_text(page: LabelPage, mark: Mark) -> str:
    """Where a mark is."""
    at = page.marks.get(mark)
    return "–" if at is None else t("frame {number}", number=at + 1)


def throw_text(page: LabelPage) -> str:
    """What the hand throws."""
    return t(NO_THROW) if page.throw is None else t(THROW_WORDS[page.throw])


STEP_ICONS = {-5: "−5", -1: "−1", 1: "+1", 5: "+5"}
MARK_COLOURS = {Mark.ONSET: (92, 178, 255), Mark.SETTLED: ACCENT, Mark.HELD: (88, 214, 164)}


@paints(LabelPage)
def draw_label_page(canvas: Canvas, page: LabelPage) -> None:
    """Draw the frame large, the slider through the clip below it; next to them the stepper, the marks and the
    answers."""
    theme = canvas.theme
    canvas.ignore_fields("played_s")
    body = draw_header(canvas, canvas.page, page.view.title)
    body, foot = layout.split_bottom(body, theme.touch_size, theme.gap)
    _draw_answers(canvas, foot, page)
    if theme.portrait:
        steps = 5 * theme.touch_size + 5 * theme.gap + theme.units(7)
        picture, side = layout.split_bottom(body, steps, theme.gap)
    else:
        picture, side = split_hand_side(canvas, body, theme.units(76), theme.gap * 2)
    picture, slider = layout.split_bottom(picture, theme.touch_size, theme.gap)
    canvas.panel(picture, PANEL)
    image = page.view.image(page.frame)
    height, width = image.shape[:2]
    scale = min(picture.w / width, picture.h / height)
    canvas.image(layout.centre(picture, round(width * scale), round(height * scale)), image, PANEL)
    _draw_slider(canvas, slider, page)
    time, side = layout.split_top(side, theme.units(7), theme.gap)
    canvas.text(time, frame_text(page), theme.body, MUTED)
    stepper, side = layout.split_top(side, theme.touch_size, theme.gap)
    _draw_stepper(canvas, stepper, page)
    wanted = page.wanted_marks
    height = min(round(theme.touch_size * 1.1), (side.h - 3 * theme.gap) // 4)
    rows = [layout.split_top(side, height, theme.gap)[0].move(0, number * (height + theme.gap)) for number in range(4)]
    thrown, undo = layout.columns(rows[0], [3, 2], theme.gap)
    canvas.button(thrown, throw_text(page), page.with_next_throw(), icon=str(page.throw or "nothing"))
    earlier = page.earlier is not None
    canvas.button(undo, UNDO, page.undo(), enabled=earlier, leads_back=False)
    for row, mark in zip(rows[1:], wanted, strict=False):
        _draw_mark(canvas, row, page, mark)


def _draw_mark(canvas: Canvas, row: Rect, page: LabelPage, mark: Mark) -> None:
    """Draw the button that marks the frame on the screen, with the mark so far."""
    theme, is_next = canvas.theme, page.next_mark is mark
    canvas.framed_panel(row, RAISED, marked=is_next)
    name = mark_name(page.throw, mark)
    canvas.add_target(row, page.with_mark(mark), name, main=is_next)
    inner = layout.inset(row, theme.units(1.6), theme.units(0.3))
    icon_box, inner = layout.split_left(inner, theme.units(4), theme.gap)
    canvas.icon(icon_box, "diamond", MARK_COLOURS[mark])
    label, value = layout.columns(inner, [3, 2], theme.gap)
    canvas.text(label, name, theme.body, align="left", max_lines=2)
    canvas.text(value, mark_text(page, mark), theme.body, MUTED, align="right")


def _draw_stepper(canvas: Canvas, box: Rect, page: LabelPage) -> None:
    """Draw the buttons that step through the frames, and the one that plays."""
    cells = layout.columns(box, [1] * (len(STEPS) + 1), canvas.theme.gap)
    middle = len(STEPS) // 2
    for cell, by in zip((*cells[:middle], *cells[middle + 1 :]), STEPS, strict=True):
        step, enabled = page.with_frame(page.frame + by), page.can_step(by)
        _draw_step(canvas, cell, STEP_ICONS[by], STEP_LABELS[by], step, enabled=enabled)
    press = page.with_frame(page.frame) if page.playing else page.play()
    label = STOP_PLAYING if page.playing else PLAY
    canvas.button(cells[middle], label, press, icon="pause" if page.playing else "forward", icon_only=True)


def _draw_step(canvas: Canvas, box: Rect, sign: str, label: str, press: Press, *, enabled: bool) -> None:
    """Draw a button that shows a number of frames; its label says what that means."""
    theme = canvas.theme
    canvas.panel(box, RAISED if enabled else BACKGROUND, edge=LINE, width=max(1, theme.units(0.3)))
    canvas.text(box, sign, theme.body, TEXT if enabled else LINE)
    if enabled:
        canvas.add_target(box, press, label, repeats=True)


def _draw_slider(canvas: Canvas, box: Rect, page: LabelPage) -> None:
    """Draw the clip as a bar with the marks and the frame on the screen; a finger slides along it."""
    theme, times = canvas.theme, page.view.times_ms
    bar = layout.centre(box, box.w, theme.units(2))
    canvas.panel(bar, RAISED)
    count = len(times)

    def x(frame: int) -> int:
        return bar.x + round((frame + 0.5) / count * bar.w)

    cue = min(range(count), key=lambda number: abs(times[number]))
    canvas.surface.fill(MUTED, Rect(x(cue), box.y + box.h // 5, max(1, theme.units(0.4)), box.h * 3 // 5))
    for mark in page.wanted_marks:
        if mark in page.marks:
            rect = Rect(0, 0, theme.units(4), theme.units(4))
            rect.center = x(page.marks[mark]), bar.y - theme.units(1)
            canvas.icon(rect, "diamond", MARK_COLOURS[mark])
    cursor = Rect(x(page.frame) - theme.units(0.4), box.y, max(2, theme.units(0.8)), box.h)
    canvas.surface.fill(TEXT, cursor)
    for number in range(count):
        rect = Rect(x(number), bar.y, 1, bar.h)
        canvas.add_target(rect, page.with_frame(number), f"{number + 1}", area=box, repeats=True, slides=True)


def _draw_answers(canvas: Canvas, foot: Rect, page: LabelPage) -> None:
    """Draw the buttons that leave the hand: for now, for the one before, without a mark, or with all of them."""
    stop, previous, unsure, on = hand_row(canvas, foot, [4, 5, 4, 7], canvas.theme.gap)
    canvas.button(stop, STOP, Reply(LabelAnswer("stop")), leads_back=True)
    canvas.button(previous, PREVIOUS, Reply(LabelAnswer("previous")), enabled=page.view.has_previous)
    canvas.button(unsure, NOT_SURE, Reply(LabelAnswer("unsure")))
    finish = page.finish()
    if finish is None:
        canvas.button(on, SKIP, Reply(LabelAnswer("skip")))
    else:
        canvas.button(on, NEXT, finish, main=True)
