"""The printed board in a picture: found by its corner markers, every piece on it read and put on its space, and every
space without one looked at: empty paper, or something that can't be read.

sight = see_board(frame.pixels(), BOARD)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels
from rules.board.board import Board, Space
from rules.markers import BOARD_MARKS_MM, PITCH_MM, SIDE_MM, Kind, Printed
from vision.cards.reader import Card, read_cards

Points = NDArray[np.float64]
FEWEST = 3
"""Corner markers that must be read: two leave the far side of the board open by centimetres."""
BENT = 0.3
"""The most that a lens may bend a line: its picture's corners moved by this share of their distance from the middle."""
OFF_MM = 2.5
"""How far the corners of the markers may be off where the board's drawing has them (root of the mean square)."""
UPPER_MM = 4.5
"""How far the middle of a piece's marker is from the piece's own, towards its top."""
ON_MM = 15.0
"""How far a piece's middle may be from its space's: a space reaches 21 mm at its sides, so 6 are left to the next."""
BESIDE_MM = 32.0
"""Up to here a piece that is on no space is between those that are near it; further off it is not on the board."""
LOOKED_MM = 11.0
"""Around a space's middle so much is looked at: a piece 8 mm off its own space does not reach there from the next."""
DRAWN_MM = 5.0
"""Half the side of the small drawing in the middle of a space."""
STEP_MM = 1.5
"""Between two points that are looked at."""
DARK = 0.42
"""Share of the white below which a point is neither paper nor the drawing, which is printed in grey of 0.59."""
SHADED = 0.7
"""Share of the white below which a point beside the drawing is no paper, as for a card's border."""
PALE = 0.25
"""The most colour (range of R, G, B over the greatest of them) that paper has in warm light."""
GLARING = 1.16
"""Share of the white above which a lamp's reflection lies on a point."""
STRANGE = 0.06
"""Share of a space's points that may be no paper."""


@dataclass(frozen=True, eq=False)
class Lie:
    """How the board lies in a picture: ``into`` (3, 3) takes mm of the board to pixels of a lens that bends nothing,
    ``bend`` is how much this one does, ``size`` the picture's."""

    into: Points
    bend: float
    size: tuple[int, int]

    def to_mm(self, points: Points) -> Points:
        """Pixels (n, 2) as mm to the East and to the South of the space q = 0, r = 0."""
        return _through(_inverse(self.into), _straight(points, self.bend, self.size))

    def to_pixels(self, points: Points) -> Points:
        """Mm (n, 2) of the board as pixels."""
        there = _through(self.into, points)
        bent = there
        for _ in range(6):
            bent = bent + there - _straight(bent, self.bend, self.size)
        return bent


@dataclass(frozen=True)
class Piece:
    """A piece that was read: its marker, its token (R0), and how far its middle is from its space's, in mm. ``space``
    is None where it lies between spaces; ``near`` are the spaces it may stand on."""

    marker: int
    token: str
    space: Space | None
    near: tuple[Space, ...]
    off_mm: float


@dataclass(frozen=True, eq=False)
class Sight:
    """What a picture shows of the board.

    ``tops`` is what stands on each space by the piece that lies uppermost, ``empty`` are the spaces that are paper. All
    others are not known: ``crowded`` have several pieces or one that is between them and the next, in ``glare`` a lamp
    is reflected, and the rest is covered or has a piece that can't be read.
    """

    lie: Lie
    pieces: tuple[Piece, ...]
    tops: Mapping[Space, Piece]
    empty: frozenset[Space]
    crowded: frozenset[Space]
    glare: frozenset[Space]
    covered: frozenset[Space]


def see_board(picture: Pixels, board: Board) -> Sight | None:
    """What a picture (R, G, B) shows of the board; None where too few of its corner markers are read."""
    cards = read_cards(picture)
    lie = lie_of([card for card in cards if card.printed.kind is Kind.BOARD], picture)
    if lie is None:
        return None
    pieces = tuple(
        placed
        for card in cards
        if card.printed.kind is Kind.PIECE and (placed := _placed(card, lie, board)) is not None
    )
    tops: dict[Space, Piece] = {}
    crowded: set[Space] = set()
    for piece in pieces:
        if piece.space is None or piece.space in tops:
            crowded.update(piece.near)
        else:
            tops[piece.space] = piece
    tops = {space: piece for space, piece in tops.items() if space not in crowded}
    rest = [space for space in range(len(board.coordinates)) if space not in tops and space not in crowded]
    empty, glare = _looked_at(picture, lie, board, rest)
    covered = frozenset(rest) - empty - glare
    return Sight(lie, pieces, tops, empty, frozenset(crowded), glare, covered)


def has_board(picture: Pixels) -> bool:
    """Whether the printed board lies in a picture (R, G, B)."""
    return lie_of([card for card in read_cards(picture) if card.printed.kind is Kind.BOARD], picture) is not None


def lie_of(marks: Sequence[Card], picture: Pixels) -> Lie | None:
    """How the board with these corner markers lies; None where they are too few, or do not lie as they are drawn."""
    marks = list({card.printed: card for card in marks}.values())
    if len(marks) < FEWEST:
        return None
    size = (picture.shape[1], picture.shape[0])
    seen = np.concatenate([card.corners for card in marks]).astype(np.float64)
    drawn = np.concatenate([_corners_mm(card.printed) for card in marks])
    low, high = -BENT, BENT
    for _ in range(5):
        bends = np.linspace(low, high, 9)
        off = [_fit(seen, drawn, bend, size)[1] for bend in bends]
        best = int(np.argmin(off))
        low, high = bends[max(0, best - 1)], bends[min(8, best + 1)]
    bend = float(bends[best])
    into, error = _fit(seen, drawn, bend, size)
    return Lie(into, bend, size) if error <= OFF_MM else None


