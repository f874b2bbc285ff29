"""Nothing leaves the machine that its owner did not ask for: the commands run in a network in which every name and
every address answers, and which captures every packet."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from tests.helpers.hall_broker import write_authority
from throwlock.hall.membership import Membership, write_membership
from vision.hands.model import ModelError, prepare_models

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TRAP = [sys.executable, str(ROOT / "tests/helpers/network_trap.py")]
UNSHARE = ["unshare", "--net", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
THROWLOCK = [sys.executable, "-c", "from throwlock.cli.main import main; main()"]
REVIEW_PORT = 8399
REVIEW = """
import subprocess, sys, time, urllib.request
server = subprocess.Popen([*sys.argv[2:], "review", "--journal", sys.argv[1], "--port", "8399"])
for _ in range(600):
    try:
        assert b"Throwlock" in urllib.request.urlopen("http://127.0.0.1:8399/").read()
        break
    except OSError:
        time.sleep(0.1)  # until it listens
else:
    sys.exit("it does not answer")
server.terminate(), server.wait()
"""


WINDOW = """
import sys, threading
import pygame
from throwlock.cli.main import main
from ui.screen.core.window import Window

shown, count, ask = sys.argv.pop(1), int(sys.argv.pop(1)), Window.ask
seen, windows, tick = [], [], threading.Event()

def note(window, view):
    seen.append(type(view).__name__)
    windows.append(window)
    return ask(window, view)

def press():
    while not tick.wait(0.2):
        if seen.count(shown) >= count:
            return pygame.event.post(pygame.event.Event(pygame.QUIT))
        for target in [one for window in windows[-1:] for one in window.targets if one.main][:1]:
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                pygame.event.post(pygame.event.Event(kind, pos=target.rect.center, button=1, touch=False))

Window.ask = note
threading.Thread(target=press, daemon=True).start()
try:
    main()
finally:
    print(seen.count(shown), "asked")
"""
"""Runs a command in a window: touches the main button until a page was asked so often, then closes the window."""


@pytest.fixture(scope="module", autouse=True)
def namespaces() -> None:
    tools = all(shutil.which(tool) for tool in ("unshare", "ip", "mount"))
    if not tools or subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user can’t make network namespaces here")
    try:
        prepare_models()
    except ModelError as error:
        pytest.skip(f"no hand model: {error}")


def run_trapped(*command: object) -> dict[str, Any]:
    """Run a command in the trap and return what it sent."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    done = subprocess.run(
        [*UNSHARE, *TRAP, *map(str, command)], capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    )
    sent: dict[str, Any] = json.loads(done.stdout)
    assert sent["status"] == 0, sent["output"]
    return sent


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A video of two hands that throw paper."""
    clock = SimulatedClock()
    table = SimulatedTable(clock, 2, seed=1, fps=30)
    table.start()
    for seat in (1, 2):
        table.perform(seat, Performance("paper", 1_500_000_000, 400_000_000))
    clock.wait_until(2_500_000_000)
    path = tmp_path / "throw.mp4"
    frames = table.frames_between(0, 2_500_000_000)
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30, frames[0].size)
    for frame in frames:
        video.write(np.asarray(cv2.cvtColor(frame.pixels(), cv2.COLOR_RGB2BGR)))
    video.release()
    return path


def test_the_trap_catches_what_asks_for_a_name_and_connects() -> None:
    program = "import socket; socket.create_connection(('play.example', 443)).send(b'hello')"
    sent = run_trapped(sys.executable, "-c", program)
    assert set(sent["names"]) == {"play.example"} and sent["first_bytes"] == [b"hello".hex()]
    assert any(packet.startswith("tcp 192.0.2.1") for packet in sent["packets"])


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_the_browser_of_a_second_screen_asks_for_the_box_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For half a minute, in which a browser without our flags has asked for updates, extensions and more."""
    here = shutil.which("chromium")
    script = f'timeout 30 {here} --headless=new --no-sandbox --disable-gpu "$@" || test $? = 124'
    (tmp_path / "chromium").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "chromium").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("WAYLAND_DISPLAY", "none")  # an X server would be looked for by TCP
    sent = run_trapped(*THROWLOCK, "tv", "box.test/tv/CDFGHJKM")
    assert {name.removeprefix("_8321._https.") for name in sent["names"]} == {"box.test"}, sent["names"]
    tcp = [packet for packet in sent["packets"] if packet.startswith("tcp")]
    assert tcp and all("8321" in packet for packet in tcp), tcp


def test_recognise_sends_nothing() -> None:
    picture = ROOT / "throwlock/cli/doctor/throws.jpg"
    sent = run_trapped(*THROWLOCK, "recognise", *[picture] * 5)
    assert "scissors" in sent["output"] and sent["packets"] == [], sent


