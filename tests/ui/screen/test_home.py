"""What the box shows while nobody is there: how a round goes, by the time alone, until somebody touches anything."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.gpio.buttons import SeatStroke, Stroke
from device.system.clock import JumpingClock
from throwlock.launch_options import Wanted
from throwlock.review.lan_switch import Network
from throwlock.session import Evening
from tools.gallery.gallery import games
from ui.screen.core.display import Display
from ui.screen.core.focus import SETTLE_NS
from ui.screen.core.page_stack import Asking, Pick
from ui.screen.core.png_display import picture
from ui.screen.core.window import Window
from ui.screen.drawing.registry import draw
from ui.screen.pages.home.view import LOOP_S, SCENES, scene_at
from ui.screen.pages.views import IDLE, Answer, Attract, Choosing, Chosen, View

SIZE = (800, 480)
WAIT_S = 60.0


@given(st.floats(0, 1e6))
def test_every_moment_is_in_a_scene_and_the_scenes_follow_each_other(seconds: float) -> None:
    scene, passed = scene_at(seconds)
    assert scene in SCENES and 0.0 <= passed <= 1.0


def test_the_loop_begins_again() -> None:
    begins = [scene_at(at * 0.1)[0] for at in range(round(LOOP_S * 10) + 1)]
    assert list(dict.fromkeys(begins)) == list(SCENES)
    assert scene_at(LOOP_S)[0] == SCENES[0]
    assert (picture(Attract(3.0), SIZE) == picture(Attract(3.0 + LOOP_S), SIZE)).all()


def test_it_is_explained_in_five_sentences_and_says_what_to_do() -> None:
    seen = set()
    for at in range(round(LOOP_S * 4)):
        texts = draw(pygame.Surface(SIZE, 0, 32), Attract(at / 4)).texts
        assert all(text.whole for text in texts)
        seen |= {text.text for text in texts}
    assert {str(scene.sentence) for scene in SCENES} <= seen and len(SCENES) == 5
    assert "Touch to play" in seen


def in_window(play: Callable[[Display], Answer], hand: Callable[[Window, JumpingClock], None]) -> Answer:
    """What came of ``play`` in a window, while ``hand`` did its part in a thread of its own."""
    clock = JumpingClock()
    window = Window(SIZE, clock=clock)
    thread = threading.Thread(target=hand, args=(window, clock))
    thread.start()
    try:
        return window.run(play)
    finally:
        thread.join()


def until(true: Callable[[], bool]) -> None:
    """Wait until ``true``."""
    end, tick = time.monotonic() + WAIT_S, threading.Event()
    while not true():
        assert time.monotonic() < end, "the window never came so far"
        tick.wait(0.005)


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
    def hand(window: Window, clock: JumpingClock) -> None:
        until(lambda: bool(window._targets))
        clock.wait_until(clock.now_ns() + SETTLE_NS)
        if event is None:
            window.stroke(SeatStroke(2, Stroke.RAISE, clock.now_ns()))
        else:
            pygame.event.post(event)

    assert in_window(lambda display: display.ask(Attract()), hand) == "home"


def test_a_choice_of_games_is_idle_once_nobody_has_touched_it_for_so_long() -> None:
    came: list[int] = []

    def hand(window: Window, clock: JumpingClock) -> None:
        until(lambda: bool(window._targets))
        clock.wait_until(clock.now_ns() + 59_000_000_000)
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, {"pos": (5, 5), "rel": (0, 0), "touch": False}))
        until(lambda: window._active_ns > 0)
        came.append(clock.now_ns())
        clock.wait_until(clock.now_ns() + 60_000_000_000)

    choosing = Choosing(games(), (), 60.0)
    assert in_window(lambda display: display.ask(choosing), hand) == IDLE
    assert len(came) == 1, "it waited for sixty seconds after the mouse had moved"


def test_a_choice_of_games_without_a_time_waits_for_ever() -> None:
    def hand(window: Window, clock: JumpingClock) -> None:
        until(lambda: bool(window._targets))
        clock.wait_until(clock.now_ns() + 10_000_000_000_000)
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    with pytest.raises(Exception, match="closed"):
        in_window(lambda display: display.ask(Choosing(games())), hand)
    assert Pick("classic") in {target.press for target in draw(pygame.Surface(SIZE, 0, 32), Choosing(games())).targets}


class Passing:
    """A screen that nobody is at for a while, and then somebody is who chooses ``chosen``."""

    def __init__(self, chosen: Chosen) -> None:
        self.answers: list[Answer] = [IDLE, "home", chosen]
        self.seen: list[str] = []

    def show(self, view: View) -> None:
        raise AssertionError(f"nothing is shown that nobody can end: {view}")

    def ask(self, view: Asking) -> Answer:
        self.seen.append(type(view).__name__)
        return self.answers.pop(0)


def test_home_left_alone_shows_it_and_comes_back(tmp_path: Path) -> None:
    chosen = Chosen("classic", 2, {})
    screen = Passing(chosen)
    with Network(tmp_path / "one.journal", port=0) as network:
        evening = Evening(Wanted(tmp_path / "one.journal", "simulated"), screen, lambda *_: None, (), 0)
        assert evening.at_home(network) == chosen
    assert screen.seen == ["Choosing", "Attract", "Choosing"]
