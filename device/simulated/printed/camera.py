"""A simulated camera over printed objects. Frames are rendered on access.

camera = PrintedCamera(SimulatedClock(), PrintedScene(optics=TiltedCameraOptics(tilt_y=8)))
camera.start()
camera.place(PrintedObject("rock 7", card, ((0, ObjectPose(-150, 0, flip_deg=180)),)))
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Lock

from typing_extensions import override

from device.camera.frames import BgrFrame, Box, Frame, Pixels, Size
from device.simulated.camera import RING_DURATION_NS, SimulatedCamera
from device.simulated.printed.objects import HandOverTable, PrintedObject
from device.simulated.printed.scene import PrintedScene, VisibleObject
from device.system.clock import Clock


@lru_cache(maxsize=24)
def _render(scene: PrintedScene, exposed_ns: int, exposure_ns: int, number: int) -> Pixels:
    return scene.photograph(exposed_ns, exposure_ns, number)


@dataclass(frozen=True)
class PrintedFrame(Frame):
    """A frame that is rendered on access; the last few are cached."""

    scene: PrintedScene = field(repr=False, compare=False)

    @override
    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        whole = _render(self.scene, self.exposed_ns, self.exposure_ns, self.number)
        return BgrFrame(self.number, self.exposed_ns, self.exposure_ns, self.size, whole[..., ::-1]).pixels(box, size)


class PrintedCamera(SimulatedCamera):
    """A frame shows the scene that was set when it was exposed, whatever is set later."""

    def __init__(self, clock: Clock, scene: PrintedScene, fps: float = 30.0, exposure_ns: int = 8_000_000) -> None:
        super().__init__(clock, scene.optics.size, fps, exposure_ns)
        self._scenes: list[tuple[int, PrintedScene]] = [(-1, scene)]
        self._lock = Lock()

    @property
    def scene(self) -> PrintedScene:
        """The current scene, including movements already planned."""
        return self._scenes[-1][1]

    def set_scene(self, scene: PrintedScene) -> None:
        """Show ``scene`` from the next frame on."""
        with self._lock:
            oldest_ns = self._clock.now_ns() - 2 * RING_DURATION_NS
            kept = [i for i, (since, _) in enumerate(self._scenes) if since <= oldest_ns]
            self._scenes = [*self._scenes[kept[-1] if kept else 0 :], (self._clock.now_ns(), scene)]

    def place(self, *objects: PrintedObject) -> None:
        """Add objects, replacing those of the same names."""
        names = {thing.name for thing in objects}
        oldest_ns = self._clock.now_ns() - 2 * RING_DURATION_NS
        kept = (old for old in self.scene.objects if old.until_ns is None or old.until_ns > oldest_ns)
        self.set_scene(replace(self.scene, objects=(*(old for old in kept if old.name not in names), *objects)))

    def remove(self, *names: str) -> None:
        """Remove objects by name."""
        self.set_scene(replace(self.scene, objects=tuple(old for old in self.scene.objects if old.name not in names)))

    def add_hands(self, *hands: HandOverTable) -> None:
        """Add hands that move over the table."""
        oldest_ns = self._clock.now_ns() - 2 * RING_DURATION_NS
        kept = (old for old in self.scene.hands if old.keyframes[-1][0] > oldest_ns)
        self.set_scene(replace(self.scene, hands=(*kept, *hands)))

    def visible_objects(self, when_ns: int) -> tuple[VisibleObject, ...]:
        """Return the ground truth of a frame exposed at ``when_ns``."""
        return self._scene_at(when_ns).visible_objects(when_ns)

    def _scene_at(self, when_ns: int) -> PrintedScene:
        with self._lock:
            return next((scene for since, scene in reversed(self._scenes) if since < when_ns), self._scenes[0][1])

    def _frame(self, number: int) -> PrintedFrame:
        exposed_ns = self._exposed_ns(number)
        return PrintedFrame(number, exposed_ns, self.exposure_ns, self.size, scene=self._scene_at(exposed_ns))
