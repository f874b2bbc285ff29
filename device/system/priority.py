"""Lower priorities of this program's threads and processes. Nothing here ever fails: where a sandbox, a container or
the system does not allow it, the priority stays as it is."""

import os
import sys
from contextlib import suppress

BACKGROUND_NICE_LEVEL, LOWEST_NICE_LEVEL = 10, 19
"""Nice level of what people wait for while a match may be played, and the lowest priority there is."""


def lower_process_priority(nice: int = BACKGROUND_NICE_LEVEL, pid: int = 0) -> None:
    """Lower the priority of the process ``pid`` (0: this one) to the nice level ``nice`` (0–19), if it is not lower."""
    with suppress(OSError, AttributeError):  # refused, or the process has ended; Windows has no such function
        os.setpriority(os.PRIO_PROCESS, pid, max(nice, os.getpriority(os.PRIO_PROCESS, pid)))


def lower_thread_priority(nice: int = BACKGROUND_NICE_LEVEL) -> None:
    """Lower the priority of this thread, and of what it starts, to the nice level ``nice`` (0–19), if it is not lower.
    Only Linux has priorities of threads: elsewhere this does nothing."""
    if sys.platform == "linux":
        lower_process_priority(nice)  # to Linux, process 0 is the calling thread alone


def use_idle_time_only() -> None:
    """Give this process only the time that nobody else wants or, where that is refused, the lowest priority."""
    lower_process_priority(LOWEST_NICE_LEVEL)
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
