"""A question that several seats answer together: by touch, by buttons, both at once; nothing of a private answer is
shown before all are in."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from device.gpio.buttons import ButtonAction, ButtonEvent
from rules.battle.text import TEXT as BATTLE_TEXT
from rules.engine import (
    AllowedValues,
    Choices,
    IntRange,
    OptionalPrompt,
    Prompt,
    SealedPrompt,
    SecretPrompt,
    ThrowPrompt,
    TimeLimit,
)
from rules.redeux.text import TEXT as REDEUX_TEXT
from rules.throws import THROW_CHOICES
from tests.helpers.page_rules import drawn
from tests.helpers.samples.board import samples as board_samples
from tests.helpers.samples.common import players
from ui.screen.core.png_display import render_image
from ui.screen.drawing import theme
from ui.screen.input import handle_group_button
from ui.screen.pages import group_question as group_question_page
from ui.screen.pages.answer_clocks import TIME_UP_S
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage, LiveAnswers
from ui.screen.pages.question import EntryPage, HandOverPage, TimeUpPage, new_draft
from ui.screen.views import PAUSE, Dialogue, NobodyAnswered, Press, Reply

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
    prompt = SecretPrompt if secret else SealedPrompt if sealed else Prompt
    time_limit = TimeLimit(20, 0 if kind == "bet" else None)
    return GroupQuestion(players(count), prompt(kind, seats, time_limit=time_limit), 20.0)


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


def press(page: GroupQuestionPage, target: Press) -> GroupQuestionPage:
    """Return the page after a press that is not the last answer."""
    after = page.press(target)
    assert isinstance(after, GroupQuestionPage)
    return after


def open_own(page: GroupQuestionPage, seat: int) -> GroupQuestionPage:
    """Return the page with a seat's own page, taken over."""
    handed = press(page, page.open_seat(seat))
    assert handed.own_page is not None
    return press(handed, new_draft(handed.own_page.view))


def enter(page: GroupQuestionPage, value: int) -> GroupQuestionPage:
    """Return the page with a number entered on the seat's own page."""
    assert isinstance(page.own_page, EntryPage)
    return press(page, replace(page.own_page, value=value))


def test_all_bet_at_the_same_time_with_their_buttons() -> None:
    page = strike(bets(False).first_page(), (1, RAISE), (3, RUN), (2, RAISE), (1, RAISE), (3, RAISE), (1, CONFIRM))
    assert [page.seat_state(seat) for seat in (1, 2, 3)] == ["in", "entering", "entering"]
    page = strike(page, (2, RAISE), (2, CONFIRM))
    assert page.waiting == (3,)
    assert reply(page, 3, CONFIRM) == {1: 10, 2: 10, 3: 30}


def test_buttons_and_touch_work_on_one_draft_where_it_is_open() -> None:
    page = enter(bets(False).first_page().open_seat(2), 40)
    page = strike(page, (1, RAISE), (1, CONFIRM), (2, RAISE))
    assert isinstance(page.own_page, EntryPage)
    assert page.own_page.value == 45
    assert press(page, Reply(None)).drafts[2].value == 45
    page = strike(page, (2, CONFIRM))
    assert page.own_page is None, "whoever is in has left their page"
    assert page.answers == {1: 5, 2: 45}


def test_a_private_page_that_is_left_forgets_its_input() -> None:
    page = strike(bets(True).first_page(), (2, RAISE), (2, RAISE))
    page = open_own(page, 2)
    assert isinstance(page.own_page, EntryPage)
    assert page.own_page.value == 0
    page = open_own(press(enter(page, 60), Reply(None)), 2)
    assert isinstance(page.own_page, EntryPage)
    assert page.own_page.value == 0
    page = strike(page, (2, RAISE), (2, CONFIRM))
    assert page.answers == {2: 15}, "the presses were counted all the while"


