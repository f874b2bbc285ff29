"""The materials and the light of the simulated table: skin, sleeves, cloths and the lamp."""

import math
from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Size
from device.simulated.table import tracer
from device.simulated.table.people import SimulatedPerson

Array = NDArray[np.float64]

SKIN_TONES = (
    ((238, 200, 178), (243, 196, 178)),
    ((226, 180, 150), (235, 184, 162)),
    ((205, 150, 115), (225, 168, 142)),
    ((172, 118, 84), (208, 150, 122)),
    ((128, 84, 58), (186, 130, 104)),
    ((84, 56, 42), (160, 110, 90)),
)
"""Back of the hand and palm, from the lightest to the darkest skin, in sRGB: one for each of Fitzpatrick's six types,
picked by eye from photographs."""


def srgb_to_linear(srgb: Sequence[float] | Array) -> Array:
    """Convert sRGB values (0 to 255) to linear light (0 to 1), by IEC 61966-2-1."""
    c = np.asarray(srgb, float) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def _to_vector(values: Array) -> tracer.Vector:
    return float(values[0]), float(values[1]), float(values[2])


@cache
def make_coat(person: SimulatedPerson) -> tracer.HandCoat:
    """Return the skin and sleeve of a person."""
    tone = person.skin * (len(SKIN_TONES) - 1)
    lower = min(int(tone), len(SKIN_TONES) - 2)
    share = tone - lower
    back, palm = (
        _to_vector(
            srgb_to_linear(
                np.array(SKIN_TONES[lower][side]) * (1 - share) + np.array(SKIN_TONES[lower + 1][side]) * share
            )
        )
        for side in (0, 1)
    )
    return tracer.HandCoat(back, palm, _to_vector(srgb_to_linear(person.sleeve or (128, 128, 128))), person.size)


# -------- cloths


class _Weaver:
    """Makes patterns of a frame's size; ``px`` is the number of pixels per mm."""

    def __init__(self, size: Size, px: float, random: np.random.Generator) -> None:
        self.width, self.height = size
        self.px = px
        self.random = random
        self.x: Array = (np.arange(self.width) / px)[None, :]
        self.y: Array = (np.arange(self.height) / px)[:, None]

    def cloudy(self, wide_mm: float, high_mm: float) -> Array:
        """Return noise of standard deviation 1 with details of the given size."""
        w = max(2, int(self.width / max(1.0, wide_mm * self.px)) + 2)
        h = max(2, int(self.height / max(1.0, high_mm * self.px)) + 2)
        small = self.random.normal(0, 1, (h, w)).astype(np.float32)
        return np.asarray(cv2.resize(small, (self.width, self.height), interpolation=cv2.INTER_CUBIC), float)

    def fine(self) -> Array:
        """Return the grain that every surface has."""
        return 1 + 0.02 * self.cloudy(1, 1) + 0.02 * self.cloudy(3, 3)

    def wood(self) -> Array:
        """Return planks 110 mm wide of varying brightness, with dark joints between them."""
        grain = 0.10 * self.cloudy(140, 7) + 0.07 * self.cloudy(60, 2) + 0.08 * self.cloudy(300, 40)
        plank = np.floor(self.y / 110)
        own = (plank * 7919 % 13 / 13 - 0.5) * 0.16
        joint = np.where(self.y % 110 < 2.5, 0.65, 1.0)
        planks: Array = (self.fine() + grain + own) * joint
        return planks

    def felt(self) -> Array:
        """Return short fibres."""
        return 1 + 3 * (self.fine() - 1) + 0.05 * self.cloudy(2, 2)

    def check(self) -> Array:
        """Return a gingham of 20 mm: two crossing colours make three tones."""
        threads: Array = (self.x % 40 < 20).astype(float) + (self.y % 40 < 20)
        return self.fine() - 0.22 * threads

    def stripes(self) -> Array:
        """Return stripes of 12 mm along the frame's height."""
        dark: Array = (self.x % 36 < 12).astype(float)
        return self.fine() - 0.25 * dark

    def plain(self) -> Array:
        """Return one colour with faint clouds."""
        return self.fine() + 0.02 * self.cloudy(200, 200)


CLOTHS = {
    "plain": ("plain", ((225, 222, 214),)),
    "grey": ("plain", ((120, 122, 126),)),
    "wood": ("wood", ((176, 128, 82),)),
    "walnut": ("wood", ((92, 58, 36),)),
    "felt": ("felt", ((30, 92, 60), (34, 60, 110), (110, 30, 40))),
    "check": ("check", ((214, 208, 198), (158, 180, 212), (168, 196, 160))),
    "stripes": ("stripes", ((190, 180, 160), (150, 170, 150))),
}
"""The table cloths: pattern, and colours (sRGB) to choose from. There is no pink check: on (222, 158, 150) the hand
model finds only 39 of 64 hands."""


def weave_cloth(cloth: str, size: Size, px_per_mm: float, random: np.random.Generator) -> tracer.LinearPicture:
    """Return the reflectance of a cloth, (height, width, 3). Raises ValueError for an unknown cloth."""
    if cloth not in CLOTHS:
        raise ValueError(f"there is no table cloth {cloth!r}; choose from {', '.join(CLOTHS)}")
    pattern, colours = CLOTHS[cloth]
    colour = srgb_to_linear(colours[int(random.integers(len(colours)))])
    weaver = _Weaver(size, px_per_mm, random)
    bright = np.clip(getattr(weaver, pattern)(), 0.05, 3.0)
    return np.ascontiguousarray(np.clip(bright[..., None] * colour, 0, 1), dtype=np.float32)


def random_light(random: np.random.Generator) -> tracer.LampLight:
    """Return a random lamp, 48 to 78 degrees above the table and close to daylight in colour, and the ambient light."""
    turn, rise = random.uniform(0, 2 * math.pi), math.radians(random.uniform(48, 78))
    towards = np.array([math.cos(turn) * math.cos(rise), math.sin(turn) * math.cos(rise), math.sin(rise)])
    exposure = random.uniform(0.8, 0.95)
    colour = exposure * random.uniform(0.65, 0.95) * (1 + np.clip(random.normal(0, 0.05, 3), -0.1, 0.1))
    ambient = exposure * random.uniform(0.8, 1.2) * np.array([0.33, 0.35, 0.38])
    return tracer.LampLight(
        _to_vector(towards), _to_vector(colour), _to_vector(ambient), float(random.uniform(0.1, 0.3))
    )
