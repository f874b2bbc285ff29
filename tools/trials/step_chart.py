"""Draw shares by lateness as step curves with their confidence intervals, one panel per curve."""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.trials.tables import LatenessStep
from ui.screen.drawing.theme import Colour
from ui.sheets.bar_chart import (
    BACKGROUND_COLOUR,
    CHART_HEIGHT,
    CHART_WIDTH,
    GRID_COLOUR,
    SOLID_COLOUR,
    TEXT_COLOUR,
    ChartRect,
    ChartShape,
    ChartText,
)

TOP, BOTTOM = 170, 590
"""The panels' upper and lower edges, in pixels of the chart."""
LEFT, RIGHT, GAP = 100, 1250, 90
"""The panels' outer edges, and the gap between two."""
INTERVAL_COLOUR: Colour = (178, 192, 208)
LOCK_COLOUR: Colour = (150, 62, 40)
"""The colour of the line at zero."""


@dataclass(frozen=True)
class Curve:
    """A panel: its title and its steps (at least one), in order."""

    title: str
    steps: tuple[LatenessStep, ...]


def draw_curves(title: str, subtitle: str, curves: Sequence[Curve]) -> list[ChartShape]:
    """Return the chart's shapes in drawing order: the panels side by side."""
    shapes: list[ChartShape] = [
        ChartRect(0, 0, CHART_WIDTH, CHART_HEIGHT, BACKGROUND_COLOUR),
        ChartText(title, LEFT, 46, 40, "start"),
        ChartText(subtitle, LEFT, 92, 20, "start"),
    ]
    width = (RIGHT - LEFT - GAP * (len(curves) - 1)) / max(1, len(curves))
    for number, curve in enumerate(curves):
        shapes += _panel(curve, LEFT + number * (width + GAP), width)
    return shapes


def _panel(curve: Curve, left: float, width: float) -> list[ChartShape]:
    since, until = curve.steps[0].since_ms, curve.steps[-1].until_ms

    def x(ms: float) -> float:
        return left + width * (ms - since) / (until - since)

    def y(share: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * share

    count = sum(step.caught.total for step in curve.steps)
    shapes: list[ChartShape] = [ChartText(f"{curve.title} (n = {count:,})", left, TOP - 34, 24, "start")]
    for fifth in range(6):
        shapes += [
            ChartRect(left, y(fifth / 5), width, 1, GRID_COLOUR),
            ChartText(f"{20 * fifth} %", left - 10, y(fifth / 5), 18, "end"),
        ]
    spans = [(x(step.since_ms), x(step.until_ms) - x(step.since_ms), step.caught) for step in curve.steps]
    for start, length, caught in spans:
        low, high = caught.bounds
        shapes.append(ChartRect(start, y(high), length, y(low) - y(high), INTERVAL_COLOUR))
    for start, length, caught in spans:
        shapes.append(ChartRect(start, y(caught.share) - 2, length, 5, SOLID_COLOUR))
    if since <= 0 <= until:
        shapes += [ChartRect(x(0) - 1, TOP, 2, BOTTOM - TOP, LOCK_COLOUR), ChartText("lock", x(0), BOTTOM + 52, 18)]
    for ms in range(-200, 1000, 100):
        if since <= ms <= until:
            shapes += [
                ChartRect(x(ms), BOTTOM, 2, 8, TEXT_COLOUR),
                ChartText(f"{ms:+d}" if ms else "0", x(ms), BOTTOM + 24, 18),
            ]
    return [
        *shapes,
        ChartRect(left, BOTTOM, width, 2, TEXT_COLOUR),
        ChartText("ms after the lock", left + width, BOTTOM + 80, 18, "end"),
    ]
