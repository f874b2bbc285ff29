"""Draws page after page on one surface, and of a page on which something only moved, that alone: the still part under
each moving piece is kept."""

from collections.abc import Sequence

import pygame
from pygame import Rect

from ui.i18n.language import spoken
from ui.screen.core.animation import moved
from ui.screen.core.page_stack import Page
from ui.screen.drawing.canvas import Canvas, Piece, Target
from ui.screen.drawing.registry import page_of, still
from ui.screen.pages.views import View


class Stage:
    """What is drawn at present, and where."""

    def __init__(self) -> None:
        self._canvas: Canvas | None = None
        self._page: View | Page | None = None
        self._grounds: list[pygame.Surface] = []
        self._told = 0
        self._language = ""

    @property
    def targets(self) -> Sequence[Target]:
        """What can be touched."""
        return self._canvas.targets if self._canvas is not None else ()

    def forget(self) -> None:
        """What is on the surface is no more what was drawn: the next page is drawn all anew."""
        self._canvas = None

    def draw(self, surface: pygame.Surface, view: View | Page) -> list[Rect]:
        """Draw ``view``, the same pixels as ``paint`` would; returns where of ``surface`` something was drawn."""
        page, canvas, before = page_of(view), self._canvas, self._page
        self._page = page
        if canvas is not None and canvas.surface is surface and spoken() == self._language:
            new = moved(before, page, canvas.without.union(*(piece.names for piece in canvas.pieces)))
            if new is not None:
                return self._again(canvas, page, [piece for piece in canvas.pieces if piece.names & new])
        return self._anew(surface, page)

    def _anew(self, surface: pygame.Surface, page: View | Page) -> list[Rect]:
        self._canvas = canvas = still(surface, page)
        self._language, self._told = spoken(), len(canvas.texts)
        self._grounds = [surface.subsurface(piece.box).copy() for piece in canvas.pieces]
        for piece in canvas.pieces:
            piece.paint(canvas, page)
        return [surface.get_rect()]

    def _again(self, canvas: Canvas, page: View | Page, new: list[Piece]) -> list[Rect]:
        """Draw the pieces that are ``new``, and those that overlap them."""
        while more := [one for one in canvas.pieces if one not in new and one.box.collidelist(_boxes(new)) >= 0]:
            new += more
        del canvas.texts[self._told :]
        again = [(one, ground) for one, ground in zip(canvas.pieces, self._grounds, strict=True) if one in new]
        for piece, ground in again:
            canvas.surface.blit(ground, piece.box)
        for piece, _ in again:
            piece.paint(canvas, page)
        return _boxes(new)


def _boxes(pieces: list[Piece]) -> list[Rect]:
    return [piece.box for piece in pieces]
