"""The table a clip makes."""

from collections.abc import Sequence
from dataclasses import dataclass

from device.camera.base import CameraError
from device.camera.clip import ClipCamera
from rules.engine import Ask
from throwlock.tables.hands import Round, Table
from ui.screen.pages.views import Judging, Player


@dataclass
class ClipTable(Table):
    """A table whose every round is the whole of a clip. Its players counted for themselves, so the first hand is the
    cue; and since a clip never changes, a tie or a foul in it can't be thrown again."""

    played: bool = False

    def throw(self, ask: Ask, players: Sequence[Player], title: str, again: str | None = None) -> Round:
        """See Table. Raises CameraError when the same throws would be judged again for nothing."""
        if not isinstance(self.camera, ClipCamera):
            raise TypeError("a ClipTable needs a ClipCamera")
        if self.played and (again or ask.about.get("again")):
            raise CameraError(
                "the clip shows the same throws every time, so it can't settle a tie or a foul: use another"
            )
        self.played = True
        self.camera.start()
        began_ns = self.clock.now_ns()
        preview = self.camera.latest().pixels(None, (320, 180)) if self.live else None
        self.display.show(Judging(tuple(players), preview, lambda: self.judge.progress))
        end_ns = began_ns + self.camera.length_ns
        self.clock.wait_until(end_ns)
        frames = self.camera.ring(began_ns, end_ns)
        zones = [self.zones[seat - 1] for seat in ask.seats]
        judgement = self.judge(frames, zones, None, self.house.window_ms * 1_000_000)
        return self.settled(ask, players, judgement, frames)
