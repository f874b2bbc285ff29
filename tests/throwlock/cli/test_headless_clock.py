"""The clock of a match without a window."""

from pathlib import Path
from typing import Any

import pytest

from device.system.clock import MonotonicClock, SimulatedClock
from throwlock.cli.main import run_command


@pytest.mark.parametrize(
    ("camera", "kind"),
    [
        ("picamera2", MonotonicClock),
        ("picamera2:1", MonotonicClock),
        ("usb:0", MonotonicClock),
        ("simulated", SimulatedClock),
        ("clip:throw.mp4", SimulatedClock),
    ],
)
@pytest.mark.parametrize("command", [("play", "classic"), ("class", "--students", "9")], ids=lambda command: command[0])
def test_match_takes_its_time_from_the_camera_in_use(
    command: tuple[str, ...], camera: str, kind: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks: list[Any] = []
    for module in ("play", "classroom"):
        monkeypatch.setattr(f"throwlock.cli.{module}.run_match", lambda *given, **services: clocks.append(given[3]))
    arguments = [*command, "--headless", "--journal", str(tmp_path / "one.journal")]
    assert run_command([*arguments, "--camera", camera]) == 0
    (tmp_path / "throwlock.toml").write_text(f'[camera]\nname = "{camera}"\n')
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
    assert run_command(arguments) == 0
    assert [type(clock) for clock in clocks] == [kind, kind]
