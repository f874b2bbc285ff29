"""The verdict on a seat: a case for each verdict, the edges of the window, and hands unclear in the lock frame."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.simulated.table.animation import Stance
from rules.record.judgement import INTERVAL_SIGMAS, Verdict
from rules.throws import Throw
from tests.helpers.scripted_hands import (
    CUE,
    MS,
    ZONE,
    HandScript,
    hand_frames,
    hand_script,
    lifted,
    performance_of,
    view_of,
)
from vision.lock.inference import TimeEstimate
from vision.lock.judgement import HAND_WINDOW_NS
from vision.lock.reasons import HandCause
from vision.lock.verdict import SeatTimeline, SeatVerdict, compare_with_lock
from vision.lock.zone_view import ZoneView

LOCK = CUE + HAND_WINDOW_NS  # the first hand showed on the cue


def judge_seat(script: HandScript, lock: int = LOCK) -> SeatVerdict:
    return SeatTimeline(view_of(script), CUE, HAND_WINDOW_NS).verdict(1, CUE, lock)


def relaxed(time_ns: int) -> Stance:
    """Paper, held for 700 ms and then let go to a fist."""
    return Stance(paper=1) if time_ns < CUE + 700 * MS else Stance()


CASES = [
    ("paper on time", hand_script(performance_of("paper", 40)), Verdict.ON_TIME, "paper"),
    ("rock on time", hand_script(performance_of("rock", 40)), Verdict.ON_TIME, "rock"),
    ("a fist all along", lambda when: Stance(), Verdict.ON_TIME, "rock"),
    ("a little before the cue", hand_script(performance_of("scissors", -100)), Verdict.ON_TIME, "scissors"),
    ("late", hand_script(performance_of("paper", 300)), Verdict.LATE, "paper"),
    ("a late fist", hand_script(performance_of("rock", 300)), Verdict.LATE, "rock"),
    ("hardly late", hand_script(performance_of("paper", 169)), Verdict.TOO_CLOSE, "paper"),
    ("a fist that is hardly late", hand_script(performance_of("rock", 192)), Verdict.TOO_CLOSE, "rock"),
    ("early", hand_script(performance_of("paper", -250)), Verdict.EARLY, "paper"),
    ("open from the first frame", lambda when: Stance(scissors=1), Verdict.EARLY, "scissors"),
    (
        "changed",
        hand_script(performance_of("paper", 20, changes_to="scissors", change_after_ns=330 * MS)),
        Verdict.CHANGED,
        "paper",
    ),
    (
        "back to a fist",
        hand_script(performance_of("paper", 20, changes_to="rock", change_after_ns=330 * MS)),
        Verdict.CHANGED,
        "paper",
    ),
    ("half open", hand_script(performance_of("paper", 20, half_open=True)), Verdict.UNCLEAR, None),
    ("nobody there", lambda when: None, Verdict.UNSEEN, None),
    ("out of view", hand_script(performance_of("paper", 20, hidden=True)), Verdict.UNSEEN, None),
    ("completed within 100 ms", hand_script(performance_of("paper", 155)), Verdict.ON_TIME, "paper"),
    ("let go long after", hand_script(performance_of("paper", 20, hold_ns=700 * MS)), Verdict.ON_TIME, "paper"),
]


@pytest.mark.parametrize(("script", "verdict", "throw"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_verdicts(script: HandScript, verdict: Verdict, throw: str | None) -> None:
    seat = judge_seat(script)
    assert (seat.verdict, seat.throw) == (verdict, throw)
    assert seat.verdict.is_foul == (verdict not in (Verdict.ON_TIME, Verdict.TOO_CLOSE))


@pytest.mark.parametrize("since_ms", [-900, -500])
def test_search_begins_at_the_first_frame(since_ms: int) -> None:
    """The hand is open in its first frames, closes, and lands as a fist."""
    rock = performance_of("rock", 20)
    frames, detector = hand_frames(
        lambda when: Stance(paper=1) if when < CUE + (since_ms + 150) * MS else rock.stance(when),
        since=CUE + since_ms * MS,
    )
    seat = SeatTimeline(ZoneView(frames, ZONE, detector), CUE, HAND_WINDOW_NS).verdict(1, CUE, LOCK)
    assert (seat.verdict, seat.throw) == (Verdict.ON_TIME, "rock")


def test_frames_that_all_lie_before_the_search_show_nobody() -> None:
    frames, detector = hand_frames(lambda when: Stance(), until=CUE - 800 * MS)
    timeline = SeatTimeline(ZoneView(frames, ZONE, detector), CUE, HAND_WINDOW_NS, is_growing=True)
    assert timeline.decisive is None and not timeline.is_at_rest


def test_every_verdict_has_a_case() -> None:
    other_judges = {Verdict.TWO_HANDS, Verdict.WRONG_ZONE}  # need more than one hand: not judged by a timeline
    names = ("LIFTED", "TWO_CARDS", "NOT_THEIRS", "PLAYED", "WRONG_DECK", "COPY", "TOO_MANY", "UNREAD")
    other_judges |= {Verdict[name] for name in names}  # a card's: tests/vision/cards/test_card_lock.py
    assert {case[2] for case in CASES} == set(Verdict) - other_judges


def test_a_changed_hand_has_its_later_throw() -> None:
    seat = judge_seat(hand_script(performance_of("paper", 20, changes_to="scissors", change_after_ns=330 * MS)))
    assert (seat.at_lock, seat.changed_to) == (Throw.PAPER, Throw.SCISSORS)


def test_a_late_hand_showed_a_fist_at_the_lock() -> None:
    seat = judge_seat(hand_script(performance_of("paper", 330)))
    assert (seat.throw, seat.at_lock) == (Throw.PAPER, Throw.ROCK)


def test_a_change_before_the_lock_is_allowed() -> None:
    """Whatever a hand shows at the lock is its throw."""
    seat = judge_seat(
        hand_script(performance_of("paper", -60, changes_to="scissors", change_after_ns=130 * MS)), LOCK + 50 * MS
    )
    assert seat.at_lock is Throw.SCISSORS
    assert seat.verdict is Verdict.ON_TIME


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["rock", "paper", "scissors"]), st.floats(-130, 450))
def test_on_time_is_within_the_window_and_late_beyond(throw: str, at_ms: float) -> None:
    """Between the lock and 100 ms after it any is right: an opening may have begun."""
    verdict = judge_seat(hand_script(performance_of(throw, at_ms))).verdict
    if at_ms < 140:
        assert verdict is Verdict.ON_TIME
    elif at_ms > 250:
        assert verdict is Verdict.LATE
    else:
        assert verdict in (Verdict.ON_TIME, Verdict.TOO_CLOSE, Verdict.LATE)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["paper", "scissors"]), st.floats(-400, -50))
def test_early_is_before_the_window_around_the_cue(throw: str, at_ms: float) -> None:
    verdict = judge_seat(hand_script(performance_of(throw, at_ms))).verdict
    if abs(at_ms + 150) > 15:
        assert (verdict is Verdict.EARLY) == (at_ms < -150)


@settings(max_examples=20, deadline=None)
@given(st.floats(-190, -120))
def test_early_is_beyond_the_uncertainty_of_the_time(at_ms: float) -> None:
    seat = judge_seat(hand_script(performance_of("paper", at_ms)))
    assert seat.shown is not None
    until_ns = CUE - HAND_WINDOW_NS - seat.shown.time_ns
    surely = until_ns > 1.96 * seat.shown.sigma_ns
    assert seat.verdict is (Verdict.EARLY if surely else Verdict.TOO_CLOSE if until_ns > 0 else Verdict.ON_TIME)


@pytest.mark.parametrize(
    ("sigma_ms", "late_ms", "verdict"),
    [(100, 101, Verdict.LATE), (149, 101, Verdict.LATE), (151, 290, Verdict.TOO_CLOSE), (151, 300, Verdict.LATE)],
)
def test_unknown_time_is_doubted_by_its_interval(sigma_ms: int, late_ms: int, verdict: Verdict) -> None:
    shown = TimeEstimate(LOCK + late_ms * MS, sigma_ms * MS)
    assert compare_with_lock(shown, LOCK, 0, 25 * MS) is verdict


@pytest.mark.parametrize(("after_ms", "verdict"), [(45, Verdict.TOO_CLOSE), (110, Verdict.LATE)])
def test_an_unclear_lock_frame_accuses_nobody(after_ms: int, verdict: Verdict) -> None:
    """As far as the uncertainty of the times allows, and never for a throw 100 ms late."""
    truth = performance_of("paper", (LOCK - CUE) / MS + after_ms)
    timeline = SeatTimeline(
        view_of(lambda when: None if abs(when - LOCK) < 20 * MS else truth.stance(when)), CUE, HAND_WINDOW_NS
    )
    assert timeline.verdict(1, CUE, LOCK, 50 * MS).verdict is verdict


@pytest.mark.parametrize("throw", ["rock", "paper", "scissors"])
def test_hand_missing_at_the_lock_is_read_from_both_sides(throw: str) -> None:
    truth = performance_of(throw, 0)
    seat = judge_seat(lambda when: None if abs(when - LOCK) < 40 * MS else truth.stance(when))
    assert (seat.verdict, seat.at_lock) == (Verdict.ON_TIME, throw)


def test_a_timeline_without_a_cue_finds_the_throw() -> None:
    timeline = SeatTimeline(view_of(hand_script(performance_of("scissors", 77))), None, HAND_WINDOW_NS)
    assert timeline.decisive is not None and timeline.decisive.shown is not None
    assert timeline.decisive.shown.time_ns == pytest.approx(CUE + 77 * MS, abs=10 * MS)


def test_pumps_are_not_throws() -> None:
    timeline = SeatTimeline(view_of(hand_script(performance_of("rock", 0))), None, HAND_WINDOW_NS)
    assert [segment.throw for segment in timeline.throw_segments] == [Throw.ROCK]


# -------- the figures of the lock, to the nanosecond: each test sets the lock relative to the time found for the hand


def timeline_of(script: HandScript) -> SeatTimeline:
    return SeatTimeline(view_of(script), CUE, HAND_WINDOW_NS)


def shown_of(timeline: SeatTimeline) -> TimeEstimate:
    assert timeline.decisive is not None and timeline.decisive.shown is not None
    return timeline.decisive.shown


def set_sigma(timeline: SeatTimeline, sigma_ns: int) -> None:
    """Give the time of the hand another uncertainty."""
    decisive = timeline.decisive
    assert decisive is not None
    timeline.decisive = replace(decisive, shown=TimeEstimate(shown_of(timeline).time_ns, sigma_ns))
    timeline.throw_segments = [timeline.decisive if one is decisive else one for one in timeline.throw_segments]


def find_fist_after_lock(time_ns: int) -> Stance | None:
    """A fist that is first found 30 ms after the lock."""
    return Stance() if time_ns > LOCK + 30 * MS else None


@pytest.mark.parametrize(
    "script", [hand_script(performance_of("rock", 200)), find_fist_after_lock], ids=["seen", "lost in its swing"]
)
def test_a_rock_landing_50_ms_late_is_on_time(script: HandScript) -> None:
    """If its time is certain."""
    timeline = timeline_of(script)
    set_sigma(timeline, 0)
    landed_ns = shown_of(timeline).time_ns
    on_time, late = (timeline.verdict(1, CUE, landed_ns - after_ns) for after_ns in (50 * MS, 50 * MS + 1))
    assert (on_time.verdict, on_time.throw, on_time.at_lock) == (Verdict.ON_TIME, Throw.ROCK, Throw.ROCK)
    assert (late.verdict, late.throw) == (Verdict.LATE, Throw.ROCK)


def test_a_fist_gone_before_the_lock_is_unseen() -> None:
    """Only a fist that is still coming down counts as seen in the lock frame."""
    truth = performance_of("rock", 0)
    timeline = timeline_of(lambda when: truth.stance(when) if when < CUE + 200 * MS else None)
    assert timeline.verdict(1, CUE, shown_of(timeline).time_ns + 600 * MS).verdict is Verdict.UNSEEN


class FakeTransition:
    """A fake ShapeTransition with the same progress in every frame."""

    def __init__(self, progress: float | None) -> None:
        self._progress = progress

    def progress(self, index: int) -> float | None:
        return self._progress


def set_progress(timeline: SeatTimeline, progress: float | None) -> None:
    """Set how much of the hand's opening the lock frame shows; None: nothing can be measured in it."""
    timeline.throw_segments = [
        replace(segment, transition=FakeTransition(progress)) if segment.is_open_hand else segment  # type: ignore[arg-type]
        for segment in timeline.throw_segments
    ]


