"""The checks of ``throwlock doctor``: each tries a part of the box, and says how to fix it. Whatever may hang or abort
runs in a subprocess; nothing heavy is imported here, since it may be what is broken."""

import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Literal

from device.gpio.buttons import ButtonError
from device.system.file_times import EARLIEST_YEAR
from throwlock.cli.doctor import system_packages
from throwlock.cli.doctor.probes import RunProbe, run_probe
from throwlock.cli.options import plural
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.journal.quarantined import find_quarantined
from throwlock.settings import model as settings
from throwlock.settings.model import seat_pins
from vision.hands.model import CACHE_FOLDER, MODEL_SIZES, cache_directory

State = Literal["ok", "missing", "broken", "unused"]
MIN_FREE_BYTES = 200_000_000
"""Free bytes below which the disk counts as full: the evidence of one evening takes tens of millions."""
NON_CAMERA_NODES = ("bcm2835-", "pispbe", "rpi-", "rpivid", "rp1-cfe", "unicam")
"""Name prefixes of the Raspberry Pi's video nodes that are not cameras, or that OpenCV can't open."""
SCRIPT_SAMPLE = "ệשسकকதగกက፩ქա王あ한🦊"
"""A letter of each of the most common scripts besides Latin, Greek and Cyrillic."""
LIGHT_NOTES = {
    "bright": "",
    "dim": ", but it is too dark to read hands surely: add more light",
    "black": ", but the image is black: is its lens covered?",
}


@dataclass(frozen=True)
class PartStatus:
    """A part of the box, and how it is."""

    name: str
    state: State
    found: str
    """What was found, in a sentence."""
    remedy: str = ""
    """How to fix it; "" where there is nothing to fix."""
    needed: bool = False
    """Whether nothing can be played without it."""

    def line(self) -> str:
        """Format the part as one line."""
        return f"{self.state:8} {self.name:10} {self.found}" + (f"; {self.remedy}" if self.remedy else "")


def python() -> PartStatus:
    """Check the Python version."""
    version = f"Python {platform.python_version()}, {sys.executable}"
    if sys.version_info >= system_packages.MIN_PYTHON:
        return PartStatus("python", "ok", version, needed=True)
    oldest = ".".join(map(str, system_packages.MIN_PYTHON))
    return PartStatus("python", "broken", version, f"install Python {oldest} or newer", needed=True)


def libraries() -> PartStatus:
    """Check the shared libraries that the packages need."""
    packages = system_packages.missing_packages()
    if not packages:
        return PartStatus("libraries", "ok", "all required system libraries load", needed=True)
    names = " ".join(packages)
    return PartStatus("libraries", "missing", f"Debian packages {names}", f"sudo apt install {names}", needed=True)


def model() -> PartStatus:
    """Check the hand model's files against the hashes in their names."""
    folder = cache_directory() / CACHE_FOLDER
    prepare = f"{sys.executable} -m vision.hands.model fetches it (36 MB, once)"
    lacking = []
    for size in MODEL_SIZES:
        files = sorted(folder.glob(f"{size}-*.task"))
        if not files:
            lacking.append(size)
        elif not any(_is_whole(path) for path in files):
            return PartStatus("hand model", "broken", f"{files[0]} is damaged", prepare, needed=True)
    if lacking:
        return PartStatus("hand model", "missing", f"{' and '.join(lacking)}: not in {folder}", prepare, needed=True)
    return PartStatus("hand model", "ok", f"{' and '.join(MODEL_SIZES)}, hashes correct, in {folder}", needed=True)


def _is_whole(bundle: Path) -> bool:
    """Whether a bundle's hash is the last part of its name."""
    try:
        digest = hashlib.sha256(bundle.read_bytes()).hexdigest()
    except OSError:
        return False
    named = bundle.stem.rpartition("-")[2]
    return bool(named) and digest.startswith(named)


