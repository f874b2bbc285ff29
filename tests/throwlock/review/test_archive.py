"""The archive behind the review pages: corrected rounds, sentences, nothing secret."""

import gc
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from errors import NotFoundError, RefusedError
from rules.catalogue import GAMES, find_game
from rules.engine import Play, Value, replay
from rules.record.event import ReviewMark
from rules.record.match import MatchView
from tests.helpers.journal_builder import CLASSIC, RESULT, JournalBuilder, P, R, S, make_hand
from tests.helpers.match_texts import course
from throwlock.cli.main import run_command
from throwlock.house_rules import HouseRules
from throwlock.journal.events import DisputeRejected, MatchAbandoned, MatchEnded
from throwlock.journal.journal import Journal, JournalError
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.review.archive import ArchiveOpener, JournalArchive
from tools.sample_journal import SampleClock, SampleJournal, SampleMatch, write_sample_journal
from ui.text.rounds import DROPPED_TEXT, dispute_sentence, ending_text, outcome_sentences, round_sentence, round_title
from ui.text.tournaments import TournamentSummary
from ui.web.charts.charts import draw_by_player
from ui.web.views import MatchFilter


def test_a_match_is_its_rounds_and_sentences(box: JournalBuilder) -> None:
    late = box.add_round(R, make_hand(P, "late", at_lock=R, shown_ms=351.26))
    tie, won = box.add_round(R, R), box.add_round(P, R)
    page = box.page()
    told = ["Tie (Ada rock, Ben rock). Throw again.", "Ada wins (Ada paper, Ben rock)."]
    assert [step if isinstance(step, str) else step.event for step in course(page.view)] == [
        late,
        tie,
        told[0],
        won,
        told[1],
    ]
    first, second, third = box.rounds()
    assert (first.number, second.number, third.number) == (1, 2, 3)
    assert (round_title(first), round_sentence(first), first.is_void, first.judgement.void_reason) == (
        "Classic, round 1",
        "Ben was late.",
        True,
        None,
    )
    ada, ben = first.seats
    assert (ada.throw, ada.record.at_lock, ada.is_foul, ada.after_first_ms) == (None, R, False, 10.0)
    assert (ben.throw, ben.record.at_lock, ben.record.later_throw) == (None, R, P)
    assert (ben.is_foul, ben.verdict, ben.after_first_ms) == (True, "late", 331.3)
    assert (ben.record.shown_ms, ben.record.uncertainty_ms) == (351.26, 4.0)
    assert [(seat.score_before, seat.score_after) for seat in third.seats] == [(None, 1), (None, 0)]
    assert (page.line.state, page.line.rounds, page.line.fouls, ending_text(page.view)) == ("in progress", 3, 1, None)
    assert page.view.scores == {1: 1, 2: 0} and page.camera == "clip:x"
    assert page.house_rules["window_ms"] == 150 and page.options == {"best_of": 5}
    assert [player.name for player in page.line.players] == ["Ada", "Ben"]


def test_a_round_has_its_evidence_and_its_neighbours(box: JournalBuilder) -> None:
    first, second = box.add_round(R, S), box.add_round(P, S)
    with box.shelf.open() as archive:
        page = archive.round(first)
        assert (page.previous, page.next) == (None, second) and archive.round(second).previous == first
        thrown = box.journal.event(first)
        assert thrown is not None and thrown.round is not None
        assert page.line.judgement == thrown.round.judgement
        assert page.zones == {1: (0.1, 0.2, 0.3, 0.4), 2: (0.1, 0.2, 0.3, 0.4)}
        assert [one.name for one in page.pictures if one.exists] == ["lock.jpg", "strip-1.jpg"]
        assert page.strip_times_ms == (-200, -150, -100, -50, 0, 50, 100, 150, 200)
        assert outcome_sentences(page.line) == ("Ada wins (Ada rock, Ben scissors).",)
        assert archive.picture(first, "lock.jpg") == ("image/jpeg", b"lock")
        assert archive.delete_pictures(box.match) == 4
        assert not any(one.exists for one in archive.round(first).pictures)
        with pytest.raises(NotFoundError, match="deleted"):
            archive.picture(first, "lock.jpg")
        assert not archive.matches(MatchFilter())[0].has_pictures