@pytest.mark.parametrize(
    ("sigma_ms", "lock_sigma_ms", "doubt_ms"),
    [(0, 0, 25), (12, 0, 25), (20, 0, 39.2), (0, 20, 39.2), (12, 16, 39.2), (30, 40, 98), (0, 150, 100), (0, 200, 392)],
)
@pytest.mark.parametrize("progress", [None, 0.0])
def test_late_needs_the_whole_interval_after_the_lock(
    progress: float | None, sigma_ms: int, lock_sigma_ms: int, doubt_ms: float
) -> None:
    """The 95 % interval, whose halves are the root of the sum of squares of both; at most 100 ms where the times are
    known, and at least the 25 ms that an opening takes from its start to its middle."""
    timeline = timeline_of(hand_script(performance_of("paper", 250)))
    set_sigma(timeline, sigma_ms * MS)
    set_progress(timeline, progress)
    limit_ns = shown_of(timeline).time_ns - round(doubt_ms * MS)
    verdicts = [timeline.verdict(1, CUE, lock_ns, lock_sigma_ms * MS) for lock_ns in (limit_ns, limit_ns - 1)]
    is_certain = sigma_ms + lock_sigma_ms == 0
    assert [seat.verdict for seat in verdicts] == [Verdict.ON_TIME if is_certain else Verdict.TOO_CLOSE, Verdict.LATE]
    assert [seat.throw for seat in verdicts] == [Throw.PAPER, Throw.PAPER]


