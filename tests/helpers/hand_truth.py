"""The ground truth of the hands at a simulated table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from device.simulated.table.actors import HandActor, disturbance_actor, player_actor
from device.simulated.table.camera import SimulatedTable
from device.simulated.table.disturbances import Disturbance
from device.simulated.table.sensor import camera_movement as movement_of_camera
from device.simulated.table.sensor import transform_points


@dataclass(frozen=True)
class HandTruth:
    """Ground truth of a hand at one moment."""

    openness: float
    """0 for a fist, 1 for another shape, 0.5 at the moment the throw is shown."""
    shape: str
    """The closest shape: "rock", "paper", "scissors" or "half-open"."""
    keypoints: NDArray[np.float64]
    """Its 21 joints (21, 2) in pixels of the frame, which may lie outside it, in the order of MediaPipe's hand
    landmarks."""


def hand_truth(table: SimulatedTable, seat: int, when_ns: int) -> HandTruth:
    """Return the ground truth of a seat's throwing hand at ``when_ns``, wherever it is."""
    schedule = table.schedules[seat - 1]
    return _to_truth(table, player_actor(table.seating, seat, schedule, table.disturbances, table.seed), when_ns)


def disturbance_truth(table: SimulatedTable, disturbance: Disturbance, when_ns: int) -> HandTruth:
    """Return the ground truth of a disturbance's hand: a second one, one astray, or one that reaches over. Raises
    ValueError when it has no hand."""
    schedule = table.schedules[(disturbance.seat or 1) - 1]
    return _to_truth(table, disturbance_actor(table.seating, disturbance, schedule, table.seed), when_ns)


def _to_truth(table: SimulatedTable, actor: HandActor, when_ns: int) -> HandTruth:
    action = actor.action_at(when_ns)
    points = table.seating.optics.project(actor.hand_for(action).joints)
    points = transform_points(points, camera_movement(table, when_ns))
    return HandTruth(action.stance.openness, action.stance.shape, points)


def camera_movement(table: SimulatedTable, when_ns: int) -> NDArray[np.float64]:
    """Return the camera's movement (2, 3) at ``when_ns``: it maps a point (x, y, 1) of the unmoved frame to where it is
    seen, in pixels."""
    return movement_of_camera(table.disturbances, when_ns, table.size, table.seed)
