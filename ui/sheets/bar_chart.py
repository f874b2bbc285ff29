"""A bar chart of chances, drawn once as boxes and words: as SVG text, or as PNG by the same brushes as the screen.
Groups are told apart by their place, their name and hatching, never by colour alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

import cv2
import numpy as np
import pygame

from ui.screen.drawing.text import line_height, rendered, sink, width
from ui.screen.drawing.theme import Colour

WIDE, HIGH = 1280, 720
"""The picture in pixels."""
LEFT, RIGHT, TOP, FLOOR = 100, 1250, 150, 560
"""Where the bars stand: between LEFT and RIGHT, from TOP down to FLOOR."""
GROUP = 150
"""The least width of a group in pixels: its name and its chance fit below it."""
WIDEST = 84
"""The widest step from bar to bar, in pixels."""
PAPER: Colour = (255, 255, 255)
INK: Colour = (24, 30, 38)
FAINT: Colour = (212, 218, 226)
SOLID: Colour = (24, 98, 170)
HATCH: Colour = (150, 62, 40)
HATCH_PAPER: Colour = (250, 233, 226)
STEPS: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Numbers people count in: thousandths of a share, and degrees."""
CAPITALS = 0.36
"""Half the height of a capital, in ems: from the middle of a line of capitals down to its baseline."""


@dataclass(frozen=True)
class Bar:
    """One bar: the number it is for ("" for none), its ``share`` (0–1) and that share in words."""

    name: str
    share: float
    words: str


@dataclass(frozen=True)
class Group:
    """Bars that belong together, with what they come to in words. ``solid`` ones are filled, others hatched."""

    name: str
    words: str
    solid: bool
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Chart:
    """A chart's two lines of title, its groups from left to right (none empty), and what is said below it."""

    title: str
    subtitle: str
    groups: tuple[Group, ...]
    note: str = ""


@dataclass(frozen=True)
class Box:
    """A filled rectangle, in pixels of the picture."""

    x: float
    y: float
    w: float
    h: float
    fill: Colour


@dataclass(frozen=True)
class Words:
    """A line of text. ``x`` is where its ``side`` is, ``y`` the middle of its capitals, ``size`` its em, in pixels."""

    text: str
    x: float
    y: float
    size: int
    side: Literal["start", "middle", "end"] = "middle"


Shape = Box | Words


