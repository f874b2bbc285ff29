"""The installed box in a system of its own: what is on its screen, touches, its journal and its unit."""

import json
import random
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from container import POLL_S, ContainerError, System, wait_until
from typing_extensions import override

from throwlock.journal.journal import Event, JournalReader

HERE = Path(__file__).parent
BOX_FOLDERS = ("/var/lib/throwlock", "/etc/throwlock", "/var/cache/throwlock")
FILES = "/opt/box-test"
EMULATED = "/opt/emulated"
"""What the installer's Python needs on an emulated processor; elsewhere there is no such folder."""
JOURNAL = "/var/lib/throwlock/throwlock.journal"
DISPLAY_NUMBER = random.randrange(1000, 2000)
"""One of its own: containers share this machine's network."""
DISPLAY = f"127.0.0.1:{DISPLAY_NUMBER}"
STALL_FILE = f"{FILES}/stall"
SETTLE_S = 0.6
"""A touch too soon after a new page doesn't count."""
TITLE = "Classic"
WAY = {
    "GameMenu": TITLE,
    "GamesPage": TITLE,
    "SetUpPage": "ChosenGame",
    "PlanPage": "SeatingAnswer",
    "FirstTimePage": "'start'",
    "ZonesPage": "action='done'",
    "MatchResult": "'home'",
}
"""What to touch on a page: the beginning of a label, or a part of what it does."""
SETTINGS = "/etc/throwlock/throwlock.toml"
XVFB = f"Xvfb :{DISPLAY_NUMBER} -screen 0 800x480x24 -ac -listen tcp -nolisten unix -nolisten local"
X_DROP_IN = f"""[Service]
Environment=SDL_VIDEODRIVER=x11 DISPLAY={DISPLAY} PYTHONPATH={FILES}
Environment=LD_PRELOAD={FILES}/udmabuf_shim.so VIRTUAL_CAMERA_FPS=30 VIRTUAL_CAMERA_STALL_FILE={STALL_FILE}
Environment=LIBCAMERA_LOG_LEVELS=*:FATAL
"""


def files_of_test(drop_in: str) -> dict[str, bytes]:
    """Return what the test puts into the system, by path: its modules, and the unit's ``drop_in``."""
    modules = (*(HERE / "inside").glob("*.py"), HERE.parent / "real_camera/virtual_library.py")
    files = {f"{FILES}/{module.name}": module.read_bytes() for module in modules}
    return {**files, "/etc/systemd/system/throwlock.service.d/test.conf": drop_in.encode()}


@dataclass(frozen=True)
class Target:
    """A place to touch: its label, what it does, and its centre in pixels."""

    label: str
    press: str
    x: int
    y: int


@dataclass(frozen=True)
class Page:
    """What is on the screen: the kind of page, its sentence, and what can be touched."""

    name: str = ""
    text: str = ""
    targets: tuple[Target, ...] = ()

    def find(self, part: str) -> Target | None:
        """Return the target whose label begins with ``part``, or that does it."""
        return next((one for one in self.targets if one.label.startswith(part) or part in one.press), None)


@dataclass(frozen=True)
class Resources:
    """What the box's process uses: resident memory, open files and threads."""

    memory_mb: int
    files: int
    threads: int


class BoxScreen(ABC):
    """The screen that the box is on. ``drop_in`` is what the unit needs for it."""

    drop_in: str

    @abstractmethod
    def switch(self, on: bool) -> None:
        """Switch it on or off."""

    @abstractmethod
    def tap(self, x: int, y: int) -> None:
        """Touch it for a moment, in pixels of the page."""

    @abstractmethod
    def press(self, key: str) -> None:
        """Press a key of the keyboard."""


class XScreen(BoxScreen):
    """An X server in ``system``."""

    drop_in = X_DROP_IN

    def __init__(self, system: System) -> None:
        self._system = system

    @override
    def switch(self, on: bool) -> None:
        if on:
            self._system.check("systemd-run", "--unit=screen", *XVFB.split())
        else:
            self._system.check("systemctl", "stop", "screen")

    @override
    def tap(self, x: int, y: int) -> None:
        self._xdotool("mousemove", str(x), str(y), "click", "1")

    @override
    def press(self, key: str) -> None:
        self._xdotool("key", key)

    def _xdotool(self, *words: str) -> None:
        self._system.run("env", f"DISPLAY={DISPLAY}", "xdotool", *words)  # a shutdown breaks its connection


