"""Painters of a dispute: everybody's hand around the lock with a timeline to slide along, one hand with its possible
readings, and the correction to agree on."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pygame import Rect

from ui.screen.core.page_stack import Press
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, TEXT, Colour, seat_mark
from ui.screen.drawing.widgets import draw_header, draw_player_badge, hand_row, split_hand_side
from ui.screen.pages.answers import Reply
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.dispute import strings
from ui.screen.pages.dispute.view import (
    AgreedCorrection,
    AgreePage,
    DisputedRound,
    DisputedSeat,
    DisputePage,
    HandPage,
    LookAtHand,
    ProposeCorrection,
    SeekFrame,
)

STRIP_OFFSETS_MS = (-66.0, -33.0, 0.0, 33.0, 66.0)
"""The images of a strip, in ms from the selected frame."""
TICK_INTERVALS_MS = (10, 20, 50, 100, 200, 500, 1000)
"""The possible intervals between two ticks of the timeline: the first that leaves room for its numbers is used."""


def draw_dispute(canvas: Canvas, page: DisputePage) -> None:
    """Draw everybody's hand at one time, in strips if there is room for them, the timeline and the buttons."""
    theme, view = canvas.theme, page.view
    body = draw_header(canvas, canvas.page, view.title)
    line, body = layout.split_top(body, theme.units(9 if theme.portrait else 5), theme.gap)
    canvas.text(line, view.sentence, theme.body, max_lines=2 if theme.portrait else 1, align="left")
    body, foot = layout.split_bottom(body, _row_height(canvas), theme.gap)
    if theme.portrait:
        body, steps = layout.split_bottom(body, _row_height(canvas), theme.gap)
    else:
        steps, foot = split_hand_side(canvas, foot, round(foot.w * 0.53) - theme.gap * 2, theme.gap * 2)
    _draw_choices(canvas, foot, view)
    draw_evidence(canvas, body, steps, page)


def draw_evidence(canvas: Canvas, body: Rect, steps: Rect, page: DisputePage) -> None:
    """Draw everybody's hand and the timeline in ``body``, and the buttons from frame to frame in ``steps``."""
    theme, view = canvas.theme, page.view
    body, line = layout.split_bottom(body, theme.units(21), theme.gap)
    if len(view.seats) <= (3 if theme.portrait else 2):
        _draw_strips(canvas, body, page)
    else:
        _draw_hands(canvas, body, page)
    _draw_frame_steps(canvas, steps, page)
    _draw_time_line(canvas, line, page)


def _row_height(canvas: Canvas) -> int:
    return round(canvas.theme.touch_size * 1.1)


def _draw_choices(canvas: Canvas, box: Rect, view: DisputedRound) -> None:
    """Draw the buttons for other rounds, for a replay, and for the verdict as it is."""
    theme = canvas.theme
    choices: list[tuple[str, Press]] = [
        *([(strings.EARLIER_ROUND, Reply("earlier"))] if view.has_earlier else []),
        *([(strings.LATER_ROUND, Reply("later"))] if view.has_later else []),
        *([] if view.is_void else [(strings.THROW_AGAIN, ProposeCorrection(AgreedCorrection(None)))]),
    ]
    *cells, last = hand_row(canvas, box, [4] * len(choices) + [5], theme.gap)
    for cell, (label, press) in zip(cells, choices, strict=True):
        canvas.button(cell, label, press, size=theme.small)
    canvas.button(last, strings.VERDICT_STANDS, Reply("stands"), main=True, size=theme.small)


