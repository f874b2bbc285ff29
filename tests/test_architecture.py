"""The house: which room may know which, and the checks every file passes."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("rules", "vision", "device", "ui", "throwlock")
BOARD = {"rules.board.board", "rules.board.notation"}
BODY = {
    *("device.camera.frames", "device.camera.base", "device.system.clock", "device.sound.sound"),
    *("device.gpio.buttons", "device.gpio.debounce", "device.gpio.lights"),
}
VOCABULARY = {"rules.throws", "rules.engine", "rules.markers", *BODY, *BOARD}
"""What a throw is, what a game asks, what a frame is, what a button, its holding and a light say, how a
board is written, what a printed card is: vision and ui may use these of the other rooms."""
LONGER = {"device/simulated/table/tracer.py": 650}
"""numba's cache sees a change only in the file of the function it compiled, so the tracer's kernels stay together."""
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The modules of ours that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide which room is meant"
            module = node.module or ""
            submodules = {f"{module}.{alias.name}" for alias in node.names}
            names |= {name for name in submodules if (ROOT / (name.replace(".", "/") + ".py")).exists()} or {module}
    return {name for name in names if name.split(".")[0] in ROOMS}


def allowed(room: str, module: str) -> bool:
    other = module.split(".", maxsplit=1)[0]
    if room in (other, "throwlock"):
        return True
    return room in ("vision", "ui") and module in VOCABULARY


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_rooms_import_only_what_they_may(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    strangers = sorted(module for module in imported(path) if not allowed(room, module))
    assert not strangers, f"{path.relative_to(ROOT)} may not import {', '.join(strangers)}"


def test_the_import_check_can_fail() -> None:
    assert not allowed("rules", "device.camera.frames")
    assert not allowed("vision", "rules.catalogue")
    assert allowed("ui", "rules.engine") and allowed("throwlock", "vision.lock.judge")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_opens_with_what_it_is_for_and_stays_small(path: Path) -> None:
    text = path.read_text()
    assert ast.get_docstring(ast.parse(text)), f"{path.relative_to(ROOT)} does not say what it is for"
    longest = LONGER.get(str(path.relative_to(ROOT)), 500)
    assert len(text.splitlines()) <= longest, f"{path.relative_to(ROOT)} is too long to be read: take it apart"


@pytest.mark.parametrize(
    "command", [("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",)], ids=" ".join
)
def test_checked(command: tuple[str, ...]) -> None:
    run = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
