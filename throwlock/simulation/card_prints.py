"""Renders printed cards for the simulated camera, with marker and words where the sheets have them."""

from functools import lru_cache

import cv2
import numpy as np

from device.camera.frames import Pixels
from device.simulated.printed.objects import PrintedSheet
from rules.markers import (
    CARD_FRONT_MARKER_TOP_MM,
    CARD_SIZE_MM,
    MARKER_SIDE_MM,
    MarkerKind,
    PrintedMarker,
    marker_squares,
    markers_of_kind,
)

DOTS_PER_MM = 5
"""Resolution of a card's image."""
BACK_KINDS = {MarkerKind.CARD: MarkerKind.CARD_BACK, MarkerKind.FUTURE: MarkerKind.FUTURE_BACK}
WIDE, HIGH = CARD_SIZE_MM


@lru_cache(maxsize=256)
def card_print(card: PrintedMarker, back: MarkerKind | None = None) -> PrintedSheet:
    """Return the print of a card, with the back of its deck or another one."""
    return PrintedSheet(_face(card), _back(markers_of_kind(back or BACK_KINDS[card.kind])[0]), CARD_SIZE_MM)


def _face(card: PrintedMarker) -> Pixels:
    paper = _paper()
    draw_marker(paper, card, (WIDE - MARKER_SIDE_MM[card.kind]) / 2, CARD_FRONT_MARKER_TOP_MM, DOTS_PER_MM)
    word = "blank" if card.throw is None else card.throw.value.upper()
    _word(paper, word, 66, 1.6)
    _word(paper, str(card.number), HIGH - 6, 0.8)
    return paper


def _back(card: PrintedMarker) -> Pixels:
    paper = _paper()
    side = MARKER_SIDE_MM[card.kind]
    draw_marker(paper, card, (WIDE - side) / 2, (HIGH - side) / 2, DOTS_PER_MM)
    start, end = ((round(x * DOTS_PER_MM), round(y * DOTS_PER_MM)) for x, y in ((4, 4), (WIDE - 4, HIGH - 4)))
    cv2.rectangle(paper, start, end, (0, 0, 0), DOTS_PER_MM if card.kind is MarkerKind.CARD_BACK else 2)
    return paper


def _paper() -> Pixels:
    return np.full((round(HIGH * DOTS_PER_MM), round(WIDE * DOTS_PER_MM), 3), 255, np.uint8)


def draw_marker(image: Pixels, marker: PrintedMarker, x_mm: float, y_mm: float, px_per_mm: int) -> None:
    """Draw a marker on an image (height, width, 3), with its upper left corner at (x, y)."""
    side = round(MARKER_SIDE_MM[marker.kind] * px_per_mm)
    fine = np.kron(~np.array(marker_squares(marker.marker)), np.full((48, 48), 255)).astype(np.uint8)
    x, y = round(x_mm * px_per_mm), round(y_mm * px_per_mm)
    image[y : y + side, x : x + side] = cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA)[..., None]


def _word(paper: Pixels, word: str, middle_mm: float, scale: float) -> None:
    (wide, high), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, scale, 4)
    at = (round(WIDE * DOTS_PER_MM / 2 - wide / 2), round(middle_mm * DOTS_PER_MM + high / 2))
    cv2.putText(paper, word, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 4, cv2.LINE_AA)
