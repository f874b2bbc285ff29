"""Deletion leaves no byte in any file of the journal, also while a box plays; chain and matches stay whole."""

import itertools
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from errors import NotFoundError, RefusedError
from rules.catalogue import find_game
from rules.engine import replay
from rules.record.event import MAX_NOTE_LENGTH, ReviewMark
from tests.helpers.disputing_people import AnswerOnce, People
from tests.helpers.journal_events import round_body, seat_record
from tests.helpers.journals import contents, names_in
from tests.helpers.table_matches import NAMES, make_match, match_config, play
from throwlock.house_rules import HouseRules
from throwlock.journal import maintenance
from throwlock.journal.events import Deleted, DisputeRejected, MatchAbandoned
from throwlock.journal.file import sibling, transaction
from throwlock.journal.journal import NO_MATCH, Event, Evidence, Journal, JournalError, JournalReader, match_started
from throwlock.journal.kept_frames import KeptFrames
from throwlock.journal.maintenance import DeletionResult, JournalMaintenance
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.review.verify import verify
from ui.screen.pages.dispute import AgreedCorrection

CLASSIC = find_game("classic").set_up(2)
PEOPLE = ("Adalbertine-Zoë", "Bartholomew")


def picture(seed: int, size: int = 9000) -> bytes:
    """Return unique random bytes."""
    return random.Random(seed).randbytes(size)


def start_match(journal: Journal, names: tuple[str, ...] = PEOPLE) -> int:
    return journal.start_match(MatchConfig(CLASSIC, names, HouseRules()).start_event(), names)


def append_round(journal: Journal, match: int, *pictures: bytes) -> Event:
    body = round_body({1: seat_record(), 2: seat_record("late")}, fouls=[2], text="{2} was late.")
    return journal.append(match, body, [Evidence(f"{n}.jpg", "image/jpeg", p) for n, p in enumerate(pictures)])


def is_left(folder: Path, data: bytes) -> bool:
    """Return whether any 24 consecutive bytes of ``data`` are in a file of the folder."""
    pieces = [data[at : at + 24] for at in range(0, max(1, len(data) - 23), 200)]
    return any(piece in (there or b"") for there in contents(folder).values() for piece in pieces)


def assert_intact(path: Path) -> None:
    with JournalReader(path) as journal:
        assert verify(journal).problems == ()


