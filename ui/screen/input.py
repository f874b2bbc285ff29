"""Input from fingers, keys and buttons, on any page."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pygame
from pygame import Rect

from device.gpio.buttons import ButtonAction, ButtonEvent, ButtonName
from device.gpio.debounce import PRESS_CONFIRM_NS, RELEASE_CONFIRM_NS, DebouncedButton
from messages import is_printable
from ui.screen.drawing.canvas import Target
from ui.screen.pages.draft_buttons import next_draft
from ui.screen.pages.group_question import GroupQuestionPage
from ui.screen.pages.question import Draft, SeatPage, TimeUpPage, new_draft
from ui.screen.pages.zones import ScreenPoint, ZoneDrag, ZonesPage, start_drag
from ui.screen.views import PAUSE, ImageGrip, Page, Press, Reply, TimedView, TypingPage, View

MOVE_EVENTS = (pygame.FINGERMOTION, pygame.MOUSEMOTION)


class Dragging:
    """The zones that fingers drag, by the finger's number."""

    def __init__(self) -> None:
        self._drags: dict[int, ZoneDrag] = {}

    def begin(self, finger: int, page: ZonesPage, grip: ImageGrip, at: ScreenPoint) -> ZonesPage:
        """Put a finger down at ``at``. Return the page, on which it may have taken hold of a zone."""
        drag = start_drag(page, grip, at)
        if drag is not None:
            self._drags[finger] = drag
        return self.move(finger, page, at)

    def move(self, finger: int, page: ZonesPage, at: ScreenPoint) -> ZonesPage:
        """Move a finger to ``at``. Return the page, changed if the finger drags something."""
        drag = self._drags.get(finger)
        return page if drag is None else drag.moved_to(page, at)

    def end(self, finger: int) -> bool:
        """Lift a finger. Return whether it dragged something."""
        return self._drags.pop(finger, None) is not None

    def clear(self) -> None:
        """Lift all fingers, for a new page."""
        self._drags.clear()


def drop_repeated_moves(events: Sequence[pygame.event.Event]) -> list[pygame.event.Event]:
    """Return ``events`` without the movements that are directly followed by another of the same finger: a touchscreen
    may send more than there is time to draw."""
    kept: list[pygame.event.Event] = []
    for event in events:
        before = kept[-1] if kept else None
        if (
            before is not None
            and before.type == event.type
            and event.type in MOVE_EVENTS
            and getattr(before, "finger_id", None) == getattr(event, "finger_id", None)
        ):
            kept.pop()
        kept.append(event)
    return kept


DIGIT_1_SCANCODE = 30
"""Scancode of the digit key 1, followed by the other digits: USB HID usage tables, page 7, as in SDL."""
CONFIRM_SCANCODES = (20, 26, 8, 21, 23, 28, 24, 12)
"""Scancodes of the keys below the digits 1 to 8."""


def type_key(page: TypingPage, event: pygame.event.Event) -> Press | None:
    """Return the page after a key where a text is typed: letters, Backspace and Enter; None for a key that works as on
    any page, such as an arrow. Letters come as text, with the keyboard's umlauts and accents."""
    if event.type == pygame.TEXTINPUT:
        for letter in event.text:
            page = page.type_letter(letter)
        return page
    if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and (done := page.finish()):
        return done
    if event.type == pygame.KEYDOWN and event.key == pygame.K_BACKSPACE:
        return page.with_text(page.text[:-1])
    return page if event.type == pygame.KEYUP or (is_printable(event.unicode) and event.unicode) else None


class SeatKeys:
    """The keys of all seats. A key does not bounce, so it takes effect at once, and taps that arrive in one instant on
    a busy machine still count as several."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[int, DebouncedButton]] = {}
        self._next_press_ns: dict[int, int] = {}
        for seat, confirm_scancode in enumerate(CONFIRM_SCANCODES, 1):
            self._keys[DIGIT_1_SCANCODE + seat - 1] = (seat, DebouncedButton(ButtonName.RAISE))
            self._keys[confirm_scancode] = (seat, DebouncedButton(ButtonName.CONFIRM))

    def is_seat_key(self, scancode: int) -> bool:
        """Return whether a key is one of a seat's."""
        return scancode in self._keys

    def handle_key(self, scancode: int, now_ns: int, down: bool) -> list[ButtonEvent]:
        """Return the events of a key that goes ``down`` or up."""
        seat, button = self._keys[scancode]
        when_ns = max(now_ns, self._next_press_ns.get(scancode, now_ns))
        next_ns = when_ns + (PRESS_CONFIRM_NS if down else RELEASE_CONFIRM_NS)
        self._next_press_ns[scancode] = next_ns
        return [
            *(ButtonEvent(seat, action, time_ns) for action, time_ns in button.edge(when_ns, down)),
            *_hold_events(seat, button, next_ns),
        ]

    def advance(self, now_ns: int) -> list[ButtonEvent]:
        """Return the events of keys that are held, up to ``now_ns``."""
        return [event for seat, button in self._keys.values() for event in _hold_events(seat, button, now_ns)]

    @property
    def any_down(self) -> bool:
        """Whether any of the keys is down."""
        return any(button.down for _, button in self._keys.values())


