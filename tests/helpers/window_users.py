"""A simulated user of the window on SDL's dummy driver."""

import threading
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pygame
import pytest

from device.system.clock import SimulatedClock
from tests.helpers.waiting import wait_until
from ui.screen.core.display import Display
from ui.screen.core.png_display import render_image
from ui.screen.core.registry import paint
from ui.screen.core.window import Window
from ui.screen.input import SETTLE_TIME_NS
from ui.screen.views import Press, View

T = TypeVar("T")
SIZE = (800, 480)
NOTHING = pygame.USEREVENT + 2
"""An event that the window ignores."""


class WindowUser:
    """A simulated user of the window under test."""

    def __init__(self, clock: SimulatedClock) -> None:
        self.clock = clock

    def wait_for(self, view: View, *, under: tuple[int, int] | None = None, settle: bool = True) -> None:
        """Wait until the window shows exactly ``view``, but for the button that the finger at ``under`` hides, then
        let the time pass after which touches count."""
        expected = render_image(view, SIZE)
        hidden = pygame.Rect(0, 0, 0, 0)
        if under is not None:
            targets = paint(pygame.Surface(SIZE, 0, 32), view)
            hidden = next(target.rect for target in targets if target.rect.collidepoint(under)).inflate(16, 16)

        def is_shown() -> bool:
            screen = pygame.display.get_surface()
            if screen is None:
                return False
            shown = pygame.surfarray.array3d(screen).swapaxes(0, 1)
            part = slice(hidden.top, hidden.bottom), slice(hidden.left, hidden.right)
            shown[part] = expected[part]
            return np.array_equal(shown, expected)

        wait_until(is_shown, f"{view} in the window")
        self._let_handle()
        self.advance(SETTLE_TIME_NS if settle else 0)

    def _let_handle(self) -> None:
        """Wait until the window has handled every touch so far: it takes all that there are, and draws between them."""
        for _ in range(2):  # the second is only taken once what came with the first is handled
            pygame.event.post(pygame.event.Event(NOTHING))
            wait_until(lambda: not pygame.event.peek(NOTHING, pump=False), "the next look for touches")

    def advance(self, nanoseconds: int) -> None:
        self.clock.wait_until(self.clock.now_ns() + nanoseconds)

    def post_finger(self, at: tuple[float, float], kind: int, finger: int = 0) -> None:
        x, y = at[0] / (SIZE[0] - 1), at[1] / (SIZE[1] - 1)
        event = {"touch_id": 1, "finger_id": finger, "x": x, "y": y, "dx": 0.0, "dy": 0.0, "pressure": 1.0}
        pygame.event.post(pygame.event.Event(kind, event))

    def post_mouse(self, at: tuple[int, int], kind: int, *, touch: bool = False, button: int = 1) -> None:
        pygame.event.post(pygame.event.Event(kind, {"pos": at, "button": button, "touch": touch}))

    def tap(self, at: tuple[int, int]) -> None:
        self.post_finger(at, pygame.FINGERDOWN)
        self.post_finger(at, pygame.FINGERUP)

    def click(self, at: tuple[int, int], *, touch: bool = False, button: int = 1) -> None:
        self.post_mouse(at, pygame.MOUSEBUTTONDOWN, touch=touch, button=button)
        self.post_mouse(at, pygame.MOUSEBUTTONUP, touch=touch, button=button)

    def is_closed(self) -> bool:
        """Whether the window is closed."""
        return not pygame.display.get_init() or pygame.display.get_surface() is None

    def press_keys(self, *keys: int) -> None:
        for key in keys:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, {"key": key, "mod": 0, "unicode": ""}))


def target_centre(view: View, press: Press) -> tuple[int, int]:
    """Return the centre of the target on ``view`` that means ``press``."""
    targets = paint(pygame.Surface(SIZE, 0, 32), view)
    return next(target.rect.center for target in targets if target.press == press)


@pytest.fixture
def run_in_window(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[Callable[[Display], T], Callable[[WindowUser], None]], T]:
    """Return a function that runs ``play`` in a window while a user acts; an error of the user closes the window and
    fails the test."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")

    def run(play: Callable[[Display], T], act: Callable[[WindowUser], None]) -> T:
        clock, errors = SimulatedClock(), []

        def run_user() -> None:
            try:
                act(WindowUser(clock))
            except BaseException as error:
                errors.append(error)
                pygame.event.post(pygame.event.Event(pygame.QUIT))

        user = threading.Thread(target=run_user)
        user.start()
        try:
            return Window(SIZE, clock=clock).run(play)
        finally:
            user.join()
            if errors:
                raise errors[0]

    return run


RunInWindow = Callable[[Callable[[Display], object], Callable[[WindowUser], None]], object]
