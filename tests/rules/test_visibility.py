"""What a seat or a watcher may see of a game: all that is public and their own, and nothing sealed or secret. Two games
that differ only in what others hide look the same until the game itself says the difference."""

import json
import random
from collections.abc import Callable

import pytest
from future_table import FutureTable
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import answers_to, games

from rules.catalogue import find
from rules.engine import (
    BOX,
    Answers,
    Ask,
    Choices,
    Game,
    IllegalAnswerError,
    Json,
    Play,
    Result,
    Rules,
    Say,
    Script,
    Seat,
    Setup,
    Span,
    Value,
    said_scores,
)
from rules.visibility import Line, view

seeds = st.integers(0, 2**32)
STEPS = 80
"""Answers of a game that are looked at: in Future RPS with six players, 37 or more are given before the first card."""


def viewers(game: Game) -> list[Seat | None]:
    """A watcher and everybody who plays."""
    return [None, *range(1, game.setup.seats + 1)]


def parting(one: list[Line], other: list[Line]) -> Line | None:
    """Where two views begin to differ: the first line of ``one`` (or else of ``other``) that isn't in both."""
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            return mine
    longer = max(one, other, key=len)
    return longer[min(len(one), len(other))] if len(one) != len(other) else None


class Twins:
    """Two games that differ, from some hidden answer on, in what all but ``viewer`` hide."""

    def __init__(self, game: Game, viewer: Seat | None, seed: int) -> None:
        self.game, self.viewer = game, viewer
        self.plays = Play(game), Play(game)
        self.answers: tuple[list[Answers], list[Answers]] = [], []
        self._dice = random.Random(seed)

    def part(self) -> Line | None:
        """Play on until the two look different to the viewer, and give the line in which they do."""
        for _ in range(STEPS):
            asks = self.plays[0].asked, self.plays[1].asked
            if asks[0] is None or asks[1] is None:
                break
            for place, answers in enumerate(self._answers(asks[0], asks[1])):
                self.plays[place].answer(answers)
                self.answers[place].append(answers)
            if line := parting(*self.views()):
                return line
        return None

    def views(self) -> tuple[list[Line], list[Line]]:
        """Both games as the viewer sees them."""
        one, other = (view(self.game, answers, self.viewer) for answers in self.answers)
        return one, other

    def _answers(self, one: Ask, other: Ask) -> tuple[Answers, Answers]:
        """Legal answers to two questions that look the same; what the viewer may not see differs as it likes."""
        ours = answers_to(one, self._dice)
        theirs = answers_to(other, self._dice)
        public = {s: value for s, value in ours.items() if s == self.viewer or not (one.secret or s == BOX)}
        return ours, {**theirs, **public}


@given(games(), seeds, st.data())
@settings(deadline=None, max_examples=60)
def test_what_others_hide_is_seen_only_when_the_game_says_it(game: Game, seed: int, data: st.DataObject) -> None:
    line = Twins(game, data.draw(st.sampled_from(viewers(game))), seed).part()
    assert line is None or line.keys() & {"say", "result"}, line


@given(games(), seeds)
@settings(deadline=None, max_examples=12)  # a game is replayed to each of its questions, for every viewer
def test_what_is_in_of_a_hidden_question_shows_only_who_answered(game: Game, seed: int) -> None:
    dice, play, answers = random.Random(seed), Play(game), list[Answers]()
    while play.asked and len(answers) < 30:
        ask, right, changed = play.asked, answers_to(play.asked, dice), answers_to(play.asked, dice)
        some = dice.sample(list(right), dice.randint(1, len(right)))
        for viewer in viewers(game) if ask.secret or (ask.sealed and len(some) < len(right)) else ():
            one = {seat: right[seat] for seat in some}
            other = {seat: right[seat] if seat == viewer else changed[seat] for seat in some}
            seen = view(game, answers, viewer, one)
            assert seen == view(game, answers, viewer, other)
            hidden = [seat for seat in some if seat not in (viewer, BOX)]
            if hidden:
                own: dict[str, Json] = {str(seat): right[seat] for seat in some if seat == viewer}
                assert seen[-1] == {"answers": own, "hidden": hidden}
        answers.append(right)
        play.answer(right)


@given(games(), seeds)
@settings(deadline=None)
def test_a_view_tells_all_that_is_for_everybody_and_grows_with_the_game(game: Game, seed: int) -> None:
    dice, play, answers = random.Random(seed), Play(game), list[Answers]()
    before: list[Line] = view(game, [])
    while play.asked and len(answers) < 60:
        answers.append(answers_to(play.asked, dice))
        play.answer(answers[-1])
        if len(answers) % 7 == 0 or play.result:
            seen = view(game, answers)
            assert seen[: len(before)] == before
            assert [line for line in seen if "say" in line] == [s.as_json() for s in play.said if s.only is None]
            before = seen
    for viewer in viewers(game):
        lines = view(game, answers, viewer)
        assert json.loads(json.dumps(lines)) == lines
        assert {line.get("only", viewer) for line in lines} <= {viewer}
        assert ("result" in lines[-1]) == (play.result is not None)


# The check itself: games that leak are caught.


def leak(how: Callable[[Value], Ask | Say]) -> Game:
    """A game for two in which a card of seat 1 shows in what ``how`` makes of it."""

    def script(setup: Setup) -> Script:
        for _ in range(10):
            answers = yield Ask("place", {1: Choices(("rock", "paper"))}, secret=True)
            yield how(answers[1])
        yield said_scores({1: 0, 2: 0})
        return Result((1,), {1: 0, 2: 0})

    return Game(Rules("leak", "Leak", 1, 2, 2, "leaks", (), script), Setup(2, {}))


