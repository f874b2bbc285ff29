"""Journals that were put aside after damage: ``NAME.broken-N`` with its log, next to the journal that took their place.
Nobody can tell who is in a damaged file, so they go as a whole: after a while, for want of space, or when somebody is
to be forgotten."""

import re
import shutil
from collections.abc import Container
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from device.system.file_times import age_s, steady_time


@dataclass(frozen=True)
class QuarantinedJournal:
    """A journal that was put aside, with all that lies beside it under its name."""

    number: int
    paths: tuple[Path, ...]
    """Files, and folders of clips if somebody has opened it."""

    def size_bytes(self) -> int:
        """Return the size of its files."""
        size = 0
        for path in self.paths:
            for file in path.rglob("*") if path.is_dir() else (path,):
                with suppress(FileNotFoundError):
                    size += file.stat().st_size if file.is_file() else 0
        return size

    def age_s(self, now_s: float) -> float:
        """Return how long ago it was put aside, or opened since. Raises OSError."""
        return min(age_s(path, now_s) for path in self.paths)

    def delete(self) -> None:
        """Delete it. Raises OSError."""
        for path in self.paths:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def find_quarantined(journal: Path) -> list[QuarantinedJournal]:
    """Return the journals that were put aside next to ``journal``, the first one first; none in a folder that has yet
    to be created. Raises OSError."""
    file, paths = journal.resolve(), dict[int, list[Path]]()
    if not file.parent.exists():
        return []
    pattern = re.compile(re.escape(file.name) + r"\.broken-(\d+)\b.*")
    for path in sorted(file.parent.iterdir()):
        if match := pattern.fullmatch(path.name):
            paths.setdefault(int(match[1]), []).append(path)
    return [QuarantinedJournal(number, tuple(paths[number])) for number in sorted(paths)]


def delete_quarantined(journal: Path, numbers: Container[int] | None = None) -> None:
    """Delete the journals with these ``numbers`` that were put aside, by default all of them. Raises OSError."""
    for quarantined in find_quarantined(journal):
        if numbers is None or quarantined.number in numbers:
            quarantined.delete()


def trim_quarantined(journal: Path, max_age_s: float, max_bytes: int, now_s: float | None = None) -> int:
    """Delete the journals that were put aside longer ago than ``max_age_s``, then the first ones until the rest fits.
    Return the bytes that are left of them. Raises OSError."""
    now_s, size, kept = steady_time() if now_s is None else now_s, 0, []
    for quarantined in find_quarantined(journal):
        if quarantined.age_s(now_s) >= max_age_s:
            quarantined.delete()
        else:
            kept.append((quarantined, quarantined.size_bytes()))
            size += kept[-1][1]
    for quarantined, own_size in kept:
        if size <= max_bytes:
            break
        quarantined.delete()
        size -= own_size
    return size
