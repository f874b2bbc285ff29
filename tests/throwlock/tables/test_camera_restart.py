"""A camera that stops in the middle of a round: it is started again, the round is void, and nobody is to blame."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest

from device.camera.base import CameraError, restart_camera
from device.camera.frames import Frame
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from rules.engine import ThrowPrompt
from rules.throws import THROW_CHOICES
from tests.helpers.table_parts import hand_table, throw
from throwlock.tables.source import ThrowListener
from ui.screen.core.display import NullDisplay
from ui.screen.pages.common import Player
from vision.lock.reasons import VoidKind
from vision.zones import Zone

S = 1_000_000_000
PLAYERS = (Player(1, "Ada"), Player(2, "Bo"))
ASK = ThrowPrompt({1: THROW_CHOICES, 2: THROW_CHOICES})


class StallingTable(SimulatedTable, ThrowListener):
    """A table whose camera stops when the count begins; ``mends`` says whether it can be started again."""

    mends = True
    held: list[str]

    def on_count(self, seats: Sequence[int], cue_ns: int, beat_ns: int, throw_number: int) -> None:
        self.stall()

    def start(self) -> None:
        if getattr(self, "_stalled", False) and not self.mends:
            raise CameraError("camera simulated is gone: plug it in")
        super().start()

    def lock_exposure(self) -> None:
        self.held = ["held"]

    def unlock_exposure(self) -> None:
        self.held.append("free")


class JudgeWithoutFrames:
    """A fake judge that asks for frames and must not get any."""

    def judge_live(self, frames_until: Callable[[int], object], zones: object, cue_ns: int, *given: object) -> None:
        frames_until(cue_ns)
        pytest.fail("there is nothing to judge")


def throw_round(camera: StallingTable, clock: SimulatedClock, live: bool) -> Any:
    camera.start()
    clock.wait_until(2 * S)
    judge = cast(Any, JudgeWithoutFrames())
    zones = tuple(Zone(*zone) for zone in camera.zones)
    table = hand_table(camera, zones, judge, NullDisplay(), clock, listener=camera, show_preview=live)
    return throw(table, ASK, PLAYERS)


@pytest.mark.parametrize("live", [False, True])
def test_stopped_camera_is_restarted_and_the_round_is_void(live: bool) -> None:
    clock = SimulatedClock(S)
    camera = StallingTable(clock, 2)
    thrown = throw_round(camera, clock, live)
    assert thrown.answers is None and thrown.fouls == ()
    assert thrown.judgement.void_reason.kind is VoidKind.FEW_FRAMES
    assert "sent no images" in thrown.reveal.sentence and "Nobody is at fault" in thrown.reveal.sentence
    assert camera.latest() and camera.held == ["held", "free"]


def test_camera_that_does_not_restart_raises() -> None:
    clock = SimulatedClock(S)
    camera = StallingTable(clock, 2)
    camera.mends = False
    with pytest.raises(CameraError, match="plug it in"):
        throw_round(camera, clock, False)
    assert camera.held == ["held", "free"]


def test_restart_waits_for_a_limited_time() -> None:
    class Slow:
        asked = 0

        def start(self) -> None:
            self.asked = 0

        def latest(self) -> Frame:
            self.asked += 1
            if self.asked < self.needs:
                raise CameraError("not yet")
            return cast(Frame, "a frame")

        needs = 20

    clock = SimulatedClock()
    slow = Slow()
    assert restart_camera(cast(Any, slow), clock) == "a frame"
    slow.needs = 10_000
    with pytest.raises(CameraError, match="not yet"):
        restart_camera(cast(Any, slow), clock)
