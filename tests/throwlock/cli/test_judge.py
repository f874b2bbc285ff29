"""``throwlock judge`` as other tools call it: its JSON, its lines, its evidence, and what it refuses."""

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
import pytest

import vision.lock.judge
from device.camera.clip import ClipError, Recording, SpeedSource
from device.camera.frames import BgrFrame, Box, Frame, Pixels
from device.media.timeline import Piece, Timeline
from rules.record.judgement import Verdict
from rules.throws import Throw
from tests.helpers import scripted_hands
from tests.helpers.scripted_hands import hand_frames, hand_script, performance_of
from throwlock.cli import judge as looking
from throwlock.cli.main import run_command
from vision.hands.stills import RecognisedHand
from vision.lock.inference import TimeEstimate
from vision.lock.judge import Judge
from vision.lock.judgement import Judgement

KEYS = {
    "recorded_fps", "speed_source", "cue_s", "first_shown_s", "lock_s", "lock_frame_s", "void_reason", "seats",
}  # fmt: skip
SEAT_KEYS = {
    "seat", "throw", "at_lock", "after_lock", "shown_s", "after_first_s", "uncertainty_s", "verdict", "inferences",
}  # fmt: skip
ZONES = [f"--zone={','.join(map(repr, zone))}" for zone in scripted_hands.SEATING.zones]


ReadClip = Callable[..., Recording]


@pytest.fixture
def read_scripted(monkeypatch: pytest.MonkeyPatch) -> ReadClip:
    """Reads a recording of scripted hands: seat 1 on time with paper, seat 2 late with scissors."""
    frames, detector = hand_frames(
        hand_script(performance_of("paper", 0)), hand_script(performance_of("scissors", 330))
    )
    monkeypatch.setattr(vision.lock.judge, "HandDetector", lambda **options: detector)

    def read(
        path: Path, since_ns: int = 0, until_ns: int = 10**18, cue_ns: int = 0, recorded_fps: float | None = None
    ) -> Recording:
        part = [frame for frame in frames if since_ns <= frame.exposed_ns - cue_ns <= until_ns]
        return Recording(part, Timeline([Piece(0, 0, 1.0)]), 30.0, 30.0, None)  # type: ignore[arg-type]  # frames with hands

    return read


@pytest.fixture
def clip(monkeypatch: pytest.MonkeyPatch, read_scripted: ReadClip) -> Path:
    """The recording's path."""
    monkeypatch.setattr(looking, "read_clip", read_scripted)
    return Path("scripted.mp4")


@dataclass(frozen=True)
class JudgeRun:
    """What a command came to, and all it printed."""

    exit_code: int
    output: str


Run = Callable[..., JudgeRun]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def judge(*arguments: object) -> JudgeRun:
        code = run_command(["judge", *map(str, arguments)])
        return JudgeRun(code, "".join(capfd.readouterr()))

    return judge


@pytest.mark.parametrize("cue", [[], ["--cue", "3.0"]])
def test_json(run: Run, clip: Path, cue: list[str]) -> None:
    result = run(clip, *ZONES, *cue, "--json")
    assert result.exit_code == 0, result.output
    output = json.loads(result.output)
    assert set(output) == KEYS and all(set(seat) == SEAT_KEYS for seat in output["seats"])
    assert [seat["seat"] for seat in output["seats"]] == [1, 2]
    assert [seat["throw"] for seat in output["seats"]] == ["paper", "scissors"]
    assert [seat["verdict"] for seat in output["seats"]] == ["on time", "late"]
    assert output["cue_s"] == pytest.approx(3.0, abs=0.01)
    assert output["lock_s"] == pytest.approx(3.15, abs=0.01)
    assert output["seats"][1]["after_first_s"] == pytest.approx(0.33, abs=0.01)
    assert output["seats"][1]["shown_s"] - output["seats"][0]["shown_s"] == pytest.approx(0.33, abs=0.01)
    assert all(seat["inferences"] > 5 for seat in output["seats"])


def test_text_output(run: Run, clip: Path) -> None:
    result = run(clip, *ZONES)
    assert result.exit_code == 0
    assert "seat 1: paper, on time" in result.output
    late = re.search(r"Seat 2 was late: scissors (\d+) ms", result.output)
    assert late and int(late[1]) == pytest.approx(330, abs=7)


