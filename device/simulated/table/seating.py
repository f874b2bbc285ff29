"""The seating of the simulated table: the people, each seat's zone in the frame, and the position of a hand in a
stance."""

import math
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Size
from device.simulated.table import hand
from device.simulated.table.animation import Stance
from device.simulated.table.people import SimulatedPerson

Zone = tuple[float, float, float, float]

HAND_SHARE_OF_ZONE = 0.5
"""An adult's open hand as a share of its zone's side. The hand model is best at hands of 25 to 60% of its input."""
VIEW_DEG = 66.0
"""Horizontal angle of view, as of Raspberry Pi's Camera Module 3."""
THROW_HEIGHT_MM, RESTING_HEIGHT_MM = 60.0, 54.0
"""Height of the wrist while throwing, and of the wrist of a fist lying on the table."""
DRAWN_BACK_MM = 90.0
"""How far a resting hand lies behind the place where it throws."""

SHOULDER_BEYOND_EDGE_MM = 200.0
"""Assumed distance of a shoulder from the frame's edge."""


@dataclass(frozen=True)
class OverheadOptics:
    """A camera over the table's middle, looking straight down."""

    size: Size
    focal_px: float
    height_mm: float

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project points of the table (…, 3), in mm, to pixels (…, 2)."""
        scale = self.focal_px / (self.height_mm - points[..., 2])
        u = self.size[0] / 2 + points[..., 0] * scale
        return np.stack([u, self.size[1] / 2 - points[..., 1] * scale], axis=-1)


def _zone_boxes(seats: int, size: Size) -> tuple[float, list[tuple[float, float, float]]]:
    """Return the side of the zones in pixels, and each zone's centre and viewing direction (degrees, 0 up in the
    image).

    Two sit left and right, the others above and below them: up to three in a row, eight in all. The seats go
    anticlockwise from the left one, so that each one's right neighbour is the next.
    """
    width, height = size
    row = math.ceil((seats - 2) / 2)
    side = min(0.61 * height, width / 2.4) if row == 0 else min(0.47 * height, width / (row + 2) / 1.02)
    # one hundredth of a zone is left free around each
    reach = 0.23 * width if row == 0 else min(0.5 * width - 0.51 * side, (row + 1) * 0.51 * side + 0.05 * width)
    below, above = (
        [width / 2 + (column - (count - 1) / 2) * side * 1.02 for column in range(count)]
        for count in ((seats - 2) // 2, row)
    )
    boxes = [
        (width / 2 - reach, height / 2, -90.0),
        *((x, height - 0.51 * side, 0.0) for x in below),
        (width / 2 + reach, height / 2, 90.0),
        *((x, 0.51 * side, 180.0) for x in reversed(above)),
    ]
    return side, boxes


class SimulatedSeat:
    """A person at their seat.

    Args:
        centre: Where in the frame the middle of the hand's shapes is to be, in pixels.
        ahead_deg: The direction the person faces, 0 up in the image.
        above_mm: Height above the usual throwing height.
        arm_mm: Length of the arm, in hand space.
    """

    def __init__(
        self,
        person: SimulatedPerson,
        optics: OverheadOptics,
        centre: tuple[float, float],
        ahead_deg: float,
        above_mm: float = 0.0,
        arm_mm: float = hand.ARM_MM,
    ) -> None:
        self.person = person
        self.optics = optics
        self.above_mm = above_mm
        self.yaw_deg = ahead_deg + person.yaw_deg
        ahead = math.radians(self.yaw_deg + 90)
        self.ahead = np.array([math.cos(ahead), math.sin(ahead)])
        self.arm_mm = arm_mm
        self.poses = hand.personal_poses(person.habit)
        self._wrist_mm = np.zeros(2)
        for _ in range(3):  # the perspective changes with the position, so iterate
            self._wrist_mm += self._offset_from_centre(centre)
        self._out_of_sight_mm = self._distance_to_edge() + 1.15 * hand.LENGTH_MM * person.size

    def _offset_from_centre(self, centre: tuple[float, float]) -> NDArray[np.float64]:
        """Return how far the middle of the hand's shapes is from ``centre``, in mm on the table."""
        shapes = (Stance(), Stance(paper=1), Stance(scissors=1))
        joints = np.concatenate([self.optics.project(self.hand(shape).joints) for shape in shapes])
        off = np.array(centre) - (joints.min(axis=0) + joints.max(axis=0)) / 2
        mm = (self.optics.height_mm - THROW_HEIGHT_MM - self.above_mm) / self.optics.focal_px
        return np.array([off[0] * mm, -off[1] * mm])

    def _distance_to_edge(self) -> float:
        """Return the distance in mm from the wrist to where the arm crosses the frame's edge."""
        half = np.array(self.optics.size) / 2 * self.optics.height_mm / self.optics.focal_px
        with np.errstate(divide="ignore"):
            ways = np.where(self.ahead < 0, half - self._wrist_mm, half + self._wrist_mm) / np.abs(self.ahead)
        return max(0.0, float(ways.min()))

    @property
    def shoulder(self) -> NDArray[np.float64]:
        """About where the arm comes from, in mm on the table, beyond the frame's edge."""
        return self._wrist_mm - self.ahead * (self._distance_to_edge() + SHOULDER_BEYOND_EDGE_MM)

    def towards(self, other: "SimulatedSeat", share: float) -> "SimulatedSeat":
        """Return the same hand ``share`` (0 to 1) of the way to its place in ``other``."""
        between = copy(self)
        between._wrist_mm = self._wrist_mm + (other._wrist_mm - self._wrist_mm) * share
        between.yaw_deg = self.yaw_deg + ((other.yaw_deg - self.yaw_deg + 180) % 360 - 180) * share
        between.above_mm = self.above_mm + (other.above_mm - self.above_mm) * share
        ahead = math.radians(between.yaw_deg + 90)
        between.ahead = np.array([math.cos(ahead), math.sin(ahead)])
        between.arm_mm = other.arm_mm
        return between

    def hand(self, stance: Stance) -> hand.HandModel:
        """Return the hand in ``stance``. A pump rotates the forearm about the elbow, so a rising hand also moves
        back."""
        person = self.person
        pose = hand.blend_poses(self.poses, stance.shares, stance.ahead)
        elbow = hand.ELBOW_MM * person.size
        turn = math.asin(min(0.9, stance.lift * person.lift_mm / elbow))
        back = elbow * (1 - math.cos(turn)) + stance.rest * DRAWN_BACK_MM
        if stance.away:
            back += stance.away * self._out_of_sight_mm
        height = (
            THROW_HEIGHT_MM
            + self.above_mm
            + (RESTING_HEIGHT_MM - THROW_HEIGHT_MM) * stance.rest
            + elbow * math.sin(turn)
        )
        x, y = self._wrist_mm - self.ahead * back
        pitch = math.degrees(turn) - 2.0
        placement = hand.HandPlacement((float(x), float(y), height), self.yaw_deg, person.roll_deg, pitch)
        return hand.make_hand(person, pose, placement, self.arm_mm)


