"""What both simulated cameras have in common: when they expose, which frames are still there, and how they fail."""

import math
from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from device.camera.base import Camera, CameraError
from device.camera.frames import Frame, Size
from device.system.clock import Clock
from messages import N

RING_DURATION_NS = 6_000_000_000
"""How long frames stay available."""


class SimulatedCamera(Camera):
    """Exposes at multiples of 1 / ``fps`` after ``phase_ns`` on the clock; exposures are counted from there. A frame is
    rendered when its pixels are asked for."""

    def __init__(
        self, clock: Clock, size: Size, fps: float, exposure_ns: int, readout_ns: int = 0, phase_ns: int = 0
    ) -> None:
        self.size, self.fps = size, fps
        self.exposure_ns, self.readout_ns = exposure_ns, readout_ns
        self._clock, self._phase_ns = clock, phase_ns
        self._first_number: int | None = None
        self._stalled = False

    @abstractmethod
    def _frame(self, number: int) -> Frame:
        """Return the frame of an exposure."""

    def _lost_mask(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.zeros(len(numbers), np.bool_)

    @override
    def start(self) -> None:
        """Also ends a stall, of which there are no frames."""
        if self._first_number is None or self._stalled:
            self._stalled = False
            self._first_number = self._newest_number() + 1

    @property
    @override
    def dropped(self) -> int:
        if self._first_number is None:
            return 0
        return int(self._lost_mask(np.arange(self._first_number, self._newest_number() + 1)).sum())

    @override
    def stop(self) -> None:
        self._first_number = None

    def stall(self) -> None:
        """Make the camera hang, as real ones sometimes do, until it is started again."""
        self._stalled = True

    @override
    def latest(self) -> Frame:
        newest = self._newest_number()
        numbers = self._kept_numbers(newest - int(RING_DURATION_NS * self.fps / 1e9), newest)
        if not numbers:
            raise CameraError("the simulated camera has no frame yet: wait for its first exposure")
        return self._frame(numbers[-1])

    @override
    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        oldest_ns = max(since_ns, self._clock.now_ns() - RING_DURATION_NS)
        first = math.floor((oldest_ns - self._phase_ns) * self.fps / 1e9) - 1
        last = math.ceil((until_ns - self._phase_ns) * self.fps / 1e9) + 1
        numbers = self._kept_numbers(first, min(last, self._newest_number()))
        return [self._frame(number) for number in numbers if oldest_ns <= self._exposed_ns(number) <= until_ns]

    def _exposed_ns(self, number: int) -> int:
        return round(number * 1e9 / self.fps) + self._phase_ns

    def _newest_number(self) -> int:
        """Return the number of the last completed exposure, last row included."""
        over_ns = self._clock.now_ns() - self.exposure_ns // 2 - self.readout_ns // 2
        number = math.floor((over_ns - self._phase_ns) * self.fps / 1e9) + 1
        while self._exposed_ns(number) > over_ns:
            number -= 1
        return number

    def _kept_numbers(self, first: int, last: int) -> list[int]:
        """Return the exposures from one number to another that were not lost. Raises CameraError."""
        if self._first_number is None:
            raise CameraError("the simulated camera is not running: start it first")
        if self._stalled:
            raise CameraError(N("the simulated camera has stalled: start it again"))
        numbers = np.arange(max(first, self._first_number), last + 1)
        kept: list[int] = numbers[~self._lost_mask(numbers)].tolist()
        return kept
