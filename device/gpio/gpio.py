"""Buttons and lights on the pins of a Raspberry Pi, through gpiozero and lgpio. Thin: what an edge means is found in
``device.gpio.debounce``, what a light shows when in ``device.gpio.light_patterns``.

Wiring: a button connects its pin to ground (the pin pulls itself up); a light, with its resistor, stands between its
pin and ground.

    buttons = GpioButtons(open_pins(), [SeatPins(17, 27, 22)], SteadyClock(), told=print)
    buttons.start(print)
"""

import atexit
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import Any

from device.gpio.button_events import LOOK_NS, Key, Strokes
from device.gpio.buttons import ButtonError, SeatStroke, Which
from device.gpio.debounce import Holding
from device.gpio.light_patterns import Showing
from device.gpio.lights import Sign
from device.gpio.pins import SeatPins, check, place
from device.system.clock import Clock
from device.system.periodic import Beat, MakeBeat, ThreadBeat

Told = Callable[[str], None]
"""Hears, in a line, what is wrong with one button or light while the others go on."""


def open_pins() -> Any:
    """gpiozero's factory of this board's pins: lgpio's, or the one that ``GPIOZERO_PIN_FACTORY`` names. Raises
    ButtonError."""
    try:
        return _factory()
    except ModuleNotFoundError as error:
        raise ButtonError(
            f"no buttons or lights: {error.name} is not installed; sudo apt install python3-lgpio, and make the "
            "virtual environment with --system-site-packages"
        ) from error
    except Exception as error:  # lgpio has errors of its own, gpiozero warnings besides
        if type(error).__name__ == "PinUnknownPi":
            raise ButtonError(
                "no buttons or lights: this machine is no Raspberry Pi; the screen and a keyboard do without"
            ) from error
        raise ButtonError(
            f"no buttons or lights: the GPIO chip can't be opened ({error}); is this user in the group gpio, and "
            "nothing else using the chip?"
        ) from error