@pytest.mark.parametrize(
    "how",
    [
        lambda card: Ask("call", {2: Choices(("yes", card))}),
        lambda card: Ask("call", {2: Choices(("yes",))}, about={"card": card}),
        lambda card: Ask("call", {2: Choices(("yes",))}, secret=True, about={"card": card}),
        lambda card: Ask(f"call {card}", {2: Choices(("yes",))}),
    ],
)
def test_a_question_that_leaks_is_caught(how: Callable[[Value], Ask | Say]) -> None:
    lines = [Twins(leak(how), viewer, seed=1).part() for viewer in (None, 2)]
    assert all(line and "ask" in line for line in lines)


def test_what_the_game_says_is_no_leak_and_says_to_one_seat_are_for_that_seat() -> None:
    loud = leak(lambda card: Say("card", {"is": card}))
    assert [(Twins(loud, viewer, seed=1).part() or {}).get("say") for viewer in (None, 2)] == ["card", "card"]
    quiet = leak(lambda card: Say("card", {"is": card}, only=1))
    assert [Twins(quiet, viewer, seed=1).part() for viewer in (None, 2)] == [None, None]
    assert Twins(quiet, 1, seed=1).part() is None, "their own card is the same to seat 1 in both"


# What a view looks like


def test_a_view_in_full() -> None:
    game = find("classic").set_up(2)
    throws = ["rock", "paper", "scissors"]
    asked = {"ask": "throw", "seats": {"1": throws, "2": throws}, "sealed": True, "seconds": None}
    first = {**asked, "about": {"round": 1, "best_of": 3}}
    assert view(game, []) == [first]
    assert view(game, [], 1, {1: "rock"}) == [first, {"answers": {"1": "rock"}}]
    assert view(game, [], 2, {1: "rock"}) == [first, {"answers": {}, "hidden": [1]}]
    assert view(game, [{1: "rock", 2: None}], None) == [
        first,
        {"answers": {"1": "rock", "2": None}},
        {"say": "won", "seat": 1, "throws": {"1": "rock", "2": None}},
        {"say": "score", "scores": {"1": 1, "2": 0}},
        {**asked, "about": {"round": 2, "best_of": 3}},
    ]
    with pytest.raises(IllegalAnswerError):
        view(game, [{1: "lizard", 2: "rock"}])


def test_a_card_face_down_is_seen_by_its_owner_alone() -> None:
    table = FutureTable(2, ["rrppss", "rrppss"])
    table.does("place 1 rock", "claim 1 paper")
    for viewer in (None, 1, 2):
        lines = view(table.game, table.answers, viewer)
        place = next(at for at, line in enumerate(lines) if line.get("ask") == "place")
        options = lines[place]["seats"]
        own = viewer == 1
        assert options == {"1": ["rock", "paper", "scissors"] if own else []}
        assert lines[place + 1] == ({"answers": {"1": "rock"}} if own else {"answers": {}, "hidden": [1]})
        assert [line["seat"] for line in lines if line.get("say") == "hand"] == ([] if viewer is None else [viewer])
        assert {"say": "claim", "seat": 1, "claim": "paper", "changed": False} in lines
        assert not [line for line in lines if line.get("ask") == "draw"]


# Future RPS: whoever else holds whatever, the viewer sees one and the same game until cards are turned over.


def dealt(seats: int, viewer: Seat | None, seed: int) -> tuple[list[str], list[str]]:
    """Two deals, in which only the viewer's hand is the same."""
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
    tables = [FutureTable(seats, hands) for hands in dealt(seats, viewer, seed)]
    dice = random.Random(seed)
    while (one := tables[0].play.asked) and (other := tables[1].play.asked):
        ours, theirs = _same_to_the_viewer(one, other, viewer, dice)
        tables[0].give(ours)
        tables[1].give(theirs)
        line = parting(*(view(table.game, table.answers, viewer) for table in tables))
        if line:
            assert line["say"] == "revealed"
            return


def _same_to_the_viewer(one: Ask, other: Ask, viewer: Seat | None, dice: random.Random) -> tuple[Answers, Answers]:
    (seat,) = one.seats
    ours, theirs = answers_to(one, dice), answers_to(other, dice)
    if one.kind == "act" and dice.random() < 0.5:
        ours = {seat: "fold" if "fold" in str(one.seats[seat].as_json()) else "call"}
    if isinstance(one.seats[seat], Span):
        ours = {seat: 1}
    return ours, theirs if one.secret and seat != viewer else ours


def test_cards_that_are_not_turned_over_stay_secret_to_the_end() -> None:
    """Everybody but the beginner folds in every turn: two games with all other cards look the same, result and all."""
    both = []
    for hands in (["rrppss"] * 3, ["rrppss", "rrrrpp", "ssssrp"]):
        table = FutureTable(3, hands)
        while ask := table.play.asked:
            ((seat, options),) = ask.seats.items()
            assert isinstance(options, Choices)
            table.give({seat: "fold" if "fold" in options.values else options.values[0]})
        both.append(table)
    assert both[0].play.result and both[0].answers != both[1].answers
    for viewer in (None, 1):
        one, other = (view(table.game, table.answers, viewer) for table in both)
        assert one == other and "result" in one[-1]
