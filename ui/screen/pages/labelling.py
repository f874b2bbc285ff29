"""Marking when a filmed hand showed its throw, as plain data: a stepper through the frames, the marks, and undo."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
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
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.forms import Column, Form, HandFlip, Row, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Drawing, Icon, Space, Text
from ui.screen.drawing.theme import ACCENT, BACKGROUND, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.pages.dispute import signed_ms
from ui.screen.views import CompoundAnswer, ImageView, InteractiveView, Page, Reply
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
    """The answer to a HandToLabel."""

    action: Literal["marked", "unsure", "skip", "previous", "stop"]
    """All but "marked" and "unsure" change nothing."""
    throw: Throw | None = None
    """The throw that is seen; None: none of the three."""
    marks: Mapping[Mark, int] = field(default_factory=dict)
    """A frame's index for each mark that the throw needs."""


@dataclass(frozen=True, eq=False)
class HandToLabel(ImageView, InteractiveView):
    """A filmed hand. Answered with a LabelAnswer."""

    title: str
    seat: Seat
    times_ms: tuple[float, ...]
    """When its frames were exposed, after the cue."""
    image: Callable[[int], Pixels]
    """Returns the image of a frame, by its index."""
    throw: Throw | None
    """What was agreed, or chosen before; None: no throw."""
    first_frame: int = 0
    """The index of the frame that is shown first."""
    marks: Mapping[Mark, int] = field(default_factory=dict)
    """What was marked before: a frame's index for each mark."""
    has_previous: bool = False
    """Whether there is a hand before this one, so that the answer may be "previous"."""

    @override
    def first_page(self) -> "LabelPage":
        return LabelPage(self, self.first_frame, self.throw, self.marks)


@dataclass(frozen=True)
class LabelPage(Page):
    """A frame of the hand, what it throws, and the marks so far."""

    view: HandToLabel
    frame: int
    throw: Throw | None
    marks: Mapping[Mark, int] = field(default_factory=dict)
    earlier: "LabelPage | None" = None
    """The page before the last mark or choice, to undo it; None: there is nothing to undo."""
    playing: bool = False
    """Whether the frames are played."""
    played_from: int = 0
    """The index of the frame at which playing began."""
    played_s: float = 0.0
    """The time since it began."""

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
        """Return the page ``seconds`` later: a clip that is played stops at its last frame."""
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
            marked: at
            for marked, at in self.marks.items()
            if (at <= self.frame if order.index(marked) < order.index(mark) else at >= self.frame)
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


def shown_throw_text(page: LabelPage) -> str:
    """What the hand throws."""
    return t(NO_THROW) if page.throw is None else t(THROW_WORDS[page.throw])


STEP_TEXTS = {-5: "−5", -1: "−1", 1: "+1", 5: "+5"}
MARK_COLOURS = {Mark.ONSET: (92, 178, 255), Mark.SETTLED: ACCENT, Mark.HELD: (88, 214, 164)}


@lays_out(LabelPage, undrawn=("played_s",))
def lay_out_label_page(page: LabelPage) -> Form:
    """Return the frame, large, with the slider through the clip below it; next to them the stepper, the marks and the
    answers."""
    press, label, icon = (page.play(), PLAY, "forward")
    if page.playing:
        press, label, icon = (page.with_frame(page.frame), STOP_PLAYING, "pause")
    back, ahead = ([_step(page, by) for by in STEPS if (by > 0) is forward] for forward in (False, True))
    thrown = Button(shown_throw_text(page), page.with_next_throw(), str(page.throw or "nothing"), size="body", share=3)
    undo = Button(UNDO, page.undo(), size="body", enabled=page.earlier is not None, share=2)
    side = Column(
        Text(frame_text(page), "body", MUTED, length=7),
        Row(*back, Button(label, press, icon, icon_only=True), *ahead, length=TOUCH),
        Row(thrown, undo, length=TOUCH),
        *(_mark_card(page, mark) for mark in page.wanted_marks),
        Space(),
        length=(76, 5 * TOUCH + 6 * GAP + 7),
    )
    finish = page.finish()
    return Form(
        page.view.title,
        HandFlip(
            Column(Drawing(partial(_draw_frame, page=page)), Drawing(partial(_draw_slider, page=page), length=TOUCH)),
            side,
            gap=(2 * GAP, GAP),
        ),
        foot=(
            Button(STOP, Reply(LabelAnswer("stop")), size="body", leads_back=True, share=4),
            Button(PREVIOUS, Reply(LabelAnswer("previous")), size="body", enabled=page.view.has_previous, share=5),
            Button(NOT_SURE, Reply(LabelAnswer("unsure")), size="body", share=4),
            Button(SKIP, Reply(LabelAnswer("skip")), size="body", share=7)
            if finish is None
            else Button(NEXT, finish, size="body", main=True, share=7),
        ),
        foot_length=TOUCH,
    )


