"""Painter of how things stand: a card for everybody with their points and all that is so of them, and a line of what is
so of the table. One drawing for whatever a game tells."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pygame import Rect

from rules.script import Seat
from ui.language import t
from ui.screen import layout
from ui.screen.canvas import Canvas
from ui.screen.paint_facts import facts
from ui.screen.pieces import badge, fouls
from ui.screen.standing import Facts
from ui.screen.theme import ACCENT, LINE, MUTED, PANEL, TEXT
from ui.screen.views import Player

NO_PLACES: Mapping[Seat, int] = MappingProxyType({})


def table_height(canvas: Canvas, told: Facts, wide: int) -> int:
    """How high ``table`` wants to be in a page ``wide`` pixels wide; nothing where nothing is told."""
    return canvas.theme.units(5.4) * (2 if len(told) > 4 and canvas.theme.portrait else 1) if told else 0


def table(canvas: Canvas, page: Rect, told: Facts) -> Rect:
    """What is so of the table, in a line at the top of ``page``. Returns what is left of it."""
    if not told:
        return page
    line, rest = layout.top(page, table_height(canvas, told, page.w), canvas.theme.gap)
    facts(canvas, line, told, canvas.theme.body)
    return rest


def standing(
    canvas: Canvas,
    box: Rect,
    players: Sequence[Player],
    winners: Sequence[Seat] = (),
    places: Mapping[Seat, int] = NO_PLACES,
) -> None:
    """A card for everybody: points as large as they go, and what else is so of them; ``winners`` have an edge and a
    crown, whoever has one of the ``places`` its number."""
    count = len(players)
    across = (count if count <= 4 else -(-count // 2)) if box.w > box.h * 1.4 else 2
    if canvas.theme.portrait and count <= 3:
        across = 1
    cells = layout.grid(box, count, max(1, across), canvas.theme.gap)
    for cell, player in zip(cells, players, strict=True):
        _card(canvas, cell, player, player.seat in winners, places.get(player.seat))


def _card(canvas: Canvas, cell: Rect, player: Player, won: bool, place: int | None) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL, edge=ACCENT if won else LINE, width=theme.units(0.8 if won else 0.3))
    inner = layout.inside(cell, theme.units(2), theme.units(1.4))
    name, inner = layout.top(inner, min(theme.units(8), max(theme.units(4.2), inner.h // 4)), theme.units(0.5))
    size = min(theme.body if cell.w >= theme.units(44) else theme.small, name.h)
    if won or place is not None:
        number = t("{place}.", place=place)
        wide = size if won else canvas.width(number, size, name.w // 4, name.h)
        spot, name = layout.left(name, wide, theme.units(1))
        if won:
            canvas.icon(spot, "crown", ACCENT)
        else:
            canvas.text(spot, number, size, MUTED, side="left")
    badge(canvas, fouls(canvas, name, player, size), player, size)
    points, told = _split(inner, player, theme.units(0.5))
    if player.facts:
        facts(canvas, told, player.facts, theme.body, side="left" if told.x > points.x else "centre")
    if player.score is not None:
        canvas.text(points, str(player.score), theme.units(22), ACCENT if won else TEXT)


def _split(inner: Rect, player: Player, gap: int) -> tuple[Rect, Rect]:
    """Where the points of a card stand, and where what else is so: beside them in a wide card, else below."""
    if not player.facts:
        return inner, Rect(inner.right, inner.bottom, 0, 0)
    if player.score is None:
        return Rect(inner.x, inner.y, 0, 0), inner
    if inner.w > 1.7 * inner.h:
        points, told = layout.columns(inner, [2, 3], 2 * gap)
        return points, told
    lines = min(5, len(player.facts))
    points, told = layout.rows(inner, [4, 1 + lines], gap)
    return points, told
