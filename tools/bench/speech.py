"""Measure how close to the cue the word SHOOT is heard, next to the tone.

``python -m tools.bench.speech`` renders the count in every language and measures each word's onset in the mixed
samples; then it plays counts on a simulated sound card, as tones and as words. ``--docs docs/sound.md`` writes both
tables into that page."""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from device.sound.base import Tone
from device.sound.loudspeaker import SAMPLE_RATE_HZ, Loudspeaker
from device.sound.speech import Samples, find_onset, resample
from device.sound.synth import mix_sounds, render_tone
from device.sound.voice import PROGRAM, VOICES, Voice, find_voice_program
from device.system.clock import MonotonicClock
from throwlock.settings.model import CountSound, SoundSettings
from throwlock.table_setup.spoken_sound import SpokenSound
from tools.bench.sound_card import CardRecording, SimulatedSoundCard
from tools.docs.generated_sections import add_docs_option, update_page
from ui.i18n.language import load_translations
from ui.text.verdicts import COUNT_WORDS

MS = 1_000_000
LEAD_NS = 1_500 * MS
"""From scheduling a count to its first word, as in a match."""
SEARCH_SAMPLES = SAMPLE_RATE_HZ // 10
"""How far from the cue a sound is looked for."""
WORDS_SECTION, CARD_SECTION = "words", "card"
WORDS_HEAD = (
    "| language | beat, ms | word | begins before the beat, ms | ends after it, ms | onset after the beat, ms |\n"
    "| --- | ---: | --- | ---: | ---: | ---: |"
)
CARD_HEAD = (
    "| count | SHOOT's onset after the cue, ms | 95 % by | latest | buffers too late |\n"
    "| --- | ---: | ---: | ---: | ---: |"
)


def count_words(language: str) -> list[str]:
    """Return the words of the count as they are spoken."""
    return [word.render(load_translations(language)).lower() for word in COUNT_WORDS]


def word_rows(program: str, cache: Path) -> Iterator[str]:
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
                yield (
                    f"| {language} | {beat_ms} | {name} | {speech.lead_ns / MS:.0f} | {speech.tail_ns / MS:.0f} "
                    f"| {heard_ms - at_ns / MS:+.2f} |"
                )


def heard_ns(recording: CardRecording, sound: Samples, onset: int, cue_ns: int) -> int:
    """Return when the onset of ``sound`` was heard near the cue: where its samples fit best."""
    due = round((cue_ns - recording.start_ns) * SAMPLE_RATE_HZ / 1e9) - onset
    first = max(0, due - SEARCH_SAMPLES)
    played = recording.samples[first : due + SEARCH_SAMPLES + len(sound), 0]
    best = int(np.argmax(np.correlate(played, sound, "valid")))
    return recording.start_ns + (first + best + onset) * 1_000_000_000 // SAMPLE_RATE_HZ


def measure_counts(mode: CountSound, make_voice: partial[Voice], counts: int, beat_ms: int) -> tuple[list[float], int]:
    """Play counts on a simulated sound card. Return when SHOOT's onset was heard, in ms after the cue, and how many
    buffers came too late."""
    word = make_voice("en").say_count(count_words("en"), beat_ms * MS)[-1]
    tone = render_tone(Tone.SHOOT, SAMPLE_RATE_HZ)
    samples, onset = (tone, 0) if mode == "tones" else resample(word, SAMPLE_RATE_HZ)
    cues = []
    with tempfile.TemporaryDirectory() as folder, SimulatedSoundCard(Path(folder) / "card") as card:
        loudspeaker, clock = Loudspeaker(delay_ns=card.extra_latency_ns), MonotonicClock()
        sound = SpokenSound(loudspeaker, clock, SoundSettings(count=mode), beat_ms, make_voice)
        time.sleep(1.0)  # the words are rendered
        for _ in range(counts):
            first_ns = clock.now_ns() + LEAD_NS
            times = [first_ns + beat * beat_ms * MS for beat in range(len(COUNT_WORDS))]
            sound.play_count(COUNT_WORDS, times)
            cues.append(times[-1])
            clock.wait_until(times[-1] + 700 * MS)
        card.wait_until(clock.now_ns() + 300 * MS)
        sound.stop()
        recording = card.recording()
    heard_ms = [(heard_ns(recording, samples, onset, cue_ns) - cue_ns) / 1e6 for cue_ns in cues]
    return heard_ms, len(recording.underruns)


def card_row(name: str, heard_ms: Sequence[float], underruns: int) -> str:
    """Return a row of the card's table."""
    percentile_95 = statistics.quantiles(heard_ms, n=20, method="inclusive")[-1]
    return (
        f"| {name} | {statistics.median(heard_ms):+.1f} | {percentile_95:+.1f} | {max(heard_ms):+.1f} | {underruns} |"
    )


def main() -> None:
    """Print the figures as they are measured, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.speech", description=__doc__)
    parser.add_argument("--counts", type=int, default=16, help="counts per row (default 16)")
    parser.add_argument("--beat", type=int, default=600, help="ms between two words (default 600)")
    add_docs_option(parser)
    options = parser.parse_args()
    program = find_voice_program()
    if program is None:
        raise SystemExit(f"{PROGRAM} is not installed: sudo apt install {PROGRAM}")
    words, card = [WORDS_HEAD], [CARD_HEAD]
    with tempfile.TemporaryDirectory() as folder:
        make_voice = partial(Voice, program, cache=Path(folder))
        for row in word_rows(program, Path(folder)):
            words.append(row)
        print("\n".join(words), CARD_HEAD, sep="\n", flush=True)
        load = os.getloadavg()[0]
        modes: tuple[tuple[CountSound, str], ...] = (
            ("tones", "tones"),
            ("voice", "words"),
            ("both", "words and tones"),
        )
        for mode, name in modes:
            card.append(card_row(name, *measure_counts(mode, make_voice, options.counts, options.beat)))
            print(card[-1], flush=True)
        version = make_voice("en").version
    words += ["", f"{version}, samples at {SAMPLE_RATE_HZ} Hz."]
    card += ["", f"{options.counts} counts each, in English, {options.beat} ms per beat, load average {load:.1f}."]
    print(words[-1], card[-1], sep="\n")
    if options.docs:
        update_page(options.docs, {WORDS_SECTION: "\n".join(words), CARD_SECTION: "\n".join(card)})


if __name__ == "__main__":
    main()
