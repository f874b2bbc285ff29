"""People take back what they entered, in any game, but nothing that has led to a reveal or a showdown."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.catalogue import GAMES
from rules.engine import BOX, Game
from rules.events import BetsOpened, ThrowsShown
from rules.redeux.events import CardDrawn
from tests.helpers.match_events import EventList
from tests.helpers.random_games import games, random_answers
from throwlock.journal.events import Answered
from throwlock.replay.corrections import CorrectionError, RevealedError, plan_undo_before_reveal

CARDS = GAMES["redeux"].set_up(2, {"play_with": "cards", "risk": "always"})
HANDS = GAMES["redeux"].set_up(2, {"risk": "always"})
FUTURE = GAMES["future"].set_up(3)


def played(game: Game, seed: int, length: int) -> EventList:
    """Return a match of random answers, all entered on the screen."""
    match, dice = EventList(game), random.Random(seed)
    while len(match.events) <= length and (prompt := match.prompt):
        match.answer(random_answers(prompt, dice))
    return match


def take_back(match: EventList) -> list[int]:
    """Take back what can be; return the events whose answers people had entered."""
    taken = []
    with pytest.raises(CorrectionError):
        while True:
            planned = plan_undo_before_reveal(match.view, match.events)
            taken.append(planned.round)
            match.write(planned)
    return taken


def shown(match: EventList) -> list[tuple[int, object]]:
    """Return what was hidden and then shown, with the numbers of the events that led to it."""
    kinds = (ThrowsShown, BetsOpened, CardDrawn)
    return [(step.event, event) for step in match.view.steps for event in step.events if isinstance(event, kinds)]


@settings(deadline=None, max_examples=60)
@example(CARDS, 1, 60)
@example(HANDS, 2, 30)
@example(FUTURE, 3, 60)
@given(games(), st.integers(0, 1000), st.integers(0, 40))
def test_no_game_takes_back_what_led_to_a_reveal(game: Game, seed: int, length: int) -> None:
    match = played(game, seed, length)
    before = shown(match)
    taken = take_back(match)
    bodies = {event.number: event.body for event in match.events}
    thrown = [number for number in taken if isinstance(body := bodies[number], Answered) and body.prompt == "throw"]
    after = shown(match)
    assert all(reveal in after or reveal[0] in thrown for reveal in before)
    assert thrown in ([], taken[-1:]), "what was bet or placed before a throw stays once everybody has seen it"


@pytest.mark.parametrize("game", [CARDS, FUTURE])
def test_undo_ends_at_the_last_reveal_and_says_so(game: Game) -> None:
    match, dice = EventList(game), random.Random(4)
    while len(shown(match)) < 2 or BOX in (match.prompt.seats if match.prompt else ()):
        assert match.prompt is not None
        match.answer(random_answers(match.prompt, dice))
    with pytest.raises(RevealedError, match=r"Undo ends here: what was played has been shown\."):
        plan_undo_before_reveal(match.view, match.events)


def test_sealed_bets_are_undone_until_the_reveal() -> None:
    match, dice = EventList(HANDS), random.Random(1)
    while match.prompt is None or match.prompt.kind != "bet":
        assert match.prompt is not None
        match.answer(random_answers(match.prompt, dice))
    bets = match.answer(random_answers(match.prompt, dice))
    planned = plan_undo_before_reveal(match.view, match.events)
    assert planned.round == bets.number
    throw = match.answer({1: "rock", 2: "paper"})
    assert take_back(match) == [throw.number]
