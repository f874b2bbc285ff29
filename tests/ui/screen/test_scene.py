"""What a window shows at any moment, and how long it rests: pure, by a clock that is told."""

from dataclasses import replace

import numpy as np
import pytest

from tools.gallery.gallery import WORDS, bet, players, reveal
from ui.screen.core.page_stack import Dialogue
from ui.screen.core.scene import COUNT_S, FRAME_S, IDLE_S, Scene
from ui.screen.pages.ask.view import HandOverPage
from ui.screen.pages.views import Cadence, Judging, Notice, Reveal, Waiting
from ui.screen.pages.zones.view import HoldingOut, Shot

S = 1_000_000_000
START = 7 * S
COUNT = Cadence(players(2), "Round 1", WORDS, 0, seconds=0.6)


def test_a_count_goes_on_frame_by_frame_until_the_next_beat() -> None:
    scene = Scene(COUNT, START)
    assert scene.moment(START) == COUNT
    assert scene.moment(START + round(0.3 * S)) == replace(COUNT, phase=pytest.approx(0.5))
    assert scene.rest_s(START + round(0.3 * S)) == FRAME_S
    assert scene.moment(START + S) == replace(COUNT, phase=1.0)
    assert scene.rest_s(START + S) == IDLE_S


def test_what_stands_still_rests() -> None:
    still = replace(COUNT, seconds=0.0)
    for view in (still, Notice("Hello", "All is well."), Judging(players(2))):
        scene = Scene(view, START)
        assert scene.moment(START + 9 * S) is view
        assert scene.rest_s(START + 9 * S) == IDLE_S


def test_judging_tells_how_far_it_is_as_long_as_it_is_shown() -> None:
    steps = iter([0.25, 3.0, -1.0])
    scene = Scene(Judging(players(2), progress=lambda: next(steps)), START)
    shown = [scene.moment(START + after * S) for after in range(3)]
    assert [view.done for view in shown if isinstance(view, Judging)] == [0.25, 1.0, 0.0]
    assert scene.rest_s(START + 1000 * S) == FRAME_S


def test_getting_ready_moves_as_long_as_it_takes() -> None:
    scene = Scene(Waiting("Classic"), START)
    assert scene.moment(START + 3 * S) == Waiting("Classic", 3.0)
    assert scene.rest_s(START + 1000 * S) == FRAME_S


def test_a_live_picture_is_the_newest() -> None:
    shots = [None, Shot(np.zeros((9, 16, 3), np.uint8)), Shot(np.zeros((9, 16, 3), np.uint8))]
    coming = iter(shots)
    scene = Scene(HoldingOut("Hold your hands out", lambda: next(coming)), START)
    shown = [scene.moment(START + after) for after in range(3)]
    assert [view.shot for view in shown if isinstance(view, HoldingOut)] == shots
    assert scene.rest_s(START) == FRAME_S


def test_time_to_answer_is_counted_in_tenths_and_runs_out() -> None:
    view = bet(2)
    scene = Scene(view, START, Dialogue(view))
    page = scene.moment(START + round(1.234 * S))
    assert isinstance(page, HandOverPage)
    assert page.view.seconds_left == pytest.approx(12.8)
    assert scene.rest_s(START) == COUNT_S
    assert scene.left(START + 14 * S) == 0.0
    scene.done = True
    assert scene.rest_s(START) == IDLE_S


def test_a_reveal_moves_first_and_is_counted_then() -> None:
    view = replace(reveal(2), seconds_left=6.0)
    scene = Scene(view, START, Dialogue(view))
    opening = scene.moment(START + round(0.5 * S))
    assert isinstance(opening, Reveal) and opening.shown_s == pytest.approx(0.5)
    assert scene.rest_s(START + round(0.5 * S)) == FRAME_S
    assert scene.rest_s(START + 3 * S) == COUNT_S
