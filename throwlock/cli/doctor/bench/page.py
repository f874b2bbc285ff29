"""The page that ``throwlock doctor --bench`` writes, as plain text, and the lines that it prints meanwhile."""

import textwrap
from collections.abc import Iterator, Sequence

from throwlock.cli.doctor.bench.result import (
    BenchResult,
    Conditions,
    CueTimings,
    JournalTimings,
    NotMeasured,
    ScreenTimings,
    Timings,
    VerdictTimings,
)

LABEL_WIDTH = 36
PAGE_WIDTH = 100
NOTES = (
    "One call of the hand model: on a part of a picture, one call after another in one thread.",
    "Verdict: the time to judge all seats once the round's frames are there, by the judge and the model the box plays "
    "with. The round comes with Throwlock: eight rendered hands, 96 frames of 1280×720 at 60 per second, as a USB "
    "camera leaves them in memory. Two and four seats are the first of the eight. It takes as many calls of the model "
    "as other rounds (9 to 13 for a seat). The round is judged once before it counts.",
    "Screen: a count with its live picture, while a thread stores 60 pictures a second as a camera does. A frame is "
    "late if it comes more than 25 ms after the one before.",
    "SHOOT: from the time it is due until the program has handed it to the screen, then until a camera that looks at "
    "the screen sees a change: the screen's own delay, right to half a frame of the camera for a single flash. The "
    "tone is not measured.",
    "Journal: one event with its images until the disk has it, in a journal next to the real one, removed afterwards.",
    "A machine is quiet up to a load average of 0.15 per core before the measurement.",
)
PRIVACY = (
    "This page and the JSON file hold what you see here and nothing else: no pictures, no names of people, hosts, "
    "files or networks, no serial numbers. Send both to have this machine in docs/boards.md."
)


def timing_line(label: str, times: Timings | NotMeasured, remark: str = "") -> str:
    """Format a row of the page."""
    if isinstance(times, NotMeasured):
        return f"{label:{LABEL_WIDTH}} not measured: {times.not_measured}"
    cells = "".join(f"{ms:9.1f} ms" for ms in (times.median_ms, times.p95_ms, times.slowest_ms))
    return f"{label:{LABEL_WIDTH}}{cells}   {times.count} times{remark}"


def verdict_line(seats: str, verdict: VerdictTimings | NotMeasured) -> str:
    """Format the row of a verdict."""
    label = f"Verdict, {seats} seats"
    if isinstance(verdict, NotMeasured):
        return timing_line(label, verdict)
    remark = f", {verdict.model_calls} model calls, {verdict.correct_seats} of {verdict.seats} seats right"
    return timing_line(label, verdict.times, remark)


def screen_lines(screen: ScreenTimings | NotMeasured) -> Iterator[str]:
    """Format the rows of the screen."""
    if isinstance(screen, NotMeasured):
        yield timing_line("Screen", screen)
        return
    for run in screen.runs:
        yield (
            f"{f'Screen, {run.load}':{LABEL_WIDTH}} {run.frames_per_second:.1f} frames per second, "
            f"{run.late_share:.1%} late, longest gap {run.longest_gap_ms:.0f} ms "
            f"({screen.driver}, {screen.width}×{screen.height})"
        )


def cue_lines(cue: CueTimings) -> Iterator[str]:
    """Format the rows of the cue."""
    yield timing_line("SHOOT drawn after it is due", cue.drawn)
    yield timing_line("… seen by a camera after that", cue.seen)


def journal_line(journal: JournalTimings | NotMeasured) -> str:
    """Format the row of the journal."""
    if isinstance(journal, NotMeasured):
        return timing_line("Journal, one commit", journal)
    return timing_line("Journal, one commit", journal.commits, f", {journal.evidence_kb} kB of images, {journal.disk}")


def conditions_text(conditions: Conditions) -> str:
    """Format the load, the temperature and the throttling."""
    temperature, throttling = conditions.temperature_c, conditions.throttling
    parts = [
        f"load {conditions.load:.2f}",
        "temperature not available" if temperature is None else f"{temperature:.1f} °C",
        "throttling not available" if throttling is None else ", ".join(throttling) or "not throttled",
    ]
    return ", ".join(parts)


def head_lines(result: BenchResult) -> Sequence[str]:
    """Format what the machine is, and how it was before and after."""
    machine = result.machine
    return (
        f"Throwlock on {machine.board}: measured with throwlock doctor --bench on {result.date}",
        "",
        f"Machine  {machine.cores} cores, {machine.memory_gb:.1f} GB, {machine.system}, kernel {machine.kernel}",
        f"Programs Throwlock {machine.throwlock}, Python {machine.python}, mediapipe {machine.mediapipe}, "
        f"OpenCV {machine.opencv}",
        f"Before   {conditions_text(result.before)}: a {'quiet' if result.is_quiet else 'busy'} machine",
        f"After    {conditions_text(result.after)}",
    )


def table_head() -> str:
    """Format the head of the rows."""
    return " " * LABEL_WIDTH + "".join(f"{name:>12}" for name in ("median", "95 % by", "slowest"))


def render_page(result: BenchResult) -> str:
    """Return the page."""
    rows = [
        table_head(),
        timing_line("One call of the hand model", result.model_call),
        *(verdict_line(seats, verdict) for seats, verdict in result.verdicts.items()),
        *screen_lines(result.screen),
        *cue_lines(result.cue),
        journal_line(result.journal),
    ]
    notes = "\n\n".join(textwrap.fill(note, PAGE_WIDTH) for note in (*NOTES, PRIVACY))
    return "\n".join([*head_lines(result), "", *rows, "", notes, ""])
