"""The pins of the seats' buttons and lights by the settings: apart from what opens them, since ``throwlock doctor``
reads them and loads nothing heavy."""

from device.gpio.pins import SeatPins, check_pins
from throwlock.settings.model import Settings


def seat_pins(settings: Settings) -> tuple[SeatPins, ...]:
    """Return the pins of all seats. Raises ButtonError when two clash."""
    pins = tuple(SeatPins(seat.raises, seat.confirm, seat.light) for seat in settings.seat)
    check_pins(pins)
    return pins
