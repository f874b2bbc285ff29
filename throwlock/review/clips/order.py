"""Clips that are asked for, and what has become of them."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

MEDIA_TYPES = {"mp4": "video/mp4", "webp": "image/webp"}
"""The formats of clips."""


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
