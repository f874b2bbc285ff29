"""Second looks: a hand that the model misses in a picture is often found with more room around it, or turned. Each
look costs a call of the model, so they stand in the order of what they find per call."""

from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from device.frames import Pixels
from vision.hands.finder import Hand


class Finder(Protocol):
    """What finds hands in a picture: a HandFinder, or a stand-in."""

    def find(self, picture: Pixels) -> list[Hand]:
        """The hands, best first."""


@dataclass(frozen=True)
class Look:
    """A way to look at a picture: with room for ``pad`` times its size (its edge repeated), turned by ``quarters`` of
    a turn anticlockwise."""

    pad: float = 1.0
    quarters: int = 0

    def at(self, picture: Pixels) -> tuple[Pixels, NDArray[np.float64]]:
        """The picture as this look shows it, and the (2, 3) matrix that maps its points back into the original."""
        high, wide = picture.shape[:2]
        x, y = round(wide * (self.pad - 1) / 2), round(high * (self.pad - 1) / 2)
        shown = picture
        if x or y:
            shown = np.asarray(cv2.copyMakeBorder(picture, y, y, x, x, cv2.BORDER_REPLICATE), np.uint8)
        high, wide = shown.shape[:2]
        shown = np.ascontiguousarray(np.rot90(shown, self.quarters))
        back = {
            0: [[1, 0, 0], [0, 1, 0]],
            1: [[0, -1, wide], [1, 0, 0]],
            2: [[-1, 0, wide], [0, -1, high]],
            3: [[0, 1, 0], [-1, 0, high]],
        }[self.quarters % 4]
        matrix = np.array(back, float)
        matrix[:, 2] -= x, y
        return shown, matrix


LOOKS = (Look(), Look(pad=1.5), Look(pad=2.0), Look(quarters=2), Look(quarters=1), Look(quarters=3))
"""All the looks, in order."""
ALL = len(LOOKS)


def look(finder: Finder, picture: Pixels, looks: int = ALL) -> Hand | None:
    """The best hand of the first look that finds one, in pixels of the picture; at most ``looks`` calls of the model
    (the finder counts them)."""
    for way in LOOKS[:looks]:
        shown, back = way.at(picture)
        if hands := finder.find(shown):
            return in_original(hands[0], back)
    return None


def in_original(hand: Hand, back: NDArray[np.float64]) -> Hand:
    """The hand with its landmarks mapped back by a look's matrix."""
    return replace(hand, landmarks=hand.landmarks @ back[:, :2].T + back[:, 2])
