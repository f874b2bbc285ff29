"""Icons drawn in code: hands, signs and the seats' shapes, made of discs, strokes and polygons on a unit square (y
downwards) at four times their size, and scaled down smoothly."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import pygame

from ui.screen.drawing.theme import Colour

SUPERSAMPLING = 4
"""How many times larger an icon is drawn than shown."""
Point = tuple[float, float]


class Pen:
    """Draws in one colour on a unit square, or erases."""

    def __init__(self, side: int, colour: Colour) -> None:
        self._side = side * SUPERSAMPLING
        self._clear = pygame.Color(*colour, 0)
        self._full = pygame.Color(*colour, 255)
        self._ink = self._full
        self._surface = pygame.Surface((self._side, self._side), pygame.SRCALPHA, 32)
        self._surface.fill(self._clear)

    def erase(self, active: bool = True) -> None:
        """Erase from now on, or draw again if not ``active``."""
        self._ink = self._clear if active else self._full

    def disc(self, centre: Point, radius: float) -> None:
        """Draw a filled circle."""
        pygame.draw.circle(self._surface, self._ink, self._pixel(centre), radius * self._side)

    def ring(self, centre: Point, radius: float, width: float) -> None:
        """Draw a circle's line, ``width`` wide, inside ``radius``."""
        thick = max(1, round(width * self._side))
        pygame.draw.circle(self._surface, self._ink, self._pixel(centre), radius * self._side, thick)

    def polygon(self, points: Sequence[Point]) -> None:
        """Draw a filled polygon."""
        pygame.draw.polygon(self._surface, self._ink, [self._pixel(point) for point in points])

    def stroke(self, points: Sequence[Point], width: float) -> None:
        """Draw a line with round ends and corners through ``points``."""
        for (ax, ay), (bx, by) in pairwise(points):
            length = math.hypot(bx - ax, by - ay) or 1.0
            nx, ny = (by - ay) / length * width / 2, (ax - bx) / length * width / 2
            self.polygon([(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)])
        for point in points:
            self.disc(point, width / 2)

    def outlined_stroke(self, points: Sequence[Point], width: float, gap: float = 0.035) -> None:
        """Draw a stroke with a ``gap`` around it to what is under it."""
        self.erase()
        self.stroke(points, width + 2 * gap)
        self.erase(False)
        self.stroke(points, width)

    def to_surface(self, side: int) -> pygame.Surface:
        """Return the drawing, scaled to ``side`` pixels."""
        return pygame.transform.smoothscale(self._surface, (side, side))

    def _pixel(self, at: Point) -> Point:
        return at[0] * self._side, at[1] * self._side


def regular_polygon(corners: int, radius: float, first_deg: float = -90.0, centre: Point = (0.5, 0.5)) -> list[Point]:
    """Return the corners of a regular polygon, the first at ``first_deg`` degrees (−90: at the top)."""
    angles = [math.radians(first_deg + 360 * corner / corners) for corner in range(corners)]
    return [(centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)) for angle in angles]


def _rock(pen: Pen) -> None:
    pen.stroke([(0.36, 0.66), (0.64, 0.66), (0.62, 0.84), (0.42, 0.84)], 0.24)
    pen.polygon([(0.30, 0.60), (0.74, 0.60), (0.70, 0.96), (0.36, 0.96)])
    for x, y in ((0.77, 0.36), (0.61, 0.29), (0.44, 0.27), (0.27, 0.32)):
        pen.outlined_stroke([(x, y), (x, 0.53)], 0.155, 0.016)
    pen.outlined_stroke([(0.22, 0.64), (0.52, 0.66)], 0.16)


def _paper(pen: Pen) -> None:
    pen.stroke([(0.38, 0.56), (0.66, 0.56), (0.60, 0.82), (0.42, 0.82), (0.38, 0.56), (0.60, 0.82)], 0.20)
    pen.polygon([(0.34, 0.62), (0.72, 0.62), (0.66, 0.96), (0.36, 0.96)])
    pen.stroke([(0.35, 0.56), (0.27, 0.17)], 0.125)
    pen.stroke([(0.47, 0.52), (0.46, 0.08)], 0.13)
    pen.stroke([(0.60, 0.54), (0.65, 0.11)], 0.125)
    pen.stroke([(0.69, 0.60), (0.82, 0.25)], 0.115)
    pen.stroke([(0.40, 0.80), (0.22, 0.66), (0.10, 0.50)], 0.125)


