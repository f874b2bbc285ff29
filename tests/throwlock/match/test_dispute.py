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
from test_evidence import CUE, FRAMES, JUDGEMENT, MS
from test_rounds import ZONES
from test_verify import rechain

from device.camera.frames import Box, Frame, Pixels, Size
from rules.catalogue import find
from rules.engine import replay
from rules.throws import BEATEN_BY, Throw
from tests.throwlock.match.test_match import Killed, Mortal, Watching, billed, history, sit_down
from throwlock.cli.main import run_command
from throwlock.cli.play import Wanted
from throwlock.journal.journal import Event, Evidence, Journal, JournalReader
from throwlock.journal.verify import verify
from throwlock.match.config import answers_in
from throwlock.match.corrections import CORRECTION, UPHELD, course_in, fouls_in
from throwlock.match.dispute import IN_MEMORY, KEPT_PX, NOTHING, Films, evidence_view, film_from, film_of, filmed
from throwlock.match.foul_policy import ruled
from throwlock.match.house_rules import House, OnFoul
from throwlock.match.judgement_json import judged
from throwlock.match_runner import _ended
from ui.screen.pages.views import DISPUTE, Corrected, Disputing, Ended, Notice, Player, Reveal, Told
from ui.text import verdicts
from vision.evidence import STRIP_PX, evidence_of
from vision.strips import STRIP_MS

CLASSIC = billed(find("classic").set_up(2, {"best_of": 5}))
Touch = Callable[[Any], Any]


class People(Watching):
    """A display that does as ``touch`` says, and lets everything else pass."""

    def __init__(self, path: Path, touch: Touch) -> None:
        super().__init__(path)
        self.touch = touch

    def ask(self, view: Any) -> Any:
        if isinstance(view, Reveal | Told):
            self.show(view)
        else:
            self.shown.append(view)
            last = self.on_disk()[-1]
            if isinstance(view, Notice) and view.title == "Corrected":
                sentence = verdicts.named(last.body["sentence"], dict(enumerate(CLASSIC.names, 1)))
                assert (last.kind, sentence) == (CORRECTION, view.text), "kept before it is shown"
        return self.touch(view)

    def views(self, kind: type) -> list[Any]:
        return [view for view in self.shown if isinstance(view, kind)]


@dataclass
class Once:
    """Somebody who disputes at the reveal of number ``at`` (from 0), and then answers with ``replies`` in turn."""

    at: int
    replies: list[Any]
    revealed: int = field(default=-1)

    def __call__(self, view: Any) -> Any:
        if isinstance(view, Reveal):
            self.revealed += 1
            return DISPUTE if self.revealed == self.at and self.replies else None
        if isinstance(view, Disputing):
            reply = self.replies.pop(0)
            return reply(view) if callable(reply) else reply
        return None


def played(path: Path, touch: Touch, billing: Any = CLASSIC) -> tuple[list[Event], People]:
    """A whole match with people who touch the screen, in order."""
    with Journal(path) as journal:
        match, display = sit_down(journal, billing, display=People(path, touch))
        match.play()
        assert verify(journal).faults == ()
        events = journal.events()
    end = replay(billing.game, answers_in(events)).result
    assert end is not None
    assert events[-1].kind == "ended"
    assert events[-1].body == json.loads(json.dumps(end.as_json())), "the result is that of the corrected answers"
    return events, display  # type: ignore[return-value]


def match_players() -> tuple[Player, ...]:
    return tuple(Player(seat, name) for seat, name in enumerate(CLASSIC.names, 1))


def the_other_wins(view: Disputing) -> Corrected:
    """Reads the first seat's throw so that who lost the round wins it."""
    one, other = (Throw(str(seat.reading)) for seat in view.seats)
    beaten = {throw: lesser for lesser, throw in BEATEN_BY.items()}
    return Corrected(1, str(beaten[other] if one.beats(other) else BEATEN_BY[other]))


