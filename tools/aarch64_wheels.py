"""Check without a Raspberry Pi that a box can install its locks: ``make aarch64-check``.

Downloads, for each board and system, the aarch64 wheels that its lock names, as pip would there: for that Python, for
no newer C library than the system's, with the hashes of the lock. Then reads in the wheels whether the lock has all
that they require. Prints one line for each board; the exit status is 1 if one can't install its lock."""

import argparse
import email
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

LOCKS = Path(__file__).parents[1] / "requirements"
OLDEST_GLIBC_MINOR = 17
"""aarch64 wheels for glibc 2.17 (manylinux2014) and newer are published."""
TIMEOUT_S = 1800


@dataclass(frozen=True)
class BoardSystem:
    """A board with its system, as ``systemd/install`` tells them apart."""

    name: str
    lock: str
    python: str
    glibc_minor: int

    @property
    def markers(self) -> dict[str, str]:
        """What PEP 508 markers evaluate to there."""
        return {
            **{"python_version": self.python, "python_full_version": f"{self.python}.0"},
            **{"platform_machine": "aarch64", "sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
            **{"implementation_name": "cpython", "platform_python_implementation": "CPython", "extra": ""},
        }

    @property
    def pip_options(self) -> list[str]:
        """The options with which pip on any machine chooses the wheels that pip there would."""
        platforms = [
            *(f"manylinux_2_{minor}_aarch64" for minor in range(self.glibc_minor, OLDEST_GLIBC_MINOR - 1, -1)),
            *("manylinux2014_aarch64", "linux_aarch64"),
        ]
        chosen = [option for platform in platforms for option in ("--platform", platform)]
        return [*chosen, "--python-version", self.python, "--implementation", "cp"]


BOARD_SYSTEMS = (
    BoardSystem("Pi 5, Trixie", "trixie", "3.13", 41),
    BoardSystem("Pi 5, Bookworm", "bookworm", "3.11", 36),
    BoardSystem("Pi 4, Bookworm", "bookworm-pi-4", "3.11", 36),
)


def download(board: BoardSystem, folder: Path) -> str:
    """Download the wheels of a lock, and check their hashes; return pip's errors, empty if there were none."""
    return _run_pip("download", board, "--dest", str(folder), "--requirement", str(LOCKS / f"{board.lock}.lock"))


def install(board: BoardSystem, folder: Path, *requirements: str) -> str:
    """Install a board's wheels into a folder on this machine; return pip's errors.

    Args:
        board: The board; it need not be near.
        folder: Made, or added to.
        requirements: Pip's options that name what to install, with hashes; by default the board's lock.
    """
    requirements = requirements or ("--requirement", str(LOCKS / f"{board.lock}.lock"))
    return _run_pip("install", board, "--no-compile", "--upgrade", "--target", str(folder), *requirements)


def _run_pip(command: str, board: BoardSystem, *arguments: str) -> str:
    options = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes", "--no-deps"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", command, *options, *board.pip_options, *arguments],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
    return "" if done.returncode == 0 else "; ".join(errors) or f"pip ended with {done.returncode}"


def unmet_requirements(board: BoardSystem, wheels: Iterable[Path]) -> list[str]:
    """Return what the wheels require on a board and none of them satisfies, a sentence for each."""
    found = {parse_wheel_filename(wheel.name)[0]: wheel for wheel in wheels}
    unmet = []
    for name, wheel in sorted(found.items()):
        for requirement in map(Requirement, wheel_requirements(wheel)):
            if requirement.marker and not requirement.marker.evaluate(board.markers):
                continue
            required = found.get(canonicalize_name(requirement.name))
            version = parse_wheel_filename(required.name)[1] if required else None
            if version is None or not requirement.specifier.contains(version, prereleases=True):
                unmet.append(
                    f"{name} needs {requirement.name}{requirement.specifier}, and the lock has {version or 'none'}"
                )
    return unmet


def wheel_requirements(wheel: Path) -> list[str]:
    """Return the ``Requires-Dist`` lines of a wheel's metadata."""
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        return email.message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", [])


def check(board: BoardSystem, folder: Path) -> tuple[bool, str]:
    """Return whether the lock can be installed on a board, and the line that says so."""
    label = f"{board.name}, Python {board.python}, {board.lock}.lock"
    if errors := download(board, folder):
        return False, f"broken  {label}: {errors}"
    wheels = sorted(folder.glob("*.whl"))
    if unmet := unmet_requirements(board, wheels):
        return False, f"broken  {label}: {'; '.join(unmet)}"
    megabytes = sum(wheel.stat().st_size for wheel in wheels) / 2**20
    return True, f"ok      {label}: {len(wheels)} wheels, {megabytes:.0f} MB"


def main() -> int:
    """Check every board; return the exit status."""
    good = True
    for board in BOARD_SYSTEMS:
        with tempfile.TemporaryDirectory() as folder:
            works, line = check(board, Path(folder))
        print(line, flush=True)
        good = good and works
    return 0 if good else 1


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m tools.aarch64_wheels", description=__doc__).parse_args()
    sys.exit(main())
