"""The tables and drawings of ``hardware.md``, made from the settings' pins, the camera adapter and ``throwlock doctor``
itself: ``python -m tools.docs.hardware_page`` makes them again, between the page's marks."""

import inspect
import signal
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from device.camera.base import CameraError
from device.camera.picamera import LONGEST_EXPOSURE_US, READOUT_NS, Picamera
from device.camera.ring_buffer import Ring
from device.gpio.pins import HEADER, RESERVED, SHARED, SeatPins, place
from device.simulated.table.hand import LENGTH_MM
from device.sound.loudspeaker import no_device
from device.system.clock import SteadyClock
from rules.markers import SIDE_MM, Kind
from throwlock.cli.doctor import checks
from throwlock.settings.model import Settings
from throwlock.table_setup.seat_io import pins_of
from tools.docs.generated_sections import put
from tools.docs.hardware import (
    ALL_MA,
    CAMERAS,
    LEDS,
    PIN_MA,
    PIN_V,
    SHORT_MA,
    Optics,
    columns_rows,
    hanging,
    lux,
    needed_mm,
    ring_seconds,
)
from tools.docs.mounting import Over, mounting
from tools.docs.wiring import Pin, Wires, wiring

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "hardware.md"
PICTURES = ROOT / "docs" / "pictures"
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
"""The header's pins that are ground (Raspberry Pi documentation, GPIO and the 40-pin header)."""
POWER = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
DISPLAYS = (2, 4, 6)
"""Pins that the touch displays' power cables take: Touch Display 1 pins 4 and 6, Touch Display 2 a plug over 2, 4 and 6
(Raspberry Pi documentation, both displays)."""
SEATS = (2, 4, 6, 8)
"""Tables that are worked out."""
DRAWN = (2, 4, 8)
"""Tables that are drawn."""
GAINS = (4, 8)
"""Gains that every one of these sensors has."""
SPEED_MM_S = 2000
"""A hand that opens, as ``LONGEST_EXPOSURE_US`` of the camera adapter has it."""


# -------- pins and wires


