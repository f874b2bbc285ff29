"""The journal after errors: killed processes, full and read-only disks, other files, locks."""

import fcntl
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.journal_events import NAMES, STARTED, answer_event
from tests.helpers.journals import NOBODY_UID, chain_problems, contents, limit_file_size, names_in, without_shm
from tests.helpers.sqlite_connections import limit_growth
from throwlock.journal.file import FileLock, sibling
from throwlock.journal.journal import Evidence, Journal, JournalError, JournalReader
from throwlock.review.verify import verify

PICTURE = Evidence("lock.jpg", "image/jpeg", b"\xff\xd8 not really")


@pytest.fixture(autouse=True)
def helpers_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes of their own import the tests' helpers."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


# -------- a process that is killed

WRITER = """
import sys
from pathlib import Path
from tests.helpers.journal_events import NAMES, STARTED, answer_event
from throwlock.journal.journal import Evidence, Journal

with Journal(Path(sys.argv[1])) as journal:
    match = journal.unfinished_match() or journal.start_match(STARTED, NAMES)
    print(1, flush=True)
    while True:
        event = journal.append(match, answer_event("x" * 2000), [Evidence("a.jpg", "image/jpeg", bytes(30_000))])
        print(event.number, flush=True)
"""


def test_acknowledged_events_survive_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "killed.journal"
    last = 0
    for events in (1, 2, 5, 11, 23, 7):
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(events)]
        process.send_signal(signal.SIGKILL)  # the next one is being written
        said += process.stdout.readlines()
        last = max([last, *(int(line) for line in said if line.endswith("\n"))])
        process.stdout.close()
        assert process.wait() == -signal.SIGKILL
        before = without_shm(tmp_path)
        assert chain_problems(path) == []
        assert without_shm(tmp_path) == before, "reading after a kill changes nothing"
        with JournalReader(path) as reader:
            assert len(reader.events()) in (last, last + 1)  # one may be on the disk and not yet said
            last = len(reader.events())
    with Journal(path) as journal:
        assert journal.append(1, answer_event()).number == last + 1
    assert names_in(tmp_path) == ["killed.journal"]


@pytest.mark.slow
def test_a_kill_during_creation_leaves_a_journal_or_none(tmp_path: Path) -> None:
    """Kill the process at every write and rename of the creation; the result can be opened."""
    maker = (
        "import os, sys, signal; from pathlib import Path; from throwlock.journal.journal import Journal\n"
        "left = int(sys.argv[2])\n"
        "def step(event, args):\n"
        "    global left\n"
        "    if event in ('open', 'os.rename', 'os.remove', 'sqlite3.connect'):\n"
        "        left -= 1\n"
        "        if left < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.addaudithook(step)\n"
        "Journal(Path(sys.argv[1]))\n"
    )
    for steps in range(40):
        path = tmp_path / str(steps) / "one.journal"
        path.parent.mkdir()
        done = subprocess.run([sys.executable, "-c", maker, str(path), str(steps)], check=False)
        with Journal(path) as journal:
            assert journal.start_match(STARTED, NAMES) == 1
        assert names_in(path.parent) == ["one.journal"]
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    else:
        pytest.fail("forty steps were not enough to make a journal")
    assert steps > 3


# -------- the disk


def test_a_full_disk_is_reported_without_loss(tmp_path: Path, connections: list[sqlite3.Connection]) -> None:
    path = tmp_path / "full.journal"
    with Journal(path) as journal:
        match = journal.start_match(STARTED, NAMES)
        limit_growth(connections[-1], 40)
        written = 1
        with pytest.raises(JournalError, match=r"the disk of .* is full"):
            while True:
                journal.append(match, answer_event(), [Evidence("a.jpg", "image/jpeg", bytes(20_000))])
                written += 1
        assert len(journal.events()) == written > 1
        limit_growth(connections[-1], 100_000)  # space was freed
        journal.append(match, answer_event())
    assert chain_problems(path) == []


def test_a_failing_write_loses_nothing(tmp_path: Path) -> None:
    """The kernel refuses to extend the file, as on a full disk."""
    path = tmp_path / "full.journal"

    done = subprocess.run(
        [sys.executable, "-c", WRITER, str(path)],
        preexec_fn=limit_file_size(400_000),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "JournalError" in done.stderr.splitlines()[-1]
    last = int(done.stdout.split()[-1])
    assert last > 2
    assert chain_problems(path) == []
    with JournalReader(path) as reader:
        assert len(reader.events()) == last


def test_no_room_to_create_a_journal_leaves_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITER, str(tmp_path / "one.journal")],
        preexec_fn=limit_file_size(8000), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "JournalError" in done.stderr.splitlines()[-1]
    assert names_in(tmp_path) == []


