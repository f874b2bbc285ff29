"""The versions of the locks that are older than six months."""

from datetime import UTC, datetime
from pathlib import Path

from tools.lock_ages import old_versions

LOCK = """
lock-version = "1.0"
[[packages]]
name = "old"
version = "1.0"
wheels = [
    { url = "https://a/old-1.0-a.whl", upload-time = 2025-05-01T08:00:00Z },
    { url = "https://a/old-1.0-b.whl", upload-time = 2025-05-30T08:00:00Z },
]
[[packages]]
name = "new"
version = "2.0"
sdist = { url = "https://a/new-2.0.tar.gz", upload-time = 2025-06-02T08:00:00Z }
[[packages]]
name = "oldest"
version = "0.1"
sdist = { url = "https://a/oldest-0.1.tar.gz", upload-time = 2020-01-01T08:00:00Z }
[[packages]]
name = "unknown"
version = "3.0"
wheels = [{ url = "https://a/unknown-3.0.whl" }]
"""


def test_versions_are_old_by_their_newest_file(tmp_path: Path) -> None:
    locks = tmp_path / "pylock.a.toml", tmp_path / "pylock.b.toml"
    for lock in locks:
        lock.write_text(LOCK)
    old = old_versions(locks, datetime(2025, 12, 1, tzinfo=UTC))
    assert [(version.name, version.version) for version in old] == [("oldest", "0.1"), ("old", "1.0")]
