"""The attract page: a round explained by time alone until somebody touches anything."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.gpio.buttons import ButtonAction, ButtonEvent
from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from tests.helpers.page_rules import drawn
from tests.helpers.samples.home import games
from tests.helpers.waiting import LIMIT_S
from throwlock.home import GameSession
from throwlock.launch_options import LaunchOptions
from throwlock.unfinished_match import PlainMatch
from ui.screen.core.display import Display
from ui.screen.core.png_display import PANEL_SIZES, render_image
from ui.screen.core.window import Window
from ui.screen.input import SETTLE_TIME_NS
from ui.screen.pages.attract import ATTRACT_SCENES, AttractMode, scene_at
from ui.screen.pages.home import IDLE_ANSWER, ChosenGame, GameMenu, set_up_page
from ui.screen.views import Answer, InteractiveView, Reply, View

SIZE = (800, 480)


LOOP_DURATION_S = sum(scene.duration_s for scene in ATTRACT_SCENES)


@given(st.floats(0, 1e6))
def test_every_moment_is_in_a_scene_and_the_scenes_follow_each_other(seconds: float) -> None:
    scene, passed = scene_at(seconds)
    assert scene in ATTRACT_SCENES and 0.0 <= passed <= 1.0


def test_the_loop_begins_again() -> None:
    begins = [scene_at(at * 0.1)[0] for at in range(round(LOOP_DURATION_S * 10) + 1)]
    assert list(dict.fromkeys(begins)) == list(ATTRACT_SCENES)
    assert scene_at(LOOP_DURATION_S)[0] == ATTRACT_SCENES[0]
    assert (render_image(AttractMode(3.0), SIZE) == render_image(AttractMode(3.0 + LOOP_DURATION_S), SIZE)).all()


def test_it_is_explained_in_five_sentences_and_says_what_to_do() -> None:
    seen = set()
    for at in range(round(LOOP_DURATION_S * 4)):
        texts = drawn(AttractMode(at / 4), SIZE).texts
        assert all(text.complete for text in texts)
        seen |= {text.text for text in texts}
    assert {str(scene.sentence) for scene in ATTRACT_SCENES} <= seen and len(ATTRACT_SCENES) == 5
    assert "Touch to play" in seen


def test_still_part_of_a_scene_is_one_picture() -> None:
    page, times = AttractMode(), [number / 60 for number in range(round(2 * LOOP_DURATION_S * 60))]
    pictures = [page.at_time(at) for at in times]
    assert len(set(pictures[: len(pictures) // 2])) < 0.6 * len(times) / 2, "half of the time nothing moves"
    for at in times:
        still_s = page.still_s(at)
        assert 0.0 <= still_s < 3.2
        assert still_s < 1e-9 or page.at_time(at + 0.99 * still_s) == page.at_time(at), at
    for scene in ATTRACT_SCENES:
        assert scene.name in {scene_at(picture.shown_s)[0].name for picture in pictures}


@pytest.mark.parametrize("at", [1.0, 3.7, 4.6, 6.0, 9.0, 10.7, 12.0, 14.5, 15.0, 17.5])
def test_a_still_picture_is_that_of_its_time(at: float) -> None:
    assert (render_image(AttractMode(at), SIZE) == render_image(AttractMode().at_time(at), SIZE)).all()


class WatchedWindow(Window):
    """A window of which another thread knows that it has drawn a page, or taken what came in."""

    def __init__(self, clock: SimulatedClock) -> None:
        self._drawn, self._turns = threading.Event(), threading.Semaphore(0)
        super().__init__(SIZE, clock=clock, on_drawn=lambda view: self._drawn.set(), on_loop=self._turns.release)

    def wait_for_page(self) -> None:
        assert self._drawn.wait(LIMIT_S), "the window never drew a page"

    def wait_for_input(self) -> None:
        """Wait until the window has taken every event that was posted before."""
        while self._turns.acquire(blocking=False):
            pass
        for _ in range(2):  # the first may have begun before the event was posted
            assert self._turns.acquire(timeout=LIMIT_S), "the window stands still"


def in_window(play: Callable[[Display], Answer], hand: Callable[[WatchedWindow, SimulatedClock], None]) -> Answer:
    """Return what ``play`` returned in a window, while ``hand`` did its part in a thread of its own."""
    clock = SimulatedClock()
    window = WatchedWindow(clock)
    thread = threading.Thread(target=hand, args=(window, clock))
    thread.start()
    try:
        return window.run(play)
    finally:
        thread.join()


@pytest.fixture(autouse=True)
def dummy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.mark.parametrize(
    "event",
    [
        pygame.event.Event(pygame.KEYDOWN, {"key": pygame.K_ESCAPE, "mod": 0, "unicode": "", "scancode": 0}),
        pygame.event.Event(
            pygame.FINGERDOWN,
            {"touch_id": 1, "finger_id": 0, "x": 0.1, "y": 0.1, "dx": 0.0, "dy": 0.0, "pressure": 1.0},
        ),
        pygame.event.Event(pygame.MOUSEBUTTONDOWN, {"pos": (9, 9), "button": 3, "touch": False}),
        None,
    ],
    ids=["key", "finger", "mouse", "stroke"],
)
def test_anything_ends_it(event: pygame.event.Event | None) -> None:
    def hand(window: WatchedWindow, clock: SimulatedClock) -> None:
        window.wait_for_page()
        clock.wait_until(clock.now_ns() + SETTLE_TIME_NS)
        if event is None:
            window.handle_button(ButtonEvent(2, ButtonAction.RAISE, clock.now_ns()))
        else:
            pygame.event.post(event)

    assert in_window(lambda display: display.ask(AttractMode()), hand) == "home"


def test_an_untouched_choice_of_games_becomes_idle() -> None:
    came: list[int] = []

    def hand(window: WatchedWindow, clock: SimulatedClock) -> None:
        window.wait_for_page()
        clock.wait_until(clock.now_ns() + 59_000_000_000)
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, {"pos": (5, 5), "rel": (0, 0), "touch": False}))
        window.wait_for_input()
        came.append(clock.now_ns())
        clock.wait_until(clock.now_ns() + 60_000_000_000)

    choosing = GameMenu(games(), (), 60.0)
    assert in_window(lambda display: display.ask(choosing), hand) == IDLE_ANSWER
    assert len(came) == 1, "it waited for sixty seconds after the mouse had moved"


def test_a_choice_of_games_without_a_time_waits_for_ever() -> None:
    def hand(window: WatchedWindow, clock: SimulatedClock) -> None:
        window.wait_for_page()
        clock.wait_until(clock.now_ns() + 10_000_000_000_000)
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    with pytest.raises(Exception, match="closed"):
        in_window(lambda display: display.ask(GameMenu(games())), hand)
    labels = [target.label for target in drawn(GameMenu(games()), SIZE).targets]
    assert labels == ["Classic", "RPS Redeux"]


class Passing:
    """A display that is idle for a while, and on which somebody then chooses ``chosen``."""

    def __init__(self, chosen: ChosenGame) -> None:
        self.answers: list[Answer] = [IDLE_ANSWER, "home", chosen]
        self.seen: list[str] = []

    def show(self, view: View) -> None:
        raise AssertionError(f"nothing is shown that nobody can end: {view}")

    def ask(self, view: InteractiveView) -> Answer:
        self.seen.append(type(view).__name__)
        return self.answers.pop(0)


def test_home_left_alone_shows_it_and_comes_back(tmp_path: Path) -> None:
    chosen = ChosenGame("classic", 2, {})
    screen = Passing(chosen)
    evening = GameSession(LaunchOptions(tmp_path / "one.journal", "simulated"), screen, lambda *_: None, (), 0)
    assert evening.choose_game() == PlainMatch(GAMES["classic"].set_up(2, {}))
    assert screen.seen == ["GameMenu", "AttractMode", "GameMenu"]


def test_time_and_age_are_shown_where_a_game_is_chosen() -> None:
    """As the sources give them: RPS Redeux "90 seconds per 3-round game" and "7+", the board game from 12."""
    menu = GameMenu(tuple(GAMES.values()))
    for size in PANEL_SIZES:
        canvas = drawn(menu.first_page(), size)
        texts = {text.text for text in canvas.texts}
        assert {"2–8 players · 7+ · 90 s", "2 players · 12+", "2–6 players"} <= texts
        set_up = drawn(set_up_page(menu, GAMES["redeux"]), size)
        assert "90 s a game · from age 7" in {text.text for text in set_up.texts}


def test_match_that_cannot_be_dealt_says_why_and_cannot_be_started() -> None:
    page = replace(set_up_page(GameMenu(tuple(GAMES.values())), GAMES["redeux"]), seats=4)
    for name, value in (("play_with", "cards"), ("cards", "table")):
        assert page.problem is None
        page = page.with_option(name, value)
    assert page.problem is not None and "2 pairs need 2 boxes" in page.problem
    for size in PANEL_SIZES:
        refused, allowed = (drawn(one, size) for one in (page, page.with_option("boxes", 2)))
        assert any("2 pairs need 2 boxes" in text.text for text in refused.texts)
        assert not any(isinstance(target.press, Reply) for target in refused.targets)
        assert any(isinstance(target.press, Reply) for target in allowed.targets)


def test_redeux_starts_with_the_risk_rounds_in_one_touch_of_its_set_up() -> None:
    page = replace(set_up_page(GameMenu(tuple(GAMES.values())), GAMES["redeux"]), seats=4).with_option("games", 3)
    variation = GAMES["redeux"].variation
    assert variation is not None
    for size in PANEL_SIZES:
        touched = next(target.press for target in drawn(page, size).targets if target.label == variation.title)
        assert isinstance(touched, Reply) and isinstance(touched.value, ChosenGame)
        assert touched.value.seats == 4 and touched.value.options["games"] == 3
        assert touched.value.options["starting_points"] == variation.options["starting_points"]
        of_tournament = replace(page, view=replace(page.view, for_tournament=True))
        labels = [target.label for target in drawn(of_tournament, size).targets]
        assert variation.title not in labels


def test_a_game_is_set_up_for_those_who_played_last() -> None:
    menu = GameMenu(tuple(GAMES.values()), usual_seats=7)
    seats = {name: set_up_page(menu, game).seats for name, game in GAMES.items()}
    assert seats["classic"] == 7 and seats["board"] == 2
    assert all(game.min_players <= seats[name] <= game.max_players for name, game in GAMES.items())
    assert not any(set_up_page(menu, game).problem for game in GAMES.values())
