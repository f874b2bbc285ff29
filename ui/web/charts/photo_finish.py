"""The photo finish of a round as SVG: when every seat showed relative to the first hand and the lock, and a time scale
under each seat's strip. Positions are in percent and text sizes in pixels, so that both are readable at any width."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from rules.engine import Seat
from ui.web import strings
from ui.web.charts import drawings
from ui.web.views import RoundPage, SeatRound

ROW_PX = 30
"""Height of a seat's row."""
TICK_STEPS_MS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Round steps of a time axis."""
MARK_PX = 22
"""Size of a seat's mark."""
MIN_UNCERTAINTY_MS = 1.0
"""Smallest uncertainty drawn."""


@dataclass(frozen=True)
class TimeScale:
    """A piecewise linear time scale from left to right: ``knots`` are (ms, fraction of the width), both increasing."""

    knots: tuple[tuple[float, float], ...]

    def fraction(self, ms: float) -> float:
        """Return a time's position: 0 at the left end, 1 at the right, extrapolated beyond."""
        (a_ms, a), (b_ms, b) = self.knots[0], self.knots[-1]
        for (since, start), (until, end) in pairwise(self.knots):
            (a_ms, a), (b_ms, b) = (since, start), (until, end)
            if ms <= until:
                break
        return a + (ms - a_ms) / (b_ms - a_ms) * (b - a)

    def x(self, ms: float) -> str:
        """Return a time's position as an SVG percentage, clamped to the ends."""
        return format_percent(min(1.0, max(0.0, self.fraction(ms))))

    def contains(self, ms: float) -> bool:
        """Return whether a time is within the scale."""
        return 0 <= self.fraction(ms) <= 1


def format_percent(share: float) -> str:
    """Return a fraction as an SVG percentage."""
    return f"{100 * share:.2f}%"


def strip_seats(page: RoundPage) -> list[Seat]:
    """Return the seats whose strip still exists, if the times of its images are known."""
    existing = {one.name for one in page.pictures if one.exists}
    return [seat.seat for seat in page.line.seats if page.strip_times_ms and f"strip-{seat.seat}.jpg" in existing]


def strip_scale(times: Sequence[float]) -> TimeScale | None:
    """Return the time scale of a strip of equally wide images taken at ``times`` (ms), each at its image's centre. None
    with fewer than two times."""
    rising = sorted(set(times))
    if len(rising) < 2:
        return None
    middles = [((at, (n + 0.5) / len(rising))) for n, at in enumerate(rising)]
    (a, x), (b, y) = middles[0], middles[1]
    (c, v), (d, w) = middles[-2], middles[-1]
    start = (a - (b - a) * x / (y - x), 0.0)
    end = (d + (d - c) * (1 - w) / (w - v), 1.0)
    return TimeScale((start, *middles, end))


def draw_overview(page: RoundPage) -> Markup:
    """Draw when every seat showed, in ms after the first hand (or after the cue if none showed): a row per seat with
    its uncertainty, and the lock."""
    zero = page.first_ms or 0.0
    seats = page.line.seats
    times = [seat.shown_ms - zero for seat in seats if seat.shown_ms is not None]
    lock, cue = page.lock_ms - zero, -zero
    start_ms, end_ms = min(0.0, cue, lock, *times), max(0.0, lock, *times)
    span = max(end_ms - start_ms, 100.0)
    scale = TimeScale(((start_ms - 0.08 * span, 0.0), (start_ms + 1.08 * span, 1.0)))
    top, floor = 36, 36 + ROW_PX * len(seats)
    parts = [
        f'<rect class="window" x="{scale.x(0)}" y="{top}" width="{_width(scale, 0, lock)}" height="{floor - top}"/>'
        if lock > 0
        else "",
        *_draw_ticks(scale, _overview_ticks(start_ms, end_ms), floor, "ms"),
        *_draw_labelled_line(scale, 0, "first hand" if page.first_ms is not None else "cue", "first", 28, floor),
        *_draw_labelled_line(scale, lock, f"lock {strings.format_signed(lock)} ms", "lock", 13, floor),
    ]
    for number, seat in enumerate(seats):
        y = top + ROW_PX * (number + 0.5)
        parts.append(f'<line class="rail" x1="0" x2="100%" y1="{y:g}" y2="{y:g}"/>')
        parts += _draw_seat(scale, seat, None if seat.shown_ms is None else seat.shown_ms - zero, y)
    return _wrap_svg(floor + 26, "overview", _describe_overview(page), parts)


def draw_lane(page: RoundPage, seat: SeatRound) -> Markup:
    """Draw the time scale under one seat's strip, in ms after the lock: when it showed with its uncertainty, the first
    hand, the lock. Empty if the strip has no times."""
    scale = strip_scale(page.strip_times_ms)
    if scale is None:
        return Markup("")
    y, floor = 16, 32
    first = None if page.first_ms is None else page.first_ms - page.lock_ms
    labelled = [
        (at, "lock" if round(at) == 0 else strings.format_signed(at))
        for at in _every_other(sorted(set(page.strip_times_ms)))
    ]
    parts = [f'<line class="rail" x1="0" x2="100%" y1="{y}" y2="{y}"/>']
    parts += _draw_ticks(scale, labelled, floor, "")
    if first is not None and scale.contains(first):
        parts.append(f'<line class="first" x1="{scale.x(first)}" x2="{scale.x(first)}" y1="0" y2="{floor}"/>')
    parts.append(f'<line class="lock" x1="{scale.x(0)}" x2="{scale.x(0)}" y1="0" y2="{floor}"/>')
    parts += _draw_seat(scale, seat, None if seat.shown_ms is None else seat.shown_ms - page.lock_ms, y)
    return _wrap_svg(floor + 22, "lane", _describe_lane(page, seat), parts)


