"""The calculator's page: what is entered is reckoned by the rules and shown to the last digit, up to the largest
counts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.camera.frames import Size
from rules.battle.calculator import MAX_COUNT, calculate_round
from rules.throws import Throw
from tests.helpers.page_rules import drawn
from tests.helpers.samples.home import games
from ui.i18n.language import format_number
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.drawing.canvas import Canvas
from ui.screen.pages import calculator as calculator_page
from ui.screen.pages.calculator import Calculator, CalculatorPage, KeypadPage
from ui.screen.pages.home import GameMenu, GamesPage, HomeTool, SetUpPage, ToolsPage
from ui.screen.views import Dialogue, Page, Press, Reply
from ui.text import labels

VIEW = Calculator(calculate_round)
COUNTS = st.fixed_dictionaries({move: st.integers(0, MAX_COUNT) | st.integers(0, 12) for move in Throw})


def label(canvas: Canvas, press: Press) -> str:
    return next(target.label for target in canvas.targets if target.press == press)


@settings(max_examples=25, deadline=None)
@given(COUNTS, st.booleans(), st.booleans(), st.sampled_from(PANEL_SIZES))
def test_every_number_reckoned_is_on_the_page_whole(
    counts: dict[Throw, int], inverted: bool, count: bool, size: Size
) -> None:
    canvas = drawn(CalculatorPage(VIEW, counts, {"inverted": inverted, "count": count}), size)
    reckoned = calculate_round(counts, inverted, count)
    said = [text.text for text in canvas.texts]
    assert all(text.complete for text in canvas.texts)
    for line in reckoned.by_throw:
        for tally in (line.per_player, line.combined):
            assert all(format_number(n) in said for n in (tally.wins, tally.losses, tally.ties))
        others = [other for other in Throw if other is not line.throw]
        assert all(calculator_page.result_against(line.against[other], other) in said for other in others)
        assert calculator_page.round_outcome(line.outcome) in said
        assert calculator_page.per_player_heading(line.score) in said
        assert calculator_page.combined_heading(line.combined_score) in said
    assert calculator_page.totals_text(reckoned) in said


def test_the_table_of_the_rules_page() -> None:
    """1, 2, 3 without options: paper wins; each of them wins 1, loses 3 and ties 1."""
    page = VIEW.first_page().with_count(Throw.ROCK, 1).with_count(Throw.PAPER, 2).with_count(Throw.SCISSORS, 3)
    said = [text.text for text in drawn(page).texts]
    start = said.index("Paper")
    each = said.index("Score: −1 each", start)
    assert "Score: −2 in all" in said and "6 players, 15 battles: 11 won, 11 lost, 4 tied; score +2" in said
    assert said[each + 1 : each + 7] == ["won", "1", "lost", "3", "tied", "1"]


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_count_is_entered_digit_by_digit_up_to_the_most(size: Size) -> None:
    page: Page | Reply = KeypadPage(VIEW.first_page(), Throw.PAPER)
    for digit in str(MAX_COUNT):
        assert isinstance(page, KeypadPage)
        page = next(target.press for target in drawn(page, size).targets if target.label == digit)
    assert isinstance(page, KeypadPage)
    assert page.calculator.counts[Throw.PAPER] == MAX_COUNT
    assert not any(target.label.isdigit() for target in drawn(page, size).targets), "no digit fits behind the most"
    erase = next(target for target in drawn(page, size).targets if target.label == calculator_page.ERASE_DIGIT)
    erased = erase.press
    assert isinstance(erased, KeypadPage)
    done = next(target for target in drawn(erased, size).targets if target.label == labels.DONE)
    back = done.press
    assert isinstance(back, CalculatorPage)
    assert back.counts == {Throw.ROCK: 0, Throw.PAPER: MAX_COUNT // 10, Throw.SCISSORS: 0}


@pytest.mark.parametrize(("count", "labels"), [(0, ["More"]), (5, ["Fewer", "More"]), (MAX_COUNT, ["Fewer"])])
def test_a_count_stays_within_its_range(count: int, labels: list[str]) -> None:
    page = CalculatorPage(VIEW, dict.fromkeys(Throw, count), {"inverted": False, "count": False})
    steps = [target for target in drawn(page).targets if target.label in ("Fewer", "More")]
    assert [target.label for target in steps] == labels * 3 and all(target.repeats for target in steps)


def test_options_are_switched_and_the_page_is_left() -> None:
    page = VIEW.first_page().with_option("inverted", True)
    assert label(drawn(page), VIEW.first_page()) == "Inverted: on"
    assert label(drawn(page), page.with_option("count", True)) == "Count: off"
    dialogue = Dialogue(VIEW)
    back = next(target for target in drawn(dialogue.page).targets if target.label == labels.DONE)
    assert dialogue.press(back.press) == Reply("home")


@pytest.mark.parametrize("count", [1, 2, 8])
def test_the_calculator_is_reached_from_the_games(count: int) -> None:
    choosing = GameMenu((games() * 4)[:count], (HomeTool.CALCULATOR,))
    page = choosing.first_page()
    assert isinstance(page, GamesPage), "with a tool there is a page to choose from even for a single game"
    tools = ToolsPage(choosing)
    assert label(drawn(page), tools) == "Tools" and label(drawn(tools), page) == labels.BACK
    assert label(drawn(tools), Reply("calculator")) == "Calculator"
    one_game = next(target.press for target in drawn(page).targets if target.label == "Classic")
    assert isinstance(one_game, SetUpPage) and label(drawn(one_game), page) == "Games"
