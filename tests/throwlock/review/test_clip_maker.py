"""Clips made in the background: one at a time, never during a count, gone with what they show; links that open one clip
and nothing else."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from errors import NotFoundError, RefusedError
from tests.helpers.clip_rounds import P, R, S, keep_frames, late_round, round_of
from tests.helpers.waiting import LIMIT_S, wait_until
from throwlock.journal.kept_frames import clips_folder
from throwlock.review import clip_maker
from throwlock.review.clip_maker import MAX_WAITING, STALLED, ClipMaker, ClipOrder, ClipState

PROCESS = """
import os, sys
from pathlib import Path
fifo, pid_file, path = sys.argv[1:]
Path(pid_file).write_text(str(os.getpid()))
print(0.25, flush=True)
with open(fifo) as gate:
    word = gate.read()
if word == "fail":
    print("no room", flush=True)
    sys.exit(1)
open(path, "wb").write(b"clip")
"""
"""Makes a clip once somebody has written to a FIFO."""


class Box:
    """A box whose clips are made as a test says."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.journal, self.event = late_round(folder)
        self.fifo, self.started = folder / "fifo", list[ClipOrder]()
        self.pid_file = folder / "pid"
        os.mkfifo(self.fifo)
        monkeypatch.setattr(clip_maker, "process_command", self._command)
        monkeypatch.setenv("PYTHONUNBUFFERED", "1")  # as on a box: a line is written in parts
        self.maker = ClipMaker(self.journal.shelf)

    def _command(self, journal: Path, order: ClipOrder, file: Path) -> list[str]:
        assert journal == self.journal.path
        self.started.append(order)
        return [sys.executable, "-c", PROCESS, str(self.fifo), str(self.pid_file), str(file)]

    def order(self, event: int | None = None, language: str = "en", clip_format: str = "mp4") -> ClipOrder:
        order = ClipOrder(event or self.event, language, clip_format)
        self.maker.order(order)
        return order

    def finish(self, word: str = "") -> None:
        """Let the process that is making a clip finish."""
        self.fifo.write_text(word)

    def make_clip(self, event: int | None = None) -> ClipOrder:
        """Order a clip and let it be made."""
        order = self.order(event)
        self.wait_for(order, ClipState.MAKING, 0.25)
        self.finish()
        self.wait_for(order, ClipState.READY)
        return order

    @property
    def pid(self) -> int:
        """Of the process that has begun the newest clip."""
        return int(self.pid_file.read_text())

    def wait_for(self, order: ClipOrder, state: ClipState, share: float = 0.0) -> None:
        wait_until(lambda: (now := self.maker.progress(order)).state is state and now.share >= share)


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    box = Box(tmp_path, monkeypatch)
    yield box
    box.maker.close()
    box.journal.close()


def test_a_clip_is_made_once_and_found_again(box: Box) -> None:
    assert box.maker.status(ClipOrder(box.event, "en", "mp4")).state is ClipState.NONE
    order = box.order()
    box.wait_for(order, ClipState.MAKING, 0.25)
    box.order()
    box.finish()
    box.wait_for(order, ClipState.READY)
    status = box.maker.status(order)
    assert status.file is not None and status.file.read_bytes() == b"clip"
    assert status.file.is_relative_to(clips_folder(box.journal.path))
    box.order()
    assert box.started == [order]
    assert box.maker.status(ClipOrder(box.event, "de", "mp4")).state is ClipState.NONE


def test_one_is_made_at_a_time(box: Box) -> None:
    first, second = box.order(), box.order(language="de")
    box.wait_for(first, ClipState.MAKING, 0.25)
    assert box.maker.progress(second).state is ClipState.WAITING and box.started == [first]
    box.finish()
    box.wait_for(second, ClipState.MAKING, 0.25)
    assert box.started == [first, second]


def test_only_so_many_wait(box: Box) -> None:
    rounds = [round_of(box.journal, R, R) for _ in range(MAX_WAITING + 1)]
    box.wait_for(box.order(), ClipState.MAKING)
    for event in rounds[:-1]:
        box.order(event)
    with pytest.raises(RefusedError):
        box.order(rounds[-1])


def process_state(number: int) -> str:
    """Return Linux's state of a process: T is stopped."""
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]


def test_nothing_is_made_while_a_round_is_counted(box: Box) -> None:
    order = box.order()
    box.wait_for(order, ClipState.MAKING, 0.25)
    pid = box.pid
    with box.maker.hold():
        _, status = os.waitpid(pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status) and process_state(pid) == "T"
        with box.maker.hold():
            pass
        assert process_state(pid) == "T", "another round is still counted"
    _, status = os.waitpid(pid, os.WCONTINUED)
    assert os.WIFCONTINUED(status)
    box.finish()
    box.wait_for(order, ClipState.READY)


def test_none_begins_while_a_round_is_counted(box: Box) -> None:
    with box.maker.hold():
        order = box.order()
        assert box.maker.progress(order).state is ClipState.WAITING and box.started == []
    box.wait_for(order, ClipState.MAKING, 0.25)


