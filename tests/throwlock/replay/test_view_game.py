"""What a seat or a spectator may see of a game: everything public and their own, nothing sealed or secret. Two games
that differ only in what others hide must look the same until an event reveals the difference."""

import json
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find_game
from rules.engine import (
    BOX,
    Answers,
    Choices,
    Game,
    GameEvent,
    IllegalAnswerError,
    IntRange,
    Play,
    Prompt,
    Result,
    Rules,
    Script,
    Seat,
    SecretPrompt,
    Setup,
    Value,
)
from rules.events import Other, Scores
from tests.helpers.future_table import FutureTable
from tests.helpers.random_games import games, random_answers
from throwlock.replay.public_log import ViewLine, view_game

seeds = st.integers(0, 2**32)
STEPS = 80
"""Answers compared per game: in Future RPS with six players, 37 or more come before the first card."""


def viewers(game: Game) -> list[Seat | None]:
    """Return a spectator (``None``) and every seat."""
    return [None, *range(1, game.setup.seats + 1)]


def first_difference(one: list[ViewLine], other: list[ViewLine]) -> ViewLine | None:
    """Return the first line in which two views differ, taken from ``one`` if it has it."""
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            return mine
    longer = max(one, other, key=len)
    return longer[min(len(one), len(other))] if len(one) != len(other) else None


class GamePair:
    """Two games that differ only in answers hidden from ``viewer``."""

    def __init__(self, game: Game, viewer: Seat | None, seed: int) -> None:
        self.game, self.viewer = game, viewer
        self.plays = Play(game), Play(game)
        self.answers: tuple[list[Answers], list[Answers]] = [], []
        self._dice = random.Random(seed)

    def play_until_different(self) -> ViewLine | None:
        """Play until the two look different to the viewer, and return the line that differs."""
        for _ in range(STEPS):
            asks = self.plays[0].prompt, self.plays[1].prompt
            if asks[0] is None or asks[1] is None:
                break
            for place, answers in enumerate(self._answers(asks[0], asks[1])):
                self.plays[place].answer(answers)
                self.answers[place].append(answers)
            if line := first_difference(*self.views()):
                return line
        return None

    def views(self) -> tuple[list[ViewLine], list[ViewLine]]:
        """Return both games as the viewer sees them."""
        one, other = (view_game(self.game, answers, self.viewer) for answers in self.answers)
        return one, other

    def _answers(self, one: Prompt, other: Prompt) -> tuple[Answers, Answers]:
        """Return legal answers to two prompts that look the same, different only in what the viewer may not see."""
        ours = random_answers(one, self._dice)
        theirs = random_answers(other, self._dice)
        public = {s: value for s, value in ours.items() if s == self.viewer or not (one.is_secret or s == BOX)}
        return ours, {**{s: value for s, value in theirs.items() if s in ours}, **public}


@pytest.mark.slow
@given(games(), seeds, st.data())
@settings(deadline=None, max_examples=60)
def test_hidden_answers_show_only_through_events(game: Game, seed: int, data: st.DataObject) -> None:
    line = GamePair(game, data.draw(st.sampled_from(viewers(game))), seed).play_until_different()
    whom_the_box_drew = line is not None and line.get("ask") == "wish"  # Battle asks them next
    assert line is None or whom_the_box_drew or line.keys() & {"say", "result"}, line


@given(games(), seeds)
@settings(deadline=None)
def test_view_has_all_public_events_and_grows_with_the_game(game: Game, seed: int) -> None:
    dice, play, answers = random.Random(seed), Play(game), list[Answers]()
    before: list[ViewLine] = view_game(game, [])
    while play.prompt and len(answers) < 60:
        answers.append(random_answers(play.prompt, dice))
        play.answer(answers[-1])
        if len(answers) % 7 == 0 or play.result:
            seen = view_game(game, answers)
            assert seen[: len(before)] == before
            assert [line for line in seen if "say" in line] == [s.as_json() for s in play.events if s.only is None]
            before = seen
    for viewer in viewers(game):
        lines = view_game(game, answers, viewer)
        assert json.loads(json.dumps(lines)) == lines
        assert {line.get("only", viewer) for line in lines} <= {viewer}
        assert ("result" in lines[-1]) == (play.result is not None)


# The check itself: games that leak are caught


def leaking_game(make_item: Callable[[Value], Prompt | GameEvent]) -> Game:
    """Return a game for two that leaks a secret card of seat 1 in what ``make_item`` returns."""

    def script(setup: Setup) -> Script:
        for _ in range(10):
            answers = yield SecretPrompt("place", {1: Choices(("rock", "paper"))})
            yield make_item(answers[1])
        yield Scores({1: 0, 2: 0})
        return Result((1,), {1: 0, 2: 0})

    return Game(Rules("leak", "Leak", 1, 2, 2, "leaks", (), script), Setup(2, {}))


@pytest.mark.parametrize(
    "make_item",
    [
        lambda card: Prompt("call", {2: Choices(("yes", card))}),
        lambda card: Prompt("call", {2: Choices(("yes",))}, about={"card": card}),
        lambda card: SecretPrompt("call", {2: Choices(("yes",))}, about={"card": card}),
        lambda card: Prompt(f"call {card}", {2: Choices(("yes",))}),
    ],
)
def test_prompts_that_leak_are_caught(make_item: Callable[[Value], Prompt | GameEvent]) -> None:
    lines = [GamePair(leaking_game(make_item), viewer, seed=1).play_until_different() for viewer in (None, 2)]
    assert all(line and "ask" in line for line in lines)


