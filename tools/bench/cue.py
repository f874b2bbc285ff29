"""Measure how long after the cue its word is on the screen and its tone leaves the mixer.

``python -m tools.bench.cue`` counts many times in a window on this machine: with nothing else running, while rounds are
judged, while phones and a television follow, and with music between the counts;
``--docs measurements/2026-11/cue-latency.md`` writes the table into that page."""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from device.sound.loudspeaker import BUFFER_SAMPLES, SAMPLE_RATE_HZ, Loudspeaker
from throwlock.bench.cue import CueTimes, play_counts
from throwlock.bench.recorded_round import judge_recorded
from throwlock.bench.result import percentile
from throwlock.bench.screen import PLAYERS
from tools.bench.sound_card import CardRecording, SimulatedSoundCard
from tools.bench.verdict import judge_in_background, render_round
from tools.bench.watchers import PageWatchers
from tools.docs.generated_sections import add_docs_option, machine_line, print_table, publish
from ui.screen.core.window import Window
from ui.text.verdicts import COUNT_WORDS
from vision.lock.judge import JUDGE_NICE_LEVEL, Judge

SECTION = "cue"
TABLE_HEAD = (
    "load", "shown after the cue, ms", "95 % by", "latest", "heard after the cue, ms", "95 % by", "latest",
    "heard after shown, ms", "most uneven beat, ms",
)  # fmt: skip


MUSIC_PAUSE_MS = 5_000
"""After a count, so that the music has faded in before the next."""


@dataclass
class CueDelays:
    """The measurements, one per count."""

    shown_ms: list[float] = field(default_factory=list)
    """When SHOOT was on the screen, after the cue."""
    heard_ms: list[float] = field(default_factory=list)
    """When SHOOT left the mixer, after the cue."""
    unevenness_ms: list[float] = field(default_factory=list)
    """By how much the delays of a count's tones differ."""
    underruns: int = 0
    """How many buffers of sound came too late, in all counts."""


def measure_counts(
    counts: int, beat_ms: int, *, music: bool = False, watchers: PageWatchers | None = None
) -> CueDelays:
    """Count ``counts`` times in a window, which ``watchers`` may follow, and on a simulated sound card, with ``music``
    between the counts.

    Raises:
        SystemExit: The machine is too busy to play every tone.
    """
    shown = CueTimes()
    with tempfile.TemporaryDirectory() as folder, SimulatedSoundCard(Path(folder) / "card") as card:
        sound = Loudspeaker(delay_ns=card.extra_latency_ns, music_volume=1.0 if music else 0.0)
        window = Window((800, 480), on_drawn=shown.on_drawn, on_page=watchers.show if watchers else None)
        pause_ms = MUSIC_PAUSE_MS if music else None
        cues_ns = window.run(lambda display: play_counts(display, counts, beat_ms, sound, pause_ms))
        card.wait_until(time.monotonic_ns() + 300_000_000)
        sound.stop()
        recording = card.recording()
    return compute_delays(cues_ns, shown.cues_ns(), recording, beat_ms)


def compute_delays(
    cues_ns: Sequence[int], shown_ns: Sequence[int], recording: CardRecording, beat_ms: int
) -> CueDelays:
    """Return how late each count was on the screen (``shown_ns``) and in what the sound card played. A beat's tone is
    the one that is nearest to it: between the counts there may be music.

    Raises:
        SystemExit: Tones are missing.
    """
    tones = recording.tone_times_ns()
    result = CueDelays(underruns=len(recording.underruns))
    for number, cue_ns in enumerate(cues_ns):
        due_ns = [cue_ns - (len(COUNT_WORDS) - 1 - beat) * beat_ms * 1_000_000 for beat in range(len(COUNT_WORDS))]
        heard_ns = [min(tones, key=lambda tone: abs(tone - due)) for due in due_ns]
        if any(abs(heard - due) > beat_ms * 500_000 for heard, due in zip(heard_ns, due_ns, strict=True)):
            raise SystemExit("this machine is too busy: some tones would have come too late and were left out")
        result.shown_ms.append((shown_ns[number] - cue_ns) / 1e6)
        result.heard_ms.append((heard_ns[-1] - cue_ns) / 1e6)
        delays = [heard - due for heard, due in zip(heard_ns, due_ns, strict=True)]
        result.unevenness_ms.append((max(delays) - min(delays)) / 1e6)
    return result


def table_row(name: str, cues: CueDelays) -> tuple[str, ...]:
    """Return a row of the table."""

    def cells(values: Sequence[float]) -> tuple[str, ...]:
        return f"{statistics.median(values):.1f}", f"{percentile(values, 95):.1f}", f"{max(values):.1f}"

    lag = statistics.median(heard - shown for heard, shown in zip(cues.heard_ms, cues.shown_ms, strict=True))
    return name, *cells(cues.shown_ms), *cells(cues.heard_ms), f"{lag:+.1f}", f"{max(cues.unevenness_ms):.2f}"


def measure_loads(counts: int, beat_ms: int) -> Iterator[tuple[str, CueDelays]]:
    """Yield each load and the delays under it. Raises ModelError, SystemExit."""
    recorded = render_round(1)
    with Judge(len(recorded.zones), JUDGE_NICE_LEVEL) as judge:
        judge_recorded(judge, recorded)
        yield "nothing else", measure_counts(counts, beat_ms)
        with judge_in_background(judge, recorded):
            yield "rounds are judged", measure_counts(counts, beat_ms)
    watchers = PageWatchers(PLAYERS)
    with watchers.watching():
        yield "phones and television", measure_counts(counts, beat_ms, watchers=watchers)
    yield "music between the counts", measure_counts(max(1, counts // 4), beat_ms, music=True)


def main() -> None:
    """Print the figures as they are measured, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.cue", description=__doc__)
    parser.add_argument("--counts", type=int, default=40, help="counts per row (default 40)")
    parser.add_argument("--beat", type=int, default=600, help="ms between two words (default 600)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy" if not os.environ.get("DISPLAY") else "x11")
    machine = machine_line()
    delays: list[CueDelays] = []

    def rows() -> Iterator[tuple[str, ...]]:
        for name, cues in measure_loads(options.counts, options.beat):
            delays.append(cues)
            yield table_row(name, cues)

    table = print_table(TABLE_HEAD, rows())
    summary = (
        f"{options.counts} counts each, {options.beat} ms per beat, 800×480 through SDL's "
        f"{os.environ['SDL_VIDEODRIVER']} driver; sound buffers of {BUFFER_SAMPLES} samples at {SAMPLE_RATE_HZ} Hz, of "
        f"which {sum(cues.underruns for cues in delays)} came too late. {machine}"
    )
    print(f"\n{summary}")
    publish(options.docs, {SECTION: f"{table}\n\n{summary}"}, printed=True)


if __name__ == "__main__":
    main()
