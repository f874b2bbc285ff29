"""A table at which players throw with their hands."""

from collections.abc import Sequence
from dataclasses import dataclass

from device.camera.frames import Frame
from throwlock.tables.camera_table import FRAME_DELAY_NS, CameraTable
from throwlock.tables.source import RoundRequest
from ui.screen.pages.countdown.view import Judging
from vision.lock.judge import MIN_FRAMES, Judge, Judgement, void_judgement
from vision.lock.verdict import SEARCH_AFTER_LOCK_NS, SEARCH_BEFORE_CUE_NS


@dataclass(kw_only=True)
class HandTable(CameraTable):
    """A CameraTable for hands. ``against_box``: a single player throws against the box, whose throw counts as shown at
    the cue, so that the player can be late as against any opponent."""

    judge: Judge
    against_box: bool = False

    def judge_round(self, request: RoundRequest, cue_ns: int) -> tuple[Judgement, Sequence[Frame]]:
        """See CameraTable."""
        window_ns = self.house_rules.window_ms * 1_000_000
        end_ns = cue_ns + 2 * window_ns + SEARCH_AFTER_LOCK_NS
        self.clock.wait_until(end_ns + FRAME_DELAY_NS)
        self.display.show(Judging(request.players, progress=lambda: self.judge.progress))
        frames = self.frames_between(cue_ns - SEARCH_BEFORE_CUE_NS - self.house_rules.beat_ms * 1_000_000, end_ns)
        zones = [self.zones[seat - 1] for seat in request.prompt.seats]
        if len(frames) < MIN_FRAMES:
            return void_judgement(frames, zones, cue_ns, window_ns), frames
        unseen_ns = cue_ns if self.against_box else None
        return self.judge(frames, zones, cue_ns, window_ns, unseen_ns), frames
