"""An environment with modules of the same names is refused in one line."""

import os
import subprocess
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from throwlock.cli.start import TOP_MODULES, find_intruder

ROOT = Path(__file__).parents[3]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with the top modules as a wheel installs them."""
    home = tmp_path / "site-packages"
    for name in TOP_MODULES:
        path = home / (f"{name}.py" if name in ("errors", "messages") else f"{name}/__init__.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'"""{name} of throwlock."""\n')
    (home / "ui/screen").mkdir()
    (home / "ui/screen/window.py").touch()
    return home


def origins(home: Path) -> dict[str, Path | None]:
    single = ("errors", "messages")
    return {name: home / (f"{name}.py" if name in single else f"{name}/__init__.py") for name in TOP_MODULES}


def record(home: Path) -> dict[str, str]:
    return {
        path.relative_to(home).as_posix(): urlsafe_b64encode(sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
        for path in home.rglob("*.py")
    }


def test_environment_of_its_own_is_accepted(home: Path) -> None:
    (home / "ui/__pycache__").mkdir()
    assert find_intruder(home, record(home), origins(home)) is None
    assert find_intruder(home, {}, origins(home)) is None


def test_overwritten_module_is_an_intruder(home: Path) -> None:
    recorded = record(home)
    (home / "ui/__init__.py").write_text("of another package")
    assert find_intruder(home, recorded, origins(home)) == home / "ui/__init__.py"


def test_module_beside_ours_is_an_intruder(home: Path) -> None:
    recorded = record(home)
    (home / "rules/regex.py").touch()
    assert find_intruder(home, recorded, origins(home)) == home / "rules/regex.py"


def test_module_elsewhere_is_an_intruder_in_a_checkout_too(home: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "project/messages.py"
    assert find_intruder(home, {}, {**origins(home), "messages": elsewhere}) == elsewhere
    assert find_intruder(home, {}, {**origins(home), "vision": None}) == home / "vision"


def test_refusal_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "errors.py").write_text("class OtherError(Exception): pass\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    start = [sys.executable, "-c", "from throwlock.cli.start import main; main()", "games"]
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(start, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert str(tmp_path / "errors.py") in done.stderr and "pipx" in done.stderr
