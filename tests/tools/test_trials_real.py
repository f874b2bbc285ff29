"""Recordings made of filmed throws: their truth is exact whatever is altered, and the tables count what they say."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.camera.clip import Recording
from device.camera.frames import BgrFrame
from device.media.timeline import Piece, Timeline
from rules.throws import Throw
from tools.trials import real
from tools.trials.real import (
    ALTERATIONS,
    RealOutcome,
    RealThrow,
    RealTrial,
    fist_report,
    make_fist_trials,
    make_recording,
    table_row,
)
from tools.trials.tables import Share

FPS, SMALL_SIZE = 30.0, (64, 36)
ROCK = RealThrow("throw_clips/a.mov", FPS, Throw.ROCK, 55, 60, 100)
OTHER = RealThrow("throw_clips/b.mov", FPS, Throw.ROCK, 66, 70, 100)
THROWS = {ROCK.name: ROCK, OTHER.name: OTHER}


@pytest.fixture
def clips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clips that turn from dark to bright in the frame in which their throw is complete; the left edge stays dark."""

    def read(path: Path, since_ns: int, until_ns: int) -> Recording:
        settled = next(throw.settled for throw in THROWS.values() if throw.file.endswith(path.name))
        frames = []
        for number in range(round(since_ns / 1e9 * FPS), round(until_ns / 1e9 * FPS) + 1):
            image = np.full((36, 64, 3), 200 if number >= settled else 20, np.uint8)
            image[:, :8] = 0
            frames.append(BgrFrame(number, round(number / FPS * 1e9), 0, (64, 36), image))
        return Recording(frames, Timeline([Piece(0, 0, 1.0)]), FPS, FPS, None)

    monkeypatch.setattr(real, "read_clip", read)
    monkeypatch.setattr(real, "IMAGE_SIZE", SMALL_SIZE)


def bright_from_s(frames: list[BgrFrame], column: int) -> float:
    """Return the time of the first frame that is bright in a column."""
    return next(frame.exposed_ns for frame in frames if frame.bgr[18, column].mean() > 150) / 1e9


@pytest.mark.parametrize("alteration", ALTERATIONS)
@pytest.mark.parametrize(("left", "right"), [(ROCK.name, ROCK.name), (ROCK.name, OTHER.name)])
@pytest.mark.parametrize("shift", [0, 4, 5])
def test_each_half_shows_its_throw_when_the_truth_says(
    clips: None, alteration: str, left: str, right: str, shift: int
) -> None:
    frames, rate, shown_s = make_recording(RealTrial(left, right, shift, alteration), THROWS)
    assert rate == FPS * ALTERATIONS[alteration].rate and frames[0].size == (128, 36)
    assert np.allclose(np.diff([frame.exposed_ns for frame in frames]) / 1e9, 1 / rate)
    for place, column in enumerate((32, 96)):
        assert bright_from_s(frames, column) == pytest.approx(shown_s[place], abs=1.01 / rate)
    assert shown_s[1] - shown_s[0] == pytest.approx(shift / FPS / ALTERATIONS[alteration].speed)


def test_a_clip_stands_next_to_its_mirror_image(clips: None) -> None:
    frames, _, _ = make_recording(RealTrial(ROCK.name, ROCK.name, 0, "as filmed"), THROWS)
    image = frames[-1].bgr[18].mean(axis=1)
    assert np.array_equal(image, image[::-1]) and image[0] == 0 and image[-1] == 0 and image[64] > 150
    frames, _, _ = make_recording(RealTrial(ROCK.name, OTHER.name, 0, "as filmed"), THROWS)
    assert frames[-1].bgr[18, 64].mean() == 0, "the other clip is not mirrored"


def test_images_are_altered_as_named() -> None:
    images = tuple(np.full((36, 64, 3), (number, 100, 200), np.uint8) for number in range(9))
    made = {name: alteration.images(images) for name, alteration in ALTERATIONS.items()}
    assert [int(image[0, 0, 0]) for image in made["every fourth frame doubled"]] == [0, 0, 2, 3, 4, 4, 6, 7, 8]
    assert [int(image[0, 0, 0]) for image in made["half the frame rate"]] == [0, 2, 4, 6, 8]
    assert len(made["twice the frame rate, interpolated"]) == 17

    def colour(name: str) -> int:
        return int(np.ptp(made[name][0][0, 0].astype(int)))

    assert colour("as filmed") == 200
    for share in (0.5, 0.25, 0.1):
        assert colour(f"saturation × {share:g}") == pytest.approx(200 * share, abs=2)