def test_judge_sends_nothing(clip: Path) -> None:
    sent = run_trapped(*THROWLOCK, "judge", clip, "--zone=0,0,0.5,1", "--zone=0.5,0,0.5,1")
    assert "paper, on time" in sent["output"] and sent["packets"] == [], sent


def test_a_match_in_a_window_sends_nothing(tmp_path: Path) -> None:
    play = ("play", "classic", "--option", "best_of=1", "--camera", "simulated", "--seed", 3, "--journal")
    sent = run_trapped(sys.executable, "-c", WINDOW, "MatchResult", 1, *play, tmp_path / "window.journal")
    assert "Proof code" in sent["output"] and "1 asked" in sent["output"] and sent["packets"] == [], sent


def join_hall(folder: Path, monkeypatch: pytest.MonkeyPatch, switched_on: bool) -> Path:
    """Make the settings in ``folder`` those of a box that is part of a hall. Returns the hall's file."""
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(folder / "throwlock.toml"))
    (folder / "throwlock.toml").write_text(f"[hall]\non = {str(switched_on).lower()}\n")
    write_authority(folder, "ca")
    authority = (folder / "ca.crt").read_text()
    member = Membership(hall="A hall", host="hub.example", ca=authority, port=443, box="box-1", password="-")
    write_membership(folder / "hall.toml", member)
    return folder / "hall.toml"


def test_a_box_of_a_hall_sends_nothing_while_its_link_is_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    join_hall(tmp_path, monkeypatch, switched_on=False)
    play = ("play", "classic", "--option", "best_of=1", "--camera", "simulated", "--seed", 3, "--journal")
    sent = run_trapped(sys.executable, "-c", WINDOW, "MatchResult", 1, *play, tmp_path / "window.journal")
    assert "1 asked" in sent["output"] and sent["packets"] == [], sent


def test_a_hall_box_asks_for_its_hub_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    join_hall(tmp_path, monkeypatch, switched_on=True)
    play = ("play", "classic", "--option", "best_of=1", "--camera", "simulated", "--seed", 3, "--journal")
    sent = run_trapped(sys.executable, "-c", WINDOW, "MatchResult", 1, *play, tmp_path / "window.journal")
    assert "1 asked" in sent["output"] and set(sent["names"]) == {"hub.example"}, sent
    assert sent["first_bytes"] and all(one.startswith("1603") for one in sent["first_bytes"]), "TLS's first message"


def test_practice_sends_nothing() -> None:
    sent = run_trapped(
        sys.executable, "-c", WINDOW, "CommitmentReveal", 2, "practise", "--camera", "simulated", "--seed", 3
    )
    assert "2 asked" in sent["output"] and sent["packets"] == [], sent


def test_filming_sends_nothing() -> None:
    """A test that films, marks and compares a whole filming, run in the trap."""
    test = ROOT / "tests/throwlock/filming/test_filming.py"
    sent = run_trapped(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test, "-k", "report_compares")
    assert "1 passed" in sent["output"] and sent["packets"] == [], sent


@pytest.mark.parametrize(
    ("module", "test"),
    [
        ("tv/test_second_screen.py", "all_that_is_streamed"),
        ("review/test_server.py", "test_a_person_gets_in_and_stays_in"),
    ],
)
def test_the_server_of_phones_and_second_screens_answers_only(module: str, test: str) -> None:
    """A test of the server and its clients, run in the trap: they write to each other, and to nobody else."""
    path = ROOT / "tests/throwlock" / module
    sent = run_trapped(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", path, "-k", test)
    assert " passed" in sent["output"] and sent["packets"] and sent["names"] == [], sent
    assert all(packet.startswith("tcp 127.") for packet in sent["packets"]), sent


def test_a_class_sends_nothing(tmp_path: Path) -> None:
    play = ("class", "--students", 4, "--camera", "simulated", "--headless", "--seed", 3)
    sent = run_trapped(*THROWLOCK, *play, "--journal", tmp_path / "class.journal")
    assert sent["packets"] == [], sent


def test_doctor_sends_nothing() -> None:
    probe = [sys.executable, "-m", "throwlock.cli.doctor.probes", "hand"]
    sent = run_trapped(*probe)
    assert "scissors" in sent["output"] and sent["packets"] == [], sent


def test_the_demo_sends_only_the_page_asked_for(tmp_path: Path) -> None:
    journal = tmp_path / "demo.journal"
    options = ("--headless", "--seed", 5, "--journal", journal, "--screens", tmp_path / "screens")
    for command in (("demo", *options), ("verify", journal)):
        sent = run_trapped(*THROWLOCK, *command)
        assert sent["packets"] == [], sent
    sent = run_trapped(sys.executable, "-c", REVIEW, journal, *THROWLOCK)
    assert sent["packets"] and sent["names"] == []
    assert all(packet.startswith("tcp 127.0.0.1") and str(REVIEW_PORT) in packet for packet in sent["packets"]), sent
