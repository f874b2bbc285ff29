"""Samples of questions to one seat: numbers, lists, cards, and the hand-over of a sealed one."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from rules.battle.text import TEXT as BATTLE_TEXT
from rules.engine import (
    NO_TEXT,
    AllowedValues,
    CardChoices,
    Choices,
    FactValue,
    FactValues,
    GameText,
    IntRange,
    Json,
    Prompt,
    SealedPrompt,
    Seat,
    SecretPrompt,
    TimeLimit,
)
from rules.future.text import TEXT as FUTURE_TEXT
from rules.redeux.text import TEXT as REDEUX_TEXT
from rules.throws import Throw
from tests.helpers.samples.common import players
from tests.helpers.samples.group_question import BLITZ_FACTS, ROUND_FACTS, WISH_CHOICES, first_time
from ui.screen.pages.common import Player
from ui.screen.pages.question import BoardPage, EntryPage, Question, new_draft
from ui.screen.pages.scoreboard import Fact
from ui.screen.views import View

CLAIMS = MappingProxyType({1: "rock", 2: "paper", 3: "scissors", 5: "rock"})
CHIPS = MappingProxyType({seat: 3 * seat for seat in range(1, 7)})
OWN_FACTS: Mapping[Seat, FactValues] = MappingProxyType(
    {4: {"cards in hand": {"rock": 3, "paper": 0, "scissors": 2}, "face down": "paper"}}
)
HELD = CardChoices((Throw.ROCK, Throw.SCISSORS), {Throw.ROCK: 3, Throw.PAPER: 0, Throw.SCISSORS: 1})
LAST = CardChoices((Throw.SCISSORS,), {Throw.ROCK: 0, Throw.PAPER: 0, Throw.SCISSORS: 2})
DEAL_FACTS: MappingProxyType[str, Json] = MappingProxyType({"seat": 1, "cards": {"rock": 2, "paper": 3, "scissors": 1}})


def bet_question(count: int, seat: int = 1, *, sealed: bool = True) -> Question:
    """A bet in steps of five."""
    prompt = (SealedPrompt if sealed else Prompt)(
        "bet", {seat: IntRange(0, 95, 5)}, ROUND_FACTS, time_limit=TimeLimit(20, 0), text=REDEUX_TEXT
    )
    return Question(tuple(Player(p.seat, p.name, 95) for p in players(count)), prompt, seat, 14.0)


def choice_question(
    values: tuple[str | int | bool, ...], kind: str, count: int = 2, text: GameText = NO_TEXT
) -> Question:
    """A question with a list of answers."""
    return Question(players(count), Prompt(kind, {2: Choices(values)}, text=text), 2)


def chips_question(kind: str, options: AllowedValues, *, secret: bool = False, seat: int = 4) -> Question:
    """A question like those of a game with claims and chips."""
    people = tuple(Player(p.seat, p.name, 3 * p.seat) for p in players(6))
    about: dict[str, FactValue] = {"turn": 3, "lap": 2, "pot": 17, "claims": CLAIMS, "chips": CHIPS}
    prompt = (SecretPrompt if secret else Prompt)(kind, {seat: options}, about, own_facts=OWN_FACTS, text=FUTURE_TEXT)
    return Question(people, prompt, seat)


def first_chips_of_three() -> Question:
    """The first bet of three players, two of whom have claimed: the page with the most on it."""
    folded = (Fact("folded", True, FUTURE_TEXT),)
    people = tuple(Player(seat, name, 9, facts=folded) for seat, name in enumerate(("Ann", "Ben", "Chidi"), 1))
    claims, chips = {1: "paper", 2: "scissors"}, dict.fromkeys(range(1, 4), 9)
    about: dict[str, FactValue] = {"turn": 2, "lap": 1, "pot": 1, "claims": claims, "chips": chips}
    prompt = Prompt("bet", {3: IntRange(1, 9)}, about, own_facts={3: OWN_FACTS[4]}, text=FUTURE_TEXT)
    return Question(people, prompt, 3, hint="Chips you bet go into the pot, and whoever wins the turn takes it.")


def uncovered(question: Question) -> View:
    """The page of a question whose player has uncovered their own cards."""
    draft = new_draft(question)
    assert not isinstance(draft, BoardPage)
    return replace(draft, shows_own=True)


def samples() -> dict[str, View]:
    """Return the samples by name."""
    return {
        "question-hand-over": bet_question(2),
        "question-bet": EntryPage(bet_question(2), 45),
        "question-yes-no": choice_question((True, False), "risk", text=REDEUX_TEXT),
        "question-throw": choice_question(tuple(Throw), "throw"),
        "question-listed": choice_question(tuple(f"card {n}" for n in range(1, 10)), "discard_a_card"),
        "question-single": choice_question(("down",), "place"),
        "question-claim": chips_question("claim", Choices(tuple(Throw))),
        "question-act": chips_question("act", Choices(("fold", "bet"))),
        "question-act-cards": uncovered(chips_question("act", Choices(("raise", "call")))),
        "question-chips": chips_question("bet", IntRange(1, 12)),
        "question-chips-cards": uncovered(chips_question("bet", IntRange(1, 12))),
        "question-card-hand-over": chips_question("place", Choices(tuple(Throw)), secret=True),
        "question-chips-first": new_draft(first_chips_of_three()),
        "question-last-card": uncovered(chips_question("place", LAST, secret=True)),
        "question-card": new_draft(chips_question("place", HELD, secret=True)),
        "question-wish": Question(
            players(8),
            Prompt("wish", {3: WISH_CHOICES}, about=BLITZ_FACTS, time_limit=TimeLimit(20), text=BATTLE_TEXT),
            3,
            9,
        ),
        "question-table": choice_question(("stay", "leave", "reset", "wish"), "table", text=BATTLE_TEXT),
        "question-hundred": choice_question(tuple(range(1, 101)), "number", 8),
        "question-cards-dealt": new_draft(
            Question(
                players(2),
                SecretPrompt("hand", {1: Choices(("seen",))}, own_facts={1: DEAL_FACTS}, text=FUTURE_TEXT),
                1,
            )
        ),
        "question-hint": new_draft(first_time("bet", IntRange(0, 95, 5), True, REDEUX_TEXT).question_for(1)),
    }
