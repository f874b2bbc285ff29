"""Room for events on a full disk: what a journal's disk has that is worth least goes first, and never an event."""

import logging
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from messages import LazyText, N, join
from throwlock.journal.file import DiskFullError, JournalError
from throwlock.journal.kept_frames import KeepLimit, KeptFrames, delete_clips
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.journal.quarantined import find_quarantined

logger = logging.getLogger(__name__)

MIN_FREE_BYTES = 20_000_000
"""A match begins with so much room, if anything can go for it."""
RESERVE_BYTES = 6_000_000
"""With less room, old evidence makes way for new: its deletion goes through the log, which needs some room itself."""
EVIDENCE_STEP_BYTES = 2_000_000
"""Of the oldest evidence, deleted at a time: its pages in the file are used again."""
SPACE_MADE = N("The disk is full, so these were deleted: {what}. Free some space.")
FRAMES, CLIPS = N("frames kept for clips"), N("clips that were made")
DAMAGED, IMAGES = N("damaged journals that were put aside"), N("the oldest images")
WrittenT = TypeVar("WrittenT")


def write_with_room(
    journal: Path, write: Callable[[], WrittenT], evidence_bytes: int = 0
) -> tuple[WrittenT, LazyText | None]:
    """Return what ``write`` returns, which writes so much evidence. While the disk is full, what is worth least is
    deleted first; a sentence for people says what had to go. Raises DiskFullError once nothing is left that may."""
    deleted = _keep_reserve(journal, evidence_bytes) if evidence_bytes else []
    deletions = _delete_files(journal)
    while True:
        try:
            return write(), _describe(deleted)
        except DiskFullError:
            step = next(deletions, None)
            if step is None:
                raise
            deleted.append(step)


def make_room(journal: Path, min_free_bytes: int = MIN_FREE_BYTES) -> LazyText | None:
    """Delete files next to a journal until its disk has room, or none is left that may go. Return a sentence that says
    what had to go, if anything had to."""
    return _describe(_delete_until(journal, min_free_bytes))


def _describe(deleted: Iterable[LazyText]) -> LazyText | None:
    names = list(dict.fromkeys(deleted))
    return N(str(SPACE_MADE), what=join(names, ", ")) if names else None


def _delete_until(journal: Path, min_free_bytes: int) -> list[LazyText]:
    """Delete files next to a journal until its disk has room, or none is left. Return what was deleted."""
    deleted: list[LazyText] = []
    with suppress(OSError):
        deletions = _delete_files(journal)
        while shutil.disk_usage(journal.resolve().parent).free < min_free_bytes:
            step = next(deletions, None)
            if step is None:
                break
            deleted.append(step)
    return deleted


def _keep_reserve(journal: Path, evidence_bytes: int) -> list[LazyText]:
    """Have room for evidence on a disk that is nearly full, in pages of the journal where nothing else goes. Return
    what was deleted."""
    deleted, maintenance = _delete_until(journal, RESERVE_BYTES), JournalMaintenance(journal)
    with suppress(OSError, JournalError):
        if shutil.disk_usage(journal.resolve().parent).free < RESERVE_BYTES:
            while maintenance.free_bytes() < evidence_bytes + EVIDENCE_STEP_BYTES // 2:
                if not maintenance.trim_evidence(0, EVIDENCE_STEP_BYTES):
                    break
                logger.warning("%s: the oldest images were deleted", journal)
                deleted.append(IMAGES)
    return deleted


def _delete_files(journal: Path) -> Iterator[LazyText]:
    """Delete a part of the files that may go, and yield what that was, until none is left."""
    deletions: tuple[tuple[LazyText, Callable[[], int]], ...] = (
        (FRAMES, lambda: KeptFrames(journal).trim(KeepLimit(0.0, 0))),
        (CLIPS, lambda: delete_clips(journal)),
        (DAMAGED, lambda: _delete_first_quarantined(journal)),
    )
    for what, delete in deletions:
        with suppress(OSError):
            while delete():
                logger.warning("the disk of %s is full: deleted %s", journal, what)
                yield what


def _delete_first_quarantined(journal: Path) -> int:
    """Delete the first journal that was put aside, and return how many there were."""
    quarantined = find_quarantined(journal)
    for first in quarantined[:1]:
        first.delete()
    return len(quarantined)
