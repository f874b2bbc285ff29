"""Painters of a dispute: everybody's hand around the lock with the time line to slide along, one hand closely with what
it may be read as, and what everybody is to agree on."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pygame import Rect

from ui.screen.core.page_stack import Press
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, TEXT, Colour, mark
from ui.screen.drawing.widgets import badge, hand_row, hand_side, head
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.dispute import strings as dispute_strings
from ui.screen.pages.dispute.view import AgreePage, DisputePage, HandPage, Look, Propose, Seek
from ui.screen.pages.views import Corrected, DisputedSeat, Disputing

BESIDE_MS = (-66.0, -33.0, 0.0, 33.0, 66.0)
"""The pictures of a strip, in ms beside the frame that is looked at."""
TICKS_MS = (10, 20, 50, 100, 200, 500, 1000)
"""Between two marks of the time line: the first of these that leaves room for its numbers."""


def dispute(canvas: Canvas, page: DisputePage) -> None:
    """Everybody's hand at one time, with strips where there is room for them; the time line; what can be done."""
    theme, view = canvas.theme, page.view
    body = head(canvas, canvas.page, view.title)
    line, body = layout.top(body, theme.units(9 if theme.portrait else 5), theme.gap)
    canvas.text(line, view.sentence, theme.body, lines=2 if theme.portrait else 1, side="left")
    body, foot = layout.bottom(body, _row(canvas), theme.gap)
    if theme.portrait:
        body, steps = layout.bottom(body, _row(canvas), theme.gap)
    else:
        steps, foot = hand_side(canvas, foot, round(foot.w * 0.53) - theme.gap * 2, theme.gap * 2)
    _choices(canvas, foot, view)
    evidence(canvas, body, steps, page)


def evidence(canvas: Canvas, body: Rect, steps: Rect, page: DisputePage) -> None:
    """Everybody's hand and the time line in ``body``, and the way from frame to frame in ``steps``."""
    theme, view = canvas.theme, page.view
    body, line = layout.bottom(body, theme.units(21), theme.gap)
    if len(view.seats) <= (3 if theme.portrait else 2):
        _strips(canvas, body, page)
    else:
        _hands(canvas, body, page)
    _steps(canvas, steps, page)
    _time_line(canvas, line, page)


def _row(canvas: Canvas) -> int:
    return round(canvas.theme.touch * 1.1)


def _choices(canvas: Canvas, box: Rect, view: Disputing) -> None:
    """Other rounds, the round thrown again, and the verdict as it is."""
    theme = canvas.theme
    shown: list[tuple[str, Press]] = [
        *([(dispute_strings.EARLIER, Reply("earlier"))] if view.earlier else []),
        *([(dispute_strings.LATER, Reply("later"))] if view.later else []),
        *([] if view.void else [(dispute_strings.AGAIN, Propose(Corrected(None)))]),
    ]
    *cells, last = hand_row(canvas, box, [4] * len(shown) + [5], theme.gap)
    for cell, (label, press) in zip(cells, shown, strict=True):
        canvas.button(cell, label, press, size=theme.small)
    canvas.button(last, dispute_strings.STANDS, Reply("stands"), main=True, size=theme.small)


