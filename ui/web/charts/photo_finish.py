"""The photo finish of a round as SVG: when every seat showed relative to the first hand and the lock, and a time scale
under each seat's strip. Positions are in percent and text sizes in pixels, so that both are readable at any width."""

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from rules.engine import Seat
from rules.record.judgement import VOID_VERDICT
from rules.record.round import SeatView
from rules.text import join_items
from ui.charts.shapes import Inset, Line, Rect, Shape, TextShape, to_svg
from ui.charts.timeline import ReferenceLine, SeatTime, TimeLine, TimeScale, linear_scale, strip_scale
from ui.i18n.language import t
from ui.text import labels
from ui.web import strings
from ui.web.charts import drawings
from ui.web.charts.parts import draw_axis, draw_labelled_line
from ui.web.views import RoundPage

ROW_PX = 30
"""Height of a seat's row."""
MARK_PX = 22
"""Size of a seat's mark."""
MIN_UNCERTAINTY_MS = 1.0
"""Smallest uncertainty drawn."""


def strip_seats(page: RoundPage) -> list[Seat]:
    """Return the seats whose strip still exists, if the times of its images are known."""
    existing = {picture.name for picture in page.pictures if picture.exists}
    return [seat.seat for seat in page.line.seats if page.strip_times_ms and f"strip-{seat.seat}.jpg" in existing]


def draw_overview(page: RoundPage) -> Markup:
    """Draw when every seat showed, in ms after the first hand (or after the cue if none showed): a row per seat with
    its uncertainty, and the lock."""
    judgement = page.line.judgement
    first_ms = judgement.first_shown_ms
    zero = first_ms or 0.0
    lock = judgement.lock_ms - zero
    seats = _seat_times(page.line.seats, zero)
    times = [seat.ms for seat in seats if seat.ms is not None]
    low, high = min(0.0, -zero, lock, *times), max(0.0, lock, *times)
    margin = 0.08 * max(high - low, 100.0)
    scale = linear_scale(low - margin, max(high, low + 100.0) + margin)
    lines = (
        ReferenceLine("first", 0, t("cue") if first_ms is None else t("first hand")),
        ReferenceLine("lock", lock, t("lock {ms} ms", ms=strings.format_signed(lock))),
    )
    captions = [
        f"{seat.player.name}: " + ", ".join(filter(None, (strings.format_lateness(seat), t(labels.seat_verdict(seat)))))
        for seat in page.line.seats
    ]
    description = (
        t(
            "When everybody showed. {times}. The lock was {ms} ms after the cue.",
            times=join_items(captions),
            ms=round(lock),
        )
        if first_ms is None
        else t(
            "When everybody showed. {times}. The lock was {ms} ms after the first hand.",
            times=join_items(captions),
            ms=round(lock),
        )
    )
    ticks = [(at, f"{strings.format_signed(at)}{'' if at else ' ms'}") for at in linear_scale(low, high).ticks(6)]
    return _draw_timeline(TimeLine(scale, seats, lines), ticks, "overview", description)


def draw_lane(page: RoundPage, seat: SeatView) -> Markup:
    """Draw the time scale under one seat's strip, in ms after the lock: when it showed with its uncertainty, the first
    hand, the lock. Empty if the strip has no times."""
    scale = strip_scale(page.strip_times_ms)
    if scale is None:
        return Markup("")
    lines: tuple[ReferenceLine, ...] = (ReferenceLine("lock", 0),)
    first_ms, lock_ms = page.line.judgement.first_shown_ms, page.line.judgement.lock_ms
    if first_ms is not None and scale.contains(first_ms - lock_ms):
        lines = (ReferenceLine("first", first_ms - lock_ms), *lines)
    # Every other image's time, with that at the lock: their labels fit on a phone.
    times = sorted(set(page.strip_times_ms))
    middle = min(range(len(times)), key=lambda n: abs(times[n]))
    ticks = [(at, strings.format_signed(at) if round(at) else t("lock")) for at in times[middle % 2 :: 2]]
    line = TimeLine(scale, _seat_times([seat], lock_ms), lines)
    return _draw_timeline(line, ticks, "lane", _describe_lane(seat, lock_ms))


