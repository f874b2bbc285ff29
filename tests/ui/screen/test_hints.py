"""What to do is told at a match's first ask of each kind, and then no more."""

import random
from typing import Any

import pytest

from rules.catalogue import GAMES
from rules.engine import BOX, Ask, Choices, Play, Span
from throwlock.match.answers import AtScreen
from ui.screen.pages.ask.hints import CHIPS, HINTS, IN_THE_BOX, OPEN_BET, hint
from ui.screen.pages.views import Gather, Player

PLAYERS = (Player(1, "Ada"), Player(2, "Ben"))


class Asked:
    """A display that notes the hint of everything it asks, and answers nothing."""

    def __init__(self) -> None:
        self.hints: list[str | None] = []

    def show(self, view: Any) -> None:
        raise AssertionError(view)

    def ask(self, view: Any) -> Any:
        assert isinstance(view, Gather)
        self.hints.append(view.hint)


def test_people_are_told_once_what_to_do() -> None:
    display = Asked()
    screen = AtScreen(display)
    bet = Ask("bet", {1: Span(0, 10, 5), 2: Span(0, 10, 5)}, sealed=True, seconds=20, default=0)
    for number, ask in enumerate((bet, bet, Ask("claim", {1: Choices(("rock",))}), bet)):
        screen.answer(ask, PLAYERS, number)
    assert display.hints == [HINTS["bet"], None, HINTS["claim"], None]
    another = AtScreen(display)
    another.answer(bet, PLAYERS, 0)
    assert display.hints[-1] == HINTS["bet"], "another match tells it again"


def test_a_bet_is_told_as_it_is() -> None:
    span = {1: Span(0, 10)}
    assert hint(Ask("bet", span, sealed=True)) == HINTS["bet"]
    assert hint(Ask("bet", span)) == OPEN_BET
    assert hint(Ask("bet", span, about={"pot": 3})) == CHIPS
    card = {1: Choices(("rock", "paper"))}
    assert hint(Ask("place", card, secret=True)) == IN_THE_BOX["place"], "nothing is laid on the table"
    assert hint(Ask("place", {1: Choices(("down",))})) == HINTS["place"]


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_ask_of_every_game_has_a_hint(name: str) -> None:
    rules, chance = GAMES[name], random.Random(name)
    play = Play(rules.set_up(min(4, rules.most)))
    for _ in range(60):
        ask = play.asked
        if ask is None:
            break
        assert BOX in ask.seats or hint(ask) is not None, ask.kind
        play.answer(
            {
                seat: chance.choice(options.values) if isinstance(options, Choices) else options.start
                for seat, options in ask.seats.items()
            }
        )