def test_deleting_images_keeps_the_match(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    play(path, match_config(find_game("classic").set_up(2, {"best_of": 5})))
    with JournalReader(path) as journal:
        before = journal.events()
        pieces = [row.data or b"" for row in journal.evidence_rows()]
    assert JournalMaintenance(path).delete_pictures(1) == DeletionResult(len(pieces), log_cleared=True)
    assert names_in(tmp_path) == ["one.journal"]
    assert not any(is_left(tmp_path, data) for data in pieces)
    assert_intact(path)
    with JournalReader(path) as journal:
        *events, deletion = journal.events()
        assert events == before and journal.unfinished_match() is None and journal.matches() == [1]
        assert deletion.match == NO_MATCH and deletion.body == Deleted(
            reason="requested", events=tuple(event.number for event in events if event.round)
        )
        assert all(row.salt is None for row in journal.evidence_rows())
        assert not journal.has_pictures(1)
        assert replay(config_from_events(before).game, effective_answers(before).values()).result is not None
    assert JournalMaintenance(path).delete_pictures(1).evidence_count == 0
    with pytest.raises(NotFoundError, match="There is no match"):
        JournalMaintenance(path).delete_pictures(NO_MATCH)
    with JournalReader(path) as journal:
        assert journal.events() == [*events, deletion], "nothing was left to delete"


def test_names_are_stored_only_in_the_player_table(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    touch = AnswerOnce(
        1, [lambda view: AgreedCorrection(2, next(seat.reading for seat in view.seats if seat.is_unsettled))]
    )
    with Journal(path) as journal:
        make_match(journal, match_config(CLASSIC), display=People(path, touch))[0].play()
        assert any(event.kind == "corrected" for event in journal.events())
        assert any("{2} was late" in event.round.text for event in journal.events() if event.round)
        drawn = [row.data or b"" for row in journal.evidence_rows() if row.name == "timeline.svg"]
        assert drawn
        for name in NAMES[:2]:
            assert not any(name in row.body for row in journal.event_rows())
            assert not any(name.encode() in data for data in drawn)


def test_a_forgotten_player_is_named_by_seat(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    play(path, match_config(CLASSIC))
    with Journal(path) as journal:
        other = start_match(journal, ("Zed", "Ben"))
        kept = append_round(journal, other, picture(1))
        ada, ben, zed = journal.players()
        salt, *others = [row.salt or "" for row in journal.player_rows()]
    JournalMaintenance(path).forget(ada)
    assert not is_left(tmp_path, salt.encode()), "nobody can try names until one fits the key"
    assert all(is_left(tmp_path, other.encode()) for other in others)
    assert not is_left(tmp_path, NAMES[0].encode()), "its name is in no file"
    assert_intact(path)
    with JournalReader(path) as journal:
        images = tuple(event.number for event in journal.events(1) if event.round)
        assert journal.events()[-1].body == Deleted(reason="player forgotten", events=images, players=(ada,))
        assert journal.events(1)[0].names == ("Player 1", "Ben")
        assert journal.players() == {ada: None, ben: "Ben", zed: "Zed"}
        assert not journal.has_pictures(1) and len(journal.evidence(kept.number)) == 1
    with Journal(path) as journal:
        again = match_started(journal.events(start_match(journal, ("Ada", "Ben"))))
        assert again.player_keys[1] == ben and again.player_keys[0] != ada, "Ada is somebody new"


def test_missing_things_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with pytest.raises(JournalError, match="there is no journal at"):
        JournalMaintenance(path).clear_log()
    with Journal(path) as journal:
        start_match(journal)
    keeper = JournalMaintenance(path)
    for ask in (
        lambda: keeper.mark(1, ReviewMark.REVIEWED), lambda: keeper.mark(2, None), lambda: keeper.delete_pictures(2),
        lambda: keeper.forget("Ada"),
    ):  # fmt: skip
        with pytest.raises(NotFoundError, match="There is no"):
            ask()


def test_marks_are_set_and_removed(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = start_match(journal)
        one, two = append_round(journal, match).number, append_round(journal, match).number
        keeper = JournalMaintenance(path)
        keeper.mark(one, ReviewMark.TO_REVIEW)
        keeper.mark(two, ReviewMark.TO_REVIEW)
        keeper.mark(one, ReviewMark.REVIEWED)
        keeper.mark(two, None)
        assert journal.marks() == {one: "reviewed"}
    assert_intact(path)


def test_notes_are_written_and_leave_no_byte_when_deleted(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = start_match(journal)
        thrown, other = append_round(journal, match).number, append_round(journal, match).number
        keeper = JournalMaintenance(path)
        assert journal.notes() == {} and verify(journal).problems == (), "no table yet"
        keeper.write_note(match, "A note on the whole match, longer than 24 bytes")
        keeper.write_note(thrown, "  Ada says\r\nit was\x07 paper, and \u202eBen agrees  ")
        keeper.write_note(other, "kept as it is")
        assert journal.notes()[thrown] == "Ada says\nit was paper, and Ben agrees"
        keeper.write_note(match, "")
        assert journal.notes().keys() == {thrown, other}
        with pytest.raises(RefusedError, match=f"at most {MAX_NOTE_LENGTH} characters; this one has 501"):
            keeper.write_note(thrown, "x" * (MAX_NOTE_LENGTH + 1))
        with pytest.raises(NotFoundError):
            keeper.write_note(99, "nothing there")
    assert not is_left(tmp_path, b"A note on the whole match, longer than 24 bytes")
    assert is_left(tmp_path, b"Ben agrees")
    assert_intact(path)


def test_notes_are_limited_in_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintenance, "MAX_NOTES", 1)
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = start_match(journal)
        thrown = append_round(journal, match).number
    keeper = JournalMaintenance(path)
    keeper.write_note(match, "one")
    keeper.write_note(match, "one, changed")
    with pytest.raises(RefusedError, match="There are 1 notes: delete one first"):
        keeper.write_note(thrown, "two")


def test_forgetting_a_player_deletes_the_notes_on_their_matches(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = start_match(journal)
        thrown = append_round(journal, match).number
        other = start_match(journal, ("Zed", "Cy"))
        (key, *_) = match_started(journal.events(match)).player_keys
    keeper = JournalMaintenance(path)
    for event in (match, thrown, other):
        keeper.write_note(event, f"{event}: Adalbertine-Zoë was late, {event}")
    keeper.forget(key)
    assert not is_left(tmp_path, f"{thrown}: Adalbertine-Zoë was late".encode())
    with JournalReader(path) as journal:
        assert journal.notes().keys() == {other}
    assert_intact(path)


def test_a_note_on_nothing_is_found(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = start_match(journal)
    JournalMaintenance(path).write_note(match, "a note")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE note SET event = 7")
    with JournalReader(path) as journal:
        assert verify(journal).problems == ("event 7 has a note, and is neither a match nor a round",)


def test_a_read_only_journal_is_reported(tmp_path: Path, read_only: object) -> None:
    with Journal(tmp_path / "one.journal") as journal:
        start_match(journal)
    folder = read_only(tmp_path)  # type: ignore[operator]
    before = contents(folder)
    with pytest.raises(JournalError, match="can’t be written"):
        JournalMaintenance(folder / "one.journal").delete_pictures(1)
    assert contents(folder) == before


def test_an_open_reader_delays_clearing_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("throwlock.journal.maintenance.CHECKPOINT_TIMEOUT_S", 0.01)
    path = tmp_path / "one.journal"
    secret = picture(5)
    with Journal(path) as journal:
        thrown = append_round(journal, start_match(journal), secret)
        with JournalReader(path) as reader:
            assert not JournalMaintenance(path).delete_pictures(1).log_cleared
            assert reader.evidence(thrown.number)[0].data == secret, "what it saw when it was opened"
            assert is_left(tmp_path, secret)
        assert JournalMaintenance(path).clear_log()
        assert not is_left(tmp_path, secret)


def test_deletions_in_any_order_leave_no_trace(tmp_path: Path) -> None:
    """SQLite moves rows between pages as they shrink, and leaves nothing behind."""
    path, chance = tmp_path / "one.journal", random.Random(8)
    there: dict[int, list[bytes]] = {}
    with Journal(path) as journal:
        for count in range(12):
            match = start_match(journal, (f"Somebody-{count:03}", f"Otherone-{count:03}"))
            for number in range(chance.randint(1, 4)):
                sizes = [chance.choice((40, 900, 2000, 4000, 4100, 12_000)) for _ in range(4)]
                pieces = [picture(hash((count, number, place)), size) for place, size in enumerate(sizes)]
                append_round(journal, match, *pieces)
                there.setdefault(match, []).extend(pieces)
        people = {name: key for key, name in journal.players().items()}
        gone: list[bytes] = []
        salts = {
            match: [
                one.salt for pieces in journal.evidence_data(journal.events(match)).values() for one in pieces.values()
            ]
            for match in there
        }
        keeper = JournalMaintenance(path)
        for match in chance.sample(sorted(there), 9):
            if chance.random() < 0.5:
                name = journal.events(match)[0].names[0]
                assert keeper.forget(people[name]).log_cleared
                gone.append(name.encode())
            else:
                assert keeper.delete_pictures(match).log_cleared
            gone += there.pop(match)
            gone += [salt.encode() for salt in salts.pop(match)]
            assert not any(is_left(tmp_path, one) for one in gone)
        for match, pieces in there.items():
            kept = [one.data for event in journal.events(match) for one in journal.evidence(event.number)]
            assert kept == pieces
    assert_intact(path)


# -------- beside a box, in processes of their own

BOX = """
import sys
from pathlib import Path
from throwlock.journal.events import Answered
from throwlock.journal.journal import Evidence, Journal

with Journal(Path(sys.argv[1])) as journal:
    match = journal.unfinished_match()
    for line in sys.stdin:
        body = Answered(prompt="throw", answers={1: line.strip(), 2: None})
        event = journal.append(match, body, [Evidence("a.jpg", "image/jpeg", line.encode() * 2000)])
        print(event.number, flush=True)
"""


@contextmanager
def running_box(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a box in its own process that writes an event per input line and prints its number."""
    with subprocess.Popen(
        [sys.executable, "-c", BOX, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        send_line(process, "up")
        yield process
        process.communicate()
        assert process.returncode == 0


def send_line(process: "subprocess.Popen[str]", line: str) -> int:
    assert process.stdin is not None and process.stdout is not None
    print(line, file=process.stdin, flush=True)
    return int(process.stdout.readline())


def test_deletions_work_while_a_box_plays(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        first = start_match(journal)
        append_round(journal, first, picture(1), picture(2, 300_000))
        journal.append(first, MatchAbandoned())
        second = start_match(journal, ("Chidi", PEOPLE[1]))
        key = match_started(journal.events(first)).player_keys[0]
    with running_box(path) as playing:
        last = send_line(playing, "on")
        assert JournalMaintenance(path).forget(key) == DeletionResult(2, log_cleared=True)
        assert sibling(path, ".lock").exists(), "the box has it"
        for secret in (picture(1), picture(2, 300_000), PEOPLE[0].encode()):
            assert not is_left(tmp_path, secret)
        assert send_line(playing, "and on") == last + 2, "after the event of the deletion"
        JournalMaintenance(path).mark(first + 1, ReviewMark.TO_REVIEW)
        with JournalReader(path) as reader:
            assert send_line(playing, "still") == last + 3
            assert reader.events()[-1].number == last + 2, "as it was when it was opened"
            assert verify(reader).problems == () or all("match" in fault for fault in verify(reader).problems)
            assert reader.events(second)[0].names == ("Chidi", PEOPLE[1])
            assert reader.marks() == {first + 1: "to review"}
    assert names_in(tmp_path) == ["one.journal"]


def test_many_processes_write_at_once(tmp_path: Path) -> None:
    """A box writes without pause while a process deletes and marks as fast as it can."""
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        matches = [start_match(journal) for _ in range(6)]
        rounds = [append_round(journal, match, picture(match)).number for match in matches]
    deleting = (
        "import sys; from pathlib import Path\n"
        "from throwlock.journal.maintenance import JournalMaintenance; from rules.record.event import ReviewMark\n"
        "keeper = JournalMaintenance(Path(sys.argv[1]))\n"
        "for match, event in zip(*map(eval, sys.argv[2:])):\n"
        "    keeper.delete_pictures(match); keeper.mark(event, ReviewMark.REVIEWED)\n"
    )
    with running_box(path) as playing:
        command = [sys.executable, "-c", deleting, str(path), str(matches), str(rounds)]
        with subprocess.Popen(command) as keeping:
            while keeping.poll() is None:
                send_line(playing, "x")
        assert keeping.returncode == 0
        JournalMaintenance(path).clear_log()
        assert not any(is_left(tmp_path, picture(match)) for match in matches)
    with JournalReader(path) as reader:
        assert reader.marks() == dict.fromkeys(rounds, "reviewed")
        assert [fault for fault in verify(reader).problems if not fault.startswith("match ")] == []


def test_maintenance_after_a_kill_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = start_match(journal)
        append_round(journal, match, picture(3))
    with subprocess.Popen(
        [sys.executable, "-c", BOX, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as playing:
        last = send_line(playing, "on")
        playing.kill()
    assert JournalMaintenance(path).clear_log()
    assert names_in(tmp_path) == ["one.journal"]
    with JournalReader(path) as reader:
        assert reader.events()[-1].number == last


# -------- the oldest pictures make room


def count_evidence(path: Path) -> dict[int, int]:
    """Count the pieces of evidence left of each round."""
    with closing(sqlite3.connect(path)) as db:
        return dict(db.execute("SELECT event, count(data) FROM evidence GROUP BY event"))


def test_trimming_deletes_the_oldest_images_and_no_events(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = start_match(journal)
        rounds = [append_round(journal, match, picture(n, 50_000), picture(100 + n, 50_000)).number for n in range(10)]
        journal.append(match, DisputeRejected(round=rounds[1], text="It stands."))
        before = journal.events()
    keeper = JournalMaintenance(path)
    keeper.mark(rounds[0], ReviewMark.TO_REVIEW)
    keeper.mark(rounds[2], ReviewMark.REVIEWED)
    assert keeper.trim_evidence(1_100_000) == 0
    assert keeper.trim_evidence(600_000) in (4, 5)
    gone = {event for event, left in count_evidence(path).items() if not left}
    assert gone in (set(rounds[2:6]), set(rounds[2:7])), "neither what is to be looked at nor what was disputed"
    assert not is_left(tmp_path, picture(2, 50_000))
    assert keeper.trim_evidence(190_000) >= 4
    left = [event for event, there in count_evidence(path).items() if there]
    assert left == [rounds[1]], "of those the oldest"
    with JournalReader(path) as journal:
        *events, first, second = journal.events()
    assert events == before and second.body == Deleted(
        reason="space", events=(rounds[0], *sorted(set(rounds[2:]) - gone))
    )
    assert first.body == Deleted(reason="space", events=tuple(sorted(gone))), "one event for each clean-up"
    assert_intact(path)
    assert names_in(tmp_path) == ["one.journal"]


def test_interrupted_deletion_is_finished_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        for n in range(3):
            append_round(journal, start_match(journal), picture(n))
            journal.append(journal.matches()[-1], MatchAbandoned())
        ada, ben = journal.players()
    calls = iter(range(9))

    def delete_frames(frames: KeptFrames, rounds: Iterable[int]) -> None:
        if next(calls) == 1:
            raise JournalError("the power is cut")

    monkeypatch.setattr(KeptFrames, "delete", delete_frames)
    with pytest.raises(JournalError, match="power"):
        JournalMaintenance(path).forget(ada)
    assert list(count_evidence(path).values()) == [0, 1, 1]
    assert_intact(path)
    monkeypatch.undo()
    assert JournalMaintenance(path).forget(ada).evidence_count == 2
    assert_intact(path)
    with JournalReader(path) as reader:
        assert reader.players() == {ada: None, ben: PEOPLE[1]}
    assert JournalMaintenance(path).forget(ada).evidence_count == 0
    with JournalReader(path) as reader:
        assert [event.kind for event in reader.events()].count("deleted") == 2, "the third deleted nothing"


def test_images_written_during_a_deletion_are_deleted_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = start_match(journal)
        append_round(journal, match, picture(1))
        ada, _ = journal.players()
        calls, late = itertools.count(1), list[int]()

        @contextmanager
        def play_between_transactions(db: sqlite3.Connection) -> Iterator[None]:
            with transaction(db):
                yield
            if next(calls) == 2:  # the match's images are deleted, the player's name is not
                late.append(append_round(journal, match, picture(2)).number)

        monkeypatch.setattr(maintenance, "transaction", play_between_transactions)
        assert JournalMaintenance(path).forget(ada).evidence_count == 2
        journal.append(match, MatchAbandoned())
        deletions = [event.body for event in journal.events() if event.match == NO_MATCH]
    assert deletions == [
        Deleted(reason="player forgotten", events=(2,), players=(ada,)),
        Deleted(reason="player forgotten", events=tuple(late)),
    ]
    with JournalReader(path) as reader:
        assert [fault for fault in verify(reader).problems if not fault.startswith("match ")] == []


def test_trimming_is_limited_per_call(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match = start_match(journal)
        for n in range(6):
            append_round(journal, match, picture(n, 50_000))
    assert JournalMaintenance(path).trim_evidence(50_000, max_deleted_bytes=100_000) == 2
    assert list(count_evidence(path).values()) == [0, 0, 1, 1, 1, 1]


def test_free_pages_are_reused(tmp_path: Path) -> None:
    path, sizes = tmp_path / "one.journal", []
    for evening in range(6):
        with Journal(path) as journal:
            match = start_match(journal)
            for n in range(8):
                append_round(journal, match, picture(evening * 10 + n, 50_000))
        JournalMaintenance(path).trim_evidence(500_000)
        sizes.append(path.stat().st_size)
    assert sizes[0] < sizes[1] < sizes[2] < 1_100_000
    assert max(sizes) <= sizes[2] + 70_000, "but for the events"


def test_a_missing_journal_is_not_trimmed(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal at"):
        JournalMaintenance(tmp_path / "none.journal").trim_evidence(0)
