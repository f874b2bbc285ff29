"""Imports: an invalid file is one clear line, and nothing is written."""

import base64
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find_game
from tests.helpers.journal_builder import RESULT, JournalBuilder, P, R, S, make_hand
from tests.helpers.journal_events import round_body
from throwlock.cli.main import run_command
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Corrected, MatchAbandoned, MatchEnded
from throwlock.journal.hash_chain import proof_code
from throwlock.journal.journal import (
    Evidence,
    Journal,
    JournalReader,
    canonical_json,
    event_hash,
    evidence_of,
    match_started,
)
from throwlock.replay.config import MatchConfig
from throwlock.review import importer
from throwlock.review.archive import ArchiveOpener
from throwlock.review.export import match_to_json
from throwlock.review.importer import ImportFileError, ImportJournal, check_match, read_match_file
from throwlock.review.verify import verify
from ui.web.views import MatchFilter

STARTED = MatchConfig(find_game("classic").set_up(2), (), HouseRules()).start_event()
Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A finished match as a file."""
    box = JournalBuilder(tmp_path_factory.mktemp("played") / "evening.journal")
    late = box.add_round(R, make_hand(P, "late", at_lock=R, shown_ms=351.26))
    box.add_round(S, P)
    box.correct(late, 2, S)
    for _ in range(2):
        box.add_round(R, S)
    box.journal.append(box.match, MatchEnded(result=RESULT))
    box.close()
    with JournalReader(box.path) as reader:
        return match_to_json(reader, box.match)


@pytest.fixture
def own_journal(tmp_path: Path) -> Iterator[Path]:
    """A journal with a match of its own."""
    path = tmp_path / "own.journal"
    with Journal(path) as journal:
        journal.append(journal.start_match(STARTED, ("Ada", "Cy")), MatchAbandoned())
    before = path.read_bytes()
    yield path
    with JournalReader(path) as reader:
        assert verify(reader).problems == ()
        if len(reader.matches()) == 1:
            assert path.read_bytes() == before, "a journal that nothing was written into is as it was"


def run_import(file: Path, journal: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Import by the command; return its one-line error or ""."""
    status = run_command(["import", str(file), "--journal", str(journal)])
    err = capsys.readouterr().err
    assert status == (2 if err else 0) and err.count("\n") <= 1 and "Traceback" not in err
    assert all(letter.isprintable() for letter in err.rstrip("\n")) and len(err) < 600
    return err


def rehash(match: dict[str, Any]) -> dict[str, Any]:
    """Recompute the hashes and the proof code of a file, as a forger would."""
    previous = None
    for event in match["events"]:
        event["previous_hash"] = previous or event["previous_hash"]
        body = canonical_json(event["body"])
        at = (event["number"], match["match"], event["at"], event["kind"], body, event["previous_hash"])
        previous = event["hash"] = event_hash(*at)
    if previous:
        match["proof_code"] = proof_code(previous)
    return match


def change_body(number: int, **values: Any) -> Change:
    """Change the body of the event that is ``number`` in the file."""
    return lambda match: match["events"][number]["body"].update(values)


def change_seat(number: int, **values: Any) -> Change:
    """Change the verdict on the first seat of a thrown round."""
    return lambda match: match["events"][number]["body"]["judgement"]["seats"]["1"].update(values)


