"""The second look at a hand that would be accused: the mirrored frames, the median of the times, and whom it is for."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vision.lock.judge
from device.camera.frames import BgrFrame, Box, Frame
from rules.record.judgement import Verdict
from rules.throws import Throw
from tests.helpers.scripted_hands import (
    CUE,
    MS,
    SEATING,
    HandScript,
    hand_frames,
    hand_script,
    look_without_mirror,
    performance_of,
    view_of,
)
from vision.lock.inference import TimeEstimate
from vision.lock.judge import Judge
from vision.lock.judgement import HAND_WINDOW_NS, Judgement
from vision.lock.second_look import (
    PHASE_NS,
    ZoneSecondLook,
    combine_estimates,
    combine_times,
    mirror_frame,
    second_looks,
)
from vision.lock.verdict import MAX_DOUBT_NS, SeatTimeline, SeatVerdict, doubt_ns
from vision.zones import Zone

ZONES = [Zone(*zone) for zone in SEATING.zones]


def test_a_mirrored_frame_has_the_same_times_and_exchanged_sides() -> None:
    image = np.random.default_rng(1).integers(0, 255, (20, 40, 3), np.uint8)
    frame = BgrFrame(7, 90, 5, (40, 20), image, readout_ns=8)
    mirrored = mirror_frame(frame)
    assert (mirrored.number, mirrored.row_ns(3), mirrored.exposure_ns) == (7, frame.row_ns(3), 5)
    assert (mirrored.pixels() == frame.pixels()[:, ::-1]).all()
    left, right = Box(2, 4, 10, 6), Box(28, 4, 10, 6)
    assert (mirrored.pixels(left) == frame.pixels(right)[:, ::-1]).all()
    assert mirrored.pixels(left, (5, 3)).shape == (3, 5, 3)


def test_second_looks_are_mirrored_or_between_frames() -> None:
    frames, _ = hand_frames(hand_script(performance_of("paper", 40)))
    mirrored, same = second_looks(frames, Zone(0.1, 0.2, 0.3, 0.4))
    centres = [look.view.box.x + look.view.box.w / 2 for look in (mirrored, same)]
    assert sum(centres) == pytest.approx(frames[0].size[0], abs=1)
    assert (mirrored.phase_ns, same.phase_ns) == (0, PHASE_NS)
    first = SeatTimeline(view_of(hand_script(performance_of("paper", 40))), CUE, HAND_WINDOW_NS)
    view = view_of(hand_script(performance_of("paper", 40)))
    other = SeatTimeline(view, CUE, HAND_WINDOW_NS, PHASE_NS)
    assert first.coarse_frames and not set(first.coarse_frames) & set(other.coarse_frames)


def test_a_second_look_searches_every_frame() -> None:
    frames, detector = hand_frames(hand_script(performance_of("paper", 40)))
    detector.can_track = True
    for look in second_looks(frames, Zone(0, 0, 1, 1)):
        look.view.detector = detector
        look.view.exact(100), look.view.exact(102)
    assert detector.calls >= 4 and detector.tracked == 0


def test_second_looks_go_on_with_a_recording_that_grows() -> None:
    frames = [BgrFrame(i, i * 10 * MS, 0, (40, 20), np.full((20, 40, 3), i, np.uint8)) for i in range(6)]
    for look, whole in zip(*(second_looks(frames[:end], Zone(0, 0, 0.5, 1)) for end in (4, 6)), strict=True):
        look.extend(frames)
        assert look.view.times_ns.tolist() == whole.view.times_ns.tolist() and look.view.frames == whole.view.frames


@given(st.lists(st.tuples(st.integers(-(10**9), 10**9), st.integers(0, 10**8)), min_size=1, max_size=4))
def test_scattered_times_have_an_uncertain_median(
    values: list[tuple[int, int]],
) -> None:
    times = [TimeEstimate(*value) for value in values]
    combined = combine_estimates(times)
    ns = [time.time_ns for time in times]
    assert min(ns) - 1 <= combined.time_ns <= max(ns) + 1
    assert combined.sigma_ns >= min(time.sigma_ns for time in times) - 1
    assert combined.sigma_ns + 1 >= (max(ns) - min(ns)) / (2 * len(ns)) ** 0.5 - 1
    assert combine_estimates([TimeEstimate(value + 5, sigma) for value, sigma in values]).sigma_ns == combined.sigma_ns


def test_a_wrong_look_does_not_move_a_time() -> None:
    """As on a filmed pair 272 ms apart: two looks agreed, the third was half a second off."""
    times = [TimeEstimate(at_ms * MS, 40 * MS) for at_ms in (242, -320, 243)]
    combined = combine_estimates(times)
    assert combined.time_ns == 242 * MS and combined.sigma_ns > 200 * MS


def test_two_times_151_ms_apart_are_uncertain_by_half_of_that() -> None:
    """As those of a filmed fist and of its mirror image were."""
    combined = combine_estimates([TimeEstimate(0, 31 * MS), TimeEstimate(151 * MS, 15 * MS)])
    assert combined.time_ns == 75_500_000 and combined.sigma_ns == pytest.approx(78.9 * MS, abs=0.1 * MS)


def test_only_times_of_the_same_kind_of_throw_are_combined() -> None:
    """A look that takes an opened hand for a fist says nothing about its opening."""
    timelines = [
        SeatTimeline(view_of(hand_script(performance_of(throw, at_ms))), CUE, HAND_WINDOW_NS)
        for throw, at_ms in (("paper", 200), ("scissors", 260), ("rock", 20))
    ]
    shown = [timeline.decisive.shown for timeline in timelines if timeline.decisive]
    combine_times(timelines[0], timelines[1:])
    first = timelines[0].decisive
    assert first is not None and first.throw is Throw.PAPER and first.shown is not None
    assert shown[0] is not None and shown[1] is not None
    assert first.shown.time_ns == pytest.approx((shown[0].time_ns + shown[1].time_ns) / 2, abs=1)
    assert first in timelines[0].throw_segments, "the lock frame is read by the same time"


@pytest.mark.parametrize(
    ("came_down_again", "combined"),
    [((True, False, False), False), ((False, True, True), True), ((True, False, True), True), ((False, True), True)],
)
def test_most_looks_say_whether_a_fist_came_down_again(came_down_again: tuple[bool, ...], combined: bool) -> None:
    timelines = [
        SeatTimeline(view_of(hand_script(performance_of("rock", at_ms))), CUE, HAND_WINDOW_NS)
        for at_ms, _ in zip((20, 30, 40), came_down_again, strict=False)
    ]
    for timeline, again in zip(timelines, came_down_again, strict=True):
        assert timeline.decisive is not None
        timeline.decisive = replace(timeline.decisive, came_down_again=again)
    agreed = [
        timeline.decisive.shown.time_ns
        for timeline, again in zip(timelines, came_down_again, strict=True)
        if again is combined and timeline.decisive is not None and timeline.decisive.shown is not None
    ]
    combine_times(timelines[0], timelines[1:])
    decisive = timelines[0].decisive
    assert decisive is not None and decisive.shown is not None and decisive.came_down_again is combined
    assert min(agreed) <= decisive.shown.time_ns <= max(agreed), "the times of the looks that say so"


def test_unfound_time_accuses_only_beyond_all_doubt() -> None:
    timelines = [SeatTimeline(view_of(hand_script(performance_of("paper", 300))), CUE, HAND_WINDOW_NS)]
    combine_times(timelines[0], [])
    decisive = timelines[0].decisive
    assert decisive is not None and decisive.shown is not None
    assert doubt_ns(decisive.shown.sigma_ns) == pytest.approx(MAX_DOUBT_NS, rel=1e-6)
    for late_ms, verdict in ((80, Verdict.TOO_CLOSE), (120, Verdict.LATE)):
        lock_ns = decisive.shown.time_ns - late_ms * MS
        assert timelines[0].verdict(1, CUE, lock_ns).verdict is verdict


def judge_hands(*scripts: HandScript) -> Judgement:
    frames, detector = hand_frames(*scripts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
        with Judge(seats=1) as judge:
            judgement = judge(frames, ZONES[: len(scripts)], CUE)
            assert sum(seat.inferences for seat in judgement.seats) == detector.calls, "every call is counted"
            return judgement


@pytest.fixture
def looked_at_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Zone]]:
    """The zones that are looked at again, each once per hand."""
    zones: list[Zone] = []

    def record(frames: Sequence[Frame], zone: Zone) -> tuple[ZoneSecondLook, ...]:
        zones.append(zone)
        return second_looks(frames, zone)

    monkeypatch.setattr(vision.lock.judge, "second_looks", record)
    yield zones


@pytest.mark.parametrize(
    ("hands", "seats"),
    [
        ((("paper", 0), ("scissors", 90)), []),
        ((("paper", 0), ("rock", 60)), []),
        ((("paper", 0), ("scissors", 330)), [1, 2]),
        ((("paper", 0), ("scissors", 330), ("rock", 40)), [1, 2]),
        ((("paper", -300), ("scissors", 40)), [1]),
    ],
    ids=["on time", "rock on time", "late", "late of three", "early"],
)
def test_only_accused_hands_and_the_first_one_are_looked_at_again(
    hands: Sequence[tuple[str, float]], seats: list[int], looked_at_again: list[Zone]
) -> None:
    """Honest rounds cost nothing more."""
    judge_hands(*(hand_script(performance_of(throw, at_ms)) for throw, at_ms in hands))
    assert sorted(ZONES.index(zone) + 1 for zone in looked_at_again) == seats


def test_a_hand_whose_time_is_doubtful_is_looked_at_again(looked_at_again: list[Zone]) -> None:
    """It was lost while it opened."""
    truth = performance_of("paper", 0)
    judge_hands(
        lambda when: None if abs(when - CUE) < 80 * MS else truth.stance(when), hand_script(performance_of("rock", 20))
    )
    assert [ZONES.index(zone) + 1 for zone in looked_at_again] == [1]


@pytest.mark.parametrize("blame", [Verdict.UNCLEAR, Verdict.UNSEEN])
@pytest.mark.parametrize("unread_phases", [set(), {0}, {0, PHASE_NS}], ids=["both", "one", "none"])
def test_unread_hand_is_read_if_both_second_looks_agree(
    unread_phases: set[int], blame: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    class UnreadInSomeLooks(SeatTimeline):
        def __init__(self, *args: object, **options: bool) -> None:
            super().__init__(*args, **options)  # type: ignore[arg-type]
            self._is_first = len(args) <= 3  # it has no phase
            if self._is_rock() and not self._is_first and args[3] in unread_phases:
                self.decisive = None

        def _is_rock(self) -> bool:
            return self.decisive is not None and self.decisive.throw is Throw.ROCK

        def verdict(self, *args: int) -> SeatVerdict:
            found = super().verdict(*args)
            return replace(found, verdict=blame, throw=None) if self._is_rock() and self._is_first else found

    monkeypatch.setattr(vision.lock.judge, "SeatTimeline", UnreadInSomeLooks)
    monkeypatch.setattr(vision.lock.judge, "second_looks", look_without_mirror)
    judgement = judge_hands(hand_script(performance_of("paper", 0)), hand_script(performance_of("rock", 20)))
    seat, is_read = judgement.seats[1], not unread_phases
    expected = (Verdict.ON_TIME, Throw.ROCK) if is_read else (Verdict.UNREAD, None)
    assert (seat.seat, seat.verdict, seat.throw) == (2, *expected)


@pytest.mark.parametrize(
    ("shown_ms", "off_ms", "verdict"),
    [(270, 0, Verdict.LATE), (270, 30, Verdict.LATE), (215, 140, Verdict.TOO_CLOSE), (60, 400, Verdict.ON_TIME)],
)
def test_a_time_that_the_second_look_does_not_confirm_accuses_nobody(
    shown_ms: int, off_ms: int, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look finds a fist ``off_ms`` too late."""
    rocks_seen_again = []

    class FirstLookIsOff(SeatTimeline):
        def __init__(self, *args: object, **options: bool) -> None:
            super().__init__(*args, **options)  # type: ignore[arg-type]
            decisive = self.decisive
            if decisive is None or decisive.throw is not Throw.ROCK or decisive.shown is None:
                return  # still in its swing, or the other hand
            if len(args) > 3:
                rocks_seen_again.append(args)
            else:  # a first look: it has no phase
                shown = replace(decisive.shown, time_ns=decisive.shown.time_ns + off_ms * MS)
                self.decisive = replace(decisive, shown=shown)
                self.throw_segments = [self.decisive if one is decisive else one for one in self.throw_segments]

    monkeypatch.setattr(vision.lock.judge, "SeatTimeline", FirstLookIsOff)
    monkeypatch.setattr(vision.lock.judge, "second_looks", look_without_mirror)
    judgement = judge_hands(hand_script(performance_of("paper", 0)), hand_script(performance_of("rock", shown_ms)))
    assert judgement.seats[1].verdict is verdict
    assert len({view for view, *_ in rocks_seen_again}) == 2
