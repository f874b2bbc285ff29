"""Painter of the scoreboard: a card for each player with points and facts, and a line of facts about the table. The
same for every game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from pygame import Rect

from rules.engine import Seat
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Alignment, Canvas
from ui.screen.drawing.text import line_height, text_width
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, TEXT, TextRole
from ui.screen.pages.common import Player
from ui.screen.pages.fact_chips import draw_facts, facts_fit, fitted_size, readable_facts
from ui.screen.pages.match_widgets import (
    cells_across,
    draw_foul_count,
    draw_player_badge,
    draw_score,
    score_width,
)
from ui.screen.pages.scoreboard import Facts

NO_PLACES: Mapping[Seat, int] = MappingProxyType({})
MIN_CARD_WIDTH = 40
"""The least width of a card, in units: that of a long name in the smallest type."""


def draw_table_facts(canvas: Canvas, page: Rect, facts: Facts) -> Rect:
    """Draw the facts about the table at the top of ``page``, in one line or, of many or long ones, two. Returns the
    rest of the page. A fact too long for everybody to read is smaller, or left out: the page's sentence says it
    too."""
    height = line_height(canvas.theme.shared)
    facts = readable_facts(canvas, page.w, 2 * height, facts)
    if not facts:
        return page
    few = len(facts) <= canvas.theme.pick(4, 2)
    one_line = few and (len(facts) == 1 or facts_fit(canvas, page.w, height, facts, "shared"))
    line, rest = layout.split_top(page, height if one_line else 2 * height, canvas.theme.gap)
    role: TextRole = "shared" if facts_fit(canvas, line.w, line.h, facts, "shared") else "personal"
    draw_facts(canvas, line, facts, canvas.theme.shared, role=role)
    return rest


def draw_scoreboard(
    canvas: Canvas,
    box: Rect,
    players: Sequence[Player],
    winners: Sequence[Seat] = (),
    places: Mapping[Seat, int] = NO_PLACES,
    *,
    drops_facts: bool = False,
) -> None:
    """Draw a card for each player: points as large as they fit, and facts. ``winners`` have an edge and a crown;
    ``places`` are the players' ranks by seat. With ``drops_facts``, facts too small to be read are left out: the page
    says them in sentences."""
    count = len(players)
    across = (
        cells_across(canvas, count, 4) if box.w > box.h * 1.4 else canvas.theme.pick(2, cells_across(canvas, count, 4))
    )
    across = min(across, box.w // canvas.theme.units(MIN_CARD_WIDTH))
    cells = layout.grid(box, count, max(1, across), canvas.theme.gap)
    players, at_side, role = _fit_facts(canvas, cells[0], players, drops_facts)
    for cell, player in zip(cells, players, strict=True):
        _draw_card(canvas, cell, player, at_side, player.seat in winners, places.get(player.seat), role)


def _fit_facts(
    canvas: Canvas, cell: Rect, players: Sequence[Player], drops_facts: bool
) -> tuple[Sequence[Player], bool, TextRole]:
    """Return the players with as many of their facts as can be read in cards like ``cell``, the first ones, or with all
    unless it ``drops_facts``; whether those go to the right of the points; and who can read them."""
    inner = _card_inside(canvas, cell)
    below_name = _split_name_line(canvas, inner)[1]
    roles: tuple[TextRole, ...] = ("shared", "personal")
    if drops_facts and _has_one_line(canvas, inner, below_name):
        return [replace(player, facts=()) for player in players], False, roles[-1]
    for count in range(max((len(player.facts) for player in players), default=0), 0, -1):
        shown = [replace(player, facts=player.facts[:count]) for player in players]
        for role in roles:
            at_side = _facts_fit_at_side(canvas, inner, shown, role)
            boxes = [_split_card(canvas, below_name, player, at_side)[1] for player in shown]
            if all(
                facts_fit(canvas, box.w, box.h, player.facts, role) for box, player in zip(boxes, shown, strict=True)
            ):
                return shown, at_side, role
        if not drops_facts:
            return shown, at_side, role
    return [replace(player, facts=()) for player in players], False, roles[-1]


def _has_one_line(canvas: Canvas, inner: Rect, below_name: Rect) -> bool:
    """Return whether a card has points that everybody can read only next to the name."""
    return below_name.h < line_height(canvas.theme.shared) <= inner.h


def _card_inside(canvas: Canvas, cell: Rect) -> Rect:
    return layout.inset(cell, canvas.theme.units(1.2), canvas.theme.units(1))


def _draw_card(
    canvas: Canvas, cell: Rect, player: Player, at_side: bool, won: bool, place: int | None, role: TextRole
) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL, edge=ACCENT if won else LINE, width=theme.units(0.8 if won else 0.3))
    whole = _card_inside(canvas, cell)
    name, inner = _split_name_line(canvas, whole)
    tight = inner.h < line_height(theme.small) or (place is None and _has_one_line(canvas, whole, inner))
    if tight and player.score is not None and not player.facts:
        points_role: TextRole = "shared" if whole.h >= line_height(theme.min_text_size("shared")) else "personal"
        width = score_width(canvas, player, theme.shared, whole.w // 2, whole.h)
        name, points = layout.split_right(whole, width, theme.units(1))
        draw_score(canvas, points, player, theme.shared, ACCENT if won else TEXT, role=points_role)
        draw_player_badge(canvas, name, player, theme.small)
        return
    narrow = cell.w < theme.units(48)
    size = min(theme.small if narrow else theme.body, name.h)
    points, facts_box = _split_card(canvas, inner, player, at_side)
    # A name needs all of a narrow card: place and fouls go below the points.
    notes = name
    if narrow and (player.fouls is not None or (place is not None and not won)):
        if points.w:
            points, notes = layout.split_bottom(points, line_height(theme.small), 0)
        else:
            facts_box, notes = layout.split_bottom(facts_box, line_height(theme.small), 0)
    if place is not None and not (won and narrow):
        number = t("{place}.", place=place)
        number_rect, rest = layout.split_left(
            notes, canvas.text_width(number, size, notes.w // 2, notes.h), theme.units(1)
        )
        canvas.text(number_rect, number, size, ACCENT if won else MUTED, align="left")
        notes = rest
    notes = draw_foul_count(canvas, notes, player, size)
    draw_player_badge(canvas, name if narrow else notes, player, size)
    align: Alignment = "left" if facts_box.x > points.x else "centre"
    draw_facts(
        canvas,
        facts_box,
        player.facts,
        theme.min_text_size(role) if role == "shared" else theme.body,
        align=align,
        role=role,
    )
    if won and points.w >= theme.units(18):
        side = min(points.h, theme.units(8), points.w // 3)
        crown, points = layout.split_left(points, side, theme.units(1))
        canvas.icon(crown, "crown", ACCENT)
        if facts_box.x <= crown.x:
            points.width -= side + theme.units(1)
    if player.score is not None:
        points_role = "shared" if points.h >= line_height(theme.min_text_size("shared")) else "personal"
        draw_score(canvas, points, player, theme.units(22), ACCENT if won else TEXT, role=points_role)


def _split_name_line(canvas: Canvas, inner: Rect) -> tuple[Rect, Rect]:
    """Return the name's line of a card, and the rest below it."""
    theme = canvas.theme
    return layout.split_top(inner, min(theme.units(8), max(line_height(theme.small), inner.h // 4)), theme.units(0.5))


def _facts_fit_at_side(canvas: Canvas, inner: Rect, players: Sequence[Player], role: TextRole) -> bool:
    """Return whether players' facts go to the right of their points rather than below: wherever the smallest of them
    gets larger type that way. The same on every card."""
    below_name = _split_name_line(canvas, inner)[1]
    smallest = [
        min(
            fitted_size(canvas, facts_box.w, facts_box.h, player.facts, canvas.theme.body, role)
            for player in players
            for facts_box in [_split_card(canvas, below_name, player, at_side)[1]]
        )
        for at_side in (True, False)
    ]
    return smallest[0] >= smallest[1]


def _split_card(canvas: Canvas, inner: Rect, player: Player, at_side: bool) -> tuple[Rect, Rect]:
    """Return the places of a card's points and of its facts."""
    theme = canvas.theme
    if not player.facts:
        return inner, Rect(inner.right, inner.bottom, 0, 0)
    if player.score is None:
        return Rect(inner.x, inner.y, 0, 0), inner
    if at_side:
        width = max(round((inner.w - theme.units(0.8)) * 4 / 11), text_width(str(player.score), theme.shared))
        return layout.split_left(inner, width, theme.units(0.8))
    least = line_height(theme.shared) + line_height(theme.small)
    return layout.split_top(inner, max(inner.h // 2, min(inner.h, least)), theme.units(0.5))
