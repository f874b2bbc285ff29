"""How to play: every game, the class and practice are explained in a few pages that fit, move, and lead back to where
people came from."""

from dataclasses import replace
from functools import partial

import numpy as np
import pygame
import pytest
from hypothesis import HealthCheck, given, settings

from device.camera.frames import Size
from device.gpio.buttons import ButtonAction, ButtonEvent
from rules.catalogue import BOX_GAMES
from rules.classroom import CLASS_RULES
from rules.engine import Choices, Game, Value
from rules.engine.explanation import ExcerptScene
from rules.engine.play import excerpt
from tests.helpers.page_rules import drawn
from tests.helpers.random_games import games
from tests.helpers.samples import home as home_samples
from tests.helpers.slow_params import slow
from ui.i18n.language import LANGUAGES, render, set_language
from ui.screen.core.png_display import PANEL_SIZES, render_image
from ui.screen.core.scene import WindowScene
from ui.screen.drawing.canvas import Target, draw_page
from ui.screen.drawing.theme import Theme
from ui.screen.input import Focus, handle_button
from ui.screen.pages.home import GameMenu, SetUpPage, set_up_page
from ui.screen.pages.how_to_play import (
    BEATS_INVERTED,
    HOW_TO_PLAY,
    MAX_PAGES,
    MIN_PAGES,
    ROLL_CALL,
    START_ANSWER,
    WITH_HANDS,
    FirstTimePage,
    HowToPlayPage,
    MatchScene,
    OwnScene,
    ThrowMethod,
    ThrowSetting,
    explain_class,
    explain_game,
    explain_practice,
)
from ui.screen.pages.how_to_play_shots import Shot, match_shots, own_shots
from ui.screen.pages.pause import PausePage
from ui.screen.pages.reveal import Reveal
from ui.screen.views import Dialogue, Reply

GAMES = {rules.name: rules for rules in BOX_GAMES}
SIZES = (*PANEL_SIZES, (1920, 1080))
START = Reply(START_ANSWER)
METHODS = tuple(ThrowMethod)


def explanation(name: str, method: ThrowMethod = ThrowMethod.HANDS, seats: int | None = None) -> HowToPlayPage:
    setting = ThrowSetting(method)
    if name == "practice":
        return explain_practice(setting, START)
    if name == "class":
        page = explain_class(CLASS_RULES.set_up(30), START)
    else:
        rules = GAMES[name]
        page = explain_game(rules.set_up(seats or min(3, rules.max_players)), setting, START)
    assert page is not None, f"{name} is not explained"
    return page


ALL = (*GAMES, "class", "practice")


def every_page(name: str, method: ThrowMethod = ThrowMethod.HANDS) -> list[HowToPlayPage]:
    first = explanation(name, method)
    return [first.turn(number) for number in range(len(first.pages))]


def shots_of(page: HowToPlayPage) -> tuple[Shot, ...]:
    scene = page.page.scene
    return (
        match_shots(scene) if isinstance(scene, MatchScene) else own_shots(scene) if isinstance(scene, OwnScene) else ()
    )


def target(page: HowToPlayPage | SetUpPage | FirstTimePage | PausePage, label: str, size: Size = (800, 480)) -> Target:
    return next(target for target in drawn(page, size).targets if target.label == label)


@pytest.mark.parametrize("name", ALL)
def test_every_game_has_three_to_six_pages_with_a_text_each(name: str) -> None:
    for method in METHODS:
        pages = explanation(name, method).pages
        assert MIN_PAGES <= len(pages) <= MAX_PAGES
        assert all(page.text.strip() for page in pages)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_every_set_up_of_every_game_is_explained(game: Game) -> None:
    """Whatever the options: with few pages, and with excerpts that can be played."""
    page = explain_game(game, WITH_HANDS, START)
    if game.rules.how_to_play(game) == ():
        assert page is None
        return
    assert page is not None and MIN_PAGES <= len(page.pages) <= MAX_PAGES
    for one in game.rules.how_to_play(game):
        if isinstance(one.scene, ExcerptScene):
            steps = one.scene.steps()
            assert steps
            assert all(step.prompt.check(step.answers) for step in steps)
            assert steps[0].prompt.kind == "throw" or game.rules.name != "battle", "nobody has left before"
    assert "{" not in " ".join(one.text for one in page.pages)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["battle", *slow(*(name for name in ALL if name != "battle"))])
