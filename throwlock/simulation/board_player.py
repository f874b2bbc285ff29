"""A simulated player who moves rendered pieces on the printed board, and the camera over them."""

from collections.abc import Callable, Mapping
from functools import cache

import cv2
import numpy as np

from device.camera.frames import Pixels
from device.simulated.printed.board_player import BoardPlayer, BoardSpot, CarryStep
from device.simulated.printed.objects import ObjectPose, PrintedSheet, RoomLight, TiltedCameraOptics
from device.simulated.printed.scene import PrintedCamera, PrintedScene
from device.system.clock import Clock
from rules.board.board import Board, Space
from rules.board.moves import Move
from rules.board.pieces import CAPTURE_TABLE
from rules.board.position import Position
from rules.engine import Prompt, Seat
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
            board_px = (round((x - left) * BOARD_PX), round((y - top) * BOARD_PX))
            cv2.circle(picture, board_px, 3 * BOARD_PX, (GREY,) * 3, BOARD_PX, cv2.LINE_AA)
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


Stacks = dict[Space, tuple[str, ...]]
"""The cardboard pieces on each space from the bottom up, by marker."""
MoveChooser = Callable[[Position, Prompt, Seat, int], Move]
"""Chooses a move from a position, given the prompt, the seat and the prompt's key."""
BOARD_OPTICS = TiltedCameraOptics(view_mm=860.0, height_mm=900.0, tilt_y=4.0)
PIECES = {str(piece.marker): piece for piece in markers_of_kind(MarkerKind.PIECE)}


def board_camera(
    clock: Clock, seed: int, optics: TiltedCameraOptics = BOARD_OPTICS, light: RoomLight | None = None
) -> PrintedCamera:
    """Return the simulated camera over a table for the board."""
    return PrintedCamera(clock, PrintedScene(seed=seed, optics=optics, light=light or RoomLight()), fps=30.0)


def stacks_for(position: Position) -> Stacks:
    """Return cardboard pieces that show a position."""
    free: dict[str, list[str]] = {}
    for marker, piece in PIECES.items():
        free.setdefault(piece.token or "", []).append(marker)
    men = {space: token for side in position.pieces.tokens for space, token in side.items()}
    return {space: tuple(free[token[0] + owner].pop() for owner in token[1:]) for space, token in men.items()}


def stacks_after(stacks: Stacks, before: Position, move: Move) -> Stacks:
    """Return the cardboard pieces after a legal move."""
    after, origin = before.after_move(move), stacks[move.origin]
    kept = {s: pieces for s, pieces in stacks.items() if before.pieces.piece_at(s) == after.pieces.piece_at(s)}
    knocked: list[str] = []
    if move.spread:
        heading = before.tables.board.direction_to[move.origin][move.target]
        for sheet, space in zip(origin, before.tables.board.rays[move.origin][heading], strict=False):
            if before.pieces.piece_at(space) != after.pieces.piece_at(space):
                kept[space] = (*_sheets_below(before, stacks, space), sheet)
    else:
        own, met = before.pieces.piece_at(move.origin) or "", before.pieces.piece_at(move.target)
        outcome = CAPTURE_TABLE[own[0]][met[0]] if met else "moves"
        if outcome != "is lost":
            kept[move.target] = (
                (*_sheets_below(before, stacks, move.target), *origin) if outcome == "stacks" else origin
            )
        if outcome == "knocks":
            knocked = list(stacks[move.target])
    loose = knocked + [p for s, pieces in stacks.items() if s not in kept and s != move.origin for p in pieces]
    for space in sorted(after.pieces.tokens[0].keys() | after.pieces.tokens[1].keys()):
        if space not in kept:  # a Rock that was knocked on stands there
            token = after.pieces.piece_at(space) or ""
            kept[space] = (next(piece for piece in loose if PIECES[piece].token == token),)
            loose.remove(kept[space][0])
    return kept


def _sheets_below(before: Position, stacks: Stacks, space: Space) -> tuple[str, ...]:
    met = before.pieces.piece_at(space)
    return stacks[space] if met and met[0] == "P" else ()


def steps_between(stacks: Stacks, then: Stacks, board: Board) -> list[CarryStep]:
    """Return the steps of a hand from ``stacks`` to ``then``; pieces that leave the board go first."""
    was, now = _spots(stacks, board), _spots(then, board)
    off = [CarryStep((piece,)) for piece in was if piece not in now]
    moves: dict[tuple[tuple[float, float], tuple[float, float]], list[str]] = {}
    for piece, spot in now.items():
        if was[piece] != spot:
            moves.setdefault(((was[piece].x, was[piece].y), (spot.x, spot.y)), []).append(piece)
    return off + [CarryStep(tuple(pieces), tuple(now[piece] for piece in pieces)) for pieces in moves.values()]


def _spots(stacks: Stacks, board: Board) -> dict[str, BoardSpot]:
    return {
        piece: space_spot(board, space, level) for space, pieces in stacks.items() for level, piece in enumerate(pieces)
    }


class SimulatedBoardPlayer:
    """Makes the moves that ``choose`` chooses, for both sides. ``board_pose`` is where the board lies."""

    def __init__(
        self,
        camera: PrintedCamera,
        clock: Clock,
        board: Board,
        choose: MoveChooser,
        seed: int = 0,
        board_pose: ObjectPose | None = None,
    ) -> None:
        made, middle = board_print(board)
        prints = {marker: piece_print(piece) for marker, piece in PIECES.items()}
        self._clock = clock
        self._choose = choose
        self._board = board
        self.player = BoardPlayer(
            camera, made, middle, prints, board_pose or ObjectPose(5, 8, turn_deg=2), seed, 90.0 + 37 * (seed % 5)
        )
        self.stacks: Stacks = {}
        self._position: Position | None = None

    def set_up(self, position: Position) -> None:
        """Set up a position on the board at once, unless it stands there already."""
        if self._position != position:
            self.stacks = stacks_for(position)
            self.player.set_up(_spots(self.stacks, self._board))
            self._position = position

    def make_move(self, before: Position, move: Move) -> int:
        """Make a legal move by hand. Return the time in ns when the hand is away."""
        self.set_up(before)
        then = stacks_after(self.stacks, before, move)
        ends = self.arrange(then)
        self._position = before.after_move(move)
        return ends

    def begin_turn(self, before: Position, prompt: Prompt, seat: Seat, key: int) -> Callable[[], Move]:
        """Set up the position before a move, and return what chooses the move and starts making it."""
        self.set_up(before)

        def move() -> Move:
            chosen = self._choose(before, prompt, seat, key)
            self.make_move(before, chosen)
            return chosen

        return move

    def arrange(self, then: Mapping[Space, tuple[str, ...]]) -> int:
        """Arrange the pieces like this, legal or not. Return the time in ns when the hand is away."""
        stacks = dict(then)
        ends = self.player.carry_out(steps_between(self.stacks, stacks, self._board), self._clock.now_ns())
        self.stacks, self._position = stacks, None
        return ends