def draw(chart: Chart) -> list[Shape]:
    """The chart as shapes, to be drawn in their order."""
    highest = max(bar.share for group in chart.groups for bar in group.bars)
    step = next(step for step in (count / 1000 for count in STEPS) if highest / step <= 6)
    top = step * -(-highest // step)
    shapes: list[Shape] = [
        Box(0, 0, WIDE, HIGH, PAPER),
        Words(chart.title, LEFT, 46, 40, "start"),
        Words(chart.subtitle, LEFT, 92, 22, "start"),
        Words(chart.note, LEFT, HIGH - 24, 18, "start"),
    ]
    for line in range(round(top / step) + 1):
        y = FLOOR - (FLOOR - TOP) * line * step / top
        shapes += [Box(LEFT, y, RIGHT - LEFT, 1, FAINT), Words(f"{100 * line * step:g} %", LEFT - 10, y, 18, "end")]
    widths = _widths(chart.groups)
    pace = min(WIDEST, *(width / len(group.bars) for width, group in zip(widths, chart.groups, strict=True)))
    x = float(LEFT)
    for group, wide in zip(chart.groups, widths, strict=True):
        shapes += _drawn(group, x, wide, pace, (FLOOR - TOP) / top)
        x += wide
    return [*shapes, Box(LEFT, FLOOR, RIGHT - LEFT, 2, INK)]


def _widths(groups: Sequence[Group]) -> list[float]:
    """How the width is shared out: to every group the least, and the rest by their bars."""
    spare = RIGHT - LEFT - GROUP * len(groups)
    more = [len(group.bars) - 1 for group in groups]
    return [GROUP + spare * (bars / sum(more) if any(more) else 1 / len(groups)) for bars in more]


def _drawn(group: Group, left: float, wide: float, pace: float, scale: float) -> list[Shape]:
    """A group ``wide`` pixels wide: its bars, one every ``pace`` pixels and ``scale`` pixels high for a share of 1,
    and below them their names, a bracket, the group's name and what it comes to."""
    shapes: list[Shape] = []
    first = left + (wide - pace * len(group.bars)) / 2
    for place, bar in enumerate(group.bars):
        shapes += _bar(first + place * pace + pace * 0.1, pace * 0.8, bar.share * scale, group.solid)
    every = _every(group.bars, pace, 20)
    for place, bar in enumerate(group.bars):
        middle = first + (place + 0.5) * pace
        if width(bar.words, 16) < pace:
            shapes.append(Words(bar.words, middle, FLOOR - bar.share * scale - 14, 16))
        if bar.name and int(bar.name) % every == 0:
            shapes.append(Words(bar.name, middle, FLOOR + 20, 20))
    bracket = Box(left + 8, FLOOR + 40, wide - 16, 2, INK)
    name = Words(group.name, left + wide / 2, FLOOR + 66, 24)
    return [*shapes, bracket, name, Words(group.words, left + wide / 2, FLOOR + 96, 22)]


def _bar(x: float, wide: float, high: float, solid: bool) -> list[Shape]:
    """A bar that stands on the floor, filled or, where it is wide enough to show it, hatched."""
    y = FLOOR - high
    whole = Box(x, y, wide, high, SOLID if solid else HATCH)
    if solid or wide < 6 or high < 6:
        return [whole]
    inside = Box(x + 2, y + 2, wide - 4, high - 2, HATCH_PAPER)
    lines = [Box(x + 2, FLOOR - up, wide - 4, 2, HATCH) for up in range(8, int(high), 8)]
    return [whole, inside, *lines]


def _every(bars: Sequence[Bar], pace: float, size: int) -> int:
    """Every how many bars there is room for a name."""
    widest = max(width(bar.name, size) for bar in bars) + 10
    for step in STEPS:
        if step * pace >= widest:
            return step
    return STEPS[-1]


def as_svg(shapes: Sequence[Shape]) -> str:
    """The shapes as an SVG file's text."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}"'
        ' font-family="FreeSans, Helvetica, Arial, sans-serif" font-weight="bold">'
    ]
    for shape in shapes:
        if isinstance(shape, Box):
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.w:.1f}" height="{shape.h:.1f}"'
            lines.append(f'<rect {place} fill="rgb{shape.fill}"/>')
        elif shape.text:
            place = f'x="{shape.x:.1f}" y="{shape.y + CAPITALS * shape.size:.1f}" font-size="{shape.size}"'
            look = f'text-anchor="{shape.side}" fill="rgb{INK}"'
            lines.append(f"<text {place} {look}>{escape(shape.text)}</text>")
    return "\n".join([*lines, "</svg>", ""])


def as_png(shapes: Sequence[Shape]) -> bytes:
    """The shapes as a PNG file's bytes."""
    surface = pygame.Surface((WIDE, HIGH), 0, 32)
    for shape in shapes:
        if isinstance(shape, Box):
            x, y = round(shape.x), round(shape.y)
            wide, high = round(shape.x + shape.w) - x, round(shape.y + shape.h) - y
            surface.fill(shape.fill, (x, y, max(1, wide), max(1, high)))
        elif shape.text:
            picture = rendered(shape.text, shape.size, INK)
            left = shape.x - picture.get_width() * {"start": 0, "middle": 0.5, "end": 1}[shape.side]
            surface.blit(picture, (round(left), round(shape.y - line_height(shape.size) / 2 + sink(shape.size))))
    pixels = np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))
    return bytes(cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))[1])
