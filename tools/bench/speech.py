"""Measure how close to the cue the word SHOOT is heard, next to the tone.

``python -m tools.bench.speech`` renders the count in every language and measures each word's onset in the mixed
samples; then it plays counts on a simulated sound card, as tones and as words. ``--docs docs/sound.md`` writes both
tables into that page."""

import argparse
import statistics
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from typing_extensions import override

from device.sound.base import Samples, Sound, Speech, Tone, find_onset, resample
from device.sound.loudspeaker import SAMPLE_RATE_HZ, Loudspeaker
from device.sound.tones import mix_sounds, render_tone
from device.sound.voice import PROGRAM, VOICES, Voice, find_voice_program
from device.system.clock import Clock, MonotonicClock
from device.system.periodic import PeriodicCallback, PeriodicTask, ThreadTicker
from throwlock.bench.result import percentile
from throwlock.settings.model import CountSound, SoundSettings
from throwlock.table_setup.sound import MakeVoice, SpokenSound
from tools.bench.sound_card import CardRecording, SimulatedSoundCard
from tools.docs.generated_sections import add_docs_option, machine_line, print_table, publish
from ui.i18n.language import load_translations
from ui.text.verdicts import COUNT_WORDS

MS = 1_000_000
LEAD_NS = 1_500 * MS
"""From scheduling a count to its first word, as in a match."""
RENDER_TIMEOUT_S = 30.0
SEARCH_SAMPLES = SAMPLE_RATE_HZ // 10
"""How far from the cue a sound is looked for."""
WORDS_SECTION, CARD_SECTION = "words", "card"
WORDS_HEAD = (
    "language", "beat, ms", "word", "begins before the beat, ms", "ends after it, ms", "onset after the beat, ms",
)  # fmt: skip
CARD_HEAD = "count", "SHOOT's onset after the cue, ms", "95 % by", "latest", "buffers too late"
MODE_NAMES: Mapping[CountSound, str] = {"tones": "tones", "voice": "words", "both": "words and tones"}


def count_words(language: str) -> list[str]:
    """Return the words of the count as they are spoken."""
    return [word.render(load_translations(language)).lower() for word in COUNT_WORDS]


def word_rows(program: str, cache: Path) -> Iterator[tuple[object, ...]]:
    """Yield a row for each word of each language at the fastest and the usual count."""
    for language in VOICES:
        voice = Voice(program, language, cache)
        for beat_ms in (300, 600):
            words = count_words(language)
            count = voice.say_count(words, beat_ms * MS)
            times = [1_000 * MS + beat * beat_ms * MS for beat in range(len(words))]
            mixed = mix_sounds(list(zip(times, count, strict=True)), SAMPLE_RATE_HZ)
            for name, speech, at_ns in zip(words, count, times, strict=True):
                start, end = (
                    round(ns * SAMPLE_RATE_HZ / 1e9) for ns in (at_ns - speech.lead_ns, at_ns + speech.tail_ns)
                )
                heard_ms = (start + find_onset(mixed[start:end], SAMPLE_RATE_HZ)) * 1e3 / SAMPLE_RATE_HZ
                times_ms = f"{speech.lead_ns / MS:.0f}", f"{speech.tail_ns / MS:.0f}", f"{heard_ms - at_ns / MS:+.2f}"
                yield language, beat_ms, name, *times_ms


def heard_ns(recording: CardRecording, sound: Samples, onset: int, cue_ns: int) -> int:
    """Return when the onset of ``sound`` was heard near the cue: where its samples fit best."""
    due = round((cue_ns - recording.start_ns) * SAMPLE_RATE_HZ / 1e9) - onset
    first = max(0, due - SEARCH_SAMPLES)
    played = recording.samples[first : due + SEARCH_SAMPLES + len(sound), 0]
    best = int(np.argmax(np.correlate(played, sound, "valid")))
    return recording.start_ns + (first + best + onset) * 1_000_000_000 // SAMPLE_RATE_HZ


class RecordingLoudspeaker(Loudspeaker):
    """A loudspeaker that counts the words it plays."""

    spoken_words = 0

    @override
    def play(self, sound: Tone | Speech, at_ns: int | None = None) -> None:
        self.spoken_words += isinstance(sound, Speech)
        super().play(sound, at_ns)