def _hold_events(seat: int, button: DebouncedButton, when_ns: int) -> Iterator[ButtonEvent]:
    return (ButtonEvent(seat, action, time_ns) for action, time_ns in button.advance(when_ns))


SETTLE_TIME_NS = 250_000_000
"""A touch or button event this soon after a new page was meant for the page before: a second tap on "Confirm" must not
open the next player's sealed page, nor one on "Touch when ready" confirm an empty bet."""
LATE_PRESS_NS = 1_500_000_000
"""The same for a seat's button on a page that comes and goes by itself: people answer without looking at the screen,
and a late answer must not press what the result offers, such as *Undo*."""


def settle_time_ns(page: View) -> int:
    """Return how long after it appeared a page takes no presses of seats' buttons, in ns."""
    return LATE_PRESS_NS if isinstance(page, TimedView) else SETTLE_TIME_NS


@dataclass(frozen=True)
class Focus:
    """The focused place: its target, or once that is gone the nearest one, preferably not the main one, which an extra
    press should not hit; ``None``: nothing is focused yet."""

    rect: Rect | None = None

    def find_target(self, targets: Sequence[Target]) -> Target | None:
        """Return the focused target."""
        rect, candidates = self.rect, focusable(targets)
        if rect is None or not candidates:
            return None
        return min(
            candidates,
            key=lambda target: (target.rect != rect, target.main, math.dist(target.rect.center, rect.center)),
        )

    def move(self, targets: Sequence[Target], by: int = 1) -> "Focus":
        """Return the focus on the next target (``by`` −1: the previous one), wrapping around; at first on the main
        target, or else the first."""
        candidates, current = focusable(targets), self.find_target(targets)
        if not candidates:
            return self
        if current is None:
            target = main_target(targets) or candidates[0]
        else:
            target = candidates[(candidates.index(current) + by) % len(candidates)]
        return Focus(target.rect.copy())


def focusable(targets: Sequence[Target]) -> list[Target]:
    """Return the targets that can be pressed without a finger: not those that are dragged, nor the many small ones of
    a timeline, which has buttons next to it. The pause button comes last."""
    pressable = [target for target in targets if target.grip is None and not target.slides]
    return sorted(pressable, key=lambda target: target.press == PAUSE)


def main_target(targets: Sequence[Target]) -> Target | None:
    """Return the main target, if there is one."""
    return next((target for target in focusable(targets) if target.main), None)


def back_target(targets: Sequence[Target]) -> Target | None:
    """Return the target that goes back, or leaves without a change."""
    return next((target for target in focusable(targets) if target.leads_back), None)


@dataclass(frozen=True)
class ButtonOutcome:
    """The result of a button event."""

    focus: Focus
    result: Press | None = None
    """The new page or the reply; None: neither."""
    counted: bool = True
    """Whether the event counted, so that its seat's light blinks."""


def handle_button(
    page: Page, targets: Sequence[Target], focus: Focus, event: ButtonEvent, *, settled: bool = True
) -> ButtonOutcome:
    """Apply a button event to a page. On a page that asks seats something it always counts for its own seat. Anywhere
    else raise moves the focus, confirm presses the focused target or else the main one, and confirm held goes back;
    but only once the page has ``settled``."""
    if isinstance(page, GroupQuestionPage):
        result = handle_group_button(page, event)
        return ButtonOutcome(Focus(), result, result is not None)
    if not settled:
        return ButtonOutcome(focus, counted=False)
    if event.action in (ButtonAction.RAISE, ButtonAction.RAISE_REPEAT):
        return ButtonOutcome(focus.move(targets))
    target = (
        back_target(targets)
        if event.action is ButtonAction.CONFIRM_HOLD
        else focus.find_target(targets) or main_target(targets)
    )
    if target is None:
        return ButtonOutcome(focus, counted=False)
    return ButtonOutcome(focus, page.press(target.button_press or target.press))


def handle_group_button(page: GroupQuestionPage, event: ButtonEvent) -> Press | None:
    """Return the page that a button event leads to, or the reply it completes; ``None`` where it doesn't count: the
    seat isn't asked, has answered already, or, where the options are secret, somebody else has the screen."""
    seat, own = event.seat, page.own_page
    if seat not in page.waiting:
        return None
    if isinstance(own, TimeUpPage) and own.view.seat == seat:
        if event.action is ButtonAction.CONFIRM_HOLD:
            return page.with_time_out(seat)
        return page.press(new_draft(own.view)) if event.action is ButtonAction.CONFIRM else None
    if not page.view.prompt.is_secret:
        page = page.start_time(seat, by_button=True)
        draft = next_draft(page.drafts[seat], event.action)
        return page.with_reply(seat, draft) if isinstance(draft, Reply) else page.with_draft(draft)
    if own is None:
        return page.hand_over(seat)
    return page.press(_next_own_page(own, event.action)) if own.view.seat == seat else None


def _next_own_page(own: SeatPage, action: ButtonAction) -> Press:
    """Secret options appear on their seat's own page only: the first event asks for the screen, confirm opens it."""
    if isinstance(own, Draft):
        return next_draft(own, action)
    if action is ButtonAction.CONFIRM:
        return new_draft(own.view)
    return Reply(None) if action is ButtonAction.CONFIRM_HOLD else own
