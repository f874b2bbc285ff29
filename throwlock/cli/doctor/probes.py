"""What ``throwlock doctor`` tries in a process of its own, because it may hang or abort: the hand model, a camera, the
screen, the sound device. ``python -m throwlock.cli.doctor.probes camera 0`` prints a JSON object a line as far as it
comes."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from device.camera.picamera import Picamera
    from device.system.clock import Clock

Found = dict[str, Any]


def mediapipe() -> Iterator[Found]:
    """Imports mediapipe."""
    import mediapipe as package  # noqa: PLC0415 - it may be broken, or end the process

    yield {"mediapipe": package.__version__}


def hand() -> Iterator[Found]:
    """Imports mediapipe, then looks for the hands of a simulated table, one throw each.

    Raises ModelError; the process ends where mediapipe's wheel is built for another processor.
    """
    yield from mediapipe()
    from device.camera.frames import Box  # noqa: PLC0415
    from device.simulated.table.animation import Performance  # noqa: PLC0415
    from device.simulated.table.table import SimulatedTable  # noqa: PLC0415
    from device.system.clock import JumpingClock  # noqa: PLC0415 - needs OpenCV
    from vision.hands.detector import HandFinder  # noqa: PLC0415
    from vision.hands.shapes import read  # noqa: PLC0415

    throws = ("rock", "paper", "scissors")
    clock = JumpingClock()
    table = SimulatedTable(clock, seats=len(throws))
    table.start()
    cue_ns = 4_000_000_000
    for seat, throw in enumerate(throws, 1):
        table.perform(seat, Performance(throw, cue_ns, beat_ns=600_000_000))
    clock.wait_until(cue_ns + 400_000_000)
    frame = table.latest()
    wide, high = frame.size
    seen = []
    with HandFinder() as finder:
        for x, y, w, h in table.zones:
            crop = frame.pixels(Box(round(x * wide), round(y * high), round(w * wide), round(h * high)))
            hands = finder.find(crop)
            seen.append(str(read(hands[0]).throw) if hands else "no hand")
    yield {"shown": list(throws), "seen": seen}


def camera(index: str) -> Iterator[Found]:
    """Opens camera ``index`` and takes a picture. Raises CameraError."""
    from device.camera.usb import UsbCamera  # noqa: PLC0415
    from device.system.clock import SteadyClock  # noqa: PLC0415 - needs OpenCV

    clock = SteadyClock()
    one = UsbCamera(int(index), clock)
    one.start()
    clock.wait_until(clock.now_ns() + 500_000_000)  # the first pictures have been read by now
    frame = one.latest()
    yield {"size": frame.size, "fps": one.fps, "dark": bool(frame.pixels(None, (32, 18)).max() < 8)}
    one.stop()


def picamera(index: str) -> Iterator[Found]:
    """Opens the Pi's camera ``index`` and lets it run for two seconds. Raises CameraError."""
    from device.camera.picamera import Picamera  # noqa: PLC0415
    from device.system.clock import SteadyClock  # noqa: PLC0415 - needs OpenCV

    yield from ran_for(Picamera(int(index), clock := SteadyClock()), clock)


def ran_for(one: "Picamera", clock: "Clock", ns: int = 2_000_000_000) -> Iterator[Found]:
    """What a Pi's camera holds when it runs for ``ns``: its rate in frames a second, and what was dropped."""
    one.start()
    try:
        one.hold_exposure()
        since_ns = clock.now_ns()
        clock.wait_until(since_ns + ns)
        frames = one.ring(since_ns, since_ns + ns)
        dark = bool(frames[-1].pixels(None, (32, 18)).max() < 8)
        yield {
            "sensor": one.sensor,
            "mode": one.mode.size if one.mode else one.size,
            "size": one.size,
            "fps": round(len(frames) * 1e9 / ns, 1),
            "asked": round(one.fps, 1),
            "dropped": one.dropped,
            "exposure_ms": frames[-1].exposure_ns / 1e6,
            "readout_ms": one.readout_ns / 1e6 if one.knows_readout else None,
            "dark": dark,
        }
    finally:
        one.stop()


def screen() -> Iterator[Found]:
    """Opens the display. Raises pygame.error where there is none."""
    import pygame  # noqa: PLC0415 - needs its libraries

    pygame.display.init()
    yield {"driver": pygame.display.get_driver(), "sizes": pygame.display.get_desktop_sizes()}
    pygame.display.quit()


def sound() -> Iterator[Found]:
    """Opens the sound device. Raises SoundError where it can't be."""
    from device.sound.loudspeaker import mixer_opened, no_device  # noqa: PLC0415 - needs pygame's libraries

    if why := no_device():
        yield {"none": why}
        return
    yield {"driver": mixer_opened()}


def seats() -> Iterator[Found]:
    """Opens the seats' buttons and lights, and says in words what is lacking of each: nothing, if all is well. Raises
    SettingsError, or ButtonError where the pins can't be had at all."""
    from device.gpio.gpio import open_pins  # noqa: PLC0415 - needs its library
    from device.system.clock import SteadyClock  # noqa: PLC0415 - as below
    from throwlock.settings.model import read, usual_place  # noqa: PLC0415
    from throwlock.table_setup.seat_io import lacking  # noqa: PLC0415

    yield lacking(read(usual_place()), SteadyClock(), open_pins())


PROBES: Mapping[str, Callable[..., Iterator[Found]]] = {
    "mediapipe": mediapipe,
    "hand": hand,
    "camera": camera,
    "picamera": picamera,
    "screen": screen,
    "sound": sound,
    "seats": seats,
}


def main(args: Sequence[str]) -> int:
    """Run the probe called ``args[0]``; 1 and a line on standard error where it fails."""
    try:
        for found in PROBES[args[0]](*args[1:]):
            print(json.dumps(found), flush=True)
    except Exception as fault:
        print(" ".join(str(fault).split()) or type(fault).__name__, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
