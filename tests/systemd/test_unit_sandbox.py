"""Every program that a unit starts, under that unit's system-call filter; the box also under a stricter one."""

import ctypes.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from tests.helpers.clip_rounds import late_round
from tests.helpers.hall_broker import HallBroker
from tests.helpers.recordings import write_recording
from tests.helpers.waiting import LIMIT_S
from throwlock.cli.settings import settings_template
from throwlock.hall.membership import read_membership, write_membership
from throwlock.review.clip_maker import ClipOrder, process_command

ROOT = Path(__file__).parents[2]
THROWLOCK = ("-c", "from throwlock.cli.main import main; main()")
BOX_UNIT, REVIEW_UNIT = ROOT / "systemd/throwlock.service", ROOT / "systemd/throwlock-review.service"
UNITS = sorted((ROOT / "systemd").glob("*.service"))
STRICT = "SystemCallFilter=~setpriority nice ioprio_set sched_setscheduler sched_setattr sched_setparam\n"
"""What makes the box's unit stricter: nothing may change its priority."""
SANDBOX_COMMENT_LINES = 2
"""Of sandbox.conf; the rest is in every unit."""


def unit_file(unit: Path | str, folder: Path) -> Path:
    """Return a unit's file: one of the project's, or in ``folder`` the box's with further lines."""
    if isinstance(unit, Path):
        return unit
    file = folder / "strict.service"
    file.write_text(BOX_UNIT.read_text() + unit)
    return file


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_share_their_sandbox(unit: Path) -> None:
    shared = (ROOT / "systemd/sandbox.conf").read_text().splitlines(keepends=True)[SANDBOX_COMMENT_LINES:]
    before, copied, after = unit.read_text().partition("".join(shared))
    assert copied, "copy the lines of systemd/sandbox.conf"
    keys = {line.partition("=")[0] for line in shared if "=" in line}
    assert not keys & {line.partition("=")[0] for line in (before + after).splitlines() if "=" in line}


@pytest.mark.parametrize("module", ["drm", "videodev", "snd"])
def test_unit_starts_once_the_kernel_knows_the_kinds_of_devices_it_allows(module: str) -> None:
    text = BOX_UNIT.read_text()
    for key in ("Wants", "After"):
        assert f"modprobe@{module}.service" in " ".join(re.findall(rf"(?m)^{key}=(.*)$", text)).split()


def filtered(unit: Path, *arguments: str) -> list[str]:
    """Return the command that runs Python with ``arguments`` under a unit's filter; skip the test where that can't be
    had."""
    if not (shutil.which("systemd-analyze") and ctypes.util.find_library("seccomp")):
        pytest.skip("systemd-analyze or libseccomp is not on this machine")
    return [sys.executable, str(ROOT / "tests/helpers/seccomp_exec.py"), str(unit), sys.executable, *arguments]


def run_filtered(unit: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(filtered(unit, *arguments), cwd=ROOT, capture_output=True, text=True, check=False)


JUDGE = (
    "import json, os\n"
    "from vision.lock.judge import JUDGE_NICE_LEVEL, Judge\n"
    "with Judge(2, JUDGE_NICE_LEVEL) as judge:\n"
    "    nice = judge._pool.submit(os.getpriority, os.PRIO_PROCESS, 0).result()\n"
    "print(json.dumps(nice))\n"
)


def test_unit_allows_the_judge_to_lower_its_priority() -> None:
    done = run_filtered(BOX_UNIT, "-c", JUDGE)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) >= 5


VOICE = (
    "import sys\n"
    "from pathlib import Path\n"
    "from device.sound.voice import Voice, find_voice_program\n"
    "count = Voice(find_voice_program(), 'en', Path(sys.argv[1])).say_count(['rock', 'shoot'], 600_000_000)\n"
    "print(sum(len(word.samples) for word in count))\n"
)


