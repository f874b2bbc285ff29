"""How long after the cue its word is drawn, and how long after that a camera that looks at the screen sees a change."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from device.camera.base import Camera
from device.camera.frames import BgrFrame, Frame
from device.sound.base import NullSound, Sound
from device.system.clock import Clock, MonotonicClock
from errors import ThrowlockError
from rules.engine import ThrowPrompt
from rules.throws import THROW_CHOICES
from throwlock.bench.screen import PLAYERS
from throwlock.house_rules import HouseRules
from throwlock.tables.camera_table import CameraTable
from throwlock.tables.source import RoundRequest
from ui.screen.core.display import Display
from ui.screen.core.window import Window
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.pages.countdown import Countdown
from ui.screen.views import View
from ui.text.verdicts import COUNT_WORDS

FLASHES = 12
FLASH_NS, PAUSE_NS, SETTLE_NS = 500_000_000, 700_000_000, 1_500_000_000
"""How long the screen is white, how long it is black before (less than one flash a second, far from the three that can
harm people), and how long a camera gets to adjust its exposure."""
PAUSE_STEP_NS = 4_100_000
"""Each pause is longer than the one before by this, so that flashes are not in step with the camera's frames."""
THUMBNAIL_SIZE = (64, 36)
MIN_CONTRAST = 30.0
"""Levels of 255 by which a pixel must be brighter while the screen is white to count as part of it."""
MIN_SCREEN_SHARE = 0.05
"""Share of the image that the screen must fill."""
Grey = NDArray[np.float64]


class ScreenNotSeenError(ThrowlockError):
    """The camera doesn't see the screen."""


class StillCamera(Camera):
    """A camera whose image never changes: only the screen and the sound are measured."""

    size = (1280, 720)
    fps = 60.0
    dropped = 0

    def __init__(self) -> None:
        self._bgr = np.full((720, 1280, 3), 90, np.uint8)

    @override
    def start(self) -> None:
        """Do nothing."""

    @override
    def stop(self) -> None:
        """Do nothing."""

    @override
    def latest(self) -> Frame:
        return BgrFrame(0, time.monotonic_ns(), 0, self.size, self._bgr)

    @override
    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        return [self.latest()]


class CueTimes:
    """Records when each word of a count was first on the screen. Pass ``on_drawn`` to the window."""

    def __init__(self) -> None:
        self._drawn: list[tuple[int, int]] = []
        self._last_beat: int | None = None

    def on_drawn(self, view: View) -> None:
        """Record a frame; see Window."""
        beat = view.beat if isinstance(view, Countdown) else None
        if beat is not None and beat != self._last_beat:
            self._drawn.append((beat, time.monotonic_ns()))
        self._last_beat = beat

    def cues_ns(self) -> list[int]:
        """Return when the last word of each count was on the screen."""
        return [time_ns for beat, time_ns in self._drawn if beat == len(COUNT_WORDS) - 1]


def play_counts(
    display: Display, counts: int, beat_ms: int, sound: Sound | None = None, pause_ms: int | None = None
) -> list[int]:
    """Count ``counts`` times as at a table with a live preview, with pauses of ``pause_ms`` (None: of a beat) after
    each, and return the times of the cues in monotonic ns."""
    pause_ms = beat_ms if pause_ms is None else pause_ms
    table = CameraTable(
        camera=StillCamera(), zones=(), display=display, clock=MonotonicClock(),
        house_rules=HouseRules(beat_ms=beat_ms), show_preview=True, sound=sound or NullSound(),
    )  # fmt: skip
    request = RoundRequest(ThrowPrompt(dict.fromkeys((1, 2), THROW_CHOICES)), PLAYERS)
    cues_ns = []
    for number in range(counts):
        cues_ns.append(table.count(request, Countdown(PLAYERS, f"Round {number + 1}", COUNT_WORDS, -1)))
        table.clock.wait_until(cues_ns[-1] + pause_ms * 1_000_000)
    return cues_ns


