"""The pages that presses lead to: choosing and setting up a game, sealed questions, numbers within their range."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import Choices, IntRange, Prompt, Value
from ui.screen.core.page_stack import Dialogue, Press, first_page, next_page
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.answers import Reply
from ui.screen.pages.common.samples import players
from ui.screen.pages.common.view import Question, SetOption, ShowListPage
from ui.screen.pages.home.samples import games
from ui.screen.pages.home.view import ChosenGame, GameMenu, GamesPage, PickGame, SetPlayerCount, SetUpPage, max_seats
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.question.samples import bet_question
from ui.screen.pages.question.view import (
    EnterNumber,
    EntryPage,
    HandOverPage,
    OpenQuestion,
    preset_values,
    shift_value,
    step_value,
    wide_step,
)

SPANS = st.builds(
    lambda start, length, step: IntRange(start, start + length, step),
    st.integers(-50, 50),
    st.integers(0, 300),
    st.integers(1, 25),
)


def dialogue_after(view: GameMenu | Question, presses: Sequence[Press]) -> Dialogue:
    dialogue = Dialogue(view)
    for press in presses:
        assert dialogue.press(press) is None
    return dialogue


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
    named = preset_values(span)
    assert named["least"] == span.start
    assert all(span.allows(value) for value in named.values())
    assert len(set(named.values())) == len(named)
    assert max(named.values()) + span.step > span.stop
    assert wide_step(span) in (0, 5)


def test_a_list_of_values_wraps_around_and_true_is_not_1() -> None:
    options = Choices((1, True, "x"))
    assert [step_value(options, value, 1) for value in options.values] == [True, "x", 1]
    assert step_value(options, 1, -1) == "x"


def test_a_game_is_chosen_with_its_seats_and_options() -> None:
    presses: list[Press] = [
        PickGame("redeux"),
        SetPlayerCount(5),
        SetOption("goal", 150),
        SetOption("risk_rounds", False),
        ShowListPage(1),
    ]
    dialogue = dialogue_after(GameMenu(games()), presses)
    page = dialogue.page
    assert isinstance(page, SetUpPage)
    assert (page.game.name, page.seats, page.list_page) == ("redeux", 5, 1)
    chosen = ChosenGame("redeux", page.seats, dict(page.options))
    assert dialogue.press(Reply(chosen)) == Reply(chosen)
    assert chosen.options["goal"] == 150
    assert chosen.options["risk_rounds"] is False
    assert page.game.set_up(chosen.seats, chosen.options)


@pytest.mark.parametrize(
    "press",
    [
        SetPlayerCount(1),
        SetPlayerCount(9),
        SetOption("nothing_such", 1),
        OpenQuestion(),
        EnterNumber(5),
        PickGame("redeux"),
    ],
)
def test_a_press_without_a_meaning_here_changes_nothing(press: Press) -> None:
    page = dialogue_after(GameMenu(games()), [PickGame("classic")]).page
    assert next_page(page, press) == page


def test_no_more_seats_than_marks() -> None:
    party = replace(games()[0], name="party", max_players=1_000_000)
    page = dialogue_after(GameMenu((party, *games())), [PickGame("party"), SetPlayerCount(8)]).page
    assert isinstance(page, SetUpPage)
    assert page.seats == max_seats(party) == len(SEAT_MARKS)
    assert next_page(page, SetPlayerCount(9)) == page


def test_back_leads_to_all_games_and_a_single_game_opens_at_once() -> None:
    assert isinstance(dialogue_after(GameMenu(games()), [PickGame("classic"), PickGame(None)]).page, GamesPage)
    assert isinstance(first_page(GameMenu(games()[:1])), SetUpPage)


def test_a_sealed_question_is_handed_over_first() -> None:
    dialogue = Dialogue(bet_question(2))
    assert isinstance(dialogue.page, HandOverPage)
    assert dialogue.press(EnterNumber(5)) is None
    assert isinstance(dialogue.page, HandOverPage)
    assert next_page(dialogue.page, OpenQuestion()) == EntryPage(bet_question(2), 0)


@pytest.mark.parametrize(("entered", "value"), [(45, 45), (7, 0), (100, 0), (-5, 0)])
def test_only_allowed_numbers_are_entered(entered: int, value: int) -> None:
    page = dialogue_after(bet_question(2), [OpenQuestion(), EnterNumber(entered)]).page
    assert isinstance(page, EntryPage)
    assert page.value == value


@pytest.mark.parametrize(("default", "stands"), [(None, 10), (20, 20), (21, 10), (False, 10)])
def test_a_number_starts_at_its_default_if_allowed(default: Value, stands: int) -> None:
    page = first_page(Question(players(1), Prompt("bet", {1: IntRange(10, 50, 5)}, default=default), 1))
    assert isinstance(page, EntryPage)
    assert page.value == stands


def test_the_countdown_keeps_what_was_entered() -> None:
    dialogue = dialogue_after(bet_question(2), [OpenQuestion(), EnterNumber(30)])
    dialogue.set_seconds_left(3.5)
    page = dialogue.page
    assert isinstance(page, EntryPage)
    assert (page.value, page.view.seconds_left) == (30, 3.5)


def test_a_notice_is_its_own_page_and_is_answered_by_its_buttons() -> None:
    notice = Notice("Hello", "All is well.")
    assert first_page(notice) is notice
    dialogue = Dialogue(notice)
    dialogue.set_seconds_left(1.0)
    assert dialogue.page is notice
    assert dialogue.press(Reply("go on")) == Reply("go on")