OWN_CARDS = {1: {"cards in hand": {"rock": 3, "paper": 0, "scissors": 2}}, 2: {"cards in hand": {"rock": 6}}}


def shows_cards(page: GroupQuestionPage) -> bool:
    return "×3" in words_on(page)


def test_own_cards_are_uncovered_after_the_hand_over_and_covered_again() -> None:
    prompt = Prompt("act", {1: Choices(("fold", "bet"))}, own_facts=OWN_CARDS)
    view = GroupQuestion(players(2), prompt, poll_answers=lambda page: LiveAnswers(phones=frozenset()))
    page = view.first_page().open_seat(1)
    own = page.own_page
    assert isinstance(own, EntryPage) and not shows_cards(page) and own.cover is not None
    page = press(page, own.cover)
    assert isinstance(page.own_page, HandOverPage) and not shows_cards(page)
    page = press(page, page.own_page.player_page)
    assert shows_cards(page) and "×6" not in words_on(page)
    assert not shows_cards(page.after_pause()), "others may have come meanwhile"
    left = press(page, Reply(None))
    assert left.own_page is None and not shows_cards(left.open_seat(1))
    assert not shows_cards(strike(page, (1, ButtonAction.RAISE))), "a button of the seat proves nothing"
    assert page.press(Reply("fold")) == Reply({1: "fold"})


def test_what_was_entered_stays_when_cards_are_uncovered() -> None:
    prompt = Prompt("bet", {1: IntRange(1, 9)}, own_facts=OWN_CARDS)
    page = GroupQuestion(players(2), prompt).first_page()
    assert isinstance(page.own_page, EntryPage)
    entered = replace(page.own_page, value=4)
    assert entered.cover is not None and not entered.view.can_go_back
    page = press(press(page, entered), entered.cover)
    back = press(page, Reply(None))
    assert isinstance(back.own_page, EntryPage) and not back.own_page.shows_own and back.own_page.value == 4
    assert isinstance(page.own_page, HandOverPage)
    assert press(page, page.own_page.player_page).own_page == replace(entered, shows_own=True)


def test_a_table_answers_in_one_breath() -> None:
    prompt = Prompt("risk", dict.fromkeys((1, 2, 3), Choices(("yes", "no"))))
    page = GroupQuestion(players(3), prompt).first_page()
    assert page.answers_of_all == ("yes", "no") and "All: No" in words_on(page)
    assert page.press(Reply("no")) == Reply(dict.fromkeys((1, 2, 3), "no"))
    one_in = page.with_answer(2, "no")
    assert isinstance(one_in, GroupQuestionPage)
    assert one_in.press(Reply("yes")) == Reply({1: "yes", 2: "no", 3: "yes"}), "what is in stays"
    with_phone = replace(page, live=LiveAnswers(phones=frozenset({3})))
    assert press(with_phone, Reply("yes")).waiting == (3,), "a phone answers for itself"
    last = one_in.with_answer(1, "no")
    assert isinstance(last, GroupQuestionPage) and last.answers_of_all == ()


@pytest.mark.parametrize(
    "prompt",
    [
        SealedPrompt("bet", dict.fromkeys((1, 2), Choices(("yes", "no")))),
        OptionalPrompt("table", dict.fromkeys((1, 2), Choices(("yes", "no")))),
        Prompt("bet", {1: IntRange(0, 5), 2: IntRange(0, 5)}),
        Prompt("risk", {1: Choices(("yes", "no")), 2: Choices(("yes",))}),
        Prompt("pick", dict.fromkeys((1, 2), Choices(("a", "b", "c", "d")))),
    ],
    ids=["hidden", "optional", "numbers", "different", "many"],
)
def test_what_each_answers_alone(prompt: Prompt) -> None:
    assert GroupQuestion(players(2), prompt).first_page().answers_of_all == ()