def _wrap_svg(height: float, name: str, description: str, parts: Sequence[str]) -> Markup:
    return Markup('<svg class="finish {}" width="100%" height="{}" role="img" aria-label="{}">{}</svg>').format(
        name, f"{height:g}", description, Markup("".join(parts))
    )


def _width(scale: TimeScale, start_ms: float, end_ms: float) -> str:
    return format_percent(min(1.0, scale.fraction(end_ms)) - max(0.0, scale.fraction(start_ms)))


def _overview_ticks(since: float, until: float) -> list[tuple[float, str]]:
    """Return labelled round numbers between two times, at most six."""
    step = next((step for step in TICK_STEPS_MS if (until - since) / step <= 6), TICK_STEPS_MS[-1])
    return [(at * step, strings.format_signed(at * step)) for at in range(-int(-since // step), int(until // step) + 1)]


def _every_other(times: Sequence[float]) -> list[float]:
    """Return every other time of a strip, including the one at the lock: their labels fit on a phone."""
    middle = min(range(len(times)), key=lambda n: abs(times[n]))
    return [at for n, at in enumerate(times) if (n - middle) % 2 == 0]


def _draw_ticks(scale: TimeScale, ticks: Sequence[tuple[float, str]], floor: float, unit: str) -> list[str]:
    """Draw ticks below a scale with their labels; 0 gets the unit."""
    parts = [f'<line class="rail" x1="0" x2="100%" y1="{floor}" y2="{floor}"/>']
    for at, caption in ticks:
        x = scale.x(at)
        text = f"{caption} {unit}".strip() if at == 0 else caption
        parts.append(f'<line class="tick" x1="{x}" x2="{x}" y1="{floor}" y2="{floor + 5}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{floor + 18}" text-anchor="middle">{text}</text>')
    return parts


def _draw_labelled_line(scale: TimeScale, at_ms: float, label: str, name: str, y: float, floor: float) -> list[str]:
    """Draw a vertical line with its label above at ``y``, centred or, near an end, shifted inwards."""
    share, x = scale.fraction(at_ms), scale.x(at_ms)
    anchor = "start" if share < 0.2 else "end" if share > 0.8 else "middle"
    return [
        f'<line class="{name}" x1="{x}" x2="{x}" y1="{y + 4}" y2="{floor}"/>',
        f'<text class="{name}" x="{x}" y="{y}" text-anchor="{anchor}">{label}</text>',
    ]


def _draw_seat(scale: TimeScale, seat: SeatRound, at_ms: float | None, y: float) -> list[str]:
    """Draw a seat's mark at its time over a bar as wide as the uncertainty; an arrow if it is off the scale; a text if
    it never showed."""
    name = drawings.seat_class(seat.seat)
    if at_ms is None and seat.verdict == strings.NOT_JUDGED:
        return []
    if at_ms is None:
        caption = f"seat {seat.seat} showed nothing"
        return [f'<text class="never" x="50%" y="{y + 4:g}" text-anchor="middle">{caption}</text>']
    inside = drawings.seat_mark_inner(seat.seat, MARK_PX)
    if not scale.contains(at_ms):
        late = at_ms > 0
        x, anchor, turn = ("100%", "end", -1) if late else ("0%", "start", 1)
        caption = f"{strings.format_signed(at_ms)} ms →" if late else f"← {strings.format_signed(at_ms)} ms"
        return [
            f'<svg class="{name}" x="{x}" y="{y:g}" overflow="visible"><g transform="translate({turn * MARK_PX // 2})">'
            f'{inside}</g><text class="off" text-anchor="{anchor}" x="{turn * (MARK_PX + 4)}" y="4">'
            f"{caption}</text></svg>"
        ]
    unsure = max(MIN_UNCERTAINTY_MS, seat.uncertainty_ms or 0.0)
    return [
        f'<rect class="unsure {name}" x="{scale.x(at_ms - unsure)}" y="{y - 12:g}" '
        f'width="{_width(scale, at_ms - unsure, at_ms + unsure)}" height="24" rx="2"/>',
        f'<svg class="{name}" x="{scale.x(at_ms)}" y="{y:g}" overflow="visible">{inside}</svg>',
    ]


def _describe_overview(page: RoundPage) -> str:
    """Describe the overview for screen readers."""
    zero = page.first_ms or 0.0
    caption = [
        f"{seat.player.name}: {', '.join(filter(None, (strings.format_lateness(seat), seat.verdict)))}"
        for seat in page.line.seats
    ]
    after = "the first hand" if page.first_ms is not None else "the cue"
    return f"When everybody showed. {'; '.join(caption)}. The lock was {round(page.lock_ms - zero)} ms after {after}."


def _describe_lane(page: RoundPage, seat: SeatRound) -> str:
    """Describe a strip's time scale for screen readers."""
    if seat.shown_ms is None and seat.verdict == strings.NOT_JUDGED:
        return f"Whether {seat.player.name} showed a throw could not be judged."
    if seat.shown_ms is None:
        return f"{seat.player.name} never showed a throw."
    sure = f", give or take {max(1, round(seat.uncertainty_ms))} ms" if seat.uncertainty_ms is not None else ""
    return f"{seat.player.name} showed {strings.format_lock_offset(seat.shown_ms - page.lock_ms)}{sure}."
