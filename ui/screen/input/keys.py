"""A PC keyboard in place of the seats' buttons, by the position of keys in any layout: the digit keys 1 to 8 are raise
of seats 1 to 8, the key below each is confirm (Q to I on an English keyboard)."""

from collections.abc import Iterator

import pygame

from device.gpio.buttons import ButtonEvent, ButtonName
from device.gpio.debounce import PRESS_CONFIRM_NS, RELEASE_CONFIRM_NS, DebouncedButton
from ui.screen.views import Press, TypingPage

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
    return page if event.type == pygame.KEYUP or (event.unicode.isprintable() and event.unicode) else None


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
        return [*_edge_events(seat, button, when_ns, down), *_hold_events(seat, button, next_ns)]

    def advance(self, now_ns: int) -> list[ButtonEvent]:
        """Return the events of keys that are held, up to ``now_ns``."""
        return [event for seat, button in self._keys.values() for event in _hold_events(seat, button, now_ns)]

    @property
    def any_down(self) -> bool:
        """Whether any of the keys is down."""
        return any(button.down for _, button in self._keys.values())


def _edge_events(seat: int, button: DebouncedButton, when_ns: int, down: bool) -> Iterator[ButtonEvent]:
    return (ButtonEvent(seat, action, time_ns) for action, time_ns in button.edge(when_ns, down))


def _hold_events(seat: int, button: DebouncedButton, when_ns: int) -> Iterator[ButtonEvent]:
    return (ButtonEvent(seat, action, time_ns) for action, time_ns in button.advance(when_ns))
