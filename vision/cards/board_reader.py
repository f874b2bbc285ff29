"""Reads the printed board in an image: located by its corner markers, every piece on it assigned to its space, and
every other space classified as empty paper or as unreadable::

    reading = read_board(frame.pixels(), BOARD)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels
from rules.board.board import Board, Space
from rules.markers import BOARD_MARKER_CENTRES_MM, BOARD_PITCH_MM, MARKER_SIDE_MM, MarkerKind, PrintedMarker
from vision.cards.observations import MAX_PAPER_COLOUR, MIN_PAPER_LEVEL
from vision.cards.reader import Card, read_cards

Points = NDArray[np.float64]
MIN_CORNER_MARKERS = 3
"""Corner markers that must be read: with two the far side of the board is uncertain by centimetres."""
MAX_LENS_BEND = 0.3
"""Most distortion of a lens: it moves the image's corners by this share of their distance from the centre."""
MAX_FIT_ERROR_MM = 2.5
"""Largest error (root mean square) of the markers' corners against the printed board."""
PIECE_MARKER_OFFSET_MM = 4.5
"""Distance of the centre of a piece's marker from the centre of the piece, towards its top."""
MAX_ON_SPACE_MM = 15.0
"""Longest distance of a piece from the centre of its space: a space extends 21 mm to its sides, so 6 are left to the
next."""
MAX_NEAR_SPACE_MM = 32.0
"""Longest distance at which a piece that is on no space is between spaces; beyond it, the piece is not on the board."""
SAMPLE_RADIUS_MM = 11.0
"""Radius around a space's centre that is sampled: a piece on the next space, even 8 mm off, does not reach into it."""
DRAWING_HALF_SIDE_MM = 5.0
"""Half the side of the small drawing in the centre of a space."""
SAMPLE_STEP_MM = 1.5
"""Distance of two samples."""
MIN_DRAWING_LEVEL = 0.42
"""Share of white below which a point is neither paper nor the drawing, which is printed in a grey of 0.59."""
MIN_GLARE_LEVEL = 1.16
"""Share of white above which a point is in a lamp's reflection."""
MAX_FOREIGN_SHARE = 0.06
"""Most samples of an empty space that may not be paper, as a share."""


@dataclass(frozen=True, eq=False)
class BoardPose:
    """Where the board lies in an image."""

    homography: Points
    """(3, 3), from mm of the board to pixels of a lens without distortion."""
    bend: float
    """The distortion of the lens; see ``MAX_LENS_BEND``."""
    image_size: tuple[int, int]
    """Width and height of the image in pixels."""

    def to_mm(self, points: Points) -> Points:
        """Convert pixels (n, 2) to mm east and south of the space q = 0, r = 0."""
        return _project(np.linalg.inv(self.homography), _undistort(points, self.bend, self.image_size))

    def to_pixels(self, points: Points) -> Points:
        """Convert mm (n, 2) of the board to pixels."""
        projected = _project(self.homography, points)
        bent = projected
        for _ in range(6):
            bent = bent + projected - _undistort(bent, self.bend, self.image_size)
        return bent


@dataclass(frozen=True)
class DetectedPiece:
    """A piece of the board game that was read."""

    marker: int
    token: str
    """The piece, such as R0."""
    space: Space | None
    """None where it lies between spaces."""
    nearby_spaces: tuple[Space, ...]
    """The spaces it may be on."""


@dataclass(frozen=True, eq=False)
class BoardReading:
    """What an image shows of the board."""

    pose: BoardPose
    """Where the board lies."""
    pieces: tuple[DetectedPiece, ...]
    """All pieces that were read."""
    tops: Mapping[Space, DetectedPiece]
    """The uppermost piece of each space that has one."""
    empty: frozenset[Space]
    """The spaces that are plain paper."""
    crowded: frozenset[Space]
    """Spaces with several pieces, or with one between them and the next; unknown."""
    glare: frozenset[Space]
    """Spaces in which a lamp is reflected; unknown."""
    covered: frozenset[Space]
    """Spaces that are covered or have an unreadable piece; unknown."""