def _corners_mm(mark: Printed) -> Points:
    x, y = BOARD_MARKS_MM[mark.number - 1]
    half = SIDE_MM[Kind.BOARD] / 2
    return np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])


def _fit(seen: Points, drawn: Points, bend: float, size: tuple[int, int]) -> tuple[Points, float]:
    """What takes mm to pixels of a lens with this bend, and how far off it is in mm."""
    straight = _straight(seen, bend, size)
    found, _ = cv2.findHomography(drawn, straight)
    if found is None or abs(np.linalg.det(found)) < 1e-12:
        return np.eye(3), float("inf")
    into = np.asarray(found, np.float64)
    off = _through(_inverse(into), straight) - drawn
    return into, float(np.sqrt((off**2).sum(1).mean()))


def _straight(points: Points, bend: float, size: tuple[int, int]) -> Points:
    """Where a lens that bends nothing would show what this one shows at ``points``."""
    middle = np.array(size) / 2 - 0.5
    away = points - middle
    far = (away**2).sum(-1, keepdims=True) / float((middle**2).sum())
    return np.asarray(middle + away * (1 + bend * far))


def _inverse(lie: Points) -> Points:
    return np.asarray(np.linalg.inv(lie), np.float64)


def _through(lie: Points, points: Points) -> Points:
    there = points @ lie[:, :2].T + lie[:, 2]
    return np.asarray(there[:, :2] / there[:, 2:])


def _placed(card: Card, lie: Lie, board: Board) -> Piece | None:
    """A piece on its space; None where it is not on the board."""
    corners = lie.to_mm(card.corners.astype(np.float64))
    down = corners[2] + corners[3] - corners[0] - corners[1]
    middle = corners.mean(0) + UPPER_MM * down / max(float(np.linalg.norm(down)), 1e-9)
    away = np.linalg.norm(_middles(board) - middle, axis=1)
    nearest = int(away.argmin())
    if away[nearest] > BESIDE_MM:
        return None
    token = card.printed.token or ""
    off = float(away[nearest])
    if off <= ON_MM:
        return Piece(card.printed.marker, token, nearest, (nearest,), off)
    return Piece(card.printed.marker, token, None, tuple(np.flatnonzero(away <= BESIDE_MM).tolist()), off)


def _middles(board: Board) -> Points:
    return np.array([board.centre(space) for space in range(len(board.coordinates))]) * PITCH_MM


def _looked_at(
    picture: Pixels, lie: Lie, board: Board, spaces: Sequence[Space]
) -> tuple[frozenset[Space], frozenset[Space]]:
    """Which of the spaces are empty paper, and on which a lamp is reflected."""
    if not spaces:
        return frozenset(), frozenset()
    around = _around()
    points = _middles(board)[:, None] + around
    colours = _sampled(picture, lie.to_pixels(points.reshape(-1, 2))).reshape(*points.shape[:2], 3)
    most = colours.max(2)
    white = _white(most, _middles(board))[:, None]
    middle = (np.abs(around) <= DRAWN_MM).all(1)
    coloured = most - colours.min(2) > PALE * np.maximum(most, 1)
    strange = np.where(middle, most < DARK * white, (most < SHADED * white) | coloured)
    glaring = most > np.minimum(GLARING * white, 254.5)
    glare = frozenset(s for s in spaces if glaring[s].mean() > STRANGE and white[s, 0] < 240)
    seen = frozenset(s for s in spaces if strange[s].mean() <= STRANGE and (colours[s] >= 0).all())
    return seen - glare, glare


def _around() -> Points:
    """The points of a space that are looked at, in mm from its middle."""
    steps = np.arange(-LOOKED_MM, LOOKED_MM + 0.01, STEP_MM)
    grid = np.array([(x, y) for y in steps for x in steps])
    return np.asarray(grid[np.hypot(grid[:, 0], grid[:, 1]) <= LOOKED_MM])


def _sampled(picture: Pixels, points: Points) -> NDArray[np.float32]:
    """The colours (n, 3) at points of a picture; −1 outside of it."""
    x, y = points.T.astype(np.float32)
    found = np.asarray(cv2.remap(picture, x[None], y[None], cv2.INTER_LINEAR)[0], np.float32).copy()
    high, wide = picture.shape[:2]
    outside = (x < 0) | (x > wide - 1) | (y < 0) | (y > high - 1)
    found[outside] = -1
    return found


def _white(levels: NDArray[np.float32], middles: Points) -> NDArray[np.float64]:
    """The level of white paper at each space: a plane through what is bright there, without what is far off it."""
    bright = np.percentile(levels, 90, axis=1)
    terms = np.column_stack([np.ones(len(middles)), middles / 200, (middles / 200) ** 2])
    kept = bright > 0.6 * np.median(bright)
    fitted = np.full(len(middles), float(np.median(bright)))
    for _ in range(4):
        factors, *_ = np.linalg.lstsq(terms[kept], bright[kept], rcond=None)
        fitted = terms @ factors
        kept = np.abs(bright - fitted) < 0.1 * fitted
        if kept.sum() < 2 * terms.shape[1]:
            return np.full(len(middles), float(np.median(bright)))
    return np.asarray(fitted)
