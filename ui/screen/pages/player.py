"""A player's figures as plain data. Pure: no surface, no clock."""

from dataclasses import dataclass, replace
from enum import StrEnum

from typing_extensions import override

from messages import N
from rules.throws import Outcome, Throw
from ui.charts.statistics import SituationThrows, ThrowStatistics
from ui.screen.drawing.forms import Centred, Column, Flip, Form, ItemList, Row, lays_out
from ui.screen.drawing.nodes import TOUCH, Button, CardPanel, Choice, Icon, Node, Space, Text, note
from ui.screen.drawing.theme import ACCENT, MUTED, RAISED, TEXT
from ui.screen.pages.common import BACK_ANSWER
from ui.screen.views import ListPage, Reply
from ui.text import statistics


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
    """A player's page. Answered with BACK_ANSWER."""

    is_idle = True

    name: str
    record: str
    """The matches and fouls in a line."""
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


@lays_out(PlayerFigures)
def lay_out_player(page: PlayerFigures) -> Form:
    """Return a player's name and record, one of the tabs, and the buttons that lead to the others and back."""
    body: Node = Text(NO_THROWS, "title", MUTED, lines=3)
    if page.tab is PlayerTab.OPPONENTS and page.opponents:
        body = ItemList(page, page.opponents, _opponent_card, 18, 40, across=(2, 1))
    elif page.tab is PlayerTab.OPPONENTS:
        body = Text(NO_OPPONENTS, "title", MUTED, lines=3)
    elif page.statistics.count:
        body = (_throws if page.tab is PlayerTab.THROWS else _habits)(page.statistics)
    tabs = [
        Choice(label, replace(page, tab=tab, list_page=0), tab is page.tab, ("body", "small"), hugs=True)
        for tab, label in TAB_LABELS.items()
    ]
    back = Button(N("Back"), Reply(BACK_ANSWER), "back", icon_only=True, leads_back=True, length=1.4 * TOUCH)
    foot = Row(back, Row(*tabs, spread=100))
    return Form(page.name, note(page.record, lines=3), body, foot=foot, foot_length=1.15 * TOUCH)


def _throws(figures: ThrowStatistics) -> Column:
    """Return a bar for each throw, and below them the longest runs and the reaction times."""
    facts = (
        (N("Longest streak"), statistics.win_streak(figures.longest_win_streak)),
        (N("Longest repeat"), statistics.repeat_streak(figures.longest_repeat)),
        (N("Reaction"), statistics.reaction_sentence(figures.reaction)),
    )
    most = max(figures.throws.values())
    return Column(
        *(_throw_bar(throw, count, most, figures.count) for throw, count in figures.throws.items()),
        *(Row(replace(note(label), length=(38, 34)), note(text, TEXT, lines=6)) for label, text in facts),
    )


def _throw_bar(throw: Throw, count: int, most: int, total: int) -> CardPanel:
    share = BAR_SHARE * count / most
    bar = Centred(CardPanel(Space(), fill=ACCENT), 6, share=share) if count else None
    number = Text(statistics.count_and_share(count, total), lines=1, align="left", share=1 - share)
    return CardPanel(Row(Icon(throw.value, TEXT, length=12), Row(bar, number)), across=1.5, down=1)


def _habits(figures: ThrowStatistics) -> Column:
    """Return whether the throws have a pattern, and what they are after a win, a loss and a tie."""
    pattern = figures.predictability
    details = () if pattern is None else (statistics.best_guess(pattern), statistics.entropy_sentence(pattern))
    cards = (_situation_card(outcome, situation) for outcome, situation in figures.situations.items())
    return Column(
        Text(statistics.predictability_verdict(pattern), lines=5, align="left", fits=True),
        *(note(text, TEXT, lines=5) for text in details),
        Flip(*cards),
        gap=0.6,
    )


def _situation_card(outcome: Outcome, situation: SituationThrows) -> CardPanel:
    """Return how often the throw stays the same or changes after an outcome, and which throws follow it."""
    count = situation.count
    title = Text(statistics.situation_title(outcome, situation), lines=1, align="left", fits=True)
    if not count:
        return CardPanel(Column(title, Text(statistics.NO_THROW_YET, "small", MUTED, lines=2)), across=1, down=0.8)
    changes = (
        Row(
            Text(label, "small", MUTED, lines=1, align="left"),
            Text(statistics.share(situation.changes[change], count), "small", lines=1, align="right", length=12),
        )
        for change, label in statistics.CHANGES.items()
    )
    throws = (
        Row(
            Icon(throw.value, length=3.8),
            Text(statistics.share(number, count), "small", lines=1, align="left"),
            gap=0.5,
        )
        for throw, number in situation.throws.items()
    )
    return CardPanel(Column(title, *changes, Row(*throws, gap=0.5, length=7.5), gap=0.4), across=1, down=0.8)


def _opponent_card(player: Opponent) -> CardPanel:
    matches = N("matches: {won} won, {lost} lost", won=player.won, lost=player.lost)
    rounds = N(
        "rounds: {won} to {lost}, {tied} tied", won=player.rounds_won, lost=player.rounds_lost, tied=player.rounds_tied
    )
    words = Column(
        Text(player.name, lines=1, align="left", share=1.2),
        Text(matches, "small", lines=1, align="left"),
        Text(rounds, "small", MUTED, lines=1, align="left"),
        gap=0,
    )
    return CardPanel(words, across=1.5, down=0.8, fill=RAISED)
