"""Everything any game says and asks has its drawing, by rule: from matches of every game with every option, at three
sizes, nothing is cut off, and every fact is shown or told by something else on its page."""

import random
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

import pygame
import pytest

from device.camera.frames import Size
from rules.catalogue import GAMES
from rules.engine import BOX, AllowedValues, Choices, Game, GameEvent, Play, Prompt, Result, Rules, Value
from rules.throws import Throw
from ui.screen.drawing.board_geometry import position_from_facts
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.registry import draw
from ui.screen.pages.common.samples import COUNT_WORDS, NAMES
from ui.screen.pages.common.view import Player
from ui.screen.pages.countdown.view import Countdown
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.question import hints
from ui.screen.pages.result.paint import rank_players
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.scoreboard import strings as scoreboard_strings
from ui.screen.pages.scoreboard.view import (
    Fact,
    beaten_pairs,
    event_facts,
    prompt_facts,
    result_facts,
    round_outcomes,
    scoreboard_facts,
)
from ui.text import verdicts

SIZES: tuple[Size, ...] = ((800, 480), (720, 1280), (1280, 720))
ANSWERS = 60
"""How many of a match are given."""


def drawn(view: GameMessage | Countdown | MatchResult, size: Size) -> Canvas:
    return draw(pygame.Surface(size, 0, 32), view)


def any_answer(options: AllowedValues, chance: random.Random) -> Value:
    if isinstance(options, Choices):
        return chance.choice(options.values)
    return chance.randrange(options.start, options.stop + 1, options.step)


def setups(rules: Rules) -> Iterator[Game]:
    """The game with every option at each of its values, or some of them, the others at their defaults."""
    for seats in sorted({rules.min_players, min(5, rules.max_players), min(8, rules.max_players)}):
        yield rules.set_up(seats)
    for option in rules.options:
        allowed = option.allowed
        values = allowed.values if isinstance(allowed, Choices) else (allowed.start, allowed.start + allowed.step)
        for value in values:
            yield rules.set_up(min(4, rules.max_players), {option.name: value})


@lru_cache(maxsize=8)
def pages(name: str) -> tuple[tuple[GameMessage | Countdown | MatchResult, GameEvent | Prompt | Result], ...]:
    """What a screen shows of the game's matches, each kind with the same facts and as many players once."""
    found: dict[tuple[object, ...], tuple[GameMessage | Countdown | MatchResult, GameEvent | Prompt | Result]] = {}
    for number, game in enumerate(setups(GAMES[name])):
        chance, play = random.Random(number), Play(game)
        seats = range(1, game.setup.seats + 1)
        heard = 0
        points: dict[int, int] = {}
        for _ in range(ANSWERS):
            news = play.events[heard:]
            heard = len(play.events)
            for say in news:
                told_points = say.facts.get("scores") if say.kind == "score" else None
                if isinstance(told_points, Mapping):
                    points = {int(seat): int(str(count)) for seat, count in told_points.items()}
            for say in news:
                how = scoreboard_facts(play.events, None, [say] if say is news[-1] else ())
                people = tuple(
                    Player(seat, NAMES[seat - 1], points.get(seat), seat % 3, how.of_seat(seat)) for seat in seats
                )
                told = GameMessage(
                    people, say, verdicts.event_sentences(say, dict(enumerate(NAMES, 1))), how.table, seconds_left=2.5
                )
                found.setdefault((say.kind, *say.facts, len(people)), (told, say))
            ask = play.prompt
            if ask is None:
                break
            if BOX not in ask.seats:
                how = scoreboard_facts(play.events, ask)
                people = tuple(
                    Player(seat, NAMES[seat - 1], points.get(seat), seat % 3, how.of_seat(seat)) for seat in seats
                )
                title, stakes = verdicts.headline(ask, game.rules.title), prompt_facts(ask).table
                hint = hints.first_time_hint(ask)
                count = Countdown(people, title, COUNT_WORDS, 1, facts=stakes, throwing=tuple(ask.seats), hint=hint)
                found.setdefault((ask.kind, *ask.about, len(people)), (count, ask))
            play.answer({seat: any_answer(options, chance) for seat, options in ask.seats.items()})
        if play.result is not None:
            people = tuple(Player(seat, NAMES[seat - 1], play.result.scores.get(seat), 0) for seat in seats)
            sentence = verdicts.result_sentence(play.result, dict(enumerate(NAMES, 1)))
            found.setdefault(
                ("ended", *play.result.details, len(people)), (MatchResult(people, play.result, sentence), play.result)
            )
    return tuple(found.values())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_all_that_a_game_says_and_asks_is_drawn_whole(name: str, size: Size) -> None:
    for view, _ in pages(name):
        canvas = drawn(view, size)
        cut = [text.text for text in canvas.texts if not text.complete]
        assert cut == [], f"{view} is cut"
        screen = canvas.surface.get_rect()
        assert all(screen.contains(text.box) for text in canvas.texts), view


