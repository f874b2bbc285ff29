"""Who is blamed for a hand that shows no throw: nobody, unless the frames say what it did."""

from dataclasses import dataclass

import numpy as np
import pytest

from device.camera.frames import Box, Frame, Pixels, Size
from rules.record.judgement import Verdict
from tests.helpers.scripted_hands import CUE, MS, ZONE, HandScript, hand_frames, hand_script, performance_of, view_of
from vision.hands.detector import DetectedHand
from vision.lock.blame import is_empty, settle_blame
from vision.lock.reasons import HandCause
from vision.lock.verdict import SeatVerdict
from vision.lock.zone_view import ZoneView

LOCK = CUE + 150 * MS
HALF = performance_of("paper", -400, half_open=True).stance(CUE)
PAPER = performance_of("paper", -400).stance(CUE)
PUMPS = hand_script(performance_of("rock", 0))


def settle(verdict: Verdict, cause: HandCause | None, *looks: ZoneView) -> tuple[Verdict, str | None]:
    settled = settle_blame(SeatVerdict(1, verdict, None, None, None, looks[0].box, cause=cause), looks, LOCK)
    return settled.verdict, settled.cause


def looked_at(view: ZoneView) -> ZoneView:
    """The view after looks on both sides of the lock, and at it."""
    for time_ms in (-900, -600, -30, 0, 30, 300):
        view.exact(view.nearest_frame(LOCK + time_ms * MS))
    return view


def seen(script: HandScript) -> ZoneView:
    return looked_at(view_of(script))


@pytest.mark.parametrize(
    ("looks", "verdict"),
    [
        ((HALF, HALF, HALF), (Verdict.UNCLEAR, HandCause.HALF_OPEN)),
        ((HALF, PAPER, HALF), (Verdict.UNREAD, HandCause.UNREADABLE)),
        ((HALF,), (Verdict.UNREAD, HandCause.UNREADABLE)),
    ],
    ids=["all looks", "not in the mirror", "no second look"],
)
def test_a_hand_is_blamed_as_half_open_only_where_every_look_says_so(
    looks: tuple[object, ...], verdict: tuple[Verdict, HandCause]
) -> None:
    views = [seen(lambda _, stance=stance: stance) for stance in looks]  # type: ignore[misc]
    assert settle(Verdict.UNCLEAR, HandCause.HALF_OPEN, *views) == verdict


def test_a_zone_that_stays_empty_blames_who_is_missing() -> None:
    view = seen(lambda _: None)
    assert is_empty(view)
    assert settle(Verdict.UNSEEN, HandCause.AWAY, view) == (Verdict.UNSEEN, HandCause.AWAY)


def test_movement_without_a_hand_blames_nobody() -> None:
    view = looked_at(NeverFound(PUMPS).view())
    assert not is_empty(view)
    assert settle(Verdict.UNSEEN, HandCause.AWAY, view) == (Verdict.UNREAD, HandCause.UNREADABLE)


def test_a_hand_is_gone_only_if_its_colour_is() -> None:
    """The same hand stays where it was, and is found no more from 500 ms before the lock on."""
    gone = seen(lambda at: PAPER if at < LOCK - 500 * MS else None)
    assert settle(Verdict.UNSEEN, HandCause.GONE, gone) == (Verdict.UNSEEN, HandCause.GONE)
    lost = looked_at(NeverFound(lambda _: PAPER, until_ns=LOCK - 500 * MS).view())
    assert settle(Verdict.UNSEEN, HandCause.GONE, lost) == (Verdict.UNREAD, HandCause.UNREADABLE)


def test_a_hand_lost_at_the_lock_or_cut_off_blames_nobody() -> None:
    view = seen(lambda at: PAPER if at < LOCK - 100 * MS else None)
    assert settle(Verdict.UNSEEN, None, view)[0] is Verdict.UNREAD
    assert settle(Verdict.UNSEEN, HandCause.CUT_OFF, view) == (Verdict.UNREAD, HandCause.CUT_OFF)


def test_other_verdicts_stay() -> None:
    view = seen(lambda _: PAPER)
    for verdict in Verdict:
        if verdict not in (Verdict.UNCLEAR, Verdict.UNSEEN):
            assert settle(verdict, None, view) == (verdict, None)


@pytest.mark.parametrize(
    ("length_px", "level", "cause"),
    [(39, 120, HandCause.SMALL), (60, 20, HandCause.DARK), (60, 120, HandCause.UNREADABLE)],
)
def test_what_would_help_is_said(length_px: int, level: int, cause: HandCause) -> None:
    frames = [PlainFrame(number, number * 20 * MS, 8 * MS, (640, 360), level) for number in range(200)]
    view = looked_at(ZoneView(frames, ZONE, FixedHand(length_px)))
    assert settle(Verdict.UNCLEAR, None, view, view) == (Verdict.UNREAD, cause)


class NeverFound:
    """A hand that is in the picture, and found only until a time."""

    def __init__(self, script: HandScript, until_ns: int = 0) -> None:
        self.frames, self.detector = hand_frames(script)
        found = self.detector.detect
        times_ns = {number: frame.exposed_ns for number, frame in enumerate(self.frames)}

        def detect(image: Pixels) -> list[DetectedHand]:
            hands = found(image)
            frame = self.detector.inputs[int(image[0, 0].astype(int) @ (1, 256, 65536))][0]
            return hands if times_ns[frame.number] < until_ns else []

        self.detector.detect = detect

    def view(self) -> ZoneView:
        return ZoneView(self.frames, ZONE, self.detector)


@dataclass(frozen=True)
class PlainFrame(Frame):
    """A frame of one grey level."""

    level: int

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        width, height = size or self.size
        return np.full((height, width, 3), self.level, np.uint8)


class FixedHand:
    """A detector that finds a hand of a length, in pixels of the frame, whatever it is given."""

    can_track = False

    def __init__(self, length_px: int) -> None:
        self.length_px = length_px

    def track(self, image: Pixels, landmarks: np.ndarray) -> DetectedHand | None:
        return None

    def detect(self, image: Pixels) -> list[DetectedHand]:
        steps = np.linspace(0.0, self.length_px, 21)
        return [DetectedHand(np.stack([40 + steps, 40 + steps], 1), np.zeros((21, 3)), True, 1.0)]
