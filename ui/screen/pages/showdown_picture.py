"""Painter of a showdown: each player's claim and card, which turns over, and the pot, whose chips move to the
winners."""

import math

import pygame
from pygame import Rect

from rules.throws import Throw
from ui.i18n.language import render
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.icons import icon
from ui.screen.drawing.text import line_height, text_width
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, ON_FOUL, PANEL, RAISED, TEXT, Theme
from ui.screen.drawing.widgets import draw_pause_button, draw_timer, split_hand_side
from ui.screen.pages import showdown as showdown_page
from ui.screen.pages.common import GO_ON_ANSWER, UNDO_ANSWER
from ui.screen.pages.match_widgets import cells_across, draw_dispute_button, draw_player_badge
from ui.screen.pages.showdown import Showdown, ShowdownCard
from ui.screen.views import Reply
from ui.text import labels

MAX_COINS = 12
"""The most coins that are drawn on their way to one player."""
CARD_SHAPE = 1.3
"""A card's height by its width."""
WIDE_COLUMN = 1.15
"""In a column that is wider than high by this, the card is next to the rest."""
SENTENCE_LINES = ((2, (2, 3)), (6, (3, 4)), (8, (3, 5)))
"""For up to so many players, the lines that the sentence has in landscape and in portrait: never by what it will say,
for that would tell what the cards are before they turn."""


@paints(Showdown)
def draw_showdown(canvas: Canvas, view: Showdown) -> None:
    """Draw the sentence, and in one part, since chips cross it, a column for each player and the pot."""
    # Never with large text: the page is laid out before its cards turn, and all that they may show must fit.
    canvas.theme = theme = Theme(canvas.surface.get_size())
    sentence, body = _draw_bar(canvas, view)
    pot_height = theme.touch_size * (1.25 if len(view.cards) <= theme.pick(4, 3) else 1)
    columns_box, pot = layout.split_bottom(body, round(pot_height), theme.gap)
    if view.seconds_left is not None:
        pot, go_on = split_hand_side(canvas, pot, theme.units(34), theme.gap)
        label = labels.GO_ON if view.finished or view.moved_s is None else showdown_page.SHOW_ALL
        canvas.button(go_on, label, Reply(GO_ON_ANSWER), main=True, size=theme.title, area=body)
        if not theme.portrait:  # at the top the sentence needs the room
            pot = _draw_corrections(canvas, pot, view)
    columns = _split_columns(canvas, columns_box, view)
    for column in columns:
        column.draw_still(canvas)

    def draw_sentence(canvas: Canvas, current: Showdown) -> None:
        canvas.text(sentence, current.sentence, theme.units(9), max_lines=9, role="shared")

    def draw(canvas: Canvas, current: Showdown) -> None:
        for index, column in enumerate(columns):
            column.draw(canvas, current, index)
        _draw_pot(canvas, pot, current)
        _draw_coins(canvas, pot, columns, current)

    canvas.add_moving_part(sentence, ("moved_s",), draw_sentence)
    canvas.add_moving_part(columns_box.union(pot), ("moved_s",), draw)
    canvas.ignore_fields("shown_s")


def _draw_bar(canvas: Canvas, view: Showdown) -> tuple[Rect, Rect]:
    """Draw the buttons at the top of the page. Return the place of the sentence, next to them or in portrait below
    them, and the rest of the page."""
    theme, page = canvas.theme, canvas.page
    box = page
    if view.seconds_left is not None:
        line, below = layout.split_top(page, theme.touch_size, theme.gap)
        line = draw_pause_button(canvas, line)
        if theme.portrait:
            line = _draw_corrections(canvas, line, view)
        line = draw_timer(canvas, line, view)
        box = theme.pick(Rect(line.x, page.y, line.w, page.h), below)
    lines = next(theme.pick(*lines) for most, lines in SENTENCE_LINES if len(view.cards) <= most)
    height = max(2 * theme.touch_size, lines * line_height(theme.shared))
    sentence = layout.split_top(box, height, 0)[0]
    return sentence, layout.split_top(page, sentence.bottom - page.y, theme.gap)[1]


def _draw_corrections(canvas: Canvas, line: Rect, view: Showdown) -> Rect:
    """Draw the buttons that dispute the showdown and undo the last answer, where people may. Return the rest of the
    ``line``."""
    if view.can_dispute:
        line = draw_dispute_button(canvas, line)
    if view.can_undo:
        line, undo = layout.split_right(line, canvas.theme.units(26), canvas.theme.gap)
        canvas.button(undo, labels.UNDO, Reply(UNDO_ANSWER))
    return line


