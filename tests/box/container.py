"""A Debian system in which commands run, and one that is booted in namespaces: systemd is its process 1."""

import os
import shlex
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from typing_extensions import override

BOOT_TIMEOUT_S = 300.0
POLL_S = 0.1
MEMORY_GROUPS = Path("/sys/fs/cgroup/memory")
"""Where version 1 of control groups is mounted, the memory of the container is limited as a whole."""
DOWNLOADS = "/var/tmp/throwlock-box-test/pip"
BOOT = """
mount --make-rprivate /
cd {root}
mkdir -p {downloads} root/.cache/pip
mount --bind . . && cd {root}
mount --bind {downloads} root/.cache/pip
mount -t proc proc proc
mount --rbind /sys sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount --rbind /dev dev
mount -t tmpfs tmpfs dev/shm
hostname throwlock
exec env -i container=throwlock PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    setpriv --bounding-set -sys_time chroot . /lib/systemd/systemd --system
"""
"""What pip downloads is kept for other runs. The first change of the time zone makes the kernel move its clock, which
is this machine's: the container may not."""


class ContainerError(Exception):
    """A command in the container that failed, or something that never happened."""


def wait_until(is_done: Callable[[], object], what: str, seconds: float) -> None:
    """Wait until ``is_done`` returns something true. Raises ContainerError after ``seconds``."""
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > end:
            raise ContainerError(f"not within {seconds:.0f} s: {what}")
        time.sleep(POLL_S)


class System(ABC):
    """A Debian system that runs, in which commands can be run and files read and written."""

    @property
    @abstractmethod
    def is_running(self) -> bool:
        """Whether it has not powered off."""

    @abstractmethod
    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a command as root, and return what it printed and its exit status."""

    @abstractmethod
    def read(self, path: str) -> bytes | None:
        """Return what is in a file of the system, None if there is none."""

    @abstractmethod
    def write(self, path: str, content: str | bytes) -> None:
        """Write a file in the system, and the folders above it."""

    @abstractmethod
    def fetch(self, path: str) -> Path:
        """Return a file on this machine that is, or is a copy of, an SQLite database of the system."""

    def exists(self, path: str) -> bool:
        """Whether the system has a file or folder of that name."""
        return not self.run("test", "-e", path).returncode

    def output(self, *words: str) -> str:
        """Run a command, and return what it printed."""
        return self.run(*words).stdout.strip()

    def check(self, *words: str) -> str:
        """Run a command, and return what it printed. Raises ContainerError if it fails."""
        done = self.run(*words)
        if done.returncode:
            raise ContainerError(f"{shlex.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def wait_for_boot(self, seconds: float) -> None:
        """Wait until systemd has started everything."""
        wait_until(lambda: self.output("systemctl", "is-system-running") in ("running", "degraded"), "boot", seconds)


class Container(System):
    """The system of the folder ``root``, with at most ``memory_mb`` of memory."""

    def __init__(self, root: Path, memory_mb: int) -> None:
        self.root = root
        self.is_limited = False
        command = ["unshare", "--mount", "--uts", "--ipc", "--pid", "--cgroup", "--fork", "--kill-child"]
        script = BOOT.format(root=shlex.quote(str(root)), downloads=DOWNLOADS)
        if (MEMORY_GROUPS / "memory.limit_in_bytes").exists():
            self._memory_group = Path(tempfile.mkdtemp(prefix="throwlock-box-test-", dir=MEMORY_GROUPS))
            (self._memory_group / "memory.limit_in_bytes").write_text(f"{memory_mb}M")
            script = f"echo 0 > {self._memory_group}/cgroup.procs\n{script}"
            self.is_limited = True
        log = (root.parent / "boot.log").open("w")
        self._process = subprocess.Popen(
            [*command, "bash", "-ec", script], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )
        wait_until(self._find_systemd, "systemd starts", BOOT_TIMEOUT_S)
        self.wait_for_boot(BOOT_TIMEOUT_S)

    def _find_systemd(self) -> bool:
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        self._systemd = int(children[0]) if children else 0
        return bool(children) and Path(f"/proc/{self._systemd}/comm").read_text() == "systemd\n"

    @property
    @override
    def is_running(self) -> bool:
        return self._process.poll() is None

    def _command(self, *words: str) -> list[str]:
        namespaces = ["--mount", "--uts", "--ipc", "--pid", "--cgroup", "--root", "--wdns=/root"]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        processor = f"QEMU_CPU={os.getenv('QEMU_CPU', 'max')}"  # for programs of another one, which are emulated
        home = ["env", "-i", path, "HOME=/root", "LANG=C.UTF-8", processor]
        return ["nsenter", f"--target={self._systemd}", *namespaces, *home, *words]

    @override
    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self._command(*words), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    def _path(self, inside: str) -> Path:
        return Path(f"/proc/{self._systemd}/root") / inside.lstrip("/")

    @override
    def read(self, path: str) -> bytes | None:
        try:
            return self._path(path).read_bytes()
        except FileNotFoundError:
            return None

    @override
    def write(self, path: str, content: str | bytes) -> None:
        file = self._path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    @override
    def fetch(self, path: str) -> Path:
        return self._path(path)

    def close(self) -> None:
        """Stop everything in the container."""
        self._process.kill()
        self._process.wait()
        if self.is_limited:
            wait_until(lambda: not (self._memory_group / "cgroup.procs").read_text(), "everything ends", 10)
            self._memory_group.rmdir()
