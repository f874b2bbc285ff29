"""Painters of past matches: lists of them, of their rounds and of what came of one; a round that is only looked at; and
the switch of the review on the network."""

from pygame import Rect

from ui.screen.core.page_stack import Press
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, LINE, MARKS, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import hand_row, hand_side, head
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.classroom import paint as classroom_paint
from ui.screen.pages.dispute import paint as dispute_paint
from ui.screen.pages.dispute.view import DisputePage
from ui.screen.pages.history import strings as history_strings
from ui.screen.pages.history import view as history_view
from ui.screen.pages.history.view import Network, Past, PastLine, Served


def listed(canvas: Canvas, page: Past) -> None:
    """A leaf of a list, its lines in one column or two, and below them the ways on."""
    theme = canvas.theme
    body = head(canvas, canvas.page, page.title)
    if page.told:
        told, body = layout.top(body, theme.units(9 if theme.portrait else 5), theme.gap)
        canvas.text(told, page.told, theme.body, lines=2 if theme.portrait else 1, side="left")
    body, foot = layout.bottom(body, round(theme.touch * 1.15), theme.gap)
    if not page.lines:
        canvas.text(body, page.empty, theme.title, MUTED, lines=4)
    cells = layout.grid(body, history_view.LINES, 1 if theme.portrait else 2, theme.gap)
    for cell, line in zip(cells, page.lines, strict=False):
        _line(canvas, cell, line)
    _ways(canvas, foot, page)


def _line(canvas: Canvas, cell: Rect, line: PastLine) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL, edge=None if line.key is None else LINE, width=theme.units(0.3))
    inner = layout.inside(cell, theme.units(2), theme.units(0.6))
    if line.key is not None:
        canvas.target(cell, Reply(line.key), history_strings.line(line))
        inner, sign = layout.right(inner, theme.units(3.4), theme.units(1.4))
        canvas.icon(sign, "forward", ACCENT)
    if not line.head:
        canvas.text(inner, line.detail, theme.body, side="left", lines=3)
        return
    top, detail = layout.rows(inner, [3, 5], 0)
    if line.aside:
        took = canvas.width(line.aside, theme.small, round(top.w * 0.45), top.h)
        top, aside = layout.right(top, took, theme.gap)
        canvas.text(aside, line.aside, theme.small, MUTED, side="right")
    canvas.text(top, line.head, theme.body, side="left")
    canvas.text(detail, line.detail, theme.small, MUTED, side="left", lines=2)


def _ways(canvas: Canvas, foot: Rect, page: Past) -> None:
    """The tools, and where there are several leaves, the one before and after with the number of this one between."""
    theme = canvas.theme
    tools, turn = layout.columns(foot, [1, 1], theme.gap * 2)
    cells = layout.columns(tools, [1] * max(2, len(page.tools)), theme.gap)
    for cell, name in zip(cells, page.tools, strict=False):
        drawing = "back" if name in (history_view.BACK, history_view.HOME) else None
        canvas.button(cell, history_strings.TOOLS[name], Reply(name), drawing=drawing)
    if not (page.leaf or page.more):
        return
    before, here, after = layout.columns(turn, [3, 2, 3], theme.gap)
    canvas.button(before, strings.EARLIER, Reply(history_view.EARLIER), drawing="back", bare=True, able=page.leaf > 0)
    canvas.text(here, str(page.leaf + 1), theme.body, MUTED)
    canvas.button(after, strings.MORE, Reply(history_view.LATER), drawing="forward", bare=True, able=page.more)


def round_page(canvas: Canvas, page: DisputePage) -> None:
    """A round with its evidence: one that is disputed, or one that is only looked back at."""
    if page.view.past:
        _looked_at(canvas, page)
    else:
        dispute_paint.dispute(canvas, page)


