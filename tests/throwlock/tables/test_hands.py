"""What the house makes of a judged round: replay, stand, forfeit; what is told, revealed and journaled."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.base import Camera
from device.camera.frames import BgrFrame, Box, Frame
from device.system.clock import SimulatedClock
from messages import LazyText
from rules.engine import Choices, Prompt, SealedPrompt, TimeLimit
from rules.record.judgement import CARD_VERDICTS, VOID_VERDICT, Verdict, VoidReasonRecord
from rules.record.round import FoulRule, PlayerLink, SeatView
from rules.throws import THROW_CHOICES, Throw
from tests.helpers.judged_frames import CUE, FRAMES, JUDGEMENT, MS, RIGHT
from tests.helpers.judged_hands import ASK, LENIENT, STRICT, ZONES, judgement, to_record
from tests.helpers.table_parts import flatten, hand_table, throw
from tests.helpers.web_archive import make_seat
from throwlock.house_rules import HouseRules
from throwlock.tables.foul_policy import RoundOutcome, apply_foul_rule, decide_round, fouling_seats
from throwlock.tables.hands import HandTable
from throwlock.tables.record import record_judgement
from throwlock.tables.source import RoundRequest, ThrownRound
from ui.i18n.language import load_translations
from ui.screen.core.display import NullDisplay
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown, Judging
from ui.screen.pages.question import first_time_hint
from ui.screen.pages.reveal import proof_throw
from ui.screen.views import View
from ui.text import verdicts
from ui.text.labels import seat_verdict, shown_time
from ui.text.rounds import stored_text, verdict_text
from ui.text.verdicts import CARD_CAUSES
from ui.web.strings import format_lateness
from vision.cards.lock import CardCause
from vision.evidence import render_timeline
from vision.lock.inference import TimeEstimate
from vision.lock.judgement import MIN_FRAMES, Judgement, LockError
from vision.lock.reasons import VoidKind, VoidReason
from vision.lock.verdict import SeatVerdict, search_end_ns
from vision.zones import Zone, default_zones

NAMES = {1: "Ada", 2: "Bo"}
FOULS = [verdict for verdict in Verdict if verdict.is_foul]


@pytest.mark.parametrize("house", list(FoulRule))
def test_a_round_without_a_foul_counts(house: FoulRule) -> None:
    made = judgement(Verdict.ON_TIME)
    assert apply_foul_rule(to_record(made), house, STRICT) == {1: "paper", 2: "rock"}
    assert verdict_text(to_record(made), (), True, NAMES, house) == verdicts.ALL_ON_TIME


@pytest.mark.parametrize("verdict", FOULS)
def test_replay_voids_every_foul(verdict: Verdict) -> None:
    made = judgement(verdict)
    assert apply_foul_rule(to_record(made), FoulRule.REPLAY, LENIENT) is None
    said = verdict_text(to_record(made), (2,), False, NAMES, FoulRule.REPLAY)
    assert "Bo" in said and "Ada" not in said and said.endswith(verdicts.ROUND_REPLAYED)


@pytest.mark.parametrize("verdict", FOULS)
def test_journaled_sentence_takes_any_names(verdict: Verdict) -> None:
    made, names = judgement(verdict), {1: "{2} & {name}", 2: "Bo\\1"}
    made = replace(made, seats=(made.seats[0], replace(made.seats[1], entered_zone=1)))
    kept = verdict_text(to_record(made), (2,), False, verdicts.seat_placeholders(names), FoulRule.REPLAY)
    assert "{2}" in kept and "Bo" not in kept
    assert verdicts.fill_names(kept, names) == verdict_text(to_record(made), (2,), False, names, FoulRule.REPLAY)
    nameless = verdict_text(to_record(made), (2,), False, {1: "Player 1", 2: "Player 2"}, FoulRule.REPLAY)
    assert verdicts.fill_names(kept, {}) == nameless


@pytest.mark.parametrize("verdict", [Verdict.LATE, Verdict.EARLY, Verdict.CHANGED])
def test_stand_counts_what_the_lock_shows(verdict: Verdict) -> None:
    assert apply_foul_rule(to_record(judgement(verdict)), FoulRule.STAND, STRICT) == {1: "paper", 2: "rock"}


def test_a_foul_sentence_has_its_time_and_what_follows() -> None:
    made = judgement(Verdict.LATE)
    late = replace(made, seats=(made.seats[0], replace(made.seats[1], shown=TimeEstimate(CUE + 330 * MS, MS))))
    text = verdict_text(to_record(late), (2,), True, NAMES, FoulRule.STAND)
    assert text == f"Bo was late: rock 330 ms after the first hand. {verdicts.LOCK_IMAGE_STANDS}"
    made = replace(judgement(Verdict.EARLY), first_ns=CUE - 250 * MS)
    early = replace(made, seats=(made.seats[0], replace(made.seats[1], shown=TimeEstimate(CUE - 250 * MS, MS))))
    text = verdict_text(to_record(early), (2,), False, NAMES, FoulRule.REPLAY)
    assert text == f"Bo was early: rock 250 ms before the call. {verdicts.ROUND_REPLAYED}"


@pytest.mark.parametrize("rule", list(FoulRule))
def test_a_round_without_any_hand_is_void_and_nobodys_foul(rule: FoulRule) -> None:
    timed = replace(LENIENT, time_limit=TimeLimit(5.0))
    unseen = judgement(Verdict.UNSEEN)
    empty = to_record(replace(unseen, seats=(replace(unseen.seats[1], seat=1), unseen.seats[1])))
    for prompt in (STRICT, timed):
        assert decide_round(empty, rule, prompt, (1, 2)) == RoundOutcome(None, ())
    nothing = {1: None, 2: None}
    second_look = replace(timed, about={"phase": "second look"})
    assert decide_round(empty, rule, second_look).answers == nothing, "to show nothing may be meant"
    one_thrown = decide_round(to_record(unseen), rule, timed)
    assert one_thrown == RoundOutcome({1: "paper", 2: None}, ()), "whoever is there throws against nothing"
    alone = empty.model_copy(update={"seats": {1: empty.seats[1]}})
    ask_one = replace(STRICT, seats={1: THROW_CHOICES})
    assert decide_round(alone, rule, ask_one).fouls == (1,), "who practises is there"
    not_turned = {
        seat: one.model_copy(update={"verdict": "late", "cause": "not turned over"})
        for seat, one in empty.seats.items()
    }
    assert decide_round(empty.model_copy(update={"seats": not_turned}), rule, timed) == RoundOutcome(None, ())


def too_close(shown_ns: int, **changes: Any) -> Judgement:
    """Bo's time, ± 30 ms, is too close to call."""
    made = judgement(Verdict.TOO_CLOSE)
    bo = replace(made.seats[1], shown=TimeEstimate(CUE + shown_ns, 30 * MS), throw=Throw.PAPER)
    return replace(made, seats=(made.seats[0], replace(bo, **changes)))


