"""The connections to SQLite that a test's code opens, so that one can be made to fail as a full disk makes it fail."""

import sqlite3
from typing import Any

import pytest


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Every connection opened from now on, in order."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connect_and_note(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", connect_and_note)
    return opened


def limit_growth(connection: sqlite3.Connection, pages: int) -> None:
    """Leave a file room for ``pages`` more: then SQLite reports that the disk is full."""
    size = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {size + pages}")
