"""The window's loop on SDL's dummy driver: fingers, mouse and keys, time running out, errors, closing.

A simulated user in another thread waits until the window shows the expected pixels, and then touches."""

import threading
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pygame
import pytest

from device.gpio.buttons import ButtonAction, ButtonEvent
from rules.engine import IntRange, SecretPrompt, TimeLimit
from tests.helpers.samples.board import POSITION, board_page, move_question
from tests.helpers.samples.common import players
from tests.helpers.samples.question import bet_question, choice_question
from tests.helpers.waiting import LIMIT_S, wait_until
from tests.helpers.window_users import SIZE, RunInWindow, WindowUser, run_in_window, target_centre
from ui.screen.core.display import Display, PauseRequestedError, WindowClosedError
from ui.screen.core.registry import paint
from ui.screen.core.window import BUTTON_EVENT, ESCAPE_TWICE_NS, HOLD_DELAY_NS, REPEAT_INTERVAL_NS, Window
from ui.screen.input import SETTLE_TIME_NS
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.notice import Notice
from ui.screen.pages.question import BoardPage, EntryPage, TimeUpPage, new_draft
from ui.screen.pages.seating import KeyboardPage, NamePage, PlanPage, SeatingAnswer, SeatingView
from ui.screen.views import PAUSE, NobodyAnswered, PausedAt, Reply

__all__ = ["run_in_window"]  # the fixture
YES_NO = choice_question((True, False), "risk")
BET = replace(bet_question(2), seconds_left=None)


def bet_page() -> EntryPage:
    """Return the page on which the bet is entered, before anything is."""
    page = new_draft(BET)
    assert isinstance(page, EntryPage)
    return page


def test_a_sealed_bet_is_entered_by_finger(run_in_window: RunInWindow) -> None:
    page = bet_page()
    more = replace(page, value=5)

    def act(user: WindowUser) -> None:
        user.wait_for(BET)
        user.tap(target_centre(BET, bet_page()))
        user.wait_for(page)
        user.tap(target_centre(page, replace(page, value=5)))
        user.wait_for(more)
        user.tap(target_centre(more, Reply(5)))

    assert run_in_window(lambda display: display.ask(BET), act) == 5


def test_a_name_is_typed_on_a_keyboard(run_in_window: RunInWindow) -> None:
    """Letters come as text in any layout and press no seat's button; Enter finishes."""
    view = SeatingView("Classic", ("", ""), (), ((0.25, 0.5), (0.75, 0.5)))
    plan = view.first_page()
    names, letters = plan.select(2), KeyboardPage(PlanPage(view, ("", "")), 2)
    written = letters.type_letter("Q").type_letter("ü")
    assert isinstance(names, NamePage) and isinstance(written, KeyboardPage) and written.text == "Qü"

    def act(user: WindowUser) -> None:
        user.wait_for(plan)
        user.tap(target_centre(plan, names))
        user.wait_for(names)
        user.tap(target_centre(names, letters))
        user.wait_for(letters)
        for letter in "Qüx":
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, {"text": letter}))
        user.press_keys(pygame.K_BACKSPACE, pygame.K_RETURN)
        play = target_centre(plan, Reply(SeatingAnswer(("", ""))))

        def tap_until_closed() -> bool:
            user.advance(SETTLE_TIME_NS)
            with suppress(pygame.error):  # it is closed
                user.tap(play)  # the help line has made the page a little smaller
            return user.is_closed()

        wait_until(tap_until_closed, "an end of the window")

    assert run_in_window(lambda display: display.ask(view), act) == SeatingAnswer(("", "Qü"))


def test_a_touch_that_also_comes_as_a_mouse_event_counts_once(run_in_window: RunInWindow) -> None:
    page = bet_page()
    ten = replace(page, value=10)

    def act(user: WindowUser) -> None:
        user.wait_for(BET)
        user.tap(target_centre(BET, bet_page()))
        user.wait_for(page)
        plus = target_centre(page, replace(page, value=5))
        user.tap(plus)
        user.click(plus, touch=True)
        user.tap(plus)
        user.click(plus, touch=True)
        user.wait_for(ten)
        user.tap(target_centre(ten, Reply(10)))

    assert run_in_window(lambda display: display.ask(BET), act) == 10


def test_only_the_left_mouse_button_answers(run_in_window: RunInWindow) -> None:
    def act(user: WindowUser) -> None:
        user.wait_for(YES_NO)
        user.click(target_centre(YES_NO, Reply(True)), button=3)
        user.click(target_centre(YES_NO, Reply(False)))

    assert run_in_window(lambda display: display.ask(YES_NO), act) is False