@pytest.mark.parametrize("name", GAMES)
def test_every_fact_has_a_word_and_is_on_its_page(name: str) -> None:
    for view, told in pages(name):
        how = (
            event_facts(told)
            if isinstance(told, GameEvent)
            else prompt_facts(told)
            if isinstance(told, Prompt)
            else result_facts(told)
        )
        facts = [*how.table, *(fact for seat in how.seats.values() for fact in seat)]
        assert {fact.name for fact in facts} <= {*scoreboard_strings.FACT_LABELS}, (
            f"{told}: a fact without a word for people"
        )
        if isinstance(view, GameMessage) and position_from_facts(view.event.facts) is not None:
            continue  # the board tells it
        texts = " ".join(text.text for text in drawn(view, (1280, 720)).texts)
        for fact in facts:
            if scoreboard_strings.fact_throw(fact) is not None:
                continue  # drawn
            said = scoreboard_strings.fact_value(fact) or scoreboard_strings.fact_label(fact)
            title = isinstance(view, Countdown) and fact.name in ("phase", "round", "turn")
            assert title or said in texts or scoreboard_strings.short_fact_value(fact) in texts, (
                f"{fact} of {told} is not shown"
            )


@pytest.mark.parametrize("name", GAMES)
def test_whatever_is_said_has_a_sentence_of_its_own(name: str) -> None:
    for view, told in pages(name):
        if isinstance(view, GameMessage) and isinstance(told, GameEvent):
            plainly = f"{told.kind.capitalize()}: " + ", ".join(f"{key} {fact}" for key, fact in told.facts.items())
            assert plainly + "." not in view.sentences, told


def test_the_pages_are_of_every_kind_that_is_known_to_be_said() -> None:
    kinds = {told.kind for name in GAMES for _, told in pages(name) if isinstance(told, GameEvent)}
    assert {"won", "tie", "out", "score", "pile", "bets", "pairs", "sits out", "risk rounds", "turn", "claim"} <= kinds
    assert {"folded", "called", "revealed", "round", "teams", "options", "health", "rolled", "moved"} <= kinds


def test_what_goes_on_being_so_is_kept_and_ends_when_something_ends_it() -> None:
    said = [
        GameEvent("score", {"scores": {"1": 1, "2": 0}, "streaks": {"1": 3, "2": -1}}),
        GameEvent("folded", {"seat": 2}),
        GameEvent("called", {"seat": 1}),
    ]
    how = scoreboard_facts(said)
    assert how.of_seat(1) == (Fact("streaks", 3),), "a call is news and no more"
    assert how.of_seat(2) == (Fact("streaks", -1), Fact("folded", True))
    assert scoreboard_facts(said, None, said[-1:]).of_seat(1) == (Fact("streaks", 3), Fact("called", True))
    later = [*said, GameEvent("turn", {"turn": 2, "turns": 6, "order": [1, 2], "pot": 3})]
    assert scoreboard_facts(later).of_seat(2) == (Fact("streaks", -1),)
    assert Fact("pot", 3) in scoreboard_facts(later).table


