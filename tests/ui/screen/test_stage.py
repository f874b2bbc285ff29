"""Redrawing only the moving parts gives the same pixels as drawing the whole page."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pygame
import pytest
from pygame import Rect

from device.camera.frames import Pixels, Size
from tests.helpers.samples.common import COUNT_WORDS, players, table_image
from tests.helpers.samples.question import bet_question
from tools.bench.screen import animated_pages
from ui.screen.core.registry import paint
from ui.screen.core.stage import Stage, changed_fields
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.notice import Notice
from ui.screen.views import View

SIZES = ((800, 480), (720, 1280))
COUNT = Countdown(players(3), "Round 4", COUNT_WORDS, 1, beat_s=0.6, preview=table_image(3))


def pixels(surface: pygame.Surface) -> Pixels:
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def draw_whole(view: View, size: Size) -> Pixels:
    surface = pygame.Surface(size, 0, 32)
    paint(surface, view)
    return pixels(surface)


def drawn_share(boxes: Iterable[Rect], size: Size) -> float:
    """Return the share of the screen that was drawn on."""
    drawn = np.zeros(size, bool)
    for box in boxes:
        drawn[box.left : box.right, box.top : box.bottom] = True
    return float(drawn.mean())


def flipped(picture: Pixels) -> Pixels:
    return np.ascontiguousarray(picture[::-1])


SEQUENCES: dict[str, tuple[View, list[View], float]] = {
    "count": (COUNT, [COUNT.at_time(passed) for passed in (0.05, 0.1, 0.3, 0.59, 0.6, 0.0)], 0.1),
    "count's picture": (
        COUNT,
        [replace(COUNT, preview=flipped(table_image(3)), phase=phase) for phase in (0.0, 0.4)],
        0.35,
    ),
    "the last word": (
        replace(COUNT, beat=3),
        [replace(COUNT, beat=3, phase=phase, preview=flipped(table_image(3))) for phase in (0.1, 0.5)],
        0.04,
    ),
}


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", SEQUENCES)
def test_partial_frame_equals_a_whole_one(name: str, size: Size) -> None:
    first, later, most = SEQUENCES[name]
    surface, stage = pygame.Surface(size, 0, 32), Stage()
    assert stage.draw(surface, first) == [surface.get_rect()]
    assert np.array_equal(pixels(surface), draw_whole(first, size))
    for view in later:
        before = pixels(surface)
        drawn = stage.draw(surface, view)
        assert drawn_share(drawn, size) <= most
        now = pixels(surface)
        assert np.array_equal(now, draw_whole(view, size))
        y, x = np.nonzero((now != before).any(2))
        assert all(any(box.collidepoint(at) for box in drawn) for at in zip(x.tolist(), y.tolist(), strict=True))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", animated_pages())
def test_every_animated_page_equals_one_drawn_as_a_whole(name: str, size: Size) -> None:
    """Also after skipped frames: a window may be late."""
    moment, surface, stage = animated_pages()[name], pygame.Surface(size, 0, 32), Stage()
    steps = [0.0, 1 / 60, 0.25, 0.5, 0.45, 1.9, 3.5]
    shares = []
    for seconds in steps:
        shares.append(drawn_share(stage.draw(surface, moment(seconds)), size))
        assert np.array_equal(pixels(surface), draw_whole(moment(seconds), size)), seconds
    if name != "a question's time":
        assert sum(part < 0.85 for part in shares) >= 4


@pytest.mark.parametrize(
    "following",
    [
        replace(COUNT, beat=2),
        replace(COUNT, preview=None),
        replace(COUNT, preview=np.zeros((90, 90, 3), np.uint8)),
        replace(COUNT, players=players(2)),
        replace(COUNT, rethrow_reason="A hand was late."),
        Notice("Hello", "All is well."),
        bet_question(2),
    ],
    ids=["beat", "no picture", "another shape", "players", "again", "notice", "question"],
)
def test_another_page_is_drawn_as_a_whole(following: View) -> None:
    size = SIZES[0]
    surface, stage = pygame.Surface(size, 0, 32), Stage()
    stage.draw(surface, COUNT)
    assert stage.draw(surface, following) == [surface.get_rect()]
    assert np.array_equal(pixels(surface), draw_whole(following, size))
    stage.draw(surface, COUNT)
    assert np.array_equal(pixels(surface), draw_whole(COUNT, size))


def test_an_invalidated_surface_is_drawn_as_a_whole() -> None:
    surface, stage = pygame.Surface(SIZES[0], 0, 32), Stage()
    stage.draw(surface, COUNT)
    surface.fill((255, 0, 0))
    stage.invalidate()
    stage.draw(surface, COUNT)
    assert np.array_equal(pixels(surface), draw_whole(COUNT, SIZES[0]))
    second = pygame.Surface(SIZES[0], 0, 32)
    stage.draw(second, COUNT.at_time(0.3))
    assert np.array_equal(pixels(second), draw_whole(COUNT.at_time(0.3), SIZES[0]))


def test_targets_are_those_of_the_page() -> None:
    surface, stage = pygame.Surface(SIZES[0], 0, 32), Stage()
    assert stage.targets == ()
    stage.draw(surface, bet_question(2))
    assert stage.targets == paint(surface, bet_question(2))


def test_changed_fields() -> None:
    assert changed_fields(COUNT, COUNT.at_time(0.2), {"phase"}) == {"phase"}
    assert changed_fields(COUNT, COUNT.at_time(0.2), {"preview"}) is None
    question = bet_question(2)
    assert changed_fields(question, replace(question, seconds_left=3.0), {"seconds_left"}) == {"seconds_left"}
    assert changed_fields(question, replace(question, seconds_left=None), {"seconds_left"}) is None
    half, same = (replace(question, seconds_left=float(text)) for text in ("2.5", "2.50"))
    assert changed_fields(half, same, {"seconds_left"}) == set(), "the same number, not the same object"
    assert changed_fields(question, replace(question, players=players(3)), {"seconds_left"}) is None


def test_a_count_is_animated_to_the_next_beat() -> None:
    begun = replace(COUNT, phase=0.25)
    assert begun.animation_s == pytest.approx(0.45)
    assert begun.at_time(0.15).phase == pytest.approx(0.5)
    assert begun.at_time(7.0).phase == 1.0
    still = replace(COUNT, beat_s=0.0)
    assert (still.animation_s, still.at_time(1.0)) == (0.0, still)
