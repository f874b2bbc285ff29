"""The first thing on the screen: the name, drawn without what takes long to import."""

import pygame
from pygame import Rect

from ui.screen.drawing.icons import icon
from ui.screen.drawing.text import fit_text, line_height, render_line
from ui.screen.drawing.theme import ACCENT, BACKGROUND, MUTED, SEAT_MARKS, TEXT, Colour, Theme

SPLASH_ICONS = ("rock", "paper", "scissors")


def draw_splash(surface: pygame.Surface, message: str = "") -> None:
    """Draw the name below its icons and, below it, a ``message`` if something has to be said."""
    theme, page = Theme(surface.get_size()), surface.get_rect()
    surface.fill(BACKGROUND)
    side, gap = theme.units(20), theme.units(5)
    left = page.centerx - (3 * side + 2 * gap) // 2
    top = page.centery - theme.units(24)
    for number, name in enumerate(SPLASH_ICONS):
        surface.blit(icon(name, side, SEAT_MARKS[number].colour), (left + number * (side + gap), top))
    below = _draw_text(surface, "Throwlock", top + side + theme.units(5), theme.units(14), TEXT)
    pygame.draw.rect(surface, ACCENT, Rect(page.centerx - side // 2, below, side, theme.units(1)))
    if message:
        _draw_text(surface, message, below + theme.units(6), theme.body, MUTED)


def _draw_text(surface: pygame.Surface, text: str, top: int, size: int, colour: Colour) -> int:
    """Draw a text in the middle, in as many lines as it needs. Return where the next one may begin."""
    page, margin = surface.get_rect(), Theme(surface.get_size()).margin
    fitted = fit_text(text, page.width - 2 * margin, page.bottom - margin - top, size, size // 2, 8)
    for line in fitted.lines:
        drawn = render_line(line, fitted.size, colour)
        surface.blit(drawn, (page.centerx - drawn.get_width() // 2, top))
        top += line_height(fitted.size)
    return top + size // 4
