"""The processor's temperature and throttling, from files as a Raspberry Pi has them."""

from pathlib import Path

import pytest

from device.system.processor import (
    Processor,
    ProcessorStatus,
    is_raspberry_pi_4,
    run_get_throttled,
    throttling_words,
)
from tests.helpers.simulated_processor import SimulatedProcessor


@pytest.mark.parametrize(
    ("compatible", "is_4"),
    [
        (b"raspberrypi,4-model-b\0brcm,bcm2711\0", True),
        (b"raspberrypi,4-compute-module\0brcm,bcm2711\0", True),
        (b"raspberrypi,5-model-b\0brcm,bcm2712\0", False),
        (b"", False),
    ],
)
def test_raspberry_pi_4_is_known_by_its_processor(compatible: bytes, is_4: bool, tmp_path: Path) -> None:
    file = tmp_path / "compatible"
    file.write_bytes(compatible)
    assert is_raspberry_pi_4(file) is is_4


def test_without_a_device_tree_it_is_none(tmp_path: Path) -> None:
    assert not is_raspberry_pi_4(tmp_path / "missing")


def sysfs(folder: Path, temperature: str = "48312\n", throttled: str | None = "0\n") -> Path:
    zone = folder / "class/thermal/thermal_zone0"
    zone.mkdir(parents=True)
    (zone / "temp").write_text(temperature)
    if throttled is not None:
        firmware = folder / "devices/platform/soc/soc:firmware"
        firmware.mkdir(parents=True)
        (firmware / "get_throttled").write_text(throttled)
    return folder


def no_vcgencmd() -> None:
    return None


def test_temperature_and_throttling_from_the_kernel(tmp_path: Path) -> None:
    status = Processor(sysfs(tmp_path, throttled="50005\n"), no_vcgencmd).status()
    assert status == ProcessorStatus(
        48.312,
        ("under-voltage now", "throttled now", "under-voltage since power-on", "throttled since power-on"),
    )


def test_nothing_throttles_it(tmp_path: Path) -> None:
    assert Processor(sysfs(tmp_path), no_vcgencmd).status().throttling == ()


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("throttled=0x0\n", ()),
        ("throttled=0x80008\n", ("at its temperature limit now", "at its temperature limit since power-on")),
        ("VCHI initialization failed\n", None),
        ("throttled=nonsense\n", None),
        (None, None),
    ],
)
def test_throttling_from_vcgencmd(tmp_path: Path, printed: str | None, words: tuple[str, ...] | None) -> None:
    assert Processor(sysfs(tmp_path, throttled=None), lambda: printed).status().throttling == words


def test_a_file_that_makes_no_sense_is_passed_over(tmp_path: Path) -> None:
    status = Processor(sysfs(tmp_path, "hot\n", "?\n"), lambda: "throttled=0x2\n").status()
    assert status == ProcessorStatus(None, ("clock capped now",))


def test_a_machine_that_tells_nothing(tmp_path: Path) -> None:
    assert Processor(tmp_path, no_vcgencmd).status() == ProcessorStatus(None, None)


def test_vcgencmd_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run_get_throttled() is None
    command = tmp_path / "vcgencmd"
    command.write_text('#!/bin/sh\n[ "$1" = get_throttled ] && echo throttled=0x1\n')
    command.chmod(0o755)
    assert run_get_throttled() == "throttled=0x1\n"
    command.write_text("#!/bin/sh\nexit 255\n")
    assert run_get_throttled() is None


def test_bits_that_mean_nothing_are_left_out() -> None:
    assert throttling_words(1 << 4 | 1 << 20) == ()


def test_the_simulated_processor_keeps_its_last_status() -> None:
    cool, hot = ProcessorStatus(40.0, ()), ProcessorStatus(82.0, ("throttled now",))
    processor = SimulatedProcessor(cool, hot)
    assert [processor.status() for _ in range(3)] == [cool, hot, hot]
    assert SimulatedProcessor().status() == ProcessorStatus(None, None)
