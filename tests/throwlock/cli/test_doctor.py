"""The doctor: what it says of a box's parts when they work, are missing, hang or abort."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from device.camera.base import CameraError
from device.sound.voice import VoiceError
from device.system.clock import MonotonicClock
from tests.helpers import fake_picamera2
from tests.helpers.journal_events import NAMES, STARTED
from tests.helpers.journals import contents
from throwlock.cli.doctor import checks, command, probes, system_packages
from throwlock.cli.doctor.checks import PartStatus
from throwlock.cli.doctor.probes import ProbeResult, run_probe
from throwlock.cli.main import run_command
from throwlock.journal.journal import Journal
from ui import fonts
from vision.hands.model import CACHE_FOLDER, MODEL_SIZES, ModelError, model_path


def scripted_probe(*results: ProbeResult) -> tuple[Callable[[Sequence[str], float], ProbeResult], list[list[str]]]:
    """A stand-in for a process of its own: what becomes of each, and what was asked."""
    left, asked = list(results), []

    def attempt(args: Sequence[str], seconds: float) -> ProbeResult:
        assert 0 < seconds < 600
        asked.append(list(args))
        return left.pop(0)

    return attempt, asked


def test_python(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.python().state == "ok"
    monkeypatch.setattr(system_packages, "MIN_PYTHON", (9, 9))
    part = checks.python()
    assert (part.state, part.remedy, part.needed) == ("broken", "install Python 9.9 or newer", True)


def test_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_packages, "LIBRARIES", {})
    monkeypatch.setattr(system_packages, "missing_packages", list)
    assert checks.libraries().state == "ok"
    monkeypatch.setattr(system_packages, "missing_packages", lambda: ["libegl1", "libgl1"])
    part = checks.libraries()
    assert (part.state, part.remedy) == ("missing", "sudo apt install libegl1 libgl1")


def test_the_hand_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THROWLOCK_CACHE", str(tmp_path))
    assert checks.model().state == "missing"
    assert contents(tmp_path) == {}, "looking fetches nothing"
    (tmp_path / CACHE_FOLDER).mkdir()
    for size in MODEL_SIZES:
        content = f"the {size} model".encode()
        (tmp_path / CACHE_FOLDER / f"{size}-{hashlib.sha256(content).hexdigest()[:32]}.task").write_bytes(content)
    assert checks.model().state == "ok"
    (path,) = (tmp_path / CACHE_FOLDER).glob("lite-*")
    path.write_bytes(b"half")
    part = checks.model()
    assert part.state == "broken"
    assert str(path) in part.found
    path.unlink()
    part = checks.model()
    assert part.state == "missing"
    assert part.found.startswith("lite: not in")
    assert "vision.hands.model" in part.remedy


def test_doctor_checks_the_model_that_is_prepared() -> None:
    try:
        model_path("full")
    except ModelError as fault:
        pytest.skip(str(fault))
    assert checks.model().state == "ok"


RUNS: dict[str, Any] = {"mediapipe": "1.2.3", "tracking_error": None}
ABORTED = "mediapipe stopped while it was loaded"


@pytest.mark.parametrize(
    ("tried", "states", "words"),
    [
        (
            ProbeResult(0, RUNS | {"recognised": ["rock"]}, ""),
            ["ok", "ok"],
            "mediapipe 1.2.3: rendered rock recognised",
        ),
        (ProbeResult(1, RUNS, "rendered rock read as paper"), ["broken", "ok"], "1.2.3: rendered rock read as paper"),
        (ProbeResult(1, {"mediapipe": "1.2.3"}, ABORTED), ["broken"], f"mediapipe 1.2.3: {ABORTED}"),
        (ProbeResult(1, {}, "No module named mediapipe"), ["broken"], "No module named mediapipe"),
        (ProbeResult(-signal.SIGILL, {}, ""), ["broken"], "ends the whole process (illegal instruction, SIGILL)"),
        (ProbeResult(None, {"mediapipe": "1.2.3"}, ""), ["broken"], "did not answer in time"),
        (
            ProbeResult(0, {"mediapipe": "1", "tracking_error": "no such product", "recognised": ["rock"]}, ""),
            ["ok", "broken"],
            "LiteRT can't be used (no such product)",
        ),
    ],
)
def test_recognition(tried: ProbeResult, states: list[str], words: str) -> None:
    attempt, asked = scripted_probe(tried)
    parts = list(checks.hands(True, attempt))
    assert [part.state for part in parts] == states
    assert any(words in part.line() for part in parts)
    assert [part.needed for part in parts] == [True, False][: len(parts)], "without LiteRT the box plays, slowly"
    assert asked == [["hand"]]


def test_without_a_model_recognition_is_not_tried() -> None:
    attempt, asked = scripted_probe()
    (hands,) = checks.hands(False, attempt)
    assert (hands.state, asked) == ("missing", [])


def test_probe_of_the_hand_model_says_why_litert_does_not_run(
    script: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = script("reader RuntimeError")
    assert probes.main(["hand"]) == 1, "the fake model's hand is no throw"
    out, err = capsys.readouterr()
    (error,) = [found["tracking_error"] for line in out.splitlines() if "tracking_error" in (found := json.loads(line))]
    assert "this is why" in error and str(path) in error
    assert err.splitlines()[-1].startswith("rendered rock, paper, scissors read as "), "after what is logged"


@pytest.mark.parametrize(
    ("fault", "words"), [("illegal", "newer processors"), ("killed", "memory"), ("abort", "SIGABRT")]
)
def test_probe_of_the_hand_model_tells_signals_apart(
    script: Callable[..., Path], capsys: pytest.CaptureFixture[str], fault: str, words: str
) -> None:
    script(f"load {fault}")
    assert probes.main(["hand"]) == 1
    assert words in capsys.readouterr().err


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Puts a fake model with scripted faults in the place of the hand model."""

    def write(*faults: str) -> Path:
        path = tmp_path / "fake.task"
        path.write_text("\n".join(faults))
        monkeypatch.setattr("vision.hands.detector.model_path", lambda size: path)
        monkeypatch.setattr("vision.hands.model_process.WORKER_MODULE", "tests.helpers.faulty_model_worker")
        return path

    return write


