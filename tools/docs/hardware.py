"""Calculate the figures of ``hardware.md``: a camera's mode, its height above the table, the size of hands in its
image, sharpness and light, and the resistor of an LED. Every fact names its source."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from device.camera.frames import Size
from device.camera.picamera import READOUT_NS, PicameraMode
from device.simulated.table.hand import LENGTH_MM
from device.simulated.table.seating import THROW_HEIGHT_MM
from throwlock.settings.model import CameraSettings
from vision.zone_detection import HAND_SHARE_OF_ZONE
from vision.zones import default_zones

CHILD_HAND_SCALE = 0.75
"""The length of a ten-year-old's hand compared with an adult's, as at the simulated table."""
DETECTABLE_HAND_SHARES = (0.25, 0.60)
"""The shares of a zone's side that a hand may fill: rendered fists were detected well from 25 to 60 %; at 15 % a
quarter was missed, at 80 % a tenth."""
DEFAULT_FOCUS_DIOPTRES = 1.0
"""The initial focus of a Camera Module 3, 1 m: libcamera's ipa_base.cpp sets the lens to its default at the first
start, which imx708.json and imx708_wide.json give as 1.0."""
INCIDENT_METER_CONSTANT = 250.0
"""The incident-light constant C in N²/t = lux × ISO / C, for a flat receiver (ISO 2720: 240 to 400)."""
ISO_AT_GAIN_1 = 100.0
"""The ISO speed of a sensor at gain 1. An assumption: no maker publishes a figure."""


@dataclass(frozen=True)
class SensorMode:
    """A mode as ``rpicam-hello --list-cameras`` prints it: size in pixels, frames per second, bits per pixel, and the
    part of the sensor it shows, in sensor pixels."""

    size: Size
    fps: float
    bits: int
    crop: Size


@dataclass(frozen=True)
class CameraModel:
    """A camera with its lens: the size of a sensor pixel in µm, focal length in mm, f-number, and the horizontal angle
    of view in degrees as its maker gives it. ``image_size`` is the image size to set for the box, in a mode's aspect
    ratio."""

    name: str
    sensor: str
    pixel_um: float
    sensor_size: Size
    focal_mm: float
    f_number: float
    angle_deg: float
    modes: tuple[SensorMode, ...]
    image_size: Size = (CameraSettings().width, CameraSettings().height)
    has_focus_motor: bool = False

    @property
    def mode(self) -> SensorMode:
        """The mode that the camera adapter chooses for ``image_size``."""
        named = [{"size": mode.size, "fps": mode.fps, "bit_depth": mode.bits} for mode in self.modes]
        best = PicameraMode.choose(named, self.image_size, CameraSettings().fps)
        return next(mode for mode in self.modes if (mode.size, mode.bits) == (best.size, best.bits))

    @property
    def fps(self) -> float:
        """Frames per second: the mode's, but no more than requested."""
        return min(self.mode.fps, CameraSettings().fps)

    @property
    def readout_ms(self) -> float | None:
        """The time from the first row to the last, 0 for a global shutter; None if the adapter has no figure."""
        known = READOUT_NS.get((self.sensor, self.mode.size[1]))
        return None if known is None else known / 1e6

    def field_of_view_mm(self, distance_mm: float) -> tuple[float, float]:
        """Return the width and height in mm of what the image shows at a distance."""
        scale = self.pixel_um / 1000 / self.focal_mm * distance_mm
        return self.mode.crop[0] * scale, self.mode.crop[1] * scale

    def computed_angle_deg(self) -> float:
        """Return the horizontal angle of view computed from the sensor's width and the focal length."""
        return math.degrees(2 * math.atan(self.sensor_size[0] * self.pixel_um / 2000 / self.focal_mm))

    def blur_px(self, distance_mm: float) -> float:
        """Return the diameter of the blur of a point at a distance with the default focus, in the mode's pixels."""
        off_dioptres = abs(1000 / distance_mm - DEFAULT_FOCUS_DIOPTRES)
        blur_um = self.focal_mm**2 / self.f_number * off_dioptres
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
    CameraModel("Camera Module 3 Wide", "imx708", 1.4, (4608, 2592), 2.75, 2.2, 102, _IMX708, has_focus_motor=True),
    CameraModel("Camera Module 3", "imx708", 1.4, (4608, 2592), 4.74, 1.8, 66, _IMX708, has_focus_motor=True),
    CameraModel("Global Shutter Camera (6 mm lens)", "imx296", 3.45, (1456, 1088), 6.0, 1.2, 45, _IMX296, (1456, 1088)),
    CameraModel("HQ Camera (6 mm lens)", "imx477", 1.55, (4056, 3040), 6.0, 1.2, 55, _IMX477, (1332, 990)),
    CameraModel("Camera Module 2", "imx219", 1.12, (3280, 2464), 3.04, 2.0, 62.2, _IMX219, (1640, 1232)),
)
"""Raspberry Pi's cameras, the most suitable first."""


