"""Where things go: rectangles cut into rows, columns and grids. Nothing here draws."""

from collections.abc import Sequence

from pygame import Rect


def rows(box: Rect, weights: Sequence[float], gap: int) -> list[Rect]:
    """``box`` cut from top to bottom by ``weights``, with ``gap`` pixels between."""
    return [Rect(box.x, start, box.w, size) for start, size in _cut(box.y, box.h, weights, gap)]


def columns(box: Rect, weights: Sequence[float], gap: int) -> list[Rect]:
    """``box`` cut from left to right by ``weights``, with ``gap`` pixels between."""
    return [Rect(start, box.y, size, box.h) for start, size in _cut(box.x, box.w, weights, gap)]


def grid(box: Rect, count: int, across: int, gap: int) -> list[Rect]:
    """``count`` cells of one size, ``across`` to a row, the last row centred."""
    down = -(-count // across)
    cells: list[Rect] = []
    for number, row in enumerate(rows(box, [1] * down, gap)):
        here = min(across, count - number * across)
        whole = columns(row, [1] * across, gap)
        shift = (whole[-1].right - whole[here - 1].right) // 2
        cells += [cell.move(shift, 0) for cell in whole[:here]]
    return cells


def top(box: Rect, height: int, gap: int) -> tuple[Rect, Rect]:
    """The first ``height`` pixels of ``box``, and what is below them and the gap."""
    return Rect(box.x, box.y, box.w, height), Rect(box.x, box.y + height + gap, box.w, max(0, box.h - height - gap))


def bottom(box: Rect, height: int, gap: int) -> tuple[Rect, Rect]:
    """What is above the last ``height`` pixels of ``box`` and the gap, and those."""
    return Rect(box.x, box.y, box.w, max(0, box.h - height - gap)), Rect(box.x, box.bottom - height, box.w, height)


def left(box: Rect, width: int, gap: int) -> tuple[Rect, Rect]:
    """The first ``width`` pixels of ``box`` from the left, and what is right of them and the gap."""
    return Rect(box.x, box.y, width, box.h), Rect(box.x + width + gap, box.y, max(0, box.w - width - gap), box.h)


def right(box: Rect, width: int, gap: int) -> tuple[Rect, Rect]:
    """What is left of the last ``width`` pixels of ``box`` and the gap, and those."""
    return Rect(box.x, box.y, max(0, box.w - width - gap), box.h), Rect(box.right - width, box.y, width, box.h)


def middle(box: Rect, width: int, height: int) -> Rect:
    """``width`` by ``height`` pixels, or as many as there are, in the middle of ``box``."""
    width, height = min(width, box.w), min(height, box.h)
    return Rect(box.x + (box.w - width) // 2, box.y + (box.h - height) // 2, width, height)


def inside(box: Rect, across: int, down: int | None = None) -> Rect:
    """``box`` less ``across`` pixels on its left and right, and ``down`` (the same if not given) above and below."""
    return box.inflate(-2 * across, -2 * (across if down is None else down))


def _cut(start: int, length: int, weights: Sequence[float], gap: int) -> list[tuple[int, int]]:
    free = length - gap * (len(weights) - 1)
    total = sum(weights)
    parts: list[tuple[int, int]] = []
    passed = 0.0
    for number, weight in enumerate(weights):
        begin, end = round(free * passed / total), round(free * (passed + weight) / total)
        parts.append((start + number * gap + begin, max(0, end - begin)))
        passed += weight
    return parts
