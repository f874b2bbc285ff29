"""Left- and right-handed: the same to touch on every page, what is touched most on the side of the hand."""

from collections.abc import Iterator
from itertools import combinations

import pygame
import pytest

from device.camera.frames import Size
from tools.gallery import samples
from ui.screen.core.registry import draw
from ui.screen.drawing import theme
from ui.screen.drawing.canvas import Canvas

SAMPLES = samples()
WIDE: Size = (800, 480)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    theme.set_handedness("right")


def drawn(name: str, hand: str, size: Size) -> Canvas:
    theme.set_handedness(hand)
    return draw(pygame.Surface(size, 0, 32), SAMPLES[name])


def presses(canvas: Canvas) -> list[str]:
    return sorted(f"{target.press!r} {target.label}" for target in canvas.targets if target.area is None)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_can_be_touched_with_either_hand(name: str) -> None:
    right, left = drawn(name, "right", WIDE), drawn(name, "left", WIDE)
    assert name.startswith("zones") or presses(right) == presses(left)  # a picture's place is part of its press
    assert len(right.targets) == len(left.targets)
    screen = left.surface.get_rect()
    for target in left.targets:
        assert screen.contains(target.rect) and (target.area or min(target.rect.size) >= left.theme.touch_size)
    for one, other in combinations(left.targets, 2):
        assert not one.rect.colliderect(other.rect)
    assert [text.text for text in left.texts if not text.complete] == [
        text.text for text in right.texts if not text.complete
    ]
    for canvas, side in ((right, 1), (left, -1)):
        for target in canvas.targets:
            if target.main and target.rect.w < 0.9 * canvas.page.w:
                assert (target.rect.centerx - screen.centerx) * side > 0, f"{target.label} is on the other side"


@pytest.mark.parametrize("name", ["home-tools", "home-set-up", "seating", "result-8", "notice", "zones", "board-rock"])
def test_a_narrow_screen_is_the_same_for_both(name: str) -> None:
    right, left = drawn(name, "right", (720, 1280)), drawn(name, "left", (720, 1280))
    assert [target.rect for target in right.targets] == [target.rect for target in left.targets]


def test_there_are_two_hands() -> None:
    with pytest.raises(ValueError, match="hand"):
        theme.set_handedness("both")
