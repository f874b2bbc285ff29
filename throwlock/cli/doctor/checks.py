"""``throwlock doctor``: what of the box works, found by trying it, and how to mend the rest. What may hang or abort is
tried in a process of its own; nothing heavy is imported here, since it may be what is broken."""

import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import click

from device.gpio.buttons import ButtonError
from device.system.clock import SteadyClock
from throwlock.cli.doctor import system_packages
from throwlock.cli.options import FAULT, UsageError
from throwlock.journal.file import usual_place
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.settings import model as settings
from throwlock.table_setup.seat_io import open_seats, pins_of, try_seats
from vision.hands.model import FOLDER, SIZES, cache_directory

State = Literal["ok", "missing", "broken", "unused"]
ROOM = 200_000_000
"""Bytes free below which a box should be tidied: an evening's evidence is some tens of millions."""
RELEASED = 2025
"""A clock that shows an earlier year has not been set."""
NO_CAMERA = ("bcm2835-", "pispbe", "rpi-", "rpivid", "rp1-cfe", "unicam")
"""How Raspberry Pi's video nodes are called that are no camera, or none that OpenCV can open."""


@dataclass(frozen=True)
class Part:
    """A part of the box: its state, what was found, and how to mend it. ``needed``: without it not even a simulated
    table can be played at."""

    name: str
    state: State
    found: str
    mend: str = ""
    needed: bool = False

    def line(self) -> str:
        """The part in one line."""
        return f"{self.state:8} {self.name:10} {self.found}" + (f"; {self.mend}" if self.mend else "")


@dataclass(frozen=True)
class Tried:
    """What became of a process: its exit status (None: it took too long), the objects it printed, and its last words
    on standard error."""

    status: int | None
    found: Mapping[str, Any]
    error: str

    @property
    def why(self) -> str:
        """Why it failed, in words."""
        if self.status is None:
            return "it did not answer in time"
        if self.status < 0:
            return f"it ends the whole process ({signal.Signals(-self.status).name})"
        return self.error or f"exit status {self.status}"


Try = Callable[[Sequence[str], float], Tried]
"""Runs a probe with its arguments for at most so many seconds."""


def try_probe(args: Sequence[str], seconds: float) -> Tried:
    """Run ``throwlock.cli.doctor.probes`` in a process of its own. A process that can't even be killed (a driver that
    hangs) is left behind."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        command = [sys.executable, "-m", "throwlock.cli.doctor.probes", *args]
        quiet = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=quiet)
        try:
            status: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
            process.kill()
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:
                process.returncode = -signal.SIGKILL  # or Python waits for it at its own end
        out.seek(0)
        err.seek(0)
        found: dict[str, Any] = {}
        for line in out:
            found |= _object(line)
        said = [line.strip() for line in err if line.strip()]
        return Tried(status, found, said[-1][:200] if said else "")


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


# -------- the parts


def python() -> Part:
    """The interpreter this runs in."""
    here = f"Python {sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}, {sys.executable}"
    if sys.version_info >= system_packages.OLDEST:
        return Part("python", "ok", here, needed=True)
    oldest = ".".join(map(str, system_packages.OLDEST))
    return Part("python", "broken", here, f"install Python {oldest} or newer", needed=True)


def libraries() -> Part:
    """The shared libraries that the packages need."""
    packages = system_packages.missing()
    if not packages:
        return Part("libraries", "ok", "every system library that is needed loads", needed=True)
    names = " ".join(packages)
    return Part("libraries", "missing", f"Debian packages {names}", f"sudo apt install {names}", needed=True)


def model() -> Part:
    """The hand model's files, each against the hash in its name."""
    folder = cache_directory() / FOLDER
    prepare = f"{sys.executable} -m vision.hands.model fetches it (36 MB, once)"
    lacking = []
    for size in SIZES:
        files = sorted(folder.glob(f"{size}-*.task"))
        if not files:
            lacking.append(size)
        elif not any(_is_whole(path) for path in files):
            return Part("hand model", "broken", f"{files[0]} is damaged", prepare, needed=True)
    if lacking:
        return Part("hand model", "missing", f"{' and '.join(lacking)}: not in {folder}", prepare, needed=True)
    return Part("hand model", "ok", f"{' and '.join(SIZES)}, hashes right, in {folder}", needed=True)


def _is_whole(bundle: Path) -> bool:
    """Whether a bundle has the bytes whose hash is its name's last part."""
    try:
        digest = hashlib.sha256(bundle.read_bytes()).hexdigest()
    except OSError:
        return False
    named = bundle.stem.rpartition("-")[2]
    return bool(named) and digest.startswith(named)


def hands(prepared: bool, attempt: Try = try_probe) -> Iterator[Part]:
    """mediapipe itself, and whether a hand is recognised with it from end to end; the latter only with a model that is
    ``prepared``, since looking must not fetch it."""
    if not prepared:
        tried = attempt(["mediapipe"], 60)
        yield _mediapipe(tried)
        yield Part("hands", "missing", "not tried: there is no hand model", "prepare it, then ask again", needed=True)
        return
    tried = attempt(["hand"], 240)
    yield _mediapipe(tried)
    shown, seen = tried.found.get("shown"), tried.found.get("seen")
    if shown and shown == seen:
        yield Part("hands", "ok", f"rendered {', '.join(shown)} recognised", needed=True)
    elif shown and seen:
        yield Part(
            "hands", "broken", f"rendered {', '.join(shown)} read as {', '.join(seen)}", "install again", needed=True
        )
    else:
        yield Part("hands", "broken", f"not recognised: {tried.why}", "mend what is said above first", needed=True)


