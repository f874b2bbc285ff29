"""Priorities are lowered where that is allowed, and nothing fails where it is not."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from device.system import priority
from device.system.priority import LOWEST_NICE_LEVEL, lower_process_priority, lower_thread_priority, use_idle_time_only

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
    code = f"from device.system.priority import use_idle_time_only; use_idle_time_only(); {look}"
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
    monkeypatch.setattr(priority.sys, "platform", "win32")
    lower_process_priority()
    use_idle_time_only()