def ground_of(pins: SeatPins) -> int:
    """The ground pin nearest to a seat's pins, of those that the displays leave."""
    rows = [(HEADER[pin] - 1) // 2 for _, pin in pins.named()]
    return min(
        (pin for pin in GROUND if pin not in DISPLAYS), key=lambda pin: sum(abs((pin - 1) // 2 - row) for row in rows)
    )


def pin_table(settings: Settings) -> str:
    """Every seat's pins, its ground, and what must be off for them."""
    rows = []
    for seat, pins in enumerate(pins_of(settings), start=1):
        wants = sorted({SHARED[pin] for _, pin in pins.named() if pin in SHARED})
        there = [_short(pin) for pin in (pins.raises, pins.confirm, pins.light)]
        rows.append((seat, *there, f"pin {ground_of(pins)}", ", ".join(wants) or "nothing"))
    return table(("seat", "raise", "confirm", "light", "a ground nearby", "must be off in config.txt"), rows)


def _short(pin: int | None) -> str:
    return "none" if pin is None else f"GPIO {pin}, pin {HEADER[pin]}"


def header_pins(settings: Settings) -> list[Pin]:
    """All forty pins with what the settings put on them."""
    there = {
        HEADER[pin]: (seat, name, pin) for seat, pins in enumerate(pins_of(settings), 1) for name, pin in pins.named()
    }
    free = {number: pin for pin, number in HEADER.items()}
    return [_header_pin(number, there, free) for number in range(1, 41)]


def _header_pin(number: int, there: dict[int, tuple[int, str, int]], free: dict[int, int]) -> Pin:
    if number in there:
        seat, name, pin = there[number]
        return Pin(number, "light" if name == "light" else "button", f"seat {seat} {name} · GPIO {pin}")
    display = " (the display's)" if number in DISPLAYS else ""
    if number in GROUND:
        return Pin(number, "ground", f"ground{display}")
    if number in POWER:
        return Pin(number, "power", f"{POWER[number]}{display}")
    pin = free[number]
    return Pin(number, "free", f"GPIO {pin} · {RESERVED.get(pin) or SHARED.get(pin) or 'free'}")


def wires(settings: Settings) -> str:
    """The wiring as SVG: the header, and the first seat in detail."""
    first = pins_of(settings)[0]
    red = LEDS[0]
    return wiring(
        header_pins(settings),
        Wires(
            "Seat 1",
            place(first.raises),
            place(first.confirm),
            place(first.light) if first.light is not None else None,
            f"ground, for instance pin {ground_of(first)}",
            f"{red.ohm} Ω ({red.colour})",
        ),
    )


# -------- cameras


def camera_table() -> str:
    """What the box gets of each camera."""
    rows = []
    for one in CAMERAS:
        wide, high = one.mode.size
        shown = one.mode.crop[0] / one.array[0]
        readout = one.readout_ms
        rows.append(
            (
                one.name,
                one.sensor.upper(),
                f"{wide} × {high}",
                f"{one.fps:g}",
                "all at once" if readout == 0 else "not known" if readout is None else f"{readout:g} ms",
                f"{100 * shown:.0f} %",
                f"{one.picture[0]} × {one.picture[1]}",
                f"{held_s(one):.1f} s",
            )
        )
    head = (
        "camera",
        "sensor",
        "mode",
        "frames a second",
        "first to last row",
        "of the sensor's width",
        "set pictures to",
        "seconds kept",
    )
    return table(head, rows)


def held_s(camera: Optics) -> float:
    """Seconds of pictures that are kept in memory."""
    ring = inspect.signature(Ring).parameters
    return ring_seconds(camera, ring["budget"].default, ring["keep_ns"].default / 1e9)


def height_table() -> str:
    """How high each camera hangs for so many seats, what of the table it sees, and how long a hand is then."""
    rows = []
    for one in CAMERAS:
        cells = []
        for seats in SEATS:
            there = hanging(one, seats)
            wide, high = (side / 1000 for side in there.table_mm)
            cells.append(f"{there.height_mm / 1000:.2f} m; {wide:.2f} × {high:.2f} m; {there.hand_px} px")
        rows.append((one.name, *cells))
    room = [f"{columns} × {rows_}" for columns, rows_ in map(columns_rows, SEATS)]
    needs = [f"{wide / 1000:.2f} × {high / 1000:.2f} m" for wide, high in map(needed_mm, SEATS)]
    first = [("*zones side by side × above each other*", *room), ("*room that hands need*", *needs)]
    return table(("camera", *(f"{seats} seats" for seats in SEATS)), [*first, *rows])


def sharpness_table() -> str:
    """How much a hand that opens is blurred by its motion, and by a lens that stands at its resting focus."""
    rows = []
    for one in CAMERAS:
        for seats in (SEATS[0], SEATS[-1]):
            there = hanging(one, seats)
            px_per_mm = there.hand_px / LENGTH_MM
            moved = SPEED_MM_S * LONGEST_EXPOSURE_US / 1e6
            focus = f"{one.blur_px(there.distance_mm):.1f} px" if one.motor else "as you set it"
            marker = SIDE_MM[Kind.CARD] * one.picture[0] / there.table_mm[0]
            rows.append((one.name, seats, f"{moved * px_per_mm:.0f} px", focus, f"{marker:.0f} px"))
    head = ("camera", "seats", f"a hand at {SPEED_MM_S / 1000:g} m/s moves", "out of focus by", "a card's marker")
    return table(head, rows)


def light_table() -> str:
    """The light a table needs, by lens."""
    seconds = LONGEST_EXPOSURE_US / 1e6
    rows = []
    for aperture in sorted({one.aperture for one in CAMERAS}):
        names = ", ".join(one.name for one in CAMERAS if one.aperture == aperture)
        rows.append((f"F{aperture:g}", names, *(f"{lux(aperture, seconds, gain):.0f} lux" for gain in GAINS)))
    return table(("lens", "of", *(f"at gain {gain}" for gain in GAINS)), rows)


def led_table(seats: int) -> str:
    """The resistor of each colour, and what lights take with it."""
    rows = [
        (
            led.colour,
            f"{led.forward_v:.2f} V",
            f"({PIN_V:g} − {led.forward_v:.2f}) V ÷ {PIN_MA:g} mA = {(PIN_V - led.forward_v) / PIN_MA * 1000:.0f} Ω",
            f"**{led.ohm} Ω**",
            f"{led.ma(led.ohm):.1f} mA",
            f"{led.ma(led.ohm) * seats:.0f} of {ALL_MA:g} mA",
            f"{PIN_V / led.ohm * 1000:.0f} of {SHORT_MA:g} mA",
        )
        for led in LEDS
    ]
    every = f"all {seats} lit"
    return table(("light", "it takes", "at least", "buy", "one takes", every, "with its legs touching"), rows)


def mountings() -> str:
    """The first camera over its tables, as SVG."""
    camera = CAMERAS[0]
    drawn = []
    for seats in DRAWN:
        there = hanging(camera, seats)
        drawn.append(Over(seats, *columns_rows(seats), there.height_mm, there.table_mm, LENGTH_MM))
    many = f"{', '.join(map(str, DRAWN[:-1]))} and {DRAWN[-1]}"
    return mounting(f"{camera.name} over tables of {many} seats", drawn)


# -------- what doctor says


def _tried(found: dict[str, object], status: int = 0, why: str = "") -> checks.Try:
    return lambda args, seconds: checks.Tried(status, found, why)


def doctor_lines() -> str:
    """What ``throwlock doctor`` prints for parts that are there and parts that are not, by its own functions."""
    best = CAMERAS[0]
    found = {
        "sensor": best.sensor,
        "mode": best.mode.size,
        "size": best.picture,
        "fps": best.fps,
        "asked": best.fps,
        "dropped": 0,
        "dark": False,
        "exposure_ms": LONGEST_EXPOSURE_US / 1000,
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
        parts = [
            *checks.hands(False, _tried({}, -signal.SIGABRT)),
            checks.picamera(_tried(found)),
            checks.picamera(_tried(found | {"dark": True})),
            checks.picamera(_tried({}, 1, _missing_camera())),
            checks.screen(_tried({"driver": "KMSDRM", "sizes": [(800, 480)]}), {}, root),
            *checks.seats(_tried({"buttons lacking": wired, "lights lacking": wired}), on),
            next(iter(checks.seats(_tried({"buttons lacking": down, "lights lacking": wired}), on))),
            checks.sound(_tried({"none": no_device({}, root)})),
        ]
    return "\n".join(["```text", *(part.line() for part in parts if part.name != "hands"), "```"])


class _NoCameras:
    """picamera2 on a Pi to which no camera is connected."""

    class Picamera2:
        """The library's class."""

        @staticmethod
        def global_camera_info() -> list[object]:
            """No camera."""
            return []


def _missing_camera() -> str:
    """What the adapter says where no camera is connected."""
    try:
        Picamera(0, SteadyClock(), library=lambda: _NoCameras).start()
    except CameraError as fault:
        return str(fault)
    raise AssertionError("a camera that is not there started")


# -------- the page


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def page(text: str) -> str:
    """``text`` with every table made again. Raises SectionError where the page lacks a mark."""
    settings = Settings()
    parts = {
        "cameras": camera_table(),
        "heights": height_table(),
        "sharpness": sharpness_table(),
        "light": light_table(),
        "lights": led_table(len(settings.seat)),
        "pins": pin_table(settings),
        "doctor": doctor_lines(),
    }
    for name, told in parts.items():
        text = put(text, f"<!-- {name}: begin -->", f"<!-- {name}: end -->", told, PAGE.name)
    return text


def pictures() -> dict[Path, str]:
    """The drawings, by where they are kept."""
    return {PICTURES / "wiring.svg": wires(Settings()), PICTURES / "mounting.svg": mountings()}


def main() -> None:
    """Make the page's tables and drawings again."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    for path, drawn in pictures().items():
        path.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
