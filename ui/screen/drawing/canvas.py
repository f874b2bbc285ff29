"""A surface with a hand that knows the house style: panels, fitted text, icons, pictures and buttons. It keeps what it
drew where: the targets a finger may touch, and every text with its box, so that tests can see that all fits."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pygame
from pygame import Rect

from device.camera.frames import Pixels
from rules.engine import Seat
from ui.i18n.language import said
from ui.screen.core.page_stack import Press
from ui.screen.drawing import layout
from ui.screen.drawing.icons import corner, icon, notch
from ui.screen.drawing.text import fit, line_height, rendered, sink, width
from ui.screen.drawing.theme import ACCENT, BACKGROUND, LINE, ON_ACCENT, RAISED, TEXT, Colour, Theme, mark

Side = Literal["left", "centre", "right"]


@dataclass(frozen=True)
class Target:
    """A place to touch: where it is, what a touch on it means, and its name for people. One of many that are smaller
    than a finger has an ``area`` in which every touch means the nearest of them. ``main`` is the one most will
    touch."""

    rect: Rect
    press: Press
    label: str
    area: Rect | None = None
    main: bool = False


def under(targets: Iterable[Target], at: tuple[int, int]) -> Target | None:
    """The target that a touch at ``at`` means; ``None`` where there is nothing to touch."""

    def distance(target: Target) -> int:
        x, y = target.rect.center
        return (x - at[0]) ** 2 + (y - at[1]) ** 2

    here = [target for target in targets if (target.area or target.rect).collidepoint(at)]
    return next((target for target in here if target.area is None), min(here, key=distance, default=None))


@dataclass(frozen=True)
class Placed:
    """A text that was drawn: what was meant, its box, the pixels it took, whether nothing was left out, and the size of
    its type."""

    text: str
    box: Rect
    drawn: Rect
    whole: bool
    size: int


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a page that moves: where, by which fields of the page, and what draws it."""

    box: Rect
    names: frozenset[str]
    draw: "Callable[[Canvas, Any], None]"

    def paint(self, canvas: "Canvas", page: object) -> None:
        """Draw it as it is on ``page``, and nothing outside of its box."""
        clip = canvas.surface.get_clip()
        canvas.surface.set_clip(self.box.clip(clip))
        self.draw(canvas, page)
        canvas.surface.set_clip(clip)


