"""A full disk: frames and clips go before a match is stopped, then the oldest images, and never an event."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from messages import LazyText, N, join
from rules.catalogue import find_game
from tests.helpers.journal_events import NAMES, STARTED, answer_event
from tests.helpers.table_matches import make_match, match_config
from throwlock.journal import space
from throwlock.journal.file import DiskFullError, sibling
from throwlock.journal.journal import Evidence, Journal
from throwlock.journal.kept_frames import FRAMES_SUFFIX, clips_folder
from throwlock.journal.space import CLIPS, DAMAGED, FRAMES, IMAGES, make_room, write_with_room
from ui.screen.pages.notice import Notice

CLASSIC = find_game("classic").set_up(2, {"best_of": 3})
DISK_BYTES = 12_000_000
PICTURE_BYTES = 60_000


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 12 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can’t be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def lay_files(path: Path, size: int) -> dict[LazyText, Path]:
    """Lay a file of everything that may go next to a journal."""
    files = {
        FRAMES: sibling(path, FRAMES_SUFFIX) / "1-0123.zip",
        CLIPS: clips_folder(path) / "origin/1.mp4",
        DAMAGED: sibling(path, ".broken-1"),
    }
    for file in files.values():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(size))
    return files


def space_made(*what: LazyText) -> LazyText:
    return N(str(space.SPACE_MADE), what=join(list(what), ", "))


def fill(folder: Path) -> None:
    """Leave no room on a disk."""
    with (folder / "filling").open("wb", buffering=0) as file, pytest.raises(OSError):
        while True:
            file.write(bytes(4096))


def test_what_is_worth_least_goes_first_and_no_more_than_needed(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    files = lay_files(path, 1000)
    attempts = 0

    def write() -> int:
        nonlocal attempts
        attempts += 1
        if clips_folder(path).joinpath("origin/1.mp4").exists():
            raise DiskFullError("full")
        return attempts

    assert write_with_room(path, write) == (3, space_made(FRAMES, CLIPS)), "as it was, without frames, without clips"
    assert [file.exists() for file in files.values()] == [False, False, True]
    with pytest.raises(DiskFullError):
        write_with_room(path, lambda: (_ for _ in ()).throw(DiskFullError("full")))
    assert write_with_room(path, lambda: "fits") == ("fits", None)


def test_a_match_goes_on_over_frames_clips_and_old_images(disk: Path) -> None:
    path, losses = disk / "one.journal", list[str]()
    with Journal(path) as journal:
        first = journal.start_match(STARTED, NAMES)
        lay_files(path, 1_000_000)
        for number in range(250):
            picture = Evidence("lock.jpg", "image/jpeg", os.urandom(PICTURE_BYTES))
            append = partial(journal.append, first, answer_event(str(number)), [picture])
            event, lost = write_with_room(path, append, PICTURE_BYTES)
            losses += [lost] if lost else []
            assert journal.evidence(event.number) == [picture], "the newest images are stored"
        said = " ".join(losses)
        assert 0 < said.find(FRAMES) < said.find(CLIPS) < said.find(DAMAGED) < said.find(IMAGES)
        assert len(journal.events(first)) == 251, "no event is lost"
        assert journal.find_damage() == []


def test_players_are_told_what_had_to_go(disk: Path) -> None:
    path = disk / "one.journal"
    with Journal(path) as journal:
        match, display = make_match(journal, match_config(CLASSIC))
        lay_files(path, 1_000_000)
        fill(disk)
        match.play()
        assert journal.unfinished_match() is None
    notices = [view.text for view in display.shown if isinstance(view, Notice)]
    assert notices and str(FRAMES) in notices[0]


def test_a_match_begins_with_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.journal"
    files = list(lay_files(path, 1000).values())
    assert make_room(path, 0) is None
    free = iter((10, 10, 50))
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=next(free)))
    assert make_room(path, 40) == space_made(FRAMES, CLIPS)
    assert [file.exists() for file in files] == [False, False, True]