def test_the_simulated_table(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.simulated_table().state == "ok"
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    part = checks.simulated_table()
    assert (part.state, part.needed) == ("unused", False)
    assert part.remedy == f"{sys.executable} -m pip install numba adds them"


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    folder = tmp_path / "dev"
    folder.mkdir()
    return folder


def test_no_camera(dev: Path) -> None:
    attempt, asked = scripted_probe()
    part = checks.camera(attempt, dev, dev)
    assert (part.state, part.needed) == ("missing", False)
    assert "--camera simulated" in part.remedy
    assert asked == []


def test_the_pis_own_camera() -> None:
    found = {"sensor": "imx708", "mode": [1536, 864], "size": [1280, 720], "fps": 119.5, "asked": 120.0, "dropped": 1}
    found |= {"exposure_ms": 4.0, "readout_ms": 8.0, "light": "bright"}
    part = checks.picamera(lambda args, seconds: ProbeResult(0, found, ""))
    assert part.state == "ok" and part.found == (
        "picamera2: imx708 at 1536×864, ring of 1280×720, 119.5 of 120 fps, 1 dropped, exposure 4 ms, readout 8 ms"
    )
    part = checks.picamera(lambda args, seconds: ProbeResult(0, found | {"light": "dim"}, ""))
    assert part.found.endswith("readout 8 ms, but it is too dark to read hands surely: add more light")
    part = checks.picamera(lambda args, seconds: ProbeResult(0, found | {"readout_ms": None}, ""))
    assert part.found.endswith("exposure 4 ms, readout not known")
    part = checks.picamera(lambda args, seconds: ProbeResult(1, {}, "no camera picamera2:0: check the ribbon cable"))
    assert part.state == "broken" and "ribbon cable" in part.found and "usb:0" in part.remedy


def test_first_camera_that_delivers_an_image_is_reported(dev: Path, tmp_path: Path) -> None:
    for number, name in ((0, "bcm2835-codec-decode"), (2, "HD Webcam"), (3, "HD Webcam"), (10, "pispbe-input")):
        (dev / f"video{number}").touch()
        (tmp_path / "names" / f"video{number}").mkdir(parents=True)
        (tmp_path / "names" / f"video{number}" / "name").write_text(name + "\n")
    taken = ProbeResult(1, {}, "camera usb:2 sends no images")
    attempt, asked = scripted_probe(taken, ProbeResult(0, {"size": [1280, 720], "fps": 30.0, "light": "black"}, ""))
    part = checks.camera(attempt, dev, tmp_path / "names")
    assert part.state == "ok"
    assert part.found == "usb:3 gives 1280×720, reports 30 fps, but the image is black: is its lens covered?"
    assert asked == [["camera", "2"], ["camera", "3"]], "a Pi's codecs are no cameras"
    attempt, _ = scripted_probe(taken, ProbeResult(None, {}, ""))
    part = checks.camera(attempt, dev, tmp_path / "names")
    assert part.state == "broken"
    assert part.found == "usb:2: camera usb:2 sends no images | usb:3: it did not answer in time"


@pytest.mark.parametrize(
    ("setting", "probe_args"),
    [
        ("picamera2", ["picamera", "0"]),
        ("picamera2:1", ["picamera", "1"]),
        ("usb:3", ["camera", "3"]),
    ],
)
def test_camera_of_the_settings_is_checked(setting: str, probe_args: list[str], tmp_path: Path) -> None:
    file = tmp_path / "throwlock.toml"
    file.write_text(f'[camera]\nname = "{setting}"\n')
    attempt, asked = scripted_probe(ProbeResult(1, {}, "no such camera"))
    assert checks.configured_camera(attempt, file).state == "broken"
    assert asked == [probe_args]


def test_camera_of_this_machine_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    attempt, asked = scripted_probe(ProbeResult(1, {}, "no such camera"))
    checks.configured_camera(attempt, tmp_path / "missing.toml")
    assert asked == [["picamera", "0"]]


def test_no_camera_is_opened_where_none_is_set(tmp_path: Path) -> None:
    file = tmp_path / "throwlock.toml"
    attempt, asked = scripted_probe()
    file.write_text('[camera]\nname = "none"\n')
    part = checks.configured_camera(attempt, file)
    assert part.state == "unused" and "none" in part.found
    file.write_text("[camera\n")
    assert checks.configured_camera(attempt, file).state == "broken"
    assert asked == []


def test_camera_probe_uses_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "throwlock.toml"
    file.write_text("[camera]\nwidth = 1000\nheight = 700\nfps = 50\nexposure_us = 2500\nfocus_cm = 40\n")
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(file))
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2)
    monkeypatch.setattr("device.camera.picamera._modes_by_camera_id", {})
    monkeypatch.setattr(fake_picamera2.Picamera2, "instances", [])
    monkeypatch.setattr(fake_picamera2.Picamera2, "now_ns", staticmethod(time.monotonic_ns))

    def expose(clock: MonotonicClock, when_ns: int) -> None:
        fake_picamera2.Picamera2.instances[-1].expose(clock.now_ns() + 1_000_000)

    monkeypatch.setattr(MonotonicClock, "wait_until", expose)
    (found,) = probes.picamera("0")
    camera = fake_picamera2.Picamera2.instances[-1]
    assert (found["size"], found["asked"]) == ((1000, 562), 50.0)
    assert camera.controls["ExposureTime"] == 2500 and camera.controls["LensPosition"] == 100 / 40
    with pytest.raises(CameraError, match="no camera picamera2:4"):
        next(probes.picamera("4"))


