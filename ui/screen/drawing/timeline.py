"""A round's timeline on the screen: when each hand showed, the lock and, on some pages, the first hand."""

import math
from collections.abc import Callable

from pygame import Rect

from ui.charts.timeline import TimeLine
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, TEXT, seat_mark


class TimeLinePainter:
    """Draws ``line`` on a panel in ``box``: every seat's mark over a bar as wide as the uncertainty, above them the
    labels of the lock and the first hand, below them ``label(ms)`` of every seat or, with ``ticks``, of round times;
    nothing if ``label`` is ``None``."""

    def __init__(
        self, canvas: Canvas, box: Rect, line: TimeLine, label: Callable[[float], str] | None, *, ticks: bool = False
    ) -> None:
        theme = canvas.theme
        canvas.panel(box, PANEL)
        inner = layout.inset(box, theme.units(3), theme.units(0.4))
        least = line_height(theme.small)
        above, inner = layout.split_top(inner, max(inner.h // 4, least), 0)
        below_height = theme.units(0.8) + (max(inner.h // 3, least) if label is not None else 0)
        self.lane, below = layout.split_bottom(inner, below_height, 0)
        below = layout.split_top(below, theme.units(0.8), 0)[1]
        self._line, self._thick = line, max(2, theme.units(0.4))
        canvas.fill(LINE, Rect(self.lane.x, self.lane.bottom, self.lane.w, self._thick))
        self._draw_reference_lines(canvas, above)
        self._labels: list[tuple[float, Rect, str]] = []
        if label is None:
            return
        if ticks:
            self._draw_ticks(canvas, box, below, label)
        else:
            self._place_labels(canvas, below, label)

    def x(self, ms: float) -> int:
        """Return a time's position in pixels; beyond the scale, the nearer end."""
        return self.lane.x + round(self._line.scale.clamp(ms) * (self.lane.w - 1))

    def draw_seats(self, canvas: Canvas, until_ms: float = math.inf) -> None:
        """Draw the marks of the seats that showed until then, and their labels."""
        theme, lane, surface = canvas.theme, self.lane, canvas.surface
        side, stem, bar_height = min(lane.h * 5 // 8, theme.units(6)), max(1, theme.units(0.3)), theme.units(1.6)
        step = max(0, lane.h - side - bar_height) / max(1, len(self._line.seats) - 1)
        for number, seat in enumerate(self._line.seats):
            if seat.ms is None or seat.ms > until_ms:
                continue
            x, mark = self.x(seat.ms), seat_mark(seat.seat)
            rect = Rect(x - side // 2, lane.y + round(number * step), side, side)
            start, end = self.x(seat.ms - seat.uncertainty_ms), self.x(seat.ms + seat.uncertainty_ms)
            surface.fill(mark.colour, Rect(x - stem // 2, rect.y, stem, lane.bottom - rect.y))
            bar = Rect(start, lane.bottom - bar_height, max(stem, end - start + 1), bar_height)
            surface.fill(mark.colour, bar)
            canvas.icon(rect.inflate(theme.units(0.8), theme.units(0.8)), mark.shape, PANEL)
            canvas.icon(rect, mark.shape, mark.colour)
        for ms, rect, label in self._labels:
            if ms <= until_ms:
                canvas.text(rect, label, theme.title, TEXT if ms else MUTED)

    def draw_cursor(self, canvas: Canvas, ms: float) -> None:
        """Draw a thin line at a time."""
        canvas.fill(TEXT, Rect(self.x(ms), self.lane.y, 2, self.lane.h))

    def _draw_reference_lines(self, canvas: Canvas, above: Rect) -> None:
        """Draw the lock and the first hand with their labels, apart from each other: the lock's is on the right."""
        size, free = canvas.theme.title, above.right
        for reference in sorted(self._line.lines, key=lambda reference: reference.kind, reverse=True):
            lock = reference.kind == "lock"
            x, half = self.x(reference.ms), self._thick if lock else self._thick // 2
            canvas.fill(ACCENT if lock else TEXT, Rect(x - half, self.lane.y, 2 * half, self.lane.h))
            width = canvas.text_width(reference.label, size, above.w // 2, above.h) + 2
            rect = Rect(max(above.x, min(free - width, x - width // 2)), above.y, width, above.h)
            if rect.right <= free:
                canvas.text(rect, reference.label, size, ACCENT if lock else MUTED)
            free = rect.x - canvas.theme.gap

    def _draw_ticks(self, canvas: Canvas, box: Rect, below: Rect, label: Callable[[float], str]) -> None:
        theme, width = canvas.theme, canvas.theme.units(13)
        for at in self._line.scale.ticks(self.lane.w / width):
            x = self.x(at)
            canvas.fill(LINE, Rect(x, self.lane.bottom, max(1, theme.units(0.3)), theme.units(1)))
            rect = Rect(x - width // 2, below.y, width, below.h)
            if box.contains(rect):
                canvas.text(rect, label(at), theme.small, MUTED)

    def _place_labels(self, canvas: Canvas, below: Rect, label: Callable[[float], str]) -> None:
        """Place the seats' labels below their marks, the first first, without those for which there is no room."""
        size, free = canvas.theme.title, below.x
        for ms in sorted(seat.ms for seat in self._line.seats if seat.ms is not None):
            width = canvas.text_width(label(ms), size, below.w // 3, below.h)
            rect = Rect(max(free, min(below.right, self.x(ms) + width // 2) - width), below.y, width, below.h)
            if rect.x <= self.x(ms) and rect.right <= below.right:
                self._labels.append((ms, rect, label(ms)))
                free = rect.right + canvas.theme.gap
