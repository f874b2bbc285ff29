"""The bench of the second screen: its table of lags, and when the touchscreen is ready for frames."""

import pytest

from tools.bench.second_screen import HEAD, Change, FrameLog, table
from tools.docs.generated_sections import markdown_table
from ui.screen.pages.countdown import Countdown, Judging


def test_lags_are_listed_by_what_changes_and_in_all() -> None:
    changes = [Change("word 1", 100.0, 90.0), Change("word 2", 700.0, 704.0), Change("reveal", 900.0, 921.0)]
    assert table(changes) == markdown_table(
        HEAD, [("a scene: reveal", 1, 21, 21), ("a word of the count", 2, -3, -10), ("all", 3, 4, 21)]
    )


def test_frames_are_counted_while_something_moves_whether_drawn_or_not() -> None:
    now_s = 0.0
    log = FrameLog(lambda: now_s)
    count = Countdown((), "Classic", ("ROCK", "SHOOT"), beat=0, phase=0.25, beat_s=0.08)
    for frame in range(10):  # the beat ends after 0.06 s; after the second frame nothing is drawn
        now_s = frame * 0.016
        if frame < 2:
            log.on_drawn(count.at_time(now_s))
        log.on_loop()
    log.on_drawn(Judging(()))
    log.on_loop()
    assert [len(run) for run in log.times.runs] == [4]
    assert log.times.gaps_ms() == pytest.approx([16.0] * 3)
