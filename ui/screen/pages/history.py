"""The pages of past matches as plain data. Pure: no surface, no clock; a round itself is shown on a dispute's page."""

from dataclasses import dataclass

from pygame import Rect

from messages import N
from rules.engine import Value
from ui.i18n.language import render
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, SEAT_MARKS
from ui.screen.drawing.widgets import draw_header, split_hand_side
from ui.screen.pages import classroom_picture, dispute_picture
from ui.screen.pages.common import TAKE_HOME_ANSWER
from ui.screen.pages.dispute import DisputePage
from ui.screen.views import Page, Reply
from ui.text import labels

LINES_PER_PAGE = 6
"""Lines on a page of a list, on every screen."""

EARLIER, LATER, BACK, HOME = "earlier", "later", "back", "home"

PLAYERS = "players"
"""The answer to past matches that leads to the list of players."""

STORY, MARK = "story", "mark"
"""The answers to a past round, other than to go to another page."""


@dataclass(frozen=True)
class HistoryLine:
    """One line of a list: ``title``, a ``note`` at its right and ``detail`` below. ``answer`` is what a touch on it
    answers; ``None`` where there is nothing more to see. Without a ``title`` it is a sentence."""

    title: str
    detail: str
    note: str = ""
    answer: Value = None


@dataclass(frozen=True)
class HistoryList(Page):
    """A page (from 0) of a list of past matches, of a match's rounds, or of sentences about a round, with a ``summary``
    above it, or ``empty_text`` where it has no lines. Answered with a line's answer, with LATER if it ``has_more``,
    with EARLIER from all pages but the first, or with one of ``tools``."""

    is_idle = True

    title: str
    lines: tuple[HistoryLine, ...]
    tools: tuple[str, ...]
    list_page: int = 0
    has_more: bool = False
    summary: str = ""
    empty_text: str = ""


TOOL_LABELS = {
    "back": N("Back"),
    "home": N("Games"),
    "marked": N("To review"),
    "all": N("All matches"),
    "unnamed": N("Without names"),
    "players": N("Players"),
    "new": N("New", "tournament"),
    "ratings": N("Ratings"),
    "tournaments": N("Tournaments"),
}
NEXT_MARK_LABELS = {None: N("Flag for review"), "to review": N("Mark as reviewed"), "reviewed": N("Remove the flag")}
"""The label of the button that changes a round's mark, by the mark it has."""

MARK_NAMES = {"to review": N("to review"), "reviewed": N("reviewed")}
"""The marks a round can have."""


