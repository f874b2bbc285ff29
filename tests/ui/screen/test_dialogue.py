"""The pages that targets lead to: choosing and setting up a game, sealed questions, numbers within their range."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import Choices, IntRange, Prompt, TimeLimit, Value
from tests.helpers.page_rules import drawn
from tests.helpers.samples.common import players
from tests.helpers.samples.home import games
from tests.helpers.samples.question import bet_question
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.home import ChosenGame, GameMenu, GamesPage, SetUpPage, max_seats, set_up_page
from ui.screen.pages.notice import Notice
from ui.screen.pages.question import (
    EntryPage,
    HandOverPage,
    Question,
    number_presets,
    shift_value,
    step_value,
    wide_step,
)
from ui.screen.views import PAUSE, Dialogue, Page, Reply

SPANS = st.builds(
    lambda start, length, step: IntRange(start, start + length, step),
    st.integers(-50, 50),
    st.integers(0, 300),
    st.integers(1, 25),
)


def press(page: Page, *labels: str) -> Page:
    """Return the page after presses on the targets with these labels."""
    for label in labels:
        targets = drawn(page).targets
        after = next(target.press for target in targets if target.label == label)
        assert isinstance(after, Page)
        page = after
    return page


@given(SPANS, st.lists(st.integers(-7, 7), max_size=30))
def test_a_stepper_never_leaves_its_range(span: IntRange, moves: list[int]) -> None:
    value = span.start
    for move in moves:
        after = shift_value(span, value, move)
        assert span.allows(after)
        assert (after - value) * move >= 0
        value = after


@given(SPANS)
def test_presets_are_allowed_values(span: IntRange) -> None:
    numbers = list(number_presets(span))
    assert numbers == sorted(numbers) and numbers[0] == span.start
    assert all(span.allows(number) for number in numbers)
    assert numbers[-1] + span.step > span.stop
    assert wide_step(span) in (0, 5)


def test_half_is_half() -> None:
    assert number_presets(IntRange(0, 20, 5)) == {0: "", 10: "half", 20: "all"}
    assert number_presets(IntRange(0, 15, 5)) == {0: "", 5: "", 15: "all"}
    assert number_presets(IntRange(1, 10)) == {1: "least", 5: "half", 10: "all"}
    assert number_presets(IntRange(1, 1)) == {1: "all"}
    assert number_presets(IntRange(0, 0)) == {0: ""}


def test_a_list_of_values_wraps_around_and_true_is_not_1() -> None:
    options = Choices((1, True, "x"))
    assert [step_value(options, value, 1) for value in options.values] == [True, "x", 1]
    assert step_value(options, 1, -1) == "x"


def test_a_game_is_chosen_with_its_seats_and_options() -> None:
    path = ("RPS Redeux", "More players", "Risk rounds: No", "Goal: 110", "Goal: 120")
    page = press(GameMenu(games()).first_page(), *path)
    assert isinstance(page, SetUpPage)
    assert (page.game.name, page.seats) == ("redeux", 3)
    chosen = ChosenGame("redeux", page.seats, dict(page.options))
    assert Reply(chosen) in [target.press for target in drawn(page).targets]
    assert chosen.options["goal"] == 120
    assert chosen.options["risk_rounds"] is False
    assert page.game.set_up(chosen.seats, chosen.options)
    assert page.with_list_page(1).list_page == 1


@pytest.mark.parametrize(("seats", "steps"), [(2, [3]), (5, [4, 6]), (8, [7])])
def test_no_more_seats_than_marks_and_no_fewer_than_the_game_needs(seats: int, steps: list[int]) -> None:
    party = replace(games()[0], name="party", max_players=1_000_000)
    page = replace(set_up_page(GameMenu((party, *games())), party), seats=seats)
    assert max_seats(party) == len(SEAT_MARKS) == 8
    targets = drawn(page).targets
    pages = [target.press for target in targets if isinstance(target.press, SetUpPage) and target.repeats]
    assert [after.seats for after in pages if after.seats != seats] == steps


def test_back_leads_to_all_games_and_a_single_game_opens_at_once() -> None:
    menu = GameMenu(games()).first_page()
    assert isinstance(menu, GamesPage) and press(menu, "Classic", "Games") == menu
    assert isinstance(GameMenu(games()[:1]).first_page(), SetUpPage)


def test_a_sealed_question_is_handed_over_first() -> None:
    page = Dialogue(bet_question(2)).page
    assert isinstance(page, HandOverPage)
    assert [target.press for target in drawn(page).targets] == [
        PAUSE,
        EntryPage(bet_question(2), 0),
    ]


@pytest.mark.parametrize(
    ("entered", "values"), [(0, {5, 25, 45, 95}), (45, {0, 20, 40, 50, 70, 95}), (95, {0, 45, 70, 90})]
)
def test_only_allowed_numbers_can_be_entered(entered: int, values: set[int]) -> None:
    targets = drawn(EntryPage(bet_question(2), entered)).targets
    pages = [target.press for target in targets if isinstance(target.press, EntryPage)]
    assert {page.value for page in pages} - {entered} == values
    assert Reply(entered) in [target.press for target in targets]


@pytest.mark.parametrize(("default", "stands"), [(None, 10), (20, 20), (21, 10), (False, 10)])
def test_a_number_starts_at_its_default_if_allowed(default: Value, stands: int) -> None:
    page = Question(
        players(1), Prompt("bet", {1: IntRange(10, 50, 5)}, time_limit=TimeLimit(20, default=default)), 1
    ).first_page()
    assert isinstance(page, EntryPage)
    assert page.value == stands


def test_the_countdown_keeps_what_was_entered() -> None:
    page = EntryPage(bet_question(2), 30).with_seconds_left(3.5)
    assert (page.value, page.view.seconds_left) == (30, 3.5)


def test_a_notice_is_its_own_page_and_is_answered_by_its_buttons() -> None:
    notice = Notice("Hello", "All is well.")
    assert notice.first_page() is notice
    assert notice.with_seconds_left(1.2).seconds_left == 2
    dialogue = Dialogue(notice)
    assert dialogue.press(Reply("go on")) == Reply("go on")
