"""Start ``throwlock play`` and exit at its home page: the child process of ``python -m tools.bench.startup``.

``python -m tools.bench.startup_probe JOURNAL`` prints ``ready``, the seconds since the monotonic time in ``$SINCE``,
and the seconds of CPU time."""

import os
import sys
import time
from typing import Any

import pygame

from throwlock.cli.main import main
from ui.screen.core.window import Window
from ui.screen.pages.home import GameMenu

if __name__ == "__main__":
    home_asked = False
    flip, ask = pygame.display.flip, Window.ask

    def timed_flip() -> None:
        """Flip; exit if the home page is now shown."""
        flip()
        if home_asked:
            print("ready", time.monotonic() - float(os.environ["SINCE"]), time.process_time(), flush=True)
            os._exit(0)

    def noting_ask(self: Window, view: Any) -> Any:
        """Ask, and note whether it is the home page."""
        global home_asked  # noqa: PLW0603  # the two patches share it
        home_asked = home_asked or isinstance(view, GameMenu)
        return ask(self, view)

    pygame.display.flip = timed_flip
    setattr(Window, "ask", noting_ask)  # noqa: B010  # mypy forbids assigning to a method
    main(["play", "--camera", "simulated", "--journal", sys.argv[1]])