class SimulatedSeating:
    """The camera over the table, the zones and the seats, for a frame of ``size``. Raises ValueError unless there are 2
    to 8 people."""

    def __init__(self, people: Iterable[SimulatedPerson], size: Size) -> None:
        self.people = tuple(people)
        if not 2 <= len(self.people) <= 8:
            raise ValueError(f"a simulated table has 2 to 8 seats, not {len(self.people)}")
        self.size = size
        self._side, self._boxes = _zone_boxes(len(self.people), size)
        focal = size[0] / 2 / math.tan(math.radians(VIEW_DEG / 2))
        # a hand of LENGTH_MM, HOVER_MM above the table, fills HAND_OF_ZONE of the zone
        self.optics = OverheadOptics(
            size, focal, THROW_HEIGHT_MM + focal * hand.LENGTH_MM / (HAND_SHARE_OF_ZONE * self._side)
        )

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """Each seat's zone: left, top, width, height as shares of the frame."""
        width, height = self.size
        side = self._side
        return tuple(
            ((x - side / 2) / width, (y - side / 2) / height, side / width, side / height) for x, y, _ in self._boxes
        )

    @property
    def zone_side_px(self) -> float:
        """The side of every zone, in pixels."""
        return self._side

    @property
    def zone_centres(self) -> tuple[tuple[float, float], ...]:
        """The middle of each seat's zone, in pixels."""
        return tuple((x, y) for x, y, _ in self._boxes)

    @cached_property
    def seats(self) -> tuple[SimulatedSeat, ...]:
        """The seats in order."""
        return tuple(
            SimulatedSeat(person, self.optics, (x, y), ahead)
            for person, (x, y, ahead) in zip(self.people, self._boxes, strict=True)
        )
