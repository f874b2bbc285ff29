"""Frames: pixels with the time of their exposure, as every camera, real or simulated, delivers them."""

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from typing_extensions import override


def silence_opencv() -> None:
    """Silence both. Call it before opening a capture, which is when FFmpeg reads its log level."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
    if hasattr(cv2, "setLogLevel"):  # OpenCV 4
        cv2.setLogLevel(0)
    else:  # OpenCV 5
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


Pixels = NDArray[np.uint8]
"""An image: (height, width, 3), red, green, blue, 0 to 255."""
Grey = NDArray[np.uint8]
"""An image (height, width), 0 black to 255 white."""
Size = tuple[int, int]
"""Width and height in pixels."""


def resize_image(image: NDArray[Any], size: Size | None) -> NDArray[Any]:
    """Return an image scaled to ``size``, if given, without aliasing."""
    if size is None or size == (image.shape[1], image.shape[0]):
        return image
    interpolation = cv2.INTER_AREA if size[0] < image.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=interpolation))


class Box(NamedTuple):
    """A rectangle in pixels of a frame."""

    x: int
    """Its left edge."""
    y: int
    """Its upper edge."""
    w: int
    h: int

    def size_within(self, max_px: int) -> Size:
        """Return its size in pixels, shrunk in proportion so that the longer side has at most ``max_px``."""
        scale = min(1.0, max_px / max(self.w, self.h))
        return max(1, round(self.w * scale)), max(1, round(self.h * scale))

    def clipped(self, to: "Box") -> "Box":
        """Return the part of the box inside another; without pixels where they don't overlap."""
        x, y = max(self.x, to.x), max(self.y, to.y)
        right, bottom = min(self.x + self.w, to.x + to.w), min(self.y + self.h, to.y + to.h)
        return Box(x, y, max(0, right - x), max(0, bottom - y))


@dataclass(frozen=True)
class Frame(ABC):
    """One exposure."""

    number: int
    """Counts every exposure of the camera, dropped ones included, so a gap is a dropped frame."""
    exposed_ns: int
    """The middle of the middle row's exposure, on the camera's clock."""
    exposure_ns: int
    """The length of the exposure; 0 when the camera does not report it."""
    size: Size
    """Width and height in pixels."""
    readout_ns: int = field(default=0, kw_only=True)
    """Time a rolling shutter takes from the first row to the last; 0 for a global shutter or when unknown."""
    in_memory: ClassVar[bool] = False
    """Whether the pixels are held in memory, and not rendered whenever they are asked for."""

    def row_ns(self, y: float) -> int:
        """Return the middle of the exposure of row ``y`` (pixels from the top; may lie outside the frame)."""
        return self.exposed_ns + round((y / self.size[1] - 0.5) * self.readout_ns)

    @abstractmethod
    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """Return the frame, or its part in ``box`` (which must lie inside), scaled to ``size`` if given."""

    def grey(self) -> Grey:
        """Return the brightness of the frame."""
        return np.asarray(cv2.cvtColor(self.pixels(), cv2.COLOR_RGB2GRAY), np.uint8)


class BufferedFrame(Frame):
    """A frame whose pixels are held in memory."""

    in_memory = True

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Memory used by the pixels, in bytes."""


@dataclass(frozen=True)
class BgrFrame(BufferedFrame):
    """A frame in OpenCV's channel order: blue, green, red."""

    bgr: NDArray[Any]

    @property
    @override
    def nbytes(self) -> int:
        return int(self.bgr.nbytes)

    @override
    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """Only the requested part is converted and scaled."""
        part = self.bgr if box is None else self.bgr[box.y : box.y + box.h, box.x : box.x + box.w]
        return np.asarray(cv2.cvtColor(resize_image(part, size), cv2.COLOR_BGR2RGB), dtype=np.uint8)

    @override
    def grey(self) -> Grey:
        """Converted at once, which takes a fraction of the time."""
        return np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
