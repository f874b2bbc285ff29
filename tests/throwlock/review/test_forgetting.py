"""Forgetting a player: afterwards nothing that a box keeps has the name or a picture of a match of theirs."""

import hashlib
import json
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from tests.helpers.clip_rounds import P, R, S
from tests.helpers.journal_builder import JournalBuilder, make_hand
from tests.helpers.journal_events import round_body
from tests.helpers.waiting import wait_until
from throwlock.journal.file import sibling
from throwlock.journal.journal import Evidence
from throwlock.journal.kept_frames import CLIPS_SUFFIX, KeptFrames, StoredFrames
from throwlock.journal.maintenance import DeletionResult, JournalMaintenance
from throwlock.journal.recovery import replace_damaged_journal
from throwlock.review import clip_maker
from throwlock.review.archive import ArchiveOpener
from throwlock.review.clip_maker import ClipMaker, ClipOrder, ClipState
from throwlock.review.personal_data import PLACES, Folder, Forgetting, find_place
from throwlock.table_setup.class_names import ClassLists
from throwlock.table_setup.player_names import drop_forgotten, known_names, last_names

ROOT = Path(__file__).parents[3]
NAME, OTHER = "Zoë Ünlü-Quark", "Benedikta"
DRAW = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_bytes(bytes.fromhex(sys.argv[2]))"
"""Stands for the process that makes a clip: what it is given is in the clip."""


def picture(number: int) -> bytes:
    """Return a picture that is like no other, as bytes that are easy to search for."""
    return hashlib.shake_128(f"picture {number}".encode()).digest(3000)


def readings(data: bytes) -> Iterator[bytes]:
    """Yield a file's bytes, and those of whatever is compressed in it."""
    yield data
    if zipfile.is_zipfile(BytesIO(data)):
        with zipfile.ZipFile(BytesIO(data)) as file:
            for name in file.namelist():
                yield from readings(name.encode() + b"\0" + file.read(name))
    for start in (at for at in range(len(data) - 1) if data[at] == 0x78 and data[at + 1] in (0x01, 0x5E, 0x9C, 0xDA)):
        try:
            yield zlib.decompressobj().decompress(data[start:])
        except zlib.error:
            continue


def files_with(folder: Path, needles: list[bytes]) -> set[str]:
    """Return the paths of all files below ``folder`` in whose name or content any needle is."""
    found = set()
    for file in folder.rglob("*"):
        texts = [str(file.relative_to(folder)).encode(), *(readings(file.read_bytes()) if file.is_file() else ())]
        if any(needle in text for text in texts for needle in needles):
            found.add(str(file.relative_to(folder)))
    return found


