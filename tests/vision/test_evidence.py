"""What is kept of a round: pictures that can be read, a strip of nine, a time line that is XML and tells no lies."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.camera.frames import Box, Frame, StoredFrame
from rules.throws import Throw
from vision.evidence import STRIP_PX, evidence_of, jpeg, strip, timeline
from vision.lock.judge import Judgement
from vision.lock.transition_time import Instant
from vision.lock.verdict import SeatVerdict, Verdict
from vision.lock.void_reasons import Trouble, TroubleKind
from vision.strips import STRIP_MS

MS = 1_000_000
CUE = 1_000 * MS


def frame(number: int) -> StoredFrame:
    """A frame whose brightness is its number."""
    return StoredFrame(number, number * 10 * MS, 0, (1280, 720), np.full((720, 1280, 3), number, np.uint8))


FRAMES: list[Frame] = [frame(number) for number in range(60, 160)]
LEFT, RIGHT = Box(0, 0, 640, 720), Box(640, 0, 640, 720)
SEATS = (
    SeatVerdict(1, Verdict.ON_TIME, Throw.ROCK, Throw.ROCK, Instant(CUE, 4 * MS), LEFT),
    SeatVerdict(2, Verdict.LATE, Throw.PAPER, Throw.ROCK, Instant(CUE + 330 * MS, 9 * MS), RIGHT),
)
JUDGEMENT = Judgement(CUE, CUE, CUE + 150 * MS, 150 * MS, FRAMES[55], SEATS)
SVG = "{http://www.w3.org/2000/svg}"


def test_everything_is_kept_and_can_be_read() -> None:
    kept = {name: (kind, data) for name, kind, data in evidence_of(JUDGEMENT, FRAMES)}
    assert set(kept) == {"lock.jpg", "timeline.svg", "seat-1.jpg", "strip-1.jpg", "seat-2.jpg", "strip-2.jpg"}
    sizes = {}
    for name, (kind, data) in kept.items():
        assert kind == ("image/svg+xml" if name.endswith("svg") else "image/jpeg")
        if kind == "image/jpeg":
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            assert picture is not None, name
            sizes[name] = picture.shape[1::-1]
    assert sizes["lock.jpg"] == (960, 540)
    assert max(sizes["seat-1.jpg"]) == 320
    assert sizes["strip-1.jpg"] == (9 * round(STRIP_PX * 640 / 720), STRIP_PX)


def test_of_a_troubled_round_the_first_frame_is_kept_too() -> None:
    troubled = replace(JUDGEMENT, trouble=Trouble(TroubleKind.MOVED, figure=0.06))
    kept = {name: data for name, _, data in evidence_of(troubled, FRAMES)}
    before = cv2.imdecode(np.frombuffer(kept["before.jpg"], np.uint8), cv2.IMREAD_COLOR)
    assert int(np.median(before)) == FRAMES[0].number


def test_a_strip_is_nine_exposures_around_the_lock() -> None:
    assert len(STRIP_MS) == 9 and STRIP_MS[4] == 0
    pictures = np.split(strip(JUDGEMENT, FRAMES, SEATS[0]), 9, axis=1)
    assert [int(np.median(picture)) for picture in pictures] == [115 + after // 10 for after in STRIP_MS]
    assert (pictures[4][0] == 255).all() and not (pictures[3][0] == 255).any()


def test_a_jpeg_keeps_its_colours() -> None:
    red = np.zeros((32, 32, 3), np.uint8)
    red[..., 0] = 250
    read = cv2.imdecode(np.frombuffer(jpeg(red), np.uint8), cv2.IMREAD_COLOR)
    assert read[16, 16, 2] > 230 and read[16, 16, 0] < 20


def test_the_time_line_is_xml_and_has_a_row_for_each_seat() -> None:
    root = ET.fromstring(timeline(JUDGEMENT))
    said = [text.text for text in root.iter(f"{SVG}text")]
    assert "Seat 1" in said and "Seat 2" in said
    assert "rock +0 ms, on time" in said and "paper +330 ms, late" in said


def test_the_time_line_is_to_scale() -> None:
    root = ET.fromstring(timeline(JUDGEMENT))
    marks = [float(line.get("x1", "")) for line in root.iter(f"{SVG}line") if line.get("x1") == line.get("x2")]
    cue, lock, first, late = marks
    assert first == cue
    assert (late - cue) / (lock - cue) == pytest.approx(330 / 150, abs=0.02)


def test_a_seat_without_a_time_has_its_verdict_there() -> None:
    unseen = replace(SEATS[0], verdict=Verdict.UNSEEN, throw=None, at_lock=None, shown=None)
    root = ET.fromstring(timeline(replace(JUDGEMENT, seats=(unseen,), first_ns=None)))
    assert "unseen" in [text.text for text in root.iter(f"{SVG}text")]
