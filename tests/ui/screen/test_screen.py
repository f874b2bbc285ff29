"""The screen below a window: which one is opened, its rotation for pictures and touches, its backlight."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygame import Rect

from ui.screen.core.screen import (
    CARD_VARIABLE,
    ROTATIONS,
    Backlights,
    Connector,
    NoScreenError,
    Screen,
    choose_screen,
    connected_screens,
    current_rotation,
    set_rotation,
)
from ui.screen.core.splash import draw_splash

SIZE = (80, 48)


def write_connectors(folder: Path, **statuses: str) -> Path:
    """Write a sysfs tree: ``card0_DSI_1="connected 42"`` is card0-DSI-1 with connector_id 42."""
    folder.mkdir(exist_ok=True)
    for name, status in statuses.items():
        connector = folder / name.replace("_", "-")
        connector.mkdir(exist_ok=True)
        state, _, number = status.partition(" ")
        (connector / "status").write_text(f"{state}\n")
        if number:
            (connector / "connector_id").write_text(f"{number}\n")
    for other in ("card0", "renderD128", "version"):
        (folder / other).touch()
    return folder


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.delenv(CARD_VARIABLE, raising=False)
    yield
    set_rotation(0)
    pygame.display.quit()


def test_a_touchscreen_comes_before_a_television(tmp_path: Path) -> None:
    """As on a Raspberry Pi 5: the display chip, the 3D chip and the touchscreen are cards of their own."""
    drm = write_connectors(
        tmp_path / "drm", card0_HDMI_A_1="connected", card0_HDMI_A_2="disconnected", card0_Writeback_1="unknown",
        card2_DSI_1="connected",
    )  # fmt: skip
    assert connected_screens(drm) == [Connector(2, "DSI-1"), Connector(0, "HDMI-A-1")]
    assert choose_screen(drm) == 0 and os.environ[CARD_VARIABLE] == "2"
    write_connectors(drm, card2_DSI_1="disconnected")
    assert choose_screen(drm) == 0 and os.environ[CARD_VARIABLE] == "0"


def test_a_screen_is_found_among_those_of_its_card(tmp_path: Path) -> None:
    """As on a Raspberry Pi 4: SDL numbers the connected screens of the card in the kernel's order."""
    drm = write_connectors(
        tmp_path / "drm", card1_HDMI_A_1="connected 32", card1_HDMI_A_2="disconnected 42", card1_DSI_1="connected 50"
    )
    assert choose_screen(drm) == 1 and os.environ[CARD_VARIABLE] == "1"
    (drm / "card1-DSI-1" / "connector_id").unlink()
    assert choose_screen(drm) == 0, "an old kernel does not tell"


def test_without_a_screen_sdl_asks_the_hardware_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CARD_VARIABLE, "7")
    drm = write_connectors(tmp_path / "drm", card0_HDMI_A_1="disconnected")
    assert choose_screen(drm) == 0 and CARD_VARIABLE not in os.environ
    assert connected_screens(tmp_path / "no such folder") == []


@pytest.mark.skipif(Path("/dev/dri").exists(), reason="this machine has a screen that the test must not take")
def test_kmsdrm_opens_the_chosen_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL's own driver, which finds that the chosen card does not exist, instead of finding none by itself."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    drm = write_connectors(tmp_path / "drm", card5_DSI_1="disconnected")
    screen = Screen(fullscreen=True, connectors=drm, backlights=Backlights(tmp_path / "none"))
    with pytest.raises(NoScreenError, match="kmsdrm not available"):
        screen.open()
    write_connectors(drm, card5_DSI_1="connected")
    with pytest.raises(NoScreenError) as wrong_card:
        screen.open()
    assert "not available" not in str(wrong_card.value)


@pytest.mark.skipif(Path("/dev/dri").exists(), reason="this machine has a screen that the test must not take")
def test_without_a_desktop_nothing_plays_invisibly() -> None:
    """SDL's own choice where there is no screen is a driver that shows nothing."""
    program = "from ui.screen.core.screen import Screen; Screen().open()"
    hidden = {"SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"}
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert "NoScreenError: there is no screen to open a window on (no desktop is running here)" in done.stderr


