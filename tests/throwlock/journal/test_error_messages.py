"""Messages about damaged journals are one line."""

import sqlite3
from pathlib import Path

import pytest

from tests.helpers.journal_events import NAMES, STARTED
from throwlock.journal.file import translate_sqlite_errors
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.review.verify import verify


def test_a_damaged_definition_of_a_table_is_not_quoted_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES)
    data = bytearray(path.read_bytes())
    data[data.index(b"-- of a round") + 10] ^= 0x80  # no UTF-8 any more
    path.write_bytes(data)
    with pytest.raises(JournalError, match="Could not decode to UTF-8") as raised, JournalReader(path) as reader:
        verify(reader)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (sqlite3.SQLITE_FULL, "the disk of some.journal is full: free some space and continue"),
        (sqlite3.SQLITE_IOERR_SHMSIZE, "the disk of some.journal is full: free some space and continue"),
        (sqlite3.SQLITE_BUSY, "some.journal is in use by another program: close it first"),
        (
            sqlite3.SQLITE_IOERR,
            "some.journal can’t be used (no luck): check its disk, and that the file and its folder can be written",
        ),
        (
            sqlite3.SQLITE_NOTADB,
            "some.journal is damaged (no luck): keep the file and name another journal",
        ),
    ],
)
def test_errors_of_the_disk_say_what_to_do(code: int, text: str) -> None:
    error = sqlite3.OperationalError("no\n luck")
    error.sqlite_errorcode = code
    with pytest.raises(JournalError) as raised, translate_sqlite_errors(Path("some.journal")):
        raise error
    assert str(raised.value) == text
