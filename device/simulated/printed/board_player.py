"""A simulated person who moves printed pieces over a printed board, with their hand in the way of the camera.

player = BoardPlayer(camera, board, board_centre, {"7": piece}, board_pose)
player.set_up({"7": BoardSpot(0, 42)})
end_ns = player.carry_out([CarryStep(("7",), (BoardSpot(0, 0),))], clock.now_ns())
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from device.simulated.printed.objects import (
    HandOverTable,
    Keyframes,
    ObjectPose,
    PrintedObject,
    PrintedSheet,
)
from device.simulated.printed.scene import PrintedCamera

MS = 1_000_000
HAND_TRAVEL_NS = 350 * MS
"""Time a hand takes to reach the board, and to leave it."""
CARRY_TIME_NS = 450 * MS
"""Time to carry a piece to another space."""
PAUSE_BETWEEN_PIECES_NS = 300 * MS
"""Time from one piece to the next."""
PIECE_THICKNESS_MM = 0.4
"""Thickness of a piece: heavy paper."""
HAND_AWAY_MM = 620.0
"""Distance of a hand that is away from the board."""
CARRY_HEIGHT_MM = 30.0
"""Height of a carried piece above the board."""
MAX_OFFSET_MM = 5.0
"""How far from the middle of its space a piece may be put down."""
MAX_TURN_DEG = 20.0
"""How far a piece may be turned against the board."""
BOARD_NAME = "board"


@dataclass(frozen=True)
class BoardSpot:
    """A place on the board, in mm east and south of its origin, and how many pieces lie below it."""

    x: float
    y: float
    level: int = 0


@dataclass(frozen=True)
class CarryStep:
    """Pieces carried together."""

    pieces: tuple[str, ...]
    """From the bottom up."""
    targets: tuple[BoardSpot, ...] = ()
    """The target of each; none: they are removed."""


class BoardPlayer:
    """Moves ``pieces`` by name.

    Args:
        board_centre: The centre of the printed sheet, in mm from the board's origin.
        board_pose: The position of the board's origin on the table and the board's rotation.
        from_deg: The direction the hand comes from (0: the right of the image, 90: its bottom).
    """

    def __init__(
        self,
        camera: PrintedCamera,
        board: PrintedSheet,
        board_centre: tuple[float, float],
        pieces: Mapping[str, PrintedSheet],
        board_pose: ObjectPose,
        seed: int = 0,
        from_deg: float = 90.0,
    ) -> None:
        self._camera = camera
        self._board = board
        self._board_centre = board_centre
        self._pieces = pieces
        self._board_pose = board_pose
        self._rng = np.random.default_rng([seed, 71])
        self._from_deg = from_deg
        self._positions: dict[str, tuple[BoardSpot, float]] = {}

    def set_up(self, spots: Mapping[str, BoardSpot]) -> None:
        """Place the board and its pieces, instantly."""
        self._positions = {name: self._scatter(spot) for name, spot in spots.items()}
        self._place_all()

    def move_board(self, board_pose: ObjectPose) -> None:
        """Move the board with its pieces, instantly."""
        self._board_pose = board_pose
        self._place_all()

    def carry_out(self, steps: Sequence[CarryStep], start_ns: int) -> int:
        """Perform the steps in order with one hand, which then leaves. Returns the time when it is away."""
        now_ns = start_ns + HAND_TRAVEL_NS
        path: list[tuple[int, ObjectPose]] = [(start_ns, self._away_pose())]
        for step in steps:
            sources = [self._pose(*self._positions[name]) for name in step.pieces]
            landed = [self._scatter(spot) for spot in step.targets]
            goals = [self._pose(*position) for position in landed] or [self._away_pose()] * len(sources)
            held = [(now_ns, sources[-1]), (now_ns + CARRY_TIME_NS, goals[-1])]
            path += [(at_ns, pose._replace(z=pose.z + 4)) for at_ns, pose in held]
            for name, begin, end in zip(step.pieces, sources, goals, strict=True):
                self._carry(name, begin, end, now_ns, remove=not landed)
            for name, position in zip(step.pieces, landed, strict=False):
                self._positions[name] = position
            for name in step.pieces if not landed else ():
                del self._positions[name]
            now_ns += CARRY_TIME_NS + PAUSE_BETWEEN_PIECES_NS
        end_ns = now_ns - PAUSE_BETWEEN_PIECES_NS + HAND_TRAVEL_NS
        hand = HandOverTable((*path, (end_ns, self._away_pose())), self._from_deg)
        self._camera.set_scene(replace(self._camera.scene, hands=(hand,)))
        return end_ns

    def _carry(self, name: str, begin: ObjectPose, end: ObjectPose, start_ns: int, remove: bool) -> None:
        half = begin.towards(end, 0.5)._replace(z=CARRY_HEIGHT_MM)
        arrival_ns = start_ns + CARRY_TIME_NS
        keyframes: Keyframes = ((start_ns, begin), (start_ns + CARRY_TIME_NS // 2, half), (arrival_ns, end))
        self._camera.place(PrintedObject(name, self._pieces[name], keyframes, until_ns=arrival_ns if remove else None))

    def _place_all(self) -> None:
        objects = [PrintedObject(BOARD_NAME, self._board, ((0, self._on_table(*self._board_centre)),))]
        objects += [
            PrintedObject(name, self._pieces[name], ((0, self._pose(spot, turn)),))
            for name, (spot, turn) in self._positions.items()
        ]
        self._camera.set_scene(replace(self._camera.scene, objects=tuple(objects), hands=()))

    def _scatter(self, spot: BoardSpot) -> tuple[BoardSpot, float]:
        """Return where a piece put on a spot really ends up, and its rotation against the board."""
        direction, distance = self._rng.uniform(0, 2 * math.pi), MAX_OFFSET_MM * math.sqrt(self._rng.uniform())
        turn = float(self._rng.uniform(-MAX_TURN_DEG, MAX_TURN_DEG))
        return replace(spot, x=spot.x + distance * math.cos(direction), y=spot.y + distance * math.sin(direction)), turn

    def _pose(self, spot: BoardSpot, turn: float) -> ObjectPose:
        return self._on_table(spot.x, spot.y, PIECE_THICKNESS_MM * (spot.level + 1), turn)

    def _on_table(self, x: float, y: float, z: float = 0.0, turn_deg: float = 0.0) -> ObjectPose:
        """Return the pose of a point of the board, in mm east and south of its origin."""
        board = self._board_pose
        cos, sin = math.cos(math.radians(board.turn_deg)), math.sin(math.radians(board.turn_deg))
        return ObjectPose(board.x + x * cos - y * sin, board.y + x * sin + y * cos, z, board.turn_deg + turn_deg)

    def _away_pose(self) -> ObjectPose:
        direction = math.radians(self._from_deg)
        return ObjectPose(HAND_AWAY_MM * math.cos(direction), HAND_AWAY_MM * math.sin(direction), 40.0)
