"""The bench of an interrupted session: what it writes, and that a real box resumes it. No times are asserted."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from rules.catalogue import GAMES
from throwlock.journal.file import sibling
from throwlock.journal.journal import Journal, JournalReader
from tools.bench import resume
from tools.sample_journal import SampleMatch


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A journal of one match as the demo plays it, with tiny images."""
    path = tmp_path / "source.journal"
    with Journal(path) as journal:
        SampleMatch(journal, random.Random(2), GAMES["redeux"].set_up(2, {"risk": "always"})).play()
    return path


def write(source: Path, name: str, with_images: bool) -> Path:
    path = source.with_name(name)
    resume.write_interrupted_session(path, source, 2, with_images)
    return path


def test_a_session_is_interrupted_in_the_middle_of_a_match(source: Path) -> None:
    full, plain = write(source, "full", True), write(source, "plain", False)
    assert sibling(full, "-wal").stat().st_size > 0, "the newest events are still in the log"
    with JournalReader(source) as one, JournalReader(full) as many, JournalReader(plain) as bare:
        events, (first, second, third) = one.events(), many.matches()
        assert [event.kind for event in many.events(second)] == [event.kind for event in events]
        assert len(many.events(third)) == len(events) // 2 and many.unfinished_match() == third
        assert [event.kind for event in bare.events()] == [event.kind for event in many.events()]
        images = [
            [one.data for event in many.events(match) for one in many.evidence(event.number)]
            for match in (first, second)
        ]
        assert images[0] == images[1] and sum(map(len, images[0])) == resume.image_bytes(source) > 0
        assert not any(bare.has_pictures(match) for match in bare.matches())


def test_a_process_that_is_silent_or_ends_is_not_waited_for() -> None:
    command = [sys.executable, "-c", "import sys; print('one', flush=True); sys.stdin.read()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert resume.read_until(process, "one\n") == "one\n"
        with pytest.raises(TimeoutError, match="no 'two' in 0 s"):
            resume.read_until(process, "two", timeout_s=0.0)
        assert process.stdin
        process.stdin.close()
        with pytest.raises(ValueError, match="ended before 'two'"):
            resume.read_until(process, "two")


@pytest.mark.slow
def test_a_box_resumes_it_in_a_small_temporary_space(source: Path) -> None:
    path, temporary = write(source, "full", True), source.parent / "temporary"
    temporary.mkdir()
    assert resume.resume_time_s(path, temporary) > 0
    with resume.resuming_box(path, temporary) as box:
        resume.read_until(box, resume.QUESTION)
        mounts = Path(f"/proc/{box.pid}/mountinfo").read_text().splitlines()
    if resume.small_temporary_space(temporary):
        (mount,) = (line for line in mounts if f" {temporary} " in line)
        assert f"size={resume.TEMPORARY_MB * 1024}k" in mount
    with pytest.raises(ValueError, match="was not resumed"):
        resume.resume_time_s(source, temporary)


@pytest.mark.slow
def test_six_pages_are_served_meanwhile(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, temporary = write(source, "full", True), source.parent / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(resume, "ROUNDS_PER_START", 2)
    times = resume.measure_pages(path, temporary, 1)
    assert times.first_ms > 0 and len(times.pages_ms) == 2 * 6 and min(times.pages_ms) > 0
