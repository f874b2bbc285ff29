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
from rules.engine import BOX, Ask, Choices, Game, Options, Play, Result, Rules, Say, Value
from rules.throws import Throw
from tools.gallery.gallery import NAMES, WORDS
from ui.screen.drawing.board_geometry import setting
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.registry import draw
from ui.screen.pages.ask import hints
from ui.screen.pages.reveal.events_paint import ranked
from ui.screen.pages.standing import strings as standing_strings
from ui.screen.pages.standing.view import Fact, beaten, of_ask, of_result, of_say, outcomes, standing
from ui.screen.pages.views import Cadence, Ended, Player, Told
from ui.text import verdicts

SIZES: tuple[Size, ...] = ((800, 480), (720, 1280), (1280, 720))
ANSWERS = 60
"""How many of a match are given."""


def drawn(view: Told | Cadence | Ended, size: Size) -> Canvas:
    return draw(pygame.Surface(size, 0, 32), view)


def any_answer(options: Options, chance: random.Random) -> Value:
    if isinstance(options, Choices):
        return chance.choice(options.values)
    return chance.randrange(options.start, options.stop + 1, options.step)


def setups(rules: Rules) -> Iterator[Game]:
    """The game with every option at each of its values, or some of them, the others at their defaults."""
    for seats in sorted({rules.fewest, min(5, rules.most), min(8, rules.most)}):
        yield rules.set_up(seats)
    for option in rules.options:
        allowed = option.allowed
        values = allowed.values if isinstance(allowed, Choices) else (allowed.start, allowed.start + allowed.step)
        for value in values:
            yield rules.set_up(min(4, rules.most), {option.name: value})


@lru_cache(maxsize=8)
def pages(name: str) -> tuple[tuple[Told | Cadence | Ended, Say | Ask | Result], ...]:
    """What a screen shows of the game's matches, each kind with the same facts and as many players once."""
    found: dict[tuple[object, ...], tuple[Told | Cadence | Ended, Say | Ask | Result]] = {}
    for number, game in enumerate(setups(GAMES[name])):
        chance, play = random.Random(number), Play(game)
        seats = range(1, game.setup.seats + 1)
        heard = 0
        points: dict[int, int] = {}
        for _ in range(ANSWERS):
            news = play.said[heard:]
            heard = len(play.said)
            for say in news:
                told_points = say.facts.get("scores") if say.kind == "score" else None
                if isinstance(told_points, Mapping):
                    points = {int(seat): int(str(count)) for seat, count in told_points.items()}
            for say in news:
                how = standing(play.said, None, [say] if say is news[-1] else ())
                people = tuple(
                    Player(seat, NAMES[seat - 1], points.get(seat), seat % 3, how.of(seat)) for seat in seats
                )
                told = Told(people, say, verdicts.tell(say, dict(enumerate(NAMES, 1))), how.table, seconds_left=2.5)
                found.setdefault((say.kind, *say.facts, len(people)), (told, say))
            ask = play.asked
            if ask is None:
                break
            if BOX not in ask.seats:
                how = standing(play.said, ask)
                people = tuple(
                    Player(seat, NAMES[seat - 1], points.get(seat), seat % 3, how.of(seat)) for seat in seats
                )
                title, stakes = verdicts.headline(ask, game.rules.title), of_ask(ask).table
                hint = hints.hint(ask)
                count = Cadence(people, title, WORDS, 1, facts=stakes, throwing=tuple(ask.seats), hint=hint)
                found.setdefault((ask.kind, *ask.about, len(people)), (count, ask))
            play.answer({seat: any_answer(options, chance) for seat, options in ask.seats.items()})
        if play.result is not None:
            people = tuple(Player(seat, NAMES[seat - 1], play.result.scores.get(seat), 0) for seat in seats)
            sentence = verdicts.told_result(play.result, dict(enumerate(NAMES, 1)))
            found.setdefault(
                ("ended", *play.result.more, len(people)), (Ended(people, play.result, sentence), play.result)
            )
    return tuple(found.values())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_all_that_a_game_says_and_asks_is_drawn_whole(name: str, size: Size) -> None:
    for view, _ in pages(name):
        canvas = drawn(view, size)
        cut = [text.text for text in canvas.texts if not text.whole]
        assert cut == [], f"{view} is cut"
        screen = canvas.surface.get_rect()
        assert all(screen.contains(text.box) for text in canvas.texts), view


@pytest.mark.parametrize("name", GAMES)
def test_every_fact_has_a_word_and_is_on_its_page(name: str) -> None:
    for view, told in pages(name):
        how = of_say(told) if isinstance(told, Say) else of_ask(told) if isinstance(told, Ask) else of_result(told)
        facts = [*how.table, *(fact for seat in how.seats.values() for fact in seat)]
        assert {fact.name for fact in facts} <= {*standing_strings.LABELS}, f"{told}: a fact without a word for people"
        if isinstance(view, Told) and setting(view.say.facts) is not None:
            continue  # the board tells it
        texts = " ".join(text.text for text in drawn(view, (1280, 720)).texts)
        for fact in facts:
            if standing_strings.throw(fact) is not None:
                continue  # drawn
            said = standing_strings.told(fact) or standing_strings.label(fact)
            title = isinstance(view, Cadence) and fact.name in ("phase", "round", "turn")
            assert title or said in texts or standing_strings.short(fact) in texts, f"{fact} of {told} is not shown"


