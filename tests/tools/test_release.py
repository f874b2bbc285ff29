"""What a release is made of: notes, checksums, and archives that come out the same."""

import os
import shutil
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

from tools.release import CHECKSUMS, INSTALLER_PARTS, ReleaseError, checksums, pack, release_notes

ROOT = Path(__file__).parents[2]
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- Soon.\n\n## 1.2.0 (2027)\n\n- New.\n- Better.\n\n## 1.1.0\n\n- Old.\n"


def test_notes_are_the_section_of_the_version() -> None:
    assert release_notes(CHANGELOG, "1.2.0") == "- New.\n- Better.\n"
    assert release_notes(CHANGELOG, "1.1.0") == "- Old.\n"


@pytest.mark.parametrize("version", ["1.3.0", "1.2", "1.1.00"])
def test_version_without_a_section_is_refused(version: str) -> None:
    with pytest.raises(ReleaseError, match=f"'## {version}'"):
        release_notes(CHANGELOG, version)


def test_pack_ignores_times_owners_and_masks(tmp_path: Path) -> None:
    folder = tmp_path / "throwlock-1"
    (folder / "systemd").mkdir(parents=True)
    (folder / "systemd/install").write_text("#!/bin/sh\n")
    (folder / "systemd/install").chmod(0o755)
    (folder / "README.md").write_text("read me")
    pack(folder, tmp_path / "first.tar.gz", 1_700_000_000)
    os.utime(folder / "README.md", (5, 5))
    (folder / "README.md").chmod(0o600)
    (folder / "systemd/install").chmod(0o700)
    pack(folder, tmp_path / "second.tar.gz", 1_700_000_000)
    assert (tmp_path / "first.tar.gz").read_bytes() == (tmp_path / "second.tar.gz").read_bytes()
    with tarfile.open(tmp_path / "first.tar.gz") as tar:
        modes = {member.name: member.mode for member in tar}
    assert modes["throwlock-1/systemd/install"] == 0o755 and modes["throwlock-1/README.md"] == 0o644


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="sha256sum is not installed")
def test_sha256sum_reads_the_checksums(tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder/file").write_text("whole")
    (tmp_path / CHECKSUMS).write_text(checksums(tmp_path))
    check = ["sha256sum", "--check", "--strict", "--quiet", CHECKSUMS]
    assert subprocess.run(check, cwd=tmp_path, check=False).returncode == 0
    (tmp_path / "a folder/file").write_text("damaged")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_installer_has_what_the_wheel_is_built_from() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    built = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {*built, project["project"]["readme"], *project["project"]["license-files"]} <= set(INSTALLER_PARTS)
    assert all((ROOT / part).exists() for part in INSTALLER_PARTS)
