"""Draws page after page on one surface, and only the moving parts where nothing else has changed: the background under
each moving part is kept."""

from collections.abc import Sequence

import pygame
from pygame import Rect

from ui.i18n.language import current_language
from ui.screen.core.animation import changed_fields
from ui.screen.core.registry import draw_still
from ui.screen.drawing.canvas import Canvas, MovingPart, Target
from ui.screen.views import View


class Stage:
    """Draws pages, without buttons unless they are ``interactive``, and remembers the last one."""

    def __init__(self, *, interactive: bool = True) -> None:
        self._interactive = interactive
        self._canvas: Canvas | None = None
        self._page: View | None = None
        self._backgrounds: list[pygame.Surface] = []
        self._still_text_count = 0
        self._language = ""

    @property
    def targets(self) -> Sequence[Target]:
        """The targets of the page drawn last."""
        return self._canvas.targets if self._canvas is not None else ()

    def invalidate(self) -> None:
        """Forget the page drawn last: the next one is drawn as a whole."""
        self._canvas = None

    def draw(self, surface: pygame.Surface, view: View) -> list[Rect]:
        """Draw ``view``, with the same pixels as ``paint``. Return the areas of ``surface`` that were drawn."""
        page, canvas, before = view.page_to_draw, self._canvas, self._page
        self._page = page
        if canvas is not None and canvas.surface is surface and current_language() == self._language:
            fields = changed_fields(
                before, page, canvas.undrawn_fields.union(*(part.fields for part in canvas.moving_parts))
            )
            if fields is not None:
                return self._redraw_parts(canvas, page, [part for part in canvas.moving_parts if part.fields & fields])
        return self._draw_whole(surface, page)

    def _draw_whole(self, surface: pygame.Surface, page: View) -> list[Rect]:
        self._canvas = canvas = draw_still(surface, page, interactive=self._interactive)
        self._language, self._still_text_count = current_language(), len(canvas.texts)
        self._backgrounds = [surface.subsurface(part.box).copy() for part in canvas.moving_parts]
        for part in canvas.moving_parts:
            part.paint(canvas, page)
        return [surface.get_rect()]

    def _redraw_parts(self, canvas: Canvas, page: View, changed: list[MovingPart]) -> list[Rect]:
        """Draw the ``changed`` parts, and those that overlap them."""
        while overlapping := [
            part for part in canvas.moving_parts if part not in changed and part.box.collidelist(_boxes(changed)) >= 0
        ]:
            changed += overlapping
        del canvas.texts[self._still_text_count :]
        for part, background in zip(canvas.moving_parts, self._backgrounds, strict=True):
            if part in changed:
                canvas.surface.blit(background, part.box)
        for part in canvas.moving_parts:
            if part in changed:
                part.paint(canvas, page)
        return _boxes(changed)


def _boxes(parts: list[MovingPart]) -> list[Rect]:
    return [part.box for part in parts]
