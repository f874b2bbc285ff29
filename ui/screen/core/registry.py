"""The painters of all pages: those in the modules of ``ui.screen.pages``."""

import importlib
import pkgutil

import pygame

from ui.screen import pages
from ui.screen.drawing.canvas import PAINTERS, Canvas, Target
from ui.screen.drawing.theme import text_scales
from ui.screen.views import View

for module in pkgutil.iter_modules(pages.__path__, f"{pages.__name__}."):
    importlib.import_module(module.name)


def paint(surface: pygame.Surface, view: View) -> list[Target]:
    """Draw ``view`` on all of ``surface``, with its first page if it has pages. Return what can be touched. The same
    view always gives the same pixels; no display is needed."""
    return draw(surface, view).targets


def draw(surface: pygame.Surface, view: View) -> Canvas:
    """As ``paint``, but return the canvas, with all targets and texts."""
    page = view.page_to_draw
    canvas = draw_still(surface, page)
    for part in canvas.moving_parts:
        part.paint(canvas, page)
    return canvas


def draw_still(surface: pygame.Surface, page: View, *, interactive: bool = True) -> Canvas:
    """Draw ``page`` without its moving parts, and without buttons unless it is ``interactive``. Large text is as large
    as the page has room for."""
    for text_scale in text_scales():
        canvas = Canvas(surface, interactive=interactive, text_scale=text_scale)
        PAINTERS[type(page)](canvas, page)
        if text_scale == 1 or canvas.fits(page):
            break
    return canvas
