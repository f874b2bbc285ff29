"""The measurements of ``throwlock doctor --bench``, each in its own process: it may hang or abort, and must not be
slowed down by what another left in memory. ``python -m throwlock.cli.doctor.bench_probes verdict 2`` prints its results
as JSON lines, and the type of an error that ends it."""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path

from throwlock.cli.doctor.probes import ProbeOutput, main

COUNTS, BEAT_MS = 8, 300
"""Counts whose last word is timed, and the time between two words: shorter than at a table, or it takes a minute."""
SCREEN_REPEATS, SCREEN_SECONDS = 2, 4.0
"""Runs with each load, and how long a run takes."""
Probe = Callable[..., Iterator[ProbeOutput]]


def reports_error_type(probe: Probe) -> Probe:
    """Let a probe yield the type of the exception that ends it."""

    @wraps(probe)
    def run(*args: str) -> Iterator[ProbeOutput]:
        try:
            yield from probe(*args)
        except Exception as error:
            yield {"error_type": type(error).__name__}
            raise

    return run


def model() -> Iterator[ProbeOutput]:
    """Time the hand model. Raises ModelError, CameraError."""
    from throwlock.bench.recorded_round import load_round, time_model  # noqa: PLC0415 - needs mediapipe

    yield time_model(load_round()).model_dump()


def verdict(seats: str) -> Iterator[ProbeOutput]:
    """Judge the recorded round with its first ``seats`` seats. Raises ModelError, CameraError."""
    from throwlock.bench.recorded_round import load_round, time_verdicts  # noqa: PLC0415 - as above

    yield time_verdicts(load_round().first_seats(int(seats))).model_dump()


def screen() -> Iterator[ProbeOutput]:
    """Show a count, without and with rounds being judged. Raises ModelError, CameraError."""
    from throwlock.bench.recorded_round import load_round  # noqa: PLC0415
    from throwlock.bench.screen import FrameRateBench, run_in_box_window  # noqa: PLC0415 - needs pygame, mediapipe

    bench = FrameRateBench(load_round().first_seats(2))
    driver, (width, height), _ = run_in_box_window(
        lambda window: bench.play(window, SCREEN_REPEATS, SCREEN_SECONDS), bench.on_drawn
    )
    runs = [run.model_dump() for run in bench.screen_runs()]
    yield {"driver": driver, "width": width, "height": height, "runs": runs}


def cue() -> Iterator[ProbeOutput]:
    """Time the word SHOOT on the screen. Raises WindowClosedError."""
    from throwlock.bench.cue import CueTimes, play_counts  # noqa: PLC0415
    from throwlock.bench.result import Timings  # noqa: PLC0415
    from throwlock.bench.screen import run_in_box_window  # noqa: PLC0415 - needs pygame

    drawn = CueTimes()
    _, _, cues_ns = run_in_box_window(lambda window: play_counts(window, COUNTS, BEAT_MS), drawn.on_drawn)
    delays = [(drawn_ns - cue_ns) / 1e6 for drawn_ns, cue_ns in zip(drawn.cues_ns(), cues_ns, strict=True)]
    yield Timings.of(delays).model_dump()


def camera() -> Iterator[ProbeOutput]:
    """Flash the screen before the camera of the settings. Raises CameraError, ScreenNotSeenError, WindowClosedError."""
    from device.camera.base import CameraError  # noqa: PLC0415 - needs OpenCV
    from device.system.clock import MonotonicClock  # noqa: PLC0415
    from throwlock.bench.cue import WindowFlasher, measure_seen_ms  # noqa: PLC0415
    from throwlock.bench.result import Timings  # noqa: PLC0415
    from throwlock.bench.screen import run_in_box_window  # noqa: PLC0415 - needs pygame
    from throwlock.table_setup.cameras import CameraKind, default_camera, open_camera, run_camera  # noqa: PLC0415

    name, clock, flasher = default_camera(), MonotonicClock(), WindowFlasher()
    if CameraKind.of(name) not in (CameraKind.PICAMERA2, CameraKind.USB):
        raise CameraError(f"the settings name the camera {name}, which sees no screen")
    with run_camera(open_camera(name, clock, 2, 0)) as looking:
        _, _, seen_ms = run_in_box_window(
            lambda window: measure_seen_ms(looking, lambda white: flasher.show(window, white), clock), flasher.on_drawn
        )
    yield Timings.of(seen_ms).model_dump()


def journal(folder: str) -> Iterator[ProbeOutput]:
    """Time commits of a new journal in ``folder``. Raises JournalError."""
    from throwlock.bench.machine import time_commits  # noqa: PLC0415

    yield time_commits(Path(folder)).model_dump()


BENCH_PROBES: Mapping[str, Probe] = {
    probe.__name__: reports_error_type(probe) for probe in (model, verdict, screen, cue, camera, journal)
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], BENCH_PROBES))
