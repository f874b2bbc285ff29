"""A player's figures as plain data. Pure: no surface, no clock."""

from dataclasses import dataclass, replace
from enum import StrEnum

from pygame import Rect
from typing_extensions import override

from messages import N
from rules.throws import Outcome, Throw
from ui.charts.statistics import SituationThrows, ThrowStatistics
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, MUTED, PANEL, RAISED
from ui.screen.drawing.widgets import draw_choice, draw_header, draw_list_page
from ui.screen.views import ListPage, Reply
from ui.text import statistics

BACK = "back"


class PlayerTab(StrEnum):
    """What a player's page shows."""

    THROWS = "throws"
    HABITS = "habits"
    OPPONENTS = "opponents"


@dataclass(frozen=True)
class Opponent:
    """Another player: finished matches together, and rounds of matches between only the two."""

    name: str
    won: int
    lost: int
    rounds_won: int
    rounds_lost: int
    rounds_tied: int


@dataclass(frozen=True)
class PlayerFigures(ListPage):
    """A player's page, with its ``record`` of matches and fouls in a line. Answered with BACK."""

    is_idle = True

    name: str
    record: str
    statistics: ThrowStatistics
    opponents: tuple[Opponent, ...]
    tab: PlayerTab = PlayerTab.THROWS

    @property
    @override
    def key(self) -> object:
        """Each tab is a page of its own."""
        return type(self), self.tab


TAB_LABELS = {
    PlayerTab.THROWS: N("Throws"),
    PlayerTab.HABITS: N("Habits"),
    PlayerTab.OPPONENTS: N("Opponents"),
}
NO_THROWS = N("No throw has counted yet.")
NO_OPPONENTS = N("No finished match with anybody else yet.")


BAR_SHARE = 0.6
"""The share of the width of the longest bar; its number stands next to it."""


