"""Which GPIO pin each seat's two buttons and its light are on, and the check of such a table, before a wire of it is
touched. Pins go by their GPIO number (BCM), as Raspberry Pi's own documents and gpiozero have them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from device.gpio.buttons import ButtonError

LAST = 27
"""GPIO numbers on the 40-pin header go from 0 to this."""
RESERVED = MappingProxyType({0: "ID_SD", 1: "ID_SC"})
"""Pins that the board itself uses at the start, to read the memory of a HAT."""
HEADER = MappingProxyType(
    {
        2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
        11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
    }
)  # fmt: skip
"""Where each GPIO is on the 40-pin header, counted as printed on the board (Raspberry Pi documentation, GPIO)."""
SHARED = MappingProxyType(
    {
        **dict.fromkeys((2, 3), "I2C"),
        **dict.fromkeys((7, 8, 9, 10, 11), "SPI"),
        **dict.fromkeys((14, 15), "the serial port"),
        **dict.fromkeys((18, 19, 20, 21), "I2S sound"),
    }
)
"""What else may have a pin, where it is switched on in the board's config.txt."""


@dataclass(frozen=True)
class SeatPins:
    """The GPIO numbers of one seat: its two buttons, which connect the pin to ground, and its light, which the pin
    feeds; a seat may have no light."""

    raises: int
    confirm: int
    light: int | None = None

    def named(self) -> Iterator[tuple[str, int]]:
        """What is on which pin, by the names the settings have."""
        yield "raise", self.raises
        yield "confirm", self.confirm
        if self.light is not None:
            yield "light", self.light


USUAL = (
    SeatPins(17, 27, 22),
    SeatPins(23, 24, 25),
    SeatPins(5, 6, 13),
    SeatPins(12, 16, 26),
    SeatPins(19, 20, 21),
    SeatPins(4, 18, 14),
    SeatPins(8, 7, 11),
    SeatPins(15, 9, 10),
)
"""The pins of seats 1 to 8 where nobody set others. ID and I2C stay free. Seats 1 to 4 take no pin that anything of
``SHARED`` wants, seat 5 three of I2S; twenty-four pins are all the rest, so seats 6 to 8 need the serial port and SPI
switched off. No light is on GPIO 0 to 8, which the board pulls up before we run: it would glow."""


def check(seats: Sequence[SeatPins]) -> None:
    """Raises ButtonError for the first pin that is none, is the board's own, or is taken twice."""
    taken: dict[int, str] = {}
    for seat, pins in enumerate(seats, start=1):
        for function, pin in pins.named():
            here = f"seat {seat}'s {function} can't be on GPIO {pin}"
            if not 0 <= pin <= LAST:
                raise ButtonError(f"{here}: the header has GPIO 0 to {LAST}; {_mend(seats)}")
            if pin in RESERVED:
                raise ButtonError(f"{here}: that is {RESERVED[pin]}, which the board keeps for itself; {_mend(seats)}")
            if pin in taken:
                raise ButtonError(f"{here}: {taken[pin]} is there; {_mend(seats)}")
            taken[pin] = f"seat {seat}'s {function}"


def _mend(seats: Sequence[SeatPins]) -> str:
    """Which pins to take instead: those that nothing else may want come first."""
    taken = {pin for pins in seats for _, pin in pins.named()}
    free = sorted(set(range(LAST + 1)) - RESERVED.keys() - taken, key=lambda pin: (pin in SHARED, pin))
    listed = ", ".join(str(pin) for pin in sorted(free[:6]))
    return f"give it another in its [[seat]], of those free for instance {listed}" if free else "no pin is free"


def place(pin: int) -> str:
    """A pin for people who hold a wire: ``GPIO 17 (pin 11 of the header)``."""
    return f"GPIO {pin} (pin {HEADER[pin]} of the header)"
