"""What touches lead to: choosing and setting up a game, sealed pages, steppers that respect their span."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import Ask, Choices, Span, Value
from tools.gallery.gallery import bet, games, players
from ui.screen.core.page_stack import (
    Dialogue,
    GamesPage,
    Pick,
    Press,
    Set,
    SetUpPage,
    Sit,
    first_page,
    most_seats,
    next_page,
)
from ui.screen.drawing.theme import MARKS
from ui.screen.pages.ask.view import EntryPage, HandOverPage, Open, Put, Reply, Turn, leap, presets, shifted, step
from ui.screen.pages.views import Choosing, Chosen, Notice, Question

SPANS = st.builds(
    lambda start, length, step: Span(start, start + length, step),
    st.integers(-50, 50),
    st.integers(0, 300),
    st.integers(1, 25),
)


def touched(view: Choosing | Question, presses: Sequence[Press]) -> Dialogue:
    dialogue = Dialogue(view)
    for press in presses:
        assert dialogue.touch(press) is None
    return dialogue


@given(SPANS, st.lists(st.integers(-7, 7), max_size=30))
def test_a_stepper_never_leaves_its_span(span: Span, moves: list[int]) -> None:
    value = span.start
    for move in moves:
        after = shifted(span, value, move)
        assert span.allows(after)
        assert (after - value) * move >= 0
        value = after


@given(SPANS)
def test_presets_and_leaps_are_answers_of_the_span(span: Span) -> None:
    named = presets(span)
    assert named["least"] == span.start
    assert all(span.allows(value) for value in named.values())
    assert len(set(named.values())) == len(named)
    assert max(named.values()) + span.step > span.stop
    assert leap(span) in (0, 5)


def test_a_list_of_values_goes_round_and_true_is_not_one() -> None:
    options = Choices((1, True, "x"))
    assert [step(options, value, 1) for value in options.values] == [True, "x", 1]
    assert step(options, 1, -1) == "x"


def test_a_game_is_chosen_with_its_seats_and_options() -> None:
    presses: list[Press] = [Pick("redeux"), Sit(5), Set("goal", 150), Set("risk_rounds", False), Turn(1)]
    dialogue = touched(Choosing(games()), presses)
    page = dialogue.page
    assert isinstance(page, SetUpPage)
    assert (page.game.name, page.seats, page.leaf) == ("redeux", 5, 1)
    chosen = Chosen("redeux", page.seats, dict(page.options))
    assert dialogue.touch(Reply(chosen)) == Reply(chosen)
    assert chosen.options["goal"] == 150
    assert chosen.options["risk_rounds"] is False
    assert page.game.set_up(chosen.seats, chosen.options)


@pytest.mark.parametrize("press", [Sit(1), Sit(9), Set("nothing_such", 1), Open(), Put(5), Pick("redeux")])
def test_a_press_that_means_nothing_here_changes_nothing(press: Press) -> None:
    page = touched(Choosing(games()), [Pick("classic")]).page
    assert next_page(page, press) == page


def test_no_more_can_sit_down_than_there_are_marks_to_tell_them_by() -> None:
    party = replace(games()[0], name="party", most=1_000_000)
    page = touched(Choosing((party, *games())), [Pick("party"), Sit(8)]).page
    assert isinstance(page, SetUpPage)
    assert page.seats == most_seats(party) == len(MARKS)
    assert next_page(page, Sit(9)) == page


def test_back_to_all_games_and_an_only_game_is_opened_at_once() -> None:
    assert isinstance(touched(Choosing(games()), [Pick("classic"), Pick(None)]).page, GamesPage)
    assert isinstance(first_page(Choosing(games()[:1])), SetUpPage)


def test_a_sealed_question_is_handed_over_first() -> None:
    dialogue = Dialogue(bet(2))
    assert isinstance(dialogue.page, HandOverPage)
    assert dialogue.touch(Put(5)) is None
    assert isinstance(dialogue.page, HandOverPage)
    assert next_page(dialogue.page, Open()) == EntryPage(bet(2), 0)


@pytest.mark.parametrize(("put", "stands"), [(45, 45), (7, 0), (100, 0), (-5, 0)])
def test_only_values_of_the_span_are_entered(put: int, stands: int) -> None:
    page = touched(bet(2), [Open(), Put(put)]).page
    assert isinstance(page, EntryPage)
    assert page.value == stands


@pytest.mark.parametrize(("default", "stands"), [(None, 10), (20, 20), (21, 10), (False, 10)])
def test_a_number_starts_at_its_default_if_that_is_allowed(default: Value, stands: int) -> None:
    page = first_page(Question(players(1), Ask("bet", {1: Span(10, 50, 5)}, default=default), 1))
    assert isinstance(page, EntryPage)
    assert page.value == stands


def test_the_count_down_reaches_the_page_and_leaves_what_was_entered() -> None:
    dialogue = touched(bet(2), [Open(), Put(30)])
    dialogue.left(3.5)
    page = dialogue.page
    assert isinstance(page, EntryPage)
    assert (page.value, page.view.seconds_left) == (30, 3.5)


def test_an_end_and_a_notice_are_answered_by_their_buttons() -> None:
    notice = Notice("Hello", "All is well.")
    assert first_page(notice) is notice
    dialogue = Dialogue(notice)
    dialogue.left(1.0)
    assert dialogue.page is notice
    assert dialogue.touch(Reply("go on")) == Reply("go on")
