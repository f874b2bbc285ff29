"""Type: text that always fits. A text is wrapped and made smaller until it fits its box, and only when it is at its
smallest is it ended with an ellipsis. The face is the one pygame carries, so every machine draws the same."""

from dataclasses import dataclass
from functools import lru_cache

import pygame

from ui.screen.theme import Colour

ELLIPSIS = "…"
FACE_SCALE = 0.6875
"""pygame draws its own face at this share of the size asked for (its font module's default-font adjustment)."""


@dataclass(frozen=True)
class Fitted:
    """A text as it fits: its lines, the size of type, and whether nothing had to be left out."""

    lines: tuple[str, ...]
    size: int
    whole: bool


@lru_cache(maxsize=128)
def font(size: int) -> pygame.font.Font:
    """The face with ``size`` pixels to the em."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(None, max(2, round(size / FACE_SCALE)))


@lru_cache(maxsize=1024)
def rendered(text: str, size: int, colour: Colour) -> pygame.Surface:
    """One line of text, smooth, on nothing."""
    return font(size).render(text, True, colour)


@lru_cache(maxsize=4096)
def fit(text: str, width: int, height: int, size: int, least: int, lines: int) -> Fitted:
    """``text`` in at most ``lines`` lines of ``width`` pixels that are together no higher than ``height``: at ``size``
    if it fits, else smaller down to ``least``, where what is too much becomes an ellipsis."""
    for smaller in range(size, min(size, least) - 1, -1):
        face = font(smaller)
        room = min(lines, height // face.get_linesize())
        wrapped = _wrap(text, width, face)
        if len(wrapped) <= room and all(face.size(line)[0] <= width for line in wrapped):
            return Fitted(tuple(wrapped), smaller, True)
    smallest = min(size, least)
    face = font(smallest)
    room = max(1, min(lines, height // face.get_linesize()))
    wrapped = _wrap(text, width, face)
    kept = wrapped[:room]
    if len(wrapped) > room:
        kept[-1] += " " + wrapped[room]
    return Fitted(tuple(_cut(line, width, face) for line in kept), smallest, False)


def _wrap(text: str, width: int, face: pygame.font.Font) -> list[str]:
    wrapped: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and face.size(longer)[0] > width:
                wrapped.append(line)
                line = word
            else:
                line = longer
        wrapped.append(line)
    return wrapped


def _cut(line: str, width: int, face: pygame.font.Font) -> str:
    if face.size(line)[0] <= width:
        return line
    while line and face.size(line.rstrip() + ELLIPSIS)[0] > width:
        line = line[:-1]
    return line.rstrip() + ELLIPSIS