@pytest.mark.parametrize("number", [0, 2, 99, -1, 2**62])
def test_missing_things_raise_not_found(box: JournalBuilder, number: int) -> None:
    box.add_answer("nothing", {})
    with box.shelf.open() as archive:
        for look in (archive.match, archive.round, lambda n: archive.picture(n, "lock.jpg"), archive.delete_pictures):
            with pytest.raises(NotFoundError):
                look(number)
        with pytest.raises(NotFoundError):
            archive.mark(number, ReviewMark.REVIEWED)
        with pytest.raises(NotFoundError):
            archive.classroom(match=number)
        with pytest.raises(NotFoundError):
            archive.player(str(number))


def test_a_correction_shows_in_its_round_and_later_ones(box: JournalBuilder) -> None:
    first, second, third = box.add_round(R, S), box.add_round(P, R), box.add_round(P, S)
    box.correct(first, 1, S)
    one, two, three = box.rounds()
    assert (one.is_void, one.seats[0].throw, one.seats[0].record.at_lock) == (False, S, R)
    assert [(fix.is_rejected, fix.seat, fix.previous, fix.to, dispute_sentence(one, fix)) for fix in one.disputes] == [
        (False, 1, R, S, "Ada said so.")
    ]
    assert two.is_void and three.is_void and str(DROPPED_TEXT) in round_sentence(two)
    assert (round_title(two), round_title(three)) == ("Classic, round 2", "Classic, round 3"), "as they were thrown"
    assert two.seats[0].throw is None and two.seats[0].score_after is None
    fourth = box.add_round(S, P)
    assert [line.event for line in box.rounds()] == [first, second, third, fourth]
    assert box.page().view.scores == {1: 1, 2: 0}
    box.journal.append(box.match, DisputeRejected(round=fourth, text="It stands."))
    assert box.rounds()[-1].disputes[0].is_rejected and box.page().line.disputes == 2


def test_an_agreed_void_round_replaces_the_next(box: JournalBuilder) -> None:
    late, again = box.add_round(R, make_hand(P, "late", at_lock=R)), box.add_round(S, S)
    assert box.page().line.fouls == 1
    box.correct(late, 2, S)
    one, two = box.rounds()
    assert (one.event, one.is_void, one.seats[1].throw, one.seats[1].is_foul) == (late, False, S, False)
    assert (two.event, two.is_void) == (again, True) and two.disputes == ()
    assert box.page().line.fouls == 0 and box.page().view.scores == {1: 1, 2: 0}
    box.correct(late, None)
    assert [line.is_void for line in box.rounds()] == [True, True]
    assert str(DROPPED_TEXT) not in round_sentence(box.rounds()[0]), "it was made void itself"


def test_unjudged_rounds_have_no_verdicts_and_times(box: JournalBuilder) -> None:
    box.add_round(R, make_hand(P, "late"), void_reason={"kind": "too dark", "seat": None, "measured": 12.0})
    hidden = box.add_round(R, make_hand(None), answers=False)
    dark, other = box.rounds()
    assert dark.judgement.void_reason is not None and dark.judgement.void_reason.kind == "too dark"
    assert {seat.verdict for seat in dark.seats} == {"void"}
    assert {seat.after_first_ms for seat in dark.seats} == {None}
    assert other.event == hidden and [seat.verdict for seat in other.seats] == ["on time", "void"]


def test_bets_are_shown_with_their_round(tmp_path: Path) -> None:
    options: dict[str, Value] = {"risk": "always", "goal": 40, "tied_bets": "stand"}
    box = JournalBuilder(tmp_path / "a.journal", find_game("redeux").set_up(2, options))
    for _ in range(3):
        box.add_round(R, S)
    box.add_answer("bet", {1: 10})
    box.add_round(R, S)
    box.add_answer("bet", {1: 5})
    box.add_round(R, R)
    box.add_round(S, make_hand(R, "late"))
    box.add_round(S, R)
    *_, fourth, tie, void, last = box.rounds()
    assert [(seat.bet, seat.score_before, seat.score_after) for seat in fourth.seats] == [(10, 15, 35), (0, 0, 0)]
    assert [seat.bet for seat in last.seats] == [5, 0]
    assert {seat.bet for line in (tie, void) for seat in line.seats} == {None}, "still sealed when they were thrown"
    assert [(seat.score_before, seat.score_after) for seat in last.seats] == [(35, 30), (0, 5)]
    assert {seat.bet for line in box.rounds()[:3] for seat in line.seats} == {None}
    assert "Ada bets 10; Ben doesn’t bet." in course(box.page().view)
    box.close()


