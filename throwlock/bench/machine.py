"""The machine that is measured: what it is, how busy and how hot, and how long its disk takes for a commit of the
journal. Nothing here tells two machines of a kind apart."""

import os
import platform
import random
import re
import time
from importlib import metadata
from pathlib import Path

from device.system.processor import Processor
from throwlock.bench.result import Conditions, JournalTimings, Machine, Timings
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, MatchStarted
from throwlock.journal.journal import Evidence, Journal

DISK_NAMES = re.compile(r"^/dev/((?:mmcblk|nvme|sd|vd)\w+)$")
"""Disks that are named after their kind. Other names (a share, a volume) are their owner's."""


def describe_machine(root: Path = Path("/")) -> Machine:
    """Return what this machine is; ``root`` has proc and etc."""
    release = re.match(r"\d+(\.\d+)*", platform.release())
    pages, page_bytes = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return Machine(
        board=board_name(root),
        cores=os.cpu_count() or 1,
        memory_gb=round(pages * page_bytes / 1e9, 1),
        system=_system_name(root),
        kernel=release[0] if release else "unknown",
        python=platform.python_version(),
        throwlock=_package_version("throwlock"),
        mediapipe=_package_version("mediapipe"),
        opencv=_package_version("opencv-contrib-python"),
    )


def board_name(root: Path, architecture: str = platform.machine()) -> str:
    """Return the board's model as its device tree has it, or what kind of PC this is."""
    if model := _read(root / "proc/device-tree/model"):
        return _words(model)
    kind = "x86-64 PC" if architecture == "x86_64" else f"{_words(architecture)} machine"
    is_virtual = re.search(r"^flags\s*:.*\bhypervisor\b", _read(root / "proc/cpuinfo"), re.MULTILINE)
    return f"{kind}, virtual" if is_virtual else kind


def _system_name(root: Path) -> str:
    """Return the distribution and its version, such as "debian 13"."""
    fields = dict(re.findall(r"^(\w+)=\"?(.*?)\"?$", _read(root / "etc/os-release"), re.MULTILINE))
    return _words(f"{fields.get('ID', 'unknown')} {fields.get('VERSION_ID', '')}")


def disk_name(folder: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """Return the file system that holds ``folder``, and its disk if that is named after its kind."""
    try:
        device = folder.stat().st_dev
    except OSError:
        return "unknown"
    for line in _read(mounts).splitlines():
        before, _, after = line.partition(" - ")
        if after and before.split()[2] == f"{os.major(device)}:{os.minor(device)}":
            kind, source = after.split()[:2]
            named = DISK_NAMES.match(source)
            return _words(f"{kind} on {named[1]}" if named else kind)
    return "unknown"


def read_conditions(processor: Processor) -> Conditions:
    """Return how busy and how hot the machine is now."""
    status = processor.status()
    temperature = None if status.temperature_c is None else round(status.temperature_c, 1)
    return Conditions(load=round(os.getloadavg()[0], 2), temperature_c=temperature, throttling=status.throttling)


def _package_version(name: str) -> str:
    try:
        return _words(metadata.version(name))
    except metadata.PackageNotFoundError:
        return "not installed"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _words(text: str) -> str:
    return " ".join(re.sub(r"[\x00-\x1f|<>`/\\]", " ", text).split())[:80]


COMMITS = 40
EVIDENCE_KB = 65
"""Images of a round of two seats: docs/journal-keeping.md measures them."""


def time_commits(folder: Path, commits: int = COMMITS) -> JournalTimings:
    """Time commits of rounds with images in a new journal in ``folder``, which is left there. Raises JournalError."""
    started = MatchStarted(
        game="classic", rules_version=1, seats=2, options={}, house_rules=HouseRules(), seed=0, camera="none"
    )
    answered = Answered(prompt="throw", answers={1: "rock", 2: "paper"})
    times_ms = []
    with Journal(folder / "bench.journal") as journal:
        match = journal.start_match(started, ("Ann", "Ben"))
        for number in range(commits):
            data = random.Random(number).randbytes(EVIDENCE_KB * 1000)
            start = time.perf_counter()
            journal.append(match, answered, [Evidence("lock.jpg", "image/jpeg", data)])
            times_ms.append((time.perf_counter() - start) * 1e3)
    return JournalTimings(evidence_kb=EVIDENCE_KB, disk=disk_name(folder), commits=Timings.of(times_ms))
