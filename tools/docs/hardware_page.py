"""Write the tables and drawings of ``hardware.md``, from the settings' pins, the camera adapter and ``throwlock
doctor``: ``python -m tools.docs.hardware_page``."""

import argparse
import inspect
import signal
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from device.camera.base import CameraError
from device.camera.picamera import MAX_EXPOSURE_US, READOUT_NS, Picamera
from device.camera.ring_buffer import FrameRingBuffer
from device.gpio.pins import HEADER_PIN_BY_GPIO, RESERVED_PINS, SHARED_PINS, SeatPins, pin_label
from device.simulated.table.hand import LENGTH_MM
from device.sound.loudspeaker import missing_device_reason
from device.system.clock import MonotonicClock
from rules.markers import MARKER_SIDE_MM, MarkerKind
from throwlock.cli.doctor import checks
from throwlock.settings.model import Settings
from throwlock.table_setup.seat_io import seat_pins
from tools.docs.generated_sections import markdown_table, update_page
from tools.docs.hardware import (
    CAMERAS,
    LEDS,
    MAX_LED_MA,
    MAX_PIN_MA,
    MAX_TOTAL_MA,
    PIN_VOLTAGE_V,
    CameraModel,
    buffered_seconds,
    lowest_camera_height,
    required_field_mm,
    required_lux,
    zone_grid,
)
from tools.docs.mounting import CameraOverTable, draw_mounting
from tools.docs.wiring import HeaderPin, SeatWiring, draw_wiring

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "hardware.md"
DRAWINGS_FOLDER = ROOT / "docs" / "pictures"
GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
"""The ground pins of the header (Raspberry Pi documentation, "GPIO and the 40-pin header")."""
POWER_PINS = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
DISPLAY_PINS = (2, 4, 6)
"""Pins used by the touch displays' power cables: 4 and 6 by Touch Display 1, 2, 4 and 6 by the plug of Touch Display 2
(Raspberry Pi documentation of both displays)."""
TABLE_SEATS = (2, 4, 6, 8)
"""The numbers of seats in the tables."""
DRAWN_SEATS = (2, 4, 8)
"""The numbers of seats in the drawing."""
SENSOR_GAINS = (4, 8)
"""Gains that all these sensors have."""
HAND_SPEED_MM_S = 2000
"""The speed of an opening hand, as assumed for ``MAX_EXPOSURE_US`` of the camera adapter."""


# -------- pins and wires


