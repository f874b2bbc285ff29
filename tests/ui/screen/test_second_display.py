"""A second screen at the box's own output: another X server stands for the other graphics card. Its frame buffer must
equal what the painters draw, without buttons."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pygame
import pytest

from tests.helpers import x_server
from tests.helpers.samples.common import players
from tests.helpers.samples.result import samples as result_samples
from tests.helpers.samples.reveal import mixed_reveal
from tests.helpers.waiting import wait_until
from tests.helpers.x_server import SIZE, XServer
from tools.gallery import samples
from ui.screen.core.screen import find_second_screen, set_second_screen
from ui.screen.core.second_display import SecondDisplay, SecondOutput, SecondOutputError
from ui.screen.core.stage import Stage
from ui.screen.pages.countdown import Judging
from ui.screen.pages.second_screen import Choosing, public_view
from ui.screen.views import View

server = x_server.server
NOTHING_MOVES_NS = 60_000_000_000


def drawn(view: View) -> np.ndarray:
    """Return the pixels of a view without buttons, once nothing moves any more."""
    surface = pygame.Surface(SIZE, 0, 32)
    Stage(interactive=False).draw(surface, view.at_time(NOTHING_MOVES_NS / 1e9))
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


class Shown:
    """What a second display is given, shown for a minute already."""

    def __init__(self) -> None:
        self.view: View = Choosing(players(2), {1: True, 2: False})

    def __call__(self) -> tuple[View, int]:
        return self.view, 0


@pytest.fixture
def output(server: XServer) -> Iterator[SecondOutput]:
    made = SecondOutput({**server.environment, "SDL_VIDEODRIVER": "x11"})
    yield made
    made.close()


def wait_for(server: XServer, view: View) -> None:
    wanted = drawn(view)
    wait_until(lambda: np.array_equal(server.read_screen(), wanted), f"{type(view).__name__} on the second screen")


def test_every_public_page_is_on_the_second_screen_without_buttons(server: XServer, output: SecondOutput) -> None:
    assert output.surface.get_size() == SIZE
    shown = Shown()
    display = SecondDisplay(shown, lambda: NOTHING_MOVES_NS, lambda: output)
    display.start()
    try:
        for view in (mixed_reveal(2), result_samples()["result-3"], Judging(players(3)), Choosing(is_paused=True)):
            shown.view = public_view(view) if not isinstance(view, Choosing) else view
            display.wake()
            wait_for(server, shown.view)
        set_second_screen(False)
        display.wake()
        wait_until(lambda: not server.read_screen().any(), "a screen that is left dark")
    finally:
        set_second_screen(True)
        display.stop()
    assert output.pid is None


@pytest.mark.parametrize(
    "name", ["countdown-2", "reveal-2", "slow-motion-3", "message-8", "showdown-won-3", "result-3"]
)
def test_there_is_nothing_to_touch(name: str) -> None:
    surface, stage, view = pygame.Surface(SIZE, 0, 32), Stage(interactive=False), public_view(samples()[name])
    stage.draw(surface, view)
    assert not stage.targets and not isinstance(view, Choosing)


def test_a_screen_that_cannot_be_opened_is_an_error() -> None:
    with pytest.raises(SecondOutputError, match="can’t be opened"):
        SecondOutput({"SDL_VIDEODRIVER": "x11", "DISPLAY": ":987"})


def test_a_screen_that_is_gone_is_looked_for_again(server: XServer) -> None:
    found: list[SecondOutput] = []

    def open_output() -> SecondOutput:
        found.append(SecondOutput({**server.environment, "SDL_VIDEODRIVER": "x11"}))
        return found[-1]

    shown = Shown()
    display = SecondDisplay(shown, lambda: NOTHING_MOVES_NS, open_output)
    display.start()
    try:
        wait_for(server, shown.view)
        assert found[0].pid is not None
        os.kill(found[0].pid, signal.SIGKILL)
        shown.view = Judging(players(2))
        display.wake()

        def looks_again() -> bool:
            display.wake()
            return len(found) > 1

        wait_until(looks_again, "another look for the screen")
        wait_for(server, shown.view)
    finally:
        display.stop()


def connect(folder: Path, name: str, number: int, status: str = "connected") -> None:
    (folder / name).mkdir()
    (folder / name / "status").write_text(f"{status}\n")
    (folder / name / "connector_id").write_text(f"{number}\n")


def test_the_second_screen_is_on_another_card_than_the_touchscreen(tmp_path: Path) -> None:
    assert find_second_screen(tmp_path) is None
    connect(tmp_path, "card2-DSI-1", 33)
    connect(tmp_path, "card1-HDMI-A-1", 32, "disconnected")
    assert find_second_screen(tmp_path) is None
    connect(tmp_path, "card1-HDMI-A-2", 42)
    assert find_second_screen(tmp_path) == (1, 0)
    (tmp_path / "card1-HDMI-A-1" / "status").write_text("connected\n")
    assert find_second_screen(tmp_path) == (1, 0)


def test_two_screens_on_one_card_are_one_screen_for_the_box(tmp_path: Path) -> None:
    connect(tmp_path, "card1-HDMI-A-1", 32)
    connect(tmp_path, "card1-HDMI-A-2", 42)
    assert find_second_screen(tmp_path) is None
