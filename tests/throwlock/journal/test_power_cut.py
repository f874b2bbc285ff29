"""Power cuts: the log of a real match cut and garbled anywhere, a process killed at every event of every game."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import GAMES, find_game
from rules.engine import Game
from tests.helpers.journal_events import STARTED, answer_event, json_body
from tests.helpers.journals import contents, without_shm
from tests.helpers.table_matches import NAMES, history, images, make_match, match_config, play
from tests.helpers.waiting import LIMIT_S
from throwlock.journal.events import Body
from throwlock.journal.file import JOURNAL_SUFFIXES, JournalDamagedError, sibling
from throwlock.journal.hash_chain import EventLostError
from throwlock.journal.journal import Event, Evidence, Journal, JournalReader
from throwlock.journal.recovery import replace_damaged_journal
from throwlock.journal.tail_marker import SLOT_BYTES, TAIL_SUFFIX, read_tail_marker
from throwlock.review.verify import verify

CUT_STEP_BYTES = 256
CLASSIC = find_game("classic").set_up(2, {"best_of": 3})
SHORT_GAMES: dict[str, Game] = {
    "classic": CLASSIC,
    "redeux": find_game("redeux").set_up(2, {"risk": "always", "goal": 40}),
    "future": find_game("future").set_up(2),
    "battle": find_game("battle").set_up(3, {"rounds": 2}),
    "tr": find_game("tr").set_up(2),
    "board": find_game("board").set_up(2, {"quiet": 10}),
}


class SmallEvidenceJournal(Journal):
    """A journal with small images and so a short log; ``copied`` is called after every event."""

    def append(self, match: int, body: Body, evidence: Sequence[Evidence] = ()) -> Event:
        small = [Evidence(one.name, one.media_type, one.data[:300]) for one in evidence]
        return super().append(match, body, small)


# -------- the log cut and garbled


@pytest.fixture(scope="module")
def crashed_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal after a power cut near the end of its second match."""
    home, there = tmp_path_factory.mktemp("match"), tmp_path_factory.mktemp("cut")
    path = home / "evening.journal"
    with SmallEvidenceJournal(path) as journal:
        make_match(journal, match_config(CLASSIC))[0].play()
    with SmallEvidenceJournal(path) as journal:
        match, display = make_match(journal, match_config(CLASSIC, seed=4))
        kept = display.show

        def show(view: Any) -> None:
            kept(view)
            for part in ("", "-wal", TAIL_SUFFIX):
                shutil.copy(sibling(path, part), there)

        display.show = show
        match.play()
    return there / "evening.journal"


def read_events(path: Path) -> list[Event]:
    with JournalReader(path) as journal:
        return journal.events()


def copy_journal(path: Path, folder: Path) -> Path:
    folder.mkdir()
    for part in JOURNAL_SUFFIXES:
        if sibling(path, part).exists():
            shutil.copy(sibling(path, part), folder)
    return folder / path.name


def reports_loss(path: Path, written: list[Event]) -> bool:
    """Open what is left; return whether lost events were reported, with nothing touched."""
    before = without_shm(path.parent)
    try:
        with Journal(path) as journal:
            assert journal.events() == written
        return False
    except JournalDamagedError as fault:
        assert ("event" in str(fault)) == isinstance(fault, EventLostError), fault
        assert without_shm(path.parent) == before
        return True


def assert_match_continues(path: Path, written: list[Event]) -> None:
    """Check that a new journal has what is left of the match, and that the old one is kept."""
    before = without_shm(path.parent)
    aside = replace_damaged_journal(path)
    kept = {name.replace(path.name, aside.name): data for name, data in before.items() if data}
    assert kept.items() <= contents(path.parent).items()
    with Journal(path) as journal:
        events = journal.events()
        last = [json_body(one) for one in written if one.match == written[-1].match]
        assert [json_body(event) for event in events[1:]] == last[1 : len(events)]
        assert verify(journal).problems == ()


@pytest.mark.parametrize("how", ["cut", "garbled"])
def test_a_log_spoilt_anywhere_is_whole_or_what_is_lost_is_said(
    crashed_journal: Path, tmp_path: Path, how: str
) -> None:
    written = read_events(crashed_journal)
    assert len(written) > 8 and read_tail_marker(crashed_journal) == (written[-1].number, written[-1].hash)
    log = sibling(crashed_journal, "-wal").read_bytes()
    lost = 0
    places = range(0, len(log), CUT_STEP_BYTES)
    for place in places:
        path = copy_journal(crashed_journal, tmp_path / str(place))
        part = bytes(byte ^ 0x5A for byte in log[place : place + CUT_STEP_BYTES])
        sibling(path, "-wal").write_bytes(log[:place] + (b"" if how == "cut" else part + log[place + CUT_STEP_BYTES :]))
        if reports_loss(path, written):
            lost += 1
            if lost % 16 == 1:  # each takes a while, and all are alike
                assert_match_continues(path, written)
        shutil.rmtree(path.parent)
    assert len(places) > 300 and lost > len(places) * 0.9, "every frame of this log counts"


def test_whole_it_is_not_said_to_be_spoilt(crashed_journal: Path, tmp_path: Path) -> None:
    assert not reports_loss(copy_journal(crashed_journal, tmp_path / "whole"), read_events(crashed_journal))


