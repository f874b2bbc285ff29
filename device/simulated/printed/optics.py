"""The camera over printed objects, a pinhole camera that may be tilted, and the light in the room."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Size

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
