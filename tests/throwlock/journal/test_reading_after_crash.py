"""Reading a journal whose box was killed: where it is, without a copy, and without a trace."""

import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.helpers.journal_events import NAMES, STARTED, answer_event
from tests.helpers.journals import NOBODY_UID, contents, limit_file_size, names_in, without_shm
from tests.helpers.waiting import LIMIT_S
from throwlock.journal import file as journal_file
from throwlock.journal.file import sibling
from throwlock.journal.journal import Evidence, Journal, JournalReader
from throwlock.journal.maintenance import JournalMaintenance

EVENTS = 60
READ = """
import sys
from pathlib import Path
from throwlock.journal.journal import JournalReader
with JournalReader(Path(sys.argv[1])) as reader:
    print(len(reader.events()), flush=True)
    sys.stdin.readline()
    print(len(reader.events()), flush=True)
    written = next(line for line in open("/proc/self/io") if line.startswith("wchar"))
print(written.split()[1])
"""
FULL_DISK_BYTES = 8000
"""Too little for SQLite's index of the log."""


@pytest.fixture(scope="module")
def crashed_box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a journal of 3 MB whose box was killed: its newest events are in the log."""
    played, left = tmp_path_factory.mktemp("played"), tmp_path_factory.mktemp("left")
    with Journal(played / "one.journal") as journal:
        match = journal.start_match(STARTED, NAMES)
        for number in range(EVENTS - 1):
            journal.append(match, answer_event(number), [Evidence("a.jpg", "image/jpeg", bytes(80_000))])
        for path in played.iterdir():
            shutil.copy(path, left)
    assert (left / "one.journal").stat().st_size > 3e6 and (left / "one.journal-wal").stat().st_size > 1e6
    return left


@pytest.fixture
def crashed(crashed_box: Path, tmp_path: Path) -> Path:
    """A journal of its own for each test."""
    return Path(shutil.copytree(crashed_box, tmp_path / "box")) / "one.journal"


@contextmanager
def reader_process(path: Path, **options: object) -> Iterator["subprocess.Popen[str]"]:
    """A process that reads the journal, waits for a line and reads it again."""
    command = [sys.executable, "-c", READ, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options) as process:  # type: ignore[call-overload]
        yield process


def environment() -> dict[str, str]:
    """Variables with which a process of its own finds this module and the tests' helpers."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])}


def cut_log(path: Path) -> None:
    """Leave of a journal's log less than one page."""
    log = sibling(path, "-wal")
    log.write_bytes(log.read_bytes()[:3000])


def read_count(path: Path) -> int:
    with JournalReader(path) as reader:
        return len(reader.events())


# -------- where it is


def test_nothing_is_copied_and_nothing_changes(crashed: Path) -> None:
    before = without_shm(crashed.parent)
    with reader_process(crashed, env={**os.environ, "TMPDIR": "/nowhere"}) as process:
        assert process.stdout.readline() == f"{EVENTS}\n"
        assert without_shm(crashed.parent) == before
        counted, written = process.communicate("\n")[0].split()
    assert int(counted) == EVENTS and int(written) < 50_000
    assert without_shm(crashed.parent) == before and names_in(crashed.parent) == sorted(contents(crashed.parent))


@pytest.mark.parametrize("shm", [True, False])
def test_a_full_disk_can_be_read(crashed: Path, shm: bool) -> None:
    if not shm:
        sibling(crashed, "-shm").unlink()
    before = without_shm(crashed.parent)
    with reader_process(crashed, preexec_fn=limit_file_size(FULL_DISK_BYTES)) as process:
        assert process.communicate("\n")[0].startswith(f"{EVENTS}\n{EVENTS}\n")
    assert process.returncode == 0 and without_shm(crashed.parent) == before


def test_a_log_without_a_whole_event_stays_on_a_full_disk(crashed: Path) -> None:
    cut_log(crashed)
    before = without_shm(crashed.parent)
    with reader_process(crashed, preexec_fn=limit_file_size(FULL_DISK_BYTES)) as process:
        assert 0 < int(process.communicate("\n")[0].split()[0]) < EVENTS
    assert process.returncode == 0 and without_shm(crashed.parent) == before


def test_a_box_says_that_the_disk_is_full(crashed: Path) -> None:
    sibling(crashed, ".lock").unlink()
    before = without_shm(crashed.parent)
    box = "import sys; from pathlib import Path; from throwlock.journal.journal import *; Journal(Path(sys.argv[1]))"
    command = [sys.executable, "-c", box, str(crashed)]
    done = subprocess.run(
        command, preexec_fn=limit_file_size(FULL_DISK_BYTES), capture_output=True, text=True, check=False
    )
    assert f"DiskFullError: the disk of {crashed} is full: free some space and continue" in done.stderr
    assert without_shm(crashed.parent) == before


@pytest.mark.parametrize("shm", [True, False])
def test_a_read_only_medium_is_read_without_a_new_file(
    crashed: Path, read_only: Callable[[Path], Path], shm: bool
) -> None:
    if not shm:
        sibling(crashed, "-shm").unlink()
    folder = read_only(crashed.parent)
    before = contents(folder)
    assert read_count(folder / "one.journal") == EVENTS
    assert contents(folder) == before


@pytest.mark.parametrize("shm", [True, False])
@pytest.mark.parametrize("writable", [True, False])
def test_a_log_without_a_whole_event_stays(
    crashed: Path, read_only: Callable[[Path], Path], writable: bool, shm: bool
) -> None:
    """SQLite removes such a log when it closes a journal that it may write."""
    if not shm:
        sibling(crashed, "-shm").unlink()
    cut_log(crashed)
    path = crashed if writable else read_only(crashed.parent) / crashed.name
    before = without_shm(path.parent)
    assert 0 < read_count(path) < EVENTS
    assert without_shm(path.parent) == before


