"""The lock over a table: first, window and cue; then the real hand model on rendered rounds and on real clips."""

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
from scripted_hands import CUE, MS, SEATING, Doing, film, performed, throws

import vision.lock.judge
from device.camera.clip import read_clip
from device.camera.frames import Frame, Pixels, StoredFrame
from device.simulated.table.animation import Stance
from rules.throws import Throw
from tools.trials import outcomes, trial
from vision.hands.detector import Hand, HandFinder
from vision.hands.model import ModelError
from vision.lock.judge import WINDOW_NS, Judge, Judgement, LockError
from vision.lock.verdict import Verdict
from vision.zones import Zone

ZONES = [Zone(*zone) for zone in SEATING.zones]
CLIPS = Path("../shared/data/throw_clips")


def judged(*doing: Doing, cue: int | None = CUE, window: int = WINDOW_NS) -> Judgement:
    """The lock with a stand-in for the hand model."""
    frames, finder = film(*doing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandFinder", lambda confidence, hands=1: finder)
        with Judge(seats=1) as judge:
            return judge(frames, ZONES[: len(doing)], cue, window)


@settings(max_examples=25, deadline=None)
@given(st.floats(-140, 120), st.floats(-140, 120), st.sampled_from(["paper", "scissors"]))
def test_the_lock_is_the_window_after_the_first_hand(one: float, two: float, throw: str) -> None:
    judgement = judged(performed(throws(throw, one)), performed(throws("paper", two)))
    assert judgement.first_ns == pytest.approx(CUE + min(one, two) * MS, abs=8 * MS)
    assert judgement.lock_ns == max(CUE, judgement.first_ns + WINDOW_NS)
    assert abs(judgement.lock_frame.exposed_ns - judgement.lock_ns) <= 8.4 * MS
    assert not judgement.fouls or abs(one - two) > 140


def test_the_judge_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    frames, finder = film(performed(throws("paper", 0)), performed(throws("scissors", 30)))
    monkeypatch.setattr(vision.lock.judge, "HandFinder", lambda confidence, hands=1: finder)
    told = []
    with Judge(seats=1) as judge:
        assert judge.progress == 0.0
        find = finder.find
        monkeypatch.setattr(finder, "find", lambda pixels: (told.append(judge.progress), find(pixels))[1])
        for _ in range(2):
            told.clear()
            judge(frames, ZONES[:2], CUE)
            assert told[0] == 0.0
            assert told == sorted(told)
            assert 0.5 < told[-1] <= 1.0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_a_judge_that_gives_way_lets_the_others_be(monkeypatch: pytest.MonkeyPatch) -> None:
    _, finder = film(performed(throws("paper", 0)))
    levels = []

    def made(confidence: float, hands: int = 1) -> object:
        levels.append(os.getpriority(os.PRIO_PROCESS, 0))
        return finder

    monkeypatch.setattr(vision.lock.judge, "HandFinder", made)
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    for nice in (0, 19):
        with Judge(seats=1, nice=nice):
            assert set(levels) == {max(mine, nice)}
        levels.clear()
    assert os.getpriority(os.PRIO_PROCESS, 0) == mine


def test_an_early_hand_does_not_set_the_lock() -> None:
    judgement = judged(performed(throws("paper", -300)), performed(throws("scissors", 30)))
    assert judgement.first_ns == pytest.approx(CUE + 30 * MS, abs=8 * MS)
    assert [seat.verdict for seat in judgement.seats] == [Verdict.EARLY, Verdict.ON_TIME]


def test_a_fist_that_landed_before_the_window_does_not_set_the_lock() -> None:
    judgement = judged(performed(throws("rock", -300)), performed(throws("scissors", 90)))
    assert judgement.first_ns == pytest.approx(CUE + 90 * MS, abs=8 * MS)
    assert not judgement.fouls


@pytest.mark.parametrize("nobody", [lambda when: None, lambda when: Stance()], ids=["nobody", "fists at rest"])
def test_with_no_hand_shown_the_lock_is_the_window_after_the_cue(nobody: Doing) -> None:
    judgement = judged(nobody, nobody)
    assert (judgement.first_ns, judgement.lock_ns) == (None, CUE + WINDOW_NS)


def test_a_longer_window_lets_slower_hands_count() -> None:
    hands = performed(throws("paper", 0)), performed(throws("scissors", 300))
    assert [seat.seat for seat in judged(*hands).fouls] == [2]
    assert not judged(*hands, window=400 * MS).fouls


def test_without_a_cue_the_first_hand_is_the_cue() -> None:
    judgement = judged(performed(throws("paper", 60)), performed(throws("scissors", 400)), cue=None)
    assert judgement.cue_ns == judgement.first_ns == pytest.approx(CUE + 60 * MS, abs=8 * MS)
    assert [seat.verdict for seat in judgement.seats] == [Verdict.ON_TIME, Verdict.LATE]


def test_too_few_frames_are_said() -> None:
    frames, finder = film(lambda when: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandFinder", lambda confidence, hands=1: finder)
        with Judge() as judge, pytest.raises(LockError, match="only 2 frames"):
            judge(frames[:2], ZONES)


# -------- with the real model


class Remembering(HandFinder):
    """The hand model, which knows a picture that it has seen: each clip comes in many pairs."""

    known: ClassVar[dict[tuple[object, ...], list[Hand]]] = {}

    def __init__(self, **how: float) -> None:
        self.how = tuple(how.items())
        super().__init__(**how)  # type: ignore[arg-type]  # as the judge says it

    def find(self, picture: Pixels) -> list[Hand]:
        seen = hashlib.blake2b(np.ascontiguousarray(picture), digest_size=16).digest()
        key = (self.how, picture.shape, seen)
        if key not in self.known:
            self.known[key] = super().find(picture)
        return self.known[key]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.lock.judge, "HandFinder", Remembering)
        try:
            judge = Judge(seats=2)
        except ModelError as fault:
            pytest.skip(f"no hand model: {fault}")
    with judge:
        yield judge


@pytest.mark.parametrize("seed", range(8))
def test_rendered_rounds(judge: Judge, seed: int) -> None:
    """One honest seat and one that may do anything, under the light, cloth and camera of the seed."""
    for outcome in outcomes(trial(seed, seats=2), judge):
        assert outcome.right, outcome
        assert outcome.named is not False, outcome
        assert abs(outcome.off_ms or 0) < 35, outcome


def labels() -> dict[str, tuple[Throw, float]]:
    """Each labelled clip's throw, and the middle of onset and settled in frames."""
    if not (CLIPS / "labels.csv").is_file():
        pytest.skip("no clips of real throws at ../shared/data/throw_clips")
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
    """Clips beside each other at 30 frames a second; who ends first stays as at the end."""
    length = max(map(len, clips))
    pictures = [np.hstack([clip[min(i, len(clip) - 1)] for clip in clips]) for i in range(length)]
    return [
        StoredFrame(i, round(seconds(i) * 1e9), 0, (picture.shape[1], picture.shape[0]), picture)
        for i, picture in enumerate(pictures)
    ]


def test_every_real_clips_throw_is_right(judge: Judge) -> None:
    for name, (throw, middle) in labels().items():
        frames = read_clip(CLIPS / name)
        (seat,) = judge(frames, [Zone(0, 0, 1, 1)]).seats
        assert seat.throw is throw, name
        assert seat.shown is not None
        assert seat.shown.when_ns / 1e9 == pytest.approx(seconds(middle), abs=seconds(3)), name


def test_a_fist_moved_about_is_a_rock(judge: Judge) -> None:
    labels()
    (seat,) = judge(read_clip(CLIPS / "hicc_rock_webcam.mp4"), [Zone(0, 0, 1, 1)]).seats
    assert seat.throw is Throw.ROCK


def test_real_clips_side_by_side(judge: Judge) -> None:
    """Every pair, the second one shifted: both named right, and their difference within two frames."""
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
        apart = (second.shown.when_ns - first.shown.when_ns) / 1e9
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
