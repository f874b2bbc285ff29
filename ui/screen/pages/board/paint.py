"""Painters of the board: a question for a move, entered by touching a piece and where it goes, and what was said about
a position. Spaces are narrower than a finger (12 rows on a small panel), so a move is confirmed before it is made."""

import math
from collections.abc import Iterable, Mapping, Sequence

import pygame
from pygame import Rect

from rules.board.board import Side, Space
from ui.i18n.language import row
from ui.screen.drawing import layout
from ui.screen.drawing.board_geometry import Ground, Setting, Way, costs
from ui.screen.drawing.board_pieces import plate, token
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.countdown_ring import countdown
from ui.screen.drawing.icons import ring
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, PANEL, TEXT, Colour
from ui.screen.drawing.widgets import hand_side
from ui.screen.pages import strings
from ui.screen.pages.ask.view import BoardPage, Propose, Reply, Take, on_space
from ui.screen.pages.views import Player, Question, Told

SEGMENTS: tuple[Colour, Colour] = ((47, 60, 76), (38, 47, 68))
"""South's half of the board, and North's."""
VISITED: Colour = (76, 92, 112)
"""The spaces of the last move."""
CHOSEN: Colour = (104, 84, 36)
"""The space of the piece taken up."""
COMPASS = ("NW", "NE", "W", "E", "SW", "SE")
"""The directions as they lie on the board, two to a row."""
PIECE = 0.9
"""How wide a piece is, in widths of a space."""


def move(canvas: Canvas, page: BoardPage) -> None:
    """The board, the piece taken up with everywhere it may go, the move proposed, and the button that makes it."""
    place, rows, panel = parts(canvas)
    ground = Ground(page.on.board, place)
    sides(canvas, rows, page.on, page.view.players, page.view)
    _question(canvas, panel, page)
    spaces(canvas, ground, page.on, page.piece)
    _pieces(canvas, ground, page.on)
    if page.move is None:
        _destinations(canvas, ground, page)
    else:
        _proposed(canvas, ground, page.on, page.move)
    presses = {space: on_space(page, space) for space in range(len(page.on.board.coordinates))}
    for space, press in sorted(presses.items(), key=lambda pair: pair[1] == Take(None)):
        label = strings.on_space(page.on.board.names[space], page.on.pieces.get(space))
        canvas.target(ground.brick(space), press, label, area=place)


