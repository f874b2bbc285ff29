"""Drawing in the theme's style: panels, fitted text, icons, images and buttons. The canvas records the targets that can
be touched, and every text with its box, so that tests can check that all fits."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np
import pygame
from pygame import Rect

from device.camera.frames import Pixels
from rules.engine import Seat
from ui.i18n.language import render
from ui.screen.drawing import layout
from ui.screen.drawing.icons import corner_disc, icon, inverse_corner
from ui.screen.drawing.text import capital_offset, fit_text, line_height, render_line, text_width, wrap_text
from ui.screen.drawing.theme import (
    ACCENT,
    BACKGROUND,
    LINE,
    MUTED,
    ON_ACCENT,
    RAISED,
    TEXT,
    Colour,
    TextRole,
    Theme,
    seat_mark,
    shown_colour,
)
from ui.screen.views import ImageGrip, Press, Reply, View

Alignment = Literal["left", "centre", "right"]
VerticalAlignment = Literal["top", "centre", "bottom"]


@dataclass(frozen=True)
class Target:
    """A place to touch, and the page or reply a touch leads to."""

    rect: Rect
    press: Press = field(compare=False)
    label: str
    area: Rect | None = None
    """Where a touch means the nearest of the targets that share this area, as those smaller than a finger do; None:
    only ``rect``."""
    main: bool = False
    """Whether most people will touch it."""
    leads_back: bool = False
    """Whether it leaves without a change."""
    repeats: bool = False
    """Whether it does so again and again while it is held down."""
    slides: bool = False
    """Whether a finger that slides onto it from its neighbour presses it."""
    grip: ImageGrip | None = None
    """What fingers drag here; None: nothing."""
    button_press: Press | None = field(default=None, compare=False)
    """What buttons and keys press instead, which need no room, where a touch only enlarges what is too small for a
    finger; None: the same."""


def target_at(targets: Iterable[Target], at: tuple[int, int]) -> Target | None:
    """Return the target that a touch at ``at`` (x, y) means; ``None`` where there is none."""

    def distance(target: Target) -> int:
        x, y = target.rect.center
        return (x - at[0]) ** 2 + (y - at[1]) ** 2

    candidates = [target for target in targets if (target.area or target.rect).collidepoint(at)]
    return next((target for target in candidates if target.area is None), min(candidates, key=distance, default=None))


@dataclass(frozen=True)
class PlacedText:
    """A drawn text."""

    text: str
    box: Rect
    drawn: Rect
    """The pixels that it covers."""
    complete: bool
    """Whether nothing of it was cut off."""
    size: int
    """The font size in pixels."""
    role: TextRole = "personal"
    """Who reads it."""


@dataclass(frozen=True, eq=False)
class MovingPart:
    """A part of a page that moves."""

    box: Rect
    fields: frozenset[str]
    """The page's fields that it depends on."""
    draw: "Callable[[Canvas, Any], None]"

    def paint(self, canvas: "Canvas", page: object) -> None:
        """Draw the part as it is on ``page``, clipped to its box."""
        clip = canvas.surface.get_clip()
        canvas.surface.set_clip(self.box.clip(clip))
        self.draw(canvas, page)
        canvas.surface.set_clip(clip)


PageT = TypeVar("PageT", bound=View)
PAINTERS: dict[type[View], Callable[["Canvas", Any], None]] = {}
"""The painter of each page, filled by ``paints``."""
LEAVE_ANSWERS = ("back", "home", "stands")
"""The answers that leave a view without a change."""


def paints(
    page_type: type[PageT],
) -> Callable[[Callable[["Canvas", PageT], None]], Callable[["Canvas", PageT], None]]:
    """Register the decorated function as the painter of a page."""

    def register(painter: Callable[["Canvas", PageT], None]) -> Callable[["Canvas", PageT], None]:
        PAINTERS[page_type] = painter
        return painter

    return register


def draw_page(surface: pygame.Surface, page: View) -> "Canvas":
    """Draw ``page`` on all of ``surface`` with its moving parts, as a page within another."""
    canvas = Canvas(surface)
    PAINTERS[type(page)](canvas, page)
    for part in canvas.moving_parts:
        part.paint(canvas, page)
    return canvas


