"""The benches of the spoken count and of pages while rounds are judged: what they measure, and their tables."""

import threading
from pathlib import Path

import numpy as np
import pytest

from device.sound.loudspeaker import SAMPLE_RATE_HZ
from device.sound.voice import find_voice_program
from throwlock.cli.doctor.bench.recorded_round import RecordedRound
from tools.bench.screen_pages import TABLE_HEAD, PageBench, PageFrames, PageLoop, percentile_99, table_row
from tools.bench.sound_card import CardRecording
from tools.bench.speech import CARD_HEAD, WORDS_HEAD, card_row, heard_ns, word_rows
from ui.screen.core.window import Window
from ui.screen.pages.notice.view import Notice

MS = 1_000_000


@pytest.mark.parametrize("late_samples", [-1_000, 0, 37, 2_000])
def test_onset_is_found_in_a_recording(late_samples: int) -> None:
    rng = np.random.default_rng(1)
    sound = rng.uniform(-0.5, 0.5, 4_800).astype(np.float32)
    played = np.zeros((2 * SAMPLE_RATE_HZ, 2), np.float32)
    cue, onset = SAMPLE_RATE_HZ, 1_200
    start = cue - onset + late_samples
    played[start : start + len(sound)] = 0.7 * sound[:, None]
    recording = CardRecording(5 * MS, played, ())
    heard = heard_ns(recording, sound, onset, 5 * MS + cue * 1_000_000_000 // SAMPLE_RATE_HZ)
    assert heard == 5 * MS + (cue + late_samples) * 1_000_000_000 // SAMPLE_RATE_HZ


def test_rows_have_the_columns_of_their_heads() -> None:
    def columns(row: str) -> int:
        return row.count("|")

    card = card_row("words", [-0.5, 0.0, 10.0], 3)
    assert card.startswith("| words | +0.0 |") and card.endswith("| +10.0 | 3 |")
    assert columns(card) == columns(CARD_HEAD.splitlines()[0])
    judged, idle = PageFrames([*[16.0] * 99, 34.0], [*[15.0] * 99, 20.0]), PageFrames([17.0] * 2, [1.0] * 2)
    frames = table_row("dummy", "the count", judged, idle)
    assert frames == "| dummy | the count | 100 | 16.2 | 17.0 | 34.0 | 17.0 | 1 | 0 | 20.0 |"
    assert columns(frames) == columns(TABLE_HEAD.splitlines()[0])
    assert percentile_99([1.0, 1.0]) == 1.0


@pytest.mark.skipif(find_voice_program() is None, reason="espeak-ng is not on this machine")
def test_every_word_of_every_language_has_a_row(tmp_path: Path) -> None:
    program = find_voice_program()
    assert program is not None
    rows = list(word_rows(program, tmp_path))
    assert len(rows) == 3 * 2 * 4
    assert all(row.count("|") == WORDS_HEAD.splitlines()[0].count("|") for row in rows)
    assert all(abs(float(row.split("|")[-2])) < 1 for row in rows), "every onset is on its beat"


def test_frames_of_a_page_are_counted_in_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    bench = PageBench(RecordedRound((), (), (), 0))
    seen: list[float] = []
    enough = threading.Event()

    def view_at(seconds: float) -> Notice:
        seen.append(seconds)
        return Notice("One", "two")

    def play(display: Window) -> None:
        display.show(PageLoop(view_at))
        assert enough.wait(60)

    def on_loop() -> None:
        bench.on_loop()
        if len(bench.current.gaps_ms) >= 3:
            enough.set()

    Window((320, 240), on_loop=on_loop).run(play)
    assert len(bench.current.gaps_ms) >= 3 and seen == sorted(seen)
    assert len(bench.current.gaps_ms) == len(bench.current.own_gaps_ms)
    assert all(own <= gap for own, gap in zip(bench.current.own_gaps_ms, bench.current.gaps_ms, strict=True))
