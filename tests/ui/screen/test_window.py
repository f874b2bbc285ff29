"""The window's loop without a screen (SDL's dummy driver): fingers, mouse and keys, time running out, faults, closing.

A hand in a thread of its own looks at the window's pixels until they are what it waits for, and then touches."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pygame
import pytest

from device.system.clock import SimulatedClock
from ui.screen.core.display import Display, WindowClosedError
from ui.screen.core.page_stack import Page, Press, first_page, next_page
from ui.screen.core.png_display import render_image
from ui.screen.core.window import ESCAPE_TWICE_NS, HOLD_DELAY_NS, REPEAT_INTERVAL_NS, SETTLE_TIME_NS, Window
from ui.screen.drawing.registry import paint
from ui.screen.pages.answers import Reply
from ui.screen.pages.board.samples import POSITION, move_question
from ui.screen.pages.board.view import BoardPage, ProposeMove, SelectPiece
from ui.screen.pages.common.samples import players
from ui.screen.pages.countdown.view import Countdown
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.question.samples import bet_question, choice_question
from ui.screen.pages.question.view import EnterNumber, EntryPage, OpenQuestion, new_draft
from ui.screen.pages.seating.view import (
    KeyboardPage,
    NamePage,
    OpenKeyboard,
    PlanPage,
    SeatingAnswer,
    SeatingView,
    SelectSeat,
    TypeLetter,
)
from ui.screen.pages.views import View

T = TypeVar("T")
SIZE = (800, 480)
YES_NO = choice_question((True, False), "risk")
BET = replace(bet_question(2), seconds_left=None)
PATIENCE_S = 60.0


class Hand:
    """Somebody before the window of the test."""

    def __init__(self, clock: SimulatedClock) -> None:
        self.clock = clock

    def sees(self, view: View | Page, *, under: tuple[int, int] | None = None, settle: bool = True) -> None:
        """Wait until the window shows exactly ``view``, but for the button that the finger at ``under`` hides, then
        let the time pass after which touches count."""
        wanted, tick, end = render_image(view, SIZE), threading.Event(), time.monotonic() + PATIENCE_S
        hidden = pygame.Rect(0, 0, 0, 0)
        if under is not None:
            targets = paint(pygame.Surface(SIZE, 0, 32), view)
            hidden = next(target.rect for target in targets if target.rect.collidepoint(under)).inflate(16, 16)
        while time.monotonic() < end:
            screen = pygame.display.get_surface()
            if screen is not None:
                shown = pygame.surfarray.array3d(screen).swapaxes(0, 1)
                shown[hidden.top : hidden.bottom, hidden.left : hidden.right] = wanted[
                    hidden.top : hidden.bottom, hidden.left : hidden.right
                ]
                if np.array_equal(shown, wanted):
                    self.later(SETTLE_TIME_NS if settle else 0)
                    return
            tick.wait(0.005)
        raise AssertionError(f"the window never showed {view}")

    def later(self, nanoseconds: int) -> None:
        self.clock.wait_until(self.clock.now_ns() + nanoseconds)

    def finger(self, at: tuple[float, float], kind: int, finger: int = 0) -> None:
        x, y = at[0] / (SIZE[0] - 1), at[1] / (SIZE[1] - 1)
        event = {"touch_id": 1, "finger_id": finger, "x": x, "y": y, "dx": 0.0, "dy": 0.0, "pressure": 1.0}
        pygame.event.post(pygame.event.Event(kind, event))

    def mouse(self, at: tuple[int, int], kind: int, *, touch: bool = False, button: int = 1) -> None:
        pygame.event.post(pygame.event.Event(kind, {"pos": at, "button": button, "touch": touch}))

    def touches(self, at: tuple[int, int]) -> None:
        self.finger(at, pygame.FINGERDOWN)
        self.finger(at, pygame.FINGERUP)

    def clicks(self, at: tuple[int, int], *, touch: bool = False, button: int = 1) -> None:
        self.mouse(at, pygame.MOUSEBUTTONDOWN, touch=touch, button=button)
        self.mouse(at, pygame.MOUSEBUTTONUP, touch=touch, button=button)

    def closed(self) -> bool:
        """Whether the window is closed."""
        return not pygame.display.get_init() or pygame.display.get_surface() is None

    def keys(self, *keys: int) -> None:
        for key in keys:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, {"key": key, "mod": 0, "unicode": ""}))


def place(view: View | Page, press: Press) -> tuple[int, int]:
    """The middle of the target on ``view`` that means ``press``."""
    targets = paint(pygame.Surface(SIZE, 0, 32), view)
    return next(target.rect.center for target in targets if target.press == press)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Display], T], Callable[[Hand], None]], T]:
    """Run a play in a window while a hand does its part; a fault of the hand closes the window and fails the test."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")

    def run(play: Callable[[Display], T], part: Callable[[Hand], None]) -> T:
        clock, faults = SimulatedClock(), []

        def act() -> None:
            try:
                part(Hand(clock))
            except BaseException as fault:
                faults.append(fault)
                pygame.event.post(pygame.event.Event(pygame.QUIT))

        hand = threading.Thread(target=act)
        hand.start()
        try:
            return Window(SIZE, clock=clock).run(play)
        finally:
            hand.join()
            if faults:
                raise faults[0]

    return run


