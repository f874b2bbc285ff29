"""A television at the box's own second output: the public pages drawn by the touchscreen's painters, in a thread of its
own, and shown by a process of its own."""

import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress

from ui.i18n.language import current_language
from ui.screen.core.screen import CARD_VARIABLE, find_second_screen, uses_second_screen
from ui.screen.core.second_output import SecondOutput, SecondOutputError
from ui.screen.core.stage import Stage
from ui.screen.views import View

logger = logging.getLogger(__name__)

FRAME_INTERVAL_S = 1 / 30
"""Between two frames while something moves; the touchscreen, which has the touches, gets twice as many."""
SEARCH_INTERVAL_S = 5.0
"""Between two looks for a second screen, and whether it is still wanted."""

Current = Callable[[], tuple[View, int]]
"""Returns what is shown, and since when, in ns."""


def open_second_output() -> SecondOutput | None:
    """Open the second screen of the box; None if none is connected. On a desktop, whose screens are not ours, there is
    none. Raises SecondOutputError."""
    found = find_second_screen() if os.environ.get("SDL_VIDEODRIVER") == "kmsdrm" else None
    if found is None:
        return None
    card, number = found
    return SecondOutput({CARD_VARIABLE: str(card)}, number)


class SecondDisplay:
    """Shows what ``current`` returns on a second screen, whenever one is there and wanted, from ``start`` to ``stop``.
    ``wake`` says that it may have changed. ``now_ns`` is the clock of ``current``; ``open_output`` opens the screen."""

    def __init__(
        self,
        current: Current,
        now_ns: Callable[[], int],
        open_output: Callable[[], SecondOutput | None] = open_second_output,
    ) -> None:
        self._current, self._now_ns, self._open_output = current, now_ns, open_output
        self._changed, self._stopped = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="second screen", daemon=True)

    def start(self) -> None:
        """Begin to look for a second screen."""
        self._thread.start()

    def wake(self) -> None:
        """Say that there may be something new to show. May be called from any thread."""
        self._changed.set()

    def stop(self) -> None:
        """Leave the screen."""
        self._stopped = True
        self._changed.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        reported = ""
        while not self._stopped:
            try:
                output = self._open_output() if uses_second_screen() else None
                if output is not None:
                    logger.info("a second screen of %d × %d pixels", *output.surface.get_size())
                    try:
                        self._show_on(output)
                    finally:
                        output.close()
                reported = ""
            except SecondOutputError as error:
                if str(error) != reported:
                    logger.warning("%s", error)
                reported = str(error)
            if not self._stopped:
                self._changed.wait(SEARCH_INTERVAL_S)
                self._changed.clear()

    def _show_on(self, output: SecondOutput) -> None:
        """Draw and show until it isn't wanted any more. Raises SecondOutputError."""
        stage = Stage(interactive=False)
        drawn: tuple[View, str] | None = None
        while not self._stopped and uses_second_screen():
            view, shown_ns = self._current()
            elapsed_s = max(0.0, (self._now_ns() - shown_ns) / 1e9)
            page = view.at_time(elapsed_s)
            moves = elapsed_s <= view.animation_s
            if drawn != (page, current_language()):
                drawn = page, current_language()
                if areas := stage.draw(output.surface, page):
                    output.show(areas)
            self._changed.wait(FRAME_INTERVAL_S if moves else SEARCH_INTERVAL_S)
            self._changed.clear()
        with suppress(SecondOutputError):
            output.surface.fill((0, 0, 0))
            output.show([output.surface.get_rect()])