@pytest.mark.parametrize("exhausted", [(), (2,), (1, 2)])
@pytest.mark.parametrize("rule", list(FoulRule))
def test_a_round_too_close_to_call_is_replayed_and_nobodys_foul(rule: FoulRule, exhausted: tuple[int, ...]) -> None:
    assert decide_round(to_record(too_close(170 * MS)), rule, LENIENT, exhausted) == RoundOutcome(None, ())


@pytest.mark.parametrize("rule", list(FoulRule))
def test_a_foul_beside_a_close_time_counts(rule: FoulRule) -> None:
    made = too_close(170 * MS)
    late = replace(made.seats[0], verdict=Verdict.LATE, shown=TimeEstimate(CUE + 300 * MS, MS))
    record = to_record(replace(made, seats=(late, made.seats[1])))
    assert decide_round(record, rule, LENIENT) == RoundOutcome(None, (1,))
    text = verdict_text(record, (1,), False, NAMES, rule)
    assert "Ada was late" in text and "Too close to call: Bo" in text and text.endswith(verdicts.ROUND_REPLAYED)


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (too_close(170 * MS), "Too close to call: Bo showed paper 170 ± 59 ms after the first hand."),
        (too_close(-170 * MS), "Too close to call: Bo showed paper 170 ± 59 ms before the call."),
        (
            too_close(20 * MS, throw=Throw.ROCK, changed_to=Throw.PAPER),
            "Too close to call: Bo changed from rock to paper at about the lock.",
        ),
    ],
    ids=["late or not", "early or not", "changed or not"],
)
def test_what_is_too_close_to_call_is_said_with_its_interval(made: Judgement, sentence: str) -> None:
    record = to_record(made)
    text = verdict_text(record, (), False, verdicts.seat_placeholders(NAMES), FoulRule.REPLAY)
    assert verdicts.fill_names(text, NAMES) == f"{sentence} {verdicts.ROUND_REPLAYED}"
    with_language = stored_text(record, (), False, text, NAMES)
    assert isinstance(with_language, LazyText), "it can be shown in any language"


