"""Painter of how things stand: a card for everybody with their points and all that is so of them, and a line of what is
so of the table. One drawing for whatever a game tells."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pygame import Rect

from rules.engine import Seat
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import draw_foul_count, draw_player_badge
from ui.screen.pages.common.view import Player
from ui.screen.pages.scoreboard.facts import draw_facts, fitted_size
from ui.screen.pages.scoreboard.view import Facts

NO_PLACES: Mapping[Seat, int] = MappingProxyType({})


def table_facts_height(canvas: Canvas, facts: Facts, width: int) -> int:
    """How high ``table`` wants to be in a page ``wide`` pixels wide; nothing where nothing is told."""
    return canvas.theme.units(5.4) * (2 if len(facts) > 4 and canvas.theme.portrait else 1) if facts else 0


def draw_table_facts(canvas: Canvas, page: Rect, facts: Facts) -> Rect:
    """What is so of the table, in a line at the top of ``page``. Returns what is left of it."""
    if not facts:
        return page
    line, rest = layout.split_top(page, table_facts_height(canvas, facts, page.w), canvas.theme.gap)
    draw_facts(canvas, line, facts, canvas.theme.body)
    return rest


def draw_scoreboard(
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
    beside = _facts_fit_beside(canvas, _card_inside(canvas, cells[0]), players)
    for cell, player in zip(cells, players, strict=True):
        _draw_card(canvas, cell, player, beside, player.seat in winners, places.get(player.seat))


def _card_inside(canvas: Canvas, cell: Rect) -> Rect:
    return layout.inset(cell, canvas.theme.units(2), canvas.theme.units(1.4))


def _draw_card(canvas: Canvas, cell: Rect, player: Player, beside: bool, won: bool, place: int | None) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL, edge=ACCENT if won else LINE, width=theme.units(0.8 if won else 0.3))
    name, inner = _split_name_line(canvas, _card_inside(canvas, cell))
    narrow = cell.w < theme.units(44)
    size = min(theme.small if narrow else theme.body, name.h)
    if place is not None and not (won and narrow):
        number = t("{place}.", place=place)
        spot, name = layout.split_left(name, canvas.text_width(number, size, name.w // 4, name.h), theme.units(1))
        canvas.text(spot, number, size, ACCENT if won else MUTED, align="left")
    draw_player_badge(canvas, draw_foul_count(canvas, name, player, size), player, size)
    points, told = _split_card(canvas, inner, player, beside)
    draw_facts(canvas, told, player.facts, theme.body, align="left" if told.x > points.x else "centre")
    if won:
        side = min(points.h, theme.units(8), points.w // 3)
        crown, points = layout.split_left(points, side, theme.units(1))
        canvas.icon(crown, "crown", ACCENT)
        if told.x <= crown.x:
            points.width -= side + theme.units(1)
    if player.score is not None:
        canvas.text(points, str(player.score), theme.units(22), ACCENT if won else TEXT)


def _split_name_line(canvas: Canvas, inner: Rect) -> tuple[Rect, Rect]:
    """The line of a card that has the name, and what is below it."""
    theme = canvas.theme
    return layout.split_top(inner, min(theme.units(8), max(theme.units(4.2), inner.h // 4)), theme.units(0.5))


def _facts_fit_beside(canvas: Canvas, inner: Rect, players: Sequence[Player]) -> bool:
    """Whether what is so of players stands beside their points rather than below: wherever the smallest of it can be
    said in larger type, the same on every card."""
    below_name = _split_name_line(canvas, inner)[1]
    smallest = [
        min(
            fitted_size(canvas, told.w, told.h, player.facts, canvas.theme.body)
            for player in players
            for told in [_split_card(canvas, below_name, player, beside)[1]]
        )
        for beside in (True, False)
    ]
    return smallest[0] >= smallest[1]


def _split_card(canvas: Canvas, inner: Rect, player: Player, beside: bool) -> tuple[Rect, Rect]:
    """Where the points of a card stand, and where what else is so."""
    theme = canvas.theme
    if not player.facts:
        return inner, Rect(inner.right, inner.bottom, 0, 0)
    if player.score is None:
        return Rect(inner.x, inner.y, 0, 0), inner
    cut = layout.columns(inner, [2, 3], theme.gap) if beside else layout.rows(inner, [1, 1], theme.units(0.5))
    return cut[0], cut[1]
