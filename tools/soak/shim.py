"""Builds ``faults.c``, the library for LD_PRELOAD, and gives it orders while a process runs with it."""

import errno
import mmap
import shutil
import struct
import subprocess
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Self

SOURCE = Path(__file__).with_name("faults.c")
ORDERS_VARIABLE = "THROWLOCK_SOAK_FAULTS"
_ORDERS = struct.Struct("=7q1024s1024s")
_FAULTS_LEFT, _FAULTS_DONE = 16, 24
"""Places in the file of orders, in bytes."""
ALWAYS = 2**62
"""Number of faults that never run out."""
ERRORS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO}


class Call(IntFlag):
    """Calls that can fail, and (``UNLINK``) that are only recorded."""

    WRITE = 1
    SYNC = 2
    TRUNCATE = 4
    UNLINK = 8


class Action(IntEnum):
    """What happens in a call."""

    NOTHING = 0
    FAIL = 1
    SHORT = 2
    KILL_BEFORE = 3
    KILL_HALFWAY = 4
    KILL_AFTER = 5
    SKIP_SYNC = 6


def build_library(folder: Path) -> Path | None:
    """Compile the library into ``folder`` and return it; None if there is no gcc. Raises CalledProcessError."""
    if shutil.which("gcc") is None:
        return None
    library = folder / "faults.so"
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    return library


class Orders:
    """The orders for a process: a file that it and this one share."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(_ORDERS.size))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _ORDERS.size)
        self.path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._memory.close()

    def give(
        self,
        folder: Path,
        calls: int = 0,
        action: Action = Action.NOTHING,
        error: str = "EIO",
        after_calls: int = 0,
        faults: int = 0,
        record: Path | None = None,
    ) -> None:
        """Order ``faults`` faults in calls on files in ``folder``, after ``after_calls`` more that work. Every call is
        recorded in the file ``record``. The clock stays as it is."""
        (clock_offset_s,) = struct.unpack_from("=q", self._memory)
        names = [f"{folder.resolve()}/".encode(), str(record.resolve() if record else "").encode()]
        values = clock_offset_s, after_calls, faults, 0, calls, action, ERRORS[error]
        self._memory[:] = _ORDERS.pack(*values, *names)

    def stop_faults(self) -> None:
        """Let every call work again."""
        struct.pack_into("=q", self._memory, _FAULTS_LEFT, 0)

    @property
    def faults_done(self) -> int:
        """The number of faults since the last order."""
        return int(struct.unpack_from("=q", self._memory, _FAULTS_DONE)[0])

    def move_clock(self, offset_s: int) -> None:
        """Move the wall clock by so many seconds from the real time."""
        struct.pack_into("=q", self._memory, 0, offset_s)
