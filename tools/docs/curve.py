"""Shares against time, drawn as steps with their bounds, one panel for each curve; made of the same boxes and words as
the bar charts."""

from collections.abc import Sequence
from dataclasses import dataclass

from ui.screen.drawing.theme import Colour
from ui.sheets.bar_chart import FAINT, HIGH, INK, PAPER, SOLID, Box, Shape, Words

TOP, FLOOR = 170, 590
"""Where the panels stand, in pixels of the picture."""
LEFT, RIGHT, BETWEEN = 100, 1250, 90
"""The panels' outer edges, and the room between two."""
WIDE = 1280
BAND: Colour = (178, 192, 208)
EDGE: Colour = (150, 62, 40)
"""The line of zero."""


@dataclass(frozen=True)
class Point:
    """A step: from ``since`` to ``until`` (ms), the share (0–1), its bounds, and how many it is of."""

    since: float
    until: float
    share: float
    low: float
    high: float
    of: int


@dataclass(frozen=True)
class Curve:
    """A panel: its title and its steps (at least one), in order."""

    title: str
    points: tuple[Point, ...]


def draw(title: str, subtitle: str, curves: Sequence[Curve]) -> list[Shape]:
    """The panels side by side as shapes, to be drawn in their order; none, where there is no curve."""
    shapes: list[Shape] = [
        Box(0, 0, WIDE, HIGH, PAPER),
        Words(title, LEFT, 46, 40, "start"),
        Words(subtitle, LEFT, 92, 20, "start"),
    ]
    wide = (RIGHT - LEFT - BETWEEN * (len(curves) - 1)) / max(1, len(curves))
    for number, curve in enumerate(curves):
        shapes += _panel(curve, LEFT + number * (wide + BETWEEN), wide)
    return shapes


def _panel(curve: Curve, left: float, wide: float) -> list[Shape]:
    since, until = curve.points[0].since, curve.points[-1].until

    def x(ms: float) -> float:
        return left + wide * (ms - since) / (until - since)

    def y(share: float) -> float:
        return FLOOR - (FLOOR - TOP) * share

    count = sum(point.of for point in curve.points)
    shapes: list[Shape] = [Words(f"{curve.title} (n = {count:,})", left, TOP - 34, 24, "start")]
    for fifth in range(6):
        shapes += [
            Box(left, y(fifth / 5), wide, 1, FAINT),
            Words(f"{20 * fifth} %", left - 10, y(fifth / 5), 18, "end"),
        ]
    for point in curve.points:
        shapes.append(
            Box(x(point.since), y(point.high), x(point.until) - x(point.since), y(point.low) - y(point.high), BAND)
        )
    for point in curve.points:
        shapes.append(Box(x(point.since), y(point.share) - 2, x(point.until) - x(point.since), 5, SOLID))
    if since <= 0 <= until:
        shapes += [Box(x(0) - 1, TOP, 2, FLOOR - TOP, EDGE), Words("lock", x(0), FLOOR + 52, 18)]
    for ms in range(-200, 1000, 100):
        if since <= ms <= until:
            shapes += [Box(x(ms), FLOOR, 2, 8, INK), Words(f"{ms:+d}" if ms else "0", x(ms), FLOOR + 24, 18)]
    return [*shapes, Box(left, FLOOR, wide, 2, INK), Words("ms after the lock", left + wide, FLOOR + 80, 18, "end")]
