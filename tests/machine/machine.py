"""A Debian system as a whole machine in QEMU: its disk, its screen as a picture, touches, keys, buttons and lights."""

import base64
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from card import Card
from typing_extensions import override

sys.path.append(str(Path(__file__).parents[1] / "box"))

from box import FILES, BoxScreen
from container import ContainerError, System, wait_until

MEMORY_MB = 1024
SCREEN_SIZE = (800, 480)
TOUCH_S, PRESS_S = 0.3, 0.1
AXIS_END = 32767
"""The largest coordinate of QEMU's multi-touch."""
STATUS = "/sys/class/drm/card{card}-*/status"
GPIO = "/sys/devices/platform/gpio-sim.{chip}/gpiochip{chip}/sim_gpio{line}/{file}"
SLOWDOWN = 20.0
"""How many times as long as a PC everything may take: there is no hardware that helps QEMU, and the computer may be
busy."""
BOARDS = {
    "amd64": "qemu-system-x86_64 -cpu max -M q35",
    "arm64": "qemu-system-aarch64 -cpu cortex-a76 -M virt,gic-version=3",
}
"""QEMU's command for a PC, and for a Pi 5's processor on no Pi's board."""
QEMU_OPTIONS = (
    "-accel tcg,thread=multi,tb-size=512 -smp 2 -nodefaults -display none -no-reboot"
    " -kernel /opt/machine/vmlinuz -initrd /opt/machine/initrd"
    " -drive file=nbd+unix:///?socket=/opt/machine/run/disk,format=raw,if=none,id=disk"
    " -device virtio-blk-pci,drive=disk -device virtio-rng-pci -device virtio-serial-pci"
    " -chardev socket,id=agent,path=/opt/machine/run/agent,server=on,wait=off"
    " -device virtserialport,chardev=agent,name=throwlock.test"
    " -device virtio-multitouch-pci -device virtio-keyboard-pci -device qemu-xhci"
    " -serial file:/opt/machine/run/console -qmp unix:/opt/machine/run/qmp,server=on,wait=off"
)
KERNEL_OPTIONS = "console=ttyAMA0 console=ttyS0 quiet mitigations=off nokaslr no_timer_check panic=-1"
"""A busy computer is too slow for the kernel to check its timer."""


class Lines:
    """Lines of JSON over a Unix socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._file = self._socket.makefile("rwb")

    def send(self, message: object) -> None:
        """Send one line."""
        self._file.write(json.dumps(message).encode() + b"\n")
        self._file.flush()

    def receive(self, seconds: float) -> Any:
        """Return the next line. Raises OSError where the other side has ended, or says nothing for so long."""
        self._socket.settimeout(seconds)
        line = self._file.readline()
        if not line:
            raise ConnectionError("the machine has ended")
        return json.loads(line)


class Machine(System):
    """The system on the disk image of the folder ``run``. ``tools`` is a root with QEMU and a kernel for the ``board``,
    one of BOARDS, in which the folder is /opt/machine/run."""

    def __init__(self, tools: Path, run: Path, board: str) -> None:
        self._tools, self._run, self._board = tools, run, board
        self.gpio_chip = 0
        """The number of the chip that the buttons and lights are wired to."""
        self.card = Card(run / "image", run / "disk")
        self._process: subprocess.Popen[bytes] | None = None
        self._copies = Path(tempfile.mkdtemp(dir=run))

    def boot(self, *, memory_mb: int = MEMORY_MB, clock: str = "1970-01-01T00:00:10", cards: int = 1) -> float:
        """Switch it on, as a machine whose clock says ``clock``, and return the seconds until the agent answers."""
        start = time.monotonic()
        for name in ("agent", "qmp"):
            (self._run / name).unlink(missing_ok=True)
        graphics = [
            f"-device virtio-gpu-pci,id=screen{number},xres={SCREEN_SIZE[0]},yres={SCREEN_SIZE[1]}"
            for number in range(cards)
        ]
        words = f"{self._board} {QEMU_OPTIONS} -m {memory_mb}M -rtc base={clock} {' '.join(graphics)}".split()
        log = (self._run / "qemu.log").open("ab")
        self._process = subprocess.Popen(
            ["chroot", str(self._tools), *words, "-append", KERNEL_OPTIONS], stdout=log, stderr=log
        )
        wait_until((self._run / "qmp").exists, f"QEMU starts: {(self._run / 'qemu.log').read_text()}", 120)
        time.sleep(1)
        self._qmp, self._agent = Lines(self._run / "qmp"), Lines(self._run / "agent")
        self._qmp.receive(60)
        self.qmp("qmp_capabilities")
        self._agent.send(["run", ["true"]])
        self._agent.receive(1800)
        return time.monotonic() - start

    @property
    @override
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def switch_off(self) -> None:
        """Cut its power."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def qmp(self, command: str, **arguments: object) -> Any:
        """Let QEMU do something."""
        self._qmp.send({"execute": command, "arguments": arguments})
        while "event" in (reply := self._qmp.receive(120)):
            pass
        if "error" in reply:
            raise ContainerError(f"{command}: {reply['error']}")
        return reply["return"]

    def _ask(self, *request: object, seconds: float = 1800) -> Any:
        try:
            self._agent.send(request)
            return self._agent.receive(seconds)
        except OSError as error:
            raise ContainerError(f"{request}: {error}") from error

    @override
    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.CompletedProcess(words, *self._ask("run", words))

    @override
    def read(self, path: str) -> bytes | None:
        content = self._ask("read", path)
        return None if content is None else base64.b64decode(content)

    @override
    def write(self, path: str, content: str | bytes) -> None:
        data = content if isinstance(content, bytes) else content.encode()
        self._ask("write", path, base64.b64encode(data).decode())

    @override
    def fetch(self, path: str) -> Path:
        copy = Path(tempfile.mkdtemp(dir=self._copies)) / Path(path).name
        for end in ("", "-wal"):
            if (content := self.read(path + end)) is not None:
                copy.with_name(copy.name + end).write_bytes(content)
        return copy

    def press_button(self, line: int) -> None:
        """Press the button at a GPIO for a moment: by the machine's own time, or on a busy computer it is held."""
        pull = self._line_file(line, "pull")
        self.check("sh", "-c", f"echo pull-down >{pull}; sleep {PRESS_S}; echo pull-up >{pull}")

    def hold_button(self, line: int) -> None:
        """Connect a GPIO to ground."""
        self.write(self._line_file(line, "pull"), "pull-down")

    def release_button(self, line: int) -> None:
        """Leave a GPIO to the resistor that pulls it up."""
        self.write(self._line_file(line, "pull"), "pull-up")

    def watch_lines(self, lines: Sequence[int], seconds: float) -> list[tuple[float, str]]:
        """Return for some seconds, time and again, the time and which of these GPIOs are high ("1") or low ("0")."""
        paths = [self._line_file(line, "value") for line in lines]
        return [(when, values) for when, values in self._ask("watch", paths, seconds)]

    def _line_file(self, line: int, file: str) -> str:
        return GPIO.format(chip=self.gpio_chip, line=line, file=file)

    def picture(self, card: int = 0) -> np.ndarray:
        """Return what is on the screen of a graphics card, as (height, width, 3) in RGB."""
        self.qmp("screendump", filename="/opt/machine/run/screen.ppm", device=f"screen{card}")
        image = cv2.imread(str(self._run / "screen.ppm"))
        assert image is not None
        return image[:, :, ::-1]

    def insert_usb_stick(self, megabytes: int) -> None:
        """Put an empty stick into a USB socket."""
        with (self._run / "stick").open("wb") as file:
            file.truncate(megabytes << 20)
        blocks = {"driver": "file", "filename": "/opt/machine/run/stick"}
        self.qmp("blockdev-add", **{"node-name": "stick", "driver": "raw", "file": blocks})
        self.qmp("device_add", driver="usb-storage", drive="stick", id="usb-stick")

    def pull_usb_stick(self) -> None:
        """Pull the stick out, whatever is being written."""
        self.qmp("device_del", id="usb-stick")

    def console(self) -> str:
        """Return what the kernel and systemd wrote on the console."""
        return (self._run / "console").read_text(errors="replace")

    def close(self) -> None:
        """Switch it off, and forget what was copied."""
        self.switch_off()
        shutil.rmtree(self._copies)


