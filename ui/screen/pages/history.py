"""The pages of past matches as plain data. Pure: no surface, no clock; a round itself is shown on a dispute's page."""

from dataclasses import dataclass
from enum import StrEnum

from messages import N
from rules.engine import Value
from ui.i18n.language import render
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import Column, Flip, Form, Grid, Row, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Icon, Node, Space, Text, note
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, MUTED, SEAT_MARKS, TEXT
from ui.screen.drawing.widgets import split_hand_side
from ui.screen.pages import classroom_picture, dispute_picture
from ui.screen.pages.common import BACK_ANSWER, HOME_ANSWER, TAKE_HOME_ANSWER
from ui.screen.pages.dispute import DisputePage
from ui.screen.views import Page, Reply
from ui.text import labels

LINES_PER_PAGE = 6
"""Lines on a page of a list, on every screen."""


class HistoryAnswer(StrEnum):
    """What the pages of past matches are answered with, other than with what a line leads to."""

    EARLIER = "earlier"
    LATER = "later"
    BACK = BACK_ANSWER
    HOME = HOME_ANSWER
    MARKED = "marked"
    ALL = "all"
    UNNAMED = "unnamed"
    PLAYERS = "players"
    NEW = "new"
    RATINGS = "ratings"
    STORY = "story"
    MARK = "mark"


@dataclass(frozen=True)
class HistoryLine:
    """One line of a list."""

    title: str
    """Empty for a line that is a sentence."""
    detail: str
    """A text below the title."""
    note: str = ""
    """A text at the right of the title."""
    answer: Value = None
    """What a touch on the line answers; None where there is nothing more to see."""


@dataclass(frozen=True)
class HistoryList(Page):
    """A page of a list of past matches, of a match's rounds, or of sentences about a round. Answered with a line's
    answer, with LATER, with EARLIER, or with one of its tools."""

    is_idle = True

    title: str
    lines: tuple[HistoryLine, ...]
    tools: tuple[HistoryAnswer, ...]
    list_page: int = 0
    """From 0; EARLIER is there on all pages but the first."""
    has_more: bool = False
    """Whether there are later pages."""
    summary: str = ""
    """A text above the lines."""
    empty_text: str = ""
    """What stands in place of lines where there are none."""


TOOL_LABELS = {
    HistoryAnswer.BACK: N("Back"),
    HistoryAnswer.HOME: N("Games"),
    HistoryAnswer.MARKED: N("To review"),
    HistoryAnswer.ALL: N("All matches"),
    HistoryAnswer.UNNAMED: N("Without names"),
    HistoryAnswer.PLAYERS: N("Players"),
    HistoryAnswer.NEW: N("New", "tournament"),
    HistoryAnswer.RATINGS: N("Ratings"),
}
TOOL_ICONS = {HistoryAnswer.BACK: "back", HistoryAnswer.HOME: "back"}
NEXT_MARK_LABELS = {None: N("Flag for review"), "to review": N("Mark as reviewed"), "reviewed": N("Remove the flag")}
"""The label of the button that changes a round's mark, by the mark it has."""

MARK_NAMES = {"to review": N("to review"), "reviewed": N("reviewed")}
"""The marks a round can have."""


@lays_out(HistoryList)
def lay_out_list(page: HistoryList) -> Form:
    """Return a page of a list, its lines in one column or two, and the footer below them."""
    height, many = 1.15 * TOUCH, len(page.tools) > 2
    tools = [Button(TOOL_LABELS[tool], Reply(tool), TOOL_ICONS.get(tool), size="body") for tool in page.tools]
    foot = Row(*tools, *[Space()] * (2 - len(tools)), share=(2, 1) if many else 5), _turn_buttons(page)
    return Form(
        page.title,
        note(page.summary, TEXT, lines=3) if page.summary else None,
        Grid(list(map(_line_card, page.lines)), (2, 1), count=LINES_PER_PAGE)
        if page.lines
        else Text(page.empty_text, "title", MUTED, lines=4),
        foot=Flip(*foot, gap=(2 * GAP, GAP)) if many else Row(*foot, gap=2 * GAP),
        foot_length=(height, 2 * height + GAP) if many else height,
    )


def _line_card(line: HistoryLine) -> CardPanel:
    words: Node = Text(line.detail, lines=4, align="left")
    if line.title:
        title = Text(line.title, lines=2, align="left", fits=True)
        aside = Text(line.note, "small", MUTED, lines=1, align="right", hugs=True) if line.note else None
        words = Column(Row(title, aside), Text(line.detail, "small", MUTED, lines=3, align="left"), gap=0)
    if line.answer is None:
        return CardPanel(words, down=0.3)
    label = f"{render(line.title)} {render(line.note)}"
    return CardPanel(Row(words, Icon("forward", length=3.4), gap=1.4), Reply(line.answer), label, down=0.3)


def _turn_buttons(page: HistoryList) -> Node:
    """Return this page's number between the buttons to the pages before and after, if there are several."""
    if not (page.list_page or page.has_more):
        return Space(share=(1, 1) if len(page.tools) > 2 else 4)
    earlier = Button(
        labels.EARLIER, Reply(HistoryAnswer.EARLIER), "back", icon_only=True, enabled=page.list_page > 0, share=3
    )
    later = Button(labels.MORE, Reply(HistoryAnswer.LATER), "forward", icon_only=True, enabled=page.has_more, share=3)
    number = Text(str(page.list_page + 1), "body", MUTED, lines=1, share=2)
    return Row(earlier, number, later, share=1 if len(page.tools) > 2 else 4)


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
    canvas.button(back, TOOL_LABELS[HistoryAnswer.BACK], Reply(HistoryAnswer.BACK), icon="back")
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
        (before, N("Previous round"), HistoryAnswer.EARLIER, "back", view.has_earlier),
        (after, N("Next round"), HistoryAnswer.LATER, "forward", view.has_later),
    ):
        canvas.button(cell, label, Reply(answer), icon=icon, icon_only=True, enabled=enabled)
    canvas.button(mark, NEXT_MARK_LABELS[view.review_mark], Reply(HistoryAnswer.MARK), size=theme.small)
    canvas.button(story, N("Result"), Reply(HistoryAnswer.STORY), size=theme.small)
    if len(view.seats) > len(SEAT_MARKS):
        classroom_picture.draw_past_throws(canvas, body, view)
        return
    dispute_picture.draw_evidence(canvas, body, steps, page)
