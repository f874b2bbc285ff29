"""Waiting for the window's events without SDL's own wait, which looks a thousand times a second on most screens."""

import select
import socket
import time
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pygame

DIRECT_DRIVER = "kmsdrm"
"""SDL's driver without a desktop."""
INPUT_DEVICES = "/dev/input/event"
LOOK_INTERVAL_S = 0.01
"""Interval at which to look for input that comes from no device that can be waited for: on a desktop."""


def open_input_devices(folder: Path = Path("/proc/self/fd")) -> list[int]:
    """Return the file descriptors of the touchscreens, keyboards and mice that SDL reads: those of a box's own screen.
    On a desktop all input comes through that."""
    devices = []
    if pygame.display.get_driver().casefold() == DIRECT_DRIVER:
        for entry in folder.iterdir():
            with suppress(OSError):  # it was the listing's own
                if str(entry.readlink()).startswith(INPUT_DEVICES):
                    devices.append(int(entry.name))
    return devices


class EventWaiter:
    """Waits for pygame's events. ``post`` may be called from any thread and from a signal handler; ``find_devices``
    returns what input comes from."""

    def __init__(self, find_devices: Callable[[], Iterable[int]] = open_input_devices) -> None:
        self._find_devices = find_devices
        self._woken, self._waker = socket.socketpair()
        for end in (self._woken, self._waker):
            end.setblocking(False)
            weakref.finalize(self, end.close)

    def post(self, event: pygame.event.Event) -> None:
        """Post an event, which ends the wait."""
        pygame.event.post(event)
        with suppress(BlockingIOError):  # it is full of earlier ones
            self._waker.send(b"\0")

    def wait(self, left_s: float) -> list[pygame.event.Event]:
        """Return the events that come within ``left_s`` seconds; at once when some come."""
        until = time.perf_counter() + left_s
        devices = list(self._find_devices()) if left_s > LOOK_INTERVAL_S else []  # one may have been plugged in
        sources: list[socket.socket | int] = [self._woken, *devices]
        ready: list[socket.socket | int] = []
        while not (events := pygame.event.get()) and (left_s := until - time.perf_counter()) > 0:
            if set(ready) & set(devices):  # input that is no event yet, or of a device that was unplugged
                time.sleep(min(left_s, LOOK_INTERVAL_S))
            ready = select.select(sources, [], [], left_s if devices else min(left_s, LOOK_INTERVAL_S))[0]
            if self._woken in ready:
                self._woken.recv(4096)
        return events
