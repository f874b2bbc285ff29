"""Tests of the check that a box can install its locks, on wheels made here and a pip that is replaced."""

import zipfile
from pathlib import Path

from tools import aarch64_wheels
from tools.aarch64_wheels import BOARD_SYSTEMS, BoardSystem, unmet_requirements

BOARD = BoardSystem("Pi 5, Trixie", "trixie", "3.13", 41)


def make_wheel(folder: Path, name: str, version: str, *requirements: str) -> Path:
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        lines = [f"Requires-Dist: {line}" for line in requirements]
        archive.writestr(
            f"{name}-{version}.dist-info/METADATA", "\n".join([f"Name: {name}", *lines, "", "Requires-Dist: no"])
        )
    return wheel


def test_every_lock_of_a_box_is_checked() -> None:
    locks = {path.stem for path in aarch64_wheels.LOCKS.glob("*.lock")} - {"demo", "hub", "test"}
    assert {board.lock for board in BOARD_SYSTEMS} == locks


def test_complete_wheels_have_no_unmet_requirements(tmp_path: Path) -> None:
    wheels = [
        make_wheel(
            *(tmp_path, "mediapipe", "1.2.2", "numpy (>=1.24,<3)", "Flat_Buffers>=2"),
            *('winloop; sys_platform == "win32"', 'jax; python_version < "3.12"', 'pytest; extra == "test"'),
        ),
        make_wheel(tmp_path, "numpy", "2.2.4"),
        make_wheel(tmp_path, "flat_buffers", "25.1"),
    ]
    assert unmet_requirements(BOARD, wheels) == []


def test_missing_and_wrong_versions_are_named(tmp_path: Path) -> None:
    wheels = [
        make_wheel(
            tmp_path, "mediapipe", "1.2.2", 'jax>=0.4; platform_machine == "aarch64" and sys_platform == "linux"'
        ),
        make_wheel(tmp_path, "opencv", "5.0.0", "numpy<2"),
        make_wheel(tmp_path, "numpy", "2.2.4"),
    ]
    assert unmet_requirements(BOARD, wheels) == [
        "mediapipe needs jax>=0.4, and the lock has none",
        "opencv needs numpy<2, and the lock has 2.2.4",
    ]


def test_pip_chooses_the_wheels_of_the_board() -> None:
    options = BOARD.pip_options
    platforms = [options[place + 1] for place, option in enumerate(options) if option == "--platform"]
    assert platforms[0] == "manylinux_2_41_aarch64" and "manylinux_2_17_aarch64" in platforms
    assert all(platform.endswith("aarch64") for platform in platforms)
    assert options[options.index("--python-version") + 1] == "3.13"
    older = next(board for board in BOARD_SYSTEMS if board.lock == "bookworm-pi-4")
    assert "manylinux_2_37_aarch64" not in older.pip_options and "3.11" in older.pip_options
