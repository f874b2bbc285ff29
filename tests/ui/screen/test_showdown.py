"""The showdown: what is shown when, by touch and by time, for all games that can be played; and that nothing is shown
of a card before it is turned."""

from collections.abc import Sequence
from dataclasses import replace

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.camera.frames import Size
from device.gpio.lights import LightSignal
from rules.engine import GameEvent, Play
from rules.future.match import FUTURE
from rules.text import as_int, as_mapping
from rules.throws import Throw
from tests.helpers.page_rules import drawn
from tests.helpers.random_games import play_random
from tests.helpers.samples.common import NAMES
from tests.helpers.samples.showdown import sample_showdown, samples
from ui.screen.core.light_signals import light_signals
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.core.registry import draw
from ui.screen.core.scene import WindowScene
from ui.screen.core.stage import Stage
from ui.screen.drawing.canvas import target_at
from ui.screen.pages import showdown as showdown_page
from ui.screen.pages.common import Player
from ui.screen.pages.scoreboard import ScoreboardHistory
from ui.screen.pages.showdown import (
    CARD_S,
    COMPARISON_S,
    OPENING_S,
    POT_S,
    TURN_S,
    Showdown,
    showdown_from_events,
    split_showdown,
)
from ui.screen.views import Dialogue, Reply

STEP_S = 0.05
GO_ON = Reply("go on")


def texts(view: Showdown, size: Size = PANEL_SIZES[0]) -> list[str]:
    return [text.text for text in drawn(view, size).texts]


def last_scores(events: Sequence[GameEvent], scores: dict[int, int]) -> dict[int, int]:
    """Return the scores after ``events``, with ``scores`` before them."""
    found = [as_mapping(event.facts["scores"]) for event in events if event.kind == "score"]
    return {int(seat): as_int(chips) for seat, chips in found[-1].items()} if found else scores


def showdowns(seats: int, seed: int, cards: str) -> list[tuple[Showdown, Play, int]]:
    """Return the showdowns of a random game with the play and the number of its events before each."""
    match = play_random(FUTURE.set_up(seats, {"cards": cards}), seed)
    play, found = Play(FUTURE.set_up(seats, {"cards": cards})), []
    scores: dict[int, int] = {}
    for answers in match.answers:
        events, rest = split_showdown(play.answer(answers))
        scores = last_scores(events, scores)
        if events:
            before = play.events[: len(play.events) - len(rest)]
            facts = ScoreboardHistory().facts(before, None, events)
            people = [Player(seat, NAMES[seat - 1], scores[seat], None, facts.of_seat(seat)) for seat in scores]
            found.append((showdown_from_events(events, people, turned=cards == "table"), play, len(before)))
        scores = last_scores(rest, scores)
    return found


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10_000), st.sampled_from(["box", "table"]))
def test_every_showdown_agrees_with_its_events(seats: int, seed: int, cards: str) -> None:
    found = showdowns(seats, seed, cards)
    play = found[0][1]
    assert len(found) == sum(event.kind == "turn" for event in play.events)
    for view, _, count in found:
        events = play.events[:count]
        score = next(event for event in reversed(events) if event.kind == "score")
        assert view.stays == score.facts["pot"]
        assert view.pot == view.stays + sum(card.won for card in view.cards)
        after = as_mapping(score.facts["scores"])
        assert all(card.player.score == after[str(card.player.seat)] for card in view.cards)
        claims = {
            event.facts["seat"]: event.facts["claim"]
            for event in events[max(index for index, event in enumerate(events) if event.kind == "turn") :]
            if event.kind == "claim"
        }
        assert [card.player.seat for card in view.cards] == list(claims)
        assert [card.claim for card in view.cards] == list(claims.values())
        if view.stays_hidden:
            assert len(view.cards) == 1 and view.cards[0].card is None and view.cards[0].sentence == ""
            continue
        for card in view.cards:
            assert card.bluff == (card.card not in (None, card.claim))
            assert (" bluffed: " in card.sentence) == card.bluff
            assert card.sentence.startswith(NAMES[card.player.seat - 1])
            assert bool(card.won) <= all(card.card and card.card.beats(o.card) for o in view.cards if not o.won)


@settings(max_examples=20, deadline=None)
@given(st.text("rps-", min_size=2, max_size=6), st.data(), st.booleans())
def test_sentences_follow_one_another_in_the_order_of_the_cards(cards: str, data: st.DataObject, turned: bool) -> None:
    claims = data.draw(st.text("rps", min_size=len(cards), max_size=len(cards)))
    view = sample_showdown(cards, claims, 11, turned=turned)
    steps = round(view.animation_s / STEP_S) + 2
    said = list(dict.fromkeys(str(view.at_time(step * STEP_S).sentence) for step in range(steps)))
    compared = [] if view.comparison is None else [str(view.comparison)]
    assert said == [str(view.opening), *(str(card.sentence) for card in view.cards), *compared, str(view.outcome)]