def test_a_finger_that_slides_off_presses_nothing(run_in_window: RunInWindow) -> None:
    def act(user: WindowUser) -> None:
        user.wait_for(YES_NO)
        yes, no = target_centre(YES_NO, Reply(True)), target_centre(YES_NO, Reply(False))
        user.post_finger(yes, pygame.FINGERDOWN)
        user.post_finger((5, 5), pygame.FINGERUP)
        user.post_finger(yes, pygame.FINGERDOWN, 1)
        user.post_finger(no, pygame.FINGERUP, 1)
        user.tap(no)

    assert run_in_window(lambda display: display.ask(YES_NO), act) is False


def test_a_second_tap_does_not_answer_the_next_question(run_in_window: RunInWindow) -> None:
    following = replace(YES_NO, seat=1, prompt=replace(YES_NO.prompt, seats={1: YES_NO.prompt.seats[2]}))

    def act(user: WindowUser) -> None:
        user.wait_for(YES_NO)
        user.tap(target_centre(YES_NO, Reply(True)))
        user.tap(target_centre(YES_NO, Reply(True)))
        user.wait_for(following)
        user.tap(target_centre(following, Reply(False)))

    assert run_in_window(lambda display: (display.ask(YES_NO), display.ask(following)), act) == (True, False)


def test_a_held_button_repeats_its_change(run_in_window: RunInWindow) -> None:
    assert REPEAT_INTERVAL_NS < SETTLE_TIME_NS < HOLD_DELAY_NS
    page = bet_page()
    five, ten, fifteen = (replace(page, value=value) for value in (5, 10, 15))

    def act(user: WindowUser) -> None:
        user.wait_for(BET)
        user.tap(target_centre(BET, bet_page()))
        user.wait_for(page)
        plus = target_centre(page, replace(page, value=5))
        user.post_finger(plus, pygame.FINGERDOWN)
        user.wait_for(page, under=plus)
        user.advance(HOLD_DELAY_NS)
        user.wait_for(five, under=plus)  # each wait is longer than the repeat interval
        user.wait_for(ten, under=plus)
        user.wait_for(fifteen, under=plus, settle=False)
        user.post_finger(plus, pygame.FINGERUP)
        user.wait_for(fifteen)
        user.tap(target_centre(fifteen, Reply(15)))

    assert run_in_window(lambda display: display.ask(BET), act) == 15


def test_a_move_on_the_board_by_finger_with_a_slip(run_in_window: RunInWindow) -> None:
    view = move_question(POSITION)
    board = view.first_page()
    rock, paper = board_page(view, move="-2,2>-3,2"), board_page(view, move="-1,2>-1,1")
    assert isinstance(board, BoardPage)
    assert isinstance(rock, BoardPage)
    assert isinstance(paper, BoardPage)

    def space(of: BoardPage, number: int) -> tuple[int, int]:
        name = of.position.board.space_names[number]
        targets = paint(pygame.Surface(SIZE, 0, 32), of)
        return next(t.rect.center for t in targets if t.label.partition(":")[0] == name)

    def act(user: WindowUser) -> None:
        user.wait_for(board)
        x, y = space(board, rock.move.origin)
        user.tap((x + 12, y - 9))
        larger = board.enlarge(rock.move.origin)
        user.wait_for(larger)
        x, y = space(larger, rock.move.origin)
        user.tap((x + 12, y - 9))
        taken = board.select(rock.selected)  # it may go further than an enlarged board shows
        user.wait_for(taken)
        user.tap(space(taken, paper.move.origin))
        larger = taken.enlarge(paper.move.origin)
        user.wait_for(larger)
        user.tap(space(larger, paper.move.origin))  # meant to select the paper, but proposes to run into it
        slip = board_page(view, move="-2,2>-1,2")
        user.wait_for(slip)
        user.tap(space(slip, paper.move.origin))
        user.wait_for(slip.enlarge(paper.move.origin))
        user.tap(space(slip.enlarge(paper.move.origin), paper.move.origin))  # so the paper is touched again
        user.wait_for(slip.enlarge(paper.move.origin).select(paper.selected))
        user.tap(space(slip.enlarge(paper.move.origin).select(paper.selected), paper.move.landing_spaces[-1]))
        user.wait_for(paper)
        user.tap(target_centre(paper, Reply("-1,2>-1,1")))

    assert run_in_window(lambda display: display.ask(view), act) == "-1,2>-1,1"