def test_too_close_to_call_is_revealed_with_its_interval() -> None:
    made = too_close(170 * MS, proof_frame=FRAMES[58])
    thrown = finish_round(made)
    seat: SeatView = thrown.reveal.seats[1]
    assert (seat.verdict, seat.is_foul, seat.throws) == ("too close to call", False, ("rock", "paper"))
    assert (seat.after_first_ms, seat.interval_ms) == (170, pytest.approx(58.8, abs=0.1))
    assert thrown.reveal.pictures[2].proof is not None
    assert (seat.record.at_lock, proof_throw(seat)) == ("rock", "paper")
    assert not thrown.fouls and thrown.reveal.seats[0].interval_ms == 0
    on_time = finish_round(judgement(Verdict.ON_TIME))
    went_wrong = [
        ThrownRound(**{k: v for k, v in vars(one).items() if k not in ("answers", "evidence", "reveal")}).went_wrong
        for one in (thrown, on_time)
    ]
    assert went_wrong == [True, False], "its sentence is shown, and sounds as one of a round thrown again"
    early: SeatView = finish_round(too_close(-170 * MS, proof_frame=FRAMES[20])).reveal.seats[1]
    assert (early.early_ms, early.record.at_lock, proof_throw(early)) == (170, "rock", "paper")


def test_only_fouling_seats_and_unread_cards_are_named() -> None:
    timed = replace(LENIENT, time_limit=TimeLimit(10.0))
    made = judgement(Verdict.LATE)
    missing = replace(made, seats=(replace(judgement(Verdict.UNSEEN).seats[1], seat=1), made.seats[1]))
    assert fouling_seats(to_record(missing), timed) == (2,)
    assert "Ada" not in verdict_text(
        to_record(missing), fouling_seats(to_record(missing), timed), True, NAMES, FoulRule.FORFEIT
    )
    unread = judgement(Verdict.UNREAD, None)
    outcomes = [apply_foul_rule(to_record(unread), rule, LENIENT) for rule in FoulRule]
    assert outcomes == [None] * len(FoulRule), "nobody knows what was thrown"
    text = verdict_text(to_record(unread), (), False, NAMES, FoulRule.STAND)
    assert "Bo" in text and "Ada" not in text and text.endswith(verdicts.ROUND_REPLAYED)


def test_blank_cards_and_unseen_hands() -> None:
    hidden = judgement(Verdict.ON_TIME, None)
    blank = replace(hidden, seats=(hidden.seats[0], replace(hidden.seats[1], card_marker=7)))
    assert apply_foul_rule(to_record(hidden), FoulRule.REPLAY, LENIENT) is None
    assert apply_foul_rule(to_record(blank), FoulRule.REPLAY, LENIENT) == {1: "paper", 2: None}


@pytest.mark.parametrize("verdict", FOULS)
def test_forfeit_is_no_throw(verdict: Verdict) -> None:
    assert apply_foul_rule(to_record(judgement(verdict)), FoulRule.FORFEIT, LENIENT) == {1: "paper", 2: None}
    assert verdict_text(to_record(judgement(verdict)), (2,), True, NAMES, FoulRule.FORFEIT).endswith(
        verdicts.THROW_FORFEITED
    )


@pytest.mark.parametrize("house", [FoulRule.STAND, FoulRule.FORFEIT])
def test_a_game_without_a_rule_for_no_throw_throws_again(house: FoulRule) -> None:
    assert apply_foul_rule(to_record(judgement(Verdict.UNSEEN)), house, STRICT) is None
    assert apply_foul_rule(to_record(judgement(Verdict.UNSEEN)), house, LENIENT) == {1: "paper", 2: None}


def test_missing_hand_is_a_time_out_if_the_game_has_a_rule() -> None:
    timed = replace(ASK, time_limit=TimeLimit(10.0))
    assert apply_foul_rule(to_record(judgement(Verdict.UNSEEN)), FoulRule.REPLAY, timed) == {1: "paper", 2: None}
    assert apply_foul_rule(to_record(judgement(Verdict.LATE)), FoulRule.REPLAY, timed) is None
    made = judgement(Verdict.UNSEEN)
    both_missing = replace(made, seats=(replace(made.seats[1], seat=1), made.seats[1]))
    assert apply_foul_rule(to_record(both_missing), FoulRule.REPLAY, timed) == {1: None, 2: None}


def test_round_without_any_throw_is_void() -> None:
    both = judgement(Verdict.UNSEEN)
    nobody = Judgement(CUE, None, CUE + 150 * MS, 150 * MS, FRAMES[55], (both.seats[1], both.seats[1]))
    for house in FoulRule:
        assert apply_foul_rule(to_record(nobody), house, LENIENT) is None


