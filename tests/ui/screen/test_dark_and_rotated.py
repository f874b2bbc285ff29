"""A window on a screen that is rotated, and one that goes dark while nobody plays."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest

from device.camera.frames import Pixels
from device.gpio.buttons import ButtonAction, ButtonEvent
from device.system.clock import SimulatedClock
from tests.helpers.samples.common import players
from tests.helpers.samples.question import choice_question
from tests.helpers.waiting import LIMIT_S
from throwlock.settings.model import Settings
from throwlock.settings.pages import (
    KEEP_ROTATION,
    KEEP_THIS,
    ROTATED,
    UNDO_ROTATION,
    change_settings,
    settings_on_screen,
)
from ui.screen.core.png_display import render_image
from ui.screen.core.registry import paint
from ui.screen.core.screen import ROTATIONS, Backlights, Screen, set_dark_after, set_rotation
from ui.screen.core.window import Window
from ui.screen.input import SETTLE_TIME_NS
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.notice import Notice
from ui.screen.pages.settings import SettingsAnswer, SettingsView
from ui.screen.views import Answer, InteractiveView, Reply, View

MINUTE_NS = 60_000_000_000
YES_NO = choice_question((True, False), "risk")
IDLE_NOTICE = Notice("Unfinished match", "Resume it?", ("go on", "stop"), is_idle=True)
Play = Callable[[Window], object]


class Box:
    """A window in this thread, and people in another: ``run`` asks a view and acts."""

    def __init__(self, screen: Screen) -> None:
        self.clock, self.turns, self.errors = SimulatedClock(), threading.Semaphore(0), list[BaseException]()
        self.drawn, self.acted = threading.Event(), threading.Event()
        self.over = False
        self.window = Window(
            clock=self.clock, screen=screen, on_loop=self.turns.release, on_drawn=lambda page: self.drawn.set()
        )

    def run(self, view: View, act: Callable[["Box"], None]) -> object:
        """Ask ``view``, or show it if people can't answer it, and ``act`` meanwhile."""

        def play(window: Window) -> object:
            if isinstance(view, InteractiveView):
                return window.ask(view)
            window.show(view)
            return self.acted.wait(LIMIT_S)

        return self.run_with(play, act)

    def run_with(self, play: Play, act: Callable[["Box"], None]) -> object:
        """Run ``play`` in the window and ``act`` meanwhile."""

        def people() -> None:
            try:
                while not self.drawn.is_set():
                    self.settle()
                act(self)
            except BaseException as error:
                self.errors.append(error)
            self.acted.set()
            with suppress(pygame.error):
                self.window.leave()  # if nobody has answered

        thread = threading.Thread(target=people)

        def start(window: Window) -> object:
            thread.start()
            return play(window)

        try:
            return self.window.run(start)
        finally:
            self.over = True
            self.turns.release(10)
            thread.join()
            if self.errors:
                raise self.errors[0]

    def advance(self, nanoseconds: int) -> None:
        """Let time pass, and the window notice it."""
        self.clock.wait_until(self.clock.now_ns() + nanoseconds)
        self.settle()

    def shows(self, image: Pixels, quarter_turns: int = 0) -> bool:
        """Whether the window shows ``image``, at the latest once the thread that plays has gone on."""
        for _ in range(100):
            if np.array_equal(np.rot90(self.pixels(), quarter_turns), image):
                return True
            self.settle()
        return False

    def settle(self) -> None:
        """Wait until the window has taken all input so far and drawn what follows."""
        for _ in range(3):
            while not self.over and self.turns.acquire(blocking=False):
                pass
            with suppress(pygame.error):  # the window may be closed by now
                pygame.event.post(pygame.event.Event(pygame.USEREVENT))
            assert self.over or self.turns.acquire(timeout=LIMIT_S)

    def pixels(self) -> Pixels:
        display = pygame.display.get_surface()
        assert display is not None
        return pygame.surfarray.array3d(display).swapaxes(0, 1)

    def is_black(self) -> bool:
        return not self.pixels().any()

    def post(self, kind: int, **values: object) -> None:
        with suppress(pygame.error):
            pygame.event.post(pygame.event.Event(kind, values))
        self.settle()

    def tap(self, at: tuple[int, int]) -> None:
        """Touch the screen's pixel ``at``."""
        width, height = self.pixels().shape[1::-1]
        finger = {"touch_id": 1, "finger_id": 0, "x": at[0] / (width - 1), "y": at[1] / (height - 1)}
        self.post(pygame.FINGERDOWN, **finger)
        self.post(pygame.FINGERUP, **finger)

    def centre(self, view: View, answer: Answer) -> tuple[int, int]:
        """Return where the target that answers ``answer`` is on an upright page."""
        width, height = pygame.display.get_window_size()
        targets = paint(pygame.Surface((width, height), 0, 32), view)
        return next(target.rect.center for target in targets if target.press == Reply(answer))


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    set_rotation(0)
    set_dark_after(0)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    light = tmp_path / "10-0045"
    light.mkdir()
    (light / "bl_power").write_text("0\n")
    return Box(Screen(fullscreen=True, backlights=Backlights(tmp_path)))


