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
    _marker(paper, card, CARD_FRONT_MARKER_TOP_MM)
    word = "blank" if card.throw is None else card.throw.value.upper()
    _word(paper, word, 66, 1.6)
    _word(paper, str(card.number), HIGH - 6, 0.8)
    return paper


def _back(card: PrintedMarker) -> Pixels:
    paper = _paper()
    _marker(paper, card, (HIGH - MARKER_SIDE_MM[card.kind]) / 2)
    corner = (round((WIDE - 4) * DOTS_PER_MM), round((HIGH - 4) * DOTS_PER_MM))
    cv2.rectangle(
        paper,
        (4 * DOTS_PER_MM, 4 * DOTS_PER_MM),
        corner,
        (0, 0, 0),
        DOTS_PER_MM if card.kind is MarkerKind.CARD_BACK else 2,
    )
    return paper


def _paper() -> Pixels:
    return np.full((round(HIGH * DOTS_PER_MM), round(WIDE * DOTS_PER_MM), 3), 255, np.uint8)


def _marker(paper: Pixels, card: PrintedMarker, top_mm: float) -> None:
    side = round(MARKER_SIDE_MM[card.kind] * DOTS_PER_MM)
    fine = np.kron(~np.array(marker_squares(card.marker)), np.full((48, 48), 255)).astype(np.uint8)
    drawn = cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA)
    x, y = round((WIDE - MARKER_SIDE_MM[card.kind]) / 2 * DOTS_PER_MM), round(top_mm * DOTS_PER_MM)
    paper[y : y + side, x : x + side] = drawn[..., None]


def _word(paper: Pixels, word: str, middle_mm: float, scale: float) -> None:
    (wide, high), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, scale, 4)
    at = (round(WIDE * DOTS_PER_MM / 2 - wide / 2), round(middle_mm * DOTS_PER_MM + high / 2))
    cv2.putText(paper, word, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 4, cv2.LINE_AA)
