"""A simulated processor for tests."""

from collections.abc import Sequence

from device.system.processor import ProcessorStatus


class SimulatedProcessor:
    """Reports the given statuses one after another, then the last one for ever."""

    def __init__(self, *statuses: ProcessorStatus) -> None:
        self._left: Sequence[ProcessorStatus] = statuses or (ProcessorStatus(None, None),)

    def status(self) -> ProcessorStatus:
        """See Processor."""
        first, *later = self._left
        self._left = later or [first]
        return first