def open_rendered_sound(
    loudspeaker: Sound,
    clock: Clock,
    mode: CountSound,
    beat_ms: int,
    make_voice: MakeVoice,
    timeout_s: float = RENDER_TIMEOUT_S,
) -> SpokenSound:
    """Return a sound that has rendered the words of the count: until then it would play tones.

    Raises:
        SystemExit: That takes longer than ``timeout_s``.
    """
    rendered = threading.Event()

    def make_task(render_next: PeriodicCallback, name: str) -> PeriodicTask:
        def run() -> float | None:
            delay_s = render_next()
            if delay_s is None:
                rendered.set()
            return delay_s

        return ThreadTicker(run, name)

    sound = SpokenSound(loudspeaker, clock, SoundSettings(count=mode), beat_ms, make_voice, make_task)
    if not rendered.wait(timeout_s):
        raise SystemExit(f"the words of the count were not rendered in {timeout_s:.0f} s")
    return sound


def measure_counts(mode: CountSound, make_voice: MakeVoice, counts: int, beat_ms: int) -> tuple[list[float], int]:
    """Play counts on a simulated sound card. Return when SHOOT's onset was heard, in ms after the cue, and how many
    buffers came too late.

    Raises:
        SystemExit: Words were to be measured and tones were played.
    """
    word = make_voice("en").say_count(count_words("en"), beat_ms * MS)[-1]
    tone = render_tone(Tone.SHOOT, SAMPLE_RATE_HZ)
    samples, onset = (tone, 0) if mode == "tones" else resample(word, SAMPLE_RATE_HZ)
    cues = []
    with tempfile.TemporaryDirectory() as folder, SimulatedSoundCard(Path(folder) / "card") as card:
        loudspeaker, clock = RecordingLoudspeaker(delay_ns=card.extra_latency_ns), MonotonicClock()
        sound = open_rendered_sound(loudspeaker, clock, mode, beat_ms, make_voice)
        for _ in range(counts):
            first_ns = clock.now_ns() + LEAD_NS
            times = [first_ns + beat * beat_ms * MS for beat in range(len(COUNT_WORDS))]
            sound.play_count(COUNT_WORDS, times)
            cues.append(times[-1])
            clock.wait_until(times[-1] + 700 * MS)
        card.wait_until(clock.now_ns() + 300 * MS)
        sound.stop()
        recording = card.recording()
    if mode != "tones" and loudspeaker.spoken_words < counts * len(COUNT_WORDS):
        raise SystemExit("the words of the count were not rendered: the tones were played in their place")
    heard_ms = [(heard_ns(recording, samples, onset, cue_ns) - cue_ns) / 1e6 for cue_ns in cues]
    return heard_ms, len(recording.underruns)


def card_row(name: str, heard_ms: Sequence[float], underruns: int) -> tuple[object, ...]:
    """Return a row of the card's table."""
    times_ms = statistics.median(heard_ms), percentile(heard_ms, 95), max(heard_ms)
    return name, *(f"{ms:+.1f}" for ms in times_ms), underruns


def main() -> None:
    """Print the figures as they are measured, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.speech", description=__doc__)
    parser.add_argument("--counts", type=int, default=16, help="counts per row (default 16)")
    parser.add_argument("--beat", type=int, default=600, help="ms between two words (default 600)")
    add_docs_option(parser, WORDS_SECTION, CARD_SECTION)
    options = parser.parse_args()
    program = find_voice_program()
    if program is None:
        raise SystemExit(f"{PROGRAM} is not installed: sudo apt install {PROGRAM}")
    machine = machine_line()
    with tempfile.TemporaryDirectory() as folder:
        make_voice = partial(Voice, program, cache=Path(folder))
        words = print_table(WORDS_HEAD, word_rows(program, Path(folder)), text_columns=3)
        words_note = f"{make_voice('en').version}, samples at {SAMPLE_RATE_HZ} Hz."
        print(f"\n{words_note}\n")
        card_rows = (
            card_row(name, *measure_counts(mode, make_voice, options.counts, options.beat))
            for mode, name in MODE_NAMES.items()
        )
        card = print_table(CARD_HEAD, card_rows)
    card_note = f"{options.counts} counts each, in English, {options.beat} ms per beat. {machine}"
    print(f"\n{card_note}")
    sections = {WORDS_SECTION: f"{words}\n\n{words_note}", CARD_SECTION: f"{card}\n\n{card_note}"}
    publish(options.docs, sections, printed=True)


if __name__ == "__main__":
    main()
