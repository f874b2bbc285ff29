"""The locks of ``requirements/``: they hold every requirement of pyproject.toml, pinned and with hashes."""

import re
import sysconfig
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PYPROJECT["project"]["optional-dependencies"]
LOCK_EXTRAS = {
    "test": ("simulated", "setup", "parquet", "hub", "test"),
    "demo": ("simulated", "setup"),
    "hub": ("setup", "hub"),
    "bookworm": ("setup",),
    "bookworm-pi-4": ("setup",),
    "trixie": ("setup",),
}
OVERRIDDEN = {"bookworm-pi-4": "mediapipe"}
"""A package that a lock pins outside its range, since the newer ones don't run on that processor."""

BUNDLED = {"pip", "setuptools"}


def direct_requirements(*extras: str) -> list[Requirement]:
    """The requirements of the project with some extras, and of building it."""
    lines = [*PYPROJECT["build-system"]["requires"], *PYPROJECT["project"]["dependencies"]]
    return [Requirement(line) for line in [*lines, *(line for extra in extras for line in EXTRAS[extra])]]


def read_lock(name: str) -> list[tuple[Requirement, int]]:
    """Every requirement of a lock, with the number of its hashes."""
    text = (ROOT / f"requirements/{name}.lock").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [
        (Requirement(line.partition("--hash")[0]), len(re.findall(r"--hash=sha256:[0-9a-f]{64}(?=\s|$)", line)))
        for line in lines
    ]


def test_the_program_brings_what_prepares_the_hand_model() -> None:
    """An environment that ``uv tool`` or ``pipx`` makes has no pip of its own."""
    assert {"pip", "flatbuffers"} <= {requirement.name for requirement in direct_requirements()}


def test_every_lock_is_tested() -> None:
    assert {path.stem for path in (ROOT / "requirements").glob("*.lock")} == set(LOCK_EXTRAS)


@pytest.mark.parametrize("name", LOCK_EXTRAS)
def test_a_lock_pins_every_package_with_hashes(name: str) -> None:
    for requirement, hashes in read_lock(name):
        assert re.fullmatch(r"==[^=*]+", str(requirement.specifier)) and hashes and not requirement.url, requirement


@pytest.mark.parametrize("name", LOCK_EXTRAS)
def test_a_lock_covers_the_requirements(name: str) -> None:
    pinned: dict[str, list[str]] = {}
    for requirement, _ in read_lock(name):
        pinned.setdefault(canonicalize_name(requirement.name), []).append(str(requirement.specifier)[2:])
    for requirement in direct_requirements(*LOCK_EXTRAS[name]):
        versions = pinned.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement.name} is missing: make lock"
        if requirement.name != OVERRIDDEN.get(name):
            assert all(version in requirement.specifier for version in versions), f"{requirement}: make lock"


@pytest.mark.parametrize("name", LOCK_EXTRAS)
def test_a_lock_replaces_what_a_new_environment_brings(name: str) -> None:
    """Python brings a pip, and before 3.12 a setuptools, as old as itself: without a line here they would stay."""
    assert {requirement.name for requirement, _ in read_lock(name)} >= BUNDLED


def test_this_environment_has_no_other_pip_or_setuptools_than_its_lock() -> None:
    locked = {requirement.name: str(requirement.specifier)[2:] for requirement, _ in read_lock("test")}
    installed = {one.name: one.version for one in distributions(path=[sysconfig.get_path("purelib")])}
    assert {name: installed[name] for name in BUNDLED & installed.keys()}.items() <= locked.items()


def test_a_box_installs_nothing_for_the_simulated_table() -> None:
    for name, extras in LOCK_EXTRAS.items():
        packages = {requirement.name for requirement, _ in read_lock(name)}
        assert {"numba", "llvmlite"} & packages == ({"numba", "llvmlite"} if "simulated" in extras else set())


def test_demo_and_tests_install_the_same_versions() -> None:
    def lines(name: str) -> set[str]:
        return {str(requirement) for requirement, _ in read_lock(name)}

    assert lines("demo") <= lines("test")


def test_every_requirement_has_an_upper_bound() -> None:
    for requirement in direct_requirements(*EXTRAS):
        assert any(part.operator == "<" for part in requirement.specifier), requirement


def test_the_locks_name_no_package_index() -> None:
    for path in (ROOT / "requirements").iterdir():
        assert "://" not in path.read_text() and "index-url" not in path.read_text()


def test_the_dependency_page_names_every_requirement() -> None:
    page = (ROOT / "docs/dependencies.md").read_text()
    for requirement in direct_requirements(*EXTRAS):
        row = rf"^\| {re.escape(requirement.name)} \| {re.escape(bounds(requirement))} \|"
        assert re.search(row, page, re.MULTILINE), f"{requirement.name} | {bounds(requirement)}"


def bounds(requirement: Requirement) -> str:
    """The range of versions as the page has it: ``1.2 to <2``."""
    (low,) = (part.version for part in requirement.specifier if part.operator == ">=")
    (high,) = (part.version for part in requirement.specifier if part.operator == "<")
    return f"{low} to <{high}"
