"""An installation that was cut off: pip must install the damaged packages again, and no others."""

import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from throwlock.cli.doctor.damaged_packages import forget_damaged_packages

WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
PACKAGES = ("first", "second")


def record_line(name: str, content: str) -> str:
    digest = urlsafe_b64encode(sha256(content.encode()).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


@pytest.fixture
def install(tmp_path: Path) -> Callable[[], str]:
    """Installs two small packages with pip, as the installer does, and returns what pip says."""
    for name in PACKAGES:
        info = f"{name}-1.0.dist-info"
        with zipfile.ZipFile(tmp_path / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
            files = {
                f"{name}/__init__.py": f"NAME = '{name}'\n",
                f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
                f"{info}/WHEEL": WHEEL,
            }
            for file, content in files.items():
                wheel.writestr(file, content)
            lines = [*(record_line(*file) for file in files.items()), f"{info}/RECORD,,\n"]
            wheel.writestr(f"{info}/RECORD", "".join(lines))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(tmp_path / "venv"),
        "install",
        "--no-index",
        "--find-links",
        str(tmp_path),
    ]

    def run() -> str:
        return subprocess.run([*pip, *PACKAGES], check=True, capture_output=True, text=True).stdout

    run()
    return run


@pytest.fixture
def site_packages(tmp_path: Path) -> Path:
    return tmp_path / f"venv/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize(
    ("damage", "file"),
    [
        (empty, "second/__init__.py"),  # as after a power cut
        (Path.unlink, "second/__init__.py"),
        (Path.unlink, "second-1.0.dist-info/RECORD"),  # pip was ended before it wrote the last file
    ],
)
def test_only_a_damaged_package_is_installed_again(
    install: Callable[[], str], site_packages: Path, damage: Callable[[Path], None], file: str
) -> None:
    assert forget_damaged_packages(site_packages) == []
    damage(site_packages / file)
    assert forget_damaged_packages(site_packages) == ["second-1.0.dist-info"]
    assert "Successfully installed second-1.0\n" in install()
    assert (site_packages / "second/__init__.py").read_text() == "NAME = 'second'\n"
    assert forget_damaged_packages(site_packages) == []
