"""The hint for each kind of prompt is shown once in a match."""

import random
from typing import Any

import pytest

from rules.catalogue import GAMES
from rules.engine import BOX, Choices, IntRange, Play, Prompt, SealedPrompt, SecretPrompt, ThrowPrompt, TimeLimit
from throwlock.tables.answers import ScreenAnswers
from ui.screen.pages.common import Player
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.question import PLACE_HINT, THROW_HINT, VIRTUAL_PLACE_HINT, first_time_hint

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
    bet = SealedPrompt("bet", {1: IntRange(0, 10, 5)}, time_limit=TimeLimit(20, default=0), text=GAMES["redeux"].text)
    claim = Prompt("claim", {1: Choices(("rock",))}, text=GAMES["future"].text)
    for number, ask in enumerate((bet, bet, claim, bet)):
        screen.answer(ask, PLAYERS, number)
    assert display.hints == [first_time_hint(bet), None, first_time_hint(claim), None]
    another = ScreenAnswers(display)
    another.answer(bet, PLAYERS, 0)
    assert display.hints[-1] == first_time_hint(bet), "another match tells it again"


def test_a_bet_is_told_as_it_is() -> None:
    def bet_hint(game: str, *, sealed: bool = False) -> str:
        hint = first_time_hint((SealedPrompt if sealed else Prompt)("bet", {1: IntRange(0, 10)}, text=GAMES[game].text))
        assert hint
        return hint

    assert "hidden" in bet_hint("redeux", sealed=True) and "Everybody sees" in bet_hint("redeux")
    assert "pot" in bet_hint("future")


def test_a_throw_and_a_card_are_told_by_how_they_are_shown() -> None:
    card, down = {1: Choices(("rock", "paper"))}, {1: Choices(("down",))}
    assert first_time_hint(SecretPrompt("place", card)) == VIRTUAL_PLACE_HINT, "nothing is laid on the table"
    assert first_time_hint(Prompt("place", down)) == PLACE_HINT
    throw = ThrowPrompt(card)
    assert first_time_hint(throw) == THROW_HINT
    assert "nobody else can see it" in str(first_time_hint(throw, entered=True))
    assert first_time_hint(Prompt("storm", down)) is None


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
