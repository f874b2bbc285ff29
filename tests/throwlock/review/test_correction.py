"""Corrections on the review pages: the rounds, readings and events of a dispute at the box, and none while it plays."""

from pathlib import Path

import pytest

from errors import RefusedError
from rules.catalogue import find_game
from rules.classroom import with_class_options
from rules.engine import replay
from tests.helpers.journal_builder import JournalBuilder, P, R, S, make_hand
from tests.helpers.journal_events import round_body
from throwlock.house_rules import HouseRules
from throwlock.journal.events import MatchAbandoned, MatchEnded, record_result
from throwlock.journal.journal import Journal, JournalReader
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig
from throwlock.review import correction
from throwlock.review.archive import ArchiveOpener
from throwlock.review.verify import verify
from ui.web.views import Correction


def open_archive(box: JournalBuilder) -> ArchiveOpener:
    """Stop the box and return the archive of its journal."""
    box.journal.close()
    return box.shelf


def test_a_reading_is_corrected_and_the_match_can_be_resumed(box: JournalBuilder) -> None:
    first, second = box.add_round(R, S), box.add_round(P, R)
    with open_archive(box).open() as archive:
        offered = archive.round(first).correction
        assert offered == Correction({1: (P, S, None), 2: (R, P, None)}, can_void=True)
        archive.correct(first, 1, P)
        page = archive.round(first)
        assert [seat.throw for seat in page.line.seats] == [P, S] and page.correction.readings[1] == (R, S, None)
        assert page.line.disputes[0].text.endswith("{1}: paper instead of rock.")
        assert archive.match(box.match).line.state == "in progress"
    with JournalReader(box.path) as journal:
        body = journal.events(box.match)[-1].body
        assert (body.kind, body.by) == ("corrected", "the review pages")
        assert effective_answers(journal.events(box.match)) == {first: {1: P, 2: S}, second: {1: P, 2: R}}
        assert verify(journal).problems == ()


def test_a_finished_match_ends_again_with_its_new_result(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal", find_game("classic").set_up(2, {"best_of": 3}))
    first, _, third = box.add_round(R, P), box.add_round(P, R), box.add_round(P, R)
    result = replay(box.game, effective_answers(box.journal.events(box.match)).values()).result
    assert result is not None
    box.journal.append(box.match, MatchEnded(result=record_result(result)))
    with open_archive(box).open() as archive:
        assert archive.match(box.match).view.scores == {1: 2, 2: 1}
        archive.correct(first, 1, S)
        page = archive.match(box.match)
        assert (page.line.state, page.view.scores, archive.round(third).line.is_void) == (
            "finished",
            {1: 2, 2: 0},
            True,
        )
        archive.correct(first, 1, P)
        assert archive.match(box.match).line.state == "in progress", "a tie: a further round is needed"
    with JournalReader(box.path) as journal:
        assert [event.kind for event in journal.events(box.match)][4:] == [
            *("match_ended", "corrected", "match_ended", "corrected"),
        ]
        assert verify(journal).problems == ()


def test_a_foul_is_settled_and_a_round_is_made_void(box: JournalBuilder) -> None:
    late = box.add_round(R, make_hand(P, "late", at_lock=R, shown_ms=351.0))
    with open_archive(box).open() as archive:
        offered = archive.round(late).correction
        assert not offered.can_void and R in offered.readings[2], "its own reading settles the foul"
        archive.correct(late, 2, R)
        assert not archive.round(late).line.is_void and archive.match(box.match).line.fouls == 0
        archive.correct(late, None)
        assert archive.round(late).line.is_void
        with pytest.raises(RefusedError, match="The round is already void"):
            archive.correct(late, None)


def test_a_rejected_dispute_is_written_and_changes_nothing(box: JournalBuilder) -> None:
    thrown = box.add_round(R, S)
    with open_archive(box).open() as archive:
        archive.reject_dispute(thrown)
        line = archive.round(thrown).line
        assert [one.is_rejected for one in line.disputes] == [True] and not line.is_void
    with JournalReader(box.path) as journal:
        assert journal.events(box.match)[-1].kind == "dispute_rejected" and verify(journal).problems == ()


def test_nothing_is_written_while_a_box_plays(box: JournalBuilder) -> None:
    thrown = box.add_round(R, S)
    newest = box.journal.number_and_hash()
    with box.shelf.open() as archive:
        assert archive.round(thrown).correction == Correction(refusal=correction.AT_THE_BOX)
        with pytest.raises(RefusedError, match="touch Dispute"):
            archive.correct(thrown, 1, P)
    assert box.journal.number_and_hash() == newest


def test_only_the_last_rounds_of_the_newest_match_are_corrected(box: JournalBuilder) -> None:
    rounds = [box.add_round(R, R) for _ in range(6)]
    with open_archive(box).open() as archive:
        assert archive.round(rounds[0]).correction.refusal == correction.ONLY_LAST_ROUNDS
        assert archive.round(rounds[1]).correction.can_void
        with pytest.raises(RefusedError, match="last 5 rounds"):
            archive.correct(rounds[0], 1, P)
        with pytest.raises(RefusedError, match="There is no round 1"):
            archive.correct(box.match, 1, P)
    with Journal(box.path) as journal:
        journal.append(box.match, MatchAbandoned())
    with box.shelf.open() as archive:
        assert archive.round(rounds[5]).correction.refusal == correction.ABANDONED_MATCH
    with Journal(box.path) as journal:
        journal.start_match(journal.events(box.match)[0].body, ("Ada", "Ben"))  # type: ignore[arg-type]
    with box.shelf.open() as archive:
        assert archive.round(rounds[5]).correction.refusal == correction.ONLY_NEWEST_MATCH


def test_a_seat_or_reading_that_the_game_does_not_have_is_refused(box: JournalBuilder) -> None:
    thrown = box.add_round(R, S)
    with open_archive(box).open() as archive:
        for seat, reading, why in ((3, P, "did not throw"), (1, R, "already read as rock")):
            with pytest.raises(RefusedError, match=why):
                archive.correct(thrown, seat, reading)
    with JournalReader(box.path) as journal:
        assert journal.events(box.match)[-1].number == thrown


def test_the_rounds_of_a_class_are_not_corrected(tmp_path: Path) -> None:
    game = find_game("battle").set_up(9, with_class_options({"rounds": 1}))
    with Journal(tmp_path / "class.journal") as journal:
        names = tuple(f"Player {seat}" for seat in range(1, 10))
        match = journal.start_match(MatchConfig(game, names, HouseRules()).start_event(), names)
        seats = {seat: make_hand(R) for seat in range(1, 10)}
        number = journal.append(match, round_body(seats, dict.fromkeys(seats, R), (), "Everyone was on time.")).number
    shelf = ArchiveOpener(tmp_path / "class.journal", tmp_path / "cache")
    with shelf.open() as archive:
        assert archive.round(number).correction == Correction(refusal=correction.CLASS_MATCH)
    shelf.close()
