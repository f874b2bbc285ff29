"""The hint for each kind of prompt is shown once in a match."""

import random
from typing import Any

import pytest

from rules.catalogue import GAMES
from rules.engine import BOX, Choices, IntRange, Play, Prompt
from throwlock.match.answers import ScreenAnswers
from ui.screen.pages.common.view import Player
from ui.screen.pages.group_question.view import GroupQuestion
from ui.screen.pages.question.hints import (
    CHIP_BET_HINT,
    FIRST_TIME_HINTS,
    OPEN_BET_HINT,
    VIRTUAL_CARD_HINTS,
    first_time_hint,
)

PLAYERS = (Player(1, "Ada"), Player(2, "Ben"))


class Asked:
    """A display that notes the hint of every question, and answers nothing."""

    def __init__(self) -> None:
        self.hints: list[str | None] = []

    def show(self, view: Any) -> None:
        raise AssertionError(view)

    def ask(self, view: Any) -> Any:
        assert isinstance(view, GroupQuestion)
        self.hints.append(view.hint)


def test_people_are_told_once_what_to_do() -> None:
    display = Asked()
    screen = ScreenAnswers(display)
    bet = Prompt("bet", {1: IntRange(0, 10, 5), 2: IntRange(0, 10, 5)}, sealed=True, seconds=20, default=0)
    for number, ask in enumerate((bet, bet, Prompt("claim", {1: Choices(("rock",))}), bet)):
        screen.answer(ask, PLAYERS, number)
    assert display.hints == [FIRST_TIME_HINTS["bet"], None, FIRST_TIME_HINTS["claim"], None]
    another = ScreenAnswers(display)
    another.answer(bet, PLAYERS, 0)
    assert display.hints[-1] == FIRST_TIME_HINTS["bet"], "another match tells it again"


def test_a_bet_is_told_as_it_is() -> None:
    span = {1: IntRange(0, 10)}
    assert first_time_hint(Prompt("bet", span, sealed=True)) == FIRST_TIME_HINTS["bet"]
    assert first_time_hint(Prompt("bet", span)) == OPEN_BET_HINT
    assert first_time_hint(Prompt("bet", span, about={"pot": 3})) == CHIP_BET_HINT
    card = {1: Choices(("rock", "paper"))}
    assert first_time_hint(Prompt("place", card, secret=True)) == VIRTUAL_CARD_HINTS["place"], (
        "nothing is laid on the table"
    )
    assert first_time_hint(Prompt("place", {1: Choices(("down",))})) == FIRST_TIME_HINTS["place"]


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_ask_of_every_game_has_a_hint(name: str) -> None:
    rules, chance = GAMES[name], random.Random(name)
    play = Play(rules.set_up(min(4, rules.max_players)))
    for _ in range(60):
        ask = play.prompt
        if ask is None:
            break
        assert BOX in ask.seats or first_time_hint(ask) is not None, ask.kind
        play.answer(
            {
                seat: chance.choice(options.values) if isinstance(options, Choices) else options.start
                for seat, options in ask.seats.items()
            }
        )
