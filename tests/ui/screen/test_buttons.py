"""The window with seats' buttons and a keyboard as their twin: strokes come from any thread, everybody's at the same
time as touches; on other pages they lead a focus that is seen."""

import threading
import time
from collections.abc import Callable

import pygame
import pytest

from device.gpio.buttons import ButtonAction, ButtonEvent
from device.gpio.lights import LightSignal
from device.simulated.lights import SimulatedLights
from device.system.clock import SimulatedClock
from rules.engine import IntRange, Prompt
from tests.ui.screen.test_window import PATIENCE_S, SIZE, Hand, place
from ui.screen.core.button_navigation import handle_group_button
from ui.screen.core.keys import CONFIRM_SCANCODES, DIGIT_1_SCANCODE, SeatKeys
from ui.screen.core.window import HOLD_DELAY_NS, SETTLE_TIME_NS, Window
from ui.screen.drawing.registry import paint
from ui.screen.drawing.theme import TEXT
from ui.screen.pages.answers import Reply
from ui.screen.pages.common.samples import players
from ui.screen.pages.group_question.view import (
    GroupQuestion,
    GroupQuestionPage,
    OpenSeatPage,
    next_group_page,
    open_group_question,
)
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.question.view import OpenQuestion

MS = 1_000_000
RAISE, RUN, CONFIRM, PASS = (
    ButtonAction.RAISE,
    ButtonAction.RAISE_REPEAT,
    ButtonAction.CONFIRM,
    ButtonAction.CONFIRM_HOLD,
)
NOTICE = Notice("The camera", "is gone.", ("try again", "leave"))


