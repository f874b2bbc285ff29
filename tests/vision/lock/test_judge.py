"""The lock at a table: first hand, window and cue; then the real hand model on rendered rounds and on real clips."""

import csv
import hashlib
import itertools
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vision.lock.judge
from device.camera.clip import read_clip
from device.camera.frames import BgrFrame, Box, Frame, Pixels, Size
from device.simulated.table.animation import Stance
from rules.record.judgement import Verdict
from rules.throws import WINDOW_MS, Throw
from tests.helpers.scripted_hands import (
    CUE,
    MS,
    SEATING,
    HandScript,
    ScriptedFrame,
    hand_frames,
    hand_script,
    performance_of,
)
from tests.helpers.slow_params import slow
from throwlock.cli import judge as judge_command
from throwlock.house_rules import HouseRules
from tools.trials import judge_trial, make_trial
from vision.hands.detector import DetectedHand, HandDetector
from vision.hands.model import ModelError
from vision.hands.model_process import ModelProcess
from vision.lock.inference import TimeEstimate
from vision.lock.judge import DETECTION_CONFIDENCE, SECOND_HAND_CONFIDENCE, Judge
from vision.lock.judgement import HAND_WINDOW_NS, Judgement, LockError, void_judgement
from vision.lock.reasons import VoidKind, VoidReason
from vision.lock.verdict import SeatTimeline
from vision.zones import Zone

ZONES = [Zone(*zone) for zone in SEATING.zones]
CLIPS = Path("../shared/data/throw_clips")


