"""A table whose rounds are recorded in a clip."""

from dataclasses import dataclass, field

from typing_extensions import override

from device.camera.base import CameraError
from device.camera.clip import ClipCamera
from messages import N
from throwlock.tables.camera_table import PREVIEW_SIZE
from throwlock.tables.hands import HandTable
from throwlock.tables.source import PlayedRound, RoundRequest
from ui.screen.pages.countdown import Judging


@dataclass(kw_only=True)
class ClipTable(HandTable):
    """A HandTable at which each round is the whole clip. The players counted for themselves, so the first hand is the
    cue. A clip never changes, so a tie or a foul can't be thrown again."""

    camera: ClipCamera
    _played: bool = field(default=False, init=False)

    @override
    def throw(self, request: RoundRequest) -> PlayedRound:
        """Judge the recording once. Raises CameraError if the same throws would only be judged again."""
        if self._played and (request.rethrow_reason or request.prompt.about.get("again")):
            raise CameraError(
                N("the clip shows the same throws every time, so a tie or a foul can't be settled: use another clip")
            )
        self._played = True
        self.camera.start()
        start_ns = self.clock.now_ns()
        preview = self.camera.latest().pixels(None, PREVIEW_SIZE) if self.show_preview else None
        self.display.show(Judging(request.players, preview, lambda: self.judge.progress))
        end_ns = start_ns + self.camera.length_ns
        self.clock.wait_until(end_ns)
        frames = self.camera.frames_between(start_ns, end_ns)
        zones = [self.zones[seat - 1] for seat in request.prompt.seats]
        judgement = self.judge(frames, zones, None, self.house_rules.window_ms * 1_000_000)
        return self.finish_round(request, judgement, frames)
