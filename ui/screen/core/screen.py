"""The screen that a window fills: which one, its rotation and its light. Imports little, so that something is on the
screen soon after the process starts."""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pygame
from pygame import Rect

from errors import ThrowlockError
from messages import N

logger = logging.getLogger(__name__)

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


Position = tuple[int, int]
"""The x and y of a pixel."""

ROTATIONS = (0, 90, 180, 270)
"""The degrees by which the picture can be rotated clockwise."""
CONNECTOR_DIR = Path("/sys/class/drm")
CARD_VARIABLE = "SDL_KMSDRM_DEVICE_INDEX"
"""SDL's environment variable (SDL_HINT_KMSDRM_DEVICE_INDEX) for the N of /dev/dri/cardN."""

INVISIBLE_DRIVER = "offscreen"
"""The driver that SDL takes where it finds no screen. Nobody sees what it shows."""


@dataclass
class _ScreenSettings:
    rotation: int = 0
    """Clockwise, in degrees."""
    dark_after_min: int = 0
    """0: never."""
    uses_second: bool = True


_settings = _ScreenSettings()


@contextmanager
def _quiet_wayland() -> Iterator[None]:
    """Keep Wayland's library, which SDL tries first, from printing that there is no folder for its socket."""
    is_missing = "XDG_RUNTIME_DIR" not in os.environ
    if is_missing:
        os.environ["XDG_RUNTIME_DIR"] = "/nonexistent"
    try:
        yield
    finally:
        if is_missing:
            del os.environ["XDG_RUNTIME_DIR"]


class NoScreenError(ThrowlockError):
    """There is no screen to open a window on. The message says why and what to do instead."""


def set_rotation(degrees: int) -> None:
    """Rotate the picture clockwise by ``degrees`` from the next frame on. Raises ValueError unless it is one of
    ROTATIONS."""
    if degrees not in ROTATIONS:
        raise ValueError(f"the screen can't be rotated by {degrees} degrees: {', '.join(map(str, ROTATIONS))}")
    _settings.rotation = degrees


def current_rotation() -> int:
    """Return the degrees by which the picture is rotated clockwise."""
    return _settings.rotation


def set_dark_after(minutes: int) -> None:
    """Let a full screen go dark after that number of ``minutes`` without input while nobody plays; 0: never."""
    _settings.dark_after_min = minutes


def dark_after_ns() -> int | None:
    """Return the time without input after which a full screen goes dark; None: it never does."""
    return _settings.dark_after_min * 60_000_000_000 or None


def set_second_screen(on: bool) -> None:
    """Use a second screen that is connected, or leave it dark."""
    _settings.uses_second = on


def uses_second_screen() -> bool:
    """Return whether a second screen is used if one is connected."""
    return _settings.uses_second


@dataclass(frozen=True)
class Connector:
    """A screen's connector, such as "DSI-1" of card 1."""

    card: int
    name: str
    number: int = 0
    """Its number in the kernel; 0 if that tells none."""


def connected_screens(folder: Path = CONNECTOR_DIR) -> list[Connector]:
    """Return the connectors with a screen, the preferred one first: a touchscreen (DSI), then by card and number."""
    connectors = []
    for path in folder.glob("card[0-9]*-*"):
        card, _, name = path.name.removeprefix("card").partition("-")
        if card.isdecimal() and read_kernel_file(path / "status") == "connected":
            number = read_kernel_file(path / "connector_id")  # old kernels have none
            connectors.append(Connector(int(card), name, int(number or 0)))
    return sorted(
        connectors,
        key=lambda candidate: (not candidate.name.startswith("DSI"), candidate.card, candidate.number, candidate.name),
    )


def choose_screen(folder: Path = CONNECTOR_DIR) -> int:
    """Make SDL's KMSDRM driver open the card with the preferred screen, and return that screen's number among those of
    its card. SDL's own search has missed the touchscreen of a Raspberry Pi 5, which is a card of its own
    (https://github.com/libsdl-org/SDL/issues/13705), and takes the first screen it finds, whichever that is."""
    screens = connected_screens(folder)
    if not screens:
        os.environ.pop(CARD_VARIABLE, None)  # SDL asks the hardware itself
        return 0
    first = screens[0]
    os.environ[CARD_VARIABLE] = str(first.card)
    logger.info("opening the screen at %s of /dev/dri/card%d", first.name, first.card)
    return _number_on_card(first, screens)


