"""Keeps the frames of a match's rounds for clips, as files next to the journal, in the background."""

import logging
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from throwlock.journal.journal import Event
from throwlock.journal.kept_frames import KeepLimit, KeptFrames
from throwlock.settings.model import ClipSettings
from throwlock.tables.round_frames import frames_to_keep
from throwlock.tables.source import ThrownRound

logger = logging.getLogger(__name__)

NICE_LEVEL = 10
"""How much lower the priority of writing is: the round is being revealed."""


def keep_limit(settings: ClipSettings) -> KeepLimit:
    """Return how long frames are kept, and how much room they may take, as in the settings."""
    return KeepLimit(settings.keep_hours * 3600.0, settings.keep_mb * 1_000_000)


def trim_kept_frames(journal: Path, settings: ClipSettings) -> None:
    """Delete the frames next to a journal that the settings no longer allow. A failure is logged: nobody waits for
    it."""
    try:
        KeptFrames(journal).trim(keep_limit(settings))
    except OSError as error:
        logger.warning("frames next to %s can't be deleted: %s", journal, error)


class FrameKeeper:
    """Keeps the frames of a journal's rounds, as its settings say."""

    def __init__(self, journal: Path, settings: ClipSettings) -> None:
        self._journal, self._settings = journal, settings
        self._kept = KeptFrames(journal)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="kept-frames", initializer=_lower_priority)

    def keep(self, event: Event, thrown: ThrownRound) -> None:
        """Write the frames of the round of ``event`` in a thread of its own, so nobody waits."""
        if self._settings.keep_hours:
            self._pool.submit(self._write, event, thrown)

    def _write(self, event: Event, thrown: ThrownRound) -> None:
        frames = frames_to_keep(thrown.frames.result(), thrown.record)
        if not frames.times_ms:
            return
        try:
            self._kept.save(event.number, event.hash, frames)
        except OSError as error:  # a clip is worth less than the match
            logger.warning("the frames of round %d can't be kept: %s", event.number, error)
        trim_kept_frames(self._journal, self._settings)

    def renumber(self, before: Sequence[Event], after: Sequence[Event], numbers: Mapping[int, int]) -> None:
        """Follow the match to a new journal, where its events have other ``numbers``, by old number."""
        hashes = {event.number: event.hash for event in after}
        for event in before:
            if event.round and event.number in numbers:
                new = numbers[event.number]
                self._pool.submit(self._kept.rename, (event.number, event.hash), (new, hashes[new]))

    def close(self) -> None:
        """Write what is left to write."""
        self._pool.shutdown()


def _lower_priority() -> None:
    os.setpriority(os.PRIO_PROCESS, 0, max(NICE_LEVEL, os.getpriority(os.PRIO_PROCESS, 0)))  # 0: this very thread
