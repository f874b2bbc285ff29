"""The cue's bench: a count in a window and on a simulated sound card, and the table."""

import pytest

from tools.bench.cue import TABLE_HEAD, CueDelays, measure_counts, table_row


def test_measure_counts_times_screen_and_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    cues = measure_counts(1, 300)
    assert len(cues.shown_ms) == len(cues.heard_ms) == len(cues.unevenness_ms) == 1
    assert cues.shown_ms[0] > 0, "SHOOT is never shown before the cue"
    assert abs(cues.heard_ms[0]) < 2_000


def test_table_row_has_the_columns_of_the_head() -> None:
    times = CueDelays([5.0, 6.0, 9.0], [-1.0, 0.0, 1.0], [0.0, 0.01, 0.5])
    row = table_row("nothing else", times)
    assert row.startswith("| nothing else | 6.0 |") and row.endswith("| -6.0 | 0.50 |")
    assert row.count("|") == TABLE_HEAD.splitlines()[0].count("|")
