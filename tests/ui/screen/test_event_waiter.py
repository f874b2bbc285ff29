"""Waiting for events: what is posted ends the wait from any thread, input is waited for where that is possible, and
nothing looks a thousand times a second."""

import os
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pygame
import pytest

from tests.helpers.waiting import LIMIT_S
from ui.screen.core.event_waiter import EventWaiter, open_input_devices


@pytest.fixture(autouse=True)
def _screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.event.clear()
    yield
    pygame.display.quit()


@pytest.fixture
def device() -> Iterator[tuple[int, int]]:
    """The two ends of what stands for a touchscreen."""
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def types(events: list[pygame.event.Event]) -> list[int]:
    return [event.type for event in events if event.type in (pygame.USEREVENT, pygame.QUIT)]


def test_a_posted_event_ends_the_wait(device: tuple[int, int]) -> None:
    waiter = EventWaiter(lambda: device[:1])
    poster = threading.Thread(target=waiter.post, args=(pygame.event.Event(pygame.QUIT),))
    poster.start()
    assert types(waiter.wait(LIMIT_S)) == [pygame.QUIT]
    poster.join()
    assert waiter.wait(0) == [] and waiter.wait(0.02) == []


def test_input_of_a_device_ends_the_wait(device: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    waiter, get = EventWaiter(lambda: device[:1]), pygame.event.get
    looks = 0

    def read_device() -> list[pygame.event.Event]:
        """As SDL does: whatever a device has becomes events when somebody looks."""
        nonlocal looks
        looks += 1
        if looks == 2:
            os.read(device[0], 1)
            return [pygame.event.Event(pygame.USEREVENT)]
        return get()

    monkeypatch.setattr(pygame.event, "get", read_device)
    os.write(device[1], b"x")
    assert types(waiter.wait(LIMIT_S)) == [pygame.USEREVENT] and looks == 2


def test_a_device_that_nobody_reads_does_not_keep_the_processor_busy(
    device: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(time, "perf_counter", lambda: now)
    monkeypatch.setattr(time, "sleep", sleep)
    os.write(device[1], b"x")
    looks, get = count(), pygame.event.get
    monkeypatch.setattr(pygame.event, "get", lambda: (next(looks), get())[1])
    assert EventWaiter(lambda: device[:1]).wait(1.0) == [] and next(looks) <= 103


@pytest.mark.parametrize(("driver", "found"), [("KMSDRM", [7]), ("kmsdrm", [7]), ("x11", []), ("dummy", [])])
def test_devices_are_waited_for_on_a_box_s_own_screen_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver: str, found: list[int]
) -> None:
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    for number, target in ((7, "/dev/input/event3"), (8, "/dev/dri/card0"), (9, "socket:[123]")):
        (tmp_path / str(number)).symlink_to(target)
    (tmp_path / "gone").write_text("")
    assert open_input_devices(tmp_path) == found
