"""The keyboard of a PC as the twin of the seats' buttons, by where a key is, whatever the layout: the digit keys 1 to 8
are raise of seats 1 to 8, and the key below each is confirm (Q to I on an English keyboard)."""

from collections.abc import Iterator, Sequence

import pygame

from device.gpio.buttons import SeatStroke, Which
from device.gpio.debounce import OPEN_NS, STEADY_NS, Button
from ui.screen.pages.seating.view import Call, Letter, LettersPage, Rub, SeatPress

DIGIT_1 = 30
"""Scancode of the digit key 1, as of the others in a row: the USB HID usage tables, page 7, which SDL follows."""
BELOW = (20, 26, 8, 21, 23, 28, 24, 12)
"""Scancodes of the keys below the digits 1 to 8."""


def written(page: LettersPage, event: pygame.event.Event) -> Sequence[SeatPress] | None:
    """What a key of a PC means where a name is written: its letters, Backspace and Enter; None for one that is for the
    page as ever, such as an arrow. Letters come as text, with umlauts and accents as the keyboard makes them."""
    if event.type == pygame.TEXTINPUT:
        return [Letter(letter) for letter in event.text]
    if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and page.text.strip():
        return [Call(page.text)]
    if event.type == pygame.KEYDOWN and event.key == pygame.K_BACKSPACE:
        return [Rub()]
    return [] if event.type == pygame.KEYUP or (event.unicode.isprintable() and event.unicode) else None


class SeatKeys:
    """The keys of all seats. A key does not bounce, so what it does is told at once, and taps that a busy machine
    hears in one instant are several all the same."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[int, Button]] = {}
        self._free_ns: dict[int, int] = {}
        for seat, below in enumerate(BELOW, 1):
            self._keys[DIGIT_1 + seat - 1] = (seat, Button(Which.RAISE))
            self._keys[below] = (seat, Button(Which.CONFIRM))

    def has(self, scancode: int) -> bool:
        """Whether a key is one of a seat's."""
        return scancode in self._keys

    def turned(self, scancode: int, now_ns: int, down: bool) -> list[SeatStroke]:
        """The strokes when a key goes ``down`` or up."""
        seat, button = self._keys[scancode]
        when_ns = max(now_ns, self._free_ns.get(scancode, now_ns))
        passes_ns = when_ns + (STEADY_NS if down else OPEN_NS)
        self._free_ns[scancode] = passes_ns
        return [*_told(seat, button, when_ns, down), *_until(seat, button, passes_ns)]

    def until(self, now_ns: int) -> list[SeatStroke]:
        """The strokes of keys that are held."""
        return [stroke for seat, button in self._keys.values() for stroke in _until(seat, button, now_ns)]

    @property
    def held(self) -> bool:
        """Whether any is down."""
        return any(button.down for _, button in self._keys.values())


def _told(seat: int, button: Button, when_ns: int, down: bool) -> Iterator[SeatStroke]:
    return (SeatStroke(seat, stroke, at_ns) for stroke, at_ns in button.edge(when_ns, down))


def _until(seat: int, button: Button, when_ns: int) -> Iterator[SeatStroke]:
    return (SeatStroke(seat, stroke, at_ns) for stroke, at_ns in button.until(when_ns))
