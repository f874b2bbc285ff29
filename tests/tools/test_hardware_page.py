"""hardware.md: its generated sections are up to date, the calculations are right, links and anchors exist, commands and
settings are the program's, and quoted screen texts are real."""

import inspect
import re
import shlex
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
import tomlkit
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from device.camera.ring_buffer import FrameRingBuffer
from device.gpio.pins import HEADER_PIN_BY_GPIO, SHARED_PINS
from device.simulated.table.hand import LENGTH_MM
from device.simulated.table.materials import CLOTHS
from device.simulated.table.seating import THROW_HEIGHT_MM
from throwlock.cli.main import throwlock
from throwlock.settings.model import SeatSettings, Settings, describe_settings
from tools.docs import hardware, hardware_page
from tools.docs.generated_sections import replace_section
from tools.docs.hardware import CAMERAS, LEDS
from tools.docs.hardware_page import PAGE, drawings, header_pins, pin_table, sections, wiring_svg
from tools.docs.wiring import HeaderPin, SeatWiring, draw_wiring
from ui.screen.drawing.theme import Theme
from vision.lock.camera_checks import DARK_LEVEL, MIN_CAMERA_SHIFT

ROOT = PAGE.parent
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = {kind: re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL) for kind in ("sh", "toml")}
SVG = "{http://www.w3.org/2000/svg}"
OTHERS = Settings(
    seat=(SeatSettings(raises=2, confirm=3, light=14), SeatSettings(raises=26, confirm=21)),
)
"""Two seats on unusual pins, one of them without a light."""


def svg_texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


# -------- generated sections


def test_page_is_up_to_date() -> None:
    text = TEXT
    for name, content in sections().items():
        text = replace_section(text, name, content)
    assert text == TEXT, "run python -m tools.docs.hardware_page"


@pytest.mark.parametrize("path", drawings(), ids=lambda path: path.name)
def test_drawings_are_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == drawings()[path]


def test_drawings_have_a_white_background() -> None:
    for svg in drawings().values():
        background = next(iter(ElementTree.fromstring(svg).iter(f"{SVG}rect")))
        assert background.attrib["fill"] == "#ffffff"
        assert "width" in background.attrib and "x" not in background.attrib


# -------- pins


@pytest.mark.parametrize("settings", [Settings(), OTHERS], ids=["default", "unusual"])
def test_every_pin_of_the_settings_is_in_its_place_on_the_header(settings: Settings) -> None:
    drawn = {pin.number: pin for pin in header_pins(settings)}
    assert sorted(drawn) == list(range(1, 41))
    for seat, pins in enumerate(settings.seat, 1):
        for name, gpio in (("raise", pins.raises), ("confirm", pins.confirm), ("light", pins.light)):
            if gpio is None:
                continue
            drawn_pin = drawn.pop(HEADER_PIN_BY_GPIO[gpio])
            assert drawn_pin.label == f"seat {seat} {name} · GPIO {gpio}"
            assert drawn_pin.kind == ("light" if name == "light" else "button")
            assert f"| GPIO {gpio}, pin {HEADER_PIN_BY_GPIO[gpio]} |" in pin_table(settings).splitlines()[seat + 1]
    assert not [pin for pin in drawn.values() if pin.kind in ("button", "light")]


def test_header_has_all_ground_and_power_pins() -> None:
    kinds = [pin.kind for pin in header_pins(Settings())]
    assert (kinds.count("ground"), kinds.count("power")) == (8, 4)
    assert not {*hardware_page.GROUND_PINS, *hardware_page.POWER_PINS} & set(HEADER_PIN_BY_GPIO.values())


def test_pin_table_names_what_to_disable_for_shared_pins() -> None:
    for line, pins in zip(pin_table(OTHERS).splitlines()[2:], OTHERS.seat, strict=True):
        for gpio in (pins.raises, pins.confirm):
            assert SHARED_PINS.get(gpio, "nothing") in line or gpio == 26


def test_wiring_follows_the_settings() -> None:
    told = svg_texts(wiring_svg(OTHERS))
    assert "GPIO 2 (pin 3 of the header)" in told and "GPIO 17 (pin 11 of the header)" not in told


def test_seat_without_a_light_is_drawn_without_one() -> None:
    seat = SeatWiring("Seat 1", "GPIO 2", "GPIO 3", "GPIO 4", "pin 9", "390 Ω")
    with_one, without = (
        svg_texts(draw_wiring([HeaderPin(1, "power", "3.3 V")], one)) for one in (seat, replace(seat, light=None))
    )
    assert "390 Ω" in with_one and "390 Ω" not in without


