"""The folder of filmed throws: clips of the seats' zones, what the players agreed to, their labels, and the report.
Every step is written at once, so filming goes on wherever it was stopped."""

import csv
import errno
import io
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from device.camera.clip import write_clip
from device.camera.frames import Frame
from device.system.file_times import mark_newest
from device.system.input_files import read_input_file
from errors import ThrowlockError
from messages import N, shorten
from rules.engine import Seat
from rules.throws import Throw
from throwlock.filming.schedule import AgreedThrow
from throwlock.settings.model import write_durably
from throwlock.table_setup.cameras import CameraKind
from vision.zones import Zone

CONSENT_FILE, TAKES_FILE, LABELS_FILE, REPORT_FILE = "consent.json", "takes.json", "labels.csv", "report.json"
MAX_RECORD_BYTES = 16 * 2**20
"""Bytes of a record that is read: a take has about 10 KiB."""
MAX_CLIP_SIDE_PX = 480
"""Longest side of a clip in pixels: more than the hand model looks at."""
MIN_FREE_BYTES = 200_000_000
"""Bytes that must be free on the disk before a take: it needs up to 60 MB, and the box needs the rest."""
LABEL_COLUMNS = (
    "file", "licence", "fps", "kind", "label", "from_shape", "onset_frame", "settled_frame", "held_until_frame", "view",
    "note", "take", "seat", "hand", "cue_frame",
)  # fmt: skip
DISK_FULL = N("the disk of {path} is full: free some space, then go on")
RecordT = TypeVar("RecordT", bound=BaseModel)


class FilmingError(ThrowlockError):
    """Filmed throws can't be written or read. The message says why and what to do."""


class Licence(StrEnum):
    """Who may use filmed throws, as the players choose."""

    CC0 = "CC0-1.0"
    PROJECT = "only for Throwlock"


LICENCE_TEXTS = {
    Licence.CC0: (
        "The people who were filmed dedicate these clips and labels to the public domain, to the extent possible\n"
        "under law: CC0 1.0 Universal, https://creativecommons.org/publicdomain/zero/1.0/legalcode\n"
    ),
    Licence.PROJECT: (
        "These clips and labels may be used to test and to improve Throwlock, and to train what it recognises hands\n"
        "with. They may not be published or passed on for anything else.\n"
    ),
}
"""The file LICENSE of each."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SeatConsent(_Record):
    """Who agreed for a seat, and when (ISO 8601)."""

    by: Literal["player", "guardian"]
    at: str


class Consent(_Record):
    """What the players agreed to, in the words and the language in which they read it. It holds no names."""

    format: Literal[1] = 1
    text: str
    language: str
    licence: Licence
    table_seats: int
    """The number of all seats at the table."""
    seats: dict[Seat, SeatConsent]
    """Those who agreed; nobody else is filmed."""


class Label(_Record):
    """What people see in a clip, in frames from 0. Of a rock, ``onset`` and ``settled`` are both the frame in which the
    fist has come to rest."""

    kind: Literal["throw", "none", "unsure"]
    """Of these, "none" is a hand that is none of the three."""
    throw: Throw | None = None
    onset: int | None = None
    """The first frame in which the shape begins to form."""
    settled: int | None = None
    """The first frame in which the shape is complete."""
    held_until: int | None = None
    """The last frame in which the shape is held."""

    @property
    def shown(self) -> float | None:
        """The frame at which the throw shows: the middle of its opening, or a rock's landing; None if it is no throw,
        or not marked."""
        if self.kind != "throw" or self.onset is None or self.settled is None:
            return None
        return self.settled if self.throw is Throw.ROCK else (self.onset + self.settled) / 2


class FilmedHand(_Record):
    """One seat's clip of a take: its file, what was agreed, and its label once it has one."""

    file: str
    agreed: AgreedThrow
    label: Label | None = None