def _draw_frame(canvas: Canvas, box: Rect, page: LabelPage) -> None:
    """Draw the frame as large as fits."""
    image = page.view.image(page.frame)
    height, width = image.shape[:2]
    scale = min(box.w / width, box.h / height)
    canvas.panel(box, PANEL)
    canvas.image(layout.centre(box, round(width * scale), round(height * scale)), image, PANEL)


def _mark_card(page: LabelPage, mark: Mark) -> CardPanel:
    """Return the button that marks the frame on the screen, with the mark so far."""
    name, is_next = mark_name(page.throw, mark), page.next_mark is mark
    label = Text(name, "body", lines=2, align="left", share=3)
    value = Text(mark_text(page, mark), "body", MUTED, lines=1, align="right", share=2)
    row = Row(Icon("diamond", MARK_COLOURS[mark], length=4), label, value)
    press = page.with_mark(mark)
    return CardPanel(row, press, name, across=1.6, down=0.3, fill=RAISED, marked=is_next, main=is_next, length=TOUCH)


def _step(page: LabelPage, by: int) -> Drawing:
    """Return the button that steps by a number of frames, which it shows; its label says what that means."""

    def draw(canvas: Canvas, box: Rect) -> None:
        theme, enabled = canvas.theme, page.can_step(by)
        canvas.panel(box, RAISED if enabled else BACKGROUND, edge=LINE, width=max(1, theme.units(0.3)))
        canvas.text(box, STEP_TEXTS[by], theme.body, TEXT if enabled else LINE)
        if enabled:
            canvas.add_target(box, page.with_frame(page.frame + by), STEP_LABELS[by], repeats=True)

    return Drawing(draw)


def _draw_slider(canvas: Canvas, box: Rect, page: LabelPage) -> None:
    """Draw the clip as a bar with the marks and the frame on the screen; a finger slides along it."""
    theme, times = canvas.theme, page.view.times_ms
    bar = layout.centre(box, box.w, theme.units(2))
    canvas.panel(bar, RAISED)
    count = len(times)

    def x(frame: int) -> int:
        return bar.x + round((frame + 0.5) / count * bar.w)

    cue = min(range(count), key=lambda number: abs(times[number]))
    canvas.fill(MUTED, Rect(x(cue), box.y + box.h // 5, max(1, theme.units(0.4)), box.h * 3 // 5))
    for mark in page.wanted_marks:
        if mark in page.marks:
            rect = Rect(0, 0, theme.units(4), theme.units(4))
            rect.center = x(page.marks[mark]), bar.y - theme.units(1)
            canvas.icon(rect, "diamond", MARK_COLOURS[mark])
    cursor = Rect(x(page.frame) - theme.units(0.4), box.y, max(2, theme.units(0.8)), box.h)
    canvas.fill(TEXT, cursor)
    for number in range(count):
        rect = Rect(x(number), bar.y, 1, bar.h)
        canvas.add_target(rect, page.with_frame(number), f"{number + 1}", area=box, repeats=True, slides=True)