class Canvas:
    """Draws on ``surface`` and collects ``targets`` and ``texts``. Every text is drawn in the screen's language. Where
    nobody can touch, ``interactive`` is False, and there are no buttons."""

    def __init__(
        self,
        surface: pygame.Surface,
        background: Colour = BACKGROUND,
        *,
        interactive: bool = True,
        text_scale: float = 1.0,
    ) -> None:
        self.surface = surface
        self.interactive = interactive
        self.theme = Theme(surface.get_size(), text_scale)
        self.targets: list[Target] = []
        self.texts: list[PlacedText] = []
        self.moving_parts: list[MovingPart] = []
        self.undrawn_fields: set[str] = set()
        surface.fill(shown_colour(background))

    @property
    def page(self) -> Rect:
        """The surface without its margin."""
        return layout.inset(self.surface.get_rect(), self.theme.margin)

    def fits(self, page: View) -> bool:
        """Return whether all that is drawn, with the moving parts as on ``page``, is whole, in its place and large
        enough to be read and touched."""
        still, count = self.surface, len(self.texts)
        if self.moving_parts:
            self.surface = still.copy()
        for part in self.moving_parts:
            part.paint(self, page)
        texts, self.surface = self.texts[:], still
        del self.texts[count:]
        drawn, screen = [text.drawn for text in texts], still.get_rect()
        return (
            all(
                text.complete and text.box.contains(text.drawn) and self.theme.is_readable(text.size, text.role)
                for text in texts
            )
            and all(screen.contains(text.box) for text in texts)
            and all(rect.collidelist(drawn[:index]) < 0 for index, rect in enumerate(drawn))
            and all(
                target.slides or target.area or target.button_press or min(target.rect.size) >= self.theme.touch_size
                for target in self.targets
            )
        )

    def text(
        self,
        box: Rect,
        text: str,
        size: int,
        colour: Colour = TEXT,
        *,
        align: Alignment = "centre",
        max_lines: int = 1,
        min_size: int | None = None,
        vertical_align: VerticalAlignment = "centre",
        role: TextRole = "personal",
    ) -> Rect:
        """Draw ``text`` in ``box``, at most ``size`` pixels to the em. A page must leave it the room for its role's
        minimum. Return the bounds of the drawn pixels."""
        text = render(text)
        size = max(size, self.theme.min_text_size(role))
        min_size = self.theme.smallest if min_size is None else min_size
        fitted = fit_text(text, max(1, box.w), max(1, box.h), size, min_size, max_lines)
        step = line_height(fitted.size)
        free = box.h - step * len(fitted.lines)
        bounds = pygame.Rect(0, 0, 0, 0)
        images = [render_line(line, fitted.size, shown_colour(colour)) for line in fitted.lines]
        # Capitals are centred, as far as what is drawn of the last line stays in the box.
        below = free - free // 2 + step - images[-1].get_bounding_rect().bottom
        centred = free // 2 + max(0, min(below, capital_offset(fitted.size)))
        y = box.y + {"top": 0, "centre": centred, "bottom": free}[vertical_align]
        for image in images:
            spare = box.w - image.get_width()
            x = box.x + {"left": 0, "centre": spare // 2, "right": spare}[align]
            self.surface.blit(image, (x, y))
            drawn = image.get_bounding_rect().move(x, y)
            bounds = drawn if not bounds else bounds.union(drawn)
            y += step
        self.texts.append(PlacedText(text, box.copy(), bounds, fitted.complete, fitted.size, role))
        return bounds

    def text_width(self, text: str, size: int, max_width: int, max_height: int) -> int:
        """Return how many pixels wide ``text`` is once it fits a line of ``max_width`` by ``max_height`` pixels."""
        fitted = fit_text(render(text), max(1, max_width), max(1, max_height), size, self.theme.smallest, 1)
        return min(max(1, max_width), text_width(fitted.lines[0], fitted.size))

    def text_height(self, text: str, width: int, role: TextRole = "personal", max_lines: int = 9) -> int:
        """Return how many pixels high a box ``width`` pixels wide must be for ``text`` at its role's minimum, in at
        most ``max_lines`` lines."""
        size = self.theme.min_text_size(role)
        return len(wrap_text(render(text), max(1, width), size)[:max_lines]) * line_height(size)

    def panel(self, box: Rect, fill: Colour, *, edge: Colour | None = None, width: int = 0) -> None:
        """Draw a panel with round corners and optionally an edge ``width`` pixels wide."""
        if edge is not None and width:
            self._fill_rounded(box, edge, self.theme.radius)
            box = layout.inset(box, width)
            self._fill_rounded(box, fill, max(1, self.theme.radius - width))
        else:
            self._fill_rounded(box, fill, self.theme.radius)

    def framed_panel(self, box: Rect, fill: Colour, *, marked: bool = False) -> None:
        """Draw a panel with a thin edge, or with a thick one that catches the eye if it is ``marked``."""
        edge, width = (ACCENT, 0.7) if marked else (LINE, 0.3)
        self.panel(box, fill, edge=edge, width=self.theme.units(width))

    def icon(self, box: Rect, name: str, colour: Colour = TEXT) -> Rect:
        """Draw the icon ``name`` as large as fits in the centre of ``box``."""
        rect = layout.centre(box, min(box.size), min(box.size))
        self.surface.blit(icon(name, rect.w, shown_colour(colour)), rect)
        return rect

    def seat_mark(self, box: Rect, seat: Seat) -> None:
        """Draw the mark of ``seat``."""
        self.icon(box, seat_mark(seat).shape, seat_mark(seat).colour)

    def image(self, box: Rect, pixels: Pixels, background: Colour = BACKGROUND) -> None:
        """Draw RGB ``pixels``, shape (height, width, 3), cropped to fill ``box``, with round corners on
        ``background``."""
        height, width = pixels.shape[:2]
        if not (height and width and box.w > 0 and box.h > 0):
            return
        scale = max(box.w / width, box.h / height)
        w, h = min(width, round(box.w / scale)), min(height, round(box.h / scale))
        x, y = (width - w) // 2, (height - h) // 2
        crop = np.ascontiguousarray(pixels[y : y + h, x : x + w])
        image = pygame.image.frombuffer(crop.tobytes(), (w, h), "RGB")
        self.surface.blit(pygame.transform.smoothscale(image, box.size), box)
        radius = max(1, min(self.theme.units(1.6), box.w // 2, box.h // 2))
        self._blit_corners(box, inverse_corner(radius, shown_colour(background)), radius)

    def button(
        self,
        box: Rect,
        label: str,
        press: Press,
        *,
        size: int | None = None,
        main: bool = False,
        icon: str | None = None,
        icon_only: bool = False,
        enabled: bool = True,
        leads_back: bool = False,
        repeats: bool = False,
        area: Rect | None = None,
        note: str = "",
    ) -> None:
        """Draw a button with a ``label`` after its ``icon``, if any, or with ``icon_only``, and a smaller ``note``
        below. One that is not ``enabled`` is dim and no target. For the rest see Target."""
        if not self.interactive:
            return
        theme = self.theme
        fill, colour = (ACCENT, ON_ACCENT) if main else (RAISED, TEXT) if enabled else (BACKGROUND, LINE)
        self.panel(box, fill, edge=None if main else LINE, width=max(1, theme.units(0.3)))
        if enabled:
            self.add_target(box, press, label, area, main=main, leads_back=leads_back, repeats=repeats)
        inner = layout.inset(box, theme.units(1.2), theme.units(0.3))
        if icon is not None and icon_only:
            side = min(inner.w, inner.h, theme.units(6))
            self.icon(layout.centre(inner, side, side), icon, colour)
            return
        size, lines = size or theme.body, 2 if icon is None else 1
        if note:
            height = min(self.text_height(note, inner.w, max_lines=2), inner.h // 2)
            inner = layout.centre(inner, inner.w, min(inner.h - theme.units(2), 2 * line_height(size) + height))
            inner, line = layout.split_bottom(inner, height, 0)
            self.text(line, note, theme.body, colour if main else MUTED, max_lines=2)
        if icon is not None:
            side, gap = min(inner.h, size), theme.units(1.4)
            free = max(1, inner.w - side - gap)
            if text_width(render(label), theme.small) > free:
                lines, label_width = 2, free
            else:
                label_width = self.text_width(label, size, free, inner.h)
            inner = layout.centre(inner, side + gap + label_width, inner.h)
            if icon == "forward":
                inner, icon_box = layout.split_right(inner, side, gap)
            else:
                icon_box, inner = layout.split_left(inner, side, gap)
            self.icon(icon_box, icon, colour)
        self.text(inner, label, size, colour, max_lines=lines)

    def answer_button(
        self, box: Rect, label: str, press: Press, *, icon: str | None = None, main: bool = False, note: str = ""
    ) -> None:
        """Draw a large button for an answer: its icon, if any, above its label (before it in a flat box or with a
        ``note``), and the note below."""
        if icon is None or note or box.h < self.theme.units(24):
            self.button(box, label, press, size=self.theme.big, main=main, icon=icon, note=note)
            return
        self.framed_panel(box, RAISED)
        self.add_target(box, press, label)
        inner = layout.inset(box, self.theme.units(2))
        icon_box, line = layout.rows(inner, [3, 1], self.theme.gap)
        self.icon(icon_box, icon)
        self.text(line, label, self.theme.title)

    def add_target(
        self,
        box: Rect,
        press: Press,
        label: str,
        area: Rect | None = None,
        *,
        main: bool = False,
        leads_back: bool = False,
        repeats: bool = False,
        slides: bool = False,
        grip: ImageGrip | None = None,
        button_press: Press | None = None,
    ) -> None:
        """Make ``box`` a target, or with ``area`` every place of that to which this target is the nearest."""
        leads_back = leads_back or (isinstance(press, Reply) and press.value in LEAVE_ANSWERS)
        label, area = render(label), area and area.copy()
        self.targets.append(
            Target(box.copy(), press, label, area, main, leads_back, repeats, slides, grip, button_press)
        )

    def add_moving_part(self, box: Rect, fields: Iterable[str], draw: Callable[["Canvas", Any], None]) -> None:
        """Add a part of the page that alone depends on ``fields`` (at any depth of the page). ``draw(canvas, page)``
        draws it within ``box`` after all the rest; where the next page differs only in such fields, nothing else is
        redrawn. It must add no targets."""
        self.moving_parts.append(MovingPart(box.clip(self.surface.get_rect()), frozenset(fields), draw))

    def ignore_fields(self, *fields: str) -> None:
        """Declare that nothing is drawn of the page's ``fields``, except by moving parts that depend on them."""
        self.undrawn_fields.update(fields)

    def fill(self, colour: Colour, box: Rect | None = None) -> None:
        """Fill ``box``, or everything."""
        self.surface.fill(shown_colour(colour), box)

    def _fill_rounded(self, box: Rect, fill: Colour, radius: int) -> None:
        radius = max(1, min(radius, box.w // 2, box.h // 2))
        self._blit_corners(box, corner_disc(radius, shown_colour(fill)), radius)
        self.fill(fill, Rect(box.x + radius, box.y, box.w - 2 * radius, box.h))
        self.fill(fill, Rect(box.x, box.y + radius, radius, box.h - 2 * radius))
        self.fill(fill, Rect(box.right - radius, box.y + radius, radius, box.h - 2 * radius))

    def _blit_corners(self, box: Rect, disc: pygame.Surface, radius: int) -> None:
        for x, y, part in (
            (box.left, box.top, (0, 0)),
            (box.right - radius, box.top, (radius, 0)),
            (box.left, box.bottom - radius, (0, radius)),
            (box.right - radius, box.bottom - radius, (radius, radius)),
        ):
            self.surface.blit(disc, (x, y), Rect(part, (radius, radius)))
