"""The hall to try, to load and to break: small runs of each tool, and what they find when something is wrong."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from throwlock.hall.protocol import EventBatch, StreamEvent
from throwlock.hub.database import connect, migrate
from throwlock.hub.store import Arrival, store_messages
from throwlock.journal.journal import Journal, JournalReader
from throwlock.review.verify import verify
from tools.hall import demo, faults, servers
from tools.hall.check import compare_journals
from tools.hall.forgery import cut_events, rewrite_match
from tools.hall.matches import MatchRepeater, record_matches
from tools.hall.servers import Mosquitto, Postgres, ServerMissingError, ServerStartError, find_programs
from tools.hall.trial import trial_folder


@pytest.fixture
def installed() -> None:
    try:
        find_programs()
    except ServerMissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def folder(installed: None) -> Iterator[Path]:
    """Not one of pytest's: each run of it closes those of all to the user that PostgreSQL runs as."""
    with trial_folder() as path:
        yield path


@pytest.fixture
def postgres(folder: Path) -> Iterator[Postgres]:
    with Postgres(folder / "postgres") as server:
        migrate(server.dsn)
        yield server


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
        rows = [StreamEvent.model_validate(row._asdict()) for row in reader.event_rows()]
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
    postgres: Postgres, journal: Path, damage: str, problem: str
) -> None:
    origin, events = stream(journal)
    with connect(postgres.dsn) as connection:
        connection.execute("INSERT INTO box (id, table_name) VALUES ('box-1', 'Table 1')")
        store_messages(connection, [Arrival("box-1", EventBatch(journal=origin, events=events))])
        connection.execute(damage)
        count, problems = compare_journals(connection, {"box-1": journal})
    assert [problem in one for one in problems[:1]] == [True] * bool(problem)
    assert problem or count == len(events)


def test_a_database_that_is_put_back_forgets_and_can_be_killed(postgres: Postgres) -> None:
    def add(box: str) -> None:
        with connect(postgres.dsn) as connection:
            connection.execute("INSERT INTO box (id, table_name) VALUES (%s, 'Table')", (box,))

    add("box-1")
    postgres.dump()
    add("box-2")
    with connect(postgres.dsn) as connected:
        postgres.restore()
        with pytest.raises(psycopg.OperationalError):
            connected.execute("SELECT 1")
    assert postgres.memory_bytes() > 1_000_000 and postgres.cpu_s() > 0
    postgres.kill()
    assert postgres.memory_bytes() == 0
    postgres.start()
    with connect(postgres.dsn) as connection:
        assert connection.execute("SELECT id FROM box").fetchall() == [("box-1",)]


def test_without_the_servers_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "POSTGRES_FOLDERS", str(tmp_path))
    monkeypatch.setattr(servers.shutil, "which", lambda name, path="": None)
    monkeypatch.setattr(sys, "argv", ["demo"])
    with pytest.raises(SystemExit) as ended:
        demo.main()
    assert ended.value.code == "this needs servers: sudo apt install mosquitto postgresql"


def test_a_server_that_does_not_answer_is_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "START_TIMEOUT_S", 0.0)
    monkeypatch.setattr(servers, "_is_open", lambda port: False)
    with pytest.raises(ServerStartError, match=r"^Mosquitto did not start: "), Mosquitto(folder / "broker"):
        pass
    assert processes_of(folder) == []


def test_faults_take_boxes_enough_to_play_and_to_forge(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["faults", "--boxes", "9"])
    with pytest.raises(SystemExit):
        faults.main()
    assert "10 boxes or more" in capsys.readouterr().err


# -------- whole halls


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "how", "started"),
    [
        (["demo"], signal.SIGINT, "A hall of 8 tables"),
        (["demo"], signal.SIGTERM, "A hall of 8 tables"),
        (["faults", "--boxes", "10"], signal.SIGTERM, "the broker is killed"),
    ],
)
def test_nothing_is_left_of_a_hall_that_is_stopped(
    folder: Path, command: list[str], how: signal.Signals, started: str
) -> None:
    environment = {**os.environ, "TMPDIR": str(folder)}
    program = [sys.executable, "-m", f"tools.hall.{command[0]}", *command[1:]]
    with subprocess.Popen(program, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any(line.startswith(started) for line in process.stdout)
        assert len(processes_of(folder)) >= 3
        process.send_signal(how)
        process.communicate(timeout=60)
    assert process.returncode == 130
    assert [*folder.iterdir()] == [] and processes_of(folder) == []


def processes_of(folder: Path) -> list[str]:
    """Return the command lines of all processes that name a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [one for one in found if str(folder) in one]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "AWAY_S", 0.5)
    monkeypatch.setattr(faults, "UNDISTURBED_S", 1.0)
    monkeypatch.setattr(faults, "FORGOTTEN_S", 2.0)


def fault_run(folder: Path) -> faults.FaultRun:
    return faults.FaultRun(folder, boxes=12, pace_s=0.7, rate=60.0, rounds=2)


@pytest.mark.slow
def test_nothing_is_lost_whatever_fails(quick: None, folder: Path) -> None:
    run = fault_run(folder)
    run.run()
    assert run.problems == []
    assert len(run.rows) == 6 and run.events > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("harm", "found"),
    [
        ("DELETE FROM event WHERE (journal, number) IN (SELECT id, number FROM journal)", "events are stored"),
        (
            "UPDATE event SET body = replace(replace(replace(body::text, '\"winners\":[1]', '\"winners\":[9]'), "
            "'\"winners\":[2]', '\"winners\":[1]'), '\"winners\":[9]', '\"winners\":[2]')::json "
            "WHERE kind = 'match_ended'",
            "the standings differ",
        ),
    ],
)
def test_a_fault_run_finds_what_is_lost_or_wrong(
    quick: None, folder: Path, monkeypatch: pytest.MonkeyPatch, harm: str, found: str
) -> None:
    def do_harm(run: faults.FaultRun, hall: faults.TrialHall, load: faults._Load) -> None:
        with hall.connect() as connection:
            connection.execute(harm)
        compare(run, hall, load)

    compare = faults.FaultRun._compare
    monkeypatch.setattr(faults.FaultRun, "_break", lambda run, hall, load: None)
    monkeypatch.setattr(faults.FaultRun, "_forge", lambda run, hall, journals: None)
    monkeypatch.setattr(faults.FaultRun, "_compare", do_harm)
    run = fault_run(folder)
    run.run()
    assert any(found in problem for problem in run.problems), run.problems
