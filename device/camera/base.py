"""What the box asks of a camera, and the words for what can go wrong with one."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from device.camera.frames import Frame, Size
from device.system.clock import Clock
from errors import ThrowlockError


class CameraError(ThrowlockError):
    """The camera can't be used. The message says what, which camera, and how to mend it, in one line."""


class CameraNotReleasedError(ThrowlockError, RuntimeError):
    """A camera that was told to stop hangs, so this process can't use it again: only a new process can. The message is
    one line for whoever reads the log."""


class Camera(Protocol):
    """Keeps every frame of the last seconds in a ring; nothing is analysed while a round runs."""

    size: Size
    fps: float
    dropped: int
    """Frames lost since the start."""

    def start(self) -> None:
        """Begin to fill the ring. Raises CameraError."""

    def stop(self) -> None:
        """Stop and let go of the hardware; may be called twice. Raises CameraNotReleasedError where that hangs."""

    def latest(self) -> Frame:
        """The newest frame. Raises CameraError when none came for a while."""

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """The frames whose exposure's middle lies from ``since_ns`` to ``until_ns``, in order of time, without those
        that were dropped or are too old to be kept. Raises CameraError when the camera has stopped."""


@runtime_checkable
class Exposing(Protocol):
    """A camera whose exposure can be fixed: it must not change while hands are timed."""

    def hold_exposure(self) -> None:
        """Fix the exposure, short enough for hands that move."""

    def free_exposure(self) -> None:
        """Let the camera find the exposure by itself again."""


STARTING_NS = 5_000_000_000
"""A camera that was started has a frame by then: the slowest USB cameras take two seconds."""


def started_again(camera: Camera, clock: Clock) -> Frame:
    """Start a camera that has stopped, and wait for its first frame. Raises CameraError when it does not run again."""
    camera.start()
    until_ns = clock.now_ns() + STARTING_NS
    while True:
        try:
            return camera.latest()
        except CameraError:
            if clock.now_ns() >= until_ns:
                raise
        clock.wait_until(clock.now_ns() + STARTING_NS // 100)
