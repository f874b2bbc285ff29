"""The timeline of a round on the screen: its labels are apart from each other, and marks come when it is their time."""

from collections.abc import Sequence

import numpy as np
import pygame
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pygame import Rect

from ui.charts.timeline import ReferenceLine, SeatTime, TimeLine, linear_scale
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, SEAT_MARKS
from ui.screen.drawing.timeline import TimeLinePainter

BOX = Rect(20, 200, 760, 100)


def label(ms: float) -> str:
    return f"{ms:+.0f} ms"


def paint(seats: Sequence[SeatTime], lock_ms: float = 150.0, ticks: bool = False) -> tuple[Canvas, TimeLinePainter]:
    canvas = Canvas(pygame.Surface((800, 480), 0, 32))
    lines = (ReferenceLine("first", 0, "first"), ReferenceLine("lock", lock_ms, "LOCK"))
    line = TimeLine(linear_scale(-100, 400), tuple(seats), lines)
    return canvas, TimeLinePainter(canvas, BOX, line, label, ticks=ticks)


def colours_in(canvas: Canvas, box: Rect) -> set[tuple[int, ...]]:
    pixels = pygame.surfarray.array3d(canvas.surface)[box.x : box.right, box.y : box.bottom].reshape(-1, 3)
    return {tuple(map(int, colour)) for colour in np.unique(pixels, axis=0)}


@example([350.0, 399.0], 150.0, False)
@given(st.lists(st.floats(-200, 500), max_size=8), st.floats(10, 390), st.booleans())
def test_labels_are_inside_and_apart(times: list[float], lock_ms: float, ticks: bool) -> None:
    canvas, painter = paint([SeatTime(seat, ms) for seat, ms in enumerate(times, 1)], lock_ms, ticks)
    painter.draw_seats(canvas)
    drawn = [text.drawn for text in canvas.texts]
    assert any(text.text == "LOCK" for text in canvas.texts)
    assert all(BOX.contains(place) for place in drawn)
    assert all(one.collidelist(drawn[:number]) < 0 for number, one in enumerate(drawn))


def test_lock_label_wins_over_the_first_hands() -> None:
    canvas, _ = paint([], lock_ms=20.0)
    places = {text.text: text.drawn for text in canvas.texts}
    assert places["first"].right < places["LOCK"].left


def test_a_mark_and_its_label_come_when_it_is_their_time() -> None:
    seats = [SeatTime(1, 0.0), SeatTime(2, 200.0), SeatTime(3, None)]
    for until_ms, shown in ((-1.0, set()), (0.0, {1}), (199.0, {1}), (200.0, {1, 2})):
        canvas, painter = paint(seats)
        painter.draw_seats(canvas, until_ms)
        colours = colours_in(canvas, BOX)
        assert {seat for seat in (1, 2, 3) if SEAT_MARKS[seat - 1].colour in colours} == shown
        assert ("+200 ms" in {text.text for text in canvas.texts}) == (2 in shown)


@pytest.mark.parametrize("uncertainty_ms", [0.0, 20.0, 60.0])
def test_the_bar_is_as_wide_as_the_uncertainty(uncertainty_ms: float) -> None:
    canvas, painter = paint([SeatTime(1, 200.0, uncertainty_ms)], ticks=True)
    painter.draw_seats(canvas)
    row = pygame.surfarray.array3d(canvas.surface)[:, painter.lane.bottom - 1]
    wide = int((row == SEAT_MARKS[0].colour).all(axis=1).sum())
    start, end = painter.x(200 - uncertainty_ms), painter.x(200 + uncertainty_ms)
    assert wide == max(1, canvas.theme.units(0.3), end - start + 1)


def test_ticks_stand_in_place_of_the_seats_times() -> None:
    canvas, painter = paint([SeatTime(1, 203.0)], ticks=True)
    painter.draw_seats(canvas)
    texts = [text.text for text in canvas.texts]
    assert "+203 ms" not in texts and {"+0 ms", "+100 ms", "+200 ms"} <= set(texts)
    lock = Rect(painter.x(150) - 1, painter.lane.y, 2, painter.lane.h)
    assert colours_in(canvas, lock) == {ACCENT}