@pytest.mark.parametrize("name", GAMES)
def test_whatever_is_said_has_a_sentence_of_its_own(name: str) -> None:
    for view, told in pages(name):
        if isinstance(view, Told) and isinstance(told, Say):
            plainly = f"{told.kind.capitalize()}: " + ", ".join(f"{key} {fact}" for key, fact in told.facts.items())
            assert plainly + "." not in view.lines, told


def test_the_pages_are_of_every_kind_that_is_known_to_be_said() -> None:
    kinds = {told.kind for name in GAMES for _, told in pages(name) if isinstance(told, Say)}
    assert {"won", "tie", "out", "score", "pile", "bets", "pairs", "sits out", "risk rounds", "turn", "claim"} <= kinds
    assert {"folded", "called", "revealed", "round", "teams", "options", "health", "rolled", "moved"} <= kinds


def test_what_goes_on_being_so_is_kept_and_ends_when_something_ends_it() -> None:
    said = [
        Say("score", {"scores": {"1": 1, "2": 0}, "streaks": {"1": 3, "2": -1}}),
        Say("folded", {"seat": 2}),
        Say("called", {"seat": 1}),
    ]
    how = standing(said)
    assert how.of(1) == (Fact("streaks", 3),), "a call is news and no more"
    assert how.of(2) == (Fact("streaks", -1), Fact("folded", True))
    assert standing(said, None, said[-1:]).of(1) == (Fact("streaks", 3), Fact("called", True))
    later = [*said, Say("turn", {"turn": 2, "turns": 6, "order": [1, 2], "pot": 3})]
    assert standing(later).of(2) == (Fact("streaks", -1),)
    assert Fact("pot", 3) in standing(later).table


def test_what_one_player_alone_is_told_stands_nowhere() -> None:
    said = [Say("hand", {"seat": 1, "cards": {"rock": 2, "paper": 1}}, only=1)]
    assert standing(said, None, said).seats == {}


def test_points_stand_beside_the_name_and_not_twice() -> None:
    ask = Ask("bet", {1: Choices((0,))}, about={"points": {"1": 10, "2": 5}, "goal": 100})
    equal = standing([Say("score", {"scores": {"1": 10, "2": 5}})], ask)
    assert equal.seats == {} and equal.table == (Fact("goal", 100),)
    other = standing([Say("score", {"scores": {"1": 30, "2": 5}})], ask)
    assert other.of(1) == (Fact("points", 10),) and other.of(2) == ()


@pytest.mark.parametrize(
    ("said", "ends"),
    [
        (Say("won", {"seat": 2, "throws": {"1": "rock", "2": "paper"}}), {1: "loss", 2: "win"}),
        (Say("tie", {"throws": {"1": "rock", "2": "rock"}}), {1: "tie", 2: "tie"}),
        (Say("out", {"seats": [1], "left": [2], "throws": {"1": "rock", "2": "paper"}}), {1: "loss", 2: "win"}),
        (Say("thrown", {"outcome": "lose", "throws": {"1": "rock", "2": "paper"}}), {1: "loss", 2: "win"}),
        (Say("second look", {"seats": [3], "throws": {"1": "rock", "2": "paper"}}), {}),
        (Say("score", {"scores": {"1": 1}}), {}),
    ],
)
def test_who_won_and_who_lost_is_what_was_said(said: Say, ends: dict[int, str]) -> None:
    assert outcomes([said]) == ends
    assert beaten([said]) == (((Throw.PAPER, Throw.ROCK),) if "win" in ends.values() else ())


def test_a_pot_is_won_by_whoever_showed_what_wins() -> None:
    shown = Say("revealed", {"throws": {"1": "rock", "2": "paper", "3": "rock"}, "claims": {}})
    won = Say("pot won", {"seats": [2], "each": 9, "stays": 0})
    assert outcomes([shown, won]) == {1: "loss", 2: "win", 3: "loss"}
    assert beaten([shown, won]) == ((Throw.PAPER, Throw.ROCK),)
    assert outcomes([shown]) == {}


def test_what_beats_what_is_by_the_table_where_one_is_told() -> None:
    throws = {"1": "rock", "2": "paper", "3": "paper"}
    table = {"rock-paper": "rock", "paper-scissors": "tie", "scissors-rock": "scissors"}
    said = Say("round", {"throws": throws, "table": table, "outcomes": {"1": "win", "2": "loss", "3": "loss"}})
    assert beaten([said]) == ((Throw.ROCK, Throw.PAPER),), "inverted, and of what was thrown only"


@pytest.mark.parametrize("name", GAMES)
def test_nobody_beats_what_they_threw_themselves(name: str) -> None:
    for _, told in pages(name):
        if isinstance(told, Say):
            assert all(one is not other for one, other in beaten([told]))
            ends = outcomes([told])
            assert ("win" in ends.values()) == ("loss" in ends.values())


def test_places_are_by_points_after_the_winners_and_shared_by_who_is_level() -> None:
    people = [Player(seat, NAMES[seat], points) for seat, points in ((1, 5), (2, 9), (3, 9), (4, None))]
    assert ranked(people, (1,)) == {1: 1, 2: 2, 3: 2, 4: 4}
    shown = drawn(Ended(tuple(people), Result((1,), {}), "Ben wins"), (800, 480)).texts
    tops = {text.text: (text.box.y, text.box.x) for text in shown if text.text in NAMES}
    assert sorted(tops, key=lambda name: tops[name]) == [NAMES[1], NAMES[2], NAMES[3], NAMES[4]]
    assert all(one != other for one, other in pairwise(sorted(tops.values())))
