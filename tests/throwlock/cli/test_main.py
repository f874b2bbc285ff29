"""The command line: whatever a user gets wrong is one line that says so, exit status 2, and nothing is written."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import cv2
import numpy as np
import pytest

from rules.catalogue import find_game
from tests.helpers.journals import contents
from throwlock.cli.main import COMMANDS, run_command, throwlock
from throwlock.house_rules import HouseRules
from throwlock.journal.journal import Journal
from throwlock.replay.config import MatchConfig
from vision.hands.model import cache_directory

EMPTY_HOME = {"HOME": "home", "XDG_DATA_HOME": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a clip of nothing, a text, a journal that was cut off, and one from elsewhere."""
    monkeypatch.setenv("THROWLOCK_CACHE", str(cache_directory()))
    folder = tmp_path / "here"
    (folder / "home").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "matplotlib"))  # mediapipe's plots keep a cache of fonts
    for name, value in EMPTY_HOME.items():
        monkeypatch.setenv(name, str(folder / value) if name == "HOME" else value)
    writer = cv2.VideoWriter(str(folder / "clip.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30, (160, 120))
    for _ in range(30):
        writer.write(np.full((120, 160, 3), 127, np.uint8))
    writer.release()
    (folder / "text.mp4").write_text("this is no film\n" * 100)
    (folder / "text.jpg").write_text("this is no picture\n" * 100)
    (folder / "diary.journal").write_text("Dear diary, " * 200)
    with Journal(folder / "off.journal") as journal:
        config = MatchConfig(find_game("classic").set_up(2), ("Ada", "Ben"), HouseRules(), 5, "simulated")
        journal.start_match(config.start_event(), config.names)
    return folder


PLAY = "play classic --headless --journal new.journal --screens pictures --camera simulated "
BAD = {
    # games, options, players
    "play clasic --headless --journal new.journal": "did you mean classic?",
    "engine clasic": "did you mean classic?",
    "engine zugzwang": "no game is called 'zugzwang'",
    "play --headless --journal new.journal": "name the game",
    "play clasic --headless": "did you mean classic?",
    "play classic --headless --camera usb:9": "no camera usb:9",
    PLAY + "--option best_of": "NAME=VALUE",
    PLAY + "--option best=3": "has no option 'best'",
    PLAY + "--option best_of=4": "option best_of can’t be 4",
    PLAY + "--option best_of=many": "option best_of can’t be 'many'",
    "engine redeux --option goal=7": "option goal can’t be 7",
    PLAY + "--seats 1": "for 2 to 8 players, not 1",
    PLAY + "--seats 9": "for 2 to 8 players, not 9",
    PLAY + "--seats -2": "for 2 to 8 players, not -2",
    PLAY + "--seats two": "--seats must be a whole number, not 'two'",
    "engine classic --seats 9": "for 2 to 8 players, not 9",
    PLAY + "--name Ada --name Ben --name Chidi": "3 names for 2 seats",
    PLAY + "--name Ada\udcff": "--name",
    PLAY + "--seed -1": "--seed must be 0 or more, not -1",
    PLAY + "--foul shrug": "--foul must be replay, stand or forfeit, not 'shrug'",
    PLAY + "--window 10": "--window must be from 50 to 2000, not 10",
    PLAY + "--beat 9000": "--beat must be from 300 to 2000, not 9000",
    PLAY + "--size big": "WIDTHxHEIGHT",
    PLAY + "--size 10x10": "WIDTHxHEIGHT",
    PLAY + f"--size {'9' * 5000}x480": "WIDTHxHEIGHT",
    # cameras and zones
    PLAY.replace("simulated", "usb:9"): "no camera usb:9",
    PLAY.replace("simulated", "usb:99999999999999999999"): "no camera usb:99999999999999999999",
    PLAY.replace("simulated", "picamera3"): "no camera is called 'picamera3'",
    PLAY.replace("simulated", "webcam"): "no camera is called 'webcam'",
    PLAY.replace("simulated", "usb:-1"): "no camera is called 'usb:-1'",
    PLAY.replace("simulated", "clip:"): "no camera is called 'clip:'",
    PLAY.replace("simulated", "clip:none.mp4"): "none.mp4: no such file",
    PLAY.replace("simulated", "clip:text.mp4"): "text.mp4 is not a readable video",
    PLAY.replace("simulated", "clip:home"): "home can’t be read (Is a directory)",
    PLAY + "--zone 0,0,1,1": "1 zone for 2 seats",
    PLAY + "--zone 0,0,0.6,1 --zone 0.4,0,0.6,1": "the zones of seats 1 and 2 overlap",
    PLAY + "--zone 0,0,0.5,1 --zone 0.6,0,0.5,1": "not inside the frame",
    PLAY + "--zone 0,0,0.001,1 --zone 0.5,0,0.5,1": "too small",
    # journals and folders
    PLAY.replace("new.journal", "diary.journal"): "diary.journal is not a Throwlock journal",
    PLAY.replace("new.journal", "not/there.journal"): "there is no folder",
    PLAY.replace("new.journal", "home"): "home is not a file",
    PLAY.replace("new.journal", "off.journal") + "--seats 3": "unfinished match of classic for 2",
    PLAY.replace("pictures", "text.mp4"): "text.mp4 can't be written",
    "demo --headless --journal diary.journal": "diary.journal is not a Throwlock journal",
    "demo --headless --journal off.journal --screens pictures": "unfinished match of classic for 2",
    "demo --headless --size big": "WIDTHxHEIGHT",
    "demo --headless --seed x": "--seed must be a whole number, not 'x'",
    "demo --headless --scenario sneeze": "there is no scenario 'sneeze': choose from late, early, changed, half-open",
    "export 12345678901234567890123 --journal off.journal": "MATCH must be from 1 to",
    "verify diary.journal": "diary.journal is not a Throwlock journal",
    "verify none.journal": "no such file",
    "verify home": "home is not a file",
    "verify": "JOURNAL is missing: throwlock verify --help",
    # recordings and pictures
    "judge text.mp4": "text.mp4 is not a readable video",
    "judge none.mp4": "no such file",
    "judge home": "home can’t be read (Is a directory)",
    "judge": "CLIP is missing",
    "judge clip.avi --zone 0,0,2,1": "not inside the frame",
    "judge clip.avi --zone -0.1,0,1,1": "not inside the frame",
    "judge clip.avi --zone 0,0,nan,1": "not inside the frame",
    "judge clip.avi --zone left": "four numbers",
    "judge clip.avi --zone 0,0,1": "four numbers",
    "judge clip.avi --zone 0,0,0.01,0.01": "too small",
    "judge clip.avi --zone 0,0,1,1 --zone 0,0,1,1": "overlap",
    "judge clip.avi --cue -1": "0 or more",
    "judge clip.avi --cue 60": "clip.avi ends at 0.97 s, before",
    "judge clip.avi --cue 1e300": "0 or more",
    "judge clip.avi --cue nan": "0 or more",
    "judge clip.avi --cue inf": "0 or more",
    "judge clip.avi --cue soon": "--cue must be a number, not 'soon'",
    "judge clip.avi --window 5": "--window must be from 50 to 2000, not 5",
    "recognise none.jpg": "none.jpg can’t be read",
    "recognise text.jpg": "text.jpg is not an image",
    "recognise home": "home can’t be read",
    "recognise": "FILES is missing",
    "recognise text.jpg --model huge": "--model must be full or lite, not 'huge'",
    "practise --camera none": "practice needs a camera",
    "tv": "such as: throwlock tv 192.168.1.20:",
    # commands
    "plya": "there is no command 'plya': did you mean play?",
    "games --loud": "there is no option '--loud'",
    "games classic": "classic: more arguments than throwlock games takes",
    "doctor --journal": "--journal takes a value",
    "doctor --json=yes": "--json takes no value",
    "arena random": "ENGINES takes 2 values",
    "arena random first --games 0": "--games must be 1 or more, not 0",
    "arena random first --time-limit 0": "--time-limit must be more than 0 and at most 3600, not 0.0",
    "class --names home": "home is a folder: name a file",
    "class --names none.txt": "none.txt: no such file",
    "doctor --out none": "none: no such folder",
    "film --folder text.jpg": "text.jpg is a file: name a folder",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_input_is_one_line_and_writes_nothing(here: Path, capsys: pytest.CaptureFixture[str], line: str) -> None:
    before = contents(here)
    assert run_command(line.split()) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1, err
    assert err.startswith("throwlock: ")
    assert BAD[line] in err
    assert "Traceback" not in out
    assert contents(here) == before


def run(*args: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = (
        [sys.executable, "-m", "throwlock", *args] if False else [str(Path(sys.executable).parent / "throwlock"), *args]
    )
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload]


def test_installed_command_prints_the_same_errors(here: Path) -> None:
    done = run("judge", "text.mp4", "--zone", "0,0,1,1")
    assert done.returncode == 2
    assert done.stdout == ""
    reason = "is not a readable video, or was cut short: use a whole MP4, MOV, MKV or AVI file"
    assert done.stderr == f"throwlock: text.mp4 {reason}\n"


def test_without_a_desktop_one_line_says_so(here: Path) -> None:
    """Also where no session has made a folder for Wayland's socket, of which its library would print a line."""
    missing = ("SDL_VIDEODRIVER", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY")
    done = run("play", env={name: value for name, value in os.environ.items() if name not in missing})
    assert done.returncode == 2
    assert done.stderr.startswith("throwlock: there is no screen") and done.stderr.count("\n") == 1, done.stderr


def test_without_a_command_help_is_printed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command([]) == 2
    out, err = capsys.readouterr()
    assert "Play:" in out + err


@pytest.mark.parametrize("args", [["--help"], ["games"], ["verify", "off.journal"], ["engine", "--help"]])
def test_light_commands_load_nothing_heavy(here: Path, args: list[str]) -> None:
    """A machine without OpenCV's libraries must still get help, and help must be quick."""
    program = (
        "import sys; from throwlock.cli.main import run_command; status = run_command(sys.argv[1:]); "
        "heavy = {'cv2', 'numpy', 'mediapipe', 'pygame', 'numba'} & set(sys.modules); "
        "assert not heavy, heavy; sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_a_resumed_match_says_that_it_keeps_its_names(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["play", "classic", "--camera", "clip:text.mp4", "--headless", "--journal", "off.journal"]
    for extra, said in ((["--name", "Zoe"], True), (["--name", "Ada"], False), (["--name", "Zoe", "--new"], False)):
        assert run_command([*command, *extra]) == 2, "it gets as far as the camera"
        assert ("is resumed; --name is for a new match" in capsys.readouterr().out) == said, extra


@pytest.mark.parametrize("name", COMMANDS)
def test_lazy_commands_exist(name: str) -> None:
    command = throwlock.get_command(click.Context(throwlock), name)
    assert command is not None
    assert command.help


def test_help_lists_every_command_in_one_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["--help"]) == 0
    listed = re.findall(r"^  ([a-z][a-z-]*)  .*[.]$", capsys.readouterr().out, re.MULTILINE)
    assert sorted(listed) == throwlock.list_commands(click.Context(throwlock))


@pytest.mark.parametrize(("name", "ours"), [("practice", "practise"), ("recognize", "recognise")])
def test_both_spellings_work(name: str, ours: str) -> None:
    command = throwlock.get_command(click.Context(throwlock), name)
    assert command is not None and command.name == ours


def test_help_lists_commands_and_games_lists_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["--help"]) == 0
    shown = capsys.readouterr().out
    for command in ("play", "demo", "games", "judge", "recognise", "engine", "doctor", "verify"):
        assert f"  {command} " in shown
    assert run_command(["games"]) == 0
    assert "redeux: RPS Redeux, 2 to 8 players" in capsys.readouterr().out
    assert run_command(["--version"]) == 0


def test_verify_prints_counts_and_writes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(here)
    assert run_command(["verify", "off.journal"]) == 0
    first, code, *unknown = capsys.readouterr().out.splitlines()
    assert first == "off.journal is in order: 1 match, 1 event, 0 pieces of evidence"
    assert re.fullmatch("Proof code of its last event: ([0-9A-HJKMNP-TV-Z]{5}-?){4}", code)
    assert unknown[0] == "What a journal can't show:" and all(line.startswith("- wh") for line in unknown[1:])
    assert contents(here) == before


def test_verify_checks_proof_codes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["verify", "off.journal"]) == 0
    code = capsys.readouterr().out.splitlines()[1].split()[-1]
    assert run_command(["verify", "off.journal", "--head", code.lower()]) == 0
    assert f"{code.lower()} is event 1, match_started of match 1: it and all before it" in capsys.readouterr().out
    assert run_command(["verify", "off.journal", "--head", code, "--head", "0" * 20]) == 2
    assert "is not in order: no event has the proof code 00000000000000000000: " in capsys.readouterr().err
    assert run_command(["verify", "off.journal", "--head", "7QK3M"]) == 2
    assert capsys.readouterr().err == "throwlock: --head 7QK3M: a proof code has 20 letters and digits, and no U\n"


def test_verify_prints_every_problem(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = (here / "off.journal").read_bytes()
    assert b'"seed":5' in data
    (here / "off.journal").write_bytes(data.replace(b'"seed":5', b'"seed":6'))
    assert run_command(["verify", "off.journal"]) == 2
    out, err = capsys.readouterr()
    assert err == "throwlock: off.journal is not in order: event 1 (match_started) was changed after it was written\n"
    assert out == ""


def test_engine_rejects_a_bet_above_the_score_and_asks_again() -> None:
    def answers(**by_seat: object) -> str:
        return json.dumps({"answers": {name.removeprefix("s"): value for name, value in by_seat.items()}}) + "\n"

    won = answers(s1="rock", s2="scissors")
    done = run("engine", "redeux", "--option", "risk=always", input=3 * won + answers(s1=20) + answers(s1=15))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    (place,) = [n for n, line in enumerate(lines) if "error" in line]
    assert "seat 1 may not answer 20 to bet: 0 to 15 in steps of 5" in lines[place]["error"]
    assert lines[place + 1] == lines[place - 1], "the same question again"
    assert lines[place + 1]["ask"] == "bet"
    assert lines[place + 2] == {"answers": {"1": 15}}
    assert lines[place + 3]["ask"] == "throw" and "bets" not in lines[place + 3]["about"], (
        "sealed until all have thrown"
    )
    assert done.returncode == 2
    assert done.stderr == "throwlock: the input ended while redeux waited for an answer to throw\n"


def test_broken_pipe_ends_the_command_quietly(here: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -c 'from throwlock.cli.main import main; main([\"games\"])' | true",
        shell=True, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert done.stderr == ""


RUN_LINES = """
import json, sys
from throwlock.cli.main import main
for line in json.loads(sys.argv[1]):
    try:
        main(line.split())
    except SystemExit as end:
        print("status", end.code, flush=True)
"""
LINES_WITH_NAMES = {
    "tournament new classic --name Jörg --name 李雷 --journal t.journal": 0,
    "tournament result K1.1 李雷 --journal t.journal": 0,
    "tournament standings --journal t.journal": 0,
    "class --class 李雷 --journal t.journal": 2,
    "engine 李雷": 2,
    "games": 0,
    "play classic --headless --camera none --name Jörg --name 李雷 --option best_of=1 --journal p.journal": 0,
}
"""What is run on a terminal, and the exit status."""


@pytest.mark.parametrize(
    ("encoding", "joerg"),
    [
        ({"PYTHONIOENCODING": "ascii"}, "J?rg"),
        ({"PYTHONIOENCODING": "cp1252"}, "Jörg"),
        ({"PYTHONIOENCODING": "latin-1"}, "Jörg"),
        ({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, "J?rg"),
    ],
)
def test_letters_that_a_terminal_lacks_are_replaced(tmp_path: Path, encoding: dict[str, str], joerg: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
    done = subprocess.run(
        [sys.executable, "-c", RUN_LINES, json.dumps([*LINES_WITH_NAMES])], cwd=tmp_path, input=b"\xf6\nrock\npaper\n",
        env={**environment, "PYTHONPATH": os.pathsep.join(sys.path), **encoding}, capture_output=True, check=False,
    )  # fmt: skip
    out, err = (text.decode(encoding.get("PYTHONIOENCODING", "ascii")) for text in (done.stdout, done.stderr))
    statuses = [int(line.split()[1]) for line in out.splitlines() if line.startswith("status")]
    assert (done.returncode, statuses) == (0, [*LINES_WITH_NAMES.values()]), err
    assert f"Next: K1.1     {joerg} against ?? (Final)" in out
    assert [line for line in err.splitlines() if "??" in line] == [
        "throwlock: there is no class list named ??",
        "throwlock: no game is called '??': the games are classic, redeux, future, battle, tr, board",
    ]
    assert "Traceback" not in err