# -------- calculations


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.name)
@pytest.mark.parametrize("seats", range(2, 9))
def test_camera_height_is_the_least_with_enough_space(camera: hardware.CameraModel, seats: int) -> None:
    height = hardware.lowest_camera_height(camera, seats)
    needed = hardware.required_field_mm(seats)
    seen = camera.field_of_view_mm(height.distance_mm)
    assert all(has >= need - 1e-6 for has, need in zip(seen, needed, strict=True))
    lower = camera.field_of_view_mm(height.distance_mm * 0.99)
    assert any(has < need for has, need in zip(lower, needed, strict=True))
    columns, rows = hardware.zone_grid(seats)
    side = min(camera.image_size[0] / columns, camera.image_size[1] / rows)
    least, most = hardware.DETECTABLE_HAND_SHARES
    assert least <= height.hand_px * hardware.CHILD_HAND_SCALE / side and height.hand_px / side <= most


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.name)
def test_camera_matches_its_data_sheet(camera: hardware.CameraModel) -> None:
    assert camera.computed_angle_deg() == pytest.approx(camera.angle_deg, rel=0.04)
    assert camera.readout_ms is not None
    wide, high = camera.mode.size
    assert camera.image_size[0] <= wide and camera.image_size[1] <= high
    assert camera.image_size[0] * high == pytest.approx(camera.image_size[1] * wide, rel=0.002)


def test_default_focus_is_sharp_at_one_metre_only() -> None:
    wide = CAMERAS[0]
    assert wide.blur_px(1000) == 0
    # 2.75² mm² / 2.2 at one dioptre off is 3.4 µm, of pixels of 1.4 µm binned in twos
    assert wide.blur_px(500) == pytest.approx(3.4375 / 2.8)


def test_required_lux_matches_the_sunny_16_rule() -> None:
    # the sunny 16 rule: f/16 and 1/100 s at ISO 100 in full sun, some tens of thousands of lux
    assert 50_000 < hardware.required_lux(16, 1 / 100, 1) < 100_000
    assert hardware.required_lux(2, 0.004, 8) == pytest.approx(2 * hardware.required_lux(2, 0.004, 16))


@given(st.floats(10, 8200))
def test_smallest_resistor_is_the_next_e12_value(ohm: float) -> None:
    found = hardware.smallest_resistor(ohm)
    sold = [digits * 10**power for power in range(3) for digits in hardware.E12_VALUES]
    assert found in sold and found >= ohm
    assert not [value for value in sold if ohm <= value < found]


def test_smallest_resistor_rejects_larger_values() -> None:
    with pytest.raises(ValueError, match="9000"):
        hardware.smallest_resistor(9000)


@pytest.mark.parametrize("led", LEDS, ids=lambda led: led.colour)
def test_leds_stay_within_the_current_limits(led: hardware.Led) -> None:
    assert led.current_ma(led.resistor_ohm) <= hardware.MAX_LED_MA
    assert led.current_ma(led.resistor_ohm) * len(Settings().seat) <= hardware.MAX_TOTAL_MA
    assert hardware.PIN_VOLTAGE_V / led.resistor_ohm * 1000 <= hardware.MAX_PIN_MA
    assert f"{led.resistor_ohm} Ω" in TEXT.split("<!-- lights: begin -->")[0], "the shopping list names it"


# -------- text


def test_figures_in_the_text_are_those_of_the_code() -> None:
    min_share, max_share = hardware.DETECTABLE_HAND_SHARES
    for figure in (
        f"({LENGTH_MM:g} mm from the wrist",
        f"fill {100 * min_share:g} to {100 * max_share:g} % of their zone",
        f"hands {THROW_HEIGHT_MM:g} mm above the table",
        f"brightness of {DARK_LEVEL:g} of 255",
        f"shifts by {100 * MIN_CAMERA_SHIFT:g} % of its width",
        f"up to {inspect.signature(FrameRingBuffer).parameters['max_bytes'].default / 1e9:g} GB",
        f"is focused at {1 / hardware.DEFAULT_FOCUS_DIOPTRES:g} m until",
    ):
        assert figure in " ".join(TEXT.split()), figure
    assert "pink" not in CLOTHS
    small = Theme((720, 1280)).touch_size / 720 * 62
    assert f"they would be {small:.1f} mm" in TEXT


def test_statements_about_cameras_follow_from_the_tables() -> None:
    cameras = {camera.sensor: camera for camera in reversed(CAMERAS)}  # the Wide before the other IMX708
    wide, bright, hq, small = (cameras[sensor] for sensor in ("imx708", "imx296", "imx477", "imx219"))
    standard = next(camera for camera in CAMERAS if camera.name == "Camera Module 3")
    heights = {
        camera: [hardware.lowest_camera_height(camera, seats).height_mm for seats in (2, 4, 6, 8)] for camera in CAMERAS
    }
    assert wide.fps == max(camera.fps for camera in CAMERAS)
    assert all(min(heights.values(), key=lambda row, at=at: row[at]) == heights[wide] for at in (0, 3))
    assert bright.f_number**2 / wide.f_number**2 == pytest.approx(1 / 3, abs=0.04)
    assert all(high > low for high, low in zip(heights[hq], heights[bright], strict=True))
    assert all(1.5 < high / low < 1.8 for high, low in zip(heights[standard], heights[wide], strict=True))
    assert small.fps / wide.fps == pytest.approx(1 / 3, abs=0.05)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#:]+)\)", TEXT))))
def test_link_target_exists(target: str) -> None:
    assert (ROOT / target).exists()


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
