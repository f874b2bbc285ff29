"""Says in words how a process ended."""

import signal

from messages import N, join

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
