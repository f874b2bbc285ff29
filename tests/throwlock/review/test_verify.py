"""Verification names every kind of tampering, and accepts deletions."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from journal_events import round_body, seat_record
from journals import contents

from rules.catalogue import find_game
from throwlock.house_rules import HouseRules
from throwlock.journal.events import MatchAbandoned, MatchEnded, ResultRecord
from throwlock.journal.hash_chain import proof_code
from throwlock.journal.journal import Evidence, Journal, JournalReader, event_hash
from throwlock.journal.player_names import player_key
from throwlock.journal.tail_marker import TailMarker
from throwlock.replay.config import MatchConfig
from throwlock.review.verify import VerificationReport, verify

PICTURES = [Evidence("lock.jpg", "image/jpeg", b"lock"), Evidence("seat-1.jpg", "image/jpeg", b"seat")]
RESULT = ResultRecord(winners=(1,), scores={1: 2, 2: 0})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of one match: start, void round, two judged ones, end."""
    file = tmp_path / "evening.journal"
    with Journal(file) as journal:
        config = MatchConfig(find_game("classic").set_up(2), ("Ada", "Ben"), HouseRules())
        match = journal.start_match(config.start_event(), config.names)
        seats = {1: seat_record(), 2: seat_record("late", "scissors")}
        journal.append(match, round_body(seats, fouls=[2], text="{2} was late."), PICTURES)
        for _ in range(2):
            journal.append(match, round_body(answers={1: "rock", 2: "scissors"}), PICTURES)
        journal.append(match, MatchEnded(result=RESULT))
    return file


def find_problems(path: Path) -> tuple[str, ...]:
    before = contents(path.parent)
    with JournalReader(path) as journal:
        found = verify(journal).problems
    assert contents(path.parent) == before
    return found


