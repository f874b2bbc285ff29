"""Verification finds wrong results, accepts deletions, and says what it can't know."""

from pathlib import Path

import pytest

from rules.catalogue import find_game
from tests.helpers.forgeries import PICTURES, code_of, rechain, set_body, tamper, verify_codes, write_match
from tests.helpers.journal_events import round_body
from tests.helpers.journals import contents
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Deleted, MatchAbandoned
from throwlock.journal.journal import NO_MATCH, Journal, JournalReader
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.journal.tail_marker import TailMarker
from throwlock.replay.config import MatchConfig
from throwlock.review.verify import verify


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of one match: start, void round, two judged ones, end."""
    file = tmp_path / "evening.journal"
    write_match(file)
    return file


def find_problems(path: Path) -> tuple[str, ...]:
    before = contents(path.parent)
    with JournalReader(path) as journal:
        found = verify(journal).problems
    assert contents(path.parent) == before
    return found


def test_an_intact_journal_has_no_problems(path: Path) -> None:
    with JournalReader(path) as journal:
        found = verify(journal)
    assert (found.matches, found.events, found.evidence, found.problems) == (1, 5, 6, ())


def test_an_empty_journal_has_no_problems(tmp_path: Path) -> None:
    Journal(tmp_path / "new.journal").close()
    assert find_problems(tmp_path / "new.journal") == ()


def test_what_was_deleted_with_an_event_is_no_problem(path: Path) -> None:
    with JournalReader(path) as journal:
        ada, _ = journal.players()
    assert JournalMaintenance(path).delete_pictures(1).evidence_count == 6
    JournalMaintenance(path).forget(ada)
    assert find_problems(path) == ()


def test_a_deletion_is_about_earlier_events(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(NO_MATCH, Deleted(reason="space", events=(3, 8)))
        config = MatchConfig(find_game("classic").set_up(2), ("Ada", "Cy"), HouseRules())
        match = journal.start_match(config.start_event(), config.names)
        assert journal.append(match, round_body(answers={1: "rock", 2: "rock"}), PICTURES).number == 8
        journal.append(match, MatchAbandoned())
    tamper(path, "UPDATE evidence SET salt = NULL, data = NULL WHERE event IN (3, 8)")
    assert find_problems(path) == (
        "event 8: its evidence lock.jpg was deleted, and no event says so",
        "event 8: its evidence seat-1.jpg was deleted, and no event says so",
    )


def test_an_event_of_no_match_is_a_deletion(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(NO_MATCH, MatchAbandoned())
        journal.append(1, Deleted(reason="requested"))
    assert find_problems(path) == (
        "event 6 (match_abandoned) is of match 0, which it can't be of",
        "event 7 (deleted) is of match 1, which it can't be of",
    )


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
    tamper(path, "DELETE FROM evidence WHERE event > 3", "DELETE FROM event WHERE number > 3")
    rechain(path)
    report = verify_codes(path, code)
    assert report.problems == () and report.unknown[0].startswith("whether events after the events confirmed were cut")


def test_what_can_not_be_known_is_said(path: Path) -> None:
    with JournalReader(path) as journal:
        keys = list(journal.players())
    for key in keys:
        JournalMaintenance(path).forget(key)
    with JournalReader(path) as journal:
        marked = journal.number_and_hash(4)
    TailMarker(path).write(*marked)
    report = verify_codes(path)
    assert report.problems == ()
    text = "\n".join(report.unknown)
    assert "who deleted 6 of the images" in text and "who the 2 forgotten players were" in text
    assert "whether anybody saw what came after event 4" in text


def test_what_is_no_code_is_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="20 letters and digits"):
        verify_codes(path, "7QK3M")
