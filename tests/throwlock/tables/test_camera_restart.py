"""A camera that stops in the middle of a round: it is started again, the round is void, and nobody is to blame."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from device.camera.base import CameraError, Exposing, started_again
from device.camera.frames import Frame
from device.simulated.table.table import SimulatedTable
from device.system.clock import JumpingClock
from rules.engine import Ask
from rules.throws import THROWS
from throwlock.match.house_rules import House
from throwlock.tables.hands import Table
from ui.screen.core.display import Silent
from ui.screen.pages.views import Player
from vision.lock.void_reasons import TroubleKind
from vision.zones import Zone

S = 1_000_000_000
PLAYERS = (Player(1, "Ada"), Player(2, "Bo"))
ASK = Ask("throw", {1: THROWS, 2: THROWS}, sealed=True)


class Stalling(SimulatedTable):
    """A table whose camera stops when the count begins; ``mends`` says whether it can be started again."""

    mends = True
    held: list[str]

    def throw_at(self, seats: Sequence[int], cue_ns: int, beat_ns: int) -> None:
        self.stall()

    def start(self) -> None:
        if getattr(self, "_stalled", False) and not self.mends:
            raise CameraError("camera simulated is gone: plug it in")
        super().start()

    def hold_exposure(self) -> None:
        self.held = ["held"]

    def free_exposure(self) -> None:
        self.held.append("free")


def thrown_at(camera: Stalling, clock: JumpingClock, live: bool) -> Any:
    camera.start()
    clock.wait_until(2 * S)
    judge = cast(Any, lambda *given: pytest.fail("there is nothing to judge"))
    zones = tuple(Zone(*zone) for zone in camera.zones)
    table = Table(camera, zones, judge, Silent(), clock, House(), performers=camera, live=live)
    return table.throw(ASK, PLAYERS, "Round 1")


@pytest.mark.parametrize("live", [False, True])
def test_it_is_started_again_and_the_round_is_void(live: bool) -> None:
    clock = JumpingClock(S)
    camera = Stalling(clock, 2)
    thrown = thrown_at(camera, clock, live)
    assert thrown.answers is None and thrown.fouls == ()
    assert thrown.judgement.trouble.kind is TroubleKind.FEW_FRAMES
    assert "gave no picture" in thrown.reveal.sentence and "nobody's foul" in thrown.reveal.sentence
    assert camera.latest() and isinstance(camera, Exposing) and camera.held == ["held", "free"]


def test_one_that_does_not_run_again_is_said() -> None:
    clock = JumpingClock(S)
    camera = Stalling(clock, 2)
    camera.mends = False
    with pytest.raises(CameraError, match="plug it in"):
        thrown_at(camera, clock, False)
    assert camera.held == ["held", "free"]


def test_it_is_waited_for_but_not_for_ever() -> None:
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

    clock = JumpingClock()
    slow = Slow()
    assert started_again(cast(Any, slow), clock) == "a frame"
    slow.needs = 10_000
    with pytest.raises(CameraError, match="not yet"):
        started_again(cast(Any, slow), clock)
