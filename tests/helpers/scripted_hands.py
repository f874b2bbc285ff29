"""Hands that need no camera and no model: frames that know what a hand does, and a finder that reads it off them. The
joints are the simulated table's, so they read as real ones do."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from device.camera.frames import Box, Frame, Pixels, Size
from device.simulated.table.animation import Performance, Stance
from device.simulated.table.seating import Person, Seating
from vision.hands.detector import Hand
from vision.lock.zone_view import THUMB_PX, Sight
from vision.zones import Zone

MS = 1_000_000
CUE = 3_000 * MS
SIZE = (1280, 720)
SEATING = Seating([Person(), Person()], SIZE)
ZONE = Zone(*SEATING.zones[0])
Doing = Callable[[int], Stance | None]
"""What a hand does at a time in ns; None while it can't be found."""


def joints(stance: Stance, seat: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """A hand's landmarks (21, 2) in pixels of the frame, and its world landmarks (21, 3)."""
    points = SEATING.seats[seat - 1].hand(stance).joints
    return SEATING.optics.project(points), (points - points.mean(0)) * (1, -1, -1) / 1000


@dataclass
class ScriptedFinder:
    """Stands in for a HandFinder: a picture's colour is the number of the look it was taken for."""

    looks: list[tuple["ScriptedFrame", Box, Size]] = field(default_factory=list)
    calls: int = 0

    def find(self, picture: Pixels) -> list[Hand]:
        self.calls += 1
        number = int(picture[0, 0].astype(int) @ (1, 256, 65536))
        frame, box, size = self.looks[number]
        for seat, doing in enumerate(frame.doing, 1):
            stance = doing(frame.exposed_ns)
            if stance is None or stance.away > 0.5:
                continue
            landmarks, world = joints(stance, seat)
            middle = landmarks.mean(0)
            if not (box.x <= middle[0] < box.x + box.w and box.y <= middle[1] < box.y + box.h):
                continue
            room = (np.array(picture.shape[1::-1]) - size) // 2  # a look with room around the picture
            return [Hand((landmarks - (box.x, box.y)) * np.divide(size, (box.w, box.h)) + room, world, True, 1.0)]
        return []

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class ScriptedFrame(Frame):
    """A frame in which seat n does ``doing[n - 1]``."""

    doing: tuple[Doing, ...]
    finder: ScriptedFinder

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        part = box or Box(0, 0, *self.size)
        wide, high = size or (part.w, part.h)
        if max(wide, high) <= THUMB_PX:  # no look: frames are alike when the hands do the same
            told = zlib.crc32(repr([doing(self.exposed_ns) for doing in self.doing]).encode())
            return np.broadcast_to(np.frombuffer(told.to_bytes(4), np.uint8)[1:], (high, wide, 3)).copy()
        self.finder.looks.append((self, part, (wide, high)))
        number = len(self.finder.looks) - 1
        colour = np.array([number % 256, number // 256 % 256, number // 65536], np.uint8)
        return np.broadcast_to(colour, (high, wide, 3)).copy()


def film(
    *doing: Doing, fps: float = 60.0, since: int = 0, until: int = CUE + 1_000 * MS, phase: float = 0.0
) -> tuple[list[Frame], ScriptedFinder]:
    """Frames of hands that do what they are told, and the finder that reads them."""
    finder = ScriptedFinder()
    first, last = int(since * fps / 1e9), int(until * fps / 1e9)
    times = [round((number + phase) * 1e9 / fps) for number in range(first, last + 1)]
    frames: list[Frame] = [
        ScriptedFrame(number, when, 8 * MS, SIZE, doing, finder) for number, when in enumerate(times, first)
    ]
    return frames, finder


def sight_of(doing: Doing, zone: Zone = ZONE, fps: float = 60.0, phase: float = 0.0) -> Sight:
    """One seat's sight of a hand."""
    frames, finder = film(doing, fps=fps, phase=phase)
    return Sight(frames, zone, finder)


def performed(performance: Performance, lost: Sequence[int] = (), fps: float = 60.0) -> Doing:
    """A performance, with the frames whose numbers are in ``lost`` showing no hand."""
    gone = frozenset(lost)
    return lambda when: None if round(when * fps / 1e9) in gone else performance.stance(when)


def throws(throw: str, shown_ms: float = 20, **more: object) -> Performance:
    """A performance around CUE."""
    return Performance(throw, CUE, 600 * MS, round(shown_ms * MS), **more)  # type: ignore[arg-type]  # its own fields