@paints(PlayerFigures)
def draw_player(canvas: Canvas, page: PlayerFigures) -> None:
    """Draw a player's name and record, one of the tabs, and the buttons that lead to the others and back."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, page.name)
    height = canvas.text_height(page.record, body.w, max_lines=3)
    record, body = layout.split_top(body, height, theme.gap)
    canvas.text(record, page.record, theme.small, MUTED, align="left", max_lines=3)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.15), theme.gap)
    back, bar = layout.split_left(foot, round(theme.touch_size * 1.4), theme.gap)
    canvas.button(back, N("Back"), Reply(BACK), icon="back", icon_only=True, leads_back=True)
    size = theme.small if theme.portrait else theme.body
    widths = [  # the chosen one has a tick
        canvas.text_width(TAB_LABELS[tab], size, bar.w, bar.h) + theme.units(9 if tab is page.tab else 4)
        for tab in PlayerTab
    ]
    for cell, tab in zip(layout.columns(bar, widths, theme.gap), PlayerTab, strict=True):
        press = replace(page, tab=tab, list_page=0)
        draw_choice(canvas, cell, TAB_LABELS[tab], press, tab is page.tab, size=size)
    if page.tab is PlayerTab.OPPONENTS:
        _draw_opponents(canvas, body, page)
    elif not page.statistics.count:
        canvas.text(body, NO_THROWS, theme.title, MUTED, max_lines=3)
    elif page.tab is PlayerTab.THROWS:
        _draw_throws(canvas, body, page)
    else:
        _draw_habits(canvas, body, page)


def _draw_throws(canvas: Canvas, body: Rect, page: PlayerFigures) -> None:
    """Draw a bar for each throw, and below them the longest runs and the reaction times."""
    theme, figures = canvas.theme, page.statistics
    lines = [
        (N("Longest streak"), statistics.win_streak(figures.longest_win_streak)),
        (N("Longest repeat"), statistics.repeat_streak(figures.longest_repeat)),
        (N("Reaction"), statistics.reaction_sentence(figures.reaction)),
    ]
    label_width = max(canvas.text_width(label, theme.small, body.w // 2, body.h) for label, _ in lines)
    texts = body.w - label_width - theme.gap * 2
    heights = [canvas.text_height(text, texts, max_lines=6) for _, text in lines]
    body, facts = layout.split_bottom(body, sum(heights) + theme.gap * (len(lines) - 1), theme.gap * 2)
    for (label, text), height in zip(lines, heights, strict=True):
        row, facts = layout.split_top(facts, height, theme.gap)
        left, right = layout.split_left(row, label_width, theme.gap * 2)
        canvas.text(left, label, theme.small, MUTED, align="left", vertical_align="top")
        canvas.text(right, text, theme.small, align="left", max_lines=6, vertical_align="top")
    most = max(figures.throws.values())
    for row, (throw, count) in zip(layout.rows(body, [1] * len(Throw), theme.gap), figures.throws.items(), strict=True):
        canvas.panel(row, PANEL)
        icon_box, rest = layout.split_left(
            layout.inset(row, theme.units(1.5), theme.units(1)), theme.units(12), theme.gap
        )
        canvas.icon(icon_box, throw.value)
        length = round(rest.w * BAR_SHARE * count / most)
        thickness = min(rest.h, theme.units(6))
        if length:
            canvas.panel(Rect(rest.x, rest.centery - thickness // 2, length, thickness), ACCENT)
        number = Rect(rest.x + length + theme.gap, rest.y, rest.w - length - theme.gap, rest.h)
        canvas.text(number, statistics.count_and_share(count, figures.count), theme.body, align="left")


def _draw_habits(canvas: Canvas, body: Rect, page: PlayerFigures) -> None:
    """Draw whether the throws have a pattern, and what they are after a win, a loss and a tie."""
    theme, figures = canvas.theme, page.statistics
    found = figures.predictability
    texts = [(statistics.predictability_verdict(found), theme.body)]
    if found is not None:
        texts += [(statistics.best_guess(found), theme.small), (statistics.entropy_sentence(found), theme.small)]
    for text, size in texts:
        height = max(line_height(size), canvas.text_height(text, body.w, max_lines=5))
        line, body = layout.split_top(body, height, theme.units(0.6))
        canvas.text(line, text, size, align="left", max_lines=5)
    split = layout.rows if theme.portrait else layout.columns
    cells = split(body, [1] * len(figures.situations), theme.gap)
    for cell, (outcome, situation) in zip(cells, figures.situations.items(), strict=True):
        _draw_situation(canvas, cell, outcome, situation)


def _draw_situation(canvas: Canvas, cell: Rect, outcome: Outcome, situation: SituationThrows) -> None:
    """Draw how often the throw stays the same or changes after an outcome, and which throws follow it."""
    theme = canvas.theme
    canvas.panel(cell, PANEL)
    inner = layout.inset(cell, theme.units(1), theme.units(0.8))
    title, inner = layout.split_top(inner, line_height(theme.body), 0)
    canvas.text(title, statistics.situation_title(outcome, situation), theme.body, align="left")
    if not situation.count:
        canvas.text(inner, statistics.NO_THROW_YET, theme.small, MUTED, max_lines=2)
        return
    inner, throws = layout.split_bottom(inner, theme.units(7.5), theme.units(0.5))
    for row, (change, label) in zip(layout.rows(inner, [1] * 3, 0), statistics.CHANGES.items(), strict=True):
        text, number = layout.split_right(row, theme.units(12), theme.gap)
        canvas.text(text, label, theme.small, MUTED, align="left")
        canvas.text(number, statistics.share(situation.changes[change], situation.count), theme.small, align="right")
    places = layout.columns(throws, [1] * len(Throw), theme.units(0.5))
    for rect, (throw, count) in zip(places, situation.throws.items(), strict=True):
        icon_box, number = layout.split_left(rect, theme.units(3.8), theme.units(0.5))
        canvas.icon(icon_box, throw.value, ACCENT)
        canvas.text(number, statistics.share(count, situation.count), theme.small, align="left")


def _draw_opponents(canvas: Canvas, body: Rect, page: PlayerFigures) -> None:
    theme = canvas.theme
    if not page.opponents:
        canvas.text(body, NO_OPPONENTS, theme.title, MUTED, max_lines=3)
        return
    across = 1 if theme.portrait else 2
    min_height = line_height(theme.body) + 2 * line_height(theme.small) + theme.units(3)
    body, opponents, fitting = draw_list_page(canvas, body, page, page.opponents, min_height, across=across)
    for cell, one in zip(layout.grid(body, max(across, fitting), across, theme.gap), opponents, strict=False):
        _draw_opponent(canvas, cell, one)


def _draw_opponent(canvas: Canvas, cell: Rect, one: Opponent) -> None:
    theme = canvas.theme
    canvas.panel(cell, RAISED)
    inner = layout.inset(cell, theme.units(1.5), theme.units(0.8))
    name, rest = layout.split_top(inner, line_height(theme.body), 0)
    canvas.text(name, one.name, theme.body, align="left")
    matches, rounds = layout.rows(rest, [1, 1], 0)
    canvas.text(matches, N("matches: {won} won, {lost} lost", won=one.won, lost=one.lost), theme.small, align="left")
    text = N("rounds: {won} to {lost}, {tied} tied", won=one.rounds_won, lost=one.rounds_lost, tied=one.rounds_tied)
    canvas.text(rounds, text, theme.small, MUTED, align="left")
