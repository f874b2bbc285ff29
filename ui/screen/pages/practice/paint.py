"""Painters of practising against the box: the seal of its throw before the count, and the reveal after it."""

from pygame import Rect

from rules.throws import Throw
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import draw_card, draw_header, hand_row
from ui.screen.pages.answers import Reply
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.practice import strings
from ui.screen.pages.practice.view import (
    STOP_ANSWER,
    THROW_ANSWER,
    CommitmentReveal,
    CommitmentView,
    PracticeScore,
    check_command,
    group_digits,
)

GROUP_WIDTH_EM = 2.6
"""The width of the widest group, as a share of its type's size: all are to be of one size."""


@paints(CommitmentView)
def draw_commitment(canvas: Canvas, view: CommitmentView) -> None:
    """Draw the seal, large enough to copy or photograph, and the button that begins the count."""
    theme = canvas.theme
    body = _draw_header(canvas, view.score)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.5), theme.gap)
    _draw_buttons(canvas, foot, strings.BEGIN_COUNT)
    if view.message:
        line, body = layout.split_top(body, theme.units(16 if theme.portrait else 10), theme.gap)
        sign, message_box = layout.split_left(draw_card(canvas, line, 2, 1), theme.units(6), theme.gap)
        canvas.icon(sign, "foul", FOUL)
        canvas.text(message_box, view.message, theme.body, align="left", max_lines=3 if theme.portrait else 2)
    title, seal, why = layout.rows(body, [2, 5, 3], theme.gap)
    canvas.text(title, strings.THROW_IS_FIXED, theme.title, max_lines=2)
    _draw_digest(canvas, seal, view.digest, 4 if theme.portrait else 8, theme.big)
    canvas.text(why, strings.DIGEST_DETAIL, theme.body, MUTED, max_lines=5)


@paints(CommitmentReveal)
def draw_commitment_reveal(canvas: Canvas, view: CommitmentReveal) -> None:
    """Draw both throws, the result, and everything needed to check the seal."""
    theme = canvas.theme
    body = _draw_header(canvas, view.score)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.3), theme.gap)
    _draw_buttons(canvas, foot, strings.NEXT_ROUND)
    result, body = layout.split_top(body, theme.units(15 if theme.portrait else 10), theme.gap)
    canvas.text(result, view.result, theme.big, ACCENT, max_lines=2 if theme.portrait else 1)
    hands, check = layout.rows(body, [1, 1], theme.gap) if theme.portrait else layout.columns(body, [2, 3], theme.gap)
    your_cell, box_cell = layout.columns(hands, [1, 1], theme.gap)
    inner, line = _draw_hand_card(canvas, your_cell, strings.YOU, view.your_throw)
    canvas.image(layout.centre(inner, min(inner.size), min(inner.size)), view.crop, PANEL)
    if view.after_ms is not None:
        canvas.text(line, strings.shown_at(view.after_ms), theme.small, MUTED, max_lines=2)
    inner, _ = _draw_hand_card(canvas, box_cell, strings.BOX, view.box_throw)
    canvas.icon(inner, str(view.box_throw))
    _draw_check(canvas, check, view)


def _draw_header(canvas: Canvas, score: PracticeScore) -> Rect:
    """Draw the title with the score, and the fouls once there are any. Returns the page below it."""
    theme = canvas.theme
    note = " · ".join(part for part in (strings.score_text(score), strings.fouls_text(score)) if part)
    if not theme.portrait:
        return draw_header(canvas, canvas.page, strings.TITLE, note=note)
    line, body = layout.split_top(draw_header(canvas, canvas.page, strings.TITLE), theme.units(7), theme.gap)
    canvas.text(line, note, theme.body, MUTED, align="left")
    return body


def _draw_buttons(canvas: Canvas, foot: Rect, label: str) -> None:
    stop, throw = hand_row(canvas, foot, [1, 2], canvas.theme.gap)
    canvas.button(stop, strings.STOP, Reply(STOP_ANSWER), size=canvas.theme.title)
    canvas.button(throw, label, Reply(THROW_ANSWER), size=canvas.theme.title, main=True)


def _draw_digest(canvas: Canvas, box: Rect, digest: str, groups_per_row: int, size: int) -> None:
    """Draw a seal in groups on a grid."""
    theme = canvas.theme
    groups = group_digits(digest)
    cells = layout.grid(draw_card(canvas, box, 2, 1, edge=LINE), len(groups), groups_per_row, theme.units(2))
    size = min(size, round(cells[0].w / GROUP_WIDTH_EM), cells[0].h)
    for cell, group in zip(cells, groups, strict=True):
        canvas.text(cell, group, size, TEXT)


def _draw_hand_card(canvas: Canvas, cell: Rect, player: str, throw: Throw) -> tuple[Rect, Rect]:
    """Draw the card of one side, with its throw's name. Returns the places of the hand and of the line below it."""
    theme = canvas.theme
    name, inner = layout.split_top(draw_card(canvas, cell, 2, 1.5), theme.units(6), theme.gap)
    canvas.text(name, player, theme.body, MUTED)
    inner, line = layout.split_bottom(inner, theme.units(9), 0)
    inner, word = layout.split_bottom(inner, theme.units(8), theme.gap)
    canvas.text(word, common_strings.throw_text(throw), theme.title)
    return inner, line


def _draw_check(canvas: Canvas, box: Rect, view: CommitmentReveal) -> None:
    theme = canvas.theme
    places = layout.rows(draw_card(canvas, box, 2, 1.5), [2, 3, 2, 7, 2, 5], theme.units(0.6))
    labels = (strings.SEALED_THROW, strings.DIGEST_SHOWN, strings.HOW_TO_CHECK)
    for place, label in zip(places[::2], labels, strict=True):
        canvas.text(place, label, theme.small, MUTED, align="left")
    canvas.text(places[1], view.opening, theme.body, align="left", max_lines=2)
    _draw_digest(canvas, places[3], view.digest, 8, theme.body)
    canvas.text(places[5], check_command(view.opening), theme.small, align="left", max_lines=3)