class Take(_Record):
    """One count, and the clips of it."""

    number: int
    beat_ms: int
    """The time between two words of the count."""
    exposed_ms: Annotated[tuple[FiniteFloat, ...], Field(min_length=1)]
    """When each frame of the clips was exposed, in ms after the cue."""
    hands: dict[Seat, FilmedHand]

    @property
    def fps(self) -> float:
        """Frames a second."""
        return (len(self.exposed_ms) - 1) * 1000 / max(1e-9, self.exposed_ms[-1] - self.exposed_ms[0])

    def ms_at(self, frame: float) -> float:
        """Return when a frame was exposed, in ms after the cue; a half frame is between two."""
        before = min(int(frame), len(self.exposed_ms) - 1)
        after = min(before + 1, len(self.exposed_ms) - 1)
        return self.exposed_ms[before] + (frame - before) * (self.exposed_ms[after] - self.exposed_ms[before])

    def frame_at(self, after_cue_ms: float) -> int:
        """Return the frame whose exposure is nearest to a time in ms after the cue."""
        return min(range(len(self.exposed_ms)), key=lambda number: abs(self.exposed_ms[number] - after_cue_ms))


class Takes(_Record):
    """The takes of a folder, by number from 1, and the camera they were filmed with."""

    format: Literal[1] = 1
    camera: str = ""
    takes: dict[int, Take] = Field(default_factory=dict)


