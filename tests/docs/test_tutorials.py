"""The tutorials' commands and the examples run as they stand, in order, in an empty folder.

Where a tutorial has a webcam, the test has the simulated table, without a window. docs/adding-a-game.md, the fifth
tutorial, has a test of its own."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.two_throws import film_two_throws
from vision.hands.model import ModelError, model_path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
RUN_ELSEWHERE = ("pipx ", "curl ", "sudo ", "alias ", "as_box ", "throwlock doctor")
"""``make release`` installs, ``tests/systemd`` and ``tests/box`` run the installer; ``doctor`` fails without parts."""


def run(line: str, folder: Path) -> str:
    """Run a line in a shell as a reader would and return what it printed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {"PATH": path, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder), "SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, **own},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def follow(page: str, folder: Path) -> dict[str, str]:
    """Save a tutorial's files, run its commands, and return what each printed."""
    text = (ROOT / f"docs/{page}.md").read_text()
    for name, content in re.findall(r"Save as `([\w.]+)`.*?\n\n```\w+\n(.*?)```", text, re.DOTALL):
        (folder / name).write_text(content)
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert lines
    return {
        line: run(line.replace("--camera usb:0", "--camera simulated --headless"), folder)
        for line in lines
        if not line.startswith(RUN_ELSEWHERE)
    }


@pytest.fixture
def hand_model() -> None:
    try:
        model_path("full")
    except ModelError as fault:
        pytest.skip(str(fault))


@pytest.mark.slow
@pytest.mark.usefixtures("hand_model")
def test_ten_minutes_on_a_laptop(tmp_path: Path) -> None:
    printed = follow("tutorial-laptop", tmp_path)
    assert "in order" in printed["throwlock verify throwlock-demo/demo.journal"]
    assert "<html" in (tmp_path / "match.html").read_text()


def test_every_documented_command_is_run_by_the_installer_tests(tmp_path: Path) -> None:
    assert follow("tutorial-pi", tmp_path) == {}
    for command in re.findall(r"systemd/install|share/install --[\w-]+", (ROOT / "docs/tutorial-pi.md").read_text()):
        assert set(shlex.split(command)[1:]) <= {"--roll-back"}


@pytest.mark.slow
def test_a_class_of_thirty(tmp_path: Path) -> None:
    printed = follow("tutorial-class", tmp_path)
    assert all((tmp_path / name).read_bytes().startswith(b"%PDF") for name in ("class.pdf", "numbered.pdf"))
    assert "30" in next(out for line, out in printed.items() if "--headless" in line)


@pytest.mark.slow
def test_a_first_bot_wins_all_its_games_against_rocks(tmp_path: Path) -> None:
    printed = follow("tutorial-bot", tmp_path)
    against_first = next(out for line, out in printed.items() if 'paper.py" first --game classic' in line)
    assert re.search(r"\b20\b", against_first)


@pytest.mark.slow
@pytest.mark.usefixtures("hand_model")
def test_examples_of_journals(tmp_path: Path) -> None:
    run("throwlock play classic --camera simulated --headless --seed 3 --journal evening.journal", tmp_path)
    listed = run(f"python {EXAMPLES}/read_journal.py evening.journal", tmp_path)
    assert "match 1: classic, Ada against Ben" in listed and listed.endswith("the chain is whole\n")
    pytest.importorskip("duckdb")
    assert "median_ms" in run(f"python {EXAMPLES}/throw_statistics.py evening.journal", tmp_path)
    shutil.copy(tmp_path / "evening.journal", tmp_path / "changed.journal")
    run(
        "python -c \"import sqlite3; db = sqlite3.connect('changed.journal'); "
        "db.execute('UPDATE event SET at = 0 WHERE number = 2'); db.commit()\"",
        tmp_path,
    )
    with pytest.raises(AssertionError, match="event 2 was changed"):
        run(f"python {EXAMPLES}/read_journal.py changed.journal", tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("hand_model")
def test_example_judges_a_video(tmp_path: Path) -> None:
    film_two_throws(tmp_path / "throw.mp4")
    judged = run(f"python {EXAMPLES}/judge_video.py throw.mp4", tmp_path)
    assert "paper, on time" in judged and "scissors, on time" in judged


def test_example_of_a_game_and_a_bot(tmp_path: Path) -> None:
    assert "Result(winners=" in run(f"python {EXAMPLES}/even_or_odd.py", tmp_path)
    assert "bot" in run(f'throwlock arena "python {EXAMPLES}/bot.py" random --game classic --games 2', tmp_path)


def test_the_examples_page_names_each() -> None:
    page = (EXAMPLES / "README.md").read_text()
    assert all(f"[{path.name}]" in page for path in EXAMPLES.glob("*.py"))
