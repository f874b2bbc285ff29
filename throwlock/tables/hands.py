"""A table at which players throw with their hands."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from typing_extensions import override

from device.camera.frames import Frame
from throwlock.tables.camera_table import CameraTable, RoundTimes
from throwlock.tables.source import RoundRequest
from vision.lock.judge import Judge
from vision.lock.judgement import Judgement
from vision.lock.verdict import SEARCH_BEFORE_CUE_NS

TOLD_AFTER_NS = 900_000_000
"""How long after the cue people are told that the box looks at their hands: a clear round is usually revealed by
then."""


@dataclass(kw_only=True)
class HandTable(CameraTable):
    """A CameraTable for hands. ``against_box``: a single player throws against the box, whose throw counts as shown at
    the cue, so that the player can be late as against any opponent."""

    judge: Judge
    against_box: bool = False

    @override
    def judge_round(self, request: RoundRequest, cue_ns: int) -> tuple[Judgement, Sequence[Frame]]:
        """The round is judged while its frames arrive. A hand whose throw has been seen is marked at
        once, without what it shows."""
        seats = tuple(request.prompt.seats)
        since_ns = cue_ns - SEARCH_BEFORE_CUE_NS - self.house_rules.beat_ms * 1_000_000
        window_ns = self.house_rules.window_ms * 1_000_000
        times = RoundTimes(cue_ns, window_ns, since_ns, cue_ns + 2 * window_ns, cue_ns + TOLD_AFTER_NS)

        def show_seen(numbers: Collection[int]) -> None:
            if self._last_word is not None and self.clock.now_ns() < times.told_ns:
                self.display.show(replace(self._last_word, seen=tuple(seats[number] for number in sorted(numbers))))

        def judge(frames_until: Callable[[int], Sequence[Frame]]) -> Judgement:
            zones = [self.zones[seat - 1] for seat in seats]
            box_shown_ns = cue_ns if self.against_box else None
            return self.judge.judge_live(frames_until, zones, cue_ns, window_ns, box_shown_ns, show_seen)

        return self.judge_live(request, times, judge, lambda: self.judge.progress)