@pytest.mark.parametrize(("sigma_ms", "on_time_ms"), [(0, 25), (5, 15.2), (12, 1.48), (13, 0), (60, 0)])
def test_a_certain_opening_25_ms_late_is_on_time(sigma_ms: int, on_time_ms: float) -> None:
    """So is one before the lock, however uncertain."""
    timeline = timeline_of(hand_script(performance_of("paper", 250)))
    set_sigma(timeline, sigma_ms * MS)
    set_progress(timeline, 0.0)
    lock_ns = shown_of(timeline).time_ns - round(on_time_ms * MS)
    assert timeline.verdict(1, CUE, lock_ns).verdict is Verdict.ON_TIME
    assert timeline.verdict(1, CUE, lock_ns - 1).verdict is (Verdict.TOO_CLOSE if sigma_ms else Verdict.LATE)


@pytest.mark.parametrize(("late_ms", "verdict"), [(100, Verdict.ON_TIME), (101, Verdict.TOO_CLOSE)])
def test_a_throw_250_ms_late_is_never_on_time(late_ms: int, verdict: Verdict) -> None:
    timeline = timeline_of(hand_script(performance_of("paper", 0)))
    lock_ns = CUE + 150 * MS
    assert timeline.decisive is not None
    shown = TimeEstimate(lock_ns + late_ms * MS, 10 * MS)
    timeline.decisive = replace(timeline.decisive, shown=shown)
    seat = timeline.verdict(1, CUE, lock_ns)
    assert (seat.at_lock, seat.verdict) == (Throw.PAPER, verdict)