def _scissors(pen: Pen) -> None:
    pen.stroke([(0.38, 0.66), (0.64, 0.66), (0.60, 0.84), (0.42, 0.84), (0.38, 0.66)], 0.22)
    pen.polygon([(0.30, 0.64), (0.74, 0.64), (0.68, 0.96), (0.36, 0.96)])
    pen.stroke([(0.36, 0.62), (0.22, 0.10)], 0.135)
    pen.stroke([(0.50, 0.60), (0.62, 0.07)], 0.135)
    pen.outlined_stroke([(0.77, 0.55), (0.75, 0.66)], 0.135, 0.016)
    pen.outlined_stroke([(0.63, 0.53), (0.62, 0.68)], 0.145, 0.016)
    pen.outlined_stroke([(0.27, 0.74), (0.53, 0.70)], 0.145, 0.03)


def _nothing(pen: Pen) -> None:
    pen.ring((0.5, 0.5), 0.40, 0.09)
    pen.stroke([(0.24, 0.76), (0.76, 0.24)], 0.09)


def _foul(pen: Pen) -> None:
    pen.polygon(regular_polygon(8, 0.5, 22.5))
    pen.erase()
    pen.stroke([(0.5, 0.26), (0.5, 0.56)], 0.12)
    pen.disc((0.5, 0.75), 0.07)


def _good(pen: Pen) -> None:
    pen.disc((0.5, 0.5), 0.47)
    pen.erase()
    pen.stroke([(0.28, 0.52), (0.44, 0.67), (0.72, 0.35)], 0.11)


def _doubt(pen: Pen) -> None:
    pen.polygon([(0.5, 0.05), (0.98, 0.92), (0.02, 0.92)])
    pen.erase()
    pen.stroke([(0.5, 0.36), (0.5, 0.60)], 0.10)
    pen.disc((0.5, 0.77), 0.06)


def _crown(pen: Pen) -> None:
    pen.polygon([(0.06, 0.26), (0.30, 0.48), (0.5, 0.12), (0.70, 0.48), (0.94, 0.26), (0.84, 0.72), (0.16, 0.72)])
    for at in ((0.06, 0.24), (0.5, 0.12), (0.94, 0.24)):
        pen.disc(at, 0.055)
    pen.stroke([(0.19, 0.85), (0.81, 0.85)], 0.09)


def _eye(pen: Pen) -> None:
    curve = [(x / 20, 0.5 - 0.34 * math.sin(math.pi * x / 20)) for x in range(21)]
    pen.polygon(curve + [(x, 1 - y) for x, y in reversed(curve)])
    pen.erase()
    pen.disc((0.5, 0.5), 0.22)
    pen.erase(False)
    pen.disc((0.5, 0.5), 0.12)


def _plus(pen: Pen) -> None:
    pen.stroke([(0.5, 0.16), (0.5, 0.84)], 0.16)
    pen.stroke([(0.16, 0.5), (0.84, 0.5)], 0.16)


def _minus(pen: Pen) -> None:
    pen.stroke([(0.16, 0.5), (0.84, 0.5)], 0.16)


def _forward(pen: Pen) -> None:
    pen.stroke([(0.36, 0.16), (0.68, 0.5), (0.36, 0.84)], 0.15)


def _back(pen: Pen) -> None:
    pen.stroke([(0.64, 0.16), (0.32, 0.5), (0.64, 0.84)], 0.15)


def _burst(pen: Pen) -> None:
    outer, inner = regular_polygon(12, 0.5), regular_polygon(12, 0.36, -75)
    pen.polygon([point for pair in zip(outer, inner, strict=True) for point in pair])


def _circle(pen: Pen) -> None:
    pen.disc((0.5, 0.5), 0.46)


def _square(pen: Pen) -> None:
    pen.stroke([(0.16, 0.16), (0.84, 0.16), (0.84, 0.84), (0.16, 0.84), (0.16, 0.16)], 0.12)
    pen.polygon([(0.16, 0.16), (0.84, 0.16), (0.84, 0.84), (0.16, 0.84)])


def _triangle(pen: Pen) -> None:
    corners = [(0.5, 0.12), (0.92, 0.84), (0.08, 0.84)]
    pen.polygon(corners)
    pen.stroke([*corners, corners[0]], 0.12)


def _diamond(pen: Pen) -> None:
    pen.polygon([(0.5, 0.0), (0.92, 0.5), (0.5, 1.0), (0.08, 0.5)])


