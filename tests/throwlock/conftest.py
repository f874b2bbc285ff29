"""What tests of whole sessions share."""

import random
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.helpers.hall_broker import HallBroker
from throwlock.review.clip_maker import ClipState, ClipStatus
from throwlock.settings.model import Settings
from throwlock.settings.pages import apply_settings
from throwlock.web.lan_switch import LanSwitch
from throwlock.web.server import SharedClip


@pytest.fixture
def offline_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A box with settings of its own, whose file is returned, and without a network."""
    settings_file = tmp_path / "throwlock.toml"
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(settings_file))
    clip = SharedClip("http://192.168.1.20:8000/clip/one", lambda: ClipStatus(ClipState.READY, 1.0))
    server = SimpleNamespace(
        code="ABCD-EFGH", pad_code="WXYZ-2345", tv_code="MNPQ-6789",
        addresses=("http://192.168.1.20:8000",), code_rotations=0,
        stop=lambda: None, hold_clips=nullcontext,
        share_clip=lambda event: clip,
    )  # fmt: skip
    monkeypatch.setattr(LanSwitch, "_start", lambda self: server)
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(0))  # so that a run can be repeated
    yield settings_file
    apply_settings(Settings())


@pytest.fixture
def broker(servers: None, tmp_path: Path) -> Iterator[HallBroker]:
    """A hall's broker, as a box sees it."""
    with HallBroker(tmp_path / "broker") as broker:
        yield broker
