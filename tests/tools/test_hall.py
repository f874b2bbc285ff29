"""The hall to try, to load and to break: small runs of each tool, and what they find when something is wrong."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest

from throwlock.hall.protocol import EventBatch, StreamEvent
from throwlock.hub.database import connect
from throwlock.hub.store import Arrival, store_messages
from throwlock.journal.journal import Journal, JournalReader
from throwlock.review.verify import verify
from tools.hall import faults
from tools.hall.check import compare_journals
from tools.hall.faults import cut_events, rewrite_match
from tools.hall.matches import MatchRepeater, record_matches
from tools.hall.trial import trial_folder

SWAP_WINNERS = """
UPDATE event SET body = replace(replace(replace(body::text, '"winners":[1]', '"winners":[9]'),
'"winners":[2]', '"winners":[1]'), '"winners":[9]', '"winners":[2]')::json WHERE kind = 'match_ended'
"""


@pytest.fixture
def folder(servers: None) -> Iterator[Path]:
    """Not one of pytest's: each run of it closes those of all to the user that PostgreSQL runs as."""
    with trial_folder() as path:
        yield path


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A box's journal of two recorded matches."""
    path = tmp_path / "box-1.journal"
    matches = record_matches(tmp_path, 1, secret=True)
    with Journal(path) as journal:
        player = MatchRepeater(journal, matches, seed=1)
        for _ in range(2):
            player.commit_next()
            player.finish_match()
    return path


def stream(path: Path) -> tuple[str, tuple[StreamEvent, ...]]:
    with JournalReader(path) as reader:
        rows = [StreamEvent.model_validate(row, from_attributes=True) for row in reader.event_rows()]
        return reader.origin_hash(), tuple(rows)


def test_repeated_matches_are_a_journal_of_their_own(journal: Path) -> None:
    with JournalReader(journal) as reader:
        assert verify(reader).problems == ()
        assert len(reader.matches()) == 2 and reader.unfinished_match() is None


def test_a_rewritten_and_a_cut_journal_are_valid_by_themselves(journal: Path) -> None:
    before = stream(journal)[1]
    rewrite_match(journal, 1)
    rewritten = stream(journal)[1]
    assert [one.hash for one in rewritten] != [one.hash for one in before] and len(rewritten) == len(before)
    cut_events(journal, 2)
    assert stream(journal)[1] == rewritten[:-2]
    with JournalReader(journal) as reader:
        assert verify(reader).problems == ()


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("SELECT 1", ""),
        ("DELETE FROM event WHERE number = (SELECT max(number) FROM event)", "events are stored"),
        ("UPDATE event SET at_text = 'later' WHERE number = 3", "event 3 is stored differently"),
        ("UPDATE event SET number = number + 1000 WHERE number = 2", "event 2 is not stored"),
        ("DELETE FROM event", "0 of"),
    ],
)
def test_what_is_not_stored_as_it_is_in_the_journal_is_found(
    dsn: str, journal: Path, damage: str, problem: str
) -> None:
    origin, events = stream(journal)
    with connect(dsn) as connection:
        connection.execute("INSERT INTO box (id, table_name) VALUES ('box-1', 'Table 1')")
        store_messages(connection, [Arrival("box-1", EventBatch(journal=origin, events=events))])
        connection.execute(damage)
        count, problems = compare_journals(connection, {"box-1": journal})
    assert [problem in one for one in problems[:1]] == [True] * bool(problem)
    assert problem or count == len(events)


@pytest.mark.slow
@pytest.mark.parametrize("is_harmed", [False, True])
def test_a_fault_run_finds_wrong_standings(is_harmed: bool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def harm_and_compare(connection: psycopg.Connection, journals: Mapping[str, Path]) -> tuple[int, list[str]]:
        if is_harmed:
            connection.execute(SWAP_WINNERS)
        return compare_journals(connection, journals)

    for name, seconds in {"AWAY_S": 0.5, "UNDISTURBED_S": 1.0, "FORGOTTEN_S": 2.0}.items():
        monkeypatch.setattr(faults, name, seconds)
    monkeypatch.setattr(faults, "compare_journals", harm_and_compare)
    run = faults.FaultRun(folder, boxes=12, pace_s=0.7, rate=60.0, rounds=2)
    run.run()
    assert len(run.rows) == 6 and run.events > 100
    assert any("the standings differ" in problem for problem in run.problems) if is_harmed else run.problems == []