def test_what_is_in_stays() -> None:
    page = strike(bets(True).first_page(), (1, RAISE), (1, CONFIRM))
    for stroke in ButtonAction:
        assert handle_group_button(page, ButtonEvent(1, stroke, 0)) is None
    assert [target.press for target in drawn(page).targets] == [
        PAUSE,
        page.open_seat(2),
        page.open_seat(3),
    ]


def test_the_camera_does_not_overwrite_a_given_answer() -> None:
    page = strike(bets(False).first_page(), (1, RAISE), (1, CONFIRM))
    after = page.with_live_answers(LiveAnswers({1: 95, 2: 20}))
    assert isinstance(after, GroupQuestionPage)
    assert after.answers == {1: 5, 2: 20}
    assert after.with_live_answers(LiveAnswers({2: 0, 3: 10})) == Reply({1: 5, 2: 20, 3: 10})


def test_who_is_not_asked_has_no_say() -> None:
    page = ask_for({1: STAKES, 3: STAKES}).first_page()
    assert handle_group_button(page, ButtonEvent(2, CONFIRM, 0)) is None
    assert handle_group_button(page, ButtonEvent(9, CONFIRM, 0)) is None
    targets = drawn(page).targets
    assert [target.press for target in targets] == [PAUSE, page.open_seat(1), page.open_seat(3)]


def test_when_time_runs_out_who_is_not_in_answers_nothing() -> None:
    dialogue = Dialogue(bets(True))
    assert isinstance(dialogue.page, GroupQuestionPage)
    dialogue.go_to(strike(dialogue.page, (2, PASS)))
    assert dialogue.page.timeout_reply() == Reply({1: None, 2: 0, 3: None})


def test_the_last_touch_answers_for_all() -> None:
    page = press(open_own(bets(True, 2).first_page(), 2), Reply(20))
    after = open_own(page, 1).press(Reply(95))
    assert after == Reply({1: 95, 2: 20})


def test_a_sealed_question_goes_round_by_itself_and_starts_nobodys_time() -> None:
    page = press(open_own(bets(True, 4).first_page(), 3), Reply(20))
    for seat in (4, 1, 2):
        assert isinstance(page.own_page, HandOverPage) and page.own_page.view.seat == seat
        assert not page.running, "the screen is on its way"
        page = open_own(page, seat)
        assert page.running == (seat,)
        after = page.press(Reply(0))
        page = after if isinstance(after, GroupQuestionPage) else page
    assert after == Reply({1: 0, 2: 0, 3: 20, 4: 0})


def test_a_seat_that_is_in_by_its_buttons_is_passed_over() -> None:
    page = strike(open_own(bets(True, 3).first_page(), 1), (2, RAISE), (2, CONFIRM))
    page = press(page, Reply(20))
    assert isinstance(page.own_page, HandOverPage) and page.own_page.view.seat == 3


def test_an_open_question_and_a_secret_one_go_back_to_everybody() -> None:
    assert press(bets(False, 3).first_page().open_seat(1), Reply(20)).own_page is None
    secret = ask_for(dict.fromkeys((1, 2, 3), THROW_CHOICES), "place", secret=True).first_page()
    assert press(open_own(secret, 1), Reply("rock")).own_page is None


def test_an_optional_question_ends_whenever_people_go_on() -> None:
    prompt = OptionalPrompt("table", dict.fromkeys((1, 2, 3), Choices(("stay", "leave"))))
    page = GroupQuestion(players(3), prompt).first_page()
    assert page.timeout_reply() == Reply({})
    assert press(page.open_seat(2), Reply("leave")).timeout_reply() == Reply({2: "leave"})


