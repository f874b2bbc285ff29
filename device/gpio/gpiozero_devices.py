"""Buttons and lights on the pins of a Raspberry Pi, through gpiozero and lgpio. A thin layer: ``device.gpio.debounce``
interprets the edges, ``device.gpio.lights`` decides when a light is on."""

import atexit
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import override

from device.gpio.buttons import ButtonError, ButtonEvent, ButtonName, Buttons
from device.gpio.debounce import POLL_INTERVAL_NS, ButtonEvents, ButtonId, HoldTimes
from device.gpio.lights import Lights, LightSignal, LightState
from device.gpio.pins import FUNCTION_WORDS, SeatPins, check_pins, pin_label
from device.system.clock import Clock
from device.system.periodic import MakePeriodicTask, PeriodicTask, ThreadTicker
from messages import LazyText, N

AlertCallback = Callable[[LazyText], None]
"""Receives a line about a button or light that does not work, while the others go on."""


def open_pin_factory() -> Any:
    """Open gpiozero's pin factory for this board: lgpio's, or the one that ``GPIOZERO_PIN_FACTORY`` names. Raises
    ButtonError."""
    try:
        return _load_pin_factory()
    except ModuleNotFoundError as error:
        raise ButtonError(
            N("no buttons or lights: {module} is not installed", module=error.name),
            terminal_hint="; sudo apt install python3-lgpio, and create the virtual environment with "
            "--system-site-packages",
        ) from error
    except Exception as error:  # lgpio has errors of its own, gpiozero also raises warnings
        if type(error).__name__ == "PinUnknownPi":
            raise ButtonError(
                N("no buttons or lights: this is not a Raspberry Pi; use the screen and a keyboard")
            ) from error
        raise ButtonError(
            N(
                "no buttons or lights: the GPIO chip can’t be opened ({why}); is this user in the group "
                "gpio, and is no other program using the chip?",
                why=str(error),
            )
        ) from error


def _load_pin_factory() -> Any:
    if os.environ.get("GPIOZERO_PIN_FACTORY"):
        from gpiozero import Device  # noqa: PLC0415 - optional: the box also runs without it

        Device.ensure_pin_factory()
        return Device.pin_factory
    if "LG_WD" not in os.environ:
        # lgpio creates pipes in the working directory, and fails if that is not writable
        os.environ["LG_WD"] = folder = tempfile.mkdtemp(prefix="throwlock-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - as above

    return LGPIOFactory()


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:120] if str(error).strip() else type(error).__name__


class _ButtonPin:
    """One button's pin. gpiozero keeps only a weak reference to its callback; this object keeps it alive."""

    def __init__(self, device: Any, on_change: Callable[[int, bool], None], offset_ns: int) -> None:
        self._device, self._on_change, self._offset_ns = device, on_change, offset_ns
        device.pin.edges = "both"
        device.pin.bounce = None
        device.pin.when_changed = self.handle_edge

    def handle_edge(self, ticks: float, high: int) -> None:
        """Called by gpiozero when the pin goes high or low at ``ticks`` (seconds)."""
        self._on_change(round(ticks * 1e9) + self._offset_ns, not high)

    @property
    def closed(self) -> bool:
        """Whether the contact is closed now: a pulled-up pin is then low."""
        return not self._device.pin.state

    def close(self) -> None:
        """Release the pin."""
        self._device.pin.when_changed = None
        self._device.close()


class GpioButtons(Buttons):
    """Two buttons per seat. Connect each button between its GPIO pin and ground; the pin is pulled up internally.

        GPIO 17 ---[ button ]--- GND

        buttons = GpioButtons(open_pin_factory(), [SeatPins(17, 27)], MonotonicClock(), on_alert=print)
        buttons.start(print)  # ButtonEvent(seat=1, action=<ButtonAction.RAISE: 'raise'>, when_ns=...)

    ``on_alert`` is told about a button that can't be used or is stuck; the others go on.

    Raises:
        ButtonError: ``pins`` has a pin twice, or one that can't be used.
    """

    def __init__(
        self,
        factory: Any,
        pins: Sequence[SeatPins],
        clock: Clock,
        on_alert: AlertCallback,
        hold_times: HoldTimes | None = None,
        make_task: MakePeriodicTask = ThreadTicker,
    ) -> None:
        check_pins(pins)
        self.seats = len(pins)
        self._factory, self._pins, self._clock, self._on_alert = factory, pins, clock, on_alert
        self._hold_times = hold_times or HoldTimes()
        self._make_task = make_task
        self._button_pins: dict[ButtonId, _ButtonPin] = {}
        self._events: ButtonEvents | None = None
        self._poll_task: PeriodicTask | None = None

    @override
    def start(self, on_event: Callable[[ButtonEvent], None]) -> None:
        """Raises ButtonError when no button at all can be used."""
        offset_ns = self._clock.now_ns() - round(self._factory.ticks() * 1e9)
        alerts = []
        for seat, pins in enumerate(self._pins, start=1):
            for name, pin in ((ButtonName.RAISE, pins.raises), (ButtonName.CONFIRM, pins.confirm)):
                try:
                    self._button_pins[seat, name] = self._open_button((seat, name), pin, offset_ns)
                except Exception as error:
                    alerts.append(_unusable_pin_text(seat, name, pin, error))
        if not self._button_pins:
            raise ButtonError(alerts[0] if alerts else N("no buttons: no seat has pins; add [[seat]] to the settings"))
        for alert in alerts:
            self._on_alert(alert)
        closed = {key: pin.closed for key, pin in self._button_pins.items()}
        self._events = ButtonEvents(closed, self._clock.now_ns(), self._hold_times, on_event, self._report_stuck)
        self._poll_task = self._make_task(self._poll, "buttons")

    @property
    def closed_buttons(self) -> list[ButtonId]:
        """The buttons whose contacts are closed now."""
        return [key for key, pin in self._button_pins.items() if pin.closed]

    @override
    def stop(self) -> None:
        if self._poll_task is not None:
            self._poll_task.stop()
        for pin in self._button_pins.values():
            pin.close()
        self._button_pins.clear()

    def _open_button(self, key: ButtonId, pin: int, offset_ns: int) -> _ButtonPin:
        from gpiozero import InputDevice  # noqa: PLC0415 - as in _load_pin_factory

        def handle_change(when_ns: int, closed: bool) -> None:
            if self._events is not None and self._poll_task is not None:
                self._events.handle_edge(key, when_ns, closed)
                self._poll_task.wake()

        return _ButtonPin(InputDevice(pin, pull_up=True, pin_factory=self._factory), handle_change, offset_ns)

    def _poll(self) -> float | None:
        if self._events is None:
            return None
        try:
            busy = self._events.poll(self._clock.now_ns(), lambda key: self._button_pins[key].closed)
        except Exception as error:  # of lgpio
            self._on_alert(N("the buttons can’t be read any more ({why}): restart the box", why=_first_line(error)))
            self._events = None
            return None
        return POLL_INTERVAL_NS / 1e9 if busy else None

    def _report_stuck(self, key: ButtonId) -> None:
        seat, name = key
        pin = self._pins[seat - 1].raises if name is ButtonName.RAISE else self._pins[seat - 1].confirm
        self._on_alert(
            N(
                "seat {seat}’s {button} button on {place} is stuck and ignored until it is released: free it, or look "
                "for a wire touching ground",
                seat=seat,
                button=FUNCTION_WORDS[name],
                place=pin_label(pin),
            )
        )


