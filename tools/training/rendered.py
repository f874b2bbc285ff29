"""Rendered hands, one a picture: any shape, turned any way, of any skin, in good light or poor. The same seed always
makes the same picture."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from device.camera.frames import Pixels
from device.simulated.table import sensor, tracer
from device.simulated.table.hand import LENGTH_MM, Body, Placing, make_hand
from device.simulated.table.materials import CLOTHS, coat, lamp, weave
from device.simulated.table.scene import SHADOW_PX
from device.simulated.table.seating import Person
from tools.training.poses import made

PX = 256
"""Side of a picture."""
CAMERA_MM = 800.0
"""Height of the camera above the table."""
LOWEST_MM = 26.0
"""How high the lowest joint lies: the hand rests on the table or hovers just above it."""

VIEWS: Mapping[str, tuple[float, float]] = {
    "palm down": (5, 14),
    "palm up": (180, 14),
    "edge, thumb up": (90, 14),
    "edge, thumb down": (-90, 14),
}
"""How the forearm is turned: mean and standard deviation in degrees."""
LIGHTS: Mapping[str, tuple[float, float]] = {"good": (1.0, 2.0), "dim": (0.35, 4.0), "poor": (0.12, 6.0)}
"""Light as a share of a well lit table's, and the noise of a sensor that makes up for it, in levels of 255."""


@dataclass(frozen=True)
class Shot:
    """A picture to be rendered: the shape's name, how the forearm is turned (of VIEWS), the light (of LIGHTS), skin
    from 0 the lightest to 1 the darkest, whether it is a left hand, how far it moves while it is exposed (in pixels),
    and the seed of all else."""

    shape: str
    view: str = "palm down"
    light: str = "good"
    skin: float = 0.3
    left: bool = False
    moves_px: int = 0
    seed: int = 0

    @property
    def name(self) -> str:
        """A name that no other picture has, as a path."""
        parts = (self.shape, self.view, self.light, f"{self.skin:.4f}", self.left, self.moves_px, self.seed)
        return "rendered/" + "-".join(str(part).replace(", ", "_").replace(" ", "_") for part in parts)


def photograph(shot: Shot) -> Pixels:
    """The picture (PX, PX, 3)."""
    random = np.random.default_rng([shot.seed, 21])
    pose = made(shot.shape, random)
    sleeve = (int(random.integers(20, 220)), int(random.integers(20, 220)), int(random.integers(20, 220)))
    person = Person(
        skin=shot.skin,
        left=shot.left,
        size=float(random.uniform(0.72, 1.08)),
        build=float(random.uniform(0.92, 1.1)),
        sleeve=sleeve if random.random() < 0.5 else None,
    )
    cuff = float(random.uniform(60, 200)) if person.sleeve else None
    body = Body(person.left, person.size, person.build, float(random.normal(0, 6)), cuff)
    yaw, pitch = float(random.uniform(0, 360)), float(random.normal(0, 10))
    roll = float(random.normal(*VIEWS[shot.view]))
    joints = make_hand(body, pose, Placing((0, 0, 0), yaw, roll, pitch)).joints
    low, high = joints.min(0), joints.max(0)
    where = (-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, LOWEST_MM - low[2])
    hand = make_hand(body, pose, Placing((float(where[0]), float(where[1]), float(where[2])), yaw, roll, pitch))

    seen_mm = LENGTH_MM * person.size / random.uniform(0.35, 0.6)
    focal = PX * (CAMERA_MM - 50) / seen_mm
    view = tracer.View(0.0, 0.0, 1.0, 1.0, PX / 2, PX / 2, focal, CAMERA_MM)
    level, noise = LIGHTS[shot.light]
    full = lamp(random)
    light = full._replace(lamp=_dimmed(full.lamp, level), around=_dimmed(full.around, level))
    cloth = weave(str(random.choice(list(CLOTHS))), (PX, PX), PX / seen_mm, random)
    exposed = _exposed(hand.field, person, view, light, cloth)
    if shot.moves_px:
        exposed = _moved(exposed, shot.moves_px, math.radians(random.uniform(0, 180)))
    out = np.empty((PX, PX, 3), np.uint8)
    sensor.develop(exposed, sensor.tone_curve(), view, noise, shot.seed, out)
    return out


def _dimmed(colour: tracer.Vector, level: float) -> tracer.Vector:
    return colour[0] * level, colour[1] * level, colour[2] * level


def _exposed(
    field: tracer.Field, person: Person, view: tracer.View, light: tracer.Light, cloth: tracer.Picture
) -> tracer.Picture:
    """The light of the hand over the cloth and its shadow."""
    side = math.ceil(PX / SHADOW_PX)
    shadow = np.ones((side, side, 2), np.float32)
    coarse = view._replace(step_x=view.step_x * SHADOW_PX, step_y=view.step_y * SHADOW_PX)
    tracer.cast_shadow(field, coarse, light, person.size, (0, 0, side, side), shadow)
    layer = np.zeros((PX, PX, 4), np.float32)
    tracer.trace(field, view, light, coat(person), 1.0, layer)
    wide = side * SHADOW_PX
    smooth = np.asarray(cv2.resize(shadow, (wide, wide), interpolation=cv2.INTER_LINEAR), np.float32)[:PX, :PX]
    picture = np.empty((PX, PX, 3), np.float32)
    sensor.light_cloth(cloth, smooth, light, layer, picture)
    return picture


def _moved(picture: tracer.Picture, way_px: int, direction: float) -> tracer.Picture:
    """The picture smeared along a straight way; the cloth moves too, which matters to no hand model."""
    kernel = np.zeros((way_px, way_px), np.float32)
    half = (way_px - 1) / 2
    dx, dy = half * math.cos(direction), half * math.sin(direction)
    ends = [(round(half - dx), round(half - dy)), (round(half + dx), round(half + dy))]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE), np.float32)