def test_one_seat_alone_is_asked_on_its_own_page_at_once() -> None:
    timed = ask_for({2: THROW_CHOICES}, "claim").first_page()
    assert timed.own_page is None, "its time begins with a touch"
    alone = replace(ask_for({2: THROW_CHOICES}, "claim"), seconds=None).first_page()
    assert isinstance(alone.own_page, EntryPage)
    assert alone.press(Reply(None)) == alone
    assert reply(strike(alone, (2, RAISE), (2, RAISE)), 2, CONFIRM) == {2: "paper"}
    assert handle_group_button(alone, ButtonEvent(1, CONFIRM, 0)) is None
    secret = ask_for({2: THROW_CHOICES}, "place", secret=True).first_page()
    assert isinstance(secret.own_page, HandOverPage)
    counted = ask_for({2: STAKES}, sealed=True).first_page()
    assert counted.own_page is None


def test_secret_options_are_seen_one_seat_at_a_time() -> None:
    page = ask_for({1: THROW_CHOICES, 2: Choices(("rock",))}, "place", secret=True).first_page()
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
    page = ask_for(dict.fromkeys((1, 2), THROW_CHOICES), "throw", sealed=True).first_page()
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
    page = view.first_page()
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
    entered = MappingProxyType(dict.fromkeys(page.answers, "anything"))
    plain = replace(view.first_page(), answers=entered, clock_s=page.clock_s)
    assert (render_image(page, size) == render_image(plain, size)).all()


@given(STROKES)
def test_an_open_answer_is_seen(strokes: list[tuple[int, ButtonAction]]) -> None:
    page = bets(False, 2).first_page()
    for seat, stroke in strokes:
        after = handle_group_button(page, ButtonEvent(seat, stroke, 0))
        if isinstance(after, Reply):
            return
        if after is not None:
            assert isinstance(after, GroupQuestionPage)
            page = after
    texts = [text.text for text in drawn(page).texts]
    for seat in (1, 2):
        value = page.answers[seat] if seat in page.answers else page.drafts[seat].value
        assert str(value) in texts


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_everybodys_page_fits_and_is_large_enough_to_touch(size: tuple[int, int], count: int, sealed: bool) -> None:
    seats = dict.fromkeys(range(1, count + 1), STAKES)
    page = ask_for(seats, sealed=sealed, count=count).first_page()
    for stroke in (RAISE, CONFIRM):
        if len(page.waiting) > 1:
            page = strike(page, (page.waiting[0], stroke))
        canvas = drawn(page, size)
        assert [text.text for text in canvas.texts if not text.complete] == []
        assert all(min(target.rect.size) >= canvas.theme.touch_size for target in canvas.targets)
        if page.own_page is None:
            assert [target.press for target in canvas.targets] == [PAUSE, *map(page.open_seat, page.waiting)]


def test_seats_panels_are_equal_and_in_order() -> None:
    view = ask_for(dict.fromkeys((8, 3, 5, 1), STAKES), count=8)
    page = view.first_page()
    targets = drawn(page).targets
    assert [target.press for target in targets] == [PAUSE, *(page.open_seat(seat) for seat in (1, 3, 5, 8))]
    sizes = {target.rect.size for target in targets[1:]}
    assert max(w for w, _ in sizes) - min(w for w, _ in sizes) <= 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_seats_own_page_leads_back(size: tuple[int, int]) -> None:
    for sealed in (False, True):
        for kind, options in (
            ("bet", STAKES),
            ("throw", THROW_CHOICES),
            ("wish", Choices(tuple(f"wish {n}" for n in range(40)))),
        ):
            everybody = ask_for({1: options, 2: options}, kind, sealed=sealed).first_page()
            page = everybody.open_seat(1)
            for shown in (page, open_own(everybody, 1)):
                canvas = drawn(shown, size)
                assert [target.press for target in canvas.targets if target.leads_back] == [PAUSE, Reply(None)]
                assert [text.text for text in canvas.texts if not text.complete] == []
                assert all(min(target.rect.size) >= canvas.theme.touch_size for target in canvas.targets)
            assert press(page, Reply(None)).own_page is None


# -------- time: each seat's own, which never runs while the screen is handed on


