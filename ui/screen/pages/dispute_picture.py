"""Layouts of a dispute: everybody's hand around the lock with a timeline to slide along, one hand with its possible
readings, and the correction to agree on."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from pygame import Rect

from rules.record.judgement import UNDECIDED_VERDICTS
from rules.record.round import SeatView
from ui.charts.timeline import ReferenceLine, SeatTime, TimeLine, linear_scale
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.forms import Column, Either, Flip, Form, Grid, HandFlip, HandRow, Row, lays_out
from ui.screen.drawing.nodes import GAP, SMALL_LINE, TOUCH, Button, CardPanel, Drawing, Icon, Node, Space, Text
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, TEXT, Colour
from ui.screen.drawing.timeline import TimeLinePainter
from ui.screen.pages import dispute as dispute_page
from ui.screen.pages.dispute import AgreedCorrection, AgreePage, DisputedRound, DisputePage, HandPage
from ui.screen.pages.match_widgets import draw_player_badge, player_badge
from ui.screen.views import Press, Reply
from ui.text import labels

STRIP_OFFSETS_MS = (-66.0, -33.0, 0.0, 33.0, 66.0)
"""The images of a strip, in ms from the selected frame."""


def lay_out_dispute(page: DisputePage) -> Form:
    """Return everybody's hand at one time, in strips if there is room for them, the timeline and the buttons."""
    view = page.view
    choices: list[tuple[str, Press, str | None]] = [
        *([(dispute_page.EARLIER_ROUND, Reply("earlier"), "back")] if view.has_earlier else []),
        *([(dispute_page.LATER_ROUND, Reply("later"), "forward")] if view.has_later else []),
        *([] if view.is_void else [(dispute_page.THROW_AGAIN, AgreePage(page, AgreedCorrection(None)), None)]),
    ]
    narrow = len(choices) == 3
    buttons = [
        Button(label, press, icon, icon_only=True, share=2)
        if narrow and icon is not None
        else Button(label, press, size="small", share=4)
        for label, press, icon in choices
    ]
    stands = Button(dispute_page.VERDICT_STANDS, Reply("stands"), main=True, size="small", share=5)
    sentence = Text(view.sentence, lines=4, align="left", fits=True)
    foot = steps_beside(page, HandRow(*buttons, stands))
    return Form(view.title, sentence, *evidence(page), foot=foot, foot_length=STEPS_LENGTH)


STEP_LENGTH = 1.1 * TOUCH
STEPS_LENGTH = (STEP_LENGTH, 2 * STEP_LENGTH + GAP)
"""The length of a foot with the buttons from frame to frame."""


def steps_beside(page: DisputePage, buttons: Node) -> HandFlip:
    """Return a foot of the buttons from frame to frame, and others."""
    steps = Column(_frame_steps(page, page), share=(47, 1))
    return HandFlip(steps, Column(buttons, share=(53, 1)), gap=(2 * GAP, GAP))


def evidence(page: DisputePage) -> tuple[Node, Node]:
    """Return everybody's hand, and the timeline."""
    seats = page.view.seats
    strips = Column(*(_strip_card(page, seat) for seat in seats))
    hands = Grid([_hand_card(page, seat) for seat in seats], (3 if len(seats) == 3 else 4, 2))
    shown = Either(strips if len(seats) <= 2 else hands, strips if len(seats) <= 3 else hands)
    return shown, Drawing(partial(_draw_time_line, page=page), length=21 if len(seats) <= 4 else 17)


def _frame_steps(page: DisputePage | HandPage, evidence: DisputePage) -> Node:
    """Return the buttons to the previous and the next frame, and the time of this one."""
    times = evidence.view.frame_times_ms
    if not times:
        return Text(dispute_page.NO_IMAGES, "body", MUTED, lines=2)

    def step(by: int, label: str, icon: str) -> Button:
        frame = evidence.frame + by
        enabled = 0 <= frame < len(times)
        return Button(label, page.with_frame(frame), icon, icon_only=True, enabled=enabled, repeats=True, length=TOUCH)

    time = Text(dispute_page.frame_time(evidence.view, times[evidence.frame]), lines=3)
    before, after = step(-1, dispute_page.PREVIOUS_FRAME, "minus"), step(1, dispute_page.NEXT_FRAME, "plus")
    return Row(before, time, after)


