"""Processes and threads: their priority, how one ended in words, and memory given back to the system. Setting one
never fails: where a sandbox, a container or the system does not allow it, it stays as it is."""

import ctypes
import gc
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from messages import N, join

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


SIGNAL_TEXTS = {
    signal.SIGILL: N("illegal instruction"),
    signal.SIGABRT: N("it aborted"),
    signal.SIGKILL: N("it was killed"),
    signal.SIGSEGV: N("invalid memory access"),
}
"""What the signals mean that end a process whose libraries don't fit the machine."""


def describe_exit(status: int) -> str:
    """Return how a process ended, from its status as ``subprocess`` gives it: "illegal instruction, SIGILL", "SIGTERM"
    or "exit status 3"."""
    if status >= 0:
        return N("exit status {status}", status=status)
    number = signal.Signals(-status)
    return join([SIGNAL_TEXTS[number], number.name], ", ") if number in SIGNAL_TEXTS else number.name


def release_memory() -> None:
    """Collect garbage, and give the free parts of all heaps back to the system, where the C library can. glibc keeps
    them otherwise: each camera thread has a heap of its own, and would keep the memory of its images."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def hide_argument(secret: str) -> None:
    """Overwrite a secret in this process's arguments, which everybody on this machine can read. Only Linux lets a
    process do that: elsewhere this does nothing."""
    if not secret:
        return
    with suppress(OSError, ValueError):
        fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        start, end = map(int, fields[45:47])  # arg_start and arg_end of proc_pid_stat(5)
        with Path("/proc/self/mem").open("r+b", buffering=0) as memory:
            memory.seek(start)
            arguments = memory.read(end - start)
            memory.seek(start)
            memory.write(arguments.replace(secret.encode(), b"*" * len(secret.encode())))
