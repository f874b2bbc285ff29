"""List the versions of the locks that are older than six months: ``make lock`` ends with it.

A new version of a package may mend what no advisory names. The ages are those of the files that a package index has, in
locks as uv writes them in the form of pylock.toml."""

import argparse
import sys
import tomllib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

OLD_AFTER = timedelta(days=183)


class LockedVersion(NamedTuple):
    """A version, and when the newest of its files was uploaded."""

    uploaded_at: datetime
    name: str
    version: str


def read_versions(lock: Path) -> Iterator[LockedVersion]:
    """Yield the versions of a lock whose index says when they were uploaded. Raises OSError, TOMLDecodeError."""
    for package in tomllib.loads(lock.read_text())["packages"]:
        files: list[dict[str, Any]] = [*package.get("wheels", ()), *filter(None, [package.get("sdist")])]
        times = [file["upload-time"] for file in files if "upload-time" in file]
        if times:
            yield LockedVersion(max(times), package["name"], package["version"])


def old_versions(locks: Iterable[Path], now: datetime) -> list[LockedVersion]:
    """Return the versions that are older than OLD_AFTER, the oldest first. Raises OSError, TOMLDecodeError."""
    versions = {version for lock in locks for version in read_versions(lock)}
    return sorted(version for version in versions if now - version.uploaded_at > OLD_AFTER)


def main() -> int:
    """Print the old versions; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.lock_ages", description=__doc__)
    parser.add_argument("locks", type=Path, nargs="+", metavar="LOCK", help="a lock in the form of pylock.toml")
    old = old_versions(parser.parse_args().locks, datetime.now(UTC))
    for version in old:
        print(f"older than six months: {version.name} {version.version} of {version.uploaded_at:%Y-%m-%d}")
    print(f"{len(old) or 'no'} versions are older than six months")
    return 0


if __name__ == "__main__":
    sys.exit(main())
