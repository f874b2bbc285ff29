"""Measure how long the program takes from the start of its process to the home page, and which imports cost most.

``python -m tools.bench.startup`` runs it on SDL's dummy screen; ``--docs measurements/2026-11/soak-test.md`` writes the
figures into that page."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tools.docs.generated_sections import add_docs_option, markdown_table, publish

SECTION = "start"
STARTS = 5
MAX_LIBRARIES = 10
"""How many libraries are listed, the slowest to import first."""


def measure_start(folder: Path) -> tuple[float, float]:
    """Return the seconds from the start of a process to its home page: elapsed time and CPU time.

    Raises:
        ValueError: The page doesn't appear.
    """
    quiet = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "DISPLAY": ":0", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    since = {"SINCE": str(time.monotonic()), "THROWLOCK_SETTINGS": str(folder / "throwlock.toml")}
    command = [sys.executable, "-m", "tools.bench.startup_probe", str(folder / "start.journal")]
    done = subprocess.run(
        command, env={**os.environ, **quiet, **since}, capture_output=True, text=True, timeout=300, check=False
    )
    for line in done.stdout.splitlines():
        if line.startswith("ready "):
            _, wall, cpu = line.split()
            return float(wall), float(cpu)
    raise ValueError(f"the home page didn't appear: {done.stderr.strip()[-500:]}")


def import_times() -> Iterator[tuple[str, float]]:
    """Yield the libraries that ``throwlock play`` imports, the slowest first, with the time of their own modules in
    ms."""
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
    yield from sorted(own.items(), key=lambda item: -item[1])[:MAX_LIBRARIES]


def report(starts: int) -> str:
    """Return the figures as Markdown."""
    with tempfile.TemporaryDirectory(prefix="throwlock-start-") as name:
        measured = [measure_start(Path(name)) for _ in range(starts)]
    wall, cpu = (statistics.median(times) for times in zip(*measured, strict=True))
    table = markdown_table(("library", "import time"), [(name, f"{ms:.0f} ms") for name, ms in import_times()])
    return f"To the home page: {wall:.1f} s, of which {cpu:.1f} s CPU time (medians of {starts} starts).\n\n{table}"


def main() -> None:
    """Print the figures, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.startup", description=__doc__)
    parser.add_argument("--times", type=int, default=STARTS, help=f"number of starts (default {STARTS})")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    text = report(options.times)
    publish(options.docs, {SECTION: text})


if __name__ == "__main__":
    main()
