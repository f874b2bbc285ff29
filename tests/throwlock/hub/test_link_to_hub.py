"""A box's link and the real hub, with the broker's configuration that ``prepare_hall`` writes."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.helpers.hall_broker import prepare_hall
from tests.helpers.hall_links import drive, write_match
from tests.helpers.waiting import LIMIT_S
from throwlock.hall.event_sender import ASK_AGAIN_AFTER_S
from throwlock.hall.homie import BoxFacts
from throwlock.hall.link import HallLink
from throwlock.hall.membership import read_membership
from throwlock.hub.hub import Hub
from throwlock.hub.setup import read_hub_settings
from throwlock.hub.store import Comparison, compare_journal, discard_box
from throwlock.journal.journal import JournalReader
from ui.screen.pages.hall import HallState


@pytest.fixture
def hall(dsn: str, tmp_path: Path) -> Iterator[Path]:
    """The folder of a hall whose broker and hub run."""
    folder = tmp_path / "hall"
    with prepare_hall(folder, dsn, tmp_path / "broker"), Hub(dsn, read_hub_settings(folder).broker_access(1)) as hub:
        assert hub.connected.wait(LIMIT_S)
        yield folder


def test_a_box_and_its_hub(hall: Path, database: psycopg.Connection, tmp_path: Path) -> None:
    journal = tmp_path / "one.journal"
    write_match(journal, 250)
    link = HallLink(read_membership(hall / "boxes/box-1.toml"), journal, lambda: BoxFacts("1.2", "none"))
    drive(link, lambda: link.status.unsent_events == 0 and link.pairings.table == "Table 1")
    with JournalReader(journal) as reader:
        rows = [(row.number, row.hash) for row in reader.event_rows()]
    assert database.execute("SELECT number, hash FROM event ORDER BY number").fetchall() == rows

    def state() -> tuple[str, str] | None:
        row = database.execute("SELECT state, properties ->> 'box/version' FROM box").fetchone()
        database.rollback()
        return row

    drive(link, lambda: state() == ("ready", "1.2"))
    link.stop()


def test_a_box_sends_again_what_was_discarded(hall: Path, database: psycopg.Connection, tmp_path: Path) -> None:
    journal, added_s = tmp_path / "one.journal", 0.0
    write_match(journal, 3)
    membership = read_membership(hall / "boxes/box-1.toml")
    link = HallLink(membership, journal, BoxFacts, now_s=lambda: time.monotonic() + added_s)
    drive(link, lambda: link.status.unsent_events == 0)
    assert discard_box(database, "box-1") == 5
    assert database.execute("SELECT count(*) FROM journal").fetchone() == (0,)
    database.commit()
    added_s = ASK_AGAIN_AFTER_S
    drive(link, lambda: link.status.unsent_events)
    drive(link, lambda: link.status.unsent_events == 0)
    link.stop()
    assert compare_journal(database, "box-1", journal) == Comparison(5, 5, "")


def test_restored_journal_is_found_at_the_start(hall: Path, tmp_path: Path) -> None:
    journal, copy = tmp_path / "one.journal", tmp_path / "copy"
    membership = read_membership(hall / "boxes/box-1.toml")
    write_match(journal, 3)
    shutil.copy(journal, copy)
    write_match(journal, 3)
    link = HallLink(membership, journal, BoxFacts)
    drive(link, lambda: link.status.unsent_events == 0)
    link.stop()
    shutil.copy(copy, journal)
    again = HallLink(membership, journal, BoxFacts)
    drive(again, lambda: again.status.problem == "cut")
    assert again.status.state == HallState.CONNECTED
    again.stop()
