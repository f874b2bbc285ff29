"""A round that is judged while its frames arrive: the same verdict as afterwards, and not before nothing can change."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vision.lock.judge
import vision.lock.observed_round
from device.camera.frames import Frame
from rules.record.judgement import Verdict
from tests.helpers.scripted_hands import (
    CUE,
    MS,
    SEATING,
    HandScript,
    ScriptedDetector,
    hand_frames,
    hand_script,
    look_without_mirror,
    performance_of,
)
from vision.lock.camera_checks import check_camera
from vision.lock.judge import Judge
from vision.lock.judgement import HAND_WINDOW_NS, Judgement, LockError
from vision.lock.observed_round import FIST_HOLD_NS, OPEN_HAND_HOLD_NS, ObservedRound
from vision.lock.occupancy import resolve_foreign_hands
from vision.lock.reasons import VoidKind, VoidReason
from vision.lock.segments import COARSE_STEP_NS, coarse_pass
from vision.lock.verdict import search_end_ns
from vision.lock.zone_view import ZoneView
from vision.zones import Zone

ZONES = [Zone(*zone) for zone in SEATING.zones]
END = search_end_ns(CUE, HAND_WINDOW_NS)


@dataclass
class LiveRound:
    """A round whose frames arrive one after the other. ``asked_ns`` are the times until which they were asked for, and
    ``calls_when_asked`` how often the hand model had been called then; ``calls_when_read`` the same whenever hands had
    been read."""

    frames: Sequence[Frame]
    detector: ScriptedDetector
    asked_ns: list[int] = field(default_factory=list)
    calls_when_asked: list[int] = field(default_factory=list)
    calls_when_read: list[int] = field(default_factory=list)
    seen: list[set[int]] = field(default_factory=list)

    def frames_until(self, until_ns: int) -> Sequence[Frame]:
        self.asked_ns.append(until_ns)
        self.calls_when_asked.append(self.detector.calls)
        return self.frames[: bisect_right(self.frames, until_ns, key=lambda frame: frame.exposed_ns)]

    def on_seen(self, numbers: Collection[int]) -> None:
        self.seen.append(set(numbers))

    def on_read(self) -> None:
        self.calls_when_read.append(self.detector.calls)


def judge_live(*scripts: HandScript, can_track: bool = False) -> tuple[Judgement, LiveRound]:
    frames, detector = hand_frames(*scripts)
    detector.can_track = can_track
    live = LiveRound(frames, detector)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
        patch.setattr(vision.lock.judge, "second_looks", look_without_mirror)
        with Judge(seats=1) as judge:
            zones = ZONES[: len(scripts)]
            judgement = judge.judge_live(live.frames_until, zones, CUE, on_seen=live.on_seen, on_read=live.on_read)
    return judgement, live


def throws(*hands: tuple[str, float], **more: object) -> list[HandScript]:
    return [hand_script(performance_of(throw, shown_ms, **more)) for throw, shown_ms in hands]


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["rock", "paper", "scissors"]), st.floats(-100, 450)), min_size=2, max_size=2),
    st.booleans(),
)
@pytest.mark.slow
def test_a_recording_is_judged_as_it_was_live(hands: list[tuple[str, float]], can_track: bool) -> None:
    live, _ = judge_live(*throws(*hands), can_track=can_track)
    frames, detector = hand_frames(*throws(*hands))
    detector.can_track = can_track
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
        patch.setattr(vision.lock.judge, "second_looks", look_without_mirror)
        with Judge(seats=1) as judge:
            recorded = judge(frames, ZONES[:2], CUE)
    assert (live.lock_ns, live.first_ns, live.decided_ns) == (recorded.lock_ns, recorded.first_ns, recorded.decided_ns)
    same = attrgetter("verdict", "throw", "at_lock", "shown", "changed_to", "hand_boxes")
    assert [same(one) for one in live.seats] == [same(one) for one in recorded.seats]
    assert live.void_reason == recorded.void_reason


def test_the_judge_reports_whenever_hands_have_been_read() -> None:
    """So that a slow box can say what it does, without waiting for the end of a look."""
    _, live = judge_live(*throws(("paper", 0), ("scissors", 60)))
    assert live.calls_when_read[-1] == live.detector.calls
    assert len(set(live.calls_when_read)) > len(set(live.calls_when_asked))


@pytest.mark.parametrize(
    ("hands", "hold_ns"),
    [
        ((("paper", 0), ("scissors", 60)), OPEN_HAND_HOLD_NS),
        ((("paper", -40), ("paper", 90)), OPEN_HAND_HOLD_NS),
        ((("rock", 0), ("scissors", 60)), FIST_HOLD_NS),
    ],
)
def test_a_clear_round_is_decided_once_throws_were_kept(hands: Sequence[tuple[str, float]], hold_ns: int) -> None:
    judgement, live = judge_live(*throws(*hands))
    assert [one.verdict for one in judgement.seats] == [Verdict.ON_TIME] * 2
    assert judgement.decided_ns == live.asked_ns[-1]
    assert hold_ns <= judgement.decided_ns - judgement.lock_ns < hold_ns + 20 * MS
    assert live.asked_ns == sorted(live.asked_ns)


@pytest.mark.parametrize(
    ("scripts", "verdict"),
    [
        (throws(("paper", 0), ("scissors", 400)), Verdict.LATE),
        (throws(("rock", 0), ("scissors", 540)), Verdict.LATE),  # a fist like a rock's until then
        (throws(("paper", -300), ("scissors", 20))[::-1], Verdict.EARLY),
        ([*throws(("paper", 0)), lambda when: None], Verdict.UNSEEN),
        (
            [*throws(("rock", 0)), *throws(("paper", 0), changes_to="scissors", change_after_ns=480 * MS)],
            Verdict.CHANGED,
        ),
        (
            [*throws(("paper", 0)), *throws(("paper", 0), changes_to="scissors", change_after_ns=300 * MS)],
            Verdict.CHANGED,
        ),
    ],
    ids=["late", "late out of a resting fist", "early", "missing", "changed next to a fist", "changed"],
)
def test_late_missing_and_changing_hands_get_all_the_time(scripts: Sequence[HandScript], verdict: Verdict) -> None:
    judgement, live = judge_live(*scripts)
    assert judgement.seats[1].verdict is verdict
    assert judgement.decided_ns is None and live.asked_ns[-1] == END


@pytest.mark.parametrize("kind", [VoidKind.REACHING, VoidKind.DARK])
def test_a_round_that_may_be_void_is_not_decided_early(kind: VoidKind, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = VoidReason(kind, 1)
    if kind is VoidKind.REACHING:
        monkeypatch.setattr(
            vision.lock.judge, "resolve_foreign_hands", lambda *args: (resolve_foreign_hands(*args)[0], reason)
        )
    else:
        monkeypatch.setattr(ObservedRound, "check_camera", lambda *args: reason)
    judgement, live = judge_live(*throws(("paper", 0), ("scissors", 20)))
    assert judgement.void_reason is reason
    assert judgement.decided_ns is None and live.asked_ns[-1] == END


def test_what_open_hands_do_after_the_decision_changes_nothing() -> None:
    paper, *_ = throws(("paper", 0))
    judgement, _ = judge_live(paper, *throws(("paper", 0), changes_to="rock", change_after_ns=700 * MS))
    assert judgement.decided_ns is not None and judgement.decided_ns < CUE + 500 * MS
    assert [one.verdict for one in judgement.seats] == [Verdict.ON_TIME] * 2


def test_seen_throw_is_shown_before_the_decision() -> None:
    judgement, live = judge_live(*throws(("paper", 0), ("scissors", 20)))
    assert judgement.decided_ns is not None and live.seen[-1] == {0, 1}
    _, waiting = judge_live(*throws(("paper", 0)), lambda when: None)
    assert waiting.seen == [{0}]


@pytest.mark.parametrize("hands", [(("paper", 0), ("scissors", 60)), (("rock", 10), ("paper", 60))])
def test_looking_while_frames_arrive_takes_few_more_calls(hands: Sequence[tuple[str, float]]) -> None:
    """At most 1.3 times those of judging the whole recording afterwards."""
    _, live = judge_live(*throws(*hands))
    frames, detector = hand_frames(*throws(*hands))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
        patch.setattr(vision.lock.judge, "second_looks", look_without_mirror)
        with Judge(seats=1) as judge:
            afterwards = ObservedRound(ZONES[:2], CUE, HAND_WINDOW_NS, None)
            afterwards.extend(frames)
            judge.judge_round(afterwards, judge.follow_hands(afterwards))
    assert live.detector.calls <= 1.3 * detector.calls


def test_second_looks_overlap_the_last_frames() -> None:
    judgement, live = judge_live(*throws(("paper", 0), ("scissors", 330)))
    assert judgement.seats[1].verdict is Verdict.LATE
    assert live.detector.calls - live.calls_when_asked[-1] <= live.detector.calls / 4


def test_hands_are_looked_at_before_the_cue() -> None:
    _, live = judge_live(*throws(("paper", 0), ("scissors", 60)))
    assert live.asked_ns[0] < CUE < live.asked_ns[1]
    assert live.calls_when_asked[0] == 0 < live.calls_when_asked[1]


def test_one_look_per_hand_is_left_at_the_last_frame() -> None:
    _, live = judge_live(*throws(("paper", 0), ("scissors", 60)))
    assert live.detector.calls - live.calls_when_asked[-1] <= 2


def test_camera_is_checked_once_and_early(monkeypatch: pytest.MonkeyPatch) -> None:
    until_ns = list[int]()

    def note_check(frames: Sequence[Frame], *args: Any) -> VoidReason | None:
        until_ns.append(frames[-1].exposed_ns)
        return check_camera(frames, *args)

    monkeypatch.setattr(vision.lock.observed_round, "check_camera", note_check)
    judgement, live = judge_live(*throws(("paper", 0), ("scissors", 60)))
    assert judgement.decided_ns is not None
    assert len(until_ns) == 1 and judgement.lock_ns < until_ns[0] <= live.asked_ns[-2]


@pytest.mark.parametrize(("seen_from_ms", "all_read"), [(-1_000, True), (40, True), (200, False)])
def test_hands_read_that_were_seen_around_the_cue_say_that_nothing_covered_the_camera(
    monkeypatch: pytest.MonkeyPatch, seen_from_ms: int, all_read: bool
) -> None:
    """Hands that come up from behind a cover long after the cue don't."""
    told = list[bool]()

    def check_camera(*args: Any) -> None:
        told.append(args[-1])

    def seen_from(script: HandScript) -> HandScript:
        return lambda when: script(when) if when >= CUE + seen_from_ms * MS else None

    monkeypatch.setattr(vision.lock.observed_round, "check_camera", check_camera)
    judge_live(*(seen_from(script) for script in throws(("paper", 0), ("scissors", 20))))
    assert told[-1] is all_read


