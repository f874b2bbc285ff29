"""What the builder's page works out: which mode the box takes of a camera, how high it hangs and how large hands are
then, how sharp and how bright the picture is, and which resistor a light needs. Plain sums over facts with a source."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from device.camera.frames import Size
from device.camera.picamera import READOUT_NS, Mode
from device.simulated.table.hand import LENGTH_MM
from device.simulated.table.seating import HOVER_MM
from throwlock.settings.model import CameraSettings
from vision.zone_detection import SHARE
from vision.zones import spread

CHILD = 0.75
"""A ten-year-old's hand, in lengths of a grown-up's, as the simulated table has them."""
FOUND = (0.25, 0.60)
"""The shares of a zone's side that a hand may fill: fists of rendered hands were found well from 25 to 60 %; of 15 % a
quarter was lost, of 80 % a tenth."""
FOCUS_DIOPTRES = 1.0
"""Where the lens of a Camera Module 3 stands as long as nobody moves it: at 1 m (libcamera, ipa_base.cpp, which puts it
at its default at the first start; that of imx708.json and imx708_wide.json is 1.0)."""
INCIDENT = 250.0
"""The constant of exposure by incident light, N²/t = lux × ISO / C, for a flat receiver (ISO 2720: 240 to 400)."""
ISO_AT_GAIN_1 = 100.0
"""The film speed that gain 1 is about as sensitive as. An assumption: no camera's own figure is published."""


@dataclass(frozen=True)
class SensorMode:
    """A mode as ``rpicam-hello --list-cameras`` names it: its size in pixels, frames a second, the bits of a pixel, and
    how much of the sensor it shows, in the sensor's own pixels."""

    size: Size
    fps: float
    bits: int
    crop: Size


@dataclass(frozen=True)
class Optics:
    """A camera with its lens: pixels in µm, focal length in mm, f-number, the angle across that its maker names, in
    degrees; ``picture``: the size in pixels that the box's pictures should be set to, of a mode's shape; ``motor``: the
    lens is moved by one."""

    name: str
    sensor: str
    pixel_um: float
    array: Size
    focal_mm: float
    aperture: float
    angle_deg: float
    modes: tuple[SensorMode, ...]
    picture: Size = (CameraSettings().width, CameraSettings().height)
    motor: bool = False

    @property
    def mode(self) -> SensorMode:
        """The mode that the box takes, as its adapter chooses where ``picture`` is set."""
        named = [{"size": mode.size, "fps": mode.fps, "bit_depth": mode.bits} for mode in self.modes]
        best = Mode.best(named, self.picture, CameraSettings().fps)
        return next(mode for mode in self.modes if (mode.size, mode.bits) == (best.size, best.bits))

    @property
    def fps(self) -> float:
        """Frames a second that the box gets: the mode's, and no more than are asked for."""
        return min(self.mode.fps, CameraSettings().fps)

    @property
    def readout_ms(self) -> float | None:
        """From the first row to the last, 0 for a global shutter; None where the adapter does not know."""
        known = READOUT_NS.get((self.sensor, self.mode.size[1]))
        return None if known is None else known / 1e6

    def field_mm(self, distance_mm: float) -> tuple[float, float]:
        """What of a plane so far away is in the picture: its width and height in mm."""
        scale = self.pixel_um / 1000 / self.focal_mm * distance_mm
        return self.mode.crop[0] * scale, self.mode.crop[1] * scale

    def reckoned_angle_deg(self) -> float:
        """The angle across the whole sensor, from its width and the focal length; to compare with ``angle_deg``."""
        return math.degrees(2 * math.atan(self.array[0] * self.pixel_um / 2000 / self.focal_mm))

    def blur_px(self, distance_mm: float) -> float:
        """The diameter in pixels of the mode to which a point so far away is blurred by the lens's resting focus."""
        off_dioptres = abs(1000 / distance_mm - FOCUS_DIOPTRES)
        blur_um = self.focal_mm**2 / self.aperture * off_dioptres
        return blur_um * 1e-3 / (self.pixel_um / 1000 * self.mode.crop[0] / self.mode.size[0])


