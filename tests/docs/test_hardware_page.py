"""hardware.md, docs/cameras.md and docs/installing.md: tables and drawings agree with the program and with the data on
the page, the commands and settings are the program's, and quoted screen texts are real."""

import inspect
import math
import re
import shlex
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import click
import pytest
import tomlkit
from babel.messages.pofile import read_po

from device.camera.base import CameraError
from device.camera.picamera import MAX_EXPOSURE_US, READOUT_NS, Picamera
from device.camera.ring_buffer import FrameRingBuffer
from device.gpio.pins import HEADER_PIN_BY_GPIO, SHARED_PINS
from device.simulated.table.hand import LENGTH_MM
from device.simulated.table.seating import THROW_HEIGHT_MM
from device.sound.loudspeaker import missing_device_reason
from device.system.clock import MonotonicClock
from throwlock.cli.doctor import checks
from throwlock.cli.doctor.probes import ProbeResult, RunProbe
from throwlock.cli.main import throwlock
from throwlock.settings.model import Settings, describe_settings, seat_pins
from vision.hands.model_process import ModelAbortError, ModelProcess
from vision.zone_detection import HAND_SHARE_OF_ZONE
from vision.zones import default_zones

ROOT = Path(__file__).parents[2]
PAGES = ("hardware.md", "docs/cameras.md", "docs/installing.md")
TEXT = "".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
BLOCKS = {kind: re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL) for kind in ("sh", "toml", "text")}
PICTURES = ROOT / "docs" / "pictures"
SETTINGS = Settings()
GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
"""The ground pins of the header (Raspberry Pi documentation, "GPIO and the 40-pin header")."""
DISPLAY_PINS = (2, 4, 6)
"""Pins used by the power cables of the touch displays (Raspberry Pi documentation of both)."""
DETECTABLE_HAND_SHARES = (0.25, 0.60)
"""The shares of a zone's side that a hand may fill: rendered fists were detected well from 25 to 60 %; at 15 % a
quarter was missed, at 80 % a tenth."""
CHILD_HAND_SCALE = 0.75
"""The length of a ten-year-old's hand compared with an adult's, as at the simulated table."""
E12_VALUES = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
"""The E12 series of resistor values, of which any shop sells the decades."""


def table(head: str) -> list[list[str]]:
    """The rows of the table whose first line begins with ``head``."""
    (lines,) = re.findall(rf"^\| {re.escape(head)}.*\n\| ---.*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines.splitlines()]


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


class Camera:
    """A row of the page's data, with what is calculated from it."""

    def __init__(self, name: str, pixel: str, focal: str, lens: str, sensor: str, shown: str) -> None:
        self.name = name
        del lens, sensor
        (self.pixel_um,), (self.focal_mm,), self.shown = numbers(pixel), numbers(focal), numbers(shown)
        (row,) = (row for row in table("camera | sensor | mode") if row[0] == name)
        self.chip, self.mode, self.fps, self.readout = row[1], numbers(row[2]), float(row[3]), row[4]
        self.image_size, self.buffered = numbers(row[6]), row[7]

    def field_mm(self, distance_mm: float) -> list[float]:
        return [pixels * (self.pixel_um / 1000 / self.focal_mm * distance_mm) for pixels in self.shown]

    def distance_mm(self, seats: int) -> float:
        """The least distance at which every seat has the space it needs."""
        return max(need / has for need, has in zip(required_mm(seats), self.field_mm(1), strict=True))

    def hand_px(self, seats: int) -> int:
        return round(LENGTH_MM * (self.image_size[0] / self.field_mm(self.distance_mm(seats))[0]))


def zone_grid(seats: int) -> tuple[int, int]:
    zone = default_zones(seats)[0]
    return round(1 / zone.w), round(1 / zone.h)


def required_mm(seats: int) -> list[float]:
    return [count * LENGTH_MM / HAND_SHARE_OF_ZONE for count in zone_grid(seats)]


CAMERAS = [Camera(*row) for row in table("camera | pixel")]
every_camera = pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.name)


# -------- pins