def judge_scripts(
    *scripts: HandScript,
    cue: int | None = CUE,
    window: int = HAND_WINDOW_NS,
    box_shown_ns: int | None = None,
    fps: float = 60.0,
    keep: Callable[[Frame], bool] = lambda frame: True,
    alter: Callable[[Frame], Frame] = lambda frame: frame,
) -> Judgement:
    """Judge scripted hands with a fake detector, on the altered frames for which ``keep`` is true."""
    frames, detector = hand_frames(*scripts, fps=fps)
    frames = [alter(frame) for frame in frames if keep(frame)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
        with Judge(seats=1) as judge:
            return judge(frames, ZONES[: len(scripts)], cue, window, box_shown_ns)


@settings(max_examples=25, deadline=None)
@given(st.floats(-140, 120), st.floats(-140, 120), st.sampled_from(["paper", "scissors"]))
def test_the_lock_is_the_window_after_the_first_hand(one: float, two: float, throw: str) -> None:
    judgement = judge_scripts(hand_script(performance_of(throw, one)), hand_script(performance_of("paper", two)))
    first = min((seat.shown for seat in judgement.seats if seat.shown), key=lambda shown: shown.time_ns)
    expected_ns = pytest.approx(CUE + min(one, two) * MS, abs=max(8 * MS, 2 * first.sigma_ns))
    assert judgement.first_ns == first.time_ns == expected_ns
    assert judgement.lock_ns == max(CUE, judgement.first_ns + HAND_WINDOW_NS)
    assert abs(judgement.lock_frame.exposed_ns - judgement.lock_ns) <= 8.4 * MS
    assert not judgement.fouls or abs(one - two) > 140


def test_the_default_window_is_150_ms_everywhere() -> None:
    """For the judge, the house rules, the judge command, screens and pages."""
    option = next(option for option in judge_command.judge.params if option.name == "window_ms")
    assert (HAND_WINDOW_NS, WINDOW_MS) == (150_000_000, 150)
    assert HouseRules().window_ms == option.default == WINDOW_MS
    judgement = judge_scripts(hand_script(performance_of("paper", 20)))
    assert judgement.first_ns is not None
    assert (judgement.window_ns, judgement.lock_ns - judgement.first_ns) == (150_000_000, 150_000_000)


def test_the_window_is_stated_once() -> None:
    """A second constant or default might come to differ."""
    statement = re.compile(r"window\w*\W.{0,40}?\b(?:150(?:\.0)?\b|150_000_000|0\.15\b)", re.IGNORECASE | re.DOTALL)
    exceptions = {"samples.py", "lock_window.py"}  # sample screens; the windows that the trials compare
    root = Path(__file__).parents[3]
    packages = sorted(path.parent for path in root.glob("*/__init__.py"))
    sources = [path for package in packages for path in sorted(package.rglob("*.py")) if path.name not in exceptions]
    places = [
        f"{path.relative_to(root)}: {match.group()}"
        for path in sources
        for match in statement.finditer(path.read_text())
    ]
    assert places == ["rules/throws.py: WINDOW_MS = 150"]


@pytest.mark.parametrize("window", [50 * MS, HAND_WINDOW_NS, 400 * MS])
def test_a_hand_shown_before_cue_minus_window_is_not_the_first(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the nanosecond."""

    class FakeTimeline(SeatTimeline):
        """A hand shown at a set time."""

        shown_ns = 0

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            assert self.decisive is not None
            self.decisive = replace(self.decisive, shown=TimeEstimate(self.shown_ns, 0))

    monkeypatch.setattr(vision.lock.judge, "SeatTimeline", FakeTimeline)
    for shown_ns, first_ns in ((CUE - window, CUE - window), (CUE - window - 1, None), (CUE + 1, CUE + 1)):
        FakeTimeline.shown_ns = shown_ns
        assert judge_scripts(hand_script(performance_of("rock", 0)), window=window).first_ns == first_ns


def test_the_box_has_the_first_hand_if_it_showed_first() -> None:
    hands = hand_script(performance_of("paper", 20)), hand_script(performance_of("scissors", 60))
    first_ns = judge_scripts(*hands).first_ns
    assert first_ns is not None
    for box_shown_ns in (CUE - 60 * MS, first_ns - 1):
        judgement = judge_scripts(*hands, box_shown_ns=box_shown_ns)
        assert (judgement.first_ns, judgement.lock_ns) == (box_shown_ns, max(CUE, box_shown_ns + HAND_WINDOW_NS))
    assert judge_scripts(*hands, box_shown_ns=first_ns + 1).first_ns == first_ns
    assert judge_scripts(lambda when: None, box_shown_ns=CUE + 5 * MS).lock_ns == CUE + 155 * MS


def test_without_a_cue_the_middle_counts() -> None:
    judgement = judge_scripts(lambda when: None, cue=None)
    assert judgement.first_ns is None and judgement.cue_ns == pytest.approx((CUE + 1_000 * MS) / 2, abs=17 * MS)


def test_every_seat_is_named_by_its_own_number() -> None:
    """Of four seats the second and the fourth threw, and the latter's hand went into the other's zone."""
    judged = judge_scripts(hand_script(performance_of("paper", 20)), hand_script(performance_of("rock", 20)))
    astray = replace(judged.seats[1], verdict=Verdict.WRONG_ZONE, entered_zone=1)
    covered = VoidReason(VoidKind.COVERED, 2, 0.6)
    judgement = replace(judged, seats=(judged.seats[0], astray), void_reason=covered).for_seats((2, 4))
    assert [(seat.seat, seat.entered_zone) for seat in judgement.seats] == [(2, None), (4, 2)]
    assert judgement.void_reason == replace(covered, seat=4)
    assert replace(judged, void_reason=None).for_seats((2, 4)).void_reason is None


def test_ms_after_first_counts_from_the_cue_without_a_first_hand() -> None:
    judgement = judge_scripts(hand_script(performance_of("paper", 20)))
    assert judgement.first_ns is not None
    assert judgement.ms_after_first(judgement.first_ns + 37 * MS) == 37
    assert judge_scripts(lambda when: None).ms_after_first(CUE + 37 * MS) == 37


@settings(max_examples=10, deadline=None)
@given(st.floats(250, 450), st.sampled_from(["paper", "scissors"]))
def test_a_late_throw_is_proven_by_a_frame_that_shows_it(late_ms: float, throw: str) -> None:
    judgement = judge_scripts(hand_script(performance_of("paper", 0)), hand_script(performance_of(throw, late_ms)))
    on_time, late = judgement.seats
    assert on_time.proof_frame is None
    assert late.verdict is Verdict.LATE and late.proof_frame is not None and late.shown is not None
    assert late.proof_frame.exposed_ns > max(judgement.lock_ns, late.shown.time_ns)
    assert late.proof_frame.exposed_ns - late.shown.time_ns < 300 * MS


@pytest.mark.parametrize("window", [HAND_WINDOW_NS, 400 * MS])
def test_a_gap_of_150_ms_before_the_lock_voids(window: int) -> None:
    """At 100 frames a second. With a shorter window a gap of its length does."""
    hands = hand_script(performance_of("paper", 20)), hand_script(performance_of("scissors", 30))

    def void_kind(dropped: int, window: int, since_ms: int = 30) -> VoidKind | None:
        first = (CUE // MS + since_ms) // 10
        gap = range(first, first + dropped)
        void_reason = judge_scripts(
            *hands, window=window, fps=100.0, keep=lambda frame: frame.number not in gap
        ).void_reason
        return None if void_reason is None else void_reason.kind

    assert void_kind(14, window) is None  # 150 ms between the frames around the gap
    assert void_kind(15, window) is VoidKind.FEW_FRAMES
    assert (void_kind(9, 100 * MS), void_kind(10, 100 * MS)) == (None, VoidKind.FEW_FRAMES)
    assert void_kind(30, window, since_ms=-window // MS - 310) is None  # before any hand may show


def test_too_few_frames_void_with_the_gaps_length() -> None:
    frames, _ = hand_frames(lambda when: None, lambda when: None)
    two_frames = [frame for frame in frames if frame.number in (100, 181)]
    judgement = void_judgement(two_frames, ZONES[:2], CUE, HAND_WINDOW_NS)
    assert (judgement.first_ns, judgement.lock_ns, judgement.lock_frame.number) == (None, CUE + HAND_WINDOW_NS, 181)
    assert [(seat.seat, seat.verdict) for seat in judgement.seats] == [(1, Verdict.UNSEEN), (2, Verdict.UNSEEN)]
    assert judgement.void_reason is not None and judgement.void_reason.kind is VoidKind.FEW_FRAMES
    assert judgement.void_reason.measurement > 1_000
    assert (judgement.cue_ns, judgement.window_ns) == (CUE, HAND_WINDOW_NS)
    assert [seat.crop for seat in judgement.seats] == [zone.box(two_frames[0].size) for zone in ZONES[:2]]
    assert void_judgement(two_frames[:1], ZONES[:2], CUE, HAND_WINDOW_NS).lock_frame is two_frames[0]


class DarkenedFrame(ScriptedFrame):
    """A frame that as a whole is a table, bright until 400 ms before the cue, then dark; its zones are scripted."""

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        if box is not None or size is None:
            return super().pixels(box, size)
        table = cv2.GaussianBlur(np.random.default_rng(3).uniform(0, 255, (*size[::-1], 3)), (0, 0), 2.0)
        return (table * (1.0 if self.exposed_ns < CUE - 400 * MS else 0.1)).astype(np.uint8)


@pytest.mark.parametrize(("shown_ms", "is_dark"), [(40, False), (330, True)], ids=["on time", "late"])
def test_darkness_voids_only_a_round_with_a_foul(shown_ms: float, is_dark: bool) -> None:
    """Where every hand was seen and on time the round counts, however dark it was."""

    def darken(frame: Frame) -> Frame:
        return DarkenedFrame(**{field.name: getattr(frame, field.name) for field in fields(frame)})

    judgement = judge_scripts(
        hand_script(performance_of("paper", 20)), hand_script(performance_of("scissors", shown_ms)), alter=darken
    )
    assert [seat.verdict.is_foul for seat in judgement.seats] == [False, is_dark]
    void_reason = judgement.void_reason
    assert (void_reason and void_reason.kind) == (VoidKind.DARK if is_dark else None)


def test_progress_grows_in_every_late_round(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = hand_script(performance_of("paper", 0)), hand_script(performance_of("scissors", 330))
    frames, detector = hand_frames(*hands)
    monkeypatch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
    progress = []
    with Judge(seats=1) as judge:
        assert judge.progress == 0.0
        find = detector.detect

        def detect(pixels: Pixels) -> list[DetectedHand]:
            progress.append(judge.progress)
            return find(pixels)

        monkeypatch.setattr(detector, "detect", detect)
        for _ in range(2):
            progress.clear()
            judge(frames, ZONES[:2], CUE)
            assert progress[0] == 0.0
            assert progress == sorted(progress)
            assert 0.5 < progress[-1] <= 1.0


def test_every_model_call_is_counted_for_its_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    frames, detector = hand_frames(hand_script(performance_of("paper", 0)), hand_script(performance_of("scissors", 30)))
    monkeypatch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
    with Judge(seats=1) as judge:
        for _ in range(2):
            calls_before = detector.calls
            judgement = judge(frames, ZONES[:2], CUE)
            assert sum(seat.inferences for seat in judgement.seats) == detector.calls - calls_before > 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_only_the_threads_of_the_judge_get_a_lower_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    _, detector = hand_frames(hand_script(performance_of("paper", 0)))
    levels = []

    def fake_detector(**options: object) -> object:
        levels.append(os.getpriority(os.PRIO_PROCESS, 0))
        return detector

    monkeypatch.setattr(vision.lock.judge, "HandDetector", fake_detector)
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    for nice in (0, 19):
        with Judge(seats=1, nice=nice):
            assert set(levels) == {max(mine, nice)}
        levels.clear()
    assert os.getpriority(os.PRIO_PROCESS, 0) == mine


def record_processes(monkeypatch: pytest.MonkeyPatch) -> list[ModelProcess]:
    """Return the list to which every process is added that a judge makes from now on."""
    made: list[ModelProcess] = []

    def make_process(threads: int) -> ModelProcess:
        made.append(ModelProcess(threads))
        return made[-1]

    monkeypatch.setattr(vision.lock.judge, "ModelProcess", make_process)
    return made


@pytest.mark.parametrize(("cores", "seats", "threads"), [(2, 2, 1), (2, 8, 1), (4, 2, 2), (4, 8, 1), (1, 2, 1)])
def test_the_processes_of_the_model_share_the_cores(
    cores: int, seats: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, detector = hand_frames(hand_script(performance_of("paper", 0)))
    monkeypatch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    made = record_processes(monkeypatch)
    with Judge(seats=seats):
        assert [repr(process.threads) for process in made] == [repr(threads)] * min(cores, seats)


def test_every_call_of_each_process_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[object, int, float]] = []

    def fake_detector(confidence: float, process: object, hands: int = 1) -> object:
        made.append((process, hands, confidence))
        return SimpleNamespace(calls=10 ** len(made))

    monkeypatch.setattr(vision.lock.judge, "HandDetector", fake_detector)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    processes = record_processes(monkeypatch)
    with Judge(seats=2) as judge:
        assert judge.calls == 11_110 and len(processes) == 2
        for process in processes:
            both = [(hands, confidence) for used, hands, confidence in made if used is process]
            assert both == [(1, DETECTION_CONFIDENCE), (2, SECOND_HAND_CONFIDENCE)]


def test_without_a_cue_the_box_may_be_first() -> None:
    frames, _ = hand_frames(lambda when: None)
    middle_ns = frames[len(frames) // 2].exposed_ns
    judgement = judge_scripts(lambda when: None, cue=None, box_shown_ns=middle_ns + 5 * MS)
    assert (judgement.cue_ns, judgement.first_ns) == (middle_ns, middle_ns + 5 * MS)


def test_an_early_hand_does_not_set_the_lock() -> None:
    judgement = judge_scripts(hand_script(performance_of("paper", -300)), hand_script(performance_of("scissors", 30)))
    assert judgement.first_ns == pytest.approx(CUE + 30 * MS, abs=8 * MS)
    assert [seat.verdict for seat in judgement.seats] == [Verdict.EARLY, Verdict.ON_TIME]


def test_early_fist_does_not_set_the_lock() -> None:
    judgement = judge_scripts(hand_script(performance_of("rock", -300)), hand_script(performance_of("scissors", 90)))
    assert judgement.first_ns == pytest.approx(CUE + 90 * MS, abs=8 * MS)
    assert not judgement.fouls


@pytest.mark.parametrize("nobody", [lambda when: None, lambda when: Stance()], ids=["nobody", "fists at rest"])
def test_lock_without_hands(nobody: HandScript) -> None:
    judgement = judge_scripts(nobody, nobody)
    assert (judgement.first_ns, judgement.lock_ns) == (None, CUE + HAND_WINDOW_NS)


def test_a_longer_window_lets_slower_hands_count() -> None:
    hands = hand_script(performance_of("paper", 0)), hand_script(performance_of("scissors", 300))
    assert [seat.seat for seat in judge_scripts(*hands).fouls] == [2]
    assert not judge_scripts(*hands, window=400 * MS).fouls


def test_without_a_cue_the_first_hand_is_the_cue() -> None:
    judgement = judge_scripts(
        hand_script(performance_of("paper", 60)), hand_script(performance_of("scissors", 400)), cue=None
    )
    assert judgement.cue_ns == judgement.first_ns == pytest.approx(CUE + 60 * MS, abs=8 * MS)
    assert [seat.verdict for seat in judgement.seats] == [Verdict.ON_TIME, Verdict.LATE]


def test_too_few_frames_raise_an_error() -> None:
    frames, detector = hand_frames(lambda when: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)
        with Judge() as judge, pytest.raises(LockError, match="only 2 frames"):
            judge(frames[:2], ZONES)


def test_three_frames_are_enough_to_judge() -> None:
    judgement = judge_scripts(lambda when: None, keep=lambda frame: frame.number in (100, 181, 190))
    assert judgement.lock_frame.number == 190


# -------- with the real model


class CachedHandDetector(HandDetector):
    """The hand model with a cache of images: each clip is used in many pairs."""

    cache: ClassVar[dict[tuple[object, ...], list[DetectedHand]]] = {}

    def __init__(self, confidence: float, process: ModelProcess, hands: int = 1) -> None:
        self.options = (confidence, hands)
        super().__init__(hands=hands, confidence=confidence, process=process)

    def detect(self, image: Pixels) -> list[DetectedHand]:
        digest = hashlib.blake2b(np.ascontiguousarray(image).data, digest_size=16).digest()
        key = (self.options, image.shape, digest)
        if key not in self.cache:
            self.cache[key] = super().detect(image)
        return self.cache[key]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandDetector", CachedHandDetector)
        try:
            judge = Judge(seats=2)
        except ModelError as error:
            pytest.skip(f"no hand model: {error}")
    with judge:
        yield judge


@pytest.mark.parametrize("seed", [1, *slow(0, *range(2, 8))])
def test_rendered_rounds(judge: Judge, seed: int) -> None:
    """One honest seat and one that may do anything, under the light, cloth and camera of the seed."""
    for outcome in judge_trial(make_trial(seed, seats=2), judge):
        assert outcome.is_correct, outcome
        assert outcome.throw_is_correct is not False, outcome
        assert abs(outcome.time_error_ms or 0) < 35, outcome


def labels() -> dict[str, tuple[Throw, float]]:
    """Return each labelled clip's throw, and when it shows in frames: in the middle between its onset and when it is
    complete and at rest; a rock when it rests."""
    if not (CLIPS / "labels.csv").is_file():
        pytest.skip("there are no clips of real throws in ../shared/data/throw_clips")
    with (CLIPS / "labels.csv").open() as table:
        return {
            row["file"]: (
                Throw(row["label"]),
                int(row["settled_frame"])
                if row["label"] == Throw.ROCK
                else (int(row["onset_frame"]) + int(row["settled_frame"])) / 2,
            )
            for row in csv.DictReader(table)
        }


def seconds(frames: float) -> float:
    return frames / 30


def small(name: str) -> list[np.ndarray]:
    return [cv2.resize(frame.bgr, (640, 360)) for frame in read_clip(CLIPS / name).frames]


def side_by_side(*clips: list[np.ndarray]) -> list[Frame]:
    """Return clips side by side at 30 frames a second; a clip that ends earlier repeats its last frame."""
    length = max(map(len, clips))
    images = [np.hstack([clip[min(i, len(clip) - 1)] for clip in clips]) for i in range(length)]
    return [
        BgrFrame(i, round(seconds(i) * 1e9), 0, (image.shape[1], image.shape[0]), image)
        for i, image in enumerate(images)
    ]


@pytest.mark.slow
def test_every_real_clips_throw_is_right(judge: Judge) -> None:
    for name, (throw, middle) in labels().items():
        frames = read_clip(CLIPS / name).frames
        (seat,) = judge(frames, [Zone(0, 0, 1, 1)]).seats
        assert seat.throw is throw, name
        assert seat.shown is not None
        assert seat.shown.time_ns / 1e9 == pytest.approx(seconds(middle), abs=seconds(3)), name


@pytest.mark.slow
def test_a_fist_moved_about_is_a_rock(judge: Judge) -> None:
    labels()
    (seat,) = judge(read_clip(CLIPS / "hicc_rock_webcam.mp4").frames, [Zone(0, 0, 1, 1)]).seats
    assert seat.throw is Throw.ROCK


@pytest.mark.slow
def test_real_clips_side_by_side(judge: Judge) -> None:
    """Both throws of every pair are right, and their time difference (the second clip is shifted) is within two
    frames."""
    known = labels()
    clips = {name: small(name) for name in known}
    wrong = []
    for number, (one, two) in enumerate(itertools.combinations(sorted(known), 2)):
        shift = (0, 3, 7)[number % 3]
        left, right = clips[one], [clips[two][0]] * shift + clips[two]
        frames = side_by_side(left, right)
        first, second = judge(frames, [Zone(0, 0, 0.5, 1), Zone(0.5, 0, 0.5, 1)]).seats
        assert (first.throw, second.throw) == (known[one][0], known[two][0]), (one, two)
        assert first.shown and second.shown
        apart = (second.shown.time_ns - first.shown.time_ns) / 1e9
        if abs(apart - seconds(known[two][1] + shift - known[one][1])) > seconds(2):
            wrong.append((one, two, shift))
    assert not wrong


@pytest.mark.slow
def test_rock_lost_in_its_swing(judge: Judge) -> None:
    """It comes to rest 39 ms after the lock, and in the lock frame the hand is not found: too close to call."""
    known = labels()
    paper, rock = (next(name for name in known if name.startswith(start)) for start in ("74ff6a", "89cc24"))
    first = small(paper)
    frames = side_by_side([first[0]] * 10 + first, small(rock))
    seats = judge(frames, [Zone(0, 0, 0.5, 1), Zone(0.5, 0, 0.5, 1)]).seats
    assert [(seat.throw, seat.verdict) for seat in seats] == [
        (Throw.PAPER, Verdict.ON_TIME),
        (Throw.ROCK, Verdict.TOO_CLOSE),
    ]
    assert seats[1].at_lock is Throw.ROCK