@pytest.mark.skipif(not shutil.which("espeak-ng"), reason="espeak-ng is not on this machine")
def test_unit_allows_the_voice(tmp_path: Path) -> None:
    done = run_filtered(BOX_UNIT, "-c", VOICE, str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 5_000 and len(list(tmp_path.rglob("*.wav"))) >= 2


SECOND_SCREEN = (
    "from ui.screen.core.second_display import SecondOutput\n"
    "screen = SecondOutput({'SDL_VIDEODRIVER': 'dummy'})\n"
    "screen.show([screen.surface.get_rect()])\n"
    "screen.close()\n"
)


def test_unit_allows_the_second_screen() -> None:
    done = run_filtered(BOX_UNIT, "-c", SECOND_SCREEN)
    assert done.returncode == 0, done.stderr


THROTTLING = "from device.system.processor import Processor; print(Processor().status().throttling)"


def test_unit_allows_the_question_whether_the_processor_is_throttled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "vcgencmd"
    program.write_text("#!/bin/sh\necho throttled=0x4\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    done = run_filtered(BOX_UNIT, "-c", THROTTLING)
    assert done.returncode == 0, done.stderr
    assert "throttled now" in done.stdout


def test_unit_allows_the_box_s_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "throwlock.toml").write_text(settings_template())
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(LIMIT_S)
        command = filtered(BOX_UNIT, *THROWLOCK, "box")
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as box:
            try:
                while "READY=1" not in listening.recv(4096).decode():
                    pass  # it is loading
                box.send_signal(signal.SIGTERM)
                _, errors = box.communicate(timeout=LIMIT_S)
            finally:
                box.kill()
    assert box.returncode == 0 and "Traceback" not in errors, errors


@pytest.mark.slow
@pytest.mark.parametrize("unit", [BOX_UNIT, REVIEW_UNIT, STRICT], ids=["the box", "the review pages", "stricter"])
def test_unit_allows_a_clip(unit: Path | str, tmp_path: Path) -> None:
    box, event = late_round(tmp_path)
    box.close()
    file = tmp_path / "clip.mp4"
    _, *command = process_command(box.path, ClipOrder(event, "en", "mp4"), file)
    done = run_filtered(unit_file(unit, tmp_path), *command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "1.0" and file.stat().st_size > 1000


def test_unit_allows_the_review_pages(tmp_path: Path) -> None:
    box, _ = late_round(tmp_path)
    box.close()
    command = filtered(REVIEW_UNIT, *THROWLOCK, "review", "--lan", "--port", "0", "--journal", str(box.path))
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as pages:
        try:
            assert pages.stdout is not None
            assert any("http://" in line for line in pages.stdout)
            pages.send_signal(signal.SIGTERM)
            assert pages.wait(LIMIT_S) == 0
        finally:
            pages.kill()


READING = "from pathlib import Path; from device.camera.clip import read_clip; print(len(read_clip(Path({!r})).frames))"


@pytest.mark.parametrize("unit", [BOX_UNIT, STRICT], ids=["the box", "stricter"])
def test_unit_allows_a_recording_to_be_read(unit: Path | str, tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 300, 33))
    done = run_filtered(unit_file(unit, tmp_path), "-c", READING.format(str(path)))
    assert done.returncode == 0 and done.stdout.split() == ["10"], done.stderr


def test_judge_works_when_its_priority_cannot_be_set(tmp_path: Path) -> None:
    done = run_filtered(unit_file(STRICT, tmp_path), "-c", JUDGE)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == os.getpriority(os.PRIO_PROCESS, 0)


STARTERS = {
    "device/media/decoder.py": test_unit_allows_a_recording_to_be_read,
    "device/sound/voice.py": test_unit_allows_the_voice,
    "device/system/processor.py": test_unit_allows_the_question_whether_the_processor_is_throttled,
    "throwlock/review/clip_maker.py": test_unit_allows_a_clip,
    "ui/screen/core/second_display.py": test_unit_allows_the_second_screen,
    "vision/hands/model_process.py": test_unit_allows_the_judge_to_lower_its_priority,
}
"""The modules that start programs under a unit, and the test of each."""
STARTERS_ELSEWHERE = {
    "throwlock/cli/doctor/bench.py", "throwlock/cli/doctor/checks.py", "throwlock/cli/doctor/probes.py",
    "throwlock/cli/tv.py",
    "throwlock/engine/players.py", "throwlock/hub/certificates.py", "throwlock/hub/setup.py", "vision/hands/model.py",
    "device/system/sandbox.py",
}  # fmt: skip
"""The modules that start programs for commands of a terminal, and for the installer."""


def test_every_program_of_a_unit_has_a_test() -> None:
    starting = re.compile(r"\b(Popen|start_sandboxed|subprocess\.run|check_output|os\.(exec|spawn|posix_spawn)\w*)\(")
    modules = {
        str(path.relative_to(ROOT))
        for package in ("device", "rules", "throwlock", "ui", "vision")
        for path in (ROOT / package).rglob("*.py")
        if starting.search(path.read_text())
    }
    assert modules == STARTERS.keys() | STARTERS_ELSEWHERE


@pytest.mark.usefixtures("servers")
def test_unit_allows_the_link_to_a_hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with HallBroker(tmp_path / "broker") as broker:
        write_membership(tmp_path / "box-1.toml", broker.membership)
        monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
        done = run_filtered(BOX_UNIT, *THROWLOCK, "join-hall", str(tmp_path / "box-1.toml"))
    assert done.returncode == 0, done.stderr
    assert "can't be reached" not in done.stdout and read_membership(tmp_path / "hall.toml") == broker.membership


IP_NETWORKS = {
    "localhost": ("127.0.0.0/8", "::1/128"),
    "link-local": ("169.254.0.0/16", "fe80::/64"),
    "multicast": ("224.0.0.0/4", "ff00::/8"),
}
"""What systemd.resource-control(5) has words for."""


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "::1", "192.168.1.9", "10.1.2.3", "172.20.1.1", "100.64.0.9", "100.127.3.4", "169.254.7.7", "fd00::1",
     "fe80::7", "198.51.101.7", "8.8.8.8", "100.128.0.1", "2001:4860:4860::8888"],
)  # fmt: skip
def test_unit_reaches_the_local_network_only(unit: Path, address: str) -> None:
    """Those that the pages take for neighbours by their address: ui/web/middleware.py."""
    lines = [line.partition("=") for line in unit.read_text().splitlines()]
    [allowed] = [value.split() for name, _, value in lines if name == "IPAddressAllow"]
    networks = [ip_network(network) for word in allowed for network in IP_NETWORKS.get(word, (word,))]
    assert any(ip_address(address) in network for network in networks) == (not ip_address(address).is_global)
    [families] = [value.split() for name, _, value in lines if name == "RestrictAddressFamilies"]
    assert {"AF_INET", "AF_INET6"} <= set(families)


@pytest.mark.slow
@pytest.mark.parametrize("unit", [BOX_UNIT, STRICT], ids=["the box", "stricter"])
def test_match_can_be_played_under_the_filter(unit: Path | str, tmp_path: Path) -> None:
    play = ["play", "classic", "--camera", "simulated", "--headless", "--seed", "3", "--journal"]
    file = unit_file(unit, tmp_path)
    done = run_filtered(file, *THROWLOCK, *play, str(tmp_path / "match.journal"))
    assert done.returncode == 0, done.stderr
    checked = run_filtered(file, *THROWLOCK, "verify", str(tmp_path / "match.journal"))
    assert checked.returncode == 0, checked.stdout + checked.stderr