@dataclass(frozen=True)
class Flash(View):
    """The whole screen in white, or in black."""

    white: bool


@paints(Flash)
def paint_flash(canvas: Canvas, view: Flash) -> None:
    """Paint the whole screen."""
    canvas.surface.fill((255, 255, 255) if view.white else (0, 0, 0))


class WindowFlasher:
    """Turns a window white and black. Pass ``on_drawn`` to the window."""

    def __init__(self) -> None:
        self._drawn = threading.Condition()
        self._drawn_ns: dict[Flash, int] = {}

    def on_drawn(self, view: View) -> None:
        """Record a frame; see Window."""
        if isinstance(view, Flash):
            with self._drawn:
                self._drawn_ns[view] = time.monotonic_ns()
                self._drawn.notify_all()

    def show(self, window: Window, white: bool) -> int:
        """Turn the window white or black, and return when that was on the screen, in monotonic ns."""
        view = Flash(white)
        with self._drawn:
            self._drawn_ns.clear()
            window.show(view)
            self._drawn.wait_for(lambda: view in self._drawn_ns, timeout=5.0)
            return self._drawn_ns.get(view, time.monotonic_ns())


def measure_seen_ms(camera: Camera, show: Callable[[bool], int], clock: Clock, flashes: int = FLASHES) -> list[float]:
    """Return how long after the screen was drawn in white a running camera saw it, in ms, for each flash.

    The camera sees it halfway between the last frame in which the screen was mostly dark and the first in which it was
    mostly lit, so a single time is right to half a frame.

    Args:
        show: Turns the screen white (True) or black and returns when that was drawn, in ns of ``clock``.

    Raises:
        CameraError: The camera has stopped.
        ScreenNotSeenError: The camera sees no screen.
    """

    show(True)
    clock.wait_until(clock.now_ns() + SETTLE_NS)
    camera.lock_exposure()  # or it would change while the screen does
    try:
        clock.wait_until(clock.now_ns() + SETTLE_NS)
        lit = _grey(camera.latest())
        show(False)
        clock.wait_until(clock.now_ns() + SETTLE_NS)
        dark = _grey(camera.latest())
        mask = lit - dark >= MIN_CONTRAST
        if mask.mean() < MIN_SCREEN_SHARE:
            raise ScreenNotSeenError("the camera does not see the screen: point it there and measure again")
        row = float(np.nonzero(mask)[0].mean() + 0.5) / mask.shape[0]
        delays_ms = []
        for number in range(flashes):
            clock.wait_until(clock.now_ns() + PAUSE_NS + number * PAUSE_STEP_NS)
            drawn_ns = show(True)
            clock.wait_until(drawn_ns + FLASH_NS)
            frames = camera.frames_between(drawn_ns - FLASH_NS // 2, drawn_ns + FLASH_NS)
            show(False)
            shares = [float((_grey(frame)[mask] - dark[mask]).mean() / (lit - dark)[mask].mean()) for frame in frames]
            seen_ns = rise_ns([frame.row_ns(row * frame.size[1]) for frame in frames], shares)
            if seen_ns is not None:
                delays_ms.append((seen_ns - drawn_ns) / 1e6)
    finally:
        camera.unlock_exposure()
    if not delays_ms:
        raise ScreenNotSeenError("the camera saw no flash of the screen: point it there and measure again")
    return delays_ms


def rise_ns(times_ns: Sequence[int], shares: Sequence[float]) -> int | None:
    """Return when ``shares`` rise to one half, between two of ``times_ns``; None if they don't."""
    for i in range(1, len(shares)):
        low, high = shares[i - 1], shares[i]
        if low < 0.5 <= high:
            return times_ns[i - 1] + round((times_ns[i] - times_ns[i - 1]) * (0.5 - low) / (high - low))
    return None


def _grey(frame: Frame) -> Grey:
    return np.asarray(frame.pixels(None, THUMBNAIL_SIZE).mean(2), np.float64)
