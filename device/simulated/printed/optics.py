"""How printed things look from above: a pinhole camera that may be tilted, and what its lens, its sensor and the light
in the room do to the picture."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Size

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Optics:
    """A camera ``height_mm`` above the table with the table's origin in the middle of its picture. ``tilt_x`` and
    ``tilt_y`` are degrees by which it looks to the right and to the bottom. ``view_mm`` is the width of table that fits
    across the picture of one that looks straight down, ``blur_px`` the standard deviation of its defocus, ``noise``
    that of a pixel's level (of 255)."""

    size: Size = (1280, 720)
    height_mm: float = 800.0
    view_mm: float = 760.0
    tilt_x: float = 0.0
    tilt_y: float = 0.0
    blur_px: float = 0.6
    noise: float = 3.0

    @property
    def focal_px(self) -> float:
        """The focal length in pixels."""
        return self.size[0] * self.height_mm / self.view_mm

    def project(self, points: Points) -> Points:
        """Where points (..., 3) in mm of the table are seen, (..., 2) in pixels."""
        x, y, depth = points[..., 0], points[..., 1], self.height_mm - points[..., 2]
        across, down = math.radians(self.tilt_x), math.radians(self.tilt_y)
        x, y = x + self.height_mm * math.tan(across), y + self.height_mm * math.tan(down)
        x, depth = x * math.cos(across) - depth * math.sin(across), depth * math.cos(across) + x * math.sin(across)
        y, depth = y * math.cos(down) - depth * math.sin(down), depth * math.cos(down) + y * math.sin(down)
        depth = np.maximum(depth, 1.0)
        wide, high = self.size
        return np.stack([wide / 2 + self.focal_px * x / depth, high / 2 + self.focal_px * y / depth], -1)


@dataclass(frozen=True)
class Light:
    """The light in the room: ``level`` of all of it (1: white paper is at 225 of 255), how much brighter it is at the
    picture's right and bottom edge than in its middle (``to_right``, ``to_bottom``, fractions), and reflections of
    lamps in what shines: (x, y, radius in mm, strength 0–1) each."""

    level: float = 1.0
    to_right: float = 0.1
    to_bottom: float = -0.1
    glare: tuple[tuple[float, float, float, float], ...] = ()

    def field(self, size: Size) -> NDArray[np.float32]:
        """The factor (height, width) by which every pixel is lit."""
        wide, high = size
        x = np.linspace(-1, 1, wide, dtype=np.float32) * np.float32(self.to_right)
        y = np.linspace(-1, 1, high, dtype=np.float32)[:, None] * np.float32(self.to_bottom)
        return np.asarray(np.float32(self.level) * (1 + x + y), dtype=np.float32)