def later(page: GroupQuestionPage, seconds: float, quiet_s: float = 0.0) -> GroupQuestionPage:
    """Return the page some seconds later, which is not yet answered."""
    after = page.pass_time(seconds, quiet_s)
    assert isinstance(after, GroupQuestionPage)
    return after


def own_seconds(page: GroupQuestionPage) -> float | None:
    assert page.own_page is not None
    return page.own_page.view.seconds_left


def test_no_time_runs_at_the_hand_over() -> None:
    page = later(bets(True).first_page(), 600.0)
    handed = page.hand_over(2)
    assert isinstance(handed.own_page, HandOverPage) and handed.own_page.time_s == 20.0
    assert own_seconds(handed) is None and not handed.time_runs
    page = later(handed, 600.0)
    assert isinstance(page.own_page, HandOverPage)
    own = press(page, new_draft(page.own_page.view))
    assert own_seconds(own) == 20.0 and own.time_runs
    assert own_seconds(later(own, 4.96)) == 15.1


def test_a_seats_time_stops_while_its_page_is_left() -> None:
    page = later(open_own(bets(True).first_page(), 2), 15.0)
    page = later(press(page, Reply(None)), 600.0)
    handed = page.hand_over(2)
    assert isinstance(handed.own_page, HandOverPage) and handed.own_page.time_s == 5.0
    assert own_seconds(press(handed, new_draft(handed.own_page.view))) == 5.0
    other = open_own(page, 3)
    assert own_seconds(other) == 20.0, "another player has the whole time"


@pytest.mark.parametrize(
    ("prompt", "is_handed"),
    [
        (SealedPrompt("bet", dict.fromkeys((1, 2), IntRange(0, 10, 5))), False),
        (SealedPrompt("bet", dict.fromkeys((1, 2), IntRange(0, 10, 5)), own_facts=OWN_CARDS), True),
        (SecretPrompt("place", dict.fromkeys((1, 2), Choices(("rock", "paper")))), True),
    ],
    ids=["a bet", "a bet beside one's cards", "a card"],
)
def test_nobody_hands_the_screen_over_to_themselves(prompt: Prompt, is_handed: bool) -> None:
    """Whoever touches their field has the screen; a page with cards waits until they hold it."""
    page = GroupQuestion(players(2), prompt).first_page()
    opened = press(page, page.open_seat(1))
    assert isinstance(opened.own_page, HandOverPage) == is_handed
    answer = 5 if isinstance(prompt, SealedPrompt) else "rock"
    after = press(open_own(page, 1), Reply(answer))
    if isinstance(prompt, SealedPrompt):
        assert isinstance(after.own_page, HandOverPage) and after.own_page.view.seat == 2, "somebody else has it now"
    assert isinstance(opened.after_pause().own_page, HandOverPage), "others may have come meanwhile"


def test_an_open_answers_time_begins_when_its_page_is_opened() -> None:
    page = bets(False).first_page()
    page = later(press(page, page.open_seat(1)), 8.0)
    assert own_seconds(page) == 12.0
    assert own_seconds(enter(page, 40)) == 12.0, "what is entered does not stop it"


def test_the_slow_may_have_the_time_once_more() -> None:
    page = press(open_own(bets(True).first_page(), 1), Reply(10))
    page = press(open_own(page, 3), Reply(30))
    page = later(open_own(page, 2), 20.0)
    assert isinstance(page.own_page, TimeUpPage) and page.own_page.can_extend
    assert page.waiting == (2,), "nothing is answered for them"
    page = later(page, 600.0)
    page = press(page, new_draft(page.own_page.view))
    assert isinstance(page.own_page, EntryPage) and own_seconds(page) == 20.0
    assert later(page, 19.0).press(Reply(95)) == Reply({1: 10, 2: 95, 3: 30})
    page = later(page, 20.0)
    assert isinstance(page.own_page, TimeUpPage) and not page.own_page.can_extend
    assert page.press(new_draft(page.own_page.view)) == Reply({1: 10, 2: None, 3: 30})


