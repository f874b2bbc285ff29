"""A table at which players throw with their hands."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from device.camera.base import CameraError, restart_camera
from device.camera.frames import Frame
from throwlock.tables.camera_table import FRAME_DELAY_NS, CameraTable
from throwlock.tables.source import RoundRequest
from ui.screen.pages.countdown.view import Countdown, Judging
from vision.lock.judge import Judge, Judgement, LockError, void_judgement
from vision.lock.verdict import SEARCH_BEFORE_CUE_NS

FRAME_POLL_NS = 4_000_000
"""Time between two looks for a frame that is about to arrive: a quarter of a frame at 60 a second."""
JUDGING_AFTER_NS = 900_000_000
"""How long after the cue people are told that the box looks at their hands. Until then they see the last word of the
count: a clear round is usually revealed by then, and nothing flickers before it."""


@dataclass(kw_only=True)
class HandTable(CameraTable):
    """A CameraTable for hands. ``against_box``: a single player throws against the box, whose throw counts as shown at
    the cue, so that the player can be late as against any opponent."""

    judge: Judge
    against_box: bool = False
    _last_word: Countdown | None = field(default=None, init=False)

    def count(self, request: RoundRequest, view: Countdown) -> int:
        """See CameraTable."""
        self._last_word = replace(view, beat=len(view.words) - 1)
        return super().count(request, view)

    def judge_round(self, request: RoundRequest, cue_ns: int) -> tuple[Judgement, Sequence[Frame]]:
        """See CameraTable. The round is judged while its frames arrive. A hand whose throw has been seen is marked at
        once, without what it shows."""
        window_ns = self.house_rules.window_ms * 1_000_000
        since_ns = cue_ns - SEARCH_BEFORE_CUE_NS - self.house_rules.beat_ms * 1_000_000
        seats = tuple(request.prompt.seats)
        zones = [self.zones[seat - 1] for seat in seats]
        frames: list[Frame] = []
        is_shown = False

        def frames_until(until_ns: int) -> Sequence[Frame]:
            nonlocal is_shown
            self.wait_for_frame(until_ns)
            if not is_shown and self.clock.now_ns() >= cue_ns + JUDGING_AFTER_NS:
                is_shown = True
                self.display.show(Judging(request.players, progress=lambda: self.judge.progress))
            frames.extend(self.camera.frames_between(frames[-1].exposed_ns + 1 if frames else since_ns, until_ns))
            return tuple(frames)

        def show_seen(numbers: Collection[int]) -> None:
            if self._last_word is not None and not is_shown:
                self.display.show(replace(self._last_word, seen=tuple(seats[number] for number in sorted(numbers))))

        try:
            box_shown_ns = cue_ns if self.against_box else None
            return self.judge.judge_live(frames_until, zones, cue_ns, window_ns, box_shown_ns, show_seen), frames
        except LockError:
            frames = frames or [self.camera.latest()]
        except CameraError:
            frames = [restart_camera(self.camera, self.clock)]
        finally:
            self.camera.unlock_exposure()
        return void_judgement(frames, zones, cue_ns, window_ns), frames

    def wait_for_frame(self, at_ns: int) -> None:
        """Wait until the frame of a time has arrived, at most ``FRAME_DELAY_NS`` after it. Raises CameraError."""
        self.clock.wait_until(at_ns)
        until_ns = at_ns + FRAME_DELAY_NS
        while (now_ns := self.clock.now_ns()) < until_ns and self.camera.latest().exposed_ns < at_ns:
            self.clock.wait_until(min(now_ns + FRAME_POLL_NS, until_ns))