def hands(prepared: bool, attempt: RunProbe = run_probe) -> Iterator[PartStatus]:
    """Check whether a ``prepared`` hand model recognises hands here, and whether LiteRT reads those whose place is
    known. The check must not fetch the model."""
    if not prepared:
        remedy = "prepare the model, then run doctor again"
        yield PartStatus("hands", "missing", "not tried: there is no hand model", remedy, needed=True)
        return
    tried = attempt(["hand"], 240)
    runtime = f"mediapipe {tried.found.get('mediapipe', 'of no version')}"
    if throws := tried.found.get("recognised"):
        yield PartStatus("hands", "ok", f"{runtime}: rendered {', '.join(throws)} recognised", needed=True)
    else:
        remedy = "fix the parts above, then install the project again"
        yield PartStatus("hands", "broken", f"{runtime}: {tried.why.rstrip('.')}", remedy, needed=True)
    if "tracking_error" not in tried.found:
        return
    if why := tried.found["tracking_error"]:
        slow = f"LiteRT can't be used ({why}): hands are searched in every frame, which takes up to twice as long"
        yield PartStatus("fast hands", "broken", slow, "install the project again; the box plays without it")
    else:
        yield PartStatus("fast hands", "ok", "LiteRT reads a hand where it was in the frame before")


def simulated_table() -> PartStatus:
    """Check that what renders the simulated table is installed; a box with a camera does without."""
    if importlib.util.find_spec("numba"):
        return PartStatus("simulated", "ok", "numba is installed: --camera simulated and the demo work")
    lack = "numba is not installed, so neither --camera simulated nor the demo works"
    return PartStatus("simulated", "unused", lack, f"{sys.executable} -m pip install numba adds them")


def configured_camera(attempt: RunProbe = run_probe, file: Path | None = None) -> PartStatus:
    """Check the camera that the settings name."""
    path = file or settings.default_settings_path()
    try:
        name = settings.read_settings(path).camera.name
    except settings.SettingsError as error:
        return PartStatus("camera", "broken", str(error))
    kind, _, number = name.partition(":")
    if kind == "picamera2" or (name == "auto" and importlib.util.find_spec("picamera2")):
        return picamera(attempt, int(number or 0))
    if kind in ("usb", "auto"):
        return camera(attempt, only=int(number) if number else None)
    return PartStatus("camera", "unused", f"{path} says {name}, so none is opened")


def picamera(attempt: RunProbe = run_probe, index: int = 0) -> PartStatus:
    """Check a Pi's own camera: what its sensor delivers, or why it does not run."""
    tried = attempt(["picamera", str(index)], 25)
    measured = tried.found
    if "sensor" not in measured:
        remedy = "or plug in a USB camera and play with --camera usb:0"
        return PartStatus("camera", "broken", f"picamera2: {tried.why}", remedy)
    lost = f", {measured['dropped']} dropped" if measured["dropped"] else ""
    dark = LIGHT_NOTES[measured["light"]]
    readout = "not known" if measured["readout_ms"] is None else f"{measured['readout_ms']:g} ms"
    (wide, high), (w, h) = measured["mode"], measured["size"]
    report = (
        f"picamera2: {measured['sensor']} at {wide}×{high}, ring of {w}×{h}, {measured['fps']:g} of "
        f"{measured['asked']:g} fps{lost}, exposure {measured['exposure_ms']:g} ms, readout {readout}{dark}"
    )
    return PartStatus("camera", "ok", report)


def camera(
    attempt: RunProbe = run_probe,
    dev: Path = Path("/dev"),
    names: Path = Path("/sys/class/video4linux"),
    only: int | None = None,
) -> PartStatus:
    """Check the USB cameras, or ``only`` that one: report the first one that delivers an image, or why none does."""
    plug = "plug in a USB camera, or play with --camera simulated"
    numbers = sorted(int(node.name[5:]) for node in dev.glob("video*") if node.name[5:].isdecimal())
    numbers = [number for number in numbers if not _node_name(names, number).startswith(NON_CAMERA_NODES)]
    if only is not None:
        numbers = [only]
    if not numbers:
        return PartStatus("camera", "missing", f"none at {dev}/video*", plug)
    errors = []
    for number in numbers[:4]:
        tried = attempt(["camera", str(number)], 15)
        if "size" in tried.found:
            wide, high = tried.found["size"]
            dark = LIGHT_NOTES[tried.found["light"]]
            report = f"usb:{number} gives {wide}×{high}, reports {tried.found['fps']:g} fps{dark}"
            return PartStatus("camera", "ok", report)
        errors.append(f"usb:{number}: {tried.why}")
    return PartStatus("camera", "broken", " | ".join(errors), "replug it, and close whatever else uses it")


