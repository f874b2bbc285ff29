"""Icons of the pages as SVG symbols, in one colour each: the touchscreen's hands and signs
(``ui/screen/drawing/icons.py``) and the seats' shapes. A page includes the symbol sheet once and uses symbols by
name."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from rules.engine import Seat, Value

SEAT_SHAPES = ("circle", "square", "triangle", "diamond", "star", "cross", "heart", "moon")
"""The shapes of seats 1 to 8, as on the touchscreen."""

Point = tuple[float, float]


class IconStroke(NamedTuple):
    """A line with round ends through points of a 100 x 100 square; ``gap`` is the space around it where it covers
    another shape."""

    points: Sequence[Point]
    width: float
    gap: float = 0.0

    def to_svg(self, margin: float = 0.0) -> str:
        """Return the SVG path, wider by ``margin`` on either side."""
        where = "L".join(f"{x:g} {y:g}" for x, y in self.points)
        return f'<path class="stroke" d="M{where}" stroke-width="{self.width + 2 * margin:g}"/>'


def _polygon(points: Sequence[Point]) -> str:
    return f'<path d="M{"L".join(f"{x:g} {y:g}" for x, y in points)}Z"/>'


def _with_gaps(name: str, drawn: str, strokes: Sequence[IconStroke]) -> str:
    """Return ``drawn`` with the gaps around the strokes over it cut out."""
    out = "".join(stroke.to_svg(stroke.gap) for stroke in strokes)
    return (
        f'<mask id="{name}" maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="100">'
        f'<rect width="100" height="100" fill="#fff"/><g stroke="#000">{out}</g></mask>'
        f'<g mask="url(#{name})">{drawn}</g>'
    )


def _rock() -> str:
    fingers = [IconStroke(((x, y), (x, 53)), 15.5, 1.6) for x, y in ((77, 36), (61, 29), (44, 27), (27, 32))]
    thumb = IconStroke(((22, 64), (52, 66)), 16, 3.5)
    palm = IconStroke(((36, 66), (64, 66), (62, 84), (42, 84)), 24).to_svg()
    palm += _polygon(((30, 60), (74, 60), (70, 96), (36, 96)))
    row = "".join(finger.to_svg() for finger in fingers)
    return _with_gaps("rock-palm", palm, [*fingers, thumb]) + _with_gaps("rock-row", row, [thumb]) + thumb.to_svg()


def _paper() -> str:
    palm = IconStroke(((38, 56), (66, 56), (60, 82), (42, 82), (38, 56), (60, 82)), 20)
    fingers = (
        palm,
        IconStroke(((35, 56), (27, 17)), 12.5),
        IconStroke(((47, 52), (46, 8)), 13),
        IconStroke(((60, 54), (65, 11)), 12.5),
        IconStroke(((69, 60), (82, 25)), 11.5),
        IconStroke(((40, 80), (22, 66), (10, 50)), 12.5),
    )
    return "".join(finger.to_svg() for finger in fingers) + _polygon(((34, 62), (72, 62), (66, 96), (36, 96)))


def _scissors() -> str:
    palm = IconStroke(((38, 66), (64, 66), (60, 84), (42, 84), (38, 66)), 22).to_svg()
    palm += _polygon(((30, 64), (74, 64), (68, 96), (36, 96)))
    palm += IconStroke(((36, 62), (22, 10)), 13.5).to_svg() + IconStroke(((50, 60), (62, 7)), 13.5).to_svg()
    folded = [IconStroke(((77, 55), (75, 66)), 13.5, 1.6), IconStroke(((63, 53), (62, 68)), 14.5, 1.6)]
    thumb = IconStroke(((27, 74), (53, 70)), 14.5, 3)
    row = "".join(finger.to_svg() for finger in folded)
    return (
        _with_gaps("scissors-palm", palm, [*folded, thumb]) + _with_gaps("scissors-row", row, [thumb]) + thumb.to_svg()
    )


ICONS = {
    "rock": _rock(),
    "paper": _paper(),
    "scissors": _scissors(),
    "nothing": '<circle cx="50" cy="50" r="35" fill="none" stroke-width="9"/>'
    + IconStroke(((25, 75), (75, 25)), 9).to_svg(),
    "good": '<circle cx="50" cy="50" r="42" fill="none" stroke-width="9"/>'
    + IconStroke(((30, 52), (44, 66), (71, 36)), 10).to_svg(),
    "foul": '<path d="M31 5H69L95 31V69L69 95H31L5 69V31Z"/><path class="stroke out" d="M50 26V56" stroke-width="12"/>'
    '<circle class="out" cx="50" cy="75" r="7"/>',
    "doubt": '<path d="M50 8L96 90H4Z"/><path class="stroke out" d="M50 36V60" stroke-width="10"/>'
    '<circle class="out" cx="50" cy="76" r="6"/>',
    "crown": '<path d="M6 26L30 48L50 12L70 48L94 26L84 72H16Z"/><circle cx="6" cy="24" r="5.5"/>'
    '<circle cx="50" cy="12" r="5.5"/><circle cx="94" cy="24" r="5.5"/>' + IconStroke(((19, 85), (81, 85)), 9).to_svg(),
    "flag": IconStroke(((16, 8), (16, 94)), 9).to_svg() + '<path d="M16 10H92L76 36L92 62H16Z"/>',
    "eye": '<path d="M2 50Q50 -14 98 50Q50 114 2 50Z"/><circle class="out" cx="50" cy="50" r="21"/>'
    '<circle cx="50" cy="50" r="11"/>',
    "back": IconStroke(((62, 18), (32, 50), (62, 82)), 13).to_svg(),
    "forward": IconStroke(((38, 18), (68, 50), (38, 82)), 13).to_svg(),
    "pen": IconStroke(((22, 78), (70, 30)), 15).to_svg()
    + '<path d="M8 92L14 70L30 86Z"/><path d="M72 16L84 28L90 22L78 10Z"/>',
}
"""Icons in a 100 x 100 square. Class "out" has the background colour."""

SHAPE_PATHS = {
    "circle": '<circle cx="50" cy="50" r="46"/>',
    "square": '<rect x="8" y="8" width="84" height="84" rx="8"/>',
    "triangle": '<path d="M50 6L96 90H4Z"/>',
    "diamond": '<path d="M50 1L95 50L50 99L5 50Z"/>',
    "star": '<path d="M50 0L63 32L99 36L72 59L80 95L50 76L20 95L28 59L1 36L37 32Z"/>',
    "cross": '<path d="M32 4H68V32H96V68H68V96H32V68H4V32H32Z"/>',
    "heart": '<path d="M50 96L8 48A25 25 0 1 1 50 24A25 25 0 1 1 92 48Z"/>',
    "moon": '<path d="M60 2A48 48 0 1 0 96 66A38 38 0 0 1 60 2Z"/>',
}


def symbol_sheet() -> Markup:
    """Return all symbols, hidden, to be included once before the first use."""
    signs = "".join(f'<symbol id="{name}" viewBox="0 0 100 100">{drawn}</symbol>' for name, drawn in ICONS.items())
    shapes = "".join(
        f'<symbol id="shape-{name}" viewBox="-4 -4 108 108">{drawn}</symbol>' for name, drawn in SHAPE_PATHS.items()
    )
    return Markup(f'<svg class="sheet" aria-hidden="true" focusable="false">{signs}{shapes}</svg>')


def icon(name: str) -> Markup:
    """Return an icon that accompanies a text with the same meaning."""
    return Markup(f'<svg class="sign" viewBox="0 0 100 100" aria-hidden="true"><use href="#{name}"/></svg>')


def throw_icon(reading: Value) -> Markup:
    """Return the icon of a throw, or the one for no throw."""
    return icon(str(reading) if reading in ("rock", "paper", "scissors") else "nothing")


def verdict_icon(word: str, foul: bool) -> Markup:
    """Return the icon of a verdict: good, a foul, or neither."""
    return icon("foul" if foul else "good" if word == "on time" else "doubt")


def seat_class(seat: Seat) -> str:
    """Return the CSS class of a seat's colour; seat 9 has that of seat 1."""
    return f"seat-{(seat - 1) % len(SEAT_SHAPES) + 1}"


def seat_mark_inner(seat: Seat, side: float) -> Markup:
    """Return a seat's shape with its number, ``side`` pixels wide and centred at the origin, for use within an SVG."""
    shape, half = SEAT_SHAPES[(seat - 1) % len(SEAT_SHAPES)], side / 2
    down = {"triangle": 0.17, "heart": -0.04, "star": 0.04}.get(shape, 0.0) * side
    size = side * (0.44 if seat > 9 or shape == "triangle" else 0.56)
    return Markup(
        f'<use class="shape" href="#shape-{shape}" x="{-half:g}" y="{-half:g}" width="{side:g}" height="{side:g}"/>'
        f'<text class="number" text-anchor="middle" y="{size * 0.36 + down:.1f}" font-size="{size:.1f}">{seat}</text>'
    )


def seat_mark(seat: Seat) -> Markup:
    """Return a seat's shape with its number, shown next to the player's name."""
    place = f'class="mark {seat_class(seat)}" viewBox="-12 -12 24 24"'
    return Markup(f'<svg {place} role="img" aria-label="Seat {seat}">{seat_mark_inner(seat, 22)}</svg>')
