"""A journal closed on a full disk: its newest events stay in the log, and the tail marker next to it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.journal_events import NAMES, STARTED, answer_event
from tests.helpers.journals import limit_file_size, names_in
from throwlock.journal.file import sibling
from throwlock.journal.hash_chain import EventLostError
from throwlock.journal.journal import Journal
from throwlock.journal.tail_marker import TAIL_SUFFIX, read_tail_marker, remove_tail_marker

CLOSE = (
    "import sys; from pathlib import Path; from throwlock.journal.journal import Journal; "
    "Journal(Path(sys.argv[1])).close()"
)


@pytest.fixture
def closed_journal(tmp_path: Path) -> Path:
    """A journal of seven events that was left in a crash, then opened and closed with no room in its file."""
    path, box = tmp_path / "one.journal", tmp_path / "box" / "one.journal"
    box.parent.mkdir()
    with Journal(box) as journal:
        match = journal.start_match(STARTED, NAMES)
        empty = box.stat().st_size
        for number in range(6):
            journal.append(match, answer_event("x" * 3000 * number))
        for suffix in ("", "-wal", TAIL_SUFFIX):
            sibling(path, suffix).write_bytes(sibling(box, suffix).read_bytes())

    limit = limit_file_size(max(empty, 40_000))  # enough for -shm and the marker
    subprocess.run([sys.executable, "-c", CLOSE, str(path)], preexec_fn=limit, check=True, capture_output=True)
    assert sibling(path, "-wal").stat().st_size > 0, "the disk was full"
    return path


def test_the_marker_stays_with_the_log(closed_journal: Path) -> None:
    marked = read_tail_marker(closed_journal)
    assert marked is not None and marked[0] == 7
    with Journal(closed_journal) as journal:
        assert journal.number_and_hash() == marked
    assert names_in(closed_journal.parent) == ["box", "one.journal"]


def test_a_log_that_is_cut_off_later_is_reported(closed_journal: Path) -> None:
    log = sibling(closed_journal, "-wal")
    log.write_bytes(log.read_bytes()[:-9000])
    with pytest.raises(EventLostError, match="event 7 is missing"):
        Journal(closed_journal)


def test_an_empty_log_does_not_keep_the_marker(closed_journal: Path) -> None:
    remove_tail_marker(closed_journal)
    assert sibling(closed_journal, TAIL_SUFFIX).exists()
    sibling(closed_journal, "-wal").write_bytes(b"")
    remove_tail_marker(closed_journal)
    assert not sibling(closed_journal, TAIL_SUFFIX).exists()