def _looked_at(canvas: Canvas, page: DisputePage) -> None:
    """The evidence of a past round: as in a dispute, with a mark to put on it in place of corrections."""
    theme, view = canvas.theme, page.view
    high = round(theme.touch * 1.1)
    bar, body = layout.top(canvas.page, high if theme.portrait else theme.units(14), theme.gap)
    back, bar = layout.left(bar, theme.units(22), theme.gap * 2)
    back.height = high
    canvas.button(back, history_strings.TOOLS[history_view.BACK], Reply(history_view.BACK), drawing="back")
    title, sentence = layout.rows(bar, [5, 9], 0)
    if theme.portrait:
        title = bar
        sentence, body = layout.top(body, theme.units(9), theme.gap)
    if view.mark is not None:
        took = canvas.width(history_strings.mark(view.mark), theme.body, round(title.w * 0.4), title.h)
        title, spot = layout.right(title, took, theme.gap)
        canvas.text(spot, history_strings.mark(view.mark), theme.body, ACCENT, side="right")
        title, sign = layout.right(title, theme.units(5), theme.units(1))
        canvas.icon(sign, "eye", ACCENT)
    canvas.text(title, view.title, theme.body, MUTED, side="left")
    canvas.text(sentence, view.sentence, theme.body, lines=2, side="left")
    body, foot = layout.bottom(body, high, theme.gap)
    if theme.portrait:
        body, steps = layout.bottom(body, high, theme.gap)
    else:
        steps, foot = hand_side(canvas, foot, round(foot.w * 0.53) - theme.gap * 2, theme.gap * 2)
    before, after, mark, story = layout.columns(foot, [2, 2, 5, 5], theme.gap)
    ways: tuple[tuple[Rect, str, Press, str, bool], ...] = (
        (before, history_strings.EARLIER_ROUND, Reply(history_view.EARLIER), "back", view.earlier),
        (after, history_strings.LATER_ROUND, Reply(history_view.LATER), "forward", view.later),
    )
    for cell, label, press, drawing, able in ways:
        canvas.button(cell, label, press, drawing=drawing, bare=True, able=able)
    canvas.button(mark, history_strings.MARKS[view.mark], Reply(history_view.MARK), size=theme.small)
    canvas.button(story, history_strings.STORY, Reply(history_view.STORY), size=theme.small)
    if len(view.seats) > len(MARKS):
        classroom_paint.looked_back(canvas, body, view)
        return
    dispute_paint.evidence(canvas, body, steps, page)


def network(canvas: Canvas, page: Network) -> None:
    """Whether the review is on the network; where and with which code, to be read across the table; the switch."""
    theme = canvas.theme
    body = head(canvas, canvas.page, history_strings.NETWORK)
    body, foot = layout.bottom(body, round(theme.touch * 1.5), theme.gap)
    home, switch = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(
        home, history_strings.TOOLS[history_view.HOME], Reply(history_view.HOME), drawing="back", size=theme.title
    )
    on = page.served is not None
    label, press = (
        (history_strings.SWITCH_OFF, history_view.OFF) if on else (history_strings.SWITCH_ON, history_view.ON)
    )
    canvas.button(switch, label, Reply(press), main=not on, size=theme.title)
    if page.served is None:
        state, detail = layout.rows(body, [1, 1], theme.gap)
        canvas.text(state, history_strings.IS_OFF, theme.big, lines=4)
        canvas.text(detail, history_strings.OFF_DETAIL, theme.title, MUTED, lines=7)
    else:
        _served(canvas, body, page.served)


def _served(canvas: Canvas, body: Rect, served: Served) -> None:
    theme = canvas.theme
    said, address, others, ask, code, detail = layout.rows(body, [2, 4, 1.6, 2, 6, 2], theme.gap)
    canvas.text(said, history_strings.IS_ON, theme.title, MUTED)
    first, *more = served.addresses or (history_strings.NO_NETWORK,)
    canvas.text(
        address, first, theme.units(13), ACCENT if served.addresses else TEXT, lines=1 if served.addresses else 2
    )
    if more:
        canvas.text(others, history_strings.others(more[:2]), theme.small, MUTED)
    canvas.text(ask, history_strings.RENEWED if served.renewed else history_strings.TYPE_CODE, theme.title, MUTED)
    canvas.text(code, served.code, theme.units(28))
    canvas.text(detail, history_strings.ON_DETAIL, theme.body, MUTED, lines=2)