def test_a_correction_is_a_further_event_and_the_match_goes_on_from_it(tmp_path: Path) -> None:
    events, display = played(tmp_path / "one.journal", Once(0, [the_other_wins]))
    thrown, corrected = events[1], events[2]
    assert (thrown.kind, corrected.kind) == ("answer", CORRECTION)
    body = corrected.body
    assert (body["round"], body["seat"], body["from"]) == (thrown.number, 1, thrown.body["answers"]["1"])
    assert body["answers"] == {**thrown.body["answers"], "1": body["to"]}
    assert body["by"] == "the table" and body["dropped"] == []
    (evidence,) = display.views(Disputing)
    assert [seat.reading for seat in evidence.seats] == list(thrown.body["answers"].values())
    assert not evidence.void and not evidence.earlier
    told = next(view for view in display.shown[display.shown.index(evidence) :] if isinstance(view, Told))
    won = 1 if Throw(body["to"]).beats(Throw(body["answers"]["2"])) else 2
    assert {player.seat: player.score for player in told.players} == {won: 1, 3 - won: 0}, "the scores after it"
    assert any("instead of" in line for line in display.lines)


def test_an_earlier_round_drops_what_is_no_longer_asked(tmp_path: Path) -> None:
    def tie(view: Disputing) -> Corrected:
        return Corrected(1, view.seats[1].reading)

    counted: list[int] = []

    def touch(view: Any) -> Any:
        if isinstance(view, Reveal):
            counted.append(sum(seat.foul for seat in view.seats))
            return DISPUTE if len(counted) == 4 else None
        if isinstance(view, Disputing):
            return "earlier" if view.earlier else tie(view)
        return None

    events, display = played(tmp_path / "one.journal", touch)
    correction = next(event for event in events if event.kind == CORRECTION)
    first = next(event for event in events if event.kind == "answer")
    after = [event.number for event in events if first.number < event.number < correction.number]
    answered = [number for number in after if events[number - 1].kind == "answer"]
    assert correction.body["round"] == first.number and correction.body["dropped"] == answered
    assert verdicts.corrected("X", None, None, None, True, len(answered)).split(". ")[-1] in correction.body["sentence"]
    assert not set(answered) & course_in(events).keys()
    assert [view.later for view in display.views(Disputing)][:2] == [False, True]


def test_a_round_everybody_wants_again_is_thrown_again(tmp_path: Path) -> None:
    events, display = played(tmp_path / "one.journal", Once(0, [Corrected(None)]))
    assert events[2].body["answers"] is None
    assert verdicts.THROWN_AGAIN in events[2].body["sentence"]
    assert course_in(events[:3]) == {}
    view = evidence_view(CLASSIC.game, events[:3], events[1], film_from(events[1], ()), match_players(), "Round 1")
    assert [seat.verdict for seat in view.seats] == ["void", "void"] and view.void, "nobody is to blame"
    counts = [view for view in display.shown if type(view).__name__ == "Cadence"]
    assert any(view.again == events[2].body["sentence"] for view in counts), "the count says why"


def test_a_foul_people_forgive_counts(tmp_path: Path) -> None:
    """The cheat of the second throw is late; the table agrees on what the hand came to."""
    forgiven = Once(1, [lambda view: Corrected(2, next(s.reading for s in view.seats if s.open))])
    events, display = played(tmp_path / "one.journal", forgiven)
    void, correction = events[2], events[3]
    assert (void.kind, void.body["fouls"], correction.kind) == ("void", [2], CORRECTION)
    assert course_in(events)[void.number] == {int(s): v for s, v in correction.body["answers"].items()}
    assert fouls_in(events[:3]) == {2: 1} and fouls_in(events[:4]) == {}
    assert display.views(Disputing)[0].void
    revealed = next(view for view in display.views(Reveal) if any(seat.foul for seat in view.seats))
    assert [seat.player.fouls for seat in revealed.seats] == [0, 1], "counted where it is shown"


def test_a_verdict_that_stands_is_kept_too(tmp_path: Path) -> None:
    events, display = played(tmp_path / "one.journal", Once(1, ["earlier", "later", "stands"]))
    assert [event.kind for event in events[1:4]] == ["answer", "void", UPHELD]
    assert events[3].body == {"round": 3, "sentence": events[3].body["sentence"]}
    untouched, _ = played(tmp_path / "two.journal", lambda view: None)
    assert [e.kind for e in events if e.kind != UPHELD] == [e.kind for e in untouched]
    assert len(display.views(Disputing)) == 3


def test_what_the_game_does_not_allow_is_said_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    same = Once(0, [lambda view: Corrected(1, view.seats[0].reading), "stands"])
    events, display = played(path, same)
    assert not any(event.kind == CORRECTION for event in events)
    (fault,) = display.views(Notice)
    assert fault.title == "That can't be corrected"


