"""Tests of what one box may take: the sending limit, and a share of the disk."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.helpers.web_guard import FakeClock
from throwlock.hub.quota import (
    BURST_BYTES,
    BYTES_PER_S,
    DISK_SHARE,
    MAX_BOX_BYTES,
    MESSAGE_COST_BYTES,
    SendingLimit,
    box_room,
)


def test_box_sends_a_burst_and_then_a_steady_rate() -> None:
    clock = FakeClock()
    limit = SendingLimit(clock)
    size = 1_000_000 - MESSAGE_COST_BYTES
    assert [limit.take("box-1", size) for _ in range(17)] == [True] * (BURST_BYTES // 1_000_000) + [False]
    assert limit.take("box-2", size), "each box has a limit of its own"
    clock.now += 1_000_000 / BYTES_PER_S
    assert [limit.take("box-1", size) for _ in range(2)] == [True, False]
    clock.now += 1_000_000
    assert sum(limit.take("box-1", size) for _ in range(40)) == BURST_BYTES // 1_000_000, (
        "it saves up no more than a burst"
    )


@pytest.mark.parametrize(("free", "room"), [(4_000, 4_000 // DISK_SHARE), (10**13, MAX_BOX_BYTES)])
def test_box_has_a_share_of_what_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, room: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    assert box_room(tmp_path) == room
