"""A table whose rounds are recorded in a clip."""

from collections.abc import Sequence
from dataclasses import dataclass

from device.camera.base import CameraError
from device.camera.clip import ClipCamera
from rules.engine import Prompt
from throwlock.tables.hands import Table, ThrownRound
from ui.screen.pages.common.view import Player
from ui.screen.pages.countdown.view import Judging


@dataclass
class ClipTable(Table):
    """A Table at which each round is the whole clip. The players counted for themselves, so the first hand is the cue.
    A clip never changes, so a tie or a foul can't be thrown again."""

    played: bool = False

    def throw(
        self, prompt: Prompt, players: Sequence[Player], title: str, void_sentence: str | None = None
    ) -> ThrownRound:
        """See Table. Raises CameraError if the same throws would only be judged again."""
        if not isinstance(self.camera, ClipCamera):
            raise TypeError("a ClipTable needs a ClipCamera")
        if self.played and (void_sentence or prompt.about.get("again")):
            raise CameraError(
                "the clip shows the same throws every time, so it can't settle a tie or a foul: use another"
            )
        self.played = True
        self.camera.start()
        start_ns = self.clock.now_ns()
        preview = self.camera.latest().pixels(None, (320, 180)) if self.show_preview else None
        self.display.show(Judging(tuple(players), preview, lambda: self.judge.progress))
        end_ns = start_ns + self.camera.length_ns
        self.clock.wait_until(end_ns)
        frames = self.camera.frames_between(start_ns, end_ns)
        zones = [self.zones[seat - 1] for seat in prompt.seats]
        judgement = self.judge(frames, zones, None, self.house_rules.window_ms * 1_000_000)
        return self.finish_round(prompt, players, judgement, frames)