def test_a_second_tap_does_not_confirm_a_page_just_opened(run_in_window: RunInWindow) -> None:
    page = bet_page()
    again = target_centre(BET, bet_page())
    targets = paint(pygame.Surface(SIZE, 0, 32), page)
    assert any(target.press == Reply(0) and target.rect.collidepoint(again) for target in targets)

    def act(user: WindowUser) -> None:
        user.wait_for(BET)
        user.tap(again)
        user.tap(again)
        user.wait_for(page)
        user.tap(target_centre(page, replace(page, value=95)))
        user.wait_for(replace(page, value=95))
        user.tap(again)

    assert run_in_window(lambda display: display.ask(BET), act) == 95


def test_no_answer_in_time_answers_none(run_in_window: RunInWindow) -> None:
    question = bet_question(2)
    assert question.seconds_left == 14.0

    def act(user: WindowUser) -> None:
        user.wait_for(question)
        user.tap(target_centre(question, new_draft(question)))
        user.advance(10_000_000_000)
        user.wait_for(new_draft(replace(question, seconds_left=3.8)))
        user.advance(3_500_000_000)

    assert run_in_window(lambda display: display.ask(question), act) is None


def test_no_clock_runs_during_a_hand_over(run_in_window: RunInWindow) -> None:
    prompt = SecretPrompt("bet", dict.fromkeys((1, 2), IntRange(0, 95, 5)), time_limit=TimeLimit(20, default=0))
    view = GroupQuestion(players(2), prompt, 20.0, patience_s=60.0)
    everybody = view.first_page()
    handed = everybody.open_seat(2)
    assert handed.own_page is not None
    own = new_draft(handed.own_page.view)
    minute_ns = 59_000_000_000 - SETTLE_TIME_NS

    def act(user: WindowUser) -> None:
        user.wait_for(everybody)
        user.advance(minute_ns)
        user.tap(target_centre(everybody, handed))
        user.wait_for(handed)
        user.advance(minute_ns)
        user.tap(target_centre(handed, own))
        user.wait_for(replace(own, view=replace(own.view, seconds_left=20.0)))
        user.advance(5_000_000_000)
        user.wait_for(replace(own, view=replace(own.view, seconds_left=14.8)))
        user.advance(15_000_000_000)
        user.wait_for(TimeUpPage(own.view, can_extend=True))
        user.advance(60_000_000_000)

    answer = run_in_window(lambda display: display.ask(view), act)
    assert isinstance(answer, NobodyAnswered) and isinstance(answer.page, GroupQuestionPage) and not answer.page.answers


def test_a_page_has_no_targets_once_answered(run_in_window: RunInWindow) -> None:
    notice = Notice("Hello", "All is well.")

    def play(display: Display) -> object:
        assert isinstance(display, Window)
        display.ask(notice)
        return display.targets

    def act(user: WindowUser) -> None:
        user.wait_for(notice)
        user.tap(target_centre(notice, Reply("go on")))

    assert run_in_window(play, act) == ()


def test_a_count_is_animated_to_the_next_beat(run_in_window: RunInWindow) -> None:
    count = Countdown(players(2), "Round 1", ("ROCK", "PAPER", "SCISSORS", "SHOOT"), 0, beat_s=1.0)
    notice = Notice("Hello", "All is well.")

    def play(display: Display) -> object:
        display.show(count)
        return display.ask(notice) if seen.wait(LIMIT_S) else None

    def act(user: WindowUser) -> None:
        user.wait_for(count)
        user.advance(250_000_000)
        user.wait_for(replace(count, phase=0.5))
        user.advance(9_000_000_000)
        user.wait_for(replace(count, phase=1.0))
        seen.set()
        user.wait_for(notice)
        user.tap(target_centre(notice, Reply("go on")))

    seen = threading.Event()
    assert run_in_window(play, act) == "go on"


def test_a_live_image_stays_and_does_not_restart_the_beat(run_in_window: RunInWindow) -> None:
    count = Countdown(players(2), "Round 1", ("ROCK", "SHOOT"), 0, beat_s=1.0)
    later = replace(count, preview=np.full((90, 160, 3), 90, np.uint8))
    first, second, third = threading.Event(), threading.Event(), threading.Event()

    def play(display: Display) -> bool:
        display.show(count)
        assert first.wait(LIMIT_S)
        display.show(later)
        assert second.wait(LIMIT_S)
        display.show(replace(count, beat=1, beat_s=0.0))
        return third.wait(LIMIT_S)

    def act(user: WindowUser) -> None:
        user.wait_for(count)
        user.advance(250_000_000)
        first.set()
        user.wait_for(replace(later, phase=0.5))
        second.set()
        user.wait_for(replace(later, beat=1, beat_s=0.0))
        third.set()

    assert run_in_window(play, act) is True


