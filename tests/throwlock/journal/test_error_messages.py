"""Messages about damaged journals are one line."""

from pathlib import Path

import pytest
from journal_events import NAMES, STARTED

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
