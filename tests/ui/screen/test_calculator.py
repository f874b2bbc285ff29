"""The calculator's page: what is entered is reckoned by the rules and shown to the last digit, up to the largest
counts."""

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.camera.frames import Size
from rules.battle.calculator import MOST, calculate
from rules.throws import Throw
from tools.gallery.gallery import games
from ui.screen.core.page_stack import (
    CalculatorPage,
    Count,
    Dialogue,
    GamesPage,
    Keys,
    KeysPage,
    Page,
    Pick,
    Press,
    Set,
    first_page,
    next_page,
)
from ui.screen.core.png_display import SIZES
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.registry import draw
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.views import Calculating, Choosing

VIEW = Calculating(calculate)
COUNTS = st.fixed_dictionaries({move: st.integers(0, MOST) | st.integers(0, 12) for move in Throw})


def after(*presses: Press, page: Page | None = None) -> Page:
    page = page or first_page(VIEW)
    for press in presses:
        page = next_page(page, press)  # type: ignore[assignment]  # no press here answers
    return page


def drawn(page: Page, size: Size = SIZES[0]) -> Canvas:
    return draw(pygame.Surface(size, 0, 32), page)


def label(canvas: Canvas, press: Press) -> str:
    return next(target.label for target in canvas.targets if target.press == press)


@settings(max_examples=25, deadline=None)
@given(COUNTS, st.booleans(), st.booleans(), st.sampled_from(SIZES))
def test_every_number_reckoned_is_on_the_page_whole(
    counts: dict[Throw, int], inverted: bool, count: bool, size: Size
) -> None:
    entered = [Count(move, number) for move, number in counts.items()]
    canvas = drawn(after(*entered, Set("inverted", inverted), Set("count", count)), size)
    reckoned = calculate(counts, inverted, count)
    said = [text.text for text in canvas.texts]
    assert all(text.whole for text in canvas.texts)
    for line in reckoned.lines:
        for tally in (line.each, line.all):
            assert all(strings.number(n) in said for n in (tally.wins, tally.losses, tally.ties))
        others = [other for other in Throw if other is not line.move]
        assert all(strings.against(line.against[other], other) in said for other in others)
        assert strings.round_ends(line.outcome) in said
    assert strings.totals(reckoned) in said


def test_the_table_of_the_rules_page() -> None:
    """1, 2, 3 without options: paper wins; each of them wins 1, loses 3 and ties 1."""
    page = after(Count(Throw.ROCK, 1), Count(Throw.PAPER, 2), Count(Throw.SCISSORS, 3))
    said = [text.text for text in drawn(page).texts]
    start = said.index("Paper")
    each = said.index(strings.EACH, start)
    assert said[each + 1 : each + 7] == ["won", "1", "lost", "3", "tied", "1"]
    assert "6 players, 15 battles: 11 won and as many lost, 4 tied" in said


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_count_is_entered_digit_by_digit_up_to_the_most(size: Size) -> None:
    page = after(Keys(Throw.PAPER))
    for digit in str(MOST):
        target = next(target for target in drawn(page, size).targets if target.label == digit)
        page = after(target.press, page=page)
    assert isinstance(page, KeysPage)
    assert page.page.counts[Throw.PAPER] == MOST
    assert not any(target.label.isdigit() for target in drawn(page, size).targets), "no digit fits behind the most"
    erase = next(target for target in drawn(page, size).targets if target.label == strings.ERASE)
    page = after(erase.press, page=page)
    done = next(target for target in drawn(page, size).targets if target.label == strings.DONE)
    back = after(done.press, page=page)
    assert isinstance(back, CalculatorPage)
    assert back.counts == {Throw.ROCK: 0, Throw.PAPER: MOST // 10, Throw.SCISSORS: 0}


@pytest.mark.parametrize("press", [Count(Throw.ROCK, -1), Count(Throw.ROCK, MOST + 1), Set("blitz", True), Pick(None)])
def test_a_press_that_means_nothing_here_changes_nothing(press: Press) -> None:
    assert after(press) == first_page(VIEW)


def test_options_are_switched_and_the_page_is_left() -> None:
    page = after(Set("inverted", True))
    assert label(drawn(page), Set("inverted", False)) == "Inverted: on"
    assert label(drawn(page), Set("count", True)) == "Count: off"
    dialogue = Dialogue(VIEW)
    back = next(target for target in drawn(dialogue.page).targets if target.label == strings.BACK)
    assert dialogue.touch(back.press) == Reply("home")


@pytest.mark.parametrize("count", [1, 2, 8])
def test_the_calculator_is_reached_from_the_games(count: int) -> None:
    choosing = Choosing((games() * 4)[:count], ("calculator",))
    page = first_page(choosing)
    assert isinstance(page, GamesPage), "with a tool there is a page to choose from even for a single game"
    assert label(drawn(page), Reply("calculator")) == "Calculator"
    one_game = after(Pick("classic"), page=page)
    assert after(Pick(None), page=one_game) == page