def _steps(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """One frame back, the time of this one, one frame on."""
    theme, times = canvas.theme, page.view.times_ms
    if not times:
        canvas.text(box, dispute_strings.NOTHING_KEPT, theme.body, MUTED)
        return
    wide = round(theme.touch * 1.4)
    before, box = layout.left(box, wide, theme.gap)
    box, after = layout.right(box, wide, theme.gap)
    for cell, label, drawing, to in (
        (before, dispute_strings.BEFORE, "minus", page.number - 1),
        (after, dispute_strings.AFTER, "plus", page.number + 1),
    ):
        canvas.button(cell, label, Seek(to), drawing=drawing, bare=True, able=0 <= to < len(times))
    canvas.text(box, dispute_strings.when(page.view, times[page.number]), theme.body, lines=2)


def _strips(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """A row for every seat: who, how it is read, and its hand around the time that is looked at."""
    theme = canvas.theme
    numbers = _beside(page.view.times_ms, page.number)
    high = theme.units(4)
    for count, (row, seat) in enumerate(
        zip(layout.rows(box, [1] * len(page.view.seats), theme.gap), page.view.seats, strict=True)
    ):
        canvas.panel(row, PANEL, edge=FOUL if seat.open else LINE, width=theme.units(0.9 if seat.open else 0.3))
        canvas.target(row, Look(seat.player.seat), seat.player.name)
        inner = layout.inside(row, theme.units(1.6), theme.units(1.2))
        if theme.portrait:
            told, inner = layout.top(inner, theme.units(9), theme.units(1))
        else:
            told, inner = layout.left(inner, round(inner.w * 0.26), theme.gap)
        _who(canvas, told, seat, counts=not (page.view.past and page.view.void))
        _strip(canvas, inner, page.view, seat, page.number, numbers, high if count == 0 or theme.portrait else 0)


def _hands(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """A cell for every seat: who, its hand at the time that is looked at, and how it is read."""
    theme = canvas.theme
    count = len(page.view.seats)
    across = 2 if theme.portrait else 3 if count == 3 else 4
    for cell, seat in zip(layout.grid(box, count, min(count, across), theme.gap), page.view.seats, strict=True):
        canvas.panel(cell, PANEL, edge=FOUL if seat.open else LINE, width=theme.units(0.9 if seat.open else 0.3))
        canvas.target(cell, Look(seat.player.seat), seat.player.name)
        inner = layout.inside(cell, theme.units(1.4), theme.units(1.2))
        name, inner = layout.top(inner, theme.units(4.6), theme.units(0.6))
        badge(canvas, name, seat.player, theme.small if count > 4 else theme.body)
        if page.view.times_ms:
            hand, inner = layout.left(inner, min(inner.h, round(inner.w * 0.6)), theme.units(1.2))
            side = min(hand.size)
            canvas.picture(layout.middle(hand, side, side), page.view.picture(seat.player.seat, page.number), PANEL)
        sign, line = layout.rows(inner, [3, 2], 0)
        side = min(*sign.size, theme.units(12))
        canvas.icon(layout.middle(sign, side, side), *_drawn(seat))
        canvas.text(line, dispute_strings.reads(seat), theme.body, FOUL if seat.open else TEXT)


def _drawn(seat: DisputedSeat) -> tuple[str, Colour]:
    """What a seat's reading is drawn as, and in which colour."""
    return ("foul", FOUL) if seat.open else (dispute_strings.drawing(seat.reading), TEXT)


def _who(canvas: Canvas, box: Rect, seat: DisputedSeat, *, counts: bool) -> None:
    """A seat's mark and name, and what its throw counts as, or showed where it does not count."""
    theme = canvas.theme
    name, line = layout.rows(box, [1, 1], theme.units(0.4))
    badge(canvas, name, seat.player, min(theme.body, name.h))
    sign, line = layout.left(line, min(line.h, theme.units(5.5)), theme.units(1))
    canvas.icon(sign, *_drawn(seat))
    told = dispute_strings.stands_as(seat, counts=counts)
    canvas.text(line, told, theme.small, FOUL if seat.open else MUTED, side="left", lines=2)


def _strip(
    canvas: Canvas, box: Rect, view: Disputing, seat: DisputedSeat, middle: int, numbers: Sequence[int], high: int
) -> None:
    """A hand in the frames of ``numbers``, the ``middle`` one framed, the one of the lock named; their times above, in
    a line ``high`` pixels high."""
    theme = canvas.theme
    if not numbers:
        return
    lock = min(numbers, key=lambda n: abs(view.times_ms[n] - view.lock_ms))
    for cell, number in zip(layout.columns(box, [1] * len(numbers), theme.units(1)), numbers, strict=True):
        side = min(cell.w, cell.h - high)
        place = layout.middle(cell, side, side + high)
        if high:
            line, place = layout.top(place, high, 0)
            line = Rect(cell.x, line.y, cell.w, high)
            at_lock = number == lock and abs(view.times_ms[number] - view.lock_ms) < BESIDE_MS[-1] / 4
            told = dispute_strings.milliseconds(view.times_ms[number] - view.zero_ms)
            canvas.text(line, strings.LOCK if at_lock else told, theme.small, ACCENT if at_lock else MUTED)
        if number == middle:
            canvas.panel(place, ACCENT)
            place = layout.inside(place, theme.units(0.7))
        canvas.picture(place, view.picture(seat.player.seat, number), ACCENT if number == middle else PANEL)


def _beside(times: Sequence[float], middle: int) -> list[int]:
    """The frames of a strip, each once: those nearest the times wanted, or the neighbours where frames are rarer."""
    if not times:
        return []
    if all(after - before > BESIDE_MS[3] for before, after in pairwise(times)):
        side = len(BESIDE_MS) // 2
        return list(range(max(0, middle - side), min(len(times), middle + side + 1)))
    wanted = [times[middle] + beside for beside in BESIDE_MS]
    return sorted({min(range(len(times)), key=lambda n: abs(times[n] - at)) for at in wanted})


@dataclass(frozen=True)
class _Scale:
    """Times in ms across a box."""

    box: Rect
    since: float
    until: float

    def x(self, ms: float) -> int:
        """Where a time is, in pixels; one that is off the scale, at its end."""
        share = (min(self.until, max(self.since, ms)) - self.since) / (self.until - self.since)
        return self.box.x + round(share * (self.box.w - 1))


def _time_line(canvas: Canvas, box: Rect, page: DisputePage) -> None:
    """The round in ms from the first hand: when every seat showed and how sure that is, the lock, and the frame that
    is looked at; a finger slides along it."""
    theme, view = canvas.theme, page.view
    canvas.panel(box, PANEL)
    inner = layout.inside(box, theme.units(3), theme.units(0.8))
    names, lane, ticks = layout.rows(inner, [4.5, 8, 4.5], 0)
    shown = [seat.shown_ms for seat in view.seats if seat.shown_ms is not None]
    all_times = [*view.times_ms, *shown, view.lock_ms, view.zero_ms]
    scale = _Scale(inner, min(all_times) - 1, max(all_times) + 1)
    _ticks(canvas, ticks, lane, scale, view.zero_ms)
    thick = max(2, theme.units(0.4))
    canvas.surface.fill(TEXT, Rect(scale.x(view.zero_ms) - thick // 2, names.bottom, thick, lane.h))
    canvas.surface.fill(ACCENT, Rect(scale.x(view.lock_ms) - thick, names.bottom, 2 * thick, lane.h))
    _names(canvas, names, scale, view)
    for number, seat in enumerate(view.seats):
        if seat.shown_ms is not None:
            _shown(canvas, lane, scale, seat, number / max(1, len(view.seats) - 1))
    if not view.times_ms:
        return
    here = scale.x(view.times_ms[page.number])
    cursor = Rect(here - thick // 2, names.bottom, thick, lane.h)
    canvas.surface.fill(BACKGROUND, cursor.inflate(2 * thick, 0))
    canvas.surface.fill(TEXT, cursor)
    grip = Rect(0, 0, theme.units(4.4), theme.units(4.4))
    grip.center = here, lane.bottom
    canvas.icon(grip.inflate(2 * thick, 2 * thick), "diamond", PANEL)
    canvas.icon(grip, "diamond", TEXT)
    gap = (scale.x(max(view.times_ms)) - scale.x(min(view.times_ms))) // max(1, len(view.times_ms))
    wide = max(1, gap - 1)
    for number, at in enumerate(view.times_ms):
        spot = Rect(scale.x(at) - wide // 2, lane.y, wide, lane.h)
        canvas.target(spot, Seek(number), dispute_strings.when(view, at), area=box)


def _names(canvas: Canvas, box: Rect, scale: _Scale, view: Disputing) -> None:
    """The names of the first hand's and the lock's lines above them, apart from each other."""
    size = canvas.theme.small
    lock = strings.lock(view.lock_ms - view.zero_ms)
    wide = canvas.width(lock, size, box.w // 3, box.h)
    at = max(box.x, min(box.right - wide, scale.x(view.lock_ms) - wide // 2))
    canvas.text(Rect(at, box.y, wide, box.h), lock, size, ACCENT)
    first = strings.FIRST if view.first_ms is not None else dispute_strings.CALL
    own = canvas.width(first, size, box.w // 3, box.h)
    free = at - canvas.theme.gap - own
    left = max(box.x, min(free, scale.x(view.zero_ms) - own // 2))
    if left + own <= at:
        canvas.text(Rect(left, box.y, own, box.h), first, size, MUTED)


def _ticks(canvas: Canvas, box: Rect, lane: Rect, scale: _Scale, zero: float) -> None:
    """The scale itself: marks with their ms from zero."""
    theme = canvas.theme
    canvas.surface.fill(LINE, Rect(box.x, lane.bottom - 1, box.w, max(2, theme.units(0.4))))
    wide = theme.units(11)
    per_ms = box.w / (scale.until - scale.since)
    step = next((step for step in TICKS_MS if step * per_ms >= wide), TICKS_MS[-1])
    first = -int((zero - scale.since) // step)
    for count in range(first, int((scale.until - zero) // step) + 1):
        x = scale.x(zero + count * step)
        canvas.surface.fill(LINE, Rect(x, lane.bottom, max(1, theme.units(0.3)), theme.units(1)))
        place = Rect(x - wide // 2, box.y + theme.units(0.8), wide, box.h - theme.units(0.8))
        if box.x - theme.units(3) <= place.x and place.right <= box.right + theme.units(3):
            number = f"{count * step} ms" if count == 0 else dispute_strings.milliseconds(count * step)
            canvas.text(place, number, theme.least, MUTED)


def _shown(canvas: Canvas, lane: Rect, scale: _Scale, seat: DisputedSeat, share: float) -> None:
    """A seat's mark ``share`` of the lane down, and below it on the line where its hand showed, as wide as that is
    unsure."""
    theme = canvas.theme
    assert seat.shown_ms is not None
    ground, colour = theme.units(0.8), mark(seat.player.seat).colour
    side = min(lane.h // 2, theme.units(4.6))
    x, y = scale.x(seat.shown_ms), lane.y + round(share * max(0, lane.h - side * 3 // 2))
    since, until = (scale.x(seat.shown_ms + sign * seat.plus_minus_ms) for sign in (-1, 1))
    stem = max(1, theme.units(0.3))
    canvas.surface.fill(colour, Rect(x - stem // 2, y, stem, lane.bottom - y))
    bar = Rect(since, lane.bottom - theme.units(1.6), max(stem, until - since + 1), theme.units(1.6))
    canvas.surface.fill(colour, bar)
    place = Rect(x - side // 2, y, side, side)
    canvas.icon(place.inflate(ground, ground), mark(seat.player.seat).shape, PANEL)
    canvas.seat(place, seat.player.seat)


def hand(canvas: Canvas, page: HandPage) -> None:
    """One seat's hand around the time that is looked at, and what it may be read as."""
    theme, seat, evidence = canvas.theme, page.seat, page.page
    title = seat.player.name if evidence.view.past else dispute_strings.hand_title(seat)
    body = head(canvas, canvas.page, title, aside=dispute_strings.shown(evidence.view, seat))
    body, foot = layout.bottom(body, round(theme.touch * 1.2), theme.gap)
    back, _ = layout.left(foot, theme.units(30), 0)
    canvas.button(back, dispute_strings.BACK, Look(None), drawing="back")
    answers = body
    if seat.choices:
        high = round(theme.touch * (3.6 if theme.portrait else 1.5))
        body, answers = layout.bottom(body, high, theme.gap)
    steps = layout.right(foot, foot.w - back.w - theme.gap * 2, theme.gap * 2)[1]
    if theme.portrait:
        body, steps = layout.bottom(body, _row(canvas), theme.gap)
    _steps(canvas, steps, evidence)
    across = 2 if theme.portrait else max(1, len(seat.choices))
    cells = layout.grid(answers, max(1, len(seat.choices)), min(across, max(1, len(seat.choices))), theme.gap)
    for cell, value in zip(cells, seat.choices, strict=False):
        canvas.button(
            cell,
            dispute_strings.reading(value),
            Propose(Corrected(seat.player.seat, value)),
            size=theme.title,
            drawing=dispute_strings.drawing(value),
            able=seat.open or value != seat.reading,
        )
    numbers = _beside(evidence.view.times_ms, evidence.number)
    if theme.portrait:
        large, body = layout.top(body, round(body.h * 0.62), theme.gap)
        if numbers:
            side = min(large.size)
            place = layout.middle(large, side, side)
            canvas.picture(place, evidence.view.picture(seat.player.seat, evidence.number), BACKGROUND)
    _strip(canvas, body, evidence.view, seat, evidence.number, numbers, theme.units(4.6))


def agree(canvas: Canvas, page: AgreePage) -> None:
    """What everybody is to agree on: whose throw, from what to what; or that the round is void."""
    theme, correction = canvas.theme, page.correction
    body = head(canvas, canvas.page, dispute_strings.ASKED)
    body, foot = layout.bottom(body, round(theme.touch * 1.7), theme.gap)
    parts = layout.rows(body, [3, 6, 3] if not theme.portrait else [2, 4, 3], theme.gap)
    canvas.text(parts[0], dispute_strings.agreed_on(page.view, correction), theme.units(8), lines=3)
    seat = next((one for one in page.view.seats if one.player.seat == correction.seat), None)
    if seat is None:
        canvas.icon(layout.inside(parts[1], 0, theme.units(2)), "doubt", ACCENT)
    else:
        _from_to(canvas, parts[1], seat, correction)
    canvas.text(parts[2], dispute_strings.KEPT, theme.body, MUTED, lines=6)
    back, yes = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, dispute_strings.BACK, Propose(None), drawing="back", size=theme.title)
    canvas.button(yes, dispute_strings.AGREED, Reply(correction), main=True, size=theme.title)


def _from_to(canvas: Canvas, box: Rect, seat: DisputedSeat, correction: Corrected) -> None:
    theme = canvas.theme
    name, box = layout.top(box, theme.units(7), theme.gap)
    wide = canvas.width(seat.player.name, theme.title, name.w - theme.units(10), name.h) + theme.units(10)
    badge(canvas, layout.middle(name, wide, name.h), seat.player, theme.title)
    before, arrow, after = layout.columns(layout.middle(box, theme.units(90), box.h), [4, 1, 4], theme.gap)
    was = strings.verdict(seat.verdict) if seat.open else dispute_strings.reading(seat.reading)
    drawn = "foul" if seat.open else dispute_strings.drawing(seat.reading)
    for cell, drawing, label, ink in (
        (before, drawn, was, MUTED),
        (after, dispute_strings.drawing(correction.to), dispute_strings.reading(correction.to), TEXT),
    ):
        sign, line = layout.rows(cell, [2, 1], theme.units(0.6))
        canvas.icon(sign, drawing, ink)
        canvas.text(line, label, theme.title, ink)
    canvas.icon(arrow, "forward", ACCENT)