def test_slow_motion_is_said_and_judged_as_recorded(
    run: Run, clip: Path, read_scripted: ReadClip, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    def read(path: Path, *part: int, recorded_fps: float | None = None) -> Recording:
        given.append((part, recorded_fps))
        timeline = Timeline([Piece(0, 0, 4.0)])
        return replace(read_scripted(path), timeline=timeline, recorded_fps=120.0, speed_source=SpeedSource.GIVEN)

    monkeypatch.setattr(looking, "read_clip", read)
    result = run(clip, *ZONES, "--cue", "12", "--recorded-fps", "120")
    assert given == [((-1_200_000_000, 1_400_000_000, 12_000_000_000), 120.0)]
    assert "made at 120 frames a second and is shown at 30" in result.output
    assert "cue 12.000 s" in result.output and re.search(r"late: scissors 3[23]\d ms", result.output)
    output = json.loads(run(clip, *ZONES, "--json").output)
    assert (output["recorded_fps"], output["speed_source"]) == (120, "given")
    assert output["seats"][1]["after_first_s"] == pytest.approx(0.33, abs=0.01)
    shown_s = [seat["shown_s"] for seat in output["seats"]]
    assert shown_s[1] - shown_s[0] == pytest.approx(4 * 0.33, abs=0.04), "on the player’s clock"


@pytest.mark.parametrize(
    ("reason", "hint"),
    [("too long", "--cue"), ("cut", "--cue"), ("no times", "--recorded-fps"), ("ends", "--cue"), ("damaged", "")],
)
def test_a_recording_that_can_not_be_read_ends_with_what_helps(
    run: Run, monkeypatch: pytest.MonkeyPatch, reason: str, hint: str
) -> None:
    def refuse(*_: object, **__: object) -> Recording:
        raise ClipError("a.mp4 is refused: cut it", reason)

    monkeypatch.setattr(looking, "read_clip", refuse)
    result = run("a.mp4")
    assert result.exit_code == 2 and result.output.count("\n") == 1
    assert "a.mp4 is refused: cut it" in result.output and (
        hint in result.output if hint else "--" not in result.output
    )


def test_evidence_is_written(run: Run, clip: Path, tmp_path: Path) -> None:
    result = run(clip, *ZONES, "--evidence", tmp_path / "kept")
    assert result.exit_code == 0
    names = {path.name for path in (tmp_path / "kept").iterdir()}
    seats = {f"{kind}-{seat}.jpg" for kind in ("seat", "strip") for seat in (1, 2)}
    assert names == {"lock.jpg", "timeline.svg", "foul-2.jpg"} | seats, "the second hand is late: shown afterwards, too"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--zone", "0.6,0,0.5,1"], "not inside the frame"),
        (["--zone", "a"], "not four numbers"),
        (["--zone", "0,0,1,1", "--zone", "0,0,1,1"], "overlap"),
        (["--zone", "0,0,0.001,1"], "too small to see a hand in; give a larger --zone"),
        (["--cue", "-1"], "0 or more"),
        (["--recorded-fps", "0"], "from 1 to 100000"),
        (["--recorded-fps", "nan"], "from 1 to 100000"),
    ],
)
def test_wrong_arguments_are_refused(run: Run, clip: Path, arguments: list[str], said: str) -> None:
    result = run(clip, *arguments)
    assert result.exit_code == 2
    assert said in result.output and "Traceback" not in result.output


def test_file_that_is_no_video_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "no.mp4").write_text("no video")
    for path in (tmp_path / "no.mp4", tmp_path / "missing.mp4"):
        result = run(path, "--evidence", tmp_path / "kept")
        assert result.exit_code == 2
        assert path.name in result.output and len(result.output.strip().splitlines()) == 1
    assert not (tmp_path / "kept").exists()


