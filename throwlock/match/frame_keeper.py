"""Keeps the frames of a match's rounds for clips, as files next to the journal, in the background."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from device.system.processes import lower_thread_priority
from throwlock.journal.journal import Event
from throwlock.journal.kept_frames import KeepLimit, KeptFrames
from throwlock.nonessential import nonessential
from throwlock.settings.model import ClipSettings
from throwlock.tables.round_frames import frames_to_keep
from throwlock.tables.source import ThrownRound


def keep_limit(settings: ClipSettings) -> KeepLimit:
    """Return how long frames are kept, and how much room they may take, as in the settings."""
    return KeepLimit(settings.keep_hours * 3600.0, settings.keep_mb * 1_000_000)


def trim_kept_frames(journal: Path, settings: ClipSettings) -> None:
    """Delete the frames next to a journal that the settings no longer allow. A failure is logged: nobody waits for
    it."""
    with nonessential(f"frames next to {journal} can't be deleted"):
        KeptFrames(journal).trim(keep_limit(settings))


class FrameKeeper:
    """Keeps the frames of a journal's rounds, as its settings say. None of it ever fails: a clip is worth less than the
    match."""

    def __init__(self, journal: Path, settings: ClipSettings) -> None:
        self._journal, self._settings = journal, settings
        self._kept = KeptFrames(journal)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="kept-frames", initializer=lower_thread_priority)

    def keep(self, event: Event, thrown: ThrownRound) -> None:
        """Write the frames of the round of ``event`` in a thread of its own, so nobody waits."""
        if self._settings.keep_hours:
            self._submit(f"the frames of round {event.number} can't be kept", self._write, event, thrown)

    def _write(self, event: Event, thrown: ThrownRound) -> None:
        frames = frames_to_keep(thrown.frames.result(), thrown.record)
        if not frames.times_ms:
            return
        try:
            self._kept.save(event.number, event.hash, frames)
        finally:
            trim_kept_frames(self._journal, self._settings)

    def renumber(self, before: Sequence[Event], after: Sequence[Event], numbers: Mapping[int, int]) -> None:
        """Follow the match to a new journal, where its events have other ``numbers``, by old number."""
        hashes = {event.number: event.hash for event in after}
        for event in before:
            if event.round and event.number in numbers:
                new = numbers[event.number]
                failure = f"the frames of round {event.number} are lost"
                self._submit(failure, self._kept.rename, (event.number, event.hash), (new, hashes[new]))

    def close(self) -> None:
        """Write what is left to write."""
        self._pool.shutdown()

    def _submit(self, failure: str, step: Callable[..., object], *args: Any) -> None:
        """Have the thread take a step; an error of it, or of the thread, is logged as ``failure``."""

        def run() -> None:
            with nonessential(failure):
                step(*args)

        with nonessential(failure):
            self._pool.submit(run)