def _mediapipe(tried: Tried) -> Part:
    ends = tried.status is not None and tried.status < 0
    if (version := tried.found.get("mediapipe")) and not ends:
        return Part("mediapipe", "ok", str(version), needed=True)
    if ends:
        mend = "its wheel is built for newer processors than this one: on the Pi that is a Raspberry Pi 5"
    else:
        mend = "install the project again with pip, after the libraries"
    return Part("mediapipe", "broken", tried.why, mend, needed=True)


def picamera(attempt: Try = try_probe) -> Part:
    """The Pi's own camera: what its sensor holds, or why it does not run."""
    tried = attempt(["picamera", "0"], 25)
    got = tried.found
    if "sensor" not in got:
        return Part(
            "camera", "broken", f"picamera2: {tried.why}", "or plug in a USB camera and play with --camera usb:0"
        )
    lost = f", {got['dropped']} dropped" if got["dropped"] else ""
    dark = ", but the picture is black: is its lens covered?" if got["dark"] else ""
    readout = "not known" if got["readout_ms"] is None else f"{got['readout_ms']:g} ms"
    (wide, high), (w, h) = got["mode"], got["size"]
    return Part(
        "camera",
        "ok",
        f"picamera2: {got['sensor']} at {wide}×{high}, ring of {w}×{h}, {got['fps']:g} of {got['asked']:g} fps{lost}, "
        f"exposure {got['exposure_ms']:g} ms, readout {readout}{dark}",
    )


def camera(attempt: Try = try_probe, dev: Path = Path("/dev"), names: Path = Path("/sys/class/video4linux")) -> Part:
    """The first camera that gives a picture, or why none does."""
    plug = "plug in a USB camera, or play with --camera simulated"
    numbers = sorted(int(node.name[5:]) for node in dev.glob("video*") if node.name[5:].isdecimal())
    numbers = [number for number in numbers if not _node_name(names, number).startswith(NO_CAMERA)]
    if not numbers:
        return Part("camera", "missing", f"none at {dev}/video*", plug)
    faults = []
    for number in numbers[:4]:
        tried = attempt(["camera", str(number)], 15)
        if "size" in tried.found:
            wide, high = tried.found["size"]
            dark = ", but the picture is black: is its lens covered?" if tried.found["dark"] else ""
            return Part("camera", "ok", f"usb:{number} gives {wide}×{high}, says {tried.found['fps']:g} fps{dark}")
        faults.append(f"usb:{number}: {tried.why}")
    return Part("camera", "broken", " | ".join(faults), "replug it, and close whatever else uses it")


def _node_name(names: Path, number: int) -> str:
    try:
        return (names / f"video{number}" / "name").read_text().strip()
    except OSError:
        return ""


def screen(attempt: Try = try_probe, env: Mapping[str, str] = os.environ, dri: Path = Path("/dev/dri")) -> Part:
    """Whether a window can be opened."""
    without = "connect one, or play with --headless"
    desktop = env.get("WAYLAND_DISPLAY") or env.get("DISPLAY")
    if not desktop and not any(dri.glob("card*")):
        return Part("screen", "missing", "neither a desktop (DISPLAY, WAYLAND_DISPLAY) nor /dev/dri", without)
    tried = attempt(["screen"], 20)
    if tried.status == 0 and tried.found.get("driver") not in (None, "dummy", "offscreen"):
        sizes = " and ".join(f"{wide}×{high}" for wide, high in tried.found["sizes"])
        return Part("screen", "ok", f"{sizes} pixels through {tried.found['driver']}")
    why = tried.why if tried.status != 0 else "no video driver finds it"
    return Part("screen", "broken", f"{desktop or dri} can't be opened: {why}", without)


def seats(attempt: Try = try_probe, file: Path | None = None, dev: Path = Path("/dev")) -> Iterator[Part]:
    """The seats' buttons and lights: whether their pins can be had, and which button is down."""
    place = file or settings.usual_place()
    try:
        kept = settings.read(place)
        pins = pins_of(kept)
    except (settings.SettingsError, ButtonError) as fault:
        yield from (Part(name, "broken", str(fault)) for name in ("buttons", "lights"))
        return
    if not kept.buttons.on:
        chips = ", ".join(sorted(chip.name for chip in dev.glob("gpiochip*"))) or "no gpiochip"
        off = f"switched off in {place} ([buttons] on = true switches them on); {chips} here"
        yield from (Part(name, "unused", off) for name in ("buttons", "lights"))
        return
    tried = attempt(["seats"], 20)
    for name, there in (("buttons", 2 * len(pins)), ("lights", sum(one.light is not None for one in pins))):
        faults = tried.found.get(f"{name} lacking", ["" if tried.status == 0 else tried.why])
        found = f"{there} at {len(pins)} seats" if not any(faults) else " | ".join(faults)
        mend = "throwlock doctor --seats tries each" if not any(faults) else "the screen does without"
        yield Part(name, "broken" if any(faults) else "ok", found, mend)


