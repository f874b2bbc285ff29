"""Forgets the installed packages of this Python whose files are damaged or missing, as after a power cut while pip
unpacked them: pip then installs these again, and no others. Uses only the standard library, so the installer can run it
before anything is whole."""

import base64
import csv
import hashlib
import shutil
import sysconfig
from pathlib import Path


def forget_damaged_packages(site_packages: Path) -> list[str]:
    """Remove the metadata of every damaged package, by which pip knows that it is installed, and return the names of
    their folders."""
    damaged = [folder for folder in sorted(site_packages.glob("*.dist-info")) if not _is_whole(folder)]
    for folder in damaged:
        shutil.rmtree(folder)
    return [folder.name for folder in damaged]


def _is_whole(metadata: Path) -> bool:
    """Whether every file of a package has the hash that its RECORD gives; pip writes that file last."""
    try:
        with (metadata / "RECORD").open(encoding="utf-8", newline="") as record:
            hashes = [(metadata.parent / name, hash_) for name, hash_, _ in csv.reader(record) if hash_]
        return bool(hashes) and all(_record_hash(path) == hash_ for path, hash_ in hashes)
    except (OSError, ValueError):
        return False


def _record_hash(path: Path) -> str:
    """Return a file's hash as RECORD has it. Raises OSError."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").digest()
    return f"sha256={base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


def main() -> None:
    """Print a line for each package that is forgotten."""
    for name in forget_damaged_packages(Path(sysconfig.get_path("purelib"))):
        print(f"{name} was damaged")


if __name__ == "__main__":
    main()