OUTCOME = RealOutcome(
    RealTrial("a", "a", 0, "as filmed"), FPS, ("rock", "rock"), ("rock", "rock"), ("on time", "on time"),
    0.0, 12.0, 10.0, None, False,
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "accused", "missed"),
    [
        ({}, "0 of 1", ""),
        ({"verdicts": ("on time", "late")}, "1 of 1", ""),
        ({"verdicts": ("on time", "late"), "void": "gap"}, "", ""),
        ({"verdicts": ("on time", "late"), "closing": True}, "", ""),
        ({"verdicts": ("on time", "late"), "true_ms": 99.0}, "1 of 1", ""),
        ({"verdicts": ("on time", "late"), "true_ms": -101.0}, "", ""),
        ({"true_ms": 251.0}, "", "1 of 1"),
        ({"true_ms": -251.0, "verdicts": ("late", "on time")}, "", "0 of 1"),
    ],
)
def test_accusations_and_cheats_are_counted(changes: Mapping[str, Any], accused: str, missed: str) -> None:
    row = table_row("", [replace(OUTCOME, **changes)])
    assert (row[9], row[10], row[11]) == (accused, 0, missed)


@pytest.mark.parametrize("true_ms", [0.0, 251.0])
def test_too_close_to_call_is_neither_an_accusation_nor_a_miss(true_ms: float) -> None:
    doubtful = replace(OUTCOME, true_ms=true_ms, verdicts=("on time", "too close to call"))
    row = table_row("", [doubtful, replace(doubtful, void="gap")])
    assert {row[9], row[11]} == {"", "0 of 1"} and row[10] == 1


def test_the_95_percent_interval_is_compared_with_the_truth() -> None:
    held, missed = replace(OUTCOME, measured_ms=19.5), replace(OUTCOME, measured_ms=19.7)
    assert table_row("", [held, missed])[-1] == Share(1, 2).percent
    by_label = replace(missed, trial=RealTrial("a", "b", 0, "as filmed"))
    assert table_row("", [by_label])[-1] == Share(0, 1).percent, "a label is taken to be exact"
    assert table_row("", [replace(OUTCOME, measured_ms=None)])[-1] == ""


def test_errors_and_intervals_are_counted() -> None:
    assert table_row("all", [OUTCOME, replace(OUTCOME, measured_ms=-21.0)])[:9] == (
        "all", 2, 0, 0, 0, "16", "21", "0%", "50%",
    )  # fmt: skip
    misread = replace(OUTCOME, read=("rock", "paper"), measured_ms=5.0)
    assert table_row("", [misread, replace(OUTCOME, measured_ms=None)])[1:6] == (2, 1, 1, 0, "")
    by_label = replace(OUTCOME, trial=RealTrial("a", "b", 0, "as filmed"), measured_ms=43.0)
    assert table_row("", [by_label])[7] == "100%", "a label is only right to a frame"
    assert table_row("", [replace(by_label, measured_ms=44.0)])[7:9] == ("0%", "100%")


def test_late_fists_come_after_every_throw_of_their_frame_rate_and_are_counted_by_verdict() -> None:
    paper = replace(OTHER, file="throw_clips/c.mov", throw=Throw.PAPER)
    slow = replace(paper, file="throw_clips/d.mov", fps=15.0)
    throws = {throw.name: throw for throw in (ROCK, paper, slow)}
    trials = make_fist_trials(throws)
    assert {(trial.left, trial.right) for trial in trials} == {(ROCK.name, ROCK.name), (paper.name, ROCK.name)}
    late = replace(OUTCOME, true_ms=340.0, measured_ms=300.0, sigma_ms=10.0)
    rows = fist_report(
        [
            replace(late, verdicts=("on time", "late")),
            replace(late, verdicts=("late", "too close to call"), sigma_ms=40.0),
            replace(late, true_ms=640.0, verdicts=("on time", "not read"), measured_ms=None),
        ]
    ).splitlines()
    assert rows[2].startswith("| 300 to 399 | 2 | 0 | 1 | 1 | 0 | 1 | 50.00 %")
    assert rows[3].startswith("| 600 to 699 | 1 | 0 | 0 | 0 | 1 | 0 |")
