"""A simulated camera that looks at a screen, to measure how late it sees what is shown there."""

from collections.abc import Sequence

import numpy as np

from device.camera.base import Camera, CameraError
from device.camera.frames import BgrFrame, Frame, Size
from device.system.clock import Clock


class SimulatedScreen(Camera):
    """A screen that is white or black, and a camera that sees it ``latency_ns`` late.

    Faults: ``seen_share`` is the share of the image that the screen fills (0: the camera looks elsewhere);
    ``noise_levels`` is the sensor's noise (standard deviation, of 255); after ``fails_at_ns`` the camera has stopped.
    """

    size: Size = (128, 72)
    dropped = 0

    def __init__(
        self,
        clock: Clock,
        latency_ns: int,
        fps: float = 60.0,
        *,
        exposure_ns: int = 4_000_000,
        readout_ns: int = 0,
        seen_share: float = 0.5,
        noise_levels: float = 2.0,
        fails_at_ns: int | None = None,
    ) -> None:
        self.fps = fps
        self._clock, self._latency_ns = clock, latency_ns
        self._exposure_ns, self._readout_ns = exposure_ns, readout_ns
        self._seen_rows = round(seen_share * self.size[1])
        self._noise_levels, self._fails_at_ns = noise_levels, fails_at_ns
        self._changes: list[tuple[int, bool]] = [(0, False)]

    def show(self, white: bool) -> int:
        """Turn the screen white or black; return the time in ns."""
        self._changes.append((self._clock.now_ns(), white))
        return self._changes[-1][0]

    def start(self) -> None:
        """See Camera."""

    def stop(self) -> None:
        """See Camera."""

    def latest(self) -> Frame:
        """See Camera."""
        self._check()
        return self._frame(int(self._clock.now_ns() * self.fps / 1e9))

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        self._check()
        until_ns = min(until_ns, self._clock.now_ns())
        first, last = int(-(-since_ns * self.fps // 1e9)), int(until_ns * self.fps // 1e9)
        return [self._frame(number) for number in range(first, last + 1)]

    def _check(self) -> None:
        if self._fails_at_ns is not None and self._clock.now_ns() >= self._fails_at_ns:
            raise CameraError("the simulated camera has stopped")

    def _frame(self, number: int) -> BgrFrame:
        exposed_ns = round(number * 1e9 / self.fps)
        rng = np.random.default_rng(number)
        levels = np.full((self.size[1], self.size[0], 3), 30.0)
        levels[: self._seen_rows] += 180.0 * self._white_share(exposed_ns)
        levels += rng.normal(0, self._noise_levels, levels.shape)
        bgr = np.clip(levels, 0, 255).astype(np.uint8)
        return BgrFrame(number, exposed_ns, self._exposure_ns, self.size, bgr, readout_ns=self._readout_ns)

    def _white_share(self, exposed_ns: int) -> float:
        """Return the share of an exposure during which the camera saw the screen white."""
        since, until = exposed_ns - self._exposure_ns // 2, exposed_ns + self._exposure_ns // 2
        ends = [*(time_ns for time_ns, _ in self._changes[1:]), 2**63]
        lit_ns = sum(
            max(0, min(until, end + self._latency_ns) - max(since, start + self._latency_ns))
            for (start, white), end in zip(self._changes, ends, strict=True)
            if white
        )
        return lit_ns / (until - since)