class MachineScreen(BoxScreen):
    """The screen of a graphics ``card`` of ``machine``, on which the page may be ``rotation`` degrees clockwise from
    upright; the first card's is touched."""

    drop_in = f"""[Unit]
StartLimitIntervalSec=0
[Service]
Environment=PYTHONPATH={FILES} THROWLOCK_TEST_PICTURE=1
BindReadOnlyPaths=-/run/cpuinfo:/proc/cpuinfo
TimeoutStartSec=1800
WatchdogSec=300
"""

    def __init__(self, machine: Machine, card: int = 0) -> None:
        self._machine, self._card = machine, card
        self.rotation = 0

    @override
    def switch(self, on: bool) -> None:
        self._machine.check("sh", "-c", f"echo {'detect' if on else 'off'} | tee {STATUS.format(card=self._card)}")

    @override
    def tap(self, x: int, y: int) -> None:
        width, height = SCREEN_SIZE
        match self.rotation:
            case 90:
                x, y = width - 1 - y, x
            case 180:
                x, y = width - 1 - x, height - 1 - y
            case 270:
                x, y = y, height - 1 - x
        touch = {"slot": 0, "tracking-id": 1}
        at = (("x", x * AXIS_END // width), ("y", y * AXIS_END // height))
        begin = {"type": "mtt", "data": {**touch, "type": "begin", "axis": "x", "value": 0}}
        where = [{"type": "mtt", "data": {**touch, "type": "data", "axis": axis, "value": to}} for axis, to in at]
        end = {"type": "mtt", "data": {**touch, "type": "end", "tracking-id": -1, "axis": "x", "value": 0}}
        down, up = ({"type": "btn", "data": {"down": down, "button": "touch"}} for down in (True, False))
        self._machine.qmp("input-send-event", events=[begin, *where, down])
        time.sleep(TOUCH_S)
        self._machine.qmp("input-send-event", events=[end, up])

    @override
    def press(self, key: str) -> None:
        self._machine.qmp("send-key", keys=[{"type": "qcode", "data": {"Escape": "esc"}[key]}])

    def picture(self) -> np.ndarray:
        """Return what is on it, as (height, width, 3) in RGB."""
        return self._machine.picture(self._card)

    def drawn(self) -> np.ndarray | None:
        """Return what the box has drawn last, as the screen has to show it: (height, width, 3) in RGB."""
        content = self._machine.read(f"/run/throwlock/picture-{self._card}")
        size = SCREEN_SIZE if self.rotation % 180 == 0 else SCREEN_SIZE[::-1]
        if content is None or len(content) != 3 * size[0] * size[1]:
            return None
        page = np.frombuffer(content, np.uint8).reshape(size[1], size[0], 3)
        return np.rot90(page, -self.rotation // 90)
