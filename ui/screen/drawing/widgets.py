"""Parts that several pages share: the header, players with their marks and points, the buttons of long lists."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

import numpy as np
import pygame
from numpy.typing import NDArray
from pygame import Rect

from rules.engine import Seat
from ui.charts.proof_code import proof_text, qr_modules
from ui.i18n.language import render, t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.countdown_ring import draw_countdown
from ui.screen.drawing.text import line_height, text_width
from ui.screen.drawing.theme import (
    ACCENT,
    BACKGROUND,
    FOUL,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    SEAT_MARKS,
    TEXT,
    Colour,
    TextRole,
)
from ui.screen.pages.answers import Reply
from ui.screen.pages.classroom import strings as classroom_strings
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.common.view import DISPUTE_ANSWER, GO_ON_ANSWER, SWITCH_ON_ANSWER, Player, TimedView
from ui.screen.pages.dispute import strings as dispute_strings
from ui.screen.pages.group_question.view import GroupQuestionPage
from ui.screen.pages.pause import strings as pause_strings
from ui.screen.pages.question.view import SeatPage
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.scoreboard.facts import draw_facts
from ui.screen.pages.views import PAUSE, ListPage, Press

ItemT = TypeVar("ItemT")
NO_ICONS: Mapping[Seat, str] = MappingProxyType({})
MAX_NAMED_PLAYERS = 4
"""The most players whose names fit next to their points; of more, the marks alone tell whose points they are."""


def pause_corner(canvas: Canvas) -> Rect:
    """Return the place of the pause button: at the top, away from the hand that touches."""
    side = canvas.theme.touch_size
    return Rect(canvas.page.right - side if canvas.theme.mirrored else canvas.page.x, canvas.page.y, side, side)


def split_pause_corner(canvas: Canvas, box: Rect) -> Rect:
    """Return what is left of ``box``, at the top of a page, next to the place of the pause button."""
    corner, gap = pause_corner(canvas), canvas.theme.gap
    if canvas.theme.mirrored:
        return Rect(box.x, box.y, min(box.right, corner.x - gap) - box.x, box.h)
    left = max(box.x, corner.right + gap)
    return Rect(left, box.y, box.right - left, box.h)


def draw_pause_button(canvas: Canvas, box: Rect) -> Rect:
    """Draw the button that pauses a match, in the same corner of every page. Return what is left next to it of ``box``,
    which is at the top of the page."""
    place = pause_corner(canvas)
    canvas.button(place, pause_strings.PAUSE_LABEL, PAUSE, icon="pause", icon_only=True, leads_back=True)
    return split_pause_corner(canvas, box)


def draw_header(canvas: Canvas, page: Rect, title: str, *, note: str = "") -> Rect:
    """Draw a page's header: its title, and a ``note`` at the right. Return the page below it."""
    line, rest = layout.split_top(page, canvas.theme.units(7.5), canvas.theme.gap)
    _draw_title(canvas, line, title, note=note)
    return rest


