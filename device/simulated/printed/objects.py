"""Printed objects on a table and their movements, and hands over them. Lengths are in mm on the table: x to the right
of the image, y to its bottom, z towards the camera."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels, Size

Points = NDArray[np.float64]


@dataclass(frozen=True)
class TiltedCameraOptics:
    """A camera above the table, with the table's origin in the middle of its image."""

    size: Size = (1280, 720)
    height_mm: float = 800.0
    """Its height over the table."""
    view_mm: float = 760.0
    """The width of the table that fits into the image of a camera looking straight down."""
    tilt_x: float = 0.0
    """Degrees by which it looks to the right."""
    tilt_y: float = 0.0
    """Degrees by which it looks to the bottom."""
    blur_px: float = 0.6
    """The standard deviation of the defocus."""
    noise: float = 3.0
    """The standard deviation of a pixel's level, of 255."""

    @property
    def focal_px(self) -> float:
        """The focal length in pixels."""
        return self.size[0] * self.height_mm / self.view_mm

    def project(self, points: Points) -> Points:
        """Project points of the table (..., 3), in mm, to pixels (..., 2)."""
        x, y, depth = points[..., 0], points[..., 1], self.height_mm - points[..., 2]
        angle_x, angle_y = math.radians(self.tilt_x), math.radians(self.tilt_y)
        x, y = x + self.height_mm * math.tan(angle_x), y + self.height_mm * math.tan(angle_y)
        x, depth = x * math.cos(angle_x) - depth * math.sin(angle_x), depth * math.cos(angle_x) + x * math.sin(angle_x)
        y, depth = y * math.cos(angle_y) - depth * math.sin(angle_y), depth * math.cos(angle_y) + y * math.sin(angle_y)
        depth = np.maximum(depth, 1.0)
        width, height = self.size
        return np.stack([width / 2 + self.focal_px * x / depth, height / 2 + self.focal_px * y / depth], -1)


@dataclass(frozen=True)
class RoomLight:
    """The light in the room."""

    level: float = 1.0
    """Its brightness; at 1, white paper is at 225 of 255."""
    to_right: float = 0.1
    """How much brighter the image's right edge is than its middle, as a fraction."""
    to_bottom: float = -0.1
    """How much brighter the image's bottom edge is than its middle, as a fraction."""
    glare: tuple[tuple[float, float, float, float], ...] = ()
    """Reflections of lamps: (x, y, radius in mm, strength 0 to 1) each."""

    def brightness_map(self, size: Size) -> NDArray[np.float32]:
        """Return the brightness factor of every pixel, (height, width)."""
        width, height = size
        x = np.linspace(-1, 1, width, dtype=np.float32) * np.float32(self.to_right)
        y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * np.float32(self.to_bottom)
        return np.asarray(np.float32(self.level) * (1 + x + y), dtype=np.float32)


PrintSide = Literal["front", "back"]
RgbColour = tuple[int, int, int]
CURL_STRIPS = 8
"""Number of flat strips that approximate a curled card."""


@dataclass(frozen=True, eq=False)
class PrintedSheet:
    """A sheet printed on both sides."""

    front: Pixels
    back: Pixels
    size_mm: tuple[float, float]
    """Width and height."""
    gloss: float = 0.6
    """How much it shines, 0 to 1."""


class ObjectPose(NamedTuple):
    """Position and orientation of an object. Lengths are in mm."""

    x: float
    """Its middle, to the right."""
    y: float
    """Its middle, towards the image's bottom."""
    z: float = 0.0
    """Its middle's height over the table."""
    turn_deg: float = 0.0
    """Rotation in the image, clockwise."""
    flip_deg: float = 0.0
    """Rotation about its vertical axis (0: front up, 180: back up)."""
    curl_mm: float = 0.0
    """How much higher its left and right edges are than its middle (negative: lower)."""

    def towards(self, other: "ObjectPose", share: float) -> "ObjectPose":
        """Return the pose ``share`` (0 to 1) of the way to ``other``."""
        return ObjectPose(*(start + share * (end - start) for start, end in zip(self, other, strict=True)))


Keyframes = tuple[tuple[int, ObjectPose], ...]
"""Poses with the times in ns at which they are reached, in order. Before the first and after the last, it rests."""


