"""Processes and threads: their priority, how one ended in words, and memory given back."""

import os
import platform
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from device.system.processes import (
    LOWEST_NICE_LEVEL,
    describe_exit,
    lower_process_priority,
    lower_thread_priority,
    use_idle_time_only,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")


def level_in_thread(step: Callable[[], object]) -> int:
    """Take a step in a thread of its own, and return the thread's nice level after it."""
    levels: list[int] = []

    def run() -> None:
        step()
        levels.append(os.getpriority(os.PRIO_PROCESS, 0))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return levels[0]


def test_only_the_thread_that_asks_gets_a_lower_priority() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    assert level_in_thread(lambda: lower_thread_priority(LOWEST_NICE_LEVEL)) == LOWEST_NICE_LEVEL
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_a_priority_is_never_raised() -> None:
    def lower_twice() -> None:
        lower_thread_priority(LOWEST_NICE_LEVEL)
        lower_thread_priority(1)

    assert level_in_thread(lower_twice) == LOWEST_NICE_LEVEL


def test_another_process_gets_a_lower_priority() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        lower_process_priority(LOWEST_NICE_LEVEL, process.pid)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == LOWEST_NICE_LEVEL
        process.communicate(b"\n")
    lower_process_priority(LOWEST_NICE_LEVEL, process.pid)  # it has ended


def test_idle_time_is_all_that_a_process_keeps() -> None:
    look = "import os; print(os.sched_getscheduler(0) == os.SCHED_IDLE, os.getpriority(os.PRIO_PROCESS, 0))"
    code = f"from device.system.processes import use_idle_time_only; use_idle_time_only(); {look}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", str(LOWEST_NICE_LEVEL)]


@pytest.mark.parametrize("step", [lower_process_priority, lower_thread_priority, use_idle_time_only])
def test_nothing_fails_where_a_priority_can_not_be_set(
    step: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "setpriority", refuse)
    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    step()


def test_nothing_fails_on_a_system_without_priorities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "setpriority")
    monkeypatch.setattr(sys, "platform", "win32")
    lower_process_priority()
    use_idle_time_only()


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (3, "exit status 3"),
        (-signal.SIGILL, "illegal instruction, SIGILL"),
        (-signal.SIGABRT, "it aborted, SIGABRT"),
        (-signal.SIGKILL, "it was killed, SIGKILL"),
        (-signal.SIGTERM, "SIGTERM"),
    ],
)
def test_signals_are_told_apart(status: int, text: str) -> None:
    assert describe_exit(status) == text


PROGRAM = """
from pathlib import Path
from device.system.processes import release_memory

def used_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

kept, freed = [], []
for _ in range(1000):
    freed.append(bytearray(100_000))
    kept.append(bytearray(1000))  # between the others, so that the end of the heap is never free
before = used_mb()
del freed[:]
between = used_mb()
release_memory()
print(before - between, between - used_mb())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps free memory and can give it back")
def test_free_parts_of_the_heap_are_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    kept_by_glibc, given_back = map(float, done.stdout.split())
    assert kept_by_glibc < 20 and given_back > 80