class Canvas:
    """Draws on ``surface``; ``targets`` and ``texts`` grow as it does. Every text is said in the language spoken."""

    def __init__(self, surface: pygame.Surface, background: Colour = BACKGROUND) -> None:
        self.surface = surface
        self.theme = Theme(surface.get_size())
        self.targets: list[Target] = []
        self.texts: list[Placed] = []
        self.pieces: list[Piece] = []
        self.without: set[str] = set()
        surface.fill(background)

    @property
    def page(self) -> Rect:
        """The whole surface within its margin."""
        return layout.inside(self.surface.get_rect(), self.theme.margin)

    def text(
        self,
        box: Rect,
        text: str,
        size: int,
        colour: Colour = TEXT,
        *,
        side: Side = "centre",
        lines: int = 1,
        least: int | None = None,
        at: Side = "centre",
    ) -> Rect:
        """``text`` in ``box``, no larger than ``size``; ``at`` is where it stands from top (left) to bottom (right).
        Returns the pixels its ink took."""
        text = said(text)
        least = self.theme.least if least is None else least
        fitted = fit(text, max(1, box.w), max(1, box.h), size, least, lines)
        step = line_height(fitted.size)
        free = box.h - step * len(fitted.lines)
        ink = pygame.Rect(0, 0, 0, 0)
        y = box.y + {"left": 0, "centre": free // 2 + min(free // 2, sink(fitted.size)), "right": free}[at]
        for line in fitted.lines:
            picture = rendered(line, fitted.size, colour)
            spare = box.w - picture.get_width()
            x = box.x + {"left": 0, "centre": spare // 2, "right": spare}[side]
            self.surface.blit(picture, (x, y))
            inked = picture.get_bounding_rect().move(x, y)
            ink = inked if not ink else ink.union(inked)
            y += step
        self.texts.append(Placed(text, box.copy(), ink, fitted.whole, fitted.size))
        return ink

    def width(self, text: str, size: int, wide: int, high: int) -> int:
        """How many pixels ``text`` takes of a line ``wide`` by ``high`` pixels, once it fits."""
        fitted = fit(said(text), max(1, wide), max(1, high), size, self.theme.least, 1)
        return min(max(1, wide), width(fitted.lines[0], fitted.size))

    def panel(self, box: Rect, fill: Colour, *, edge: Colour | None = None, width: int = 0) -> None:
        """A panel with round, smooth corners, and an edge ``width`` pixels wide if wanted."""
        if edge is not None and width:
            self._rounded(box, edge, self.theme.radius)
            box = layout.inside(box, width)
            self._rounded(box, fill, max(1, self.theme.radius - width))
        else:
            self._rounded(box, fill, self.theme.radius)

    def icon(self, box: Rect, name: str, colour: Colour = TEXT) -> Rect:
        """The drawing ``name`` as large as fits in the middle of ``box``."""
        place = layout.middle(box, min(box.size), min(box.size))
        self.surface.blit(icon(name, place.w, colour), place)
        return place

    def seat(self, box: Rect, seat: Seat) -> None:
        """The mark of ``seat``, its shape in its colour."""
        self.icon(box, mark(seat).shape, mark(seat).colour)

    def picture(self, box: Rect, pixels: Pixels, ground: Colour = BACKGROUND) -> None:
        """``pixels`` filling ``box``, what sticks out cut off, with round corners on a ground of colour ``ground``."""
        high, wide = pixels.shape[:2]
        if not (high and wide and box.w and box.h):
            return
        scale = max(box.w / wide, box.h / high)
        w, h = min(wide, round(box.w / scale)), min(high, round(box.h / scale))
        x, y = (wide - w) // 2, (high - h) // 2
        part = np.ascontiguousarray(pixels[y : y + h, x : x + w])
        whole = pygame.image.frombuffer(part.tobytes(), (w, h), "RGB")
        self.surface.blit(pygame.transform.smoothscale(whole, box.size), box)
        radius = max(1, min(self.theme.units(1.6), box.w // 2, box.h // 2))
        self._corners(box, notch(radius, ground), radius)

    def button(
        self,
        box: Rect,
        label: str,
        press: Press,
        *,
        size: int | None = None,
        main: bool = False,
        drawing: str | None = None,
        bare: bool = False,
        able: bool = True,
    ) -> None:
        """A button that says ``label``, after its ``drawing`` if it has one, or with that alone if ``bare``. ``main``
        is the one most will touch. One that is not ``able`` is dim and no target."""
        theme = self.theme
        fill, ink = (ACCENT, ON_ACCENT) if main else (RAISED, TEXT) if able else (BACKGROUND, LINE)
        self.panel(box, fill, edge=None if main else LINE, width=max(1, theme.units(0.3)))
        if able:
            self.target(box, press, label, main=main)
        inner = layout.inside(box, theme.units(1.6), theme.units(1))
        if drawing is not None and bare:
            side = min(inner.w, inner.h, theme.units(6))
            self.icon(layout.middle(inner, side, side), drawing, ink)
            return
        size = size or theme.body
        if drawing is not None:
            side, gap = min(inner.h, size), theme.units(2)
            took = self.width(label, size, inner.w - side - gap, inner.h)
            inner = layout.middle(inner, side + gap + took, inner.h)
            if drawing == "forward":
                inner, spot = layout.right(inner, side, gap)
            else:
                spot, inner = layout.left(inner, side, gap)
            self.icon(spot, drawing, ink)
        self.text(inner, label, size, ink, lines=2 if drawing is None else 1)

    def choice(self, box: Rect, label: str, press: Press, *, drawing: str | None = None, main: bool = False) -> None:
        """A large button for an answer: its drawing, if any, above its label (before it in a flat box)."""
        if drawing is None or box.h < self.theme.units(24):
            self.button(box, label, press, size=self.theme.big, main=main, drawing=drawing)
            return
        self.panel(box, RAISED, edge=LINE, width=self.theme.units(0.3))
        self.target(box, press, label)
        inner = layout.inside(box, self.theme.units(2))
        sign, line = layout.rows(inner, [3, 1], self.theme.gap)
        self.icon(sign, drawing)
        self.text(line, label, self.theme.title)

    def target(self, box: Rect, press: Press, label: str, area: Rect | None = None, *, main: bool = False) -> None:
        """Make ``box`` a place to touch, or if it is the nearest such, any place of ``area``."""
        self.targets.append(Target(box.copy(), press, said(label), area and area.copy(), main))

    def moving(self, box: Rect, names: Iterable[str], draw: Callable[["Canvas", Any], None]) -> None:
        """A part of the page that changes with its fields called ``names`` (at any depth of it) and nothing else does:
        ``draw(canvas, page)`` draws it within ``box`` once all the rest is drawn, and of the next page that differs in
        no other field it is all that is drawn. It makes no targets."""
        self.pieces.append(Piece(box.clip(self.surface.get_rect()), frozenset(names), draw))

    def unseen(self, *names: str) -> None:
        """Of the page's fields called ``names`` nothing is drawn (else than by what is ``moving`` with them)."""
        self.without.update(names)

    def _rounded(self, box: Rect, fill: Colour, radius: int) -> None:
        radius = max(1, min(radius, box.w // 2, box.h // 2))
        self._corners(box, corner(radius, fill), radius)
        self.surface.fill(fill, Rect(box.x + radius, box.y, box.w - 2 * radius, box.h))
        self.surface.fill(fill, Rect(box.x, box.y + radius, radius, box.h - 2 * radius))
        self.surface.fill(fill, Rect(box.right - radius, box.y + radius, radius, box.h - 2 * radius))

    def _corners(self, box: Rect, disc: pygame.Surface, radius: int) -> None:
        for x, y, part in (
            (box.left, box.top, (0, 0)),
            (box.right - radius, box.top, (radius, 0)),
            (box.left, box.bottom - radius, (0, radius)),
            (box.right - radius, box.bottom - radius, (radius, radius)),
        ):
            self.surface.blit(disc, (x, y), Rect(part, (radius, radius)))