def read_board(image: Pixels, board: Board) -> BoardReading | None:
    """Read the board in an R, G, B image; None where too few of its corner markers are read."""
    cards = read_cards(image)
    pose = estimate_board_pose([card for card in cards if card.printed.kind is MarkerKind.BOARD], image)
    if pose is None:
        return None
    pieces = tuple(
        piece
        for card in cards
        if card.printed.kind is MarkerKind.PIECE and (piece := _place_piece(card, pose, board)) is not None
    )
    tops: dict[Space, DetectedPiece] = {}
    crowded: set[Space] = set()
    for piece in pieces:
        if piece.space is None or piece.space in tops:
            crowded.update(piece.nearby_spaces)
        else:
            tops[piece.space] = piece
    tops = {space: piece for space, piece in tops.items() if space not in crowded}
    rest = [space for space in range(len(board.coordinates)) if space not in tops and space not in crowded]
    empty, glare = _classify_spaces(image, pose, board, rest)
    covered = frozenset(rest) - empty - glare
    return BoardReading(pose, pieces, tops, empty, frozenset(crowded), glare, covered)


def has_board(image: Pixels) -> bool:
    """Whether an R, G, B image shows the printed board."""
    markers = [card for card in read_cards(image) if card.printed.kind is MarkerKind.BOARD]
    return estimate_board_pose(markers, image) is not None


def estimate_board_pose(markers: Sequence[Card], image: Pixels) -> BoardPose | None:
    """Return the pose of the board with these corner markers; None where they are too few or don't fit the printed
    board."""
    markers = list({card.printed: card for card in markers}.values())
    if len(markers) < MIN_CORNER_MARKERS:
        return None
    size = (image.shape[1], image.shape[0])
    seen = np.concatenate([card.corners for card in markers]).astype(np.float64)
    printed_mm = np.concatenate([_corners_mm(card.printed) for card in markers])
    low, high = -MAX_LENS_BEND, MAX_LENS_BEND
    for _ in range(5):
        bends = np.linspace(low, high, 9)
        errors = [_fit_homography(seen, printed_mm, bend, size)[1] for bend in bends]
        best = int(np.argmin(errors))
        low, high = bends[max(0, best - 1)], bends[min(8, best + 1)]
    bend = float(bends[best])
    homography, error = _fit_homography(seen, printed_mm, bend, size)
    return BoardPose(homography, bend, size) if error <= MAX_FIT_ERROR_MM else None


def _corners_mm(marker: PrintedMarker) -> Points:
    x, y = BOARD_MARKER_CENTRES_MM[marker.number - 1]
    half = MARKER_SIDE_MM[MarkerKind.BOARD] / 2
    return np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])


def _fit_homography(seen: Points, printed_mm: Points, bend: float, size: tuple[int, int]) -> tuple[Points, float]:
    """Return the homography from mm to pixels of a lens with this bend, and its error in mm."""
    straight = _undistort(seen, bend, size)
    fitted, _ = cv2.findHomography(printed_mm, straight)
    if fitted is None or abs(np.linalg.det(fitted)) < 1e-12:
        return np.eye(3), float("inf")
    homography = np.asarray(fitted, np.float64)
    error_mm = _project(np.linalg.inv(homography), straight) - printed_mm
    return homography, float(np.sqrt((error_mm**2).sum(1).mean()))


def _undistort(points: Points, bend: float, size: tuple[int, int]) -> Points:
    """Return where a lens without distortion would show what this one shows at ``points``."""
    centre = np.array(size) / 2 - 0.5
    from_centre = points - centre
    squared_radius = (from_centre**2).sum(-1, keepdims=True) / float((centre**2).sum())
    return np.asarray(centre + from_centre * (1 + bend * squared_radius))


def _project(homography: NDArray[np.floating[Any]], points: Points) -> Points:
    projected = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(projected[:, :2] / projected[:, 2:])