def test_keys_reach_every_target(run_in_window: RunInWindow) -> None:
    def act(user: WindowUser) -> None:
        user.wait_for(YES_NO)
        user.press_keys(pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_RETURN)

    assert run_in_window(lambda display: display.ask(YES_NO), act) is False


def test_escape_closes_only_when_pressed_twice_quickly(run_in_window: RunInWindow) -> None:
    notice = Notice("Hello", "All is well.", ("go on", "stop"))

    def act(user: WindowUser) -> None:
        user.wait_for(notice)
        user.press_keys(pygame.K_ESCAPE)
        user.advance(2 * ESCAPE_TWICE_NS)
        user.press_keys(pygame.K_q, pygame.K_q, pygame.K_RIGHT, pygame.K_RETURN)

    assert run_in_window(lambda display: display.ask(notice), act) == "go on"

    def leave(user: WindowUser) -> None:
        user.wait_for(notice)
        user.press_keys(pygame.K_ESCAPE, pygame.K_ESCAPE)

    with pytest.raises(WindowClosedError):
        run_in_window(lambda display: display.ask(notice), leave)


def test_escape_and_a_touch_pause_a_page_of_a_match(run_in_window: RunInWindow) -> None:
    page = YES_NO.first_page()

    def escape(user: WindowUser) -> None:
        user.wait_for(YES_NO)
        user.press_keys(pygame.K_ESCAPE)

    def touch(user: WindowUser) -> None:
        user.wait_for(YES_NO)
        user.tap(target_centre(YES_NO, PAUSE))

    for act in (escape, touch):
        assert run_in_window(lambda display: display.ask(YES_NO), act) == PausedAt(page)


@pytest.mark.parametrize("by", ["finger", "button", "key"])
def test_a_count_is_paused_as_soon_as_it_is_touched(run_in_window: RunInWindow, by: str) -> None:
    """Its views follow each other faster than a finger is lifted, so the touch counts when it begins."""
    held = ButtonEvent(2, ButtonAction.CONFIRM_HOLD, 0)
    count = Countdown(players(2), "Round 1", ("ROCK", "SHOOT"), 0)
    paused, tick = Notice("Paused", "It is so."), threading.Event()

    def play(display: Display) -> object:
        with pytest.raises(PauseRequestedError):
            for _ in range(round(LIMIT_S / 0.005)):
                display.show(count)
                tick.wait(0.005)
        display.show(count)  # once is enough
        return "go on" if by == "key" else display.ask(paused)

    def act(user: WindowUser) -> None:
        user.wait_for(count)
        match by:
            case "finger":
                user.post_finger(target_centre(count, PAUSE), pygame.FINGERDOWN)
            case "button":
                pygame.event.post(pygame.event.Event(BUTTON_EVENT, {"button_event": held}))
            case "key":
                user.press_keys(pygame.K_ESCAPE)
                return
        user.wait_for(paused)
        user.tap(target_centre(paused, Reply("go on")))

    assert run_in_window(play, act) == "go on"


def test_closing_raises_in_ask_and_in_show(run_in_window: RunInWindow) -> None:
    def play(display: Display) -> str:
        with pytest.raises(WindowClosedError):
            display.ask(YES_NO)
        with pytest.raises(WindowClosedError):
            display.show(YES_NO)
        with pytest.raises(WindowClosedError):
            display.ask(YES_NO)
        return "tidied up"

    def act(user: WindowUser) -> None:
        user.wait_for(YES_NO)
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    assert run_in_window(play, act) == "tidied up"


def test_an_error_in_play_is_raised(run_in_window: RunInWindow) -> None:
    def play(display: Display) -> None:
        display.show(YES_NO)
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        run_in_window(play, lambda user: None)
    assert not pygame.display.get_init()


def test_a_window_can_be_opened_again(run_in_window: RunInWindow) -> None:
    assert run_in_window(lambda display: 1, lambda user: None) == 1
    assert run_in_window(lambda display: 2, lambda user: None) == 2
