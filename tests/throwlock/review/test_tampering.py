"""Kinds of tampering with a journal, each tried: what ``verify`` finds, and what it finds with the proof code of the
match's end. docs/proof.md has the same list."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from rules.record.event import ReviewMark
from tests.helpers.forgeries import PICTURES, code_of, older_copy, rechain, set_body, tamper, verify_codes, write_match
from tests.helpers.journal_events import round_body
from throwlock.journal.events import Deleted
from throwlock.journal.file import sibling
from throwlock.journal.hash_chain import SaltedData, event_hash, evidence_commitment
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.journal.player_names import player_key
from throwlock.journal.tail_marker import TAIL_SUFFIX, TailMarker

PAGE = Path(__file__).parents[3] / "docs" / "proof.md"
Forge = Callable[[Path], object]


@dataclass(frozen=True)
class Tampering:
    """A kind of tampering. ``sentence`` is part of a problem that ``verify`` names; None: it names none without the
    proof code. ``reason`` is why it names none with the code either; "": it does."""

    kind: str
    forge: Forge
    sentence: str | None = None
    reason: str = ""


def sql(*statements: str) -> Forge:
    """Return what runs SQL on a journal."""
    return lambda path: tamper(path, *statements)


def rehash(*statements: str) -> Forge:
    """Return what runs SQL on a journal, and computes all hashes anew."""

    def forge(path: Path) -> None:
        tamper(path, *statements)
        rechain(path)

    return forge


def change_bytes(old: bytes, new: bytes) -> Forge:
    """Return what replaces bytes of the file, past SQLite."""

    def forge(path: Path) -> None:
        data = path.read_bytes()
        assert len(old) == len(new) and old in data
        path.write_bytes(data.replace(old, new, 1))

    return forge


def change_image_bytes(path: Path) -> None:
    """Change an image, past SQLite."""
    with JournalReader(path) as journal:
        salt = next(row.salt for row in journal.evidence_rows() if row.name == "lock.jpg")
    assert salt is not None
    change_bytes(f"{salt}lock".encode(), f"{salt}look".encode())(path)


def damage_page(path: Path) -> None:
    """Overwrite the page that the table of events starts on."""
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'event'").fetchone()
    data = bytearray(path.read_bytes())
    data[(root - 1) * 4096 : root * 4096] = bytes(4096)
    path.write_bytes(data)


def write_other_journal(path: Path) -> Path:
    other = path.with_name("other.journal")
    write_match(other)
    return other


def copy_tail(path: Path) -> None:
    """Replace the end of the match by that of another journal, with its images."""
    tamper(
        path, f"ATTACH '{write_other_journal(path)}' AS other", "DELETE FROM evidence WHERE event > 3",
        "DELETE FROM event WHERE number > 3", "INSERT INTO event SELECT * FROM other.event WHERE number > 3",
        "INSERT INTO evidence SELECT * FROM other.evidence WHERE event > 3",
        "DELETE FROM journal WHERE name = 'last_hash'",
        "INSERT INTO journal SELECT * FROM other.journal WHERE name = 'last_hash'",
    )  # fmt: skip


def copy_tail_and_chain(path: Path) -> None:
    copy_tail(path)
    rechain(path)


def insert_round(path: Path) -> None:
    """Copy a void round behind itself, and compute all hashes anew."""
    rehash(
        "UPDATE evidence SET event = -event WHERE event > 2", "UPDATE evidence SET event = 1 - event WHERE event < 0",
        "UPDATE event SET number = -number WHERE number > 2", "UPDATE event SET number = 1 - number WHERE number < 0",
        "INSERT INTO event SELECT 3, match, at, kind, body, previous_hash, hash FROM event WHERE number = 2",
        "INSERT INTO evidence SELECT 3, name, media_type, commitment, salt, data FROM evidence WHERE event = 2",
    )(path)  # fmt: skip


def change_answers_and_result(path: Path) -> None:
    """Let Ben win instead, with all that follows from it."""
    for number in (3, 4):
        set_body(number, lambda body: (
            body["answers"].update({"1": "paper"}),
            body["judgement"]["seats"]["1"].update(at_lock="paper", throw="paper"),
        ))(path)  # fmt: skip
    set_body(5, lambda body: body.update(result={"winners": [2], "scores": {"1": 0, "2": 2}}))(path)


def change_player(path: Path) -> None:
    """Let Eve have won, with a key and a salt of her own."""
    key = player_key("0" * 32, "Eve")
    tamper(path, f"UPDATE player SET key = '{key}', salt = '{'0' * 32}', name = 'Eve' WHERE name = 'Ada'")
    set_body(1, lambda body: body["players"].update({"1": key}))(path)


def swap_keys(path: Path) -> None:
    set_body(1, lambda body: body.update(players={"1": body["players"]["2"], "2": body["players"]["1"]}))(path)


def change_image(path: Path) -> None:
    """Replace an image by another one with its own salt and commitment."""
    commitment = evidence_commitment("lock.jpg", "image/jpeg", SaltedData("0" * 32, b"\0"))
    tamper(
        path,
        f"UPDATE evidence SET data = x'00', salt = '{'0' * 32}', commitment = '{commitment}' "
        "WHERE event = 3 AND name = 'lock.jpg'",
    )
    set_body(3, lambda body: body["evidence"]["lock.jpg"].update(commitment=commitment))(path)


def remove_image(path: Path) -> None:
    """Remove an image and its commitment."""
    tamper(path, "DELETE FROM evidence WHERE event = 3 AND name = 'lock.jpg'")
    set_body(3, lambda body: body["evidence"].pop("lock.jpg"))(path)


def remove_match(path: Path) -> None:
    with JournalReader(path) as journal:
        origin = journal.origin_hash()
    tamper(
        path, "DELETE FROM evidence", "DELETE FROM event", "DELETE FROM player",
        f"UPDATE journal SET value = '{origin}' WHERE name = 'last_hash'",
    )  # fmt: skip


def change_id(path: Path) -> None:
    tamper(path, "UPDATE journal SET value = 'other' WHERE name = 'id'")
    with JournalReader(path) as journal:
        origin = journal.origin_hash()
    tamper(path, f"UPDATE event SET previous_hash = '{origin}' WHERE number = 1")
    rechain(path)


def remove_deletion(path: Path) -> None:
    """Delete images with Throwlock, and then the event that says so."""
    with JournalReader(path) as journal:
        newest = journal.last_hash()
    JournalMaintenance(path).delete_pictures(1)
    tamper(
        path, "DELETE FROM event WHERE number = 6", f"UPDATE journal SET value = '{newest}' WHERE name = 'last_hash'"
    )


def forget_player(path: Path) -> None:
    with JournalReader(path) as journal:
        key = next(iter(journal.players()))
    JournalMaintenance(path).forget(key)


def record_deletion_only(path: Path) -> None:
    body = Deleted(reason="space", events=(2, 3))
    with Journal(path) as journal:
        journal.append(0, body)


def put_back_image(path: Path) -> None:
    JournalMaintenance(path).delete_pictures(1)
    tamper(
        path, f"ATTACH '{older_copy(path)}' AS older",
        "UPDATE evidence SET (salt, data) = (SELECT salt, data FROM older.evidence AS one "
        "WHERE one.event = 3 AND one.name = evidence.name) WHERE event = 3",
    )  # fmt: skip


def write_note(*statements: str) -> Forge:
    """Return what writes a note on a round with Throwlock, and then runs SQL on the journal."""

    def forge(path: Path) -> None:
        JournalMaintenance(path).write_note(3, "Ben: the sun was in my eyes.")
        tamper(path, *statements)

    return forge


def write_marker(number: int) -> Forge:
    return lambda path: TailMarker(path).write(number, "0" * 64)


def remove_marker(path: Path) -> None:
    """Leave the marker of a crash, and remove it."""
    TailMarker(path).write(5, "")
    sibling(path, TAIL_SUFFIX).unlink()


def append_bytes(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"hidden".ljust(4096))


def append_events(path: Path) -> None:
    """Append a correct event to the ended match."""
    with Journal(path) as journal:
        journal.append(1, round_body(answers={1: "rock", 2: "scissors"}), PICTURES)


def append_without_hash(path: Path) -> None:
    with JournalReader(path) as journal:
        last = list(journal.event_rows())[-1]
    row = (6, 1, last.at, last.kind, last.body, last.hash)
    values = ", ".join(f"'{one}'" for one in (*row, event_hash(*row)))
    tamper(path, f"INSERT INTO event VALUES ({values})")


def text(number: int, **fields: object) -> Forge:
    return set_body(number, lambda body: body.update(fields))


SWAP_NAMES = (
    "CREATE TEMP TABLE two AS SELECT rowid AS row, salt, name FROM player",
    "UPDATE player SET (salt, name) = (SELECT salt, name FROM two WHERE row = 3 - player.rowid)",
)
SWAP_EVENTS = (
    "UPDATE event SET number = -number WHERE number IN (3, 4)",
    "UPDATE event SET number = 7 + number WHERE number < 0",
)
IMAGE = "WHERE event = 3 AND name = 'lock.jpg'"
SEAT_IMAGE = "FROM evidence WHERE event = 3 AND name = 'seat-1.jpg'"

EVENTS = [
    Tampering("an answer changed", sql("UPDATE event SET body = replace(body, 'scissors', 'paper') WHERE number = 3"),
        "event 3 (round_judged) was changed"),
    Tampering("a time changed", sql("UPDATE event SET at = '2020' WHERE number = 2"),
        "event 2 (round_voided) was changed"),
    Tampering("a kind changed", sql("UPDATE event SET kind = 'round_judged' WHERE number = 2"),
        "event 2 (round_judged) was changed"),
    Tampering("an event moved to another match", sql("UPDATE event SET match = 2 WHERE number = 5"),
        "event 5 (match_ended) was changed"),
    Tampering("a stored hash changed", sql("UPDATE event SET hash = replace(hash, substr(hash, 1, 4), 'beef') "
        "WHERE number = 3"), "event 4 does not follow event 3"),
    Tampering("a stored previous hash changed", sql("UPDATE event SET previous_hash = hash WHERE number = 3"),
        "event 3 does not follow event 2"),
    Tampering("the newest hash changed", sql("UPDATE journal SET value = '' WHERE name = 'last_hash'"),
        "not the last one that was written"),
    Tampering("a body replaced by bytes", sql("UPDATE event SET body = x'ff' WHERE number = 5"),
        "event 5 can't be read"),
    Tampering("a body replaced by other JSON", sql("UPDATE event SET body = '[]' WHERE number = 5"),
        "event 5 can't be read"),
    Tampering("two events swapped", sql(*SWAP_EVENTS), "event 3 does not follow event 2"),
    Tampering("the first events deleted",
        sql("DELETE FROM evidence WHERE event < 4", "DELETE FROM event WHERE number < 4"), "events 1 to 3 are missing"),
    Tampering("the first event deleted, the others renumbered",
        sql("DELETE FROM evidence", "DELETE FROM event WHERE number = 1", "UPDATE event SET number = number - 1"),
        "event 1 does not follow event 0"),
    Tampering("an event in the middle deleted",
        sql("DELETE FROM evidence WHERE event = 3", "DELETE FROM event WHERE number = 3"), "event 3 is missing"),
    Tampering("the last event deleted", sql("DELETE FROM event WHERE number = 5"), "the last event is 4"),
    Tampering("an event copied into the middle", sql("UPDATE event SET number = 6 WHERE number = 5",
        "INSERT INTO event SELECT 5, match, at, kind, body, previous_hash, hash FROM event WHERE number = 4"),
        "event 5 does not follow event 4"),
    Tampering("an event added at the end, with its hash", append_without_hash, "not the last one that was written"),
    Tampering("the end replaced by another journal's", copy_tail, "event 4 does not follow event 3"),
    Tampering("another journal's id", sql("UPDATE journal SET value = 'other' WHERE name = 'id'"),
        "event 1 does not follow event 0"),
]  # fmt: skip
IMAGES = [
    Tampering("an image replaced", sql(f"UPDATE evidence SET data = x'00' {IMAGE}"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("an image replaced, with a salt and commitment of its own",
        sql(f"UPDATE evidence SET data = x'00', salt = '{'0' * 32}', commitment = "
            f"'{evidence_commitment('lock.jpg', 'image/jpeg', SaltedData('0' * 32, bytes(1)))}' {IMAGE}"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("an image overwritten with zeros", sql(f"UPDATE evidence SET data = zeroblob(length(data)) {IMAGE}"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("an image replaced by text", sql(f"UPDATE evidence SET data = 'lock' {IMAGE}"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("an image's salt changed", sql(f"UPDATE evidence SET salt = '{'0' * 32}' {IMAGE}"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("an image's type changed", sql(f"UPDATE evidence SET media_type = 'text/html' {IMAGE}"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("two images swapped, with their salts",
        sql(f"UPDATE evidence SET (salt, data) = (SELECT salt, data {SEAT_IMAGE}) {IMAGE}"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("an image of another round, with its salt", sql("UPDATE evidence SET (salt, data) = (SELECT salt, data "
        "FROM evidence AS one WHERE one.event = 4 AND one.name = evidence.name) WHERE event = 3"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("an image deleted by hand, with its salt", sql(f"UPDATE evidence SET salt = NULL, data = NULL {IMAGE}"),
        "event 3: its evidence lock.jpg was deleted, and no event says so"),
    Tampering("an image deleted by hand, but not its salt", sql(f"UPDATE evidence SET data = NULL {IMAGE}"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("an image's salt deleted", sql(f"UPDATE evidence SET salt = NULL {IMAGE}"),
        "event 3: its evidence lock.jpg was changed"),
    Tampering("an image's row deleted", sql(f"DELETE FROM evidence {IMAGE}"),
        "event 3: its evidence lock.jpg is missing"),
    Tampering("an image added", sql("INSERT INTO evidence VALUES (5, 'more.jpg', 'image/jpeg', '', '', x'00')"),
        "event 5: evidence more.jpg was added later"),
    Tampering("an image of no event", sql("INSERT INTO evidence VALUES (77, 'more.jpg', 'image/jpeg', '', '', NULL)"),
        "event 77: evidence more.jpg was added later"),
    Tampering("the event of a deletion deleted", remove_deletion,
        "event 2: its evidence lock.jpg was deleted, and no event says so"),
]  # fmt: skip
PLAYERS = [
    Tampering("two names swapped", sql("UPDATE player SET name = CASE name WHEN 'Ada' THEN 'Ben' ELSE 'Ada' END"),
        "is not Ben: their name or its salt was changed"),
    Tampering("two names swapped, with their salts", sql(*SWAP_NAMES),
        "is not Ben: their name or its salt was changed"),
    Tampering("two names swapped, with salts and keys", sql(
        "UPDATE player SET rowid = 3 WHERE rowid = 1", "UPDATE player SET rowid = 1 WHERE rowid = 2"),
        reason="nothing changed but the order of the rows: each name is still that of its key"),
    Tampering("a name changed", sql("UPDATE player SET name = 'Eve' WHERE name = 'Ada'"), "is not Eve"),
    Tampering("a name's salt changed", sql("UPDATE player SET salt = lower(hex(zeroblob(16))) WHERE name = 'Ada'"),
        "is not Ada"),
    Tampering("a name deleted by hand, with its salt",
        sql("UPDATE player SET name = NULL, salt = NULL WHERE name = 'Ada'"),
        "has lost their name, and no event says that they were forgotten"),
    Tampering("a name deleted by hand, but not its salt", sql("UPDATE player SET name = NULL WHERE name = 'Ada'"),
        "is not forgotten"),
    Tampering("a name's salt deleted", sql("UPDATE player SET salt = NULL WHERE name = 'Ada'"), "is not Ada"),
    Tampering("a name replaced by bytes", sql("UPDATE player SET name = x'00' WHERE name = 'Ada'"), "is not forgotten"),
    Tampering("a key changed", sql("UPDATE player SET key = x'ff00' WHERE rowid = 1"), "is not Ada"),
    Tampering("a player deleted", sql("DELETE FROM player WHERE rowid = 2"), "is missing from the table of players"),
    Tampering("a player added", sql(
        f"INSERT INTO player VALUES ('{player_key('0' * 32, 'Eve')}', '{'0' * 32}', 'Eve')"),
        "was added: nobody with that key played"),
]  # fmt: skip
FILES = [
    Tampering("a trigger added", sql(
        "CREATE TRIGGER late AFTER INSERT ON event BEGIN UPDATE player SET name = 'Eve'; END"),
        "the trigger late was added or changed"),
    Tampering("a table added", sql("CREATE TABLE notes (text)"), "the table notes was added or changed"),
    Tampering("a view added", sql("CREATE VIEW winners AS SELECT 1"), "the view winners was added or changed"),
    Tampering("a view in place of a table", sql(
        "ALTER TABLE mark RENAME TO marks", "CREATE VIEW mark AS SELECT * FROM marks"), "the table mark is missing"),
    Tampering("a column added", sql("ALTER TABLE event ADD COLUMN note TEXT"), "the table event was added or changed"),
    Tampering("an index added", sql("CREATE INDEX by_kind ON event (kind)"), "the index by_kind was added or changed"),
    Tampering("an index deleted", sql("DROP INDEX event_by_match"), "the index event_by_match is missing"),
    Tampering("an entry added to the table `journal`", sql("INSERT INTO journal VALUES ('owner', 'Eve')"),
        "the entry owner of the table journal was added"),
    Tampering("a mark on what is no round", sql("INSERT INTO mark VALUES (5, 'reviewed', '2026')"),
        "event 5 is marked, and is no round"),
    Tampering("a note on what is neither a match nor a round", write_note("UPDATE note SET event = 5"),
        "event 5 has a note, and is neither a match nor a round"),
    Tampering("a column added to the notes", write_note("ALTER TABLE note ADD COLUMN author TEXT"),
        "the table note was added or changed"),
    Tampering("`user_version` changed", sql("PRAGMA user_version = 5"), "has tables of version 5"),
    Tampering("`application_id` changed", sql("PRAGMA application_id = 1"), "is another program’s database"),
    Tampering("bytes of a page changed: an answer", change_bytes(b'"1":"rock"', b'"1":"lock"'), "was changed after it"),
    Tampering("bytes of a page changed: a name", change_bytes(b"Ben", b"Eve"), "is not Eve"),
    Tampering("bytes of a page changed: an image", change_image_bytes,
        "evidence lock.jpg was changed"),
    Tampering("a page overwritten", damage_page, "damaged"),
    Tampering("`FILE.tail` of a later event", write_marker(7), "events 6 to 7 are missing"),
    Tampering("`FILE.tail` of another event", write_marker(5), "event 5 is not the one that was written"),
]  # fmt: skip
CHAINED = [
    Tampering("another winner", set_body(5, lambda body: body["result"].update(winners=[2])),
        "does not replay to the result"),
    Tampering("an answer that the camera did not see", set_body(4, lambda body: body["answers"].update({"2": "rock"})),
        "event 4 has other answers than its judgement"),
    Tampering("a throw that leads to another answer",
        set_body(4, lambda body: body["judgement"]["seats"]["2"].update(at_lock="paper")),
        "event 4 has other answers than its judgement"),
    Tampering("a verdict that is a foul",
        set_body(4, lambda body: body["judgement"]["seats"]["2"].update(verdict="late")),
        "event 4 has other answers than its judgement"),
    Tampering("a foul left out", text(2, fouls=[]), "event 2 has other fouls than its judgement"),
    Tampering("a foul added", text(2, fouls=[1, 2]), "event 2 has other fouls than its judgement"),
    Tampering("another house rule", set_body(1, lambda body: body["house_rules"].update(on_foul="stand")),
        "event 2 has other answers than its judgement"),
    Tampering("another game", text(1, game="chess"), "no game is called 'chess'"),
    Tampering("another version of the rules", text(1, rules_version=99), "was played by version 99"),
    Tampering("a round left out",
        rehash("DELETE FROM evidence WHERE event = 4", "DELETE FROM event WHERE number = 4",
            "UPDATE event SET number = 4 WHERE number = 5"), "does not replay to the result"),
    Tampering("a round moved to a match that never started", rehash("UPDATE event SET match = 2 WHERE number = 3"),
        "event 3 (round_judged) is of match 2"),
    Tampering("the end cut off", rehash("DELETE FROM evidence WHERE event > 3", "DELETE FROM event WHERE number > 3")),
    Tampering("the whole match cut off", remove_match),
    Tampering("a void round inserted", insert_round),
    Tampering("other throws, with all that follows from them", change_answers_and_result),
    Tampering("another player, with a key and salt of their own", change_player),
    Tampering("the players' seats swapped", swap_keys),
    Tampering("other times", rehash("UPDATE event SET at = '2020-01-01T00:00:00.000+00:00'")),
    Tampering("another image, with a salt and commitment of its own", change_image),
    Tampering("an image and its commitment removed", remove_image),
    Tampering("another sentence", text(4, text="Ben cheated.")),
    Tampering("another time at which a hand showed",
        set_body(4, lambda body: body["judgement"]["seats"]["1"].update(shown_ms=99.0))),
    Tampering("another camera", text(1, camera="usb:0")),
    Tampering("another journal's end", copy_tail_and_chain),
    Tampering("another journal's id", change_id),
]  # fmt: skip
COPIES = [
    Tampering("an older copy of the file put back", lambda path: shutil.copy(older_copy(path), path)),
    Tampering("another journal's file in its place", lambda path: shutil.copy(write_other_journal(path), path)),
]
UNSEEN = [
    Tampering("images deleted as Throwlock does it, with an event",
        lambda path: JournalMaintenance(path).delete_pictures(1),
        reason="whoever can write the file may delete; the event says when and why, and is itself in the chain"),
    Tampering("a player forgotten as Throwlock does it, with an event", forget_player,
        reason="as above: `verify` says how many are forgotten, and not by whom"),
    Tampering("a deletion written down and not carried out", record_deletion_only,
        reason="a power cut during a deletion does the same; the images are still the original ones"),
    Tampering("a deleted image put back from a copy, with its salt", put_back_image,
        reason="it is the original: nobody can make another one for its commitment"),
    Tampering("a mark set, changed or removed", sql("INSERT INTO mark VALUES (3, 'reviewed', '2020')"),
        reason="marks are reminders, under no hash"),
    Tampering("a note changed", write_note("UPDATE note SET note = 'Ada cheated.'"),
        reason="notes are under no hash, so that people can change and delete them"),
    Tampering("a note deleted", write_note("DELETE FROM note"), reason="as above"),
    Tampering("a note added by hand", write_note("INSERT INTO note VALUES (1, 'Ada cheated.', '2020')"),
        reason="as above: nothing says who wrote a note, nor when"),
    Tampering("a note moved to another round or match", write_note("UPDATE note SET event = 4"), reason="as above"),
    Tampering("`FILE.tail` deleted after a crash", remove_marker,
        reason="it only helps to notice that the disk lost events; the proof code finds those"),
    Tampering("bytes added after the last page", append_bytes, reason="nothing reads them"),
]  # fmt: skip
LISTS = {
    "Events": EVENTS,
    "Images": IMAGES,
    "Players": PLAYERS,
    "Tables and files": FILES,
    "Changed, and all hashes computed anew": CHAINED,
    "Whole copies": COPIES,
    "Neither": UNSEEN,
}
ALL = [pytest.param(one, id=f"{title}: {one.kind}") for title, many in LISTS.items() for one in many]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "evening.journal"
    write_match(file)
    return file


def find_problems(path: Path, *codes: str) -> tuple[str, ...]:
    try:
        return verify_codes(path, *codes).problems
    except JournalError as error:
        return (str(error),)


@pytest.mark.parametrize("tampering", ALL)
def test_tampering_is_found_or_documented(path: Path, tampering: Tampering) -> None:
    code = code_of(path)
    assert find_problems(path, code) == ()
    tampering.forge(path)
    without, with_code = find_problems(path), find_problems(path, code)
    if tampering.sentence is None:
        assert without == ()
    else:
        assert any(tampering.sentence in problem for problem in without), without
    assert bool(with_code) != bool(tampering.reason), with_code
    if tampering.sentence is None and not tampering.reason:
        assert with_code[0].startswith(f"no event has the proof code {code}")


def test_verify_says_that_it_knows_nothing_of_marks_and_notes(path: Path) -> None:
    def says_so() -> bool:
        return any("marks and notes" in sentence for sentence in verify_codes(path).unknown)

    assert not says_so()
    maintenance = JournalMaintenance(path)
    maintenance.write_note(3, "Ben: the sun was in my eyes.")
    assert says_so()
    maintenance.write_note(3, "")
    assert not says_so()
    maintenance.mark(3, ReviewMark.REVIEWED)
    assert says_so()


def test_a_correct_event_is_no_tampering_but_has_to_be_possible(path: Path) -> None:
    append_events(path)
    assert any("comes after the end of the game" in problem for problem in find_problems(path))


def documented_table() -> str:
    """Return the table of docs/proof.md."""
    lines = ["| tampering | `verify` | with the proof code |", "| --- | --- | --- |"]
    for title, many in LISTS.items():
        lines.append(f"| **{title}** | | |")
        for one in many:
            code = f"not found: {one.reason}" if one.reason else "found"
            lines.append(f"| {one.kind} | {'not found' if one.sentence is None else 'found'} | {code} |")
    return "\n".join(lines) + "\n"


def test_the_page_has_every_kind_of_tampering() -> None:
    assert sum(map(len, LISTS.values())) >= 41
    assert documented_table() in PAGE.read_text()