@dataclass(frozen=True, eq=False)
class PrintedObject:
    """A printed sheet and its path over the table."""

    name: str
    sheet: PrintedSheet = field(repr=False)
    keyframes: Keyframes
    since_ns: int | None = None
    """From when on it is there; None: from the start."""
    until_ns: int | None = None
    """When it is taken away; None: never."""

    def pose(self, when_ns: int) -> ObjectPose | None:
        """Return its pose at ``when_ns``, or None while it is absent."""
        if (self.since_ns is not None and when_ns < self.since_ns) or (
            self.until_ns is not None and when_ns >= self.until_ns
        ):
            return None
        return interpolate_pose(self.keyframes, when_ns)

    def is_moving(self, when_ns: int) -> bool:
        """Return whether it is moving at ``when_ns``."""
        return is_moving(self.keyframes, when_ns, when_ns)


def is_moving(keyframes: Keyframes, since_ns: int, until_ns: int) -> bool:
    """Return whether an object with these keyframes may move between two times."""
    return len(keyframes) > 1 and keyframes[0][0] < until_ns and keyframes[-1][0] > since_ns


def interpolate_pose(keyframes: Keyframes, when_ns: int) -> ObjectPose:
    """Interpolate the pose at ``when_ns`` with minimum jerk, as hands move."""
    number = bisect_right([at for at, _ in keyframes], when_ns)
    if number == 0:
        return keyframes[0][1]
    if number == len(keyframes):
        return keyframes[-1][1]
    (start_ns, start), (end_ns, end) = keyframes[number - 1], keyframes[number]
    t = (when_ns - start_ns) / (end_ns - start_ns)
    return start.towards(end, t**3 * (10 - 15 * t + 6 * t * t))


def turn_over_keyframes(start_ns: int, pose: ObjectPose, duration_ns: int = 220_000_000) -> Keyframes:
    """Return the keyframes that turn a card at ``pose`` face up in ``duration_ns``."""
    lifted = pose._replace(z=pose.z + 25, flip_deg=pose.flip_deg / 2)
    return (
        (start_ns, pose),
        (start_ns + duration_ns // 2, lifted),
        (start_ns + duration_ns, pose._replace(flip_deg=0.0)),
    )


def strip_corners(size_mm: tuple[float, float], pose: ObjectPose) -> Points:
    """Return the corners of an object's strips, (strips + 1, 2, 3) in mm: from the left of its front to its right, each
    top and bottom. A card being turned stays above what it lies on."""
    width, height = size_mm
    count = CURL_STRIPS if pose.curl_mm else 1
    across = np.linspace(-0.5, 0.5, count + 1)
    height_mm = pose.curl_mm * ((2 * across) ** 2 - 1 / 3)
    flip, turn = math.radians(pose.flip_deg), math.radians(pose.turn_deg)
    along_x = across * width * math.cos(flip) + height_mm * math.sin(flip)
    along_z = -across * width * math.sin(flip) + height_mm * math.cos(flip) + width / 2 * abs(math.sin(flip))
    points = np.empty((count + 1, 2, 3))
    for row, y in enumerate((-height / 2, height / 2)):
        points[:, row, 0] = pose.x + along_x * math.cos(turn) - y * math.sin(turn)
        points[:, row, 1] = pose.y + along_x * math.sin(turn) + y * math.cos(turn)
        points[:, row, 2] = pose.z + along_z - along_z.min() * (1 if pose.curl_mm else 0)
    return points


@dataclass(frozen=True)
class HandOverTable:
    """A hand over the table. It is absent before the first keyframe and after the last."""

    keyframes: Keyframes
    """The path of its fingertips; of each pose only x, y and z count."""
    from_deg: float = 90.0
    """The direction it comes from; 0 is the right of the image, 90 its bottom."""
    skin: RgbColour = (196, 146, 112)

    def capsules(self, when_ns: int) -> Sequence[tuple[Points, Points, float]]:
        """Return its limbs at ``when_ns``: both ends (3,) and the radius, in mm; none while it is absent."""
        if not self.keyframes[0][0] <= when_ns <= self.keyframes[-1][0]:
            return ()
        tip = interpolate_pose(self.keyframes, when_ns)
        back = math.radians(self.from_deg)
        away = np.array([math.cos(back), math.sin(back), 0.12])
        side = np.array([-math.sin(back), math.cos(back), 0.0])
        fingertips = np.array([tip.x, tip.y, tip.z])
        palm = fingertips + away * 115
        fingers = [
            (palm - away * 32 + side * shift, fingertips + away * short + side * shift * (0.85 + 0.05 * number), 9.0)
            for number, (shift, short) in enumerate(((-33, 14), (-11, 0), (11, 4), (32, 22)))
        ]
        thumb = (palm + side * -38, fingertips + away * 62 + side * -58, 10.0)
        wrist, forearm = (palm, palm + away * 40, 42.0), (palm + away * 60, palm + away * 420, 30.0)
        return [*fingers, thumb, wrist, forearm]
