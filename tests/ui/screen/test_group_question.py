"""A question that several seats answer together: by touch, by buttons, both at once; nothing of a private answer is
shown before all are in."""

from collections.abc import Mapping
from types import MappingProxyType

import pygame
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from device.gpio.buttons import ButtonAction, ButtonEvent
from rules.engine import AllowedValues, Choices, IntRange, Prompt
from rules.throws import THROW_CHOICES
from ui.screen.core.button_navigation import handle_group_button
from ui.screen.core.page_stack import Dialogue
from ui.screen.core.png_display import render_image
from ui.screen.drawing.registry import draw
from ui.screen.pages.answers import Reply
from ui.screen.pages.common.samples import players
from ui.screen.pages.group_question.view import (
    CameraAnswers,
    GroupQuestion,
    GroupQuestionPage,
    OpenSeatPage,
    next_group_page,
    open_group_question,
)
from ui.screen.pages.question.view import EnterNumber, EntryPage, HandOverPage, OpenQuestion

SIZES = ((800, 480), (720, 1280), (1280, 720))
STAKES = IntRange(0, 95, 5)
RAISE, RUN, CONFIRM, PASS = (
    ButtonAction.RAISE,
    ButtonAction.RAISE_REPEAT,
    ButtonAction.CONFIRM,
    ButtonAction.CONFIRM_HOLD,
)


def ask_for(
    seats: Mapping[int, AllowedValues], kind: str = "bet", *, sealed: bool = False, secret: bool = False, count: int = 3
) -> GroupQuestion:
    ask = Prompt(kind, seats, sealed, 20, 0 if kind == "bet" else None, secret=secret)
    return GroupQuestion(players(count), ask, 20.0)


def bets(sealed: bool, seats: int = 3) -> GroupQuestion:
    return ask_for(dict.fromkeys(range(1, seats + 1), STAKES), sealed=sealed, count=seats)


def strike(page: GroupQuestionPage, *strokes: tuple[int, ButtonAction]) -> GroupQuestionPage:
    """Return the page after button events that all count and none of which is the last."""
    for seat, stroke in strokes:
        after = handle_group_button(page, ButtonEvent(seat, stroke, 0))
        assert isinstance(after, GroupQuestionPage)
        page = after
    return page


def reply(page: GroupQuestionPage, seat: int, stroke: ButtonAction) -> object:
    after = handle_group_button(page, ButtonEvent(seat, stroke, 0))
    assert isinstance(after, Reply)
    return after.value


def touch(page: GroupQuestionPage, *presses: object) -> GroupQuestionPage:
    for press in presses:
        after = next_group_page(page, press)
        assert isinstance(after, GroupQuestionPage)
        page = after
    return page


def test_all_bet_at_the_same_time_with_their_buttons() -> None:
    page = strike(
        open_group_question(bets(False)), (1, RAISE), (3, RUN), (2, RAISE), (1, RAISE), (3, RAISE), (1, CONFIRM)
    )
    assert [page.seat_state(seat) for seat in (1, 2, 3)] == ["in", "entering", "entering"]
    page = strike(page, (2, RAISE), (2, CONFIRM))
    assert page.waiting == (3,)
    assert reply(page, 3, CONFIRM) == {1: 10, 2: 10, 3: 30}


def test_buttons_and_touch_work_on_one_draft_where_it_is_open() -> None:
    page = touch(open_group_question(bets(False)), OpenSeatPage(2), EnterNumber(40))
    page = strike(page, (1, RAISE), (1, CONFIRM), (2, RAISE))
    assert isinstance(page.own_page, EntryPage)
    assert page.own_page.value == 45
    assert touch(page, OpenSeatPage(None)).drafts[2].value == 45  # type: ignore[union-attr]
    page = strike(page, (2, CONFIRM))
    assert page.own_page is None, "whoever is in has left their page"
    assert page.answers == {1: 5, 2: 45}


def test_a_private_page_forgets_what_was_entered_when_it_is_left_and_knows_nothing_of_the_buttons() -> None:
    page = strike(open_group_question(bets(True)), (2, RAISE), (2, RAISE))
    page = touch(page, OpenSeatPage(2))
    assert isinstance(page.own_page, HandOverPage)
    page = touch(page, OpenQuestion())
    assert isinstance(page.own_page, EntryPage)
    assert page.own_page.value == 0
    page = touch(page, EnterNumber(60), OpenSeatPage(None), OpenSeatPage(2), OpenQuestion())
    assert isinstance(page.own_page, EntryPage)
    assert page.own_page.value == 0
    page = strike(page, (2, RAISE), (2, CONFIRM))
    assert page.answers == {2: 15}, "the presses were counted all the while"


