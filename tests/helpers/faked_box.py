"""A box whose time of day a test sets, with Debian's libfaketime, or with LIBFAKETIME, the path of the library."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[2]
LIBRARIES = [Path(os.environ.get("LIBFAKETIME", "")), *Path("/usr/lib").glob("*/faketime/libfaketime.so.1")]
LIBRARY = next((path for path in LIBRARIES if path.is_file()), None)


class FakedBox:
    """A ``ClockBox`` in a process of its own, from one ``with`` to its end; ``moment`` is the time of day, in UTC, at
    which it starts."""

    def __init__(self, folder: Path, moment: str) -> None:
        self.journal = folder / "week.journal"
        self._clock = folder / "clock"
        self.set_clock(moment)
        environment = {
            **os.environ,
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "PYTHONPATH": str(ROOT),
            "TZ": "Europe/Berlin",
        }
        self._process = subprocess.Popen(
            [sys.executable, str(ROOT / "tests/helpers/clock_box.py"), str(self.journal)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder,
        )  # fmt: skip

    def set_clock(self, wanted: str) -> None:
        """Set the box's time of day, from which on it goes at the usual speed."""
        away_s = datetime.fromisoformat(wanted).replace(tzinfo=UTC) - datetime.now(UTC)
        part = self._clock.with_suffix(".part")
        part.write_text(f"{away_s.total_seconds():+.3f}\n")
        part.replace(self._clock)

    def ask(self, command: str, *arguments: object) -> Any:
        """Return what a method of ``ClockBox`` returns."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([command, *arguments]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