Watched = Callable[[Callable[[Display], object], Callable[[Hand], None]], object]


def test_a_sealed_bet_by_finger(watched: Watched) -> None:
    page = new_draft(BET)
    more = next_page(page, EnterNumber(5))
    assert isinstance(more, EntryPage)

    def part(hand: Hand) -> None:
        hand.sees(BET)
        hand.touches(place(BET, OpenQuestion()))
        hand.sees(page)
        hand.touches(place(page, EnterNumber(5)))
        hand.sees(more)
        hand.touches(place(more, Reply(5)))

    assert watched(lambda display: display.ask(BET), part) == 5


def test_a_name_is_written_on_a_keyboard(watched: Watched) -> None:
    """Letters come as text, whatever the layout; they press no seat's button, and Enter is done."""
    view = SeatingView("Classic", ("", ""), (), ((0.25, 0.5), (0.75, 0.5)))
    plan = first_page(view)
    names, letters = next_page(plan, SelectSeat(2)), KeyboardPage(PlanPage(view, ("", "")), 2)
    written = next_page(next_page(letters, TypeLetter("Q")), TypeLetter("ü"))
    assert isinstance(names, NamePage) and isinstance(written, KeyboardPage) and written.text == "Qü"

    def part(hand: Hand) -> None:
        hand.sees(plan)
        hand.touches(place(plan, SelectSeat(2)))
        hand.sees(names)
        hand.touches(place(names, OpenKeyboard()))
        hand.sees(letters)
        for letter in "Qüx":
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, {"text": letter}))
        hand.keys(pygame.K_BACKSPACE, pygame.K_RETURN)
        play, end = place(plan, Reply(SeatingAnswer(("", "")))), time.monotonic() + PATIENCE_S
        while not hand.closed() and time.monotonic() < end:
            hand.later(SETTLE_TIME_NS)
            hand.touches(play)  # a help line is there by now, and the page a little smaller
            threading.Event().wait(0.02)

    assert watched(lambda display: display.ask(view), part) == SeatingAnswer(("", "Qü"))


def test_a_touch_that_comes_as_mouse_too_counts_once(watched: Watched) -> None:
    page = new_draft(BET)
    five, ten = next_page(page, EnterNumber(5)), next_page(page, EnterNumber(10))
    assert isinstance(five, EntryPage)
    assert isinstance(ten, EntryPage)

    def part(hand: Hand) -> None:
        hand.sees(BET)
        hand.touches(place(BET, OpenQuestion()))
        hand.sees(page)
        plus = place(page, EnterNumber(5))
        hand.touches(plus)
        hand.clicks(plus, touch=True)
        hand.touches(plus)
        hand.clicks(plus, touch=True)
        hand.sees(ten)
        hand.touches(place(ten, Reply(10)))

    assert watched(lambda display: display.ask(BET), part) == 10


def test_a_mouse_click_answers_and_other_buttons_do_not(watched: Watched) -> None:
    def part(hand: Hand) -> None:
        hand.sees(YES_NO)
        hand.clicks(place(YES_NO, Reply(True)), button=3)
        hand.clicks(place(YES_NO, Reply(False)))

    assert watched(lambda display: display.ask(YES_NO), part) is False


