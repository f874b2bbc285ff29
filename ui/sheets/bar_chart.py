"""A bar chart of probabilities as SVG, or as PNG with the screen's font. Groups
differ by place, name and hatching, never by colour alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

import cv2
import numpy as np
import pygame

from ui.screen.drawing.text import capital_offset, line_height, render_line, text_width
from ui.screen.drawing.theme import Colour

CHART_WIDTH, CHART_HEIGHT = 1280, 720
"""Size of the chart in pixels."""
PLOT_LEFT, PLOT_RIGHT, PLOT_TOP, PLOT_BOTTOM = 100, 1250, 150, 560
"""The area of the bars in pixels."""
MIN_GROUP_WIDTH = 150
"""Width of a group in pixels below which its name and summary would not fit."""
MAX_BAR_STEP = 84
"""Maximum distance from bar to bar in pixels."""
BACKGROUND_COLOUR: Colour = (255, 255, 255)
TEXT_COLOUR: Colour = (24, 30, 38)
GRID_COLOUR: Colour = (212, 218, 226)
SOLID_COLOUR: Colour = (24, 98, 170)
HATCH_COLOUR: Colour = (150, 62, 40)
HATCH_BACKGROUND_COLOUR: Colour = (250, 233, 226)
AXIS_STEPS: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Round steps: in thousandths for the axis, in degrees for the bars' names."""
CAPITAL_HALF_HEIGHT_EM = 0.36
"""From the middle of a capital down to the baseline, in ems."""


@dataclass(frozen=True)
class Bar:
    """One bar: the number it is for ("" for none), its ``share`` (0–1) and that share as text."""

    name: str
    share: float
    label: str


@dataclass(frozen=True)
class BarGroup:
    """Bars that belong together, with a summary. ``solid`` bars are filled, others hatched."""

    name: str
    summary: str
    solid: bool
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class BarChart:
    """A chart's title and subtitle, its groups from left to right (none empty), and the note below it."""

    title: str
    subtitle: str
    groups: tuple[BarGroup, ...]
    note: str = ""


@dataclass(frozen=True)
class ChartRect:
    """A filled rectangle, in pixels of the chart."""

    x: float
    y: float
    width: float
    height: float
    fill: Colour


@dataclass(frozen=True)
class ChartText:
    """A line of text, in pixels: ``x`` of its ``anchor``, ``y`` of the middle of its capitals, ``size`` of its em."""

    text: str
    x: float
    y: float
    size: int
    anchor: Literal["start", "middle", "end"] = "middle"


ChartShape = ChartRect | ChartText