def test_the_end_can_be_disputed_and_the_match_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        touch = Once(-1, [Corrected(None)])
        match, _ = sit_down(journal, CLASSIC, display=People(path, touch))
        match.play()
        assert match.can_dispute and match.dispute()
        assert journal.unfinished() == match.number
        match.play()
        assert [event.kind for event in journal.events()].count("ended") == 2
        assert verify(journal).faults == ()


def test_at_the_end_people_dispute_or_leave(tmp_path: Path) -> None:
    touches = [DISPUTE, Corrected(None), DISPUTE, "stands", "home"]

    def touch(view: Any) -> Any:
        return touches.pop(0) if isinstance(view, Ended | Disputing) else None

    path = tmp_path / "one.journal"
    with Journal(path) as journal:
        match, display = sit_down(journal, CLASSIC, display=People(path, touch))
        assert _ended(Wanted(path, "simulated"), display, match) == "home"
        ends = [view for view in display.shown if isinstance(view, Ended)]
        assert len(ends) == 3 and all(view.can_dispute for view in ends)
        assert verify(journal).faults == ()
        assert journal.unfinished() is None
    kinds = [kind for kind, _ in history(path)]
    assert kinds.count("ended") == 3 and kinds[-2:] == [UPHELD, "ended"]


@pytest.mark.parametrize("replies", [[the_other_wins], [Corrected(None)], ["stands"]], ids=["read", "void", "stands"])
def test_a_match_cut_off_after_a_dispute_goes_on_from_it(tmp_path: Path, replies: Sequence[Any]) -> None:
    whole, _ = played(tmp_path / "whole.journal", Once(2, list(replies)))
    disputed = next(event.number for event in whole if event.kind in (CORRECTION, UPHELD))
    for last in range(disputed, len(whole)):
        path = tmp_path / f"{last}.journal"
        with Mortal(path) as journal:
            journal.last = last
            with pytest.raises(Killed):
                sit_down(journal, CLASSIC, display=People(path, Once(2, list(replies))))[0].play()
        with Journal(path) as journal:
            match, _ = sit_down(journal, CLASSIC)
            assert match._play.position() == replay(CLASSIC.game, answers_in(whole[:last]))
            assert match._fouls == fouls_in(whole[:last])
            match.play()
            assert verify(journal).faults == ()
        assert history(path) == history(tmp_path / "whole.journal")


