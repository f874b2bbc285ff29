"""Helpers of the journal tests: folder contents, verification without game replay."""

import resource
from collections.abc import Callable
from pathlib import Path

from throwlock.journal.journal import JournalReader
from throwlock.review.verify import verify

NOBODY_UID = 65534


def limit_file_size(size: int) -> Callable[[], None]:
    """Return what a child process runs first, to have as little room as on a full disk: ``size`` bytes in any file."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return every path below ``folder`` with its bytes, None for what is not a regular file."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() and not path.is_symlink() else None
        for path in sorted(folder.rglob("*"))
    }


def without_shm(folder: Path) -> dict[str, bytes | None]:
    """Return a folder's content without SQLite's -shm file, which whoever opens a journal first writes anew."""
    return {name: data for name, data in contents(folder).items() if not name.endswith("-shm")}


def names_in(folder: Path) -> list[str]:
    """Return the names in ``folder``, sorted."""
    return sorted(path.name for path in folder.iterdir())


def chain_problems(path: Path) -> list[str]:
    """Verify a journal and return its problems, without those of replaying matches: these tests' games don't exist."""
    with JournalReader(path) as journal:
        return [problem for problem in verify(journal).problems if not problem.startswith("match ")]