def test_whoever_is_told_that_time_is_up_may_pass_at_once() -> None:
    page = later(open_own(bets(True, 2).first_page(), 2), 20.0)
    page = press(page, Reply(None))
    assert page.answers == {2: None} and page.own_page is None
    assert page.seat_state(2) == "in", "that somebody passes is private too"


def test_a_panel_drawn_before_its_seat_answered_opens_nothing() -> None:
    drawn = bets(True).first_page().open_seat(2)
    page = strike(bets(True).first_page(), (2, RAISE), (2, CONFIRM))
    assert press(page, drawn) == page
    assert press(strike(page, (3, CONFIRM)), bets(True).first_page().open_seat(1)).answers == {2: 5, 3: 0}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    ("prompt", "meaning"),
    [
        (
            SealedPrompt("bet", {1: STAKES}, time_limit=TimeLimit(20, default=0), text=REDEUX_TEXT),
            "that counts as no bet",
        ),
        (ThrowPrompt({1: THROW_CHOICES}, time_limit=TimeLimit(5), text=BATTLE_TEXT), "the box throws for you"),
        (
            Prompt("wish", {1: Choices(("on", "don't care"))}, time_limit=TimeLimit(20, default="don't care")),
            "that counts as “Don't care”",
        ),
        (Prompt("what", {1: Choices(("on", "off"))}, time_limit=TimeLimit(20)), "that counts as no answer"),
    ],
    ids=lambda prompt: getattr(prompt, "kind", ""),
)
def test_the_time_out_and_what_it_means_is_said_in_words(prompt: Prompt, meaning: str, size: tuple[int, int]) -> None:
    page = GroupQuestion(players(1), prompt, prompt.seconds).first_page()
    page = later(open_own(page, 1) if prompt.is_private else press(page, page.open_seat(1)), 30.0)
    for sentence in ("If you pass", "You pass"):
        canvas = drawn(page, size)
        texts = [text.text for text in canvas.texts]
        assert "Ann, your time is up." in texts and f"{sentence}: {meaning}." in texts
        assert all(text.complete for text in canvas.texts)
        assert all(min(target.rect.size) >= canvas.theme.touch_size for target in canvas.targets)
        page = later(page.extend_time(1), 30.0)


def test_button_time_begins_with_the_first_press() -> None:
    page = later(bets(False).first_page(), 600.0)
    page = later(strike(page, (1, RAISE)), 12.0)
    assert page.clock_s == 8.0
    page = later(strike(page, (2, RAISE)), 7.0)
    assert page.clock_s == 1.0, "the least is shown"
    page = later(page, 1.0)
    assert page.answers == {1: None} and page.seat_state(1) == "out of time" and page.waiting == (2, 3)
    assert "Time’s up" in [text.text for text in drawn(page).texts]


def test_a_time_out_by_button_is_told_before_the_question_ends() -> None:
    page = later(strike(bets(True, 2).first_page(), (1, RAISE), (2, RAISE), (2, CONFIRM)), 20.0)
    assert page.waiting == () and page.answers == {1: None, 2: 5}
    texts = [text.text for text in drawn(page).texts]
    assert "Time’s up" in texts and "Time’s up: that counts as “0”." in texts
    assert later(page, TIME_UP_S / 2).pass_time(TIME_UP_S / 2, 0.0) == Reply({1: None, 2: 5})


def test_buttons_work_after_a_seats_time_is_up() -> None:
    page = later(open_own(bets(True, 2).first_page(), 2), 20.0)
    assert handle_group_button(page, ButtonEvent(2, RAISE, 0)) is None
    assert isinstance(strike(page, (2, CONFIRM)).own_page, EntryPage)
    assert strike(page, (2, PASS)).answers == {2: None}