def test_a_finger_that_slides_off_touches_nothing(watched: Watched) -> None:
    def part(hand: Hand) -> None:
        hand.sees(YES_NO)
        yes, no = place(YES_NO, Reply(True)), place(YES_NO, Reply(False))
        hand.finger(yes, pygame.FINGERDOWN)
        hand.finger((5, 5), pygame.FINGERUP)
        hand.finger(yes, pygame.FINGERDOWN, 1)
        hand.finger(no, pygame.FINGERUP, 1)
        hand.touches(no)

    assert watched(lambda display: display.ask(YES_NO), part) is False


def test_a_second_tap_does_not_answer_the_next_question(watched: Watched) -> None:
    following = replace(YES_NO, seat=1, ask=replace(YES_NO.prompt, seats={1: YES_NO.prompt.seats[2]}))

    def part(hand: Hand) -> None:
        hand.sees(YES_NO)
        hand.touches(place(YES_NO, Reply(True)))
        hand.touches(place(YES_NO, Reply(True)))
        hand.sees(following)
        hand.touches(place(following, Reply(False)))

    assert watched(lambda display: (display.ask(YES_NO), display.ask(following)), part) == (True, False)


def test_a_held_button_goes_on_changing_the_value(watched: Watched) -> None:
    assert REPEAT_INTERVAL_NS < SETTLE_TIME_NS < HOLD_DELAY_NS
    page = new_draft(BET)
    five, ten, fifteen = (replace(page, value=value) for value in (5, 10, 15))

    def part(hand: Hand) -> None:
        hand.sees(BET)
        hand.touches(place(BET, OpenQuestion()))
        hand.sees(page)
        plus = place(page, EnterNumber(5))
        hand.finger(plus, pygame.FINGERDOWN)
        hand.sees(page, under=plus)
        hand.later(HOLD_DELAY_NS)
        hand.sees(five, under=plus)  # each look takes longer than it takes the button to repeat
        hand.sees(ten, under=plus)
        hand.sees(fifteen, under=plus, settle=False)
        hand.finger(plus, pygame.FINGERUP)
        hand.sees(fifteen)
        hand.touches(place(fifteen, Reply(15)))

    assert watched(lambda display: display.ask(BET), part) == 15


def test_a_move_on_the_board_by_finger_though_it_slips(watched: Watched) -> None:
    view = move_question(POSITION)
    board = first_page(view)
    rock, paper = next_page(board, ProposeMove("-2,2>-3,2")), next_page(board, ProposeMove("-1,2>-1,1"))
    assert isinstance(rock, BoardPage)
    assert isinstance(paper, BoardPage)
    taken = next_page(board, SelectPiece(rock.selected))

    def space(of: BoardPage, number: int) -> tuple[int, int]:
        name = of.position.board.space_names[number]
        targets = paint(pygame.Surface(SIZE, 0, 32), of)
        return next(t.rect.center for t in targets if t.label.partition(":")[0] == name)

    def part(hand: Hand) -> None:
        hand.sees(board)
        x, y = space(board, rock.move.origin)
        hand.touches((x + 12, y - 9))
        hand.sees(taken)
        hand.touches(space(taken, paper.move.origin))  # meant to take up the paper, and proposes to run into it
        slip = next_page(taken, ProposeMove("-2,2>-1,2"))
        hand.sees(slip)
        hand.touches(space(slip, paper.move.origin))  # so the paper is touched once more
        hand.sees(next_page(slip, SelectPiece(paper.selected)))
        hand.touches(space(paper, paper.move.landing_spaces[-1]))
        hand.sees(paper)
        hand.touches(place(paper, Reply("-1,2>-1,1")))

    assert watched(lambda display: display.ask(view), part) == "-1,2>-1,1"


def test_a_second_tap_does_not_confirm_what_was_just_opened(watched: Watched) -> None:
    page = new_draft(BET)
    again = place(BET, OpenQuestion())
    targets = paint(pygame.Surface(SIZE, 0, 32), page)
    assert any(target.press == Reply(0) and target.rect.collidepoint(again) for target in targets)

    def part(hand: Hand) -> None:
        hand.sees(BET)
        hand.touches(again)
        hand.touches(again)
        hand.sees(page)
        hand.touches(place(page, EnterNumber(95)))
        hand.sees(replace(page, value=95))
        hand.touches(again)

    assert watched(lambda display: display.ask(BET), part) == 95


