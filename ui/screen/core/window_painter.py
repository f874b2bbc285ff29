"""How a page gets onto a window's screen: with what is held and focused, and a line that helps people at a keyboard;
and counts, which are drawn once before they are shown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pygame
from pygame import Rect

from ui.i18n.language import current_language
from ui.screen.core.registry import paint
from ui.screen.core.screen import Screen
from ui.screen.core.splash import draw_splash
from ui.screen.core.stage import Stage
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.drawing.theme import BACKGROUND, MUTED, TEXT, Theme
from ui.screen.input import Focus
from ui.screen.pages.countdown import Countdown
from ui.screen.views import View
from ui.text import labels


@dataclass(frozen=True)
class Look:
    """What, besides the page, decides on what is drawn."""

    language: str
    rotation: int
    focus: Focus
    held: tuple[Target, ...]
    """What fingers hold down."""
    keyboard_used: bool
    """Whether the line below the page explains the keys."""
    is_typing: bool
    """Whether keys write letters into a field."""
    leaves_on_escape: bool
    """Whether it says that Escape leaves."""


class WindowPainter:
    """Draws pages on a window's ``screen``."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._stage = Stage()
        self._look: Look | None = None
        self._page_surface: pygame.Surface | None = None
        self._beats: list[Countdown] = []
        self._prepared_count: tuple[object, ...] = ()

    @property
    def targets(self) -> Sequence[Target]:
        """The targets of the page drawn last."""
        return self._stage.targets

    def invalidate(self) -> None:
        """Draw all of the next page, whatever the screen shows."""
        self._look = None

    def paint(self, page: View | None, look: Look) -> bool:
        """Draw a page, or the name while there is none. Return whether anything of the page was drawn."""
        screen = self._screen.surface
        if screen is None:
            return False
        if page is None:
            draw_splash(screen)
            self._screen.present()
            return False
        if look != self._look:  # what is drawn over the page goes only with a full redraw
            self._look = look
            self._stage.invalidate()
            self._page_surface = _split_off_help_line(screen, look)
        areas = self._stage.draw(self._page_surface or screen, page)
        self._highlight(screen, look)
        self._screen.present(None if areas == [(self._page_surface or screen).get_rect()] else areas)
        if isinstance(page, Countdown):
            self._queue_beats(page, screen)
        return bool(areas)

    def prepare_beat(self) -> None:
        """Draw one queued beat off screen: its text and icons are cached, so that no word comes late."""
        screen = self._screen.surface
        if self._beats and screen is not None:
            paint(pygame.Surface(screen.get_size(), 0, 32), self._beats.pop())

    def _highlight(self, screen: pygame.Surface, look: Look) -> None:
        focused, theme = look.focus.find_target(self.targets), Theme(screen.get_size())
        for target in (*look.held, *([focused] if focused is not None else [])):
            edge = target.rect.inflate(theme.units(1), theme.units(1))
            pygame.draw.rect(screen, TEXT, edge, theme.units(0.9), theme.radius)

    def _queue_beats(self, count: Countdown, screen: pygame.Surface) -> None:
        """Queue all beats of a new count to be drawn once off screen."""
        drawn_alike = count.title, count.words, count.rethrow_reason, count.preview is None
        beats_key = (screen.get_size(), current_language(), *drawn_alike)
        if beats_key != self._prepared_count:
            self._prepared_count = beats_key
            self._beats = [replace(count, beat=beat) for beat in reversed(range(len(count.words)))]


def help_text(look: Look) -> str:
    """Return what the line below a page says of the keys."""
    if look.leaves_on_escape:
        return labels.ESCAPE_TO_LEAVE
    return labels.TYPING_HELP if look.is_typing else labels.KEYBOARD_HELP


def _split_off_help_line(screen: pygame.Surface, look: Look) -> pygame.Surface | None:
    """Draw the help line once somebody uses a keyboard. Return the screen above it, None while there is no line."""
    if not (look.keyboard_used or look.leaves_on_escape):
        return None
    width, height = screen.get_size()
    line = Theme((width, height)).units(6)
    help_line = Canvas(screen.subsurface(Rect(0, height - line, width, line)), BACKGROUND)
    box = help_line.surface.get_rect().inflate(-line, 0)
    help_line.text(box, help_text(look), round(line * 0.55), TEXT if look.leaves_on_escape else MUTED, min_size=6)
    return screen.subsurface(Rect(0, 0, width, height - line))
