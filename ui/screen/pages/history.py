"""The pages of past matches as plain data. Pure: no surface, no clock; a round itself is shown on a dispute's page."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from messages import N
from rules.engine import Value
from ui.i18n.language import render
from ui.screen.drawing.forms import AtLeast, Column, Either, Flip, Form, Grid, Row, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Drawing, Icon, Node, Space, Text, note
from ui.screen.drawing.theme import ACCENT, MUTED, SEAT_MARKS, TEXT
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
    HistoryAnswer.HOME: N("Back"),
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


@lays_out(DisputePage)
def lay_out_round(page: DisputePage) -> Node:
    """Return a round with its evidence, disputed or past."""
    return _past_round(page) if page.view.is_past else dispute_picture.lay_out_dispute(page)


def _past_round(page: DisputePage) -> Form:
    """Return the evidence of a past round: as in a dispute, with its review mark in place of corrections."""
    view, height = page.view, dispute_picture.STEP_LENGTH
    back = Button(TOOL_LABELS[HistoryAnswer.BACK], Reply(HistoryAnswer.BACK), "back", size="body", length=height)
    home = Button(labels.TAKE_HOME, Reply(TAKE_HOME_ANSWER), "phone", icon_only=True, length=height)
    sides = Column(back, length=26), Column(home, length=height) if view.can_take_home else None
    mark = MARK_NAMES.get(view.review_mark, view.review_mark) if view.review_mark is not None else None
    title = (
        Text(view.title, "body", MUTED, lines=2, align="left"),
        Icon("eye", length=5) if mark else None,
        Text(mark, "body", ACCENT, lines=1, hugs=True) if mark else None,
    )
    sentence = note(view.sentence, TEXT, lines=4)
    beside = AtLeast(
        Row(sides[0], Column(Row(*title, gap=1, length=5), sentence, gap=0), sides[1], gap=2 * GAP), height
    )
    turns = (
        Button(label, Reply(answer), icon, icon_only=True, enabled=enabled, share=2)
        for label, answer, icon, enabled in (
            (N("Previous round"), HistoryAnswer.EARLIER, "back", view.has_earlier),
            (N("Next round"), HistoryAnswer.LATER, "forward", view.has_later),
        )
    )
    flag = Button(NEXT_MARK_LABELS[view.review_mark], Reply(HistoryAnswer.MARK), size="small", share=6)
    buttons = Row(*turns, flag, Button(N("Result"), Reply(HistoryAnswer.STORY), size="small", share=4))
    in_class = len(view.seats) > len(SEAT_MARKS)
    throws = Drawing(partial(classroom_picture.draw_past_throws, view=view))
    return Form(
        "",
        Either(beside, Column(Row(sides[0], Row(*title, gap=1), sides[1], gap=2 * GAP, length=height), sentence)),
        *([throws] if in_class else dispute_picture.evidence(page)),
        foot=buttons if in_class else dispute_picture.steps_beside(page, buttons),
        foot_length=height if in_class else dispute_picture.STEPS_LENGTH,
    )
