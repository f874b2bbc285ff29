"""The installed box in a container: what is on its screen, touches, its journal and its unit."""

import json
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from container import POLL_S, Container, ContainerError, wait_until

from throwlock.journal.journal import Event, JournalReader

HERE = Path(__file__).parent
BOX_FOLDERS = ("/var/lib/throwlock", "/etc/throwlock", "/var/cache/throwlock")
FILES = "/opt/box-test"
JOURNAL = "/var/lib/throwlock/throwlock.journal"
DISPLAY = "127.0.0.1:77"
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
DROP_IN = f"""[Service]
Environment=SDL_VIDEODRIVER=x11 DISPLAY={DISPLAY} PYTHONPATH={FILES}
Environment=LD_PRELOAD={FILES}/udmabuf_shim.so VIRTUAL_CAMERA_FPS=30 VIRTUAL_CAMERA_STALL_FILE={STALL_FILE}
Environment=LIBCAMERA_LOG_LEVELS=*:FATAL
"""


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


class Box:
    """The installed box. ``install_output`` is what the installer printed the first time."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self.install_output = ""

    def prepare(self) -> None:
        """Put the test's files into the container: the virtual camera, the people before it, the report of pages."""
        folder = self.container.path(FILES)
        for file in (*(HERE / "inside").glob("*.py"), HERE.parent / "real_camera/virtual_library.py"):
            shutil.copy(file, folder)
        self.container.write("/etc/systemd/system/throwlock.service.d/test.conf", DROP_IN)
        self.container.check("systemctl", "daemon-reload")

    def install(self) -> str:
        """Run the installer, and return what it printed."""
        printed = self.container.check("env", "PIP_CACHE_DIR=/root/.cache/pip", "/root/throwlock/systemd/install")
        settings = self.container.path("/etc/throwlock/throwlock.toml")
        settings.write_text(re.sub("(# )?first_start = true", "first_start = false", settings.read_text()))
        return printed

    def switch_screen(self, on: bool) -> None:
        """Switch the screen on or off."""
        if not on:
            self.container.check("systemctl", "stop", "screen")
            return
        screen = [
            "Xvfb",
            ":77",
            "-screen",
            "0",
            "800x480x24",
            "-ac",
            "-listen",
            "tcp",
            "-nolisten",
            "unix",
            "-nolisten",
            "local",
        ]
        self.container.check("systemd-run", "--unit=screen", *screen)

    def unit_property(self, name: str) -> str:
        """Return a property of the unit."""
        return self.container.output("systemctl", "show", "throwlock", f"--property={name}", "--value")

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
        self.container.check("systemctl", "restart", "throwlock")

    def stop(self) -> None:
        """Stop the unit."""
        self.container.check("systemctl", "stop", "throwlock")

    def page(self) -> Page:
        """Return what is on the screen; an empty page before the first."""
        try:
            report = json.loads(self.container.path("/run/throwlock/page.json").read_text())
        except FileNotFoundError:
            return Page()
        if report["process"] != self.process:
            return Page()
        return Page(report["page"], report["text"], tuple(Target(*target) for target in report["targets"]))

    def touch(self, part: str, seconds: float = 60.0) -> None:
        """Touch what is labelled, or does, ``part``, as soon as it is on the screen."""
        wait_until(lambda: self.page().find(part), f"{part!r} can be touched", seconds)
        self._touch(part)

    def _touch(self, part: str) -> None:
        time.sleep(SETTLE_S)
        target = self.page().find(part)
        if target:
            self._xdotool("mousemove", str(target.x), str(target.y), "click", "1")

    def press_key(self, key: str) -> None:
        """Press a key of the keyboard."""
        time.sleep(SETTLE_S)
        self._xdotool("key", key)

    def _xdotool(self, *words: str) -> None:
        self.container.run("env", f"DISPLAY={DISPLAY}", "xdotool", *words)  # a shutdown breaks its connection

    def wait_for_page(self, *names: str, seconds: float = 60.0) -> None:
        """Wait until the screen shows one of these pages."""
        wait_until(lambda: self.page().name in names, f"the screen shows {' or '.join(names)}", seconds)

    def wait_for_text(self, text: str, seconds: float = 60.0) -> None:
        """Wait until the page on the screen says ``text``."""
        wait_until(lambda: text in self.page().text, f"the screen says {text!r}", seconds)

    def open_box_settings(self) -> None:
        """Touch what leads from the home page to the page "This box"."""
        self.restart()
        self.wait_for_page("GamesPage", "Notice")
        if self.page().name == "Notice":
            self.touch("Give it up")
        self.touch("Tools")
        self.touch("Settings")
        self.touch("This box")

    def use_camera(self, name: str) -> None:
        """Set the camera, and start the box again."""
        settings = self.container.path("/etc/throwlock/throwlock.toml")
        head, section, rest = settings.read_text().partition("[camera]")
        settings.write_text(head + section + re.sub('(# )?name = ".*"', f'name = "{name}"', rest, count=1))
        self.restart()

    def start_match_in_vain(self) -> None:
        """Touch what leads from the home page, or a match's result, to a match that can't be played."""
        self.play("Notice")

    def go_to_countdown(self) -> None:
        """Touch what leads to the countdown of a match's first round."""
        self.play("Countdown")

    def play(self, *until: str, seconds: float = 180.0) -> None:
        """Touch what leads to a match and through it until one of these pages is shown, or the result of a new match.

        Raises:
            ContainerError: It isn't shown within ``seconds``.
        """
        page, end = self.page(), time.monotonic() + seconds
        pages, left_result = [page.name], page.name != "MatchResult"
        while not left_result or page.name not in (until or ("MatchResult",)):
            if time.monotonic() > end:
                raise ContainerError(f"not within {seconds:.0f} s: {until or 'a result'}, after {pages}")
            if page.name in WAY and page.find(WAY[page.name]):
                self._touch(WAY[page.name])
            time.sleep(POLL_S)
            page = self.page()
            left_result = left_result or page.name != "MatchResult"
            if page.name != pages[-1]:
                pages.append(page.name)

    def resources(self) -> Resources:
        """Return what the box's process uses now."""
        process = self.container.path(f"/proc/{self.process}")
        status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        files = len(list((process / "fd").iterdir()))
        return Resources(int(status["VmRSS"].split()[0]) // 1024, files, int(status["Threads"]))

    def events(self) -> list[Event]:
        """Return all events of the journal; none before the first match."""
        if not self.container.path(JOURNAL).exists():
            return []
        with JournalReader(self.container.path(JOURNAL)) as reader:
            return reader.events()

    def log(self) -> str:
        """Return the unit's log."""
        return self.container.output("journalctl", "--unit=throwlock", "--output=cat", "--no-pager")
