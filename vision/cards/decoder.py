"""The squares of a marker: measured where a patch's corners say they are, and compared with every code we print."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.markers import CODE_SIDE, CODES, MARKER_SIDE, squares
from vision.cards.edges import Floats, sampled
from vision.cards.outlines import Grey, Quads

RING = MARKER_SIDE + 2
"""Squares along a side when the white round the marker is counted."""
FINE = np.array([-0.24, 0.0, 0.24], np.float32)
"""Where in a square it is measured, from its middle, as fractions of it: nine places."""
BLURS = (0.0, 0.35, 0.55)
"""Blurs a code is expected with: standard deviations as fractions of a square."""
CONTRAST = 18.0
"""Levels (of 255) by which the white round a marker must be lighter than its border."""
BORDER = 0.5
"""Where a border square may be at most, from the marker's black (0) to its white (1)."""
COVERED = 5
"""How many of the 36 squares of white round it may be darker than half: a thumb at the card's edge."""
FIT = 0.80
"""How well the squares must fit their code: the correlation of the 36 with it, blurred as fits best."""
SPREAD = 0.2
"""The least standard deviation of its 36 squares, from black (0) to white (1)."""
MIXED = 0.12
"""The same before its edges are known, a share of the contrast."""
LEAD = 0.25
"""By how much they must fit better than any other, or than itself turned otherwise."""


@dataclass(frozen=True)
class Decoded:
    """What ``n`` patches say: the marker's number (−1: none, or in doubt), by how many quarter turns clockwise its own
    upper left corner lies after the patch's first, and how well it fits (0–1)."""

    markers: NDArray[np.int64]
    turns: NDArray[np.int64]
    fits: Floats


