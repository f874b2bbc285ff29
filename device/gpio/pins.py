"""The GPIO pins of each seat's two buttons and light, and their validation. Pins are numbered by GPIO (BCM), as in
Raspberry Pi's documentation and gpiozero."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from device.gpio.buttons import ButtonError
from messages import LazyText, N

MAX_GPIO = 27
"""The highest GPIO number on the 40-pin header; the lowest is 0."""
RESERVED_PINS = MappingProxyType({0: "ID_SD", 1: "ID_SC"})
"""Pins the board uses at boot, to read the EEPROM of a HAT."""
HEADER_PIN_BY_GPIO = MappingProxyType(
    {
        2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
        11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
    }
)  # fmt: skip
"""The header pin of each GPIO, counted as on the board (Raspberry Pi documentation, GPIO)."""
SHARED_PINS = MappingProxyType(
    {
        **dict.fromkeys((2, 3), "I2C"),
        **dict.fromkeys((7, 8, 9, 10, 11), "SPI"),
        **dict.fromkeys((14, 15), "the serial port"),
        **dict.fromkeys((18, 19, 20, 21), "I2S sound"),
    }
)
"""What else may use a pin, if enabled in the board's config.txt."""

FUNCTION_WORDS = MappingProxyType(
    {"raise": N("raise", "a button"), "confirm": N("confirm", "a button"), "light": N("light")}
)
"""The functions of a seat's pins, as words within a sentence."""


@dataclass(frozen=True)
class SeatPins:
    """The GPIO numbers of one seat."""

    raises: int
    """The raise button, which connects the pin to ground."""
    confirm: int
    """The confirm button, likewise."""
    light: int | None = None
    """The light, which the pin feeds; None: the seat has none."""

    def functions(self) -> Iterator[tuple[str, int]]:
        """Yield each function, as named in the settings, with its pin."""
        yield "raise", self.raises
        yield "confirm", self.confirm
        if self.light is not None:
            yield "light", self.light


DEFAULT_SEAT_PINS = (
    SeatPins(17, 27, 22),
    SeatPins(23, 24, 25),
    SeatPins(5, 6, 13),
    SeatPins(12, 16, 26),
    SeatPins(19, 20, 21),
    SeatPins(4, 18, 14),
    SeatPins(8, 7, 11),
    SeatPins(15, 9, 10),
)
"""The default pins of seats 1 to 8. The ID and I2C pins stay free. Seats 1 to 4 use none of ``SHARED_PINS``, seat 5
uses three of I2S. The eight seats take all 24 remaining pins, so seats 6 to 8 need the serial port and SPI switched
off. No light is on GPIO 0 to 8, which the board pulls up at boot: it would glow."""


def check_pins(seats: Sequence[SeatPins]) -> None:
    """Raise ButtonError for the first pin that does not exist, is reserved, or is used twice."""
    users: dict[int, LazyText] = {}
    free_pins = _suggest_free_pins(seats)
    for seat, pins in enumerate(seats, start=1):
        for function, pin in pins.functions():
            button = FUNCTION_WORDS[function]
            problem = N("seat {seat}’s {button} can’t be on GPIO {pin}", seat=seat, button=button, pin=pin)
            facts = {"problem": problem, "free_pins": free_pins}
            if not 0 <= pin <= MAX_GPIO:
                raise ButtonError(
                    N("{problem}: the header has GPIO 0 to {highest}; {free_pins}", highest=MAX_GPIO, **facts)
                )
            if pin in RESERVED_PINS:
                use = RESERVED_PINS[pin]
                raise ButtonError(
                    N("{problem}: that is {use}, which the board reserves; {free_pins}", use=use, **facts)
                )
            if pin in users:
                raise ButtonError(N("{problem}: {user} uses it; {free_pins}", user=users[pin], **facts))
            users[pin] = N("seat {seat}’s {button}", seat=seat, button=button)


def _suggest_free_pins(seats: Sequence[SeatPins]) -> LazyText:
    """Suggest free pins, those that nothing else may use first."""
    used = {pin for pins in seats for _, pin in pins.functions()}
    free = sorted(set(range(MAX_GPIO + 1)) - RESERVED_PINS.keys() - used, key=lambda pin: (pin in SHARED_PINS, pin))
    suggestions = ", ".join(str(pin) for pin in sorted(free[:6]))
    if not free:
        return N("no pin is free")
    return N("choose another in its [[seat]], for instance {suggestions}", suggestions=suggestions)


def pin_label(pin: int) -> LazyText:
    """Return a pin's name for people with a wire in hand: ``GPIO 17 (pin 11 of the header)``."""
    return N("GPIO {gpio} (pin {pin} of the header)", gpio=pin, pin=HEADER_PIN_BY_GPIO[pin])
