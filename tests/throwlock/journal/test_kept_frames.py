"""Frames kept for clips: whole or not at all, no longer and no more than the limit, and gone with a match's images."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.journal_builder import JournalBuilder, R, S
from throwlock.journal.kept_frames import KeepLimit, KeptFrames, StoredFrames
from throwlock.journal.maintenance import JournalMaintenance

FRAMES = StoredFrames((-8.3, 0.0, 8.4), {(seat, n): bytes([seat, n]) * 500 for seat in (1, 2) for n in range(3)})
HASH = "0123456789abcdef" * 4
NOW_S = 1_800_000_000.0


def write_aged(kept: KeptFrames, event: int, age_s: float) -> Path:
    kept.save(event, HASH, FRAMES)
    (file,) = kept.folder.glob(f"{event}-*")
    os.utime(file, (NOW_S - age_s, NOW_S - age_s))
    return file


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    kept = KeptFrames(tmp_path / "evening.journal")
    kept.save(7, HASH, FRAMES)
    assert kept.load(7, HASH) == FRAMES and kept.has(7, HASH)
    assert kept.load(7, HASH[::-1]) is None, "another journal's round of the same number"
    assert kept.load(8, HASH) is None and not kept.has(8, HASH)
    (file,) = (tmp_path / "evening.journal.frames").iterdir()
    assert file.stat().st_mode & 0o077 == 0 and file.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("now_s", [20.0, 4_300_000_000.0], ids=["1970", "2106"])
def test_frames_are_kept_whatever_the_time_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, now_s: float) -> None:
    kept = KeptFrames(tmp_path / "evening.journal", lambda: now_s)
    with monkeypatch.context() as patch:
        patch.setattr("time.time", lambda: now_s)
        kept.save(7, HASH, FRAMES)
    assert kept.load(7, HASH) == FRAMES
    assert kept.trim(KeepLimit(3600, 10**9)) == 0


@pytest.mark.parametrize("data", [b"", b"PK no zip", b"\0" * 2000], ids=["empty", "text", "zeros"])
def test_a_damaged_file_is_no_frames(tmp_path: Path, data: bytes) -> None:
    kept = KeptFrames(tmp_path / "evening.journal")
    kept.save(7, HASH, FRAMES)
    (file,) = kept.folder.iterdir()
    file.write_bytes(data)
    assert kept.load(7, HASH) is None


def test_any_flipped_bit_leaves_whole_seats_or_nothing(tmp_path: Path) -> None:
    kept = KeptFrames(tmp_path / "evening.journal")
    small = StoredFrames((0.0, 8.4), {(seat, n): bytes([seat, n]) for seat in (1, 2) for n in range(2)})
    kept.save(7, HASH, small)
    (file,) = kept.folder.iterdir()
    data = file.read_bytes()
    for bit in range(8 * len(data)):
        file.write_bytes(data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :])
        loaded = kept.load(7, HASH)
        assert loaded is None or small.jpegs == {**small.jpegs, **loaded.jpegs}, bit
        assert loaded is None or loaded == small or loaded.seats < small.seats, bit


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    kept = KeptFrames(tmp_path / "evening.journal")
    monkeypatch.setattr("zipfile.ZipFile.writestr", fail)
    with pytest.raises(OSError):
        kept.save(7, HASH, FRAMES)
    assert list(kept.folder.iterdir()) == []


def test_old_frames_go_and_then_the_oldest_that_do_not_fit(tmp_path: Path) -> None:
    kept = KeptFrames(tmp_path / "evening.journal", now=lambda: NOW_S)
    files = [write_aged(kept, event, age_s) for event, age_s in ((3, 50.0), (1, 200.0), (2, 101.0), (4, 10.0))]
    size = files[0].stat().st_size
    assert kept.trim(KeepLimit(100.0, 2 * size)) == 2
    assert [kept.has(event, HASH) for event in (1, 2, 3, 4)] == [False, False, True, True]
    assert kept.trim(KeepLimit(100.0, 2 * size - 1)) == 1 and kept.has(4, HASH) and not kept.has(3, HASH)
    assert kept.trim(KeepLimit(0.0, size)) == 1 and not kept.has(4, HASH)


@pytest.mark.parametrize("jump_s", [-NOW_S, -86_400.0, 86_400.0])
def test_frames_go_neither_earlier_nor_later_because_the_clock_jumps(
    tmp_path: Path, jump_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, real = KeptFrames(tmp_path / "evening.journal"), time.time
    kept.save(7, HASH, FRAMES)
    monkeypatch.setattr("time.time", lambda: real() + jump_s)
    assert kept.trim(KeepLimit(6 * 3600.0, 10**9)) == 0
    monkeypatch.setattr("time.monotonic", lambda now=time.monotonic: now() + 6 * 3600.0)
    assert kept.trim(KeepLimit(6 * 3600.0, 10**9)) == 1


@given(st.lists(st.integers(0, 300), max_size=6, unique=True), st.integers(0, 5))
def test_never_more_than_the_limit_is_left(
    tmp_path_factory: pytest.TempPathFactory, ages: list[int], most: int
) -> None:
    kept = KeptFrames(tmp_path_factory.mktemp("box") / "evening.journal", now=lambda: NOW_S)
    size = 0
    for event, age_s in enumerate(ages, 1):
        size = write_aged(kept, event, age_s).stat().st_size
    kept.trim(KeepLimit(150.0, most * size))
    left = [age for event, age in enumerate(ages, 1) if kept.has(event, HASH)]
    assert sorted(left) == sorted(age for age in ages if age < 150.0)[: len(left)], "the newest stay"
    assert len(left) == min(most, sum(age < 150.0 for age in ages)) or not size


def test_frames_follow_their_round_to_a_new_journal(tmp_path: Path) -> None:
    kept = KeptFrames(tmp_path / "evening.journal")
    kept.save(7, HASH, FRAMES)
    kept.rename((7, HASH), (3, HASH[::-1]))
    kept.rename((8, HASH), (4, HASH))
    assert kept.load(3, HASH[::-1]) == FRAMES and not kept.has(7, HASH) and not kept.has(4, HASH)


@pytest.fixture
def box(tmp_path: Path) -> JournalBuilder:
    """A box with two matches of a round each, and their frames."""
    box = JournalBuilder(tmp_path / "evening.journal")
    box.add_round(R, S)
    box.match = box.start_match("Ada", "Chidi")
    box.add_round(R, S)
    for event in box.journal.events():
        if event.round:
            KeptFrames(box.path).save(event.number, event.hash, FRAMES)
    return box


def kept_matches(box: JournalBuilder) -> list[int]:
    kept = KeptFrames(box.path)
    return [event.match for event in box.journal.events() if kept.has(event.number, event.hash)]


def test_frames_go_with_the_images_of_their_match(box: JournalBuilder) -> None:
    first, second = box.journal.matches()
    JournalMaintenance(box.path).delete_pictures(first)
    assert kept_matches(box) == [second]


def test_a_forgotten_player_s_frames_go(box: JournalBuilder) -> None:
    keys = {name: key for key, name in box.journal.players().items()}
    JournalMaintenance(box.path).forget(keys["Chidi"])
    assert kept_matches(box) == [box.journal.matches()[0]]
    JournalMaintenance(box.path).forget(keys["Ada"])
    assert kept_matches(box) == []


def test_frames_go_with_images_for_which_there_is_no_room(box: JournalBuilder) -> None:
    JournalMaintenance(box.path).trim_evidence(0)
    assert kept_matches(box) == []
