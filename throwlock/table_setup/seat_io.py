"""The seats' buttons and lights as the settings have them: opens what is there, says in words what is missing, and lets
whoever wired them try each."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Self

from device.gpio.buttons import ButtonAction, ButtonError, ButtonEvent, ButtonName, Buttons
from device.gpio.debounce import MS, HoldTimes
from device.gpio.gpiozero_devices import GpioButtons, GpioLights, open_pin_factory
from device.gpio.lights import Lights, LightSignal
from device.gpio.pins import SeatPins, check_pins
from device.system.clock import Clock
from throwlock.settings.model import Settings, SettingsError, default_settings_path, read_settings

Report = Callable[[str], None]
LIGHT_TEST_NS = 1_500 * MS
"""How long each light shines when they are tried."""
IDLE_TIMEOUT_NS = 20_000 * MS
"""Trying the buttons ends when nobody pressed one for so long."""
POLL_INTERVAL_NS = 50 * MS
"""Between two looks at what was pressed."""
BUTTON_OF_STROKE = {
    ButtonAction.RAISE: ButtonName.RAISE,
    ButtonAction.RAISE_REPEAT: ButtonName.RAISE,
    ButtonAction.CONFIRM: ButtonName.CONFIRM,
    ButtonAction.CONFIRM_HOLD: ButtonName.CONFIRM,
}


class SeatHardware:
    """The seats' buttons and lights; ``None`` for what is not there. What can't be used is told in a line (``tell``),
    and the box goes on without: nothing is raised."""

    def __init__(self, buttons: Buttons | None = None, lights: Lights | None = None, report: Report = print) -> None:
        self.buttons, self.lights = buttons, lights
        self._report = report

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def listen(self, on_stroke: Callable[[ButtonEvent], None]) -> None:
        """Every stroke goes to ``heard`` from now on, from whatever thread it comes."""
        if self.buttons is not None:
            try:
                self.buttons.start(on_stroke)
            except ButtonError as fault:
                self.buttons = None
                self._report(str(fault))

    def close(self) -> None:
        """All off, and let go of the pins; may be called twice."""
        if self.buttons is not None:
            self.buttons.stop()
        if self.lights is not None:
            self.lights.stop()


def seat_pins(settings: Settings) -> tuple[SeatPins, ...]:
    """The table of pins. Raises ButtonError where it clashes."""
    pins = tuple(SeatPins(seat.raises, seat.confirm, seat.light) for seat in settings.seat)
    check_pins(pins)
    return pins


def open_seat_hardware(settings: Settings, clock: Clock, report: Report, factory: Any = None) -> SeatHardware:
    """The buttons, which nobody listens to yet, and the lights. ``factory`` is gpiozero's, of this board's pins where
    none is given."""
    holding = HoldTimes(settings.buttons.hold_ms * MS, settings.buttons.repeat_ms * MS)
    try:
        pins = seat_pins(settings)
        factory = factory or open_pin_factory()
        lights = GpioLights(factory, pins, clock, report)
        return SeatHardware(GpioButtons(factory, pins, clock, report, holding), lights, report)
    except ButtonError as fault:
        report(str(fault))
        return SeatHardware()


def open_seat_hardware_if_enabled(requested: bool, clock: Clock, report: Report) -> SeatHardware:
    """The seats' buttons and lights of this box, where they are ``asked`` for or switched on in the settings; none
    where those can't be read."""
    try:
        kept = read_settings(default_settings_path())
    except SettingsError as fault:
        if requested:
            report(str(fault))
        return SeatHardware()
    return open_seat_hardware(kept, clock, report) if requested or kept.buttons.on else SeatHardware()


def find_missing_hardware(settings: Settings, clock: Clock, factory: Any) -> dict[str, list[str]]:
    """What is lacking of ``buttons lacking`` and ``lights lacking``, in words: pins that can't be had, buttons that are
    down though nobody was asked to press one. Raises ButtonError for a table of pins that clashes."""
    pins = seat_pins(settings)
    dark: list[str] = []
    GpioLights(factory, pins, clock, dark.append).stop()
    deaf: list[str] = []
    buttons = GpioButtons(factory, pins, clock, deaf.append)
    try:
        buttons.start(lambda stroke: None)
        deaf += [f"seat {seat}'s {which} is down" for seat, which in buttons.closed_buttons]
    except ButtonError as fault:
        deaf.append(str(fault))
    finally:
        buttons.stop()
    return {"buttons lacking": deaf, "lights lacking": dark}


def try_seat_hardware(seats: SeatHardware, clock: Clock, report: Report) -> None:
    """Let every light shine in turn; then tell every button that is pressed, and blink with it, until all have been or
    nobody has pressed one for a while."""
    if (lights := seats.lights) is not None:
        for seat in range(1, lights.seats + 1):
            report(f"seat {seat}'s light shines")
            lights.show(seat, LightSignal.ANSWERED)
            clock.wait_until(clock.now_ns() + LIGHT_TEST_NS)
            lights.show(seat, LightSignal.OFF)
    strokes = deque[ButtonEvent]()
    seats.listen(strokes.append)
    if seats.buttons is None:
        return
    left = [(seat, which) for seat in range(1, seats.buttons.seats + 1) for which in ButtonName]
    report(f"press each of the {len(left)} buttons")
    last_ns = clock.now_ns()
    while left and clock.now_ns() - last_ns < IDLE_TIMEOUT_NS:
        clock.wait_until(clock.now_ns() + POLL_INTERVAL_NS)
        while strokes:
            stroke = strokes.popleft()
            last_ns = clock.now_ns()
            pressed = stroke.seat, BUTTON_OF_STROKE[stroke.action]
            report(f"seat {stroke.seat}: {pressed[1]} ({stroke.action})")
            if lights is not None:
                lights.blink(stroke.seat)
            left = [button for button in left if button != pressed]
    report(f"not heard of: {_join_buttons(left)}" if left else "every button was heard")


def _join_buttons(buttons: Sequence[tuple[int, ButtonName]]) -> str:
    return ", ".join(f"seat {seat}'s {which}" for seat, which in buttons)