def spellings(name: str) -> list[bytes]:
    return [
        *(name.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le")),
        json.dumps(name).strip('"').encode(),
    ]


def traces(data: bytes) -> list[bytes]:
    """Return what shows that a picture is, or was, somewhere: parts of it, and its hash."""
    digest = hashlib.sha256(data)
    return [*(data[at : at + 100] for at in range(0, len(data), 1000)), digest.digest(), digest.hexdigest().encode()]


class Box:
    """A box with a damaged journal that was put aside, and two units that make clips."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "data/evening.journal"
        self.path.parent.mkdir()
        self.pictures: list[bytes] = []
        before = self._build()
        self._add_round(before)
        before.close()
        data = bytearray(self.path.read_bytes())
        data[18:20] = b"\x07\x07"  # of a format that no SQLite reads
        self.path.write_bytes(data)
        replace_damaged_journal(self.path)
        self.builder = self._build()
        self.match = self.builder.match
        self.events = [self._add_round(self.builder) for _ in range(2)]
        self.builder.match = self.builder.start_match(OTHER, "Chidi")
        self.kept = picture(99)
        self.builder.journal.append(
            self.builder.match,
            round_body({1: make_hand(R), 2: make_hand(S)}, {1: R, 2: S}, [], "", lock_frame_ms=170.0),
            [Evidence("lock.jpg", "image/jpeg", self.kept)],
        )
        self.units = [ArchiveOpener(self.path, folder / f"cache-{unit}") for unit in ("box", "review")]
        ClassLists(self.path).save("3b", (OTHER, NAME, "Dora"))
        with self.units[0].open() as archive:
            archive.write_note(self.events[0], f"{NAME} was late")
            self.key = next(line.player.key for line in archive.players() if line.player.name == NAME)
        self.builder.match = self.match
        self._add_round(self.builder)  # which is still in the log

    def _build(self) -> JournalBuilder:
        builder = JournalBuilder(self.path)
        builder.match = builder.start_match(NAME, OTHER)
        return builder

    def _add_round(self, builder: JournalBuilder) -> int:
        """Add a round with a picture in the journal and a frame next to it."""
        lock, frame = (picture(len(self.pictures) + n) for n in range(2))
        self.pictures += [lock, frame]
        body = round_body({1: make_hand(R), 2: make_hand(P)}, {1: R, 2: P}, [], "", lock_frame_ms=170.0)
        event = builder.journal.append(builder.match, body, [Evidence("lock.jpg", "image/jpeg", lock)])
        KeptFrames(self.path).save(event.number, event.hash, StoredFrames((0.0,), {(1, 0): frame}))
        return event.number

    def make_clips(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have each unit make clips, with the name and a picture in them."""
        shown = (NAME.encode() + self.pictures[-1]).hex()
        monkeypatch.setattr(
            clip_maker, "process_command", lambda journal, order, file: [sys.executable, "-c", DRAW, str(file), shown]
        )
        for unit, language in zip(self.units, ("en", "de"), strict=True):
            clips, order = ClipMaker(unit), ClipOrder(self.events[0], language, "mp4")
            clips.order(order)
            wait_until(lambda: clips.status(order).state is ClipState.READY)  # noqa: B023
            clips.close()

    def close(self) -> None:
        self.builder.close()
        for unit in self.units:
            unit.close()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    box = Box(tmp_path)
    yield box
    box.close()


def test_nothing_on_the_box_has_a_forgotten_player(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    box.make_clips(monkeypatch)
    name, pictures = spellings(NAME), [trace for data in box.pictures for trace in traces(data)]
    found = files_with(box.folder, [*name, *pictures])
    kinds = {"journal-wal", "journal.broken-1", "classes.json", f"journal{CLIPS_SUFFIX}", "journal.frames"}
    assert {kind for kind in kinds if any(kind in path for path in found)} == kinds, "the search finds what is there"
    assert NAME in known_names(box.path) and len(list(sibling(box.path, CLIPS_SUFFIX).glob("*/*"))) == 2

    with box.units[0].open() as archive:
        exports = {box.path.with_name(f"match.{form}"): form for form in ("csv", "xlsx")}
        for file, form in exports.items():
            file.write_bytes(archive.export(box.match, form)[2])
        box.builder.journal.close()
        remaining = archive.forget(box.key or "")
    assert files_with(box.folder, [*name, *pictures]) == {"data/match.csv", "data/match.xlsx"}
    for file in exports:
        assert any(file.name in sentence for sentence in remaining), "what is out of reach is said"
        file.unlink()
    for unit in box.units:
        with unit.open() as archive:
            assert NAME not in [line.player.name for line in archive.players()]
    assert files_with(box.folder, [*name, *pictures]) == set()
    assert NAME not in known_names(box.path) and drop_forgotten((NAME, OTHER, ""), box.path) == ("", OTHER, "")
    assert last_names(box.path) == (OTHER, "Chidi")
    assert ClassLists(box.path).read() == {"3b": (OTHER, "Player 2", "Dora")}, "the others keep their cards"
    assert files_with(box.folder, [box.kept]) == {"data/evening.journal"}, "a match that they did not play stays"


def test_what_is_left_to_people_is_said(box: Box) -> None:
    (box.path.parent / "class.txt").write_text(f"Dora\n{NAME}\n")
    (box.path.parent / "filmed-throws").mkdir()
    (box.path.parent / "classes.json").write_text("[")
    box.builder.journal.close()
    with box.units[1].open() as archive:
        remaining = archive.forget(box.key or "")
    for words in ("class.txt has the name", "filmed-throws", "classes.json can’t be read (damaged)"):
        assert any(words in sentence for sentence in remaining), (words, remaining)
    assert len(remaining) == 3


def test_clips_made_while_a_player_is_forgotten_do_not_stay(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another unit finishes a clip between the first deletion of clips and that of the name."""
    box.builder.journal.close()
    folder, forget = sibling(box.path, CLIPS_SUFFIX) / "origin", JournalMaintenance.forget

    def make_clip_and_forget(maintenance: JournalMaintenance, key: str) -> DeletionResult:
        folder.mkdir(parents=True)
        (folder / "late.mp4").write_text(NAME)
        return forget(maintenance, key)

    monkeypatch.setattr(JournalMaintenance, "forget", make_clip_and_forget)
    with box.units[0].open() as archive:
        archive.forget(box.key or "")
    assert list(folder.iterdir()) == []


def test_a_match_s_pictures_go_from_the_damaged_journal_before_it(tmp_path: Path) -> None:
    path = tmp_path / "evening.journal"
    builder = JournalBuilder(path)
    builder.add_round(R, S)
    quarantined = builder.journal.continue_in_new_journal(builder.journal.events(builder.match), ("Ada", "Ben"))[0]
    numbers = builder.journal.matches()
    builder.journal.close()
    assert quarantined.exists()
    with builder.shelf.open() as archive:
        archive.delete_pictures(numbers[0])
    assert not list(tmp_path.glob("*.broken-*"))


def test_every_place_is_in_the_documents() -> None:
    privacy = (ROOT / "docs/privacy.md").read_text()
    for place in PLACES:
        assert place.pattern.partition("*")[0].rstrip("/") in privacy, place
    assert {place.forgetting for place in PLACES} == set(Forgetting)


@pytest.mark.parametrize(
    ("path", "forgetting"),
    [("a[1].journal", Forgetting.PLAYER), ("a[1].journal-wal", Forgetting.PLAYER),
     ("a[1].journal.frames/7-0123.zip", Forgetting.PLAYER), ("a[1].journal.broken-2.clips/x/y.mp4", Forgetting.ALL),
     ("a1.journal", None), ("match.json", None)],
)  # fmt: skip
def test_files_are_of_a_place(path: str, forgetting: Forgetting | None) -> None:
    place = find_place(Folder.JOURNAL, path, "a[1].journal")
    assert (place and place.forgetting) == forgetting


WRITERS = {
    "device/sound/voice.py": ["spoken-counts/*"],
    "throwlock/filming/folder.py": ["filmed-throws/*"],
    "throwlock/hall/membership.py": ["hall.toml*"],
    "throwlock/journal/file.py": ["FILE", "FILE-wal", "FILE-shm", "FILE-journal", "FILE.new*", "FILE.lock"],
    "throwlock/journal/kept_frames.py": ["FILE.frames/*"],
    "throwlock/journal/tail_marker.py": ["FILE.tail"],
    "throwlock/review/make_clip.py": ["FILE.clips/*"],
    "throwlock/review/clip_maker.py": ["FILE.clips/*"],
    "throwlock/review/index.py": ["review-*.sqlite*"],
    "throwlock/settings/model.py": ["throwlock.toml*"],
    "throwlock/table_setup/class_names.py": ["classes.json*"],
    "throwlock/table_setup/zone_store.py": ["zones.toml*"],
    "vision/hands/model.py": ["hand-model-*"],
}
"""The modules that write files which stay, with the places of these."""
WRITERS_ELSEWHERE = {
    *("throwlock/cli/archive.py", "throwlock/cli/judge.py", "throwlock/cli/doctor/bench.py", "ui/sheets/paper.py"),
    *("throwlock/review/parquet.py", "throwlock/review/export.py", "device/camera/clip.py"),
    *("ui/screen/core/png_display.py", "throwlock/hub/setup.py", "throwlock/hub/backup.py"),
    # for as long as something runs, or for a device
    *(
        "throwlock/cli/box.py",
        "throwlock/cli/doctor/checks.py",
        "throwlock/cli/doctor/probes.py",
        "throwlock/cli/tv.py",
    ),
    *("throwlock/hub/certificates.py", "ui/screen/core/screen.py", "device/gpio/gpiozero_devices.py"),
    *("vision/hands/model_process.py", "device/system/input_files.py", "throwlock/session.py"),
}
"""The modules that write files where somebody says, such as exports, and no files that stay."""


def test_every_module_that_writes_files_has_a_place() -> None:
    writing = re.compile(
        r"\.write_(text|bytes)\(|\bwrite_durably\(|\.mkdir\(|\bos\.open\(|sqlite3\.connect\(|ZipFile\(.*\"w\""
        r"|open\(.*\"[wax]b?\+?\"|\b(mkdtemp|mkstemp|TemporaryDirectory|TemporaryFile|NamedTemporaryFile)\("
    )
    modules = {
        str(path.relative_to(ROOT))
        for package in ("device", "rules", "throwlock", "ui", "vision")
        for path in (ROOT / package).rglob("*.py")
        if writing.search(path.read_text())
    }
    assert modules == WRITERS.keys() | WRITERS_ELSEWHERE, "a new place: add it to PLACES, and to docs/privacy.md"
    known = {place.pattern for place in PLACES}
    assert {pattern for patterns in WRITERS.values() for pattern in patterns} <= known
