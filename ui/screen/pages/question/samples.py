"""Samples of questions to one seat: numbers, lists, cards, and the hand-over of a sealed one."""

from types import MappingProxyType

from rules.engine import AllowedValues, Choices, IntRange, Json, Prompt
from rules.throws import Throw
from ui.screen.core.page_stack import Page, first_page
from ui.screen.pages.common.samples import players, press_all
from ui.screen.pages.common.view import Player, Question
from ui.screen.pages.group_question.samples import WISH_CHOICES, first_time
from ui.screen.pages.question.view import EnterNumber, new_draft
from ui.screen.pages.views import View

CLAIMS = MappingProxyType({"1": "rock", "2": "paper", "3": "scissors", "5": "rock"})
DEALT_CARDS = MappingProxyType({"rock": 2, "paper": 3, "scissors": 1})


def bet_question(count: int, seat: int = 1, *, sealed: bool = True) -> Question:
    """A bet in steps of five."""
    prompt = Prompt(
        "bet", {seat: IntRange(0, 95, 5)}, sealed, 20, 0, about=MappingProxyType({"phase": "risk rounds", "round": 3})
    )
    return Question(tuple(Player(p.seat, p.name, 95) for p in players(count)), prompt, seat, 14.0)


def choice_question(values: tuple[str | int | bool, ...], kind: str, count: int = 2) -> Question:
    """A question with a list of answers."""
    return Question(players(count), Prompt(kind, {2: Choices(values)}), 2)


def chips_question(kind: str, options: AllowedValues, *, secret: bool = False, seat: int = 4) -> Question:
    """A question like those of a game with claims and chips."""
    people = tuple(Player(p.seat, p.name, 3 * p.seat) for p in players(6))
    about: dict[str, Json] = {"turn": 3, "lap": 2, "pot": 17, "claims": CLAIMS}
    return Question(people, Prompt(kind, {seat: options}, secret=secret, about=about), seat)


def samples() -> dict[str, View | Page]:
    """Return the samples by name."""
    return {
        "question-hand-over": first_page(bet_question(2)),
        "question-bet": press_all(new_draft(bet_question(2)), EnterNumber(45)),
        "question-yes-no": choice_question((True, False), "risk"),
        "question-throw": choice_question(tuple(Throw), "throw"),
        "question-listed": choice_question(tuple(f"card {n}" for n in range(1, 10)), "discard_a_card"),
        "question-single": choice_question(("down",), "place"),
        "question-claim": chips_question("claim", Choices(tuple(Throw))),
        "question-act": chips_question("act", Choices(("fold", "bet"))),
        "question-chips": chips_question("bet", IntRange(1, 12)),
        "question-card-hand-over": chips_question("place", Choices(tuple(Throw)), secret=True),
        "question-card": new_draft(chips_question("place", Choices((*Throw, Throw.ROCK, Throw.ROCK)), secret=True)),
        "question-wish": Question(
            players(8),
            Prompt("wish", {3: WISH_CHOICES}, seconds=20, about={"option": "blitz", "means": "selection lasts 3 s"}),
            3,
            9,
        ),
        "question-table": choice_question(("stay", "leave", "reset", "wish"), "table"),
        "question-hundred": choice_question(tuple(range(1, 101)), "number", 8),
        "question-cards-dealt": new_draft(
            Question(
                players(2),
                Prompt("hand", {1: Choices(("seen",))}, secret=True, about={"seat": 1, "cards": DEALT_CARDS}),
                1,
            )
        ),
        "question-hint": new_draft(first_time("bet", IntRange(0, 95, 5), True).question_for(1)),
    }
