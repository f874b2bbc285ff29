"""Render images of one hand each: any shape, direction and skin tone, in good or poor light. The same seed always gives
the same image."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from device.camera.frames import Pixels
from device.simulated.table import sensor, tracer
from device.simulated.table.hand import LENGTH_MM, HandPlacement, make_hand
from device.simulated.table.materials import CLOTHS, make_coat, random_light, weave_cloth
from device.simulated.table.people import SimulatedPerson
from device.simulated.table.scene import SHADOW_CELL_PX
from tools.training.poses import personal_pose

IMAGE_PX = 256
"""The side of an image."""
CAMERA_MM = 800.0
"""The camera's height above the table."""
LOWEST_JOINT_MM = 26.0
"""The height of the lowest joint: the hand rests on the table or hovers just above it."""

FOREARM_VIEWS: Mapping[str, tuple[float, float]] = {
    "palm down": (5, 14),
    "palm up": (180, 14),
    "edge, thumb up": (90, 14),
    "edge, thumb down": (-90, 14),
}
"""Rotations of the forearm: mean and standard deviation in degrees."""
LIGHT_LEVELS: Mapping[str, tuple[float, float]] = {"good": (1.0, 2.0), "dim": (0.35, 4.0), "poor": (0.12, 6.0)}
"""Light as a share of a well-lit table's, and the noise of a sensor that compensates for it, in levels of 255."""


DIGEST_SHOTS = (
    ("rock", "palm down", "good"),
    ("paper", "palm up", "dim"),
    ("scissors", "edge, thumb up", "poor"),
    ("relaxed", "edge, thumb down", "good"),
)
"""The shape, view and light of the shots that tell versions of the renderer apart."""


@dataclass(frozen=True)
class HandShot:
    """An image to render."""

    shape: str
    """The shape's name."""
    view: str = "palm down"
    """The forearm's rotation, one of ``FOREARM_VIEWS``."""
    light: str = "good"
    """One of ``LIGHT_LEVELS``."""
    skin: float = 0.3
    """The skin tone, 0 (lightest) to 1 (darkest)."""
    left: bool = False
    """Whether it is a left hand."""
    motion_px: int = 0
    """How far the hand moves during the exposure."""
    seed: int = 0
    """Of everything else."""

    @property
    def name(self) -> str:
        """A unique name, as a path without a suffix."""
        parts = (self.shape, self.view, self.light, f"{self.skin:.4f}", self.left, self.motion_px, self.seed)
        return "rendered/" + "-".join(str(part).replace(", ", "_").replace(" ", "_") for part in parts)


@cache
def renderer_digest() -> str:
    """Return a digest of what the renderer makes of a few shots, to tell its versions apart."""
    shots = (HandShot(*shot, motion_px=4 * number) for number, shot in enumerate(DIGEST_SHOTS))
    return hashlib.sha256(b"".join(render_shot(shot).tobytes() for shot in shots)).hexdigest()[:12]


def render_shot(shot: HandShot) -> Pixels:
    """Render the image (IMAGE_PX, IMAGE_PX, 3)."""
    rng = np.random.default_rng([shot.seed, 21])
    pose = personal_pose(shot.shape, rng)
    sleeve = (int(rng.integers(20, 220)), int(rng.integers(20, 220)), int(rng.integers(20, 220)))
    person = SimulatedPerson(
        skin=shot.skin,
        left=shot.left,
        size=float(rng.uniform(0.72, 1.08)),
        build=float(rng.uniform(0.92, 1.1)),
        sleeve=sleeve if rng.random() < 0.5 else None,
    )
    cuff = float(rng.uniform(60, 200)) if person.sleeve else person.cuff_mm
    person = replace(person, cuff_mm=cuff, wrist_deg=float(rng.normal(0, 6)))
    yaw, pitch = float(rng.uniform(0, 360)), float(rng.normal(0, 10))
    roll = float(rng.normal(*FOREARM_VIEWS[shot.view]))
    joints = make_hand(person, pose, HandPlacement((0, 0, 0), yaw, roll, pitch)).joints
    low, high = joints.min(0), joints.max(0)
    where = (-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, LOWEST_JOINT_MM - low[2])
    hand = make_hand(person, pose, HandPlacement((float(where[0]), float(where[1]), float(where[2])), yaw, roll, pitch))

    seen_mm = LENGTH_MM * person.size / rng.uniform(0.35, 0.6)
    focal = IMAGE_PX * (CAMERA_MM - 50) / seen_mm
    view = tracer.CameraView(0.0, 0.0, 1.0, 1.0, IMAGE_PX / 2, IMAGE_PX / 2, focal, CAMERA_MM)
    level, noise = LIGHT_LEVELS[shot.light]
    full = random_light(rng)
    light = full._replace(lamp=_dim(full.lamp, level), ambient=_dim(full.ambient, level))
    cloth = weave_cloth(str(rng.choice(list(CLOTHS))), (IMAGE_PX, IMAGE_PX), IMAGE_PX / seen_mm, rng)
    exposed = _expose(hand.field, person, view, light, cloth)
    if shot.motion_px:
        exposed = _smear(exposed, shot.motion_px, math.radians(rng.uniform(0, 180)))
    out = np.empty((IMAGE_PX, IMAGE_PX, 3), np.uint8)
    sensor.develop(exposed, sensor.tone_curve(), view, noise, shot.seed, out)
    return out


def _dim(colour: tracer.Vector, level: float) -> tracer.Vector:
    return colour[0] * level, colour[1] * level, colour[2] * level


def _expose(
    field: tracer.HandSegments,
    person: SimulatedPerson,
    view: tracer.CameraView,
    light: tracer.LampLight,
    cloth: tracer.LinearPicture,
) -> tracer.LinearPicture:
    """Render the light that reaches the sensor: the hand over the cloth and its shadow."""
    side = math.ceil(IMAGE_PX / SHADOW_CELL_PX)
    shadow = np.ones((side, side, 2), np.float32)
    coarse = view._replace(step_x=view.step_x * SHADOW_CELL_PX, step_y=view.step_y * SHADOW_CELL_PX)
    tracer.cast_shadow(field, coarse, light, person.size, (0, 0, side, side), shadow)
    layer = np.zeros((IMAGE_PX, IMAGE_PX, 4), np.float32)
    tracer.trace(field, view, light, make_coat(person), 1.0, layer)
    wide = side * SHADOW_CELL_PX
    smooth = np.asarray(cv2.resize(shadow, (wide, wide), interpolation=cv2.INTER_LINEAR), np.float32)[
        :IMAGE_PX, :IMAGE_PX
    ]
    picture = np.empty((IMAGE_PX, IMAGE_PX, 3), np.float32)
    sensor.compose_picture(cloth, smooth, light, layer, picture)
    return picture


def _smear(picture: tracer.LinearPicture, motion_px: int, direction: float) -> tracer.LinearPicture:
    """Blur the image along a straight motion; the cloth moves too, which makes no difference to a hand model."""
    kernel = np.zeros((motion_px, motion_px), np.float32)
    half = (motion_px - 1) / 2
    dx, dy = half * math.cos(direction), half * math.sin(direction)
    ends = [(round(half - dx), round(half - dy)), (round(half + dx), round(half + dy))]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE), np.float32)