def test_misread_times_are_too_close_to_call() -> None:
    """On two filmed rocks the difference was read so, with uncertainties of 31 and 15 ms."""
    timeline = timeline_of(hand_script(performance_of("rock", 205)))
    set_sigma(timeline, 31 * MS)
    seat = timeline.verdict(1, CUE, shown_of(timeline).time_ns - 55 * MS, 15 * MS)
    assert (seat.verdict, seat.throw, seat.verdict.is_foul) == (Verdict.TOO_CLOSE, Throw.ROCK, False)


def test_a_too_close_throw_has_an_image_of_its_own() -> None:
    timeline = timeline_of(hand_script(performance_of("paper", 250)))
    set_sigma(timeline, 40 * MS)
    seat = timeline.verdict(1, CUE, shown_of(timeline).time_ns - 70 * MS)
    assert (seat.verdict, seat.throw, seat.at_lock) == (Verdict.TOO_CLOSE, Throw.PAPER, Throw.ROCK)
    assert seat.proof_frame is not None and seat.proof_frame.exposed_ns > shown_of(timeline).time_ns


@pytest.mark.parametrize(("sigma_ms", "doubt_ms"), [(0, 0), (7, 13.72), (50, 98), (52, 100), (150, 100), (400, 784)])
def test_early_needs_the_whole_interval_before_the_window(sigma_ms: int, doubt_ms: float) -> None:
    timeline = timeline_of(hand_script(performance_of("paper", -200)))
    set_sigma(timeline, sigma_ms * MS)
    shown_ns = shown_of(timeline).time_ns
    latest_cue_ns = shown_ns + round(doubt_ms * MS) + HAND_WINDOW_NS
    cues = (shown_ns + HAND_WINDOW_NS, latest_cue_ns, latest_cue_ns + 1)
    seats = [timeline.verdict(1, cue, shown_ns + HAND_WINDOW_NS) for cue in cues]
    doubtful = Verdict.TOO_CLOSE if sigma_ms else Verdict.ON_TIME
    assert [seat.verdict for seat in seats] == [Verdict.ON_TIME, doubtful, Verdict.EARLY]
    assert {seat.throw for seat in seats} == {Throw.PAPER}


