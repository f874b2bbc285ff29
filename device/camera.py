"""What the box asks of a camera, and the words for what can go wrong with one."""

from collections.abc import Sequence
from typing import Protocol

from device.frames import Frame, Size


class CameraFault(Exception):
    """The camera can't be used. The message says what, which camera, and how to mend it, in one line."""


class Camera(Protocol):
    """Keeps every frame of the last seconds in a ring; nothing is analysed while a round runs."""

    size: Size
    fps: float
    dropped: int
    """Frames lost since the start."""

    def start(self) -> None:
        """Begin to fill the ring. Raises CameraFault."""

    def stop(self) -> None:
        """Stop and let go of the hardware; may be called twice."""

    def latest(self) -> Frame:
        """The newest frame. Raises CameraFault when none came for a while."""

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """The frames whose exposure's middle lies from ``since_ns`` to ``until_ns``, in order of time, without those
        that were dropped or are too old to be kept. Raises CameraFault when the camera has stopped."""
