"""Hands without a camera or a model: frames with a script of what each hand does, and a detector that returns it. The
joints are those of the simulated table, so they read like real ones."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from device.camera.frames import Box, Frame, Pixels, Size
from device.simulated.table.animation import Performance, Stance
from device.simulated.table.people import SimulatedPerson
from device.simulated.table.seating import SimulatedSeating
from vision.hands.detector import DetectedHand
from vision.lock.second_look import PHASE_NS, ZoneSecondLook
from vision.lock.zone_view import MAX_THUMBNAIL_PX, ZoneView
from vision.zones import Zone

MS = 1_000_000
CUE = 3_000 * MS
SIZE = (1280, 720)
SEATING = SimulatedSeating([SimulatedPerson(), SimulatedPerson()], SIZE)
ZONE = Zone(*SEATING.zones[0])
ZONE_BOXES = [Zone(*zone).box(SIZE) for zone in SEATING.zones]
HandScript = Callable[[int], Stance | None]
"""What a hand does at a time in ns; None while it can't be found."""


def hand_landmarks(stance: Stance, seat: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return a hand's landmarks (21, 2) in pixels of the frame, and its world landmarks (21, 3)."""
    points = SEATING.seats[seat - 1].hand(stance).joints
    return SEATING.optics.project(points), (points - points.mean(0)) * (1, -1, -1) / 1000


@dataclass
class ScriptedDetector:
    """Fake HandDetector: the colour of an image is the index of the input it was made for."""

    inputs: list[tuple["ScriptedFrame", Box, Size]] = field(default_factory=list)
    calls: int = 0
    can_track: bool = False
    tracked: int = 0

    def track(self, image: Pixels, landmarks: np.ndarray) -> DetectedHand | None:
        """Find the hand if it is less than half its size from where it was."""
        self.tracked += 1
        found = self.detect(image)
        size = np.ptp(landmarks, axis=0).max()
        near = [hand for hand in found if np.linalg.norm((hand.landmarks - landmarks).mean(0)) < size / 2]
        return near[0] if near else None

    def detect(self, image: Pixels) -> list[DetectedHand]:
        self.calls += 1
        number = int(image[0, 0].astype(int) @ (1, 256, 65536))
        frame, box, size = self.inputs[number]
        for seat, script in enumerate(frame.scripts, 1):
            stance = script(frame.exposed_ns)
            if stance is None or stance.away > 0.5:
                continue
            landmarks, world = hand_landmarks(stance, seat)
            centre = landmarks.mean(0)
            if not (box.x <= centre[0] < box.x + box.w and box.y <= centre[1] < box.y + box.h):
                continue
            padding = (np.array(image.shape[1::-1]) - size) // 2  # a padded image
            return [
                DetectedHand((landmarks - (box.x, box.y)) * np.divide(size, (box.w, box.h)) + padding, world, True, 1.0)
            ]
        return []

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class ScriptedFrame(Frame):
    """A frame in which the hand of seat n follows ``scripts[n - 1]``."""

    scripts: tuple[HandScript, ...]
    detector: ScriptedDetector

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        part = box or Box(0, 0, *self.size)
        width, height = size or (part.w, part.h)
        if max(width, height) <= MAX_THUMBNAIL_PX:  # a thumbnail: the same for frames in which the hands do the same
            stances = [
                script(self.exposed_ns)
                for script, zone in zip(self.scripts, ZONE_BOXES, strict=False)
                if min(part.clipped(zone)[2:]) > 0
            ]
            colour = np.frombuffer(zlib.crc32(repr(stances).encode()).to_bytes(4), np.uint8)[1:].copy()
            if np.ptp(colour.astype(int)) < colour.max() / 3:
                colour[:2] = 255, 0  # vivid, or it would be searched in other colours
            return np.broadcast_to(colour, (height, width, 3)).copy()
        self.detector.inputs.append((self, part, (width, height)))
        number = len(self.detector.inputs) - 1
        colour = np.array([number % 256, number // 256 % 256, number // 65536], np.uint8)
        return np.broadcast_to(colour, (height, width, 3)).copy()


def hand_frames(
    *scripts: HandScript, fps: float = 60.0, since: int = 0, until: int = CUE + 1_000 * MS, phase: float = 0.0
) -> tuple[list[Frame], ScriptedDetector]:
    """Return frames of hands that follow scripts, and the detector for them."""
    detector = ScriptedDetector()
    first, last = int(since * fps / 1e9), int(until * fps / 1e9)
    times = [round((number + phase) * 1e9 / fps) for number in range(first, last + 1)]
    frames: list[Frame] = [
        ScriptedFrame(number, time_ns, 8 * MS, SIZE, scripts, detector) for number, time_ns in enumerate(times, first)
    ]
    return frames, detector


def view_of(script: HandScript, zone: Zone = ZONE, fps: float = 60.0, phase: float = 0.0) -> ZoneView:
    """Return one seat's view of a hand."""
    frames, detector = hand_frames(script, fps=fps, phase=phase)
    return ZoneView(frames, zone, detector)


def hand_script(performance: Performance, lost: Sequence[int] = (), fps: float = 60.0) -> HandScript:
    """Return a performance as a script, with no hand in the frames whose numbers are in ``lost``."""
    lost_frames = frozenset(lost)
    return lambda time_ns: None if round(time_ns * fps / 1e9) in lost_frames else performance.stance(time_ns)


def lifted(stance: Stance, lift: float) -> Stance:
    """Return a stance at another height."""
    return stance._replace(lift=lift)


def performance_of(throw: str, shown_ms: float = 20, **more: object) -> Performance:
    """Return a performance around CUE."""
    return Performance(throw, CUE, 600 * MS, round(shown_ms * MS), **more)  # type: ignore[arg-type]  # its own fields


def look_without_mirror(frames: Sequence[Frame], zone: Zone) -> tuple[ZoneSecondLook, ...]:
    """Return second looks, neither mirrored: scripted hands look the same in a mirror, and so move the wrong way."""
    return tuple(ZoneSecondLook(ZoneView(frames, zone), phase_ns, False) for phase_ns in (0, PHASE_NS))
