"""Painter of facts: an icon, the fact's label and its value, one after the other in as many rows as fit; where space is
short, the icon alone replaces the label."""

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from rules.engine.scoreboard import LabelUse
from ui.screen.drawing.canvas import Alignment, Canvas
from ui.screen.drawing.text import line_height, text_width
from ui.screen.drawing.theme import ACCENT, MUTED, TEXT, Colour, TextRole
from ui.screen.pages import fact_words
from ui.screen.pages.scoreboard import Fact, Facts

ICON_GAP_EM = 0.35
"""The gap between an icon and its text, as a share of the type size."""
FACT_GAP_EM = 1.1
"""The gap between two facts, as a share of the type size."""


@dataclass(frozen=True)
class _FactChip:
    """A fact as it is drawn: its icon, its label, a throw's icon and its value, of which each may be missing."""

    icon: str | None
    label: str
    throw: str | None
    value: str

    def width(self, size: int) -> int:
        """Return its width in pixels with type of ``size``."""
        icon_sizes = [size for icon in (self.icon, self.throw) if icon is not None]
        texts = [text_width(text, size) for text in (self.label, self.value) if text]
        return sum(icon_sizes) + sum(texts) + round(ICON_GAP_EM * size) * (len(icon_sizes) + len(texts) - 1)


def draw_facts(
    canvas: Canvas,
    box: Rect,
    facts: Facts,
    size: int,
    *,
    align: Alignment = "left",
    role: TextRole = "personal",
) -> None:
    """Draw ``facts`` in ``box``, with type of ``size`` or, where that has no room, smaller down to the minimum of
    their ``role``. Labels that an icon can replace are left out if they would not fit otherwise."""
    if not facts or box.w <= 0 or box.h <= 0:
        return
    rows, smaller = _fit_rows(canvas, box.w, box.h, facts, size, role)
    _draw_rows(canvas, box, rows, smaller, align, role)


def fitted_size(canvas: Canvas, width: int, height: int, facts: Facts, size: int, role: TextRole) -> float:
    """Return the size of type that ``facts`` get in a box of that size; a little less where icons replace labels."""
    if not facts:
        return size
    rows, smaller = _fit_rows(canvas, width, height, facts, size, role)
    short = any(chip.icon and not chip.label for row in rows for chip in row)
    return smaller * (0.8 if short else 1.0)


def facts_fit(canvas: Canvas, width: int, height: int, facts: Facts, role: TextRole) -> bool:
    """Return whether ``facts`` fit a box of that size at the minimum size of their ``role``."""
    least = canvas.theme.min_text_size(role)
    return not facts or _fit_rows(canvas, width, height, facts, least, role)[1] >= least


def readable_facts(canvas: Canvas, width: int, height: int, facts: Facts) -> Facts:
    """Return those of ``facts`` that one person can read in a box of that size, the first ones first."""
    readable: Facts = ()
    for fact in facts:
        readable = (*readable, fact) if facts_fit(canvas, width, height, (*readable, fact), "personal") else readable
    return readable


def _fit_rows(
    canvas: Canvas, width: int, height: int, facts: Facts, size: int, role: TextRole
) -> tuple[list[list[_FactChip]], int]:
    """Return the rows that ``facts`` take in a box, and their size of type."""
    least, floor = canvas.theme.min_text_size(role), max(1, canvas.theme.smallest // 2)
    size = max(size, least)
    for short, smallest in ((False, max(least, round(size * 0.72))), (True, floor)):
        chips = [_make_chip(fact, short) for fact in facts]
        for smaller in range(size, smallest - 1, -1):
            rows = _break_rows(chips, width, smaller)
            if rows is not None and len(rows) * line_height(smaller) <= height:
                return rows, smaller
    return [[chip] for chip in chips], floor


def _make_chip(fact: Fact, short: bool) -> _FactChip:
    icon, throw = fact_words.fact_icon(fact), fact_words.fact_throw(fact)
    value = fact_words.short_fact_value(fact) if short else fact_words.fact_value(fact)
    is_drawn = throw is not None or fact_words.fact_outcome(fact) is not None
    icon_only = short and icon is not None and bool(value)
    leaves_label_out = icon_only or (is_drawn and fact.shown.labelled is LabelUse.IN_WORDS)
    label = "" if leaves_label_out else fact_words.fact_label(fact)
    return _FactChip(icon, label, throw, "" if short and throw else value)


def _break_rows(chips: Sequence[_FactChip], width: int, size: int) -> list[list[_FactChip]] | None:
    """Return the chips in rows no wider than ``width`` pixels; None if one chip is wider."""
    rows: list[list[_FactChip]] = [[]]
    used = 0
    for chip in chips:
        chip_width = chip.width(size)
        if chip_width > width:
            return None
        if rows[-1] and used + round(FACT_GAP_EM * size) + chip_width > width:
            rows.append([])
        used = chip_width if not rows[-1] else used + round(FACT_GAP_EM * size) + chip_width
        rows[-1].append(chip)
    return rows


def _draw_rows(
    canvas: Canvas,
    box: Rect,
    rows: Sequence[Sequence[_FactChip]],
    size: int,
    align: Alignment,
    role: TextRole,
) -> None:
    row_height = line_height(size)
    y = box.y + max(0, box.h - row_height * len(rows)) // 2
    for chips in rows:
        row_width = sum(chip.width(size) for chip in chips) + round(FACT_GAP_EM * size) * (len(chips) - 1)
        free_width = max(0, box.w - row_width)
        x = box.x + {"left": 0, "centre": free_width // 2, "right": free_width}[align]
        for chip in chips:
            _draw_chip(canvas, Rect(x, y, min(chip.width(size), box.right - x), row_height), chip, size, role)
            x += chip.width(size) + round(FACT_GAP_EM * size)
        y += row_height


def _draw_chip(canvas: Canvas, box: Rect, chip: _FactChip, size: int, role: TextRole) -> None:
    gap, x = round(ICON_GAP_EM * size), box.x

    def draw_icon(name: str, colour: Colour) -> None:
        nonlocal x
        canvas.icon(Rect(x, box.y + (box.h - size) // 2, size, size), name, colour)
        x += size + gap

    def draw_text(text: str, colour: Colour) -> None:
        nonlocal x
        drawn_width = text_width(text, size)
        rect = Rect(x, box.y, min(drawn_width, box.right - x), box.h)
        canvas.text(rect, text, size, colour, align="left", min_size=size, role=role)
        x += drawn_width + gap

    if chip.icon is not None:
        draw_icon(chip.icon, ACCENT if chip.icon == "crown" else MUTED)
    if chip.label:
        draw_text(chip.label, MUTED if chip.value or chip.throw else TEXT)
    if chip.throw is not None:
        draw_icon(chip.throw, TEXT)
    if chip.value:
        draw_text(chip.value, TEXT)
