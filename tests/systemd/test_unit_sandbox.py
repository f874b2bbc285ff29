"""Tests of the box under its unit's system-call filter."""

import ctypes.util
import json
import os
import shutil
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from hall_broker import HallBroker

from throwlock.hall.membership import read_membership, write_membership
from tools.hall.servers import ServerMissingError, find_programs

ROOT = Path(__file__).parents[2]
FILTERED = [sys.executable, str(ROOT / "tests/helpers/seccomp_exec.py")]
THROWLOCK = ("-c", "from throwlock.cli.main import main; main()")
pytestmark = pytest.mark.skipif(
    not (shutil.which("systemd-analyze") and ctypes.util.find_library("seccomp")),
    reason="systemd-analyze or libseccomp is not on this machine",
)


def run_filtered(unit: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*FILTERED, str(unit), sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )


JUDGE = (
    "import json, os\n"
    "from vision.lock.judge import JUDGE_NICE_LEVEL, Judge\n"
    "with Judge(2, JUDGE_NICE_LEVEL) as judge:\n"
    "    nice = judge._pool.submit(os.getpriority, os.PRIO_PROCESS, 0).result()\n"
    "print(json.dumps(nice))\n"
)


def test_unit_allows_the_judge_to_lower_its_priority() -> None:
    done = run_filtered(ROOT / "systemd/throwlock.service", "-c", JUDGE)
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
    done = run_filtered(ROOT / "systemd/throwlock.service", "-c", VOICE, str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 5_000 and len(list(tmp_path.rglob("*.wav"))) >= 2


def test_judge_works_when_its_priority_cannot_be_set(tmp_path: Path) -> None:
    strict = tmp_path / "strict.service"
    text = (ROOT / "systemd/throwlock.service").read_text()
    strict.write_text(text.replace("SystemCallFilter=setpriority\n", ""))
    done = run_filtered(strict, "-c", JUDGE)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == os.getpriority(os.PRIO_PROCESS, 0)


def test_unit_allows_the_link_to_a_hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        find_programs()
    except ServerMissingError as error:
        pytest.skip(str(error))
    with HallBroker(tmp_path / "broker") as broker:
        write_membership(tmp_path / "box-1.toml", broker.membership)
        monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
        done = run_filtered(ROOT / "systemd/throwlock.service", *THROWLOCK, "join-hall", str(tmp_path / "box-1.toml"))
    assert done.returncode == 0, done.stderr
    assert "can't be reached" not in done.stdout and read_membership(tmp_path / "hall.toml") == broker.membership


@pytest.mark.parametrize("network", ["127.0.0.1", "192.168.1.9", "10.1.2.3", "172.20.1.1", "fd00::1"])
def test_unit_lets_the_box_reach_a_hall_on_the_local_network_only(network: str) -> None:
    unit = (ROOT / "systemd/throwlock.service").read_text()
    [allowed] = [line.partition("=")[2].split() for line in unit.splitlines() if line.startswith("IPAddressAllow=")]
    named = {"localhost": "127.0.0.0/8", "link-local": "169.254.0.0/16", "multicast": "224.0.0.0/4"}
    networks = [ip_network(named.get(one, one)) for one in allowed]
    assert any(ip_address(network) in one for one in networks)
    assert not any(ip_address("198.51.100.7") in one for one in networks)
    [families] = [line.partition("=")[2].split() for line in unit.splitlines() if line.startswith("RestrictAddressF")]
    assert {"AF_INET", "AF_INET6"} <= set(families)


@pytest.mark.slow
def test_match_can_be_played_under_the_filter(tmp_path: Path) -> None:
    play = ["play", "classic", "--camera", "simulated", "--headless", "--seed", "3", "--journal"]
    unit = ROOT / "systemd/throwlock.service"
    done = run_filtered(unit, *THROWLOCK, *play, str(tmp_path / "match.journal"))
    assert done.returncode == 0, done.stderr
    checked = run_filtered(unit, *THROWLOCK, "verify", str(tmp_path / "match.journal"))
    assert checked.returncode == 0, checked.stdout + checked.stderr
