"""The window with the seats' buttons, or a keyboard in their place: events come from any thread, everybody's at the
same time as touches; on other pages they move a visible focus."""

import threading
from collections.abc import Callable

import pygame
import pytest

from device.gpio.buttons import ButtonAction, ButtonEvent
from device.gpio.lights import LightSignal
from device.simulated.controls import SimulatedLights
from device.system.clock import SimulatedClock
from rules.engine import IntRange, Prompt, SealedPrompt
from tests.helpers.samples.common import players
from tests.helpers.waiting import wait_until
from tests.helpers.window_users import SIZE, WindowUser, target_centre
from ui.screen.core.registry import paint
from ui.screen.core.window import HOLD_DELAY_NS, Window
from ui.screen.drawing.theme import TEXT
from ui.screen.input import CONFIRM_SCANCODES, DIGIT_1_SCANCODE, SETTLE_TIME_NS, SeatKeys, handle_group_button
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.notice import Notice
from ui.screen.pages.question import new_draft
from ui.screen.views import Page, Reply

MS = 1_000_000
RAISE, REPEAT, CONFIRM, PASS = (
    ButtonAction.RAISE,
    ButtonAction.RAISE_REPEAT,
    ButtonAction.CONFIRM,
    ButtonAction.CONFIRM_HOLD,
)
NOTICE = Notice("The camera", "is gone.", ("try again", "leave"))


def bet_question(*, sealed: bool, count: int = 2) -> GroupQuestion:
    seats = dict.fromkeys(range(1, count + 1), IntRange(0, 95, 5))
    return GroupQuestion(players(count), (SealedPrompt if sealed else Prompt)("bet", seats))


class ButtonUser(WindowUser):
    """A simulated user with buttons, a keyboard and fingers."""

    def __init__(self, clock: SimulatedClock, window: Window) -> None:
        super().__init__(clock)
        self.window = window

    def press_buttons(self, *actions: tuple[int, ButtonAction]) -> None:
        for seat, action in actions:
            self.window.handle_button(ButtonEvent(seat, action, self.clock.now_ns()))

    def post_key(self, scancode: int, *, down: bool) -> None:
        kind = pygame.KEYDOWN if down else pygame.KEYUP
        pygame.event.post(pygame.event.Event(kind, {"key": 0, "mod": 0, "unicode": "", "scancode": scancode}))

    def tap_keys(self, *scancodes: int) -> None:
        for scancode in scancodes:
            self.post_key(scancode, down=True)
            self.post_key(scancode, down=False)


