"""``throwlock doctor``: check every part of the box, try the seats' buttons and lights, or measure the machine."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from device.system.clock import MonotonicClock
from throwlock.cli.doctor import checks
from throwlock.cli.doctor.bench import write_bench
from throwlock.cli.doctor.checks import PartStatus
from throwlock.cli.options import EXIT_USER_ERROR, UsageError, journal_option
from throwlock.journal.file import default_journal_path
from throwlock.settings.model import read_settings


def check_parts(journal: Path) -> Iterator[PartStatus]:
    """Check the parts and yield each as soon as it is checked."""
    yield checks.python()
    yield checks.libraries()
    ready = checks.model()
    yield ready
    yield from checks.hands(ready.state == "ok")
    yield checks.simulated_table()
    yield checks.configured_camera()
    yield checks.screen()
    yield from checks.seats()
    yield checks.sound()
    yield checks.voice()
    yield checks.fonts()
    yield checks.disk(journal)
    yield checks.clock()


@click.command()
@journal_option("Check the disk of this journal.  [default: the journal of play]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--seats", "trying", is_flag=True, help="Test each seat's light and buttons instead.")
@click.option("--bench", "measuring", is_flag=True, help="Measure how fast this machine is instead (two minutes).")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="FOLDER",
    default=".",
    help="Where --bench writes its two files.  [default: the current folder]",
)
def doctor(journal: Path | None, as_json: bool, trying: bool, measuring: bool, out: Path) -> None:
    """Check every part and say how to fix it: hand model, camera, screen, buttons, sound, voice, fonts, disk and clock.

    The exit status is 0 if everything needed to play works, else 2.

    With --bench, measure the hand model, verdicts, the screen, the cue and the journal, and write throwlock-bench.json
    and throwlock-bench.txt. They hold nothing that identifies you. Let the camera look at the screen if you can.
    """
    if trying and measuring:
        raise UsageError("--seats and --bench: one at a time")
    if measuring:
        write_bench(out, journal or default_journal_path(), as_json)
        return
    if trying:
        _try_seats()
        return
    parts = []
    for part in check_parts(journal or default_journal_path()):
        parts.append(part)
        if not as_json:
            click.echo(part.line())
    can_play = all(part.state == "ok" for part in parts if part.needed)
    if as_json:
        click.echo(json.dumps({"can_play": can_play, "parts": [asdict(part) for part in parts]}))
    else:
        click.echo(_summary(parts) if can_play else "Nothing can be played until this is fixed.")
    if not can_play:
        sys.exit(EXIT_USER_ERROR)


def _summary(parts: list[PartStatus]) -> str:
    """Return the last line where everything that is needed works."""
    without = [part.name for part in parts if part.state in ("broken", "missing")]
    return f"You can play, but without: {', '.join(without)}." if without else "Everything works."


def _try_seats() -> None:
    """Test each light, then each button, while people wire them."""
    from throwlock.table_setup.seat_io import (  # noqa: PLC0415 - loads OpenCV, which may be what is broken
        open_seat_hardware,
        try_seat_hardware,
    )

    clock = MonotonicClock()
    with open_seat_hardware(read_settings(), clock, click.echo) as hardware:
        try_seat_hardware(hardware, clock, click.echo)
        if hardware.buttons is None:
            sys.exit(EXIT_USER_ERROR)