def test_events_are_no_leak_and_private_events_stay_private() -> None:
    public = leaking_game(lambda card: Other("card", {"is": card}))
    assert [(GamePair(public, viewer, seed=1).play_until_different() or {}).get("say") for viewer in (None, 2)] == [
        "card",
        "card",
    ]
    private = leaking_game(lambda card: Other("card", {"is": card}, only=1))
    assert [GamePair(private, viewer, seed=1).play_until_different() for viewer in (None, 2)] == [None, None]
    assert GamePair(private, 1, seed=1).play_until_different() is None, "their own card is the same to seat 1 in both"


# Lines of a view


def test_view_lines() -> None:
    game = find_game("classic").set_up(2)
    throws = ["rock", "paper", "scissors"]
    asked = {"ask": "throw", "seats": {"1": throws, "2": throws}, "sealed": True, "seconds": None}
    first = {**asked, "about": {"round": 1, "best_of": 3}}
    assert view_game(game, []) == [first]
    assert view_game(game, [{1: "rock", 2: None}], None) == [
        first,
        {"answers": {"1": "rock", "2": None}},
        {"say": "won", "seat": 1, "throws": {"1": "rock", "2": None}},
        {"say": "score", "scores": {"1": 1, "2": 0}},
        {**asked, "about": {"round": 2, "best_of": 3}},
    ]
    with pytest.raises(IllegalAnswerError):
        view_game(game, [{1: "lizard", 2: "rock"}])


def test_card_face_down_is_visible_to_its_owner_alone() -> None:
    table = FutureTable(2, ["rrppss", "rrppss"])
    table.act("place 1 rock", "claim 1 paper")
    for viewer in (None, 1, 2):
        lines = view_game(table.game, table.answers, viewer)
        place = next(at for at, line in enumerate(lines) if line.get("ask") == "place")
        options = lines[place]["seats"]
        own = viewer == 1
        assert options == {"1": ["rock", "paper", "scissors"] if own else []}
        assert lines[place + 1] == ({"answers": {"1": "rock"}} if own else {"answers": {}, "hidden": [1]})
        assert [line["seat"] for line in lines if line.get("say") == "hand"] == ([] if viewer is None else [viewer])
        assert {"say": "claim", "seat": 1, "claim": "paper", "changed": False} in lines
        assert not [line for line in lines if line.get("ask") == "draw"]


# Future RPS: the viewer sees the same game, whatever the others hold, until cards are turned over


def deal_twice(seats: int, viewer: Seat | None, seed: int) -> tuple[list[str], list[str]]:
    """Return the hands of two deals in which only the viewer's is the same."""
    dice = random.Random(seed)
    deck = dice.sample("rps" * (2 * seats + 1), 3 * (2 * seats + 1))
    first = ["".join(deck[6 * seat : 6 * seat + 6]) for seat in range(seats)]
    rest = [card for seat, hand in enumerate(first, 1) if seat != viewer for card in hand] + deck[6 * seats :]
    dice.shuffle(rest)
    second = [hand if seat == viewer else "".join(rest.pop() for _ in range(6)) for seat, hand in enumerate(first, 1)]
    return first, second


@given(st.integers(2, 6), seeds, st.data())
@settings(deadline=None, max_examples=50)
def test_future_hides_every_card_until_it_is_turned_over(seats: int, seed: int, data: st.DataObject) -> None:
    viewer = data.draw(st.sampled_from([None, *range(1, seats + 1)]))
    tables = [FutureTable(seats, hands) for hands in deal_twice(seats, viewer, seed)]
    dice = random.Random(seed)
    while (one := tables[0].play.prompt) and (other := tables[1].play.prompt):
        ours, theirs = _same_to_the_viewer(one, other, viewer, dice)
        tables[0].give(ours)
        tables[1].give(theirs)
        line = first_difference(*(view_game(table.game, table.answers, viewer) for table in tables))
        if line:
            assert line["say"] == "revealed"
            return


def _same_to_the_viewer(
    one: Prompt, other: Prompt, viewer: Seat | None, dice: random.Random
) -> tuple[Answers, Answers]:
    (seat,) = one.seats
    ours, theirs = random_answers(one, dice), random_answers(other, dice)
    if one.kind == "act" and dice.random() < 0.5:
        ours = {seat: "fold" if "fold" in str(one.seats[seat].as_json()) else "call"}
    if isinstance(one.seats[seat], IntRange):
        ours = {seat: 1}
    return ours, theirs if one.is_secret and seat != viewer else ours


def test_cards_that_are_not_turned_over_stay_secret_to_the_end() -> None:
    """All but the beginner fold in every turn: games with different cards look the same, including the result."""
    tables = []
    for hands in (["rrppss"] * 3, ["rrppss", "rrrrpp", "ssssrp"]):
        table = FutureTable(3, hands)
        while prompt := table.play.prompt:
            ((seat, options),) = prompt.seats.items()
            assert isinstance(options, Choices)
            table.give({seat: "fold" if "fold" in options.values else options.values[0]})
        tables.append(table)
    assert tables[0].play.result and tables[0].answers != tables[1].answers
    for viewer in (None, 1):
        one, other = (view_game(table.game, table.answers, viewer) for table in tables)
        assert one == other and "result" in one[-1]
