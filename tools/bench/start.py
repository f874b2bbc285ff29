"""``python -m tools.bench.start``: how long the box takes from the start of its process to the home page, on a screen
that nobody sees, and which imports cost most of it. ``--docs docs/long.md`` puts the figures there."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tools.docs.generated_sections import write_into

BEGIN, END = "<!-- start: begin -->", "<!-- start: end -->"
TIMES = 5
MOST = 10
"""Imports that are told, those that cost most."""
CHILD = """
import os, sys, time
import pygame
asked, flip = [], pygame.display.flip
def flipped():
    flip()
    if asked:
        print("ready", time.monotonic() - float(os.environ["SINCE"]), time.process_time(), flush=True)
        os._exit(0)
pygame.display.flip = flipped
from ui.screen.pages.views import Choosing
from ui.screen.core.window import Window
ask = Window.ask
def noted(self, view):
    asked.extend([view] if isinstance(view, Choosing) else [])
    return ask(self, view)
Window.ask = noted
from throwlock.cli.main import main
main(["play", "--camera", "simulated", "--journal", sys.argv[1]])
"""


def started(folder: Path) -> tuple[float, float]:
    """Seconds from the start of a process to its home page, by the clock and of the processor. Raises ValueError where
    it does not come."""
    quiet = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "DISPLAY": ":0", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    since = {"SINCE": str(time.monotonic()), "THROWLOCK_SETTINGS": str(folder / "throwlock.toml")}
    command = [sys.executable, "-c", CHILD, str(folder / "start.journal")]
    done = subprocess.run(
        command, env={**os.environ, **quiet, **since}, capture_output=True, text=True, timeout=300, check=False
    )
    for line in done.stdout.splitlines():
        if line.startswith("ready "):
            _, wall, processor = line.split()
            return float(wall), float(processor)
    raise ValueError(f"no page was shown: {done.stderr.strip()[-500:]}")


def imports() -> Iterator[tuple[str, float]]:
    """The libraries that ``play`` loads, each with what importing its own modules takes in ms."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import throwlock.cli.play"],
        capture_output=True,
        text=True,
        check=True,
    )
    own: dict[str, float] = {}
    for line in done.stderr.splitlines():
        parts = line.removeprefix("import time:").split("|")
        if len(parts) == 3 and parts[0].strip().isdecimal():
            library = parts[2].strip().partition(".")[0]
            own[library] = own.get(library, 0.0) + int(parts[0]) / 1e3
    yield from sorted(own.items(), key=lambda one: -one[1])[:MOST]


def told(times: int) -> str:
    """The figures as a page has them."""
    with tempfile.TemporaryDirectory(prefix="throwlock-start-") as name:
        found = [started(Path(name)) for _ in range(times)]
    wall, processor = (statistics.median(one[part] for one in found) for part in (0, 1))
    rows = [
        f"To the home page: {wall:.1f} s by the clock, {processor:.1f} s of the processor (medians of {times} starts).",
        "",
        "| loaded | takes |",
        "| :--- | ---: |",
        *(f"| {library} | {ms:.0f} ms |" for library, ms in imports()),
    ]
    return "\n".join(rows)


def main() -> None:
    """Parse the arguments, print the figures, and write them where they are wanted."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.start", description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES, help=f"how often it is started (default {TIMES})")
    parser.add_argument("--docs", type=Path, help="the page to write the figures into, between its marks")
    given = parser.parse_args()
    text = told(given.times)
    print(text)
    if given.docs:
        write_into(given.docs, text, BEGIN, END)


if __name__ == "__main__":
    main()
