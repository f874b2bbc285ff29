"""The frames of rounds that are kept for clips: files next to the journal, of the players' zones only. They are no
evidence and not in the chain: they go after hours, by a setting, while a journal's images stay for years."""

import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from device.system.file_times import age_s, set_time, steady_time
from device.system.output_files import atomic_write
from rules.engine import Seat
from throwlock.journal.file import sibling

FRAMES_SUFFIX = ".frames"
"""The folder of a journal's frames is named after it."""
TIMES_NAME = "times.json"

UNREADABLE_ZIP = (
    *(OSError, zipfile.BadZipFile, zlib.error, EOFError, struct.error, KeyError, ValueError, TypeError),
    RuntimeError,  # encrypted; NotImplementedError is a further version or kind of compression
)
"""What zipfile and json raise about a file of which any bit is wrong."""


@dataclass(frozen=True)
class StoredFrames:
    """A round's frames."""

    times_ms: tuple[float, ...]
    """After the cue, in order."""
    jpegs: Mapping[tuple[Seat, int], bytes]
    """Each seat's image of a frame, by the frame's index."""

    @property
    def seats(self) -> frozenset[Seat]:
        """The seats that have images."""
        return frozenset(seat for seat, _ in self.jpegs)


@dataclass(frozen=True)
class KeepLimit:
    """How long frames are kept, and how much room they may take; nothing is kept for 0 hours."""

    max_age_s: float
    max_bytes: int


class KeptFrames:
    """The kept frames of a journal. Each round has a ZIP file of JPEGs, ``NUMBER-HASH.zip`` by its event, in the folder
    ``NAME.frames`` next to the journal. ``now`` returns the time in s, as
    files have it; it must not jump. Thread-safe.

    KeptFrames(Path("evening.journal")).save(event.number, event.hash, frames)
    """

    def __init__(self, journal: Path, now: Callable[[], float] = steady_time) -> None:
        self.folder = sibling(journal.resolve(), FRAMES_SUFFIX)
        self._now = now

    def _path(self, event: int, event_hash: str) -> Path:
        """Return the file of a round: with the hash, so that no other journal's at the same path is taken for it."""
        return self.folder / f"{event}-{event_hash[:16]}.zip"

    def save(self, event: int, event_hash: str, frames: StoredFrames) -> None:
        """Keep a round's frames. Raises OSError."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        path = self._path(event, event_hash)
        with atomic_write(path) as part:
            with zipfile.ZipFile(part, "w") as file:
                part.chmod(0o600)
                # an entry without a time: zipfile takes none before 1980, and a clock that isn't set is in 1970
                file.writestr(zipfile.ZipInfo(TIMES_NAME), json.dumps(frames.times_ms))
                for (seat, number), data in frames.jpegs.items():
                    file.writestr(zipfile.ZipInfo(f"{seat}/{number}.jpg"), data)
            set_time(part, self._now())

    def load(self, event: int, event_hash: str) -> StoredFrames | None:
        """Return a round's frames; None if they are not kept, or not all of a seat's can be read."""
        try:
            with zipfile.ZipFile(self._path(event, event_hash)) as file:
                times = tuple(float(at) for at in json.loads(file.read(TIMES_NAME)))
                jpegs = {key: file.read(name) for name in file.namelist() if (key := _key(name))}
        except UNREADABLE_ZIP:
            return None
        stored = StoredFrames(times, jpegs)
        is_whole = jpegs.keys() == {(seat, number) for seat in stored.seats for number in range(len(times))}
        return stored if is_whole and list(times) == sorted(times) else None

    def has(self, event: int, event_hash: str) -> bool:
        """Return whether a round's frames are kept."""
        return self._path(event, event_hash).exists()

    def rename(self, before: tuple[int, str], after: tuple[int, str]) -> None:
        """Follow a round to a new journal, where its event has another number and hash."""
        with suppress(OSError):
            self._path(*before).replace(self._path(*after))

    def delete(self, events: Iterable[int]) -> None:
        """Delete the frames of rounds, by event. Raises OSError."""
        numbers = set(map(str, events))
        for file in self.folder.glob("*-*"):
            if file.name.partition("-")[0] in numbers:
                file.unlink(missing_ok=True)

    def delete_orphans(self, rounds: Iterable[tuple[int, str]]) -> None:
        """Delete the frames of all but these events, by number and hash: those of a journal that was at this path
        before. Raises OSError."""
        names = {self._path(*known).stem for known in rounds}
        for file in self.folder.glob("*"):
            if file.name.partition(".")[0] not in names:
                file.unlink(missing_ok=True)

    def trim(self, limit: KeepLimit) -> int:
        """Delete what is older than the limit, then the oldest until the rest fits. Return how many files went. Raises
        OSError."""
        files, now_s = [], self._now()
        for file in self.folder.glob("*"):
            with suppress(FileNotFoundError):
                files.append((age_s(file, now_s), file.stat().st_size, file))
        size, deleted = sum(size for _, size, _ in files), 0
        for age, file_size, file in sorted(files, reverse=True):
            if age < limit.max_age_s and size <= limit.max_bytes:
                break
            file.unlink(missing_ok=True)
            size -= file_size
            deleted += 1
        return deleted


def _key(name: str) -> tuple[Seat, int] | None:
    """Return seat and frame of a JPEG's name; None for any other file. Raises ValueError."""
    seat, _, number = name.removesuffix(".jpg").partition("/")
    return (int(seat), int(number)) if name.endswith(".jpg") else None


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
