"""Painters of a dispute: everybody's hand around the lock with a timeline to slide along, one hand with its possible
readings, and the correction to agree on."""

from collections.abc import Sequence
from itertools import pairwise

from pygame import Rect

from rules.record.judgement import Verdict
from rules.record.round import SeatView
from ui.charts.timeline import ReferenceLine, SeatTime, TimeLine, linear_scale
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, TEXT, Colour
from ui.screen.drawing.timeline import TimeLinePainter
from ui.screen.drawing.widgets import draw_card, draw_header, hand_row, split_hand_side
from ui.screen.pages import dispute as dispute_page
from ui.screen.pages.dispute import AgreedCorrection, AgreePage, DisputedRound, DisputePage, HandPage
from ui.screen.pages.match_widgets import draw_player_badge
from ui.screen.views import Press, Reply
from ui.text import labels

STRIP_OFFSETS_MS = (-66.0, -33.0, 0.0, 33.0, 66.0)
"""The images of a strip, in ms from the selected frame."""


def draw_dispute(canvas: Canvas, page: DisputePage) -> None:
    """Draw everybody's hand at one time, in strips if there is room for them, the timeline and the buttons."""
    theme, view = canvas.theme, page.view
    body = draw_header(canvas, canvas.page, view.title)
    line, body = layout.split_top(body, canvas.text_height(view.sentence, body.w), theme.gap)
    canvas.text(line, view.sentence, theme.body, max_lines=4, align="left")
    row_height = round(theme.touch_size * 1.1)
    body, foot = layout.split_bottom(body, row_height, theme.gap)
    if theme.portrait:
        body, steps = layout.split_bottom(body, row_height, theme.gap)
    else:
        steps, foot = split_hand_side(canvas, foot, round(foot.w * 0.53) - theme.gap * 2, theme.gap * 2)
    choices: list[tuple[str, Press, str | None]] = [
        *([(dispute_page.EARLIER_ROUND, Reply("earlier"), "back")] if view.has_earlier else []),
        *([(dispute_page.LATER_ROUND, Reply("later"), "forward")] if view.has_later else []),
        *([] if view.is_void else [(dispute_page.THROW_AGAIN, AgreePage(page, AgreedCorrection(None)), None)]),
    ]
    narrow = len(choices) == 3
    weights = [2 if narrow and icon is not None else 4 for *_, icon in choices]
    *cells, last = hand_row(canvas, foot, [*weights, 5], theme.gap)
    for cell, (label, press, icon) in zip(cells, choices, strict=True):
        shown_icon = icon if narrow else None
        canvas.button(cell, label, press, size=theme.small, icon=shown_icon, icon_only=shown_icon is not None)
    canvas.button(last, dispute_page.VERDICT_STANDS, Reply("stands"), main=True, size=theme.small)
    draw_evidence(canvas, body, steps, page)


def draw_evidence(canvas: Canvas, body: Rect, steps: Rect, page: DisputePage) -> None:
    """Draw everybody's hand and the timeline in ``body``, and the buttons from frame to frame in ``steps``."""
    theme, view = canvas.theme, page.view
    body, line = layout.split_bottom(body, theme.units(21 if len(view.seats) <= 4 else 17), theme.gap)
    if len(view.seats) <= (3 if theme.portrait else 2):
        _draw_strips(canvas, body, page)
    else:
        _draw_hands(canvas, body, page)
    _draw_frame_steps(canvas, steps, page, page)
    _draw_time_line(canvas, line, page)


def _draw_frame_steps(canvas: Canvas, box: Rect, page: DisputePage | HandPage, evidence: DisputePage) -> None:
    """Draw the buttons to the previous and the next frame, and the time of this one."""
    theme, times = canvas.theme, evidence.view.frame_times_ms
    if not times:
        canvas.text(box, dispute_page.NO_IMAGES, theme.body, MUTED, max_lines=2)
        return
    before, box = layout.split_left(box, theme.touch_size, theme.gap)
    box, after = layout.split_right(box, theme.touch_size, theme.gap)
    for cell, label, icon, frame in (
        (before, dispute_page.PREVIOUS_FRAME, "minus", evidence.frame - 1),
        (after, dispute_page.NEXT_FRAME, "plus", evidence.frame + 1),
    ):
        enabled = 0 <= frame < len(times)
        canvas.button(cell, label, page.with_frame(frame), icon=icon, icon_only=True, enabled=enabled, repeats=True)
    canvas.text(box, dispute_page.frame_time(evidence.view, times[evidence.frame]), theme.body, max_lines=3)


