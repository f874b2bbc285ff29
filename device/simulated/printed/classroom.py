"""A classroom before a simulated camera: students in rows, each with a card that they hold face in and turn to the
camera when they are told.

room = Classroom(30)
camera = PrintedCamera(clock, room.scene())
camera.lay(room.card(7, face, Holding(way=2, turned_ns=cue_ns + 300_000_000)))
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from device.camera.frames import Pixels, Size
from device.simulated.printed.optics import Light, Optics
from device.simulated.printed.scene import Scene
from device.simulated.printed.things import Keys, Pose, Print, Skin, Thing

CARD_MM = 130.0
"""Side of a class card."""
BACK_MM, DEPTH_MM = 8000.0, 2500.0
"""From the camera to the last row, and how much nearer the first one is."""
APART_MM = 540.0
"""From one student to the next in a row."""
LEAST_PX = 27
"""The side in pixels of the smallest marker: what the reader promises to find begins at 24."""
SKINS: tuple[Skin, ...] = ((92, 62, 44), (141, 98, 68), (196, 146, 112), (226, 184, 154), (60, 42, 32), (241, 208, 184))
CLOTHES: tuple[Skin, ...] = ((60, 80, 120), (130, 60, 60), (70, 110, 80), (180, 180, 185), (40, 40, 46), (170, 140, 70))
WALL = (126, 122, 112)
TURNS_NS = 350_000_000
"""A card is turned to the camera in this time."""
BACK_UP = 180.0


@dataclass(frozen=True)
class Holding:
    """What a student does with a card: ``way`` is by how many quarter turns clockwise it is held turned, ``tilt`` by
    how many degrees more. It faces the camera from ``turned_ns`` on (None: it never does)."""

    way: int
    turned_ns: int | None = 0
    tilt: float = 0.0


@dataclass(frozen=True)
class Desk:
    """Where a student's card is, in mm, and how they look."""

    x: float
    y: float
    z: float
    skin: Skin
    clothes: Skin


class Classroom:
    """Room for ``students``, numbered row by row from the back. Without a ``size`` the picture is so large that 100 mm
    in the last row take LEAST_PX. The same seed gives the same people."""

    def __init__(self, students: int, size: Size | None = None, seed: int = 0) -> None:
        across = max(4, math.ceil(math.sqrt(students * 1.3)))
        rows = math.ceil(students / across)
        front_mm = BACK_MM - DEPTH_MM
        view_mm = (across + 0.6) * APART_MM * BACK_MM / front_mm
        if size is None:
            wide = 16 * math.ceil(LEAST_PX * view_mm / 100 / 16)
            size = (wide, wide * 9 // 16)
        self.optics = Optics(size, BACK_MM, view_mm, blur_px=0.6, noise=3.0)
        self._seed = seed
        chance = np.random.default_rng([seed, 63])
        self.desks: dict[int, Desk] = {}
        for number in range(1, students + 1):
            row, place = divmod(number - 1, across)
            here = min(across, students - row * across)
            z = DEPTH_MM * row / max(1, rows - 1)
            down = (row + 0.62) / (rows + 0.3) - 0.5
            y = down * size[1] * (BACK_MM - z) / self.optics.focal_px
            x = (place - (here - 1) / 2 + 0.3 * (row % 2) - 0.15) * APART_MM
            skin, clothes = (some[int(chance.integers(len(some)))] for some in (SKINS, CLOTHES))
            off = chance.normal(0, 30, 2)
            self.desks[number] = Desk(x + float(off[0]), y + float(off[1]), z, skin, clothes)

    def scene(self) -> Scene:
        """The room with everybody in it, and no card."""
        people = [thing for number in self.desks for thing in self._person(number)]
        light = Light(level=0.85, to_right=0.18, to_bottom=-0.1)
        return Scene(tuple(people), optics=self.optics, light=light, cloth=WALL, seed=self._seed)

    def card(self, number: int, face: Pixels, holding: Holding, since_ns: int = 0) -> Thing:
        """A student's card whose front is the picture ``face``: held face in from ``since_ns`` on until it is
        turned."""
        desk = self.desks[number]
        turn = 90.0 * holding.way + holding.tilt
        back, front = (Pose(desk.x, desk.y, desk.z + 40, turn, flip) for flip in (BACK_UP, 0.0))
        keys: Keys = ((since_ns, back),)
        if holding.turned_ns is not None:
            keys = ((holding.turned_ns - TURNS_NS, back), (holding.turned_ns, front))
            if holding.turned_ns <= since_ns:
                keys = ((since_ns, front),)
        held = _held(face.tobytes(), face.shape[0], holding.way % 4, desk.skin)
        return Thing(f"card {number}", Print(held, np.full((8, 8, 3), 235, np.uint8), (CARD_MM, CARD_MM), 0.1), keys)

    def _person(self, number: int) -> tuple[Thing, ...]:
        desk = self.desks[number]
        body, head = _plain(desk.clothes), _head(desk.skin, desk.clothes)
        return (
            Thing(f"body {number}", Print(body, body, (400, 460), 0), ((0, Pose(desk.x, desk.y + 130, desk.z)),)),
            Thing(f"head {number}", Print(head, head, (160, 210), 0), ((0, Pose(desk.x, desk.y - 215, desk.z + 1)),)),
        )


@lru_cache(maxsize=128)
def _held(face: bytes, side: int, way: int, skin: Skin) -> Pixels:
    """A card's front with two thumbs at the edge that is down when it is held turned by ``way`` quarters."""
    picture = np.frombuffer(face, np.uint8).reshape(side, side, 3)
    upright = np.rot90(picture, -way).copy()
    for x in (0.3, 0.7):
        cv2.ellipse(
            upright,
            (round(x * side), side),
            (round(0.055 * side), round(0.085 * side)),
            0,
            0,
            360,
            skin,
            -1,
            cv2.LINE_AA,
        )
    return np.ascontiguousarray(np.rot90(upright, way))


@lru_cache(maxsize=16)
def _plain(colour: Skin) -> Pixels:
    return np.full((8, 8, 3), colour, np.uint8)


@lru_cache(maxsize=64)
def _head(skin: Skin, hair: Skin) -> Pixels:
    picture = np.full((64, 48, 3), skin, np.uint8)
    picture[:16] = np.array(hair) // 3
    for x in (15, 33):
        cv2.circle(picture, (x, 30), 3, (20, 20, 20), -1, cv2.LINE_AA)
    cv2.line(picture, (17, 48), (31, 48), (90, 40, 40), 2, cv2.LINE_AA)
    return picture
