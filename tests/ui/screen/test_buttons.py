"""The window with seats' buttons and a keyboard as their twin: strokes come from any thread, everybody's at the same
time as touches; on other pages they lead a focus that is seen."""

import threading
import time
from collections.abc import Callable

import pygame
import pytest

from device.gpio.buttons import SeatStroke, Stroke
from device.gpio.lights import Sign
from device.simulated.lights import SimulatedLights
from device.system.clock import JumpingClock
from rules.engine import Ask, Span
from tests.ui.screen.test_window import PATIENCE_S, SIZE, Hand, place
from tools.gallery.gallery import players
from ui.screen.core.button_navigation import struck
from ui.screen.core.keys import BELOW, DIGIT_1, SeatKeys
from ui.screen.core.window import HOLD_NS, SETTLE_NS, Window
from ui.screen.drawing.registry import paint
from ui.screen.drawing.theme import TEXT
from ui.screen.pages.ask.group_view import GatherPage, Visit, gathered, next_gather
from ui.screen.pages.ask.view import Open, Reply
from ui.screen.pages.views import Gather, Notice

MS = 1_000_000
RAISE, RUN, CONFIRM, PASS = Stroke.RAISE, Stroke.RUN, Stroke.CONFIRM, Stroke.PASS
NOTICE = Notice("The camera", "is gone.", ("try again", "leave"))


def until(met: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end, tick = time.monotonic() + PATIENCE_S, threading.Event()
    while not met():
        assert time.monotonic() < end, "that never came"
        tick.wait(0.005)


def bets(*, sealed: bool, count: int = 2) -> Gather:
    seats = dict.fromkeys(range(1, count + 1), Span(0, 95, 5))
    return Gather(players(count), Ask("bet", seats, sealed, default=0))


class Seats(Hand):
    """People before a window who have buttons, a keyboard and fingers."""

    def __init__(self, clock: JumpingClock, window: Window) -> None:
        super().__init__(clock)
        self.window = window

    def strikes(self, *strokes: tuple[int, Stroke]) -> None:
        for seat, stroke in strokes:
            self.window.stroke(SeatStroke(seat, stroke, self.clock.now_ns()))

    def key(self, scancode: int, *, down: bool) -> None:
        kind = pygame.KEYDOWN if down else pygame.KEYUP
        pygame.event.post(pygame.event.Event(kind, {"key": 0, "mod": 0, "unicode": "", "scancode": scancode}))

    def taps(self, *scancodes: int) -> None:
        for scancode in scancodes:
            self.key(scancode, down=True)
            self.key(scancode, down=False)


Watched = Callable[[object, Callable[[Seats], None]], object]
LIGHTS = SimulatedLights(8, JumpingClock())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """What a window answers to a view while people do their part; a fault of theirs closes it and fails the test."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")

    def run(view: object, part: Callable[[Seats], None]) -> object:
        clock, faults = JumpingClock(), []
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


def after(view: Gather, *strokes: tuple[int, Stroke]) -> GatherPage:
    page = gathered(view)
    for seat, stroke in strokes:
        came = struck(page, SeatStroke(seat, stroke, 0))
        assert isinstance(came, GatherPage)
        page = came
    return page


def touched(page: GatherPage, press: object) -> GatherPage:
    came = next_gather(page, press)
    assert isinstance(came, GatherPage)
    return came


def test_two_seats_bet_at_the_same_time_and_their_lights_blink_for_each_stroke_that_counts(asked: Watched) -> None:
    LIGHTS.told.clear()
    view = bets(sealed=True)

    def part(seats: Seats) -> None:
        seats.sees(view)
        seats.strikes((1, RAISE), (2, RUN), (1, RAISE), (2, RAISE), (1, CONFIRM))
        seats.sees(after(view, (1, CONFIRM)))
        seats.strikes((1, RAISE), (2, CONFIRM))

    assert asked(view, part) == {1: 10, 2: 30}
    assert (LIGHTS.blinks(1), LIGHTS.blinks(2)) == (3, 3)
    assert {told.sign for told in LIGHTS.told if told.seat == 1} >= {Sign.WAITING, Sign.IN}


def test_strokes_are_not_lost_while_pages_turn_under_fingers(asked: Watched) -> None:
    view = bets(sealed=True)

    def part(seats: Seats) -> None:
        seats.sees(view)
        seats.touches(place(view, Visit(2)))
        handed = touched(gathered(view), Visit(2))
        seats.sees(handed, settle=False)
        seats.strikes((1, RAISE), (1, CONFIRM))  # right after the page turned
        page = touched(after(view, (1, CONFIRM)), Visit(2))
        seats.sees(page)
        seats.touches(place(page, Open()))
        page = touched(page, Open())
        seats.sees(page)
        seats.touches(place(page, Reply(0)))

    assert asked(view, part) == {1: 5, 2: 0}


def test_a_stroke_from_before_the_question_is_for_nothing(asked: Watched) -> None:
    view = bets(sealed=False)

    def part(seats: Seats) -> None:
        seats.sees(view, settle=False)
        seats.strikes((1, CONFIRM), (2, CONFIRM))
        seats.later(SETTLE_NS)
        seats.strikes((1, RAISE))
        seats.sees(after(view, (1, RAISE)))
        seats.strikes((1, CONFIRM), (2, CONFIRM))

    assert asked(view, part) == {1: 5, 2: 0}


def test_the_keyboard_is_the_buttons_twin_by_where_the_keys_are(asked: Watched) -> None:
    view = bets(sealed=False)

    def part(seats: Seats) -> None:
        seats.sees(view)
        seats.taps(DIGIT_1, DIGIT_1 + 1, DIGIT_1, BELOW[0], DIGIT_1 + 1, DIGIT_1 + 1, BELOW[1])

    assert asked(view, part) == {1: 10, 2: 15}


def test_a_key_that_is_held_runs_or_passes(asked: Watched) -> None:
    view = bets(sealed=False)

    def part(seats: Seats) -> None:
        seats.sees(view)
        LIGHTS.told.clear()
        seats.taps(DIGIT_1)
        seats.key(BELOW[0], down=True)
        seats.key(DIGIT_1 + 1, down=True)
        until(lambda: LIGHTS.blinks(2) == 1)
        seats.later(2 * HOLD_NS)
        until(lambda: LIGHTS.blinks(1) == 2 and LIGHTS.blinks(2) > 1)  # one passes: a bet of nothing; the other runs
        seats.key(BELOW[0], down=False)
        seats.key(DIGIT_1 + 1, down=False)
        seats.taps(BELOW[1])

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
    for seat, below in enumerate(BELOW, 1):
        raises, confirms = DIGIT_1 + seat - 1, below
        now = seat * 1_000 * MS
        assert keys.turned(raises, now, True) == [SeatStroke(seat, RAISE, now)]
        assert keys.turned(raises, now, False) == []
        assert keys.turned(confirms, now, True) == []
        assert keys.held
        assert keys.turned(confirms, now, False) == [SeatStroke(seat, CONFIRM, now)]
        assert not keys.held
    assert not keys.has(41), "Escape is nobody's"


def test_keys_held_together_run_and_pass_each_for_its_seat() -> None:
    keys = SeatKeys()
    keys.turned(DIGIT_1, 0, True)
    keys.turned(BELOW[1], 0, True)
    told = keys.until(700 * MS)
    assert [(one.seat, one.stroke) for one in told] == [(1, RUN), (2, PASS)]
    more = keys.until(2_000 * MS)
    assert {one.seat for one in more} == {1}, "a pass is told once, running goes on"
    assert keys.turned(BELOW[1], 2_000 * MS, False) == [], "what was held is no tap"
