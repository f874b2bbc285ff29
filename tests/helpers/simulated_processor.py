"""A simulated processor for tests."""

from collections.abc import Sequence

from typing_extensions import override

from device.system.processor import Processor, ProcessorStatus


class SimulatedProcessor(Processor):
    """Reports the given statuses one after another, then the last one for ever."""

    def __init__(self, *statuses: ProcessorStatus) -> None:
        self._left: Sequence[ProcessorStatus] = statuses or (ProcessorStatus(None, None),)

    @override
    def status(self) -> ProcessorStatus:
        first, *later = self._left
        self._left = later or [first]
        return first
