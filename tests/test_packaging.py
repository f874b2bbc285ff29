"""The wheel: what is installed, and what is not."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from hatch_build import compile_catalogue

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of all files in the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_holds_the_packages_and_nothing_else(wheel_names: set[str]) -> None:
    top = {name.split("/")[0] for name in wheel_names if ".dist-info/" not in name}
    assert top == {"rules", "vision", "device", "ui", "throwlock", "errors.py", "messages.py"}


def test_the_wheel_holds_every_file_the_packages_read(wheel_names: set[str]) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "rules", "vision", "device", "ui", "throwlock"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert tracked and set(tracked) <= wheel_names


def test_the_wheel_holds_every_catalogue_compiled(wheel_names: set[str]) -> None:
    catalogues = [name for name in wheel_names if name.endswith(".po")]
    assert len(catalogues) == 2 and {name.replace(".po", ".mo") for name in catalogues} <= wheel_names


def test_the_packages_are_typed(wheel_names: set[str]) -> None:
    assert {f"{package}/py.typed" for package in ("rules", "vision", "device", "ui", "throwlock")} <= wheel_names


def test_compiled_catalogue_does_not_depend_on_the_time(tmp_path: Path) -> None:
    source = tmp_path / "de.po"
    shutil.copy(ROOT / "ui/i18n/languages/de.po", source)
    compile_catalogue(source)
    assert b"POT-Creation-Date: 1970-01-01 00:00+0000" in source.with_suffix(".mo").read_bytes()
