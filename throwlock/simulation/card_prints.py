"""Printed cards as the simulated camera is given them: marker, hand and word where the sheets have them."""

from functools import lru_cache

import cv2
import numpy as np

from device.camera.frames import Pixels
from device.simulated.printed.things import Print
from rules.markers import CARD_MM, FRONT_TOP_MM, SIDE_MM, Kind, Printed, of_kind, squares

DOTS = 5
"""Pixels to a millimetre."""
BACK_OF = {Kind.CARD: Kind.CARD_BACK, Kind.FUTURE: Kind.FUTURE_BACK}
WIDE, HIGH = CARD_MM


@lru_cache(maxsize=256)
def print_of(card: Printed, back: Kind | None = None) -> Print:
    """A card with the back of its deck, or with another."""
    return Print(_face(card), _back(of_kind(back or BACK_OF[card.kind])[0]), CARD_MM)


def _face(card: Printed) -> Pixels:
    paper = _paper()
    _marker(paper, card, FRONT_TOP_MM)
    word = "blank" if card.throw is None else card.throw.value.upper()
    _word(paper, word, 66, 1.6)
    _word(paper, str(card.number), HIGH - 6, 0.8)
    return paper


def _back(card: Printed) -> Pixels:
    paper = _paper()
    _marker(paper, card, (HIGH - SIDE_MM[card.kind]) / 2)
    corner = (round((WIDE - 4) * DOTS), round((HIGH - 4) * DOTS))
    cv2.rectangle(paper, (4 * DOTS, 4 * DOTS), corner, (0, 0, 0), DOTS if card.kind is Kind.CARD_BACK else 2)
    return paper


def _paper() -> Pixels:
    return np.full((round(HIGH * DOTS), round(WIDE * DOTS), 3), 255, np.uint8)


def _marker(paper: Pixels, card: Printed, top_mm: float) -> None:
    side = round(SIDE_MM[card.kind] * DOTS)
    fine = np.kron(~np.array(squares(card.marker)), np.full((48, 48), 255)).astype(np.uint8)
    drawn = cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA)
    x, y = round((WIDE - SIDE_MM[card.kind]) / 2 * DOTS), round(top_mm * DOTS)
    paper[y : y + side, x : x + side] = drawn[..., None]


def _word(paper: Pixels, word: str, middle_mm: float, scale: float) -> None:
    (wide, high), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, scale, 4)
    at = (round(WIDE * DOTS / 2 - wide / 2), round(middle_mm * DOTS + high / 2))
    cv2.putText(paper, word, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 4, cv2.LINE_AA)