AskWindow = Callable[[object, Callable[[ButtonUser], None]], object]
LIGHTS = SimulatedLights(8, SimulatedClock())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> AskWindow:
    """Return a function that asks a view in a window while users act; an error of theirs closes it and fails the
    test."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")

    def run(view: object, act: Callable[[ButtonUser], None]) -> object:
        clock, errors = SimulatedClock(), []
        window = Window(SIZE, clock=clock, lights=LIGHTS)

        def run_user() -> None:
            try:
                act(ButtonUser(clock, window))
            except BaseException as error:
                errors.append(error)
                pygame.event.post(pygame.event.Event(pygame.QUIT))

        people = threading.Thread(target=run_user)
        people.start()
        try:
            return window.run(lambda display: display.ask(view))  # type: ignore[arg-type]
        finally:
            people.join()
            if errors:
                raise errors[0]

    return run


def page_after(view: GroupQuestion, *actions: tuple[int, ButtonAction]) -> GroupQuestionPage:
    page = view.first_page()
    for seat, action in actions:
        result = handle_group_button(page, ButtonEvent(seat, action, 0))
        assert isinstance(result, GroupQuestionPage)
        page = result
    return page


def press(page: GroupQuestionPage, press: Page | Reply) -> GroupQuestionPage:
    result = page.press(press)
    assert isinstance(result, GroupQuestionPage)
    return result


def test_two_seats_bet_at_once(asked: AskWindow) -> None:
    LIGHTS.commands.clear()
    view = bet_question(sealed=True)

    def act(user: ButtonUser) -> None:
        user.wait_for(view)
        user.press_buttons((1, RAISE), (2, REPEAT), (1, RAISE), (2, RAISE), (1, CONFIRM))
        user.wait_for(page_after(view, (1, CONFIRM)))
        user.press_buttons((1, RAISE), (2, CONFIRM))

    assert asked(view, act) == {1: 10, 2: 30}
    assert (LIGHTS.blink_count(1), LIGHTS.blink_count(2)) == (3, 3)
    assert {told.signal for told in LIGHTS.commands if told.seat == 1} >= {LightSignal.WAITING, LightSignal.ANSWERED}


def test_button_events_are_not_lost_while_fingers_turn_pages(asked: AskWindow) -> None:
    view = bet_question(sealed=True)

    def act(user: ButtonUser) -> None:
        user.wait_for(view)
        user.tap(target_centre(view, view.first_page().open_seat(2)))
        handed = view.first_page().open_seat(2)
        user.wait_for(handed, settle=False)
        user.press_buttons((1, RAISE), (1, CONFIRM))  # right after the page changed
        page = page_after(view, (1, CONFIRM)).open_seat(2)
        user.wait_for(page)
        user.tap(target_centre(page, new_draft(page.own_page.view)))
        page = page.with_own_page(new_draft(page.own_page.view))
        user.wait_for(page)
        user.tap(target_centre(page, Reply(0)))

    assert asked(view, act) == {1: 5, 2: 0}


def test_a_button_event_from_before_the_question_is_ignored(asked: AskWindow) -> None:
    view = bet_question(sealed=False)

    def act(user: ButtonUser) -> None:
        user.wait_for(view, settle=False)
        user.press_buttons((1, CONFIRM), (2, CONFIRM))
        user.advance(SETTLE_TIME_NS)
        user.press_buttons((1, RAISE))
        user.wait_for(page_after(view, (1, RAISE)))
        user.press_buttons((1, CONFIRM), (2, CONFIRM))

    assert asked(view, act) == {1: 5, 2: 0}


def test_keys_act_as_buttons_by_their_position(asked: AskWindow) -> None:
    view = bet_question(sealed=False)

    def act(user: ButtonUser) -> None:
        user.wait_for(view)
        user.tap_keys(
            DIGIT_1_SCANCODE,
            DIGIT_1_SCANCODE + 1,
            DIGIT_1_SCANCODE,
            CONFIRM_SCANCODES[0],
            DIGIT_1_SCANCODE + 1,
            DIGIT_1_SCANCODE + 1,
            CONFIRM_SCANCODES[1],
        )

    assert asked(view, act) == {1: 10, 2: 15}


def test_a_held_key_repeats_or_passes(asked: AskWindow) -> None:
    view = bet_question(sealed=False)

    def act(user: ButtonUser) -> None:
        user.wait_for(view)
        LIGHTS.commands.clear()
        user.tap_keys(DIGIT_1_SCANCODE)
        user.post_key(CONFIRM_SCANCODES[0], down=True)
        user.post_key(DIGIT_1_SCANCODE + 1, down=True)
        wait_until(lambda: LIGHTS.blink_count(2) == 1)
        user.advance(2 * HOLD_DELAY_NS)
        wait_until(
            lambda: LIGHTS.blink_count(1) == 2 and LIGHTS.blink_count(2) > 1
        )  # one passes, which is no bet; the other repeats
        user.post_key(CONFIRM_SCANCODES[0], down=False)
        user.post_key(DIGIT_1_SCANCODE + 1, down=False)
        user.tap_keys(CONFIRM_SCANCODES[1])

    given = asked(view, act)
    assert isinstance(given, dict)
    assert given[1] == 0
    assert given[2] >= 30


def test_raise_moves_the_focus_from_the_main_button_and_confirm_presses(asked: AskWindow) -> None:
    targets = paint(pygame.Surface(SIZE, 0, 32), NOTICE)
    first = next(target for target in targets if target.main)

    def framed() -> bool:
        screen = pygame.display.get_surface()
        edge = first.rect.inflate(2, 2)
        return screen is not None and screen.get_at(edge.midtop)[:3] == TEXT

    def act(user: ButtonUser) -> None:
        user.wait_for(NOTICE)
        assert not framed()
        user.press_buttons((7, RAISE))
        wait_until(framed)
        user.press_buttons((3, RAISE), (5, CONFIRM))

    assert asked(NOTICE, act) == "leave"


def test_every_seat_has_two_keys_that_act_at_once() -> None:
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
    assert not keys.is_seat_key(41), "Escape is no seat's key"


def test_keys_held_together_act_each_for_its_seat() -> None:
    keys = SeatKeys()
    keys.handle_key(DIGIT_1_SCANCODE, 0, True)
    keys.handle_key(CONFIRM_SCANCODES[1], 0, True)
    told = keys.advance(700 * MS)
    assert [(one.seat, one.action) for one in told] == [(1, REPEAT), (2, PASS)]
    more = keys.advance(2_000 * MS)
    assert {one.seat for one in more} == {1}, "a pass comes once, raise repeats"
    assert keys.handle_key(CONFIRM_SCANCODES[1], 2_000 * MS, False) == [], "a hold is no tap"
