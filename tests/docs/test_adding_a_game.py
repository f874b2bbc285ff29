"""docs/adding-a-game.md is followed as it stands: its files are saved, its commands run, and the game's winners checked
against a rule of its own."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from rules.catalogue import BOX_GAMES, load_games
from rules.engine import Play, Rules
from tests.helpers.page_rules import drawn
from ui.screen.pages.how_to_play import MAX_PAGES, MIN_PAGES, WITH_HANDS, explain_game
from ui.screen.views import Reply

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
CIRCLE = ("rock", "spock", "paper", "lizard", "scissors")
"""Every shape beats the two before it in the circle."""
ENTRY_POINT = "[throwlock.games]\n{name} = {value}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page."""
    folder = tmp_path_factory.mktemp("game")
    for name, text in re.findall(r"Save as `([\w.]+)`.*?\n\n```\w+\n(.*?)```", PAGE, re.DOTALL):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def game(folder: Path) -> Rules:
    rules: Rules = load_module(folder / "lizard_spock.py").LIZARD_SPOCK
    return rules


def load_module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def environment(site: Path) -> dict[str, str]:
    """The environment of the page's commands. Packages are installed into ``site``, without a network."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    pip = {"PIP_TARGET": str(site), "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # 0: yes, no isolation
    return {**os.environ, **pip, "PATH": path, "PYTHONPATH": str(site), "SDL_VIDEODRIVER": "dummy"}


@pytest.mark.slow
def test_the_commands_run_as_they_stand(folder: Path) -> None:
    outputs: dict[str, str] = {}
    for line in "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).splitlines():
        run = subprocess.run(
            line,
            shell=True,
            cwd=ROOT if "pytest" in line else folder,
            env=environment(folder / "site"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{line}\n{run.stdout}\n{run.stderr}"
        outputs[line] = run.stdout

    def output_of(part: str) -> str:
        return next(output for line, output in outputs.items() if part in line)

    assert "\nlizard-spock: " in output_of("throwlock games")
    result = json.loads(output_of("throwlock engine").splitlines()[-1])["result"]
    assert result == {"winners": [winner_of("rock", "spock")], "scores": {"1": 0, "2": 1}}
    played = output_of("--camera none")
    assert "Player 1 wins: Spock beats rock." in played and "Both show lizard: again." in played
    assert played.splitlines()[-2].endswith("Player 1 has won with 2 points.")
    assert "in order" in output_of("throwlock verify")
    assert re.search(r"has won with 2 points", output_of("--camera simulated"))
    passed = re.search(r"(\d+) passed", output_of("pytest"))
    assert passed and int(passed[1]) > 15 and "failed" not in output_of("pytest")


def winner_of(one: str, other: str) -> int:
    """The seat that wins; 0 if neither does."""
    distance = (CIRCLE.index(one) - CIRCLE.index(other)) % len(CIRCLE)
    return 0 if distance == 0 else 1 if distance <= 2 else 2


@pytest.mark.parametrize(("one", "other"), list(product(CIRCLE, CIRCLE)))
def test_each_shape_beats_the_two_before_it(game: Rules, one: str, other: str) -> None:
    play = Play(game.set_up(2, {"best_of": 1}))
    play.answer({1: one, 2: other})
    winner = winner_of(one, other)
    if winner:
        assert play.result and play.result.winners == (winner,)
        assert play.result.scores == {1: int(winner == 1), 2: int(winner == 2)}
    else:
        assert play.result is None and play.prompt


def test_its_pages_explain_it_on_the_screen(game: Rules) -> None:
    page = explain_game(game.set_up(2), WITH_HANDS, Reply("start"))
    assert page is not None and MIN_PAGES <= len(page.pages) <= MAX_PAGES
    for number in range(len(page.pages)):
        canvas = drawn(page.turn(number))
        assert canvas.texts and all(text.complete for text in canvas.texts)


def install(site: Path, name: str, value: str) -> None:
    """Install a package that has a game."""
    about = site / f"{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(ENTRY_POINT.format(name=name, value=value), encoding="utf-8")


def test_a_game_that_cant_be_loaded_is_left_out_with_a_warning(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    source = (folder / "lizard_spock.py").read_text(encoding="utf-8")
    (tmp_path / "fine_game.py").write_text(source, encoding="utf-8")
    (tmp_path / "second_classic.py").write_text(source.replace('"lizard-spock"', '"classic"'), encoding="utf-8")
    (tmp_path / "broken_game.py").write_text("import no_such_module\n", encoding="utf-8")
    install(tmp_path, "broken", "broken_game:GAME")
    install(tmp_path, "fine", "fine_game:LIZARD_SPOCK")
    install(tmp_path, "no-rules", "fine_game:SHAPES")
    install(tmp_path, "second", "second_classic:LIZARD_SPOCK")
    monkeypatch.syspath_prepend(tmp_path)
    games = load_games()
    assert [*games] == [*(rules.name for rules in BOX_GAMES), "lizard-spock"]
    assert games["classic"] is BOX_GAMES[0]
    warnings = [record.getMessage() for record in caplog.records]
    assert len(warnings) == 3
    assert "no_such_module" in warnings[0] and "is no Rules" in warnings[1] and "there is one already" in warnings[2]