def test_while_nobody_touches_anything_no_answer_is_made_up() -> None:
    view = replace(bets(True), patience_s=60.0)
    page = press(open_own(view.first_page(), 1), Reply(10))
    for shown in (page, open_own(page, 2), later(open_own(page, 2), 20.0, 20.0)):
        assert isinstance(shown.pass_time(1.0, 59.0), GroupQuestionPage)
        assert shown.pass_time(1.0, 60.0) == Reply(NobodyAnswered(shown))
    again = replace(view, locked={1: 10}).first_page()
    assert again.waiting == (2, 3) and again.answers == {1: 10}


def test_with_inputs_for_all_the_time_runs_for_all() -> None:
    view = replace(bets(True), one_clock=True)
    page = later(view.first_page(), 5.0)
    assert page.clock_s == 15.0
    handed = press(page, page.open_seat(2))
    assert own_seconds(later(handed, 5.0)) == 10.0
    page = strike(page, (2, RAISE), (2, CONFIRM))
    assert page.pass_time(15.0, 10.0) == Reply({1: None, 2: 5, 3: None})
    patient = replace(view, patience_s=60.0).first_page()
    assert patient.pass_time(20.0, 20.0) == Reply(NobodyAnswered(patient))


@pytest.fixture
def seat_buttons() -> Iterator[None]:
    """Seats with buttons and lights."""
    theme.set_seat_buttons(True)
    yield
    theme.set_seat_buttons(False)


def words_on(page: GroupQuestionPage) -> str:
    return " ".join(text.text for text in drawn(page).texts)


@pytest.mark.parametrize("sealed", [True, False])
def test_buttons_and_lights_are_not_mentioned_where_there_are_none(sealed: bool) -> None:
    words = words_on(bets(sealed).first_page())
    assert "Raise" not in words and "Confirm" not in words and "light" not in words
    assert group_question_page.ANSWERS_ARE_FINAL in words


@pytest.mark.usefixtures("seat_buttons")
@pytest.mark.parametrize("sealed", [True, False])
def test_buttons_and_lights_are_explained_where_they_are(sealed: bool) -> None:
    words = words_on(bets(sealed).first_page())
    assert "Raise" in words and ("light" in words) == sealed


def test_the_screen_passes_from_seat_to_seat() -> None:
    facts = {seat: {"cards in hand": {"rock": seat}} for seat in (1, 2, 3)}
    prompt = SecretPrompt("hand", dict.fromkeys((1, 2, 3), Choices(("seen",))), own_facts=facts)
    view = GroupQuestion(players(3), prompt, locked={2: "seen"})
    page = view.first_page()
    for seat in (1, 3):
        assert isinstance(page, GroupQuestionPage) and isinstance(page.own_page, HandOverPage)
        assert page.own_page.view.seat == seat and not page.own_page.view.can_go_back
        own = new_draft(page.own_page.view)
        assert own.view.prompt.own_facts == {seat: facts[seat]}
        page = press(page, own)
        assert isinstance(page, GroupQuestionPage)
        last = page.press(Reply("seen"))
        page = last if isinstance(last, GroupQuestionPage) else page
    assert last == Reply({1: "seen", 2: "seen", 3: "seen"})


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["board-watched", "board-watched-time"])
def test_the_board_is_watched_while_a_phone_moves(name: str, size: tuple[int, int]) -> None:
    page = board_samples()[name]
    assert isinstance(page, GroupQuestionPage)
    canvas = drawn(page, size)
    texts = [text.text for text in canvas.texts]
    assert group_question_page.waiting_text(page) in texts and {"South", "North", "F", "R"} <= set(texts)
    assert ("30" in texts) is (page.clock_s is not None) is (name == "board-watched-time")
    (seat,) = page.waiting
    assert page.open_seat(seat) in [target.press for target in canvas.targets]
    away = replace(page, live=replace(page.live, phones=frozenset()))
    line = " ".join(text.text for text in drawn(away, size).texts)
    assert "Which move?" in line and "South" not in line and str(page.view.prompt.about["last"]) not in line
