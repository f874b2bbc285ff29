"""Finds the shared libraries that the Python packages need and this machine lacks, and prints the command that installs
them. Uses only the standard library, so ``make`` can run it before anything is installed."""

import ctypes
import importlib.util
import sys

LIBRARIES = {
    "libEGL.so.1": "libegl1",  # mediapipe
    "libGLESv2.so.2": "libgles2",  # mediapipe
    "libseccomp.so.2": "libseccomp2",  # keeps mediapipe from the network
    "libGL.so.1": "libgl1",  # OpenCV
    "libxcb.so.1": "libxcb1",  # OpenCV
    "libgthread-2.0.so.0": "libglib2.0-0",  # OpenCV
}
"""The package of Debian and Raspberry Pi OS for each library. (From Trixie on, libglib2.0-0 is libglib2.0-0t64; apt
accepts the old name.)"""
MIN_PYTHON = (3, 11)
"""The oldest supported Python."""


def missing_packages() -> list[str]:
    """Return the packages to install."""
    packages = [package for library, package in LIBRARIES.items() if not _loads(library)]
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        packages.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    return packages


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def main() -> int:
    """Print what is missing. Return 0 if nothing is, else 2."""
    if sys.version_info < MIN_PYTHON:
        version = ".".join(map(str, sys.version_info[:2]))
        oldest = ".".join(map(str, MIN_PYTHON))
        print(f"Throwlock needs Python {oldest} or newer, this is {version}: make PYTHON=python3.11")
        return 2
    if sys.platform.startswith("linux") and (packages := missing_packages()):
        print(f"This machine lacks {', '.join(packages)}. Install with:\n\n    sudo apt install {' '.join(packages)}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
