"""The board, by its device tree."""

from pathlib import Path

import pytest

from device.system.board import is_raspberry_pi_4


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