def layout_chart(chart: BarChart) -> list[ChartShape]:
    """Return the chart as shapes, in drawing order."""
    highest = max(bar.share for group in chart.groups for bar in group.bars)
    step = next(step for step in (count / 1000 for count in AXIS_STEPS) if highest / step <= 6)
    top = step * -(-highest // step)
    shapes: list[ChartShape] = [
        ChartRect(0, 0, CHART_WIDTH, CHART_HEIGHT, BACKGROUND_COLOUR),
        ChartText(chart.title, PLOT_LEFT, 46, 40, "start"),
        ChartText(chart.subtitle, PLOT_LEFT, 92, 22, "start"),
        ChartText(chart.note, PLOT_LEFT, CHART_HEIGHT - 24, 18, "start"),
    ]
    for line in range(round(top / step) + 1):
        y = PLOT_BOTTOM - (PLOT_BOTTOM - PLOT_TOP) * line * step / top
        shapes += [
            ChartRect(PLOT_LEFT, y, PLOT_RIGHT - PLOT_LEFT, 1, GRID_COLOUR),
            ChartText(f"{100 * line * step:g} %", PLOT_LEFT - 10, y, 18, "end"),
        ]
    widths = _group_widths(chart.groups)
    bar_step = min(MAX_BAR_STEP, *(width / len(group.bars) for width, group in zip(widths, chart.groups, strict=True)))
    x = float(PLOT_LEFT)
    for group, width in zip(chart.groups, widths, strict=True):
        shapes += _layout_group(group, x, width, bar_step, (PLOT_BOTTOM - PLOT_TOP) / top)
        x += width
    return [*shapes, ChartRect(PLOT_LEFT, PLOT_BOTTOM, PLOT_RIGHT - PLOT_LEFT, 2, TEXT_COLOUR)]


def _group_widths(groups: Sequence[BarGroup]) -> list[float]:
    """Return the groups' widths: the minimum for each, and the rest in proportion to their bars."""
    spare = PLOT_RIGHT - PLOT_LEFT - MIN_GROUP_WIDTH * len(groups)
    more = [len(group.bars) - 1 for group in groups]
    return [MIN_GROUP_WIDTH + spare * (bars / sum(more) if any(more) else 1 / len(groups)) for bars in more]


def _layout_group(group: BarGroup, left: float, width: float, bar_step: float, scale: float) -> list[ChartShape]:
    """Return a group as shapes: its bars, one every ``bar_step`` pixels and ``scale`` pixels high for a share of 1,
    and below them their names, a bracket, the group's name and summary."""
    shapes: list[ChartShape] = []
    first = left + (width - bar_step * len(group.bars)) / 2
    for place, bar in enumerate(group.bars):
        shapes += _layout_bar(first + place * bar_step + bar_step * 0.1, bar_step * 0.8, bar.share * scale, group.solid)
    label_every = _label_interval(group.bars, bar_step, 20)
    for place, bar in enumerate(group.bars):
        middle = first + (place + 0.5) * bar_step
        if text_width(bar.label, 16) < bar_step:
            shapes.append(ChartText(bar.label, middle, PLOT_BOTTOM - bar.share * scale - 14, 16))
        if bar.name and int(bar.name) % label_every == 0:
            shapes.append(ChartText(bar.name, middle, PLOT_BOTTOM + 20, 20))
    bracket = ChartRect(left + 8, PLOT_BOTTOM + 40, width - 16, 2, TEXT_COLOUR)
    name = ChartText(group.name, left + width / 2, PLOT_BOTTOM + 66, 24)
    return [*shapes, bracket, name, ChartText(group.summary, left + width / 2, PLOT_BOTTOM + 96, 22)]


def _layout_bar(x: float, width: float, height: float, solid: bool) -> list[ChartShape]:
    """Return a bar as shapes, filled or, if it is large enough, hatched."""
    y = PLOT_BOTTOM - height
    whole = ChartRect(x, y, width, height, SOLID_COLOUR if solid else HATCH_COLOUR)
    if solid or width < 6 or height < 6:
        return [whole]
    inside = ChartRect(x + 2, y + 2, width - 4, height - 2, HATCH_BACKGROUND_COLOUR)
    lines = [ChartRect(x + 2, PLOT_BOTTOM - up, width - 4, 2, HATCH_COLOUR) for up in range(8, int(height), 8)]
    return [whole, inside, *lines]


def _label_interval(bars: Sequence[Bar], bar_step: float, size: int) -> int:
    """Return after how many bars there is room for the next name."""
    widest = max(text_width(bar.name, size) for bar in bars) + 10
    for step in AXIS_STEPS:
        if step * bar_step >= widest:
            return step
    return AXIS_STEPS[-1]


def to_svg(shapes: Sequence[ChartShape]) -> str:
    """Return the shapes as the text of an SVG file."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{CHART_WIDTH}" height="{CHART_HEIGHT}"'
        f' viewBox="0 0 {CHART_WIDTH} {CHART_HEIGHT}"'
        ' font-family="FreeSans, Helvetica, Arial, sans-serif" font-weight="bold">'
    ]
    for shape in shapes:
        if isinstance(shape, ChartRect):
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
            lines.append(f'<rect {place} fill="rgb{shape.fill}"/>')
        elif shape.text:
            place = (
                f'x="{shape.x:.1f}" y="{shape.y + CAPITAL_HALF_HEIGHT_EM * shape.size:.1f}" font-size="{shape.size}"'
            )
            look = f'text-anchor="{shape.anchor}" fill="rgb{TEXT_COLOUR}"'
            lines.append(f"<text {place} {look}>{escape(shape.text)}</text>")
    return "\n".join([*lines, "</svg>", ""])


def to_png(shapes: Sequence[ChartShape]) -> bytes:
    """Return the shapes as the bytes of a PNG file."""
    surface = pygame.Surface((CHART_WIDTH, CHART_HEIGHT), 0, 32)
    for shape in shapes:
        if isinstance(shape, ChartRect):
            x, y = round(shape.x), round(shape.y)
            width, height = round(shape.x + shape.width) - x, round(shape.y + shape.height) - y
            surface.fill(shape.fill, (x, y, max(1, width), max(1, height)))
        elif shape.text:
            image = render_line(shape.text, shape.size, TEXT_COLOUR)
            left = shape.x - image.get_width() * {"start": 0, "middle": 0.5, "end": 1}[shape.anchor]
            surface.blit(
                image, (round(left), round(shape.y - line_height(shape.size) / 2 + capital_offset(shape.size)))
            )
    pixels = np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))
    return bytes(cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))[1])
