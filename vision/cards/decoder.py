"""Decodes markers: the squares of a patch are measured at the positions its corners define, and compared with every
code that is printed."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Grey
from rules.markers import CODE_SIDE_SQUARES, MARKER_CODES, MARKER_SIDE_SQUARES, marker_squares
from vision.cards.outlines import Floats, Quads, sample_image

SIDE_WITH_MARGIN = MARKER_SIDE_SQUARES + 2
"""Squares along a side, including the white margin around the marker."""
SQUARE_SAMPLES = np.array([-0.24, 0.0, 0.24], np.float32)
"""Where a square is sampled in each direction, from its centre, as fractions of it: nine positions."""
EXPECTED_BLURS = (0.0, 0.35, 0.55)
"""Blurs with which a code is expected: standard deviations as fractions of a square."""
MIN_CONTRAST_LEVELS = 18.0
"""Levels (of 255) by which the white margin must be lighter than the marker's border."""
MAX_BORDER_VALUE = 0.5
"""Highest value of a border square, from the marker's black (0) to its white (1)."""
MAX_COVERED_SQUARES = 5
"""How many of the 36 squares of the white margin may have a value below a half: a thumb at the card's edge."""
MIN_CODE_FIT = 0.80
"""Least correlation of the 36 squares with their code at the best blur."""
MIN_CODE_SIGMA = 0.2
"""Least standard deviation of the 36 squares, from black (0) to white (1)."""
MIN_ROUGH_CODE_SIGMA = 0.12
"""The same before the edges are refined, as a share of the contrast."""
MIN_FIT_LEAD = 0.25
"""How much better the code must fit than any other code or rotation."""
ROWS_PER_PRODUCT = 4
"""Rows of a product of matrices: 4 × 36 × 1052 multiplications are below the number from which OpenBLAS uses threads,
262,144."""


@dataclass(frozen=True)
class DecodedPatches:
    """The markers of n patches."""

    markers: NDArray[np.int64]
    """The number of each (n,); −1: none, or in doubt."""
    turns: NDArray[np.int64]
    """By how many quarter turns clockwise the marker's upper left corner comes after the patch's first corner (n,)."""
    fits: Floats
    """How well the code fits, 0–1 (n,)."""