def test_what_one_player_alone_is_told_stands_nowhere() -> None:
    said = [GameEvent("hand", {"seat": 1, "cards": {"rock": 2, "paper": 1}}, only=1)]
    assert scoreboard_facts(said, None, said).seats == {}


def test_points_stand_beside_the_name_and_not_twice() -> None:
    ask = Prompt("bet", {1: Choices((0,))}, about={"points": {"1": 10, "2": 5}, "goal": 100})
    equal = scoreboard_facts([GameEvent("score", {"scores": {"1": 10, "2": 5}})], ask)
    assert equal.seats == {} and equal.table == (Fact("goal", 100),)
    other = scoreboard_facts([GameEvent("score", {"scores": {"1": 30, "2": 5}})], ask)
    assert other.of_seat(1) == (Fact("points", 10),) and other.of_seat(2) == ()


@pytest.mark.parametrize(
    ("said", "ends"),
    [
        (GameEvent("won", {"seat": 2, "throws": {"1": "rock", "2": "paper"}}), {1: "loss", 2: "win"}),
        (GameEvent("tie", {"throws": {"1": "rock", "2": "rock"}}), {1: "tie", 2: "tie"}),
        (GameEvent("out", {"seats": [1], "left": [2], "throws": {"1": "rock", "2": "paper"}}), {1: "loss", 2: "win"}),
        (GameEvent("thrown", {"outcome": "lose", "throws": {"1": "rock", "2": "paper"}}), {1: "loss", 2: "win"}),
        (GameEvent("second look", {"seats": [3], "throws": {"1": "rock", "2": "paper"}}), {}),
        (GameEvent("score", {"scores": {"1": 1}}), {}),
    ],
)
def test_who_won_and_who_lost_is_what_was_said(said: GameEvent, ends: dict[int, str]) -> None:
    assert round_outcomes([said]) == ends
    assert beaten_pairs([said]) == (((Throw.PAPER, Throw.ROCK),) if "win" in ends.values() else ())


def test_a_pot_is_won_by_whoever_showed_what_wins() -> None:
    shown = GameEvent("revealed", {"throws": {"1": "rock", "2": "paper", "3": "rock"}, "claims": {}})
    won = GameEvent("pot won", {"seats": [2], "each": 9, "stays": 0})
    assert round_outcomes([shown, won]) == {1: "loss", 2: "win", 3: "loss"}
    assert beaten_pairs([shown, won]) == ((Throw.PAPER, Throw.ROCK),)
    assert round_outcomes([shown]) == {}


def test_what_beats_what_is_by_the_table_where_one_is_told() -> None:
    throws = {"1": "rock", "2": "paper", "3": "paper"}
    table = {"rock-paper": "rock", "paper-scissors": "tie", "scissors-rock": "scissors"}
    said = GameEvent("round", {"throws": throws, "table": table, "outcomes": {"1": "win", "2": "loss", "3": "loss"}})
    assert beaten_pairs([said]) == ((Throw.ROCK, Throw.PAPER),), "inverted, and of what was thrown only"


@pytest.mark.parametrize("name", GAMES)
def test_nobody_beats_what_they_threw_themselves(name: str) -> None:
    for _, told in pages(name):
        if isinstance(told, GameEvent):
            assert all(one is not other for one, other in beaten_pairs([told]))
            ends = round_outcomes([told])
            assert ("win" in ends.values()) == ("loss" in ends.values())


def test_places_are_by_points_after_the_winners_and_shared_by_who_is_level() -> None:
    people = [Player(seat, NAMES[seat], points) for seat, points in ((1, 5), (2, 9), (3, 9), (4, None))]
    assert rank_players(people, (1,)) == {1: 1, 2: 2, 3: 2, 4: 4}
    shown = drawn(MatchResult(tuple(people), Result((1,), {}), "Ben wins"), (800, 480)).texts
    tops = {text.text: (text.box.y, text.box.x) for text in shown if text.text in NAMES}
    assert sorted(tops, key=lambda name: tops[name]) == [NAMES[1], NAMES[2], NAMES[3], NAMES[4]]
    assert all(one != other for one, other in pairwise(sorted(tops.values())))
