"""The clips that were made, in the cache folder: those of a journal are in a folder named after its origin."""

from contextlib import suppress
from pathlib import Path

from device.system.file_times import mark_newest
from throwlock.review.index import cache_folder

MAX_CACHE_BYTES = 200_000_000
"""Of clips; then the ones that were not asked for the longest are deleted."""


def clips_folder(cache: Path | None = None) -> Path:
    """Return the folder of clips in the folder ``cache``, by default ``cache_folder()``."""
    return (cache or cache_folder()) / "clips"


def mark_asked_for(folder: Path, file: Path) -> None:
    """Note that somebody asks for a clip, or that it was made for somebody. Raises OSError."""
    mark_newest(file, folder.glob("*/*"))


def trim_clips(folder: Path) -> None:
    """Delete the clips that were not asked for the longest, until the rest fits."""
    files = []
    for file in folder.glob("*/*"):
        with suppress(FileNotFoundError):
            files.append((file.stat().st_mtime, file.stat().st_size, file))
    size = sum(size for _, size, _ in files)
    for _, file_size, file in sorted(files):
        if size <= MAX_CACHE_BYTES:
            break
        with suppress(OSError):
            file.unlink(missing_ok=True)
            size -= file_size


def delete_clips(folder: Path, origin: str) -> None:
    """Delete all clips of a journal, by its origin. Raises OSError."""
    for file in (folder / origin).glob("*"):
        file.unlink(missing_ok=True)