def test_what_is_in_stays() -> None:
    page = strike(open_group_question(bets(True)), (1, RAISE), (1, CONFIRM))
    for stroke in ButtonAction:
        assert handle_group_button(page, ButtonEvent(1, stroke, 0)) is None
    assert touch(page, OpenSeatPage(1)) == page
    assert not any(target.press == OpenSeatPage(1) for target in draw(pygame.Surface((800, 480), 0, 32), page).targets)


def test_the_camera_does_not_overwrite_a_given_answer() -> None:
    page = strike(open_group_question(bets(False)), (1, RAISE), (1, CONFIRM))
    after = page.with_camera_answers(CameraAnswers({1: 95, 2: 20}))
    assert isinstance(after, GroupQuestionPage)
    assert after.answers == {1: 5, 2: 20}
    assert after.with_camera_answers(CameraAnswers({2: 0, 3: 10})) == Reply({1: 5, 2: 20, 3: 10})


def test_who_is_not_asked_has_no_say() -> None:
    page = open_group_question(ask_for({1: STAKES, 3: STAKES}))
    assert handle_group_button(page, ButtonEvent(2, CONFIRM, 0)) is None
    assert handle_group_button(page, ButtonEvent(9, CONFIRM, 0)) is None
    assert touch(page, OpenSeatPage(2)) == page


def test_when_time_runs_out_who_is_not_in_answers_nothing() -> None:
    dialogue = Dialogue(bets(True))
    assert isinstance(dialogue.page, GroupQuestionPage)
    dialogue.go_to(strike(dialogue.page, (2, PASS)))
    dialogue.set_seconds_left(0.0)
    assert dialogue.timeout_reply() == Reply({1: None, 2: 0, 3: None})


def test_the_last_touch_answers_for_all() -> None:
    page = touch(open_group_question(bets(True, 2)), OpenSeatPage(2), OpenQuestion())
    page = touch(page, Reply(20))
    assert page.own_page is None
    after = next_group_page(touch(page, OpenSeatPage(1), OpenQuestion()), Reply(95))
    assert after == Reply({1: 95, 2: 20})


def test_one_seat_alone_is_asked_on_its_own_page_at_once() -> None:
    alone = open_group_question(ask_for({2: THROW_CHOICES}, "claim"))
    assert isinstance(alone.own_page, EntryPage)
    assert next_group_page(alone, OpenSeatPage(None)) == alone
    assert reply(strike(alone, (2, RAISE), (2, RAISE)), 2, CONFIRM) == {2: "paper"}
    assert handle_group_button(alone, ButtonEvent(1, CONFIRM, 0)) is None
    secret = open_group_question(ask_for({2: THROW_CHOICES}, "place", secret=True))
    assert isinstance(secret.own_page, HandOverPage)
    counted = open_group_question(ask_for({2: STAKES}, sealed=True))
    assert counted.own_page is None


def test_secret_options_are_seen_on_their_own_page_only_one_seat_at_a_time() -> None:
    page = open_group_question(ask_for({1: THROW_CHOICES, 2: Choices(("rock",))}, "place", secret=True))
    page = strike(page, (2, RAISE))
    assert page.own_page is not None and page.own_page.view.seat == 2
    assert handle_group_button(page, ButtonEvent(1, CONFIRM, 0)) is None, "the screen is another's"
    page = strike(page, (2, CONFIRM))
    assert isinstance(page.own_page, EntryPage)
    page = strike(page, (2, CONFIRM))
    assert page.answers == {2: "rock"}
    page = strike(page, (1, CONFIRM), (1, PASS))
    assert page.own_page is None, "a pass hands the screen back"
    page = strike(page, (1, CONFIRM), (1, CONFIRM), (1, RAISE), (1, RAISE))
    assert reply(page, 1, CONFIRM) == {1: "paper", 2: "rock"}


def test_a_confirm_of_nothing_puts_nothing_in() -> None:
    page = open_group_question(ask_for(dict.fromkeys((1, 2), THROW_CHOICES), "throw", sealed=True))
    assert strike(page, (1, CONFIRM)).answers == {}
    assert strike(page, (1, RAISE), (1, PASS), (1, CONFIRM)).answers == {}
    assert strike(page, (1, RAISE), (1, CONFIRM)).answers == {1: "rock"}


