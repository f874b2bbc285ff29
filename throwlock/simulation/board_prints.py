"""Renders the printed board and its pieces for the simulated camera, as on the sheets, and locates the spaces in mm."""

from functools import cache

import cv2
import numpy as np

from device.camera.frames import Pixels
from device.simulated.printed.board_player import BoardSpot
from device.simulated.printed.objects import PrintedSheet
from rules.board.board import Board, Space
from rules.markers import (
    BOARD_MARKER_CENTRES_MM,
    BOARD_PITCH_MM,
    MARKER_SIDE_MM,
    MarkerKind,
    PrintedMarker,
    markers_of_kind,
)
from throwlock.simulation.card_prints import draw_marker
from ui.sheets.board import PIECE_SIZE_MM, PLATE_HEIGHT_MM, board_extent
from ui.sheets.paper import GREY, hexagon

BOARD_PX, PIECE_PX = 4, 8
"""Resolution of the images of the board and of a piece, in pixels per mm."""
GLOSS = 0.4


def space_spot(board: Board, space: Space, level: int = 0) -> BoardSpot:
    """Return the middle of a space."""
    x, y = board.centre(space)
    return BoardSpot(x * BOARD_PITCH_MM, y * BOARD_PITCH_MM, level)


@cache
def board_print(board: Board) -> tuple[PrintedSheet, tuple[float, float]]:
    """Return the print of the board, and its middle in mm from the space q = 0, r = 0."""
    left, top, right, bottom = board_extent(board)
    picture = np.full((round((bottom - top) * BOARD_PX), round((right - left) * BOARD_PX), 3), 255, np.uint8)
    for space in range(len(board.coordinates)):
        x, y = (part * BOARD_PITCH_MM for part in board.centre(space))
        corners = np.array(
            [((px - left) * BOARD_PX, (py - top) * BOARD_PX) for px, py in hexagon(x, y, BOARD_PITCH_MM)]
        )
        cv2.polylines(picture, [np.round(corners).astype(np.int32)], True, (0, 0, 0), 2, cv2.LINE_AA)
        if space in board.initial_pieces:
            spot = (round((x - left) * BOARD_PX), round((y - top) * BOARD_PX))
            cv2.circle(picture, spot, 3 * BOARD_PX, (GREY,) * 3, BOARD_PX, cv2.LINE_AA)
    side = MARKER_SIDE_MM[MarkerKind.BOARD]
    for (x, y), mark in zip(BOARD_MARKER_CENTRES_MM, markers_of_kind(MarkerKind.BOARD), strict=True):
        draw_marker(picture, mark, x - side / 2 - left, y - side / 2 - top, BOARD_PX)
    size = (picture.shape[1] / BOARD_PX, picture.shape[0] / BOARD_PX)
    return _printed(picture, size), ((left + right) / 2, (top + bottom) / 2)


@cache
def piece_print(piece: PrintedMarker) -> PrintedSheet:
    """Return the print of a piece: its marker above a plate, light for South and dark for North."""
    wide, high = PIECE_SIZE_MM
    picture = np.full((round(high * PIECE_PX), round(wide * PIECE_PX), 3), 255, np.uint8)
    draw_marker(picture, piece, (wide - MARKER_SIDE_MM[MarkerKind.PIECE]) / 2, 3, PIECE_PX)
    token = piece.token or ""
    low = round((high - PLATE_HEIGHT_MM) * PIECE_PX)
    picture[low:] = 255 if token[1] == "0" else 0
    at, ink = (round(3 * PIECE_PX), round((high - 2) * PIECE_PX)), 0 if token[1] == "0" else 255
    cv2.putText(picture, token[0], at, cv2.FONT_HERSHEY_SIMPLEX, 1.6, (ink,) * 3, 4, cv2.LINE_AA)
    return _printed(picture, PIECE_SIZE_MM)


def _printed(front: Pixels, size_mm: tuple[float, float]) -> PrintedSheet:
    return PrintedSheet(front, np.full_like(front, 255), size_mm, GLOSS)