def test_a_full_disk_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES)
    before = contents(tmp_path)
    reading = "import sys; from pathlib import Path; from throwlock.journal.journal import *\n" + (
        "with JournalReader(Path(sys.argv[1])) as reader: print(len(reader.events()))"
    )

    done = subprocess.run(
        [sys.executable, "-c", reading, str(path)],
        preexec_fn=limit_file_size(8000),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("1\n", "")
    assert contents(tmp_path)["one.journal"] == before["one.journal"]
    JournalReader(path).close()
    assert contents(tmp_path) == before, "what SQLite began to make for itself is taken away by the next who reads"


def test_a_read_only_folder(tmp_path: Path, read_only: Callable[[Path], Path]) -> None:
    with Journal(tmp_path / "one.journal") as journal:
        journal.start_match(STARTED, NAMES)
    folder = read_only(tmp_path)
    before = contents(folder)
    with pytest.raises(JournalError, match="can’t be written"):
        Journal(folder / "one.journal")
    with pytest.raises(JournalError, match=r"can’t be written .*choose another folder"):
        Journal(folder / "new.journal")
    with JournalReader(folder / "one.journal") as reader:
        assert len(reader.events()) == 1
    assert contents(folder) == before


def test_a_killed_journal_in_a_read_only_folder_is_read(tmp_path: Path, read_only: Callable[[Path], Path]) -> None:
    with Journal(tmp_path / "one.journal") as journal:
        journal.start_match(STARTED, NAMES)
        journal.append(1, answer_event())
        folder = read_only(tmp_path)  # as it is while a box plays: the events are still in the log
        before = contents(folder)
        assert before["one.journal-wal"]
        with JournalReader(folder / "one.journal") as reader:
            assert len(reader.events()) == 2
        assert contents(folder) == before


FAILING_SYNC = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
static int sync_with(const char *name, int handle) {
    if (access(getenv("SYNC_FAILS_WHILE"), F_OK) == 0) { errno = EIO; return -1; }
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(handle);
}
int fsync(int handle) { return sync_with("fsync", handle); }
int fdatasync(int handle) { return sync_with("fdatasync", handle); }
"""
REFUSED_WRITER = """
import os, signal, sys
from pathlib import Path
from tests.helpers.journal_events import NAMES, STARTED, answer_event
from throwlock.journal.journal import Evidence, Journal, JournalError

failing, pictures = Path(os.environ["SYNC_FAILS_WHILE"]), [Evidence("a.jpg", "image/jpeg", os.urandom(30_000))]
with Journal(Path(sys.argv[1])) as journal:
    match = journal.start_match(STARTED, NAMES)
    for number in range(5):
        journal.append(match, answer_event(number), pictures)
    failing.touch()
    for evidence in [], pictures, pictures, []:
        try:
            journal.append(match, answer_event("refused"), evidence)
        except JournalError as error:
            assert "can’t be used (disk I/O error)" in str(error)
        else:
            raise SystemExit("it was written")
    if sys.argv[2] == "the disk recovers":
        failing.unlink()
        journal.append(match, answer_event("written"), pictures)
    print(len(journal.events()), flush=True)
    if sys.argv[2] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def failing_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library for LD_PRELOAD: fsync and fdatasync fail while the file ``SYNC_FAILS_WHILE`` exists."""
    if shutil.which("gcc") is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "sync.c").write_text(FAILING_SYNC)
    library = tmp_path / "sync.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, tmp_path / "sync.c", "-ldl"], check=True)
    monkeypatch.setenv("SYNC_FAILS_WHILE", str(tmp_path / "failing"))
    return library


@pytest.mark.parametrize("ending", ["closed", "killed", "the disk recovers"])
def test_what_a_failing_sync_refused_is_not_there_after_a_restart(
    tmp_path: Path, failing_sync: Path, ending: str
) -> None:
    """SQLite has written the whole transaction to its log by then, and only the sync failed."""
    path = tmp_path / "one.journal"
    done = subprocess.run(
        [sys.executable, "-c", REFUSED_WRITER, str(path), ending],
        env={**os.environ, "LD_PRELOAD": str(failing_sync)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (-signal.SIGKILL if ending == "killed" else 0, "")
    shown = int(done.stdout)
    assert shown == (7 if ending == "the disk recovers" else 6)
    with JournalReader(path) as reader:
        assert len(reader.events()) == shown
    with Journal(path) as journal:
        assert len(journal.events()) == shown
        assert journal.append(1, answer_event("asked again")).number == shown + 1
    assert chain_problems(path) == []


# -------- what is no journal, or not ours to open


def test_other_files_are_refused_and_left_alone(foreign: Path) -> None:
    before = contents(foreign.parent)
    for opened in (Journal, JournalReader):
        with pytest.raises(JournalError, match=r"evening\.journal") as said:
            opened(foreign)
        assert "\n" not in str(said.value)
        assert contents(foreign.parent) == before


def test_a_missing_folder_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no folder"):
        Journal(tmp_path / "not" / "there.journal")
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("start", [100, 1000, 4096, 9000])
def test_a_garbled_file_is_reported_as_damaged(tmp_path: Path, start: int) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = journal.start_match(STARTED, NAMES)
        for _ in range(20):
            journal.append(match, answer_event(), [PICTURE])
    data = bytearray(path.read_bytes())
    data[start:] = bytes((number * 37 + 11) % 251 for number in range(len(data) - start))
    path.write_bytes(data)
    before = contents(tmp_path)
    with pytest.raises(JournalError, match="damaged"), JournalReader(path) as reader:
        verify(reader)
        reader.events()
    assert contents(tmp_path) == before
    with pytest.raises(JournalError, match="damaged"), Journal(path) as journal:
        journal.events()
        journal.append(1, answer_event())
    assert names_in(tmp_path) == ["one.journal"]


def test_a_body_that_is_not_json_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE event SET body = 'oops'")
    db.close()
    with JournalReader(path) as reader, pytest.raises(JournalError, match="event 1 can’t be read"):
        reader.events()


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES)
        before = contents(tmp_path)
        program = f"from throwlock.journal.journal import *; from pathlib import Path; Journal(Path({str(path)!r}))"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert "in use by another Throwlock: stop it first" in done.stderr
        assert contents(tmp_path) == before
        journal.start_match(STARTED, NAMES)
    with Journal(path) as journal:
        assert len(journal.events()) == 2


def test_a_reader_that_looks_for_a_box_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.journal"
    with sibling(path, ".lock").open("ab") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        monkeypatch.setattr("throwlock.journal.file.time.sleep", lambda seconds: looking.close())
        FileLock(path, wait_s=0).release()
        assert looking.closed
    assert names_in(tmp_path) == []


def test_a_reader_in_the_same_process_keeps_the_locks(tmp_path: Path) -> None:
    """If the lock were dropped, the next close would remove the log."""
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES)
        JournalReader(path).close()
        with pytest.raises(JournalError, match="in use"):
            Journal(path)
        reading = "import sys; from pathlib import Path; from throwlock.journal.journal import *\n" + (
            "with JournalReader(Path(sys.argv[1])) as reader: print(len(reader.events()))"
        )
        done = subprocess.run([sys.executable, "-c", reading, str(path)], capture_output=True, text=True, check=True)
        assert done.stdout == "1\n"
        assert sibling(path, "-wal").exists()
        journal.append(1, answer_event())
    with JournalReader(path) as reader:
        assert len(reader.events()) == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else for a while")
def test_a_read_only_user_can_read_while_a_box_plays() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "one.journal")
        path.parent.chmod(0o755)
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            said = [process.stdout.readline() for _ in range(5)]
            os.seteuid(NOBODY_UID)
            try:
                with JournalReader(path) as reader:
                    assert len(reader.events()) >= int(said[-1])
                    assert len(reader.events()) == reader.number_and_hash()[0], "the same however long it takes"
            finally:
                os.seteuid(0)
            assert process.stdout.readline()
            process.kill()


def test_another_programs_lock_is_reported(tmp_path: Path, connections: list[sqlite3.Connection]) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES)
        connections[-1].execute("PRAGMA busy_timeout = 0")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="in use by another program"):
            journal.append(1, answer_event())
        other.execute("ROLLBACK")
        other.close()
        assert journal.append(1, answer_event()).number == 2


def test_a_stale_lock_file_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    sibling(path, ".lock").touch()
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES)
    assert names_in(tmp_path) == ["one.journal"]