def decoded(grey: Grey, quads: Quads) -> Decoded:
    """Read the patches with these corners."""
    values, contrast = _measured(grey, quads)
    border = values.reshape(len(quads), -1)[:, _BLACK]
    covered = (values.reshape(len(quads), -1)[:, _WHITE] < 0.5).sum(1)
    hopeful = np.flatnonzero((contrast > CONTRAST) & (border.max(1) < BORDER) & (covered <= COVERED))
    inner = values[hopeful, 2:-2, 2:-2].reshape(-1, CODE_SIDE**2)
    inner = inner - inner.mean(1, keepdims=True)
    spread = np.linalg.norm(inner, axis=1, keepdims=True)
    inner /= np.maximum(spread, 1e-6)
    fits = np.max([inner @ table.T for table in _tables()], axis=0)
    best = fits.argmax(1)
    rows = np.arange(len(hopeful))
    fit = fits[rows, best]
    fits[rows, best] = -1
    sure = (fit > FIT) & (fit - fits.max(1) > LEAD) & (spread[:, 0] > SPREAD * CODE_SIDE)
    result = Decoded(*(np.full(len(quads), nothing) for nothing in (-1, 0, np.float32(0))))
    result.markers[hopeful] = np.where(sure, np.array(list(CODES))[best // 4], -1)
    result.turns[hopeful] = best % 4
    result.fits[hopeful] = np.clip(fit, 0, 1)
    return result


def likely(grey: Grey, quads: Quads) -> NDArray[np.bool_]:
    """Which patches (n) may be markers at all, from one look at the middle of each square: their border is darker than
    the white round them, and what is within is not all the same."""
    x, y = _placed(quads, *_MIDDLES)
    seen = sampled(grey, x, y)
    contrast = np.median(seen[:, _WHITE], 1) - np.median(seen[:, _BLACK], 1)
    return np.asarray((contrast > CONTRAST) & (seen[:, _CODE].std(1) > MIXED * contrast))


def _measured(grey: Grey, quads: Quads) -> tuple[Floats, Floats]:
    """The squares (n, 10, 10) of each patch and of the white round it, 0 for the black of its border and 1 for that
    white, each with its slope across the patch taken out; and the levels between the two (n)."""
    x, y = _placed(quads, *_ALL)
    flat = sampled(grey, x, y).reshape(len(quads), -1, RING**2).mean(1)
    black = flat[:, _BLACK] @ _PLANES[0].T
    white = np.maximum(flat[:, _WHITE] @ _PLANES[1].T, black + 1)
    values = ((flat - black) / (white - black)).reshape(-1, RING, RING)
    return np.asarray(values, np.float32), np.asarray((white - black).mean(1), np.float32)


def _placed(quads: Quads, u: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Where in the picture points of the unit square lie (n, points) that is seen as each patch."""
    a, b, c, d = (quads[:, corner] for corner in range(4))
    across, down, bent = b - c, d - c, a - b + c - d
    turn = across[:, 0] * down[:, 1] - down[:, 0] * across[:, 1]
    turn = np.where(np.abs(turn) < 1e-9, 1e-9, turn)
    g = ((bent[:, 0] * down[:, 1] - down[:, 0] * bent[:, 1]) / turn)[:, None]
    h = ((across[:, 0] * bent[:, 1] - bent[:, 0] * across[:, 1]) / turn)[:, None]
    depth = g * u + h * v + 1
    depth = np.where(np.abs(depth) < 1e-6, 1e-6, depth)
    along = b - a + g * b
    below = d - a + h * d
    x, y = ((along[:, i, None] * u + below[:, i, None] * v + a[:, i, None]) / depth for i in (0, 1))
    return np.clip(x, -1e4, 3e4).astype(np.float32), np.clip(y, -1e4, 3e4).astype(np.float32)


def _spots(within: Floats) -> tuple[Floats, Floats]:
    """Places in the unit square: those ``within`` every square, along and down, as fractions of it. For each of them
    in turn, all the squares row by row."""
    squares_of = np.arange(RING) - 0.5
    v, u = (
        np.asarray(part.ravel() / MARKER_SIDE, np.float32)
        for part in np.broadcast_arrays(
            squares_of[:, None] + within[:, None, None, None], squares_of + within[:, None, None]
        )
    )
    return u, v


def _rings() -> tuple[NDArray[np.bool_], ...]:
    """Which of the 10 × 10 squares are the border's, the white's round it, and the code's."""
    far = np.maximum(*np.abs(np.mgrid[0:RING, 0:RING] - (RING - 1) / 2)).ravel()
    return far == RING / 2 - 1.5, far == RING / 2 - 0.5, far < RING / 2 - 2


def _plane(known: NDArray[np.bool_]) -> Floats:
    """The matrix that from the squares known to be of one colour makes the slope of that colour at all of them."""
    y, x = np.mgrid[0:RING, 0:RING].reshape(2, -1) - (RING - 1) / 2
    terms = np.stack([np.ones_like(x), x, y], 1)
    return np.asarray(terms @ np.linalg.pinv(terms[known]), np.float32)


_ALL, _MIDDLES = _spots(FINE), _spots(np.zeros(1, np.float32))
_BLACK, _WHITE, _CODE = _rings()
_PLANES = (_plane(_BLACK), _plane(_WHITE))


@cache
def _tables() -> tuple[Floats, ...]:
    """For every blur, all codes turned four ways (4 × codes, 36), each of mean 0 and length 1. Row 4 i + k is the i-th
    code as it is seen in a patch after whose first corner its own upper left lies k corners clockwise."""
    whole = np.array([np.pad(~np.array(squares(marker)), 1, constant_values=True) for marker in CODES], np.float32)
    made = []
    for blur in BLURS:
        finer = np.kron(whole, np.ones((1, 5, 5), np.float32))
        soft = [cv2.GaussianBlur(one, (0, 0), 5 * blur) if blur else one for one in finer]
        seen = np.array(soft).reshape(len(whole), RING, 5, RING, 5)[:, 2:-2, 1:4, 2:-2, 1:4].mean((2, 4))
        turned = np.stack([np.rot90(seen, -turn, (1, 2)) for turn in range(4)], 1).reshape(-1, CODE_SIDE**2)
        turned -= turned.mean(1, keepdims=True)
        made.append(np.asarray(turned / np.linalg.norm(turned, axis=1, keepdims=True), np.float32))
    return tuple(made)
