"""How facts are drawn wherever they stand: a drawing, what the fact is called and its value, one after the other in as
many rows as there is room for; where it gets narrow, the drawing alone stands for the name."""

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from ui.screen.drawing.canvas import Canvas, Side
from ui.screen.drawing.text import line_height, width
from ui.screen.drawing.theme import ACCENT, MUTED, TEXT, Colour
from ui.screen.pages.standing import strings as standing_strings
from ui.screen.pages.standing.view import Fact, Facts

SPACE = 0.35
"""Between a drawing and its words, in shares of the type's size."""
APART = 1.1
"""Between two facts."""


@dataclass(frozen=True)
class _Chip:
    """A fact as it is drawn: a drawing, its name, the drawing of a throw, its value; each may be nothing."""

    drawing: str | None
    name: str
    throw: str | None
    value: str

    def wide(self, size: int) -> int:
        """How many pixels it takes with type of ``size``."""
        signs = [size for sign in (self.drawing, self.throw) if sign is not None]
        texts = [width(text, size) for text in (self.name, self.value) if text]
        return sum(signs) + sum(texts) + round(SPACE * size) * (len(signs) + len(texts) - 1)


def facts(
    canvas: Canvas, box: Rect, told: Facts, size: int, *, side: Side = "left", at: Side = "centre", ink: Colour = TEXT
) -> None:
    """``told`` in ``box``, with type no larger than ``size``. Names are left out, where a drawing can stand for them,
    only if it would not fit otherwise."""
    if not told or box.w <= 0 or box.h <= 0:
        return
    rows, smaller = _fitted(canvas, box.w, box.h, told, size)
    _draw(canvas, box, rows, smaller, side, at, ink)


def size_in(canvas: Canvas, wide: int, high: int, told: Facts, size: int) -> float:
    """How large the type of ``told`` would be in a box of that size; a little less where drawings stand for names."""
    if not told:
        return size
    rows, smaller = _fitted(canvas, wide, high, told, size)
    short = any(chip.drawing and not chip.name for row in rows for chip in row)
    return smaller * (0.8 if short else 1.0)


def _fitted(canvas: Canvas, wide: int, high: int, told: Facts, size: int) -> tuple[list[list[_Chip]], int]:
    """The rows that ``told`` take of a box, and the size of type they do that at."""
    least = canvas.theme.least
    for short, smallest in ((False, max(least, round(size * 0.72))), (True, least), (True, max(1, least // 2))):
        chips = [_chip(fact, short) for fact in told]
        for smaller in range(size, smallest - 1, -1):
            rows = _rows(chips, wide, smaller)
            if rows is not None and len(rows) * line_height(smaller) <= high:
                return rows, smaller
    return [[chip] for chip in chips], max(1, least // 2)


def _chip(fact: Fact, short: bool) -> _Chip:
    drawing, throw = standing_strings.icon(fact), standing_strings.throw(fact)
    value = standing_strings.short(fact) if short else standing_strings.told(fact)
    if fact.name == "outcomes":
        return _Chip(drawing, "", None, value)
    named = standing_strings.label(fact)
    if fact.name == "phase":
        return _Chip(None, "", None, value)
    bare = short and drawing is not None and bool(value)
    return _Chip(drawing, "" if bare else named, throw, "" if short and throw else value)


def _rows(chips: Sequence[_Chip], wide: int, size: int) -> list[list[_Chip]] | None:
    """The chips in rows of ``wide`` pixels; None where one is too wide for any."""
    rows: list[list[_Chip]] = [[]]
    used = 0
    for chip in chips:
        took = chip.wide(size)
        if took > wide:
            return None
        if rows[-1] and used + round(APART * size) + took > wide:
            rows.append([])
        used = took if not rows[-1] else used + round(APART * size) + took
        rows[-1].append(chip)
    return rows


def _draw(
    canvas: Canvas, box: Rect, rows: Sequence[Sequence[_Chip]], size: int, side: Side, at: Side, ink: Colour
) -> None:
    high = line_height(size)
    free = max(0, box.h - high * len(rows))
    y = box.y + {"left": 0, "centre": free // 2, "right": free}[at]
    for chips in rows:
        wide = sum(chip.wide(size) for chip in chips) + round(APART * size) * (len(chips) - 1)
        spare = max(0, box.w - wide)
        x = box.x + {"left": 0, "centre": spare // 2, "right": spare}[side]
        for chip in chips:
            _draw_chip(canvas, Rect(x, y, min(chip.wide(size), box.right - x), high), chip, size, ink)
            x += chip.wide(size) + round(APART * size)
        y += high


def _draw_chip(canvas: Canvas, box: Rect, chip: _Chip, size: int, ink: Colour) -> None:
    gap, x = round(SPACE * size), box.x

    def drawn(name: str, colour: Colour) -> None:
        nonlocal x
        canvas.icon(Rect(x, box.y + (box.h - size) // 2, size, size), name, colour)
        x += size + gap

    def said(text: str, colour: Colour) -> None:
        nonlocal x
        took = width(text, size)
        canvas.text(Rect(x, box.y, min(took, box.right - x), box.h), text, size, colour, side="left", least=size)
        x += took + gap

    if chip.drawing is not None:
        drawn(chip.drawing, ACCENT if chip.drawing == "crown" else MUTED)
    if chip.name:
        said(chip.name, MUTED if chip.value or chip.throw else ink)
    if chip.throw is not None:
        drawn(chip.throw, ink)
    if chip.value:
        said(chip.value, ink)