class FilmingFolder:
    """A folder of filmed throws. Raises FilmingError if its records can't be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.consent = self._read(CONSENT_FILE, Consent)
        self._takes = self._read(TAKES_FILE, Takes)

    @classmethod
    def create(cls, root: Path, day: str, camera: str, consent: Consent) -> Self:
        """Return a new folder in ``root``, named after the ``day``. Raises FilmingError."""
        with _translate_errors(root):
            root.mkdir(parents=True, exist_ok=True)
            number = 1
            while (path := root / (day if number == 1 else f"{day}-{number}")).exists():
                number += 1
            path.mkdir()
            write_durably(path / TAKES_FILE, _json(Takes(camera=camera)))
            (path / "LICENSE").write_text(LICENCE_TEXTS[consent.licence])
            write_durably(path / CONSENT_FILE, _json(consent))
            mark_newest(path / CONSENT_FILE, [sibling / CONSENT_FILE for sibling in _folders(root) if sibling != path])
        return cls(path)

    @property
    def takes(self) -> tuple[Take, ...]:
        """The takes in order."""
        return tuple(take for _, take in sorted(self._takes.takes.items()))

    @property
    def camera(self) -> str:
        """The camera's name, as ``--camera`` takes it."""
        return self._takes.camera

    def clip(self, hand: FilmedHand) -> Path:
        """Return the path of a hand's clip."""
        return self.path / hand.file

    def add_take(
        self,
        number: int,
        agreed: dict[Seat, AgreedThrow],
        zones: dict[Seat, Zone],
        frames: Sequence[Frame],
        cue_ns: int,
        beat_ms: int,
    ) -> Take:
        """Write a take's clips, of the seats' zones only, and add it, in place of an earlier one of that number. Raises
        FilmingError; then nothing has changed."""
        exposed_ms = tuple(round((frame.exposed_ns - cue_ns) / 1e6, 3) for frame in frames)
        names = (f"take-{number:02}-{attempt}-seat-{{}}.avi" for attempt in count(1))
        name = next(name for name in names if not any((self.path / name.format(seat)).exists() for seat in agreed))
        hands = {seat: FilmedHand(file=name.format(seat), agreed=throw) for seat, throw in agreed.items()}
        take = Take(number=number, beat_ms=beat_ms, exposed_ms=exposed_ms, hands=hands)
        try:
            with _translate_errors(self.path):
                for seat, hand in hands.items():
                    box = zones[seat].box(frames[0].size)
                    size = box.size_within(MAX_CLIP_SIDE_PX)
                    write_clip(self.clip(hand), (frame.pixels(box, size) for frame in frames), take.fps)
            earlier = self._takes.takes.get(number)
            self._save({**self._takes.takes, number: take})
        except BaseException:
            for hand in hands.values():
                self.clip(hand).unlink(missing_ok=True)
            raise
        for hand in earlier.hands.values() if earlier else ():
            self.clip(hand).unlink(missing_ok=True)
        return take

    def set_label(self, number: int, seat: Seat, label: Label | None) -> None:
        """Label a hand (None: take its label back). Raises FilmingError."""
        take = self._takes.takes[number]
        hand = take.hands[seat].model_copy(update={"label": label})
        take = take.model_copy(update={"hands": {**take.hands, seat: hand}})
        self._save({**self._takes.takes, number: take})

    def write_report(self, report: str, readme: str) -> None:
        """Write the report, as JSON, and a README. Raises FilmingError."""
        with _translate_errors(self.path):
            write_durably(self.path / REPORT_FILE, report)
            write_durably(self.path / "README.md", readme)

    @property
    def has_report(self) -> bool:
        """Whether the box has been measured on the clips as they are labelled now."""
        return (self.path / REPORT_FILE).is_file()

    def check_space(self) -> None:
        """Raise FilmingError if the disk has no room for another take."""
        with _translate_errors(self.path):
            free = shutil.disk_usage(self.path).free
        if free < MIN_FREE_BYTES:
            raise FilmingError(N(DISK_FULL, path=self.path))

    def _save(self, takes: dict[int, Take]) -> None:
        """Write the takes and their labels; an earlier report no longer fits them."""
        record = self._takes.model_copy(update={"takes": takes})
        with _translate_errors(self.path):
            (self.path / REPORT_FILE).unlink(missing_ok=True)
            write_durably(self.path / TAKES_FILE, _json(record))
            self._takes = record
            write_durably(self.path / LABELS_FILE, self._labels_csv())

    def _labels_csv(self) -> str:
        text = io.StringIO()
        table = csv.DictWriter(text, LABEL_COLUMNS, lineterminator="\n")
        table.writeheader()
        for take in self.takes:
            for seat, hand in take.hands.items():
                if hand.label is not None:
                    table.writerow(self._label_row(take, seat, hand, hand.label))
        return text.getvalue()

    def _label_row(self, take: Take, seat: Seat, hand: FilmedHand, label: Label) -> dict[str, object]:
        return {
            "file": hand.file,
            "licence": self.consent.licence,
            "fps": f"{take.fps:.3f}",
            "kind": label.kind,
            "label": label.throw or "none",
            "from_shape": "" if label.kind == "none" else "rock",
            "onset_frame": label.onset,
            "settled_frame": label.settled,
            "held_until_frame": label.held_until,
            "view": "rendered" if self.camera == CameraKind.SIMULATED else "from above",
            "note": "late on purpose" if hand.agreed.late else "",
            "take": take.number,
            "seat": seat,
            "hand": hand.agreed.hand,
            "cue_frame": take.frame_at(0),
        }

    def _read(self, name: str, kind: type[RecordT]) -> RecordT:
        path = self.path / name
        try:
            return kind.model_validate_json(read_input_file(path, MAX_RECORD_BYTES))
        except OSError as error:
            raise FilmingError(N("{path} can’t be read ({why})", path=path, why=error.strerror)) from error
        except ValidationError as error:
            why = shorten(error.errors()[0]["msg"])
            raise FilmingError(N("{path} can’t be read ({why}): delete this filming", path=path, why=why)) from error


def newest_folder(root: Path) -> FilmingFolder | None:
    """Return the newest folder of filmed throws in ``root``; None if there is none. Raises FilmingError."""
    paths = _folders(root)
    return FilmingFolder(max(paths, key=lambda path: (path / CONSENT_FILE).stat().st_mtime_ns)) if paths else None


def total_bytes(root: Path) -> int:
    """Return how many bytes all folders of filmed throws take."""
    return sum(file.stat().st_size for path in _folders(root) for file in path.iterdir())


def delete_all(root: Path) -> None:
    """Delete all folders of filmed throws in ``root``, readable or not. Raises FilmingError."""
    with _translate_errors(root):
        for path in _folders(root):
            shutil.rmtree(path)


def _folders(root: Path) -> list[Path]:
    return [path for path in root.iterdir() if (path / CONSENT_FILE).is_file()] if root.is_dir() else []


def _json(record: BaseModel) -> str:
    return record.model_dump_json(indent=1) + "\n"


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    """Raise a FilmingError in place of an OSError."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise FilmingError(N(DISK_FULL, path=path)) from error
        raise FilmingError(N("{path} can’t be written ({why})", path=path, why=error.strerror)) from error