class Box:
    """The installed box. ``install_output`` is what the installer printed the first time; on a ``slow`` machine
    everything may take that many times as long."""

    def __init__(self, system: System, screen: BoxScreen, slow: float = 1.0) -> None:
        self.system, self.screen, self.slow = system, screen, slow
        self.install_output = ""

    def wait_until(self, is_done: Callable[[], object], what: str, seconds: float) -> None:
        """Wait until ``is_done`` returns something true. Raises ContainerError after ``seconds``, on a slow machine
        later."""
        wait_until(is_done, what, seconds * self.slow)

    def prepare(self) -> None:
        """Put the test's files into the system: the virtual camera, the people before it, the report of pages."""
        for path, content in files_of_test(self.screen.drop_in).items():
            self.system.write(path, content)
        self.system.check("systemctl", "daemon-reload")

    def install(self) -> str:
        """Run the installer, and return what it printed."""
        variables = "PIP_CACHE_DIR=/root/.cache/pip", f"PYTHONPATH={EMULATED}"
        printed = self.system.check("env", *variables, "/root/throwlock/systemd/install")
        self.change_settings("(# )?first_start = true", "first_start = false")
        return printed

    def change_settings(self, pattern: str, replacement: str, section: str = "[screen]") -> None:
        """Replace what matches ``pattern`` first in a section of the settings file, or after it."""
        head, title, rest = self.read(SETTINGS).partition(section)
        self.system.write(SETTINGS, head + title + re.sub(pattern, replacement, rest, count=1))

    def read(self, path: str) -> str:
        """Return what is in a file of the system; nothing if there is none."""
        return (self.system.read(path) or b"").decode()

    def unit_property(self, name: str) -> str:
        """Return a property of the unit."""
        return self.system.output("systemctl", "show", "throwlock", f"--property={name}", "--value")

    @property
    def status(self) -> str:
        """What the box told systemd last."""
        return self.unit_property("StatusText")

    @property
    def process(self) -> int:
        """The number of the box's process in the container."""
        return int(self.unit_property("MainPID"))

    def restart(self) -> None:
        """Start the unit, anew if it runs."""
        self.system.check("systemctl", "restart", "throwlock")

    def stop(self) -> None:
        """Stop the unit."""
        self.system.check("systemctl", "stop", "throwlock")

    def page(self) -> Page:
        """Return what is on the screen; an empty page before the first."""
        text = self.read("/run/throwlock/page.json")
        report = json.loads(text) if text else None
        if not report or self.system.read(f"/proc/{report['process']}/comm") is None:
            return Page()
        return Page(report["page"], report["text"], tuple(Target(*target) for target in report["targets"]))

    def touch(self, part: str, seconds: float = 60.0) -> None:
        """Touch what is labelled, or does, ``part``, as soon as it is on the screen."""
        self.wait_until(lambda: self.page().find(part), f"{part!r} can be touched", seconds)
        self._touch(part)

    def _touch(self, part: str) -> None:
        self.settle()
        target = self.page().find(part)
        if target:
            self.screen.tap(target.x, target.y)

    def settle(self) -> None:
        """Wait until a touch or a press counts on a new page."""
        time.sleep(SETTLE_S)

    def press_key(self, key: str) -> None:
        """Press a key of the keyboard."""
        self.settle()
        self.screen.press(key)

    def wait_for_page(self, *names: str, seconds: float = 60.0) -> None:
        """Wait until the screen shows one of these pages."""
        self.wait_until(lambda: self.page().name in names, f"the screen shows {' or '.join(names)}", seconds)

    def wait_for_text(self, text: str, seconds: float = 60.0) -> None:
        """Wait until the page on the screen says ``text``."""
        self.wait_until(lambda: text in self.page().text, f"the screen says {text!r}", seconds)

    def go_home(self) -> None:
        """Start the unit anew, and give up a match that was interrupted."""
        self.restart()
        self.wait_for_home()

    def wait_for_home(self) -> None:
        """Wait for the home page after a start, and give up a match that was interrupted."""
        self.wait_for_page("GamesPage", "Notice")
        if self.page().name == "Notice":
            self.touch("Give it up")
            self.wait_for_page("GamesPage")

    def open_box_settings(self) -> None:
        """Touch what leads to the page "This box"."""
        self.go_home()
        self.touch("Tools")
        self.touch("Settings")
        self.touch("This box")

    def use_camera(self, name: str) -> None:
        """Set the camera, and start the box again."""
        self.change_settings('(# )?name = ".*"', f'name = "{name}"', "[camera]")
        self.restart()

    def start_match_in_vain(self) -> None:
        """Touch what leads from the home page, or a match's result, to a match that can't be played."""
        self.play("Notice")

    def go_to_countdown(self) -> None:
        """Touch what leads to the countdown of a match's first round."""
        self.play("Countdown")

    def pause(self) -> None:
        """Touch what leads to a match, and pause it while it counts."""
        self.play("Countdown", "PausePage")
        while self.page().name != "PausePage":
            self._touch("'pause'")
            self.wait_until(lambda: self.page().name != "Countdown", "the page after the count", 60)
            self.play("Countdown", "PausePage")  # the touch may have come too late, or its page is still to come

    def play(self, *until: str, seconds: float = 180.0) -> None:
        """Touch what leads to a match and through it until one of these pages is shown, or the result of a new match.

        Raises:
            ContainerError: It isn't shown within ``seconds``.
        """
        page, end = self.page(), time.monotonic() + seconds * self.slow
        pages, left_result = [page.name], page.name != "MatchResult"
        while not left_result or page.name not in (until or ("MatchResult",)):
            if time.monotonic() > end:
                raise ContainerError(f"not within {seconds:.0f} s: {until or 'a result'}, after {pages}")
            self.act(page)
            time.sleep(POLL_S)
            page = self.page()
            left_result = left_result or page.name != "MatchResult"
            if page.name != pages[-1]:
                pages.append(page.name)

    def act(self, page: Page) -> None:
        """Do on a page what leads to a match and through it."""
        if page.name in WAY and page.find(WAY[page.name]):
            self._touch(WAY[page.name])

    def resources(self) -> Resources:
        """Return what the box's process uses now."""
        process = f"/proc/{self.process}"
        status = dict(line.split(":", 1) for line in self.read(f"{process}/status").splitlines())
        files = len(self.system.output("ls", f"{process}/fd").split())
        return Resources(int(status["VmRSS"].split()[0]) // 1024, files, int(status["Threads"]))

    def events(self) -> list[Event]:
        """Return all events of the journal; none before the first match."""
        if not self.system.exists(JOURNAL):
            return []
        with JournalReader(self.system.fetch(JOURNAL)) as reader:
            return reader.events()

    def log(self) -> str:
        """Return the unit's log."""
        return self.system.output("journalctl", "--unit=throwlock", "--output=cat", "--no-pager")
