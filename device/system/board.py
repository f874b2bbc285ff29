"""The board that this program runs on."""

from pathlib import Path

DEVICE_TREE_COMPATIBLE = Path("/proc/device-tree/compatible")
"""Names of the board and its processor, each ended by a NUL. Absent where there is no device tree."""


def is_raspberry_pi_4(compatible: Path = DEVICE_TREE_COMPATIBLE) -> bool:
    """Whether the board has the processor of a Raspberry Pi 4, as the 400 and the Compute Module 4 do."""
    try:
        return b"brcm,bcm2711" in compatible.read_bytes().split(b"\0")
    except OSError:
        return False