@pytest.mark.parametrize("size", PANEL_SIZES)
@pytest.mark.parametrize("count", [2, 3, 6])
def test_nothing_is_shown_of_a_card_before_it_turns(count: int, size: Size) -> None:
    claims = "rps" * 2
    for index in range(count):
        pictures = set()
        for card in "rps":
            cards = "".join(card if seat >= index else "rps"[seat % 3] for seat in range(count))
            view = replace(sample_showdown(cards, claims[:count], 13), seconds_left=40.0)
            # the chips before are the same, whoever wins
            people = tuple(replace(one, player=replace(one.player, score=20), won=0) for one in view.cards)
            view = replace(view, cards=people).at_time(OPENING_S + CARD_S * index)
            pictures.add(pygame.image.tobytes(drawn(view, size).surface, "RGB"))
        assert len(pictures) == 1, f"card {index + 1} shows before it turns"
        turned = view.at_time(OPENING_S + CARD_S * index + TURN_S)
        assert pygame.image.tobytes(drawn(turned, size).surface, "RGB") not in pictures


def test_cards_that_stay_hidden_are_never_turned() -> None:
    view = samples()["showdown-unshown"]
    assert isinstance(view, Showdown)
    for seconds in (0.0, OPENING_S, OPENING_S + POT_S, 100.0):
        now = replace(view, finished=False).at_time(seconds)
        assert not now.turned_share(0) and not now.is_judged(0)
        assert not {str(showdown_page.BLUFF), str(showdown_page.TRUE_CLAIM)} & set(texts(now))


def test_the_pot_moves_to_the_winners_and_no_chip_is_lost() -> None:
    view = sample_showdown("rrs", "spr", 9)
    start = OPENING_S + 3 * CARD_S + COMPARISON_S
    assert {"9", "5", "6", "7"} <= set(texts(view.at_time(start)))
    half = texts(view.at_time(start + POT_S / 2))
    assert {"5", "7", "8"} <= set(half), "4 of 9 chips have moved"
    end = texts(view.at_time(start + POT_S))
    assert {"1", "9 (+4)", "10 (+4)", "7"} <= set(end)


def test_a_touch_anywhere_first_shows_all_and_then_goes_on() -> None:
    view = sample_showdown("rs", "pp", 5)
    scene = WindowScene(view, 0, Dialogue(view))
    surface = pygame.Surface(PANEL_SIZES[0], 0, 32)
    page = scene.page_at(round(2.0 * 1e9))
    canvas = draw(surface, page)
    target = target_at(canvas.targets, (100, 200))
    assert target is not None and target.label == "Show all" and target.main
    assert scene.dialogue is not None
    assert scene.dialogue.press(target.press) is None
    page = scene.page_at(round(2.1 * 1e9))
    assert isinstance(page, Showdown) and page.sentence == view.outcome and page.animation_s == 0.0
    assert page.seconds_left == pytest.approx(view.animation_s + 3.5 - 2.1, abs=0.11)
    target = target_at(draw(surface, page).targets, (100, 200))
    assert target is not None and target.label == "Go on"
    assert scene.dialogue.press(target.press) == GO_ON


def test_touch_after_the_showdown_goes_on() -> None:
    view = sample_showdown("rs", "pp", 5)
    scene = WindowScene(view, 0, Dialogue(view))
    assert scene.dialogue is not None
    scene.page_at(round((view.animation_s - 0.2) * 1e9))
    assert not scene.dialogue.page.finished  # type: ignore[attr-defined]
    scene.page_at(round((view.animation_s + 0.1) * 1e9))
    assert scene.dialogue.page.finished  # type: ignore[attr-defined]
    assert scene.dialogue.press(GO_ON) == GO_ON
    assert scene.automatic_reply(round((view.animation_s + 3.4) * 1e9)) is None
    assert scene.automatic_reply(round((view.animation_s + 3.6) * 1e9)) == Reply(None)


@pytest.mark.parametrize("name", samples())
def test_drawing_only_moving_parts_gives_the_same_pixels(name: str) -> None:
    view = samples()[name]
    assert isinstance(view, Showdown)
    view = replace(view, finished=False)
    stage, surface = Stage(), pygame.Surface(PANEL_SIZES[0], 0, 32)
    for number in range(12):
        page = view.at_time(0.03 + view.whole_animation_s * number / 11)
        areas = stage.draw(surface, page)
        assert number == 0 or surface.get_rect() not in areas
        assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(drawn(page).surface, "RGB")


def test_lights_of_the_winners_blink_only_once_everybody_knows() -> None:
    view = sample_showdown("rrs", "spr", 9)
    compared = OPENING_S + 3 * CARD_S
    assert light_signals(view.at_time(compared - 0.1)) == {}
    assert light_signals(view.at_time(compared)) == dict.fromkeys((1, 2), LightSignal.WINNER)
    assert light_signals(replace(view, finished=True)) == dict.fromkeys((1, 2), LightSignal.WINNER)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("rs", "Rock beats scissors."), ("prr", "Paper beats rock."), ("spp", "Scissors beat paper."),
        ("rps", showdown_page.ALL_KINDS), ("rr", showdown_page.ONE_KIND), ("r-", None), ("--", None),
        ("r-s", "Rock beats scissors."),
    ],
)  # fmt: skip
def test_which_card_beats_which_is_said(cards: str, sentence: str | None) -> None:
    words = {throw.value[0]: throw for throw in Throw}
    assert showdown_page.comparison([words.get(card) for card in cards]) == sentence
