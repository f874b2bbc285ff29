"""The lock at a table: first hand, window and cue; then the real hand model on rendered rounds and on real clips."""

import csv
import hashlib
import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_hands import CUE, MS, SEATING, HandScript, hand_frames, hand_script, performance_of

import vision.lock.judge
from device.camera.clip import read_clip
from device.camera.frames import BgrFrame, Frame, Pixels
from device.simulated.table.animation import Stance
from rules.throws import Throw
from tools.trials import judge_trial, make_trial
from vision.hands.detector import DetectedHand, HandDetector
from vision.hands.model import ModelError
from vision.lock.judge import HAND_WINDOW_NS, Judge, Judgement, LockError
from vision.lock.verdict import Verdict
from vision.zones import Zone

ZONES = [Zone(*zone) for zone in SEATING.zones]
CLIPS = Path("../shared/data/throw_clips")


def judge_scripts(*scripts: HandScript, cue: int | None = CUE, window: int = HAND_WINDOW_NS) -> Judgement:
    """Judge scripted hands with a fake detector."""
    frames, detector = hand_frames(*scripts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandDetector", lambda confidence, hands=1: detector)
        with Judge(seats=1) as judge:
            return judge(frames, ZONES[: len(scripts)], cue, window)


@settings(max_examples=25, deadline=None)
@given(st.floats(-140, 120), st.floats(-140, 120), st.sampled_from(["paper", "scissors"]))
def test_the_lock_is_the_window_after_the_first_hand(one: float, two: float, throw: str) -> None:
    judgement = judge_scripts(hand_script(performance_of(throw, one)), hand_script(performance_of("paper", two)))
    assert judgement.first_ns == pytest.approx(CUE + min(one, two) * MS, abs=8 * MS)
    assert judgement.lock_ns == max(CUE, judgement.first_ns + HAND_WINDOW_NS)
    assert abs(judgement.lock_frame.exposed_ns - judgement.lock_ns) <= 8.4 * MS
    assert not judgement.fouls or abs(one - two) > 140


def test_progress_grows_from_0_to_nearly_1_in_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    frames, detector = hand_frames(hand_script(performance_of("paper", 0)), hand_script(performance_of("scissors", 30)))
    monkeypatch.setattr(vision.lock.judge, "HandDetector", lambda confidence, hands=1: detector)
    progress = []
    with Judge(seats=1) as judge:
        assert judge.progress == 0.0
        find = detector.detect
        monkeypatch.setattr(detector, "detect", lambda pixels: (progress.append(judge.progress), find(pixels))[1])
        for _ in range(2):
            progress.clear()
            judge(frames, ZONES[:2], CUE)
            assert progress[0] == 0.0
            assert progress == sorted(progress)
            assert 0.5 < progress[-1] <= 1.0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_only_the_threads_of_the_judge_get_a_lower_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    _, detector = hand_frames(hand_script(performance_of("paper", 0)))
    levels = []

    def fake_detector(confidence: float, hands: int = 1) -> object:
        levels.append(os.getpriority(os.PRIO_PROCESS, 0))
        return detector

    monkeypatch.setattr(vision.lock.judge, "HandDetector", fake_detector)
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    for nice in (0, 19):
        with Judge(seats=1, nice=nice):
            assert set(levels) == {max(mine, nice)}
        levels.clear()
    assert os.getpriority(os.PRIO_PROCESS, 0) == mine


def test_an_early_hand_does_not_set_the_lock() -> None:
    judgement = judge_scripts(hand_script(performance_of("paper", -300)), hand_script(performance_of("scissors", 30)))
    assert judgement.first_ns == pytest.approx(CUE + 30 * MS, abs=8 * MS)
    assert [seat.verdict for seat in judgement.seats] == [Verdict.EARLY, Verdict.ON_TIME]


def test_a_fist_that_landed_before_the_window_does_not_set_the_lock() -> None:
    judgement = judge_scripts(hand_script(performance_of("rock", -300)), hand_script(performance_of("scissors", 90)))
    assert judgement.first_ns == pytest.approx(CUE + 90 * MS, abs=8 * MS)
    assert not judgement.fouls


@pytest.mark.parametrize("nobody", [lambda when: None, lambda when: Stance()], ids=["nobody", "fists at rest"])
def test_with_no_hand_shown_the_lock_is_the_window_after_the_cue(nobody: HandScript) -> None:
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
        patch.setattr(vision.lock.judge, "HandDetector", lambda confidence, hands=1: detector)
        with Judge() as judge, pytest.raises(LockError, match="only 2 frames"):
            judge(frames[:2], ZONES)


# -------- with the real model


class CachedHandDetector(HandDetector):
    """The hand model with a cache of images: each clip is used in many pairs."""

    cache: ClassVar[dict[tuple[object, ...], list[DetectedHand]]] = {}

    def __init__(self, **options: float) -> None:
        self.options = tuple(options.items())
        super().__init__(**options)  # type: ignore[arg-type]  # passed on from the judge

    def detect(self, image: Pixels) -> list[DetectedHand]:
        digest = hashlib.blake2b(np.ascontiguousarray(image), digest_size=16).digest()
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


@pytest.mark.parametrize("seed", range(8))
def test_rendered_rounds(judge: Judge, seed: int) -> None:
    """One honest seat and one that may do anything, under the light, cloth and camera of the seed."""
    for outcome in judge_trial(make_trial(seed, seats=2), judge):
        assert outcome.is_correct, outcome
        assert outcome.throw_is_correct is not False, outcome
        assert abs(outcome.time_error_ms or 0) < 35, outcome


def labels() -> dict[str, tuple[Throw, float]]:
    """Return each labelled clip's throw, and the middle between onset and settled in frames."""
    if not (CLIPS / "labels.csv").is_file():
        pytest.skip("there are no clips of real throws in ../shared/data/throw_clips")
    with (CLIPS / "labels.csv").open() as table:
        return {
            row["file"]: (Throw(row["label"]), (int(row["onset_frame"]) + int(row["settled_frame"])) / 2)
            for row in csv.DictReader(table)
        }


def seconds(frames: float) -> float:
    return frames / 30


def small(name: str) -> list[np.ndarray]:
    return [cv2.resize(frame.bgr, (640, 360)) for frame in read_clip(CLIPS / name)]


def side_by_side(*clips: list[np.ndarray]) -> list[Frame]:
    """Return clips side by side at 30 frames a second; a clip that ends earlier repeats its last frame."""
    length = max(map(len, clips))
    images = [np.hstack([clip[min(i, len(clip) - 1)] for clip in clips]) for i in range(length)]
    return [
        BgrFrame(i, round(seconds(i) * 1e9), 0, (image.shape[1], image.shape[0]), image)
        for i, image in enumerate(images)
    ]


def test_every_real_clips_throw_is_right(judge: Judge) -> None:
    for name, (throw, middle) in labels().items():
        frames = read_clip(CLIPS / name)
        (seat,) = judge(frames, [Zone(0, 0, 1, 1)]).seats
        assert seat.throw is throw, name
        assert seat.shown is not None
        assert seat.shown.time_ns / 1e9 == pytest.approx(seconds(middle), abs=seconds(3)), name


def test_a_fist_moved_about_is_a_rock(judge: Judge) -> None:
    labels()
    (seat,) = judge(read_clip(CLIPS / "hicc_rock_webcam.mp4"), [Zone(0, 0, 1, 1)]).seats
    assert seat.throw is Throw.ROCK


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


def test_a_rock_lost_in_its_swing_at_the_lock_is_a_rock(judge: Judge) -> None:
    """It comes to rest 39 ms after the lock, and in the lock frame the hand is not found."""
    known = labels()
    paper, rock = (next(name for name in known if name.startswith(start)) for start in ("74ff6a", "89cc24"))
    first = small(paper)
    frames = side_by_side([first[0]] * 7 + first, small(rock))
    seats = judge(frames, [Zone(0, 0, 0.5, 1), Zone(0.5, 0, 0.5, 1)]).seats
    assert [(seat.throw, seat.verdict) for seat in seats] == [
        (Throw.PAPER, Verdict.ON_TIME),
        (Throw.ROCK, Verdict.ON_TIME),
    ]
