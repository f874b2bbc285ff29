"""What several parts' tests share: what a folder holds, files that are no journals, a folder nobody may write."""

import gc
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from device.camera.frames import silence_opencv
from tests.helpers.journals import NOBODY_UID
from ui.i18n.language import set_language
from ui.screen.drawing.theme import set_large_text

settings.register_profile(
    "throwlock",
    deadline=None,  # time is never asserted: these machines are noisy
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="SEARCH" not in os.environ,  # the same examples every time; SEARCH=1 make test looks for new ones
)
settings.load_profile("throwlock")
SETTINGS = count()
"""The numbers of the tests' settings folders."""
silence_opencv()  # before any test writes a clip: FFmpeg's level is read once, when it is first used


def pytest_collection_finish() -> None:
    """Leave the thousands of collected tests out of every later search for garbage."""
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let the libraries that look for leaks at the end find everything freed."""
    gc.unfreeze()


@pytest.fixture(autouse=True)
def _own_settings_and_english(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings and the screen's language are the process's: no test changes the user's or leaves its own to others."""
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.getbasetemp() / f"settings-{next(SETTINGS)}")
    yield
    set_language("en")


@pytest.fixture
def large_text() -> Iterator[None]:
    """Draws every page with large text."""
    set_large_text(True)
    yield
    set_large_text(False)


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["usual text", "large text"])
def either_text(request: pytest.FixtureRequest) -> Iterator[None]:
    """Draws every page as usual, and with large text."""
    set_large_text(request.param)
    yield
    set_large_text(False)


def _database(path: Path, application: int = 0, version: int = 0) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipe (name TEXT)")
        db.execute(f"PRAGMA application_id = {application}")
        db.execute(f"PRAGMA user_version = {version}")
    db.close()


FOREIGN: dict[str, Callable[[Path], object]] = {
    "a text file": lambda path: path.write_text("Dear diary, today we threw rock again.\n" * 20),
    "a short file": lambda path: path.write_bytes(b"SQLite format 3\0"),
    "another program’s database": lambda path: _database(path, application=42),
    "a plain database": _database,
    "another version": lambda path: _database(path, application=0x54484C4B, version=99),
    "a folder": lambda path: path.mkdir(),
    "a FIFO": os.mkfifo,
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path),
}
"""What a journal's name may turn out to be, and what makes it."""


@pytest.fixture(params=FOREIGN)
def foreign(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Something in a folder of its own that is no journal of ours."""
    path = tmp_path / "elsewhere" / "evening.journal"
    path.parent.mkdir()
    FOREIGN[request.param](path)
    return path


@pytest.fixture
def read_only() -> Iterator[Callable[[Path], Path]]:
    """Copies a folder to one that this process may read and not write, even where it runs as root."""
    made = []

    def copy(folder: Path) -> Path:
        place = Path(tempfile.mkdtemp()) / "read-only"
        made.append(place)
        shutil.copytree(folder, place)
        place.parent.chmod(0o755)
        for path in place.iterdir():
            path.chmod(0o444)
        place.chmod(0o555)
        if os.geteuid() == 0:
            os.seteuid(NOBODY_UID)
        return place

    root = os.geteuid() == 0
    yield copy
    if root:
        os.seteuid(0)
    for place in made:
        place.chmod(0o755)
        shutil.rmtree(place.parent)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "slow: takes two seconds or more; make slow-test runs these, make test all others"
    )


MAY_BE_SKIPPED = (
    "picamera2 is not on this machine",
    "no control group can be made",
    "this needs podman",
    "podman has no image",
    "podman runs no container here",
)
"""Reasons for a skip that are no fault where everything else has to be there: picamera2 is Raspberry Pi OS's own, a
container may keep its control groups to itself, and images come from a registry."""


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With REQUIRE_REAL_PARTS=1 a test that is skipped for want of a browser, a display or the like fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("REQUIRE_REAL_PARTS") or reporter is None or hasattr(session.config, "workerinput"):
        return
    for report in reporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not any(allowed in reason for allowed in MAY_BE_SKIPPED):
            reporter.write_line(f"skipped, and should not be: {report.nodeid}: {reason}", red=True)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def servers() -> None:
    """Skips where a hall's broker or database is not installed."""
    from tools.hall.servers import ServerMissingError, find_programs

    try:
        find_programs()
    except ServerMissingError as error:
        pytest.skip(str(error))