def tamper(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    with db:
        for statement in statements:
            db.execute(statement)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def rechain(path: Path) -> None:
    """Recompute all hashes, as a forger would."""
    db = sqlite3.connect(path)
    with db:
        previous = db.execute("SELECT previous_hash FROM event WHERE number = 1").fetchone()[0]
        for row in db.execute("SELECT number, match, at, kind, body FROM event ORDER BY number").fetchall():
            own = event_hash(*row, previous)
            db.execute("UPDATE event SET previous_hash = ?, hash = ? WHERE number = ?", (previous, own, row[0]))
            previous = own
        db.execute("UPDATE journal SET value = ? WHERE name = 'last_hash'", (previous,))
    db.close()


def test_an_intact_journal_has_no_problems(path: Path) -> None:
    with JournalReader(path) as journal:
        found = verify(journal)
    assert (found.matches, found.events, found.evidence, found.problems) == (1, 5, 6, ())


def test_an_empty_journal_has_no_problems(tmp_path: Path) -> None:
    Journal(tmp_path / "new.journal").close()
    assert find_problems(tmp_path / "new.journal") == ()


TAMPERED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "changed answer": (
        ("UPDATE event SET body = replace(body, 'scissors', 'paper') WHERE number = 3",),
        ("event 3 (round_judged) was changed",),
    ),
    "changed date": (("UPDATE event SET at = '2020' WHERE number = 2",), ("event 2 (round_voided) was changed",)),
    "changed kind": (
        ("UPDATE event SET kind = 'round_judged' WHERE number = 2",),
        ("event 2 (round_judged) was changed",),
    ),
    "changed match": (("UPDATE event SET match = 2 WHERE number = 5",), ("event 5 (match_ended) was changed",)),
    "a match that is no number": (("UPDATE event SET match = x'00' WHERE number = 5",), ("event 5 (match_ended) was",)),
    "a body that is bytes": (
        ("UPDATE event SET body = x'ff' WHERE number = 5",),
        ("event 5 (match_ended) was changed", "event 5 can't be read"),
    ),
    "a body that is a list": (
        ("UPDATE event SET body = '[]' WHERE number = 5",),
        ("event 5 (match_ended) was changed", "event 5 can't be read"),
    ),
    "missing event": (
        ("DELETE FROM evidence WHERE event = 3", "DELETE FROM event WHERE number = 3"),
        ("event 3 is missing",),
    ),
    "missing events": (
        ("DELETE FROM evidence WHERE event < 4", "DELETE FROM event WHERE number < 4"),
        ("events 1 to 3 are missing",),
    ),
    "missing last event": (("DELETE FROM event WHERE number = 5",), ("the last event is 4",)),
    "missing first event, the others moved up": (
        ("DELETE FROM evidence", "DELETE FROM event WHERE number = 1", "UPDATE event SET number = number - 1"),
        ("event 1 does not follow event 0", "event 1 (round_voided) was changed"),
    ),
    "swapped events": (
        ("UPDATE event SET number = -number WHERE number IN (3, 4)",
         "UPDATE event SET number = 7 + number WHERE number < 0"),
        ("event 3 does not follow event 2", "event 3 (round_judged) was changed", "event 4 does not follow event 3",
         "event 4 (round_judged) was changed", "event 5 does not follow event 4"),
    ),
    "inserted event": (
        ("UPDATE event SET number = 6 WHERE number = 5",
         "INSERT INTO event SELECT 5, match, at, kind, body, previous_hash, hash FROM event WHERE number = 4"),
        ("event 5 does not follow event 4", "event 5 (round_judged) was changed", "event 6 (match_ended) was changed"),
    ),
    "an event put in at the end": (
        ("INSERT INTO event SELECT 6, match, at, kind, body, hash, hash FROM event WHERE number = 5",),
        ("event 6 (match_ended) was changed",),
    ),
    "changed evidence": (
        ("UPDATE evidence SET data = x'00' WHERE event = 3 AND name = 'lock.jpg'",),
        ("event 3: its evidence lock.jpg was changed",),
    ),
    "changed evidence with its hash": (
        ("UPDATE evidence SET data = x'00', "
         "sha256 = '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d' "
         "WHERE event = 3 AND name = 'lock.jpg'",),
        ("event 3: its evidence lock.jpg was changed",),
    ),
    "evidence that is text": (
        ("UPDATE evidence SET data = 'lock' WHERE event = 3 AND name = 'lock.jpg'",),
        ("event 3: its evidence lock.jpg was changed",),
    ),
    "changed sort of evidence": (
        ("UPDATE evidence SET media_type = 'text/html' WHERE event = 3 AND name = 'lock.jpg'",),
        ("event 3: its evidence lock.jpg was changed",),
    ),
    "missing evidence": (
        ("DELETE FROM evidence WHERE event = 4 AND name = 'seat-1.jpg'",),
        ("event 4: its evidence seat-1.jpg is missing",),
    ),
    "extra evidence": (
        ("INSERT INTO evidence VALUES (5, 'more.jpg', 'image/jpeg', '', x'00')",),
        ("event 5: evidence more.jpg was added later",),
    ),
    "evidence of no event": (
        ("INSERT INTO evidence VALUES (77, 'more.jpg', 'image/jpeg', '', NULL)",),
        ("event 77: evidence more.jpg was added later",),
    ),
    "blanked evidence": (
        ("UPDATE evidence SET data = zeroblob(length(data)) WHERE event = 3",),
        ("event 3: its evidence lock.jpg was changed", "event 3: its evidence seat-1.jpg was changed"),
    ),
    "evidence of another round": (
        ("UPDATE evidence SET data = (SELECT data FROM evidence WHERE name = 'seat-1.jpg') WHERE event = 3",),
        ("event 3: its evidence lock.jpg was changed",),
    ),
    "swapped names": (
        ("UPDATE player SET name = CASE name WHEN 'Ada' THEN 'Ben' ELSE 'Ada' END",),
        ("player ", "player "),
    ),
    "swapped names with their salts": (
        ("CREATE TEMP TABLE two AS SELECT rowid AS row, salt, name FROM player",
         "UPDATE player SET (salt, name) = (SELECT salt, name FROM two WHERE row = 3 - player.rowid)"),
        ("player ", "player "),
    ),
    "another name": (("UPDATE player SET name = 'Eve' WHERE name = 'Ada'",), ("player ",)),
    "another salt": (("UPDATE player SET salt = lower(hex(zeroblob(16))) WHERE name = 'Ada'",), ("player ",)),
    "a name without its salt": (("UPDATE player SET name = NULL WHERE name = 'Ada'",), ("player ",)),
    "a salt without its name": (("UPDATE player SET salt = NULL WHERE name = 'Ada'",), ("player ",)),
    "a name that is bytes": (("UPDATE player SET name = x'00' WHERE name = 'Ada'",), ("player ",)),
    "a key that is bytes": (("UPDATE player SET key = x'ff00' WHERE rowid = 1",), ("player ",)),
    "a player who never played": (
        ("INSERT INTO player SELECT lower(hex(zeroblob(32))), NULL, NULL",),
        ("player 00000000 was added: nobody with that key played",),
    ),
    "a mark on no round": (
        ("INSERT INTO mark VALUES (5, 'reviewed', '2026')",),
        ("event 5 is marked, and is no round",),
    ),
    "a trigger": (
        ("CREATE TRIGGER late AFTER INSERT ON event BEGIN UPDATE player SET name = 'Eve'; END",),
        ("the trigger late was added or changed",),
    ),
    "a table": (("CREATE TABLE notes (text)",), ("the table notes was added or changed",)),
    "a view": (("CREATE VIEW winners AS SELECT 1",), ("the view winners was added or changed",)),
    "a view in place of a table": (
        ("ALTER TABLE mark RENAME TO marks", "CREATE VIEW mark AS SELECT * FROM marks"),
        ("the table marks was added or changed", "the view mark was added or changed", "the table mark is missing"),
    ),
    "another column": (("ALTER TABLE event ADD COLUMN note TEXT",), ("the table event was added or changed",)),
    "a missing index": (("DROP INDEX event_by_match",), ("the index event_by_match is missing",)),
    "an index": (("CREATE INDEX by_kind ON event (kind)",), ("the index by_kind was added or changed",)),
    "an entry of the journal's table": (
        ("INSERT INTO journal VALUES ('owner', 'Eve')",),
        ("the entry owner of the table journal was added",),
    ),
    "another journal's id": (
        ("UPDATE journal SET value = 'other' WHERE name = 'id'",),
        ("event 1 does not follow event 0",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_named(path: Path, name: str) -> None:
    statements, expected = TAMPERED[name]
    tamper(path, *statements)
    found = find_problems(path)
    for sentence in expected:
        assert any(fault.startswith(sentence) for fault in found), found


def test_a_forgotten_player_is_fine_but_a_missing_one_is_not(path: Path) -> None:
    tamper(path, "UPDATE player SET name = NULL, salt = NULL")
    assert find_problems(path) == ()
    tamper(path, "DELETE FROM player WHERE rowid = 2")
    (fault,) = find_problems(path)
    assert fault.startswith("match 1: its player ") and fault.endswith("is missing from the table of players")


def test_a_deleted_image_is_no_problem(path: Path) -> None:
    tamper(path, "UPDATE evidence SET data = NULL WHERE event = 3")
    assert find_problems(path) == ()


def set_body(number: int, change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        db = sqlite3.connect(path)
        with db:
            body = json.loads(db.execute("SELECT body FROM event WHERE number = ?", (number,)).fetchone()[0])
            change(body)
            db.execute("UPDATE event SET body = ? WHERE number = ?", (json.dumps(body), number))
        db.close()
        rechain(path)

    return write


WRONG_RESULTS = {
    "another winner": (set_body(5, lambda body: body["result"].update(winners=[2])), "does not replay to the result"),
    "no result": (set_body(5, lambda body: body.pop("result")), "event 5 can't be read"),
    "a lost round": (
        set_body(4, lambda body: body["answers"].update({"1": "paper"})), "does not replay to the result"),
    "an answer that the camera did not see": (
        set_body(4, lambda body: body["answers"].update({"2": "rock"})),
        "event 4 has other answers than its judgement and the house rules lead to"),
    "a throw that the camera did not see": (
        set_body(4, lambda body: body["judgement"]["seats"]["2"].update(at_lock="paper")),
        "event 4 has other answers than its judgement and the house rules lead to"),
    "a foul that counts": (
        set_body(4, lambda body: body["judgement"]["seats"]["2"].update(verdict="late")),
        "event 4 has other answers than its judgement and the house rules lead to"),
    "a foul that was left out": (
        set_body(2, lambda body: body.update(fouls=[])), "event 2 has other fouls than its judgement"),
    "a foul that was none": (
        set_body(2, lambda body: body.update(fouls=[1, 2])), "event 2 has other fouls than its judgement"),
    "a void round that counts": (
        set_body(2, lambda body: (body.update(fouls=[]), body["judgement"]["seats"]["2"].update(verdict="on time"))),
        "event 2 has other answers than its judgement and the house rules lead to"),
    "a judgement of another seat": (
        set_body(4, lambda body: body["judgement"]["seats"].update({"3": body["judgement"]["seats"]["2"]})),
        "event 4 judges other seats than those that threw"),
    "another house rule": (
        set_body(1, lambda body: body["house_rules"].update(on_foul="stand")),
        "event 2 has other answers than its judgement and the house rules lead to"),
    "another prompt": (
        set_body(4, lambda body: body.update(prompt="bet")), "event 4 answers 'bet', and the game asked for 'throw'"),
    "an answer kept secret": (
        set_body(4, lambda body: body.update(secret=True)), "event 4 answers 'throw', and the game asked for 'throw'"),
    "an answer the game has not": (set_body(4, lambda body: body["answers"].update({"1": "well"})), "may not answer"),
    "an answer of nobody": (set_body(4, lambda body: body["answers"].update({"7": "rock"})), "seat 7 was not asked"),
    "answers of no seat": (set_body(4, lambda body: body.update(answers={"x": 1})), "event 4 can't be read"),
    "answers that are none": (set_body(4, lambda body: body.update(answers=7)), "event 4 can't be read"),
    "other rules": (set_body(1, lambda body: body.update(rules_version=99)), "was played by version 99"),
    "a game nobody knows": (set_body(1, lambda body: body.update(game="chess")), "no game is called 'chess'"),
    "no game": (set_body(1, lambda body: body.pop("game")), "event 1 can't be read"),
    "seats that are none": (set_body(1, lambda body: body.update(seats="many")), "event 1 can't be read"),
    "invalid house rules": (set_body(1, lambda body: body.update(house_rules={"window_ms": 1})),
        "event 1 can't be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_RESULTS)
def test_a_wrong_result_is_found_despite_valid_hashes(path: Path, name: str) -> None:
    forge, sentence = WRONG_RESULTS[name]
    forge(path)
    assert any(sentence in fault for fault in find_problems(path))


def code_of(path: Path, number: int | None = None) -> str:
    with JournalReader(path) as journal:
        return proof_code(journal.number_and_hash(number)[1])


def verify_codes(path: Path, *codes: str) -> VerificationReport:
    with JournalReader(path) as journal:
        return verify(journal, codes)


def forge_everything(path: Path) -> None:
    """Let Ben win instead, with all that follows from it."""
    for number in (3, 4):
        set_body(number, lambda body: (
            body["answers"].update({"1": "paper"}),
            body["judgement"]["seats"]["1"].update(at_lock="paper", throw="paper"),
        ))(path)  # fmt: skip
    set_body(5, lambda body: body.update(result={"winners": [2], "scores": {"1": 0, "2": 2}}))(path)


def forge_name(path: Path) -> None:
    """Let Eve have won, with a key and a salt of her own."""
    key = player_key("0" * 32, "Eve")
    tamper(path, f"UPDATE player SET key = '{key}', salt = '{'0' * 32}', name = 'Eve' WHERE name = 'Ada'")
    set_body(1, lambda body: body["players"].update({"1": key}))(path)


def cut_off(path: Path) -> None:
    """Take the whole match away."""
    with JournalReader(path) as journal:
        origin = journal.origin_hash()
    tamper(
        path, "DELETE FROM evidence", "DELETE FROM event", "DELETE FROM player",
        f"UPDATE journal SET value = '{origin}' WHERE name = 'last_hash'",
    )  # fmt: skip


def cut_off_the_end(path: Path) -> None:
    """Take the last round and the result away."""
    tamper(path, "DELETE FROM evidence WHERE event > 3", "DELETE FROM event WHERE number > 3")
    rechain(path)


def change_date(path: Path) -> None:
    tamper(path, "UPDATE event SET at = '2020-01-01T00:00:00.000+00:00'")
    rechain(path)


def change_picture(path: Path) -> None:
    digest = hashlib.sha256(b"\0").hexdigest()
    tamper(path, f"UPDATE evidence SET data = x'00', sha256 = '{digest}' WHERE event = 3")
    set_body(3, lambda body: [one.update(sha256=digest) for one in body["evidence"].values()])(path)


def change_id(path: Path) -> None:
    tamper(path, "UPDATE journal SET value = 'other' WHERE name = 'id'")
    with JournalReader(path) as journal:
        origin = journal.origin_hash()
    tamper(path, f"UPDATE event SET previous_hash = '{origin}' WHERE number = 1")
    rechain(path)


CHAINED_ANEW: dict[str, Callable[[Path], None]] = {
    "the match": cut_off,
    "the end of the match": cut_off_the_end,
    "throws, judgements and result": forge_everything,
    "a player": forge_name,
    "the dates": change_date,
    "a picture": change_picture,
    "a sentence": set_body(4, lambda body: body.update(text="Ben cheated.")),
    "the time a hand was shown": set_body(4, lambda body: body["judgement"]["seats"]["1"].update(shown_ms=99.0)),
    "the camera": set_body(1, lambda body: body.update(camera="usb:0")),
    "the journal's id": change_id,
}


@pytest.mark.parametrize("name", CHAINED_ANEW)
def test_what_was_chained_anew_is_found_by_the_code_alone(path: Path, name: str) -> None:
    code = code_of(path)
    CHAINED_ANEW[name](path)
    assert find_problems(path) == ()
    (fault,) = verify_codes(path, code).problems
    assert fault.startswith(f"no event has the proof code {code}")


HIDDEN: dict[str, str] = {
    "a picture taken for deleted": "UPDATE evidence SET data = NULL WHERE event = 3",
    "a player taken for forgotten": "UPDATE player SET name = NULL, salt = NULL WHERE name = 'Ada'",
    "a mark": "INSERT INTO mark VALUES (3, 'reviewed', '2020')",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_may_be_deleted_can_be_deleted_by_anybody(path: Path, name: str) -> None:
    code = code_of(path)
    tamper(path, HIDDEN[name])
    assert verify_codes(path, code).problems == ()


def test_a_code_holds_while_later_matches_are_added(path: Path) -> None:
    code = code_of(path)
    with Journal(path) as journal:
        config = MatchConfig(find_game("classic").set_up(2), ("Ada", "Cy"), HouseRules())
        match = journal.start_match(config.start_event(), config.names)
        journal.append(match, MatchAbandoned())
    report = verify_codes(path, code.lower().replace("-", " "), code_of(path))
    assert report.problems == () and report.code == code_of(path) != code
    assert "is event 5, match_ended of match 1" in report.confirmed[0] and "2 events came later" in report.confirmed[0]
    assert "none came later" in report.confirmed[1]
    assert "one event came later" in verify_codes(path, code_of(path, 6)).confirmed[0]


def test_what_came_after_the_code_is_unknown(path: Path) -> None:
    code = code_of(path, 3)
    cut_off_the_end(path)
    report = verify_codes(path, code)
    assert report.problems == () and report.unknown[0].startswith("whether events after the events confirmed were cut")


def test_what_can_not_be_known_is_said(path: Path) -> None:
    tamper(path, "UPDATE evidence SET data = NULL WHERE event = 3", "UPDATE player SET name = NULL, salt = NULL")
    with JournalReader(path) as journal:
        marked = journal.number_and_hash(4)
    TailMarker(path).write(*marked)
    report = verify_codes(path)
    assert report.problems == ()
    text = "\n".join(report.unknown)
    assert "who deleted 2 of the images" in text and "who the 2 forgotten players were" in text
    assert "whether anybody saw what came after event 4" in text


def test_what_is_no_code_is_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="20 letters and digits"):
        verify_codes(path, "7QK3M")
