"""Runs the measurements of ``throwlock doctor --bench`` one after another, and writes the result."""

import json
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TypeVar

import click
from pydantic import ValidationError

from device.system.processor import Processor
from rules.record.event import Record
from throwlock.bench.machine import describe_machine, read_conditions
from throwlock.bench.result import (
    SEAT_COUNTS,
    BenchResult,
    CueTimings,
    JournalTimings,
    NotMeasured,
    ScreenTimings,
    Timings,
    VerdictTimings,
    cue_lines,
    journal_line,
    render_page,
    screen_lines,
    table_head,
    timing_line,
    verdict_line,
)
from throwlock.cli.doctor import checks
from throwlock.cli.doctor.probes import ProbeResult, RunProbe, run_probe
from throwlock.cli.options import UsageError

RecordT = TypeVar("RecordT", bound=Record)
JSON_NAME, PAGE_NAME = "throwlock-bench.json", "throwlock-bench.txt"
MODEL_TIMEOUT_S, VERDICT_TIMEOUT_S, SCREEN_TIMEOUT_S, CUE_TIMEOUT_S, JOURNAL_TIMEOUT_S = 120, 300, 180, 120, 120
"""A Raspberry Pi 4 needs a tenth of these."""
ERROR_REASONS = {
    "CameraError": "no camera that works",
    "ModelError": "no hand model",
    "ScreenNotSeenError": "the camera does not see the screen",
    "WindowClosedError": "the window was closed",
    "JournalError": "no journal can be written there",
}
"""Why something isn't measured, by the type of the error. The error's own words may name files, so they are only
printed."""


class Bench:
    """The measurements, as ``attempt`` runs each; ``print_line`` takes a line as soon as something is measured."""

    def __init__(self, attempt: RunProbe, processor: Processor, print_line: Callable[[str], None]) -> None:
        self._attempt, self._processor, self._print_line = attempt, processor, print_line

    def run(self, journal: Path, today: date) -> BenchResult:
        """Measure everything; ``journal`` names the disk whose commits are timed."""
        before = read_conditions(self._processor)
        self._print_line(table_head())
        model_call = self._measure(Timings, MODEL_TIMEOUT_S, "model")
        self._print_line(timing_line("One call of the hand model", model_call))
        verdicts = {}
        for seats in SEAT_COUNTS:
            verdicts[seats] = self._measure(VerdictTimings, VERDICT_TIMEOUT_S, "verdict", seats)
            self._print_line(verdict_line(seats, verdicts[seats]))
        screen = self._measure(ScreenTimings, SCREEN_TIMEOUT_S, "screen")
        for line in screen_lines(screen):
            self._print_line(line)
        drawn, seen = (self._measure(Timings, CUE_TIMEOUT_S, probe) for probe in ("cue", "camera"))
        cue = CueTimings(drawn=drawn, seen=seen)
        for line in cue_lines(cue):
            self._print_line(line)
        commits = self._measure_journal(journal)
        self._print_line(journal_line(commits))
        return BenchResult(
            date=today.isoformat(),
            machine=describe_machine(),
            before=before,
            after=read_conditions(self._processor),
            model_call=model_call,
            verdicts=verdicts,
            screen=screen,
            cue=cue,
            journal=commits,
        )

    def _measure(self, kind: type[RecordT], seconds: float, *args: str) -> RecordT | NotMeasured:
        tried = self._attempt(args, seconds)
        try:
            return kind.model_validate_json(json.dumps(tried.found))
        except ValidationError:
            self._print_line(f"{args[0]}: {tried.why}")
            return NotMeasured(not_measured=_reason(tried))

    def _measure_journal(self, journal: Path) -> JournalTimings | NotMeasured:
        """Time commits in a folder next to the journal, which is removed afterwards whatever happens."""
        parent = journal.absolute().parent
        while not parent.exists() and parent != parent.parent:
            parent = parent.parent
        try:
            with tempfile.TemporaryDirectory(prefix=".throwlock-bench-", dir=parent) as folder:
                return self._measure(JournalTimings, JOURNAL_TIMEOUT_S, "journal", folder)
        except OSError as error:
            self._print_line(f"journal: {parent} can't be written ({error.strerror})")
            return NotMeasured(not_measured=ERROR_REASONS["JournalError"])


def _reason(tried: ProbeResult) -> str:
    """Return why a probe found nothing, in words that can be sent to anybody."""
    if tried.status is None:
        return "took too long"
    if tried.status < 0:
        return f"ended by {signal.Signals(-tried.status).name}"
    kind = str(tried.found.get("error_type", "no result"))
    return ERROR_REASONS.get(kind, f"failed ({kind})")


def is_box_running() -> bool:
    """Whether systemd runs the box, which then has the screen and the camera."""
    try:
        done = subprocess.run(
            ["systemctl", "is-active", "throwlock"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.strip() in ("active", "activating", "reloading", "deactivating")


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Let signals that end the process run its ``finally`` blocks first."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    previous = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def write_bench(folder: Path, journal: Path, as_json: bool) -> None:
    """Measure everything, print it, and write both files to ``folder``. Earlier ones are removed first.

    Raises:
        UsageError: The box is running, there is no hand model, or the files can't be written.
    """
    if is_box_running():
        raise UsageError(
            "the box is running and has the screen and the camera: stop it with sudo systemctl stop throwlock, and "
            "start it again afterwards with sudo systemctl start throwlock"
        )
    hand_model = checks.model()
    if hand_model.state != "ok":  # it would be fetched, and that measured
        raise UsageError(f"the hand model is {hand_model.state}: {hand_model.found}; {hand_model.remedy}")
    files = folder / JSON_NAME, folder / PAGE_NAME
    with _folder_errors(folder), tempfile.TemporaryFile(dir=folder):  # before minutes of measuring, not after them
        for file in files:
            file.unlink(missing_ok=True)  # another user's would only fail at the end
    attempt = partial(run_probe, module="throwlock.cli.doctor.bench_probes")
    bench = Bench(attempt, Processor(), partial(click.echo, err=as_json))
    with exit_on_signals():
        result = bench.run(journal, date.today())
    text = result.model_dump_json(indent=1) + "\n"
    with _folder_errors(folder):
        for file, content in zip(files, (text, render_page(result)), strict=True):
            file.write_text(content, encoding="utf-8")
    click.echo(text if as_json else f"Written to {files[0]} and {files[1]}.", nl=not as_json)


@contextmanager
def _folder_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"{folder} can't be written ({error.strerror}): name another folder with --out") from error
