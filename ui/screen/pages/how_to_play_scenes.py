"""The pictures of the pages that explain a game, as they are at a time: which throw beats which, what can happen, cards
that are turned over, and a piece that moves."""

import math
from collections.abc import Sequence

import pygame
from pygame import Rect

from rules.engine.explanation import ClaimsScene, OutcomeLine
from rules.throws import BEATEN_BY, Throw
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, ON_FOUL, PANEL, RAISED, TEXT, Colour, shown_colour
from ui.screen.drawing.widgets import draw_arrow
from ui.screen.pages import how_to_play as how_to_play_page
from ui.screen.pages.board_drawing import BoardGeometry, draw_piece
from ui.screen.pages.board_picture import PIECE_WIDTH, split_page
from ui.screen.pages.question import BoardPage
from ui.screen.views import View
from ui.text import labels

PAIR_S, LINE_S = 1.8, 1.6
"""How long each pair of throws, and each line of what can happen, is pointed out."""
CORNERS = ((Throw.ROCK, 0.5, 0.0), (Throw.PAPER, 1.0, 1.0), (Throw.SCISSORS, 0.0, 1.0))
"""The throws and where they are: the centre of each from the left and from the top, as a share of the free place."""
CHIP_S, CARD_S, POT_S = 0.7, 1.1, 1.6
"""How long it takes to bet, to turn a card over, and to take the pot."""
CARD_SHAPE = 0.68
"""The width of a card as a share of its height."""
FINAL_S = 2.0
"""How long the end of a picture is shown before it begins again."""