def _seat_times(seats: Iterable[SeatView], zero_ms: float) -> tuple[SeatTime, ...]:
    return tuple(
        SeatTime(
            seat.seat,
            None if seat.record.shown_ms is None else seat.record.shown_ms - zero_ms,
            seat.record.uncertainty_ms or 0.0,
            seat.verdict != VOID_VERDICT,
        )
        for seat in seats
    )


def _draw_timeline(line: TimeLine, ticks: Sequence[tuple[float, str]], css: str, description: str) -> Markup:
    """Draw a row per seat over an axis with labelled ``ticks``, under the labels of the reference lines, if any; the
    time from a labelled first hand to the lock is shaded."""
    labelled = any(reference.label for reference in line.lines)
    top = 36 if labelled else 1
    floor = top + ROW_PX * len(line.seats)
    shapes: list[Shape] = []
    if labelled:
        start, end = (line.scale.clamp(reference.ms) for reference in line.lines)
        shapes.append(Rect(start, top, max(0.0, end - start), floor - top, "window"))
    shapes += draw_axis(line.scale, floor, ticks)
    middles = [top + ROW_PX * row + ROW_PX / 2 for row in range(len(line.seats))]
    shapes += [Line("rail", 0, y, 1, y) for y in middles]
    for reference in line.lines:
        label_y = {"first": 28, "lock": 13}[reference.kind] if labelled else -4
        shapes += draw_labelled_line(line.scale, reference.ms, reference.label, reference.kind, label_y, floor)
    for y, seat in zip(middles, line.seats, strict=True):
        shapes += _draw_seat(line.scale, seat, y)
    return Markup('<svg class="finish {}" width="100%" height="{}" role="img" aria-label="{}">{}</svg>').format(
        css, floor + 24, description, Markup(to_svg(shapes, percent=True))
    )


def _draw_seat(scale: TimeScale, seat: SeatTime, y: float) -> list[Shape]:
    """Draw a seat's mark at its time over a bar as wide as the uncertainty; an arrow if it is off the scale; a text if
    it never showed."""
    css, mark = drawings.seat_class(seat.seat), drawings.seat_mark_inner(seat.seat, MARK_PX)
    if seat.ms is None:
        return (
            [TextShape(t("seat {seat} showed nothing", seat=seat.seat), 0.5, y + 4, "middle", "never")]
            if seat.judged
            else []
        )
    if not scale.contains(seat.ms):
        late, signed, side = seat.ms > 0, f"{strings.format_signed(seat.ms)} ms", MARK_PX + 4
        caption = (
            TextShape(f"{signed} →", -side, 4, "end", "off") if late else TextShape(f"← {signed}", side, 4, css="off")
        )
        moved = f'<g transform="translate({-MARK_PX // 2 if late else MARK_PX // 2})">{mark}</g>'
        return [Inset(1 if late else 0, y, (caption,), css, moved)]
    unsure = max(MIN_UNCERTAINTY_MS, seat.uncertainty_ms)
    start, end = scale.clamp(seat.ms - unsure), scale.clamp(seat.ms + unsure)
    return [Rect(start, y - 12, end - start, 24, f"unsure {css}"), Inset(scale.clamp(seat.ms), y, (), css, mark)]


def _describe_lane(seat: SeatView, lock_ms: float) -> str:
    """Describe a strip's time scale for screen readers."""
    name, shown_ms, uncertainty_ms = seat.player.name, seat.record.shown_ms, seat.record.uncertainty_ms
    if shown_ms is None and seat.verdict == VOID_VERDICT:
        return t("Whether {name} showed a throw could not be judged.", name=name)
    if shown_ms is None:
        return t("{name} never showed a throw.", name=name)
    shown = strings.format_lock_offset(shown_ms - lock_ms)
    if uncertainty_ms is None:
        return t("{name} showed {time}.", name=name, time=shown)
    sure_ms = max(1, round(uncertainty_ms))
    return t("{name} showed {time}, give or take {ms} ms.", name=name, time=shown, ms=sure_ms)
