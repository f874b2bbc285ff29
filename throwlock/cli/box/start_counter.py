"""Pauses that grow while the box is started again and again, for a fault that every start meets."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

LONGEST_PAUSE_S = 60


class StartCounter:
    """Counts starts that followed each other soon, in a file that outlives the process (None: counts nothing). systemd
    has such pauses itself only since version 254 (RestartSteps=)."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._counts = file is not None

    @classmethod
    def of_unit(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Return the counter in the unit's runtime directory, which systemd keeps between its restarts."""
        folder = environ.get("RUNTIME_DIRECTORY", "")
        return cls(Path(folder) / "starts" if folder else None)

    def count(self) -> int:
        """Count this start. Return the seconds to pause: none at the first two, then 2, 4, 8, up to
        LONGEST_PAUSE_S."""
        if self._file is None:
            return 0
        try:
            before = int(self._file.read_text())
        except (OSError, ValueError):
            before = 0
        with suppress(OSError):
            self._file.write_text(str(before + 1))
        return 0 if before < 2 else int(min(2 ** min(before - 1, 10), LONGEST_PAUSE_S))

    def reset(self) -> None:
        """Forget the starts so far: this one went well. Costs nothing when repeated."""
        if self._counts and self._file is not None:
            self._counts = False
            with suppress(OSError):
                self._file.unlink()