def decode_patches(grey: Grey, quads: Quads) -> DecodedPatches:
    """Decode the patches with these corners."""
    values, contrast = _measure_squares(grey, quads)
    border = values.reshape(len(quads), -1)[:, _BORDER]
    covered = (values.reshape(len(quads), -1)[:, _MARGIN] < 0.5).sum(1)
    candidates = np.flatnonzero(
        (contrast > MIN_CONTRAST_LEVELS) & (border.max(1) < MAX_BORDER_VALUE) & (covered <= MAX_COVERED_SQUARES)
    )
    inner = values[candidates, 2:-2, 2:-2].reshape(-1, CODE_SIDE_SQUARES**2)
    inner = inner - inner.mean(1, keepdims=True)
    spread = np.linalg.norm(inner, axis=1, keepdims=True)
    inner /= np.maximum(spread, 1e-6)
    fits = np.max([_correlate(inner, table) for table in _tables()], axis=0)
    best = fits.argmax(1)
    rows = np.arange(len(candidates))
    fit = fits[rows, best]
    fits[rows, best] = -1
    sure = (
        (fit > MIN_CODE_FIT) & (fit - fits.max(1) > MIN_FIT_LEAD) & (spread[:, 0] > MIN_CODE_SIGMA * CODE_SIDE_SQUARES)
    )
    result = DecodedPatches(*(np.full(len(quads), empty) for empty in (-1, 0, np.float32(0))))
    result.markers[candidates] = np.where(sure, np.array(list(MARKER_CODES))[best // 4], -1)
    result.turns[candidates] = best % 4
    result.fits[candidates] = np.clip(fit, 0, 1)
    return result


def _correlate(squares: Floats, table: Floats) -> Floats:
    """Return the products (n, codes) of all ``squares`` (n, 36) with all codes, a few rows at a time: BLAS shares a
    large product among threads, whose waiting for each other takes longer than the product."""
    padded = np.pad(squares, ((0, -len(squares) % ROWS_PER_PRODUCT), (0, 0)))
    products = padded.reshape(-1, ROWS_PER_PRODUCT, padded.shape[1]) @ table.T
    return np.asarray(products.reshape(-1, len(table))[: len(squares)], np.float32)


def may_be_markers(grey: Grey, quads: Quads) -> NDArray[np.bool_]:
    """Return which patches (n) may be markers, from one sample at the centre of each square: the border is darker than
    the margin around it, and the squares inside differ."""
    x, y = _project(quads, *_CENTRES)
    seen = sample_image(grey, x, y)
    contrast = np.median(seen[:, _MARGIN], 1) - np.median(seen[:, _BORDER], 1)
    return np.asarray((contrast > MIN_CONTRAST_LEVELS) & (seen[:, _CODE].std(1) > MIN_ROUGH_CODE_SIGMA * contrast))


def _measure_squares(grey: Grey, quads: Quads) -> tuple[Floats, Floats]:
    """Return the squares (n, 10, 10) of each patch and its margin, 0 for the black of the border and 1 for the white of
    the margin, both corrected for their slope across the patch; and the contrast of the two in levels (n)."""
    x, y = _project(quads, *_ALL_SAMPLES)
    flat = sample_image(grey, x, y).reshape(len(quads), -1, SIDE_WITH_MARGIN**2).mean(1)
    black = flat[:, _BORDER] @ _PLANES[0].T
    white = np.maximum(flat[:, _MARGIN] @ _PLANES[1].T, black + 1)
    values = ((flat - black) / (white - black)).reshape(-1, SIDE_WITH_MARGIN, SIDE_WITH_MARGIN)
    return np.asarray(values, np.float32), np.asarray((white - black).mean(1), np.float32)


def _project(quads: Quads, u: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Project points of the unit square into each patch; return their x and y (n, points) in the image."""
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


def _sample_positions(within: Floats) -> tuple[Floats, Floats]:
    """Return sample positions in the unit square, at the offsets ``within`` every square (fractions of it) along and
    down: for each offset in turn, all squares row by row."""
    square_edges = np.arange(SIDE_WITH_MARGIN) - 0.5
    v, u = (
        np.asarray(part.ravel() / MARKER_SIDE_SQUARES, np.float32)
        for part in np.broadcast_arrays(
            square_edges[:, None] + within[:, None, None, None], square_edges + within[:, None, None]
        )
    )
    return u, v


def _square_masks() -> tuple[NDArray[np.bool_], ...]:
    """Return masks of the 10 × 10 squares: border, margin, code."""
    ring = np.maximum(*np.abs(np.mgrid[0:SIDE_WITH_MARGIN, 0:SIDE_WITH_MARGIN] - (SIDE_WITH_MARGIN - 1) / 2)).ravel()
    return ring == SIDE_WITH_MARGIN / 2 - 1.5, ring == SIDE_WITH_MARGIN / 2 - 0.5, ring < SIDE_WITH_MARGIN / 2 - 2


def _plane_matrix(known: NDArray[np.bool_]) -> Floats:
    """Return the matrix that fits a plane to the squares known to have one colour and evaluates it at all squares."""
    y, x = np.mgrid[0:SIDE_WITH_MARGIN, 0:SIDE_WITH_MARGIN].reshape(2, -1) - (SIDE_WITH_MARGIN - 1) / 2
    terms = np.stack([np.ones_like(x), x, y], 1)
    return np.asarray(terms @ np.linalg.pinv(terms[known]), np.float32)


_ALL_SAMPLES, _CENTRES = _sample_positions(SQUARE_SAMPLES), _sample_positions(np.zeros(1, np.float32))
_BORDER, _MARGIN, _CODE = _square_masks()
_PLANES = (_plane_matrix(_BORDER), _plane_matrix(_MARGIN))


@cache
def _tables() -> tuple[Floats, ...]:
    """Return for every blur all codes in four rotations (4 × codes, 36), each with mean 0 and norm 1. Row 4 i + k is
    the i-th code in a patch whose first corner comes k corners before the marker's upper left, clockwise."""
    codes = np.array(
        [np.pad(~np.array(marker_squares(marker)), 1, constant_values=True) for marker in MARKER_CODES], np.float32
    )
    tables = []
    enlarged = np.kron(codes, np.ones((1, 5, 5), np.float32))
    for blur in EXPECTED_BLURS:
        soft = [cv2.GaussianBlur(code, (0, 0), 5 * blur) if blur else code for code in enlarged]
        seen = (
            np.array(soft)
            .reshape(len(codes), SIDE_WITH_MARGIN, 5, SIDE_WITH_MARGIN, 5)[:, 2:-2, 1:4, 2:-2, 1:4]
            .mean((2, 4))
        )
        turned = np.stack([np.rot90(seen, -turn, (1, 2)) for turn in range(4)], 1).reshape(-1, CODE_SIDE_SQUARES**2)
        turned -= turned.mean(1, keepdims=True)
        tables.append(np.asarray(turned / np.linalg.norm(turned, axis=1, keepdims=True), np.float32))
    return tuple(tables)
