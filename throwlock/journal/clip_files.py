"""The files of finished clips, next to their journal: whoever deletes what they show reaches them all."""

from pathlib import Path

from throwlock.journal.file import sibling

CLIPS_SUFFIX = ".clips"
"""The folder of a journal's clips is named after it."""


def clips_folder(journal: Path) -> Path:
    """Return the folder of the clips of a journal; in it, each journal that was at this path has one by its origin."""
    return sibling(journal.resolve(), CLIPS_SUFFIX)


def delete_clips(journal: Path) -> int:
    """Delete all clips of the journal, and of those that were at its path before it. Return how many there were. Raises
    OSError."""
    clips = list(clips_folder(journal).glob("*/*"))
    for file in clips:
        file.unlink(missing_ok=True)
    return len(clips)
