"""Clips that are asked for, and what has become of them. Those that were made are in the cache folder, those of a
journal in a folder named after its origin."""

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from device.system.file_times import mark_newest
from throwlock.review.index import cache_folder

MEDIA_TYPES = {"mp4": "video/mp4", "webp": "image/webp"}
"""The formats of clips."""

MAX_CACHE_BYTES = 200_000_000
"""Of clips; then the ones that were not asked for the longest are deleted."""


class ClipState(StrEnum):
    """What has become of a clip."""

    NONE = "none"
    WAITING = "waiting"
    MAKING = "making"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True)
class ClipOrder:
    """A clip of a round."""

    event: int
    """The event of the round."""
    language: str
    clip_format: str
    """A key of MEDIA_TYPES."""

    @property
    def file_name(self) -> str:
        """The name of its file for whoever saves it."""
        return f"throwlock-{self.event}.{self.clip_format}"


@dataclass(frozen=True)
class ClipStatus:
    """What has become of a clip."""

    state: ClipState
    share: float = 0.0
    """Of it that is done, 0–1."""
    file: Path | None = None
    """Where it is once it is ready."""
    error: str = ""
    """What is in the way."""


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
