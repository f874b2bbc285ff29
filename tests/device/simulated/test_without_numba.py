"""A box with a camera, on which numba is not installed: everything can be imported, only the simulated table can't be
opened."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NO_NUMBA = "import sys; sys.modules['numba'] = None; "


def run_without_numba(program: str, *args: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", NO_NUMBA + program, *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_every_module_can_be_imported() -> None:
    program = (
        "import importlib, pkgutil\n"
        "for package in ('rules', 'vision', 'device', 'ui', 'throwlock'):\n"
        "    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + '.'):\n"
        "        if not module.name.endswith('__main__'): importlib.import_module(module.name); print(module.name)\n"
    )
    done = run_without_numba(program)
    assert done.returncode == 0, done.stderr
    assert "device.simulated.table.tracer" in done.stdout and "throwlock.match_runner" in done.stdout


def test_a_simulated_table_is_one_line_on_what_to_install(tmp_path: Path) -> None:
    program = "from throwlock.cli.main import run_command; sys.exit(run_command(sys.argv[1:]))"
    journal = tmp_path / "one.journal"
    play = ["play", "classic", "--seats", "2", "--camera", "simulated", "--headless", "--journal", str(journal)]
    done = run_without_numba(program, *play)
    assert done.returncode == 2
    assert done.stderr == (
        "throwlock: the simulated table needs numba: install it, or use a camera (pip install numba)\n"
    )
