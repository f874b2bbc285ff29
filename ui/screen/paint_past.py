"""Painters of past matches: lists of them, of their rounds and of what came of one; a round that is only looked at; and
the switch of the review on the network."""

from pygame import Rect

from ui.screen import layout, paint_dispute, paint_room, past, words, words_past
from ui.screen.canvas import Canvas
from ui.screen.dialogue import Press
from ui.screen.disputing import DisputePage
from ui.screen.entering import Reply
from ui.screen.past import Network, Past, PastLine, Served
from ui.screen.pieces import hand_row, hand_side, head
from ui.screen.theme import ACCENT, LINE, MARKS, MUTED, PANEL, TEXT


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
    cells = layout.grid(body, past.LINES, 1 if theme.portrait else 2, theme.gap)
    for cell, line in zip(cells, page.lines, strict=False):
        _line(canvas, cell, line)
    _ways(canvas, foot, page)


def _line(canvas: Canvas, cell: Rect, line: PastLine) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL, edge=None if line.key is None else LINE, width=theme.units(0.3))
    inner = layout.inside(cell, theme.units(2), theme.units(0.6))
    if line.key is not None:
        canvas.target(cell, Reply(line.key), words_past.line(line))
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
        drawing = "back" if name in (past.BACK, past.HOME) else None
        canvas.button(cell, words_past.TOOLS[name], Reply(name), drawing=drawing)
    if not (page.leaf or page.more):
        return
    before, here, after = layout.columns(turn, [3, 2, 3], theme.gap)
    canvas.button(before, words.EARLIER, Reply(past.EARLIER), drawing="back", bare=True, able=page.leaf > 0)
    canvas.text(here, str(page.leaf + 1), theme.body, MUTED)
    canvas.button(after, words.MORE, Reply(past.LATER), drawing="forward", bare=True, able=page.more)


def round_page(canvas: Canvas, page: DisputePage) -> None:
    """A round with its evidence: one that is disputed, or one that is only looked back at."""
    if page.view.past:
        _looked_at(canvas, page)
    else:
        paint_dispute.dispute(canvas, page)


def _looked_at(canvas: Canvas, page: DisputePage) -> None:
    """The evidence of a past round: as in a dispute, with a mark to put on it in place of corrections."""
    theme, view = canvas.theme, page.view
    high = round(theme.touch * 1.1)
    bar, body = layout.top(canvas.page, high if theme.portrait else theme.units(14), theme.gap)
    back, bar = layout.left(bar, theme.units(22), theme.gap * 2)
    back.height = high
    canvas.button(back, words_past.TOOLS[past.BACK], Reply(past.BACK), drawing="back")
    title, sentence = layout.rows(bar, [5, 9], 0)
    if theme.portrait:
        title = bar
        sentence, body = layout.top(body, theme.units(9), theme.gap)
    if view.mark is not None:
        took = canvas.width(words_past.mark(view.mark), theme.body, round(title.w * 0.4), title.h)
        title, spot = layout.right(title, took, theme.gap)
        canvas.text(spot, words_past.mark(view.mark), theme.body, ACCENT, side="right")
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
        (before, words_past.EARLIER_ROUND, Reply(past.EARLIER), "back", view.earlier),
        (after, words_past.LATER_ROUND, Reply(past.LATER), "forward", view.later),
    )
    for cell, label, press, drawing, able in ways:
        canvas.button(cell, label, press, drawing=drawing, bare=True, able=able)
    canvas.button(mark, words_past.MARKS[view.mark], Reply(past.MARK), size=theme.small)
    canvas.button(story, words_past.STORY, Reply(past.STORY), size=theme.small)
    if len(view.seats) > len(MARKS):
        paint_room.looked_back(canvas, body, view)
        return
    paint_dispute.evidence(canvas, body, steps, page)


def network(canvas: Canvas, page: Network) -> None:
    """Whether the review is on the network; where and with which code, to be read across the table; the switch."""
    theme = canvas.theme
    body = head(canvas, canvas.page, words_past.NETWORK)
    body, foot = layout.bottom(body, round(theme.touch * 1.5), theme.gap)
    home, switch = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(home, words_past.TOOLS[past.HOME], Reply(past.HOME), drawing="back", size=theme.title)
    on = page.served is not None
    label, press = (words_past.SWITCH_OFF, past.OFF) if on else (words_past.SWITCH_ON, past.ON)
    canvas.button(switch, label, Reply(press), main=not on, size=theme.title)
    if page.served is None:
        state, detail = layout.rows(body, [1, 1], theme.gap)
        canvas.text(state, words_past.IS_OFF, theme.big, lines=4)
        canvas.text(detail, words_past.OFF_DETAIL, theme.title, MUTED, lines=7)
    else:
        _served(canvas, body, page.served)


def _served(canvas: Canvas, body: Rect, served: Served) -> None:
    theme = canvas.theme
    said, address, others, ask, code, detail = layout.rows(body, [2, 4, 1.6, 2, 6, 2], theme.gap)
    canvas.text(said, words_past.IS_ON, theme.title, MUTED)
    first, *more = served.addresses or (words_past.NO_NETWORK,)
    canvas.text(
        address, first, theme.units(13), ACCENT if served.addresses else TEXT, lines=1 if served.addresses else 2
    )
    if more:
        canvas.text(others, words_past.others(more[:2]), theme.small, MUTED)
    canvas.text(ask, words_past.RENEWED if served.renewed else words_past.TYPE_CODE, theme.title, MUTED)
    canvas.text(code, served.code, theme.units(28))
    canvas.text(detail, words_past.ON_DETAIL, theme.body, MUTED, lines=2)
