"""The measurement of the cue: a count in a window and on a simulated card, and the table it makes."""

from pathlib import Path

import pytest

from tools.bench.cue import BEGIN, END, TABLE_HEAD, CueTimes, measure_counts, table_row


def test_a_count_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    cues = measure_counts(1, 300)
    assert len(cues.shown_ms) == len(cues.heard_ms) == len(cues.unevenness_ms) == 1
    assert cues.shown_ms[0] > 0, "the page with SHOOT is never there before the cue"
    assert abs(cues.heard_ms[0]) < 2_000


def test_the_row_has_the_heads_columns_and_the_page_its_marks() -> None:
    cues = CueTimes([5.0, 6.0, 9.0], [-1.0, 0.0, 1.0], [0.0, 0.01, 0.5])
    told = table_row("nothing else", cues)
    assert told.startswith("| nothing else | 6.0 |") and told.endswith("| -6.0 | 0.50 |")
    assert told.count("|") == TABLE_HEAD.splitlines()[0].count("|")
    page = (Path(__file__).parents[2] / "docs" / "cue-latency.md").read_text()
    assert page.count(BEGIN) == page.count(END) == 1
