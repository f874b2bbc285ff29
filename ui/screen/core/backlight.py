"""The backlights of a touchscreen, as Linux has them in /sys/class/backlight."""

from pathlib import Path

BACKLIGHT_DIR = Path("/sys/class/backlight")
POWER_ON, POWER_OFF = "0", "4"
"""Values of bl_power: the kernel's Documentation/ABI/stable/sysfs-class-backlight."""


class Backlights:
    """All backlights of the machine, each as far as this process may switch it: by its power or, as on Raspberry Pi OS
    where only that is open to the group video, by its brightness. An HDMI screen has none."""

    def __init__(self, folder: Path = BACKLIGHT_DIR) -> None:
        self._folder = folder
        self._values_before: dict[Path, str] = {}

    def switch_off(self) -> None:
        """Switch them off."""
        for light in self._folder.glob("*"):
            for path, off in ((light / "bl_power", POWER_OFF), (light / "brightness", "0")):
                before = read_kernel_file(path)
                if before and before != off and _write(path, off):
                    self._values_before[path] = before
                    break

    def switch_on(self) -> None:
        """Switch on those that ``switch_off`` switched off."""
        for path, before in self._values_before.items():
            _write(path, before)
        self._values_before.clear()

    def reset(self) -> None:
        """Switch on all that are off: a process that was killed leaves them so."""
        for light in self._folder.glob("*"):
            if read_kernel_file(light / "bl_power") not in ("", POWER_ON):
                _write(light / "bl_power", POWER_ON)
            if read_kernel_file(light / "brightness") == "0":
                _write(light / "brightness", read_kernel_file(light / "max_brightness"))


def read_kernel_file(path: Path) -> str:
    """Return what a file of the kernel holds, "" if it can't be read: it may vanish."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def _write(path: Path, value: str) -> bool:
    """Write to a file, and return whether that was possible."""
    try:
        path.write_text(value)
    except OSError:
        return False
    return True