def _place_piece(card: Card, pose: BoardPose, board: Board) -> DetectedPiece | None:
    corners = pose.to_mm(card.corners.astype(np.float64))
    down = corners[2] + corners[3] - corners[0] - corners[1]
    centre = corners.mean(0) + PIECE_MARKER_OFFSET_MM * down / max(float(np.linalg.norm(down)), 1e-9)
    distances = np.linalg.norm(_space_centres(board) - centre, axis=1)
    nearest = int(distances.argmin())
    if distances[nearest] > MAX_NEAR_SPACE_MM:
        return None
    token = card.printed.token or ""
    if distances[nearest] <= MAX_ON_SPACE_MM:
        return DetectedPiece(card.printed.marker, token, nearest, (nearest,))
    nearby_spaces = tuple(np.flatnonzero(distances <= MAX_NEAR_SPACE_MM).tolist())
    return DetectedPiece(card.printed.marker, token, None, nearby_spaces)


def _space_centres(board: Board) -> Points:
    return np.array([board.centre(space) for space in range(len(board.coordinates))]) * BOARD_PITCH_MM


def _classify_spaces(
    image: Pixels, pose: BoardPose, board: Board, spaces: Sequence[Space]
) -> tuple[frozenset[Space], frozenset[Space]]:
    """Return which of the spaces are empty paper, and in which a lamp is reflected."""
    if not spaces:
        return frozenset(), frozenset()
    samples = _sample_points()
    points = _space_centres(board)[:, None] + samples
    colours = _sample_colours(image, pose.to_pixels(points.reshape(-1, 2))).reshape(*points.shape[:2], 3)
    brightest = colours.max(2)
    white = _white_levels(brightest, _space_centres(board))[:, None]
    in_drawing = (np.abs(samples) <= DRAWING_HALF_SIDE_MM).all(1)
    coloured = brightest - colours.min(2) > MAX_PAPER_COLOUR * np.maximum(brightest, 1)
    not_paper = np.where(
        in_drawing, brightest < MIN_DRAWING_LEVEL * white, (brightest < MIN_PAPER_LEVEL * white) | coloured
    )
    glaring = brightest > np.minimum(MIN_GLARE_LEVEL * white, 254.5)
    glare = frozenset(s for s in spaces if glaring[s].mean() > MAX_FOREIGN_SHARE and white[s, 0] < 240)
    empty = frozenset(s for s in spaces if not_paper[s].mean() <= MAX_FOREIGN_SHARE and (colours[s] >= 0).all())
    return empty - glare, glare


def _sample_points() -> Points:
    """Return the sample points (n, 2) of a space, in mm from its centre."""
    steps = np.arange(-SAMPLE_RADIUS_MM, SAMPLE_RADIUS_MM + 0.01, SAMPLE_STEP_MM)
    grid = np.array([(x, y) for y in steps for x in steps])
    return np.asarray(grid[np.hypot(grid[:, 0], grid[:, 1]) <= SAMPLE_RADIUS_MM])


def _sample_colours(image: Pixels, points: Points) -> NDArray[np.float32]:
    """Return the colours (n, 3) at points of an image; −1 outside of it."""
    x, y = points.T.astype(np.float32)
    colours = np.asarray(cv2.remap(image, x[None], y[None], cv2.INTER_LINEAR)[0], np.float32).copy()
    height, width = image.shape[:2]
    outside = (x < 0) | (x > width - 1) | (y < 0) | (y > height - 1)
    colours[outside] = -1
    return colours


def _white_levels(levels: NDArray[np.float32], centres: Points) -> NDArray[np.float64]:
    """Return the level of white paper at each space: a smooth surface fitted to the bright samples, without
    outliers."""
    bright = np.percentile(levels, 90, axis=1)
    terms = np.column_stack([np.ones(len(centres)), centres / 200, (centres / 200) ** 2])
    inliers = bright > 0.6 * np.median(bright)
    fitted = np.full(len(centres), float(np.median(bright)))
    for _ in range(4):
        factors, *_ = np.linalg.lstsq(terms[inliers], bright[inliers], rcond=None)
        fitted = terms @ factors
        inliers = np.abs(bright - fitted) < 0.1 * fitted
        if inliers.sum() < 2 * terms.shape[1]:
            return np.full(len(centres), float(np.median(bright)))
    return np.asarray(fitted)