def test_the_screen(tmp_path: Path) -> None:
    assert checks.screen(scripted_probe()[0], {}, tmp_path).state == "missing"
    good = ProbeResult(0, {"driver": "x11", "sizes": [[800, 480]]}, "")
    part = checks.screen(scripted_probe(good)[0], {"DISPLAY": ":0"}, tmp_path)
    assert (part.state, part.found) == ("ok", "800×480 pixels through x11")
    (tmp_path / "card0").touch()
    for bad in (
        ProbeResult(1, {}, "x11 not available"),
        ProbeResult(0, {"driver": "offscreen", "sizes": [[1, 1]]}, ""),
    ):
        part = checks.screen(scripted_probe(bad)[0], {}, tmp_path)
        assert part.state == "broken"
        assert "--headless" in part.remedy
        assert not part.needed


def test_the_sound_device() -> None:
    assert checks.sound(scripted_probe(ProbeResult(0, {"driver": "pulseaudio"}, ""))[0]).state == "ok"
    part = checks.sound(scripted_probe(ProbeResult(0, {"none": "no sound device here"}, ""))[0])
    assert (part.state, part.found, part.needed) == ("missing", "no sound device here", False)
    for bad in (ProbeResult(0, {"driver": "dummy"}, ""), ProbeResult(1, {}, "it is in use"), ProbeResult(None, {}, "")):
        assert checks.sound(scripted_probe(bad)[0]).state == "broken"