@pytest.mark.parametrize("changes_to", ["scissors", "rock"])
def test_a_change_counts_up_to_500_ms_after_the_lock(changes_to: str) -> None:
    timeline = timeline_of(hand_script(performance_of("paper", 20, changes_to=changes_to, change_after_ns=600 * MS)))
    *_, change = timeline.throw_segments
    assert change.throw == changes_to and change.shown is not None
    changed_ns = change.shown.time_ns
    changed, held = (timeline.verdict(1, CUE, changed_ns - after_ns) for after_ns in (500 * MS, 500 * MS + 1))
    assert (changed.verdict, changed.throw, changed.changed_to) == (Verdict.CHANGED, Throw.PAPER, Throw(changes_to))
    assert (held.verdict, held.throw, held.changed_to) == (Verdict.ON_TIME, Throw.PAPER, None)
    assert changed.proof_frame is not None and held.proof_frame is None
    just_before = timeline.verdict(1, CUE, changed_ns - 30 * MS)
    assert (just_before.verdict, just_before.at_lock) == (Verdict.CHANGED, Throw.PAPER)
    doubtful = timeline.verdict(1, CUE, changed_ns - 30 * MS, 20 * MS)
    assert (doubtful.verdict, doubtful.throw, doubtful.changed_to) == (
        Verdict.TOO_CLOSE, Throw.PAPER, Throw(changes_to),
    )  # fmt: skip
    assert doubtful.proof_frame is not None


@pytest.mark.parametrize(
    ("progress", "until_shown_ms", "verdict"),
    [
        (0.2, 100, Verdict.ON_TIME),
        (0.19, 100, Verdict.LATE),
        (0.2, 100.001, Verdict.LATE),
        (1.0, 101, Verdict.LATE),
        (0.0, 15, Verdict.ON_TIME),
        (0.0, 25, Verdict.TOO_CLOSE),
        (0.0, 25.001, Verdict.LATE),
    ],
)
def test_opening_at_the_lock_is_its_throw(progress: float, until_shown_ms: float, verdict: Verdict) -> None:
    """Within 100 ms where the lock frame shows that it has begun; within 25 ms where it shows a fist (here ± 10)."""
    timeline = timeline_of(hand_script(performance_of("paper", 250)))
    set_sigma(timeline, 5 * MS)
    set_progress(timeline, progress)
    seat = timeline.verdict(1, CUE, shown_of(timeline).time_ns - round(until_shown_ms * MS))
    assert seat.verdict is verdict
    assert (seat.at_lock is Throw.PAPER) == (verdict is Verdict.ON_TIME)


def test_hand_boxes_are_of_frames_around_the_lock() -> None:
    timeline = timeline_of(hand_script(performance_of("paper", 20)))
    view = timeline.view
    index = view.nearest_frame(CUE + 200 * MS)
    view.exact(index)
    other_times_ns = [int(view.times_ns[i]) for i in view.inspected_frames() if i != index]

    def has_box(after_lock_ns: int) -> bool:
        """Whether a box of the frame is among the hand boxes if it comes so long after the lock."""
        lock_ns = int(view.times_ns[index]) - after_lock_ns
        others = sum(-25 * MS <= at - lock_ns <= 300 * MS for at in other_times_ns)
        boxes = timeline.verdict(1, CUE, lock_ns).hand_boxes
        assert len(boxes) - others in (0, 1)
        return len(boxes) > others

    assert [has_box(after_ns) for after_ns in (-25 * MS - 1, -25 * MS, 300 * MS, 300 * MS + 1)] == [
        False, True, True, False,
    ]  # fmt: skip


def test_a_hand_found_in_the_lock_frame_alone_is_unclear() -> None:
    truth = performance_of("paper", -100)

    def script(when: int) -> Stance | None:
        if abs(when - LOCK) < 9 * MS:
            return Stance(half_open=1)
        return truth.stance(when) if when < CUE + 50 * MS else None

    seat = judge_seat(script)
    assert (seat.verdict, seat.at_lock) == (Verdict.UNCLEAR, None)