def _draw_frame_steps(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """Draw the buttons to the previous and the next frame, and the time of this one."""
    theme, times = canvas.theme, page.view.frame_times_ms
    if not times:
        canvas.text(box, strings.NO_IMAGES, theme.body, MUTED)
        return
    width = round(theme.touch_size * 1.4)
    before, box = layout.split_left(box, width, theme.gap)
    box, after = layout.split_right(box, width, theme.gap)
    for cell, label, icon, frame in (
        (before, strings.PREVIOUS_FRAME, "minus", page.frame - 1),
        (after, strings.NEXT_FRAME, "plus", page.frame + 1),
    ):
        canvas.button(cell, label, SeekFrame(frame), icon=icon, icon_only=True, enabled=0 <= frame < len(times))
    canvas.text(box, strings.frame_time(page.view, times[page.frame]), theme.body, max_lines=2)


def _draw_strips(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """Draw a row for every seat: its name, its reading, and its hand around the selected frame."""
    theme = canvas.theme
    numbers = _strip_frames(page.view.frame_times_ms, page.frame)
    line_height = theme.units(4)
    for count, (row, seat) in enumerate(
        zip(layout.rows(box, [1] * len(page.view.seats), theme.gap), page.view.seats, strict=True)
    ):
        canvas.panel(
            row, PANEL, edge=FOUL if seat.voids_round else LINE, width=theme.units(0.9 if seat.voids_round else 0.3)
        )
        canvas.add_target(row, LookAtHand(seat.player.seat), seat.player.name)
        inner = layout.inset(row, theme.units(1.6), theme.units(1.2))
        if theme.portrait:
            seat_box, inner = layout.split_top(inner, theme.units(9), theme.units(1))
        else:
            seat_box, inner = layout.split_left(inner, round(inner.w * 0.26), theme.gap)
        _draw_seat(canvas, seat_box, seat, round_counts=not (page.view.is_past and page.view.is_void))
        _draw_strip(
            canvas, inner, page.view, seat, page.frame, numbers, line_height if count == 0 or theme.portrait else 0
        )


def _draw_hands(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """Draw a cell for every seat: its name, its hand in the selected frame, and its reading."""
    theme = canvas.theme
    count = len(page.view.seats)
    across = 2 if theme.portrait else 3 if count == 3 else 4
    for cell, seat in zip(layout.grid(box, count, min(count, across), theme.gap), page.view.seats, strict=True):
        canvas.panel(
            cell, PANEL, edge=FOUL if seat.voids_round else LINE, width=theme.units(0.9 if seat.voids_round else 0.3)
        )
        canvas.add_target(cell, LookAtHand(seat.player.seat), seat.player.name)
        inner = layout.inset(cell, theme.units(1.4), theme.units(1.2))
        name, inner = layout.split_top(inner, theme.units(4.6), theme.units(0.6))
        draw_player_badge(canvas, name, seat.player, theme.small if count > 4 else theme.body)
        if page.view.frame_times_ms:
            hand, inner = layout.split_left(inner, min(inner.h, round(inner.w * 0.6)), theme.units(1.2))
            side = min(hand.size)
            canvas.image(layout.centre(hand, side, side), page.view.hand_image(seat.player.seat, page.frame), PANEL)
        sign, line = layout.rows(inner, [3, 2], 0)
        side = min(*sign.size, theme.units(12))
        canvas.icon(layout.centre(sign, side, side), *_reading_icon(seat))
        canvas.text(line, strings.current_reading(seat), theme.body, FOUL if seat.voids_round else TEXT)


def _reading_icon(seat: DisputedSeat) -> tuple[str, Colour]:
    """Return the icon of a seat's reading and its colour."""
    return ("foul", FOUL) if seat.voids_round else (strings.reading_icon(seat.reading), TEXT)


def _draw_seat(canvas: Canvas, box: Rect, seat: DisputedSeat, *, round_counts: bool) -> None:
    """Draw a seat's mark and name, and the reading of its throw."""
    theme = canvas.theme
    name, line = layout.rows(box, [1, 1], theme.units(0.4))
    draw_player_badge(canvas, name, seat.player, min(theme.body, name.h))
    sign, line = layout.split_left(line, min(line.h, theme.units(5.5)), theme.units(1))
    canvas.icon(sign, *_reading_icon(seat))
    status = strings.reading_status(seat, round_counts=round_counts)
    canvas.text(line, status, theme.small, FOUL if seat.voids_round else MUTED, align="left", max_lines=2)


def _draw_strip(
    canvas: Canvas,
    box: Rect,
    view: DisputedRound,
    seat: DisputedSeat,
    middle: int,
    numbers: Sequence[int],
    line_height: int,
) -> None:
    """Draw a hand in the frames ``numbers``, with an edge around the ``middle`` one and a label for the lock; their
    times are in a line above, ``line_height`` pixels high."""
    theme = canvas.theme
    if not numbers:
        return
    lock = min(numbers, key=lambda n: abs(view.frame_times_ms[n] - view.lock_ms))
    for cell, number in zip(layout.columns(box, [1] * len(numbers), theme.units(1)), numbers, strict=True):
        side = min(cell.w, cell.h - line_height)
        place = layout.centre(cell, side, side + line_height)
        if line_height:
            line, place = layout.split_top(place, line_height, 0)
            line = Rect(cell.x, line.y, cell.w, line_height)
            at_lock = number == lock and abs(view.frame_times_ms[number] - view.lock_ms) < STRIP_OFFSETS_MS[-1] / 4
            time_text = strings.signed_ms(view.frame_times_ms[number] - view.origin_ms)
            canvas.text(
                line, common_strings.LOCK_LABEL if at_lock else time_text, theme.small, ACCENT if at_lock else MUTED
            )
        if number == middle:
            canvas.panel(place, ACCENT)
            place = layout.inset(place, theme.units(0.7))
        canvas.image(place, view.hand_image(seat.player.seat, number), ACCENT if number == middle else PANEL)


def _strip_frames(times: Sequence[float], middle: int) -> list[int]:
    """Return the frames of a strip, each once: those nearest to the strip's times, or the neighbours if frames are
    rarer."""
    if not times:
        return []
    if all(after - before > STRIP_OFFSETS_MS[3] for before, after in pairwise(times)):
        side = len(STRIP_OFFSETS_MS) // 2
        return list(range(max(0, middle - side), min(len(times), middle + side + 1)))
    wanted_times = [times[middle] + offset for offset in STRIP_OFFSETS_MS]
    return sorted({min(range(len(times)), key=lambda n: abs(times[n] - wanted)) for wanted in wanted_times})


@dataclass(frozen=True)
class _TimeScale:
    """Times in ms across a box."""

    box: Rect
    start_ms: float
    end_ms: float

    def x(self, ms: float) -> int:
        """Return a time's position in pixels; beyond the scale, the nearer end."""
        share = (min(self.end_ms, max(self.start_ms, ms)) - self.start_ms) / (self.end_ms - self.start_ms)
        return self.box.x + round(share * (self.box.w - 1))


def _draw_time_line(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """Draw the round in ms from the first hand: when every seat's hand showed and how sure that is, the lock, and the
    selected frame; a finger slides along it."""
    theme, view = canvas.theme, page.view
    canvas.panel(box, PANEL)
    inner = layout.inset(box, theme.units(3), theme.units(0.8))
    names, lane, ticks = layout.rows(inner, [4.5, 8, 4.5], 0)
    shown_times = [seat.shown_ms for seat in view.seats if seat.shown_ms is not None]
    all_times = [*view.frame_times_ms, *shown_times, view.lock_ms, view.origin_ms]
    scale = _TimeScale(inner, min(all_times) - 1, max(all_times) + 1)
    _draw_ticks(canvas, ticks, lane, scale, view.origin_ms)
    thick = max(2, theme.units(0.4))
    canvas.surface.fill(TEXT, Rect(scale.x(view.origin_ms) - thick // 2, names.bottom, thick, lane.h))
    canvas.surface.fill(ACCENT, Rect(scale.x(view.lock_ms) - thick, names.bottom, 2 * thick, lane.h))
    _draw_line_labels(canvas, names, scale, view)
    for number, seat in enumerate(view.seats):
        if seat.shown_ms is not None:
            _draw_shown_mark(canvas, lane, scale, seat, number / max(1, len(view.seats) - 1))
    if not view.frame_times_ms:
        return
    cursor_x = scale.x(view.frame_times_ms[page.frame])
    cursor = Rect(cursor_x - thick // 2, names.bottom, thick, lane.h)
    canvas.surface.fill(BACKGROUND, cursor.inflate(2 * thick, 0))
    canvas.surface.fill(TEXT, cursor)
    grip = Rect(0, 0, theme.units(4.4), theme.units(4.4))
    grip.center = cursor_x, lane.bottom
    canvas.icon(grip.inflate(2 * thick, 2 * thick), "diamond", PANEL)
    canvas.icon(grip, "diamond", TEXT)
    gap = (scale.x(max(view.frame_times_ms)) - scale.x(min(view.frame_times_ms))) // max(1, len(view.frame_times_ms))
    width = max(1, gap - 1)
    for number, at in enumerate(view.frame_times_ms):
        spot = Rect(scale.x(at) - width // 2, lane.y, width, lane.h)
        canvas.add_target(spot, SeekFrame(number), strings.frame_time(view, at), area=box)


def _draw_line_labels(canvas: Canvas, box: Rect, scale: _TimeScale, view: DisputedRound) -> None:
    """Draw the labels of the first hand's and the lock's lines above them, apart from each other."""
    size = canvas.theme.small
    lock = common_strings.lock_label(view.lock_ms - view.origin_ms)
    width = canvas.text_width(lock, size, box.w // 3, box.h)
    at = max(box.x, min(box.right - width, scale.x(view.lock_ms) - width // 2))
    canvas.text(Rect(at, box.y, width, box.h), lock, size, ACCENT)
    first = common_strings.FIRST_HAND_LABEL if view.first_hand_ms is not None else strings.CUE_LABEL
    own = canvas.text_width(first, size, box.w // 3, box.h)
    free = at - canvas.theme.gap - own
    left = max(box.x, min(free, scale.x(view.origin_ms) - own // 2))
    if left + own <= at:
        canvas.text(Rect(left, box.y, own, box.h), first, size, MUTED)


def _draw_ticks(canvas: Canvas, box: Rect, lane: Rect, scale: _TimeScale, zero_ms: float) -> None:
    """Draw the scale: ticks with their ms from ``zero_ms``."""
    theme = canvas.theme
    canvas.surface.fill(LINE, Rect(box.x, lane.bottom - 1, box.w, max(2, theme.units(0.4))))
    width = theme.units(11)
    per_ms = box.w / (scale.end_ms - scale.start_ms)
    step = next((step for step in TICK_INTERVALS_MS if step * per_ms >= width), TICK_INTERVALS_MS[-1])
    first = -int((zero_ms - scale.start_ms) // step)
    for count in range(first, int((scale.end_ms - zero_ms) // step) + 1):
        x = scale.x(zero_ms + count * step)
        canvas.surface.fill(LINE, Rect(x, lane.bottom, max(1, theme.units(0.3)), theme.units(1)))
        place = Rect(x - width // 2, box.y + theme.units(0.8), width, box.h - theme.units(0.8))
        if box.x - theme.units(3) <= place.x and place.right <= box.right + theme.units(3):
            number = f"{count * step} ms" if count == 0 else strings.signed_ms(count * step)
            canvas.text(place, number, theme.smallest, MUTED)


def _draw_shown_mark(canvas: Canvas, lane: Rect, scale: _TimeScale, seat: DisputedSeat, share: float) -> None:
    """Draw a seat's mark ``share`` of the lane down, and below it on the line a bar where its hand showed, as wide as
    the uncertainty."""
    theme = canvas.theme
    assert seat.shown_ms is not None
    ground, colour = theme.units(0.8), seat_mark(seat.player.seat).colour
    side = min(lane.h // 2, theme.units(4.6))
    x, y = scale.x(seat.shown_ms), lane.y + round(share * max(0, lane.h - side * 3 // 2))
    since, until = (scale.x(seat.shown_ms + sign * seat.uncertainty_ms) for sign in (-1, 1))
    stem = max(1, theme.units(0.3))
    canvas.surface.fill(colour, Rect(x - stem // 2, y, stem, lane.bottom - y))
    bar = Rect(since, lane.bottom - theme.units(1.6), max(stem, until - since + 1), theme.units(1.6))
    canvas.surface.fill(colour, bar)
    place = Rect(x - side // 2, y, side, side)
    canvas.icon(place.inflate(ground, ground), seat_mark(seat.player.seat).shape, PANEL)
    canvas.seat_mark(place, seat.player.seat)


def draw_hand(canvas: Canvas, page: HandPage) -> None:
    """Draw one seat's hand around the selected frame, and its possible readings."""
    theme, seat, evidence = canvas.theme, page.seat, page.evidence
    title = seat.player.name if evidence.view.is_past else strings.hand_question(seat)
    body = draw_header(canvas, canvas.page, title, note=strings.reading_and_time(evidence.view, seat))
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    back, _ = layout.split_left(foot, theme.units(30), 0)
    canvas.button(back, strings.BACK, LookAtHand(None), icon="back")
    answers = body
    if seat.choices:
        height = round(theme.touch_size * (3.6 if theme.portrait else 1.5))
        body, answers = layout.split_bottom(body, height, theme.gap)
    steps = layout.split_right(foot, foot.w - back.w - theme.gap * 2, theme.gap * 2)[1]
    if theme.portrait:
        body, steps = layout.split_bottom(body, _row_height(canvas), theme.gap)
    _draw_frame_steps(canvas, steps, evidence)
    across = 2 if theme.portrait else max(1, len(seat.choices))
    cells = layout.grid(answers, max(1, len(seat.choices)), min(across, max(1, len(seat.choices))), theme.gap)
    for cell, value in zip(cells, seat.choices, strict=False):
        canvas.button(
            cell,
            strings.reading_label(value),
            ProposeCorrection(AgreedCorrection(seat.player.seat, value)),
            size=theme.title,
            icon=strings.reading_icon(value),
            enabled=seat.voids_round or value != seat.reading,
        )
    numbers = _strip_frames(evidence.view.frame_times_ms, evidence.frame)
    if theme.portrait:
        large, body = layout.split_top(body, round(body.h * 0.62), theme.gap)
        if numbers:
            side = min(large.size)
            place = layout.centre(large, side, side)
            canvas.image(place, evidence.view.hand_image(seat.player.seat, evidence.frame), BACKGROUND)
    _draw_strip(canvas, body, evidence.view, seat, evidence.frame, numbers, theme.units(4.6))


def draw_agreement(canvas: Canvas, page: AgreePage) -> None:
    """Draw the correction everybody is to agree on: whose throw, from what to what; or that the round is void."""
    theme, correction = canvas.theme, page.correction
    body = draw_header(canvas, canvas.page, strings.AGREEMENT_QUESTION)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.7), theme.gap)
    parts = layout.rows(body, [3, 6, 3] if not theme.portrait else [2, 4, 3], theme.gap)
    canvas.text(parts[0], strings.correction_text(page.view, correction), theme.units(8), max_lines=3)
    seat = next((other for other in page.view.seats if other.player.seat == correction.seat), None)
    if seat is None:
        canvas.icon(layout.inset(parts[1], 0, theme.units(2)), "doubt", ACCENT)
    else:
        _draw_correction(canvas, parts[1], seat, correction)
    canvas.text(parts[2], strings.CORRECTION_DETAIL, theme.body, MUTED, max_lines=6)
    back, yes = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, strings.BACK, ProposeCorrection(None), icon="back", size=theme.title)
    canvas.button(yes, strings.EVERYBODY_AGREES, Reply(correction), main=True, size=theme.title)


def _draw_correction(canvas: Canvas, box: Rect, seat: DisputedSeat, correction: AgreedCorrection) -> None:
    theme = canvas.theme
    name, box = layout.split_top(box, theme.units(7), theme.gap)
    width = canvas.text_width(seat.player.name, theme.title, name.w - theme.units(10), name.h) + theme.units(10)
    draw_player_badge(canvas, layout.centre(name, width, name.h), seat.player, theme.title)
    before, arrow, after = layout.columns(layout.centre(box, theme.units(90), box.h), [4, 1, 4], theme.gap)
    old_label = common_strings.verdict_text(seat.verdict) if seat.voids_round else strings.reading_label(seat.reading)
    old_icon = "foul" if seat.voids_round else strings.reading_icon(seat.reading)
    for cell, icon, label, ink in (
        (before, old_icon, old_label, MUTED),
        (after, strings.reading_icon(correction.reading), strings.reading_label(correction.reading), TEXT),
    ):
        sign, line = layout.rows(cell, [2, 1], theme.units(0.6))
        canvas.icon(sign, icon, ink)
        canvas.text(line, label, theme.title, ink)
    canvas.icon(arrow, "forward", ACCENT)