FORGED: dict[str, Callable[[dict[str, Any]], None]] = {
    "another reading": lambda body: body["answers"].update({"2": body["answers"]["1"]}),
    "something dropped": lambda body: body["dropped"].append(4),
    "another reading before": lambda body: body.update({"from": "well"}),
    "no such round": lambda body: body.update(round=1),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_correction_is_found(tmp_path: Path, name: str) -> None:
    path = tmp_path / "one.journal"
    events, _ = played(path, Once(0, [the_other_wins]))
    number = next(event.number for event in events if event.kind == CORRECTION)
    db = sqlite3.connect(path)
    with db:
        body = json.loads(db.execute("SELECT body FROM event WHERE number = ?", (number,)).fetchone()[0])
        FORGED[name](body)
        db.execute("UPDATE event SET body = ? WHERE number = ?", (json.dumps(body), number))
    db.close()
    rechain(path)
    with JournalReader(path) as journal:
        assert any(f"event {number} " in fault or "match 1" in fault for fault in verify(journal).faults)


def test_the_record_has_the_corrected_course(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.journal"
    events, _ = played(path, Once(0, [the_other_wins]))
    capsys.readouterr()
    assert run_command(["record", str(path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (named,) = [line for line in lines if "corrected" in line]
    assert (named["corrected"], named["seat"]) == (2, 1)
    assert lines[lines.index(named) + 1] == {"answers": events[2].body["answers"]}
    assert any(line.get("fouls") == {"1": 0, "2": 1} for line in lines)
    assert lines[-1] == events[-1].body


# -------- fouls that are not thrown again any more


def test_a_table_can_not_be_stalled_by_fouls(tmp_path: Path) -> None:
    house = House(forfeit_after=2)
    redeux = billed(find("redeux").set_up(2, {"risk": "always"}), seed=11, house=house)
    events, _ = played(tmp_path / "one.journal", lambda view: None, redeux)
    before: dict[int, int] = {}
    forfeited = 0
    for event in events:
        fouls = event.body.get("fouls", [])
        spent = [seat for seat in fouls if before.get(seat, 0) >= 2]
        if fouls:
            assert event.kind == ("answer" if len(spent) == len(fouls) else "void")
        for seat in spent if event.kind == "answer" else ():
            forfeited += 1
            assert event.body["answers"][str(seat)] is None
            assert event.body["sentence"].endswith(verdicts.FORFEITED)
        for seat in fouls:
            before[seat] = before.get(seat, 0) + 1
    assert forfeited


def test_only_those_whose_fouls_are_spent_forfeit() -> None:
    from test_rounds import LENIENT, STRICT, Verdict, judgement

    late = judgement(Verdict.LATE)
    assert ruled(late, OnFoul.REPLAY, LENIENT, (1,)) is None
    assert ruled(late, OnFoul.REPLAY, LENIENT, (1, 2)) == {1: "paper", 2: None}
    assert ruled(late, OnFoul.REPLAY, STRICT, (2,)) is None, "a game without a rule for it throws again"
    assert not House().spent(99) and House(forfeit_after=3).spent(3) and not House(forfeit_after=3).spent(2)


# -------- what is kept


def test_every_frame_around_a_round_is_kept_small() -> None:
    film = film_of(JUDGEMENT, FRAMES)
    assert film.times_ms[0] == -200 and film.times_ms[-1] == 330 + 200
    assert list(np.diff(film.times_ms)) == [10.0] * (len(film.times_ms) - 1)
    for number in (0, 20, len(film.times_ms) - 1):
        picture = film.picture(2, number)
        assert max(picture.shape) == KEPT_PX
        assert abs(int(np.median(picture)) - (CUE // (10 * MS) - 20 + number)) <= 1, "each frame's own brightness"
    assert 0 < film.size < 1_000_000


@dataclass(frozen=True)
class MadeWhenLookedAt(Frame):
    """A frame as the simulated table gives them."""

    looks: list[int] = field(default_factory=list)

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        self.looks.append(self.number)
        return np.full((size[1], size[0], 3) if size else (720, 1280, 3), self.number, np.uint8)


def test_a_frame_that_is_made_when_looked_at_is_not_made_for_keeping() -> None:
    looks: list[int] = []
    frames = [MadeWhenLookedAt(f.number, f.exposed_ns, 0, f.size, looks=looks) for f in FRAMES]
    film = film_of(JUDGEMENT, frames)
    assert film.size == 0 and looks == []
    film.picture(1, 3)
    film.picture(1, 3)
    assert len(looks) == 1


def event(number: int) -> Event:
    return Event(number, 1, "", "answer", {"judgement": json.loads(json.dumps(judged(JUDGEMENT, ZONES)))}, "", "")


def test_only_the_last_rounds_are_in_memory_and_the_others_come_from_the_journal() -> None:
    kept = [Evidence(*piece) for piece in evidence_of(JUDGEMENT, FRAMES)]
    films = Films(lambda number: kept)
    for number in range(1, 8):
        films.keep(number, filmed(JUDGEMENT, FRAMES))
    one = film_of(JUDGEMENT, FRAMES)
    assert films.size == IN_MEMORY * one.size
    assert len(films.of(event(7)).times_ms) == len(one.times_ms)
    old = films.of(event(2))
    assert old.times_ms == tuple(150.0 + after for after in STRIP_MS)
    for number, after in enumerate(STRIP_MS):
        assert abs(int(np.median(old.picture(1, number))) - (115 + after // 10)) <= 2


def test_a_round_before_the_cut_is_disputed_by_what_the_journal_keeps(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with Mortal(path) as journal:
        journal.last = 3
        with pytest.raises(Killed):
            sit_down(journal, CLASSIC)[0].play()
    touch = Once(0, ["earlier", "earlier", Corrected(None)])
    with Journal(path) as journal:
        match, display = sit_down(journal, CLASSIC, display=People(path, touch))
        match.play()
        assert verify(journal).faults == ()
    here, _, before = (view for view in display.shown if isinstance(view, Disputing))
    assert len(here.times_ms) == 2 and len(before.times_ms) == len(STRIP_MS), "of five frames two are near the lock"
    assert before.picture(1, 8).shape[0] == STRIP_PX
    corrected = next(body for kind, body in history(path) if kind == CORRECTION)
    assert corrected["round"] == 2 and corrected["dropped"]


def test_evidence_that_was_deleted_leaves_the_times() -> None:
    film = film_from(event(1), ())
    assert film.times_ms == () and film.picture(1, 0) is NOTHING
    broken = [Evidence(f"strip-{seat}.jpg", "image/jpeg", b"no jpeg") for seat in (1, 2)]
    assert film_from(event(1), broken).picture(1, 8).ndim == 3