def _seat_card(page: DisputePage, seat: SeatView, node: Node, across: float) -> CardPanel:
    """Return the card of a seat, which leads to its hand."""
    verdict = page.view.verdict(seat)
    edge = _reading_colour(verdict, LINE)
    hand_page = HandPage(page, seat)
    name, strong = page.view.name(seat), verdict is not None
    return CardPanel(node, hand_page, name, across=across, down=1.2, edge=edge, strong=strong)


def _strip_card(page: DisputePage, seat: SeatView) -> CardPanel:
    """Return a seat's name, its reading, and its hand around the selected frame."""
    view = page.view
    status, colour = dispute_page.reading_status(view, seat), _reading_colour(view.verdict(seat), MUTED)
    words = Column(
        player_badge(view.players[seat.seat]),
        Row(Icon(*_reading_icon(view, seat), length=5.5), Text(status, "small", colour, lines=2, align="left"), gap=1),
        gap=0.4,
        length=(41.5, 10.5),
    )
    strip = partial(_draw_strip, page=page, seat=seat)
    in_landscape = Drawing(partial(strip, has_times=seat is view.seats[0]))
    return _seat_card(
        page, seat, Flip(words, Either(in_landscape, Drawing(partial(strip, has_times=True))), gap=(GAP, 1)), 1.6
    )


def _hand_card(page: DisputePage, seat: SeatView) -> CardPanel:
    """Return a seat's name, its hand in the selected frame, and its reading."""
    few = len(page.view.seats) <= 4
    badge = player_badge(page.view.players[seat.seat], "body" if few else "small", length=SMALL_LINE)
    reading = Drawing(partial(_draw_hand_and_reading, page=page, seat=seat))
    return _seat_card(page, seat, Column(badge, reading, gap=0.6), 1.4)


def _draw_hand_and_reading(canvas: Canvas, box: Rect, page: DisputePage, seat: SeatView) -> None:
    theme, view = canvas.theme, page.view
    if view.frame_times_ms:
        width = max(1, min(box.h, box.w - theme.units(27)))  # the word needs the rest
        hand, box = layout.split_left(box, width, theme.units(1))
        side = min(hand.size)
        canvas.image(layout.centre(hand, side, side), view.hand_image(seat.seat, page.frame), PANEL)
    icon_box, line = layout.split_bottom(box, line_height(theme.small), 0)
    canvas.icon(layout.centre(icon_box, theme.units(12), theme.units(12)), *_reading_icon(view, seat))
    colour = _reading_colour(view.verdict(seat), TEXT)
    canvas.text(line, dispute_page.current_reading(view, seat), theme.body, colour)


def _reading_icon(view: DisputedRound, seat: SeatView) -> tuple[str, Colour]:
    """Return the icon of a seat's reading and its colour."""
    verdict = view.verdict(seat)
    if verdict is None:
        return dispute_page.reading_icon(view.reading(seat)), TEXT
    return "doubt" if verdict in UNDECIDED_VERDICTS else "foul", _reading_colour(verdict, TEXT)


def _reading_colour(verdict: str | None, usual: Colour) -> Colour:
    """Return the colour of a reading, or of the verdict in place of it."""
    if verdict is None:
        return usual
    return TEXT if verdict in UNDECIDED_VERDICTS else FOUL


