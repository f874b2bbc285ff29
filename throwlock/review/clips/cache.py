"""Clips that are asked for, and what has become of them. Those that were made are next to the journal, so that whoever
deletes what they show reaches them all, whichever program made them."""

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from device.system.file_times import mark_newest

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