def test_judgement_is_json_in_ms_after_the_cue() -> None:
    kept = record_judgement(JUDGEMENT, ZONES).model_dump(mode="json")
    assert (kept["first_shown_ms"], kept["lock_ms"], kept["window_ms"]) == (0, 150, 150)
    assert kept["seats"]["2"]["shown_ms"] == 330 and kept["seats"]["2"]["verdict"] == "late"
    assert np.isclose(kept["lock_frame_ms"], 150)
    assert [kept["seats"][seat]["uncertainty_ms"] for seat in ("1", "2")] == [4, 9]


@pytest.mark.parametrize("house", list(FoulRule))
@pytest.mark.parametrize("kind", list(VoidKind))
def test_void_reason_voids_a_round_without_a_foul(house: FoulRule, kind: VoidKind) -> None:
    made = replace(
        judgement(Verdict.LATE), void_reason=VoidReason(kind, 2 if kind is VoidKind.REACHING else None, 0.06)
    )
    assert apply_foul_rule(to_record(made), house, LENIENT) is None and fouling_seats(to_record(made), LENIENT) == ()
    said = verdict_text(to_record(made), (), False, NAMES, house)
    assert verdicts.NO_FOUL in said and said.endswith(verdicts.ROUND_REPLAYED) and "late" not in said
    assert ("Bo" in said) == (kind is VoidKind.REACHING)
    kept = record_judgement(made, ZONES).model_dump(mode="json")
    assert kept["void_reason"] == {
        "kind": str(kind),
        "seat": 2 if kind is VoidKind.REACHING else None,
        "measured": 0.06,
    }
    copied = replace(made, void_reason=VoidReason(VoidKind.COPIES, marker=12))
    assert record_judgement(copied, ZONES).void_reason == VoidReasonRecord(kind="copies", seat=None, measured=12)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_verdict_is_recorded_as_it_is(verdict: Verdict) -> None:
    assert to_record(judgement(verdict)).seats[2].verdict is verdict


def test_hidden_hand_is_unreadable() -> None:
    """Somebody is to blame, but not Ada, whose throw nobody could see."""
    made = judgement(Verdict.WRONG_ZONE)
    hidden = replace(
        made, seats=(replace(made.seats[0], throw=None, at_lock=None), replace(made.seats[1], entered_zone=1))
    )
    assert fouling_seats(to_record(hidden), LENIENT) == (2,)
    assert all(apply_foul_rule(to_record(hidden), house, LENIENT) is None for house in FoulRule)
    assert "Bo’s hand was in Ada’s zone" in verdict_text(to_record(hidden), (2,), False, NAMES, FoulRule.STAND)
    assert record_judgement(hidden, ZONES).model_dump(mode="json")["seats"]["2"]["entered_zone"] == 1


# -------- a round at the table


