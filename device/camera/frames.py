"""What a frame is: pixels with the time of their exposure. Every camera, real or simulated, gives these."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""A picture: (height, width, 3), R, G, B."""
Size = tuple[int, int]
"""Width and height in pixels."""


class Box(NamedTuple):
    """A rectangle in pixels of a frame; ``x``, ``y`` is its upper left corner."""

    x: int
    y: int
    w: int
    h: int


@dataclass(frozen=True)
class Frame(ABC):
    """One exposure. ``number`` counts every exposure the camera made, dropped ones too, so a gap is a dropped
    frame. ``exposed_ns`` is the middle of the exposure of the frame's middle row on the camera's clock, ``exposure_ns``
    its length (0 where the camera does not tell). ``size`` is width and height in pixels. ``readout_ns`` is what a
    rolling shutter takes from the first row to the last (0: all rows at once, or not known)."""

    number: int
    exposed_ns: int
    exposure_ns: int
    size: Size
    readout_ns: int = field(default=0, kw_only=True)

    def row_ns(self, y: float) -> int:
        """The middle of the exposure of row ``y`` (pixels from the top, may lie outside the frame)."""
        return self.exposed_ns + round((y / self.size[1] - 0.5) * self.readout_ns)

    @abstractmethod
    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """The frame, or the part of it in ``box`` (which must lie inside), scaled to ``size`` if given."""


class KeptFrame(Frame):
    """A frame whose pixels are in memory."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes they take."""


@dataclass(frozen=True)
class StoredFrame(KeptFrame):
    """A frame as OpenCV leaves it: B, G, R."""

    bgr: NDArray[Any]

    @property
    def nbytes(self) -> int:
        """See KeptFrame."""
        return int(self.bgr.nbytes)

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """See Frame. Only the part asked for is converted and scaled."""
        part = self.bgr if box is None else self.bgr[box.y : box.y + box.h, box.x : box.x + box.w]
        if size is not None and size != (part.shape[1], part.shape[0]):
            shrinks = size[0] < part.shape[1]
            part = cv2.resize(part, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
        return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2RGB), dtype=np.uint8)
