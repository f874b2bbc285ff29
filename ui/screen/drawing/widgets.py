"""What several pages share: the head line, players with their marks and points, lists that turn leaf by leaf."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from pygame import Rect

from rules.engine import Seat
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.countdown_ring import countdown
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MARKS, MUTED, PANEL, Colour
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply, Turn
from ui.screen.pages.classroom import strings as classroom_strings
from ui.screen.pages.dispute import strings as dispute_strings
from ui.screen.pages.standing.facts import facts
from ui.screen.pages.views import DISPUTE, Ended, Player, Reveal, Told

NO_SIGNS: Mapping[Seat, str] = MappingProxyType({})


def head(canvas: Canvas, page: Rect, title: str, *, aside: str = "", ink: Colour = MUTED) -> Rect:
    """The head line of a page: its title, and at the right ``aside``. Returns the page below it."""
    theme = canvas.theme
    line, rest = layout.top(page, theme.units(7.5), theme.gap)
    bar, line = layout.left(line, theme.units(1.1), theme.gap)
    canvas.surface.fill(ACCENT if ink == MUTED else ink, layout.inside(bar, 0, theme.units(0.9)))
    if aside:
        took = canvas.width(aside, theme.body, round(line.w * 0.4), line.h)
        line, corner = layout.right(line, took, theme.gap)
        canvas.text(corner, aside, theme.body, ink, side="right")
    canvas.text(line, title, theme.body, ink, side="left")
    return rest


def hand_side(canvas: Canvas, box: Rect, width: int, gap: int) -> tuple[Rect, Rect]:
    """What is left of ``box``, and ``width`` pixels of it on the side of the hand that touches, for what is touched
    most."""
    if canvas.theme.mirrored:
        side, rest = layout.left(box, width, gap)
        return rest, side
    return layout.right(box, width, gap)


def hand_row(canvas: Canvas, box: Rect, weights: Sequence[float], gap: int) -> list[Rect]:
    """Cells of a row of buttons by ``weights``, the first of them farthest from the hand that touches: the last is for
    what is touched most."""
    if canvas.theme.mirrored:
        return layout.columns(box, weights[::-1], gap)[::-1]
    return layout.columns(box, weights, gap)


def badge(canvas: Canvas, box: Rect, player: Player, size: int) -> None:
    """A seat's mark and its player's name, from the left of ``box``."""
    shape, text = layout.left(box, min(box.h, size), canvas.theme.units(1.2))
    canvas.seat(shape, player.seat)
    canvas.text(text, player.name, size, side="left", least=min(size, canvas.theme.units(2.4)))


def fouls(canvas: Canvas, box: Rect, player: Player, size: int) -> Rect:
    """How many fouls a player has made, at the right of ``box``: a drawing and a number. Returns what is left of it."""
    if player.fouls is None:
        return box
    theme = canvas.theme
    colour = FOUL if player.fouls else MUTED
    side, gap = min(box.h, size), theme.units(0.8)
    took = canvas.width(str(player.fouls), size, box.w // 4, box.h)
    rest, counted = layout.right(box, min(box.w, side + gap + took), theme.units(1.2))
    sign, number = layout.left(counted, side, gap)
    canvas.icon(sign, "foul", colour)
    canvas.text(number, str(player.fouls), size, colour, side="left")
    return rest


def dispute_button(canvas: Canvas, line: Rect) -> Rect:
    """The button with which people dispute a round, at the right of the top ``line`` of a page; it may stand a little
    below it. Returns what is left of the line."""
    theme = canvas.theme
    rest, place = layout.right(line, theme.units(22), theme.gap)
    place.height = max(line.h, theme.touch)
    canvas.button(place, dispute_strings.DISPUTE, Reply(DISPUTE), size=theme.body)
    return rest


def timer(canvas: Canvas, line: Rect, view: Reveal | Told | Ended) -> Rect:
    """The seconds left to answer ``view`` as a shrinking ring at the right of ``line``; nothing where they are not
    counted. Returns what is left of it."""
    if view.seconds_left is None:
        return line
    rest, place = layout.right(line, line.h, canvas.theme.gap)

    def draw(canvas: Canvas, now: Reveal | Told | Ended) -> None:
        left_s = now.seconds_left or 0.0
        countdown(canvas, place, left_s, left_s + (now.shown_s or 0.0))

    canvas.moving(place, ("seconds_left", "shown_s"), draw)
    return rest


def hint_line(canvas: Canvas, page: Rect, told: str | None, sign: str = "bubble", colour: Colour = ACCENT) -> Rect:
    """A line at the top of ``page`` that tells people something, after a ``sign``; nothing where it is None. Returns
    what is left of the page."""
    if told is None:
        return page
    theme = canvas.theme
    line, page = layout.top(page, theme.units(8 if not theme.portrait else 12), theme.gap)
    canvas.panel(line, PANEL)
    inner = layout.inside(line, theme.units(2), theme.units(1))
    spot, text = layout.left(inner, theme.units(6), theme.gap)
    canvas.icon(spot, sign, colour)
    canvas.text(text, told, theme.body, side="left", lines=2)
    return page


def strip_height(canvas: Canvas, players: Sequence[Player]) -> int:
    """How high ``strip`` wants to be."""
    theme = canvas.theme
    if len(players) > len(MARKS):
        return theme.units(8)
    one = theme.units(12.5) + (theme.units(_facts_lines(players)) if any(player.facts for player in players) else 0)
    return 2 * one + theme.gap if theme.portrait and len(players) > 4 else one


def strip(
    canvas: Canvas,
    box: Rect,
    players: Sequence[Player],
    signs: Mapping[Seat, str] = NO_SIGNS,
    asked: Seat | None = None,
    waiting: Collection[Seat] = (),
) -> None:
    """Everybody in a row (two in portrait, if many): mark, name, points, what else is so of them, and the drawing in
    ``signs`` of what they claimed or threw. Who is ``asked`` has a frame; whom the box is not ``waiting`` for, where it
    waits for some, lies flat. Of a room full of players, how many they are."""
    if len(players) > len(MARKS):
        canvas.panel(box, PANEL)
        canvas.text(box, classroom_strings.throwing(len(waiting), len(players)), canvas.theme.title)
        return
    across = min(4, len(players)) if canvas.theme.portrait and len(players) > 4 else len(players)
    for cell, player in zip(
        layout.grid(box, len(players), max(1, across), canvas.theme.units(0.8)), players, strict=True
    ):
        flat = bool(waiting) and player.seat not in waiting
        _chip(canvas, cell, player, signs.get(player.seat), player.seat == asked, flat)


def _facts_lines(players: Sequence[Player]) -> float:
    """How many units high what else is so of players is: a line, or two where many share a row."""
    most = max(len(player.facts) for player in players)
    return 4.6 if len(players) <= 3 or most <= 1 else 8.4


def _chip(canvas: Canvas, cell: Rect, player: Player, sign: str | None, asked: bool, flat: bool) -> None:
    theme = canvas.theme
    edge = ACCENT if asked else LINE if flat else None
    canvas.panel(cell, BACKGROUND if flat else PANEL, edge=edge, width=theme.units(0.7 if asked else 0.3))
    told = tuple(fact for fact in player.facts if sign is None or fact.name not in ("claims", "throws"))
    if told:
        high = min(cell.h // 2, theme.units(4.6 if cell.h < theme.units(20) else 8.4))
        cell, below = layout.bottom(cell, high, 0)
        facts(canvas, layout.inside(below, theme.units(1.4), theme.units(0.4)), told, theme.small, side="centre")
    wide = cell.w >= (3.2 if player.fouls is None else 4) * cell.h
    inner = layout.inside(cell, theme.units(2 if wide else 0.8), theme.units(1))
    if wide:
        if sign is not None:
            inner, spot = layout.right(inner, inner.h, theme.gap)
            canvas.icon(spot, sign)
        if player.score is not None:
            took = canvas.width(str(player.score), theme.title, round(inner.w * 0.3), inner.h)
            inner, points = layout.right(inner, took, theme.gap)
            canvas.text(points, str(player.score), theme.title, side="right")
        badge(canvas, fouls(canvas, inner, player, theme.body), player, theme.body)
        return
    upper, lower = layout.rows(inner, [3, 2], 0)
    upper = fouls(canvas, upper, player, theme.units(3.6))
    if sign is not None:
        upper, spot = layout.right(upper, upper.h, theme.units(0.8))
        canvas.icon(spot, sign)
    if player.score is None:
        canvas.seat(upper, player.seat)
    else:
        shape, points = layout.columns(upper, [2, 3], theme.units(0.8))
        canvas.seat(layout.inside(shape, 0, theme.units(0.4)), player.seat)
        canvas.text(points, str(player.score), theme.title, side="left")
    canvas.text(lower, player.name, theme.small, MUTED, least=theme.units(2.4))


def leaves(count: int, room: int) -> int:
    """How many leaves a list of ``count`` needs with ``room`` on each."""
    return max(1, -(-count // max(1, room)))


def turner(canvas: Canvas, box: Rect, leaf: int, last: int) -> None:
    """Two buttons that turn the leaves of a list, and which leaf this is."""
    theme = canvas.theme
    before, here, after = layout.columns(box, [3, 1, 3], theme.gap)
    canvas.button(before, strings.EARLIER, Turn(leaf - 1), drawing="back", able=leaf > 0)
    canvas.text(here, f"{leaf + 1}/{last}", theme.body, MUTED)
    canvas.button(after, strings.MORE, Turn(leaf + 1), drawing="forward", able=leaf < last - 1)