def find_second_screen(folder: Path = CONNECTOR_DIR) -> tuple[int, int] | None:
    """Return the card of a second screen and its number among the screens of that card; None if there is none. It must
    be on another card than the first: only one process at a time can show something on a card."""
    screens = connected_screens(folder)
    second = next((candidate for candidate in screens if candidate.card != screens[0].card), None)
    return None if second is None else (second.card, _number_on_card(second, screens))


def _number_on_card(screen: Connector, screens: Sequence[Connector]) -> int:
    """Return a screen's number among those of its card, as SDL counts them."""
    on_card = sorted(
        (candidate for candidate in screens if candidate.card == screen.card), key=lambda candidate: candidate.number
    )
    return on_card.index(screen) if screen.number else 0


class Screen:
    """A window of ``size`` (width, height) pixels on a desktop, or the full screen. Pages are drawn upright on
    ``surface``; ``present`` shows them, rotated as set_rotation says."""

    def __init__(
        self,
        size: Position = (800, 480),
        *,
        fullscreen: bool = False,
        connectors: Path = CONNECTOR_DIR,
        backlights: Backlights | None = None,
    ) -> None:
        self.fullscreen = fullscreen
        self._size = size
        self._connectors = connectors
        self._backlights = backlights or Backlights()
        self._page: pygame.Surface | None = None

    def open(self) -> None:
        """Open the screen, if it isn't open. Raises NoScreenError."""
        if self.surface is not None:
            return
        number = choose_screen(self._connectors) if os.environ.get("SDL_VIDEODRIVER") == "kmsdrm" else 0
        try:
            with _quiet_wayland():
                pygame.display.init()
            if pygame.display.get_driver() == INVISIBLE_DRIVER != os.environ.get("SDL_VIDEODRIVER"):
                raise pygame.error("no desktop is running here")
            pygame.display.set_caption("Throwlock")
            if self.fullscreen:
                pygame.display.set_mode((0, 0), pygame.FULLSCREEN, display=number)
                pygame.mouse.set_visible(False)
                self._backlights.reset()
            else:
                pygame.display.set_mode(self._size, pygame.RESIZABLE)
        except pygame.error as error:
            pygame.display.quit()
            raise NoScreenError(
                N("there is no screen to open a window on ({why})", why=str(error)),
                terminal_hint=": play with --headless",
            ) from error

    def close(self) -> None:
        """Close the screen, its light on. May be called twice."""
        self._backlights.switch_on()
        pygame.display.quit()

    @property
    def surface(self) -> pygame.Surface | None:
        """What pages are drawn on, upright; None unless the screen is open."""
        display = pygame.display.get_surface() if pygame.display.get_init() else None
        if display is None or current_rotation() == 0:
            self._page = None
            return display
        size = display.get_size() if current_rotation() == 180 else display.get_size()[::-1]
        if self._page is None or self._page.get_size() != size:
            self._page = pygame.Surface(size, 0, display)
        return self._page

    def present(self, areas: Sequence[Rect] | None = None) -> None:
        """Show what was drawn on ``surface``: all of it, or ``areas``."""
        page, display = self.surface, pygame.display.get_surface()
        assert page is not None and display is not None
        if page is not display:
            for area in [page.get_rect()] if areas is None else areas:
                rotated = pygame.transform.rotate(page.subsurface(area), -current_rotation())
                display.blit(rotated, self._rotate_area(area))
            areas = None if areas is None else [self._rotate_area(area) for area in areas]
        if areas is None:
            pygame.display.flip()
        elif areas:
            pygame.display.update(areas)

    def page_position(self, at: Position) -> Position:
        """Return the position on ``surface`` of a touch at the pixel ``at`` of the screen."""
        x, y = at
        width, height = pygame.display.get_window_size()
        match current_rotation():
            case 90:
                return y, width - 1 - x
            case 180:
                return width - 1 - x, height - 1 - y
            case 270:
                return height - 1 - y, x
        return at

    def switch_off(self) -> None:
        """Make the screen black, and its light dark where that is possible."""
        if (display := pygame.display.get_surface()) is not None:
            display.fill((0, 0, 0))
            pygame.display.flip()
        self._backlights.switch_off()

    def switch_on(self) -> None:
        """Switch the light on again; the next page must be drawn as a whole."""
        self._backlights.switch_on()

    def _rotate_area(self, area: Rect) -> Rect:
        """Return where an area of the page is on the rotated screen."""
        width, height = pygame.display.get_window_size()
        match current_rotation():
            case 90:
                return Rect(width - area.bottom, area.left, area.height, area.width)
            case 180:
                return Rect(width - area.right, height - area.bottom, area.width, area.height)
        return Rect(area.top, height - area.right, area.height, area.width)