def test_the_new_one_names_the_old_and_the_match_goes_on(crashed_journal: Path, tmp_path: Path) -> None:
    written = read_events(crashed_journal)
    path = copy_journal(crashed_journal, tmp_path / "one")
    log = sibling(path, "-wal").read_bytes()
    sibling(path, "-wal").write_bytes(log[: len(log) * 2 // 3])
    with pytest.raises(
        EventLostError, match=rf"has lost its newest events: events? .*{written[-1].number} (is|are) missing"
    ):
        Journal(path)
    aside = replace_damaged_journal(path)
    with JournalReader(aside) as reader:
        left, faults = reader.events(), verify(reader).problems
    assert any(f"{written[-1].number} are missing: written before the box crashed" in fault for fault in faults)
    with Journal(path) as journal:
        began = journal.events(1)[0]
        assert began.names == NAMES[:2]
        assert began.at == left[written[-1].match - 1].at
        carried = {"file": aside.name, "match": written[-1].match, "last_event": left[-1].number}
        assert json_body(began)["continued_from"] == carried
        make_match(journal, match_config(CLASSIC, seed=4))[0].play()
        assert verify(journal).problems == () and journal.unfinished_match() is None
    kinds = [one.kind for one in written if one.match == written[-1].match]
    assert [kind for kind, _ in history(path)] == [*kinds, "match_ended"]


def test_a_note_that_is_cut_off_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    journal = Journal(path)
    match = journal.start_match(STARTED, NAMES[:2])
    events = [journal.append(match, answer_event(n)) for n in range(3)]
    note = sibling(path, TAIL_SUFFIX)
    data = note.read_bytes()
    assert read_tail_marker(path) == (4, events[-1].hash) and len(data) == 2 * SLOT_BYTES
    note.write_bytes(b"4 half" + bytes(40) + data[46:])  # of an even number
    assert read_tail_marker(path) == (3, events[-2].hash)
    note.write_bytes(b"")
    assert read_tail_marker(path) is None
    journal.close()
    assert not note.exists()


def test_the_log_of_another_journal_is_not_taken_for_ones_own(tmp_path: Path) -> None:
    """The journal of a killed box was deleted, but not the files next to it."""
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        journal.start_match(STARTED, NAMES[:2])
        for ending in ("-wal", TAIL_SUFFIX):
            shutil.copy(sibling(path, ending), tmp_path / f"old{ending}")
    path.unlink()
    for ending in ("-wal", TAIL_SUFFIX):
        (tmp_path / f"old{ending}").rename(sibling(path, ending))
    with Journal(path) as journal:
        assert journal.events() == [] and journal.start_match(STARTED, NAMES[:2]) == 1
    assert sibling(tmp_path / "one.journal.broken-1", "-wal").exists()


def test_a_log_that_was_put_into_the_file_only_in_part(crashed_journal: Path, tmp_path: Path) -> None:
    """A full disk leaves this: the header counts more pages than there are."""
    path = copy_journal(crashed_journal, tmp_path / "part")
    log = sibling(path, "-wal").read_bytes()
    frames = [log[at : at + 24 + 4096] for at in range(32, len(log), 24 + 4096)]
    first = [frame[24:] for frame in frames if int.from_bytes(frame[:4], "big") == 1][-1]
    assert int.from_bytes(first[28:32], "big") * 4096 > path.stat().st_size, "pages, as the first of them has it"
    with path.open("r+b") as file:
        file.write(first)
    with JournalReader(path) as journal:
        assert journal.events() == read_events(crashed_journal)
    assert not reports_loss(path, read_events(crashed_journal))


# -------- killed at every event


class DyingJournal(Journal):
    """A journal whose process is killed as soon as one event is on the disk."""

    def append(self, match: int, body: Body, evidence: Sequence[Evidence] = ()) -> Event:
        super().append(match, body, evidence)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("not reached")


def play_in_child(path: Path, game: Game) -> int:
    """Continue the match in a process that is killed at its next event; return its exit status."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(300)
        with DyingJournal(path) as journal:
            make_match(journal, match_config(game))[0].play()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill_at_every_event(folder: Path) -> None:
    """Play every game so, each event in a process of its own, and keep the journal as each of them left it. Only where
    no thread was ever begun can processes be split off so."""
    for name, game in SHORT_GAMES.items():
        path, number = folder / name / "killed.journal", 0
        path.parent.mkdir()
        while not path.exists() or JournalReader(path).unfinished_match():
            number += 1
            status = play_in_child(path, game)
            assert status == -signal.SIGKILL, (name, number, status)
            copy_journal(path, path.parent / str(number))


@pytest.fixture(scope="module")
def all_killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journals that ``kill_at_every_event`` leaves."""
    folder = tmp_path_factory.mktemp("killed")
    program = (
        "import sys, pathlib; from tests.throwlock.journal.test_power_cut import kill_at_every_event; "
        "kill_at_every_event(pathlib.Path(sys.argv[1]))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_game_is_here() -> None:
    assert SHORT_GAMES.keys() == GAMES.keys()


@pytest.mark.parametrize("name", SHORT_GAMES)
def test_a_match_survives_a_kill_at_every_event(all_killed: Path, tmp_path: Path, name: str) -> None:
    play(tmp_path / "whole.journal", match_config(SHORT_GAMES[name]))
    whole = history(tmp_path / "whole.journal")
    left = sorted((all_killed / name).glob("[0-9]*"), key=lambda folder: int(folder.name))
    assert len(left) == len(whole) - 1 > 3, "the first event is written before there is a match"
    for last, folder in enumerate(left, 2):
        assert history(folder / "killed.journal") == whole[:last]
        left_images = images(folder / "killed.journal")
        assert left_images == images(tmp_path / "whole.journal")[: len(left_images)]
    with JournalReader(left[-1] / "killed.journal") as journal:
        assert verify(journal).problems == () and journal.unfinished_match() is None