def open_screen(rotation: int) -> Screen:
    set_rotation(rotation)
    screen = Screen(SIZE)
    screen.open()
    return screen


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_what_is_drawn_is_where_it_is_touched(rotation: int) -> None:
    screen = open_screen(rotation)
    page = screen.surface
    assert page is not None and page.get_size() == (SIZE if rotation in (0, 180) else SIZE[::-1])
    page.fill((0, 0, 0))
    page.set_at((5, 9), (250, 120, 60))
    screen.present()
    display = pygame.display.get_surface()
    assert display is not None
    (x,), (y,) = np.nonzero(pygame.surfarray.array3d(display)[:, :, 0])
    assert screen.page_position((int(x), int(y))) == (5, 9)
    corner = {0: (0, 0), 90: (SIZE[0] - 1, 0), 180: (SIZE[0] - 1, SIZE[1] - 1), 270: (0, SIZE[1] - 1)}[rotation]
    assert screen.page_position(corner) == (0, 0), "clockwise"


@given(st.sampled_from(ROTATIONS), st.integers(0, 46), st.integers(0, 46), st.integers(1, 30), st.integers(1, 30))
def test_an_area_is_shown_as_a_whole_picture_is(rotation: int, x: int, y: int, width: int, height: int) -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    screen = open_screen(rotation)
    page, display = screen.surface, pygame.display.get_surface()
    assert page is not None and display is not None
    page.fill((0, 0, 0))
    screen.present()
    area = Rect(x, y, width, height).clip(page.get_rect())
    page.fill((9, 99, 199), area)
    page.fill((250, 0, 0), Rect(area.topleft, (1, 1)))
    screen.present([area])
    in_parts = pygame.surfarray.array3d(display)
    screen.present()
    assert np.array_equal(in_parts, pygame.surfarray.array3d(display)) and in_parts.any()


def test_only_right_angles() -> None:
    with pytest.raises(ValueError, match="45"):
        set_rotation(45)
    assert current_rotation() == 0


def write_backlight(folder: Path, name: str, **values: int) -> Path:
    light = folder / name
    light.mkdir(parents=True)
    for file, value in values.items():
        (light / file).write_text(f"{value}\n")
    return light


def test_a_backlight_is_switched_by_what_may_be_written(tmp_path: Path) -> None:
    both = write_backlight(tmp_path, "10-0045", bl_power=0, brightness=200, max_brightness=255)
    dim = write_backlight(tmp_path, "4-0045", brightness=31, max_brightness=31)
    (dim / "bl_power").mkdir()  # can't be written, even by root
    neither = write_backlight(tmp_path, "other", max_brightness=31)
    lights = Backlights(tmp_path)
    lights.switch_off()
    assert (both / "bl_power").read_text() == "4" and (both / "brightness").read_text() == "200\n"
    assert (dim / "brightness").read_text() == "0" and not (neither / "brightness").exists()
    lights.switch_on()
    assert (both / "bl_power").read_text() == "0" and (dim / "brightness").read_text() == "31"
    lights.switch_off()
    Backlights(tmp_path).reset()  # the next process, after this one was killed
    assert (both / "bl_power").read_text() == "0" and (dim / "brightness").read_text() == "31"


def test_a_light_that_people_dimmed_stays_so(tmp_path: Path) -> None:
    light = write_backlight(tmp_path, "10-0045", bl_power=0, brightness=3, max_brightness=255)
    Backlights(tmp_path).reset()
    assert (light / "brightness").read_text() == "3\n"


@pytest.mark.parametrize("size", [(800, 480), (720, 1280), (480, 800), (320, 240)])
def test_the_splash_fits_with_a_long_message(size: tuple[int, int]) -> None:
    plain, told = pygame.Surface(size, 0, 32), pygame.Surface(size, 0, 32)
    draw_splash(plain)
    draw_splash(told, "Throwlock can’t start: libGL.so.1: cannot open shared object file. It tries again by itself.")
    margin = pygame.surfarray.array3d(told)[[0, 1, -2, -1]]
    assert (margin == margin[0, 0]).all()
    assert not np.array_equal(pygame.surfarray.array3d(plain), pygame.surfarray.array3d(told))
