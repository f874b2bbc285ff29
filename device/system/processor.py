"""The processor's temperature, and whether it runs more slowly to stay cool or for lack of power."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

DEVICE_TREE_COMPATIBLE = Path("/proc/device-tree/compatible")
"""Names of the board and its processor, each ended by a NUL. Absent where there is no device tree."""


def is_raspberry_pi_4(compatible: Path = DEVICE_TREE_COMPATIBLE) -> bool:
    """Whether the board has the processor of a Raspberry Pi 4, as the 400 and the Compute Module 4 do."""
    try:
        return b"brcm,bcm2711" in compatible.read_bytes().split(b"\0")
    except OSError:
        return False


THROTTLING_BITS = {
    0: "under-voltage now",
    1: "clock capped now",
    2: "throttled now",
    3: "at its temperature limit now",
    16: "under-voltage since power-on",
    17: "clock capped since power-on",
    18: "throttled since power-on",
    19: "at its temperature limit since power-on",
}
"""The bits of a Raspberry Pi's ``get_throttled``: its documentation of vcgencmd."""
VCGENCMD_TIMEOUT_S = 5.0


@dataclass(frozen=True)
class ProcessorStatus:
    """How the processor is. None where the machine doesn't tell."""

    temperature_c: float | None
    """In °C."""
    throttling: tuple[str, ...] | None
    """What slows it down, in words."""


class Processor:
    """How hot the processor is, and whether it is throttled, from the kernel's files under ``sys``, and from what a
    Raspberry Pi's firmware tells there or through ``run_vcgencmd``, which returns the command's output (None if there
    is none)."""

    def __init__(self, sys: Path = Path("/sys"), run_vcgencmd: Callable[[], str | None] | None = None) -> None:
        self._sys = sys
        self._run_vcgencmd = run_vcgencmd or run_get_throttled

    def status(self) -> ProcessorStatus:
        """Return the status now."""
        return ProcessorStatus(self.temperature_c(), self._throttling())

    def temperature_c(self) -> float | None:
        """Return the temperature in °C; None where the machine doesn't tell."""
        try:
            return int((self._sys / "class/thermal/thermal_zone0/temp").read_text()) / 1000
        except (OSError, ValueError):
            return None

    def _throttling(self) -> tuple[str, ...] | None:
        for file in sorted(self._sys.glob("devices/platform/soc*/*firmware/get_throttled")):
            try:
                return throttling_words(int(file.read_text(), 16))
            except (OSError, ValueError):
                continue
        _, equals, bits = (self._run_vcgencmd() or "").partition("throttled=")
        try:
            return throttling_words(int(bits, 16)) if equals else None
        except ValueError:
            return None


def throttling_words(bits: int) -> tuple[str, ...]:
    """Return what the bits of ``get_throttled`` mean."""
    return tuple(words for bit, words in THROTTLING_BITS.items() if bits >> bit & 1)


def run_get_throttled() -> str | None:
    """Return what ``vcgencmd get_throttled`` prints; None where it isn't installed or doesn't answer."""
    try:
        done = subprocess.run(
            ["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=VCGENCMD_TIMEOUT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
