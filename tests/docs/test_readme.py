"""Every command in the README and in the page on the command line is run as it stands, in order, in an empty folder."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.helpers.two_throws import film_two_throws
from vision.hands.model import ModelError, model_path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
COMMANDS = README + (ROOT / "docs/command-line.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", COMMANDS, re.DOTALL)
RUN_ELSEWHERE = ("make ", "throwlock demo ", "throwlock hall ", "throwlock join-hall ", "throwlock leave-hall")
"""Commands that ``tests/throwlock/test_nothing_leaves.py`` runs, or, with servers, ``tests/throwlock/hub`` and
``tests/throwlock/cli/hall``; ``tests/systemd`` runs the installer."""


def lines() -> list[str]:
    return [line for block in BLOCKS for line in block.splitlines() if line.strip()]


def test_the_readme_has_commands() -> None:
    assert len(lines()) > 5


@pytest.mark.parametrize("line", [line for line in lines() if line.startswith("make ")])
def test_make_knows_the_target(line: str) -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    run = subprocess.run([make, "-n", *shlex.split(line)[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder with what the README's commands look at: a recording of two throws, and a picture of a hand."""
    try:
        model_path("full")
    except ModelError as fault:
        pytest.skip(str(fault))
    place = tmp_path_factory.mktemp("readme")
    table = film_two_throws(place / "throw.mp4")
    x, y, w, h = (round(part * side) for part, side in zip(table.zones[0], (640, 360, 640, 360), strict=True))
    last = table.latest().pixels()[y : y + h, x : x + w]
    cv2.imwrite(str(place / "hand.jpg"), cv2.cvtColor(np.ascontiguousarray(last), cv2.COLOR_RGB2BGR))
    return place


@pytest.mark.slow
def test_the_commands_run_as_they_stand(folder: Path) -> None:
    bin_folder = Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "XDG_DATA_HOME": str(folder)}
    outputs = {}
    for line in dict.fromkeys(lines()):
        if line.startswith(RUN_ELSEWHERE) or "systemd/install" in line:
            continue
        run = subprocess.run(
            shlex.split(line),
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{line}\n{run.stdout}\n{run.stderr}"
        outputs[line] = run.stdout
    judged = next(out for line, out in outputs.items() if line.startswith("throwlock judge") and "--json" not in line)
    assert "paper" in judged and "scissors" in judged
    assert (folder / "evidence" / "lock.jpg").stat().st_size > 1000
    assert '"throw": "paper"' in next(out for line, out in outputs.items() if "recognise" in line)
    assert "in order" in next(out for line, out in outputs.items() if "verify" in line)


@pytest.mark.parametrize("target", re.findall(r"\]\((\w[\w/.]*)\)", README))
def test_what_the_readme_links_to_is_there(target: str) -> None:
    assert (ROOT / target).exists()


def test_the_readme_names_every_game() -> None:
    from rules.catalogue import BOX_GAMES

    for rules in BOX_GAMES:
        assert f"`{rules.name}` | {rules.player_range.replace(' to ', '–')} |" in README