def pump_once_more(since_ms: int, landed_ms: int) -> HandScript:
    """A fist that comes down on the cue, rises again ``since_ms`` later and comes down for good at ``landed_ms``."""
    truth = performance_of("rock", 0)

    def script(when: int) -> Stance:
        after_ms = (when - CUE) / MS
        height = max(0.0, min((after_ms - since_ms) / 100, 1.0, (landed_ms - after_ms) / 220))
        return lifted(truth.stance(when), height)

    return script


def test_only_a_swing_near_the_lock_moves_the_landing() -> None:
    """The latest lock is two windows after the cue. A second swing begins 205 ms later."""
    truth = performance_of("rock", 0)

    def script(when: int) -> Stance:
        since_ms = (when - CUE - 2 * HAND_WINDOW_NS) / MS - 205
        if since_ms < 0:
            return truth.stance(when)
        return lifted(truth.stance(when), max(0.0, min(since_ms / 60, 1.0, 2.2 - since_ms / 100)))

    assert shown_of(timeline_of(script)).time_ns == pytest.approx(CUE, abs=25 * MS)


@pytest.mark.parametrize("since_ms", [150, 350])
@pytest.mark.parametrize("landed_ms", [640, 840])
def test_a_resting_fist_that_comes_down_again_is_too_close_to_call(since_ms: int, landed_ms: int) -> None:
    """Nobody can say which swing was the throw: the time reaches from the first to the last, and blames nobody."""
    seat = judge_seat(pump_once_more(since_ms, landed_ms))
    assert (seat.verdict, seat.throw, seat.cause) == (Verdict.TOO_CLOSE, Throw.ROCK, HandCause.CAME_DOWN_AGAIN)
    assert_reaches(seat, CUE + 15 * MS, CUE + landed_ms * MS)


def test_a_pump_before_the_throw_is_not_the_throw() -> None:
    """A fist that is lost to the blur of its motion but for the lowest point of a pump, and rests late."""

    def script(when: int) -> Stance | None:
        after_ms = (when - CUE) / MS
        if -440 < after_ms < -360 or 60 < after_ms < 130:
            return lifted(Stance(), 0.5 if after_ms < 0 else 1.0)
        return Stance() if after_ms > 620 else None

    seat = judge_seat(script)
    assert (seat.verdict, seat.cause) == (Verdict.TOO_CLOSE, HandCause.CAME_DOWN_AGAIN)
    assert_reaches(seat, CUE + 60 * MS, CUE + 620 * MS)


def test_a_pump_that_is_followed_by_the_throw_at_once_is_late() -> None:
    seat = judge_seat(pump_once_more(30, 440))
    assert (seat.verdict, seat.cause) == (Verdict.LATE, None)


def assert_reaches(seat: SeatVerdict, since_ns: int, until_ns: int) -> None:
    """Assert that the 95 % interval of a hand's time holds two times."""
    assert seat.shown is not None
    reach_ns = INTERVAL_SIGMAS * seat.shown.sigma_ns
    assert seat.shown.time_ns - reach_ns <= since_ns and until_ns <= seat.shown.time_ns + reach_ns


@pytest.mark.parametrize("cue", [CUE, None])
def test_frames_are_searched_around_cue_and_lock(cue: int | None) -> None:
    """Without a cue, the whole recording."""
    frames, detector = hand_frames(lambda when: Stance(half_open=1), until=CUE + 2_000 * MS, fps=100.0)
    timeline = SeatTimeline(ZoneView(frames, ZONE, detector), cue, HAND_WINDOW_NS)
    first, last = (int(timeline.view.times_ns[timeline.coarse_frames[i]]) for i in (0, -1))
    if cue is None:
        assert (first, last) == (0, CUE + 2_000 * MS)
    else:
        assert (first, last) == (CUE - 700 * MS, CUE + 2 * HAND_WINDOW_NS + 600 * MS)


@pytest.mark.parametrize(("until_ms", "verdict"), [(1_000, Verdict.UNCLEAR), (650, Verdict.ON_TIME)])
def test_fist_opened_to_no_throw_is_unclear(until_ms: int, verdict: Verdict) -> None:
    truth = performance_of("rock", 0)

    def script(when: int) -> Stance:
        is_half_open = 350 * MS < when - CUE <= until_ms * MS
        return Stance(half_open=1) if is_half_open else truth.stance(when)

    assert judge_seat(script).verdict is verdict