def _unusable_pin_text(seat: int, function: str, pin: int, error: Exception) -> LazyText:
    return N(
        "seat {seat}’s {button} on {place} can’t be used ({why}); is something else using that pin (see dtparam and "
        "dtoverlay in config.txt)?",
        seat=seat,
        button=FUNCTION_WORDS[function],
        place=pin_label(pin),
        why=_first_line(error),
    )


class GpioLights(Lights):
    """One light per seat; a seat may have none. Connect each LED with its resistor between its GPIO pin and ground.

        GPIO 22 ---[ resistor ]---[ LED ]--- GND

        lights = GpioLights(open_pin_factory(), [SeatPins(17, 27, 22)], MonotonicClock(), on_alert=print)
        lights.show(1, LightSignal.WAITING)

    ``on_alert`` is told about a light that can't be used. One thread drives all lights, and sleeps while none changes.

    Raises:
        ButtonError: ``pins`` has a pin twice, or one that can't be used.
    """

    def __init__(
        self,
        factory: Any,
        pins: Sequence[SeatPins],
        clock: Clock,
        on_alert: AlertCallback,
        make_task: MakePeriodicTask = ThreadTicker,
    ) -> None:
        check_pins(pins)
        self.seats = len(pins)
        self._clock, self._on_alert = clock, on_alert
        self._lock = threading.Lock()
        self._states: dict[int, LightState] = {}
        self._devices: dict[int, Any] = {}
        self._is_on: dict[int, bool] = {}
        for seat, seat_pins in enumerate(pins, start=1):
            if seat_pins.light is not None:
                self._open(factory, seat, seat_pins.light)
        self._update_task = make_task(self._update, "lights")

    @override
    def show(self, seat: int, signal: LightSignal) -> None:
        self._set_state(seat, signal)

    @override
    def blink(self, seat: int) -> None:
        self._set_state(seat, None)

    @override
    def stop(self) -> None:
        self._update_task.stop()
        for seat in list(self._devices):
            self._switch(seat, False)
        for device in self._devices.values():
            device.close()
        self._devices.clear()

    def _open(self, factory: Any, seat: int, pin: int) -> None:
        try:
            from gpiozero import DigitalOutputDevice  # noqa: PLC0415 - as in _load_pin_factory

            self._devices[seat] = DigitalOutputDevice(pin, initial_value=False, pin_factory=factory)
            self._is_on[seat] = False
        except Exception as error:
            self._on_alert(_unusable_pin_text(seat, "light", pin, error))

    def _set_state(self, seat: int, signal: LightSignal | None) -> None:
        with self._lock:
            self._states[seat] = self._states.get(seat, LightState()).with_signal(signal, self._clock.now_ns())
        self._update_task.wake()

    def _update(self) -> float | None:
        """Switch the lights that change now; return the seconds until the next change."""
        now_ns = self._clock.now_ns()
        with self._lock:
            states = {seat: self._states.get(seat, LightState()) for seat in self._devices}
        for seat, state in states.items():
            on = state.is_on(now_ns)
            if on != self._is_on[seat]:
                self._switch(seat, on)
        changes = [when_ns for state in states.values() if (when_ns := state.next_change_ns(now_ns)) is not None]
        return max(0.0, (min(changes) - now_ns) / 1e9) if changes else None

    def _switch(self, seat: int, on: bool) -> None:
        try:
            self._devices[seat].value = on
            self._is_on[seat] = on
        except Exception as error:
            self._devices.pop(seat)
            self._on_alert(
                N(
                    "seat {seat}’s light can’t be switched any more ({why}): it stays as it is",
                    seat=seat,
                    why=_first_line(error),
                )
            )
