"""The stream of a box's journal, when the journal is not the one it was."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.journal_builder import CLASSIC, JournalBuilder, P, R
from throwlock.hall.journal_stream import JournalStream
from throwlock.journal.journal import JournalError, JournalReader

STREAM_READS: tuple[Callable[[JournalStream], object], ...] = (
    lambda stream: stream.read(1, 10),
    lambda stream: stream.hash_of(1),
    lambda stream: stream.results_after(0),
    lambda stream: stream.ended_pairings(),
    lambda stream: stream.disputed_rounds(0, 10),
    lambda stream: stream.pictures(2),
)


def stream_of_a_round(path: Path) -> JournalStream:
    box = JournalBuilder(path, CLASSIC)
    box.add_round(R, P)
    box.close()
    stream = JournalStream(path)
    assert stream.refresh() and stream.newest[0] == 2
    assert [event.number for event in stream.read(1, 10)] == [1, 2] and stream.hash_of(2) == stream.newest[1]
    return stream


@pytest.mark.parametrize("ask", STREAM_READS)
def test_nothing_is_read_of_another_journal_at_the_same_path(
    ask: Callable[[JournalStream], object], tmp_path: Path
) -> None:
    stream = stream_of_a_round(tmp_path / "one.journal")
    JournalBuilder(tmp_path / "two.journal", CLASSIC).close()
    (tmp_path / "two.journal").replace(tmp_path / "one.journal")
    assert not ask(stream)


@pytest.mark.parametrize("ask", STREAM_READS)
def test_a_journal_whose_origin_cannot_be_read_is_closed_and_has_nothing(
    ask: Callable[[JournalStream], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, closed, close = stream_of_a_round(tmp_path / "one.journal"), list[JournalReader](), JournalReader.close

    def fail(reader: JournalReader) -> str:
        raise JournalError(f"{reader.path} is damaged")

    def note_closed(reader: JournalReader) -> None:
        closed.append(reader)
        close(reader)

    monkeypatch.setattr(JournalReader, "origin_hash", fail)
    monkeypatch.setattr(JournalReader, "close", note_closed)
    assert not ask(stream)
    assert len(closed) == 1
