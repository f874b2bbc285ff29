"""How facts are drawn wherever they stand: a drawing, what the fact is called and its value, one after the other in as
many rows as there is room for; where it gets narrow, the drawing alone stands for the name."""

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from ui.screen.drawing.canvas import Alignment, Canvas
from ui.screen.drawing.text import line_height, text_width
from ui.screen.drawing.theme import ACCENT, MUTED, TEXT, Colour
from ui.screen.pages.scoreboard import strings
from ui.screen.pages.scoreboard.view import Fact, Facts

ICON_GAP_EM = 0.35
"""Between a drawing and its words, in shares of the type's size."""
FACT_GAP_EM = 1.1
"""Between two facts."""


@dataclass(frozen=True)
class _FactChip:
    """A fact as it is drawn: a drawing, its name, the drawing of a throw, its value; each may be nothing."""

    icon: str | None
    name: str
    throw: str | None
    value: str

    def width(self, size: int) -> int:
        """How many pixels it takes with type of ``size``."""
        signs = [size for sign in (self.icon, self.throw) if sign is not None]
        texts = [text_width(text, size) for text in (self.name, self.value) if text]
        return sum(signs) + sum(texts) + round(ICON_GAP_EM * size) * (len(signs) + len(texts) - 1)


def draw_facts(
    canvas: Canvas,
    box: Rect,
    facts: Facts,
    size: int,
    *,
    align: Alignment = "left",
    vertical_align: Alignment = "centre",
    colour: Colour = TEXT,
) -> None:
    """``told`` in ``box``, with type no larger than ``size``. Names are left out, where a drawing can stand for them,
    only if it would not fit otherwise."""
    if not facts or box.w <= 0 or box.h <= 0:
        return
    rows, smaller = _fit_rows(canvas, box.w, box.h, facts, size)
    _draw_rows(canvas, box, rows, smaller, align, vertical_align, colour)


def fitted_size(canvas: Canvas, width: int, height: int, facts: Facts, size: int) -> float:
    """How large the type of ``told`` would be in a box of that size; a little less where drawings stand for names."""
    if not facts:
        return size
    rows, smaller = _fit_rows(canvas, width, height, facts, size)
    short = any(chip.icon and not chip.name for row in rows for chip in row)
    return smaller * (0.8 if short else 1.0)


def _fit_rows(canvas: Canvas, width: int, height: int, facts: Facts, size: int) -> tuple[list[list[_FactChip]], int]:
    """The rows that ``told`` take of a box, and the size of type they do that at."""
    least = canvas.theme.smallest
    for short, smallest in ((False, max(least, round(size * 0.72))), (True, least), (True, max(1, least // 2))):
        chips = [_make_chip(fact, short) for fact in facts]
        for smaller in range(size, smallest - 1, -1):
            rows = _break_rows(chips, width, smaller)
            if rows is not None and len(rows) * line_height(smaller) <= height:
                return rows, smaller
    return [[chip] for chip in chips], max(1, least // 2)


def _make_chip(fact: Fact, short: bool) -> _FactChip:
    drawing, throw = strings.fact_icon(fact), strings.fact_throw(fact)
    value = strings.short_fact_value(fact) if short else strings.fact_value(fact)
    if fact.name == "outcomes":
        return _FactChip(drawing, "", None, value)
    named = strings.fact_label(fact)
    if fact.name == "phase":
        return _FactChip(None, "", None, value)
    bare = short and drawing is not None and bool(value)
    return _FactChip(drawing, "" if bare else named, throw, "" if short and throw else value)


def _break_rows(chips: Sequence[_FactChip], width: int, size: int) -> list[list[_FactChip]] | None:
    """The chips in rows of ``wide`` pixels; None where one is too wide for any."""
    rows: list[list[_FactChip]] = [[]]
    used = 0
    for chip in chips:
        took = chip.width(size)
        if took > width:
            return None
        if rows[-1] and used + round(FACT_GAP_EM * size) + took > width:
            rows.append([])
        used = took if not rows[-1] else used + round(FACT_GAP_EM * size) + took
        rows[-1].append(chip)
    return rows


def _draw_rows(
    canvas: Canvas,
    box: Rect,
    rows: Sequence[Sequence[_FactChip]],
    size: int,
    align: Alignment,
    vertical_align: Alignment,
    colour: Colour,
) -> None:
    high = line_height(size)
    free = max(0, box.h - high * len(rows))
    y = box.y + {"left": 0, "centre": free // 2, "right": free}[vertical_align]
    for chips in rows:
        wide = sum(chip.width(size) for chip in chips) + round(FACT_GAP_EM * size) * (len(chips) - 1)
        spare = max(0, box.w - wide)
        x = box.x + {"left": 0, "centre": spare // 2, "right": spare}[align]
        for chip in chips:
            _draw_chip(canvas, Rect(x, y, min(chip.width(size), box.right - x), high), chip, size, colour)
            x += chip.width(size) + round(FACT_GAP_EM * size)
        y += high


def _draw_chip(canvas: Canvas, box: Rect, chip: _FactChip, size: int, colour: Colour) -> None:
    gap, x = round(ICON_GAP_EM * size), box.x

    def drawn(name: str, colour: Colour) -> None:
        nonlocal x
        canvas.icon(Rect(x, box.y + (box.h - size) // 2, size, size), name, colour)
        x += size + gap

    def said(text: str, colour: Colour) -> None:
        nonlocal x
        took = text_width(text, size)
        canvas.text(Rect(x, box.y, min(took, box.right - x), box.h), text, size, colour, align="left", min_size=size)
        x += took + gap

    if chip.icon is not None:
        drawn(chip.icon, ACCENT if chip.icon == "crown" else MUTED)
    if chip.name:
        said(chip.name, MUTED if chip.value or chip.throw else colour)
    if chip.throw is not None:
        drawn(chip.throw, colour)
    if chip.value:
        said(chip.value, colour)