def test_letters_of_every_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "SCRIPT_SAMPLE", "A\ue000")
    part = checks.fonts()
    assert (part.state, part.found, part.needed) == ("missing", "no font has \ue000", False)
    assert "sudo apt install fonts-noto-core fonts-noto-cjk" in part.line()
    monkeypatch.setattr(checks, "SCRIPT_SAMPLE", "A")
    monkeypatch.setattr(fonts, "can_shape", lambda: False)
    assert "libfribidi0 is missing" in checks.fonts().line()
    monkeypatch.setattr(fonts, "can_shape", lambda: True)
    assert checks.fonts().state == "ok"


def test_the_voice() -> None:
    found = {"version": "eSpeak NG text-to-speech: 1.51", "languages": ["en", "de", "fr"]}
    part = checks.voice(scripted_probe(ProbeResult(0, found, ""))[0])
    assert (part.state, part.found) == ("ok", "eSpeak NG text-to-speech: 1.51: en, de, fr")
    part = checks.voice(scripted_probe(ProbeResult(0, {"none": "espeak-ng is not installed"}, ""))[0])
    assert (part.state, part.needed) == ("missing", False) and "sudo apt install espeak-ng" in part.line()
    part = checks.voice(scripted_probe(ProbeResult(1, {}, "espeak-ng failed with status 1"))[0])
    assert (part.state, part.found) == ("broken", "espeak-ng failed with status 1")


def test_probe_of_the_voice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(probes.voice()) == [{"none": "espeak-ng is not installed"}]
    (tmp_path / "espeak-ng").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "espeak-ng").chmod(0o755)
    with pytest.raises(VoiceError, match="status 1"):
        list(probes.voice())


def test_dummy_sound_device_opens(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert run_probe(["sound"], 60).found == {"driver": "dummy"}
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    assert probes.main(["sound"]) == 1
    assert "can’t be opened" in capsys.readouterr().err


def test_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "not" / "yet" / "there.journal"
    part = checks.disk(path)
    assert part.state == "ok"
    assert f"no journal yet at {path}" in part.found
    assert contents(tmp_path) == {}
    with Journal(tmp_path / "one.journal") as journal:
        journal.start_match(STARTED, NAMES)
    before = contents(tmp_path)
    part = checks.disk(tmp_path / "one.journal")
    assert part.found.endswith("one.journal has 1 match, the last one cut off")
    assert contents(tmp_path) == before


def test_nearly_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MIN_FREE_BYTES", 10**18)
    part = checks.disk(tmp_path / "one.journal")
    assert (part.state, part.remedy) == ("broken", "free some space there")


def test_unwritable_folder_is_reported(tmp_path: Path, read_only: Callable[[Path], Path]) -> None:
    (tmp_path / "a").mkdir()
    folder = read_only(tmp_path / "a")
    part = checks.disk(folder / "one.journal")
    assert (part.state, part.needed) == ("broken", True)
    assert "Permission denied" in part.found


def test_foreign_journal_is_reported(foreign: Path) -> None:
    before = contents(foreign.parent)
    part = checks.disk(foreign)
    assert part.state == "broken"
    assert contents(foreign.parent) == before


def test_the_clock() -> None:
    now = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
    for synchronised, words in ((True, "set by the network"), (False, "not set by"), (None, "possibly not set")):

        def is_set(answer: bool | None = synchronised) -> bool | None:
            return answer

        part = checks.clock(is_set, now)
        assert part.state == "ok"
        assert words in part.found
    part = checks.clock(lambda: False, datetime(1970, 1, 1, tzinfo=UTC))
    assert part.state == "broken"
    assert "1970-01-01" in part.found
    assert "timedatectl" in part.remedy


def test_whether_the_date_is_synchronised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "synchronized").touch()
    assert checks.is_synchronised(tmp_path / "synchronized") is True
    for says, meant in (("yes", True), ("no", False), ("", None)):
        (tmp_path / "timedatectl").write_text(f"#!/bin/sh\necho {says}\n")
        (tmp_path / "timedatectl").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        assert checks.is_synchronised(tmp_path / "none") is meant
    monkeypatch.setenv("PATH", "")
    assert checks.is_synchronised(tmp_path / "none") is None


