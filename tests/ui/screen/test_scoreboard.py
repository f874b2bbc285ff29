"""The scoreboard of every game: in matches of every game with every option, at three sizes, no text is cut off, and
every fact is on its page."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import pytest

from device.camera.frames import Size
from rules.battle.events import BattleScores
from rules.battle.text import TEXT as BATTLE_TEXT
from rules.catalogue import GAMES
from rules.engine import (
    BOX,
    Choices,
    Game,
    GameEvent,
    GameText,
    Json,
    Play,
    Prompt,
    Result,
    Rules,
)
from rules.engine.scoreboard import FactForm, FactOwner, LabelUse, ShownFact
from rules.events import Other, Scores
from rules.future.events import Called, Folded, HandDealt, TurnBegins
from rules.future.text import TEXT as FUTURE_TEXT
from rules.redeux.text import TEXT as REDEUX_TEXT
from rules.text import game_word
from tests.helpers.heard_games import any_answer
from tests.helpers.page_rules import drawn
from tests.helpers.samples.common import COUNT_WORDS, NAMES
from ui.screen.pages import fact_words
from ui.screen.pages import question as question_page
from ui.screen.pages.board_position import position_from_facts
from ui.screen.pages.common import Player, rank_players
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.message import GameMessage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.scoreboard import (
    Fact,
    ScoreboardHistory,
    event_facts,
    prompt_facts,
    result_facts,
)
from ui.text import verdicts

SIZES: tuple[Size, ...] = ((800, 480), (720, 1280), (1280, 720))
MAX_ANSWERS = 60
"""The most answers given in a match."""


def setups(rules: Rules) -> Iterator[Game]:
    """The game with each option at each of its values (or two of a span), the others at their defaults."""
    for seats in sorted({rules.min_players, min(5, rules.max_players), min(8, rules.max_players)}):
        yield rules.set_up(seats)
    for option in rules.options:
        allowed = option.allowed
        values = allowed.values if isinstance(allowed, Choices) else (allowed.start, allowed.start + allowed.step)
        for value in values:
            yield rules.set_up(min(4, rules.max_players), {option.name: value})


@pytest.mark.parametrize("name", GAMES)
def test_scoreboards_of_a_match_are_those_computed_anew(name: str) -> None:
    """Whatever was asked for before: the events of an answer as old ones, as new ones, or both."""
    for seed in range(4):
        chance, game = (
            random.Random(seed),
            GAMES[name].set_up(max(3, GAMES[name].min_players) if name not in ("tr", "board") else 2),
        )
        play, history = Play(game), ScoreboardHistory()
        for _ in range(60):
            if play.prompt is None:
                break
            answering = [seat for seat in play.prompt.seats if not play.prompt.is_optional or chance.random() < 0.1]
            new = play.answer({seat: any_answer(play.prompt.seats[seat], chance) for seat in answering})
            public = [event for event in new if event.only is None]
            for asked in chance.sample([(play.prompt, ()), (None, public), (None, ())], 2):
                assert history.facts(play.events, *asked) == ScoreboardHistory().facts(play.events, *asked)


@lru_cache(maxsize=8)
def pages(name: str) -> tuple[tuple[GameMessage | Countdown | MatchResult, GameEvent | Prompt | Result], ...]:
    """The messages, countdowns and results of a game's matches with their event, prompt or result: one for each kind,
    names of facts and number of players."""
    found: dict[tuple[object, ...], tuple[GameMessage | Countdown | MatchResult, GameEvent | Prompt | Result]] = {}
    for number, game in enumerate(setups(GAMES[name])):
        chance, play = random.Random(number), Play(game)
        seats = range(1, game.setup.seats + 1)
        event_count = 0
        points: dict[int, int] = {}
        for _ in range(MAX_ANSWERS):
            new_events = play.events[event_count:]
            event_count = len(play.events)
            for event in new_events:
                if isinstance(event, Scores):
                    points = dict(event.scores)
            for event in new_events:
                facts = ScoreboardHistory().facts(play.events, None, [event] if event is new_events[-1] else ())
                people = tuple(
                    Player(
                        *(seat, NAMES[seat - 1], points.get(seat), seat % 3, facts.of_seat(seat), facts.roles.get(seat))
                    )
                    for seat in seats
                )
                message = GameMessage(
                    people,
                    event,
                    verdicts.event_sentences(event, dict(enumerate(NAMES, 1))),
                    facts.table,
                    seconds_left=2.5,
                )
                found.setdefault((event.kind, *event.facts, len(people)), (message, event))
            prompt = play.prompt
            if prompt is None:
                break
            if BOX not in prompt.seats:
                facts = ScoreboardHistory().facts(play.events, prompt)
                people = tuple(
                    Player(
                        *(seat, NAMES[seat - 1], points.get(seat), seat % 3, facts.of_seat(seat), facts.roles.get(seat))
                    )
                    for seat in seats
                )
                title, stakes = verdicts.headline(prompt, game.rules.title), prompt_facts(prompt).table
                hint = question_page.first_time_hint(prompt)
                countdown = Countdown(
                    people, title, COUNT_WORDS, 1, facts=stakes, throwing=tuple(prompt.seats), hint=hint
                )
                found.setdefault((prompt.kind, *prompt.about, len(people)), (countdown, prompt))
            answering = [seat for seat in prompt.seats if not prompt.is_optional or chance.random() < 0.1]
            play.answer({seat: any_answer(prompt.seats[seat], chance) for seat in answering})
        if play.result is not None:
            people = tuple(Player(seat, NAMES[seat - 1], play.result.scores.get(seat), 0) for seat in seats)
            sentence = verdicts.result_sentence(play.result, dict(enumerate(NAMES, 1)))
            found.setdefault(
                ("ended", *play.result.details, len(people)), (MatchResult(people, play.result, sentence), play.result)
            )
    return tuple(found.values())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_every_event_and_prompt_is_drawn_uncut(name: str, size: Size) -> None:
    for view, _ in pages(name):
        canvas = drawn(view, size)
        cut = [text.text for text in canvas.texts if not text.complete]
        assert cut == [], f"{view} is cut"
        screen = canvas.surface.get_rect()
        assert all(screen.contains(text.box) for text in canvas.texts), view


@pytest.mark.parametrize("name", GAMES)
def test_every_fact_has_a_label_and_is_on_its_page(name: str) -> None:
    for view, source in pages(name):
        facts = (
            event_facts(source)
            if isinstance(source, GameEvent)
            else prompt_facts(source)
            if isinstance(source, Prompt)
            else result_facts(source)
        )
        all_facts = [*facts.table, *(fact for seat in facts.seats.values() for fact in seat)]
        for fact in all_facts:
            labelled = fact.shown.labelled is not LabelUse.NEVER
            assert not labelled or fact.shown.label or game_word(fact.name, fact.text), f"{fact} of {source}: no label"
        if isinstance(view, GameMessage) and position_from_facts(view.event.facts) is not None:
            continue  # shown by the board
        if isinstance(view, MatchResult) and len(view.players) > 2:
            continue  # beside a podium, or of many players, facts without room are dropped
        texts = " ".join(text.text for text in drawn(view, (1280, 720)).texts)
        if isinstance(view, GameMessage):  # long sentences, which say the same, may leave facts no room
            alone = replace(view, already_revealed=True)
            texts += " ".join(text.text for text in drawn(alone, (1280, 720)).texts)
        for fact in all_facts:
            if fact_words.fact_throw(fact) is not None:
                continue  # drawn
            expected = fact_words.fact_value(fact) or fact_words.fact_label(fact)
            title = isinstance(view, Countdown) and fact.shown.form is FactForm.TITLE
            assert title or expected in texts or fact_words.short_fact_value(fact) in texts, (
                f"{fact} of {source} is not shown"
            )


@pytest.mark.parametrize("name", GAMES)
def test_every_event_has_a_sentence_of_its_own(name: str) -> None:
    for view, source in pages(name):
        if isinstance(view, GameMessage) and isinstance(source, GameEvent):
            plain_text = f"{source.kind.capitalize()}: " + ", ".join(
                f"{key} {fact}" for key, fact in source.facts.items()
            )
            assert plain_text + "." not in view.sentences, source


def test_the_pages_include_every_kind_of_event() -> None:
    kinds = {source.kind for name in GAMES for _, source in pages(name) if isinstance(source, GameEvent)}
    assert {"won", "tie", "out", "score", "pile", "bets", "pairs", "sits out", "risk rounds", "turn", "claim"} <= kinds
    assert {"folded", "called", "revealed", "round", "teams", "options", "health", "rolled", "moved"} <= kinds


def test_lasting_facts_stay_until_an_event_ends_them() -> None:
    events = [
        BattleScores({1: 1, 2: 0}, {1: 3, 2: -1}, text=BATTLE_TEXT),
        Folded(2, text=FUTURE_TEXT),
        Called(1, text=FUTURE_TEXT),
    ]
    facts = ScoreboardHistory().facts(events)
    assert facts.of_seat(1) == (Fact("streaks", 3),), "a call does not last"
    assert facts.of_seat(2) == (Fact("streaks", -1), Fact("folded", True))
    assert ScoreboardHistory().facts(events, None, events[-1:]).of_seat(1) == (Fact("streaks", 3), Fact("called", True))
    later = [*events, TurnBegins(2, 6, (1, 2), 3, text=FUTURE_TEXT)]
    assert ScoreboardHistory().facts(later).of_seat(2) == (Fact("streaks", -1),)
    assert Fact("pot", 3) in ScoreboardHistory().facts(later).table


DECLARED = GameText(
    scoreboard={
        "mood": ShownFact(),
        "silent.mood": None,
        "seat": ShownFact(FactOwner.NAMED, "lucky"),
        "stake": ShownFact(FactOwner.ACTOR),
        "sides": ShownFact(FactOwner.GROUPS),
        "level": ShownFact(FactOwner.SEATS, total="levels", in_common=True),
        "hits": ShownFact(FactOwner.SEATS, "shots", part="wins"),
        "misses": ShownFact(FactOwner.SEATS, "shots", part="losses"),
    }
)


@pytest.mark.parametrize(
    ("event", "seats", "table"),
    [
        (Other("loud", {"mood": "merry", "noise": 3}), {}, [("mood", "merry")]),
        (Other("silent", {"mood": "merry"}), {}, []),
        (Other("loud", {"mood": False}), {}, []),
        (Other("loud", {"seat": 2, "stake": 5}), {2: [("lucky", True), ("stake", 5)]}, []),
        (Other("loud", {"stake": 5}), {}, []),
        (Other("loud", {"sides": [[1], [2]]}), {1: [("sides", 1)], 2: [("sides", 2)]}, []),
        (Other("loud", {"sides": [[1, 2]]}), {}, []),
        (Other("loud", {"level": {"1": 2, "2": 2}, "mood": 1, "levels": 4}), {}, [("mood", 1), ("level", "2 / 4")]),
        (Other("loud", {"level": {"1": 2, "2": 3}}), {1: [("level", 2)], 2: [("level", 3)]}, []),
        (Other("loud", {"level": {"1": 1, "2": 1}, "levels": 1}), {}, []),
        (Other("loud", {"hits": {"1": 3}, "misses": {"1": 0}}), {1: [("shots", {"wins": 3, "losses": 0})]}, []),
    ],
)
def test_facts_are_shown_as_the_game_declares(
    event: Other, seats: dict[int, list[tuple[str, Json]]], table: list[tuple[str, Json]]
) -> None:
    facts = event_facts(replace(event, text=DECLARED))
    shown = {seat: [(fact.name, fact.value) for fact in of_seat] for seat, of_seat in facts.seats.items()}
    assert (shown, [(fact.name, fact.value) for fact in facts.table]) == (seats, table)


def test_facts_for_one_player_alone_are_on_no_scoreboard() -> None:
    events = [HandDealt(1, {"rock": 2, "paper": 1}, only=1, text=FUTURE_TEXT)]
    assert ScoreboardHistory().facts(events, None, events).seats == {}


def test_points_equal_to_the_score_are_not_shown_twice() -> None:
    prompt = Prompt("bet", {1: Choices((0,))}, about={"points": {1: 10, 2: 5}, "goal": 100}, text=REDEUX_TEXT)
    equal = ScoreboardHistory().facts([Scores({1: 10, 2: 5})], prompt)
    assert equal.seats == {} and equal.table == (Fact("goal", 100),)
    other = ScoreboardHistory().facts([Scores({1: 30, 2: 5})], prompt)
    assert other.of_seat(1) == (Fact("points", 10),) and other.of_seat(2) == ()


def test_places_go_by_points_after_the_winners_and_are_shared() -> None:
    people = [Player(seat, NAMES[seat], points) for seat, points in ((1, 5), (2, 9), (3, 9), (4, None))]
    assert rank_players(people, (1,)) == {1: 1, 2: 2, 3: 2, 4: 4}
    assert rank_players(people, (1, 2)) == {1: 1, 2: 1, 3: 3, 4: 4}, "the winners of two pairs have both won"