def test_secret_answers_are_never_shown(tmp_path: Path) -> None:
    game = find_game("future").set_up(3, {"cards": "box"})
    with SampleJournal(tmp_path / "a.journal", SampleClock()) as journal:
        match = SampleMatch(journal, random.Random(5), game)
        match.play()
        play = Play(game)
        for answers in effective_answers(journal.events(match.number)).values():
            play.answer(answers)
        told = [one for one in play.events if one.only is not None]
        with ArchiveOpener(tmp_path / "a.journal", tmp_path / "cache").open() as archive:
            said = [step for step in course(archive.match(match.number).view) if isinstance(step, str)]
    assert told, "hands were dealt"
    assert said and not any(" holds " in line for line in said)


def test_finished_and_abandoned_matches(box: JournalBuilder) -> None:
    for _ in range(3):
        box.add_round(R, S)
    box.journal.append(box.match, MatchEnded(result=RESULT))
    assert ending_text(box.page().view) == "Ada has won with 3 points." and box.page().line.winners == (1,)
    first = box.match
    box.match = box.start_match("Ben", "Ada")
    box.add_round(R, S)
    box.journal.append(box.match, MatchAbandoned())
    assert (ending_text(box.page().view), box.page().line.state, box.page().line.winners) == (
        "Abandoned.",
        "abandoned",
        (),
    )
    with box.shelf.open() as archive:
        by_name = {one.player.name: one for one in archive.players()}
        assert (by_name["Ada"].matches, by_name["Ada"].won, by_name["Ben"].won) == (2, 1, 0)
        assert by_name["Ada"].player.key is not None
        page = archive.player(by_name["Ada"].player.key)
        assert [(one.player.name, one.matches, one.won, one.lost) for one in page.head_to_head] == [("Ben", 1, 1, 0)]
        assert (page.streak, page.best_streak) == (1, 1)
        assert [line.number for line in page.matches] == [box.match, first]


def test_equal_names_get_seat_numbers(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        match = journal.start_match(MatchConfig(CLASSIC, (), HouseRules()).start_event(), ("Ada", "ada"))
    with ArchiveOpener(tmp_path / "a.journal", tmp_path / "cache").open() as archive:
        (line,) = archive.matches(MatchFilter())
        assert [player.name for player in line.players] == ["Ada (1)", "ada (2)"]
        assert archive.match(match).line == line and len(archive.players()) == 2


def test_a_journal_in_use_can_be_read(box: JournalBuilder) -> None:
    seen = []
    for throws in ((R, S), (P, P), (S, P)):
        box.add_round(*throws)
        with box.shelf.open() as archive:
            seen.append([line.rounds for line in archive.matches(MatchFilter())])
    assert seen == [[1], [2], [3]]


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        ("UPDATE event SET body = 'no json' WHERE number = 2", "event 2 can’t be read"),
        ("UPDATE event SET body = '{\"judgement\": 3}' WHERE number = 2", "event 2 can’t be read"),
        (
            "UPDATE event SET body = replace(body, '\"rules_version\":1', '\"rules_version\":9') WHERE number = 1",
            "version 9 of the rules",
        ),
        ("UPDATE event SET body = replace(body, 'answers', 'anxwers') WHERE number = 2", "event 2 can’t be read"),
        ('UPDATE event SET body = replace(body, \'"1":"rock"\', \'"1":"fire"\') WHERE number = 2', "match 1"),
        ("DROP TABLE evidence", "damaged"),
        ("DROP TABLE event", "damaged"),
    ],
)
def test_a_damaged_journal_is_reported_in_words(box: JournalBuilder, harm: str, words: str) -> None:
    event = box.add_round(R, S)
    box.journal.close()
    db = sqlite3.connect(box.path)
    db.execute(harm)
    db.commit()
    db.close()
    with pytest.raises(JournalError, match=words), box.shelf.open() as archive:
        archive.round(event)
    with pytest.raises(JournalError, match=words), box.shelf.open() as archive:
        archive.match(box.match)