def draw_titled_bar(canvas: Canvas, title: str, back: Press, *, note: str = "") -> Rect:
    """Draw the button that leads back, a page's title and a ``note`` at the right. Return the page below them."""
    theme = canvas.theme
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    place, bar = layout.split_left(bar, theme.touch_size, theme.gap)
    canvas.button(place, common_strings.BACK, back, icon="back", icon_only=True, leads_back=True)
    if note:
        width = canvas.text_width(note, theme.body, bar.w // 2, bar.h)
        bar, corner = layout.split_right(bar, width, theme.gap)
        canvas.text(corner, note, theme.body, MUTED, align="right")
    canvas.text(bar, title, theme.title, align="left", max_lines=2)
    return body


def draw_network_offer(canvas: Canvas, body: Rect, foot: Rect, detail: str) -> None:
    """Draw that phones can't reach the box, what they could do if they did (``detail``), and the buttons that switch
    the network on, or go on without."""
    theme = canvas.theme
    state, why = layout.rows(body, [1, 2], theme.gap)
    canvas.text(state, common_strings.NETWORK_OFF, theme.big, max_lines=2)
    canvas.text(why, detail, theme.title, MUTED, max_lines=8)
    back, switch = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(back, common_strings.GO_ON, Reply(GO_ON_ANSWER), size=theme.title)
    label, press = common_strings.SWITCH_ON, Reply(SWITCH_ON_ANSWER)
    canvas.button(switch, label, press, main=True, size=theme.title, icon="phone")


def draw_choice(canvas: Canvas, box: Rect, label: str, press: Press, chosen: bool, *, size: int | None = None) -> None:
    """Draw one of several choices: one that is chosen has an edge, a tick and a lighter background."""
    theme = canvas.theme
    canvas.framed_panel(box, RAISED if chosen else BACKGROUND, marked=chosen)
    canvas.add_target(box, press, label)
    inner = layout.inset(box, theme.units(0.8), theme.units(0.3))
    size = size or theme.body
    if chosen:
        side, gap = min(inner.h, size), theme.units(0.8)
        label_width = canvas.text_width(label, size, inner.w - side - gap, inner.h)
        sign, inner = layout.split_left(layout.centre(inner, side + gap + label_width, inner.h), side, gap)
        canvas.icon(sign, "good", ACCENT)
    canvas.text(inner, label, size, TEXT if chosen else MUTED, max_lines=2)


def draw_match_header(canvas: Canvas, title: str) -> Rect:
    """Draw the header of a page of a match: the pause button and the title. Return the page below it."""
    line, rest = layout.split_top(canvas.page, canvas.theme.touch_size, canvas.theme.gap)
    draw_match_title(canvas, draw_pause_button(canvas, line), title)
    return rest


def draw_match_title(canvas: Canvas, bar: Rect, title: str) -> None:
    """Draw a title in the middle of a ``bar`` next to the pause button; a long one in two lines."""
    theme = canvas.theme
    long = text_width(render(title), theme.small) > bar.w - theme.units(1.1) - theme.gap
    line = bar if long else layout.centre(bar, bar.w, theme.units(7.5))
    _draw_title(canvas, line, title, max_lines=2 if long else 1)


def _draw_title(canvas: Canvas, line: Rect, title: str, *, note: str = "", max_lines: int = 1) -> None:
    theme = canvas.theme
    bar, line = layout.split_left(line, theme.units(1.1), theme.gap)
    canvas.surface.fill(ACCENT, layout.inset(bar, 0, theme.units(0.9)))
    if note:
        least = text_width(render(title), theme.min_text_size("personal")) + theme.gap
        width = canvas.text_width(note, theme.body, max(round(line.w * 0.4), line.w - least), line.h)
        line, corner = layout.split_right(line, width, theme.gap)
        canvas.text(corner, note, theme.body, MUTED, align="right")
    canvas.text(line, title, theme.body, MUTED, align="left", max_lines=max_lines)


def draw_card(
    canvas: Canvas, box: Rect, across: float, down: float, *, edge: Colour | None = None, strong: bool = False
) -> Rect:
    """Draw a panel, with a thin or a ``strong`` edge in the colour ``edge`` if there is one. Return its inside:
    ``across`` units from the left and right, ``down`` from top and bottom."""
    theme = canvas.theme
    canvas.panel(box, PANEL, edge=edge, width=theme.units(0.9 if strong else 0.3))
    return layout.inset(box, theme.units(across), theme.units(down))


def split_hand_side(canvas: Canvas, box: Rect, width: int, gap: int) -> tuple[Rect, Rect]:
    """Return the rest of ``box``, and ``width`` pixels of it on the side of the hand that touches, for the main
    buttons."""
    if canvas.theme.mirrored:
        side, rest = layout.split_left(box, width, gap)
        return rest, side
    return layout.split_right(box, width, gap)


def hand_row(canvas: Canvas, box: Rect, weights: Sequence[float], gap: int) -> list[Rect]:
    """Return the cells of a row of buttons by ``weights``, the last next to the hand that touches, for the main
    button."""
    if canvas.theme.mirrored:
        return layout.columns(box, weights[::-1], gap)[::-1]
    return layout.columns(box, weights, gap)


def draw_player_badge(canvas: Canvas, box: Rect, player: Player, size: int) -> None:
    """Draw a seat's mark and its player's name from the left of ``box``."""
    shape, text = layout.split_left(box, min(box.h, size), canvas.theme.units(1.2))
    canvas.seat_mark(shape, player.seat)
    canvas.text(text, common_strings.player_title(player), size, align="left")


def draw_foul_count(canvas: Canvas, box: Rect, player: Player, size: int) -> Rect:
    """Draw an icon and the number of a player's fouls at the right of ``box``. Return the rest of it."""
    if player.fouls is None:
        return box
    theme = canvas.theme
    colour = FOUL if player.fouls else MUTED
    side, gap = min(box.h, size), theme.units(0.8)
    width = canvas.text_width(str(player.fouls), size, box.w // 2, box.h)
    rest, counted = layout.split_right(box, min(box.w, side + gap + width), theme.units(1.2))
    icon_box, number = layout.split_left(counted, side, gap)
    canvas.icon(icon_box, "foul", colour)
    canvas.text(number, str(player.fouls), size, colour, align="left")
    return rest


def draw_dispute_button(canvas: Canvas, line: Rect) -> Rect:
    """Draw the button that disputes a round at the right of a page's top ``line``; it may be higher than the line.
    Return the rest of the line."""
    theme = canvas.theme
    rest, place = layout.split_right(line, theme.units(27), theme.gap)
    place.height = max(line.h, theme.touch_size)
    canvas.button(place, dispute_strings.DISPUTE, Reply(DISPUTE_ANSWER), size=theme.body)
    return rest


def draw_timer(canvas: Canvas, line: Rect, view: TimedView) -> Rect:
    """Draw the seconds left to answer ``view``, if they are limited, as a ring at the right of ``line``. Return the
    rest of the line."""
    if view.seconds_left is None:
        return line
    rest, place = layout.split_right(line, min(line.h, canvas.theme.units(12)), canvas.theme.gap)

    def draw(canvas: Canvas, view: TimedView) -> None:
        left_s = view.seconds_left or 0.0
        draw_countdown(canvas, place, left_s, left_s + (view.shown_s or 0.0))

    canvas.add_moving_part(place, ("seconds_left", "shown_s"), draw)
    return rest


def draw_clock(canvas: Canvas, box: Rect, whole_s: float) -> None:
    """Draw the seconds left to answer a question, of ``whole_s``, as a ring; they move on with the page."""

    def draw(canvas: Canvas, page: SeatPage | GroupQuestionPage) -> None:
        left_s = page.clock_s if isinstance(page, GroupQuestionPage) else page.view.seconds_left
        draw_countdown(canvas, box, left_s or 0.0, whole_s)

    canvas.add_moving_part(box, ("seconds_left", "clock_s"), draw)


def draw_hint(
    canvas: Canvas,
    page: Rect,
    hint: str | None,
    icon: str = "bubble",
    colour: Colour = ACCENT,
    *,
    role: TextRole = "personal",
) -> Rect:
    """Draw a ``hint``, if there is one, as a line at the top of ``page`` after an ``icon``, in as many lines as it
    takes. Return the rest of the page."""
    if hint is None:
        return page
    theme = canvas.theme
    width = page.w - theme.units(4) - theme.units(6) - theme.gap
    height = min(canvas.text_height(hint, width, role) + 2 * theme.units(0.8), page.h * 11 // 20)
    line, page = layout.split_top(page, max(theme.units(8), height), theme.gap)
    icon_box, text = layout.split_left(draw_card(canvas, line, 2, 0.8), theme.units(6), theme.gap)
    canvas.icon(icon_box, icon, colour)
    canvas.text(text, hint, theme.body, align="left", max_lines=9, role=role)
    return page


def player_strip_height(canvas: Canvas, players: Sequence[Player], *, names_all: bool = True) -> int:
    """Return the height of the player strip in pixels; unless it ``names_all``, many players have no names."""
    theme = canvas.theme
    if len(players) > len(SEAT_MARKS):
        return theme.units(10)
    if len(players) > MAX_NAMED_PLAYERS:
        down = -(-len(players) // _strip_across(canvas, len(players)))
        height = _named_cell_height(canvas) if names_all else theme.units(11.5)
        return down * height + (down - 1) * theme.units(0.8)
    stacked = _is_stacked(canvas, len(players))
    return theme.units(17 if stacked else 12.5) + _facts_height(canvas, players)


def draw_player_strip(
    canvas: Canvas,
    box: Rect,
    players: Sequence[Player],
    icons: Mapping[Seat, str] = NO_ICONS,
    asked: Seat | None = None,
    waiting: Collection[Seat] = (),
) -> None:
    """Draw all players in a row: mark, name, points, facts, and the icon of what they claimed or threw; more than
    MAX_NAMED_PLAYERS in several rows, without facts and, unless ``box`` has room, without names, which then are read
    from close by. The ``asked`` seat has a frame; if the box is ``waiting`` for some, the others are flat. For a whole
    class, draw only how many players there are."""
    if len(players) > len(SEAT_MARKS):
        canvas.panel(box, PANEL)
        text = classroom_strings.throwing_text(len(waiting), len(players))
        canvas.text(box, text, canvas.theme.shared, role="shared")
        return
    across = _strip_across(canvas, len(players))
    for cell, player in zip(
        layout.grid(box, len(players), max(1, across), canvas.theme.units(0.8)), players, strict=True
    ):
        flat = bool(waiting) and player.seat not in waiting
        _draw_player(canvas, cell, player, len(players), icons.get(player.seat), player.seat == asked, flat)


def _named_cell_height(canvas: Canvas) -> int:
    """Return the height of the cell of one of many players that has room for a name above the points."""
    theme = canvas.theme
    return line_height(theme.small) + line_height(theme.shared) + 2 * theme.units(0.6)


def _facts_height(canvas: Canvas, players: Sequence[Player]) -> int:
    """Return the height of the players' facts: none, one line, or two where many share a row."""
    most = max((len(player.facts) for player in players), default=0)
    lines = 0 if not most else 1 if most == 1 or (len(players) <= 3 and not canvas.theme.portrait) else 2
    return lines * canvas.theme.units(5)


def cell_role(count: int) -> TextRole:
    """Return who reads what is in the cells of ``count`` players: of many only the marks, icons and points are large
    enough for everybody."""
    return "shared" if count <= MAX_NAMED_PLAYERS else "personal"


def _strip_across(canvas: Canvas, count: int) -> int:
    """Return how many players share a row of the player strip."""
    if count <= MAX_NAMED_PLAYERS:
        return count
    return 3 if canvas.theme.portrait else -(-count // 2)


def _is_stacked(canvas: Canvas, count: int) -> bool:
    """Return whether the cells of ``count`` named players are too narrow for name and points side by side."""
    return count > (1 if canvas.theme.portrait else 3)


def _draw_player(
    canvas: Canvas, cell: Rect, player: Player, count: int, icon: str | None, asked: bool, flat: bool
) -> None:
    """Draw one of ``count`` players."""
    theme = canvas.theme
    named, stacked = count <= MAX_NAMED_PLAYERS, _is_stacked(canvas, count)
    edge = ACCENT if asked else LINE if flat else None
    canvas.panel(cell, BACKGROUND if flat else PANEL, edge=edge, width=theme.units(0.7 if asked else 0.3))
    facts_shown = tuple(fact for fact in player.facts if icon is None or fact.name not in ("claims", "throws"))
    inner = layout.inset(cell, theme.units(0.8 if stacked or not named else 2), theme.units(0.6))
    if named:
        inner, below = layout.split_top(inner, theme.units(15 if stacked else 10.5), 0)
        if facts_shown:
            draw_facts(canvas, below, facts_shown, theme.small, align="centre")
        if stacked:
            inner, line = layout.split_bottom(inner, line_height(theme.small), 0)
            canvas.text(line, common_strings.player_title(player), theme.small, MUTED)
    elif cell.h >= _named_cell_height(canvas):
        line, inner = layout.split_top(inner, line_height(theme.small), 0)
        canvas.text(line, common_strings.player_title(player), theme.small, MUTED, align="left")
    inner = draw_foul_count(canvas, inner, player, theme.body)
    if icon is not None:
        inner, icon_box = layout.split_right(inner, min(inner.h, inner.w // 3), theme.units(0.8))
        canvas.icon(icon_box, icon)
    if player.score is not None:
        score = common_strings.plain_number(player.score)
        width = canvas.text_width(score, theme.shared, round(inner.w * 0.7), inner.h)
        inner, points = layout.split_right(inner, width, theme.units(0.8))
        canvas.text(points, score, theme.shared, align="right", role="shared")
    if named and not stacked:
        draw_player_badge(canvas, inner, player, theme.body)
    else:
        canvas.seat_mark(layout.split_left(inner, min(inner.w, theme.units(6)), 0)[0], player.seat)


def draw_list_page(
    canvas: Canvas,
    box: Rect,
    page: ListPage,
    items: Sequence[ItemT],
    min_height: int,
    *,
    across: int = 1,
    selected: int | None = None,
    turn_height: int | None = None,
    turn_box: Rect | None = None,
) -> tuple[Rect, Sequence[ItemT], int]:
    """Return the place of a list's page, its items and how many fit: those of at least ``min_height`` pixels,
    ``across`` in a row. If not all do, draw the buttons that turn the list's pages below, or in ``turn_box``; the
    ``selected`` item (by its index) is on the page shown."""
    theme = canvas.theme

    def count_fitting(box: Rect) -> int:
        return across * max(1, (box.h + theme.gap) // (min_height + theme.gap))

    if len(items) <= count_fitting(box):
        return box, items, count_fitting(box)
    turn = turn_box
    if turn is None:
        box, turn = layout.split_bottom(box, theme.touch_size if turn_height is None else turn_height, theme.gap)
    per_page = count_fitting(box)
    at = page.list_page if selected is None else selected // per_page
    draw_list_page_buttons(canvas, turn, page, at, -(-len(items) // per_page))
    return box, items[at * per_page : (at + 1) * per_page], per_page


def draw_list_cells(
    canvas: Canvas,
    box: Rect,
    page: ListPage,
    items: Sequence[ItemT],
    height: int,
    *,
    across: int = 2,
    max_height: int | None = None,
) -> list[tuple[Rect, ItemT]]:
    """Return the items of a list's page with their cells, ``across`` in a row and at least ``height`` pixels high, up
    to ``max_height`` (by default the same). Draw the buttons that turn the pages as ``draw_list_page`` does."""
    gap = canvas.theme.gap
    box, shown, count = draw_list_page(canvas, box, page, items, height, across=across)
    filled = count // across * ((max_height or height) + gap) - gap
    place = layout.split_top(box, min(box.h, filled), 0)[0]
    return list(zip(layout.grid(place, count, across, gap), shown, strict=False))


def draw_list_page_buttons(canvas: Canvas, box: Rect, page: ListPage, at: int, count: int) -> None:
    """Draw the two buttons that turn the ``count`` pages of a list, and the number of the page ``at`` (from 0). Narrow
    ones have no label."""
    theme = canvas.theme
    back, number, forward = layout.columns(box, [5, 2, 5], theme.gap)
    canvas.text(number, f"{at + 1}/{count}", theme.body, MUTED)
    for cell, label, by, icon in (
        (back, common_strings.EARLIER, -1, "back"),
        (forward, common_strings.MORE, 1, "forward"),
    ):
        narrow, enabled = cell.w < theme.units(22), 0 <= at + by < count
        canvas.button(cell, label, page.with_list_page(at + by), icon=icon, icon_only=narrow, enabled=enabled)


def limit_height(canvas: Canvas, box: Rect) -> Rect:
    """Return ``box``, no higher than a comfortable button."""
    return layout.centre(box, box.w, round(canvas.theme.touch_size * 1.5))


def draw_proof_code(canvas: Canvas, box: Rect, code: str) -> Rect:
    """Draw a match's proof code, if there is one, at the bottom of ``box``. Return the rest of the box."""
    rest, line = layout.split_bottom(box, line_height(canvas.theme.small) if code else 0, 0)
    if code:
        canvas.text(line, t("Proof code {code}", code=code), canvas.theme.small, MUTED)
    return rest


def draw_proof_qr_code(canvas: Canvas, box: Rect, view: MatchResult) -> Rect:
    """Draw a match's proof code, if there is one, as a QR code as high as ``box``, on the side away from the crown; a
    touch enlarges it. Return the rest of the box: all of it where there is no room."""
    if not view.proof_code:
        return box
    modules = qr_modules(proof_text(view.match_number, view.proof_code))
    side = box.h // len(modules) * len(modules)
    if not 0 < side < box.w:
        return box
    rest, place = layout.split_right(box, side, canvas.theme.gap)
    place = draw_modules(canvas, place, modules)
    canvas.add_target(place, replace(view, shows_code=True), t("Proof code {code}", code=view.proof_code))
    return rest


def draw_modules(canvas: Canvas, box: Rect, modules: NDArray[np.bool_]) -> Rect:
    """Draw a QR code as large as fits in the centre of ``box``, each module the same whole number of pixels; nothing
    where there is no room. Return its place."""
    scale = min(box.size) // len(modules)
    place = layout.centre(box, scale * len(modules), scale * len(modules))
    levels = np.where(modules, 0, 255).astype(np.uint8).repeat(scale, axis=0).repeat(scale, axis=1)
    if scale:
        image = pygame.image.frombuffer(np.repeat(levels[..., None], 3, axis=2).tobytes(), place.size, "RGB")
        canvas.surface.blit(image, place)
    return place
