"""Draws page after page on one surface, and only the moving parts where nothing else has changed: the background under
each moving part is kept."""

from collections.abc import Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

import numpy as np
import pygame
from pygame import Rect

from ui.i18n.language import current_language
from ui.screen.core.registry import draw_still
from ui.screen.drawing.canvas import Canvas, MovingPart, Target
from ui.screen.views import View


def changed_fields(before: object, after: object, names: Set[str]) -> Set[str] | None:
    """Return which fields among ``names``, at any depth, differ between two pages; ``None`` if the page has to be laid
    out again: where any other field differs, or a field is or was ``None``, or an image has another shape. It may
    return ``None`` too often, never too rarely."""
    if before is after:
        return set()
    if type(before) is not type(after):
        return None
    if not is_dataclass(before):
        return set() if isinstance(before, str | int | float | Enum) and before == after else None
    changed: set[str] = set()
    page_type: Any = type(before)
    for name in _field_names(page_type):
        old, new = getattr(before, name), getattr(after, name)
        if old is new:
            continue
        if name not in names:
            inner = changed_fields(old, new, names)
            if inner is None:
                return None
            changed |= inner
        elif isinstance(old, float) and isinstance(new, float) and old == new:
            continue
        elif old is None or new is None or _shape(old) != _shape(new):
            return None
        else:
            changed.add(name)
    return changed


@lru_cache(maxsize=256)
def _field_names(page_type: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(page_type))


def _shape(value: object) -> tuple[int, ...] | None:
    return value.shape if isinstance(value, np.ndarray) else None


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