def test_time_runs_out(watched: Watched) -> None:
    question = bet_question(2)
    assert question.seconds_left == 14.0

    def part(hand: Hand) -> None:
        hand.sees(question)
        hand.touches(place(question, OpenQuestion()))
        hand.later(10_000_000_000)
        hand.sees(new_draft(replace(question, seconds_left=3.8)))
        hand.later(3_500_000_000)

    assert watched(lambda display: display.ask(question), part) is None


def test_a_count_goes_on_by_itself_to_the_next_beat(watched: Watched) -> None:
    count = Countdown(players(2), "Round 1", ("ROCK", "PAPER", "SCISSORS", "SHOOT"), 0, beat_s=1.0)
    notice = Notice("Hello", "All is well.")

    def play(display: Display) -> object:
        display.show(count)
        return display.ask(notice) if seen.wait(PATIENCE_S) else None

    def part(hand: Hand) -> None:
        hand.sees(count)
        hand.later(250_000_000)
        hand.sees(replace(count, phase=0.5))
        hand.later(9_000_000_000)
        hand.sees(replace(count, phase=1.0))
        seen.set()
        hand.sees(notice)
        hand.touches(place(notice, Reply("go on")))

    seen = threading.Event()
    assert watched(play, part) == "go on"


def test_a_live_picture_does_not_set_the_beat_back_and_stays(watched: Watched) -> None:
    count = Countdown(players(2), "Round 1", ("ROCK", "SHOOT"), 0, beat_s=1.0)
    later = replace(count, preview=np.full((90, 160, 3), 90, np.uint8))
    first, second, third = threading.Event(), threading.Event(), threading.Event()

    def play(display: Display) -> bool:
        display.show(count)
        assert first.wait(PATIENCE_S)
        display.show(later)
        assert second.wait(PATIENCE_S)
        display.show(replace(count, beat=1, seconds=0.0))
        return third.wait(PATIENCE_S)

    def part(hand: Hand) -> None:
        hand.sees(count)
        hand.later(250_000_000)
        first.set()
        hand.sees(replace(later, phase=0.5))
        second.set()
        hand.sees(replace(later, beat=1, seconds=0.0))
        third.set()

    assert watched(play, part) is True


def test_keys_reach_every_target(watched: Watched) -> None:
    def part(hand: Hand) -> None:
        hand.sees(YES_NO)
        hand.keys(pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_RETURN)

    assert watched(lambda display: display.ask(YES_NO), part) is False


def test_escape_leaves_only_when_pressed_twice_soon(watched: Watched) -> None:
    def part(hand: Hand) -> None:
        hand.sees(YES_NO)
        hand.keys(pygame.K_ESCAPE)
        hand.later(2 * ESCAPE_TWICE_NS)
        hand.keys(pygame.K_q, pygame.K_q, pygame.K_RIGHT, pygame.K_RETURN)

    assert watched(lambda display: display.ask(YES_NO), part) is True

    def leave(hand: Hand) -> None:
        hand.sees(YES_NO)
        hand.keys(pygame.K_ESCAPE, pygame.K_ESCAPE)

    with pytest.raises(WindowClosedError):
        watched(lambda display: display.ask(YES_NO), leave)


def test_closing_reaches_play_in_ask_and_in_show(watched: Watched) -> None:
    def play(display: Display) -> str:
        with pytest.raises(WindowClosedError):
            display.ask(YES_NO)
        with pytest.raises(WindowClosedError):
            display.show(YES_NO)
        with pytest.raises(WindowClosedError):
            display.ask(YES_NO)
        return "tidied up"

    def part(hand: Hand) -> None:
        hand.sees(YES_NO)
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    assert watched(play, part) == "tidied up"


def test_what_play_raises_is_raised(watched: Watched) -> None:
    def play(display: Display) -> None:
        display.show(YES_NO)
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        watched(play, lambda hand: None)
    assert not pygame.display.get_init()


def test_a_window_opens_again_after_it_closed(watched: Watched) -> None:
    assert watched(lambda display: 1, lambda hand: None) == 1
    assert watched(lambda display: 2, lambda hand: None) == 2