def _factory() -> Any:
    if os.environ.get("GPIOZERO_PIN_FACTORY"):
        from gpiozero import Device  # noqa: PLC0415 - the box goes on where it is missing

        Device.ensure_pin_factory()
        return Device.pin_factory
    if "LG_WD" not in os.environ:
        # lgpio makes its pipes in the working directory, and fails where that can't be written
        os.environ["LG_WD"] = folder = tempfile.mkdtemp(prefix="throwlock-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - as above

    return LGPIOFactory()


def _why(error: Exception) -> str:
    """What gpiozero or lgpio says, in a line."""
    return str(error).strip().splitlines()[0][:120] if str(error).strip() else type(error).__name__


class _Line:
    """One button's pin. gpiozero keeps no hold of whom it calls: this does."""

    def __init__(self, device: Any, changed: Callable[[int, bool], None], offset_ns: int) -> None:
        self._device, self._changed, self._offset_ns = device, changed, offset_ns
        device.pin.edges = "both"
        device.pin.bounce = None
        device.pin.when_changed = self.edge

    def edge(self, ticks: float, high: int) -> None:
        """gpiozero says that the pin went high or low at ``ticks``, in seconds."""
        self._changed(round(ticks * 1e9) + self._offset_ns, not high)

    @property
    def closed(self) -> bool:
        """Whether the contact is closed now: a pin that pulls itself up is low then."""
        return not self._device.pin.state

    def close(self) -> None:
        """Let go of the pin."""
        self._device.pin.when_changed = None
        self._device.close()


class GpioButtons:
    """Two buttons a seat, on the pins of ``factory``. ``told`` hears of a button that can't be used or is stuck; the
    others go on. Raises ButtonError for a table of pins that clashes."""

    def __init__(
        self,
        factory: Any,
        pins: Sequence[SeatPins],
        clock: Clock,
        told: Told,
        holding: Holding | None = None,
        beat: MakeBeat = ThreadBeat,
    ) -> None:
        check(pins)
        self.seats = len(pins)
        self._factory, self._pins, self._clock, self._told = factory, pins, clock, told
        self._holding = holding or Holding()
        self._make_beat = beat
        self._lines: dict[Key, _Line] = {}
        self._strokes: Strokes | None = None
        self._beat: Beat | None = None

    def start(self, heard: Callable[[SeatStroke], None]) -> None:
        """See Buttons. Raises ButtonError where not one button can be used."""
        offset_ns = self._clock.now_ns() - round(self._factory.ticks() * 1e9)
        faults = []
        for seat, pins in enumerate(self._pins, start=1):
            for which, pin in ((Which.RAISE, pins.raises), (Which.CONFIRM, pins.confirm)):
                try:
                    self._lines[seat, which] = self._line((seat, which), pin, offset_ns)
                except Exception as error:
                    faults.append(_unusable(seat, which, pin, error))
        if not self._lines:
            raise ButtonError(faults[0] if faults else "no buttons: no seat has pins; give [[seat]] in the settings")
        for fault in faults:
            self._told(fault)
        down = {key: line.closed for key, line in self._lines.items()}
        self._strokes = Strokes(down, self._clock.now_ns(), self._holding, heard, self._stuck)
        self._beat = self._make_beat(self._look, "buttons")

    @property
    def down(self) -> list[Key]:
        """The buttons whose contacts are closed at this moment."""
        return [key for key, line in self._lines.items() if line.closed]

    def stop(self) -> None:
        """See Buttons."""
        if self._beat is not None:
            self._beat.stop()
        for line in self._lines.values():
            line.close()
        self._lines.clear()

    def _line(self, key: Key, pin: int, offset_ns: int) -> _Line:
        from gpiozero import InputDevice  # noqa: PLC0415 - as in open_pins

        def changed(when_ns: int, closed: bool) -> None:
            if self._strokes is not None and self._beat is not None:
                self._strokes.edge(key, when_ns, closed)
                self._beat.wake()

        return _Line(InputDevice(pin, pull_up=True, pin_factory=self._factory), changed, offset_ns)

    def _look(self) -> float | None:
        if self._strokes is None:
            return None
        try:
            busy = self._strokes.look(self._clock.now_ns(), lambda key: self._lines[key].closed)
        except Exception as error:  # lgpio's
            self._told(f"the buttons can't be read any more ({_why(error)}): start the box again")
            self._strokes = None
            return None
        return LOOK_NS / 1e9 if busy else None

    def _stuck(self, key: Key) -> None:
        seat, which = key
        pin = self._pins[seat - 1].raises if which is Which.RAISE else self._pins[seat - 1].confirm
        self._told(
            f"seat {seat}'s {which} button on {place(pin)} is stuck: it is ignored until it comes up; "
            "free it, or look for a wire that touches ground"
        )


def _unusable(seat: int, what: str, pin: int, error: Exception) -> str:
    return (
        f"seat {seat}'s {what} on {place(pin)} can't be used ({_why(error)}); is something else using that pin (see "
        "dtparam and dtoverlay in config.txt)?"
    )


class GpioLights:
    """A light a seat, on the pins of ``factory``; a seat may have none. ``told`` hears of a light that can't be used.
    One thread drives all of them, and sleeps while none changes. Raises ButtonError for a table of pins that
    clashes."""

    def __init__(
        self, factory: Any, pins: Sequence[SeatPins], clock: Clock, told: Told, beat: MakeBeat = ThreadBeat
    ) -> None:
        check(pins)
        self.seats = len(pins)
        self._clock, self._told = clock, told
        self._lock = threading.Lock()
        self._showing: dict[int, Showing] = {}
        self._devices: dict[int, Any] = {}
        self._lit: dict[int, bool] = {}
        for seat, light in ((seat, one.light) for seat, one in enumerate(pins, start=1)):
            if light is not None:
                self._open(factory, seat, light)
        self._beat = beat(self._drive, "lights")

    def show(self, seat: int, sign: Sign) -> None:
        """See Lights."""
        self._tell(seat, sign)

    def blink(self, seat: int) -> None:
        """See Lights."""
        self._tell(seat, None)

    def stop(self) -> None:
        """See Lights."""
        self._beat.stop()
        for seat in list(self._devices):
            self._switch(seat, False)
        for device in self._devices.values():
            device.close()
        self._devices.clear()

    def _open(self, factory: Any, seat: int, pin: int) -> None:
        try:
            from gpiozero import DigitalOutputDevice  # noqa: PLC0415 - as in open_pins

            self._devices[seat] = DigitalOutputDevice(pin, initial_value=False, pin_factory=factory)
            self._lit[seat] = False
        except Exception as error:
            self._told(_unusable(seat, "light", pin, error))

    def _tell(self, seat: int, sign: Sign | None) -> None:
        with self._lock:
            self._showing[seat] = self._showing.get(seat, Showing()).told(sign, self._clock.now_ns())
        self._beat.wake()

    def _drive(self) -> float | None:
        """Switch the lights that change now; in how many seconds the next one does."""
        now = self._clock.now_ns()
        with self._lock:
            showing = {seat: self._showing.get(seat, Showing()) for seat in self._devices}
        for seat, shown in showing.items():
            lit = shown.lit(now)
            if lit != self._lit[seat]:
                self._switch(seat, lit)
        changes = [when for shown in showing.values() if (when := shown.changes_ns(now)) is not None]
        return max(0.0, (min(changes) - now) / 1e9) if changes else None

    def _switch(self, seat: int, lit: bool) -> None:
        try:
            self._devices[seat].value = lit
            self._lit[seat] = lit
        except Exception as error:
            self._devices.pop(seat)
            self._told(f"seat {seat}'s light can't be switched any more ({_why(error)}): it is left alone")