def _node_name(names: Path, number: int) -> str:
    try:
        return (names / f"video{number}" / "name").read_text().strip()
    except OSError:
        return ""


def screen(
    attempt: RunProbe = run_probe, env: Mapping[str, str] = os.environ, dri: Path = Path("/dev/dri")
) -> PartStatus:
    """Check whether a window can be opened."""
    without = "connect one, or play with --headless"
    desktop = env.get("WAYLAND_DISPLAY") or env.get("DISPLAY")
    if not desktop and not any(dri.glob("card*")):
        return PartStatus("screen", "missing", "neither a desktop (DISPLAY, WAYLAND_DISPLAY) nor /dev/dri", without)
    tried = attempt(["screen"], 20)
    if tried.status == 0 and tried.found.get("driver") not in (None, "dummy", "offscreen"):
        sizes = " and ".join(f"{wide}×{high}" for wide, high in tried.found["sizes"])
        return PartStatus("screen", "ok", f"{sizes} pixels through {tried.found['driver']}")
    why = tried.why if tried.status != 0 else "no video driver finds it"
    return PartStatus("screen", "broken", f"{desktop or dri} can't be opened: {why}", without)


def seats(attempt: RunProbe = run_probe, file: Path | None = None, dev: Path = Path("/dev")) -> Iterator[PartStatus]:
    """Check the seats' buttons and lights: whether their pins are available, and which buttons are stuck."""
    path = file or settings.default_settings_path()
    try:
        kept = settings.read_settings(path)
        pins = seat_pins(kept)
    except (settings.SettingsError, ButtonError) as error:
        yield from (PartStatus(name, "broken", str(error)) for name in ("buttons", "lights"))
        return
    if not kept.buttons.on:
        chips = ", ".join(sorted(chip.name for chip in dev.glob("gpiochip*"))) or "no gpiochip"
        off = f"switched off in {path} ([buttons] on = true switches them on); {chips} here"
        yield from (PartStatus(name, "unused", off) for name in ("buttons", "lights"))
        return
    tried = attempt(["seats"], 20)
    for name, count in (("buttons", 2 * len(pins)), ("lights", sum(seat.light is not None for seat in pins))):
        errors = tried.found.get(f"{name} lacking", ["" if tried.status == 0 else tried.why])
        summary = f"{count} at {len(pins)} seats" if not any(errors) else " | ".join(errors)
        remedy = "throwlock doctor --seats tries each" if not any(errors) else "the screen works without them"
        yield PartStatus(name, "broken" if any(errors) else "ok", summary, remedy)


def sound(attempt: RunProbe = run_probe) -> PartStatus:
    """Check the sound device; without one the box plays silently."""
    without = "without a loudspeaker only the screen shows the count"
    tried = attempt(["sound"], 20)
    if why := tried.found.get("none"):
        return PartStatus("sound", "missing", str(why), without)
    driver = tried.found.get("driver")
    if tried.status == 0 and driver not in (None, "dummy", "disk"):
        return PartStatus("sound", "ok", f"a device opens through {driver}; listen whether it can be heard")
    why = tried.why if tried.status != 0 else f"sound goes nowhere through {driver}"
    return PartStatus("sound", "broken", why, f"connect a loudspeaker; {without}")


