"""The printed board and its pieces as pictures for the simulated camera, drawn as the sheets have them, and where its
spaces are in mm."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels
from device.simulated.printed.board_player import Spot
from device.simulated.printed.things import Print
from rules.board.board import Board, Space
from rules.markers import BOARD_MARKS_MM, PITCH_MM, SIDE_MM, Kind, Printed, of_kind, squares
from ui.sheets.board import PIECE_MM, PLATE_MM, extent
from ui.sheets.paper import GREY, hexagon

BOARD_PX, PIECE_PX = 4, 8
"""Pixels to the mm of the board's picture and of a piece's."""
GLOSSY = 0.4

Picture = NDArray[np.uint8]


def spot_of(board: Board, space: Space, level: int = 0) -> Spot:
    """Where a space's middle is."""
    x, y = board.centre(space)
    return Spot(x * PITCH_MM, y * PITCH_MM, level)


@cache
def board_print(board: Board) -> tuple[Print, tuple[float, float]]:
    """The whole board, and where its middle is in mm from the space q = 0, r = 0."""
    left, top, right, bottom = extent(board)
    picture = np.full((round((bottom - top) * BOARD_PX), round((right - left) * BOARD_PX)), 255, np.uint8)
    for space in range(len(board.coordinates)):
        x, y = (part * PITCH_MM for part in board.centre(space))
        corners = np.array([((px - left) * BOARD_PX, (py - top) * BOARD_PX) for px, py in hexagon(x, y, PITCH_MM)])
        cv2.polylines(picture, [np.round(corners).astype(np.int32)], True, 0, 2, cv2.LINE_AA)
        if space in board.set_up:
            spot = (round((x - left) * BOARD_PX), round((y - top) * BOARD_PX))
            cv2.circle(picture, spot, 3 * BOARD_PX, GREY, BOARD_PX, cv2.LINE_AA)
    side = SIDE_MM[Kind.BOARD]
    for (x, y), mark in zip(BOARD_MARKS_MM, of_kind(Kind.BOARD), strict=True):
        _put(picture, mark, x - side / 2 - left, y - side / 2 - top, side, BOARD_PX)
    size = (picture.shape[1] / BOARD_PX, picture.shape[0] / BOARD_PX)
    return _printed(picture, size), ((left + right) / 2, (top + bottom) / 2)


@cache
def piece_print(piece: Printed) -> Print:
    """A piece: its marker over a plate, light for South and dark for North."""
    wide, high = PIECE_MM
    side = SIDE_MM[Kind.PIECE]
    picture = np.full((round(high * PIECE_PX), round(wide * PIECE_PX)), 255, np.uint8)
    _put(picture, piece, (wide - side) / 2, 3, side, PIECE_PX)
    token = piece.token or ""
    low = round((high - PLATE_MM) * PIECE_PX)
    picture[low:] = 255 if token[1] == "0" else 0
    at, ink = (round(3 * PIECE_PX), round((high - 2) * PIECE_PX)), 0 if token[1] == "0" else 255
    cv2.putText(picture, token[0], at, cv2.FONT_HERSHEY_SIMPLEX, 1.6, ink, 4, cv2.LINE_AA)
    return _printed(picture, PIECE_MM)


def _put(picture: Picture, mark: Printed, x: float, y: float, side: float, scale: int) -> None:
    """Draw a marker with its upper left corner at (x, y) mm."""
    black = np.array(squares(mark.marker), bool)
    whole = round(side * scale)
    drawn = np.where(np.kron(black, np.ones((16, 16), bool)), 0, 255).astype(np.uint8)
    small = cv2.resize(drawn, (whole, whole), interpolation=cv2.INTER_AREA)
    across, down = round(x * scale), round(y * scale)
    picture[down : down + whole, across : across + whole] = small


def _printed(picture: Picture, size_mm: tuple[float, float]) -> Print:
    front: Pixels = np.repeat(picture[..., None], 3, axis=2)
    return Print(front, np.full_like(front, 255), size_mm, GLOSSY)
