"""People who look at past matches on the touchscreen, by a script."""

from pathlib import Path

import cv2
import numpy as np

from tests.helpers.scripted_display import ScriptedDisplay, Touch
from throwlock.review.history_pages import MatchHistoryPages
from ui.screen.pages.history import HistoryList
from ui.screen.views import Answer, InteractiveView


def touch_line(number: int) -> Touch:
    """Return a touch on a line of the list, by position."""

    def touch(view: InteractiveView) -> Answer:
        assert isinstance(view, HistoryList)
        return view.lines[number].answer

    return touch


def browse_history(journal: Path, *touches: Answer | Touch) -> list[InteractiveView]:
    """Browse the past matches with these touches and return the views."""
    screen = ScriptedDisplay(*touches)
    MatchHistoryPages(screen, journal, journal.parent / "cache").open()
    assert not screen.answers, "they were sent home too early"
    return screen.seen


def strip_jpeg(frames: int) -> bytes:
    """Return a strip's JPEG with frames of increasing brightness."""
    row = np.repeat(np.arange(frames, dtype=np.uint8) * 20, 16)
    return bytes(cv2.imencode(".jpg", np.tile(row, (16, 1)))[1].tobytes())
