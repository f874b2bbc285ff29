"""Evidence of a round: readable images, a strip of nine, a timeline that is XML and to scale."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.record.judgement import STRIP_OFFSETS_MS, Verdict
from tests.helpers.judged_frames import FRAMES, JUDGEMENT, SEATS
from vision.evidence import STRIP_HEIGHT_PX, encode_jpeg, render_evidence, render_strip, render_timeline
from vision.lock.reasons import VoidKind, VoidReason

SVG = "{http://www.w3.org/2000/svg}"


def test_all_evidence_is_rendered_and_readable() -> None:
    evidence = {name: (kind, data) for name, kind, data in render_evidence(JUDGEMENT, FRAMES)}
    assert set(evidence) == {"lock.jpg", "timeline.svg", "seat-1.jpg", "strip-1.jpg", "seat-2.jpg", "strip-2.jpg"}
    sizes = {}
    for name, (kind, data) in evidence.items():
        assert kind == ("image/svg+xml" if name.endswith("svg") else "image/jpeg")
        if kind == "image/jpeg":
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            assert image is not None, name
            sizes[name] = image.shape[1::-1]
    assert sizes["lock.jpg"] == (960, 540)
    assert max(sizes["seat-1.jpg"]) == 320
    assert sizes["strip-1.jpg"] == (9 * round(STRIP_HEIGHT_PX * 640 / 720), STRIP_HEIGHT_PX)


def test_a_void_round_has_its_first_frame_as_evidence() -> None:
    void = replace(JUDGEMENT, void_reason=VoidReason(VoidKind.MOVED, measurement=0.06))
    evidence = {name: data for name, _, data in render_evidence(void, FRAMES)}
    before = np.asarray(cv2.imdecode(np.frombuffer(evidence["before.jpg"], np.uint8), cv2.IMREAD_COLOR), np.uint8)
    assert int(np.median(before)) == FRAMES[0].number


def test_a_strip_is_nine_exposures_around_the_lock() -> None:
    assert len(STRIP_OFFSETS_MS) == 9 and STRIP_OFFSETS_MS[4] == 0
    images = np.split(render_strip(JUDGEMENT, FRAMES, SEATS[0]), 9, axis=1)
    assert [int(np.median(image)) for image in images] == [115 + after // 10 for after in STRIP_OFFSETS_MS]
    assert (images[4][0] == 255).all() and not (images[3][0] == 255).any()


def test_a_jpeg_keeps_its_colours() -> None:
    red = np.zeros((32, 32, 3), np.uint8)
    red[..., 0] = 250
    read = np.asarray(cv2.imdecode(np.frombuffer(encode_jpeg(red), np.uint8), cv2.IMREAD_COLOR), np.uint8)
    assert read[16, 16, 2] > 230 and read[16, 16, 0] < 20


def test_the_timeline_is_xml_and_has_a_row_for_each_seat() -> None:
    root = ET.fromstring(render_timeline(JUDGEMENT))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "Seat 1" in texts and "Seat 2" in texts
    assert "rock +0 ms, on time" in texts and "paper +330 ms, late" in texts


def test_the_timeline_is_to_scale() -> None:
    root = ET.fromstring(render_timeline(JUDGEMENT))
    marks = [float(line.get("x1", "")) for line in root.iter(f"{SVG}line") if line.get("x1") == line.get("x2")]
    cue, lock, first, late = marks
    assert first == cue
    assert (late - cue) / (lock - cue) == pytest.approx(330 / 150, abs=0.02)


def test_a_seat_without_a_time_shows_its_verdict() -> None:
    unseen = replace(SEATS[0], verdict=Verdict.UNSEEN, throw=None, at_lock=None, shown=None)
    root = ET.fromstring(render_timeline(replace(JUDGEMENT, seats=(unseen,), first_ns=None)))
    assert "unseen" in [text.text for text in root.iter(f"{SVG}text")]