STROKES = st.lists(st.tuples(st.sampled_from((1, 2)), st.sampled_from((RAISE, RUN, PASS))), max_size=12)


@settings(max_examples=25)
@given(
    st.sampled_from((("bet", STAKES), ("throw", THROW_CHOICES), ("place", Choices(("rock", "scissors"))))),
    st.booleans(),
    STROKES,
    st.sampled_from(SIZES),
)
@example(("bet", STAKES), True, [(2, PASS)], SIZES[0])  # the other seat has answered already
def test_the_picture_of_a_sealed_answer_is_the_same_whatever_it_is(
    asked: tuple[str, AllowedValues], one_in: bool, strokes: list[tuple[int, ButtonAction]], size: tuple[int, int]
) -> None:
    """Two matches in which the same seats are in look alike, whatever the order."""
    kind, options = asked
    view = ask_for({1: options, 2: options}, kind, sealed=True, count=2)
    page = open_group_question(view)
    for seat, stroke in strokes:
        after = handle_group_button(page, ButtonEvent(seat, stroke, 0))
        if isinstance(after, GroupQuestionPage):
            page = after
        if not page.waiting or isinstance(after, Reply):
            return
    if one_in and page.waiting == (1, 2):  # the last answer in would end the question
        after = page.with_answer(1, 95 if isinstance(options, IntRange) else "scissors")
        assert isinstance(after, GroupQuestionPage)
        page = after
    plain = GroupQuestionPage(
        view, open_group_question(view).drafts, MappingProxyType(dict.fromkeys(page.answers, "anything"))
    )
    assert (render_image(page, size) == render_image(plain, size)).all()


@given(STROKES)
def test_an_open_answer_is_seen(strokes: list[tuple[int, ButtonAction]]) -> None:
    page = open_group_question(bets(False, 2))
    for seat, stroke in strokes:
        after = handle_group_button(page, ButtonEvent(seat, stroke, 0))
        if isinstance(after, Reply):
            return
        page = after or page
    texts = [text.text for text in draw(pygame.Surface((800, 480), 0, 32), page).texts]
    for seat in (1, 2):
        value = page.answers[seat] if seat in page.answers else page.drafts[seat].value  # type: ignore[union-attr]
        assert str(value) in texts


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_everybodys_page_fits_and_is_large_enough_to_touch(size: tuple[int, int], count: int, sealed: bool) -> None:
    seats = dict.fromkeys(range(1, count + 1), STAKES)
    page = open_group_question(ask_for(seats, sealed=sealed, count=count))
    for stroke in (RAISE, CONFIRM):
        if len(page.waiting) > 1:
            page = strike(page, (page.waiting[0], stroke))
        canvas = draw(pygame.Surface(size, 0, 32), page)
        assert [text.text for text in canvas.texts if not text.complete] == []
        assert all(min(target.rect.size) >= canvas.theme.touch_size for target in canvas.targets)
        if page.own_page is None:
            assert {target.press for target in canvas.targets} == {OpenSeatPage(seat) for seat in page.waiting}


def test_every_seats_panel_is_as_large_as_the_others_and_they_stand_by_seat() -> None:
    view = ask_for(dict.fromkeys((8, 3, 5, 1), STAKES), count=8)
    targets = draw(pygame.Surface((800, 480), 0, 32), open_group_question(view)).targets
    assert [target.press for target in targets] == [OpenSeatPage(1), OpenSeatPage(3), OpenSeatPage(5), OpenSeatPage(8)]
    sizes = {target.rect.size for target in targets}
    assert max(w for w, _ in sizes) - min(w for w, _ in sizes) <= 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_seats_own_page_leads_back(size: tuple[int, int]) -> None:
    for sealed in (False, True):
        for kind, options in (
            ("bet", STAKES),
            ("throw", THROW_CHOICES),
            ("wish", Choices(tuple(f"wish {n}" for n in range(40)))),
        ):
            page = touch(open_group_question(ask_for({1: options, 2: options}, kind, sealed=sealed)), OpenSeatPage(1))
            for shown in (page, touch(page, OpenQuestion())):
                canvas = draw(pygame.Surface(size, 0, 32), shown)
                assert OpenSeatPage(None) in [target.press for target in canvas.targets]
                assert [text.text for text in canvas.texts if not text.complete] == []
                assert all(min(target.rect.size) >= canvas.theme.touch_size for target in canvas.targets)
            assert touch(page, OpenSeatPage(None)).own_page is None
