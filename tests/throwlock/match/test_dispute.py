"""Disputes at the table: the evidence people see, a correction on the disk before it is shown, and the match going on
from it, also when it is cut off."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.camera.frames import Box, Frame, Pixels, Size
from device.camera.picamera import YuvFrame
from rules.catalogue import find_game
from rules.engine import GameState, replay
from rules.record.judgement import STRIP_OFFSETS_MS, Verdict
from rules.record.match import REFEREE
from rules.record.round import FoulRule
from rules.throws import Throw
from tests.helpers.disputing_people import (
    CLASSIC,
    CORRECTION,
    DISPUTE_REJECTED,
    AnswerOnce,
    People,
    Touch,
    make_the_other_win,
)
from tests.helpers.forgeries import rechain
from tests.helpers.journal_events import ANSWERS, json_body
from tests.helpers.judged_frames import CUE, FRAMES, JUDGEMENT, MS
from tests.helpers.judged_hands import ZONES
from tests.helpers.table_matches import KillableJournal, Killed, PerfectJudge, history, make_match, match_config
from throwlock.cli.main import run_command
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Corrected, RoundVoided
from throwlock.journal.journal import Event, Evidence, Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match.dispute import dispute_view
from throwlock.match_runner import play_to_end
from throwlock.replay.answers import effective_answers
from throwlock.replay.corrections import count_fouls
from throwlock.replay.project import project
from throwlock.review.verify import verify
from throwlock.tables.foul_policy import apply_foul_rule
from throwlock.tables.presence import MAX_UNREAD_ROUNDS, NobodyThereError
from throwlock.tables.record import record_judgement
from throwlock.tables.round_frames import (
    FRAME_CROP_PX,
    ROUNDS_IN_MEMORY,
    UNREADABLE_IMAGE,
    RecentRoundFrames,
    collect_frames,
    collect_frames_async,
    frames_from_journal,
)
from ui.screen.pages.common import DISPUTE_ANSWER, Player
from ui.screen.pages.dispute import AgreedCorrection, AgreePage, DisputedRound
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import HERE_ANSWER, Notice, Presence
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.views import NobodyAnswered
from ui.text import verdicts
from ui.text.rounds import written_text
from vision.evidence import STRIP_HEIGHT_PX, render_evidence


def play_with(path: Path, touch: Touch, config: Any = CLASSIC) -> tuple[list[Event], People]:
    """A whole match with people who touch the screen, in order."""
    with Journal(path) as journal:
        match, display = make_match(journal, config, display=People(path, touch))
        match.play()
        assert verify(journal).problems == ()
        events = journal.events()
    end = replay(config.game, effective_answers(events).values()).result
    assert end is not None
    assert events[-1].kind == "match_ended"
    assert json_body(events[-1]) == json.loads(json.dumps(end.as_json())), "the result is that of the corrected answers"
    return events, display  # type: ignore[return-value]


def match_players() -> tuple[Player, ...]:
    return tuple(Player(seat, name) for seat, name in enumerate(CLASSIC.names, 1))


def test_correction_is_an_event_and_the_match_continues_from_it(tmp_path: Path) -> None:
    events, display = play_with(tmp_path / "one.journal", AnswerOnce(0, [make_the_other_win]))
    thrown, corrected = events[1], events[2]
    assert (thrown.kind, corrected.kind) == ("round_judged", CORRECTION)
    body = json_body(corrected)
    assert (body["round"], body["seat"], body["from"]) == (thrown.number, 1, json_body(thrown)["answers"]["1"])
    assert body["answers"] == {**json_body(thrown)["answers"], "1": body["to"]}
    assert corrected.body.by == "the table" and body["dropped"] == []
    (evidence,) = display.views(DisputedRound)
    assert [seat.reading for seat in evidence.seats] == list(json_body(thrown)["answers"].values())
    assert not evidence.is_void and not evidence.has_earlier
    message = next(view for view in display.shown[display.shown.index(evidence) :] if isinstance(view, GameMessage))
    won = 1 if Throw(body["to"]).beats(Throw(body["answers"]["2"])) else 2
    assert {player.seat: player.score for player in message.players} == {won: 1, 3 - won: 0}, "the scores after it"
    assert any("instead of" in line for line in display.lines)


def test_correcting_an_earlier_round_drops_answers_no_longer_asked(tmp_path: Path) -> None:
    def tie(view: DisputedRound) -> AgreedCorrection:
        return AgreedCorrection(1, view.seats[1].reading)

    counted: list[int] = []

    def touch(view: Any) -> Any:
        if isinstance(view, Reveal):
            counted.append(sum(seat.is_foul for seat in view.seats))
            return DISPUTE_ANSWER if len(counted) == 4 else None
        if isinstance(view, DisputedRound):
            return "earlier" if view.has_earlier else tie(view)
        return None

    events, display = play_with(tmp_path / "one.journal", touch)
    correction = next(event for event in events if event.kind == CORRECTION)
    first = next(event for event in events if event.kind in ANSWERS)
    after = [event.number for event in events if first.number < event.number < correction.number]
    answered = [number for number in after if events[number - 1].kind in ANSWERS]
    assert json_body(correction)["round"] == first.number and json_body(correction)["dropped"] == answered
    assert (
        verdicts.correction_sentence("X", None, None, None, True, len(answered)).split(". ")[-1]
        in json_body(correction)["text"]
    )
    assert not set(answered) & effective_answers(events).keys()
    assert [view.has_later for view in display.views(DisputedRound)][:2] == [False, True]


def test_round_made_void_is_thrown_again(tmp_path: Path) -> None:
    events, display = play_with(tmp_path / "one.journal", AnswerOnce(0, [AgreedCorrection(None)]))
    assert json_body(events[2])["answers"] is None
    assert verdicts.ROUND_REPLAYED in json_body(events[2])["text"]
    assert effective_answers(events[:3]) == {}
    (line,) = project(events[:3], REFEREE).rounds
    view = dispute_view(line, frames_from_journal(line.judgement, ()), match_players())
    assert [view.verdict(seat) for seat in view.seats] == ["void", "void"] and view.is_void, "nobody is to blame"
    counts = [view for view in display.shown if type(view).__name__ == "Countdown"]
    assert any(view.rethrow_reason == json_body(events[2])["text"] for view in counts), "the count says why"


def test_settled_foul_makes_the_round_count(tmp_path: Path) -> None:
    """The cheat of the second throw is late; the table agrees on what the hand came to."""
    forgiven = AnswerOnce(1, [lambda view: AgreedCorrection(2, next(s.reading for s in view.seats if s.is_unsettled))])
    events, display = play_with(tmp_path / "one.journal", forgiven)
    void, correction = events[2], events[3]
    assert (void.kind, json_body(void)["fouls"], correction.kind) == ("round_voided", [2], CORRECTION)
    assert effective_answers(events)[void.number] == {int(s): v for s, v in json_body(correction)["answers"].items()}
    assert count_fouls(events[:3]) == {2: 1} and count_fouls(events[:4]) == {}
    assert display.views(DisputedRound)[0].is_void
    revealed = next(view for view in display.views(Reveal) if any(seat.is_foul for seat in view.seats))
    assert [player.fouls for player in revealed.players] == [0, 1], "counted where it is shown"


def test_rejected_dispute_is_journaled(tmp_path: Path) -> None:
    events, display = play_with(tmp_path / "one.journal", AnswerOnce(1, ["earlier", "later", "stands"]))
    assert [event.kind for event in events[1:4]] == ["round_judged", "round_voided", DISPUTE_REJECTED]
    assert json_body(events[3]) == {"round": 3, "text": json_body(events[3])["text"]}
    untouched, _ = play_with(tmp_path / "two.journal", lambda view: None)
    assert [e.kind for e in events if e.kind != DISPUTE_REJECTED] == [e.kind for e in untouched]
    assert len(display.views(DisputedRound)) == 3


def test_abandoned_dispute_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    disputing = AnswerOnce(0, [lambda view: NobodyAnswered(view.first_page())])

    def touch(view: Any) -> Any:
        return None if isinstance(view, Presence) else disputing(view)

    with pytest.raises(NobodyThereError):
        play_with(path, touch)
    with JournalReader(path) as journal:
        before = journal.events()
        assert [event.kind for event in before] == ["match_started", "round_judged"]
    events, _ = play_with(path, AnswerOnce(0, ["earlier", make_the_other_win]))
    corrected = [event.body for event in events if isinstance(event.body, Corrected)]
    assert events[: len(before)] == before
    assert [body.round for body in corrected] == [before[-1].number], "the round can still be disputed"


def test_a_dispute_goes_on_at_its_page_once_somebody_is_there(tmp_path: Path) -> None:
    wanted: list[AgreedCorrection] = []
    pages: list[Any] = []

    def leave_for_a_while(view: DisputedRound) -> NobodyAnswered:
        wanted.append(make_the_other_win(view))
        pages.append(AgreePage(view.first_page(), wanted[0]))
        return NobodyAnswered(pages[0])

    disputing = AnswerOnce(0, [leave_for_a_while])

    def touch(view: Any) -> Any:
        if isinstance(view, AgreePage):
            pages.append(view)
            return wanted[0]
        return HERE_ANSWER if isinstance(view, Presence) else disputing(view)

    events, _ = play_with(tmp_path / "one.journal", touch)
    assert pages[0] is pages[1] and events[2].kind == CORRECTION


def test_illegal_correction_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    same = AnswerOnce(0, [lambda view: AgreedCorrection(1, view.seats[0].reading), "stands"])
    events, display = play_with(path, same)
    assert not any(event.kind == CORRECTION for event in events)
    (fault,) = display.views(Notice)
    assert fault.title == "That can’t be corrected"


def test_last_round_can_be_disputed_and_the_match_continues(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        touch = AnswerOnce(-1, [AgreedCorrection(None)])
        match, _ = make_match(journal, CLASSIC, display=People(path, touch))
        match.play()
        assert match.can_dispute and match.dispute()
        assert journal.unfinished_match() == match.number
        match.play()
        assert [event.kind for event in journal.events()].count("match_ended") == 2
        assert verify(journal).problems == ()


def test_at_the_end_people_dispute_or_leave(tmp_path: Path) -> None:
    touches = [DISPUTE_ANSWER, AgreedCorrection(None), DISPUTE_ANSWER, "stands", "home"]

    def touch(view: Any) -> Any:
        return touches.pop(0) if isinstance(view, MatchResult | DisputedRound) else None

    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match, display = make_match(journal, CLASSIC, display=People(path, touch))
        assert play_to_end(LaunchOptions(path, "simulated"), display, match) == "home"
        ends = [view for view in display.shown if isinstance(view, MatchResult)]
        assert len(ends) == 3 and all(view.can_dispute for view in ends)
        report = verify(journal, [view.proof_code for view in ends])
        assert report.problems == () and report.code == ends[-1].proof_code
        assert [" match_ended of match 1: " in line for line in report.confirmed] == [True] * 3
        assert journal.unfinished_match() is None
    kinds = [kind for kind, _ in history(path)]
    assert kinds.count("match_ended") == 3 and kinds[-2:] == [DISPUTE_REJECTED, "match_ended"]


@pytest.mark.parametrize(
    "replies", [[make_the_other_win], [AgreedCorrection(None)], ["stands"]], ids=["read", "void", "stands"]
)
def test_match_interrupted_after_a_dispute_resumes(tmp_path: Path, replies: Sequence[Any]) -> None:
    whole, _ = play_with(tmp_path / "whole.journal", AnswerOnce(2, list(replies)))
    disputed = next(event.number for event in whole if event.kind in (CORRECTION, DISPUTE_REJECTED))
    for last in range(disputed, len(whole)):
        path = tmp_path / f"{last}.journal"
        with KillableJournal(path) as journal:
            journal.kill_at = last
            with pytest.raises(Killed):
                make_match(journal, CLASSIC, display=People(path, AnswerOnce(2, list(replies))))[0].play()
        with Journal(path) as journal:
            match, _ = make_match(journal, CLASSIC)
            view, answers = match.ongoing.view, effective_answers(whole[:last]).values()
            assert GameState(view.events, view.prompt, view.result) == replay(CLASSIC.game, answers)
            assert view.fouls == count_fouls(whole[:last])
            match.play()
            assert verify(journal).problems == ()
        assert history(path) == history(tmp_path / "whole.journal")


FORGERIES: dict[str, Callable[[dict[str, Any]], None]] = {
    "another reading": lambda body: body["answers"].update({"2": body["answers"]["1"]}),
    "something dropped": lambda body: body["dropped"].append(4),
    "another reading before": lambda body: body.update({"from": "well"}),
    "no such round": lambda body: body.update(round=1),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_correction_is_detected(tmp_path: Path, name: str) -> None:
    path = tmp_path / "one.journal"
    events, _ = play_with(path, AnswerOnce(0, [make_the_other_win]))
    number = next(event.number for event in events if event.kind == CORRECTION)
    db = sqlite3.connect(path)
    with db:
        body = json.loads(db.execute("SELECT body FROM event WHERE number = ?", (number,)).fetchone()[0])
        FORGERIES[name](body)
        db.execute("UPDATE event SET body = ? WHERE number = ?", (json.dumps(body), number))
    db.close()
    rechain(path)
    with JournalReader(path) as journal:
        assert any(f"event {number} " in fault or "match 1" in fault for fault in verify(journal).problems)


def test_public_log_has_the_corrected_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.journal"
    events, _ = play_with(path, AnswerOnce(0, [make_the_other_win]))
    capsys.readouterr()
    assert run_command(["record", str(path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (named,) = [line for line in lines if "corrected" in line]
    assert (named["corrected"], named["seat"]) == (2, 1)
    assert lines[lines.index(named) + 1] == {"answers": json_body(events[2])["answers"]}
    assert any(line.get("fouls") == {"1": 0, "2": 1} for line in lines)
    assert lines[-1] == json_body(events[-1])


# -------- fouls that are not thrown again any more


def test_fouls_can_not_stall_a_match(tmp_path: Path) -> None:
    house = HouseRules(forfeit_after=2)
    redeux = match_config(find_game("redeux").set_up(2, {"risk": "always"}), seed=11, house=house)
    events, _ = play_with(tmp_path / "one.journal", lambda view: None, redeux)
    before: dict[int, int] = {}
    forfeited = 0
    for event in events:
        fouls = json_body(event).get("fouls", [])
        spent = [seat for seat in fouls if before.get(seat, 0) >= 2]
        if fouls:
            assert event.kind == ("round_judged" if len(spent) == len(fouls) else "round_voided")
        for seat in spent if event.kind in ANSWERS else ():
            forfeited += 1
            assert json_body(event)["answers"][str(seat)] is None
            assert json_body(event)["text"].endswith(written_text(verdicts.THROW_FORFEITED))
        for seat in fouls:
            before[seat] = before.get(seat, 0) + 1
    assert forfeited


def test_only_seats_without_replays_forfeit() -> None:
    from rules.record.judgement import Verdict
    from tests.helpers.judged_hands import LENIENT, STRICT, judgement, to_record

    late = to_record(judgement(Verdict.LATE))
    assert apply_foul_rule(late, FoulRule.REPLAY, LENIENT, (1,)) is None
    assert apply_foul_rule(late, FoulRule.REPLAY, LENIENT, (1, 2)) == {1: "paper", 2: None}
    assert apply_foul_rule(late, FoulRule.REPLAY, STRICT, (2,)) is None, "a game without a rule for it throws again"
    assert (
        not HouseRules().replays_exhausted(99)
        and HouseRules(forfeit_after=3).replays_exhausted(3)
        and not HouseRules(forfeit_after=3).replays_exhausted(2)
    )


# -------- what is kept


def test_frames_around_a_round_are_kept_small() -> None:
    frames = collect_frames(JUDGEMENT, FRAMES)
    assert frames.times_ms[0] == -200 and frames.times_ms[-1] == 330 + 200
    assert list(np.diff(frames.times_ms)) == [10.0] * (len(frames.times_ms) - 1)
    for number in (0, 20, len(frames.times_ms) - 1):
        picture = frames.image(2, number)
        assert max(picture.shape) == FRAME_CROP_PX
        assert abs(int(np.median(picture)) - (CUE // (10 * MS) - 20 + number)) <= 1, "each frame's own brightness"
    assert 0 < frames.size_bytes < 1_000_000


@dataclass(frozen=True)
class LazyFrame(Frame):
    """A frame as the simulated table gives them."""

    looks: list[int] = field(default_factory=list)

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        self.looks.append(self.number)
        return np.full((size[1], size[0], 3) if size else (720, 1280, 3), self.number, np.uint8)


def test_frames_of_every_camera_are_kept_as_jpegs() -> None:
    """The Pi's camera has frames of its own kind, of 1.4 MB each."""
    wide, high = FRAMES[0].size
    grey = np.full((high * 3 // 2, wide), 128, np.uint8)
    frames = [YuvFrame(frame.number, frame.exposed_ns, 0, frame.size, grey) for frame in FRAMES]
    assert 0 < collect_frames(JUDGEMENT, frames).size_bytes < 1_000_000


def test_lazy_frame_is_not_rendered_when_kept() -> None:
    looks: list[int] = []
    lazy = [LazyFrame(f.number, f.exposed_ns, 0, f.size, looks=looks) for f in FRAMES]
    frames = collect_frames(JUDGEMENT, lazy)
    assert frames.size_bytes == 0 and looks == []
    frames.image(1, 3)
    frames.image(1, 3)
    assert len(looks) == 1


RECORD = record_judgement(JUDGEMENT, ZONES)


def test_earlier_rounds_come_from_the_journal() -> None:
    kept = [Evidence(*piece) for piece in render_evidence(JUDGEMENT, FRAMES)]
    films = RecentRoundFrames(lambda number: kept)
    for number in range(1, 8):
        films.keep(number, collect_frames_async(JUDGEMENT, FRAMES))
    one = collect_frames(JUDGEMENT, FRAMES)
    assert films.size_bytes == ROUNDS_IN_MEMORY * one.size_bytes
    assert len(films.of(7, RECORD).times_ms) == len(one.times_ms)
    old = films.of(2, RECORD)
    assert old.times_ms == tuple(150.0 + after for after in STRIP_OFFSETS_MS)
    for number, after in enumerate(STRIP_OFFSETS_MS):
        assert abs(int(np.median(old.image(1, number))) - (115 + after // 10)) <= 2


def test_round_before_an_interruption_is_disputed_from_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with KillableJournal(path) as journal:
        journal.kill_at = 3
        with pytest.raises(Killed):
            make_match(journal, CLASSIC)[0].play()
    touch = AnswerOnce(0, ["earlier", "earlier", AgreedCorrection(None)])
    with Journal(path) as journal:
        match, display = make_match(journal, CLASSIC, display=People(path, touch))
        match.play()
        assert verify(journal).problems == ()
    here, _, before = (view for view in display.shown if isinstance(view, DisputedRound))
    assert len(here.frame_times_ms) == 2 and len(before.frame_times_ms) == len(STRIP_OFFSETS_MS), (
        "of five frames two are near the lock"
    )
    assert before.hand_image(1, 8).shape[0] == STRIP_HEIGHT_PX
    corrected = next(body for kind, body in history(path) if kind == CORRECTION)
    assert corrected["round"] == 2 and corrected["dropped"]


def test_deleted_evidence_leaves_the_times() -> None:
    frames = frames_from_journal(RECORD, ())
    assert frames.times_ms == () and frames.image(1, 0) is UNREADABLE_IMAGE
    broken = [Evidence(f"strip-{seat}.jpg", "image/jpeg", b"no jpeg") for seat in (1, 2)]
    assert frames_from_journal(RECORD, broken).image(1, 8).ndim == 3


def test_people_agree_after_three_unread_hands(tmp_path: Path) -> None:
    def leave_the_camera_blind(judge: PerfectJudge) -> None:
        judge.unread_rounds = MAX_UNREAD_ROUNDS

    def agree(view: Any) -> Any:
        return AgreedCorrection(2, "paper") if isinstance(view, DisputedRound) else None

    with Journal(tmp_path / "one.journal") as journal:
        people = People(tmp_path / "one.journal", agree)
        match, _ = make_match(journal, CLASSIC, display=people, plans=leave_the_camera_blind, people_answer=True)
        match.play()
        events = journal.events()
        assert verify(journal).problems == ()
    judged = [event.body for event in events if isinstance(event.body, RoundVoided)]
    voided = [body for body in judged if body.judgement.seats[2].verdict is Verdict.UNREAD]
    assert len(voided) == MAX_UNREAD_ROUNDS and not any(body.fouls for body in voided)
    corrected = [event.body for event in events if isinstance(event.body, Corrected)]
    assert [(body.seat, body.to) for body in corrected] == [(2, "paper")]
    assert corrected[0].answers is not None, "the other hand was read, so that the round counts"
    assert len(people.views(DisputedRound)) == 1