def _draw_seat_card(canvas: Canvas, box: Rect, page: DisputePage, seat: SeatView, across: float) -> Rect:
    """Draw the card of a seat, which leads to its hand. Return its inside."""
    verdict = page.view.verdict(seat)
    canvas.add_target(box, HandPage(page, seat), page.view.name(seat))
    return draw_card(canvas, box, across, 1.2, edge=_reading_colour(verdict, LINE), strong=verdict is not None)


def _draw_strips(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """Draw a row for every seat: its name, its reading, and its hand around the selected frame."""
    theme, view = canvas.theme, page.view
    rows = layout.rows(box, [1] * len(view.seats), theme.gap)
    for row, seat in zip(rows, view.seats, strict=True):
        inner = _draw_seat_card(canvas, row, page, seat, 1.6)
        if theme.portrait:
            seat_box, inner = layout.split_top(inner, theme.units(10.5), theme.units(1))
        else:
            seat_box, inner = layout.split_left(inner, round(inner.w * 0.27), theme.gap)
        name, line = layout.rows(seat_box, [1, 1], theme.units(0.4))
        draw_player_badge(canvas, name, view.players[seat.seat], min(theme.body, name.h))
        status = dispute_page.reading_status(view, seat)
        icon_box, line = layout.split_left(line, min(line.h, theme.units(5.5)), theme.units(1))
        canvas.icon(icon_box, *_reading_icon(view, seat))
        canvas.text(line, status, theme.small, _reading_colour(view.verdict(seat), MUTED), align="left", max_lines=2)
        _draw_strip(canvas, inner, page, seat, line_height(theme.small) if row is rows[0] or theme.portrait else 0)


def _draw_hands(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """Draw a cell for every seat: its name, its hand in the selected frame, and its reading."""
    theme, view = canvas.theme, page.view
    count = len(view.seats)
    in_row = 2 if theme.portrait else 3 if count == 3 else 4
    for cell, seat in zip(layout.grid(box, count, min(count, in_row), theme.gap), view.seats, strict=True):
        inner = _draw_seat_card(canvas, cell, page, seat, 1.4)
        name, inner = layout.split_top(inner, line_height(theme.small), theme.units(0.6))
        draw_player_badge(canvas, name, view.players[seat.seat], theme.small if count > 4 else theme.body)
        if view.frame_times_ms:
            width = max(1, min(inner.h, inner.w - theme.units(27)))  # the word needs the rest
            hand, inner = layout.split_left(inner, width, theme.units(1))
            side = min(hand.size)
            canvas.image(layout.centre(hand, side, side), view.hand_image(seat.seat, page.frame), PANEL)
        icon_box, line = layout.split_bottom(inner, line_height(theme.small), 0)
        canvas.icon(layout.centre(icon_box, theme.units(12), theme.units(12)), *_reading_icon(view, seat))
        colour = _reading_colour(view.verdict(seat), TEXT)
        canvas.text(line, dispute_page.current_reading(view, seat), theme.body, colour)


def _reading_icon(view: DisputedRound, seat: SeatView) -> tuple[str, Colour]:
    """Return the icon of a seat's reading and its colour."""
    verdict = view.verdict(seat)
    if verdict is None:
        return dispute_page.reading_icon(view.reading(seat)), TEXT
    return "doubt" if verdict == Verdict.TOO_CLOSE else "foul", _reading_colour(verdict, TEXT)


def _reading_colour(verdict: str | None, usual: Colour) -> Colour:
    """Return the colour of a reading, or of the verdict in place of it."""
    if verdict is None:
        return usual
    return TEXT if verdict == Verdict.TOO_CLOSE else FOUL


def _draw_strip(canvas: Canvas, box: Rect, page: DisputePage, seat: SeatView, line_height: int) -> None:
    """Draw a hand in the frames around the selected one, which has an edge, with a label for the lock; their times are
    in a line above, ``line_height`` pixels high."""
    theme, view = canvas.theme, page.view
    numbers = _strip_frames(view.frame_times_ms, page.frame)
    if not numbers:
        return
    lock = min(numbers, key=lambda n: abs(view.frame_times_ms[n] - view.lock_ms))
    for cell, number in zip(layout.columns(box, [1] * len(numbers), theme.units(1)), numbers, strict=True):
        side, at = min(cell.w, cell.h - line_height), view.frame_times_ms[number]
        rect = layout.centre(cell, side, side + line_height)
        if line_height:
            line, rect = layout.split_top(rect, line_height, 0)
            line = Rect(cell.x, line.y, cell.w, line_height)
            if number == lock and abs(at - view.lock_ms) < STRIP_OFFSETS_MS[-1] / 4:
                canvas.text(line, labels.LOCK_LABEL, theme.small, ACCENT)
            else:
                canvas.text(line, dispute_page.signed_ms(at - view.origin_ms), theme.small, MUTED)
        background = ACCENT if number == page.frame else PANEL
        if number == page.frame:
            canvas.panel(rect, ACCENT)
            rect = layout.inset(rect, theme.units(0.7))
        canvas.image(rect, view.hand_image(seat.seat, number), background)


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


def _draw_time_line(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """Draw the round in ms from the first hand: when every seat's hand showed and how sure that is, the lock, and the
    selected frame; a finger slides along it."""
    theme, view, zero = canvas.theme, page.view, page.view.origin_ms
    seats = [
        SeatTime(
            seat.seat,
            None if seat.record.shown_ms is None else seat.record.shown_ms - zero,
            seat.record.uncertainty_ms or 0.0,
        )
        for seat in view.seats
    ]
    frames = [at - zero for at in view.frame_times_ms]
    times = [0.0, view.lock_ms - zero, *frames, *(seat.ms for seat in seats if seat.ms is not None)]
    first = labels.FIRST_HAND_LABEL if view.first_hand_ms is not None else labels.CUE_LABEL
    lines = (
        ReferenceLine("first", 0, first),
        ReferenceLine("lock", view.lock_ms - zero, labels.lock_label(view.lock_ms - zero)),
    )
    line = TimeLine(linear_scale(min(times) - 1, max(times) + 1), tuple(seats), lines)
    painter = TimeLinePainter(canvas, box, line, lambda at: dispute_page.signed_ms(at) if at else "0 ms", ticks=True)
    painter.draw_seats(canvas)
    if not frames:
        return
    lane, thick = painter.lane, max(2, theme.units(0.4))
    cursor = Rect(painter.x(frames[page.frame]) - thick // 2, lane.y, thick, lane.h)
    canvas.surface.fill(BACKGROUND, cursor.inflate(2 * thick, 0))
    canvas.surface.fill(TEXT, cursor)
    grip = Rect(0, 0, theme.units(4.4), theme.units(4.4))
    grip.center = cursor.centerx, lane.bottom
    canvas.icon(grip.inflate(2 * thick, 2 * thick), "diamond", PANEL)
    canvas.icon(grip, "diamond", TEXT)
    width = max(1, (painter.x(max(frames)) - painter.x(min(frames))) // len(frames) - 1)
    for number, at in enumerate(frames):
        rect = Rect(painter.x(at) - width // 2, lane.y, width, lane.h)
        label = dispute_page.frame_time(view, view.frame_times_ms[number])
        canvas.add_target(rect, page.with_frame(number), label, area=box, repeats=True, slides=True)


@paints(HandPage)
def draw_hand(canvas: Canvas, page: HandPage) -> None:
    """Draw one seat's hand around the selected frame, and its possible readings."""
    theme, seat, evidence = canvas.theme, page.seat, page.evidence
    view = evidence.view
    title = view.name(seat) if view.is_past else dispute_page.hand_question(view, seat)
    note = dispute_page.reading_and_time(view, seat)
    body = draw_header(canvas, canvas.page, title, note="" if theme.portrait else note)
    if theme.portrait:
        line, body = layout.split_top(body, line_height(theme.body), theme.gap)
        canvas.text(line, note, theme.body, MUTED, align="left")
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    back, _ = layout.split_left(foot, theme.units(30), 0)
    canvas.button(back, labels.BACK, evidence, icon="back", leads_back=True)
    if choices := view.choices.get(seat.seat, ()):
        height = round(theme.touch_size * (3.6 if theme.portrait else 1.5))
        body, answers = layout.split_bottom(body, height, theme.gap)
        cells = layout.grid(answers, len(choices), min(2 if theme.portrait else len(choices), len(choices)), theme.gap)
        for cell, value in zip(cells, choices, strict=True):
            canvas.button(
                cell,
                dispute_page.reading_label(value),
                AgreePage(page, AgreedCorrection(seat.seat, value)),
                size=theme.title,
                icon=dispute_page.reading_icon(value),
                enabled=seat.is_unsettled or value != seat.reading,
            )
    steps = layout.split_right(foot, foot.w - back.w - theme.gap * 2, theme.gap * 2)[1]
    if theme.portrait:
        body, steps = layout.split_bottom(body, round(theme.touch_size * 1.1), theme.gap)
    _draw_frame_steps(canvas, steps, page, evidence)
    if theme.portrait:
        large, body = layout.split_top(body, round(body.h * 0.62), theme.gap)
        if view.frame_times_ms:
            rect = layout.centre(large, min(large.size), min(large.size))
            canvas.image(rect, view.hand_image(seat.seat, evidence.frame), BACKGROUND)
    _draw_strip(canvas, body, evidence, seat, line_height(theme.small))


@paints(AgreePage)
def draw_agreement(canvas: Canvas, page: AgreePage) -> None:
    """Draw the correction everybody is to agree on: whose throw, from what to what; or that the round is void."""
    theme, correction = canvas.theme, page.correction
    body = draw_header(canvas, canvas.page, dispute_page.AGREEMENT_QUESTION)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.7), theme.gap)
    parts = layout.rows(body, [3, 6, 3] if not theme.portrait else [2, 4, 3], theme.gap)
    canvas.text(parts[0], dispute_page.correction_text(page.view, correction), theme.units(8), max_lines=3)
    if correction.seat is None:
        canvas.icon(layout.inset(parts[1], 0, theme.units(2)), "doubt", ACCENT)
    else:
        _draw_correction(canvas, parts[1], page.view, page.view.line.seat_views[correction.seat], correction)
    canvas.text(parts[2], dispute_page.CORRECTION_DETAIL, theme.body, MUTED, max_lines=6)
    back, yes = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, labels.BACK, page.previous, icon="back", size=theme.title, leads_back=True)
    canvas.button(yes, dispute_page.EVERYBODY_AGREES, Reply(correction), main=True, size=theme.title)


def _draw_correction(
    canvas: Canvas, box: Rect, view: DisputedRound, seat: SeatView, correction: AgreedCorrection
) -> None:
    theme, player = canvas.theme, view.players[seat.seat]
    name, box = layout.split_top(box, theme.units(7), theme.gap)
    width = canvas.text_width(player.name, theme.title, name.w - theme.units(10), name.h) + theme.units(10)
    draw_player_badge(canvas, layout.centre(name, width, name.h), player, theme.title)
    before, arrow, after = layout.columns(layout.centre(box, theme.units(90), box.h), [4, 1, 4], theme.gap)
    old_icon, _ = _reading_icon(view, seat)
    for cell, icon, label, ink in (
        (before, old_icon, dispute_page.current_reading(view, seat), MUTED),
        (after, dispute_page.reading_icon(correction.reading), dispute_page.reading_label(correction.reading), TEXT),
    ):
        icon_box, line = layout.rows(cell, [2, 1], theme.units(0.6))
        canvas.icon(icon_box, icon, ink)
        canvas.text(line, label, theme.title, ink)
    canvas.icon(arrow, "forward", ACCENT)
