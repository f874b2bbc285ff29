"""Damaged journals that were put aside: they count towards the space for images, grow old, and go with their logs."""

import os
from pathlib import Path

import pytest

from tests.helpers.journal_builder import JournalBuilder, R, S
from throwlock.journal.file import quarantine
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.journal.quarantined import delete_quarantined, find_quarantined, trim_quarantined

NOW_S = 1_800_000_000.0
DAY_S = 86_400.0


def put_aside(folder: Path, *ages_days: float, size: int = 1000) -> Path:
    """Make a journal's path with journals put aside ``ages_days`` ago, each with its log. Return the path."""
    journal = folder / "a[1].journal"
    for number, age_days in enumerate(ages_days, 1):
        for suffix in ("", "-wal"):
            file = folder / f"a[1].journal.broken-{number}{suffix}"
            file.write_bytes(bytes(size // 2))
            os.utime(file, (NOW_S - age_days * DAY_S,) * 2)
    return journal


def numbers(journal: Path) -> list[int]:
    return [quarantined.number for quarantined in find_quarantined(journal)]


def test_those_of_this_journal_are_found_with_all_their_files(tmp_path: Path) -> None:
    journal = put_aside(tmp_path, 1, 2)
    for name in ("a1.journal.broken-1", "a[1].journal.broken-x", "a[1].journal", "b.journal.broken-1"):
        (tmp_path / name).write_text("another")
    (tmp_path / "a[1].journal.broken-2.clips/origin").mkdir(parents=True)
    (tmp_path / "a[1].journal.broken-2.clips/origin/1.mp4").write_bytes(bytes(50))
    assert [(one.number, one.size_bytes()) for one in find_quarantined(journal)] == [(1, 1000), (2, 1050)]
    delete_quarantined(journal, {2})
    assert numbers(journal) == [1]
    delete_quarantined(journal)
    assert len(list(tmp_path.iterdir())) == 4, "the others stay"


@pytest.mark.parametrize(
    ("max_days", "max_bytes", "left"), [(30, 3000, [1, 2, 3]), (30, 2999, [2, 3]), (20, 3000, [2, 3]), (5, 0, [])]
)
def test_old_ones_go_and_then_the_first_that_do_not_fit(
    tmp_path: Path, max_days: float, max_bytes: int, left: list[int]
) -> None:
    journal = put_aside(tmp_path, 20, 10, 1)
    assert trim_quarantined(journal, max_days * DAY_S, max_bytes, NOW_S) == 1000 * len(left)
    assert numbers(journal) == left


def test_age_counts_from_when_it_was_put_aside(tmp_path: Path) -> None:
    builder = JournalBuilder(tmp_path / "one.journal")
    builder.close()
    os.utime(builder.path, (NOW_S - 1000 * DAY_S,) * 2)
    quarantine(builder.path)
    trim_quarantined(builder.path, DAY_S, 10**9)
    assert numbers(builder.path) == [1]


def test_they_go_before_images_for_which_there_is_no_room(tmp_path: Path) -> None:
    builder = JournalBuilder(tmp_path / "one.journal")
    builder.add_round(R, S)
    (tmp_path / "one.journal.broken-1").write_bytes(bytes(2_000_000))
    assert JournalMaintenance(builder.path).trim_evidence(1_000_000) == 0
    assert numbers(builder.path) == []
    (tmp_path / "one.journal.broken-1").write_bytes(bytes(500_000))
    assert JournalMaintenance(builder.path).trim_evidence(1_000_000) == 0
    assert numbers(builder.path) == [1]
    builder.close()


def test_a_folder_that_is_yet_to_be_created_has_none(tmp_path: Path) -> None:
    assert trim_quarantined(tmp_path / "new/one.journal", 0, 0) == 0
