"""A person who moves printed pieces over a printed board before a simulated camera, with their hand in the way.

player = BoardPlayer(camera, board, {"7": piece}, from_deg=90)
player.set_up({"7": Spot(0, 42)})
ends_ns = player.act([Step(("7",), (Spot(0, 0),))], camera_clock.now_ns())
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from device.simulated.printed.camera import PrintedCamera
from device.simulated.printed.things import Keys, Pose, Print, Reach, Skin, Thing

MS = 1_000_000
COMES_NS = 350 * MS
"""A hand comes over the table, or leaves it, in this time."""
CARRIES_NS = 450 * MS
"""A piece is carried to another space in this time."""
NEXT_NS = 300 * MS
"""From one piece to the next."""
SHEET_MM = 0.4
"""How thick a piece is: stout paper."""
AWAY_MM = 620.0
"""How far off a hand is that is not over the board."""
CARRIED_MM = 30.0
"""How high above the board a piece is carried."""
BOARD = "board"


@dataclass(frozen=True)
class Spot:
    """A place on the board in mm to the East and to the South of its middle, and how many pieces lie below."""

    x: float
    y: float
    level: int = 0


@dataclass(frozen=True)
class Step:
    """Pieces that are carried together, from the bottom up, to a spot each; with none they are taken off the table."""

    pieces: tuple[str, ...]
    to: tuple[Spot, ...] = ()


class BoardPlayer:
    """Moves the ``pieces`` by name. ``lies`` is where the board's origin lies on the table and how the board is turned;
    pieces are put down up to ``careless_mm`` beside the middle of a space and turned by up to ``askew_deg``, about
    facing as the board does. ``from_deg`` is where the hand comes from (0: the picture's right, 90: its bottom)."""

    def __init__(
        self,
        camera: PrintedCamera,
        board: Print,
        middle: tuple[float, float],
        pieces: Mapping[str, Print],
        lies: Pose,
        seed: int = 0,
        from_deg: float = 90.0,
        skin: Skin = (196, 146, 112),
        careless_mm: float = 5.0,
        askew_deg: float = 20.0,
    ) -> None:
        self._camera = camera
        self._board = board
        self._middle = middle
        self._pieces = pieces
        self._lies = lies
        self._chance = np.random.default_rng([seed, 71])
        self._from_deg = from_deg
        self._skin = skin
        self._careless_mm = careless_mm
        self._askew_deg = askew_deg
        self._at: dict[str, tuple[Spot, float]] = {}

    def set_up(self, where: Mapping[str, Spot]) -> None:
        """Lay the board with its pieces, at once."""
        self._at = {name: self._put_down(spot) for name, spot in where.items()}
        self._lay_all()

    def shift(self, lies: Pose) -> None:
        """Push the board with all that stands on it to another place, at once."""
        self._lies = lies
        self._lay_all()

    def act(self, steps: Sequence[Step], begins_ns: int) -> int:
        """Do the steps one after the other with one hand, which then leaves. Returns when it is away."""
        now = begins_ns + COMES_NS
        way: list[tuple[int, Pose]] = [(begins_ns, self._far())]
        for step in steps:
            here = [self._pose(*self._at[name]) for name in step.pieces]
            there = [self._put_down(spot) for spot in step.to]
            goal = [self._pose(*put) for put in there] or [self._far()] * len(here)
            way += [(now, _above(here[-1], 4)), (now + CARRIES_NS, _above(goal[-1], 4))]
            for name, begin, end in zip(step.pieces, here, goal, strict=True):
                self._carry(name, begin, end, now, gone=not there)
            for name, put in zip(step.pieces, there, strict=False):
                self._at[name] = put
            for name in step.pieces if not there else ():
                del self._at[name]
            now += CARRIES_NS + NEXT_NS
        ends = now - NEXT_NS + COMES_NS
        reach = Reach((*way, (ends, self._far())), self._from_deg, self._skin)
        self._camera.change(replace(self._camera.scene, reaches=(reach,)))
        return ends

    def _carry(self, name: str, begin: Pose, end: Pose, since_ns: int, gone: bool) -> None:
        half = replace(begin.towards(end, 0.5), z=CARRIED_MM)
        arrives = since_ns + CARRIES_NS
        keys: Keys = ((since_ns, begin), (since_ns + CARRIES_NS // 2, half), (arrives, end))
        self._camera.lay(Thing(name, self._pieces[name], keys, until_ns=arrives if gone else None))

    def _lay_all(self) -> None:
        cos, sin = self._axes()
        x, y = self._middle
        where = Pose(self._lies.x + x * cos - y * sin, self._lies.y + x * sin + y * cos, 0.0, self._lies.turn)
        things = [Thing(BOARD, self._board, ((0, where),))]
        things += [
            Thing(name, self._pieces[name], ((0, self._pose(spot, turn)),)) for name, (spot, turn) in self._at.items()
        ]
        self._camera.change(replace(self._camera.scene, things=tuple(things), reaches=()))

    def _put_down(self, spot: Spot) -> tuple[Spot, float]:
        """Where a piece really lies that is put on a spot, and how it is turned against the board."""
        way, far = self._chance.uniform(0, 2 * math.pi), self._careless_mm * math.sqrt(self._chance.uniform())
        turn = float(self._chance.uniform(-self._askew_deg, self._askew_deg))
        return replace(spot, x=spot.x + far * math.cos(way), y=spot.y + far * math.sin(way)), turn

    def _pose(self, spot: Spot, turn: float) -> Pose:
        cos, sin = self._axes()
        x, y = spot.x, spot.y
        z = SHEET_MM * (spot.level + 1)
        return Pose(self._lies.x + x * cos - y * sin, self._lies.y + x * sin + y * cos, z, self._lies.turn + turn)

    def _axes(self) -> tuple[float, float]:
        turn = math.radians(self._lies.turn)
        return math.cos(turn), math.sin(turn)

    def _far(self) -> Pose:
        way = math.radians(self._from_deg)
        return Pose(AWAY_MM * math.cos(way), AWAY_MM * math.sin(way), 40.0)


def _above(pose: Pose, high: float) -> Pose:
    return replace(pose, z=pose.z + high)