def test_what_a_late_hand_would_have_won(box: JournalBuilder) -> None:
    """Ada shows rock at the lock; what Ben comes to afterwards beats it, or not, or his own at the lock did already."""
    cases: list[tuple[Any, dict[str, Any], set[int]]] = [
        (R, make_hand(P, "late", at_lock=R), {2}),
        (R, make_hand(S, "late", at_lock=R), set()),
        (R, make_hand(P, "late", at_lock=None), {2}),
        (R, make_hand(P, "late", at_lock=P), set()),
        (R, make_hand(S, "changed", after_lock=P), {2}),
        (R, make_hand(P, "changed", after_lock=S), set()),
        (R, make_hand(P, "early"), set()),
    ]
    for ada, ben, gained in cases:
        box.add_round(ada, ben)
        assert set(box.rounds()[-1].late_gains) == gained, (ada, ben)
    box.add_round(R, make_hand(P, "late", at_lock=R), void_reason={"kind": "moved", "seat": None, "measured": 0.1})
    with box.shelf.open() as archive:
        room = archive.classroom()
        assert (room.matches, room.rounds, room.throws) == (1, 8, 14)
        assert (room.late, room.changed, room.would_have_won) == (4, 2, 3)
        assert [line.event for line in room.examples] == [6, 4, 2]
        assert room == archive.classroom(match=box.match)
        assert room == archive.classroom(day=archive.days()[0][0])
        assert archive.classroom(day="1999-01-01").rounds == 0
        assert len(room.lateness) == 14 and room.lateness[0].event == 2


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_a_complete_course(game: str, tmp_path: Path) -> None:
    rules = GAMES[game]
    with SampleJournal(tmp_path / "a.journal", SampleClock()) as journal, journal.in_one_transaction():
        for seed in range(4):
            SampleMatch(journal, random.Random(seed), rules.set_up(max(2, rules.min_players))).play()
    with ArchiveOpener(tmp_path / "a.journal", tmp_path / "cache").open() as archive:
        for line in archive.matches(MatchFilter()):
            page = archive.match(line.number)
            rounds = page.view.rounds
            assert len(rounds) == line.rounds and (ending_text(page.view) is not None)
            for one in rounds[-3:]:
                assert archive.round(one.event).line == one


def test_scores_after_the_last_round_are_those_of_a_replay(tmp_path: Path) -> None:
    write_sample_journal(tmp_path / "a.journal", 30, seed=8)
    with ArchiveOpener(tmp_path / "a.journal", tmp_path / "cache").open() as archive:
        for line in archive.matches(MatchFilter()):
            assert_scores(archive, tmp_path / "a.journal", line.number)


def assert_scores(archive: JournalArchive, path: Path, number: int) -> None:
    with Journal(path) as journal:
        events = journal.events(number)
    said = replay(config_from_events(events).game, effective_answers(events).values()).events
    scores = next((one.facts["scores"] for one in reversed(said) if one.kind == "score"), {})
    assert isinstance(scores, dict)
    assert archive.match(number).view.scores == {int(seat): points for seat, points in scores.items()}


def test_a_kept_view_follows_marks_corrections_and_forgotten_names(box: JournalBuilder) -> None:
    void, last = box.add_round(R, R), box.add_round(P, R)
    assert not box.page().marks
    with box.shelf.open() as archive:
        again = archive.round(last).line
        assert archive.round(last).line is again  # built once
        archive.mark(void, ReviewMark.TO_REVIEW)
        assert archive.round(void).mark is ReviewMark.TO_REVIEW
        box.add_round(S, R)
    with box.shelf.open() as archive:
        assert len(list(archive.rounds(box.match))) == 3
        key = next(one.player.key for one in archive.players() if one.player.name == "Ada")
        assert key is not None and any(holds_name(kept, "Ada") for kept in gc.get_objects())
    box.journal.close()
    with box.shelf.open() as archive:
        archive.forget(key)
    del again
    gc.collect()
    assert not any(holds_name(kept, "Ada") for kept in gc.get_objects())