@paints(HistoryList)
def draw_list(canvas: Canvas, page: HistoryList) -> None:
    """Draw a page of a list, its lines in one column or two, and the footer below them."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, page.title)
    if page.summary:
        summary, body = layout.split_top(body, canvas.text_height(page.summary, body.w, max_lines=3), theme.gap)
        canvas.text(summary, page.summary, theme.small, max_lines=3, align="left")
    height = round(theme.touch_size * 1.15)
    stacked = theme.portrait and len(page.tools) > 2
    body, foot = layout.split_bottom(body, 2 * height + theme.gap if stacked else height, theme.gap)
    if not page.lines:
        canvas.text(body, page.empty_text, theme.title, MUTED, max_lines=4)
    cells = layout.grid(body, LINES_PER_PAGE, 1 if theme.portrait else 2, theme.gap)
    for cell, line in zip(cells, page.lines, strict=False):
        _draw_line(canvas, cell, line)
    _draw_footer(canvas, foot, page)


def _draw_line(canvas: Canvas, cell: Rect, line: HistoryLine) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL, edge=None if line.answer is None else LINE, width=theme.units(0.3))
    inner = layout.inset(cell, theme.units(2), theme.units(0.3))
    if line.answer is not None:
        canvas.add_target(cell, Reply(line.answer), f"{render(line.title)} {render(line.note)}")
        inner, icon_box = layout.split_right(inner, theme.units(3.4), theme.units(1.4))
        canvas.icon(icon_box, "forward", ACCENT)
    if not line.title:
        canvas.text(inner, line.detail, theme.body, align="left", max_lines=4)
        return
    height, title_width = line_height(theme.body), inner.w
    if line.note:
        note_width = canvas.text_width(line.note, theme.small, round(inner.w * 0.6), height)
        title_width -= note_width + theme.gap
        aside = Rect(inner.right - note_width, inner.y, note_width, height)
        canvas.text(aside, line.note, theme.small, MUTED, align="right")
    height = max(height, canvas.text_height(line.title, title_width, max_lines=2))
    top, detail = layout.split_top(inner, height, 0)
    canvas.text(layout.split_left(top, title_width, 0)[0], line.title, theme.body, align="left", max_lines=2)
    canvas.text(detail, line.detail, theme.small, MUTED, align="left", max_lines=3)


def _draw_footer(canvas: Canvas, foot: Rect, page: HistoryList) -> None:
    """Draw the tools and, if there are several pages, this one's number between the buttons to the pages before and
    after."""
    theme = canvas.theme
    stacked = theme.portrait and len(page.tools) > 2
    if stacked:
        tools, turn = layout.rows(foot, [1, 1], theme.gap)
    else:
        tools, turn = layout.columns(foot, [2, 1] if len(page.tools) > 2 else [5, 4], theme.gap * 2)
    cells = layout.columns(tools, [1] * max(2, len(page.tools)), theme.gap)
    for cell, name in zip(cells, page.tools, strict=False):
        icon = "back" if name in (BACK, HOME) else None
        canvas.button(cell, TOOL_LABELS[name], Reply(name), icon=icon)
    if not (page.list_page or page.has_more):
        return
    before, number_box, after = layout.columns(turn, [3, 2, 3], theme.gap)
    canvas.text(number_box, str(page.list_page + 1), theme.body, MUTED)
    for cell, label, answer, icon, enabled in (
        (before, labels.EARLIER, EARLIER, "back", page.list_page > 0),
        (after, labels.MORE, LATER, "forward", page.has_more),
    ):
        canvas.button(cell, label, Reply(answer), icon=icon, icon_only=True, enabled=enabled)


@paints(DisputePage)
def draw_round(canvas: Canvas, page: DisputePage) -> None:
    """Draw a round with its evidence, disputed or past."""
    if page.view.is_past:
        _draw_past_round(canvas, page)
    else:
        dispute_picture.draw_dispute(canvas, page)


def _draw_past_round(canvas: Canvas, page: DisputePage) -> None:
    """Draw the evidence of a past round: as in a dispute, with its review mark in place of corrections."""
    theme, view = canvas.theme, page.view
    height = round(theme.touch_size * 1.1)
    beside = theme.units(30) + (height + theme.gap if view.can_take_home else 0)
    sentence_height = canvas.text_height(view.sentence, canvas.page.w - (0 if theme.portrait else beside))
    bar_height = height if theme.portrait else max(height, theme.units(5) + sentence_height)
    bar, body = layout.split_top(canvas.page, bar_height, theme.gap)
    back, bar = layout.split_left(bar, theme.units(26), theme.gap * 2)
    back.height = height
    canvas.button(back, TOOL_LABELS[BACK], Reply(BACK), icon="back")
    if view.can_take_home:
        bar, take_home = layout.split_right(bar, height, theme.gap)
        take_home.height = height
        label = labels.TAKE_HOME
        canvas.button(take_home, label, Reply(TAKE_HOME_ANSWER), icon="phone", icon_only=True)
    title, sentence = layout.split_top(bar, line_height(theme.small), 0)
    if theme.portrait:
        title = bar
        sentence, body = layout.split_top(body, sentence_height, theme.gap)
    if view.review_mark is not None:
        name = MARK_NAMES.get(view.review_mark, view.review_mark)
        mark_width = canvas.text_width(name, theme.body, round(title.w * 0.4), title.h)
        title, rect = layout.split_right(title, mark_width, theme.gap)
        canvas.text(rect, name, theme.body, ACCENT, align="right")
        title, icon_box = layout.split_right(title, theme.units(5), theme.units(1))
        canvas.icon(icon_box, "eye", ACCENT)
    canvas.text(title, view.title, theme.body, MUTED, align="left", max_lines=2)
    canvas.text(sentence, view.sentence, theme.small, max_lines=4, align="left")
    body, foot = layout.split_bottom(body, height, theme.gap)
    if theme.portrait:
        body, steps = layout.split_bottom(body, height, theme.gap)
    else:
        steps, foot = split_hand_side(canvas, foot, round(foot.w * 0.53) - theme.gap * 2, theme.gap * 2)
    before, after, mark, story = layout.columns(foot, [2, 2, 6, 4], theme.gap)
    for cell, label, answer, icon, enabled in (
        (before, N("Previous round"), EARLIER, "back", view.has_earlier),
        (after, N("Next round"), LATER, "forward", view.has_later),
    ):
        canvas.button(cell, label, Reply(answer), icon=icon, icon_only=True, enabled=enabled)
    canvas.button(mark, NEXT_MARK_LABELS[view.review_mark], Reply(MARK), size=theme.small)
    canvas.button(story, N("Result"), Reply(STORY), size=theme.small)
    if len(view.seats) > len(SEAT_MARKS):
        classroom_picture.draw_past_throws(canvas, body, view)
        return
    dispute_picture.draw_evidence(canvas, body, steps, page)