def _star(pen: Pen) -> None:
    outer, inner = regular_polygon(5, 0.54, centre=(0.5, 0.54)), regular_polygon(5, 0.24, -54, (0.5, 0.54))
    pen.polygon([point for pair in zip(outer, inner, strict=True) for point in pair])


def _cross(pen: Pen) -> None:
    pen.polygon([(0.34, 0.04), (0.66, 0.04), (0.66, 0.96), (0.34, 0.96)])
    pen.polygon([(0.04, 0.34), (0.96, 0.34), (0.96, 0.66), (0.04, 0.66)])


def _heart(pen: Pen) -> None:
    pen.disc((0.28, 0.33), 0.235)
    pen.disc((0.72, 0.33), 0.235)
    pen.polygon([(0.09, 0.47), (0.5, 0.97), (0.91, 0.47), (0.5, 0.26)])


def _moon(pen: Pen) -> None:
    pen.disc((0.48, 0.5), 0.47)
    pen.erase()
    pen.disc((0.72, 0.38), 0.40)


def _hexagon(pen: Pen) -> None:
    pen.polygon(regular_polygon(6, 0.5))


def _boulder(pen: Pen) -> None:
    corners = [(0.10, 0.66), (0.18, 0.34), (0.42, 0.14), (0.70, 0.18), (0.90, 0.46), (0.88, 0.76), (0.66, 0.88)]
    pen.polygon([*corners, (0.28, 0.86)])
    pen.stroke([*corners, (0.28, 0.86), corners[0]], 0.10)


def _sheet(pen: Pen) -> None:
    pen.polygon([(0.16, 0.04), (0.62, 0.04), (0.86, 0.28), (0.86, 0.96), (0.16, 0.96)])
    pen.erase()
    pen.stroke([(0.60, 0.02), (0.60, 0.30), (0.90, 0.30)], 0.05)


def _blades(pen: Pen) -> None:
    for side in (-1, 1):
        pen.stroke([(0.5 - side * 0.14, 0.70), (0.5 + side * 0.42, 0.14)], 0.12)
        pen.ring((0.5 - side * 0.24, 0.80), 0.18, 0.09)


def _flag(pen: Pen) -> None:
    pen.stroke([(0.14, 0.08), (0.14, 0.94)], 0.10)
    pen.polygon([(0.14, 0.08), (0.96, 0.08), (0.80, 0.36), (0.96, 0.64), (0.14, 0.64)])


def _globe(pen: Pen) -> None:
    pen.ring((0.5, 0.5), 0.47, 0.075)
    pen.stroke([(0.06, 0.5), (0.94, 0.5)], 0.07)
    pen.stroke([(0.5, 0.06), (0.5, 0.94)], 0.07)
    for side in (-1, 1):
        bow = [
            (0.5 + side * 0.24 * math.cos(a * math.pi / 8), 0.5 + 0.44 * math.sin(a * math.pi / 8))
            for a in range(-4, 5)
        ]
        pen.stroke(bow, 0.065)


def _gear(pen: Pen) -> None:
    for tooth in range(8):
        angle = math.pi * tooth / 4
        across, down = math.cos(angle), math.sin(angle)
        pen.stroke([(0.5, 0.5), (0.5 + 0.40 * across, 0.5 + 0.40 * down)], 0.17)
    pen.disc((0.5, 0.5), 0.34)
    pen.erase()
    pen.disc((0.5, 0.5), 0.15)


def _sums(pen: Pen) -> None:
    pen.polygon([(0.14, 0.04), (0.86, 0.04), (0.86, 0.96), (0.14, 0.96)])
    pen.erase()
    pen.polygon([(0.24, 0.14), (0.76, 0.14), (0.76, 0.34), (0.24, 0.34)])
    for y in (0.48, 0.66, 0.84):
        for x in (0.30, 0.50, 0.70):
            pen.disc((x, y), 0.07)


def _frame(pen: Pen) -> None:
    for x, across in ((0.08, 1), (0.92, -1)):
        for y, down in ((0.08, 1), (0.92, -1)):
            pen.stroke([(x + across * 0.24, y), (x, y), (x, y + down * 0.24)], 0.10)
    pen.disc((0.5, 0.5), 0.17)


def _clock(pen: Pen) -> None:
    pen.ring((0.5, 0.5), 0.47, 0.09)
    pen.stroke([(0.5, 0.22), (0.5, 0.52), (0.70, 0.64)], 0.09)


def _waves(pen: Pen) -> None:
    pen.disc((0.5, 0.82), 0.09)
    for radius in (0.28, 0.50, 0.72):
        bow = [math.pi * (5 + step) / 20 for step in range(11)]
        pen.stroke([(0.5 - radius * math.cos(a), 0.84 - radius * math.sin(a)) for a in bow], 0.085)