def test_kept_figures_follow_new_rounds_notes_and_forgotten_names(box: JournalBuilder) -> None:
    box.add_round(P, R)
    with box.shelf.open() as archive:
        key = next(one.player.key for one in archive.players() if one.player.name == "Ada")
        assert key is not None
        page, classroom = archive.player(key), archive.classroom()
    with box.shelf.open() as archive:
        assert archive.player(key) is page and archive.classroom() is classroom  # computed once
        assert archive.classroom(match=box.match) is not classroom
        archive.write_note(box.match, "Ada's first")
        assert [line.note for line in archive.player(key).matches] == ["Ada's first"]
        box.add_round(S, R)
    with box.shelf.open() as archive:
        assert archive.classroom().rounds == classroom.rounds + 1
        assert sum(archive.player(key).statistics.throws.values()) == sum(page.statistics.throws.values()) + 1
        lateness = archive.player(key).lateness
        chart = draw_by_player((("Ada", lateness),))
        assert draw_by_player((("Ada", lateness),)) is chart
    box.journal.close()
    with box.shelf.open() as archive:
        archive.forget(key)
        assert "Ada" not in {one.player.name for one in archive.classroom().lateness}
    assert draw_by_player((("Ada", lateness),)) is not chart, "a chart with the name is not kept"


def test_a_class_list_is_never_replaced_by_another_one(box: JournalBuilder) -> None:
    with box.shelf.open() as archive:
        archive.save_class("3a", "Ada\r\nBen")
        archive.save_class("3b", "Dora")
        for old_name in ("", "3a"):
            with pytest.raises(RefusedError, match=r"^There is already a class named 3b\.$"):
                archive.save_class("3B", "Cy", old_name)
        assert archive.class_lists() == {"3a": ("Ada", "Ben"), "3b": ("Dora",)}
        archive.save_class("4a", "Ada", "3a")
        archive.save_class("3B", "Dora\nEve", "3b")
        assert archive.class_lists() == {"3B": ("Dora", "Eve"), "4a": ("Ada",)}


def holds_name(thing: object, name: str) -> bool:
    """Whether an object is a match's view with a name in it."""
    return isinstance(thing, MatchView) and name in thing.names.values()


def test_the_tournament_that_is_going_on(tmp_path: Path) -> None:
    path = tmp_path / "evening.journal"
    with Journal(path):
        pass
    opener = ArchiveOpener(path, tmp_path / "cache")

    def summary() -> TournamentSummary | None:
        with opener.open() as archive:
            return archive.tournament()

    assert summary() is None
    names = [word for name in ("Ada", "Ben") for word in ("--name", name)]
    assert run_command(["tournament", "new", "classic", *names, "--journal", str(path)]) == 0
    found = summary()
    assert found is not None and set(found.names) == {"Ada", "Ben"} and not found.champions
    assert run_command(["tournament", "result", str(found.fixtures[0].id), "Ada", "--journal", str(path)]) == 0
    found = summary()
    assert found is not None and [found.name(one) for one in found.champions] == ["Ada"], (
        "until something else is played"
    )
    config = MatchConfig(GAMES["classic"].set_up(2), ("Cy", "Dot"), HouseRules(), 1, "none")
    with Journal(path) as journal:
        journal.start_match(config.start_event(), config.names)
    assert summary() is None
    opener.close()


def test_players_without_a_name_of_their_own_are_in_no_list(tmp_path: Path) -> None:
    config = MatchConfig(GAMES["classic"].set_up(3, {}), ("Ada", "Player 2", "Player 15"), HouseRules(), 0, "none")
    with Journal(tmp_path / "j") as journal:
        journal.append(journal.start_match(config.start_event(), config.names), MatchAbandoned())
    with ArchiveOpener(tmp_path / "j").open() as archive:
        assert [line.player.name for line in archive.players()] == ["Ada"]