def test_nothing_is_cut_in_any_language_and_the_text_can_be_read(name: str, size: Size) -> None:
    least = Theme(size).min_text_size("shared")
    for code in LANGUAGES:
        set_language(code)
        for method in METHODS:
            for page in every_page(name, method):
                canvas = drawn(replace(page, shown_s=4.0), size)
                assert [text.text for text in canvas.texts if not text.complete] == [], (code, page.number)
                assert all(text.box.contains(text.drawn) for text in canvas.texts)
                text = next(text for text in canvas.texts if text.text == render(page.page.text))
                assert text.size >= least


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("battle", dict.fromkeys(("blitz", "classic", "inverted", "count", "team", "survivor"), "wish")),
        ("battle", {"rounds": 1, "team": True, "inverted": True, "changes": True}),
        ("redeux", {"play_with": "cards", "tied_bets": "ask", "bets": "open", "goal": 1000}),
        ("tr", {"roll": "999|1-999"}),
        ("board", {"flags": 2, "start": "1"}),
        ("classic", {"best_of": 1}),
    ],
)
def test_nothing_is_cut_with_other_options(name: str, options: dict[str, Value], size: Size) -> None:
    page = explain_game(GAMES[name].set_up(2, options), WITH_HANDS, START)
    assert page is not None
    for code in LANGUAGES:
        set_language(code)
        for number in range(len(page.pages)):
            assert [text.text for text in drawn(page.turn(number), size).texts if not text.complete] == [], code


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ALL)
def test_pictured_pages_are_whole_and_the_finger_touches(name: str, size: Size) -> None:
    for page in [*every_page(name), *every_page(name, ThrowMethod.SCREEN)]:
        for shot in shots_of(page):
            canvas = draw_page(pygame.Surface(size, 0, 32), shot.view.page_to_draw)
            assert [text.text for text in canvas.texts if not text.complete] == []
            if shot.touch is not None:
                assert [one for one in canvas.targets if shot.touch in (one.press, one.button_press)], (
                    shot.view,
                    shot.touch,
                )


@pytest.mark.parametrize("name", ALL)
def test_every_picture_moves_and_begins_again(name: str) -> None:
    for page in every_page(name):
        pictures = [render_image(replace(page, shown_s=at), (800, 480)) for at in (0.0, 0.5, 1.1, 1.9, 2.6, 3.4)]
        assert len({picture.tobytes() for picture in pictures}) > 1, page.number
        if shots := shots_of(page):
            whole_s = sum(shot.seconds for shot in shots)
            again = render_image(replace(page, shown_s=whole_s), (800, 480))
            assert np.array_equal(again, pictures[0])


def test_how_to_play_pictures_follow_window_time() -> None:
    page = explanation("classic")
    scene = WindowScene(page, 0, Dialogue(page))
    assert scene.automatic_reply(1_500_000_000) is None
    shown = scene.page_at(1_500_000_000)
    assert isinstance(shown, HowToPlayPage) and shown.shown_s == 1.5
    following = shown.press(target(shown, "Next").press)
    assert isinstance(following, HowToPlayPage) and (following.number, following.shown_s) == (1, 0.0)
    assert following.key != shown.key, "a second tap soon after the page was turned doesn’t turn it again"


def test_a_page_that_people_read_stays_longer_than_the_home_page() -> None:
    menu = GameMenu(tuple(GAMES.values()), idle_timeout_s=60.0)
    scene = WindowScene(menu, 0, Dialogue(menu))
    assert scene.is_idle(0, 60_000_000_000)
    assert scene.dialogue is not None
    scene.dialogue.go_to(explanation("classic"))
    assert not scene.is_idle(0, 299_000_000_000) and scene.is_idle(0, 300_000_000_000)


def read_through(page: HowToPlayPage, size: Size) -> list[HowToPlayPage]:
    pages = [page]
    while not pages[-1].is_last:
        following = pages[-1].press(target(pages[-1], "Next", size).press)
        assert isinstance(following, HowToPlayPage)
        pages.append(following)
    return pages


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ALL)
def test_pages_are_turned_both_ways_and_left(name: str, size: Size) -> None:
    pages = read_through(explanation(name), size)
    assert [page.number for page in pages] == list(range(len(pages)))
    for page in pages:
        labels = [one.label for one in drawn(page, size).targets]
        leave = "Got it" if page.is_last else "Skip"
        assert labels.count(leave) == 1 and page.press(target(page, leave, size).press) == START
        if page.number:
            assert page.press(target(page, "Back", size).press) == replace(pages[page.number - 1], shown_s=0.0)
        else:
            assert "Back" not in labels


def test_a_seats_buttons_turn_the_pages_and_leave() -> None:
    page = explanation("redeux")
    targets = drawn(page).targets
    confirm, hold = ButtonAction.CONFIRM, ButtonAction.CONFIRM_HOLD
    following = handle_button(page, targets, Focus(), ButtonEvent(1, confirm, 0)).result
    assert following == page.turn(1)
    assert handle_button(page, targets, Focus(), ButtonEvent(1, hold, 0)).result == START
    last = page.turn(len(page.pages) - 1)
    assert handle_button(last, drawn(last).targets, Focus(), ButtonEvent(2, hold, 0)).result == START


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_set_up_keeps_its_choices_through_how_to_play(name: str, size: Size) -> None:
    menu = GameMenu(tuple(GAMES.values()), throwing=ThrowSetting(ThrowMethod.SCREEN))
    page = set_up_page(menu, GAMES[name])
    page = replace(page, seats=min(GAMES[name].max_players, 4))
    first = page.press(target(page, str(HOW_TO_PLAY), size).press)
    assert isinstance(first, HowToPlayPage)
    assert first.press(target(first, "Skip", size).press) == page
    assert read_through(first, size)[-1].then == page
    assert all("camera" not in one.text and "SHOOT" not in one.text for one in first.pages)


