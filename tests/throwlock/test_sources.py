"""The camera of a match, put together from what is asked for."""

from pathlib import Path

import pytest

from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from tests.helpers.recordings import write_recording
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.replay.config import MatchConfig
from throwlock.sources import open_camera_and_players


@pytest.mark.parametrize(("fps", "said"), [("120", ["made at 120 frames a second"]), ("25", [])])
def test_slow_motion_of_a_clip_is_said(tmp_path: Path, fps: str, said: list[str]) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 400, 40), tags={"com.android.capture.fps": fps})
    name, lines = f"clip:{path}", list[str]()
    config = MatchConfig(GAMES["classic"].set_up(2), ("Ada", "Ben"), HouseRules(), camera=name)
    open_camera_and_players(LaunchOptions(tmp_path / "a.journal", name), config, SimulatedClock(), lines.append)
    assert len(lines) == len(said) and all(text in line for text, line in zip(said, lines, strict=True))
