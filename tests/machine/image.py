"""The disk image of a machine: a Debian root in which the box is installed, with what the machine test needs."""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE), str(HERE.parent / "box")]

from box import Box, XScreen, files_of_test  # noqa: E402
from container import Container  # noqa: E402
from machine import MachineScreen  # noqa: E402

IMAGE_SIZE = "8G"
MEMORY_MB = 2048
FILES = {
    "etc/fstab": "/dev/vda / ext4 defaults,noatime 0 1\n",
    "etc/hostname": "throwlock\n",
    "etc/modules-load.d/machine-test.conf": "uinput\n",
    # As Raspberry Pi OS has it.
    "etc/udev/rules.d/99-com.rules": 'SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"\n',
}
PACKAGES = {"amd64": ("kmod", "dosfstools", "nfs-kernel-server"), "arm64": ("kmod",)}
"""A container has no kernel modules to load; the others are for the stick and the server that are exported to."""
UNITS = {"simulated-gpio.service": "sysinit.target", "agent.service": "multi-user.target"}
MASKED_UNITS = (
    "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer",
    "systemd-firstboot.service", "nfs-server.service", "serial-getty@ttyS0.service",
    "serial-getty@ttyAMA0.service", "systemd-networkd-wait-online.service",
)  # fmt: skip


def install_box(root: Path, board: str) -> None:
    """Run the project's installer in ``root``, booted in a container: only another processor is emulated."""
    subprocess.run(["chroot", str(root), "groupadd", "--force", "--system", "gpio"], check=True)
    container = Container(root, MEMORY_MB)
    try:
        box = Box(container, XScreen(container))
        container.check("apt-get", "install", "-qq", "--yes", *PACKAGES[board])
        box.install()
        box.change_settings('(# )?name = ".*"', 'name = "none"', "[camera]")
        if board == "amd64":
            box.change_settings(r"(# )?on = \w+", "on = true", "[buttons]")
        box.stop()
        container.check("rm", "-rf", "/var/lib/throwlock/throwlock.journal", "/run/throwlock")
    finally:
        container.close()


def make_image(root: Path, image: Path) -> None:
    """Write a disk image of ``root`` that boots as a machine."""
    files = {name: text.encode() for name, text in FILES.items()} | files_of_test(MachineScreen.drop_in)
    for name, content in files.items():
        file = root / name.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    folder = root / "opt/machine-test"
    folder.mkdir(exist_ok=True)
    for name in ("agent.py", "simulated-gpio"):
        shutil.copy(HERE / "inside" / name, folder)
    units = root / "etc/systemd/system"
    for unit, target in UNITS.items():
        shutil.copy(HERE / "inside" / unit, units)
        wants = units / f"{target}.wants"
        wants.mkdir(exist_ok=True)
        link(wants / unit, f"../{unit}")
    for unit in MASKED_UNITS:
        link(units / unit, "/dev/null")
    image.unlink(missing_ok=True)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-d", str(root), str(image), IMAGE_SIZE], check=True)


def link(path: Path, target: str) -> None:
    """Make ``path`` a symbolic link, whatever it was."""
    path.unlink(missing_ok=True)
    path.symlink_to(target)