def test_an_imported_match_records_its_origin(
    text: str, own_journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    file.write_text(text)
    original = json.loads(text)
    assert run_command(["import", str(file), "--journal", str(own_journal)]) == 0
    assert "Match 3 of" in capsys.readouterr().out
    with JournalReader(own_journal) as reader:
        began, *_, last = reader.events(3)
        started = match_started([began])
        note = started.imported_from
        assert note is not None
        first, newest = original["events"][0], original["events"][-1]
        assert (note.journal, note.match, note.first_hash) == (original["journal"], 1, first["hash"])
        assert (note.last_event, note.last_hash) == (newest["number"], newest["hash"])
        assert note.imported_at > began.at == original["events"][0]["at"], "the match was when it was played"
        assert began.names == ("Ada", "Ben") and last.kind == "match_ended"
        correction = next(event.body for event in reader.events(3) if isinstance(event.body, Corrected))
        assert correction.round == 4 and correction.dropped == (5,)
        ada = [key for key, name in reader.players().items() if name == "Ada"]
        assert len(ada) == 1 and started.player_keys[0] == ada[0], "who has the same name is the same player"
        assert reader.unfinished_match() is None
    with ArchiveOpener(own_journal, tmp_path / "cache").open() as archive:
        line = archive.matches(MatchFilter())[0]
        assert (line.number, line.state, line.rounds, line.has_pictures) == (3, "finished", 4, True)
        assert archive.round(4).line.events and archive.picture(4, "lock.jpg")[1] == b"lock"
    before = own_journal.read_bytes()
    assert "has this match already: it is match 3" in run_import(file, own_journal, capsys)
    with JournalReader(own_journal) as reader:
        again = match_to_json(reader, 3)
    file.write_text(again)
    assert "has this match already: it is match 3" in run_import(file, own_journal, capsys)
    assert own_journal.read_bytes() == before


def test_a_match_is_not_imported_twice_or_during_another(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    file.write_text(text)
    played = tmp_path / "played.journal"
    assert not run_import(file, played, capsys)
    with JournalReader(played) as reader:
        file.write_text(match_to_json(reader, 1))
    assert "already" in run_import(file, played, capsys)
    with Journal(played) as journal:
        journal.start_match(STARTED, ("Ada", "Cy"))
    file.write_text(text)
    before = played.read_bytes()
    assert "has an unfinished match" in run_import(file, played, capsys)
    with Journal(played):
        assert "in use by another Throwlock" in run_import(file, played, capsys)
    assert played.read_bytes() == before


FORGED: list[tuple[str, Change, str]] = [
    (
        "another result",
        change_body(-1, result={"winners": [2], "scores": {"1": 3, "2": 0}}),
        "does not replay to the result",
    ),
    ("another throw", change_body(1, answers={"1": "rock", "2": "rock"}), "Extra inputs are not permitted"),
    ("another answer", change_body(4, answers={"1": "rock", "2": "rock"}), "in order"),
    ("no answer of a seat", change_body(4, answers={"1": "rock"}), "in order"),
    ("an answer of nobody", change_body(4, answers={"1": "rock", "2": "scissors", "3": "rock"}), "in order"),
    ("a correction of another", change_body(3, dropped=[]), "has another effect on the match"),
    ("a correction of what is not there", change_body(3, round=99), "disputes a missing round"),
    ("a correction of itself", change_body(3, round=4), "disputes a missing round"),
    ("no such game", change_body(0, game="chess"), "chess"),
    ("other rules", change_body(0, rules_version=99), "version 99 of the rules"),
    ("an option that is none", change_body(0, options={"best_of": 4}), "best_of can’t be 4"),
    ("more seats than players", change_body(0, seats=3), "does not name a player for each of its 3 seats"),
    (
        "a game for fewer",
        change_body(0, seats=1, players={"1": "a" * 64}),
        "does not name a player for each of its 1 seats",
    ),
    ("a house rule that is none", change_body(0, house_rules={"window_ms": 1}), "greater than or equal to 50"),
    ("an unknown key", change_body(4, extra=1), "Extra inputs are not permitted"),
    ("a verdict that is none", change_seat(1, verdict="guilty"), "verdict"),
    ("a time that is text", change_seat(1, shown_ms="soon"), "valid number"),
    ("a time in another century", change_seat(1, shown_ms=1e300), "less than or equal to"),
    ("a zone of three sides", change_seat(1, zone=[0, 0, 1]), "zone.3: Field required"),
    ("a seat that is not there", lambda m: m["events"][1]["body"].update(fouls=[7]), "is about seat 7, and 2 play"),
    ("a round without words", lambda m: m["events"][4]["body"].pop("text"), "text: Field required"),
    ("a verdict that is null", change_body(4, judgement=None), "judgement: Input should be"),
    ("a key left out", lambda m: m["events"][4]["body"].pop("secret"), "not written as this version writes it"),
    ("no end", lambda m: m["events"].pop(), "still in progress"),
    ("no beginning", lambda m: m["events"].pop(0), "does not start with the first event"),
    ("two beginnings", lambda m: m["events"].append({**m["events"][0], "number": 99}), "has two first events"),
    ("a beginning only", lambda m: m["events"].__delitem__(slice(1, None)), "at least 2 items"),
    ("events in another order", lambda m: m["events"].insert(2, m["events"].pop(5)), "in the wrong order"),
    (
        "a time that is none",
        lambda m: m["events"][1].update(at="2026-99-99T10:00:00+00:00"),
        "events.1.round_voided.at",
    ),
    ("a name that can't be shown", lambda m: m.update(players=["Ada", "\x1b[31mBen"]), "must be printable"),
    ("a name that is empty", lambda m: m.update(players=["Ada", "  "]), "must be printable"),
    ("a player too many", lambda m: m.update(players=["Ada", "Ben", "Cy"]), "does not name a player"),
    ("swapped players", lambda m: m["players"].reverse(), "Ben is not the player of key"),
    ("swapped salts", lambda m: m["salts"].reverse(), "Ada is not the player of key"),
    ("a forgotten player’s salt", lambda m: m["players"].__setitem__(0, None), "somebody is not the player of key"),
    ("a player without a salt", lambda m: m["salts"].__setitem__(0, None), "Ada is not the player of key"),
    ("a salt too many", lambda m: m["salts"].append("0" * 32), "does not have a salt for each player"),
    ("no salts", lambda m: m.pop("salts"), "salts: Field required"),
    ("a throw that nobody saw", change_seat(4, at_lock="paper"), "other answers than its judgement"),
    ("another kind", lambda m: m["events"][1].update(kind="scored"), "events.1"),
    ("a picture that is a path", lambda m: m["events"][1]["pictures"].update({"../../x": ""}), "pattern"),
    (
        "a picture nobody named",
        lambda m: m["events"][1]["pictures"].update({"x.jpg": m["events"][1]["pictures"]["lock.jpg"]}),
        "is not the original",
    ),
    ("another picture", lambda m: m["events"][1]["pictures"]["lock.jpg"].update(data="AAAA"), "is not the original"),
    ("another salt", lambda m: m["events"][1]["pictures"]["lock.jpg"].update(salt="0" * 32), "is not the original"),
    (
        "a picture without its salt",
        lambda m: m["events"][1]["pictures"]["lock.jpg"].pop("salt"),
        "salt: Field required",
    ),
    ("no base64", lambda m: m["events"][1]["pictures"]["lock.jpg"].update(data="A"), "is not base64"),
    (
        "some pictures of a round",
        lambda m: m["events"][1]["pictures"].pop("lock.jpg"),
        "lock.jpg of event 2 is missing",
    ),
    (
        "a page as a picture",
        lambda m: m["events"][1]["body"]["evidence"]["lock.jpg"].update(media_type="text/html"),
        "",
    ),
    ("another format", lambda m: m.update(format="chess"), "is not a Throwlock match"),
    ("a later version", lambda m: m.update(version=6), "has version 6 of the format, but this Throwlock reads 5"),
    ("a version that is true", lambda m: m.update(version=True), "has version True"),
    ("no version", lambda m: m.pop("version"), "has version None"),
    ("a journal that is none", lambda m: m.update(journal="../x"), "journal"),
    ("a forged origin", change_body(0, imported_from={"journal": "x"}), "imported"),
    ("escapes in a key", lambda m: m.update({"\x1b[2J\n\n": 1}), "not permitted"),
]


@pytest.mark.parametrize(("change", "said"), [one[1:] for one in FORGED], ids=[one[0] for one in FORGED])
def test_a_forged_file_is_refused(
    text: str, change: Change, said: str, own_journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also with recomputed hashes."""
    match = json.loads(text)
    change(match)
    with suppress(KeyError, TypeError):
        rehash(match)
    file = tmp_path / "match.json"
    file.write_text(json.dumps(match))
    err = run_import(file, own_journal, capsys)
    assert err and said in err


def test_later_changes_break_the_hash(text: str, tmp_path: Path) -> None:
    for change in (
        lambda m: m["events"][0]["body"].update(camera="usb:1"),
        lambda m: m["events"][4]["body"].update(text="Ben cheated."),
        lambda m: m["events"][4].update(at="2026-11-21T10:00:00.000+00:00"),
        lambda m: m["events"][4].update(previous_hash="0" * 64),
        lambda m: m["events"].pop(2),
        lambda m: m.update(proof_code="7QK3M-0VXZ9-8HTBN-2WJRD"),
        lambda m: m.update(proof_code="UUUUU-0VXZ9-8HTBN-2WJRD"),
    ):
        match = json.loads(text)
        change(match)
        with pytest.raises(ImportFileError, match=r"changed after it was|not in order|proof.code"):
            check_match(match, tmp_path / "match.json")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_file_that_was_saved_in_another_encoding_is_the_same_match(text: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text(text, encoding=encoding)
    (tmp_path / "as-exported.json").write_text(text, encoding="utf-8")
    assert read_match_file(tmp_path / "match.json") == read_match_file(tmp_path / "as-exported.json")


RAW: list[tuple[str, bytes, str]] = [
    ("nothing", b"", "(Expecting value: line 1 column 1 (char 0)): export the match again, as JSON"),
    ("no JSON", b"Dear diary", "can't be read as JSON"),
    ("no text", b"\xff\xfe\x00", "not text in UTF-8"),
    ("a list", b"[]", "is not a Throwlock match"),
    ("deep lists", b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    ("deep objects", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    ("rather deep", b"[" * 30 + b"]" * 30, "nested too deeply"),
    ("NaN", b'{"format": NaN}', "NaN is not a number"),
    ("infinity", b'{"format": -Infinity}', "is not a number"),
    ("a number too large", b'{"format": 1e999}', "too large a number"),
    ("a whole number too large", b'{"format": ' + b"9" * 100_000 + b"}", "more than 30 digits"),
    ("a key twice", b'{"format": 1, "format": "throwlock-match"}', "the same key twice"),
    ("half a letter", b'{"format": "throwlock-match", "version": "\\ud800"}', "not text in UTF-8"),
    ("escapes", b'{"format": "throwlock-match", "version": "\\u001b[2J\\n"}', "has version"),
    ("a long version", b'{"format": "throwlock-match", "version": "' + b"9" * 100_000 + b'"}', "has version"),
]


@pytest.mark.parametrize(("data", "said"), [one[1:] for one in RAW], ids=[one[0] for one in RAW])
def test_other_files_are_refused(
    data: bytes, said: str, own_journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(data)
    assert said in run_import(file, own_journal, capsys)


def test_missing_and_large_files_are_refused(
    own_journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no such file" in run_import(tmp_path / "none.json", own_journal, capsys)
    assert "can't be read: Is a directory" in run_import(tmp_path, own_journal, capsys)
    os.mkfifo(tmp_path / "pipe.json")
    assert "can't be read: a pipe or device, not a file" in run_import(tmp_path / "pipe.json", own_journal, capsys)
    monkeypatch.setattr(importer, "MAX_MATCH_BYTES", 2**20)
    (tmp_path / "big.json").write_bytes(b" " * (2**20 + 1))
    expected = "can't be read: larger than 1 MiB: export the match with --no-pictures"
    assert expected in run_import(tmp_path / "big.json", own_journal, capsys)


@pytest.mark.parametrize("value", [b"[]", b'{"a":1}', b"1"])
def test_a_file_of_too_many_values_is_not_parsed(
    value: bytes, own_journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "many.json").write_bytes(b"[" + b",".join([value] * 500) + b"]")
    assert "is not a Throwlock match" in run_import(tmp_path / "many.json", own_journal, capsys)
    monkeypatch.setattr(importer, "MAX_MATCH_VALUES", 400)
    monkeypatch.delattr(json, "loads")
    assert "it has more than 400 values" in run_import(tmp_path / "many.json", own_journal, capsys)


def test_an_error_during_import_leaves_nothing(text: str, own_journal: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(text)
    match = read_match_file(file)
    last = [event for event in match.events if evidence_of(event.body)][-1]
    broken: Any = {**match.evidence, last.number: dict.fromkeys(evidence_of(last.body), ("salt", object()))}
    with ImportJournal(own_journal) as journal, pytest.raises((sqlite3.ProgrammingError, sqlite3.InterfaceError)):
        journal.import_match(importer.CheckedMatch(match.journal_hash, match.players, match.events, broken))
    with JournalReader(own_journal) as reader:
        assert reader.matches() == [1] and set(reader.players().values()) == {"Ada", "Cy"}


def nested_values() -> st.SearchStrategy[Any]:
    """Any JSON."""

    def more(one: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.lists(one, max_size=2) | st.dictionaries(st.text(max_size=4), one, max_size=2)

    flat = st.none() | st.booleans() | st.integers(-10, 10) | st.floats(-2, 2) | st.text(max_size=4)
    return st.recursive(flat, more)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), other=nested_values())
def test_random_changes_are_refused_or_valid(
    text: str, data: Any, other: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    match = json.loads(text)
    at: Any = match
    while True:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not isinstance(at[key], dict | list) or not at[key] or data.draw(st.integers(0, 4)) == 0:
            break
        at = at[key]
    at[key] = other
    with suppress(KeyError, TypeError, AttributeError, IndexError):
        rehash(match)
    try:
        found = check_match(match, Path("match.json"))
    except ImportFileError as fault:
        assert "\n" not in str(fault) and str(fault).startswith("match.json ")
    else:
        folder = tmp_path_factory.mktemp("found")
        with ImportJournal(folder / "a.journal") as journal:
            number = journal.import_match(found)
            assert verify(journal).problems == ()
        with ArchiveOpener(folder / "a.journal", folder / "cache").open() as archive:
            assert all(archive.export(number, form)[2] for form in ("json", "csv", "html"))
            assert archive.classroom().matches == 1 and len(archive.players()) <= 2


def test_images_survive_export_and_import(tmp_path: Path) -> None:
    picture = bytes(range(256)) * 40
    with Journal(tmp_path / "one.journal") as journal:
        match = journal.start_match(STARTED, ("Ada", "Ben"))
        journal.append(match, round_body(answers={1: R, 2: S}), [Evidence("seat-1.jpg", "image/jpeg", picture)])
        journal.append(match, MatchAbandoned())
        text = match_to_json(journal, match)
    assert base64.b64encode(picture).decode() in text
    (tmp_path / "m.json").write_text(text)
    with ImportJournal(tmp_path / "three.journal") as journal:
        journal.import_match(read_match_file(tmp_path / "m.json"))
        assert journal.evidence(2)[0].data == picture
