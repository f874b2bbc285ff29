"""A camera over printed things, like any other: a ring of frames, rendered when somebody looks at them.

camera = PrintedCamera(JumpingClock(), Scene(optics=Optics(tilt_y=8)))
camera.start()
camera.lay(Thing("rock 7", card, ((0, Pose(-150, 0, flip=180)),)))
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Lock

from device.camera.base import CameraError
from device.camera.frames import Box, Frame, Pixels, Size, StoredFrame
from device.simulated.printed.scene import Scene, Seen
from device.simulated.printed.things import Reach, Thing
from device.system.clock import Clock

KEPT_NS = 6_000_000_000
"""How long a frame stays in the ring."""


@lru_cache(maxsize=24)
def _rendered(scene: Scene, exposed_ns: int, exposure_ns: int, number: int) -> Pixels:
    return scene.photograph(exposed_ns, exposure_ns, number)


@dataclass(frozen=True)
class PrintedFrame(Frame):
    """A frame that is rendered when somebody looks at it; the last few are remembered."""

    scene: Scene = field(repr=False, compare=False)

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """See Frame."""
        whole = _rendered(self.scene, self.exposed_ns, self.exposure_ns, self.number)
        return StoredFrame(self.number, self.exposed_ns, self.exposure_ns, self.size, whole[..., ::-1]).pixels(
            box, size
        )


class PrintedCamera:
    """Exposures are made at multiples of 1 / ``fps`` of the clock's time. ``scene`` is what is there at the start; a
    frame looks as the scene was told to be when it was exposed, whatever comes later."""

    def __init__(self, clock: Clock, scene: Scene, fps: float = 30.0, exposure_ns: int = 8_000_000) -> None:
        self.size = scene.optics.size
        self.fps = fps
        self.dropped = 0
        self._clock = clock
        self._exposure_ns = exposure_ns
        self._scenes: list[tuple[int, Scene]] = [(-1, scene)]
        self._started: int | None = None
        self._stalled = False
        self._lock = Lock()

    @property
    def scene(self) -> Scene:
        """What is there now, with all that was told of what will move."""
        return self._scenes[-1][1]

    def change(self, scene: Scene) -> None:
        """Have ``scene`` be there from the next frame on."""
        with self._lock:
            oldest = self._clock.now_ns() - 2 * KEPT_NS
            kept = [i for i, (since, _) in enumerate(self._scenes) if since <= oldest]
            self._scenes = [*self._scenes[kept[-1] if kept else 0 :], (self._clock.now_ns(), scene)]

    def lay(self, *things: Thing) -> None:
        """Put things there, in place of those of the same names."""
        names = {thing.name for thing in things}
        oldest = self._clock.now_ns() - 2 * KEPT_NS
        kept = (old for old in self.scene.things if old.until_ns is None or old.until_ns > oldest)
        self.change(replace(self.scene, things=(*(old for old in kept if old.name not in names), *things)))

    def take(self, *names: str) -> None:
        """Take things away."""
        self.change(replace(self.scene, things=tuple(old for old in self.scene.things if old.name not in names)))

    def reach(self, *reaches: Reach) -> None:
        """Have hands come over the table, beside those that do already."""
        oldest = self._clock.now_ns() - 2 * KEPT_NS
        kept = (old for old in self.scene.reaches if old.keys[-1][0] > oldest)
        self.change(replace(self.scene, reaches=(*kept, *reaches)))

    def truth(self, when_ns: int) -> tuple[Seen, ...]:
        """What a frame exposed at ``when_ns`` really shows."""
        return self._scene_at(when_ns).truth(when_ns)

    def start(self) -> None:
        """See Camera. Also mends a stall."""
        if self._started is None or self._stalled:
            self._stalled = False
            self._started = self._newest() + 1
            self.dropped = 0

    def stop(self) -> None:
        """See Camera."""
        self._started = None

    def stall(self) -> None:
        """Let the camera hang until it is started again."""
        self._stalled = True

    def latest(self) -> Frame:
        """See Camera."""
        frames = self._frames(self._newest(), self._newest())
        if not frames:
            raise CameraError("the simulated camera has no frame yet: wait for its first exposure")
        return frames[-1]

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        oldest = max(since_ns, self._clock.now_ns() - KEPT_NS)
        first = math.floor(oldest * self.fps / 1e9) - 1
        last = min(math.ceil(until_ns * self.fps / 1e9) + 1, self._newest())
        return [frame for frame in self._frames(first, last) if oldest <= frame.exposed_ns <= until_ns]

    def _scene_at(self, when_ns: int) -> Scene:
        with self._lock:
            return next((scene for since, scene in reversed(self._scenes) if since < when_ns), self._scenes[0][1])

    def _newest(self) -> int:
        return math.floor((self._clock.now_ns() - self._exposure_ns / 2) * self.fps / 1e9)

    def _frames(self, first: int, last: int) -> list[PrintedFrame]:
        """The frames from one number to another. Raises CameraError."""
        if self._started is None:
            raise CameraError("the simulated camera is not running: start it first")
        if self._stalled:
            raise CameraError("the simulated camera has stalled and gives no more frames: start it again")
        frames = []
        for number in range(max(first, self._started), last + 1):
            exposed = round(number * 1e9 / self.fps)
            frames.append(PrintedFrame(number, exposed, self._exposure_ns, self.size, scene=self._scene_at(exposed)))
        return frames
