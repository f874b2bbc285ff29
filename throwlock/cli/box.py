"""Pauses that grow while the box is started again and again, for a fault that every start meets."""

import logging
import os
import signal
import threading
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Self

import click

from device.system.input_files import MAX_TEXT_BYTES, read_input_file
from device.system.periodic import ThreadTicker
from device.system.watchdog import Watchdog, watchdog_from_environment
from messages import LazyText, N
from throwlock.cli.options import UsageError
from ui.screen.core.screen import ROTATIONS, NoScreenError, Screen, set_rotation
from ui.screen.core.splash import draw_splash

logger = logging.getLogger(__name__)

LONGEST_PAUSE_S = 60


class StartCounter:
    """Counts starts that followed each other soon, in a file that outlives the process (None: counts nothing). systemd
    has such pauses itself only since version 254 (RestartSteps=)."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._counts = file is not None

    @classmethod
    def of_unit(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Return the counter in the unit's runtime directory, which systemd keeps between its restarts."""
        folder = environ.get("RUNTIME_DIRECTORY", "")
        return cls(Path(folder) / "starts" if folder else None)

    def count(self) -> int:
        """Count this start. Return the seconds to pause: none at the first two, then 2, 4, 8, up to
        LONGEST_PAUSE_S."""
        if self._file is None:
            return 0
        try:
            before = int(self._file.read_text())
        except (OSError, ValueError):
            before = 0
        with suppress(OSError):
            self._file.write_text(str(before + 1))
        return 0 if before < 2 else int(min(2 ** min(before - 1, 10), LONGEST_PAUSE_S))

    def reset(self) -> None:
        """Forget the starts so far: this one went well. Costs nothing when repeated."""
        if self._counts and self._file is not None:
            self._counts = False
            with suppress(OSError):
                self._file.unlink()


SCREEN_SEARCH_INTERVAL_S = 3.0
"""Between two attempts to find a screen."""
LOADING_LIMIT_S = 120
"""How long loading may take, from a slow card, before systemd ends it."""
FAILURE_SHOWN_S = 30.0
"""How long the reason is on the screen when the box can't start."""
STARTS_AGAIN = N("Throwlock has stopped unexpectedly. It will start again in a moment.")
CANNOT_START = N("Throwlock can’t start: {error}. It will try again by itself.")


def saved_rotation(path: str) -> int:
    """Return the rotation in the settings file ``path``; 0 for anything wrong, which is reported later."""
    try:
        value = tomllib.loads(read_input_file(Path(path), MAX_TEXT_BYTES).decode())["screen"]["rotation"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return 0
    return value if value in ROTATIONS else 0


class Startup:
    """The box before its window is open: finds a screen, shows the splash and what goes wrong. ``stopping`` is set when
    the box is to end; its ``wait`` is the only way to pause here."""

    def __init__(self, screen: Screen, watchdog: Watchdog, stopping: threading.Event) -> None:
        self._screen, self._watchdog, self._stopping = screen, watchdog, stopping

    def wait_for_screen(self) -> None:
        """Open the screen. While there is none, look for one every few seconds, until told to stop: a television may be
        switched on late."""
        reason = ""
        while not self._stopping.is_set():
            try:
                self._screen.open()
                return
            except NoScreenError as error:
                if not reason:
                    self._watchdog.ready("waiting for a screen")
                if str(error.text) != reason:
                    reason = str(error.text)
                    logger.warning("waiting for a screen: %s; switch one on, or connect it", reason)
            self._watchdog.alive()
            self._stopping.wait(SCREEN_SEARCH_INTERVAL_S)

    def show(self, message: LazyText | None = None, seconds: float = 0.0) -> None:
        """Show the splash, with a ``message`` for some seconds."""
        if (surface := self._screen.surface) is None:
            return
        draw_splash(surface, "" if message is None else _translate(message))
        self._screen.present()
        while seconds > 0 and not self._stopping.is_set():
            self._watchdog.alive()
            self._stopping.wait(min(seconds, SCREEN_SEARCH_INTERVAL_S))
            seconds -= SCREEN_SEARCH_INTERVAL_S

    def load(self) -> Callable[..., None]:
        """Load the rest of the box. If that fails, say why on the screen, and raise."""
        ticks = iter(range(LOADING_LIMIT_S))

        def report() -> float | None:
            self._watchdog.alive()
            return None if next(ticks, None) is None else 1.0

        reporter = ThreadTicker(report, "loading")  # systemd may be watching already: see wait_for_screen
        try:
            from throwlock.cli.box_session import run_box  # noqa: PLC0415 - loads OpenCV, the journal and all pages
        except Exception as error:
            logger.exception("the box can't start")
            self.show(N(CANNOT_START, error=str(error)), FAILURE_SHOWN_S)
            raise
        finally:
            reporter.stop()
        return run_box


def _translate(message: LazyText) -> str:
    """Return a message in the language of the settings, in English if that can't be read."""
    try:
        from throwlock.settings.model import read_settings  # noqa: PLC0415 - only needed for a message
        from ui.i18n.language import render, set_language  # noqa: PLC0415

        set_language(read_settings().screen.language)
        return render(message)
    except Exception:
        return str(message)


@click.command()
@click.option("--windowed", is_flag=True, help="Run in a window instead of fullscreen, to try it on a desktop.")
def box(windowed: bool) -> None:
    """Run the box as its systemd unit does: configured by the settings, nothing to type.

    An unfinished match is offered first. The command ends at SIGTERM, or when the window is closed; the current match
    is resumed the next time. Without a screen it waits for one.
    """
    watchdog, stopping, counter = watchdog_from_environment(), threading.Event(), StartCounter.of_unit()

    def stop(number: int, frame: FrameType | None) -> None:
        watchdog.stopping()
        stopping.set()

    set_rotation(saved_rotation(os.environ.get("THROWLOCK_SETTINGS", "")))
    screen = Screen(fullscreen=not windowed)
    startup = Startup(screen, watchdog, stopping)
    previous_handler = signal.signal(signal.SIGTERM, stop)
    try:
        pause_s = counter.count()
        if windowed:
            screen.open()
        startup.wait_for_screen()
        startup.show()
        if pause_s:
            startup.show(STARTS_AGAIN, pause_s)
        run_box = startup.load()
        if not stopping.is_set():
            run_box(screen, watchdog, counter, stopping)
        counter.reset()
    except NoScreenError as error:
        raise UsageError(str(error)) from error
    finally:
        screen.close()
        signal.signal(signal.SIGTERM, previous_handler)