def test_a_missing_index_of_the_log_is_made_again(crashed: Path) -> None:
    sibling(crashed, "-shm").unlink()
    before = without_shm(crashed.parent)
    assert read_count(crashed) == EVENTS
    assert without_shm(crashed.parent) == before
    with Journal(crashed) as journal:
        assert journal.append(1, answer_event()).number == EVENTS + 1
    assert names_in(crashed.parent) == ["one.journal"]


# -------- while a box starts again


def play_on(path: Path) -> None:
    """Start the box and write more than a whole log, which would go into the journal if nobody was reading it."""
    with Journal(path) as journal:
        for _ in range(EVENTS):
            journal.append(1, answer_event("later"), [Evidence("a.jpg", "image/jpeg", bytes(80_000))])


def test_a_reader_sees_the_same_while_a_box_starts_and_plays(crashed: Path) -> None:
    with reader_process(crashed) as process:
        assert process.stdout.readline() == f"{EVENTS}\n"
        play_on(crashed)
        assert process.communicate("\n")[0].split()[0] == str(EVENTS)
    assert read_count(crashed) == 2 * EVENTS
    Journal(crashed).close()
    assert names_in(crashed.parent) == ["one.journal"]


def test_a_reader_in_the_box_sees_the_same(crashed: Path) -> None:
    with JournalReader(crashed) as reader:
        before = reader.events()
        play_on(crashed)
        assert reader.events() == before
    assert JournalMaintenance(crashed).clear_log() and read_count(crashed) == 2 * EVENTS


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else for a while")
def test_a_reader_who_may_not_write_sees_the_same(crashed: Path) -> None:
    box = (
        "import sys, pathlib; from tests.throwlock.journal.test_reading_after_crash import play_on; "
        "play_on(pathlib.Path(sys.argv[1]))"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copytree(crashed.parent, Path(folder, "box"))) / crashed.name
        for one in (Path(folder), path.parent):
            one.chmod(0o755)
        os.seteuid(NOBODY_UID)
        try:
            reader = JournalReader(path)
        finally:
            os.seteuid(0)
        with reader:
            before = reader.events()
            subprocess.run([sys.executable, "-c", box, str(path)], env=environment(), check=True)
            assert reader.events() == before
        assert read_count(path) == 2 * EVENTS


# -------- stopped by a signal

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
STOPPED_READERS = int(os.environ.get("THROWLOCK_STOPPED_READERS", "10"))
"""Per signal, wherever they are; more are stopped at every line."""


def die_at_line(path: Path, count: int, number: signal.Signals) -> None:
    """Read a journal and send this process a signal at one line of ``throwlock.journal.file`` after another."""
    left = count

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal left
        if frame.f_code.co_filename != journal_file.__file__:
            return None
        left -= event == "line"
        if left < 0:
            sys.settrace(None)
            os.kill(os.getpid(), number)
        return trace

    sys.settrace(trace)
    with JournalReader(path) as reader:
        reader.events()
    sys.settrace(None)


def read_for_ever(path: Path, pipe: int) -> None:
    """Open, read and close a journal again and again; write a byte each time."""
    while True:
        with JournalReader(path) as reader:
            os.write(pipe, b".")
            reader.number_and_hash()


def in_child(work: Callable[[], None]) -> int:
    """Start a process that ends with 0 once the work is done."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(300)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
        status = 0
        try:
            work()
        except KeyboardInterrupt:
            status = 1
        os._exit(status)
    return pid


def stop_readers(path: Path, number: signal.Signals, times: int) -> None:
    """Stop readers at every line, and ``times`` others wherever they are, in processes of their own. Only where no
    thread was ever begun can processes be split off so."""
    assert read_count(path) == EVENTS
    before = without_shm(path.parent)
    for lines in itertools.count():
        pid = in_child(partial(die_at_line, path, lines, number))
        if os.waitpid(pid, 0)[1] == 0:
            break
        assert without_shm(path.parent).items() >= before.items()
    assert lines > 30
    for count in range(times):
        reading, writing = os.pipe()
        pid = in_child(partial(read_for_ever, path, writing))
        os.close(writing)
        for _ in range(1 + count % 7):
            assert os.read(reading, 1)
        os.kill(pid, number)
        os.waitpid(pid, 0)
        os.close(reading)
        assert without_shm(path.parent).items() >= before.items()


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("clean", [False, True])
def test_a_reader_that_is_stopped_leaves_nothing(
    crashed: Path, tmp_path: Path, clean: bool, number: signal.Signals
) -> None:
    """Next to a journal that was closed, SQLite's own empty files may be left until it is read or opened again."""
    if clean:
        Journal(crashed).close()
    before = contents(crashed.parent)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    program = (
        "import sys, pathlib, signal; from tests.throwlock.journal.test_reading_after_crash import stop_readers; "
        f"stop_readers(pathlib.Path(sys.argv[1]), signal.Signals({int(number)}), {STOPPED_READERS})"
    )
    command = [sys.executable, "-c", program, str(crashed)]
    variables = environment() | {"TMPDIR": str(temporary)}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=LIMIT_S)
    assert done.returncode == 0, done.stderr
    assert names_in(temporary) == []
    if clean:
        left = contents(crashed.parent)
        assert left.pop("one.journal-wal", b"") == b""
        left.pop("one.journal-shm", None)
        assert left == before and read_count(crashed) == EVENTS
        assert contents(crashed.parent) == before, "the next reader removes SQLite's files"
    else:
        assert without_shm(crashed.parent) == {k: v for k, v in before.items() if not k.endswith("-shm")}
        assert names_in(crashed.parent) == sorted(before)
