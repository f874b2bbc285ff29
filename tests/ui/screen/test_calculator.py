"""The calculator's page: what is entered is reckoned by the rules and shown to the last digit, up to the largest
counts."""

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.camera.frames import Size
from rules.battle.calculator import MAX_COUNT, calculate_round
from rules.throws import Throw
from ui.screen.core.page_stack import Dialogue, Page, Press, first_page, next_page
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.registry import draw
from ui.screen.pages.answers import Reply
from ui.screen.pages.calculator import strings as calculator_strings
from ui.screen.pages.calculator.view import Calculator, CalculatorPage, KeypadPage, OpenKeypad, SetThrowCount
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.common.view import SetOption
from ui.screen.pages.home.samples import games
from ui.screen.pages.home.view import GameMenu, GamesPage, PickGame

VIEW = Calculator(calculate_round)
COUNTS = st.fixed_dictionaries({move: st.integers(0, MAX_COUNT) | st.integers(0, 12) for move in Throw})


def after(*presses: Press, page: Page | None = None) -> Page:
    page = page or first_page(VIEW)
    for press in presses:
        page = next_page(page, press)  # type: ignore[assignment]  # no press here answers
    return page


def drawn(page: Page, size: Size = PANEL_SIZES[0]) -> Canvas:
    return draw(pygame.Surface(size, 0, 32), page)


def label(canvas: Canvas, press: Press) -> str:
    return next(target.label for target in canvas.targets if target.press == press)


@settings(max_examples=25, deadline=None)
@given(COUNTS, st.booleans(), st.booleans(), st.sampled_from(PANEL_SIZES))
def test_every_number_reckoned_is_on_the_page_whole(
    counts: dict[Throw, int], inverted: bool, count: bool, size: Size
) -> None:
    entered = [SetThrowCount(move, number) for move, number in counts.items()]
    canvas = drawn(after(*entered, SetOption("inverted", inverted), SetOption("count", count)), size)
    reckoned = calculate_round(counts, inverted, count)
    said = [text.text for text in canvas.texts]
    assert all(text.complete for text in canvas.texts)
    for line in reckoned.by_throw:
        for tally in (line.per_player, line.combined):
            assert all(common_strings.count_text(n) in said for n in (tally.wins, tally.losses, tally.ties))
        others = [other for other in Throw if other is not line.throw]
        assert all(calculator_strings.result_against(line.against[other], other) in said for other in others)
        assert calculator_strings.round_outcome(line.outcome) in said
    assert calculator_strings.totals_text(reckoned) in said


def test_the_table_of_the_rules_page() -> None:
    """1, 2, 3 without options: paper wins; each of them wins 1, loses 3 and ties 1."""
    page = after(SetThrowCount(Throw.ROCK, 1), SetThrowCount(Throw.PAPER, 2), SetThrowCount(Throw.SCISSORS, 3))
    said = [text.text for text in drawn(page).texts]
    start = said.index("Paper")
    each = said.index(calculator_strings.PER_PLAYER, start)
    assert said[each + 1 : each + 7] == ["won", "1", "lost", "3", "tied", "1"]
    assert "6 players, 15 battles: 11 won, 11 lost, 4 tied" in said


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_count_is_entered_digit_by_digit_up_to_the_most(size: Size) -> None:
    page = after(OpenKeypad(Throw.PAPER))
    for digit in str(MAX_COUNT):
        target = next(target for target in drawn(page, size).targets if target.label == digit)
        page = after(target.press, page=page)
    assert isinstance(page, KeypadPage)
    assert page.calculator.counts[Throw.PAPER] == MAX_COUNT
    assert not any(target.label.isdigit() for target in drawn(page, size).targets), "no digit fits behind the most"
    erase = next(target for target in drawn(page, size).targets if target.label == calculator_strings.ERASE_DIGIT)
    page = after(erase.press, page=page)
    done = next(target for target in drawn(page, size).targets if target.label == common_strings.DONE)
    back = after(done.press, page=page)
    assert isinstance(back, CalculatorPage)
    assert back.counts == {Throw.ROCK: 0, Throw.PAPER: MAX_COUNT // 10, Throw.SCISSORS: 0}


@pytest.mark.parametrize(
    "press",
    [SetThrowCount(Throw.ROCK, -1), SetThrowCount(Throw.ROCK, MAX_COUNT + 1), SetOption("blitz", True), PickGame(None)],
)
def test_a_press_that_means_nothing_here_changes_nothing(press: Press) -> None:
    assert after(press) == first_page(VIEW)


def test_options_are_switched_and_the_page_is_left() -> None:
    page = after(SetOption("inverted", True))
    assert label(drawn(page), SetOption("inverted", False)) == "Inverted: on"
    assert label(drawn(page), SetOption("count", True)) == "Count: off"
    dialogue = Dialogue(VIEW)
    back = next(target for target in drawn(dialogue.page).targets if target.label == common_strings.GAMES)
    assert dialogue.press(back.press) == Reply("home")


@pytest.mark.parametrize("count", [1, 2, 8])
def test_the_calculator_is_reached_from_the_games(count: int) -> None:
    choosing = GameMenu((games() * 4)[:count], ("calculator",))
    page = first_page(choosing)
    assert isinstance(page, GamesPage), "with a tool there is a page to choose from even for a single game"
    assert label(drawn(page), Reply("calculator")) == "Calculator"
    one_game = after(PickGame("classic"), page=page)
    assert after(PickGame(None), page=one_game) == page
