"""What keeps a hand from being read surely: it is too small in the image, or it is too dark. Pages say it before a
round is lost to it."""

from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

MIN_HAND_PX = 40.0
"""Length of a hand in pixels below which it is too small: of hands this small in pictures of other people 29 % were
undecided."""
MIN_READ_PX = 24
"""Length of a hand in pixels below which no throw is claimed. Of 108 sharp pictures of throws, shrunk, 7 were read
wrong where the hand was 8 px long, 3 at 10, 1 at 16, and none from 18 to 64; of pictures only 28 px wide as cameras
made them, a tenth."""
DIM_LEVEL = 60.0
"""Brightness (of 255, see ``bright_level``) below which it is dim: hands are lost to it, and half of them at 30."""
MAX_GREY_SPREAD = 6.0
"""Levels (of 255) between a pixel's largest and smallest channel that 1 % of the pixels of a picture without colours
may exceed: compression leaves 2. A round that was judged right in colours was judged wrong without them."""


class HandLimit(StrEnum):
    """What keeps a hand from being read surely."""

    SMALL = "small"
    DARK = "dark"


def bright_level(grey: NDArray[Any]) -> float:
    """Return the level (of 255) that 2 % of the pixels of a grey image exceed."""
    return float(np.percentile(grey, 98))


def has_colours(image: NDArray[np.uint8]) -> bool:
    """Return whether an image of three channels has any colour. Of a dim one it can't be said, and it counts as having
    some."""
    spread = np.ptp(image, axis=2)
    return bright_level(image) < DIM_LEVEL or float(np.percentile(spread, 99)) > MAX_GREY_SPREAD


def find_limit(hand_px: float | None, level: float) -> HandLimit | None:
    """Return what keeps a hand from being read surely, from its length in pixels (None: no hand is found) and the
    ``bright_level`` of its place."""
    if hand_px is not None and hand_px < MIN_HAND_PX:
        return HandLimit.SMALL
    return HandLimit.DARK if level < DIM_LEVEL else None
