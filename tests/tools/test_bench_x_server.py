"""X servers for the benches: they are there while they are used, and none that failed is measured."""

import shutil
from pathlib import Path

import pytest

from tools.bench import x_server
from tools.bench.x_server import XServerError, start_drivers, start_x_server


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the place of Xvfb, which ends with status 3."""
    path = tmp_path / "Xvfb"
    path.write_text("#!/bin/sh\nexit 3\n")
    path.chmod(0o755)
    monkeypatch.setattr(x_server, "PROGRAM", str(path))
    return path


def test_a_server_that_ends_is_an_error(program: Path) -> None:
    with pytest.raises(XServerError, match="ended with status 3"), start_x_server((64, 48)):
        pass
    with pytest.raises(XServerError), start_drivers((64, 48)):
        pass


def test_without_a_server_only_the_dummy_driver_is_measured(program: Path) -> None:
    program.unlink()
    with pytest.raises(XServerError, match="not installed"), start_x_server((64, 48)):
        pass
    with start_drivers((64, 48)) as drivers:
        assert list(drivers) == ["dummy"]


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="there is no Xvfb on this machine")
def test_a_server_has_a_display_of_its_own() -> None:
    with start_x_server((64, 48)) as one, start_drivers((64, 48)) as drivers:
        assert one["DISPLAY"].startswith(":") and one["DISPLAY"] != drivers["x11"]["DISPLAY"]
        assert drivers["x11"]["SDL_VIDEODRIVER"] == "x11"