def _aim(pen: Pen) -> None:
    pen.ring((0.5, 0.5), 0.47, 0.09)
    pen.ring((0.5, 0.5), 0.28, 0.09)
    pen.disc((0.5, 0.5), 0.10)


def _swap(pen: Pen) -> None:
    pen.stroke([(0.10, 0.32), (0.86, 0.32)], 0.10)
    pen.stroke([(0.66, 0.12), (0.88, 0.32), (0.66, 0.52)], 0.10)
    pen.stroke([(0.90, 0.70), (0.14, 0.70)], 0.10)
    pen.stroke([(0.34, 0.50), (0.12, 0.70), (0.34, 0.90)], 0.10)


def _pencil(pen: Pen) -> None:
    pen.stroke([(0.28, 0.72), (0.78, 0.22)], 0.22)
    pen.polygon([(0.06, 0.94), (0.14, 0.68), (0.32, 0.86)])
    pen.erase()
    pen.stroke([(0.58, 0.26), (0.74, 0.42)], 0.05)


def _raise(pen: Pen) -> None:
    pen.polygon([(0.5, 0.08), (0.94, 0.52), (0.70, 0.52), (0.70, 0.90), (0.30, 0.90), (0.30, 0.52), (0.06, 0.52)])


def _erase(pen: Pen) -> None:
    pen.polygon([(0.02, 0.5), (0.30, 0.18), (0.98, 0.18), (0.98, 0.82), (0.30, 0.82)])
    pen.erase()
    pen.stroke([(0.48, 0.36), (0.78, 0.64)], 0.09)
    pen.stroke([(0.78, 0.36), (0.48, 0.64)], 0.09)


def _flame(pen: Pen) -> None:
    pen.polygon([(0.5, 0.02), (0.72, 0.30), (0.84, 0.22), (0.92, 0.62), (0.76, 0.90), (0.5, 0.98), (0.24, 0.90)])
    pen.polygon([(0.5, 0.02), (0.30, 0.34), (0.16, 0.50), (0.10, 0.66), (0.24, 0.90), (0.5, 0.98)])
    pen.erase()
    pen.polygon([(0.5, 0.52), (0.66, 0.76), (0.5, 0.92), (0.34, 0.76)])


def _shield(pen: Pen) -> None:
    pen.polygon([(0.5, 0.02), (0.92, 0.16), (0.88, 0.56), (0.5, 0.98), (0.12, 0.56), (0.08, 0.16)])
    pen.erase()
    pen.stroke([(0.5, 0.28), (0.5, 0.62)], 0.12)
    pen.stroke([(0.33, 0.45), (0.67, 0.45)], 0.12)


def _cards(pen: Pen) -> None:
    pen.polygon([(0.06, 0.22), (0.46, 0.10), (0.66, 0.78), (0.26, 0.90)])
    pen.erase()
    pen.polygon([(0.38, 0.14), (0.94, 0.14), (0.94, 1.0), (0.38, 1.0)])
    pen.erase(False)
    pen.polygon([(0.45, 0.20), (0.90, 0.20), (0.90, 0.94), (0.45, 0.94)])


def _coin(pen: Pen) -> None:
    pen.disc((0.5, 0.5), 0.48)
    pen.erase()
    for turn in range(6):
        across, down = math.cos(math.pi * turn / 3), math.sin(math.pi * turn / 3)
        pen.stroke([(0.5 + 0.40 * across, 0.5 + 0.40 * down), (0.5 + 0.5 * across, 0.5 + 0.5 * down)], 0.12)
    pen.ring((0.5, 0.5), 0.29, 0.06)


def _purse(pen: Pen) -> None:
    pen.disc((0.5, 0.64), 0.34)
    pen.polygon([(0.36, 0.36), (0.26, 0.06), (0.5, 0.16), (0.74, 0.06), (0.64, 0.36)])
    pen.erase()
    pen.stroke([(0.32, 0.35), (0.68, 0.35)], 0.06)


def _bubble(pen: Pen) -> None:
    pen.polygon([(0.06, 0.10), (0.94, 0.10), (0.94, 0.70), (0.50, 0.70), (0.26, 0.96), (0.28, 0.70), (0.06, 0.70)])