class DelayedCamera(Camera):
    """A camera with 100 frames a second, each of which is available 90 ms after its exposure."""

    DELAY_MS = 90
    size = (64, 36)
    fps = 100.0
    dropped = 0
    image = np.zeros((36, 64, 3), np.uint8)

    def __init__(self, clock: SimulatedClock) -> None:
        self.clock = clock

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def latest(self) -> Frame:
        return self.frames_between(0, self.clock.now_ns())[-1]

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        end_ns = min(until_ns, self.clock.now_ns() - self.DELAY_MS * MS)
        numbers = range(-(-since_ns // (10 * MS)), end_ns // (10 * MS) + 1)
        return [BgrFrame(number, number * 10 * MS, 0, self.size, self.image) for number in numbers]


PLAYERS = (Player(1, "Ada"), Player(2, "Bo"), Player(3, "Chidi"))


class TimedDisplay(NullDisplay):
    """A display that records each view with the time, in ms, at which it was shown."""

    def __init__(self, clock: SimulatedClock) -> None:
        self.clock = clock
        self.shown: list[tuple[int, View]] = []

    def show(self, view: View) -> None:
        self.shown.append((self.clock.now_ns() // MS, view))


class LenientJudge:
    """A fake judge that records its calls and finds everybody on time with paper."""

    progress = 0.5

    def __init__(self) -> None:
        self.calls: list[tuple[Sequence[Frame], Sequence[Zone], int, int]] = []

    def judge_live(
        self,
        frames_until: Callable[[int], Sequence[Frame]],
        zones: Sequence[Zone],
        cue_ns: int,
        window_ns: int,
        unseen_ns: int | None,
        on_seen: Callable[[Collection[int]], None] | None = None,
        on_read: Callable[[], None] | None = None,
    ) -> Judgement:
        frames = frames_until(search_end_ns(cue_ns, window_ns))
        if len(frames) < MIN_FRAMES:
            raise LockError("too few frames")
        self.calls.append((frames, zones, cue_ns, window_ns))
        seats = [
            SeatVerdict(number, Verdict.ON_TIME, Throw.PAPER, Throw.PAPER, TimeEstimate(cue_ns, MS), zone.box((64, 36)))
            for number, zone in enumerate(zones, 1)
        ]
        return Judgement(cue_ns, cue_ns, cue_ns + window_ns, window_ns, frames[-1], tuple(seats))


def make_table(
    house_rules: HouseRules | None = None, *, show_preview: bool = False
) -> tuple[HandTable, TimedDisplay, LenientJudge]:
    """Return a table for three with a delayed camera, its display and its judge. Its clock starts at 5 s."""
    clock = SimulatedClock(5_000 * MS)
    display, judge = TimedDisplay(clock), LenientJudge()
    rules = house_rules or HouseRules()
    table = hand_table(
        DelayedCamera(clock), default_zones(3), judge, display, clock, house_rules=rules, show_preview=show_preview
    )
    return table, display, judge


def request(seats: Sequence[int], **more: Any) -> RoundRequest:
    """Ask some of the players to throw."""
    return RoundRequest(replace(ASK, seats=dict.fromkeys(seats, THROW_CHOICES)), PLAYERS, title="Round 1", **more)


@pytest.mark.parametrize("house_rules", [HouseRules(), HouseRules(window_ms=400, beat_ms=1000)])
def test_judge_gets_all_frames_that_may_count(house_rules: HouseRules) -> None:
    """From a beat and 700 ms before the cue until 600 ms after two windows, the delayed ones too."""
    table, display, judge = make_table(house_rules)
    cue_ns = 8_000 * MS
    judged, frames = table.judge_round(request((1, 3)), cue_ns)
    ((judged_frames, zones, *times),) = judge.calls
    assert [frame.number for frame in judged_frames] == [frame.number for frame in frames]
    assert judged.lock_frame is frames[-1]
    assert zones == [default_zones(3)[0], default_zones(3)[2]] and times == [cue_ns, house_rules.window_ms * MS]
    assert (frames[0].exposed_ns - cue_ns) // MS == -house_rules.beat_ms - 700
    assert (frames[-1].exposed_ns - cue_ns) // MS == 2 * house_rules.window_ms + 600
    ((_, judging),) = display.shown
    assert isinstance(judging, Judging) and judging.players == PLAYERS
    assert judging.progress is not None and judging.progress() == 0.5


class QuickJudge(LenientJudge):
    """A fake judge that sees one hand after the other and then decides at once."""

    def judge_live(
        self, frames_until: Callable[[int], Sequence[Frame]], zones: Sequence[Zone], cue_ns: int, *given: Any
    ) -> Judgement:
        for numbers in ({1}, {0, 1}):
            frames_until(cue_ns + 200 * MS)
            given[-2](numbers)
        return super().judge_live(lambda until_ns: frames_until(cue_ns + 300 * MS), zones, cue_ns, *given[:-2])


def test_seen_hands_are_marked_and_clear_rounds_revealed() -> None:
    """On the last word, without what they show."""
    clock = SimulatedClock(5_000 * MS)
    display = TimedDisplay(clock)
    table = hand_table(DelayedCamera(clock), default_zones(3), QuickJudge(), display, clock)
    throw(table, replace(ASK, seats={1: THROW_CHOICES, 3: THROW_CHOICES}), PLAYERS)
    counted = [view for _, view in display.shown if isinstance(view, Countdown)]
    assert [(view.beat, view.seen) for view in counted[-3:]] == [(3, ()), (3, (3,)), (3, (1, 3))]
    assert {(view.beat_s, view.word_s) for view in counted[-3:]} == {(0.6, 0.6)}, "the word goes on as it was"
    assert not any(isinstance(view, Judging) for _, view in display.shown)
    assert 300 <= clock.now_ns() // MS - display.shown[-3][0] <= 400


class SlowJudge(LenientJudge):
    """A fake judge that reads hands for a second at a time, three times, and then decides."""

    def judge_live(
        self, frames_until: Callable[[int], Sequence[Frame]], zones: Sequence[Zone], cue_ns: int, *given: Any
    ) -> Judgement:
        frames = frames_until(cue_ns + 300 * MS)
        for second in range(1, 4):
            self.clock.wait_until(cue_ns + second * 1_000 * MS)
            given[-1]()
        return super().judge_live(lambda until_ns: frames, zones, cue_ns, *given[:-2])

    def __init__(self, clock: SimulatedClock) -> None:
        super().__init__()
        self.clock = clock


def test_slow_box_says_once_that_it_looks_before_it_has_decided() -> None:
    """After a second, though it waits for no frame then."""
    clock = SimulatedClock(5_000 * MS)
    display = TimedDisplay(clock)
    table = hand_table(DelayedCamera(clock), default_zones(3), SlowJudge(clock), display, clock)
    cue_ns = 8_000 * MS
    table.judge_round(request((1, 3)), cue_ns)
    ((shown_ms, judging),) = display.shown
    assert isinstance(judging, Judging) and shown_ms == cue_ns // MS + 1000


@pytest.mark.parametrize("count", range(4))
def test_round_with_fewer_than_3_frames_is_void(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _, judge = make_table()
    frames_between = table.camera.frames_between
    monkeypatch.setattr(
        table.camera,
        "frames_between",
        lambda since, until: frames_between(since, until)[:count] if since else frames_between(0, until),
    )
    thrown = throw(table, ASK, PLAYERS[:2])
    assert len(judge.calls) == (count >= 3)
    assert (thrown.judgement.void_reason is None) == (count >= 3) == (thrown.answers is not None)


def test_round_is_counted_and_judged_for_the_seats_asked() -> None:
    table, display, judge = make_table(HouseRules(beat_ms=700))
    prompt = replace(ASK, seats={1: THROW_CHOICES, 3: THROW_CHOICES})
    thrown = throw(table, prompt, PLAYERS, rethrow_reason="Replayed.")
    counted = [(shown_ms, view) for shown_ms, view in display.shown if isinstance(view, Countdown)]
    assert [(shown_ms, view.beat, view.beat_s) for shown_ms, view in counted] == [
        (5_000, -1, 1.5), (6_500, 0, 0.7), (7_200, 1, 0.7), (7_900, 2, 0.7), (8_600, 3, 0.7),
    ]  # fmt: skip
    for _, view in counted:
        assert (view.players, view.title, view.rethrow_reason) == (PLAYERS, "Round 1", "Replayed.")
        assert view.throwing == (1, 3)
    assert judge.calls[0][2] == 8_600 * MS
    assert thrown.answers == {1: "paper", 3: "paper"} and thrown.fouls == ()
    assert [*thrown.reveal.players] == [PLAYERS[0], PLAYERS[2]]
    assert thrown.reveal.window_ms == 150
    assert thrown.record.seats[3].zone == tuple(round(side, 4) for side in default_zones(3)[2])


def test_hint_is_shown_once_for_each_kind_of_throw() -> None:
    table, display, _ = make_table()
    hints = []
    for kind in ("throw", "throw", "claim"):
        display.shown.clear()
        table.throw(RoundRequest(SealedPrompt(kind, ASK.seats), PLAYERS))
        hints.append({view.hint for _, view in display.shown if isinstance(view, Countdown)})
    assert first_time_hint(ASK)
    assert hints == [{first_time_hint(ASK)}, {None}, {first_time_hint(SealedPrompt("claim", ASK.seats))}]


def test_preview_is_shown_ten_times_a_second_during_the_count() -> None:
    table, display, _ = make_table(HouseRules(beat_ms=600), show_preview=True)
    cue_ns = table.count(request((1, 2)), Countdown(PLAYERS, "Round 1", ("ROCK", "SHOOT"), -1))
    previews = [
        (shown_ms, view) for shown_ms, view in display.shown if isinstance(view, Countdown) and view.preview is not None
    ]
    start_ms = {-1: 5_000, 0: 6_500}  # the last word is shown without one
    duration_ms = {-1: 1_500, 0: 600}
    assert [(shown_ms, view.beat) for shown_ms, view in previews] == [
        (start_ms[beat] + after_ms, beat) for beat in start_ms for after_ms in range(0, duration_ms[beat] - 100, 100)
    ]
    assert all(view.preview is not None and view.preview.shape == (180, 320, 3) for _, view in previews)
    assert (cue_ns // MS, table.clock.now_ns() // MS) == (7_100, 7_100)


class LockingCamera(DelayedCamera):
    """A camera that must have its exposure locked whenever frames are read."""

    is_locked = False

    def lock_exposure(self) -> None:
        self.is_locked = True

    def unlock_exposure(self) -> None:
        self.is_locked = False

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        assert self.is_locked, "the exposure must not change during a round"
        return super().frames_between(since_ns, until_ns)


class ExposureDisplay(TimedDisplay):
    """A display that records whether the camera's exposure was locked when each view was shown."""

    def __init__(self, clock: SimulatedClock, camera: LockingCamera) -> None:
        super().__init__(clock)
        self.camera = camera
        self.was_locked: list[bool] = []

    def show(self, view: View) -> None:
        self.was_locked.append(self.camera.is_locked)
        super().show(view)


def test_exposure_is_locked_while_a_round_is_read() -> None:
    clock = SimulatedClock(5_000 * MS)
    camera = LockingCamera(clock)
    display = ExposureDisplay(clock, camera)
    throw(hand_table(camera, default_zones(3), LenientJudge(), display, clock), ASK, PLAYERS)
    assert display.was_locked == [True] * 6 and not camera.is_locked


def finish_round(
    judgement: Judgement, players: Sequence[Player] = PLAYERS[:2], prompt: Prompt = LENIENT, **house_rules: object
) -> SimpleNamespace:
    """Finish a judged round whose zones are as large as the small camera's frames."""
    table, _, _ = make_table(HouseRules(**house_rules))  # type: ignore[arg-type]  # its own fields
    small = tuple(replace(seat, crop=Box(0, 0, 32, 36)) for seat in judgement.seats)
    asked = RoundRequest(prompt, tuple(players))
    return flatten(table.finish_round(asked, replace(judgement, seats=small), FRAMES[:60]), players)


@pytest.mark.parametrize(
    ("fouls", "answers"), [(None, None), (1, None), (2, {1: "paper", 2: None}), (3, {1: "paper", 2: None})]
)
def test_a_player_without_replays_left_forfeits_the_round(fouls: int | None, answers: dict[int, str | None]) -> None:
    players = (Player(1, "Ada"), Player(2, "Bo", fouls=fouls))
    thrown = finish_round(judgement(Verdict.LATE), players, forfeit_after=2)
    assert thrown.answers == answers and thrown.fouls == (2,)


def test_the_first_foul_is_replayed_even_if_only_one_is_allowed() -> None:
    assert finish_round(judgement(Verdict.LATE), forfeit_after=1).answers is None


def test_a_throw_that_the_game_does_not_allow_is_replayed_and_named() -> None:
    prompt = replace(ASK, seats={1: THROW_CHOICES, 2: Choices(("paper",))})
    thrown = finish_round(judgement(Verdict.ON_TIME), prompt=prompt, on_foul=FoulRule.STAND)
    assert thrown.answers is None and thrown.fouls == (2,)
    assert thrown.reveal.sentence == verdicts.illegal_throws_sentence({"Bo": "rock"})
    assert [seat.is_foul for seat in thrown.reveal.seats] == [False, True], "the reveal blames whom the journal does"
    assert [seat_verdict(seat) for seat in thrown.reveal.seats] == ["On time", "NOT ALLOWED"]


def test_a_hand_missing_as_the_game_allows_is_revealed_without_a_foul() -> None:
    thrown = finish_round(judgement(Verdict.UNSEEN), prompt=replace(LENIENT, time_limit=TimeLimit(10.0)))
    assert thrown.fouls == () and [seat.is_foul for seat in thrown.reveal.seats] == [False, False]
    assert thrown.reveal.seats[1].verdict == Verdict.UNSEEN, "it says all the same what was seen"


LATE = replace(judgement(Verdict.LATE).seats[1], throw=Throw.PAPER, shown=TimeEstimate(CUE + 330 * MS, MS))
CHANGED = replace(LATE, verdict=Verdict.CHANGED, throw=Throw.ROCK, changed_to=Throw.SCISSORS)
HIDDEN = replace(LATE, verdict=Verdict.ON_TIME, throw=None, at_lock=None)
CAMERA_MOVED = VoidReason(VoidKind.MOVED, None, 0.06)


@pytest.mark.parametrize(
    ("second", "more", "throws", "verdict", "foul", "after_first_ms"),
    [
        (LATE, {}, ("rock", "paper"), "late", True, 330),  # at the lock, and what the hand came to
        (CHANGED, {}, ("rock", "scissors"), "changed", True, 330),
        (replace(LATE, verdict=Verdict.EARLY), {}, ("paper", "rock"), "early", True, 330),
        (replace(LATE, verdict=Verdict.UNSEEN, shown=None), {}, ("rock",), "unseen", True, None),
        (LATE, {"first_ns": None}, ("rock", "paper"), "late", True, None),
        (LATE, {"first_ns": CUE - 30 * MS}, ("rock", "paper"), "late", True, 360),
        (LATE, {"void_reason": CAMERA_MOVED}, ("rock", "paper"), VOID_VERDICT, False, None),  # nobody is to blame
        (HIDDEN, {}, (), VOID_VERDICT, False, None),
        (replace(HIDDEN, verdict=Verdict.UNREAD), {}, (), "not read", False, None),
        (replace(HIDDEN, card_marker=7), {}, (), "on time", False, 330),  # a blank card is no throw
    ],
    ids=[
        "late",
        "changed",
        "early",
        "unseen",
        "no first hand",
        "early first",
        "void",
        "hidden",
        "unread card",
        "blank card",
    ],
)
def test_seat_reveal(
    second: SeatVerdict,
    more: dict[str, object],
    throws: tuple[str, ...],
    verdict: str,
    foul: bool,
    after_first_ms: float | None,
) -> None:
    made = judgement(Verdict.ON_TIME)
    made = replace(made, seats=(made.seats[0], second), **more)  # type: ignore[arg-type]  # fields of a judgement
    seat: SeatView = finish_round(made).reveal.seats[1]
    assert (seat.throws, seat.verdict, seat.is_foul, seat.timed_ms) == (
        throws,
        verdict,
        foul,
        after_first_ms,
    )


THROWS = st.none() | st.sampled_from(Throw)
THROWN_VERDICTS = (Verdict.LATE, Verdict.EARLY, Verdict.CHANGED, Verdict.PLAYED, Verdict.ON_TIME)


@given(
    st.sampled_from(THROWN_VERDICTS),
    st.tuples(THROWS, THROWS, THROWS),
    st.integers(-400_000, 0),
    st.integers(-900_000, 900_000),
    st.booleans(),
)
def test_sentence_row_timeline_and_pages_give_the_same_throws_and_times(
    verdict: Verdict, shown: tuple[Throw | None, ...], first_us: int, shown_us: int, by_card: bool
) -> None:
    at_lock, throw, changed_to = shown
    shown_us = -200_000 - abs(shown_us) if verdict is Verdict.EARLY else first_us + 150_000 + abs(shown_us)
    made = judgement(Verdict.ON_TIME)
    bo = SeatVerdict(
        *(2, verdict, throw, at_lock, TimeEstimate(CUE + shown_us * 1000, MS), RIGHT),
        changed_to=changed_to,
        card_marker=7 if by_card else None,
    )
    made = replace(made, first_ns=CUE + first_us * 1000, seats=(made.seats[0], bo))
    thrown = finish_round(made, on_foul=FoulRule.REPLAY)
    row, record = thrown.reveal.seats[1], to_record(made)
    sentence = thrown.reveal.sentence
    if verdict.is_foul and not by_card:
        assert "Bo" in sentence
    time_text = shown_time(row.timed_ms, row.early_ms)
    assert set(re.findall(r"(\d+) ms", sentence)) <= set(re.findall(r"(\d+) ms", time_text))
    assert set(re.findall("rock|paper|scissors", sentence)) <= set(row.throws)
    seat = make_seat(2, PlayerLink(None, "Bo"), None, record.after_first_ms(2), str(verdict))
    seat = replace(seat, record=record.seats[2], is_foul=verdict.is_foul)
    on_page = format_lateness(seat).replace("first hand", "first")
    assert on_page == time_text or row.verdict in (VOID_VERDICT, *CARD_VERDICTS)
    if time_text:
        assert re.findall(r"(\d+) ms", render_timeline(made))[-1:] == re.findall(r"(\d+) ms", time_text)


@pytest.mark.parametrize("rule", list(FoulRule))
@pytest.mark.parametrize("verdict", FOULS)
def test_a_stored_sentence_is_shown_in_the_screens_language(verdict: Verdict, rule: FoulRule) -> None:
    record = to_record(judgement(verdict))
    text = str(verdict_text(record, (2,), False, verdicts.seat_placeholders(NAMES), rule))
    shown = stored_text(record, (2,), False, text, {1: "Ada", 2: verdicts.default_name(2)})
    assert shown == verdicts.fill_names(text, {})
    assert isinstance(shown, LazyText)
    german = shown.render(load_translations("de"))
    assert "Person 2" in german and "Player" not in german and german != shown
    struck = stored_text(record, (2,), False, "{2} was struck by lightning.", {2: "Bo"})
    assert struck == "Bo was struck by lightning.", "an earlier version's own words"


def test_the_causes_of_cards_are_those_of_their_judge() -> None:
    assert tuple(CardCause) == CARD_CAUSES