def told(canvas: Canvas, view: Told, on: Setting) -> None:
    """The board with the last move, and what was said of it."""
    theme = canvas.theme
    canvas.unseen("seconds_left", "shown_s")
    place, rows, panel = parts(canvas)
    ground = Ground(on.board, place)
    sides(canvas, rows, on, view.players)
    panel = notice(canvas, panel)
    lines = view.lines or strings.told(view.say)
    heading, panel = layout.top(panel, theme.units(6.5), theme.gap)
    canvas.text(heading, strings.heading(view.say), theme.body, MUTED, side="left")
    if len(lines) > 1:
        earlier = layout.top(panel, panel.h * 2 // 5, 0)[0]
        ink = canvas.text(earlier, row(lines[-4:-1], "\n"), theme.small, MUTED, side="left", lines=7, at="left")
        panel = layout.bottom(panel, panel.bottom - max(ink.bottom, panel.y) - theme.gap, 0)[1]
    canvas.text(panel, lines[-1], theme.title, side="left", lines=6, at="left")
    spaces(canvas, ground, on, None)
    _pieces(canvas, ground, on)


def parts(canvas: Canvas) -> tuple[Rect, Rect, Rect]:
    """Where the board lies, who plays, and all the rest. The board leaves hardly a margin."""
    theme = canvas.theme
    whole = layout.inside(canvas.surface.get_rect(), theme.units(0.8))
    if theme.portrait:
        rows, whole = layout.top(layout.inside(whole, theme.units(1.6)), theme.units(12.5), theme.gap)
        wide = canvas.surface.get_width() - 2 * theme.units(0.8)
        high = min(round(wide / 1.17), whole.h - theme.units(62))
        place, panel = layout.top(whole, high, theme.gap)
        return place.inflate(2 * theme.units(1.6), 0), rows, panel
    wide = max(whole.w - round(whole.h * 1.18), theme.units(46)) - theme.gap
    place, rest = hand_side(canvas, whole, wide, theme.gap)
    rest = layout.inside(rest, theme.units(1), theme.units(1.5))
    rows, panel = layout.top(rest, theme.units(17.5), theme.gap)
    return place, rows, panel


def sides(canvas: Canvas, box: Rect, on: Setting, players: Sequence[Player], asked: Question | None = None) -> None:
    """Who plays which side, with a frame around whose turn it is, and the time left of what is ``asked``."""
    theme = canvas.theme
    names = {player.seat: player for player in players}
    cut = layout.columns if theme.portrait else layout.rows
    for side, cell in zip((1, 0), cut(box, [1, 1], theme.units(1)), strict=True):
        moves = side == on.to_move
        canvas.panel(cell, PANEL, edge=ACCENT if moves else LINE, width=theme.units(0.7 if moves else 0.3))
        inner = layout.inside(cell, theme.units(1.4), theme.units(0.5))
        spot, inner = layout.left(inner, inner.h - theme.units(1), theme.units(1.2))
        spot = layout.middle(spot, spot.w, spot.w)
        plate(canvas, spot, side)
        mark, inner = _corner(canvas, inner)
        seat = on.seats[side]
        canvas.seat(mark, seat)
        if moves and asked is not None and asked.seconds_left is not None:
            inner, clock = layout.right(inner, inner.h, theme.gap)
            _clock(canvas, clock, asked.ask.seconds or asked.seconds_left)
        upper, lower = layout.rows(inner, [5, 4], 0)
        name = names[seat].name if seat in names else strings.seat(seat)
        canvas.text(upper, name, theme.body, TEXT if moves else MUTED, side="left")
        canvas.text(lower, strings.SIDES[side], theme.least, MUTED, side="left", least=theme.units(2.4))


def _clock(canvas: Canvas, box: Rect, whole_s: float) -> None:
    def draw(canvas: Canvas, page: BoardPage) -> None:
        countdown(canvas, box, page.view.seconds_left or 0.0, whole_s)

    canvas.moving(box, ("seconds_left",), draw)


def _corner(canvas: Canvas, inner: Rect) -> tuple[Rect, Rect]:
    """A small square at the right, and what is left of it."""
    rest, spot = layout.right(inner, min(inner.h, canvas.theme.units(4)), canvas.theme.units(1))
    return spot, rest


def notice(canvas: Canvas, panel: Rect) -> Rect:
    """That the board is a reconstruction; returns the panel above."""
    theme = canvas.theme
    panel, line = layout.bottom(panel, theme.units(4.5 if theme.portrait else 7.8), theme.gap)
    canvas.text(line, strings.RECONSTRUCTION, theme.least, MUTED, lines=1 if theme.portrait else 2)
    return panel


def _question(canvas: Canvas, panel: Rect, page: BoardPage) -> None:
    theme = canvas.theme
    panel = notice(canvas, panel)
    panel, button = layout.bottom(panel, round(theme.touch * (1.3 if theme.portrait else 1.0)), theme.gap)
    proposed = page.move
    press = Reply(proposed.notation if proposed else "")
    canvas.button(
        button, strings.CONFIRM, press, main=proposed is not None, size=theme.units(6), able=proposed is not None
    )
    spreads = {way.spread: way for way in page.from_piece if way.spread is not None}
    if spreads:
        panel, below = layout.bottom(panel, 3 * theme.touch + 2 * theme.units(1), theme.units(1))
        _compass(canvas, below, page, spreads)
    elif page.from_piece and proposed is None:
        panel, below = layout.bottom(panel, min(panel.h // 2, theme.units(28)), theme.units(1))
        _legend(canvas, below)
    title, about = layout.top(panel, theme.units(6), theme.units(0.4))
    canvas.text(title, strings.board_title(page.on, page.piece, page.move), theme.title, side="left")
    if proposed is None:
        hint = strings.board_hint(page.on, page.piece, bool(page.from_piece), bool(spreads))
        canvas.text(about, hint, theme.small, MUTED, side="left", lines=6, at="left")
        return
    own, others = costs(page.on, proposed)
    if own:
        line, about = layout.top(about, theme.units(5), theme.units(0.5))
        sign, line = layout.left(line, line.h, theme.units(1))
        canvas.icon(sign, "doubt", FOUL)
        canvas.text(line, strings.costs_you(own), theme.small, FOUL, side="left")
    if others or not own:
        canvas.text(about, strings.takes(others), theme.small, TEXT, side="left", lines=2, at="left")


def _compass(canvas: Canvas, box: Rect, page: BoardPage, spreads: Mapping[str, Way]) -> None:
    """A button a direction to spread the stack in, as they lie on the board."""
    theme = canvas.theme
    for cell, name in zip(layout.grid(box, len(COMPASS), 2, theme.units(1)), COMPASS, strict=True):
        way = spreads.get(name)
        press = Propose(way.notation if way else "")
        chosen = way is not None and way == page.move
        canvas.button(
            cell, strings.spread(name), press, drawing=f"to {name}", bare=True, able=way is not None, main=chosen
        )
        if way is not None and costs(page.on, way)[0]:
            warning(canvas, Rect(cell.right - theme.units(6), cell.y + theme.units(1), theme.units(5), theme.units(5)))


def _legend(canvas: Canvas, box: Rect) -> None:
    """What the marks on the board mean."""
    theme = canvas.theme
    for number, meaning in enumerate(strings.LEGEND):
        line, box = layout.top(box, theme.units(6.5), theme.units(1))
        spot, line = layout.left(line, line.h, theme.gap)
        if number == 0:
            canvas.icon(layout.inside(spot, spot.w // 4), "circle", ACCENT)
        elif number == 1:
            ringed(canvas, layout.inside(spot, theme.units(0.5)), ACCENT)
        else:
            warning(canvas, spot)
        canvas.text(line, meaning, theme.small, MUTED, side="left")


def spaces(canvas: Canvas, ground: Ground, on: Setting, piece: Space | None) -> None:
    """The empty board, with the last move's way on it."""
    last = {on.last.origin, *on.last.lands} if on.last else set()
    for space, (_, r) in enumerate(on.board.coordinates):
        side: Side = 0 if r >= 0 else 1
        colour = CHOSEN if space == piece else VISITED if space in last else SEGMENTS[side]
        canvas.icon(ground.rect(space, 2 / math.sqrt(3) * 0.97), "hexagon", colour)
    if on.last is not None:
        _arrow(canvas, ground, on.last, MUTED, 0.12)


def _pieces(canvas: Canvas, ground: Ground, on: Setting) -> None:
    for space, piece in on.pieces.items():
        token(canvas, ground.rect(space, PIECE), piece)


def _destinations(canvas: Canvas, ground: Ground, page: BoardPage) -> None:
    """Everywhere the piece taken up may go: a dot on an empty space, a ring around what it would hit, and a warning
    where that costs its own side something."""
    for way in page.from_piece:
        space = way.lands[-1]
        if way.spread:
            continue
        warns = bool(costs(page.on, way)[0])
        if space not in page.on.pieces:
            canvas.icon(ground.rect(space, 0.34), "circle", ACCENT)
        else:
            ringed(canvas, ground.rect(space, 0.98), FOUL if warns else ACCENT)
        if warns:
            place = ground.rect(space, 0.44)
            warning(canvas, place.move(place.w * 2 // 3, -place.h * 2 // 3))


def _proposed(canvas: Canvas, ground: Ground, on: Setting, way: Way) -> None:
    own, _ = costs(on, way)
    colour = FOUL if own else ACCENT
    _arrow(canvas, ground, way, colour, 0.2 if way.spread is None else 0.12, 0.15)
    for space in way.lands:
        ringed(canvas, ground.rect(space, 1.0), colour)


def ringed(canvas: Canvas, box: Rect, colour: Colour) -> None:
    """A ring in ``box``."""
    line = ring(box.w / 2, max(2.0, box.w * 0.085), colour)
    canvas.surface.blit(line, line.get_rect(center=box.center))


def warning(canvas: Canvas, box: Rect) -> None:
    """A triangle with an exclamation mark, dark behind it."""
    rim = max(1, box.w // 8)
    canvas.icon(box.inflate(2 * rim, 2 * rim), "triangle", PANEL)
    canvas.icon(box, "doubt", FOUL)


def _arrow(canvas: Canvas, ground: Ground, way: Way, colour: Colour, thick: float, clear: float = 0.0) -> None:
    """From the middle of where a move begins, or ``clear`` of it, to just before the middle of where it ends; ``thick``
    is its width. Both are in widths of a space."""
    (ax, ay), (bx, by) = ground.centre(way.origin), ground.centre(way.lands[-1])
    length = math.hypot(bx - ax, by - ay)
    across, down = (bx - ax) / length, (by - ay) / length
    start, end, half = clear * ground.width, length - 0.36 * ground.width, thick * ground.width / 2
    neck = max(start, end - 4 * half)

    def outline() -> Iterable[tuple[float, float]]:
        for along, aside in (
            (start, -half),
            (neck, -half),
            (neck, -2.4 * half),
            (end, 0),
            (neck, 2.4 * half),
            (neck, half),
            (start, half),
        ):
            yield ax + along * across - aside * down, ay + along * down + aside * across

    corners = list(outline())
    pygame.draw.polygon(canvas.surface, colour, corners)
    pygame.draw.aalines(canvas.surface, colour, True, corners)
