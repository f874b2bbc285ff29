"""Painter of marking when a filmed hand showed its throw."""

from pygame import Rect

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, BACKGROUND, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import draw_header, hand_row, split_hand_side
from ui.screen.pages.answers import Reply
from ui.screen.pages.labelling import strings
from ui.screen.pages.labelling.view import STEPS, LabelAnswer, LabelPage, Mark
from ui.screen.pages.views import Press

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
    canvas.text(time, strings.frame_text(page), theme.body, MUTED)
    stepper, side = layout.split_top(side, theme.touch_size, theme.gap)
    _draw_stepper(canvas, stepper, page)
    wanted = page.wanted_marks
    height = min(round(theme.touch_size * 1.1), (side.h - 3 * theme.gap) // 4)
    rows = [layout.split_top(side, height, theme.gap)[0].move(0, number * (height + theme.gap)) for number in range(4)]
    thrown, undo = layout.columns(rows[0], [3, 2], theme.gap)
    canvas.button(thrown, strings.throw_text(page), page.with_next_throw(), icon=str(page.throw or "nothing"))
    earlier = page.earlier is not None
    canvas.button(undo, strings.UNDO, page.undo(), enabled=earlier, leads_back=False)
    for row, mark in zip(rows[1:], wanted, strict=False):
        _draw_mark(canvas, row, page, mark)


def _draw_mark(canvas: Canvas, row: Rect, page: LabelPage, mark: Mark) -> None:
    """Draw the button that marks the frame on the screen, with the mark so far."""
    theme, is_next = canvas.theme, page.next_mark is mark
    canvas.framed_panel(row, RAISED, marked=is_next)
    name = strings.mark_name(page.throw, mark)
    canvas.add_target(row, page.with_mark(mark), name, main=is_next)
    inner = layout.inset(row, theme.units(1.6), theme.units(0.3))
    sign, inner = layout.split_left(inner, theme.units(4), theme.gap)
    canvas.icon(sign, "diamond", MARK_COLOURS[mark])
    label, value = layout.columns(inner, [3, 2], theme.gap)
    canvas.text(label, name, theme.body, align="left", max_lines=2)
    canvas.text(value, strings.mark_text(page, mark), theme.body, MUTED, align="right")


def _draw_stepper(canvas: Canvas, box: Rect, page: LabelPage) -> None:
    """Draw the buttons that step through the frames, and the one that plays."""
    cells = layout.columns(box, [1] * (len(STEPS) + 1), canvas.theme.gap)
    middle = len(STEPS) // 2
    for cell, by in zip((*cells[:middle], *cells[middle + 1 :]), STEPS, strict=True):
        step, enabled = page.with_frame(page.frame + by), page.can_step(by)
        _draw_step(canvas, cell, STEP_ICONS[by], strings.STEP_LABELS[by], step, enabled=enabled)
    press = page.with_frame(page.frame) if page.playing else page.play()
    label = strings.STOP_PLAYING if page.playing else strings.PLAY
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
            spot = Rect(0, 0, theme.units(4), theme.units(4))
            spot.center = x(page.marks[mark]), bar.y - theme.units(1)
            canvas.icon(spot, "diamond", MARK_COLOURS[mark])
    cursor = Rect(x(page.frame) - theme.units(0.4), box.y, max(2, theme.units(0.8)), box.h)
    canvas.surface.fill(TEXT, cursor)
    for number in range(count):
        spot = Rect(x(number), bar.y, 1, bar.h)
        canvas.add_target(spot, page.with_frame(number), f"{number + 1}", area=box, repeats=True, slides=True)


def _draw_answers(canvas: Canvas, foot: Rect, page: LabelPage) -> None:
    """Draw the buttons that leave the hand: for now, for the one before, without a mark, or with all of them."""
    stop, previous, unsure, on = hand_row(canvas, foot, [4, 5, 4, 7], canvas.theme.gap)
    canvas.button(stop, strings.STOP, Reply(LabelAnswer("stop")), leads_back=True)
    canvas.button(previous, strings.PREVIOUS, Reply(LabelAnswer("previous")), enabled=page.view.has_previous)
    canvas.button(unsure, strings.NOT_SURE, Reply(LabelAnswer("unsure")))
    finish = page.finish()
    if finish is None:
        canvas.button(on, strings.SKIP, Reply(LabelAnswer("skip")))
    else:
        canvas.button(on, strings.NEXT, finish, main=True)
