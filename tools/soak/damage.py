"""Damages copies of a journal at random places, and asks whether anybody notices."""

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from throwlock.journal.file import JOURNAL_SUFFIXES, sibling
from throwlock.journal.hash_chain import EventLostError
from throwlock.journal.journal import EventRow, EvidenceRow, Journal, JournalError, JournalReader, PlayerRow
from throwlock.journal.recovery import replace_damaged_journal
from throwlock.journal.tail_marker import TAIL_SUFFIX, read_tail_marker
from throwlock.review.verify import verify

CHECKED_RECOVERIES = 8
"""One lost journal in this many is replaced by a new one."""
PARTS = ("", "-wal", TAIL_SUFFIX)
"""What is damaged. SQLite makes the -shm file anew."""


def copy_journal(path: Path, folder: Path) -> Path:
    """Copy a journal and the files next to it into a new folder; return the copy."""
    folder.mkdir(parents=True)
    for suffix in JOURNAL_SUFFIXES:
        if sibling(path, suffix).exists():
            shutil.copy(sibling(path, suffix), folder)
    return folder / path.name


@dataclass(frozen=True)
class Content:
    """Everything in a journal's tables."""

    events: list[EventRow]
    evidence: list[EvidenceRow]
    players: list[PlayerRow]
    marks: dict[int, str]

    def is_left_of(self, whole: "Content", marked: int) -> bool:
        """Return whether this is ``whole``, or all of it but its newest event. That one may be missing if it is later
        than ``marked``: it was written and never shown."""
        count = len(self.events)
        if count < max(marked, len(whole.events) - 1):
            return False
        if count == len(whole.events):
            return self == whole
        return (
            self.events == whole.events[:count]
            and self.evidence == [one for one in whole.evidence if one.event <= count]
            and self.players == whole.players[: len(self.players)]
        )


def read_content(path: Path) -> Content:
    """Return everything in a journal's tables. Raises JournalError."""
    with JournalReader(path) as reader:
        return Content([*reader.event_rows()], [*reader.evidence_rows()], [*reader.player_rows()], reader.marks())


def shown_events(path: Path, whole: Content) -> int:
    """Return how many events may have been shown: those up to the tail marker after a kill, else all."""
    if not sibling(path, TAIL_SUFFIX).exists():
        return len(whole.events)
    return (read_tail_marker(path) or (0, ""))[0]


def flip_bit(path: Path, rng: random.Random) -> str:
    """Flip a bit of a journal or of a file next to it; return where."""
    parts = [part for part in PARTS if sibling(path, part).exists() and sibling(path, part).stat().st_size]
    file = sibling(path, rng.choice(parts))
    data = bytearray(file.read_bytes())
    place, bit = rng.randrange(len(data)), rng.randrange(8)
    data[place] ^= 1 << bit
    file.write_bytes(data)
    return f"bit {bit} of byte {place} of {file.name}"


def spoil_log(path: Path, rng: random.Random) -> str:
    """Cut a journal's log off, or fill a part of it with random bytes; return where."""
    file = sibling(path, "-wal")
    data = file.read_bytes()
    place = rng.randrange(len(data))
    if rng.random() < 0.5:
        file.write_bytes(data[:place])
        return f"{file.name} cut off after {place} bytes"
    size = min(rng.choice([1, 16, 512, 4096]), len(data) - place)
    file.write_bytes(data[:place] + rng.randbytes(size) + data[place + size :])
    return f"{size} bytes from {place} of {file.name}"


def find_unnoticed(path: Path, whole: Content, marked: int, rng: random.Random) -> tuple[bool, list[str]]:
    """Read, verify and open a damaged journal that held ``whole``, of which ``marked`` events may have been shown.
    Return whether the damage was reported, and where a wrong content was accepted, or reported badly."""
    reported, problems = _read_damaged(path, whole, marked)
    try:
        Journal(path).close()
    except JournalError as error:
        reported = True
        problems += _message_problems(error)
        if isinstance(error, EventLostError) and rng.randrange(CHECKED_RECOVERIES) == 0:
            replace_damaged_journal(path)
            with JournalReader(path) as reader:
                problems += [f"in the new journal: {one}" for one in verify(reader).problems]
        return reported, problems
    after_reported, after_problems = _read_damaged(path, whole, marked)
    return reported or after_reported, problems + [f"once a box had opened it: {one}" for one in after_problems]


def _read_damaged(path: Path, whole: Content, marked: int) -> tuple[bool, list[str]]:
    try:
        with JournalReader(path) as reader:
            if verify(reader).problems:
                return True, []
        content = read_content(path)
    except JournalError as error:
        return True, _message_problems(error)
    return False, [] if content.is_left_of(whole, marked) else ["another content is accepted"]


def _message_problems(error: JournalError) -> list[str]:
    return [f"the message has several lines: {str(error)!r}"] if "\n" in str(error) else []
