"""A periodic task that a test drives by hand."""

from device.system.periodic import PeriodicCallback


class ManualTicker:
    """Test double driven by hand: runs the callback on ``wake`` and ``tick``."""

    def __init__(self, callback: PeriodicCallback, name: str) -> None:
        self._callback = callback
        self.name = name
        self.stopped = False
        self.delay_s: float | None = None
        """The last result of the callback."""

    def wake(self) -> None:
        """See PeriodicTask."""
        self.tick()

    def tick(self) -> None:
        """Run the callback."""
        if not self.stopped:
            self.delay_s = self._callback()

    def stop(self) -> None:
        """See PeriodicTask."""
        self.stopped = True
