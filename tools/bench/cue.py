"""Measure how long after the cue its word is on the screen and its tone leaves the mixer.

``python -m tools.bench.cue`` counts many times in a window on this machine, with nothing else running and while rounds
are judged; ``--docs docs/cue-latency.md`` writes the table into that page."""

import argparse
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from device.sound.loudspeaker import BUFFER_SAMPLES, SAMPLE_RATE_HZ, Loudspeaker
from throwlock.cli.doctor.bench.cue_latency import CueTimes, play_counts
from throwlock.cli.doctor.bench.recorded_round import RecordedRound, judge_recorded
from tools.bench.sound_card import SimulatedSoundCard
from tools.bench.verdict import render_round
from tools.docs.generated_sections import add_docs_option, update_page
from ui.screen.core.window import Window
from ui.text.verdicts import COUNT_WORDS
from vision.lock.judge import Judge

SECTION = "cue"
TABLE_HEAD = (
    "| load | shown after the cue, ms | 95 % by | latest | heard after the cue, ms | 95 % by | latest "
    "| heard after shown, ms | most uneven beat, ms |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


@dataclass
class CueDelays:
    """The measurements, one per count: when SHOOT was on the screen and when it left the mixer, in ms after the cue,
    and by how many ms the delays of a count's tones differ; and how many buffers of sound came too late."""

    shown_ms: list[float] = field(default_factory=list)
    heard_ms: list[float] = field(default_factory=list)
    unevenness_ms: list[float] = field(default_factory=list)
    underruns: int = 0


def measure_counts(counts: int, beat_ms: int) -> CueDelays:
    """Count ``counts`` times in a window and on a simulated sound card.

    Raises:
        SystemExit: The machine is too busy to play every tone.
    """
    result, shown = CueDelays(), CueTimes()
    with tempfile.TemporaryDirectory() as folder, SimulatedSoundCard(Path(folder) / "card") as card:
        sound = Loudspeaker(delay_ns=card.extra_latency_ns)
        window = Window((800, 480), on_drawn=shown.on_drawn)
        cues_ns = window.run(lambda display: play_counts(display, counts, beat_ms, sound))
        card.wait_until(time.monotonic_ns() + 300_000_000)
        sound.stop()
        recording = card.recording()
    shown_ns = shown.cues_ns()
    tones = recording.tone_times_ns()
    if len(tones) != counts * len(COUNT_WORDS):
        raise SystemExit("this machine is too busy: some tones would have come too late and were left out")
    result.underruns = len(recording.underruns)
    for number, cue_ns in enumerate(cues_ns):
        due_ns = [cue_ns - (len(COUNT_WORDS) - 1 - beat) * beat_ms * 1_000_000 for beat in range(len(COUNT_WORDS))]
        heard_ns = tones[number * len(COUNT_WORDS) : (number + 1) * len(COUNT_WORDS)]
        result.shown_ms.append((shown_ns[number] - cue_ns) / 1e6)
        result.heard_ms.append((heard_ns[-1] - cue_ns) / 1e6)
        delays = [heard - due for heard, due in zip(heard_ns, due_ns, strict=True)]
        result.unevenness_ms.append((max(delays) - min(delays)) / 1e6)
    return result


@contextmanager
def judge_in_background(enabled: bool) -> Iterator[None]:
    """Judge a round over and over in a thread while the context lasts, if ``enabled``."""
    stop = threading.Event()

    def work(recorded: RecordedRound) -> None:
        with Judge(seats=len(recorded.zones)) as judge:
            while not stop.is_set():
                judge_recorded(judge, recorded)

    worker = threading.Thread(target=work, args=(render_round(1),), daemon=True) if enabled else None
    if worker:
        worker.start()
    try:
        yield
    finally:
        stop.set()
        if worker:
            worker.join()


def table_row(name: str, cues: CueDelays) -> str:
    """Return a row of the table."""

    def cells(values: Sequence[float]) -> str:
        percentile_95 = statistics.quantiles(values, n=20, method="inclusive")[-1]
        return f"{statistics.median(values):.1f} | {percentile_95:.1f} | {max(values):.1f}"

    lag = statistics.median(heard - shown for heard, shown in zip(cues.heard_ms, cues.shown_ms, strict=True))
    return f"| {name} | {cells(cues.shown_ms)} | {cells(cues.heard_ms)} | {lag:+.1f} | {max(cues.unevenness_ms):.2f} |"


def main() -> None:
    """Print the figures as they are measured, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.cue", description=__doc__)
    parser.add_argument("--counts", type=int, default=40, help="counts per row (default 40)")
    parser.add_argument("--beat", type=int, default=600, help="ms between two words (default 600)")
    add_docs_option(parser)
    options = parser.parse_args()
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy" if not os.environ.get("DISPLAY") else "x11")
    load = os.getloadavg()[0]
    lines = [TABLE_HEAD]
    print(TABLE_HEAD, flush=True)
    underruns = 0
    for name in ("nothing else", "rounds are judged"):
        with judge_in_background(name != "nothing else"):
            cues = measure_counts(options.counts, options.beat)
        underruns += cues.underruns
        lines.append(table_row(name, cues))
        print(lines[-1], flush=True)
    lines += [
        "",
        f"{options.counts} counts each, {options.beat} ms per beat, 800×480 through SDL's "
        f"{os.environ['SDL_VIDEODRIVER']} driver, on {os.cpu_count()} cores with a load average of {load:.1f} at the "
        f"start; sound buffers of {BUFFER_SAMPLES} samples at {SAMPLE_RATE_HZ} Hz, of which {underruns} came too late.",
    ]
    print(lines[-1])
    if options.docs:
        update_page(options.docs, {SECTION: "\n".join(lines)})


if __name__ == "__main__":
    main()
