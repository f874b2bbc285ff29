"""Type: text that always fits. A text is wrapped and made smaller until it fits its box, and only when it is at its
smallest is it ended with an ellipsis. The face is the one pygame carries, so every machine draws the same."""

from dataclasses import dataclass
from functools import lru_cache

import pygame
from pygame import freetype

from ui.screen.drawing.theme import Colour

ELLIPSIS = "…"
NO_BREAK = "\N{NO-BREAK SPACE}"
"""A space at which no line ends. The face has none: it is drawn as any other."""


@dataclass(frozen=True)
class Fitted:
    """A text as it fits: its lines, the size of type, and whether nothing had to be left out."""

    lines: tuple[str, ...]
    size: int
    whole: bool


@lru_cache(maxsize=1)
def _face() -> freetype.Font:
    # pygame.font's kerning of this face is off ("read y"); freetype without kerning spaces it evenly.
    freetype.init()
    face = freetype.Font(None)
    face.pad = True
    return face


@lru_cache(maxsize=4096)
def width(text: str, size: int) -> int:
    """How many pixels wide ``text`` is with ``size`` pixels to the em."""
    return _face().get_rect(text.replace(NO_BREAK, " "), size=size).width


@lru_cache(maxsize=128)
def line_height(size: int) -> int:
    """How many pixels high a line of type of ``size`` is."""
    return _face().get_rect("Ég", size=size).height


@lru_cache(maxsize=128)
def sink(size: int) -> int:
    """How far below the middle of its line the middle of a capital stands wanting, in pixels: text looks centred when
    its capitals are."""
    face = _face()
    capital = face.get_metrics("H", size=size)[0][3]
    return round(line_height(size) / 2 - (face.get_sized_ascender(size) - capital / 2))


@lru_cache(maxsize=1024)
def rendered(text: str, size: int, colour: Colour) -> pygame.Surface:
    """One line of text, smooth, on nothing."""
    return _face().render(text.replace(NO_BREAK, " "), colour, size=size)[0]


@lru_cache(maxsize=4096)
def fit(text: str, wide: int, high: int, size: int, least: int, lines: int) -> Fitted:
    """``text`` in at most ``lines`` lines of ``wide`` pixels that are together no higher than ``high``: at ``size``
    if it fits, else smaller down to ``least``, where what is too much becomes an ellipsis."""
    size, least = max(1, size), max(1, least)  # a window may be smaller than a letter
    start = size
    if lines == 1 and text.strip():  # a line's size follows from its width
        start = min(size, 1 + size * wide // width(text.strip(), size), 1 + size * high // line_height(size))
    for smaller in range(start, min(size, least) - 1, -1):
        room = min(lines, high // line_height(smaller))
        wrapped = _wrap(text, wide, smaller)
        if len(wrapped) <= room and all(width(line, smaller) <= wide for line in wrapped):
            return Fitted(_balanced(text, wide, smaller, wrapped), smaller, True)
    smallest = min(size, least)
    room = max(1, min(lines, high // line_height(smallest)))
    wrapped = _wrap(text, wide, smallest)
    kept = wrapped[:room]
    if len(wrapped) > room:
        kept[-1] = " ".join(wrapped[room - 1 :])
    cut = [_cut(line, wide, smallest) for line in kept]
    return Fitted(tuple(cut), smallest, cut == kept)


def _wrap(text: str, wide: int, size: int) -> list[str]:
    wrapped: list[str] = []
    for paragraph in text.strip().split("\n"):
        line = ""
        for word in filter(None, paragraph.split(" ")):
            longer = f"{line} {word}" if line else word
            if line and width(longer, size) > wide:
                wrapped.append(line)
                line = word
            else:
                line = longer
        wrapped.append(line)
    return wrapped


def _balanced(text: str, wide: int, size: int, wrapped: list[str]) -> tuple[str, ...]:
    """The same number of lines, of lengths as equal as can be, so that no word stands alone in the last."""
    narrow = wide // 2 if len(wrapped) > 1 else wide
    while narrow < wide:
        narrower = _wrap(text, narrow, size)
        if len(narrower) == len(wrapped) and all(width(line, size) <= wide for line in narrower):
            return tuple(narrower)
        narrow += max(1, wide // 24)
    return tuple(wrapped)


def _cut(line: str, wide: int, size: int) -> str:
    if width(line, size) <= wide:
        return line
    while line and width(line.rstrip() + ELLIPSIS, size) > wide:
        line = line[:-1]
    return line.rstrip() + ELLIPSIS
