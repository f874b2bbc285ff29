"""A simulated classroom: students in rows, each holding a card towards themselves until they turn it to the camera.

room = SimulatedClassroom(30)
camera = PrintedCamera(clock, room.scene())
camera.place(room.card(7, face, HeldCard(quarter_turns=2, shown_ns=cue_ns + 300_000_000)))
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from device.camera.frames import Pixels, Size
from device.simulated.printed.objects import (
    Keyframes,
    ObjectPose,
    PrintedObject,
    PrintedSheet,
    RgbColour,
    RoomLight,
    TiltedCameraOptics,
)
from device.simulated.printed.scene import PrintedScene

CARD_MM = 134.0
"""Side of a class card, in mm."""
LAST_ROW_MM, ROWS_DEPTH_MM = 8000.0, 2500.0
"""Distance from the camera to the last row, and from the last row to the first."""
STUDENT_SPACING_MM = 540.0
"""Distance between neighbours in a row."""
MIN_MARKER_PX = 27
"""Side of the smallest marker in pixels; the reader is specified from 24 on."""
SKIN_COLOURS: tuple[RgbColour, ...] = (
    (92, 62, 44),
    (141, 98, 68),
    (196, 146, 112),
    (226, 184, 154),
    (60, 42, 32),
    (241, 208, 184),
)
CLOTHES_COLOURS: tuple[RgbColour, ...] = (
    (60, 80, 120),
    (130, 60, 60),
    (70, 110, 80),
    (180, 180, 185),
    (40, 40, 46),
    (170, 140, 70),
)
WALL_COLOUR = (126, 122, 112)
CARD_TURN_NS = 350_000_000
"""Time to turn a card to the camera."""
BACK_UP_DEG = 180.0


@dataclass(frozen=True)
class HeldCard:
    """How a student holds a card."""

    quarter_turns: int
    """Rotation by right angles, clockwise."""
    shown_ns: int | None = 0
    """From when on it faces the camera; None: never."""
    tilt_deg: float = 0.0
    """Further rotation, clockwise."""


@dataclass(frozen=True)
class SimulatedStudent:
    """The position of a student's card, in mm, and the student's colours."""

    x: float
    y: float
    z: float
    skin: RgbColour
    clothes: RgbColour


class SimulatedClassroom:
    """A class of ``students``, numbered row by row from the back. Without a ``size``, the image is large enough for 100
    mm in the last row to be MIN_MARKER_PX wide. The same seed gives the same students."""

    def __init__(self, students: int, size: Size | None = None, seed: int = 0) -> None:
        across = max(4, math.ceil(math.sqrt(students * 1.3)))
        rows = math.ceil(students / across)
        front_mm = LAST_ROW_MM - ROWS_DEPTH_MM
        view_mm = (across + 0.6) * STUDENT_SPACING_MM * LAST_ROW_MM / front_mm
        if size is None:
            wide = 16 * math.ceil(MIN_MARKER_PX * view_mm / 100 / 16)
            size = (wide, wide * 9 // 16)
        self.optics = TiltedCameraOptics(size, LAST_ROW_MM, view_mm, blur_px=0.6, noise=3.0)
        self._seed = seed
        rng = np.random.default_rng([seed, 63])
        self.people: dict[int, SimulatedStudent] = {}
        for number in range(1, students + 1):
            row, column = divmod(number - 1, across)
            row_length = min(across, students - row * across)
            z = ROWS_DEPTH_MM * row / max(1, rows - 1)
            down = (row + 0.62) / (rows + 0.3) - 0.5
            y = down * size[1] * (LAST_ROW_MM - z) / self.optics.focal_px
            x = (column - (row_length - 1) / 2 + 0.3 * (row % 2) - 0.15) * STUDENT_SPACING_MM
            skin, clothes = (some[int(rng.integers(len(some)))] for some in (SKIN_COLOURS, CLOTHES_COLOURS))
            offset = rng.normal(0, 30, 2)
            self.people[number] = SimulatedStudent(x + float(offset[0]), y + float(offset[1]), z, skin, clothes)

    def scene(self) -> PrintedScene:
        """Return the room with all students and no cards."""
        people = [thing for number in self.people for thing in self._person(number)]
        light = RoomLight(level=0.85, to_right=0.18, to_bottom=-0.1)
        return PrintedScene(tuple(people), optics=self.optics, light=light, cloth=WALL_COLOUR, seed=self._seed)

    def card(self, number: int, face: Pixels, held: HeldCard, since_ns: int = 0) -> PrintedObject:
        """Return a student's card with the front ``face``, held towards the student from ``since_ns`` until it is
        turned."""
        student = self.people[number]
        turn = 90.0 * held.quarter_turns + held.tilt_deg
        face_in, face_out = (
            ObjectPose(student.x, student.y, student.z + 40, turn, flip) for flip in (BACK_UP_DEG, 0.0)
        )
        keyframes: Keyframes = ((since_ns, face_in),)
        if held.shown_ns is not None:
            keyframes = ((held.shown_ns - CARD_TURN_NS, face_in), (held.shown_ns, face_out))
            if held.shown_ns <= since_ns:
                keyframes = ((since_ns, face_out),)
        front = _card_with_thumbs(face.tobytes(), face.shape[0], held.quarter_turns % 4, student.skin)
        return PrintedObject(
            f"card {number}", PrintedSheet(front, np.full((8, 8, 3), 235, np.uint8), (CARD_MM, CARD_MM), 0.1), keyframes
        )

    def _person(self, number: int) -> tuple[PrintedObject, ...]:
        student = self.people[number]
        body, head = _plain_picture(student.clothes), _head_picture(student.skin, student.clothes)
        return (
            PrintedObject(
                f"body {number}",
                PrintedSheet(body, body, (400, 460), 0),
                ((0, ObjectPose(student.x, student.y + 130, student.z)),),
            ),
            PrintedObject(
                f"head {number}",
                PrintedSheet(head, head, (160, 210), 0),
                ((0, ObjectPose(student.x, student.y - 215, student.z + 1)),),
            ),
        )


@lru_cache(maxsize=128)
def _card_with_thumbs(face: bytes, side: int, quarter_turns: int, skin: RgbColour) -> Pixels:
    """Return a card's front with two thumbs at the edge that is at the bottom after the quarter turns."""
    picture = np.frombuffer(face, np.uint8).reshape(side, side, 3)
    upright = np.rot90(picture, -quarter_turns).copy()
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
    return np.ascontiguousarray(np.rot90(upright, quarter_turns))


@lru_cache(maxsize=16)
def _plain_picture(colour: RgbColour) -> Pixels:
    return np.full((8, 8, 3), colour, np.uint8)


@lru_cache(maxsize=64)
def _head_picture(skin: RgbColour, hair: RgbColour) -> Pixels:
    picture = np.full((64, 48, 3), skin, np.uint8)
    picture[:16] = np.array(hair) // 3
    for x in (15, 33):
        cv2.circle(picture, (x, 30), 3, (20, 20, 20), -1, cv2.LINE_AA)
    cv2.line(picture, (17, 48), (31, 48), (90, 40, 40), 2, cv2.LINE_AA)
    return picture
