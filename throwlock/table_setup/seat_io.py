"""The seats' buttons and lights as the settings have them: opens what is there, says in words what is missing, and lets
whoever wired them try each."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Self

from device.gpio.buttons import ButtonError, Buttons, SeatStroke, Stroke, Which
from device.gpio.debounce import MS, Holding
from device.gpio.gpio import GpioButtons, GpioLights, open_pins
from device.gpio.lights import Lights, Sign
from device.gpio.pins import SeatPins, check
from device.system.clock import Clock
from throwlock.settings.model import Settings, SettingsError, read, usual_place

Tell = Callable[[str], None]
SHINE_NS = 1_500 * MS
"""How long each light shines when they are tried."""
QUIET_NS = 20_000 * MS
"""Trying the buttons ends when nobody pressed one for so long."""
LOOK_NS = 50 * MS
"""Between two looks at what was pressed."""
WHICH = {Stroke.RAISE: Which.RAISE, Stroke.RUN: Which.RAISE, Stroke.CONFIRM: Which.CONFIRM, Stroke.PASS: Which.CONFIRM}


class SeatHardware:
    """The seats' buttons and lights; ``None`` for what is not there. What can't be used is told in a line (``tell``),
    and the box goes on without: nothing is raised."""

    def __init__(self, buttons: Buttons | None = None, lights: Lights | None = None, tell: Tell = print) -> None:
        self.buttons, self.lights = buttons, lights
        self._tell = tell

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def listen(self, heard: Callable[[SeatStroke], None]) -> None:
        """Every stroke goes to ``heard`` from now on, from whatever thread it comes."""
        if self.buttons is not None:
            try:
                self.buttons.start(heard)
            except ButtonError as fault:
                self.buttons = None
                self._tell(str(fault))

    def close(self) -> None:
        """All off, and let go of the pins; may be called twice."""
        if self.buttons is not None:
            self.buttons.stop()
        if self.lights is not None:
            self.lights.stop()


def pins_of(settings: Settings) -> tuple[SeatPins, ...]:
    """The table of pins. Raises ButtonError where it clashes."""
    pins = tuple(SeatPins(seat.raises, seat.confirm, seat.light) for seat in settings.seat)
    check(pins)
    return pins


def open_seats(settings: Settings, clock: Clock, tell: Tell, factory: Any = None) -> SeatHardware:
    """The buttons, which nobody listens to yet, and the lights. ``factory`` is gpiozero's, of this board's pins where
    none is given."""
    holding = Holding(settings.buttons.hold_ms * MS, settings.buttons.run_ms * MS)
    try:
        pins = pins_of(settings)
        factory = factory or open_pins()
        lights = GpioLights(factory, pins, clock, tell)
        return SeatHardware(GpioButtons(factory, pins, clock, tell, holding), lights, tell)
    except ButtonError as fault:
        tell(str(fault))
        return SeatHardware()


def seats_at(asked: bool, clock: Clock, tell: Tell) -> SeatHardware:
    """The seats' buttons and lights of this box, where they are ``asked`` for or switched on in the settings; none
    where those can't be read."""
    try:
        kept = read(usual_place())
    except SettingsError as fault:
        if asked:
            tell(str(fault))
        return SeatHardware()
    return open_seats(kept, clock, tell) if asked or kept.buttons.on else SeatHardware()


def lacking(settings: Settings, clock: Clock, factory: Any) -> dict[str, list[str]]:
    """What is lacking of ``buttons lacking`` and ``lights lacking``, in words: pins that can't be had, buttons that are
    down though nobody was asked to press one. Raises ButtonError for a table of pins that clashes."""
    pins = pins_of(settings)
    dark: list[str] = []
    GpioLights(factory, pins, clock, dark.append).stop()
    deaf: list[str] = []
    buttons = GpioButtons(factory, pins, clock, deaf.append)
    try:
        buttons.start(lambda stroke: None)
        deaf += [f"seat {seat}'s {which} is down" for seat, which in buttons.down]
    except ButtonError as fault:
        deaf.append(str(fault))
    finally:
        buttons.stop()
    return {"buttons lacking": deaf, "lights lacking": dark}


def try_seats(seats: SeatHardware, clock: Clock, tell: Tell) -> None:
    """Let every light shine in turn; then tell every button that is pressed, and blink with it, until all have been or
    nobody has pressed one for a while."""
    if (lights := seats.lights) is not None:
        for seat in range(1, lights.seats + 1):
            tell(f"seat {seat}'s light shines")
            lights.show(seat, Sign.IN)
            clock.wait_until(clock.now_ns() + SHINE_NS)
            lights.show(seat, Sign.OFF)
    strokes = deque[SeatStroke]()
    seats.listen(strokes.append)
    if seats.buttons is None:
        return
    left = [(seat, which) for seat in range(1, seats.buttons.seats + 1) for which in Which]
    tell(f"press each of the {len(left)} buttons")
    last_ns = clock.now_ns()
    while left and clock.now_ns() - last_ns < QUIET_NS:
        clock.wait_until(clock.now_ns() + LOOK_NS)
        while strokes:
            stroke = strokes.popleft()
            last_ns = clock.now_ns()
            pressed = stroke.seat, WHICH[stroke.stroke]
            tell(f"seat {stroke.seat}: {pressed[1]} ({stroke.stroke})")
            if lights is not None:
                lights.blink(stroke.seat)
            left = [button for button in left if button != pressed]
    tell(f"not heard of: {_listed(left)}" if left else "every button was heard")


def _listed(buttons: Sequence[tuple[int, Which]]) -> str:
    return ", ".join(f"seat {seat}'s {which}" for seat, which in buttons)