# Sizes, lenses and angles: Raspberry Pi documentation, "Camera hardware" and "Recommended lenses". Modes and what they
# show of the sensor: rpicam-hello --list-cameras on a Pi, as printed in that documentation and in raspberrypi/linux
# #5438 (IMX219), raspberrypi/rpicam-apps #312 (IMX477) and AllskyTeam/allsky #3632 (IMX296).
_IMX708 = (
    SensorMode((1536, 864), 120.13, 10, (3072, 1728)),
    SensorMode((2304, 1296), 56.03, 10, (4608, 2592)),
    SensorMode((4608, 2592), 14.35, 10, (4608, 2592)),
)
_IMX477 = (
    SensorMode((1332, 990), 120.05, 10, (2664, 1980)),
    SensorMode((2028, 1080), 50.03, 12, (4056, 2160)),
    SensorMode((2028, 1520), 40.01, 12, (4056, 3040)),
    SensorMode((4056, 3040), 10.0, 12, (4056, 3040)),
)
_IMX219 = (
    SensorMode((640, 480), 206.65, 10, (1280, 960)),
    SensorMode((1640, 1232), 41.85, 10, (3280, 2464)),
    SensorMode((1920, 1080), 47.57, 10, (1920, 1080)),
    SensorMode((3280, 2464), 21.19, 10, (3280, 2464)),
)
_IMX296 = (SensorMode((1456, 1088), 60.38, 10, (1456, 1088)),)
CAMERAS = (
    Optics("Camera Module 3 Wide", "imx708", 1.4, (4608, 2592), 2.75, 2.2, 102, _IMX708, motor=True),
    Optics("Camera Module 3", "imx708", 1.4, (4608, 2592), 4.74, 1.8, 66, _IMX708, motor=True),
    Optics("Global Shutter Camera (6 mm lens)", "imx296", 3.45, (1456, 1088), 6.0, 1.2, 45, _IMX296, (1456, 1088)),
    Optics("HQ Camera (6 mm lens)", "imx477", 1.55, (4056, 3040), 6.0, 1.2, 55, _IMX477, (1332, 990)),
    Optics("Camera Module 2", "imx219", 1.12, (3280, 2464), 3.04, 2.0, 62.2, _IMX219, (1640, 1232)),
)
"""Raspberry Pi's cameras, the ones for most tables first."""


# -------- the table


@dataclass(frozen=True)
class Hanging:
    """A camera over a table, in mm: the lens's height over the table top, its distance from the hands, what it sees of
    the table; and a grown-up's open hand in pixels."""

    height_mm: float
    distance_mm: float
    table_mm: tuple[float, float]
    hand_px: int


def columns_rows(seats: int) -> tuple[int, int]:
    """How many zones stand side by side and above each other where nobody set up any."""
    zone = spread(seats)[0]
    return round(1 / zone.w), round(1 / zone.h)


def needed_mm(seats: int) -> tuple[float, float]:
    """The width and height, where hands are, that so many seats need: a grown-up's open hand fills half of its zone."""
    columns, rows = columns_rows(seats)
    side = LENGTH_MM / SHARE
    return columns * side, rows * side


def hanging(camera: Optics, seats: int) -> Hanging:
    """The least height at which every seat has the room it needs. Hands are ``HOVER_MM`` above the table top."""
    wide, high = camera.field_mm(1.0)
    need_wide, need_high = needed_mm(seats)
    distance = max(need_wide / wide, need_high / high)
    height = distance + HOVER_MM
    px_per_mm = camera.picture[0] / camera.field_mm(distance)[0]
    return Hanging(height, distance, camera.field_mm(height), round(LENGTH_MM * px_per_mm))


def lux(aperture: float, exposure_s: float, gain: float) -> float:
    """The light on the table, in lux, at which an exposure is as bright as a light meter would have it."""
    return INCIDENT * aperture**2 / (exposure_s * gain * ISO_AT_GAIN_1)


def ring_seconds(camera: Optics, budget: int, keep_s: float) -> float:
    """How many seconds of pictures the ring holds within ``budget`` bytes: one and a half bytes a pixel (YUV420)."""
    wide, high = camera.picture
    return min(keep_s, budget / (wide * high * 1.5 * camera.fps))


# -------- lights

PIN_V = 3.3
"""What a pin gives."""
PIN_MA = 4.0
"""The most that a light may take: a Pi 4's pin gives it at its usual drive strength and keeps 2.6 V or more (Raspberry
Pi documentation, "Voltage specifications", BCM2711: 4 mA)."""
SHORT_MA = 16.0
"""What a pin can take at all (Raspberry Pi documentation, "Power supply")."""
ALL_MA = 50.0
"""What all pins together can give (the same page)."""
E12 = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
"""The resistors that are sold everywhere, and their tenfolds."""


@dataclass(frozen=True)
class Led:
    """A light and the volts it takes. They follow from the mA that MonkMakes measured of its LEDs at 3.3 V with 470 Ω
    (Raspberry Squid data sheet: red 3.0, green 2.0, blue 1.6)."""

    colour: str
    measured_ma: float

    @property
    def forward_v(self) -> float:
        """The volts between its legs."""
        return PIN_V - 470 * self.measured_ma / 1000

    def ma(self, ohm: float) -> float:
        """The current through it and a resistor, in mA."""
        return (PIN_V - self.forward_v) / ohm * 1000

    @property
    def ohm(self) -> int:
        """The least resistor of E12 with which it takes no more than a pin should give."""
        return resistor((PIN_V - self.forward_v) / PIN_MA * 1000)


LEDS = (Led("red", 3.0), Led("green", 2.0), Led("blue", 1.6))


def resistor(least_ohm: float) -> int:
    """The least of E12, from 10 to 8,200 Ω, that has so many ohms. Raises ValueError where none has."""
    decades: Sequence[int] = [digits * 10**power for power in range(3) for digits in E12]
    fitting = [ohm for ohm in decades if ohm >= least_ohm]
    if not fitting:
        raise ValueError(f"no resistor of {least_ohm:g} Ω: E12 is looked at up to 8,200 Ω")
    return min(fitting)
