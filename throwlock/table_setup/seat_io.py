"""The seats' buttons and lights by the settings: opening them, reporting what is missing, and trying each one after
wiring."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Self

import click

from device.gpio.buttons import ButtonAction, ButtonError, ButtonEvent, ButtonName, Buttons
from device.gpio.debounce import MS, HoldTimes
from device.gpio.gpiozero_devices import GpioButtons, GpioLights, open_pin_factory
from device.gpio.lights import Lights, LightSignal
from device.system.clock import Clock
from errors import ThrowlockError
from messages import N, capitalise, join
from throwlock.settings.model import Settings, SettingsError, read_settings, seat_pins
from ui.screen.core.display import Display
from ui.screen.drawing import theme
from ui.screen.pages.notice import Notice

TITLE = N("Buttons and lights")


class HardwareAlerts:
    """Alerts waiting to be shown."""

    def __init__(self) -> None:
        self._pending = deque[str]()
        self.newest = ""
        """The newest alert that nobody has confirmed since; "" if there is none."""

    def report(self, alert: str | ThrowlockError) -> None:
        """Print an alert and queue it for the screen. Thread-safe."""
        click.echo(str(alert))
        self.newest = alert.text if isinstance(alert, ThrowlockError) else alert
        self._pending.append(self.newest)

    def show(self, display: Display) -> None:
        """Show the queued alerts, if any, until the players confirm them. Raises WindowClosedError."""
        lines = []
        while self._pending:
            lines.append(capitalise(self._pending.popleft()))
        if lines:
            display.ask(Notice(TITLE, join(lines, "\n"), ("go on",)))
            self.newest = ""


Report = Callable[[str | ThrowlockError], None]
LIGHT_TEST_NS = 1_500 * MS
"""How long each light is on when tried."""
IDLE_TIMEOUT_NS = 20_000 * MS
"""Trying the buttons ends after this long without a press."""
POLL_INTERVAL_NS = 50 * MS
"""Between two checks for presses."""
RAISE_ACTIONS = (ButtonAction.RAISE, ButtonAction.RAISE_REPEAT)


class SeatHardware:
    """The seats' buttons and lights; ``None`` for missing ones. Errors are reported as a line (``report``), not raised,
    and the box continues without the hardware."""

    def __init__(self, buttons: Buttons | None = None, lights: Lights | None = None, report: Report = print) -> None:
        self.buttons, self.lights = buttons, lights
        self._report = report

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def listen(self, on_stroke: Callable[[ButtonEvent], None]) -> None:
        """Call ``on_stroke`` with every stroke from now on, from whatever thread it comes."""
        if self.buttons is not None:
            try:
                self.buttons.start(on_stroke)
                theme.set_seat_buttons(True)
            except ButtonError as error:
                self.buttons = None
                self._report(error)

    def close(self) -> None:
        """Switch everything off and release the pins. May be called twice."""
        theme.set_seat_buttons(False)
        if self.buttons is not None:
            self.buttons.stop()
        if self.lights is not None:
            self.lights.stop()


def open_seat_hardware(settings: Settings, clock: Clock, report: Report, factory: Any = None) -> SeatHardware:
    """Open the buttons, without a listener yet, and the lights. ``factory`` is a gpiozero pin factory, by default this
    board's."""
    holding = HoldTimes(settings.buttons.hold_ms * MS, settings.buttons.repeat_ms * MS)
    try:
        pins = seat_pins(settings)
        factory = factory or open_pin_factory()
        lights = GpioLights(factory, pins, clock, report)
        return SeatHardware(GpioButtons(factory, pins, clock, report, holding), lights, report)
    except ButtonError as error:
        report(error)
        return SeatHardware()


def open_seat_hardware_if_enabled(requested: bool, clock: Clock, report: Report) -> SeatHardware:
    """Open this box's buttons and lights if ``requested`` or switched on in the settings; none if those can't be
    read."""
    try:
        settings = read_settings()
    except SettingsError as error:
        if requested:
            report(error)
        return SeatHardware()
    return open_seat_hardware(settings, clock, report) if requested or settings.buttons.on else SeatHardware()


def find_missing_hardware(settings: Settings, clock: Clock, factory: Any) -> dict[str, list[str]]:
    """Return what is missing under ``buttons lacking`` and ``lights lacking``, in words: unusable pins, and buttons
    that are down without being pressed. Raises ButtonError when two pins clash."""
    pins = seat_pins(settings)
    missing_lights: list[str] = []
    GpioLights(factory, pins, clock, missing_lights.append).stop()
    missing_buttons: list[str] = []
    buttons = GpioButtons(factory, pins, clock, missing_buttons.append)
    try:
        buttons.start(lambda stroke: None)
        missing_buttons += [f"seat {seat}'s {which} is down" for seat, which in buttons.closed_buttons]
    except ButtonError as error:
        missing_buttons.append(str(error))
    finally:
        buttons.stop()
    return {"buttons lacking": missing_buttons, "lights lacking": missing_lights}


def try_seat_hardware(seats: SeatHardware, clock: Clock, report: Report) -> None:
    """Switch on every light in turn; then report every pressed button, with a blink, until all were pressed or nobody
    has pressed one for ``IDLE_TIMEOUT_NS``."""
    if (lights := seats.lights) is not None:
        for seat in range(1, lights.seats + 1):
            report(f"seat {seat}'s light is on")
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
            pressed = stroke.seat, ButtonName.RAISE if stroke.action in RAISE_ACTIONS else ButtonName.CONFIRM
            report(f"seat {stroke.seat}: {pressed[1]} ({stroke.action})")
            if lights is not None:
                lights.blink(stroke.seat)
            left = [button for button in left if button != pressed]
    report(f"not pressed: {_join_buttons(left)}" if left else "every button works")


def _join_buttons(buttons: Sequence[tuple[int, ButtonName]]) -> str:
    return ", ".join(f"seat {seat}'s {which}" for seat, which in buttons)
