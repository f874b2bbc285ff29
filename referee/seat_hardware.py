"""The seats' buttons and lights as the settings have them: opens what is there, says in words what is missing, and lets
whoever wired them try each."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from device.buttons import ButtonFault, Buttons, SeatStroke, Stroke, Which
from device.clock import Clock
from device.debounce import MS, Holding
from device.gpio import GpioButtons, GpioLights, open_pins
from device.lights import Lights, Sign
from device.pins import SeatPins, check
from referee.settings import Settings

Tell = Callable[[str], None]
SHINE_NS = 1_500 * MS
"""How long each light shines when they are tried."""
QUIET_NS = 20_000 * MS
"""Trying the buttons ends when nobody pressed one for so long."""
LOOK_NS = 50 * MS
"""Between two looks at what was pressed."""
WHICH = {Stroke.RAISE: Which.RAISE, Stroke.RUN: Which.RAISE, Stroke.CONFIRM: Which.CONFIRM, Stroke.PASS: Which.CONFIRM}


@dataclass(frozen=True)
class SeatHardware:
    """The seats' buttons and lights; ``None`` for what is not there."""

    buttons: Buttons | None = None
    lights: Lights | None = None

    def close(self) -> None:
        """All off, and let go of the pins; may be called twice."""
        if self.buttons is not None:
            self.buttons.stop()
        if self.lights is not None:
            self.lights.stop()


def pins_of(settings: Settings) -> tuple[SeatPins, ...]:
    """The table of pins. Raises ButtonFault where it clashes."""
    pins = tuple(SeatPins(seat.raises, seat.confirm, seat.light) for seat in settings.seat)
    check(pins)
    return pins


def open_seats(
    settings: Settings, clock: Clock, tell: Tell, heard: Callable[[SeatStroke], None], factory: Any = None
) -> SeatHardware:
    """The buttons, whose strokes go to ``heard`` from now on, and the lights. What can't be used is told in a line, and
    the box goes on without: nothing is raised. ``factory`` is gpiozero's, of this board's pins where none is given."""
    holding = Holding(settings.buttons.hold_ms * MS, settings.buttons.run_ms * MS)
    try:
        pins = pins_of(settings)
        factory = factory or open_pins()
        lights = GpioLights(factory, pins, clock, tell)
    except ButtonFault as fault:
        tell(str(fault))
        return SeatHardware()
    buttons = GpioButtons(factory, pins, clock, tell, holding)
    try:
        buttons.start(heard)
    except ButtonFault as fault:
        tell(str(fault))
        return SeatHardware(lights=lights)
    return SeatHardware(buttons, lights)


def lacking(settings: Settings, clock: Clock, factory: Any) -> dict[str, list[str]]:
    """What is lacking of ``buttons lacking`` and ``lights lacking``, in words: pins that can't be had, buttons that are
    down though nobody was asked to press one. Raises ButtonFault for a table of pins that clashes."""
    pins = pins_of(settings)
    dark: list[str] = []
    GpioLights(factory, pins, clock, dark.append).stop()
    deaf: list[str] = []
    buttons = GpioButtons(factory, pins, clock, deaf.append)
    try:
        buttons.start(lambda stroke: None)
        deaf += [f"seat {seat}'s {which} is down" for seat, which in buttons.down]
    except ButtonFault as fault:
        deaf.append(str(fault))
    finally:
        buttons.stop()
    return {"buttons lacking": deaf, "lights lacking": dark}


def try_seats(
    lights: Lights | None, buttons: Buttons | None, strokes: "deque[SeatStroke]", clock: Clock, tell: Tell
) -> None:
    """Let every light shine in turn; then tell every button that is pressed (it is added to ``strokes`` by then, from
    whatever thread) and shine with it, until all have been or nobody has pressed one for a while."""
    if lights is not None:
        for seat in range(1, lights.seats + 1):
            tell(f"seat {seat}'s light shines")
            lights.show(seat, Sign.IN)
            clock.wait_until(clock.now_ns() + SHINE_NS)
            lights.show(seat, Sign.OFF)
    if buttons is None:
        return
    left = [(seat, which) for seat in range(1, buttons.seats + 1) for which in Which]
    tell(f"press each of the {len(left)} buttons")
    last_ns = clock.now_ns()
    while left and clock.now_ns() - last_ns < QUIET_NS:
        clock.wait_until(clock.now_ns() + LOOK_NS)
        while strokes:
            stroke = strokes.popleft()
            last_ns = clock.now_ns()
            tell(f"seat {stroke.seat}: {WHICH[stroke.stroke]} ({stroke.stroke})")
            if lights is not None:
                lights.blink(stroke.seat)
            if (stroke.seat, WHICH[stroke.stroke]) in left:
                left.remove((stroke.seat, WHICH[stroke.stroke]))
    tell(f"not heard of: {_listed(left)}" if left else "every button was heard")


def _listed(buttons: Sequence[tuple[int, Which]]) -> str:
    return ", ".join(f"seat {seat}'s {which}" for seat, which in buttons)