# -------- processes of their own


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str, float], ProbeResult]:
    """Runs a program in the place of ``throwlock.cli.doctor.probes``, through the same door."""

    def run(program: str, seconds: float) -> ProbeResult:
        script = tmp_path / "probe"
        script.write_text(f"#!{sys.executable}\n{program}\n")
        script.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(script))
        return run_probe(["anything"], seconds)

    return run


def test_probe_that_succeeds(probe: Callable[[str, float], ProbeResult]) -> None:
    tried = probe("print('noise'); print('{\"a\": 1}'); print('[2]'); print('{\"b\": 2}')", 60)
    assert (tried.status, tried.found) == (0, {"a": 1, "b": 2})


def test_probe_that_fails(probe: Callable[[str, float], ProbeResult]) -> None:
    tried = probe("import sys; sys.exit('first\\nno such thing')", 60)
    assert (tried.status, tried.why) == (1, "no such thing")


def test_probe_that_aborts(probe: Callable[[str, float], ProbeResult]) -> None:
    tried = probe("import os; print('{\"a\": 1}', flush=True); os.abort()", 60)
    assert (tried.found, tried.why) == ({"a": 1}, "it ends the whole process (it aborted, SIGABRT)")


def test_probe_that_hangs_is_killed(probe: Callable[[str, float], ProbeResult]) -> None:
    tried = probe("import signal; print('{\"a\": 1}', flush=True); signal.pause()", 1)
    assert tried.status is None
    assert tried.why == "it did not answer in time"


def test_probe_errors_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert probes.main(["camera", "99"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "no camera usb:99" in err


# -------- the command


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[PartStatus]:
    parts = [
        PartStatus("python", "ok", "Python 3.11", needed=True),
        PartStatus("camera", "missing", "none", "plug one in"),
        PartStatus("sound", "unused", "none"),
    ]
    monkeypatch.setattr(command, "check_parts", lambda journal: iter(parts))
    return parts


def test_status_0_when_all_that_is_needed_works(parts: list[PartStatus], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ok       python     Python 3.11"
    assert lines[1] == "missing  camera     none; plug one in"
    assert lines[-1] == "You can play, but without: camera."


def test_doctor_says_that_everything_works(parts: list[PartStatus], capsys: pytest.CaptureFixture[str]) -> None:
    del parts[1]
    assert run_command(["doctor"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Everything works."


def test_status_2_when_not(parts: list[PartStatus], capsys: pytest.CaptureFixture[str]) -> None:
    parts.append(PartStatus("hands", "missing", "not tried", "prepare it", needed=True))
    assert run_command(["doctor", "--json"]) == 2
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert said["can_play"] is False
    assert said["parts"][-1] == {
        "name": "hands", "state": "missing", "found": "not tried", "remedy": "prepare it", "needed": True
    }  # fmt: skip


@pytest.mark.slow
def test_this_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of it for real: wherever these tests run, rendered hands are recognised."""
    try:
        model_path("full")
    except ModelError as fault:
        pytest.skip(str(fault))
    status = run_command(["doctor", "--json", "--journal", str(tmp_path / "one.journal")])
    said = json.loads(capsys.readouterr().out)
    states = {part["name"]: part["state"] for part in said["parts"]}
    assert list(states) == [
        "python", "libraries", "hand model", "hands", "fast hands", "simulated",
        "camera", "screen", "buttons", "lights", "sound", "voice", "fonts", "disk", "clock",
    ]  # fmt: skip
    assert states["hands"] == states["fast hands"] == states["disk"] == "ok"
    assert all(part["remedy"] for part in said["parts"] if part["state"] in ("missing", "broken"))
    assert said["can_play"] == (status == 0)
    assert contents(tmp_path) == {}


def test_doctor_imports_nothing_heavy() -> None:
    heavy = {"cv2", "numpy", "mediapipe", "pygame", "numba"}
    modules = "throwlock.cli.doctor.command, throwlock.cli.doctor.probes"
    program = f"import sys, {modules}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
