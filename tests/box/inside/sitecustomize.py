"""Loaded by every Python of the box under test: changes some modules once they are imported.

The window also writes what is on the screen, and where it can be touched, into a file, and if THROWLOCK_TEST_PICTURE is
set, the page's pixels too, as the second screen does. Picamera2 opens the virtual camera, and people seem to throw in
front of it when the screen counts."""

import json
import os
import sys
import time
from pathlib import Path

from changed_modules import ChangedModules

PAGE_FILE = Path(os.environ.get("RUNTIME_DIRECTORY", "/nonexistent")) / "page.json"


def describe(press):
    """Return what a target replies, or the kind of page it leads to."""
    kind = type(press).__name__
    return repr(press) if kind == "Reply" else kind


def report_pages(module):
    """Write each new page, and the targets on it, into PAGE_FILE."""
    start, last = module.Window.__init__, [""]

    def on_drawn(window, page):
        shown = page.page_to_draw
        if type(shown).__name__ == "Countdown" and shown.beat_s:
            import players

            players.see_countdown(shown, time.monotonic_ns())
        targets = [(target.label, describe(target.press), *target.rect.center) for target in window.targets]
        line = json.dumps(
            {
                "process": os.getpid(),
                "page": type(shown).__name__,
                "text": getattr(shown, "text", "") and str(shown.text),
                "targets": targets,
            }
        )
        if line != last[0] and PAGE_FILE.parent.is_dir():
            last[0] = line
            new = PAGE_FILE.with_suffix(".new")
            new.write_text(line)
            new.replace(PAGE_FILE)
        write_picture(0, window._screen.surface)  # noqa: SLF001

    def init(window, *args, **kwargs):
        start(window, *args, **{**kwargs, "on_drawn": lambda page: on_drawn(window, page)})

    module.Window.__init__ = init


def report_second_screen(module):
    """Write what the second screen shows into a file."""
    show = module.SecondOutput.show

    def show_and_write(output, areas):
        show(output, areas)
        write_picture(1, output.surface)

    module.SecondOutput.show = show_and_write


def write_picture(screen, surface):
    """Write the pixels drawn for a screen into a file, if that is wanted."""
    if "THROWLOCK_TEST_PICTURE" in os.environ:
        import pygame

        PAGE_FILE.with_name(f"picture-{screen}").write_bytes(pygame.image.tobytes(surface, "RGB"))


def use_virtual_camera(module):
    """Open the virtual camera instead of a Raspberry Pi's."""
    import players
    import virtual_library

    module.Picamera2 = players.watch(virtual_library).Picamera2


if "/opt/throwlock/" in sys.prefix:
    changes = {
        "ui.screen.core.window": report_pages,
        "ui.screen.core.second_display": report_second_screen,
        "picamera2": use_virtual_camera,
    }
    sys.meta_path.insert(0, ChangedModules(changes))