def draw_beats(canvas: Canvas, box: Rect, shown_s: float, *, inverted: bool, names: bool = True) -> None:
    """Draw the three throws with an arrow from each to the one it beats; each pair is pointed out in turn, and its
    winner pushes forward."""
    theme = canvas.theme
    label_height = theme.units(7) if names else 0
    side = round(min(box.h * 0.42 - label_height, box.w * 0.24))
    if side < 4:
        return
    free = Rect(box.x + side // 2, box.y + side // 2, round(box.w - side * 1.0), box.h - side - label_height)
    free = layout.centre(free, min(free.w, round(free.h * 1.9)), free.h)
    centres = {throw: (free.x + free.w * x, free.y + free.h * y) for throw, x, y in CORNERS}
    beats = [(loser, winner) if inverted else (winner, loser) for loser, winner in BEATEN_BY.items()]
    number, passed = int(shown_s / PAIR_S) % len(beats), shown_s / PAIR_S % 1.0
    for index, (winner, loser) in enumerate(beats):
        _draw_arrow(canvas, centres[winner], centres[loser], side, ACCENT if index == number else LINE)
    for throw, (x, y) in centres.items():
        active, (winner, loser) = throw in beats[number], beats[number]
        push = 0.12 * math.sin(math.pi * passed) if throw is winner else 0.0
        rect = Rect(0, 0, side, side)
        rect.center = round(x + push * (centres[loser][0] - x)), round(y + push * (centres[loser][1] - y))
        canvas.icon(rect, throw, TEXT if active else MUTED)
        if names:
            label = Rect(0, 0, theme.units(34), label_height)
            label.midtop = rect.midbottom
            label.clamp_ip(box)
            canvas.text(label, labels.throw_text(throw), theme.units(5.4), TEXT if active else MUTED)


def _draw_arrow(
    canvas: Canvas, start: tuple[float, float], end: tuple[float, float], side: float, colour: Colour
) -> None:
    """Draw an arrow between two throws that are ``side`` pixels wide."""
    length = math.dist(start, end)
    gap = min(0.8 * side, 0.36 * length)
    draw_arrow(canvas, (start, end), (gap, length - gap), max(1.5, side * 0.05), 2.6, shown_colour(colour))


def draw_outcomes(canvas: Canvas, box: Rect, outcomes: Sequence[OutcomeLine], shown_s: float) -> None:
    """Draw a line for each outcome: its icons, what happens, what it brings. Each is pointed out in turn, and what it
    brings grows."""
    theme = canvas.theme
    number, passed = int(shown_s / LINE_S) % len(outcomes), shown_s / LINE_S % 1.0
    height = min(theme.units(19), (box.h - theme.gap * (len(outcomes) - 1)) // len(outcomes))
    box = layout.centre(box, box.w, height * len(outcomes) + theme.gap * (len(outcomes) - 1))
    icons_width = max(len(outcome.icons) for outcome in outcomes) * min(theme.units(7), height)
    for index, (row, outcome) in enumerate(
        zip(layout.rows(box, [1] * len(outcomes), theme.gap), outcomes, strict=True)
    ):
        current = index == number
        colour = {None: TEXT, True: ACCENT, False: FOUL}[outcome.is_good]
        canvas.framed_panel(row, PANEL, marked=current)
        inner = layout.inset(row, theme.units(2), theme.units(0.5))
        signs, inner = layout.split_left(inner, icons_width, theme.gap)
        inner, result = layout.split_right(inner, round(inner.w * 0.44), theme.gap)
        side = min(signs.h, icons_width // max(1, len(outcome.icons)), theme.units(7))
        for position, name in enumerate(outcome.icons):
            rect = Rect(signs.x + position * side, signs.centery - side // 2, side, side)
            canvas.icon(layout.inset(rect, max(1, side // 12)), name, ACCENT if name in ("coin", "crown") else TEXT)
        canvas.text(inner, outcome.text, theme.units(5.4), align="left", max_lines=3, min_size=theme.units(3.9))
        growth = 1 + 0.2 * math.sin(math.pi * min(1.0, 2 * passed)) if current else 1.0
        size = round(theme.units(9 if len(t(outcome.result)) <= 4 else 5.4) * growth)
        canvas.text(result, outcome.result, size, colour, max_lines=3, min_size=theme.units(3.9))


def draw_claims(canvas: Canvas, box: Rect, scene: ClaimsScene, shown_s: float) -> None:
    """Draw how players bet, how their cards are turned over above their claims, and who takes the pot."""
    theme, count = canvas.theme, len(scene.cards)
    at = shown_s % (count * (CHIP_S + CARD_S) + POT_S + FINAL_S)
    upper, pot = layout.split_bottom(box, theme.units(13), theme.gap)
    cells = layout.columns(upper, [1] * count, theme.gap)
    turned_from = count * CHIP_S
    pot_from = turned_from + count * CARD_S
    taken = min(1.0, max(0.0, at - pot_from) / POT_S)
    for index, (cell, card) in enumerate(zip(cells, scene.cards, strict=True)):
        turned = min(1.0, max(0.0, (at - turned_from - index * CARD_S) / CARD_S))
        wins = index == scene.winner and taken == 1.0
        canvas.panel(cell, PANEL, edge=ACCENT if wins else LINE, width=theme.units(0.9 if wins else 0.3))
        inner = layout.inset(cell, theme.units(1.2), theme.units(1.2))
        mark, inner = layout.split_top(inner, theme.units(6), theme.units(0.8))
        canvas.seat_mark(mark, index + 1)
        inner, claim = layout.split_bottom(inner, theme.units(7), theme.units(0.8))
        _draw_claim(canvas, claim, card.claim)
        _draw_card(canvas, inner, card.card, turned)
        if turned == 1.0 and card.claim != card.card:
            label = layout.split_bottom(inner, theme.units(6.4), 0)[1]
            canvas.panel(label, FOUL)
            canvas.text(label, how_to_play_page.BLUFF, theme.units(5), ON_FOUL)
    bet = sum(card.chips for index, card in enumerate(scene.cards) if at >= (index + 1) * CHIP_S)
    _draw_pot(canvas, pot, bet, cells[scene.winner], taken)
    for index, (cell, card) in enumerate(zip(cells, scene.cards, strict=True)):
        share = (at - index * CHIP_S) / CHIP_S
        if 0 <= share < 1:
            _draw_chips(canvas, _between(cell.midtop, pot.center, share), card.chips)


def _draw_claim(canvas: Canvas, box: Rect, claim: str) -> None:
    """Draw what a player claims, in a speech bubble."""
    bubble, icon_box = layout.columns(layout.centre(box, 2 * box.h + canvas.theme.units(1), box.h), [1, 1], 0)
    canvas.icon(bubble, "bubble", ACCENT)
    canvas.icon(icon_box, claim, TEXT)


def _draw_card(canvas: Canvas, box: Rect, card: str, turned: float) -> None:
    """Draw a card of which the share ``turned`` (0–1) of turning it over is done."""
    width, height = min(box.w, round(box.h * CARD_SHAPE)), min(box.h, round(box.w / CARD_SHAPE))
    rect = layout.centre(box, max(2, round(width * abs(math.cos(math.pi * turned)))), height)
    if turned < 0.5:
        canvas.panel(rect, RAISED, edge=MUTED, width=max(1, canvas.theme.units(0.5)))
        return
    canvas.panel(rect, TEXT)
    side = min(rect.w * 3 // 4, height * 3 // 4)
    if side > 3:
        canvas.icon(layout.centre(rect, side, side), card, PANEL)


def _draw_pot(canvas: Canvas, box: Rect, chips: int, winner: Rect, taken: float) -> None:
    """Draw the pot, which moves to the winner's place."""
    at = _between(box.center, winner.midbottom, taken)
    if chips:
        _draw_chips(canvas, (at[0], at[1] - round(taken * canvas.theme.units(4))), chips, with_number=True)


def _draw_chips(canvas: Canvas, at: tuple[int, int], chips: int, *, with_number: bool = False) -> None:
    """Draw a row of overlapping chips in the middle ``at``, with their number on the right."""
    theme = canvas.theme
    side, step = theme.units(6), theme.units(3)
    width = side + (chips - 1) * step
    for number in range(chips):
        rect = Rect(at[0] - width // 2 + number * step, at[1] - side // 2, side, side)
        canvas.icon(rect.inflate(2, 2), "circle", PANEL)
        canvas.icon(rect, "coin", ACCENT)
    if with_number:
        label = Rect(at[0] + width // 2 + theme.units(1), at[1] - theme.units(5), theme.units(10), theme.units(10))
        canvas.text(label, str(chips), theme.units(8), ACCENT, align="left")


def _between(start: tuple[int, int], end: tuple[int, int], share: float) -> tuple[int, int]:
    share = share * share * (3 - 2 * share)
    return round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share)


def draw_turned_cards(canvas: Canvas, box: Rect, shown_s: float) -> None:
    """Draw two cards that lie face down and are turned over together."""
    at = shown_s % (2 * CARD_S + FINAL_S)
    for cell, card in zip(
        layout.columns(box, [1, 1], canvas.theme.gap * 3), (Throw.SCISSORS, Throw.PAPER), strict=True
    ):
        canvas.framed_panel(cell, PANEL)
        _draw_card(canvas, layout.inset(cell, canvas.theme.gap * 2), card, min(1.0, max(0.0, at / CARD_S - 1.0)))


def draw_moved_piece(canvas: Canvas, page_rect: Rect, page: View, share: float) -> None:
    """Draw the piece of a proposed move on its way, on the board of a ``page`` drawn at ``page_rect``."""
    if not isinstance(page, BoardPage) or page.move is None or not share:
        return
    whole = Canvas(pygame.Surface(canvas.surface.get_size(), 0, 32))
    board = BoardGeometry(page.position.board, split_page(whole)[0])
    scale = page_rect.w / whole.surface.get_width()
    start, end = (board.centre(space) for space in (page.move.origin, page.move.landing_spaces[-1]))
    side = round(board.square_at(page.move.origin, PIECE_WIDTH).w * scale)
    square = Rect(0, 0, side, side)
    x, y = _between((round(start[0]), round(start[1])), (round(end[0]), round(end[1])), share)
    square.center = page_rect.x + round(x * scale), page_rect.y + round(y * scale)
    draw_piece(canvas, square, page.position.pieces[page.move.origin])