class _Column:
    """One player's column: name, claim, card, whether the claim was true, and chips."""

    def __init__(self, canvas: Canvas, box: Rect, card: ShowdownCard) -> None:
        theme = canvas.theme
        self.shown, self.box = card, box
        self.size = theme.body if box.w > theme.units(34) else theme.small
        gap, least = theme.units(0.4), line_height(theme.small)
        inner = layout.inset(box, theme.units(1.4), theme.units(0.8))
        self.name, inner = layout.split_top(inner, max(least, min(inner.h // 5, theme.units(6))), gap)
        if box.w > box.h * WIDE_COLUMN:
            width = min(round(inner.h / CARD_SHAPE), round(inner.w * 0.36))
            self.card, side = layout.split_left(inner, width, theme.units(1))
            if side.h < 3 * least + 2 * gap:  # too low for three lines
                upper, self.chips = layout.rows(layout.centre(side, side.w, 3 * least), [1, 1], gap)
                self.claim, self.verdict = layout.split_left(upper, 2 * min(upper.h, theme.units(6)) + gap * 3, gap * 3)
                return
            line = min((side.h - 2 * gap) // 3, theme.units(13))
            side = layout.centre(side, side.w, 3 * line + 2 * gap)
            self.claim, self.verdict, self.chips = layout.rows(side, [1, 1, 1], gap)
        else:
            line = min(inner.h // 6, theme.units(11))
            self.claim, inner = layout.split_top(inner, line, gap)
            inner, self.chips = layout.split_bottom(inner, line, gap)
            self.card, self.verdict = layout.split_bottom(inner, line, gap)

    def draw_still(self, canvas: Canvas) -> None:
        """Draw the name and the claim: as a word too where that has room."""
        theme = canvas.theme
        canvas.framed_panel(self.box, PANEL)
        draw_player_badge(canvas, self.name, self.shown.player, self.size)
        if self.shown.claim is None:
            return
        word, side, gap = labels.throw_text(self.shown.claim), min(self.claim.h, theme.units(6)), theme.units(1)
        room = self.claim.w - 2 * (side + gap)
        wide = all(text_width(render(labels.throw_text(throw)), theme.body) <= room for throw in Throw)
        width = canvas.text_width(word, theme.title, room, self.claim.h) if wide else -gap
        line = layout.centre(self.claim, 2 * (side + gap) + width, self.claim.h)
        for name, colour in (("bubble", MUTED), (str(self.shown.claim), TEXT)):
            rect, line = layout.split_left(line, side, gap)
            canvas.icon(rect, name, colour)
        if wide:
            canvas.text(line, word, theme.title, align="left")

    def draw(self, canvas: Canvas, view: Showdown, index: int) -> None:
        """Draw the card, and once it is turned whether the claim was true; the winner's frame, and the chips."""
        theme = canvas.theme
        won = self.shown.player.seat in view.winners
        if won:
            pygame.draw.rect(canvas.surface, ACCENT, self.box, theme.units(0.9), theme.radius)
        self._draw_card(
            canvas,
            _drawn_share(canvas, view.turned_share(index)),
            lost=view.is_compared and not won and not view.stays_hidden,
        )
        if view.is_judged(index) and self.shown.card is not None:
            self._draw_verdict(canvas)
        gain = round(self.shown.won * _drawn_share(canvas, view.pot_share))
        text = f"{(self.shown.player.score or 0) - self.shown.won + gain}"
        if won and _drawn_share(canvas, view.pot_share) == 1.0:
            both, room = f"{text} (+{self.shown.won})", self.chips.w - _sign_width(canvas, self.chips)
            text = both if text_width(both, theme.body) <= room else text
        _draw_signed_text(canvas, self.chips, "coin", text, ACCENT if won else TEXT)

    def _draw_card(self, canvas: Canvas, share: float, *, lost: bool) -> None:
        """Draw the card, ``share`` of the way from its back to its face; a card that ``lost`` is dim."""
        height = min(self.card.h, round(self.card.w * CARD_SHAPE))
        width = round(height / CARD_SHAPE)
        rect = layout.centre(self.card, max(2, round(width * abs(math.cos(math.pi * share)))), height)
        if rect.h < 4:
            return
        face_up = share > 0.5
        face = (LINE if lost else TEXT) if face_up else RAISED
        name, colour = (str(self.shown.card or "nothing"), BACKGROUND) if face_up else ("card-back", MUTED)
        canvas.panel(rect, face, edge=MUTED, width=max(1, canvas.theme.units(0.4)))
        side = round(width * 0.78)
        image = icon(name, side, colour)
        if rect.w < width:
            image = pygame.transform.smoothscale(image, (max(1, side * rect.w // width), side))
        canvas.surface.blit(image, image.get_rect(center=rect.center))

    def _draw_verdict(self, canvas: Canvas) -> None:
        """Draw whether the claim was true; a bluff as a stamp."""
        theme = canvas.theme
        if not self.shown.bluff:
            _draw_signed_text(canvas, self.verdict, "good", showdown_page.TRUE_CLAIM, TEXT)
            return
        size, across = theme.units(8), theme.units(1.6)
        width = canvas.text_width(showdown_page.BLUFF, size, self.verdict.w - 2 * across, self.verdict.h) + 2
        stamp = layout.centre(self.verdict, width + 2 * across, self.verdict.h)
        canvas.panel(stamp, FOUL)
        canvas.text(layout.inset(stamp, across, 0), showdown_page.BLUFF, size, ON_FOUL)


def _drawn_share(canvas: Canvas, share: float) -> float:
    """Return the share of a movement to draw: all of it once it has begun, where motion is reduced."""
    return float(share > 0) if canvas.theme.reduced_motion else share


def _draw_signed_text(canvas: Canvas, box: Rect, sign: str, text: str, colour: tuple[int, int, int]) -> None:
    """Draw an icon and a short text after it, in the centre of ``box``."""
    theme = canvas.theme
    before, size = _sign_width(canvas, box), theme.units(8)
    line = layout.centre(box, before + canvas.text_width(text, size, box.w - before, box.h) + 2, box.h)
    rect, line = layout.split_left(line, before - theme.units(1), theme.units(1))
    canvas.icon(rect, sign, colour)
    canvas.text(line, text, size, colour, align="left")


def _sign_width(canvas: Canvas, box: Rect) -> int:
    """Return the width of an icon before a short text in ``box``, with the gap after it."""
    return min(box.h, canvas.theme.units(6)) + canvas.theme.units(1)


def _split_columns(canvas: Canvas, box: Rect, view: Showdown) -> list[_Column]:
    """Return the players' columns, in the order of the cards: placed by their seats, from the left."""
    count = len(view.cards)
    if count == 1:
        box = layout.centre(box, canvas.theme.pick(box.w // 2, box.w), box.h)
    seats = sorted(card.player.seat for card in view.cards)
    cells = dict(zip(seats, layout.grid(box, count, cells_across(canvas, count, 4), canvas.theme.gap), strict=True))
    return [_Column(canvas, cells[card.player.seat], card) for card in view.cards]


def _draw_pot(canvas: Canvas, box: Rect, view: Showdown) -> None:
    theme = canvas.theme
    left = view.pot - sum(round(card.won * _drawn_share(canvas, view.pot_share)) for card in view.cards)
    purse, number = _split_pot(canvas, box)
    canvas.icon(purse, "purse", ACCENT if left else MUTED)
    canvas.text(number, str(left), theme.big, ACCENT if left else MUTED, align="left", role="shared")


def _split_pot(canvas: Canvas, box: Rect) -> tuple[Rect, Rect]:
    theme = canvas.theme
    line = layout.centre(box, box.h + theme.units(22), box.h)
    return layout.split_left(line, line.h, theme.units(2))


def _draw_coins(canvas: Canvas, pot: Rect, columns: list[_Column], view: Showdown) -> None:
    """Draw the coins on their way from the purse to the winners, one after the other."""
    if not 0 < _drawn_share(canvas, view.pot_share) < 1:
        return
    theme = canvas.theme
    start = _split_pot(canvas, pot)[0].center
    side = theme.units(4.5)
    for column in columns:
        count = min(MAX_COINS, column.shown.won)
        for number in range(count):
            passed = view.pot_share * 1.6 - 0.6 * number / count
            if 0 < passed < 1:
                eased = passed * passed * (3 - 2 * passed)
                x, y = (a + (b - a) * eased for a, b in zip(start, column.chips.center, strict=True))
                rect = Rect(0, 0, side, side)
                rect.center = (round(x), round(y - theme.units(8) * math.sin(math.pi * eased)))
                canvas.icon(rect, "coin", ACCENT)
