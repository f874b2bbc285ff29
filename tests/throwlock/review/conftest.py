"""Fixtures of the review's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.journal_builder import JournalBuilder


@pytest.fixture
def box(tmp_path: Path) -> Iterator[JournalBuilder]:
    """A box with two players and an evening's journal."""
    box = JournalBuilder(tmp_path / "evening.journal")
    yield box
    box.close()
