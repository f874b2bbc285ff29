"""The interface of every camera, and its errors."""

import logging
from collections.abc import Sequence
from typing import Protocol

from device.camera.frames import Frame, Size
from device.system.clock import Clock
from errors import ThrowlockError

logger = logging.getLogger(__name__)


class CameraError(ThrowlockError):
    """The camera can't be used. The one-line message says which camera, what is wrong and how to fix it."""


class CameraNotReleasedError(ThrowlockError, RuntimeError):
    """A camera hangs while stopping. This process can't use it again; only a new process can."""

    needs_restart = True


class Camera(Protocol):
    """Keeps every frame of the last seconds in a ring buffer.

    camera.start()
    clock.wait_until(cue_ns + 10**9)
    frames = camera.frames_between(cue_ns - 10**9, cue_ns + 10**9)
    camera.stop()
    """

    size: Size
    fps: float

    @property
    def dropped(self) -> int:
        """Frames lost since the start."""

    def start(self) -> None:
        """Start filling the ring buffer. Raises CameraError."""

    def stop(self) -> None:
        """Stop and release the hardware; may be called twice. Raises CameraNotReleasedError when that hangs."""

    def latest(self) -> Frame:
        """Return the newest frame. Raises CameraError when none has arrived for a while."""

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """Return the frames exposed from ``since_ns`` to ``until_ns`` (mid-exposure times, both included), oldest
        first.

        Dropped frames and frames too old for the buffer are missing. Raises CameraError when the camera has stopped.
        """

    def lock_exposure(self) -> None:
        """Fix the exposure, short enough for moving hands, where the camera can: it must not change while they are
        timed."""
        return

    def unlock_exposure(self) -> None:
        """Return to automatic exposure."""
        return


START_TIMEOUT_NS = 5_000_000_000
"""Time for the first frame after a start. The slowest USB cameras take two seconds."""


def restart_camera(camera: Camera, clock: Clock) -> Frame:
    """Start a stopped camera and return its first frame. Raises CameraError when there is none in time."""
    camera.start()
    until_ns = clock.now_ns() + START_TIMEOUT_NS
    while True:
        try:
            frame = camera.latest()
            logger.warning("the camera had stopped and was started again")
            return frame
        except CameraError:
            if clock.now_ns() >= until_ns:
                raise
        clock.wait_until(clock.now_ns() + START_TIMEOUT_NS // 100)