def until(met: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end, tick = time.monotonic() + PATIENCE_S, threading.Event()
    while not met():
        assert time.monotonic() < end, "that never came"
        tick.wait(0.005)


def bets(*, sealed: bool, count: int = 2) -> GroupQuestion:
    seats = dict.fromkeys(range(1, count + 1), IntRange(0, 95, 5))
    return GroupQuestion(players(count), Prompt("bet", seats, sealed, default=0))


class Seats(Hand):
    """People before a window who have buttons, a keyboard and fingers."""

    def __init__(self, clock: SimulatedClock, window: Window) -> None:
        super().__init__(clock)
        self.window = window

    def strikes(self, *strokes: tuple[int, ButtonAction]) -> None:
        for seat, stroke in strokes:
            self.window.handle_button(ButtonEvent(seat, stroke, self.clock.now_ns()))

    def key(self, scancode: int, *, down: bool) -> None:
        kind = pygame.KEYDOWN if down else pygame.KEYUP
        pygame.event.post(pygame.event.Event(kind, {"key": 0, "mod": 0, "unicode": "", "scancode": scancode}))

    def taps(self, *scancodes: int) -> None:
        for scancode in scancodes:
            self.key(scancode, down=True)
            self.key(scancode, down=False)


Watched = Callable[[object, Callable[[Seats], None]], object]
LIGHTS = SimulatedLights(8, SimulatedClock())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """What a window answers to a view while people do their part; a fault of theirs closes it and fails the test."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")

    def run(view: object, part: Callable[[Seats], None]) -> object:
        clock, faults = SimulatedClock(), []
        window = Window(SIZE, clock=clock, lights=LIGHTS)

        def act() -> None:
            try:
                part(Seats(clock, window))
            except BaseException as fault:
                faults.append(fault)
                pygame.event.post(pygame.event.Event(pygame.QUIT))

        people = threading.Thread(target=act)
        people.start()
        try:
            return window.run(lambda display: display.ask(view))  # type: ignore[arg-type]
        finally:
            people.join()
            if faults:
                raise faults[0]

    return run


def after(view: GroupQuestion, *strokes: tuple[int, ButtonAction]) -> GroupQuestionPage:
    page = open_group_question(view)
    for seat, stroke in strokes:
        came = handle_group_button(page, ButtonEvent(seat, stroke, 0))
        assert isinstance(came, GroupQuestionPage)
        page = came
    return page


def touched(page: GroupQuestionPage, press: object) -> GroupQuestionPage:
    came = next_group_page(page, press)
    assert isinstance(came, GroupQuestionPage)
    return came


def test_two_seats_bet_at_the_same_time_and_their_lights_blink_for_each_stroke_that_counts(asked: Watched) -> None:
    LIGHTS.commands.clear()
    view = bets(sealed=True)

    def part(seats: Seats) -> None:
        seats.sees(view)
        seats.strikes((1, RAISE), (2, RUN), (1, RAISE), (2, RAISE), (1, CONFIRM))
        seats.sees(after(view, (1, CONFIRM)))
        seats.strikes((1, RAISE), (2, CONFIRM))

    assert asked(view, part) == {1: 10, 2: 30}
    assert (LIGHTS.blink_count(1), LIGHTS.blink_count(2)) == (3, 3)
    assert {told.signal for told in LIGHTS.commands if told.seat == 1} >= {LightSignal.WAITING, LightSignal.ANSWERED}


def test_strokes_are_not_lost_while_pages_turn_under_fingers(asked: Watched) -> None:
    view = bets(sealed=True)

    def part(seats: Seats) -> None:
        seats.sees(view)
        seats.touches(place(view, OpenSeatPage(2)))
        handed = touched(open_group_question(view), OpenSeatPage(2))
        seats.sees(handed, settle=False)
        seats.strikes((1, RAISE), (1, CONFIRM))  # right after the page turned
        page = touched(after(view, (1, CONFIRM)), OpenSeatPage(2))
        seats.sees(page)
        seats.touches(place(page, OpenQuestion()))
        page = touched(page, OpenQuestion())
        seats.sees(page)
        seats.touches(place(page, Reply(0)))

    assert asked(view, part) == {1: 5, 2: 0}


def test_a_stroke_from_before_the_question_is_for_nothing(asked: Watched) -> None:
    view = bets(sealed=False)

    def part(seats: Seats) -> None:
        seats.sees(view, settle=False)
        seats.strikes((1, CONFIRM), (2, CONFIRM))
        seats.later(SETTLE_TIME_NS)
        seats.strikes((1, RAISE))
        seats.sees(after(view, (1, RAISE)))
        seats.strikes((1, CONFIRM), (2, CONFIRM))

    assert asked(view, part) == {1: 5, 2: 0}


def test_the_keyboard_is_the_buttons_twin_by_where_the_keys_are(asked: Watched) -> None:
    view = bets(sealed=False)

    def part(seats: Seats) -> None:
        seats.sees(view)
        seats.taps(
            DIGIT_1_SCANCODE,
            DIGIT_1_SCANCODE + 1,
            DIGIT_1_SCANCODE,
            CONFIRM_SCANCODES[0],
            DIGIT_1_SCANCODE + 1,
            DIGIT_1_SCANCODE + 1,
            CONFIRM_SCANCODES[1],
        )

    assert asked(view, part) == {1: 10, 2: 15}


def test_a_key_that_is_held_runs_or_passes(asked: Watched) -> None:
    view = bets(sealed=False)

    def part(seats: Seats) -> None:
        seats.sees(view)
        LIGHTS.commands.clear()
        seats.taps(DIGIT_1_SCANCODE)
        seats.key(CONFIRM_SCANCODES[0], down=True)
        seats.key(DIGIT_1_SCANCODE + 1, down=True)
        until(lambda: LIGHTS.blink_count(2) == 1)
        seats.later(2 * HOLD_DELAY_NS)
        until(
            lambda: LIGHTS.blink_count(1) == 2 and LIGHTS.blink_count(2) > 1
        )  # one passes: a bet of nothing; the other runs
        seats.key(CONFIRM_SCANCODES[0], down=False)
        seats.key(DIGIT_1_SCANCODE + 1, down=False)
        seats.taps(CONFIRM_SCANCODES[1])

    given = asked(view, part)
    assert isinstance(given, dict)
    assert given[1] == 0
    assert given[2] >= 30


def test_raise_goes_on_and_confirm_presses_and_the_focus_is_seen_on_the_main_button_first(asked: Watched) -> None:
    targets = paint(pygame.Surface(SIZE, 0, 32), NOTICE)
    first = next(target for target in targets if target.main)

    def framed() -> bool:
        screen = pygame.display.get_surface()
        edge = first.rect.inflate(2, 2)
        return screen is not None and screen.get_at(edge.midtop)[:3] == TEXT

    def part(seats: Seats) -> None:
        seats.sees(NOTICE)
        assert not framed()
        seats.strikes((7, RAISE))
        until(framed)
        seats.strikes((3, RAISE), (5, CONFIRM))

    assert asked(NOTICE, part) == "leave"


def test_every_seat_has_its_two_keys_and_what_they_do_is_told_at_once() -> None:
    keys = SeatKeys()
    for seat, below in enumerate(CONFIRM_SCANCODES, 1):
        raises, confirms = DIGIT_1_SCANCODE + seat - 1, below
        now = seat * 1_000 * MS
        assert keys.handle_key(raises, now, True) == [ButtonEvent(seat, RAISE, now)]
        assert keys.handle_key(raises, now, False) == []
        assert keys.handle_key(confirms, now, True) == []
        assert keys.any_down
        assert keys.handle_key(confirms, now, False) == [ButtonEvent(seat, CONFIRM, now)]
        assert not keys.any_down
    assert not keys.is_seat_key(41), "Escape is nobody's"


def test_keys_held_together_run_and_pass_each_for_its_seat() -> None:
    keys = SeatKeys()
    keys.handle_key(DIGIT_1_SCANCODE, 0, True)
    keys.handle_key(CONFIRM_SCANCODES[1], 0, True)
    told = keys.advance(700 * MS)
    assert [(one.seat, one.action) for one in told] == [(1, RUN), (2, PASS)]
    more = keys.advance(2_000 * MS)
    assert {one.seat for one in more} == {1}, "a pass is told once, running goes on"
    assert keys.handle_key(CONFIRM_SCANCODES[1], 2_000 * MS, False) == [], "what was held is no tap"
