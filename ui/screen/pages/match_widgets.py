"""Parts of the pages of a match: the players with their marks, points and fouls, the clock of a question, the button
that disputes a round, the proof code."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from pygame import Rect

from messages import N
from rules.engine import Seat
from rules.engine.scoreboard import FactForm
from ui.charts.proof_code import proof_text
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Alignment, Canvas
from ui.screen.drawing.countdown_ring import draw_countdown
from ui.screen.drawing.forms import Column
from ui.screen.drawing.nodes import SMALL_LINE, Drawing, FontSize, Length, Node, QrCode, Text, font_size
from ui.screen.drawing.text import line_height, text_width
from ui.screen.drawing.theme import (
    ACCENT,
    BACKGROUND,
    FOUL,
    LINE,
    MUTED,
    PANEL,
    SEAT_MARKS,
    TEXT,
    Colour,
    TextRole,
    Theme,
)
from ui.screen.drawing.widgets import split_hand_side
from ui.screen.pages import classroom as classroom_page
from ui.screen.pages import dispute as dispute_page
from ui.screen.pages.common import DISPUTE_ANSWER, GO_ON_ANSWER, UNDO_ANSWER, Player, player_title
from ui.screen.pages.fact_chips import draw_facts
from ui.screen.pages.group_question import GroupQuestionPage
from ui.screen.pages.question import SeatPage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.scoreboard import Fact, Facts
from ui.screen.views import Reply
from ui.text import labels

NO_ICONS: Mapping[Seat, str] = MappingProxyType({})
MAX_NAMED_PLAYERS = 4
"""The most players whose names fit next to their points; of more, the marks alone tell whose points they are."""


def draw_player_badge(canvas: Canvas, box: Rect, player: Player, size: int) -> None:
    """Draw a seat's mark and its player's name from the left of ``box``."""
    shape, text = layout.split_left(box, min(box.h, size), canvas.theme.units(1.2))
    canvas.seat_mark(shape, player.seat)
    canvas.text(text, player_title(player), size, align="left")


def player_badge(
    player: Player, size: FontSize = "body", *, share: Length = 1.0, length: Length | None = None
) -> Drawing:
    """Return a seat's mark and its player's name."""

    def draw(canvas: Canvas, box: Rect) -> None:
        draw_player_badge(canvas, box, player, min(box.h, font_size(size, canvas.theme)))

    return Drawing(draw, share=share, length=length)


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


def draw_score(
    canvas: Canvas,
    box: Rect,
    player: Player,
    size: int,
    colour: Colour = TEXT,
    *,
    align: Alignment = "centre",
    role: TextRole = "personal",
) -> None:
    """Draw a player's score, if there is one: a number, or the stars that win, those won filled."""
    if player.score is None:
        return
    if player.stars is None:
        canvas.text(box, labels.plain_number(player.score), size, colour, align=align, role=role)
        return
    side = min(box.h, size, box.w // player.stars)
    spare = box.w - side * player.stars
    x = box.x + {"left": 0, "centre": spare // 2, "right": spare}[align]
    for number in range(player.stars):
        is_won = number < player.score
        star = Rect(x + number * side, box.centery - side // 2, side, side)
        canvas.icon(layout.inset(star, side // 16), "star" if is_won else "star-empty", ACCENT if is_won else MUTED)


def score_width(canvas: Canvas, player: Player, size: int, most: int, height: int) -> int:
    """Return how many pixels wide a player's score is, up to ``most``, in a line ``height`` pixels high; 0 without
    one."""
    if player.score is None:
        return 0
    if player.stars is None:
        return canvas.text_width(labels.plain_number(player.score), size, most, height)
    return min(most, player.stars * min(size, height))


def draw_dispute_button(canvas: Canvas, line: Rect) -> Rect:
    """Draw the button that disputes a round at the right of a page's top ``line``; it may be higher than the line.
    Return the rest of the line."""
    theme = canvas.theme
    rest, rect = layout.split_right(line, theme.units(27), theme.gap)
    rect.height = max(line.h, theme.touch_size)
    canvas.button(rect, dispute_page.DISPUTE, Reply(DISPUTE_ANSWER), size=theme.body)
    return rest


def draw_undo_buttons(canvas: Canvas, bar: Rect, body: Rect) -> tuple[Rect, Rect]:
    """Draw the buttons that take back what was entered, and that go on: on a page's top ``bar``, in portrait at the
    bottom of its ``body``. Return the rest of both."""
    theme = canvas.theme
    if theme.portrait:
        body, foot = layout.split_bottom(body, undo_height(theme), theme.gap)
        undo, go_on = layout.columns(foot, [1, 1], theme.gap)
    else:
        bar, go_on = split_hand_side(canvas, bar, theme.text_units(30), theme.gap)
        bar, undo = split_hand_side(canvas, bar, theme.text_units(30), theme.gap)
    canvas.button(undo, labels.UNDO, Reply(UNDO_ANSWER))
    canvas.button(go_on, labels.GO_ON, Reply(GO_ON_ANSWER), main=True)
    return bar, body


def undo_height(theme: Theme) -> int:
    """Return the height of the row of these buttons in portrait."""
    return round(theme.touch_size * 1.4)


def draw_clock(canvas: Canvas, box: Rect, whole_s: float) -> None:
    """Draw the seconds left to answer a question, of ``whole_s``, as a ring; they move on with the page."""

    def draw(canvas: Canvas, page: SeatPage | GroupQuestionPage) -> None:
        left_s = page.clock_s if isinstance(page, GroupQuestionPage) else page.view.seconds_left
        draw_countdown(canvas, box, left_s or 0.0, whole_s)

    canvas.add_moving_part(box, ("seconds_left", "clock_s"), draw)


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
    return theme.text_units(17 if stacked else 12.5) + _facts_height(canvas, players)


def draw_player_strip(
    canvas: Canvas,
    box: Rect,
    players: Sequence[Player],
    icons: Mapping[Seat, str] = NO_ICONS,
    asked: Seat | None = None,
    waiting: Collection[Seat] = (),
    signs: Mapping[Seat, str] = NO_ICONS,
) -> None:
    """Draw all players in a row: mark, name, points, facts, and the icon of what they claimed or threw, after the
    smaller one of ``signs`` that says which; more than MAX_NAMED_PLAYERS in several rows, without facts and, unless
    ``box`` has room, without names, which then are read from close by. The ``asked`` seat has a frame; if the box is
    ``waiting`` for some, the others are flat. For a whole class, draw only how many players there are."""
    if len(players) > len(SEAT_MARKS):
        canvas.panel(box, PANEL)
        text = classroom_page.throwing_text(len(waiting), len(players))
        canvas.text(box, text, canvas.theme.shared, role="shared")
        return
    across = _strip_across(canvas, len(players))
    for cell, player in zip(
        layout.grid(box, len(players), max(1, across), canvas.theme.units(0.8)), players, strict=True
    ):
        flat = bool(waiting) and player.seat not in waiting
        own_icons = icons.get(player.seat), signs.get(player.seat)
        _draw_player(canvas, cell, player, len(players), own_icons, player.seat == asked, flat)


def claims_strip(
    canvas: Canvas, players: Sequence[Player], throws: Mapping[Seat, Fact], asked: Seat | None = None
) -> Node | None:
    """Return all players with what they claimed or showed; None where nobody has."""
    if not throws:
        return None
    icons = {seat: str(fact.value) for seat, fact in throws.items()}
    signs = {seat: fact.shown.icon for seat, fact in throws.items() if fact.shown.icon}
    in_words = [replace(player, facts=_facts_in_words(player, icons.get(player.seat))) for player in players]
    height = player_strip_height(canvas, in_words, names_all=False) * 100 / canvas.theme.units(100)
    return Drawing(
        lambda canvas, box: draw_player_strip(canvas, box, players, icons, asked, signs=signs), length=height
    )


def _facts_in_words(player: Player, icon: str | None) -> Facts:
    """Return the facts of a player that are not drawn as their ``icon``."""
    return tuple(fact for fact in player.facts if icon is None or fact.shown.form is not FactForm.THROW)


def _named_cell_height(canvas: Canvas) -> int:
    """Return the height of the cell of one of many players that has room for a name above the points."""
    theme = canvas.theme
    return line_height(theme.small) + line_height(theme.shared) + 2 * theme.units(0.6)


def _facts_height(canvas: Canvas, players: Sequence[Player]) -> int:
    """Return the height of the players' facts: none, one line, or two where many share a row."""
    most = max((len(player.facts) for player in players), default=0)
    lines = 0 if not most else 1 if most == 1 or len(players) <= canvas.theme.pick(3, 0) else 2
    return lines * canvas.theme.text_units(5)


def cells_across(canvas: Canvas, count: int, most: int) -> int:
    """Return how many of ``count`` large cells share a row: in landscape all of up to ``most``, else half of them; in
    portrait one, or two of more than three."""
    return canvas.theme.pick(count if count <= most else -(-count // 2), 1 if count <= 3 else 2)


def cell_role(count: int) -> TextRole:
    """Return who reads what is in the cells of ``count`` players: of many only the marks, icons and points are large
    enough for everybody."""
    return "shared" if count <= MAX_NAMED_PLAYERS else "personal"


def _strip_across(canvas: Canvas, count: int) -> int:
    """Return how many players share a row of the player strip."""
    if count <= MAX_NAMED_PLAYERS:
        return count
    return canvas.theme.pick(-(-count // 2), 3)


def _is_stacked(canvas: Canvas, count: int) -> bool:
    """Return whether the cells of ``count`` named players are too narrow for name and points side by side."""
    return count > canvas.theme.pick(3, 1)


def _draw_player(
    canvas: Canvas,
    cell: Rect,
    player: Player,
    count: int,
    icons: tuple[str | None, str | None],
    asked: bool,
    flat: bool,
) -> None:
    theme, (icon, sign) = canvas.theme, icons
    named, stacked = count <= MAX_NAMED_PLAYERS, _is_stacked(canvas, count)
    edge = ACCENT if asked else LINE if flat else None
    canvas.panel(cell, BACKGROUND if flat else PANEL, edge=edge, width=theme.units(0.7 if asked else 0.3))
    facts_shown = _facts_in_words(player, icon)
    inner = layout.inset(cell, theme.units(0.8 if stacked or not named else 2), theme.units(0.6))
    if named:
        inner, below = layout.split_top(inner, theme.text_units(15 if stacked else 10.5), 0)
        if facts_shown:
            draw_facts(canvas, below, facts_shown, theme.small, align="centre")
        if stacked:
            inner, line = layout.split_bottom(inner, line_height(theme.small), 0)
            canvas.text(line, player_title(player), theme.small, MUTED)
    elif cell.h >= _named_cell_height(canvas):
        line, inner = layout.split_top(inner, line_height(theme.small), 0)
        canvas.text(line, player_title(player), theme.small, MUTED, align="left")
    inner = draw_foul_count(canvas, inner, player, theme.body)
    if icon is not None:
        inner, icon_box = layout.split_right(inner, min(inner.h, inner.w // 3), theme.units(0.8))
        canvas.icon(icon_box, icon)
        rest, sign_box = layout.split_right(inner, min(inner.h * 2 // 3, inner.w // 4), theme.units(0.8))
        if sign is not None and (stacked or not named or _has_room(canvas, rest, player)):
            inner = rest
            canvas.icon(sign_box, sign, MUTED)
    if player.score is not None:
        width = score_width(canvas, player, theme.shared, round(inner.w * 0.7), inner.h)
        inner, points = layout.split_right(inner, width, theme.units(0.8))
        draw_score(canvas, points, player, theme.shared, align="right", role="shared")
    if named and not stacked:
        draw_player_badge(canvas, inner, player, theme.body)
    else:
        canvas.seat_mark(layout.split_left(inner, min(inner.w, theme.units(6)), 0)[0], player.seat)


def _has_room(canvas: Canvas, box: Rect, player: Player) -> bool:
    """Return whether a line has room for a player's mark, name and points."""
    theme = canvas.theme
    points = score_width(canvas, player, theme.shared, round(box.w * 0.7), box.h)
    name = text_width(player_title(player), theme.min_text_size("personal"))
    return box.w >= theme.body + theme.units(1.2) + name + theme.units(0.8) + points


def draw_proof_code(canvas: Canvas, box: Rect, code: str) -> Rect:
    """Draw a match's proof code, if there is one, at the bottom of ``box``. Return the rest of the box."""
    rest, line = layout.split_bottom(box, line_height(canvas.theme.small) if code else 0, 0)
    if code:
        canvas.text(line, t("Proof code {code}", code=code), canvas.theme.small, MUTED)
    return rest


PROOF = N("Proof", "a QR code that proves a result")


def proof_code(view: MatchResult, length: Length | None = None) -> Drawing | None:
    """Return a match's proof code as a small QR code with a word; a touch enlarges it. None if there is none."""
    if not view.proof_code:
        return None
    code = QrCode(proof_text(view.match_number, view.proof_code))
    node = Column(code, Text(PROOF, "small", MUTED, lines=1, length=SMALL_LINE), gap=0)

    def draw(canvas: Canvas, box: Rect) -> None:
        node.draw(canvas, box)
        canvas.add_target(box, replace(view, shows_code=True), t("Proof code {code}", code=view.proof_code))

    return Drawing(draw, length=length)


def draw_proof_qr_code(canvas: Canvas, box: Rect, view: MatchResult) -> Rect:
    """Draw a match's proof code, if there is one, as high as ``box``, on the side away from the crown. Return the rest
    of the box."""
    code = proof_code(view)
    if code is None:
        return box
    rest, rect = layout.split_right(box, box.h, canvas.theme.gap)
    code.draw(canvas, rect)
    return rest
