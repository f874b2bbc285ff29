"""A seat's view: each frame is inspected once, in a close-up where the hand was, and only in the zone."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from device.camera.frames import BgrFrame, Pixels
from device.simulated.table.animation import Stance
from rules.throws import Throw
from tests.helpers.scripted_hands import (
    CUE,
    MS,
    SIZE,
    ZONE,
    ScriptedDetector,
    hand_frames,
    hand_landmarks,
    hand_script,
    performance_of,
    view_of,
)
from vision.hands.detector import DetectedHand
from vision.hands.shapes import read_detections
from vision.lock.zone_view import MAX_REUSE_NS, NO_THROW_PRIOR, ZoneView, read_hands
from vision.zones import Zone


def test_a_frame_is_inspected_once() -> None:
    view = view_of(lambda when: Stance(paper=1))
    first = view(10)
    assert view(10) is first and first is not None
    assert view.detector.calls == 1  # the fake counts
    assert view.inspected_frames() == [10]


def test_an_unchanged_frame_is_not_inspected() -> None:
    """Until something moves, the last inspection is long ago, or the frame itself is requested."""
    moved, fps = 60, 60.0
    view = view_of(lambda when: Stance(paper=1) if when < moved * 1e9 / fps else Stance(scissors=1), fps=fps)
    first = view(50)
    assert view(moved - 1) is first and view.inspected_frames() == [50]
    after = view(moved)
    assert after is not first and view.inspected_frames() == [50, moved]
    long = MAX_REUSE_NS * fps / 1e9
    assert view(moved + int(long)) is after
    assert view(moved + int(long) + 1) is not after
    again = view.exact(moved + 1)
    assert again is not None and again is not after and view(moved + 1) is again


@pytest.mark.parametrize("index", [10, 14])
def test_landmarks_are_the_frames_pixels(index: int) -> None:
    whole = Zone(0, 0, 1, 1)
    view = view_of(lambda when: Stance(scissors=1), whole)
    view(9)
    seen = view.exact(index)
    assert seen is not None and seen.reading.throw is Throw.SCISSORS
    assert seen.hand.landmarks == pytest.approx(hand_landmarks(Stance(scissors=1))[0], abs=0.5)
    assert seen.length == pytest.approx(np.ptp(seen.hand.landmarks, axis=0).max())
    assert sum(seen.probabilities.values()) == pytest.approx(1)


def test_large_zone_is_searched_in_a_closeup() -> None:
    frames, detector = hand_frames(lambda when: Stance(paper=1))
    view = ZoneView(frames, Zone(0, 0, 1, 1), detector)
    view(10), view.exact(12)
    (_, first, _), (_, second, _) = detector.inputs
    assert (first.w, first.h) == SIZE
    assert second.w == second.h < 0.9 * SIZE[1]


def test_a_frame_without_a_hand_is_searched_with_every_augmentation() -> None:
    view = view_of(lambda when: None)
    assert view(5) is None
    assert view.detector.calls == 2


def test_hand_lost_long_ago_is_searched_fully() -> None:
    """A dark fist on dark wood was found in its swing, and at rest only in a padded image."""
    view = view_of(lambda when: Stance() if when < 300 * MS else None)
    assert view(2) is not None
    calls = view.detector.calls
    assert view.exact(45) is None
    assert view.detector.calls - calls == 2


def test_greyish_hand_is_searched_vivid_from_then_on() -> None:
    """Until a frame has shown a hand; a hand that was seen as it is is lost in single frames only."""
    frames, detector = hand_frames(lambda when: Stance(paper=1) if when > 300 * MS else None)
    grey = [BgrFrame(i, i * 20 * MS, 0, SIZE, np.full((720, 1280, 3), (100, 101, 102), np.uint8)) for i in range(40)]

    class VividDetector(ScriptedDetector):
        def detect(self, image: Pixels) -> list[DetectedHand]:
            self.calls += 1
            is_vivid = int(np.ptp(image.reshape(-1, 3).max(0))) > 2
            return [hand] if is_vivid else []

    (hand,) = detector.detect(frames[30].pixels())
    view = ZoneView(grey, ZONE, vivid := VividDetector())
    assert view.exact(30) is not None and vivid.calls == 3
    assert view.exact(31) is not None and vivid.calls == 4
    plain = ZoneView(frames, ZONE, detector)
    assert plain(35) is not None
    before = detector.calls
    assert plain.exact(2) is None and detector.calls == before + 2
    blue = [BgrFrame(0, 0, 0, SIZE, np.full((720, 1280, 3), (200, 90, 40), np.uint8))]
    assert ZoneView(blue, ZONE, unused := VividDetector())(0) is not None and unused.calls == 1


def test_a_hand_is_read_where_it_was_shortly_before() -> None:
    frames, detector = hand_frames(hand_script(performance_of("rock")))
    detector.can_track = True
    view = ZoneView(frames, ZONE, detector)
    at_rest = view.nearest_frame(CUE + 500 * MS)
    first, second = view.exact(at_rest), view.exact(at_rest + 3)
    assert (detector.calls, detector.tracked) == (2, 1) and first and second
    assert second.hand.landmarks == pytest.approx(first.hand.landmarks, abs=1)
    assert view.exact(view.nearest_frame(CUE - 500 * MS)) and detector.tracked == 1  # too long before


def test_a_view_that_does_not_track_searches_every_frame() -> None:
    frames, detector = hand_frames(lambda when: Stance(paper=1))
    detector.can_track = True
    view = ZoneView(frames, ZONE, detector, tracks=False)
    assert view.exact(10) and view.exact(12) and detector.tracked == 0


def test_a_hand_that_is_not_where_it_was_is_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    frames, detector = hand_frames(lambda when: Stance(paper=1))
    places: list[np.ndarray] = []
    monkeypatch.setattr(detector, "track", lambda image, landmarks: places.append(landmarks))
    detector.can_track = True
    view = ZoneView(frames, ZONE, detector)
    first, second = view.exact(10), view.exact(12)
    assert len(places) == 1 and detector.calls == 2 and first and second
    assert second.hand.landmarks == pytest.approx(first.hand.landmarks, abs=1)


def test_another_seats_hand_is_ignored() -> None:
    frames, detector = hand_frames(lambda when: None, lambda when: Stance(paper=1))
    assert ZoneView(frames, ZONE, detector)(3) is None


def test_the_nearest_frame() -> None:
    view = view_of(hand_script(performance_of("rock")))
    for when in (0, 7 * MS, 9 * MS, CUE, CUE + 123 * MS, 10**12):
        off = abs(view.times_ns - when)
        assert off[view.nearest_frame(when)] == off.min()


def test_a_view_without_a_detector_raises_an_error() -> None:
    view = view_of(lambda when: None)
    view.detector = None
    with pytest.raises(RuntimeError, match="needs a detector"):
        view(0)


def test_a_held_hand_that_is_no_throw_is_reread() -> None:
    """Once, for every frame that shares the observation."""
    view = view_of(lambda when: Stance(half_open=1))
    first, other = view(10), view(14)
    assert other is first and view.is_shared(10) and not view.is_shared(14)
    combined = view.reread(10)
    calls = view.detector.calls
    assert combined is not None and len(combined.extra_hands or ()) == 2 and combined.reading.throw is None
    assert view(14) is combined and view.reread(10) is combined
    assert view.detector.calls == calls == 3


def test_a_hand_not_found_again_is_asked_once() -> None:
    for shift in (None, 5.0):  # lengths of the hand
        view = view_of(lambda when: Stance(half_open=1))
        seen, detector = view.exact(10), view.detector

        def detect(image: Pixels, detector: Any = detector, shift: float | None = shift) -> list[DetectedHand]:
            found = detector.detect(image)
            size = float(np.ptp(found[0].landmarks))
            return [] if shift is None else [replace(hand, landmarks=hand.landmarks + shift * size) for hand in found]

        view.detector = SimpleNamespace(detect=detect, can_track=False)
        combined, observations = view.reread(10), view.observations
        assert seen is not None and combined is not None and combined.extra_hands == ()
        assert view.reread(10) is combined and view.observations == observations


def test_a_fist_is_refused_less_readily_than_an_open_hand() -> None:
    landmarks, world = hand_landmarks(Stance(half_open=0.64))
    hand = DetectedHand(landmarks, world, True, 1.0)
    assert read_detections([hand], no_throw_prior=NO_THROW_PRIOR).throw is None
    assert read_hands([hand], NO_THROW_PRIOR).throw is Throw.ROCK
    landmarks, world = hand_landmarks(Stance(half_open=1))
    assert read_hands([DetectedHand(landmarks, world, True, 1.0)], NO_THROW_PRIOR).throw is None


def test_a_doubtful_fist_is_a_fist() -> None:
    """Half-open hands are doubtful papers and scissors; a doubtful fist is only seen badly."""
    combined = view_of(lambda when: Stance(half_open=0.6)).reread(10)
    assert combined is not None and combined.reading.throw is Throw.ROCK