def nearest_ground(pins: SeatPins) -> int:
    """Return the ground pin nearest to a seat's pins that no display uses."""
    rows = [(HEADER_PIN_BY_GPIO[pin] - 1) // 2 for _, pin in pins.functions()]
    return min(
        (pin for pin in GROUND_PINS if pin not in DISPLAY_PINS),
        key=lambda pin: sum(abs((pin - 1) // 2 - row) for row in rows),
    )


def pin_table(settings: Settings) -> str:
    """Return the table of every seat's pins, its ground, and what must be disabled for them."""
    rows = []
    for seat, pins in enumerate(seat_pins(settings), start=1):
        disabled = sorted({SHARED_PINS[pin] for _, pin in pins.functions() if pin in SHARED_PINS})
        texts = [_pin_text(pin) for pin in (pins.raises, pins.confirm, pins.light)]
        rows.append((seat, *texts, f"pin {nearest_ground(pins)}", ", ".join(disabled) or "nothing"))
    return _text_table(("seat", "raise", "confirm", "light", "nearest ground", "disable in config.txt"), rows)


def _pin_text(pin: int | None) -> str:
    return "none" if pin is None else f"GPIO {pin}, pin {HEADER_PIN_BY_GPIO[pin]}"


def header_pins(settings: Settings) -> list[HeaderPin]:
    """Return all forty pins with what the settings connect to them."""
    used = {
        HEADER_PIN_BY_GPIO[pin]: (seat, name, pin)
        for seat, pins in enumerate(seat_pins(settings), 1)
        for name, pin in pins.functions()
    }
    free = {number: pin for pin, number in HEADER_PIN_BY_GPIO.items()}
    return [_header_pin(number, used, free) for number in range(1, 41)]


def _header_pin(number: int, used: dict[int, tuple[int, str, int]], free: dict[int, int]) -> HeaderPin:
    if number in used:
        seat, name, pin = used[number]
        return HeaderPin(number, "light" if name == "light" else "button", f"seat {seat} {name} · GPIO {pin}")
    display = " (the display's)" if number in DISPLAY_PINS else ""
    if number in GROUND_PINS:
        return HeaderPin(number, "ground", f"ground{display}")
    if number in POWER_PINS:
        return HeaderPin(number, "power", f"{POWER_PINS[number]}{display}")
    pin = free[number]
    return HeaderPin(number, "free", f"GPIO {pin} · {RESERVED_PINS.get(pin) or SHARED_PINS.get(pin) or 'free'}")


def wiring_svg(settings: Settings) -> str:
    """Return the wiring as SVG: the header, and the first seat in detail."""
    first = seat_pins(settings)[0]
    red = LEDS[0]
    return draw_wiring(
        header_pins(settings),
        SeatWiring(
            "Seat 1",
            pin_label(first.raises),
            pin_label(first.confirm),
            pin_label(first.light) if first.light is not None else None,
            f"ground, for instance pin {nearest_ground(first)}",
            f"{red.resistor_ohm} Ω ({red.colour})",
        ),
    )


# -------- cameras


def camera_table() -> str:
    """Return the table of the cameras' modes and frame rates."""
    rows = []
    for camera in CAMERAS:
        wide, high = camera.mode.size
        shown = camera.mode.crop[0] / camera.sensor_size[0]
        readout = camera.readout_ms
        rows.append(
            (
                camera.name,
                camera.sensor.upper(),
                f"{wide} × {high}",
                f"{camera.fps:g}",
                "global shutter" if readout == 0 else "unknown" if readout is None else f"{readout:g} ms",
                f"{100 * shown:.0f} %",
                f"{camera.image_size[0]} × {camera.image_size[1]}",
                f"{buffered_s(camera):.1f} s",
            )
        )
    head = (
        "camera",
        "sensor",
        "mode",
        "frames per second",
        "first to last row",
        "of the sensor's width",
        "image size to set",
        "buffered",
    )
    return _text_table(head, rows)


def buffered_s(camera: CameraModel) -> float:
    """Return how many seconds of a camera's frames are kept in memory."""
    limits = inspect.signature(FrameRingBuffer).parameters
    return buffered_seconds(camera, limits["max_bytes"].default, limits["max_age_ns"].default / 1e9)


def height_table() -> str:
    """Return the table of camera heights by seats, with the visible part of the table and the length of a hand."""
    rows = []
    for camera in CAMERAS:
        cells = []
        for seats in TABLE_SEATS:
            height = lowest_camera_height(camera, seats)
            wide, high = (side / 1000 for side in height.visible_mm)
            cells.append(f"{height.height_mm / 1000:.2f} m; {wide:.2f} × {high:.2f} m; {height.hand_px} px")
        rows.append((camera.name, *cells))
    grids = [f"{columns} × {rows_}" for columns, rows_ in map(zone_grid, TABLE_SEATS)]
    spaces = [f"{wide / 1000:.2f} × {high / 1000:.2f} m" for wide, high in map(required_field_mm, TABLE_SEATS)]
    first = [("*columns × rows of zones*", *grids), ("*space needed at hand height*", *spaces)]
    return _text_table(("camera", *(f"{seats} seats" for seats in TABLE_SEATS)), [*first, *rows])


def sharpness_table() -> str:
    """Return the table of the blur of an opening hand by its motion and by the default focus."""
    rows = []
    for camera in CAMERAS:
        for seats in (TABLE_SEATS[0], TABLE_SEATS[-1]):
            height = lowest_camera_height(camera, seats)
            px_per_mm = height.hand_px / LENGTH_MM
            moved = HAND_SPEED_MM_S * MAX_EXPOSURE_US / 1e6
            focus = f"{camera.blur_px(height.distance_mm):.1f} px" if camera.has_focus_motor else "as you set it"
            marker = MARKER_SIDE_MM[MarkerKind.CARD] * camera.image_size[0] / height.visible_mm[0]
            rows.append((camera.name, seats, f"{moved * px_per_mm:.0f} px", focus, f"{marker:.0f} px"))
    head = "camera", "seats", f"a hand moves at {HAND_SPEED_MM_S / 1000:g} m/s", "blur by focus", "a card's marker"
    return _text_table(head, rows)


def light_table() -> str:
    """Return the table of the light needed, by lens."""
    seconds = MAX_EXPOSURE_US / 1e6
    rows = []
    for aperture in sorted({camera.f_number for camera in CAMERAS}):
        names = ", ".join(camera.name for camera in CAMERAS if camera.f_number == aperture)
        rows.append(
            (f"F{aperture:g}", names, *(f"{required_lux(aperture, seconds, gain):.0f} lux" for gain in SENSOR_GAINS))
        )
    return _text_table(("lens", "camera", *(f"at gain {gain}" for gain in SENSOR_GAINS)), rows)


def led_table(seats: int) -> str:
    """Return the table of resistors and currents by the LED's colour."""
    rows = [
        (
            led.colour,
            f"{led.forward_v:.2f} V",
            f"({PIN_VOLTAGE_V:g} − {led.forward_v:.2f}) V ÷ {MAX_LED_MA:g} mA = "
            f"{(PIN_VOLTAGE_V - led.forward_v) / MAX_LED_MA * 1000:.0f} Ω",
            f"**{led.resistor_ohm} Ω**",
            f"{led.current_ma(led.resistor_ohm):.1f} mA",
            f"{led.current_ma(led.resistor_ohm) * seats:.0f} of {MAX_TOTAL_MA:g} mA",
            f"{PIN_VOLTAGE_V / led.resistor_ohm * 1000:.0f} of {MAX_PIN_MA:g} mA",
        )
        for led in LEDS
    ]
    head = "light", "forward voltage", "at least", "buy", "current of one", f"of all {seats}", "if its legs touch"
    return _text_table(head, rows)


def mounting_svg() -> str:
    """Return the first camera over tables of several sizes, as SVG."""
    camera = CAMERAS[0]
    tables = []
    for seats in DRAWN_SEATS:
        height = lowest_camera_height(camera, seats)
        tables.append(CameraOverTable(seats, *zone_grid(seats), height.height_mm, height.visible_mm, LENGTH_MM))
    many = f"{', '.join(map(str, DRAWN_SEATS[:-1]))} and {DRAWN_SEATS[-1]}"
    return draw_mounting(f"{camera.name} over tables of {many} seats", tables)


# -------- doctor


def _probe_result(found: dict[str, object], status: int = 0, why: str = "") -> checks.RunProbe:
    return lambda args, seconds: checks.ProbeResult(status, found, why)


def doctor_output() -> str:
    """Return what ``throwlock doctor`` prints for working and for missing parts, by its own functions."""
    best = CAMERAS[0]
    found = {
        "sensor": best.sensor,
        "mode": best.mode.size,
        "size": best.image_size,
        "fps": best.fps,
        "asked": best.fps,
        "dropped": 0,
        "dark": False,
        "exposure_ms": MAX_EXPOSURE_US / 1000,
        "readout_ms": READOUT_NS[best.sensor, best.mode.size[1]] / 1e6,
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "proc").mkdir()
        (root / "card0").touch()
        on = root / "throwlock.toml"
        on.write_text("[buttons]\non = true\n")
        wired: list[str] = []
        down = ["seat 2's raise is down"]
        lines = [
            *checks.hands(False, _probe_result({}, -signal.SIGABRT)),
            checks.picamera(_probe_result(found)),
            checks.picamera(_probe_result(found | {"dark": True})),
            checks.picamera(_probe_result({}, 1, _missing_camera_error())),
            checks.screen(_probe_result({"driver": "KMSDRM", "sizes": [(800, 480)]}), {}, root),
            *checks.seats(_probe_result({"buttons lacking": wired, "lights lacking": wired}), on),
            next(iter(checks.seats(_probe_result({"buttons lacking": down, "lights lacking": wired}), on))),
            checks.sound(_probe_result({"none": missing_device_reason({}, root)})),
        ]
    return "\n".join(["```text", *(line.line() for line in lines if line.name != "hands"), "```"])


class _NoCameras:
    """Stands for picamera2 on a Pi without a camera."""

    class Picamera2:
        """See picamera2."""

        @staticmethod
        def global_camera_info() -> list[object]:
            """Return no cameras."""
            return []


def _missing_camera_error() -> str:
    """Return the adapter's error message when no camera is connected."""
    try:
        Picamera(0, MonotonicClock(), import_library=lambda: _NoCameras).start()
    except CameraError as error:
        return str(error)
    raise AssertionError("a missing camera started")


# -------- the page


def _text_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return markdown_table(head, rows, text_columns=len(head))


def sections() -> dict[str, str]:
    """Return the generated sections of the page by name."""
    settings = Settings()
    return {
        "cameras": camera_table(),
        "heights": height_table(),
        "sharpness": sharpness_table(),
        "light": light_table(),
        "lights": led_table(len(settings.seat)),
        "pins": pin_table(settings),
        "doctor": doctor_output(),
    }


def drawings() -> dict[Path, str]:
    """Return the drawings as SVG by file."""
    return {DRAWINGS_FOLDER / "wiring.svg": wiring_svg(Settings()), DRAWINGS_FOLDER / "mounting.svg": mounting_svg()}


def main() -> None:
    """Write the page's tables and drawings."""
    argparse.ArgumentParser(prog="python -m tools.docs.hardware_page", description=__doc__).parse_args()
    update_page(PAGE, sections())
    for path, svg in drawings().items():
        path.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