def light(tmp_path: Path) -> str:
    return (tmp_path / "10-0045" / "bl_power").read_text().strip()


@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("mouse", [False, True], ids=["finger", "mouse"])
def test_a_rotated_page_is_read_and_touched(rotation: int, mouse: bool) -> None:
    set_rotation(rotation)
    physical = (480, 800)
    upright = physical if rotation in (0, 180) else physical[::-1]
    box = Box(Screen(physical))

    def act(box: Box) -> None:
        box.advance(SETTLE_TIME_NS)
        shown = np.rot90(box.pixels(), rotation // 90)  # turned back, counterclockwise
        assert np.array_equal(shown, render_image(YES_NO, upright))
        targets = paint(pygame.Surface(upright, 0, 32), YES_NO)
        x, y = next(target.rect.center for target in targets if target.press == Reply(False))
        at = {
            0: (x, y),
            90: (physical[0] - 1 - y, x),
            180: (physical[0] - 1 - x, physical[1] - 1 - y),
            270: (y, physical[1] - 1 - x),
        }[rotation]
        if mouse:
            box.post(pygame.MOUSEBUTTONDOWN, pos=at, button=1, touch=False)
            box.post(pygame.MOUSEBUTTONUP, pos=at, button=1, touch=False)
        else:
            box.tap(at)

    assert box.run(YES_NO, act) is False


def test_the_page_turns_as_soon_as_the_rotation_changes(box: Box) -> None:
    def act(box: Box) -> None:
        box.settle()
        upright = box.pixels()
        for rotation in (90, 270, 180, 0):  # 90 and 270 have the same size
            set_rotation(rotation)
            box.advance(SETTLE_TIME_NS)
            size = upright.shape[1::-1] if rotation in (0, 180) else upright.shape[:2]
            expected = render_image(YES_NO, (int(size[0]), int(size[1])))
            assert np.array_equal(np.rot90(box.pixels(), rotation // 90), expected), rotation
        box.tap(box.centre(YES_NO, True))

    assert box.run(YES_NO, act) is True


def test_a_rotation_chosen_by_touch_goes_back_by_itself(box: Box, tmp_path: Path) -> None:
    path, now = tmp_path / "throwlock.toml", Settings()
    page = SettingsView(settings_on_screen(now), "screen", f"Saved in {path}")
    question = Notice(KEEP_THIS, ROTATED, (KEEP_ROTATION, UNDO_ROTATION), seconds_left=15)

    def act(box: Box) -> None:
        width, height = box.pixels().shape[1::-1]
        box.advance(SETTLE_TIME_NS)
        box.tap(box.centre(page, SettingsAnswer({"screen.rotation": 90}, "screen")))
        box.settle()
        assert box.shows(render_image(question, (height, width)), 1)
        box.advance(14_000_000_000)
        assert np.array_equal(
            np.rot90(box.pixels(), 1), render_image(replace(question, seconds_left=1), (height, width))
        )
        box.advance(1_000_000_000)
        assert box.shows(render_image(page, (width, height))), "upright again, and on the settings"
        box.advance(SETTLE_TIME_NS)
        box.tap(box.centre(page, SettingsAnswer({}, None)))

    assert box.run_with(lambda window: change_settings(window, path, now), act) == now
    assert not path.exists()


@pytest.mark.parametrize("view", [AttractMode(), IDLE_NOTICE], ids=["attract", "notice"])
def test_an_idle_screen_goes_dark_and_the_first_touch_only_wakes_it(
    box: Box, tmp_path: Path, view: InteractiveView
) -> None:
    set_dark_after(10)

    def act(box: Box) -> None:
        box.advance(SETTLE_TIME_NS)
        box.advance(10 * MINUTE_NS - 2 * SETTLE_TIME_NS)
        assert not box.is_black() and light(tmp_path) == "0"
        box.advance(2 * SETTLE_TIME_NS)
        assert box.is_black() and light(tmp_path) == "4"
        box.advance(60 * MINUTE_NS)
        assert box.is_black()
        at = (10, 10) if isinstance(view, AttractMode) else box.centre(view, "go on")
        box.tap(at)
        assert not box.is_black() and light(tmp_path) == "0"
        box.post(pygame.MOUSEBUTTONDOWN, pos=at, button=1, touch=True)  # SDL's copy of the touch
        box.advance(2 * SETTLE_TIME_NS)
        box.tap(at)

    assert box.run(view, act) == ("home" if isinstance(view, AttractMode) else "go on")


@pytest.mark.parametrize("wake", ["key", "button", "mouse"])
def test_any_input_wakes_it_and_begins_the_time_again(box: Box, wake: str) -> None:
    set_dark_after(5)

    def act(box: Box) -> None:
        box.advance(6 * MINUTE_NS)
        assert box.is_black()
        if wake == "key":
            box.post(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="", scancode=40)
        elif wake == "button":
            box.window.handle_button(ButtonEvent(1, ButtonAction.CONFIRM, box.clock.now_ns()))
            box.settle()
        else:
            box.post(pygame.MOUSEMOTION, pos=(5, 5), rel=(1, 1), buttons=(0, 0, 0), touch=False)
        assert not box.is_black()
        box.advance(4 * MINUTE_NS)
        assert not box.is_black()
        box.advance(2 * MINUTE_NS)
        assert box.is_black()
        box.window.leave()

    with pytest.raises(Exception, match="closed"):
        box.run(IDLE_NOTICE, act)


def test_never_in_a_match_nor_while_a_clock_runs(box: Box, tmp_path: Path) -> None:
    set_dark_after(1)

    def act(box: Box) -> None:
        box.advance(600 * MINUTE_NS)
        assert not box.is_black() and light(tmp_path) == "0"
        box.advance(SETTLE_TIME_NS)
        box.tap(box.centre(YES_NO, True))

    assert box.run(YES_NO, act) is True
    timed = Notice("Keep this?", "It turns back.", ("keep it",), seconds_left=200.0, is_idle=True)
    again = Box(Screen(fullscreen=True, backlights=Backlights(tmp_path)))

    def wait(box: Box) -> None:
        box.advance(2 * MINUTE_NS)
        assert not box.is_black()
        box.advance(2 * MINUTE_NS)

    assert again.run(timed, wait) is None, "nobody answered in time"


def test_a_match_wakes_the_screen(box: Box, tmp_path: Path) -> None:
    set_dark_after(1)
    count = Countdown(players(2), "Round 1", ("ROCK", "SHOOT"), 0)

    def act(box: Box) -> None:
        box.advance(5 * MINUTE_NS)
        assert not box.is_black()
        box.window.show(AttractMode())
        box.settle()
        box.advance(MINUTE_NS - 1)
        assert not box.is_black(), "the minute begins when the match ends"
        box.advance(1)
        assert box.is_black() and light(tmp_path) == "4"
        box.window.show(count)
        box.settle()
        assert not box.is_black() and light(tmp_path) == "0"
        box.window.show(AttractMode())
        box.advance(2 * MINUTE_NS)
        assert light(tmp_path) == "4"

    box.run(count, act)
    assert light(tmp_path) == "0"


@pytest.mark.parametrize(("minutes", "fullscreen"), [(0, True), (1, False)], ids=["never", "desktop"])
def test_screen_stays_on_by_setting_and_on_a_desktop(tmp_path: Path, minutes: int, fullscreen: bool) -> None:
    set_dark_after(minutes)
    box = Box(Screen(fullscreen=fullscreen, backlights=Backlights(tmp_path)))

    def act(box: Box) -> None:
        box.advance(600 * MINUTE_NS)
        assert not box.is_black()
        box.window.leave()

    with pytest.raises(Exception, match="closed"):
        box.run(IDLE_NOTICE, act)
