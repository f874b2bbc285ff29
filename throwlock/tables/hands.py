"""A table at which players throw with their hands."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from typing_extensions import override

from device.camera.base import CameraError
from device.camera.clip import ClipCamera
from device.camera.frames import Frame
from messages import N
from throwlock.tables.camera_table import PREVIEW_SIZE, CameraTable, RoundTimes
from throwlock.tables.source import PlayedRound, RoundRequest
from ui.screen.pages.countdown import Judging
from vision.lock.judge import Judge
from vision.lock.judgement import Judgement
from vision.lock.verdict import SEARCH_BEFORE_CUE_NS
from vision.zones import Zone

TOLD_AFTER_NS = 900_000_000
"""How long after the cue people are told that the box looks at their hands: a clear round is usually revealed by
then."""


class LiveJudge(Protocol):
    """Who judges a round while its frames arrive, as ``vision.lock.judge.Judge`` does."""

    @property
    def progress(self) -> float:
        """Share (0–1) of the current round that is judged."""

    def judge_live(
        self,
        frames_until: Callable[[int], Sequence[Frame]],
        zones: Sequence[Zone],
        cue_ns: int,
        window_ns: int,
        box_shown_ns: int | None,
        on_seen: Callable[[Collection[int]], None] | None,
        on_read: Callable[[], None] | None,
    ) -> Judgement:
        """Judge a round: see ``Judge.judge_live``."""


@dataclass(kw_only=True)
class HandTable(CameraTable):
    """A CameraTable for hands."""

    judge: LiveJudge
    against_box: bool = False
    """Whether a single player throws against the box, whose throw counts as shown at the cue, so that the player can be
    late as against any opponent."""

    @override
    def judge_round(self, request: RoundRequest, cue_ns: int) -> tuple[Judgement, Sequence[Frame]]:
        """The round is judged while its frames arrive. A hand whose throw has been seen is marked at
        once, without what it shows."""
        seats = tuple(request.prompt.seats)
        since_ns = cue_ns - SEARCH_BEFORE_CUE_NS - self.house_rules.beat_ms * 1_000_000
        window_ns = self.house_rules.window_ms * 1_000_000
        times = RoundTimes(cue_ns, window_ns, since_ns, cue_ns + 2 * window_ns, cue_ns + TOLD_AFTER_NS)

        def show_seen(numbers: Collection[int]) -> None:
            if self._last_word is not None and self.clock.now_ns() < times.announced_ns:
                self.display.show(replace(self._last_word, seen=tuple(seats[number] for number in sorted(numbers))))

        def judge(frames_until: Callable[[int], Sequence[Frame]], announce: Callable[[], None]) -> Judgement:
            zones = [self.zones[seat - 1] for seat in seats]
            box_shown_ns = cue_ns if self.against_box else None
            return self.judge.judge_live(frames_until, zones, cue_ns, window_ns, box_shown_ns, show_seen, announce)

        return self.judge_live(request, times, judge, lambda: self.judge.progress)


@dataclass(kw_only=True)
class ClipTable(HandTable):
    """A HandTable at which each round is the whole clip. The players counted for themselves, so the first hand is the
    cue. A clip never changes, so a tie or a foul can't be thrown again."""

    camera: ClipCamera
    judge: Judge
    _played: bool = field(default=False, init=False)

    @override
    def throw(self, request: RoundRequest) -> PlayedRound:
        """Judge the recording once. Raises CameraError if the same throws would only be judged again."""
        if self._played and (request.rethrow_reason or request.prompt.about.get("again")):
            raise CameraError(
                N("the clip shows the same throws every time, so a tie or a foul can’t be settled: use another clip")
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