def _again(pen: Pen) -> None:
    bow = [math.pi * step / 10 for step in range(-4, 12)]
    pen.stroke([(0.5 + 0.36 * math.cos(a), 0.5 + 0.36 * math.sin(a)) for a in bow], 0.13)
    pen.polygon([(0.36, 0.0), (0.36, 0.40), (0.68, 0.14)])


def _level(pen: Pen) -> None:
    pen.stroke([(0.18, 0.36), (0.82, 0.36)], 0.15)
    pen.stroke([(0.18, 0.66), (0.82, 0.66)], 0.15)


def _beats(pen: Pen) -> None:
    pen.polygon([(0.04, 0.36), (0.52, 0.36), (0.52, 0.14), (0.96, 0.5), (0.52, 0.86), (0.52, 0.64), (0.04, 0.64)])


def _arrow(degrees: float) -> Callable[[Pen], None]:
    """Return what draws an arrow, turned by ``degrees`` from the East."""
    across, up = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def rotate(x: float, y: float) -> Point:
        return 0.5 + x * across + y * up, 0.5 - x * up + y * across

    def draw(pen: Pen) -> None:
        pen.stroke([rotate(-0.40, 0.0), rotate(0.36, 0.0)], 0.13)
        pen.stroke([rotate(0.08, -0.30), rotate(0.38, 0.0), rotate(0.08, 0.30)], 0.13)

    return draw


ICONS: dict[str, Callable[[Pen], None]] = {
    "rock": _rock,
    "paper": _paper,
    "scissors": _scissors,
    "nothing": _nothing,
    "foul": _foul,
    "good": _good,
    "doubt": _doubt,
    "crown": _crown,
    "eye": _eye,
    "plus": _plus,
    "minus": _minus,
    "forward": _forward,
    "back": _back,
    "burst": _burst,
    "circle": _circle,
    "square": _square,
    "triangle": _triangle,
    "diamond": _diamond,
    "star": _star,
    "cross": _cross,
    "heart": _heart,
    "moon": _moon,
    "hexagon": _hexagon,
    "boulder": _boulder,
    "sheet": _sheet,
    "blades": _blades,
    "flag": _flag,
    "flame": _flame,
    "shield": _shield,
    "cards": _cards,
    "coin": _coin,
    "purse": _purse,
    "bubble": _bubble,
    "again": _again,
    "level": _level,
    "beats": _beats,
    "globe": _globe,
    "gear": _gear,
    "sums": _sums,
    "frame": _frame,
    "clock": _clock,
    "waves": _waves,
    "aim": _aim,
    "swap": _swap,
    "pencil": _pencil,
    "raise": _raise,
    "erase": _erase,
    "to E": _arrow(0),
    "to NE": _arrow(60),
    "to NW": _arrow(120),
    "to W": _arrow(180),
    "to SW": _arrow(240),
    "to SE": _arrow(300),
}


@lru_cache(maxsize=512)
def icon(name: str, side: int, colour: Colour) -> pygame.Surface:
    """Return the icon called ``name``, ``side`` pixels square, on a transparent ground. Don't draw on it: it is
    cached."""
    side = max(1, side)
    pen = Pen(side, colour)
    ICONS[name](pen)
    return pen.to_surface(side)


@lru_cache(maxsize=256)
def corner_disc(radius: int, colour: Colour) -> pygame.Surface:
    """Return a disc of ``radius`` pixels whose quarters are the corners of a panel."""
    pen = Pen(2 * radius, colour)
    pen.disc((0.5, 0.5), 0.5)
    return pen.to_surface(2 * radius)


@lru_cache(maxsize=64)
def inverse_corner(radius: int, colour: Colour) -> pygame.Surface:
    """Return the outside of ``corner_disc``, which makes an image's corners round when drawn over them."""
    pen = Pen(2 * radius, colour)
    pen.polygon([(0, 0), (1, 0), (1, 1), (0, 1)])
    pen.erase()
    pen.disc((0.5, 0.5), 0.5)
    return pen.to_surface(2 * radius)


def ring_icon(radius: float, width: float, colour: Colour) -> pygame.Surface:
    """Return a circle's anti-aliased line, ``width`` pixels wide, inside ``radius`` (to the nearest half pixel). Don't
    draw on it: it is cached, as an animated ring is the same on every beat."""
    return _ring(round(2 * radius), width, colour)


@lru_cache(maxsize=192)
def _ring(halves: int, width: float, colour: Colour) -> pygame.Surface:
    radius = halves / 2
    side = 2 * math.ceil(radius) + 2
    pen = Pen(side, colour)
    pen.ring((0.5, 0.5), radius / side, width / side)
    return pen.to_surface(side)