def voice(attempt: RunProbe = run_probe) -> PartStatus:
    """Check the voice that speaks counts and results; without one, tones sound instead."""
    remedy = "sudo apt install espeak-ng; without it the count is tones"
    tried = attempt(["voice"], 20)
    if why := tried.found.get("none"):
        return PartStatus("voice", "missing", str(why), remedy)
    if tried.status != 0:
        return PartStatus("voice", "broken", tried.why, remedy)
    return PartStatus("voice", "ok", f"{tried.found['version']}: {', '.join(tried.found['languages'])}")


def fonts() -> PartStatus:
    """Check that names can be shown in every script: without these fonts some letters are boxes."""
    from ui.fonts import FONT_PACKAGES, can_shape, missing_letters  # noqa: PLC0415 - it loads pygame

    lacking = " ".join(missing_letters(SCRIPT_SAMPLE))
    if lacking or not can_shape():
        lack = f"no font has {lacking}" if lacking else "Pillow can't join letters: libfribidi0 is missing"
        remedy = f"sudo apt install {' '.join(FONT_PACKAGES)}; without them some names are boxes"
        return PartStatus("fonts", "missing", lack, remedy)
    return PartStatus("fonts", "ok", "names can be shown in every script")


def disk(journal: Path) -> PartStatus:
    """Check that the journal's folder can be written, and the journal read."""
    folder = journal.absolute().parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
        free = shutil.disk_usage(folder).free
    except OSError as error:
        remedy = "name a journal in another folder with --journal"
        return PartStatus("disk", "broken", f"{folder} can't be written ({error.strerror})", remedy, needed=True)
    try:
        kept = _journal_summary(journal)
    except JournalError as error:
        return PartStatus("disk", "broken", str(error), needed=True)
    summary = f"{folder} is writable, {free / 1e9:.1f} GB free; {kept}"
    if free < MIN_FREE_BYTES:
        return PartStatus("disk", "broken", summary, "free some space there", needed=True)
    return PartStatus("disk", "ok", summary, needed=True)


def _journal_summary(journal: Path) -> str:
    if not os.path.lexists(journal):
        return f"no journal yet at {journal}"
    with JournalReader(journal) as opened:
        matches = len(opened.matches())
        unfinished = ", the last one cut off" if opened.unfinished_match() else ""
    damaged = find_quarantined(journal)
    size_mb = sum(old.size_bytes() for old in damaged) / 1e6
    beside = f", {plural(len(damaged), 'damaged journal', 'damaged journals')} put aside ({size_mb:.1f} MB)"
    return f"{journal} has {plural(matches, 'match', 'matches')}{unfinished}{beside if damaged else ''}"


def clock(synchronised: Callable[[], bool | None] | None = None, now: datetime | None = None) -> PartStatus:
    """Check the monotonic clock that times throws, and the date that the journal records."""
    readings = [time.monotonic_ns() for _ in range(10_000)]
    if any(later < earlier for earlier, later in pairwise(readings)):
        return PartStatus("clock", "broken", "the monotonic clock went back", "restart this machine", needed=True)
    step = min((b - a for a, b in pairwise(readings) if b > a), default=0)
    steady = f"steady, in steps of {step} ns or less"
    today = now or datetime.now(UTC)
    if today.year < EARLIEST_YEAR:
        remedy = "connect it to the network, or set it with timedatectl (throws are not timed by it)"
        return PartStatus("clock", "broken", f"{steady}; the date is wrong: {today:%Y-%m-%d}", remedy)
    source = {
        True: "set by the network",
        False: "not set by the network (throws are not timed by it)",
        None: "possibly not set by the network (throws are not timed by it)",
    }[(synchronised or is_synchronised)()]
    return PartStatus("clock", "ok", f"{steady}; date {today:%Y-%m-%d %H:%M} UTC, {source}")


def is_synchronised(mark: Path = Path("/run/systemd/timesync/synchronized")) -> bool | None:
    """Whether the network sets the date; None if this machine can't tell."""
    if mark.exists():
        return True
    try:
        asked = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"yes": True, "no": False}.get(done.stdout.strip())