def test_a_recording_without_colours_is_refused(
    run: Run, clip: Path, read_scripted: ReadClip, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_grey(path: Path, recorded_fps: float | None = None) -> Recording:
        recording = read_scripted(path, recorded_fps=recorded_fps)
        levels = np.full((480, 640, 1), 120, np.uint8)
        levels[:, 320:] = 60
        grey = np.repeat(levels, 3, 2) + np.array([0, 2, 0], np.uint8)  # as compression leaves it
        frames = [BgrFrame(frame.number, frame.exposed_ns, 0, (640, 480), grey) for frame in recording.frames]
        return replace(recording, frames=frames)

    monkeypatch.setattr(looking, "read_clip", read_grey)
    result = run(clip, *ZONES)
    assert result.exit_code == 2
    assert "scripted.mp4 has no colours, and hands are recognised by theirs: film in colour" in result.output


def test_a_picture_is_no_recording(run: Run, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((480, 640, 3), (20, 90, 200), np.uint8))
    result = run(tmp_path / "a.png", *ZONES)
    assert result.exit_code == 2 and result.output.count("\n") == 1
    assert "a.png has too few pictures there to judge a throw by (1): give it the whole throw" in result.output


def test_cue_after_the_end_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "short.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (320, 180))
    for _ in range(20):
        writer.write(np.full((180, 320, 3), 90, np.uint8))
    writer.release()
    result = run(path, "--cue", "9")
    assert result.exit_code == 2 and "ends at" in result.output


@pytest.mark.parametrize(("after_lock_ms", "is_judged"), [(-40, False), (60, False), (140, True)])
def test_recording_that_ends_before_the_lock_is_seen_is_refused(
    run: Run, clip: Path, read_scripted: ReadClip, monkeypatch: pytest.MonkeyPatch, after_lock_ms: int, is_judged: bool
) -> None:
    end_ns = round((3.15 + after_lock_ms / 1000) * 1e9)
    monkeypatch.setattr(looking, "read_clip", partial(read_scripted, until_ns=end_ns))
    result = run(clip, *ZONES)
    assert (result.exit_code == 0) is is_judged, result.output
    if not is_judged:
        assert result.output.count("\n") == 1
        assert "too early to judge by: the lock is at 3.15 s" in result.output and "late" not in result.output


@pytest.mark.parametrize(("after_fist_ms", "is_judged"), [(0, True), (20, False), (140, True)])
def test_a_fist_at_the_end_of_a_recording_may_be_about_to_open(
    run: Run, clip: Path, monkeypatch: pytest.MonkeyPatch, after_fist_ms: int, is_judged: bool
) -> None:
    """Two swing; a recording that was cut short ends while one hand rests for a moment."""

    class FistJudge(Judge):
        def __call__(self, frames: Sequence[Frame], *arguments: Any) -> Judgement:
            judgement = super().__call__(frames, *arguments)
            if not after_fist_ms:
                return judgement
            fist = TimeEstimate(frames[-1].exposed_ns - after_fist_ms * 1_000_000, 10_000_000)
            late = replace(judgement.seats[1], throw=Throw.ROCK, shown=fist, verdict=Verdict.LATE)
            return replace(judgement, seats=(judgement.seats[0], late))

    monkeypatch.setattr(looking, "Judge", FistJudge)
    result = run(clip, *ZONES)
    assert (result.exit_code == 0) is is_judged, result.output
    assert ("too early to judge by: the last fist rests at" in result.output) is not is_judged


class BlankRecogniser:
    """A fake ``Recogniser`` that finds no hand."""

    hands: tuple[RecognisedHand, ...] = ()

    def __init__(self, model: str) -> None:
        assert model == "full"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        pass

    def recognise(self, image: Pixels) -> list[RecognisedHand]:
        assert image.shape == (30, 40, 3)
        return list(self.hands)


def test_bad_pictures_do_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(looking, "Recogniser", BlankRecogniser)
    monkeypatch.chdir(tmp_path)
    for name in ("a.png", "c.png", "e.png"):
        cv2.imwrite(name, np.zeros((30, 40, 3), np.uint8))
    cv2.imwrite("b.png", np.zeros((3000, 1, 3), np.uint8))
    os.mkfifo("d.png")
    assert run_command(["recognise", "a.png", "b.png", "c.png", "d.png", "e.png"]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines() == [f"{name}.png: no hand found" for name in "ace"]
    assert err.splitlines() == [
        "throwlock: b.png is a strip of 1×3000 pixels: crop it around the hands.",
        "throwlock: d.png can’t be read: a pipe or device, not a file.",
    ]
    assert run_command(["recognise", "a.png", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": "a.png", "hands": []}


def test_a_pictures_name_is_one_line_that_no_terminal_obeys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(looking, "Recogniser", BlankRecogniser)
    monkeypatch.chdir(tmp_path)
    good, empty = "-😀\n\x1b[31m\u202e.png", "empty\n\x1b[2J.png"
    Path("a.png").write_bytes(cv2.imencode(".png", np.zeros((30, 40, 3), np.uint8))[1].tobytes())
    Path("a.png").rename(good)
    Path(empty).touch()
    assert run_command(["recognise", "--", good, empty]) == 2
    out, err = capsys.readouterr()
    assert out == "-😀 \ufffd[31m\ufffd.png: no hand found\n"
    assert err == "throwlock: empty \ufffd[2J.png is damaged or cut short: copy it again.\n"


def test_hand_that_is_cut_off_or_too_small_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_off = RecognisedHand(None, 1.0, Box(0, 0, 30, 20), is_cut_off=True)
    small = RecognisedHand(None, 1.0, Box(4, 4, 12, 21), is_too_small=True)
    monkeypatch.setattr(looking, "Recogniser", BlankRecogniser)
    monkeypatch.setattr(BlankRecogniser, "hands", (cut_off, small))
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("a.png", np.zeros((30, 40, 3), np.uint8))
    assert run_command(["recognise", "a.png"]) == 0
    assert capsys.readouterr().out == "a.png: a hand cut off, a hand of 21 pixels, too small to read\n"
    assert run_command(["recognise", "a.png", "--json"]) == 0
    hands = json.loads(capsys.readouterr().out)["hands"]
    assert [(hand["cut_off"], hand["too_small"]) for hand in hands] == [(True, False), (False, True)]