def test_what_goes_wrong_is_said_and_can_be_tried_again(box: Box) -> None:
    order = box.order()
    box.wait_for(order, ClipState.MAKING, 0.25)
    box.finish("fail")
    box.wait_for(order, ClipState.FAILED)
    assert box.maker.status(order).error == "no room"
    box.make_clip()


def test_a_process_that_stalls_is_ended(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clip_maker, "STALLED_AFTER_S", 0.01)
    order = box.order()
    box.wait_for(order, ClipState.FAILED)
    assert box.maker.status(order).error == STALLED


def test_a_correction_needs_a_new_clip(box: Box) -> None:
    event = round_of(box.journal, R, S)
    order = box.make_clip(event)
    box.journal.correct(event, 1, P)
    assert box.maker.status(order).state is ClipState.NONE


def test_a_clip_goes_with_the_images_it_shows(box: Box) -> None:
    order = box.make_clip()
    file = box.maker.status(order).file
    assert file is not None and file.exists()
    with box.journal.shelf.open() as archive:
        archive.delete_pictures(box.journal.match)
    assert not file.exists()
    with pytest.raises(NotFoundError):
        box.maker.status(order)


def test_a_clip_with_a_forgotten_name_goes(box: Box) -> None:
    order = box.make_clip()
    file = box.maker.status(order).file
    with box.journal.shelf.open() as archive:
        archive.forget(next(iter(box.journal.journal.players())))
    assert file is not None and not file.exists()


def test_a_clip_of_what_is_deleted_meanwhile_does_not_stay(box: Box) -> None:
    order = box.order()
    box.wait_for(order, ClipState.MAKING, 0.25)
    with box.journal.shelf.open() as archive:
        archive.delete_pictures(box.journal.match)
    box.finish()
    box.wait_for(order, ClipState.FAILED)
    assert [path for path in (clips_folder(box.journal.path)).rglob("*") if path.is_file()] == []


def test_a_round_without_pictures_has_no_clip(box: Box) -> None:
    for event in (box.journal.add_round(R, S), 10_000):
        with pytest.raises(NotFoundError):
            box.order(event)
    assert box.started == []


def test_a_token_opens_one_clip_until_the_server_ends(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clip_maker, "MAX_SHARED", 2)
    order = ClipOrder(box.event, "en", "mp4")
    token = box.maker.share(order)
    assert len(token) == 22 and box.maker.share(order) == token and box.maker.find_shared(token) == order
    others = [box.maker.share(ClipOrder(box.event, language, "mp4")) for language in ("de", "fr")]
    assert len({token, *others}) == 3
    assert box.maker.find_shared(token) is None, "the oldest of too many"
    box.maker.close()
    assert [box.maker.find_shared(one) for one in others] == [None, None]


def test_closing_ends_the_process(box: Box) -> None:
    order = box.order()
    box.wait_for(order, ClipState.MAKING, 0.25)
    with box.maker.hold():
        box.maker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(box.pid, 0)
    assert "clips" not in [thread.name for thread in threading.enumerate()]


def test_the_clips_not_asked_for_the_longest_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clip_maker, "MAX_CACHE_BYTES", 250)
    folder = clips_folder(tmp_path)
    for number, asked_s in enumerate((300, 100, 200)):
        file = folder / "origin" / f"{number}.mp4"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(100))
        os.utime(file, (asked_s, asked_s))
    clip_maker.trim_clips(folder)
    assert sorted(file.name for file in folder.glob("*/*")) == ["0.mp4", "2.mp4"]
    new = folder / "origin" / "3.mp4"
    new.write_bytes(bytes(100))
    os.utime(new, (5, 5))
    clip_maker.mark_asked_for(folder, new)
    clip_maker.trim_clips(folder)
    assert sorted(file.name for file in folder.glob("*/*")) == ["0.mp4", "3.mp4"], "by no clock"


@pytest.mark.slow
def test_the_real_process_makes_a_clip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the lowest priority: beside other programs it may not run for a minute."""
    monkeypatch.setattr(clip_maker, "STALLED_AFTER_S", LIMIT_S)
    journal, event = late_round(tmp_path)
    clips = ClipMaker(journal.shelf)
    order = ClipOrder(event, "de", "webp")
    clips.order(order)
    wait_until(lambda: clips.progress(order).state not in (ClipState.WAITING, ClipState.MAKING))
    status = clips.status(order)
    assert status.state is ClipState.READY and status.file is not None, status
    assert status.file.read_bytes()[8:12] == b"WEBP"
    clips.close()
    journal.close()


def test_kept_frames_are_a_new_clip(box: Box) -> None:
    """One from strips is not shown for one from frames."""
    before = box.journal.add_round(R, S)
    with pytest.raises(NotFoundError):
        box.maker.status(ClipOrder(before, "en", "mp4"))
    keep_frames(box.journal, before)
    assert box.maker.status(ClipOrder(before, "en", "mp4")).state is ClipState.NONE