def test_pin_table_agrees_with_the_settings() -> None:
    for seat, (pins, row) in enumerate(zip(seat_pins(SETTINGS), table("seat | raise"), strict=True), 1):
        gpios = [gpio for gpio in (pins.raises, pins.confirm, pins.light) if gpio]
        assert row[:4] == [str(seat), *(f"GPIO {gpio}, pin {HEADER_PIN_BY_GPIO[gpio]}" for gpio in gpios)]
        rows = [(HEADER_PIN_BY_GPIO[gpio] - 1) // 2 for gpio in gpios]
        ground = min(
            (pin for pin in GROUND_PINS if pin not in DISPLAY_PINS),
            key=lambda pin, rows=rows: sum(abs((pin - 1) // 2 - row) for row in rows),  # type: ignore[misc]
        )
        assert row[4] == f"pin {ground}"
        assert row[5] == (", ".join(sorted({SHARED_PINS[gpio] for gpio in gpios if gpio in SHARED_PINS})) or "nothing")


def test_wiring_shows_every_pin_of_the_settings_in_its_place() -> None:
    texts = [element.text or "" for element in ElementTree.parse(PICTURES / "wiring.svg").iter() if element.text]
    labels = {pin: texts[texts.index(str(pin)) + 1] for pin in range(1, 41)}
    wired = {
        HEADER_PIN_BY_GPIO[gpio]: f"seat {seat} {name} · GPIO {gpio}"
        for seat, pins in enumerate(seat_pins(SETTINGS), 1)
        for name, gpio in pins.functions()
    }
    gpios = {pin: gpio for gpio, pin in HEADER_PIN_BY_GPIO.items()}
    for pin, label in labels.items():
        if pin in wired:
            assert label == wired[pin]
        elif pin in gpios:
            assert label.startswith(f"GPIO {gpios[pin]} · ")
        else:
            assert label.startswith("ground" if pin in GROUND_PINS else ("3.3 V", "5 V"))
            assert label.endswith("(the display's)") is (pin in DISPLAY_PINS)
    first = seat_pins(SETTINGS)[0]
    for gpio in (first.raises, first.confirm, first.light):
        assert f"GPIO {gpio} (pin {HEADER_PIN_BY_GPIO[gpio or 0]} of the header)" in texts
    assert "390 Ω (red)" in texts and f"ground, for instance {table('seat | raise')[0][4]}" in texts


# -------- cameras


@every_camera
def test_camera_table_agrees_with_the_adapter(camera: Camera) -> None:
    readout_ns = READOUT_NS[camera.chip.lower(), int(camera.mode[1])]
    assert camera.readout == (f"{readout_ns / 1e6:g} ms" if readout_ns else "global shutter")
    limits = inspect.signature(FrameRingBuffer).parameters
    frame_bytes = math.prod(camera.image_size) * 1.5
    seconds = limits["max_bytes"].default / (frame_bytes * camera.fps)
    assert camera.buffered == f"{min(limits['max_age_ns'].default / 1e9, seconds):.1f} s"
    assert camera.fps <= SETTINGS.camera.fps
    assert camera.image_size[0] * camera.mode[1] == pytest.approx(camera.image_size[1] * camera.mode[0], rel=0.002)


def test_height_table_follows_from_the_data() -> None:
    grids, spaces, *rows = table("camera | 2 seats")
    for place, seats in enumerate((2, 4, 6, 8), 1):
        assert grids[place] == "{} × {}".format(*zone_grid(seats))
        assert spaces[place] == "{:.2f} × {:.2f} m".format(*(side / 1000 for side in required_mm(seats)))
        for camera, row in zip(CAMERAS, rows, strict=True):
            height = camera.distance_mm(seats) + THROW_HEIGHT_MM
            wide, high = (side / 1000 for side in camera.field_mm(height))
            assert row[place] == f"{height / 1000:.2f} m; {wide:.2f} × {high:.2f} m; {camera.hand_px(seats)} px"


def test_usual_camera_hangs_as_high_as_in_the_comparison() -> None:
    (compared,) = (row for row in table("camera | 2 seats") if row[0] == "Camera Module 3 Wide")
    cells = [cell.rpartition("; ")[0] for cell in compared[1:]]
    assert [f"{row[1]}; {row[2]}" for row in table("seats | height")] == cells


@every_camera
@pytest.mark.parametrize("seats", range(2, 9))
def test_hands_fill_a_detectable_share_of_their_zones(camera: Camera, seats: int) -> None:
    side = min(pixels / count for pixels, count in zip(camera.image_size, zone_grid(seats), strict=True))
    least, most = DETECTABLE_HAND_SHARES
    assert least <= camera.hand_px(seats) * CHILD_HAND_SCALE / side and camera.hand_px(seats) / side <= most


def test_mounting_shows_the_heights_of_the_table() -> None:
    texts = [element.text for element in ElementTree.parse(PICTURES / "mounting.svg").iter()]
    wide = next(row for row in table("camera | 2 seats") if row[0] == CAMERAS[0].name)
    for seats, cell in ((2, wide[1]), (4, wide[2]), (8, wide[4])):
        height, visible, _ = cell.split("; ")
        place = texts.index(f"{seats} seats")
        assert texts[place - 1] == height
        assert f"shows {visible} of the table" in texts[place:]


def test_resistors_keep_lights_within_the_limits_of_the_pins() -> None:
    shopping_list = TEXT.split("### The board")[0]
    for (colour, drop, sum_, ohm, one, every, short), measured_ma in zip(
        table("light | forward"), (3.0, 2.0, 1.6), strict=True
    ):
        rest_v = 0.47 * measured_ma  # MonkMakes measured the current with 470 Ω
        assert drop == f"{3.3 - rest_v:.2f} V"
        assert sum_ == f"(3.3 − {3.3 - rest_v:.2f}) V ÷ 4 mA = {rest_v / 4e-3:.0f} Ω"
        (resistor,) = numbers(ohm)
        assert resistor == min(value * 10 for value in E12_VALUES if value * 10 >= rest_v / 4e-3), colour
        current_ma = rest_v / resistor * 1000
        assert one == f"{current_ma:.1f} mA"
        assert every == f"{current_ma * len(SETTINGS.seat):.0f} of 50 mA" and current_ma * len(SETTINGS.seat) <= 50
        assert short == f"{3300 / resistor:.0f} of 16 mA" and 3300 / resistor <= 16
        assert f"{resistor:g} Ω" in shopping_list


# -------- doctor


def probe(found: Mapping[str, object], status: int = 0, why: str = "") -> RunProbe:
    return lambda args, seconds: ProbeResult(status, found, why)


def test_doctor_prints_the_lines_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "card0").touch()
    settings = tmp_path / "throwlock.toml"
    settings.write_text("[buttons]\non = true\n")
    library = SimpleNamespace(Picamera2=SimpleNamespace(global_camera_info=list))
    with pytest.raises(CameraError) as no_camera:
        Picamera(0, MonotonicClock(), import_library=lambda: library).start()
    found: dict[str, object] = {
        **{"sensor": "imx708", "mode": (1536, 864), "size": (1280, 720), "fps": 120, "asked": 120, "dropped": 0},
        **{"light": "bright", "exposure_ms": MAX_EXPOSURE_US / 1000, "readout_ms": READOUT_NS["imx708", 864] / 1e6},
    }
    wired: dict[str, object] = {"buttons lacking": [], "lights lacking": []}
    held_down: dict[str, object] = {"buttons lacking": ["seat 2's raise is down"], "lights lacking": []}
    (tmp_path / "fake.task").write_text("reader RuntimeError\nload illegal")
    monkeypatch.setattr("vision.hands.model_process.WORKER_MODULE", "tests.helpers.faulty_model_worker")
    with closing(ModelProcess()) as process, pytest.raises(ModelAbortError) as stopped:
        process.load(tmp_path / "fake.task", 1, 0.3)
    without_litert = {"mediapipe": "1.2.2", "recognised": ["rock"], "tracking_error": "invalid memory access, SIGSEGV"}
    lines = [
        *checks.hands(True, probe({"mediapipe": "1.2.2"}, 1, str(stopped.value))),
        *checks.hands(True, probe(without_litert)),
        checks.picamera(probe(found)),
        checks.picamera(probe(found | {"light": "black"})),
        checks.picamera(probe({}, 1, str(no_camera.value))),
        checks.screen(probe({"driver": "KMSDRM", "sizes": [(800, 480)]}), {}, tmp_path),
        *checks.seats(probe(wired), settings),
        next(iter(checks.seats(probe(held_down), settings))),
        checks.sound(probe({"none": missing_device_reason({}, tmp_path)})),
        checks.voice(probe({"none": "espeak-ng is not installed"})),
    ]
    assert BLOCKS["text"] == [
        "".join(f"{line.line()}\n" for line in lines if line.found != "mediapipe 1.2.2: rendered rock recognised")
    ]


# -------- text


def test_anchors_exist() -> None:
    heads = {
        re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= heads


@pytest.mark.parametrize(
    "line", [line for block in BLOCKS["sh"] for line in block.splitlines() if "throwlock " in line]
)
def test_command_is_valid(line: str) -> None:
    asked = shlex.split(line)
    if "throwlock" not in asked or asked[0] != "as_box":
        assert asked[0] in ("sudo", "systemctl", "alias", "journalctl"), line
        return
    name, *args = asked[asked.index("throwlock") + 1 :]
    command = throwlock.get_command(click.Context(throwlock), name)
    assert command is not None
    command.make_context(name, args)


def test_installer_has_the_options_used() -> None:
    installer = ROOT / "systemd" / "install"
    for line in (line for block in BLOCKS["sh"] for line in block.splitlines() if "systemd/install" in line):
        assert all(option in installer.read_text() for option in re.findall(r"--[\w-]+", line))


@pytest.mark.parametrize("block", BLOCKS["toml"])
def test_settings_block_is_valid(block: str) -> None:
    assert Settings.model_validate(tomlkit.parse(block).unwrap()) != Settings()


def test_named_settings_exist() -> None:
    keys = {one.key for one in describe_settings()}
    named = set(re.findall(r"`((?:camera|sound|buttons|house)\.\w+)`", TEXT))
    assert named and named <= keys


def test_quoted_screen_texts_exist() -> None:
    with (ROOT / "ui" / "i18n" / "languages" / "de.po").open("rb") as file:
        known = {message.id for message in read_po(file)}
    quoted = re.findall(r"^\| `(.*?)` \|", TEXT.split("| the screen says |")[1].split("\n\n")[0], re.MULTILINE)
    assert len(quoted) > 10
    assert not [text for text in quoted if text not in known]
