"""How a process ended, in words."""

import signal

import pytest

from device.system.exit_status import describe_exit


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