def test_too_few_frames_raise_an_error_at_the_end() -> None:
    frames, detector = hand_frames(*throws(("paper", 0)))
    live = LiveRound(frames[:2], detector)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
        patch.setattr(vision.lock.judge, "second_looks", look_without_mirror)
        with Judge(seats=1) as judge, pytest.raises(LockError, match="only 2 frames"):
            judge.judge_live(live.frames_until, ZONES[:1], CUE)
    assert live.asked_ns[-1] == END


@settings(max_examples=20, deadline=None)
@given(st.integers(CUE // MS + 100, END // MS))
def test_coarse_pass_is_the_same_live(until_ms: int) -> None:
    """All but its latest frame."""
    frames, detector = hand_frames(*throws(("paper", 0)))
    whole = ZoneView(frames, ZONES[0], detector)
    every = set(coarse_pass(whole, CUE - 700 * MS, END, CUE - HAND_WINDOW_NS, END))
    growing = ZoneView(frames[:10], ZONES[0], detector)
    growing.extend([frame for frame in frames if frame.exposed_ns <= until_ms * MS])
    assert (growing.times_ns == whole.times_ns[: len(growing.times_ns)]).all()
    part = coarse_pass(growing, CUE - 700 * MS, int(growing.times_ns[-1]), CUE - HAND_WINDOW_NS, END)
    steps = [int(later - earlier) for earlier, later in pairwise(part)]
    interval_ns = int(growing.times_ns[1] - growing.times_ns[0])
    assert all(step * interval_ns <= 1.5 * COARSE_STEP_NS + interval_ns for step in steps)
    assert set(part[:-1]) <= every