# -------- the table


@dataclass(frozen=True)
class CameraHeight:
    """A camera over a table, in mm: the lens's height above the table top, its distance from the hands, and the width
    and height of the visible part of the table; and the length of an adult's open hand in pixels."""

    height_mm: float
    distance_mm: float
    visible_mm: tuple[float, float]
    hand_px: int


def zone_grid(seats: int) -> tuple[int, int]:
    """Return the columns and rows of the default zones."""
    zone = default_zones(seats)[0]
    return round(1 / zone.w), round(1 / zone.h)


def required_field_mm(seats: int) -> tuple[float, float]:
    """Return the width and height in mm that the seats need at the hands' height: an adult's open hand fills
    ``HAND_SHARE_OF_ZONE`` of its zone."""
    columns, rows = zone_grid(seats)
    side = LENGTH_MM / HAND_SHARE_OF_ZONE
    return columns * side, rows * side


def lowest_camera_height(camera: CameraModel, seats: int) -> CameraHeight:
    """Return the least height at which every seat has the space it needs; hands are ``THROW_HEIGHT_MM`` above the table
    top."""
    wide, high = camera.field_of_view_mm(1.0)
    need_wide, need_high = required_field_mm(seats)
    distance = max(need_wide / wide, need_high / high)
    height = distance + THROW_HEIGHT_MM
    px_per_mm = camera.image_size[0] / camera.field_of_view_mm(distance)[0]
    return CameraHeight(height, distance, camera.field_of_view_mm(height), round(LENGTH_MM * px_per_mm))


def required_lux(f_number: float, exposure_s: float, gain: float) -> float:
    """Return the light on the table, in lux, that a light meter would ask for at an exposure."""
    return INCIDENT_METER_CONSTANT * f_number**2 / (exposure_s * gain * ISO_AT_GAIN_1)


def buffered_seconds(camera: CameraModel, max_bytes: int, max_age_s: float) -> float:
    """Return how many seconds of frames fit into ``max_bytes``, at 1.5 bytes per pixel (YUV420), up to
    ``max_age_s``."""
    wide, high = camera.image_size
    return min(max_age_s, max_bytes / (wide * high * 1.5 * camera.fps))


# -------- lights

PIN_VOLTAGE_V = 3.3
"""The voltage of a GPIO pin."""
MAX_LED_MA = 4.0
"""The most current an LED may draw: a Pi 4's pin supplies it at its default drive strength and stays at 2.6 V or more
(Raspberry Pi documentation, "Voltage specifications", BCM2711: 4 mA)."""
MAX_PIN_MA = 16.0
"""The most current one pin can supply (Raspberry Pi documentation, "Power supply")."""
MAX_TOTAL_MA = 50.0
"""The most current all pins together can supply (same page)."""
E12_VALUES = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
"""The E12 series of resistor values, of which any shop sells the decades."""


@dataclass(frozen=True)
class Led:
    """An LED, with the current that MonkMakes measured at 3.3 V with 470 Ω (Raspberry Squid data sheet: red 3.0, green
    2.0, blue 1.6 mA)."""

    colour: str
    measured_ma: float

    @property
    def forward_v(self) -> float:
        """The forward voltage."""
        return PIN_VOLTAGE_V - 470 * self.measured_ma / 1000

    def current_ma(self, ohm: float) -> float:
        """Return the current in mA with a resistor."""
        return (PIN_VOLTAGE_V - self.forward_v) / ohm * 1000

    @property
    def resistor_ohm(self) -> int:
        """The smallest E12 resistor that keeps the current within ``MAX_LED_MA``."""
        return smallest_resistor((PIN_VOLTAGE_V - self.forward_v) / MAX_LED_MA * 1000)


LEDS = (Led("red", 3.0), Led("green", 2.0), Led("blue", 1.6))


def smallest_resistor(min_ohm: float) -> int:
    """Return the smallest E12 resistor from 10 to 8,200 Ω of at least ``min_ohm``. Raises ValueError if there is
    none."""
    decades: Sequence[int] = [digits * 10**power for power in range(3) for digits in E12_VALUES]
    fitting = [ohm for ohm in decades if ohm >= min_ohm]
    if not fitting:
        raise ValueError(f"{min_ohm:g} Ω is more than the largest resistor, 8,200 Ω")
    return min(fitting)
