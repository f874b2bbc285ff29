"""Rectangles split into rows, columns and grids. Nothing here draws."""

from collections.abc import Sequence

from pygame import Rect


def rows(box: Rect, weights: Sequence[float], gap: int) -> list[Rect]:
    """Split ``box`` from top to bottom by ``weights``, with ``gap`` pixels in between."""
    return [Rect(box.x, start, box.w, size) for start, size in _split(box.y, box.h, weights, gap)]


def columns(box: Rect, weights: Sequence[float], gap: int) -> list[Rect]:
    """Split ``box`` from left to right by ``weights``, with ``gap`` pixels in between."""
    return [Rect(start, box.y, size, box.h) for start, size in _split(box.x, box.w, weights, gap)]


def grid(box: Rect, count: int, across: int, gap: int) -> list[Rect]:
    """Return ``count`` cells of one size, ``across`` to a row, the last row centred."""
    down = -(-count // across)
    cells: list[Rect] = []
    for number, row in enumerate(rows(box, [1] * down, gap)):
        in_row = min(across, count - number * across)
        full_row = columns(row, [1] * across, gap)
        shift = (full_row[-1].right - full_row[in_row - 1].right) // 2
        cells += [cell.move(shift, 0) for cell in full_row[:in_row]]
    return cells


def split_top(box: Rect, height: int, gap: int) -> tuple[Rect, Rect]:
    """Return the top ``height`` pixels of ``box``, and the rest below the gap."""
    return Rect(box.x, box.y, box.w, height), Rect(box.x, box.y + height + gap, box.w, max(0, box.h - height - gap))


def split_bottom(box: Rect, height: int, gap: int) -> tuple[Rect, Rect]:
    """Return the rest of ``box`` above the gap, and its bottom ``height`` pixels."""
    return Rect(box.x, box.y, box.w, max(0, box.h - height - gap)), Rect(box.x, box.bottom - height, box.w, height)


def split_left(box: Rect, width: int, gap: int) -> tuple[Rect, Rect]:
    """Return the left ``width`` pixels of ``box``, and the rest right of the gap."""
    return Rect(box.x, box.y, width, box.h), Rect(box.x + width + gap, box.y, max(0, box.w - width - gap), box.h)


def split_right(box: Rect, width: int, gap: int) -> tuple[Rect, Rect]:
    """Return the rest of ``box`` left of the gap, and its right ``width`` pixels."""
    return Rect(box.x, box.y, max(0, box.w - width - gap), box.h), Rect(box.right - width, box.y, width, box.h)


def centre(box: Rect, width: int, height: int) -> Rect:
    """Return ``width`` by ``height`` pixels in the centre of ``box``, or less where it is smaller."""
    width, height = min(width, box.w), min(height, box.h)
    return Rect(box.x + (box.w - width) // 2, box.y + (box.h - height) // 2, width, height)


def inset(box: Rect, across: int, down: int | None = None) -> Rect:
    """Return ``box`` without ``across`` pixels at its left and right, and ``down`` (default: the same) at top and
    bottom."""
    return box.inflate(-2 * across, -2 * (across if down is None else down))


def _split(start: int, length: int, weights: Sequence[float], gap: int) -> list[tuple[int, int]]:
    free = length - gap * (len(weights) - 1)
    total = sum(weights)
    parts: list[tuple[int, int]] = []
    weight_before = 0.0
    for number, weight in enumerate(weights):
        begin, end = round(free * weight_before / total), round(free * (weight_before + weight) / total)
        parts.append((start + number * gap + begin, max(0, end - begin)))
        weight_before += weight
    return parts