def _draw_strip(canvas: Canvas, box: Rect, page: DisputePage, seat: SeatView, has_times: bool) -> None:
    """Draw a hand in the frames around the selected one, which has an edge, with a label for the lock; with
    ``has_times``, their times are in a line above."""
    theme, view = canvas.theme, page.view
    height = line_height(theme.small) if has_times else 0
    numbers = _strip_frames(view.frame_times_ms, page.frame)
    if not numbers:
        return
    lock = min(numbers, key=lambda n: abs(view.frame_times_ms[n] - view.lock_ms))
    for cell, number in zip(layout.columns(box, [1] * len(numbers), theme.units(1)), numbers, strict=True):
        side, at = min(cell.w, cell.h - height), view.frame_times_ms[number]
        rect = layout.centre(cell, side, side + height)
        if height:
            line, rect = layout.split_top(rect, height, 0)
            line = Rect(cell.x, line.y, cell.w, height)
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
    canvas.fill(BACKGROUND, cursor.inflate(2 * thick, 0))
    canvas.fill(TEXT, cursor)
    grip = Rect(0, 0, theme.units(4.4), theme.units(4.4))
    grip.center = cursor.centerx, lane.bottom
    canvas.icon(grip.inflate(2 * thick, 2 * thick), "diamond", PANEL)
    canvas.icon(grip, "diamond", TEXT)
    width = max(1, (painter.x(max(frames)) - painter.x(min(frames))) // len(frames) - 1)
    for number, at in enumerate(frames):
        rect = Rect(painter.x(at) - width // 2, lane.y, width, lane.h)
        label = dispute_page.frame_time(view, view.frame_times_ms[number])
        canvas.add_target(rect, page.with_frame(number), label, area=box, repeats=True, slides=True)


@lays_out(HandPage)
def lay_out_hand(page: HandPage) -> Form:
    """Return one seat's hand around the selected frame, and its possible readings."""
    seat, evidence = page.seat, page.evidence
    view = evidence.view

    def draw_large(canvas: Canvas, box: Rect) -> None:
        if view.frame_times_ms:
            rect = layout.centre(box, min(box.size), min(box.size))
            canvas.image(rect, view.hand_image(seat.seat, evidence.frame), BACKGROUND)

    readings = [
        Button(
            dispute_page.reading_label(value),
            AgreePage(page, AgreedCorrection(seat.seat, value)),
            dispute_page.reading_icon(value),
            enabled=seat.is_unsettled or value != seat.reading,
        )
        for value in view.choices.get(seat.seat, ())
    ]
    strip, steps = Drawing(partial(_draw_strip, page=evidence, seat=seat, has_times=True)), _frame_steps(page, evidence)
    back = Button(labels.BACK, evidence, "back", size="body", leads_back=True, length=30)
    large = Drawing(draw_large, share=62)
    return Form(
        view.name(seat) if view.is_past else dispute_page.hand_question(view, seat),
        Either(strip, Column(large, replace(strip, share=38), Column(steps, length=STEP_LENGTH))),
        Grid(readings, (len(readings), 2), length=(1.5 * TOUCH, 3.6 * TOUCH)) if readings else None,
        foot=Row(back, Either(steps, Space()), gap=2 * GAP),
        foot_length=1.2 * TOUCH,
        note=dispute_page.reading_and_time(view, seat),
    )


@lays_out(AgreePage)
def lay_out_agreement(page: AgreePage) -> Form:
    """Return the correction everybody is to agree on: whose throw, from what to what; or that the round is void."""
    view, correction = page.view, page.correction
    shown: Node = Icon("doubt", share=(6, 4))
    if correction.seat is not None:
        seat = view.line.seat_views[correction.seat]
        shown = Drawing(partial(_draw_correction, view=view, seat=seat, correction=correction), share=(6, 4))
    return Form(
        dispute_page.AGREEMENT_QUESTION,
        Text(dispute_page.correction_text(view, correction), 8, lines=3, share=(3, 2)),
        shown,
        Text(dispute_page.CORRECTION_DETAIL, "body", MUTED, lines=6, share=3),
        foot=(
            Button(labels.BACK, page.previous, "back", leads_back=True),
            Button(dispute_page.EVERYBODY_AGREES, Reply(correction), main=True, share=2),
        ),
        foot_length=1.7 * TOUCH,
    )


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