def sound(attempt: Try = try_probe) -> Part:
    """Whether there is a sound device; a box without one is played at in silence."""
    without = "connect a loudspeaker; without one the screen alone counts"
    tried = attempt(["sound"], 20)
    if why := tried.found.get("none"):
        return Part("sound", "missing", str(why), without)
    driver = tried.found.get("driver")
    if tried.status == 0 and driver not in (None, "dummy", "disk"):
        return Part("sound", "ok", f"a device opens through {driver}; whether it is heard, only ears can tell")
    why = tried.why if tried.status != 0 else f"sound goes nowhere through {driver}"
    return Part("sound", "broken", why, without)


def disk(journal: Path) -> Part:
    """Whether the journal's folder keeps what is written to it, and what the journal there is."""
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
        mend = "name a journal in another folder with --journal"
        return Part("disk", "broken", f"{folder} can't be written ({error.strerror})", mend, needed=True)
    try:
        kept = _kept(journal)
    except JournalError as fault:
        return Part("disk", "broken", str(fault), needed=True)
    found = f"{folder} takes what is written, {free / 1e9:.1f} GB free; {kept}"
    if free < ROOM:
        return Part("disk", "broken", found, "free some space there", needed=True)
    return Part("disk", "ok", found, needed=True)


def _kept(journal: Path) -> str:
    if not os.path.lexists(journal):
        return f"no journal yet at {journal}"
    with JournalReader(journal) as opened:
        matches = len(opened.matches())
        unfinished = ", the last one cut off" if opened.unfinished() else ""
    return f"{journal} has {matches} {'match' if matches == 1 else 'matches'}{unfinished}"


def clock(synchronised: Callable[[], bool | None] | None = None, now: datetime | None = None) -> Part:
    """The steady clock that throws are timed by, and the date that the journal writes."""
    readings = [time.monotonic_ns() for _ in range(10_000)]
    if any(later < earlier for earlier, later in pairwise(readings)):
        return Part("clock", "broken", "the steady clock went back", "restart this machine", needed=True)
    step = min((b - a for a, b in pairwise(readings) if b > a), default=0)
    steady = f"steady, in steps of {step} ns or less"
    today = now or datetime.now(UTC)
    if today.year < RELEASED:
        mend = "connect it to the network, or set it with timedatectl (no throw is timed by it)"
        return Part("clock", "broken", f"{steady}; the date is wrong: {today:%Y-%m-%d}", mend)
    says = {
        True: "set by the network",
        False: "not set by the network (no throw is timed by it)",
        None: "whether it is set by the network can't be told (no throw is timed by it)",
    }[(synchronised or is_synchronised)()]
    return Part("clock", "ok", f"{steady}; date {today:%Y-%m-%d %H:%M} UTC, {says}")


def is_synchronised(mark: Path = Path("/run/systemd/timesync/synchronized")) -> bool | None:
    """Whether the date is kept right over the network; None where this machine can't say."""
    if mark.exists():
        return True
    try:
        asked = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"yes": True, "no": False}.get(done.stdout.strip())


# -------- the command


def examine(journal: Path) -> Iterator[Part]:
    """Every part, one after the other, as soon as it has been looked at."""
    yield python()
    yield libraries()
    ready = model()
    yield ready
    yield from hands(ready.state == "ok")
    yield picamera() if importlib.util.find_spec("picamera2") else camera()
    yield screen()
    yield from seats()
    yield sound()
    yield disk(journal)
    yield clock()


@click.command()
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Look at the disk of this journal.  [default: where play keeps it]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--seats", "trying", is_flag=True, help="Try every seat's light and buttons instead.")
def doctor(journal: Path | None, as_json: bool, trying: bool) -> None:
    """What of camera, hand model, buttons, screen, sound, disk and clock works, and how to mend the rest.

    Exit status 0 when at least a simulated table can be played at, else 2.
    """
    if trying:
        _try_seats()
        return
    parts = []
    for part in examine(journal or usual_place()):
        parts.append(part)
        if not as_json:
            click.echo(part.line())
    can_play = all(part.state == "ok" for part in parts if part.needed)
    if as_json:
        click.echo(json.dumps({"can_play": can_play, "parts": [asdict(part) for part in parts]}))
    else:
        click.echo(
            "A simulated table can be played at." if can_play else "Nothing can be played at before that is mended."
        )
    if not can_play:
        sys.exit(FAULT)


def _try_seats() -> None:
    """Every light in turn, then every button, as people wire them."""
    try:
        kept = settings.read(settings.usual_place())
    except settings.SettingsError as fault:
        raise UsageError(str(fault)) from fault
    clock = SteadyClock()
    with open_seats(kept, clock, click.echo) as there:
        try_seats(there, clock, click.echo)
        if there.buttons is None:
            sys.exit(FAULT)
