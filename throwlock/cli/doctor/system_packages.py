"""The shared libraries that the Python packages need and a bare machine lacks, said by name with the one command that
installs them. Plain standard library, so that ``make`` can run it before anything is installed."""

import ctypes
import importlib.util
import sys

LIBRARIES = {
    "libEGL.so.1": "libegl1",  # mediapipe
    "libGLESv2.so.2": "libgles2",  # mediapipe
    "libGL.so.1": "libgl1",  # OpenCV
    "libxcb.so.1": "libxcb1",  # OpenCV
    "libgthread-2.0.so.0": "libglib2.0-0",  # OpenCV
}
"""Debian's and Raspberry Pi OS's package for each library. (libglib2.0-0 is libglib2.0-0t64 from Trixie on; apt takes
the old name for it.)"""
OLDEST = (3, 11)
"""The oldest Python this runs on."""


def missing() -> list[str]:
    """The packages to install, in no case twice."""
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
    """Say what is missing; 0 when nothing is."""
    if sys.version_info < OLDEST:
        found = ".".join(map(str, sys.version_info[:2]))
        print(f"Throwlock needs Python {OLDEST[0]}.{OLDEST[1]} or newer, this is {found}: make PYTHON=python3.11")
        return 2
    if sys.platform.startswith("linux") and (packages := missing()):
        print(f"This machine lacks {', '.join(packages)}. Install with:\n\n    sudo apt install {' '.join(packages)}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
