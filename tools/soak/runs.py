"""Runs player processes: kills them, moves their clock and makes their disk fail, at random instants."""

import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from tools.soak.player import Task, encode_task
from tools.soak.shim import ORDERS_VARIABLE, Orders

MAX_RUN_S = 1200.0
"""After this a process hangs; a busy machine plays ten matches in a minute."""
Step = tuple[float, Callable[[], object]]
"""What happens to a process, and how many seconds after its start."""


class HungError(Exception):
    """A player process did not end."""


class PlayerProcesses:
    """Starts one player process after the other. With ``library`` and ``orders`` the library is loaded into them."""

    def __init__(self, folder: Path, library: Path | None = None, orders: Orders | None = None) -> None:
        environment = {**os.environ, "THROWLOCK_SETTINGS": str(folder / "throwlock.toml"), "OPENBLAS_NUM_THREADS": "1"}
        if library is not None and orders is not None:
            environment |= {"LD_PRELOAD": str(library), ORDERS_VARIABLE: str(orders.path)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tools.soak.player"],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        )  # fmt: skip
        self._pid = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(MAX_RUN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def kill(self) -> None:
        """Kill the process that runs."""
        os.kill(self._pid, signal.SIGKILL)

    def run(self, task: Task, steps: Iterable[Step] = ()) -> int:
        """Run a process to its end and return its exit status, negative for a signal. Raises HungError."""
        self._write(encode_task(task))
        self._pid = int(self._read_line())
        start = time.monotonic()
        for delay, step in sorted([*steps, (MAX_RUN_S, self.kill)], key=lambda one: one[0]):
            if self._has_ended(start + delay):
                break
            step()
            if step == self.kill and delay == MAX_RUN_S:
                self._finish()
                raise HungError
        return self._finish()

    def _has_ended(self, until: float) -> bool:
        """Wait for the end, at most until ``until``."""
        assert self._process.stdout is not None
        return bool(select.select([self._process.stdout], [], [], max(0.0, until - time.monotonic()))[0])

    def _finish(self) -> int:
        status = int(self._read_line())
        self._write("")
        return status

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    def _read_line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process that starts the players has ended")
        return line.decode()


def random_instant(rng: random.Random, longest_s: float = 2.0) -> float:
    """Return a delay in seconds, as often around a hundredth of a second as around one."""
    return float(longest_s * 10 ** rng.uniform(-3, 0))