def test_a_class_is_explained_with_its_cards() -> None:
    menu = GameMenu((CLASS_RULES,), seat_limit=99, can_go_back=True)
    page = set_up_page(menu, menu.games[0])
    first = page.press(target(page, str(HOW_TO_PLAY)).press)
    assert isinstance(first, HowToPlayPage)
    assert any(str(ROLL_CALL) in one.text for one in first.pages)


def test_a_game_without_pages_has_no_button() -> None:
    rules = replace(home_samples.games()[0], name="other")
    page = set_up_page(GameMenu((rules,)), rules)
    assert explain_game(rules.set_up(2), WITH_HANDS, START) is None
    assert str(HOW_TO_PLAY) not in [one.label for one in drawn(page).targets]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_pause_leads_to_the_pages_and_back_to_itself(size: Size) -> None:
    game = GAMES["redeux"].set_up(2)
    explain = partial(explain_game, game, WITH_HANDS)
    pause = PausePage("Match 1", "The clock has stopped.", can_undo=True, explain=explain)
    first = pause.press(target(pause, str(HOW_TO_PLAY), size).press)
    assert isinstance(first, HowToPlayPage)
    assert first.press(target(first, "Skip", size).press) == pause
    assert str(HOW_TO_PLAY) not in [one.label for one in drawn(replace(pause, explain=lambda then: None), size).targets]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_offer_is_skipped_by_one_touch_and_ends_with_the_match(size: Size) -> None:
    page = FirstTimePage(replace(explanation("future"), done="Start"))
    assert page.press(target(page, "Start", size).press) == START
    first = page.press(target(page, str(HOW_TO_PLAY), size).press)
    assert isinstance(first, HowToPlayPage)
    last = read_through(first, size)[-1]
    assert last.press(target(last, "Start", size).press) == START
    hold = handle_button(page, drawn(page, size).targets, Focus(), ButtonEvent(1, ButtonAction.CONFIRM_HOLD, 0))
    assert hold.result == Reply("back")


def test_the_texts_follow_the_options() -> None:
    def texts(name: str, seats: int, **options: object) -> str:
        page = explain_game(GAMES[name].set_up(seats, options), WITH_HANDS, START)  # type: ignore[arg-type]
        assert page is not None
        return " ".join(one.text for one in page.pages)

    assert "Whoever wins 4 rounds first wins" in texts("classic", 2, best_of=7)
    assert "losers drop out" in texts("classic", 5)
    assert "Whoever has 150 points first wins" in texts("redeux", 2, goal=150)
    assert "Risk Rounds" not in texts("redeux", 2, risk="never")
    straight = texts("redeux", 2, starting_points=20)
    assert "A variation" in straight and "20 points" in straight and "After three rounds" not in straight
    assert "The player throws 5 times" in texts("tr", 2, roll="5|1-2")
    assert "Destroy both" in texts("board", 2, flags=2)
    assert "(2)" in texts("tr", 2, roll="5|1-2")
    assert str(BEATS_INVERTED) in texts("battle", 3, inverted=True)
    assert "the other team" in texts("battle", 4, team=True)
    assert "Winning streaks" not in texts("battle", 3, classic=True)


def test_the_time_to_the_lock_is_that_of_the_house_rules() -> None:
    page = explain_game(GAMES["classic"].set_up(2), ThrowSetting(window_ms=275, card_window_ms=900), START)
    cards = explain_game(GAMES["classic"].set_up(2), ThrowSetting(ThrowMethod.CARDS, 275, 900), START)
    assert page is not None and cards is not None
    assert "275 ms" in page.pages[1].text and "900 ms" in cards.pages[1].text
    labels = {text.text for text in drawn(replace(page.turn(1), shown_s=8.0)).texts}
    assert any("275" in label for label in labels), "on the time line too"
    reveals = [shot.view for shot in shots_of(page.turn(2)) if isinstance(shot.view, Reveal)]
    assert {view.window_ms for view in reveals} == {275}


def test_an_answer_that_is_not_allowed_is_replaced_by_a_legal_one() -> None:
    scene = excerpt(GAMES["redeux"].set_up(2), {"throw": [{1: "lizard", 2: "rock"}]}, "throw", 1)
    (step,) = scene.steps()
    allowed = step.prompt.seats[1]
    assert isinstance(allowed, Choices) and step.answers[1] in allowed.values and step.answers[2] == "rock"


@pytest.mark.parametrize("name", ALL)
def test_the_same_explanation_is_equal(name: str) -> None:
    assert explanation(name) == explanation(name)


def test_an_excerpt_with_more_players_differs() -> None:
    assert explanation("redeux", seats=2) != explanation("redeux", seats=3)
